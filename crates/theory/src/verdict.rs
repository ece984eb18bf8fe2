//! The verdict on a claim.

use serde::Serialize;

use crate::claim::Claim;
use crate::tally::{Counterexample, Tally};
use crate::words::{Conclusion, Flaw, Origin, Status, Truth, Unit};

/// The outcome of checking one claim. Serializes as a line of `grundy diff --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    pub claim: String,
    pub verdict: Conclusion,
    pub expected: Truth,
    /// The flaw of the claim, if the claim is known to fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<String>,
    /// The conclusion on the corrected statement, if it was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correction: Option<Conclusion>,
    /// The least counterexample to the corrected statement.
    #[serde(skip)]
    pub against_correction: Option<Counterexample>,
    /// The certainty of the claim. A verdict on [`Status::OurReading`] does not concern the paper.
    pub status: Status,
    /// The unit of `checked`, `premise` and `failures`.
    pub unit: Unit,
    pub checked: u64,
    /// Number of cases with a true premise; `None` if the claim has no premise.
    pub premise: Option<u64>,
    /// Number of checked cases that are counterexamples.
    pub failures: u64,
    /// Number of undecided cases in the range: rows without a known period, or n without a proof.
    /// They do not count as checked.
    pub undecided: u64,
    /// The least counterexample: the fewest coins, then the lexicographically first.
    pub first: Option<Counterexample>,
    /// The covered range in words.
    pub range: String,
    /// Wall time in seconds of the sweeps for this claim, which other claims may share.
    pub seconds: f64,
    pub complete: bool,
    /// The result for piles of all sizes, if the claim is about them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_sizes: Option<AllSizes>,
    #[serde(rename = "source")]
    pub origin: Origin,
    /// The proof, if it can be checked again. For `lgn.conj34` it is the bytes of a certificate
    /// (see [`crate::conjecture`]).
    #[serde(skip)]
    pub certificate: Option<Vec<u8>>,
}

/// The result for a claim about piles of all sizes that holds in its range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AllSizes {
    /// True if a small box proves the claim.
    pub proved: bool,
    /// The proof, or the reason why there is none.
    pub words: String,
}

impl Verdict {
    pub fn new(claim: &Claim, tally: Tally, complete: bool, range: String) -> Verdict {
        let Tally { checked, premise, failures, first } = tally;
        Verdict {
            claim: claim.id.clone(),
            verdict: Conclusion::of(failures, complete),
            expected: claim.expected(),
            flaw: claim.flaw,
            corrected: claim.corrected.clone(),
            correction: None,
            against_correction: None,
            status: claim.status.clone(),
            unit: claim.unit,
            checked,
            premise: claim.has_premise().then_some(premise),
            failures,
            undecided: 0,
            first,
            range,
            seconds: 0.0,
            complete,
            all_sizes: None,
            origin: Origin::Computed,
            certificate: None,
        }
    }

    /// True if the verdict is not the expected one, or the corrected statement fails. If a failure
    /// was expected, a part of the range without a counterexample is not a surprise.
    pub fn is_surprise(&self) -> bool {
        match self.verdict {
            _ if self.correction == Some(Conclusion::Fails) => true,
            Conclusion::Holds => self.expected == Truth::Fails,
            Conclusion::Fails => self.expected == Truth::Holds,
            Conclusion::Stopped => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares verdicts with expectations. A part of a range without a counterexample decides
    /// nothing.
    #[test]
    fn a_surprise_is_an_unexpected_verdict() {
        use Conclusion::{Fails, Holds, Stopped};
        for (id, failures, complete, verdict, is_surprise) in [
            ("an.thm2", 0, true, Holds, false),
            ("an.thm2", 1, true, Fails, true),
            ("an.thm2", 1, false, Fails, true),
            ("an.thm2", 0, false, Stopped, false),
            ("an.period-pow2", 0, true, Holds, true),
            ("an.period-pow2", 1, true, Fails, false),
            ("an.period-pow2", 1, false, Fails, false),
            ("an.period-pow2", 0, false, Stopped, false),
        ] {
            let tally = Tally { failures, premise: 3, ..Tally::default() };
            let found = Verdict::new(Claim::find(id).unwrap()[0], tally, complete, String::new());
            assert_eq!((found.verdict, found.is_surprise()), (verdict, is_surprise), "{id}");
            assert_eq!((found.complete, found.premise), (complete, None));
        }
        let tally = Tally { premise: 3, ..Tally::default() };
        let claim = Claim::find("gn.thm17").unwrap()[0];
        assert_eq!(Verdict::new(claim, tally, true, String::new()).premise, Some(3));
    }
}
