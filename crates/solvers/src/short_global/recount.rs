//! Derives all rows of one pile again, by counting how often each value occurs.
//!
//! Row n has the options m = 0, ..., n - 1 with the last move n - m, so 10^6 rows have 5·10^11
//! options. But option m has the value g(m), unless its last move is exceptional in row m. An
//! exceptional k of row m affects only row m + k. So the values of the options of row n, with their
//! frequencies, are
//!
//! ```text
//! g(0), ..., g(n-1),   less g(m) and plus *(m, k) for each exception (m, k) with m + k = n
//! ```
//!
//! The frequencies determine the row. The least value that does not occur is g(n). A last move k is
//! exceptional if the value of the option n - k is below g(n) and occurs once.
//!
//! This code shares nothing with the kernel that fills these tables, and reads no stored rows. It
//! is simple, and takes five times as long as the kernel. Tests compare it with the definition.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::Pile;

/// The approximate bytes of a row, measured over 10^6 and 10^7 rows and rounded up.
pub(super) const BYTES_PER_ROW: u64 = 96;

/// An exception (m, k), stored for row m + k.
#[derive(Clone, Copy)]
struct Exception {
    m: Pile,
    /// *(m, k).
    value: u32,
}

/// Derives rows 1, 2, 3, ... in order.
pub(super) struct Recount {
    row: Pile,
    /// The last row that will be needed.
    last: Pile,
    /// The list at index v contains all m <= `row` with g(m) = v, in ascending order.
    piles: Vec<Vec<Pile>>,
    /// The numbers that are less than the largest g(m), but are not g(m) for any m.
    none: BTreeSet<u32>,
    /// The numbers that are g(m) for exactly one m.
    one: BTreeSet<u32>,
    g: Vec<u32>,
    /// The exceptions that affect each later row.
    waiting: BTreeMap<Pile, Vec<Exception>>,
}

impl Recount {
    pub(super) fn new(last: Pile) -> Recount {
        Recount {
            row: 0,
            last,
            // The empty pile.
            piles: vec![vec![0]],
            none: BTreeSet::new(),
            one: BTreeSet::from([0]),
            g: vec![0],
            waiting: BTreeMap::new(),
        }
    }

    pub(super) fn row(&self) -> Pile {
        self.row
    }

    /// Returns the number of m <= `row` for which g(m) equals a value.
    fn count(&self, value: u32) -> i64 {
        self.piles.get(value as usize).map_or(0, |piles| piles.len() as i64)
    }

    /// Derives the next row: g(n), and the ascending piles m = n - k of its exceptional k.
    pub(super) fn next(&mut self) -> (u32, Vec<Pile>) {
        let n = self.row + 1;
        let here = self.waiting.remove(&n).unwrap_or_default();
        // The changes that the exceptions cause in the frequencies of the values.
        let mut changes: BTreeMap<u32, i64> = BTreeMap::new();
        for exception in &here {
            *changes.entry(self.g[exception.m as usize]).or_default() -= 1;
            *changes.entry(exception.value).or_default() += 1;
        }
        let occurs = |value: u32| self.count(value) + changes.get(&value).copied().unwrap_or(0);

        // A value can be missing because it is g(m) for no m, or because exceptions removed it.
        let never = self.none.iter().copied().find(|&value| occurs(value) == 0);
        let beyond = (self.piles.len() as u32..).find(|&value| occurs(value) == 0);
        let taken = changes.keys().copied().find(|&value| occurs(value) == 0);
        let g = [never, beyond, taken].into_iter().flatten().min().unwrap_or_default();

        // A value that occurs once is g(m) for exactly one m, or its frequency has changed.
        let single: BTreeSet<u32> = (self.one.range(..g))
            .chain(changes.keys().filter(|&&value| value < g))
            .copied()
            .filter(|&value| occurs(value) == 1)
            .collect();
        let mut exceptions: Vec<(Pile, u32)> = Vec::with_capacity(single.len());
        for &value in &single {
            // Find the option with this value, among the exceptions or among the unchanged g(m).
            let changed = here.iter().find(|exception| exception.value == value).map(|e| e.m);
            let unchanged = || {
                let mut piles = self.piles.get(value as usize).into_iter().flatten().copied();
                piles.find(|&m| here.iter().all(|exception| exception.m != m))
            };
            exceptions.extend(changed.or_else(unchanged).map(|m| (m, value)));
        }

        for &(m, value) in &exceptions {
            // The exceptional k = n - m affects the row n + k.
            let Some(row) = n.checked_add(n - m).filter(|&row| row <= self.last) else { continue };
            self.waiting.entry(row).or_default().push(Exception { m: n, value });
        }
        self.enter(n, g);
        let mut remaining: Vec<Pile> = exceptions.into_iter().map(|(m, _)| m).collect();
        remaining.sort_unstable();
        (g, remaining)
    }

    fn enter(&mut self, n: Pile, g: u32) {
        while self.piles.len() <= g as usize {
            self.none.insert(self.piles.len() as u32);
            self.piles.push(Vec::new());
        }
        self.piles[g as usize].push(n);
        match self.piles[g as usize].len() {
            1 => {
                self.none.remove(&g);
                self.one.insert(g);
            }
            2 => {
                self.one.remove(&g);
            }
            _ => {}
        }
        self.g.push(g);
        self.row = n;
    }
}

#[cfg(test)]
mod tests {
    use grundy_sweep::records::RecordRows;

    use super::super::checker::row_by_definition;
    use super::*;

    #[test]
    fn the_rows_are_those_of_the_definition() {
        let (mut rows, mut recount) = (RecordRows::default(), Recount::new(1500));
        for n in 1..=1500 {
            let expected = row_by_definition(&rows, n);
            assert_eq!(recount.next(), expected, "row {n}");
            assert_eq!(recount.row(), n);
            rows.push(expected.0, expected.1);
        }
    }
}
