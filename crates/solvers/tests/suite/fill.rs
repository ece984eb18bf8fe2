//! Tests the tables that makers fill.

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile, Table, outcome_form, remoteness_form};
use grundy_solvers::{Env, FillError, Job, Means, Source, solver};
use grundy_sweep::{Control, MemoryLimit};
use grundy_testing::oracle::Oracle;

use crate::answers::agrees;
use crate::common::{
    Held, PLENTY, bytes_of, fill, has_plain_cells, misere_forms, plain, positions, tables_of,
    wanted,
};
use crate::toys::toys;

/// Sizes of tables: the largest pile and the number of piles. The last size needs two-byte values.
const SIZES: [(Pile, usize); 6] = [(1, 5), (2, 4), (3, 4), (6, 3), (9, 2), (140, 2)];

/// The maximum number of values in a table that is compared position by position. The first limit
/// is for games of the registry, and the second limit is for all other games.
const MOST_VALUES: [u64; 2] = [40_000, 3000];

/// Calls `show` with every game, and with every size that is small enough for this game.
pub(crate) fn each_size(mut show: impl FnMut(Game, Pile, usize)) {
    let lasting = Game::all().chain(misere_forms()).filter_map(|game| remoteness_form(game).ok());
    let outcomes = Game::all().filter_map(|game| outcome_form(game).ok());
    let others =
        misere_forms().chain(lasting).chain(outcomes).chain(toys()).chain(Game::all().map(plain));
    let games = Game::all().map(|game| (game, MOST_VALUES[0]));
    let games = games.chain(others.map(|game| (game, MOST_VALUES[1])));
    for ((game, most), (max_pile, longest)) in games.flat_map(|game| SIZES.map(|size| (game, size)))
    {
        let is_small =
            |length| Table::new(game, max_pile, length).is_ok_and(|table| table.values() <= most);
        if (1..=longest).all(is_small) {
            show(game, max_pile, longest);
        }
    }
}

#[test]
fn every_position_of_a_table_has_the_value_of_the_rules() {
    each_size(|game, max_pile, longest| {
        let shelf = tables_of(game, max_pile, longest).unwrap();
        let env = Env::with_nothing(&shelf);
        let mut oracle = Oracle::new(game);
        for held in &shelf.0 {
            let table = &held.table;
            let all_cells = has_plain_cells(table);
            for position in positions(game, max_pile, table.length(), max_pile + 1) {
                let answer = solver(game).answer(game, &position, &env).unwrap();
                agrees(&mut oracle, &position, &answer);
                assert_eq!(answer.source, Source::Table, "{table} {position}");
                if all_cells {
                    let number = table.number(&position).unwrap();
                    let cell = held.cells[number as usize];
                    assert_eq!(cell, oracle.cell(&position), "{table} {position}");
                }
            }
        }
    });
}

/// Fills tables in runs of several lengths, with little memory, and after the maker was stopped.
#[test]
fn a_table_is_the_same_however_it_is_made() {
    let (max_pile, isa) = (5, Isa::Portable);
    let little =
        Means { memory: MemoryLimit::new(0), threads: 1, frame_bytes: 16, in_order: false };
    for game in Game::all().chain(Game::all().map(plain)) {
        let expected = fill(solver(game), game, &wanted(max_pile, 3), &PLENTY);
        for (means, stops, run) in
            [(&PLENTY, false, 1), (&PLENTY, false, 2), (&PLENTY, true, 7), (&little, false, 4)]
        {
            let mut maker = solver(game).maker(Job { game, max_pile, isa });
            for held in &expected.0 {
                let (table, control) = (&held.table, Control::new());
                let needs = solver(game).needs(table, means);
                if stops {
                    control.stop();
                    match maker.prepare(table, &needs, &control) {
                        // Small tables may finish before they are stopped.
                        Ok(()) | Err(FillError::Stopped(_)) => {}
                        Err(error) => panic!("{table}: {error}"),
                    }
                }
                maker.prepare(table, &needs, &Control::new()).unwrap();
                let found = Held::new(table, &bytes_of(&*maker, table, run));
                assert!(found.cells == held.cells, "{table} by {run}");
            }
        }
    }
}
