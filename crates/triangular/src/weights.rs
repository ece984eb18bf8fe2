//! Weights of moves. The weight of a family is the sum of the weights of its moves.
//!
//! A search takes the suitable family that adds the least weight to the moves used so far
//! ([`crate::search`]). So weights determine the moves that all families share. They also determine
//! the moves that families leave free, which can be played before a family is reached. Weights
//! affect the number of families and the time, but not the correctness, because the checker does
//! not use them.
//!
//! A weight depends on the move q and on the level I of the family's pile. [`Weights`] has a byte
//! for each move and level, and the same bytes divided into bit planes. So the weight of a set of
//! moves takes a few bit counts per word:
//!
//! ```text
//!   weights of 64 moves    5 1 4 7 ...       plane 0   1 1 0 1 ...
//!                                            plane 1   0 0 0 1 ...
//!   sum over a set s   =   |s & plane 0| + 2 |s & plane 1| + 4 |s & plane 2| + ...
//! ```
//!
//! # Thresholds
//!
//! Statistics of families show that each move d has a *threshold* x(d). Families of piles with
//! levels up to x(d) rarely use d, and families of higher piles use it; the transition takes about
//! 8 to 20 levels. So one number per move ([`threshold`]) determines all weights:
//!
//! ```text
//!   w(I, d) = 1 + 150 z^4,   z = (x(d) - I) / 28 + 1/2, clamped to 0 .. 1
//! ```
//!
//! This is a gradual form of the gap lemma of docs/CONJECTURE.md.

use crate::level;
use crate::moves::words;
use crate::thresholds::threshold;

const PLANES: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Weights {
    of: Vec<OfOne>,
}

#[derive(Debug, Default, PartialEq, Eq)]
struct OfOne {
    each: Vec<u8>,
    planes: Vec<[u64; PLANES]>,
}

impl Weights {
    pub(crate) fn reach(&mut self, n: u32) {
        let (levels, words) = (level(n) as usize + 1, words(n));
        if self.of.len() < levels {
            self.of.resize_with(levels, OfOne::default);
        }
        for (level, of) in self.of.iter_mut().enumerate() {
            for word in of.planes.len()..words {
                let mut planes = [0; PLANES];
                for bit in 0..64 {
                    let weight = weight(threshold(word as u32 * 64 + bit), level as u32);
                    of.each.push(weight);
                    for (plane, bits) in planes.iter_mut().enumerate() {
                        *bits |= u64::from(weight >> plane & 1) << bit;
                    }
                }
                of.planes.push(planes);
            }
        }
    }

    /// Returns the weights for families of piles of a level. The caller must first call
    /// [`Weights::reach`] with a pile of this level or more.
    pub(crate) fn of_level(&self, level: u32) -> OfLevel<'_> {
        OfLevel(&self.of[level as usize])
    }

    pub(crate) fn bytes(&self) -> u64 {
        let of_one =
            |of: &OfOne| of.each.capacity() + of.planes.capacity() * size_of::<[u64; PLANES]>();
        self.of.iter().map(of_one).sum::<usize>() as u64
    }
}

/// Returns the weight of a move that has this threshold, for families of piles of a level.
fn weight(threshold: f64, level: u32) -> u8 {
    let z = ((threshold - f64::from(level)) / 28.0 + 0.5).clamp(0.0, 1.0);
    (1.0 + 150.0 * (z * z * z * z)).round() as u8
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OfLevel<'a>(&'a OfOne);

impl OfLevel<'_> {
    pub(crate) fn one(self, q: u32) -> u32 {
        u32::from(self.0.each[q as usize])
    }

    /// Returns the weight of the moves of `a` outside `b`.
    pub(crate) fn added(self, a: &[u64], b: &[u64]) -> u32 {
        let mut sum = 0;
        for ((a, b), planes) in a.iter().zip(b).zip(&self.0.planes) {
            let new = a & !b;
            if new != 0 {
                for (plane, bits) in planes.iter().enumerate() {
                    sum += (new & bits).count_ones() << plane;
                }
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sets_weight_is_the_sum_of_its_moves() {
        let mut weights = Weights::default();
        weights.reach(300);
        let a = [0x1234_5678_9ABC_DEF0, u64::MAX, 0, 0x8000_0000_0000_0001];
        let b = [0xFFFF, 0x5555_5555_5555_5555, 1, 1];
        for level in 0..=23 {
            let of = weights.of_level(level);
            let new = (0..256).filter(|d| (a[d / 64] & !b[d / 64]) >> (d % 64) & 1 == 1);
            let new: Vec<u32> = new.map(|d| d as u32).collect();
            assert_eq!(of.added(&a, &b), new.iter().map(|&d| of.one(d)).sum());
            assert!(new.iter().all(|&d| of.one(d) == u32::from(weight(threshold(d), level))));
        }
    }

    /// By the formula the weight is 1 + 150 (1/2)^4 = 10.375 at the threshold. It is 151 at 14
    /// levels below the threshold, and 1 at 14 levels above it.
    #[test]
    fn a_move_below_its_threshold_has_a_high_weight() {
        assert_eq!([6, 20, 34].map(|level| weight(20.0, level)), [151, 10, 1]);
    }

    #[test]
    fn weights_do_not_depend_on_the_steps_of_their_growth() {
        let (mut once, mut steps) = (Weights::default(), Weights::default());
        once.reach(200);
        for n in [3, 64, 130, 200] {
            steps.reach(n);
        }
        assert_eq!(once.of, steps.of);
    }
}
