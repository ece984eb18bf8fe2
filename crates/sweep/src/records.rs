//! Keeps rows of short global nim with one pile in memory, and gathers counts over all rows.

use std::convert::Infallible;

use grundy_kernels::records::{self, Records};
use grundy_rules::Pile;

use crate::Control;

/// Rows of single piles in memory, including the row of the empty pile.
#[derive(Clone, Debug)]
pub struct RecordRows {
    g: Vec<u32>,
    /// For each row, the index in `exceptions` after its last exception.
    ends: Vec<usize>,
    exceptions: Vec<Pile>,
}

impl Default for RecordRows {
    fn default() -> RecordRows {
        RecordRows { g: vec![0], ends: vec![0], exceptions: Vec::new() }
    }
}

impl RecordRows {
    pub fn push(&mut self, g: u32, exceptions: impl IntoIterator<Item = Pile>) {
        self.g.push(g);
        self.exceptions.extend(exceptions);
        self.ends.push(self.exceptions.len());
    }

    /// Returns the number of rows, without the row of the empty pile.
    pub fn count(&self) -> u64 {
        self.g.len() as u64 - 1
    }

    pub fn g(&self, pile: Pile) -> u32 {
        self.g[pile as usize]
    }

    /// Returns m = n - k for each exceptional last move k of a pile n, in ascending order of m.
    pub fn exceptions(&self, pile: Pile) -> &[Pile] {
        let end = self.ends[pile as usize];
        let start = (pile as usize).checked_sub(1).map_or(end, |before| self.ends[before]);
        &self.exceptions[start..end]
    }

    /// Returns *(n, k).
    pub fn value(&self, pile: Pile, k: Pile) -> u32 {
        let row = |pile: Pile, k: Pile| {
            let m = pile.checked_sub(k);
            let is_exception = m.is_some_and(|m| self.exceptions(pile).binary_search(&m).is_ok());
            Ok::<_, Infallible>((self.g(pile), is_exception))
        };
        match records::value(pile, k, row) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }
}

/// Returns the exceptions in the record of a pile, or `None` if the record is invalid. In a valid
/// record g is at most `pile`. The exceptions are below `pile` and ascend; zeros follow.
pub fn exceptions_of(record: &[u32], pile: Pile) -> Option<&[Pile]> {
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

/// The counts of the rows of single piles. The rows are counted in the order of n.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordCounts {
    pub rows: u64,
    /// The number of exceptional last moves in all rows.
    pub exceptions: u64,
    /// The largest number of exceptions in a row, and the first row with this number.
    pub most_exceptions: (u32, Pile),
    /// The largest g(n), and the first n with this value.
    pub maximum: (u32, Pile),
    /// The frequency of each value of g (including g(0)), and the first n with this value.
    pub values: Vec<(u32, Pile)>,
}

impl RecordCounts {
    pub fn new() -> RecordCounts {
        RecordCounts { values: vec![(1, 0)], ..RecordCounts::default() }
    }

    pub fn take(&mut self, value: u32, exceptions: u32) {
        self.rows += 1;
        let pile = self.rows as Pile;
        self.exceptions += u64::from(exceptions);
        if exceptions > self.most_exceptions.0 {
            self.most_exceptions = (exceptions, pile);
        }
        if value > self.maximum.0 {
            self.maximum = (value, pile);
        }
        if self.values.len() <= value as usize {
            self.values.resize(value as usize + 1, (0, 0));
        }
        let (count, first) = &mut self.values[value as usize];
        if *count == 0 {
            *first = pile;
        }
        *count += 1;
    }

    /// Returns each value, up to half the largest value, that occurs only once, with its n. These
    /// values may never occur again.
    pub fn singletons(&self) -> Vec<(u32, Pile)> {
        let settled = (0..=self.maximum.0 / 2).zip(&self.values);
        settled.filter(|(_, (count, _))| *count == 1).map(|(v, &(_, first))| (v, first)).collect()
    }
}

pub fn count_records(last: Pile, control: &Control) -> RecordCounts {
    let mut records = Records::new(last);
    let mut counts = RecordCounts::new();
    for n in 1..=last {
        if n % (1 << 14) == 1 && control.is_stopped() {
            break;
        }
        let row = records.next_row();
        counts.take(row.value, row.exceptions.len() as u32);
        if n % (1 << 14) == 0 {
            control.advance(1 << 14);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_small_rows() {
        let counts = count_records(9, &Control::new());
        // The values are g = 0; 1, 1, 2, 3, 3, 2, 4, 5, 5.
        assert_eq!((counts.rows, counts.maximum), (9, (5, 8)));
        let often: Vec<u32> = counts.values.iter().map(|&(count, _)| count).collect();
        assert_eq!(often, [1, 2, 2, 2, 1, 2]);
        assert_eq!(counts.singletons(), [(0, 0)]);
        let further = count_records(3000, &Control::new());
        assert_eq!(further.singletons()[..2], [(0, 0), (12, 22)]);
    }

    /// A record contains g, the number of exceptions, the exceptions in ascending order below the
    /// pile, and zeros. The expected lists were written manually.
    #[test]
    fn a_record_lists_its_exceptions_in_order() {
        let listed = |record: &[u32], pile| exceptions_of(record, pile).map(<[Pile]>::to_vec);
        assert_eq!(listed(&[3, 0, 0, 0, 0], 9), Some(vec![]));
        assert_eq!(listed(&[9, 2, 0, 8, 0], 9), Some(vec![0, 8]));
        assert_eq!(listed(&[3, 3, 2, 5, 7], 9), Some(vec![2, 5, 7]));
        // Records that store only values list no exceptions.
        assert_eq!((listed(&[9], 9), listed(&[10], 9)), (Some(vec![]), None));
        // Invalid: wrong numbers of exceptions, large values, a wrong order, piles not below n.
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
        // Adjacent piles in ascending order are valid.
        assert_eq!(listed(&[3, 2, 5, 6, 0], 9), Some(vec![5, 6]));
    }
}
