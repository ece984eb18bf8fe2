//! Reads stored records of single piles.

use grundy_rules::Pile;
use grundy_sweep::records::{RecordRows, exceptions_of};

use crate::answer::{Reply, SolveError};
use crate::tables::Stored;

/// Calls `show` for all rows of a table of single piles, with n, g(n), and the piles m = n - k of
/// the exceptional last moves k. Stops if `show` returns false. A table that stores only g(n) has
/// no exceptions.
pub(super) fn each_record(
    stored: &dyn Stored,
    mut show: impl FnMut(Pile, u32, &[Pile]) -> bool,
) -> Reply<()> {
    let columns = stored.table().tile_cols();
    let mut pile = 0;
    let mut sound = true;
    stored.each_frame(|_, cells| {
        cells.chunks_exact(columns).all(|record| {
            pile += 1;
            match exceptions_of(record, pile) {
                Some(remaining) => show(pile, record[0], remaining),
                None => {
                    sound = false;
                    false
                }
            }
        })
    })?;
    if sound {
        return Ok(());
    }
    Err(SolveError::Record { pile, table: stored.table().to_string() })
}

/// Reads a whole table, up to the first invalid record.
pub(super) fn read(stored: &dyn Stored) -> Reply<RecordRows> {
    let mut rows = RecordRows::default();
    let read = each_record(stored, |_, g, remaining| {
        rows.push(g, remaining.iter().copied());
        true
    });
    match read {
        Err(SolveError::Record { .. }) | Ok(()) => Ok(rows),
        Err(error) => Err(error),
    }
}
