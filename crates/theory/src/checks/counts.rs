//! Claims about the number of zeros in a table.
//!
//! A sweep counts the zeros by the largest pile of the word. So a table of max pile N gives the
//! number of zeros for every n <= N: add up the counts of all largest piles up to n.

use std::collections::BTreeSet;

use grundy_kernels::{EqualMask, Isa};
use grundy_rules::{Game, Pile, Table, games};
use grundy_sweep::cost::price::MASK;
use grundy_sweep::cost::{LadderSize, WalkCost};
use grundy_sweep::{AnyLadder, Fold, Tile, parts};

use crate::domain::{Extent, Size, longest};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

/// Returns the table of a size; the plan has checked that it exists.
fn table(game: Game, max_pile: Pile, length: usize) -> Table {
    match Table::new(game, max_pile, length) {
        Ok(table) => table,
        Err(error) => unreachable!("the plan has no such table: {error}"),
    }
}

pub(crate) fn cost(games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let sizes = games.iter().flat_map(|&game| extent.sizes().iter().map(move |size| (game, size)));
    let each = |(game, &Size { max_pile, length }): (Game, &Size)| {
        let table = table(game, max_pile, length);
        let cost = WalkCost::of(&table, means.isa, means.memory, means.threads);
        let (positions, cells) = (table.positions(), table.cells());
        let seconds = cells as f64 * (cost.cell * cost.walk + MASK) / means.threads.max(1) as f64;
        Estimate { positions, cells, seconds, memory: cost.memory }
    };
    sizes.map(each).sum()
}

pub(crate) fn p_count(job: &Job<'_>) -> Examination {
    compare(job, |game, n, length, _| {
        let n = i128::from(n);
        let words = n.checked_pow(length as u32)?;
        let sign = if length.is_multiple_of(2) { 1 } else { -1 };
        let end_nim = (words + sign * n) / (n + 1);
        Some(match game {
            _ if game == games::MISERE_END_NIM => end_nim - sign,
            _ if game == games::LOOP_END_NIM => end_nim - sign * n,
            _ => end_nim,
        })
    })
}

pub(crate) fn zeros(job: &Job<'_>) -> Examination {
    compare(job, |_, n, length, below| {
        Some(i128::from(n).checked_pow(length as u32 - 1)? - i128::from(*below.last()?))
    })
}

/// Compares the numbers of zeros with a rule. The rule gets the game, n, the length k, and the
/// numbers for all shorter lengths; it returns `None` if it does not cover this length.
fn compare(job: &Job<'_>, rule: impl Fn(Game, u64, usize, &[u64]) -> Option<i128>) -> Examination {
    Examination::by(|tally| {
        let mut so_far = BTreeSet::new();
        for &game in job.games {
            for (max_pile, longest) in longest(job.sizes()) {
                let mut counts = vec![Vec::new(); max_pile as usize + 1];
                for length in 1..=longest {
                    let found = count(job, &table(game, max_pile, length))?;
                    for (n, counted) in (0..).zip(found).skip(1) {
                        let below = &mut counts[n as usize];
                        // Several tables may give the same count. Check such a count once.
                        let is_new = !so_far.contains(&(game, n, length));
                        if let Some(claimed) = rule(game, n, length, below).filter(|_| is_new) {
                            so_far.insert((game, n, length));
                            compare_count(tally, (game, n, length), counted, claimed);
                        }
                        below.push(counted);
                    }
                }
            }
        }
        Ok(())
    })
}

fn compare_count(tally: &mut Tally, of: (Game, u64, usize), counted: u64, claimed: i128) {
    let (game, n, length) = of;
    tally.checked += 1;
    if i128::from(counted) != claimed {
        tally.fail(game, &[], None, || {
            format!(
                "{counted} P-positions of length {length}, piles <= {n}; the claim says {claimed}"
            )
        });
    }
}

/// Returns the number of zeros with piles of at most n, for n = 0, 1, ...
fn count(job: &Job<'_>, table: &Table) -> Result<Vec<u64>, Halt> {
    let fold = Zeros { isa: job.isa, max_pile: table.max_pile() as usize };
    let (by_largest, _) = match job.holder(table).filter(|held| held == table) {
        Some(held) => read_zeros(job, &held, &fold)?,
        None => {
            job.stored.computed();
            let top = LadderSize::within(table, (table.length() - 1).max(1), job.memory).top;
            let ladder = AnyLadder::new(table, top, job.isa, job.control)?;
            let swept = ladder.sweep_part(table, 0..parts(table), job.control, &fold);
            if !swept.complete {
                return Err(Halt);
            }
            swept.acc
        }
    };
    let cumulated = by_largest.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum)
    });
    Ok(cumulated.collect())
}

