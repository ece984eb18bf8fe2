//! Search for a family of n that avoids given moves.
//!
//! A search begins at a root, the family of some n, and goes down to families of smaller piles. The
//! *holes* are the moves that were played on the way and still fit into the pile. The search looks,
//! depth first, for a family of n that uses no hole. For each i from l-2 down to 0 it tries the
//! piles m of level i: q = n - m must not be a hole, and a family of m must avoid the holes and q.
//!
//! * The known families of all m of the level come first. The search takes the known family that
//!   adds the least weight to the moves used so far, because a family that uses fewer moves can be
//!   used again more often.
//! * If no known family is suitable, the search looks for a new one, and takes the first one found.
//! * Failed searches are remembered by a hash of (n, holes). If two hashes were equal, a family
//!   could be missed, but nothing false would be proved.
//!
//! **All families should use the same moves.** A hole excludes the families that use it. If all
//! families prefer the same moves, only the few holes among these moves exclude many families, and
//! each family can be used many times. If each family took the first possible moves, every hole
//! would exclude some families, and every case would need its own family. So the search tries moves
//! in a fixed order ([`rank`]), which is the same for every family; any shuffle works. And each
//! move has a weight, for the comparison of known families ([`crate::weights`]). docs/CONJECTURE.md
//! has the numbers of families found: to n = 1000 there are 649,298 if each family takes the first
//! possible moves, and 1,747 with this search.
//!
//! If there are thousands of families for each pile, all threads compare the known families of one
//! level. One thread compares a smaller level in a few microseconds, as long as threads take to
//! start. The choice does not depend on the threads: it is the lightest family, or the first of
//! several equally light families.
//!
//! If a search fails, every family of n uses a hole (unless two hashes were equal), because the
//! choices for different i are independent (the path game of docs/CONJECTURE.md). A failure does
//! not refute the conjecture, because a pile without a family may have the right value.

use std::collections::HashSet;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use rayon::prelude::*;

use crate::block::COMPARED;
use crate::landings::Landing;
use crate::moves::{contains, insert, words};
use crate::table::Table;
use crate::weights::{OfLevel, Weights};
use crate::{level, triangular};

/// If a level has at least this number of families, several threads compare them.
const WORTH_SHARING: u32 = 1 << 18;

/// Returns the place of a move in the search order, which is a fixed shuffle.
fn rank(q: u32) -> u32 {
    // Fibonacci hashing: multiples of the golden ratio spread evenly.
    q.wrapping_mul(0x9E37_79B9) >> 8
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every requested n has a verdict.
    Finished,
    Memory,
    /// The watch stopped the search.
    Stopped,
}

/// A function that is called at each search for a family. Its arguments are the number of families
/// found, the number of searches, and the bytes of memory. An error ends the search.
pub(crate) type Gauge<'a> = dyn FnMut(u64, u64, u64) -> Result<(), Ended> + 'a;

/// The families found, and the searches that failed.
#[derive(Debug)]
pub(crate) struct Search {
    pub(crate) table: Table,
    pub(crate) weights: Weights,
    /// The value of [`WORTH_SHARING`]; tests change it.
    pub(crate) shared_from: u32,
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

/// The conditions on one landing of a family of n.
#[derive(Debug)]
struct Question<'a> {
    n: u32,
    weights: OfLevel<'a>,
    /// The forbidden moves, and the moves used so far. Move x is bit x % 64 of word x / 64.
    holes: &'a [u64],
    used: &'a [u64],
}

impl Search {
    pub(crate) fn tried(&self) -> u64 {
        self.tried
    }

    pub(crate) fn bytes(&self) -> u64 {
        // A hash set fills 7/8 of its slots. A slot takes 16 bytes and a control byte.
        self.table.bytes() + self.weights.bytes() + self.vain.capacity() as u64 * 20
    }

    pub(crate) fn reach(&mut self, n: u32) {
        self.table.reach(n);
        self.weights.reach(n);
    }

