//! Compares runs of rows with all rows.

use std::ops::Range;
use std::sync::Mutex;

use grundy_rules::{Game, Pile, Position, Table, games, lex_word};
use grundy_solvers::{Env, NoTables, Put, RowShape, Rows, SolveError, read_cells, solver};
use grundy_sweep::Control;
use grundy_testing::oracle::Oracle;

use crate::common::{count_of, tables_of};

/// Returns the first row and the number of rows of each run, and all cells, in order.
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

/// Returns the value of each position in the given rows of an impartial game.
fn answers(game: Game, length: usize, n: Pile, some: Range<u64>) -> Vec<u32> {
    let env = Env::with_nothing(&NoTables);
    let mut all = Vec::new();
    for row in some {
        let mut word = vec![0; length - 1];
        lex_word(row, u64::from(n), &mut word);
        let row = solver(game).row(game, &word, n, &env).unwrap();
        all.extend(row.iter().flatten().map(|found| found.value.unwrap()));
    }
    all
}

/// The sizes were calculated by hand. With a max pile of 16, the tiles of 2048 middles take half a
/// MiB at one byte for each cell. If all requested rows have the same first pile, the runs begin at
/// the first requested row. Otherwise they begin at the first middle, because tiles are computed as
/// a whole. With a max pile of 20, a run has 1310 of 8000 middles, so each first pile has six such
/// runs and a run of 140 middles. With a max pile of 130, a run has 2^19 / (130 · 130 · 2) = 15.5
/// tiles with two bytes for each cell. With a max pile of 600, one tile exceeds a run. The table of
/// length 1 has one row. For any game, 64 KiB hold 8192 rows of 8 bytes.
#[test]
fn runs_of_tiles_have_a_fitting_size() {
    let of_one =
        |a: u64| (0..7).map(move |run| (8000 * a + 1310 * run, [1310, 140][(run / 6) as usize]));
    let uneven: Vec<(u64, u64)> = of_one(0).chain(of_one(1)).collect();
    let (end_nim, nim) = (games::END_NIM, games::NIM);
    type Case<'a> = (Game, Pile, usize, Range<u64>, &'a [(u64, u64)]);
    let cases: [Case<'_>; 11] = [
        (end_nim, 16, 5, 5..4101, &[(5, 2043), (2048, 2048), (4096, 5)]),
        (end_nim, 16, 5, 4101..6151, &[(4101, 2048), (6149, 2)]),
        (end_nim, 16, 5, 8000..12_300, &[(8000, 192), (8192, 2048), (10_240, 2048), (12_288, 12)]),
        (end_nim, 16, 5, 0..0, &[]),
        (end_nim, 16, 5, 77..77, &[]),
        (end_nim, 20, 5, 0..16_000, &uneven),
        (end_nim, 130, 4, 16_903..16_940, &[(16_903, 15), (16_918, 15), (16_933, 7)]),
        (end_nim, 600, 3, 601..603, &[(601, 1), (602, 1)]),
        (end_nim, 16, 1, 0..1, &[(0, 1)]),
        (end_nim, 16, 1, 0..0, &[]),
        (nim, 8, 6, 7..10_007, &[(7, 8192), (8199, 1808)]),
    ];
    for (game, n, length, some, sizes) in cases {
        let (table, control) = (Table::new(game, n, length).unwrap(), Control::new());
        let rows = solver(game).rows(count_of(&table, None, &control)).unwrap();
        let (found, cells) = runs(&*rows, some.clone());
        assert_eq!(found, sizes, "{table}");
        assert!(cells == answers(game, length, n, some.clone()), "{table} {some:?}");
        control.stop();
        assert_eq!(rows.each_run(some.clone(), &control, &|_, _| Ok(())).is_ok(), some.is_empty());
    }
}

/// Compares computed cells with stored cells. The 50 tiles of 2500 cells are computed 26 at a time,
/// and tiles of more than 2^16 cells one by one.
#[test]
fn cells_that_are_made_are_those_that_are_stored() {
    let game = games::PARTIZAN_END_NIM;
    for (max_pile, length, all) in [(50, 3, 2500), (260, 2, 260)] {
        let shelf = tables_of(game, max_pile, length).unwrap();
        let (held, control) = (shelf.of_length(length), Control::new());
        let made = solver(game).rows(count_of(&held.table, None, &control)).unwrap();
        let stored = solver(game).rows(count_of(&held.table, Some(held), &control)).unwrap();
        assert_eq!(runs(&*made, 0..all), runs(&*stored, 0..all));
        control.stop();
        let stopped = solver(game).rows(count_of(&held.table, None, &control)).unwrap();
        assert!(stopped.each_run(0..all, &Control::new(), &|_, _| Ok(())).is_err());
    }
}

/// Compares rows of positions with last moves, and numbered rows of sets, with the rules.
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
                        // A last move above every pile forbids nothing.
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

/// Artificial rows. If all rows are joined, the byte at index i is i mod 251.
struct MadeUp {
    rows: u64,
    /// The number of rows in each run.
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

/// Tests parallel writes to several MiB, with a lock for each MiB. A run may span several MiB.
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