/// Folds over the tiles of a stored table. No value of the three games needs more than 16 bits.
fn read_zeros(
    job: &Job<'_>,
    table: &Table,
    fold: &Zeros,
) -> Result<<Zeros as Fold<u16>>::Acc, Halt> {
    let mut found = Fold::<u16>::start(fold);
    let (mut word, mut narrow) = (Vec::new(), Vec::new());
    let (each, length) = (table.tile_cells(), table.length());
    let rows = each / table.tile_cols();
    job.read(table, |first, values| {
        for (at, values) in values.chunks_exact(each).enumerate() {
            table.tile_word(first / each as u64 + at as u64, &mut word);
            narrow.clear();
            narrow.extend(values.iter().map(|&value| value as u16));
            fold.tile(&mut found, Tile { length, middle: &word, rows, values: &narrow });
        }
        job.control.advance(values.len() as u64);
        Ok(true)
    })?;
    Ok(found)
}

/// Counts zeros by the largest pile of their word. The accumulator has the counts, and the mask of
/// a tile.
struct Zeros {
    isa: Isa,
    max_pile: usize,
}

impl<T: EqualMask> Fold<T> for Zeros {
    type Acc = (Vec<u64>, Vec<u64>);

    fn start(&self) -> Self::Acc {
        (vec![0; self.max_pile + 1], Vec::new())
    }

    fn tile(&self, (zeros, masks): &mut Self::Acc, tile: Tile<'_, T>) {
        let (cols, weight) = (tile.cols(), tile.weight());
        let words = cols.div_ceil(64);
        masks.resize(tile.rows * words, 0);
        T::equal_mask(self.isa, tile.values, cols, T::from_value(0), masks);
        let inner = tile.middle.iter().copied().max().unwrap_or(0) as usize;
        for (row, masks) in masks.chunks_exact(words).enumerate() {
            let first = if tile.length > 1 { row + 1 } else { 0 };
            let top = inner.max(first);
            for (word, &mask) in masks.iter().enumerate() {
                // In the columns up to `top` the largest pile is `top`, and in later columns it is
                // the right end.
                let low = match top.saturating_sub(64 * word) {
                    count @ 0..64 => (1u64 << count) - 1,
                    _ => u64::MAX,
                };
                zeros[top] += weight * u64::from((mask & low).count_ones());
                let mut high = mask & !low;
                while high != 0 {
                    zeros[64 * word + high.trailing_zeros() as usize + 1] += weight;
                    high &= high - 1;
                }
            }
        }
    }

    fn merge(&self, (mut left, masks): Self::Acc, (right, _): Self::Acc) -> Self::Acc {
        left.iter_mut().zip(right).for_each(|(sum, more)| *sum += more);
        (left, masks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{look, sizes};

    /// Counts the zeros of words with the reference evaluator.
    #[test]
    fn zeros_are_counted_by_their_largest_pile() {
        use grundy_rules::{Position, reference::Reference};
        for (n, length) in [(5, 1), (5, 2), (4, 3), (3, 5), (66, 2)] {
            let counted = look_at(games::MISERE_END_NIM, n, length);
            let mut reference = Reference::new(games::MISERE_END_NIM);
            let mut expected = vec![0; n as usize + 1];
            for word in crate::testing::words(n, length) {
                let largest = *word.iter().max().unwrap() as usize;
                let is_zero = reference.value(&Position::new(word).unwrap()) == 0;
                expected[largest..].iter_mut().for_each(|count| *count += u64::from(is_zero));
            }
            assert_eq!(counted, expected, "{n} {length}");
        }
    }

    fn look_at(game: Game, max_pile: Pile, length: usize) -> Vec<u64> {
        crate::testing::with_job(&[game], &Extent::Printed, &[], |job| {
            count(job, &table(game, max_pile, length)).unwrap()
        })
    }

    /// A count that two tables give is checked once. The first length has no shorter length.
    #[test]
    fn a_count_is_checked_once() {
        let tally = look("end.p-count", sizes(5, 3), &[]).examined.tally;
        assert_eq!((tally.checked, tally.failures), (3 * 5 * 3, 0));
        let tally = look("end.zeros", sizes(5, 3), &[]).examined.tally;
        assert_eq!((tally.checked, tally.failures), (3 * 5 * 2, 0));
        let mut tally = Tally::default();
        compare_count(&mut tally, (games::END_NIM, 3, 2), 3, 2);
        let first = "end-nim: 3 P-positions of length 2, piles <= 3; the claim says 2";
        assert_eq!(tally.first.unwrap().to_string(), first);
    }
}
