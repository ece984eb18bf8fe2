//! g-series of short global nim with one pile (Definition 12).
//!
//! s₁ + ... + sₚ = n is a g-series for (n, k) if s₁ != k and *(sᵢ₊₁ + ... + sₚ, sᵢ) = p - i for all
//! i < p. Taken literally, this allows equal neighbouring terms. But the paper's example lists only
//! series in which neighbouring terms differ.
//!
//! Let p > 1. A series of length p for (n, k) is a first term s != k with *(n - s, s) = p - 1,
//! followed by a series of length p - 1. If neighbouring terms must differ, the rest must be a
//! series for (n - s, s); otherwise it can be any series for the pile n - s. So it suffices to
//! store the number of possible first terms for each n and p, and the term if there is only one.

use grundy_rules::{Game, Pile, games};
use grundy_sweep::cost::price::MEMO;

use super::dense::{Dense, each_cell};
use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

const GAME: Game = games::SHORT_GLOBAL_NIM;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    ToTheLetter,
    NeighboursDiffer,
}

#[derive(Clone, Copy, Default)]
struct Firsts {
    count: u32,
    /// The first term of the last series found. It is the only first term if `count` is 1.
    term: u32,
}

impl Firsts {
    fn any_but(self, k: usize) -> bool {
        self.count > 1 || self.count == 1 && self.term as usize != k
    }
}

/// The possible first terms, indexed by n and then by p - 1.
struct Lengths(Vec<Vec<Firsts>>);

impl Lengths {
    fn new(dense: &Dense, reading: Reading) -> Lengths {
        let mut lengths = Lengths(vec![Vec::new()]);
        for n in 1..=dense.last() {
            let mut here = vec![Firsts { count: 1, term: n as u32 }];
            for s in 1..n {
                let value = dense.value(n - s, s) as usize;
                let rest = lengths.firsts(n - s, value);
                let goes_on = match reading {
                    Reading::ToTheLetter => rest.count > 0,
                    Reading::NeighboursDiffer => rest.any_but(s),
                };
                if value > 0 && goes_on {
                    if here.len() <= value {
                        here.resize(value + 1, Firsts::default());
                    }
                    here[value].count += 1;
                    here[value].term = s as u32;
                }
            }
            lengths.0.push(here);
        }
        lengths
    }

    fn firsts(&self, n: usize, p: usize) -> Firsts {
        const NONE: Firsts = Firsts { count: 0, term: 0 };
        // No series has length 0, and none is longer than the longest that was found.
        p.checked_sub(1).and_then(|at| self.0[n].get(at).copied()).unwrap_or(NONE)
    }

    /// Returns the largest m such that (n, k) has series of lengths 1, ..., m.
    fn reach(&self, n: usize, k: usize) -> usize {
        (1..).take_while(|&p| self.firsts(n, p).any_but(k)).count()
    }
}

/// Checks a rule at every (n, k) with k != n and k <= n + 1.
fn each_pair(
    job: &Job<'_>,
    reading: Reading,
    wrong: impl Fn(&mut Tally, &Dense, &Lengths, usize, usize) -> Option<String>,
) -> Examination {
    Examination::by(|tally| {
        let dense = Dense::of(job, job.bound())?;
        let lengths = Lengths::new(&dense, reading);
        let meant = |n, k| k != n && k <= n + 1;
        each_cell(job, &dense, tally, meant, |tally, n, k| wrong(tally, &dense, &lengths, n, k))
    })
}

pub(crate) fn theorem_14(job: &Job<'_>, reading: Reading) -> Examination {
    each_pair(job, reading, |_, dense, lengths, n, k| {
        let (value, reach) = (dense.value(n, k) as usize, lengths.reach(n, k));
        (value != reach).then(|| {
            format!("*({n},{k}) = {value}, but the largest m with g-series of all lengths 1 to m is {reach}")
        })
    })
}

pub(crate) fn corollary_15(job: &Job<'_>) -> Examination {
    each_pair(job, Reading::ToTheLetter, |tally, dense, lengths, n, k| {
        let value = dense.value(n, k);
        if !tally.given(value < dense.value(n, 0)) {
            return None;
        }
        lengths
            .firsts(n, value as usize + 1)
            .any_but(k)
            .then(|| format!("*({n},{k}) = {value}, and a longer series does not begin with {k}"))
    })
}

