//! Claims about the number of zeros in a table.
//!
//! A sweep counts the zeros by the largest pile of the word. So a table of max pile N gives the
//! number of zeros for every n <= N: add up the counts of all largest piles up to n.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::{Game, Pile, Table};

use crate::tally::Tally;

#[derive(Debug, Default)]
pub(crate) struct Zeros(BTreeMap<(Game, Pile, usize), Vec<u64>>);

impl Zeros {
    /// Stores the numbers of zeros by largest pile, from a sweep of the whole table.
    pub(crate) fn insert(&mut self, table: &Table, by_largest: Vec<u64>) {
        let cumulated = by_largest.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        });
        self.0.insert((table.game(), table.max_pile(), table.length()), cumulated.collect());
    }

    /// Checks a rule on these tables, for every n up to their max pile.
    pub(crate) fn check(
        &self,
        tables: &[(Game, Pile, usize)],
        rule: fn(Game, u64, usize, &[u64]) -> Option<i128>,
    ) -> Tally {
        let mut tally = Tally::default();
        // Several tables may give the same count. Check such a count once.
        let mut counted_so_far = BTreeSet::new();
        for &(game, max_pile, length) in tables {
            // A sweep that was stopped gives no counts.
            let Some(counts) = self.0.get(&(game, max_pile, length)) else { continue };
            for (n, &counted) in counts.iter().enumerate().skip(1) {
                let below: Vec<u64> = (1..length)
                    .map_while(|shorter| Some(*self.0.get(&(game, max_pile, shorter))?.get(n)?))
                    .collect();
                if below.len() + 1 < length {
                    continue;
                }
                let Some(claimed) = rule(game, n as u64, length, &below) else { continue };
                if !counted_so_far.insert((game, n, length)) {
                    continue;
                }
                tally.checked += 1;
                if i128::from(counted) != claimed {
                    tally.fail(game, &[], None, || {
                        format!("{counted} P-positions of length {length}, piles <= {n}; the claim says {claimed}")
                    });
                }
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games;

    #[test]
    fn a_wrong_count_is_found() {
        let table = |length| Table::new(games::END_NIM, 3, length).unwrap();
        let mut zeros = Zeros::default();
        // With two piles the zeros are (1,1), (2,2) and (3,3).
        zeros.insert(&table(1), vec![0, 0, 0, 0]);
        zeros.insert(&table(2), vec![0, 1, 1, 1]);
        let tables = [(games::END_NIM, 3, 1), (games::END_NIM, 3, 2)];
        let right = zeros.check(&tables, |_, n, length, _| (length == 2).then_some(n.into()));
        assert_eq!((right.checked, right.failures), (3, 0));
        let wrong = zeros.check(&tables, |_, n, length, below| {
            assert_eq!(below.len(), length - 1);
            Some(i128::from(n) - 1)
        });
        assert_eq!((wrong.checked, wrong.failures), (6, 5));
        assert!(wrong.first.unwrap().to_string().contains("the claim says 1"));
        // A larger table gives the same counts, and additional counts for larger piles.
        let table = Table::new(games::END_NIM, 4, 1).unwrap();
        zeros.insert(&table, vec![0, 0, 0, 0, 0]);
        let tables = [(games::END_NIM, 3, 1), (games::END_NIM, 4, 1)];
        assert_eq!(zeros.check(&tables, |_, _, _, _| Some(0)).checked, 4);
    }

    /// A table is skipped if not all shorter tables were swept, or if it was not swept itself.
    #[test]
    fn shorter_tables_are_needed() {
        let table = |length| Table::new(games::END_NIM, 3, length).unwrap();
        let mut zeros = Zeros::default();
        // There are 2, 3 and 4 zeros whose largest pile is 1, 2 and 3. So there are 2, 5 and 9
        // zeros with piles up to 1, 2 and 3.
        zeros.insert(&table(1), vec![0, 2, 3, 4]);
        zeros.insert(&table(3), vec![0, 1, 1, 1]);
        let tables = [1, 2, 3].map(|length| (games::END_NIM, 3, length));
        let found = zeros.check(&tables, |_, n, _, below| {
            assert!(below.is_empty());
            Some([2, 5, 9][n as usize - 1])
        });
        assert_eq!((found.checked, found.failures), (3, 0));
        zeros.insert(&table(2), vec![0, 1, 2, 3]);
        let found = zeros.check(&tables, |_, n, _, below| {
            let at = n as usize - 1;
            match below {
                [] => None,
                [one] => Some(i128::from(*one) - [1, 2, 3][at]),
                [one, two] => Some(i128::from(one + two) - [2, 6, 12][at]),
                _ => unreachable!(),
            }
        });
        // The expected numbers are 1, 3 and 6 for two piles, and 1, 2 and 3 for three piles.
        assert_eq!((found.checked, found.failures), (6, 0));
    }
}
