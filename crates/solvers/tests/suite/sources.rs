//! Tests that answers come from the expected tables.

use grundy_rules::{Game, Pile, games};
use grundy_solvers::{AnyGame, Env, Moves, NoTables, Solver, Source, Tables, solver};
use grundy_testing::cases::cases;

use crate::common::{Held, PLENTY, Shelf, fill, plain, tables_of, wanted};

fn answer(game: Game, piles: &[Pile], tables: &dyn Tables) -> Source {
    solver(game).answer(game, &game.position(piles), &Env::with_nothing(tables)).unwrap().source
}

fn moves(solver: &dyn Solver, game: Game, piles: &[Pile], tables: &dyn Tables) -> Moves {
    solver.moves(game, &game.position(piles), &Env::with_nothing(tables)).unwrap()
}

/// Returns all sources of the answers about options.
fn options(moves: &Moves) -> Vec<Source> {
    let mut sources: Vec<Source> = moves.moves.iter().map(|(_, found)| found.source).collect();
    sources.dedup();
    sources
}

/// Returns tables of the given lengths. Tables with a length in `at_random` report random look-ups.
fn shelf(game: Game, max_pile: Pile, lengths: &[usize], at_random: &[usize]) -> Shelf {
    let all = tables_of(game, max_pile, 4).unwrap().0.into_iter();
    let held = |held: Held| {
        let length = held.table.length();
        lengths.contains(&length).then(|| Held { at_random: at_random.contains(&length), ..held })
    };
    Shelf::of(all.filter_map(held))
}

/// Tests that a table with look-ups at random places is read, unless the value can be computed from
/// a resident table with one or two piles fewer.
#[test]
fn a_slow_table_is_read_if_no_faster_way_exists() {
    let game = games::END_NIM;
    for (line, [row, all, slow, source]) in cases(include_str!("sources.txt"), "slow") {
        let numbers = |text: &str| text.split_whitespace().map(|it| it.parse().unwrap()).collect();
        let (all, slow): (Vec<usize>, Vec<usize>) = (numbers(all), numbers(slow));
        let tables = shelf(game, 3, &all, &slow);
        let found = answer(game, game.parse(row).unwrap().piles(), &tables);
        assert_eq!(found.to_string(), source, "line {line}");
    }
    // The shorter table must hold the largest pile.
    for (row, max_pile, source) in [
        ([2, 3, 2, 3], 2, Source::Table),
        ([2, 3, 2, 3], 3, Source::TableAndComputed),
        ([2, 2, 2, 2], 2, Source::TableAndComputed),
    ] {
        let shorter = shelf(game, max_pile, &[3], &[]).0.into_iter();
        let tables = Shelf::of(shorter.chain(shelf(game, 3, &[4], &[4]).0));
        assert_eq!(answer(game, &row, &tables), source, "{row:?} {max_pile}");
    }
}

/// Tests that a threshold is computed if reading it would decode a frame.
#[test]
fn a_slow_table_of_thresholds_is_not_read() {
    let game = games::PARTIZAN_END_NIM;
    assert_eq!(answer(game, &[2, 3], &shelf(game, 3, &[2], &[])), Source::Table);
    assert_eq!(answer(game, &[2, 3], &shelf(game, 3, &[2], &[2])), Source::Computed);
    // A class comes from two thresholds.
    let env = Env::with_nothing(&NoTables);
    let found = solver(game).answer(game, &game.position(&[2, 3]), &env).unwrap();
    let stored = shelf(game, 3, &[2], &[]);
    let env = Env::with_nothing(&stored);
    let same = solver(game).answer(game, &game.position(&[2, 3]), &env).unwrap();
    assert_eq!((found.thresholds, found.outcome), (same.thresholds, same.outcome));
    assert!(found.thresholds.is_some());
}

