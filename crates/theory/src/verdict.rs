//! What is reported of a claim.

use serde::Serialize;

use crate::claim::{Claim, Truth};
use crate::tally::{Counterexample, Tally};

/// The outcome of checking one claim. Serialises to the line that
/// `grundy diff --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The claim's id.
    pub claim: &'static str,
    /// What was found: it fails iff there is a counterexample.
    pub verdict: Truth,
    /// What was expected.
    pub expected: Truth,
    /// Positions (rows, counts) checked; both readings of a position count.
    pub checked: u64,
    /// How many of them are counterexamples.
    pub failures: u64,
    /// Cases that were left open: rows whose period is not found, n that a proof does not reach.
    pub undecided: u64,
    /// The least counterexample, by coins, then lexicographically.
    pub first: Option<Counterexample>,
    /// What was covered, in words.
    pub range: String,
    /// Wall time of the sweeps that it took part in; they serve other claims too.
    pub seconds: f64,
    /// Whether all of the range was covered, or a part only.
    pub complete: bool,
    /// The proof, if there is one to be checked again: of `lgn.conj34`, the bytes of a
    /// certificate (see [`crate::conjecture`]).
    #[serde(skip)]
    pub certificate: Option<Vec<u8>>,
}

impl Verdict {
    /// From what was gathered.
    pub(crate) fn new(claim: &Claim, tally: Tally, range: String) -> Verdict {
        Verdict {
            claim: claim.id,
            verdict: if tally.failures > 0 { Truth::Fails } else { Truth::Holds },
            expected: claim.expected,
            checked: tally.checked,
            failures: tally.failures,
            undecided: 0,
            first: tally.first,
            range,
            seconds: 0.0,
            complete: true,
            certificate: None,
        }
    }

    /// Whether the verdict is another than expected. A part of a range without a
    /// counterexample does not contradict that there is one.
    pub fn is_surprise(&self) -> bool {
        match (self.verdict, self.expected) {
            (Truth::Fails, Truth::Holds) => true,
            (Truth::Holds, Truth::Fails) => self.complete,
            _ => false,
        }
    }
}
