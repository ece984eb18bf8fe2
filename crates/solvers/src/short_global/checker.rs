//! Deriving short global nim again.
//!
//! A row of one pile takes a look at every shorter pile, so of records the first thousand rows
//! (30,000 if all is wanted) and one of each piece are derived; of a table of g(n) alone the
//! first thousand, or 30,000.

use grundy_rules::reference::{self, Reference, StoredRows};
use grundy_rules::{Multisets, Pile, Position, Table};

use super::multisets;
use super::rows::Rows;
use crate::answer::SolveError;
use crate::check::{Checker, Derived, Piece, derived, wrong_at};
use crate::tables::{Stored, Tables};

/// Rows of one pile that are always derived again, and those that are if all is.
const FIRST_ROWS: u64 = 1000;
const FULL_ROWS: u64 = 30_000;

/// Records, from all records before them.
pub(super) struct RecordChecker<'a> {
    table: &'a Table,
    rows: Rows,
}

impl RecordChecker<'_> {
    pub(super) fn read(stored: &dyn Stored) -> Result<RecordChecker<'_>, SolveError> {
        Ok(RecordChecker { table: stored.table(), rows: Rows::read(stored)? })
    }
}

impl Checker for RecordChecker<'_> {
    fn check(&mut self, piece: Piece<'_>) -> Result<Derived, SolveError> {
        let RecordChecker { table, rows } = self;
        let Piece { first, cells, full } = piece;
        let columns = table.tile_cols();
        let count = (cells.len() / columns) as u64;
        // A different place in each piece.
        let number = first / count.max(1);
        let chosen = first + number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % count.max(1);
        let mut values = 0;
        let wrong = |values, at| Derived { values, wrong: Some(wrong_at(table, piece, at)) };
        let of_piece = first..first + count;
        let all_up_to = if full { FULL_ROWS } else { FIRST_ROWS };
        let is_chosen = |row: u64| row < all_up_to || columns > 1 && row == chosen;
        let last = all_up_to.min(u64::from(table.max_pile()));
        let small = Dense::new(if columns > 1 || first >= last { 0 } else { last as Pile });
        // Behind a record that cannot be one there is nothing to derive from.
        let damaged = rows.count();
        if of_piece.contains(&damaged) {
            return Ok(wrong(values, (damaged - first) as usize * columns));
        }
        for row in of_piece.filter(|&row| is_chosen(row) && row < damaged) {
            values += 1;
            let start = (row - first) as usize * columns;
            let record = &cells[start..start + columns];
            let pile = row as Pile + 1;
            let (g, exceptions) = match columns {
                1 => (small.rows[pile as usize].0, Vec::new()),
                _ => reference::stored_row(rows, pile),
            };
            let mut expected = vec![g];
            if columns > 1 {
                expected.push(exceptions.len() as u32);
                expected.extend(exceptions);
            }
            expected.resize(columns.max(expected.len()), 0);
            let differs = record.iter().zip(&expected).position(|(found, right)| found != right);
            if let Some(at) = differs {
                return Ok(wrong(values, start + at));
            }
        }
        Ok(Derived { values, wrong: None })
    }
}

/// The first rows by definition, for tables that lack what it takes to derive them.
struct Dense {
    rows: Vec<(u32, Vec<Pile>)>,
}

impl Dense {
    fn new(last: Pile) -> Dense {
        let mut dense = Dense { rows: vec![(0, Vec::new())] };
        for n in 1..=last {
            let row = reference::stored_row(&dense, n);
            dense.rows.push(row);
        }
        dense
    }
}

impl StoredRows for Dense {
    fn value(&self, pile: Pile) -> u32 {
        self.rows[pile as usize].0
    }

    fn exceptions(&self, pile: Pile) -> &[Pile] {
        &self.rows[pile as usize].1
    }
}

/// Several piles, from the options as they are stored.
pub(super) struct LastMoveChecker<'a> {
    stored: &'a dyn Stored,
    multisets: Multisets,
    /// The tables of fewer piles, by their number less one, and their numbering.
    shorter: Vec<Option<(&'a dyn Stored, Multisets)>>,
    /// What derives options that no table has.
    below: Option<Reference>,
}

impl LastMoveChecker<'_> {
    pub(super) fn new<'a>(stored: &'a dyn Stored, tables: &'a dyn Tables) -> LastMoveChecker<'a> {
        let table = stored.table();
        let wanted = |found: &dyn Stored| {
            let found = found.table();
            found.max_pile() >= table.max_pile() && found.tile_cols() > 1
        };
        let shorter = (1..table.length()).map(|length| {
            let found = tables.find(table.game(), length, &wanted)?;
            // Records are found by their pile.
            let numbering =
                if length == 1 { Multisets::new(1, 1)? } else { multisets(found.table()) };
            Some((found, numbering))
        });
        let shorter = shorter.collect();
        LastMoveChecker { stored, multisets: multisets(table), shorter, below: None }
    }
}

impl Checker for LastMoveChecker<'_> {
    fn check(&mut self, piece: Piece<'_>) -> Result<Derived, SolveError> {
        let LastMoveChecker { stored, multisets, shorter, below } = self;
        let table = stored.table();
        let (game, columns) = (table.game(), table.tile_cols());
        let mut piles = vec![0; multisets.length()];
        let mut record = Vec::new();
        let mut value_of = |piles: &[Pile], k: Pile| -> Result<u32, SolveError> {
            let column = if piles.last().is_some_and(|&largest| k <= largest) { k } else { 0 };
            if piles.len() == multisets.length() {
                let cell = multisets.rank(piles) * columns as u64 + u64::from(column);
                return Ok(stored.cell(cell)?);
            }
            let found = piles.len().checked_sub(1).map(|at| &shorter[at]);
            match (found, piles) {
                (None, _) => Ok(0),
                (Some(Some((found, _))), &[pile]) => value_of_record(*found, pile, k, &mut record),
                (Some(Some((found, numbering))), _) => {
                    let width = found.table().tile_cols() as u64;
                    Ok(found.cell(numbering.rank(piles) * width + u64::from(column))?)
                }
                (Some(None), _) => {
                    let reference = below.get_or_insert_with(|| Reference::new(game));
                    Ok(reference.value(&Position::after(piles.to_vec(), k)))
                }
            }
        };
        for (at, row) in piece.cells.chunks_exact(columns).enumerate() {
            multisets.unrank(piece.first + at as u64, &mut piles);
            let wrong = reference::first_wrong_last_move(game, &piles, row, &mut value_of)?;
            if let Some(k) = wrong {
                return Ok(derived(table, piece, Some(at * columns + k)));
            }
        }
        Ok(derived(table, piece, None))
    }
}

/// *(n, k) from a table of records: step down while k is exceptional.
fn value_of_record(
    stored: &dyn Stored,
    pile: Pile,
    k: Pile,
    record: &mut Vec<u32>,
) -> Result<u32, SolveError> {
    let columns = stored.table().tile_cols();
    let mut pile = pile;
    while pile > 0 {
        stored.cells(u64::from(pile - 1) * columns as u64, 1, columns, record)?;
        let exceptional = k > 0
            && pile >= k
            && record[2..].iter().take(record[1] as usize).any(|&m| m == pile - k);
        if !exceptional {
            return Ok(record[0]);
        }
        pile -= k;
    }
    Ok(0)
}