/// Tests that a stored position and its options are read. Only the solver of End-Nim computes the
/// options together. A position beyond the tables is computed together with all its options.
#[test]
fn moves_are_read_or_computed_together() {
    for game in Game::all() {
        let tables = tables_of(game, 4, 3).unwrap();
        for piles in [&[3][..], &[3, 4], &[2, 3, 4]] {
            let found = moves(solver(game), game, piles, &tables);
            assert_eq!(found.answer.source, Source::Table, "{game} {piles:?}");
            let nothing = moves(solver(game), game, piles, &NoTables);
            assert_eq!(nothing.answer.source, Source::Computed, "{game} {piles:?}");
            let all = options(&nothing);
            assert!(all.iter().all(|&of| of == Source::Computed), "{game} {piles:?}");
        }
    }
    // A table contains some of the options, but the solver computes all options without this table.
    for game in [games::SHORT_GLOBAL_NIM, games::MISERE_NIM] {
        let tables = tables_of(game, 4, 3).unwrap();
        for piles in [&[3, 5][..], &[5, 5], &[2, 3, 5]] {
            let found = moves(solver(game), game, piles, &tables);
            assert_eq!(found.answer.source, Source::Computed, "{game} {piles:?}");
            assert_eq!(options(&found), [Source::Computed], "{game} {piles:?}");
        }
    }
    let game = games::SHORT_GLOBAL_NIM;
    let found = moves(solver(game), game, &[5], &tables_of(game, 4, 1).unwrap());
    assert_eq!((found.answer.source, options(&found)), (Source::Computed, vec![Source::Computed]));
    let found = moves(solver(game), game, &[4], &tables_of(game, 4, 1).unwrap());
    // The last option is the empty position, which no table contains.
    assert!(options(&found).contains(&Source::Table));
    // Nim has a theorem for all positions, but the solver first reads tables, option by option.
    let (game, tables) = (games::NIM, tables_of(games::NIM, 4, 2).unwrap());
    let env = Env { theorems: true, ..Env::with_nothing(&tables) };
    let found = solver(game).moves(game, &game.position(&[3, 5]), &env).unwrap();
    assert!(options(&found).contains(&Source::Table));
    // For two piles of End-Nim, the borders come from the table of single piles.
    let game = games::END_NIM;
    let found = moves(solver(game), game, &[2, 3], &tables_of(game, 4, 1).unwrap());
    assert_eq!(found.answer.source, Source::TableAndComputed);
    assert_eq!(options(&found), [Source::TableAndComputed]);
}

#[test]
fn the_source_tells_if_a_search_read_tables() {
    let game = plain(games::END_NIM);
    let tables = fill(&AnyGame, game, &wanted(3, 2), &PLENTY);
    assert_eq!(answer(game, &[2, 3], &tables), Source::Table);
    assert_eq!(answer(game, &[2, 3, 1], &tables), Source::TableAndComputed);
    assert_eq!(answer(game, &[2, 3, 1], &NoTables), Source::Computed);
    let row = AnyGame.row(game, &[2, 3], 2, &Env::with_nothing(&tables)).unwrap();
    assert!(row.iter().flatten().all(|found| found.source == Source::TableAndComputed));
    // This search finds no stored position, because options of 5 could only be in the table of
    // single piles, which is missing.
    let pairs = Shelf::of([tables.of_length(2).clone()]);
    assert_eq!(answer(game, &[5], &pairs), Source::Computed);
}

/// Tests the source of the cells of a tile. The tests of the library `grundy` compare values.
#[test]
fn tiles_have_sources() {
    let game = games::END_NIM;
    let tables = tables_of(game, 4, 3).unwrap();
    let source = |middle: &[Pile], last, tables: &dyn Tables| {
        let env = Env::with_nothing(tables);
        let tile = solver(game).tile(game, middle, last, &env).unwrap();
        let mut tile: Vec<_> = tile.into_iter().flatten().collect();
        tile.dedup_by_key(|found| found.source);
        tile.iter().map(|found| found.source).collect::<Vec<_>>()
    };
    assert_eq!(source(&[2], 4, &tables), [Source::Table]);
    assert_eq!(source(&[2, 3], 4, &tables), [Source::TableAndComputed]);
    // The tables hold no piles of 5, but they hold the middle.
    assert_eq!(source(&[2], 5, &tables), [Source::TableAndComputed]);
    assert_eq!(source(&[2], 5, &NoTables), [Source::Computed]);
}

/// Tests border values that exceed two bytes. The tests of the kernels cover smaller values.
#[test]
fn tiles_between_wide_borders() {
    let (game, env) = (games::END_NIM, Env::with_nothing(&NoTables));
    for middle in [65_535, 65_538] {
        let tile = solver(game).tile(game, &[middle], 2, &env).unwrap();
        for (piles, found) in
            [[1, 1], [1, 2], [2, 1], [2, 2]].into_iter().zip(tile.iter().flatten())
        {
            let position = game.position(&[piles[0], middle, piles[1]]);
            let expected = solver(game).answer(game, &position, &env).unwrap();
            assert_eq!(found.value, expected.value, "{position}");
        }
    }
}
