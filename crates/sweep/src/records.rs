//! Short global nim with one pile: what all rows together show.

use grundy_kernels::records::Records;
use grundy_rules::Pile;
use serde::{Deserialize, Serialize};

use crate::{Control, Stopped};

/// Gathered from rows, in order of n.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordCounts {
    /// Rows seen, n = 1, 2, ...
    pub rows: u64,
    /// Exceptional last moves of all of them.
    pub exceptions: u64,
    /// The most in one row, and the first row that has them.
    pub most_exceptions: (u32, Pile),
    /// The largest g(n), and the first n that has it.
    pub maximum: (u32, Pile),
    /// By value: how often it occurs as g(n), and where first. The empty pile, of value 0, is
    /// counted.
    pub values: Vec<(u32, Pile)>,
}

impl RecordCounts {
    /// Nothing but the empty pile.
    pub fn new() -> RecordCounts {
        RecordCounts { values: vec![(1, 0)], ..RecordCounts::default() }
    }

    /// Takes in the next row.
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

    /// The values up to half the largest that occur once, and where: candidates for values that
    /// will never occur again.
    pub fn singletons(&self) -> Vec<(u32, Pile)> {
        let settled = (0..=self.maximum.0 / 2).zip(&self.values);
        settled.filter(|(_, (count, _))| *count == 1).map(|(v, &(_, first))| (v, first)).collect()
    }
}

/// Computes all rows up to a pile, and counts.
///
/// # Errors
/// [`Stopped`] if the control asks for it.
pub fn count_records(last: Pile, control: &Control) -> Result<RecordCounts, Stopped> {
    let mut records = Records::new(last);
    let mut counts = RecordCounts::new();
    for n in 1..=last {
        let row = records.next_row();
        counts.take(row.value, row.exceptions.len() as u32);
        if n % (1 << 14) == 0 {
            control.check()?;
            control.advance(1 << 14);
        }
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_small_rows() {
        let counts = count_records(9, &Control::new()).unwrap();
        // g = 0; 1, 1, 2, 3, 3, 2, 4, 5, 5.
        assert_eq!((counts.rows, counts.maximum), (9, (5, 8)));
        let often: Vec<u32> = counts.values.iter().map(|&(count, _)| count).collect();
        assert_eq!(often, [1, 2, 2, 2, 1, 2]);
        assert_eq!(counts.singletons(), [(0, 0)]);
        let further = count_records(3000, &Control::new()).unwrap();
        assert_eq!(further.singletons()[..2], [(0, 0), (12, 22)]);
    }
}
