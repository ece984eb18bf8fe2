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
//! And moves have a weight, by which known ones are compared ([`crate::weights`]). Families that
//! a proof of every n up to a bound finds:
//!
//! | bound | smallest pile first | by rank | and weighed by divisibility | and by thresholds |
//! |---|---|---|---|---|
//! | 1000 | 649,298 | 69,609 | 18,282 | 2,268 |
//! | 1500 | | | 128,076 | 9,182 |
//! | 2000 | | | 834,228 | 71,200 |
//!
//! The known families of one level are compared on all threads, when there are many. Which one is
//! taken does not depend on how they were shared out: it is the lightest, and of those the first.
//!
//! A failure is final for (n, holes): every m, each with every family that the same rules can
//! find. It is no refutation, as the choices for different i are not tried in combination.

use std::collections::HashSet;

use rayon::prelude::*;

use crate::level;
use crate::proof::Ended;
use crate::table::{Landing, Table, words};
use crate::triangular;
use crate::weights::Weights;

/// Known families of one m that are compared before one is taken. The first ones serve
/// most often, so to compare more of them makes more families and not fewer.
const COMPARED: u32 = 8;

/// So many words of the table to look at, for one level of a pile, are worth more than one thread.
const WORTH_SHARING: usize = 4096;

/// The order in which moves are tried: a shuffle, the same everywhere.
fn rank(q: u32) -> u32 {
    // Fibonacci hashing: multiples of the golden ratio are spread evenly.
    q.wrapping_mul(0x9E37_79B9) >> 8
}

/// What a search may be interrupted by.
pub(crate) trait Gauge {
    /// Called for each family looked for; an error ends the search.
    fn check(&mut self, families: u64, tried: u64, bytes: u64) -> Result<(), Ended>;
}

/// The families found, and what was looked for in vain.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) table: Table,
    pub(crate) weights: Weights,
    /// Words of the table from which a level is shared out.
    pub(crate) shared_from: usize,
    vain: HashSet<u128>,
    tried: u64,
}

impl Default for Search {
    fn default() -> Search {
        Search {
            table: Table::default(),
            weights: Weights::default(),
            shared_from: WORTH_SHARING,
            vain: HashSet::new(),
            tried: 0,
        }
    }
}

impl Search {
    /// How many families were looked for.
    pub(crate) fn tried(&self) -> u64 {
        self.tried
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> u64 {
        // A hash table is between half and seven eighths full, with one more byte a place.
        self.table.bytes() + self.weights.bytes() + self.vain.capacity() as u64 * 20
    }

    /// Makes room for piles up to n.
    pub(crate) fn reach(&mut self, n: u32) {
        self.table.reach(n);
        self.weights.reach(n);
    }

    /// A family of n that uses none of `holes` (ascending, all at most n), or `None`.
    /// [`Search::reach`] must have been called with n or more.
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

    /// The landing on level i by a family already known that adds the least weight to `used`; of
    /// several such the first.
    fn known(&self, n: u32, i: u32, holes: &[u32], used: &[u64]) -> Option<Landing> {
        let of_level = triangular(i)..triangular(i + 1);
        let asked = of_level.map(|m| self.table.of(m).count() as usize / 64 + 1).sum::<usize>();
        let least = |slack| self.least(n, i, slack, holes, used);
        let best = if asked * (holes.len() + 1) < self.shared_from {
            // What adds nothing cannot be bettered.
            let mut best = None;
            for found in (0..=i).filter_map(least) {
                if best.is_none_or(|(weight, _)| found.0 < weight) {
                    best = Some(found);
                }
                if found.0 == 0 {
                    break;
                }
            }
            best
        } else {
            let each = (0..=i).into_par_iter().filter_map(least);
            // By weight and pile: the same on any number of threads.
            each.min_by_key(|&(weight, landing)| (weight, landing.slack))
        };
        best.map(|(_, landing)| landing)
    }

    /// The same for one pile of the level, with the weight that it adds.
    fn least(
        &self,
        n: u32,
        i: u32,
        slack: u32,
        holes: &[u32],
        used: &[u64],
    ) -> Option<(u32, Landing)> {
        let m = triangular(i) + slack;
        let q = n - m;
        if holes.binary_search(&q).is_ok() {
            return None;
        }
        let weights = self.weights.of_level(level(n));
        let fit = &holes[..holes.partition_point(|&x| x <= m)];
        let of = self.table.of(m);
        let q_is_new = used[q as usize / 64] >> (q % 64) & 1 == 0;
        let q_weight = if q_is_new { weights.one(q) } else { 0 };
        let mut best: Option<(u32, Landing)> = None;
        let mut compared = 0;
        of.without(fit, q, |family| {
            let weight = q_weight + weights.added(of.used(family), used);
            if best.is_none_or(|(least, _)| weight < least) {
                best = Some((weight, Landing { slack: slack as u16, family }));
            }
            compared += 1;
            compared < COMPARED
        });
        best
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
