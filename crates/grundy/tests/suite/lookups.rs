//! Tests of values, moves, rows and tiles of every game, with tables and without.

use crate::common::{built, own_games};
use grundy::{
    Ask, Database, EXCLUDED, Game, IntoPosition, Level, MemoryLimit, Outcome, Pile, Position,
    QueryError, Question, game_of_text, games, rulesets,
};
use grundy_testing::oracle::Oracle;

/// Checks the value, moves, row and tile of every position of small levels.
fn check(database: &Database, game: Game) {
    let mut oracle = Oracle::new(game);
    for length in 1..=3 {
        let level = Level::new(game, length, 4).unwrap();
        level
            .each(|block| {
                block.each_position(|at| {
                    let position = at.position();
                    let answer = database.answer(game, &position).unwrap();
                    assert_eq!(answer.cell(), oracle.cell(&position), "{game} {position}");
                    assert_eq!(answer.outcome, at.outcome());
                    match database.value(game, &position) {
                        Ok(value) => assert_eq!(Some(value), answer.value),
                        Err(QueryError::NoValue { .. }) => assert!(!game.is_impartial()),
                        Err(error) => panic!("{error}"),
                    }
                    let found = database.moves(game, &position).unwrap();
                    assert_eq!(found.answer.cell(), oracle.cell(&position));
                    for (made, answer) in found.moves {
                        assert_eq!(answer.cell(), oracle.cell(&made.option));
                    }
                });
                true
            })
            .unwrap();
    }
    for middle in [&[][..], &[3], &[1, 2]] {
        let tile = database.tile(game, middle, 5).unwrap();
        assert_eq!((tile.game(), tile.middle(), tile.size()), (game, middle, 5));
        assert_eq!(tile.rows().count(), 5);
        for (a, line) in (1..=5).zip(tile.rows()) {
            let row = database.row(game, &[&[a], middle].concat(), 5).unwrap();
            for ((b, shown), answer) in (1..=5).zip(line.iter().flatten()).zip(row.iter().flatten())
            {
                let position = game.position(&[&[a], middle, &[b]].concat());
                assert_eq!(shown.cell(), oracle.cell(&position), "{game} {position}");
                assert_eq!((shown.value, shown.outcome), (answer.value, answer.outcome));
                assert_eq!(*shown, tile.answer(a, b));
                assert_eq!(tile.value(a, b), shown.cell());
            }
        }
    }
}

#[test]
fn look_ups_in_tables_agree_with_the_reference() {
    for game in Game::all() {
        let (_folder, database) = built(game, 4, 2);
        check(&database, game);
    }
}

#[test]
fn look_ups_without_tables_agree_with_the_reference() {
    for game in Game::all().chain(own_games()) {
        check(&Database::empty(), game);
    }
}

#[test]
fn a_folder_that_is_not_there_is_empty() {
    let database = Database::open("no-such-folder").unwrap();
    assert_eq!(database.tables().len(), 0);
    assert_eq!(database.value(games::END_NIM, "5,4,5,6,7").unwrap(), 9);
    assert!(!database.exists() && !Database::empty().exists());
}

#[test]
fn positions_in_many_forms() {
    let database = Database::empty();
    let value = |p: Result<u32, QueryError>| p.unwrap();
    let piles: Vec<Pile> = vec![4, 1, 3];
    assert_eq!(value(database.value(games::NIM, &piles)), 4 ^ 1 ^ 3);
    assert_eq!(value(database.value(games::NIM, &piles[..])), 6);
    assert_eq!(value(database.value(games::NIM, [4, 1, 3])), 6);
    assert_eq!(value(database.value(games::NIM, grundy::Position::row(&piles))), 6);
    assert_eq!(value(database.value(games::NIM, "()")), 0);
    let empty: [Pile; 0] = [];
    assert!(matches!(database.value(games::MISERE_NIM, empty), Err(QueryError::Position(_))));
    assert!(matches!(database.value(games::NIM, [1, 0]), Err(QueryError::Position(_))));
    let row = grundy::Position::row(&[9, 2]);
    assert_eq!((&row).into_position(games::END_NIM).unwrap(), row);
    assert_eq!(row.into_position(games::NIM).unwrap().piles(), [2, 9]);
    let partizan = database.answer(games::PARTIZAN_END_NIM, "3,1,2").unwrap();
    assert_eq!(partizan.outcome, Outcome::L);
}

/// One call for many positions gives the same answers as one call for each position.
#[test]
fn many_positions_are_answered_as_one_by_one() {
    let piles: Vec<Pile> = (1..=5).flat_map(|a| (1..=5).flat_map(move |b| [a, b, 3])).collect();
    for game in Game::all() {
        let (_folder, database) = built(game, 4, 3);
        assert_eq!(database.largest_stored(game, 3), Some(4), "{game}");
        assert_eq!(database.largest_stored(game, 7), None);
        let mut oracle = Oracle::new(game);
        let control = grundy::Control::new();
        let found = database.answers(game, 3, &piles, &control, |answer| answer.cell()).unwrap();
        for (three, value) in piles.chunks(3).zip(found) {
            assert_eq!(value, oracle.cell(&game.position(three)), "{game} {three:?}");
        }
        assert_eq!(control.done(), 25);
        control.stop();
        let stopped = database.answers(game, 3, &piles, &control, |_| ()).unwrap_err();
        assert!(matches!(*stopped.error, QueryError::Stopped));
    }
    let bad = Database::empty().answers(
        games::END_NIM,
        2,
        &[1, 2, 3, 0],
        &grundy::Control::new(),
        |_| (),
    );
    let bad = bad.unwrap_err();
    assert_eq!((bad.place, bad.count), (1, 2));
    assert!(bad.to_string().starts_with("position 2 of 2: "), "{bad}");
}

