//! Changes every bit of every cell of tables of sets of moves. The report must name the first set
//! with a changed value, and this value. A wrong value does not affect earlier sets, because
//! options have fewer coins.

use grundy_rules::games;
use grundy_solvers::{Counted, Derived, WrongCell, solver};
use grundy_sweep::Control;

use crate::common::{Held, Shelf, check, count_of, tables_of};

const GAME: grundy_rules::Game = games::LONG_GLOBAL_NIM;

/// Returns the value of the set with this number, as docs/FORMAT.md defines it. A cell contains
/// eight pairs of values. Bits j of the first three bytes are the second value of pair j. The first
/// value is the same if bit j of the fourth byte is set, and 0 otherwise.
fn value(cells: &[u32], number: u64) -> u32 {
    let (cell, pair) = (cells[(number / 16) as usize], number % 16 / 2);
    let bit = |byte: u32| cell >> (8 * byte) >> pair & 1;
    let value = bit(0) + 2 * bit(1) + 4 * bit(2);
    if number % 2 == 1 || bit(3) == 1 { value } else { 0 }
}

fn check_all(held: &Held, cells: u64) -> Derived {
    check(solver(GAME), held, &Shelf::of([held.clone()]), cells, true)
}

#[test]
fn every_bit_of_a_cell_is_compared_with_the_derived_value() {
    for max_pile in 1..=7 {
        let shelf = tables_of(GAME, max_pile, 1).unwrap();
        let held = shelf.of_length(1);
        // Without the unused number 0, there are 2^(N + 1) - 1 sets of 0, 1, ..., N coins.
        let sets: u64 = (2 << max_pile) - 1;
        let right = Derived { values: sets, left_out: 0, wrong: None };
        for cells in [1, 2, 3, 64] {
            assert_eq!(check_all(held, cells), right, "{max_pile}");
        }
        for (at, &cell) in held.cells.iter().enumerate() {
            for bit in 0..32 {
                let spoilt = held.with_cell(at, cell ^ 1 << bit);
                let mut numbers = (16 * at as u64..16 * at as u64 + 16).filter(|&n| n > 0);
                let differs = numbers.find(|&n| value(&held.cells, n) != value(&spoilt.cells, n));
                let wrong = differs.map(|number| {
                    // Reports name no position for the empty position and for numbers after the
                    // last set.
                    let position = held.table.position(number).map(|found| found.to_string());
                    assert!(number <= sets || position.is_none());
                    let position = position.unwrap_or_default();
                    WrongCell { position, found: value(&spoilt.cells, number) }
                });
                for cells in [1, 64] {
                    assert_eq!(
                        check_all(&spoilt, cells).wrong,
                        wrong,
                        "{max_pile}: {at} bit {bit}"
                    );
                }
            }
        }
    }
}

/// In a table of zeros, the largest value is 0, and the first cell has it. For 1 to 6 coins there
/// are 2 + 4 + ... + 64 sets.
#[test]
fn sets_of_no_value_are_counted() {
    let shelf = tables_of(GAME, 6, 1).unwrap();
    let mut held = shelf.of_length(1).clone();
    held.cells.fill(0);
    let control = Control::new();
    let of = count_of(&held.table, Some(&held), &control);
    let Some(Counted::Sets { counts, .. }) = solver(GAME).count(of).unwrap() else {
        panic!("{}", held.table);
    };
    assert_eq!((counts.maximum, counts.total()[0]), ((0, 0), 126));
    assert!(counts.total()[1..].iter().all(|&count| count == 0));
}
