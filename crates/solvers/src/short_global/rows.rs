//! All rows of one pile up to some n in memory, and records as they are stored.

use std::convert::Infallible;

use grundy_kernels::records;
use grundy_rules::Pile;
use grundy_rules::reference::StoredRows;

use crate::answer::SolveError;
use crate::tables::Stored;

/// The exceptions that a record lists, if it can be that of a pile: values are at most n, and what
/// remains is less, in ascending order, with zeros behind.
pub(super) fn exceptions_of(record: &[u32], pile: Pile) -> Option<&[Pile]> {
    let &[g, ref rest @ ..] = record else { return None };
    let listed = match rest {
        [] => Some(&[][..]),
        [count, places @ ..] => {
            let (listed, padding) = places.split_at_checked(*count as usize)?;
            padding.iter().all(|&place| place == 0).then_some(listed)
        }
    };
    let ascending = |remaining: &&[Pile]| {
        remaining.windows(2).all(|two| two[0] < two[1])
            && remaining.last().is_none_or(|&last| last < pile)
    };
    listed.filter(ascending).filter(|_| g <= pile)
}

/// Shows n, g(n) and the m = n - k of the exceptional last moves of all rows of a table of
/// single piles, until `show` says no. Of a table of g(n) alone there are no exceptions.
pub(super) fn each_record(
    stored: &dyn Stored,
    mut show: impl FnMut(Pile, u32, &[Pile]) -> bool,
) -> Result<(), SolveError> {
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

/// All rows up to some n.
pub(super) struct Rows {
    g: Vec<u32>,
    /// The m of the exceptions of row n are `remaining[starts[n]..starts[n + 1]]`.
    starts: Vec<usize>,
    remaining: Vec<u32>,
}

impl Rows {
    /// The row of the empty pile alone.
    pub(super) fn new() -> Rows {
        Rows { g: vec![0], starts: vec![0, 0], remaining: Vec::new() }
    }

    /// Adds the next row.
    pub(super) fn push(&mut self, g: u32, remaining: impl IntoIterator<Item = u32>) {
        self.g.push(g);
        self.remaining.extend(remaining);
        self.starts.push(self.remaining.len());
    }

    /// Reads a whole table, up to the first record that cannot be one.
    pub(super) fn read(stored: &dyn Stored) -> Result<Rows, SolveError> {
        let mut rows = Rows::new();
        let read = each_record(stored, |_, g, remaining| {
            rows.push(g, remaining.iter().copied());
            true
        });
        match read {
            Err(SolveError::Record { .. }) | Ok(()) => Ok(rows),
            Err(error) => Err(error),
        }
    }

    /// The number of rows, that of the empty pile not counted.
    pub(super) fn count(&self) -> u64 {
        self.g.len() as u64 - 1
    }

    /// *(n, k).
    pub(super) fn value(&self, pile: Pile, k: Pile) -> u32 {
        let read = |pile: u32, k: u32| -> Result<(u32, bool), Infallible> {
            let row = self.exceptions(pile);
            let remaining = pile.checked_sub(k);
            Ok((self.g[pile as usize], remaining.is_some_and(|m| row.binary_search(&m).is_ok())))
        };
        match records::value(pile, k, read) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }
}

impl StoredRows for Rows {
    fn value(&self, pile: Pile) -> u32 {
        self.g[pile as usize]
    }

    fn exceptions(&self, pile: Pile) -> &[Pile] {
        &self.remaining[self.starts[pile as usize]..self.starts[pile as usize + 1]]
    }
}
