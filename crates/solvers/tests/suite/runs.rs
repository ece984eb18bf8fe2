//! Rows in runs, and counts in parts: what is cut is what is whole.

use std::ops::Range;
use std::sync::Mutex;

use grundy_rules::{Game, Pile, Position, Table, games, lex_word};
use grundy_solvers::{
    Count, Counted, Desk, NoTables, Put, RowShape, Rows, SolveError, read_cells, solver,
};
use grundy_sweep::Control;

use crate::common::{Oracle, count_of, plain, tables_of};

const MUCH: u64 = 1 << 30;

/// The first row and the number of rows of each run, in order, and their cells.
fn runs(rows: &dyn Rows, some: Range<u64>) -> (Vec<(u64, u64)>, Vec<u32>) {
    let (shape, found, control) = (rows.shape(), Mutex::new(Vec::new()), Control::new());
    let put = |row: u64, bytes: &[u8]| {
        found.lock().unwrap().push((row, bytes.to_vec()));
        Ok(())
    };
    rows.each_run(some, &control, &put).unwrap();
    let mut found = found.into_inner().unwrap();
    found.sort();
    let (mut sizes, mut cells) = (Vec::new(), Vec::new());
    for (row, bytes) in found {
        assert!(!bytes.is_empty() && bytes.len().is_multiple_of(shape.row_bytes()));
        sizes.push((row, (bytes.len() / shape.row_bytes()) as u64));
        read_cells(shape.width, &bytes, &mut cells);
    }
    assert_eq!(control.done(), cells.len() as u64);
    (sizes, cells)
}

/// The value, or the place of the class, of each position of some rows of End-Nim or Nim.
fn answers(game: Game, length: usize, n: Pile, some: Range<u64>) -> Vec<u32> {
    let desk = Desk::with_nothing(&NoTables);
    let mut all = Vec::new();
    for row in some {
        let mut word = vec![0; length - 1];
        lex_word(row, u64::from(n), &mut word);
        let row = solver(game).row(game, &word, n, &desk).unwrap();
        all.extend(row.iter().map(|found| found.value.unwrap()));
    }
    all
}

/// By hand: of 16 coins the tiles of 2048 middles of a byte a cell fill half a MiB; with one first
/// pile the runs begin where the rows do, with several at the first middle.
#[test]
fn a_run_of_end_nim_is_of_so_many_middles() {
    let control = Control::new();
    let table = Table::new(games::END_NIM, 16, 5).unwrap();
    let rows = solver(games::END_NIM).rows(count_of(&table, None, &control)).unwrap();
    let (sizes, cells) = runs(&*rows, 5..5 + 2 * 2048);
    // 4096 middles, so the five last rows are of the next first pile: both are made as a whole.
    assert_eq!(sizes, [(5, 2043), (2048, 2048), (4096, 5)]);
    assert_eq!(cells, answers(games::END_NIM, 5, 16, 5..5 + 4096));
    let (sizes, cells) = runs(&*rows, 4101..4101 + 2050);
    assert_eq!(sizes, [(4101, 2048), (6149, 2)]);
    assert_eq!(cells, answers(games::END_NIM, 5, 16, 4101..4101 + 2050));
    let (sizes, cells) = runs(&*rows, 8000..12_300);
    assert_eq!(sizes, [(8000, 192), (8192, 2048), (10_240, 2048), (12_288, 12)]);
    assert_eq!(cells, answers(games::END_NIM, 5, 16, 8000..12_300));
    for nothing in [0..0, 77..77] {
        assert_eq!(runs(&*rows, nothing), (Vec::new(), Vec::new()));
    }
    // Of 20 coins it is 1310 middles, of 8000, and they are filled 64 at a time, so that neither comes out
    // even: six runs and 140 middles of each first pile, one behind the other.
    let table = Table::new(games::END_NIM, 20, 5).unwrap();
    let rows = solver(games::END_NIM).rows(count_of(&table, None, &control)).unwrap();
    let (sizes, cells) = runs(&*rows, 0..16_000);
    let of_one =
        |a: u64| (0..7).map(move |run| (8000 * a + 1310 * run, [1310, 140][(run / 6) as usize]));
    assert_eq!(sizes, of_one(0).chain(of_one(1)).collect::<Vec<_>>());
    assert!(cells == answers(games::END_NIM, 5, 20, 0..16_000));
    // 2^19 / (130 · 130 · 2) = 15.5 tiles of two bytes a cell.
    let table = Table::new(games::END_NIM, 130, 4).unwrap();
    let rows = solver(games::END_NIM).rows(count_of(&table, None, &control)).unwrap();
    let (sizes, cells) = runs(&*rows, 16_900 + 3..16_900 + 40);
    assert_eq!(sizes, [(16_903, 15), (16_918, 15), (16_933, 7)]);
    assert_eq!(cells, answers(games::END_NIM, 4, 130, 16_903..16_940));
    // A tile alone that is larger than a run.
    let table = Table::new(games::END_NIM, 600, 3).unwrap();
    let rows = solver(games::END_NIM).rows(count_of(&table, None, &control)).unwrap();
    let (sizes, cells) = runs(&*rows, 601..603);
    assert_eq!(sizes, [(601, 1), (602, 1)]);
    assert_eq!(cells, answers(games::END_NIM, 3, 600, 601..603));
    // One pile has one row.
    let table = Table::new(games::END_NIM, 16, 1).unwrap();
    let rows = solver(games::END_NIM).rows(count_of(&table, None, &control)).unwrap();
    assert_eq!(runs(&*rows, 0..1), (vec![(0, 1)], (1..=16).collect()));
    assert_eq!(runs(&*rows, 0..0), (Vec::new(), Vec::new()));
    let stopped = Control::new();
    stopped.stop();
    assert!(rows.each_run(0..1, &stopped, &|_, _| Ok(())).is_err());
}

