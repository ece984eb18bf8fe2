//! Visits all words of one length in partizan End-Nim. Computes which players win by moving first.
//!
//! The outcome classes are computed without values ([`OutcomeTile`]). A tile consists of all words
//! x m y of one middle m. Its borders are the words m y and x m, which are one pile shorter. A word
//! takes only two bits, so all shorter lengths stay in memory ([`OutcomeLevels`]). The walk
//! computes the tiles of the longest length.

use std::ops::Range;

use grundy_kernels::outcomes::{OutcomeTile, words};
use grundy_rules::{Outcome, Pile, lex_index, lex_word};
use rayon::prelude::*;

use crate::{Control, Stopped, Swept, fold_units};

/// The players who win by moving first, for all words up to a certain length.
#[derive(Clone, Debug)]
pub struct OutcomeLevels {
    max_pile: usize,
    levels: Vec<OutcomeLevel>,
}

/// The words of one length, tile by tile. Words that differ only in the last pile form a row of
/// bits. Length 1 has one row.
#[derive(Clone, Debug)]
struct OutcomeLevel {
    left: Vec<u64>,
    right: Vec<u64>,
}

#[derive(Clone, Copy, Debug)]
pub struct OutcomeView<'a> {
    /// The piles between the two ends. Words of one or two piles have none.
    pub middle: &'a [Pile],
    /// The number of rows: N, or 1 for length 1.
    pub rows: usize,
    /// A bitmap of the positions that Left wins by moving first. Row x is a sequence of 64-bit
    /// integers; bit y - 1 belongs to x m y.
    pub left: &'a [u64],
    /// A bitmap of the positions that Right wins by moving first, with the same layout.
    pub right: &'a [u64],
}

/// A computation over the tiles of a length. [`crate::Fold`] is the counterpart for values.
pub trait OutcomeFold: Sync {
    type Acc: Send;
    fn start(&self) -> Self::Acc;
    fn tile(&self, acc: &mut Self::Acc, tile: OutcomeView<'_>);
    /// Merges the accumulators of two threads. The order must not change the result.
    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc;
}

/// The number of middles that a thread takes at a time.
const MIDDLES_A_TASK: u64 = 64;

impl OutcomeLevels {
    /// Returns the level of single piles, in which the player to move wins by taking all coins.
    pub fn new(max_pile: Pile) -> OutcomeLevels {
        let n = max_pile as usize;
        let mut all = vec![u64::MAX; words(n)];
        all[words(n) - 1] >>= 64 * words(n) - n;
        let level = OutcomeLevel { left: all.clone(), right: all };
        OutcomeLevels { max_pile: n, levels: vec![level] }
    }

    /// Returns the bytes of the levels up to a length, or `None` on overflow.
    pub fn bytes(max_pile: Pile, length: usize) -> Option<u64> {
        let row = 16 * words(max_pile as usize) as u64;
        (0..length as u32).try_fold(0u64, |sum, fewer| {
            sum.checked_add(u64::from(max_pile).checked_pow(fewer)?.checked_mul(row)?)
        })
    }

    /// Computes all missing words of up to `length` piles.
    pub fn extend(&mut self, length: usize, control: &Control) -> Result<(), Stopped> {
        let n = self.max_pile;
        let tile = n * words(n);
        while self.levels.len() < length {
            let middles = n.pow(self.levels.len() as u32 - 1);
            let mut left = vec![0; middles * tile];
            let mut right = vec![0; middles * tile];
            let chunk = MIDDLES_A_TASK as usize * tile;
            left.par_chunks_mut(chunk).zip(right.par_chunks_mut(chunk)).enumerate().try_for_each(
                |(task, (left, right))| {
                    control.check()?;
                    let first = task as u64 * MIDDLES_A_TASK;
                    let range = first..first + (left.len() / tile) as u64;
                    let mut out = left.chunks_exact_mut(tile).zip(right.chunks_exact_mut(tile));
                    self.each(range, |view| {
                        if let Some((left, right)) = out.next() {
                            left.copy_from_slice(view.left);
                            right.copy_from_slice(view.right);
                        }
                    });
                    Ok(())
                },
            )?;
            self.levels.push(OutcomeLevel { left, right });
        }
        Ok(())
    }