/// A shared tile equals the tile of a look-up. It stays valid without the database.
#[test]
fn a_shared_tile_is_the_tile() {
    for game in [games::END_NIM, games::MISERE_END_NIM, games::LOOP_END_NIM] {
        let (_folder, database) = built(game, 5, 4);
        let mut all = Vec::new();
        for middle in [[1, 2], [2, 1], [3, 3], [5, 4]] {
            let expected = database.tile(game, &middle, 5).unwrap();
            let shared = database.shared_tile(game, &middle, 5).unwrap().unwrap();
            assert_eq!(shared.is_turned, middle[0] > middle[1]);
            all.push((shared, expected));
        }
        assert!(database.shared_tile(game, &[1, 2], 6).unwrap().is_none());
        assert!(database.shared_tile(game, &[6, 1], 5).unwrap().is_none());
        drop(database);
        for (shared, expected) in all {
            let values = &shared.bytes[shared.range];
            for (a, b) in (1..=5).flat_map(|a| (1..=5).map(move |b| (a, b))) {
                let (row, col) = if shared.is_turned { (b, a) } else { (a, b) };
                let cell = ((row - 1) * 5 + col - 1) as usize;
                assert_eq!(u32::from(values[cell]), expected.value(a, b), "{game}");
            }
        }
    }
    // Games of multisets have no tiles.
    let (_folder, database) = built(games::NIM, 4, 3);
    assert!(database.shared_tile(games::NIM, &[2], 4).unwrap().is_none());
}

/// For every ruleset, rows, tiles and arrays begin with the least pile. Their values equal those of
/// the reference, and excluded positions have no value. Lengths without positions are refused.
#[test]
fn rows_tiles_and_arrays_of_rulesets_have_the_positions_that_exist() {
    let database = Database::empty();
    for (name, text) in rulesets::RULESETS {
        let game = game_of_text(text).unwrap().0;
        let mut oracle = Oracle::new(game);
        let mut agrees = |position: &Position, found: Option<u32>| {
            let exists = game.keeps(position);
            assert_eq!(found, exists.then(|| oracle.cell(position)), "{name} {position}");
        };
        let piles = game.order().least_pile()..=4;
        let is_sum = game.is_sum();
        for length in game.lengths_near(1..=3) {
            let word: Vec<Pile> = [2, 1, 0].into_iter().cycle().take(length - 1).collect();
            let word = if piles.contains(&0) { word } else { vec![2; length - 1] };
            let row = database.row(game, &word, 4).unwrap();
            assert_eq!(row.len(), piles.clone().count());
            for (b, found) in piles.clone().zip(row) {
                let position = game.position(&[&word[..], &[b]].concat());
                agrees(&position, found.map(|answer| answer.cell()));
            }
            if let Some(middle) = word.get(1..) {
                let tile = database.tile(game, middle, 4).unwrap();
                let ends = piles.clone().flat_map(|a| piles.clone().map(move |b| (a, b)));
                assert_eq!(tile.cells().count(), tile.side() * tile.side());
                for ((a, b), found) in ends.zip(tile.cells()) {
                    agrees(&game.position(&[&[a], middle, &[b]].concat()), found);
                }
            }
            if !game.excludes() {
                continue;
            }
            let level = Level::new(game, length, 3).unwrap();
            let array = level.array().unwrap();
            assert_eq!(array.axes, [level.table().values() as usize]);
            for (number, entry) in (0..).zip(array.bytes.as_chunks::<4>().0) {
                let entry = u32::from_le_bytes(*entry);
                match level.table().position(number) {
                    Some(position) => agrees(&position, Some(entry)),
                    None => assert_eq!(entry, EXCLUDED, "{name} {number}"),
                }
            }
        }
        let longest = *game.lengths_near(1..=63).end();
        if !is_sum && longest < 63 {
            assert!(database.row(game, &vec![1; longest], 4).is_err(), "{name}");
        }
    }
}

/// A statement that asks for another game at its own positions reads the other game's tiles beside
/// its own. With the piles reversed, which changes no value, it reads levels in memory.
#[test]
fn tiles_beside_a_walk_have_the_values_of_levels() {
    let ends = [games::END_NIM, games::MISERE_END_NIM, games::LOOP_END_NIM];
    for (game, other) in ends.iter().flat_map(|game| ends.map(|other| (*game, other))) {
        for (length, here, reversed) in
            [(2, "", "(p2, p1)"), (3, "(p1, p2, p3)", "(p3, p2, p1)"), (4, "", "(p4, p3, p2, p1)")]
        {
            for text in [
                "g[other]@ == g",
                "P[other]@ -> p1 > 20 and (last > 3 -> N[other]@)",
                "first == last -> g[other]@ > 2 * p1",
            ] {
                let found = |piles: &str| {
                    let text = text.replace('@', piles).replace("other", &other.to_string());
                    let question = Question::parse(game, &text).unwrap();
                    let ask = Ask::new(&question).show(3).memory(MemoryLimit::new(1 << 28));
                    let report = ask.check(length..=length, 24).unwrap();
                    (report.fresh, report.failures, format!("{:?}", report.least))
                };
                assert_eq!(found(here), found(reversed), "{text} in {game}, {length} piles");
            }
        }
    }
}
