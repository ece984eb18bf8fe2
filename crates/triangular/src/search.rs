//! Looking for a family of n that avoids given moves.
//!
//! The moves already played on the way from a root, as far as they still fit, are the *holes*:
//! a family of m is wanted that uses none of them. Depth first: for i = l-2 down to 0 and each
//! m of level i, q = n - m must not be a hole, and a family of m must avoid the holes and q.
//!
//! * Known families come first, of all m of the level, and among them the one that adds the
//!   least to the moves used so far: the fewer moves a family uses, the more often it will
//!   do later.
//! * If there is none, one is looked for, and the first found is taken.
//! * What was looked for in vain is remembered by a hash of (n, holes). If two hashes ever
//!   met, a family would be missed; nothing false would be proved.
//!
//! **All families should use the same moves.** A hole is in the way of the families that use
//! it. If they all prefer the same moves, few holes are in the way of most, and a family found
//! once does again and again; if each takes what comes first, every hole is in the way of some
//! and every question needs a family of its own. So moves have a fixed [`rank`], the same in
//! every family, by which new ones are looked for; it does not matter which, a shuffle does.
//! And moves have a [`weight`], less for multiples of 2 and of 3, by which known ones are
//! compared: they are differences of piles, and so are sums of them, so multiples of a number
//! keep among themselves. Families that a proof of every n up to a bound finds, and seconds:
//!
//! | bound | smallest pile first | by rank | by rank and weight |
//! |---|---|---|---|
//! | 1000 | 649,298, 34 s | 69,609, 1.2 s | 18,282, 0.2 s |
//! | 1500 | | | 128,076, 4 s |
//!
//! A failure is final for (n, holes): every m, each with every family that the same rules can
//! find. It is no refutation, as the choices for different i are not tried in combination.

use std::collections::HashSet;

use crate::level;
use crate::proof::Ended;
use crate::table::{Landing, Table, words};
use crate::triangular;

/// Known families of one m that are compared before one is taken. The first ones serve
/// most often, so to compare more of them makes more families and not fewer.
const COMPARED: u32 = 8;

/// The order in which moves are tried: a shuffle, the same everywhere.
fn rank(q: u32) -> u32 {
    // Fibonacci hashing: multiples of the golden ratio are spread evenly.
    q.wrapping_mul(0x9E37_79B9) >> 8
}

/// What a family pays for using a move: 1, and 1 more unless it is a multiple of 2, and of 3.
fn weight(q: u32) -> u32 {
    1 + u32::from(!q.is_multiple_of(2)) + u32::from(!q.is_multiple_of(3))
}

/// The weight of the moves of a word of 64, by the word's number.
fn weights(word: usize, moves: u64) -> u32 {
    let (odd, not_thirds) = (moves & ODD, moves & NOT_THIRDS[word % 3]);
    moves.count_ones() + odd.count_ones() + not_thirds.count_ones()
}

/// The odd numbers in a word of 64.
const ODD: u64 = 0xAAAA_AAAA_AAAA_AAAA;
/// The numbers in word 0, 1 and 2 that are no multiples of 3.
const NOT_THIRDS: [u64; 3] = {
    let mut words = [0; 3];
    let mut x = 0;
    while x < 192 {
        if x % 3 != 0 {
            words[x / 64] |= 1 << (x % 64);
        }
        x += 1;
    }
    words
};

/// What a search may be interrupted by.
pub(crate) trait Gauge {
    /// Called for each family looked for; an error ends the search.
    fn check(&mut self, families: u64, tried: u64, bytes: u64) -> Result<(), Ended>;
}

/// The families found, and what was looked for in vain.
#[derive(Debug, Default)]
pub(crate) struct Search {
    pub(crate) table: Table,
    vain: HashSet<u128>,
    tried: u64,
}

