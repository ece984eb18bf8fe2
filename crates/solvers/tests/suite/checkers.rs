//! Tests that checkers accept correct tables and report wrong cells.

use std::collections::BTreeSet;

use grundy_kernels::cells::cell_values;
use grundy_rules::{Game, Numbering, Pile, Position, outcome_form, rulesets};
use grundy_solvers::{AnyGame, Env, Surveyor, solver};
use grundy_sweep::MemoryLimit;
use grundy_testing::oracle::Oracle;
use grundy_testing::random::Random;

use crate::answers::agrees;
use crate::common::{
    Held, PLENTY, Shelf, check, check_within, fill, has_plain_cells, plain, tables_of, wanted,
};
use crate::compiled::game;
use crate::toys::toys;

/// The sizes of tables: the largest pile, and the number of piles.
const SIZES: [(Pile, usize); 5] = [(1, 3), (2, 4), (3, 3), (5, 2), (7, 2)];

/// Returns wrong contents for a cell, including one more, one less, zero, and the maximum.
fn other_cells(cell: u32, width: usize) -> BTreeSet<u32> {
    let most = u32::MAX >> (32 - 8 * width);
    let others = [cell + 1, cell.wrapping_sub(1) & most, cell ^ 2, 0, cell / 2, most, most / 3];
    others.into_iter().filter(|&other| other != cell && other <= most).collect()
}

/// True if two different cells hold the same values. This is possible only in tables numbered by
/// sets (`Numbering::Sets`): if a value is 0, its flag bit has no effect.
fn say_the_same(held: &Held, one: u32, other: u32) -> bool {
    held.table.numbering() == Numbering::Sets && cell_values(one) == cell_values(other)
}

/// Returns the numbers of the options of a position. A table may store the reversal of an option.
fn stored_options(game: Game, held: &Held, position: &Position) -> BTreeSet<Option<u64>> {
    game.moves(position).iter().map(|m| held.table.number(&m.option)).collect()
}

/// Changes every cell of a table. The report must name the cell, or a cell that depends on it.
fn every_change_is_found(solver: &dyn Surveyor, held: &Held, others: &Shelf) {
    let (table, game) = (&held.table, held.table.game());
    for (at, &cell) in held.cells.iter().enumerate() {
        for other in other_cells(cell, table.value_bytes()) {
            if say_the_same(held, cell, other) {
                continue;
            }
            let spoilt = held.with_cell(at, other);
            // As in a database, the checker derives other cells from the wrong cell.
            let tables = others.0.iter().filter(|found| found.table != *table).cloned();
            let tables = Shelf::of(tables.chain([spoilt.clone()]));
            let found = check(solver, &spoilt, &tables, 3, true);
            let Some(wrong) = found.wrong else {
                panic!("{table}: {cell} became {other} at {at}, and the checker did not notice");
            };
            if wrong.position.is_empty() || !table.numbering().is_plain() {
                continue;
            }
            let named = game.parse(&wrong.position);
            let Ok(position) = named else { panic!("{table}: '{}'", wrong.position) };
            let number = table.number(&position);
            let is_option = stored_options(game, held, &position).contains(&Some(at as u64));
            // A last move that forbids nothing gives the same value as the beginning of play.
            let idle = position.last_move() > position.max_pile();
            assert!(
                number == Some(at as u64) || is_option || idle || has_thresholds(held),
                "{table}: {cell} became {other} at {at}, and {position} is named"
            );
            if number == Some(at as u64) {
                assert_eq!(wrong.found, other, "{table}: {position}");
            }
        }
    }
}

/// True if the cells are thresholds, which are not derived from the cells of options.
fn has_thresholds(held: &Held) -> bool {
    held.table.numbering().is_plain() && !has_plain_cells(&held.table)
}

/// Returns the solver of the game, and the solver for any game if it fits the tables.
fn checkers(game: Game, shelf: &Shelf) -> Vec<&'static dyn Surveyor> {
    let mut all: Vec<&dyn Surveyor> = vec![solver(game)];
    if shelf.0.iter().all(|held| has_plain_cells(&held.table)) {
        all.push(&AnyGame);
    }
    all
}