/// By hand: 64 KiB have 8192 rows of eight bytes.
#[test]
fn a_run_of_any_game_is_of_so_many_bytes() {
    let (table, control) = (Table::new(games::NIM, 8, 6).unwrap(), Control::new());
    let rows = solver(games::NIM).rows(count_of(&table, None, &control)).unwrap();
    let (sizes, cells) = runs(&*rows, 7..7 + 10_000);
    assert_eq!(sizes, [(7, 8192), (8199, 1808)]);
    assert_eq!(cells, answers(games::NIM, 6, 8, 7..10_007));
}

/// More tiles than are made together: 26 of 2500 cells, of 50. What is made is what is stored.
#[test]
fn cells_that_are_made_are_those_that_are_stored() {
    let game = games::PARTIZAN_END_NIM;
    let shelf = tables_of(game, 50, 3).unwrap();
    let (held, control) = (shelf.of_length(3), Control::new());
    let made = solver(game).rows(count_of(&held.table, None, &control)).unwrap();
    let stored = solver(game).rows(count_of(&held.table, Some(held), &control)).unwrap();
    assert_eq!(runs(&*made, 0..2500), runs(&*stored, 0..2500));
    assert_eq!(control.done(), 0);
    // Tiles of more than 2^16 cells are made one by one.
    let shelf = tables_of(game, 260, 2).unwrap();
    let held = shelf.of_length(2);
    let made = solver(game).rows(count_of(&held.table, None, &control)).unwrap();
    let stored = solver(game).rows(count_of(&held.table, Some(held), &control)).unwrap();
    assert_eq!(runs(&*made, 0..260), runs(&*stored, 0..260));
    let stopped = Control::new();
    stopped.stop();
    assert!(solver(game).rows(count_of(&held.table, None, &stopped)).is_err());
}

/// Rows with each last move, and sets by number, at any place and of any number.
#[test]
fn rows_with_memories_are_those_of_the_rules() {
    let game = games::SHORT_GLOBAL_NIM;
    let mut oracle = Oracle::new(game);
    let control = Control::new();
    for (max_pile, length) in [(3, 2), (5, 2), (3, 3), (1, 2)] {
        let shelf = tables_of(game, max_pile, length).unwrap();
        let held = shelf.of_length(length);
        for stored in [None, Some(held)] {
            let rows = solver(game).rows(count_of(&held.table, stored, &control)).unwrap();
            let count = u64::from(max_pile).pow(length as u32 - 1);
            let (_, cells) = runs(&*rows, 0..count);
            let mut cells = cells.iter();
            for row in 0..count {
                let mut piles = vec![0; length];
                lex_word(row, u64::from(max_pile), &mut piles[..length - 1]);
                for b in 1..=max_pile {
                    piles[length - 1] = b;
                    for k in 0..=max_pile {
                        // A last move above every pile is as good as none.
                        let position = Position::after(piles.clone(), k);
                        assert_eq!(cells.next(), Some(&oracle.cell(&position)), "{position}");
                    }
                }
            }
            assert_eq!(cells.next(), None);
        }
    }
    let game = games::LONG_GLOBAL_NIM;
    let mut oracle = Oracle::new(game);
    for (max_pile, length) in [(1, 1), (2, 1), (3, 1), (7, 1), (4, 2), (3, 3)] {
        let shelf = tables_of(game, max_pile, length).unwrap();
        let held = shelf.of_length(length);
        let table = &held.table;
        let expected: Vec<u32> = (0..table.values())
            .map(|number| table.position(number).map_or(0, |position| oracle.cell(&position)))
            .collect();
        for stored in [None, Some(held)] {
            let rows = solver(game).rows(count_of(table, stored, &control)).unwrap();
            let all = rows.shape().rows;
            for first in (0..all).filter(|first| first % 5 == 2 || *first < 20) {
                for count in [1, 2, 15, 16, 17, 40, all].map(|count| count.min(all - first)) {
                    let mut bytes = vec![0; count as usize * rows.shape().row_bytes()];
                    rows.fill(first, &mut bytes, &Control::new()).unwrap();
                    let mut cells = Vec::new();
                    read_cells(rows.shape().width, &bytes, &mut cells);
                    let right = &expected[first as usize..(first + count) as usize];
                    assert_eq!(cells[usize::from(first == 0)..], right[usize::from(first == 0)..]);
                }
            }
        }
    }
}