impl Search {
    /// How many families were looked for.
    pub(crate) fn tried(&self) -> u64 {
        self.tried
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> u64 {
        // A hash table is between half and seven eighths full, with one more byte a place.
        self.table.bytes() + self.vain.capacity() as u64 * 20
    }

    /// A family of n that uses none of `holes` (ascending, all at most n), or `None`.
    /// [`Table::reach`] must have been called with n or more.
    ///
    /// # Errors
    /// Whatever `gauge` ends the search with; families found so far are kept.
    pub(crate) fn family(
        &mut self,
        n: u32,
        holes: &[u32],
        gauge: &mut dyn Gauge,
    ) -> Result<Option<u32>, Ended> {
        let mut known = None;
        self.table.of(n).without(holes, u32::MAX, |family| {
            known = Some(family);
            false
        });
        if known.is_some() {
            return Ok(known);
        }
        let key = key(n, holes);
        if self.vain.contains(&key) {
            return Ok(None);
        }
        gauge.check(self.table.families(), self.tried, self.bytes())?;
        self.tried += 1;
        let found = self.search(n, holes, gauge)?;
        if found.is_none() {
            self.vain.insert(key);
        }
        Ok(found)
    }

    fn search(
        &mut self,
        n: u32,
        holes: &[u32],
        gauge: &mut dyn Gauge,
    ) -> Result<Option<u32>, Ended> {
        let l = level(n);
        let mut used = vec![0_u64; words(n)];
        for x in 1..=l {
            used[x as usize / 64] |= 1 << (x % 64);
        }
        // A hole came from a higher level and is more than that; see the proof in the crate's
        // essay. Holding it here costs nothing.
        if holes.first().is_some_and(|&hole| hole <= l) {
            return Ok(None);
        }
        let mut landings = vec![Landing { slack: 0, family: 0 }; l.saturating_sub(1) as usize];
        for i in (0..landings.len() as u32).rev() {
            let landing = match self.known(n, i, holes, &used) {
                Some(landing) => landing,
                None => match self.unknown(n, i, holes, gauge)? {
                    Some(landing) => landing,
                    None => return Ok(None),
                },
            };
            let m = triangular(i) + u32::from(landing.slack);
            let q = n - m;
            used[q as usize / 64] |= 1 << (q % 64);
            for (word, more) in used.iter_mut().zip(self.table.of(m).used(landing.family)) {
                *word |= more;
            }
            landings[i as usize] = landing;
        }
        Ok(Some(self.table.push(n, &used, &landings)))
    }

    /// The landing on level i by a family already known that adds the least weight to `used`.
    fn known(&self, n: u32, i: u32, holes: &[u32], used: &[u64]) -> Option<Landing> {
        let mut best: Option<(u32, Landing)> = None;
        for slack in 0..=i {
            let m = triangular(i) + slack;
            let q = n - m;
            if holes.binary_search(&q).is_ok() {
                continue;
            }
            let fit = &holes[..holes.partition_point(|&x| x <= m)];
            let of = self.table.of(m);
            let q_is_new = used[q as usize / 64] >> (q % 64) & 1 == 0;
            let q_weight = if q_is_new { weight(q) } else { 0 };
            let mut compared = 0;
            of.without(fit, q, |family| {
                let words = of.used(family).iter().zip(used).enumerate();
                let more: u32 = words.map(|(at, (a, b))| weights(at, a & !b)).sum();
                if best.is_none_or(|(least, _)| q_weight + more < least) {
                    best = Some((q_weight + more, Landing { slack: slack as u16, family }));
                }
                compared += 1;
                compared < COMPARED
            });
            if best.is_some_and(|(more, _)| more == 0) {
                break;
            }
        }
        best.map(|(_, landing)| landing)
    }

    /// A landing on level i by a family that is not known yet.
    fn unknown(
        &mut self,
        n: u32,
        i: u32,
        holes: &[u32],
        gauge: &mut dyn Gauge,
    ) -> Result<Option<Landing>, Ended> {
        let mut below = Vec::with_capacity(holes.len() + 1);
        let mut slacks: Vec<u32> = (0..=i).collect();
        slacks.sort_by_key(|slack| rank(n - triangular(i) - slack));
        for slack in slacks {
            let m = triangular(i) + slack;
            let q = n - m;
            let Err(place) = holes.binary_search(&q) else { continue };
            below.clear();
            below.extend_from_slice(holes);
            below.insert(place, q);
            below.truncate(below.partition_point(|&x| x <= m));
            if let Some(family) = self.family(m, &below, gauge)? {
                return Ok(Some(Landing { slack: slack as u16, family }));
            }
        }
        Ok(None)
    }
}

/// A hash of (n, holes).
fn key(n: u32, holes: &[u32]) -> u128 {
    const ODD: u128 = 0xDA94_2042_E4DD_58B5_9E37_79B9_7F4A_7C15;
    let mut key = u128::from(n) + 1;
    for &hole in holes {
        key = (key ^ u128::from(hole)).wrapping_mul(ODD);
        key ^= key >> 61;
    }
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_words_weight_is_that_of_its_moves() {
        for word in 0..7 {
            for pattern in [u64::MAX, 0, 1, 0x8000_0000_0000_0001, 0x1234_5678_9ABC_DEF0] {
                let moves = (0..64).filter(|bit| pattern >> bit & 1 == 1);
                let sum: u32 = moves.map(|bit| weight(64 * word as u32 + bit)).sum();
                assert_eq!(weights(word, pattern), sum, "{word}, {pattern:x}");
            }
        }
    }
}
