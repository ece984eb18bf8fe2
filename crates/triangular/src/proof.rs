//! A proof as far as it has got, and the verdict on each n.

use std::io::BufRead;
use std::ops::ControlFlow;

use crate::check::{CertificateError, ValidCertificate, check_certificate};
use crate::exact::exact_value;
use crate::landings::Landing;
use crate::level;
use crate::moves::{contains, words};
use crate::search::{Ended, Search};
use crate::weights::Weights;

/// The largest n that a proof or a certificate may reach.
pub const MAX_BOUND: u32 = 60_000;

/// Up to here an n without a family is evaluated exactly.
const EVALUATED: u32 = 60;

/// How often [`Watch`] is called within one n: after so many families looked for.
const WATCH_EVERY: u64 = 1024;

/// What is known of Conjecture 34 at one n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds: n has a family, and the certificate will say so.
    Proved,
    /// It holds by an exact evaluation of \[n, {1..n}\]; the certificate does not cover n.
    Evaluated,
    /// No family was found. That is no refutation.
    NotDecided,
    /// It fails: an exact evaluation gave another value.
    Refuted {
        /// The Grundy value of \[n, {1..n}\].
        value: u32,
    },
}

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of memory, approximately; the search stops when its tables exceed them.
    pub memory: u64,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The n at work; everything below it has its verdict.
    pub n: u32,
    /// The largest n asked for.
    pub to: u32,
    /// Families found so far.
    pub families: u64,
    /// Families looked for so far, found or not.
    pub tried: u64,
    /// Bytes of memory that the tables take.
    pub bytes: u64,
}

/// Called once for each n and now and then in between; [`ControlFlow::Break`] stops the search.
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Why a proof could not be started.
#[derive(Debug, thiserror::Error)]
pub enum ProveError {
    /// More than [`MAX_BOUND`] was asked for.
    #[error("n = {0} is more than {MAX_BOUND}, the largest that a proof can reach")]
    Bound(u32),
    /// The certificate to go on from was refused.
    #[error("the certificate to go on from: {0}")]
    Certificate(#[from] CertificateError),
}

/// The verdicts on n = 0, 1, 2, ... and the families behind them.
///
/// What it holds depends on what was asked for and in which order only, not on time or memory:
/// a proof that was stopped and then extended is the same as one made in one go, except that
/// one taken up from a certificate lacks the families that its own search had found in vain.
#[derive(Debug, Default)]
pub struct Proof {
    pub(crate) search: Search,
    /// Of n = 0, 1, ...: the verdict.
    verdicts: Vec<Verdict>,
    /// Of n = 0, 1, ...: which family proves it.
    pub(crate) roots: Vec<Option<u32>>,
}

impl Proof {
    /// A proof of nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A proof of nothing yet, by a search with other weights than the usual ones.
    pub fn with_weights(weights: Weights) -> Self {
        let mut proof = Self::default();
        proof.search.weights = weights;
        proof
    }

    /// Everything that a certificate holds.
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

    /// Gives every n up to `to` that has none its verdict, smallest first; before, those that a
    /// certificate left undecided are tried again.
    ///
    /// Returns why it ended; whatever was decided by then is kept, and another call goes on.
    ///
    /// # Errors
    /// [`ProveError::Bound`] if `to` is more than [`MAX_BOUND`].
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

    /// How many n have a verdict: they are 0, 1, ..., this - 1.
    pub fn decided(&self) -> u32 {
        self.verdicts.len() as u32
    }

    /// The verdict on n, if there is one.
    pub fn verdict(&self, n: u32) -> Option<Verdict> {
        self.verdicts.get(n as usize).copied()
    }

    /// Families found.
    pub fn families(&self) -> u64 {
        self.search.table.families()
    }

    /// Families looked for.
    pub fn tried(&self) -> u64 {
        self.search.tried()
    }

    /// Bytes of memory that the tables take.
    pub fn bytes(&self) -> u64 {
        self.search.bytes()
    }

    /// The families of n: for each, the moves that it uses, ascending.
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
            ControlFlow::Break(()) => Err(Ended::Asked),
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

/// A proof for all n up to `to`, from nothing. See [`Proof::extend`].
///
/// # Errors
/// [`ProveError::Bound`] if `to` is more than [`MAX_BOUND`].
pub fn prove(
    to: u32,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<(Proof, Ended), ProveError> {
    let mut proof = Proof::new();
    let ended = proof.extend(to, limits, watch)?;
    Ok((proof, ended))
}

/// A proof for all n up to `to` that starts with everything in a certificate.
///
/// # Errors
/// If the certificate is refused, or `to` is more than [`MAX_BOUND`].
pub fn prove_from(
    certificate: impl BufRead,
    to: u32,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<(Proof, Ended), ProveError> {
    let mut proof = Proof::of_certificate(&check_certificate(certificate)?);
    let ended = proof.extend(to, limits, watch)?;
    Ok((proof, ended))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which family is taken does not depend on threads, nor on whether a level was shared out.
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
    fn what_a_certificate_leaves_open_is_tried_again() {
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