    /// Returns a family of n that uses none of `holes`, or `None`. The holes are in ascending order
    /// and at most n. The caller must first call [`Search::reach`] with n or more.
    ///
    /// # Errors
    /// The error of `gauge`. The families found so far stay.
    pub(crate) fn family(
        &mut self,
        n: u32,
        holes: &[u32],
        gauge: &mut Gauge<'_>,
    ) -> Result<Option<u32>, Ended> {
        let mut known = None;
        self.table.of(n).without(&set(holes, n), u32::MAX, |family| {
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
        gauge(self.table.families(), self.tried, self.bytes())?;
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
        gauge: &mut Gauge<'_>,
    ) -> Result<Option<u32>, Ended> {
        let l = level(n);
        let mut used = vec![0_u64; words(n)];
        for x in 1..=l {
            insert(&mut used, x);
        }
        // A hole was played from a pile of a higher level, so it is larger than `l` (see the
        // theorem in the documentation of the crate). This check takes hardly any time.
        if holes.first().is_some_and(|&hole| hole <= l) {
            return Ok(None);
        }
        let mut landings = vec![Landing::default(); l.saturating_sub(1) as usize];
        let set = set(holes, n);
        for i in (0..landings.len() as u32).rev() {
            let landing = match self.known(n, i, &set, &used) {
                Some(landing) => landing,
                None => match self.unknown(n, i, holes, gauge)? {
                    Some(landing) => landing,
                    None => return Ok(None),
                },
            };
            let m = triangular(i) + u32::from(landing.slack);
            let q = n - m;
            insert(&mut used, q);
            self.table.of(m).unite(landing.family, &mut used);
            landings[i as usize] = landing;
        }
        Ok(Some(self.table.push(n, &used, &landings)))
    }

    /// Returns the landing on level i whose known family adds the least weight to `used`, or the
    /// first of several such landings. `holes` and `used` are bit sets.
    fn known(&self, n: u32, i: u32, holes: &[u64], used: &[u64]) -> Option<Landing> {
        let of_level = triangular(i)..triangular(i + 1);
        let families = of_level.map(|m| self.table.of(m).count()).sum::<u32>();
        let question = Question { n, weights: self.weights.of_level(level(n)), holes, used };
        let least = |slack, limit| self.least(&question, i, slack, limit);
        let best = if families < self.shared_from {
            let mut best = None;
            let mut limit = u32::MAX;
            for slack in 0..=i {
                // No landing adds less than 0.
                if limit == 0 {
                    break;
                }
                if let Some(found) = least(slack, limit) {
                    limit = found.0;
                    best = Some(found);
                }
            }
            best
        } else {
            // The least weight so far, on any thread. Heavier families are discarded early. An
            // equally heavy family stays, because it may be earlier in the order.
            let seen = AtomicU32::new(u32::MAX - 1);
            let each = (0..=i).into_par_iter().filter_map(|slack| {
                let found = least(slack, seen.load(Relaxed) + 1)?;
                seen.fetch_min(found.0, Relaxed);
                Some(found)
            });
            // The order is by weight and then by pile. So the number of threads has no effect.
            each.min_by_key(|&(weight, landing)| (weight, landing.slack))
        };
        best.map(|(_, landing)| landing)
    }

    /// Does the same as [`known`](Search::known) for one pile of the level. Also returns the added
    /// weight, or `None` if this weight is not less than `limit`.
    fn least(
        &self,
        question: &Question<'_>,
        i: u32,
        slack: u32,
        limit: u32,
    ) -> Option<(u32, Landing)> {
        let &Question { n, weights, holes, used } = question;
        let m = triangular(i) + slack;
        let q = n - m;
        if contains(holes, q) {
            return None;
        }
        // Check the bound that is cheap to compute first.
        let q_weight = if contains(used, q) { 0 } else { weights.one(q) };
        let limit = limit.checked_sub(q_weight).filter(|&limit| limit > 0)?;
        let of = self.table.of(m);
        let mut compared = [0; COMPARED];
        let mut count = 0;
        of.without(holes, q, |family| {
            compared[count] = family;
            count += 1;
            count < COMPARED
        });
        if count == 0 {
            return None;
        }
        let (least, family) = of.lightest(&compared[..count], weights, used, limit)?;
        Some((q_weight + least, Landing { slack: slack as u16, family }))
    }

    fn unknown(
        &mut self,
        n: u32,
        i: u32,
        holes: &[u32],
        gauge: &mut Gauge<'_>,
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

/// Returns moves as a bit set; they must be at most n.
fn set(moves: &[u32], n: u32) -> Vec<u64> {
    let mut set = vec![0; words(n)];
    for &x in moves {
        insert(&mut set, x);
    }
    set
}

fn key(n: u32, holes: &[u32]) -> u128 {
    const ODD: u128 = 0xDA94_2042_E4DD_58B5_9E37_79B9_7F4A_7C15;
    let mut key = u128::from(n) + 1;
    for &hole in holes {
        key = (key ^ u128::from(hole)).wrapping_mul(ODD);
        key ^= key >> 61;
    }
    key
}