fn each_shelf(mut show: impl FnMut(&'static dyn Surveyor, Shelf)) {
    for (max_pile, longest) in SIZES {
        for game in Game::all() {
            let Some(shelf) = tables_of(game, max_pile, longest) else { continue };
            for solver in checkers(game, &shelf) {
                show(solver, shelf.clone());
            }
        }
    }
}

/// Checkers also read options from larger tables, and derive options that no table contains.
#[test]
fn sound_tables_are_accepted_beside_any_others() {
    for (game, (max_pile, longest)) in Game::all().flat_map(|game| SIZES.map(|size| (game, size))) {
        let Some(shelf) = tables_of(game, max_pile, longest) else { continue };
        let smaller = tables_of(game, max_pile - 1, longest);
        let larger = tables_of(game, max_pile + 2, longest).unwrap();
        for held in &shelf.0 {
            let (table, length) = (&held.table, held.table.length());
            let among = |others: &Shelf| {
                let shorter = others.0.iter().filter(|other| other.table.length() < length);
                Shelf::of(shorter.chain([held]).cloned())
            };
            let without_one = shelf.0.iter().filter(|other| other.table.length() + 1 != length);
            let without_one = Shelf::of(without_one.cloned());
            let mut surroundings =
                vec![shelf.clone(), among(&Shelf::default()), among(&larger), without_one];
            surroundings.extend(smaller.as_ref().map(among));
            for solver in checkers(game, &shelf) {
                let expected = check(solver, held, &shelf, table.tiles(), true);
                assert!(expected.wrong.is_none() && expected.values > 0, "{table}");
                if table.numbering().is_plain() {
                    assert_eq!(expected.values, table.cells(), "{table}");
                }
                for (tables, tiles) in surroundings.iter().flat_map(|all| [(all, 1), (all, 3)]) {
                    let names: Vec<String> =
                        tables.0.iter().map(|held| held.table.to_string()).collect();
                    assert_eq!(check(solver, held, tables, tiles, true), expected, "{names:?}");
                }
                assert_eq!(check(solver, held, &shelf, 2, false).wrong, None, "{table}");
            }
        }
    }
}

#[test]
fn every_wrong_cell_is_reported() {
    each_shelf(|solver, shelf| {
        for held in &shelf.0 {
            every_change_is_found(solver, held, &shelf);
        }
    });
}

#[test]
fn every_wrong_cell_of_a_game_without_a_family_is_reported() {
    for game in Game::all().map(plain).chain(toys()) {
        let shelf = fill(solver(game), game, &wanted(3, 3), &PLENTY);
        for held in &shelf.0 {
            let found = check(&AnyGame, held, &shelf, 4, true);
            assert_eq!((found.wrong, found.values), (None, held.table.cells()), "{}", held.table);
            for (at, &cell) in held.cells.iter().enumerate() {
                for other in other_cells(cell, held.table.value_bytes()) {
                    let spoilt = held.with_cell(at, other);
                    let found = check(&AnyGame, &spoilt, &shelf, 4, true);
                    assert!(found.wrong.is_some(), "{}: {other} at {at}", held.table);
                }
            }
        }
    }
}

/// The moves of the games are at the ends of a row, symmetric or not, or elsewhere in it, or in
/// places or heaps. Checkers read the options of such games without their rules' lists of moves.
#[test]
fn every_wrong_cell_of_a_rule_file_is_reported() {
    for (kind, moves) in [
        ("row", "t in 1..first: first -= t\nmove: t in 1..last if k >= 2: last -= t"),
        ("row", "t in 1..first: first -= t\nmove: t in 1..min(2, last) if k >= 2: last -= t"),
        ("row", "t in 1..first if k < 2 or p2 > 1: first -= t"),
        ("row", "i in 1..k, t in 1..min(2, piles[i]): piles[i] -= t"),
        ("places", "i in 1..k, t in 1..piles[i] if t != p1: piles[i] -= t"),
        ("heaps", "i in 1..k, t in 1..piles[i] if t % 3 > 0: piles[i] -= t"),
    ] {
        let game = game(&format!(
            "name: x\ntitle: X\nsource: x\nrule: x\npiles: {kind}\nlength: 1..3\nmove: {moves}\n"
        ));
        for size in [wanted(3, 3), wanted(6, 2)] {
            let shelf = fill(solver(game), game, &size, &PLENTY);
            for held in &shelf.0 {
                let found = check(solver(game), held, &shelf, 2, true);
                assert_eq!((found.wrong, found.values), (None, held.table.cells()), "{moves}");
                every_change_is_found(solver(game), held, &shelf);
            }
        }
    }
}

/// A checker that marks the positions with a move to a P-position reports the same cell as one
/// without memory for marks, whatever bits are wrong, and however the cells are divided.
#[test]
fn outcomes_are_checked_as_without_marks() {
    let files = rulesets::names().into_iter().filter_map(rulesets::game);
    let (mut random, mut wrong) = (Random(7), 0);
    for game in Game::all().chain(files).filter(|game| !game.is_within_total()) {
        let Ok(form) = outcome_form(game) else { continue };
        for (max_pile, length) in [(20, 1), (9, 2), (5, 3), (4, 4)] {
            let Some(shelf) = tables_of(form, max_pile, length) else { continue };
            for flips in 0..6 {
                let mut tables = shelf.0.clone();
                for _ in 0..flips {
                    let table = random.number() as usize % tables.len();
                    let at = random.number() as usize % tables[table].cells.len();
                    tables[table].cells[at] ^= 1;
                }
                let tables = Shelf::of(tables);
                for (held, tiles) in tables.0.iter().zip([1, 3, 1 << 20].into_iter().cycle()) {
                    let within = |memory| {
                        let memory = MemoryLimit::new(memory);
                        check_within(memory, solver(form), held, &tables, tiles, true)
                    };
                    let found = within(1 << 30);
                    assert_eq!(found, within(0), "{} with {flips} wrong bits", held.table);
                    wrong += usize::from(found.wrong.is_some());
                }
            }
        }
    }
    assert!(wrong > 500, "{wrong}");
}

/// Checks tiles whose borders are rows or columns of the table with one pile fewer, and thresholds
/// of words. The shorter table has the same or a larger max pile, or is missing. A cell is derived
/// only from the shorter table and from earlier cells, so a report names exactly the wrong cell.
#[test]
fn a_wrong_cell_is_named_among_right_ones() {
    use grundy_rules::games::{END_NIM, PARTIZAN_END_NIM};
    for (game, max_pile, length) in [
        (END_NIM, 2, 6),
        (END_NIM, 3, 5),
        (END_NIM, 6, 2),
        (PARTIZAN_END_NIM, 7, 2),
        (PARTIZAN_END_NIM, 4, 3),
        (PARTIZAN_END_NIM, 2, 5),
    ] {
        let shelf = tables_of(game, max_pile, length).unwrap();
        let larger = tables_of(game, max_pile + 1, length - 1).unwrap();
        let held = shelf.of_length(length);
        let shorter = |from: &Shelf| Shelf::of([from.of_length(length - 1).clone()]);
        for tables in [shorter(&shelf), shorter(&larger), Shelf::default()] {
            for tiles in [1, 4] {
                let found = check(solver(game), held, &tables, tiles, true);
                assert_eq!((found.wrong, found.values), (None, held.table.cells()));
            }
            for at in 0..held.cells.len() {
                let spoilt = held.with_cell(at, held.cells[at] + 1);
                let found = check(solver(game), &spoilt, &tables, 4, true).wrong.unwrap();
                let position = held.table.position(at as u64).unwrap().to_string();
                assert_eq!(found.position, position, "{}", held.table);
                assert_eq!(found.found, held.cells[at] + 1, "{}", held.table);
            }
        }
    }
}

#[test]
fn an_unreadable_cell_is_an_error() {
    for game in Game::all() {
        for length in 1..=2 {
            let held = tables_of(game, 3, 2).unwrap().of_length(length).clone();
            let tables = Shelf::of([Held { lost: true, ..held }]);
            let env = Env::with_nothing(&tables);
            let position = game.position(&vec![2; length]);
            let said = |error: grundy_solvers::SolveError| error.to_string();
            let answer = solver(game).answer(game, &position, &env).map_err(said);
            assert_eq!(answer, Err("it is lost".to_owned()), "{game}");
            match solver(game).moves(game, &position, &env).map_err(said) {
                Err(error) => assert_eq!(error, "it is lost", "{game}"),
                // A solver that computes all options together reads no table.
                Ok(moves) => {
                    let mut oracle = Oracle::new(game);
                    agrees(&mut oracle, &position, &moves.answer);
                    moves.moves.iter().for_each(|(m, found)| agrees(&mut oracle, &m.option, found));
                }
            }
        }
    }
}