/// Rows that are made up: the byte at place i of all is i mod 251.
struct MadeUp {
    rows: u64,
    /// Rows of each run.
    run: u64,
}

impl Rows for MadeUp {
    fn shape(&self) -> RowShape {
        RowShape { rows: self.rows, cells: 3, width: 1, together: 1, seconds: 0.0 }
    }

    fn each_run(&self, rows: Range<u64>, _: &Control, put: Put<'_>) -> Result<(), SolveError> {
        for first in rows.clone().step_by(self.run as usize) {
            let end = (first + self.run).min(rows.end);
            let bytes: Vec<u8> = (3 * first..3 * end).map(|at| (at % 251) as u8).collect();
            put(first, &bytes)?;
        }
        Ok(())
    }
}

/// Several MiB, which threads write to a MiB at a time: runs end anywhere in them, and take in more
/// than one.
#[test]
fn rows_are_put_where_they_belong() {
    let mib = 1 << 20;
    for (run, first, count) in [
        (1000, 0, mib),
        (1000, 77, mib + 5),
        (2 * mib, 13, mib),
        (mib / 3, 0, mib / 3),
        (mib / 3 + 1, 1, mib / 3 + 1),
        (10_007, 500_000, 200_000),
    ] {
        let rows = MadeUp { rows: 4 * mib, run };
        let mut bytes = vec![0xff; 3 * count as usize];
        rows.fill(first, &mut bytes, &Control::new()).unwrap();
        let right = (3 * first..).map(|at| (at % 251) as u8);
        assert!(bytes.iter().copied().zip(right).all(|(found, right)| found == right), "{run}");
    }
}

/// Both kinds of what has been counted part by part are what is counted at once.
#[test]
fn parts_together_are_the_whole() {
    let mut cut = 0;
    for game in Game::all().chain([plain(games::END_NIM)]) {
        for (max_pile, length) in [(4, 2), (2, 6), (3, 5), (9, 4), (5, 5)] {
            let Ok(table) = Table::new(game, max_pile, length) else { continue };
            if table.values() > 100_000 {
                continue;
            }
            let control = Control::new();
            let count = count_of(&table, None, &control);
            let whole = solver(game).count(count).unwrap().unwrap();
            let parts = solver(game).count_piece(&table, MUCH).parts;
            assert!(parts > 0, "{table}");
            cut += u64::from(parts > 1);
            let some = |some| solver(game).count_parts(count, some).unwrap().unwrap();
            assert_eq!(some(0..parts), whole, "{table}");
            let mut together: Option<Counted> = None;
            for part in 0..parts {
                let counted = some(part..part + 1);
                together = Some(match together {
                    None => counted,
                    Some(before) => before.merge(counted).unwrap(),
                });
            }
            assert_eq!(together, Some(whole), "{table} in {parts}");
            let stopped = Control::new();
            stopped.stop();
            let count = Count { control: &stopped, ..count };
            assert_eq!(solver(game).count_parts(count, 0..parts).unwrap(), None, "{table}");
        }
    }
    assert!(cut > 5);
    // What is counted in parts is computed, whatever is stored.
    let shelf = tables_of(games::NIM, 4, 2).unwrap();
    let (held, control) = (shelf.of_length(2).with_cell(0, 9), Control::new());
    let right = count_of(&held.table, None, &control);
    let right = solver(games::NIM).count(right).unwrap();
    let found = solver(games::NIM).count_parts(count_of(&held.table, Some(&held), &control), 0..1);
    assert_eq!(found.unwrap(), right);
}

/// The classes of each length, from one part and from none of the first.
#[test]
fn classes_are_counted_by_length() {
    let game = games::PARTIZAN_END_NIM;
    let (table, control) = (Table::new(game, 9, 4).unwrap(), Control::new());
    let count = count_of(&table, None, &control);
    let mut oracle = Oracle::new(game);
    let Counted::Classes(found) = solver(game).count_parts(count, 0..2).unwrap().unwrap() else {
        panic!("{table}");
    };
    assert_eq!(found.iter().map(|(length, _)| *length).collect::<Vec<_>>(), [1, 2, 3, 4]);
    for (length, classes) in &found[..3] {
        let mut expected = [0; 4];
        let mut piles = vec![0; *length];
        for number in 0..9u64.pow(*length as u32) {
            lex_word(number, 9, &mut piles);
            expected[oracle.cell(&game.position(&piles)) as usize] += 1;
        }
        assert_eq!(*classes, expected);
    }
    assert_eq!(found[3].1.iter().sum::<u64>(), 6561);
}
