//! Proofs, complete or unfinished, with a verdict on each n.

use std::ops::ControlFlow;

use crate::check::ValidCertificate;
use crate::exact::exact_value;
use crate::landings::Landing;
use crate::level;
use crate::moves::{contains, words};
use crate::search::{Ended, Search};

/// The largest n that a proof or a certificate may reach.
pub const MAX_BOUND: u32 = 60_000;

/// The largest n that is evaluated exactly if no family is found for it.
const EVALUATED: u32 = 60;

/// The number of families to search for between two calls of [`Watch`] at the same n.
const WATCH_EVERY: u64 = 1024;

/// The status of Conjecture 34 at one n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The conjecture holds, because n has a family. The certificate will contain the family.
    Proved,
    /// The conjecture holds by an exact evaluation; the certificate does not cover n.
    Evaluated,
    /// No family was found. This does not refute the conjecture.
    NotDecided,
    /// The conjecture fails: an exact evaluation gave a different value.
    Refuted {
        /// The Grundy value of \[n, {1..n}\].
        value: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// An approximate limit on memory, in bytes. The search stops if its tables exceed it.
    pub memory: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The current n. Every smaller n has its verdict.
    pub n: u32,
    /// The largest n requested.
    pub to: u32,
    pub families: u64,
    /// The number of searches for a family so far, with or without success.
    pub tried: u64,
    pub bytes: u64,
}

/// A function that is called once for each n, and sometimes during a long search for one n.
/// [`ControlFlow::Break`] stops the search.
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// The bound exceeds [`MAX_BOUND`].
    #[error("n = {0} is more than {MAX_BOUND}, the largest that a proof can reach")]
    Bound(u32),
}

/// The verdicts on n = 0, 1, 2, ... and the families that prove them.
///
/// The contents depend only on the requests and their order, not on time or memory. A proof that
/// was stopped and then extended equals a proof without a stop. There is one exception. A proof
/// that continues from a certificate lacks the families that its search found but did not need.
#[derive(Debug, Default)]
pub struct Proof {
    pub(crate) search: Search,
    verdicts: Vec<Verdict>,
    /// The index of the family that proves n, for n = 0, 1, ...
    pub(crate) roots: Vec<Option<u32>>,
}

impl Proof {
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a proof that contains everything from a certificate.
    pub fn of_certificate(checked: &ValidCertificate) -> Self {
        let mut proof = Self::new();
        proof.search.reach(checked.bound());
        let table = &mut proof.search.table;
        let mut landings = Vec::new();
        for n in 0..=checked.bound() {
            for (used, moves) in checked.each_of(n) {
                landings.clear();
                landings.extend(moves.into_iter().map(|(slack, family)| Landing { slack, family }));
                table.push(n, used, &landings);
            }
            let root = (checked.families_of(n) > 0).then_some(0);
            proof.verdicts.push(verdict(n, root));
            proof.roots.push(root);
        }
        proof
    }

    /// Gives each n up to `to` a verdict, in ascending order. Tries undecided n again.
    ///
    /// Returns the reason why it ended. Verdicts are kept, so a later call continues after them.
    pub fn extend(
        &mut self,
        to: u32,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Ended, ProveError> {
        if to > MAX_BOUND {
            return Err(ProveError::Bound(to));
        }
        let mut meter = Meter { n: 0, to, limits: *limits, last: 0, watch };
        for n in 0..=to {
            let is_new = n == self.decided();
            if !is_new && self.verdict(n) != Some(Verdict::NotDecided) {
                continue;
            }
            meter.n = n;
            if is_new {
                self.search.reach(n);
                if let Err(ended) = meter.call(self.families(), self.tried(), self.bytes()) {
                    return Ok(ended);
                }
            }
            let mut gauge = |families, tried, bytes| meter.check(families, tried, bytes);
            let root = match self.search.family(n, &[], &mut gauge) {
                Ok(root) => root,
                Err(ended) => return Ok(ended),
            };
            if is_new {
                self.verdicts.push(verdict(n, root));
                self.roots.push(root);
            } else {
                self.verdicts[n as usize] = verdict(n, root);
                self.roots[n as usize] = root;
            }
        }
        Ok(Ended::Finished)
    }

    /// Returns the smallest n without a verdict. All smaller n have verdicts.
    pub fn decided(&self) -> u32 {
        self.verdicts.len() as u32
    }

    pub fn verdict(&self, n: u32) -> Option<Verdict> {
        self.verdicts.get(n as usize).copied()
    }

    pub fn families(&self) -> u64 {
        self.search.table.families()
    }

    /// Returns the number of searches for a family so far.
    pub fn tried(&self) -> u64 {
        self.search.tried()
    }

    pub fn bytes(&self) -> u64 {
        self.search.bytes()
    }

    /// Returns the families of n, each as the moves that it uses, in ascending order.
    pub fn families_of(&self, n: u32) -> impl Iterator<Item = Vec<u32>> + '_ {
        let of = (n < self.decided()).then(|| self.search.table.of(n));
        of.into_iter().flat_map(move |of| {
            (0..of.count()).map(move |family| {
                let mut used = vec![0; words(n)];
                of.unite(family, &mut used);
                (0..=n).filter(|&x| contains(&used, x)).collect()
            })
        })
    }
}

