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

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: g, how many exceptions, they themselves in ascending order below the pile, zeros.
    #[test]
    fn a_record_lists_its_exceptions_in_order() {
        let listed = |record: &[u32], pile| exceptions_of(record, pile).map(<[Pile]>::to_vec);
        assert_eq!(listed(&[3, 0, 0, 0, 0], 9), Some(vec![]));
        assert_eq!(listed(&[9, 2, 0, 8, 0], 9), Some(vec![0, 8]));
        assert_eq!(listed(&[3, 3, 2, 5, 7], 9), Some(vec![2, 5, 7]));
        // Of values alone there are none.
        assert_eq!((listed(&[9], 9), listed(&[10], 9)), (Some(vec![]), None));
        // More than a record has, or than it says, too large a value, no order, not below the pile.
        for wrong in [
            &[3, 4, 2, 5, 7][..],
            &[3, 1, 2, 5, 0],
            &[3, 0, 0, 0, 1],
            &[3, 0, 1, 0, 0],
            &[10, 0, 0, 0, 0],
            &[3, 2, 5, 5, 0],
            &[3, 2, 5, 4, 0],
            &[3, 3, 2, 7, 5],
            &[3, 1, 9, 0, 0],
            &[3, 2, 2, 9, 0],
            &[3, u32::MAX, 0, 0, 0],
            &[],
        ] {
            assert_eq!(listed(wrong, 9), None, "{wrong:?}");
        }
        // One after the other is in order.
        assert_eq!(listed(&[3, 2, 5, 6, 0], 9), Some(vec![5, 6]));
    }

    /// By hand: row 4 has the value 2 but with the last moves 3 and 1, when it has that of the pile 1, or
    /// of 3; and these have theirs.
    #[test]
    fn rows_that_are_kept_give_values_with_last_moves() {
        let mut rows = Rows::new();
        assert_eq!((rows.count(), StoredRows::value(&rows, 0)), (0, 0));
        for (g, remaining) in [(1, vec![0]), (1, vec![]), (3, vec![0]), (2, vec![1, 3])] {
            rows.push(g, remaining);
        }
        assert_eq!(rows.count(), 4);
        assert_eq!([0, 1, 2, 3, 4].map(|n| StoredRows::value(&rows, n)), [0, 1, 1, 3, 2]);
        assert_eq!(rows.exceptions(0), [0; 0]);
        assert_eq!((rows.exceptions(1), rows.exceptions(2)), (&[0][..], &[][..]));
        assert_eq!((rows.exceptions(3), rows.exceptions(4)), (&[0][..], &[1, 3][..]));
        assert_eq!([0, 2, 4, 9].map(|k| rows.value(4, k)), [2, 2, 2, 2]);
        // Step down while the last move is exceptional: 4 by 3 to 1, and no further.
        assert_eq!((rows.value(4, 3), rows.value(4, 1)), (1, 3));
        // 3 by 3 and 1 by 1 to none.
        assert_eq!((rows.value(3, 3), rows.value(1, 1), rows.value(3, 1)), (0, 0, 3));
    }
}
