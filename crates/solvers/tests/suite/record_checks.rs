//! Tests which records of single piles a checker derives again: as many in order as the memory
//! allows, and one row of each piece (run) by the definition.

use grundy_rules::{Form, Size, Table, games};
use grundy_solvers::{Checking, Derived, SolveError, TableRequest, TileRun, WrongCell, solver};
use grundy_sweep::{Control, MemoryLimit};

use crate::common::{Held, PLENTY, Shelf, fill, wanted};

const GAME: grundy_rules::Game = games::SHORT_GLOBAL_NIM;

/// The number of rows. A record has g, the number of exceptions, and room for 62 exceptions.
const ROWS: u64 = 1000;
const COLUMNS: u64 = 64;

/// The memory. Half of it holds 833 derived rows of 96 bytes, or 1000 stored rows of 80 bytes.
const MEMORY: u64 = 160_000;

fn records(rows: u32, form: Form) -> Held {
    let held =
        fill(solver(GAME), GAME, &TableRequest { form, ..wanted(rows, 1) }, &PLENTY).0.remove(0);
    assert_eq!(held.table, Table::of(GAME, Size { max_pile: rows, length: 1, form }).unwrap());
    held
}

/// Checks the rows in a range.
fn check(held: &Held, rows: std::ops::Range<u64>, memory: u64, full: bool) -> Derived {
    check_while(held, rows, memory, full, &Control::new())
}

fn check_while(
    held: &Held,
    rows: std::ops::Range<u64>,
    memory: u64,
    full: bool,
    control: &Control,
) -> Derived {
    let (tables, columns) = (Shelf::of([held.clone()]), held.table.tile_cols() as u64);
    let of = Checking { stored: held, tables: &tables, memory: MemoryLimit::new(memory), control };
    let checker = solver(GAME).checker(of);
    let cells = &held.cells[(rows.start * columns) as usize..(rows.end * columns) as usize];
    let found: Result<Derived, SolveError> =
        checker.unwrap().check(TileRun { first: rows.start, cells, full });
    found.unwrap()
}

fn right(rows: u64, left_out: u64) -> Derived {
    Derived { values: rows * COLUMNS, left_out: left_out * COLUMNS, wrong: None }
}

/// The numbers of some pieces of 50 rows, each with the row that is derived by the definition. The
/// place of this row in the piece is 0x9E3779B97F4A7C15 times the number, modulo 2^64, modulo 50.
const CHOSEN: [(u64, u64); 4] = [(16, 816), (17, 885), (18, 904), (19, 989)];

#[test]
fn rows_are_derived_as_far_as_memory_goes() {
    let held = records(ROWS as u32, Form::Whole);
    assert_eq!(held.table.tile_cols() as u64, COLUMNS);
    for full in [true, false] {
        let left_out = |rows| if full { rows } else { 0 };
        assert_eq!(check(&held, 0..50, MEMORY, full), right(50, 0));
        assert_eq!(check(&held, 50..100, MEMORY, full), right(50, 0));
        // 33 rows are derived in order, including the chosen row.
        assert_eq!(check(&held, 800..850, MEMORY, full), right(33, left_out(17)));
        assert_eq!(check(&held, 850..900, MEMORY, full), right(1, left_out(50)));
        assert_eq!(check(&held, 950..1000, MEMORY, full), right(1, left_out(50)));
        // If all rows form one piece, the chosen row is the first row.
        assert_eq!(check(&held, 0..1000, MEMORY, full), right(833, left_out(167)));
        // With one byte of memory less, the rows cannot be read.
        assert_eq!(check(&held, 850..900, MEMORY - 1, full), right(0, left_out(50)));
        assert_eq!(check(&held, 800..850, MEMORY - 1, full), right(33, left_out(17)));
        assert_eq!(check(&held, 950..1000, 1 << 30, full), right(50, 0));
    }
    // Rows without exceptions cannot be derived by the definition.
    let values = records(ROWS as u32, Form::ValuesOnly);
    let expected = Derived { values: 33, left_out: 17, wrong: None };
    assert_eq!(check(&values, 800..850, MEMORY, true), expected);
    let expected = Derived { values: 0, left_out: 50, wrong: None };
    assert_eq!(check(&values, 850..900, MEMORY, true), expected);
}

