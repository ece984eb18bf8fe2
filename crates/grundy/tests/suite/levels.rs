//! Tests that compare every position of small levels of every game with the reference. Levels are
//! computed or stored, and walked on one thread or on all.

use std::collections::BTreeMap;

use crate::common::{built, own_games};
use grundy::{Control, Database, Error, Game, Level, Numbering, Pile, Position, games, sweep};
use grundy_testing::oracle::Oracle;

/// Returns sizes (length, max pile) at which a game has at most a few thousand positions.
fn sizes(game: Game) -> Vec<(usize, Pile)> {
    if game == games::LONG_GLOBAL_NIM {
        return vec![(1, 1), (1, 2), (1, 9), (2, 1), (2, 6), (3, 4)];
    }
    vec![(1, 1), (1, 40), (2, 1), (2, 9), (3, 2), (3, 6), (4, 4), (5, 3), (7, 2)]
}

type Found = BTreeMap<Position, u32>;

/// Gathers all positions of a level. Each must occur once.
fn walked(level: &Level<'_>) -> Found {
    let keep = |found: &mut Found, at: &grundy::PositionView<'_>| {
        let before = found.insert(at.position(), at.value);
        assert_eq!(before, None, "{:?} came twice", at.piles);
        assert_eq!(at.position().piles(), at.piles);
        assert_eq!(at.coins(), at.position().coins());
    };
    let (mut in_order, mut counted) = (Found::new(), 0);
    level
        .each(|block| {
            block.each_position(|at| keep(&mut in_order, at));
            let mut cells = 0;
            block.each_cell(|_, weight| cells += weight);
            assert_eq!((block.positions(), block.count(|_| true)), (cells, cells));
            assert_eq!(block.counts().iter().sum::<u64>(), cells);
            counted += block.cells();
            true
        })
        .unwrap();
    assert_eq!(counted, level.values());
    let control = Control::new();
    let swept = level
        .clone()
        .control(&control)
        .fold(
            Found::new,
            |found, block| block.each_position(|at| keep(found, at)),
            |mut left, right| {
                let both = left.len() + right.len();
                left.extend(right);
                assert_eq!(left.len(), both);
                left
            },
        )
        .unwrap();
    assert!(swept.complete);
    assert_eq!((swept.cells, control.done()), (level.values(), level.values()));
    assert!(swept.acc == in_order, "{:?}", level.table());
    in_order
}