    /// Computes the tiles of a range of middles, for words one pile longer than all stored words.
    fn each(&self, middles: Range<u64>, mut show: impl FnMut(OutcomeView<'_>)) {
        let n = self.max_pile;
        let width = words(n);
        let level = &self.levels[self.levels.len() - 1];
        let mut middle = vec![0; self.levels.len() - 1];
        let mut tile = OutcomeTile::default();
        // Returns the index of the row of the words (first, middle, ·) in the level below.
        let row = |first: Pile, middle: &[Pile]| {
            (lex_index(middle, n as u64) as usize * n + first as usize - 1) * width
        };
        for number in middles {
            lex_word(number, n as u64, &mut middle);
            let above = match middle.split_first() {
                Some((&first, rest)) => row(first, rest),
                None => 0,
            };
            tile.fill(n, &level.right[above..above + width], |x| {
                let (at, col) = match middle.split_last() {
                    Some((&last, rest)) => (row(x as Pile, rest), last as usize - 1),
                    None => (0, x - 1),
                };
                level.left[at + col / 64] >> (col % 64) & 1 == 1
            });
            show(OutcomeView { middle: &middle, rows: n, left: &tile.left, right: &tile.right });
        }
    }

    /// Visits once, tile by tile, each word that is one pile longer than the longest stored word.
    /// Folds over the tiles in parallel, in the caller's rayon pool. The control counts words.
    ///
    /// # Panics
    /// If there are too many words to number.
    pub fn sweep<F: OutcomeFold>(&self, control: &Control, fold: &F) -> Swept<F::Acc> {
        let n = self.max_pile as u64;
        let middles = n.pow(self.levels.len() as u32 - 1);
        let tasks = 0..middles.div_ceil(MIDDLES_A_TASK);
        let show = |(): &mut (), acc: &mut F::Acc, task: u64| {
            let first = task * MIDDLES_A_TASK;
            let range = first..(first + MIDDLES_A_TASK).min(middles);
            let cells = (range.end - range.start) * n * n;
            self.each(range, |view| fold.tile(acc, view));
            cells
        };
        let merge = |left, right| fold.merge(left, right);
        fold_units(tasks, control, || (), || fold.start(), show, merge)
    }

    /// Returns the words of length 1 as one row, because they have no tiles.
    pub fn single_piles(&self) -> OutcomeView<'_> {
        let OutcomeLevel { left, right } = &self.levels[0];
        OutcomeView { middle: &[], rows: 1, left, right }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct OutcomeCount;

/// The number of words of each class, in the order of [`Outcome::ALL`].
pub type OutcomeCounts = [u64; 4];

impl OutcomeFold for OutcomeCount {
    type Acc = OutcomeCounts;

    fn start(&self) -> OutcomeCounts {
        [0; 4]
    }

    fn tile(&self, acc: &mut OutcomeCounts, tile: OutcomeView<'_>) {
        let mut ones = [0u64; 3];
        for (&left, &right) in tile.left.iter().zip(tile.right) {
            ones[0] += u64::from((left & !right).count_ones());
            ones[1] += u64::from((right & !left).count_ones());
            ones[2] += u64::from((left & right).count_ones());
        }
        for (total, count) in acc.iter_mut().zip(ones) {
            *total += count;
        }
    }

    fn merge(&self, left: OutcomeCounts, right: OutcomeCounts) -> OutcomeCounts {
        std::array::from_fn(|at| left[at] + right[at])
    }
}

/// Counts the outcome classes of all words of each length from 1 to `length`. If the walk is
/// stopped, the result contains the counts so far.
pub fn count_outcomes(
    max_pile: Pile,
    length: usize,
    control: &Control,
) -> Swept<Vec<OutcomeCounts>> {
    let mut levels = OutcomeLevels::new(max_pile);
    let mut counts = Swept { acc: Vec::new(), cells: 0, complete: !control.is_stopped() };
    if !counts.complete {
        return counts;
    }
    let finish = |mut counts: OutcomeCounts, words: u64| {
        counts[Outcome::P as usize] = words - counts.iter().sum::<u64>();
        counts
    };
    let mut first = OutcomeCount.start();
    OutcomeCount.tile(&mut first, levels.single_piles());
    counts.acc.push(finish(first, u64::from(max_pile)));
    for longer in 2..=length {
        if levels.extend(longer - 1, control).is_err() {
            counts.complete = false;
            break;
        }
        let swept = levels.sweep(control, &OutcomeCount);
        counts.cells += swept.cells;
        counts.acc.push(finish(swept.acc, swept.cells));
        counts.complete = swept.complete;
        if !swept.complete {
            break;
        }
    }
    counts
}