fn verdict(n: u32, root: Option<u32>) -> Verdict {
    if root.is_some() {
        return Verdict::Proved;
    }
    if n > EVALUATED {
        return Verdict::NotDecided;
    }
    match exact_value(n, u64::MAX) {
        Some(value) if value == level(n) => Verdict::Evaluated,
        Some(value) => Verdict::Refuted { value },
        None => Verdict::NotDecided,
    }
}

struct Meter<'a, 'b> {
    n: u32,
    to: u32,
    limits: Limits,
    last: u64,
    watch: &'a mut Watch<'b>,
}

impl Meter<'_, '_> {
    fn call(&mut self, families: u64, tried: u64, bytes: u64) -> Result<(), Ended> {
        self.last = tried;
        let progress = Progress { n: self.n, to: self.to, families, tried, bytes };
        match (self.watch)(progress) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Ended::Stopped),
        }
    }

    fn check(&mut self, families: u64, tried: u64, bytes: u64) -> Result<(), Ended> {
        if bytes > self.limits.memory {
            return Err(Ended::Memory);
        }
        if tried - self.last >= WATCH_EVERY {
            self.call(families, tried, bytes)?;
        }
        Ok(())
    }
}

/// Searches for proofs for all n up to `to`, without an earlier proof. See [`Proof::extend`].
pub fn prove(
    to: u32,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<(Proof, Ended), ProveError> {
    let mut proof = Proof::new();
    let ended = proof.extend(to, limits, watch)?;
    Ok((proof, ended))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The found families do not depend on the number of threads that search a level.
    #[test]
    fn the_same_families_on_any_number_of_threads() {
        let certificate = |shared_from: u32, threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut proof = Proof::new();
                proof.search.shared_from = shared_from;
                let limits = Limits { memory: 1 << 30 };
                proof.extend(900, &limits, &mut |_| ControlFlow::Continue(())).unwrap();
                let mut bytes = Vec::new();
                proof.write_to(&mut bytes).unwrap();
                bytes
            })
        };
        let alone = certificate(u32::MAX, 1);
        assert!([1, 2, 5].into_iter().all(|threads| certificate(0, threads) == alone));
    }

    #[test]
    fn open_cases_of_a_certificate_are_tried_again() {
        let limits = Limits { memory: 1 << 30 };
        let go_on = &mut |_: Progress| ControlFlow::Continue(());
        let (mut proof, _) = prove(120, &limits, go_on).unwrap();
        for n in [90_usize, 100] {
            proof.verdicts[n] = Verdict::NotDecided;
            proof.roots[n] = None;
        }
        assert_eq!(proof.extend(80, &limits, go_on).unwrap(), Ended::Finished);
        assert_eq!(proof.verdict(90), Some(Verdict::NotDecided));
        assert_eq!(proof.extend(130, &limits, go_on).unwrap(), Ended::Finished);
        assert!((3..=130).all(|n| proof.verdict(n) == Some(Verdict::Proved)));
    }
}
