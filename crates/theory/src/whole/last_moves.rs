//! Claims about short global nim with several piles: who wins, over whole tables.

use grundy_kernels::last_move::LastMoves;
use grundy_rules::{Game, Multisets, Pile};

use crate::job::{Examined, Extent, Job, longest};
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

/// Shows every multiset of the lengths wanted with every last move k = 0, 1, ..., N, and its
/// value; what is wrong is said in words.
fn each(job: &Job<'_>, wrong: impl Fn(&[Pile], Pile, bool) -> Option<&'static str>) -> Examined {
    let mut examined = Examined::default();
    for (max_pile, length) in longest(job.sizes()) {
        let mut level = LastMoves::empty(max_pile);
        for length in 1..=length {
            let Some(longer) = level.with_another_pile(|_| !job.control.is_stopped()) else {
                examined.stopped = true;
                return examined;
            };
            level = longer;
            if !job.sizes().iter().any(|size| (size.max_pile, size.length) == (max_pile, length)) {
                continue;
            }
            let mut piles = vec![1; length];
            for number in 0..level.multisets().count() {
                for (k, &value) in (0..).zip(level.row_at(number)) {
                    examined.tally.checked += 1;
                    if let Some(said) = wrong(&piles, k, value == 0) {
                        let value = u32::from(value);
                        examined.tally.fail(GAME, &piles, Some(value), || {
                            format!("last move {k}: value {value}, {said}")
                        });
                    }
                }
                level.multisets().step(&mut piles);
            }
            job.control.advance(level.values().len() as u64);
        }
    }
    examined
}

/// Two unequal piles: P iff k = 1.
pub(crate) fn unequal(job: &Job<'_>) -> Examined {
    each(job, |piles, k, is_p| match *piles {
        [m, n] if m != n => (is_p != (k == 1)).then_some("not as stated"),
        _ => None,
    })
}

/// A pile of 1 and a larger one: P iff k = 1.
pub(crate) fn one_and_more(job: &Job<'_>) -> Examined {
    each(job, |piles, k, is_p| match *piles {
        [1, n] if n > 1 => (is_p != (k == 1)).then_some("not as stated"),
        _ => None,
    })
}

/// Two equal piles with k = 1: P iff n = 1 or n ends in an odd number of zeros.
pub(crate) fn equal(job: &Job<'_>) -> Examined {
    each(job, |piles, k, is_p| match *piles {
        [m, n] if m == n && k == 1 => {
            (is_p != (n == 1 || n.trailing_zeros() % 2 == 1)).then_some("not as stated")
        }
        _ => None,
    })
}

/// Three or more piles: P iff k = 1.
pub(crate) fn three_or_more(job: &Job<'_>) -> Examined {
    each(job, |_, k, is_p| (is_p != (k == 1)).then_some("not as stated"))
}

/// Taking 1 from the smallest pile wins, if that is more than 1 and allowed, for at least
/// `from` piles.
fn smallest(job: &Job<'_>, from: usize) -> Examined {
    let mut examined = Examined::default();
    for (max_pile, length) in longest(job.sizes()) {
        let mut level = LastMoves::empty(max_pile);
        for length in 1..=length {
            let Some(longer) = level.with_another_pile(|_| !job.control.is_stopped()) else {
                examined.stopped = true;
                return examined;
            };
            level = longer;
            let mut piles = vec![1; length];
            for _ in 0..level.multisets().count() {
                if length >= from && piles[0] > 1 {
                    let mut left = piles.clone();
                    left[0] -= 1;
                    let value = level.row(&left)[1];
                    // For each last move other than 1 it is the same move.
                    examined.tally.checked += u64::from(max_pile);
                    if value != 0 {
                        examined.tally.fail(GAME, &piles, None, || {
                            format!("taking 1 from the smallest pile leaves the value {value}")
                        });
                    }
                }
                level.multisets().step(&mut piles);
            }
            job.control.advance(level.values().len() as u64);
        }
    }
    examined
}

pub(crate) fn smallest_of_any(job: &Job<'_>) -> Examined {
    smallest(job, 1)
}

pub(crate) fn smallest_of_two(job: &Job<'_>) -> Examined {
    smallest(job, 2)
}
