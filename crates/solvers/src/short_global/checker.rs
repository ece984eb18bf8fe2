//! Deriving short global nim again.
//!
//! A row of one pile takes a look at every shorter pile. If all is wanted, a second program
//! derives all rows ([`Recount`]), as far as memory allows; else it derives the first of them,
//! and by definition, from the stored rows before it, one row of each piece is derived.

use grundy_rules::reference::{self, Reference};
use grundy_rules::{Multisets, Pile, Position};

use super::multisets;
use super::recount::{BYTES_PER_ROW, Recount};
use super::rows::Rows;
use crate::answer::SolveError;
use crate::check::{Checker, Derived, Piece, derived, wrong_at};
use crate::tables::{Stored, Tables};

/// Rows of one pile that are derived if not all are.
const FIRST_ROWS: u64 = 30_000;

/// Bytes that a row of a table takes when all are read, about: g(n) and 17 exceptions.
const STORED_BYTES_PER_ROW: u64 = 80;

/// Rows of one pile.
pub(super) struct RecordChecker<'a> {
    stored: &'a dyn Stored,
    recount: Recount,
    /// As many rows are derived one after the other, within the memory.
    derivable: u64,
    /// The stored rows, from which one is derived by definition; read when the first is. `None`
    /// if they take more than the memory.
    rows: Option<Rows>,
    can_read: bool,
}

impl RecordChecker<'_> {
    pub(super) fn new(stored: &dyn Stored, memory: u64) -> RecordChecker<'_> {
        let last = stored.table().max_pile();
        RecordChecker {
            stored,
            recount: Recount::new(last),
            derivable: memory / BYTES_PER_ROW,
            rows: None,
            can_read: u64::from(last) * STORED_BYTES_PER_ROW <= memory,
        }
    }

    /// The stored rows, up to the first that cannot be one.
    fn rows(&mut self) -> Result<&Rows, SolveError> {
        Ok(match &mut self.rows {
            Some(rows) => rows,
            none => none.insert(Rows::read(self.stored)?),
        })
    }
}

impl Checker for RecordChecker<'_> {
    fn check(&mut self, piece: Piece<'_>) -> Result<Derived, SolveError> {
        let Piece { first, cells, full } = piece;
        let table = self.stored.table();
        let columns = table.tile_cols();
        let count = (cells.len() / columns) as u64;
        let wanted = if full { u64::MAX } else { FIRST_ROWS };
        let mut result = Derived::default();
        let mut check = |row: u64, (g, exceptions): (u32, Vec<Pile>)| {
            let start = (row - first) as usize * columns;
            let mut expected = vec![g];
            if columns > 1 {
                expected.push(exceptions.len() as u32);
                expected.extend(exceptions);
            }
            expected.resize(columns.max(expected.len()), 0);
            let record = &cells[start..start + columns];
            let differs = record.iter().zip(&expected).position(|(found, right)| found != right);
            result.values += columns as u64;
            // An exception too many for the record is in `expected` alone.
            let at = differs.or((expected.len() > columns).then_some(0));
            result.wrong = at.map(|at| wrong_at(table, piece, start + at));
            result.wrong.is_none()
        };
        let in_order = (first + count).min(wanted).min(self.derivable);
        for row in first..in_order.max(first) {
            while u64::from(self.recount.row()) < row {
                self.recount.next();
            }
            // Row numbers count from 0 here, and piles from 1.
            if !check(row, self.recount.next()) {
                return Ok(result);
            }
        }
        // A different place in each piece, behind those that were derived.
        let number = first / count.max(1);
        let chosen = first + number.wrapping_mul(0x9E37_79B9_7F4A_7C15) % count.max(1);
        if columns > 1 && self.can_read && chosen >= in_order {
            let rows = self.rows()?;
            let damaged = rows.count();
            if chosen < damaged {
                check(chosen, reference::stored_row(rows, chosen as Pile + 1));
            } else if (first..=chosen).contains(&damaged) {
                let at = (damaged - first) as usize * columns;
                result.wrong = Some(wrong_at(table, piece, at));
            }
        }
        if full {
            let left_out = (first + count).saturating_sub(in_order.max(first));
            result.left_out = left_out * columns as u64;
        }
        Ok(result)
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