/// True if the terms are a g-series for (n, k). Follows the definition directly.
fn is_g_series(dense: &Dense, terms: &[usize], k: usize, reading: Reading) -> bool {
    let p = terms.len();
    let conditions = (1..p).all(|i| {
        let rest: usize = terms[i..].iter().sum();
        dense.value(rest, terms[i - 1]) as usize == p - i
    });
    let differ = reading == Reading::ToTheLetter || terms.windows(2).all(|two| two[0] != two[1]);
    terms[0] != k && conditions && differ
}

/// Returns all 2^(n-1) ordered sums of n, one at a time. For n > 64 the iterator ends after 2^64 -
/// 1 sums, but no program can get that far.
fn sums(n: usize) -> impl Iterator<Item = Vec<usize>> {
    let last = (n - 1).try_into().ok().and_then(|bits: u32| 1u64.checked_shl(bits));
    (0..last.unwrap_or(u64::MAX)).map(move |cuts| {
        let mut terms = vec![1];
        for at in 0..n - 1 {
            match terms.last_mut() {
                Some(last) if at > 63 || cuts >> at & 1 == 0 => *last += 1,
                _ => terms.push(1),
            }
        }
        terms
    })
}

/// The paper's list of the g-series for (6, 0).
const EXAMPLE: [&[usize]; 5] = [&[6], &[5, 1], &[4, 2], &[1, 2, 1, 2], &[2, 1, 2, 1]];

pub(crate) fn definition_12(job: &Job<'_>, reading: Reading) -> Examination {
    Examination::by(|tally| {
        let dense = Dense::of(job, 6)?;
        for terms in sums(6) {
            tally.checked += 1;
            let found = is_g_series(&dense, &terms, 0, reading);
            let listed = EXAMPLE.contains(&&terms[..]);
            if found != listed {
                let said = if found {
                    "is a g-series but is not listed"
                } else {
                    "is listed but is no g-series"
                };
                tally.fail(GAME, &[6], None, || format!("{} {said}", in_words(&terms)));
            }
        }
        Ok(())
    })
}

fn in_words(terms: &[usize]) -> String {
    terms.iter().map(usize::to_string).collect::<Vec<_>>().join(" + ")
}

pub(crate) fn proposition_13(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let dense = Dense::of(job, job.bound())?;
        (2..=dense.last()).try_for_each(|n| proposition_13_at(n, &dense, job, tally))
    })
}

fn proposition_13_at(
    n: usize,
    dense: &Dense,
    job: &Job<'_>,
    tally: &mut Tally,
) -> Result<(), Halt> {
    job.control.check()?;
    for j in 1..n {
        for terms in sums(n - j) {
            job.control.check()?;
            let is_series = is_g_series(dense, &terms, j, Reading::ToTheLetter);
            if !is_series || dense.value(n - j, j) as usize != terms.len() {
                continue;
            }
            let longer = [&[j], &terms[..]].concat();
            for k in (0..=n + 1).filter(|&k| k != j) {
                tally.checked += 1;
                if !is_g_series(dense, &longer, k, Reading::ToTheLetter) {
                    tally.fail(GAME, &[n as Pile], None, || {
                        format!("{} is no g-series for ({n},{k})", in_words(&longer))
                    });
                }
            }
        }
    }
    job.control.advance(1);
    Ok(())
}

pub(crate) fn sums_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let to = extent.bound();
    let sums = 2f64.powi(to.min(1000) as i32);
    Estimate { cells: to.into(), seconds: sums * MEMO, ..Estimate::NOTHING }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_all_series() {
        let dense = Dense::by_definition(13);
        for reading in [Reading::ToTheLetter, Reading::NeighboursDiffer] {
            let lengths = Lengths::new(&dense, reading);
            for n in 1..=13 {
                for k in 0..=n + 1 {
                    for p in 1..=n {
                        let some =
                            sums(n).any(|s| s.len() == p && is_g_series(&dense, &s, k, reading));
                        assert_eq!(lengths.firsts(n, p).any_but(k), some, "({n},{k}), length {p}");
                    }
                }
            }
        }
    }

    #[test]
    fn sums_are_written_in_order() {
        let first = |n, count| sums(n).take(count).collect::<Vec<_>>();
        assert_eq!(first(1, 9), [[1]]);
        assert_eq!(first(3, 9), [vec![3], vec![1, 2], vec![2, 1], vec![1, 1, 1]]);
        assert_eq!(first(70, 4), [vec![70], vec![1, 69], vec![2, 68], vec![1, 1, 68]]);
        assert_eq!(sums(10).count(), 512);
        assert_eq!(in_words(&[5, 1]), "5 + 1");
    }
}