fn check(level: &Level<'_>, oracle: &mut Oracle) {
    let found = walked(level);
    assert_eq!(found.len() as u64, level.positions(), "{}", level.table());
    for (position, value) in found {
        assert_eq!(value, oracle.cell(&position), "{} {position}", level.table());
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn computed_levels_have_the_reference_values() {
    for game in Game::all().chain(own_games()) {
        let mut oracle = Oracle::new(game);
        for (length, max_pile) in sizes(game) {
            check(&Level::new(game, length, max_pile).unwrap(), &mut oracle);
        }
    }
}

#[test]
fn stored_levels_have_the_reference_values() {
    for game in Game::all() {
        let max_pile = 5;
        let (_folder, database) = built(game, max_pile, 3);
        let mut oracle = Oracle::new(game);
        for length in 1..=4 {
            let level = Level::new(game, length, max_pile).unwrap().database(&database);
            let stored = database.table(level.table()).is_some();
            assert_eq!(stored, length <= 3, "{game} {length}");
            check(&level, &mut oracle);
        }
        // The database has no table with this max pile.
        check(&Level::new(game, 2, 4).unwrap().database(&database), &mut oracle);
    }
}

/// Computed and stored levels have the same values, even if a value takes two bytes.
#[test]
fn wide_values() {
    let (_folder, database) = built(games::END_NIM, 130, 3);
    let empty = Database::empty();
    let counts = |database: &Database| {
        let level = Level::new(games::END_NIM, 3, 130).unwrap().database(database);
        level.sweep(|block| (block.counts(), block.positions())).unwrap()
    };
    let ((stored, positions), computed) = (counts(&database), counts(&empty));
    assert_eq!((&stored, positions), (&computed.0, 130u64.pow(3)));
    // Cairns and Ho 2011: three piles are a P-position iff they are a, b, a with b other than a.
    assert_eq!((stored[0], stored.iter().sum::<u64>()), (130 * 129, positions));
    // This game is not built in, and its values follow from the ends.
    let half = own_games().find(|game| game.family() == grundy::Family::Ends).unwrap();
    check(&Level::new(half, 2, 130).unwrap(), &mut Oracle::new(half));
    // Bouton's theorem.
    let nim = Level::new(games::NIM, 3, 300).unwrap();
    let wrong = nim.sweep(|block| {
        let mut wrong = 0_u64;
        block.each_position(|at| wrong += u64::from(at.value != grundy::nim_sum(at.piles)));
        wrong
    });
    assert_eq!(wrong.unwrap(), 0);
}

/// Tests single piles of a misère form near the limit of the kernel for one-byte values. Taking the
/// last coin loses, so the empty position has the value 1, and one coin is a P-position. A player
/// can leave 0, ..., n - 1 of n > 1 coins. By induction these options have all values below n.
#[test]
fn single_piles_of_a_misere_form_may_be_of_any_size() {
    let game = grundy::misere_form(games::END_NIM).unwrap();
    let question = grundy::Question::parse(game, "g == g(first) and g(first) == first").unwrap();
    for max_pile in [127, 128, 200, 255, 256] {
        let level = Level::new(game, 1, max_pile).unwrap();
        let wrong = level.sweep(|block| {
            let mut wrong = 0_u64;
            block.each_position(|at| {
                let expected = if at.piles[0] == 1 { 0 } else { at.piles[0] };
                wrong += u64::from(at.value != expected);
            });
            (wrong, block.positions())
        });
        assert_eq!(wrong.unwrap(), (0, u64::from(max_pile)));
        let ask = grundy::Ask::new(&question);
        // The statement fails only for the single coin.
        assert_eq!(ask.check(1..=1, max_pile).unwrap().failures, 1);
        let mut found = 0;
        let each = |_: &grundy::Position, _| {
            found += 1;
            Ok::<bool, grundy::AskError>(true)
        };
        assert!(ask.find(1..=1, max_pile, each).unwrap());
        assert_eq!(found, max_pile - 1);
    }
}

#[test]
fn a_walk_can_be_stopped() {
    let level = Level::new(games::END_NIM, 5, 24).unwrap();
    let count = |block: &grundy::Block<'_>| block.positions();
    let stop = |level: &Level<'_>| matches!(level.sweep(count), Err(Error::Stopped));
    let control = Control::new();
    assert!(!stop(&level.clone().control(&control)));
    control.stop();
    assert!(stop(&level.clone().control(&control)));
    // A hook that stops the walk at its first call leaves a partial result.
    let large = Level::new(games::END_NIM, 5, 48).unwrap();
    let hook = |progress: grundy::Progress| {
        assert!(progress.done <= progress.total && progress.total == large.values());
        false
    };
    // Use few threads: a thread calls the hook only after some millions of its own values.
    let swept = pool(2)
        .install(|| large.clone().watched(&hook).fold(|| 0, |n, b| *n += b.cells(), |a, b| a + b));
    let swept = swept.unwrap();
    assert!(!swept.complete && swept.acc == swept.cells && swept.cells < large.values());
    assert!(matches!(large.clone().watched(&hook).each(|_| true), Err(Error::Stopped)));
    // `each` returns no error if its closure stops it.
    let mut blocks = 0;
    level
        .each(|_| {
            blocks += 1;
            blocks < 3
        })
        .unwrap();
    assert_eq!(blocks, 3);
}

#[test]
fn invalid_or_too_large_levels_are_refused() {
    assert!(matches!(sweep(games::END_NIM, 0, 5, |_| ()), Err(Error::Table(_))));
    assert!(matches!(sweep(games::NIM, 3, 0, |_| ()), Err(Error::Table(_))));
    for game in [games::NIM, games::END_WYTHOFF, games::END_NIM, games::LONG_GLOBAL_NIM] {
        let level = Level::new(game, 3, 20).unwrap().memory(100);
        match level.sweep(|_| ()) {
            Err(Error::Memory { table, shortage, .. }) => {
                assert_eq!((table, shortage.limit), (level.table().to_string(), 100.into()));
            }
            other => panic!("{game}: {other:?}"),
        }
    }
    let records = Level::new(games::SHORT_GLOBAL_NIM, 1, 100_000).unwrap().memory(10);
    assert!(records.sweep(|_| ()).is_err());
    let forgetful = Level::new(crate::common::forgetful(), 2, 5);
    // The table of this game has an entry for each last move.
    assert_eq!(forgetful.unwrap().table().numbering(), Numbering::LastMoves);
}

/// Each value of an array is at the index of its piles. Kept blocks show the same positions.
#[test]
fn an_array_has_every_position_in_its_place() {
    for game in Game::all() {
        let (_folder, database) = built(game, 4, 3);
        let mut oracle = Oracle::new(game);
        for level in
            [Level::new(game, 3, 4).unwrap(), Level::new(game, 3, 4).unwrap().database(&database)]
        {
            let array = level.array().unwrap();
            assert_eq!(array.axes, level.axes(), "{game}");
            let cells: usize = array.axes.iter().product();
            assert_eq!(array.bytes.len(), cells * array.width, "{game}");
            if array.axes.len() < 3 {
                continue; // one axis
            }
            let per_row = cells / 64;
            for (place, piles) in (0..64).map(|p| (p, [p / 16 + 1, p / 4 % 4 + 1, p % 4 + 1])) {
                let cell = place as usize * per_row * array.width;
                let mut four = [0; 4];
                four[..array.width].copy_from_slice(&array.bytes[cell..cell + array.width]);
                let position = game.position(&piles);
                assert_eq!(u32::from_le_bytes(four), oracle.cell(&position), "{game} {position}");
            }
            let small = level.clone().memory(10).array();
            assert!(matches!(small, Err(Error::Memory { .. } | Error::Query(_) | Error::Fill(_))));
        }
        let level = Level::new(game, 2, 4).unwrap();
        level
            .each(|block| {
                let (mut seen, mut kept) = (Vec::new(), Vec::new());
                block.each_position(|at| seen.push((at.position(), at.value)));
                block.kept().show(level.table(), block.values(), |again| {
                    again.each_position(|at| kept.push((at.position(), at.value)));
                });
                assert_eq!(seen, kept);
                true
            })
            .unwrap();
    }
}