/// Changes each number of a record in the first, a middle and the last row of a piece.
#[test]
fn every_number_of_a_record_is_compared_with_the_derived_one() {
    let held = records(ROWS as u32, Form::Whole);
    for row in [50, 73, 99] {
        for column in 0..COLUMNS {
            let at = (row * COLUMNS + column) as usize;
            for cell in [held.cells[at] + 1, held.cells[at] ^ 0x100] {
                let spoilt = held.with_cell(at, cell);
                let found = check(&spoilt, 50..100, MEMORY, true);
                let wrong = WrongCell { position: (row + 1).to_string(), found: cell };
                assert_eq!(found.wrong, Some(wrong), "{row} {column}");
                assert_eq!(found.values, (row - 49) * COLUMNS);
            }
        }
    }
    let values = records(100, Form::ValuesOnly);
    for row in [50, 73, 99] {
        let spoilt = values.with_cell(row, values.cells[row] + 1);
        let found = check(&spoilt, 50..100, MEMORY, true);
        let wrong = WrongCell { position: (row + 1).to_string(), found: values.cells[row] + 1 };
        assert_eq!(found.wrong, Some(wrong));
    }
}

/// After the rows derived in order, only the chosen row of a piece is checked.
#[test]
fn one_row_of_each_piece_is_chosen() {
    let held = records(ROWS as u32, Form::Whole);
    for (piece, chosen) in CHOSEN {
        let rows = piece * 50..piece * 50 + 50;
        for row in rows.clone().filter(|&row| row >= 833) {
            let at = (row * COLUMNS) as usize;
            let cell = held.cells[at] + 1;
            let found = check(&held.with_cell(at, cell), rows.clone(), MEMORY, false).wrong;
            match found {
                Some(wrong) if row == chosen => {
                    assert_eq!(wrong, WrongCell { position: (row + 1).to_string(), found: cell });
                }
                // The chosen row is derived from the rows before it.
                Some(wrong) => {
                    assert!(row < chosen);
                    assert_eq!(wrong.position, (chosen + 1).to_string());
                }
                None => assert_ne!(row, chosen),
            }
        }
    }
}

/// Tests that the report of an invalid record contains g(n), and that no later row is derived.
#[test]
fn an_invalid_record_is_named() {
    let held = records(ROWS as u32, Form::Whole);
    for row in [850, 873, 899] {
        let spoilt = held.with_cell((row * COLUMNS + 1) as usize, 63);
        let found = check(&spoilt, 850..900, MEMORY, true);
        let g = held.cells[(row * COLUMNS) as usize];
        assert_eq!(
            found.wrong,
            Some(WrongCell { position: (row + 1).to_string(), found: g }),
            "{row}"
        );
        assert_eq!(check(&spoilt, 900..950, MEMORY, true), right(0, 50));
        // Checking rows before the invalid record gives the same result as for the correct table.
        assert_eq!(check(&spoilt, 800..850, MEMORY, true), check(&held, 800..850, MEMORY, true));
    }
}

/// Tests that the checker looks for a stop at every 2^14th row before it reaches the piece.
#[test]
fn a_checker_that_is_stopped_derives_nothing() {
    let held = records(17_000, Form::ValuesOnly);
    let stopped = Control::new();
    stopped.stop();
    let memory = 1 << 30;
    let derived = |values| Derived { values, ..Derived::default() };
    assert_eq!(check_while(&held, 16_900..17_000, memory, true, &stopped), derived(0));
    assert_eq!(check(&held, 16_900..17_000, memory, true), derived(100));
    assert_eq!(check_while(&held, 100..150, memory, true, &stopped), derived(50));
    // The row 16,383 is the last row before the piece.
    assert_eq!(check_while(&held, 16_384..16_400, memory, true, &stopped), derived(0));
    assert_eq!(check_while(&held, 16_383..16_400, memory, true, &stopped), derived(17));
}

/// Tests that the first 30,000 rows are always derived, and after them one row of each run.
#[test]
fn the_first_rows_are_always_derived() {
    for (form, behind) in [(Form::Whole, 1), (Form::ValuesOnly, 0)] {
        let held = records(30_100, form);
        assert!(solver(GAME).checks_in_order(&held.table));
        let columns = held.table.tile_cols() as u64;
        let derived = |rows, full| check(&held, rows, 1 << 30, full).values / columns;
        assert_eq!([29_900..30_000, 30_000..30_100].map(|rows| derived(rows, true)), [100; 2]);
        assert_eq!(derived(29_900..30_000, false), 100);
        assert_eq!(derived(30_000..30_100, false), behind);
    }
}
