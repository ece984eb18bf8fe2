//! Claims about short global nim with several piles: who wins, over whole tables.

use grundy_kernels::last_move::LastMoves;
use grundy_rules::{Game, Multisets, Pile};

use crate::job::{Examined, Extent, Job, Size, longest};
use crate::plan::{Estimate, Means};

const GAME: Game = Game::ShortGlobalNim;

/// What filling the tables of the sizes takes.
pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let Extent::Sizes(sizes) = extent else { return Estimate::default() };
    let mut total = Estimate::default();
    for (max_pile, length) in longest(sizes) {
        let Some(multisets) = Multisets::new(max_pile, length) else { continue };
        let cells = multisets.count().saturating_mul(u64::from(max_pile) + 1);
        total.add(Estimate {
            positions: cells,
            cells,
            seconds: LastMoves::work(&multisets) * 5e-9 + cells as f64 * 2e-9,
            memory: LastMoves::bytes(&multisets).saturating_mul(2),
        });
    }
    total
}

/// Fills the tables of the lengths wanted, and shows each to `look`.
fn each_level(job: &Job<'_>, mut look: impl FnMut(&mut Examined, &LastMoves)) -> Examined {
    let mut examined = Examined::default();
    for (max_pile, length) in longest(job.sizes()) {
        let mut level = LastMoves::empty(max_pile);
        for length in 1..=length {
            let Some(longer) = level.with_another_pile(|_| !job.control.is_stopped()) else {
                examined.stopped = true;
                return examined;
            };
            level = longer;
            if job.sizes().contains(&Size { max_pile, length }) {
                look(&mut examined, &level);
                job.control.advance(level.values().len() as u64);
            }
        }
    }
    examined
}

/// Compares who wins with what is `said` of a multiset and a last move k = 0, 1, ..., N: whether
/// it is P, or nothing.
fn each(job: &Job<'_>, said: impl Fn(&[Pile], Pile) -> Option<bool>) -> Examined {
    each_level(job, |examined, level| {
        let multisets = level.multisets();
        let mut piles = vec![1; multisets.length()];
        for number in 0..multisets.count() {
            for (k, &value) in (0..).zip(level.row_at(number)) {
                let Some(is_p) = said(&piles, k) else { continue };
                examined.tally.checked += 1;
                if is_p != (value == 0) {
                    let value = u32::from(value);
                    examined.tally.fail(GAME, &piles, Some(value), || {
                        format!("last move {k}: value {value}, not as stated")
                    });
                }
            }
            multisets.step(&mut piles);
        }
    })
}

/// Two unequal piles: P iff k = 1.
pub(crate) fn unequal(job: &Job<'_>) -> Examined {
    each(job, |piles, k| match *piles {
        [m, n] if m != n => Some(k == 1),
        _ => None,
    })
}

/// A pile of 1 and a larger one: P iff k = 1.
pub(crate) fn one_and_more(job: &Job<'_>) -> Examined {
    each(job, |piles, k| match *piles {
        [1, n] if n > 1 => Some(k == 1),
        _ => None,
    })
}

/// Two equal piles with k = 1: P iff n = 1 or n ends in an odd number of zeros.
pub(crate) fn equal(job: &Job<'_>) -> Examined {
    each(job, |piles, k| match *piles {
        [m, n] if m == n && k == 1 => Some(n == 1 || n.trailing_zeros() % 2 == 1),
        _ => None,
    })
}

/// Three or more piles: P iff k = 1.
pub(crate) fn three_or_more(job: &Job<'_>) -> Examined {
    each(job, |_, k| Some(k == 1))
}

/// Taking 1 from the smallest pile wins, if that is more than 1 and allowed, for at least
/// `from` piles.
fn smallest(job: &Job<'_>, from: usize) -> Examined {
    each_level(job, |examined, level| {
        let multisets = level.multisets();
        if multisets.length() < from {
            return;
        }
        let mut piles = vec![1; multisets.length()];
        for _ in 0..multisets.count() {
            if piles[0] > 1 {
                let mut left = piles.clone();
                left[0] -= 1;
                let value = level.row(&left)[1];
                // For each last move other than 1 it is the same move.
                examined.tally.checked += u64::from(multisets.max_pile());
                if value != 0 {
                    examined.tally.fail(GAME, &piles, None, || {
                        format!("taking 1 from the smallest pile leaves the value {value}")
                    });
                }
            }
            multisets.step(&mut piles);
        }
    })
}

pub(crate) fn smallest_of_any(job: &Job<'_>) -> Examined {
    smallest(job, 1)
}

pub(crate) fn smallest_of_two(job: &Job<'_>) -> Examined {
    smallest(job, 2)
}
