//! Compares stored and computed rows of all words, in lexicographic order, with the rules.

use std::sync::Mutex;

use grundy_rules::{Game, Pile, Table, lex_word};
use grundy_solvers::{AnyGame, Listing, Rows, Surveyor, read_cells, solver};
use grundy_sweep::Control;
use grundy_testing::oracle::Oracle;

use crate::common::{Held, count_of, has_plain_cells, tables_of};
use crate::fill::each_size;

/// Returns the cells of all rows. Requests `slab` rows at a time.
fn in_slabs(rows: &dyn Rows, slab: u64) -> Vec<u32> {
    let (shape, mut cells) = (rows.shape(), Vec::new());
    for first in (0..shape.rows).step_by(slab as usize) {
        let count = slab.min(shape.rows - first) as usize;
        let mut bytes = vec![0; count * shape.row_bytes()];
        rows.fill(first, &mut bytes, &Control::new()).unwrap();
        read_cells(shape.width, &bytes, &mut cells);
    }
    cells
}

/// Returns all cells. Computes the cells in runs, and copies each run to its place.
fn by_runs(rows: &dyn Rows) -> Vec<u32> {
    let shape = rows.shape();
    let all = Mutex::new(vec![0; shape.bytes().unwrap() as usize]);
    let control = Control::new();
    rows.each_run(0..shape.rows, &control, &|row, bytes| {
        let start = row as usize * shape.row_bytes();
        all.lock().unwrap()[start..start + bytes.len()].copy_from_slice(bytes);
        Ok(())
    })
    .unwrap();
    assert_eq!(control.done(), shape.rows * shape.cells as u64);
    let mut cells = Vec::new();
    read_cells(shape.width, &all.into_inner().unwrap(), &mut cells);
    cells
}

fn check(solver: &dyn Surveyor, table: &Table, stored: Option<&Held>, oracle: &mut Oracle) {
    let control = Control::new();
    let rows = solver.rows(count_of(table, stored, &control)).unwrap();
    let (shape, game) = (rows.shape(), table.game());
    let found = by_runs(&*rows);
    for slab in [1, 3, shape.together, shape.together + 1, shape.rows] {
        assert_eq!(in_slabs(&*rows, slab), found, "{table} in slabs of {slab}");
    }
    let n = u64::from(table.max_pile());
    assert_eq!(shape.width, table.value_bytes(), "{table}");
    assert_eq!((shape.rows, shape.cells as u64), (n.pow(table.length() as u32 - 1), n), "{table}");
    let mut piles = vec![0; table.length()];
    for (number, &cell) in (0..).zip(&found) {
        lex_word(number, n, &mut piles);
        let position = game.position(&piles);
        assert_eq!(cell, oracle.cell(&position), "{table} {position}");
    }
}

#[test]
fn rows_are_in_lexicographic_order() {
    each_size(|game: Game, max_pile: Pile, longest| {
        let shelf = tables_of(game, max_pile, longest).unwrap();
        let mut oracle = Oracle::new(game);
        for held in &shelf.0 {
            let table = &held.table;
            let words = Listing::of(table) == Listing::Words;
            if !words || !has_plain_cells(table) {
                continue;
            }
            check(solver(game), table, Some(held), &mut oracle);
            check(solver(game), table, None, &mut oracle);
            check(&AnyGame, table, Some(held), &mut oracle);
            check(&AnyGame, table, None, &mut oracle);
        }
    });
}
