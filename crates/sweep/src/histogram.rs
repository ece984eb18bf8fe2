//! How often each value occurs.

use grundy_kernels::{Cell, Tally};
use grundy_rules::{Middles, Pile};

use crate::{Batch, Fold, Tile};

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

    /// Makes room for values up to one that was seen.
    fn reach(&mut self, largest: u32) {
        if largest as usize >= self.values.len() {
            self.values.resize(largest as usize + 1, 0);
            self.first_maximum.clear();
        }
    }

    /// Whether a position of at least so many coins may come before the one kept as first.
    fn may_be_first(&self, coins: u64) -> bool {
        self.first_maximum.is_empty() || coins <= key(&self.first_maximum).0
    }

    /// Looks in a tile, both readings of it, for an earlier place of its largest value, which is
    /// the largest so far.
    fn look_for_first<T: Cell>(&mut self, tile: Tile<'_, T>, largest: u32) {
        let mut piles = Vec::new();
        for (at, _) in tile.values.iter().enumerate().filter(|&(_, &v)| v.into() == largest) {
            tile.piles(at / tile.cols(), at % tile.cols(), &mut piles);
            let reversed: Vec<Pile> = piles.iter().rev().copied().collect();
            let least = if reversed < piles { reversed } else { piles.clone() };
            if self.is_before(&least) {
                self.first_maximum = least;
            }
        }
    }

    /// Whether `piles` comes before the position kept as first.
    fn is_before(&self, piles: &[Pile]) -> bool {
        self.first_maximum.is_empty() || key(piles) < key(&self.first_maximum)
    }
}

/// How often each byte occurs. Four counters in turn: equal neighbours, as columns of the same
/// values have them, would wait for each other. No place is out of range, so none is checked.
fn count_bytes<T: Cell>(values: &[T]) -> impl Iterator<Item = u64> {
    let mut counts = [[0u32; 256]; 4];
    let (fours, rest) = values.as_chunks::<4>();
    let at = |value: T| -> usize {
        let value: u32 = value.into();
        (value & 0xFF) as usize
    };
    for &[a, b, c, d] in fours {
        counts[0][at(a)] += 1;
        counts[1][at(b)] += 1;
        counts[2][at(c)] += 1;
        counts[3][at(d)] += 1;
    }
    for &value in rest {
        counts[0][at(value)] += 1;
    }
    (0..256).map(move |value| counts.iter().map(|counter| u64::from(counter[value])).sum())
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
        acc.reach(largest);
        let weight = tile.weight();
        if T::BYTES == 1 {
            for (total, count) in acc.values.iter_mut().zip(count_bytes(tile.values)) {
                *total += weight * count;
            }
        } else {
            // In a row every value stands once, so no counter is asked for twice in a row.
            for &value in tile.values {
                let value: u32 = value.into();
                acc.values[value as usize] += weight;
            }
        }
        if largest == acc.maximum() {
            acc.look_for_first(tile, largest);
        }
    }

    /// By the counts of the kernel, which cost less than the values would. Those are asked for
    /// where the largest value so far may stand before its first place.
    fn batch(&self, acc: &mut Counts, mut batch: Batch<'_, '_, T>) {
        let count = batch.borders.len();
        let weight = |middle| if Middles::is_palindrome(middle) { 1 } else { 2 };
        let weights: Vec<u64> = (0..count).map(|at| weight(batch.middle(at))).collect();
        let mut tally = Tally::default();
        batch.kernel.tally(batch.scratch, batch.borders, &weights, &mut tally);
        for (at, &largest) in tally.largest.iter().enumerate() {
            acc.reach(largest);
            // A position a w b has a + b options, so its value is at most that.
            let coins = |middle: &[Pile]| {
                middle.iter().map(|&pile| u64::from(pile)).sum::<u64>() + u64::from(largest)
            };
            if largest == acc.maximum() && acc.may_be_first(coins(batch.middle(at))) {
                batch.one(at, |tile| acc.look_for_first(tile, largest));
            }
        }
        for (total, count) in acc.values.iter_mut().zip(&tally.values) {
            *total += count;
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
