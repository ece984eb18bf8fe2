//! Claims about Nim, checked at every multiset. The values are from stored tables, or from tables
//! that are filled by mex during the check.

use grundy_rules::{Game, Multisets, Pile, Table};
use grundy_sweep::MultisetLevels;
use grundy_sweep::cost::price::{MULTISET_PILE, PREDICATE};

use crate::domain::{Extent, Size, longest};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::tally::Tally;

pub(crate) fn cost(games: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let each = |(max_pile, length)| {
        let (table, multisets) = table(games[0], max_pile, length);
        let positions = multisets.count().saturating_mul(games.len() as u64);
        let seconds = positions as f64 * length as f64 * (MULTISET_PILE + PREDICATE);
        let memory = MultisetLevels::bytes(&multisets, table.largest_value());
        Estimate { positions, cells: positions, seconds, memory }
    };
    longest(extent.sizes()).into_iter().map(each).sum()
}

/// Returns the table of a size and its multisets; the plan has checked that they exist.
fn table(game: Game, max_pile: Pile, length: usize) -> (Table, Multisets) {
    match (Table::new(game, max_pile, length), Multisets::new(max_pile, length)) {
        (Ok(table), Some(multisets)) => (table, multisets),
        _ => unreachable!("the plan has no such table: {game}, {max_pile}, {length}"),
    }
}

/// Calls `show` once for each multiset of the wanted sizes, with its value. Goes through the games
/// one by one.
pub(crate) fn each(
    job: &Job<'_>,
    mut show: impl FnMut(&mut Tally, Game, &[Pile], u32),
) -> Examination {
    each_of(job, job.sizes(), &mut show)
}

/// Calls `show` once for each multiset of the wanted sizes, for claims that need no values.
pub(crate) fn each_without_value(
    job: &Job<'_>,
    mut show: impl FnMut(&mut Tally, Game, &[Pile]),
) -> Examination {
    Examination::by(|tally| {
        for &game in job.games {
            for &Size { max_pile, length } in job.sizes() {
                let (_, multisets) = table(game, max_pile, length);
                let mut piles = vec![1; length];
                for number in 0..multisets.count() {
                    if number.is_multiple_of(PATIENCE as u64) {
                        job.control.check()?;
                    }
                    tally.checked += 1;
                    show(tally, game, &piles);
                    multisets.step(&mut piles);
                }
                job.control.advance(multisets.count());
            }
        }
        Ok(())
    })
}

/// Does the same as [`each`], for given sizes instead of the sizes of the job.
pub(crate) fn each_of(
    job: &Job<'_>,
    sizes: &[Size],
    mut show: impl FnMut(&mut Tally, Game, &[Pile], u32),
) -> Examination {
    Examination::by(|tally| {
        let mut show = |game: Game, piles: &[Pile], value| {
            tally.checked += 1;
            show(tally, game, piles, value);
        };
        for &game in job.games {
            for (max_pile, longest) in longest(sizes) {
                // The shorter levels, from which the levels that are not stored are filled.
                let mut levels = MultisetLevels::new(game, max_pile);
                let lengths =
                    (1..=longest).filter(|&length| sizes.contains(&Size { max_pile, length }));
                for length in lengths {
                    let (table, multisets) = table(game, max_pile, length);
                    let mut walk = Walk { multisets: &multisets, piles: vec![1; length], next: 0 };
                    let mut show = |piles: &[Pile], value| show(game, piles, value);
                    match job.holder(&table) {
                        Some(held) => job.read(&held, |_, values| {
                            walk.show(values.iter().copied(), &mut show);
                            Ok(walk.next < multisets.count())
                        })?,
                        None => {
                            job.stored.computed();
                            levels.extend(length, job.control)?;
                            let Some(level) = levels.level(length) else {
                                unreachable!("length {length} was filled")
                            };
                            for values in level.chunks(PATIENCE) {
                                job.control.check()?;
                                walk.show(values.iter().map(|&value| value.into()), &mut show);
                            }
                        }
                    }
                    job.control.advance(multisets.count());
                }
            }
        }
        Ok(())
    })
}

/// The number of multisets between two checks of the stop signal.
const PATIENCE: usize = 1 << 16;

/// Goes through multisets in order. A table with a larger max pile begins with the multisets of a
/// smaller table; the values after these are ignored.
struct Walk<'a> {
    multisets: &'a Multisets,
    piles: Vec<Pile>,
    next: u64,
}

impl Walk<'_> {
    fn show(&mut self, values: impl Iterator<Item = u32>, show: &mut impl FnMut(&[Pile], u32)) {
        let left = self.multisets.count() - self.next;
        for value in values.take(usize::try_from(left).unwrap_or(usize::MAX)) {
            show(&self.piles, value);
            self.multisets.step(&mut self.piles);
            self.next += 1;
        }
    }
}
