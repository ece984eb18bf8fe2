//! Counts how often each value occurs.

use grundy_kernels::{Cell, Tally};
use grundy_rules::{Middles, Pile, Position, coins};

use crate::{Batch, Fold, Tile};

/// A fold that counts how often each value occurs in a table.
#[derive(Clone, Copy, Debug, Default)]
pub struct Histogram;

/// The frequency of each value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// The number of positions with value v, for each v. A row and its reversal count twice.
    pub values: Vec<u64>,
    /// The first position with the largest value. The order is by coins, then lexicographic.
    pub first_maximum: Option<Position>,
}

impl ValueCounts {
    pub fn positions(&self) -> u64 {
        self.values.iter().sum()
    }

    pub fn p_positions(&self) -> u64 {
        self.values.first().copied().unwrap_or(0)
    }

    pub fn maximum(&self) -> u32 {
        self.values.len().saturating_sub(1) as u32
    }

    // Called for every cell of a table.
    #[inline(always)]
    fn reach(&mut self, largest: u32) {
        if largest as usize >= self.values.len() {
            self.values.resize(largest as usize + 1, 0);
            self.first_maximum = None;
        }
    }

    /// Counts a value `weight` times. Calls `position` if the value is the largest so far.
    pub fn take(&mut self, value: u32, weight: u64, position: impl FnOnce() -> Option<Position>) {
        self.reach(value);
        self.values[value as usize] += weight;
        if value == self.maximum()
            && let Some(position) = position()
        {
            self.offer(position);
        }
    }

    /// Adds the counts of other positions of the same table.
    pub fn merge(mut self, other: ValueCounts) -> ValueCounts {
        if !other.values.is_empty() {
            self.reach(other.maximum());
        }
        if other.values.len() == self.values.len() {
            other.first_maximum.into_iter().for_each(|position| self.offer(position));
        }
        for (sum, more) in self.values.iter_mut().zip(other.values) {
            *sum += more;
        }
        self
    }

    /// Replaces the first position by `position` if `position` comes before it.
    fn offer(&mut self, position: Position) {
        if self.is_before(position.piles()) {
            self.first_maximum = Some(position);
        }
    }

    /// True if a position with `coins` coins or more may come before the current first position.
    fn may_be_first(&self, coins: u64) -> bool {
        self.first_maximum.as_ref().is_none_or(|first| coins <= first.coins())
    }

    /// Searches a tile and its reversal for an earlier position with the largest value so far.
    /// `largest` must be that value.
    fn look_for_first<T: Cell>(&mut self, tile: Tile<'_, T>, largest: u32) {
        let mut piles = Vec::new();
        for (at, _) in tile.values.iter().enumerate().filter(|&(_, &v)| v.into() == largest) {
            tile.piles(at / tile.cols(), at % tile.cols(), &mut piles);
            let reversed: Vec<Pile> = piles.iter().rev().copied().collect();
            let least = if reversed < piles { &reversed } else { &piles };
            if self.is_before(least) {
                self.first_maximum = Some(Position::row(least));
            }
        }
    }

    /// True if `piles` comes before the current first position.
    fn is_before(&self, piles: &[Pile]) -> bool {
        let first = self.first_maximum.as_ref();
        first.is_none_or(|first| (coins(piles), piles) < (first.coins(), first.piles()))
    }
}

/// Counts how often each byte occurs. Four arrays take turns, because increments of one counter for
/// equal neighbours would wait for each other. Indices cannot be out of range.
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

impl<T: Cell> Fold<T> for Histogram {
    type Acc = ValueCounts;

    fn start(&self) -> ValueCounts {
        ValueCounts::default()
    }

    fn tile(&self, acc: &mut ValueCounts, tile: Tile<'_, T>) {
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
            // Each value occurs once in a row, so successive changes affect different counters.
            for &value in tile.values {
                let value: u32 = value.into();
                acc.values[value as usize] += weight;
            }
        }
        if largest == acc.maximum() {
            acc.look_for_first(tile, largest);
        }
    }

    /// Lets the kernel count, which is faster than filling values. Fills a tile only if an earlier
    /// position in it may have the largest value.
    fn batch(&self, acc: &mut ValueCounts, mut batch: Batch<'_, '_, T>) {
        let count = batch.borders.len();
        let weight = |middle| if Middles::is_palindrome(middle) { 1 } else { 2 };
        let weights: Vec<u64> = (0..count).map(|at| weight(batch.middle(at))).collect();
        let mut tally = Tally::default();
        batch.kernel.tally(batch.scratch, batch.borders, &weights, &mut tally);
        for (at, &largest) in tally.largest.iter().enumerate() {
            acc.reach(largest);
            // A position a w b has a + b options. So a + b >= `largest` if `largest` is its value.
            let least = || coins(batch.middle(at)) + u64::from(largest);
            if largest == acc.maximum() && acc.may_be_first(least()) {
                batch.one(at, |tile| acc.look_for_first(tile, largest));
            }
        }
        for (total, count) in acc.values.iter_mut().zip(&tally.values) {
            *total += count;
        }
    }

    fn merge(&self, left: ValueCounts, right: ValueCounts) -> ValueCounts {
        left.merge(right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Position;

    fn position(piles: &[Pile]) -> Option<Position> {
        Some(Position::row(piles))
    }

    fn counts(values: &[u64], first: Option<Position>) -> ValueCounts {
        ValueCounts { values: values.to_vec(), first_maximum: first }
    }

    /// The position with the larger value is kept; if the values are equal, that with fewer coins.
    #[test]
    fn counts_are_merged() {
        let (near, far) = (position(&[1, 2]), position(&[2, 2]));
        let merge = |left: &ValueCounts, right: &ValueCounts| left.clone().merge(right.clone());
        let (short, long) = (counts(&[1, 2], near.clone()), counts(&[10, 20, 30], far.clone()));
        let both = counts(&[11, 22, 30], far.clone());
        assert_eq!((merge(&short, &long), merge(&long, &short)), (both.clone(), both));
        let other = counts(&[5, 5], far.clone());
        let both = counts(&[6, 7], near.clone());
        assert_eq!((merge(&short, &other), merge(&other, &short)), (both.clone(), both.clone()));
        let none = counts(&[5, 5], None);
        assert_eq!((merge(&short, &none), merge(&none, &short)), (both.clone(), both));
        // If the piles are equal, the position of the left counts stays.
        let after = counts(&[5, 5], Some(Position::after(vec![1, 2], 1)));
        assert_eq!(merge(&short, &after).first_maximum, near);
        assert_eq!(merge(&after, &short).first_maximum, after.first_maximum);
    }
}
