//! How often each value occurs.

use grundy_kernels::Cell;
use grundy_rules::Pile;

use crate::{Fold, Tile};

/// Counts the values of a table over all its positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Histogram;

/// What [`Histogram`] gathers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// `values[v]` = the number of positions of value v, both readings of each
    /// row counted.
    pub values: Vec<u64>,
    /// Where the largest value occurs: the position of fewest coins, then the
    /// lexicographically smallest. Empty before any tile was seen.
    pub first_maximum: Vec<Pile>,
}

impl Counts {
    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.values.iter().sum()
    }

    /// The number of P-positions.
    pub fn p_positions(&self) -> u64 {
        self.values.first().copied().unwrap_or(0)
    }

    /// The largest value.
    pub fn maximum(&self) -> u32 {
        self.values.len().saturating_sub(1) as u32
    }

    /// Takes in one position; its piles are asked for only if its value is the largest so
    /// far.
    pub fn count(&mut self, value: u32, piles: impl FnOnce() -> Vec<Pile>) {
        if value as usize >= self.values.len() {
            self.values.resize(value as usize + 1, 0);
            self.first_maximum.clear();
        }
        self.values[value as usize] += 1;
        if value == self.maximum() {
            let piles = piles();
            if self.is_before(&piles) {
                self.first_maximum = piles;
            }
        }
    }

    /// Whether `piles` comes before the position kept as first.
    fn is_before(&self, piles: &[Pile]) -> bool {
        self.first_maximum.is_empty() || key(piles) < key(&self.first_maximum)
    }
}

fn key(piles: &[Pile]) -> (u64, &[Pile]) {
    (piles.iter().map(|&pile| u64::from(pile)).sum(), piles)
}

impl<T: Cell> Fold<T> for Histogram {
    type Acc = Counts;

    fn start(&self) -> Counts {
        Counts::default()
    }

    fn tile(&self, acc: &mut Counts, tile: Tile<'_, T>) {
        let Some(&largest) = tile.values.iter().max() else {
            return;
        };
        let largest: u32 = largest.into();
        if largest as usize >= acc.values.len() {
            acc.values.resize(largest as usize + 1, 0);
            acc.first_maximum.clear();
        }
        // Four counters in turn: equal neighbours would wait for each other.
        let mut counts = vec![[0u64; 4]; largest as usize + 1];
        for (at, &value) in tile.values.iter().enumerate() {
            let value: u32 = value.into();
            counts[value as usize][at % 4] += 1;
        }
        for (total, count) in acc.values.iter_mut().zip(&counts) {
            *total += tile.weight() * count.iter().sum::<u64>();
        }
        if largest == acc.maximum() {
            let mut piles = Vec::new();
            for (at, _) in tile.values.iter().enumerate().filter(|&(_, &v)| v.into() == largest) {
                tile.piles(at / tile.cols(), at % tile.cols(), &mut piles);
                let reversed: Vec<Pile> = piles.iter().rev().copied().collect();
                let least = if reversed < piles { reversed } else { piles.clone() };
                if acc.is_before(&least) {
                    acc.first_maximum = least;
                }
            }
        }
    }

    fn merge(&self, left: Counts, right: Counts) -> Counts {
        let (mut long, short) =
            if left.values.len() >= right.values.len() { (left, right) } else { (right, left) };
        for (total, count) in long.values.iter_mut().zip(&short.values) {
            *total += count;
        }
        let same_maximum = long.values.len() == short.values.len();
        if same_maximum && !short.first_maximum.is_empty() && long.is_before(&short.first_maximum) {
            long.first_maximum = short.first_maximum;
        }
        long
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Ladder, sweep};
    use grundy_kernels::Isa;
    use grundy_rules::{Position, Table, lex_word, reference::Reference};

    #[test]
    fn counts_are_those_of_the_reference() {
        for game in crate::testing::ladder_games() {
            for (n, length) in [(6u32, 1usize), (6, 2), (6, 3), (5, 4), (4, 5)] {
                let control = Control::new();
                let mut ladder = Ladder::<u8>::new(game, n, Isa::best());
                ladder.extend(2, &control).unwrap();
                let table = Table::new(game, n, length).unwrap();
                let counts = sweep(&ladder, &table, &control, &Histogram).acc;

                let mut reference = Reference::new(game);
                let mut expected: Vec<u64> = Vec::new();
                let mut first: Option<(u32, u64, Vec<u32>)> = None;
                let mut piles = vec![0; length];
                for index in 0..table.positions() {
                    lex_word(index, u64::from(n), &mut piles);
                    let value = reference.value(&Position::new(piles.clone()).unwrap());
                    expected.resize(expected.len().max(value as usize + 1), 0);
                    expected[value as usize] += 1;
                    let coins: u64 = piles.iter().map(|&pile| u64::from(pile)).sum();
                    let better = first.as_ref().is_none_or(|(v, c, p)| {
                        value > *v || value == *v && (coins, &piles) < (*c, p)
                    });
                    if better {
                        first = Some((value, coins, piles.clone()));
                    }
                }
                assert_eq!(counts.values, expected, "{table}");
                assert_eq!(counts.first_maximum, first.unwrap().2, "{table}");
            }
        }
    }
}
