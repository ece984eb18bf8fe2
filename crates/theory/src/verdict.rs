//! What is reported of a claim.

use serde::Serialize;

use crate::claim::Claim;
use crate::tally::{Counterexample, Tally};
use crate::words::{Conclusion, Flaw, Origin, Status, Truth, Unit};

/// The outcome of checking one claim. Serialises to the line that
/// `grundy diff --json` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// The claim's id.
    pub claim: &'static str,
    /// What was found.
    pub verdict: Conclusion,
    /// What was expected.
    pub expected: Truth,
    /// The flaw of the claim, if it is known to fail.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
    /// The statement that a misprint should be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<&'static str>,
    /// Who says so: of [`Status::OurReading`] nobody, so that the verdict is none on a paper.
    pub status: Status,
    /// What is counted here, in each of the next three numbers.
    pub unit: Unit,
    /// How many were checked.
    pub checked: u64,
    /// In how many of them the premise was true; `None` if the claim has none.
    pub premise: Option<u64>,
    /// How many of those checked are counterexamples.
    pub failures: u64,
    /// Cases in the range that were left open, and are not among those checked: rows whose
    /// period is not found, n that a proof does not reach.
    pub undecided: u64,
    /// The least counterexample, by coins, then lexicographically.
    pub first: Option<Counterexample>,
    /// What was covered, in words.
    pub range: String,
    /// Wall time of the sweeps that it took part in; they serve other claims too.
    pub seconds: f64,
    /// Whether all of the range was covered, or a part only.
    pub complete: bool,
    /// Where the values came from.
    #[serde(rename = "source")]
    pub origin: Origin,
    /// The proof, if there is one to be checked again: of `lgn.conj34`, the bytes of a
    /// certificate (see [`crate::conjecture`]).
    #[serde(skip)]
    pub certificate: Option<Vec<u8>>,
}

impl Verdict {
    pub(crate) fn new(claim: &Claim, tally: Tally, complete: bool, range: String) -> Verdict {
        let Tally { checked, premise, failures, first } = tally;
        Verdict {
            claim: claim.id,
            verdict: match (failures, complete) {
                (0, true) => Conclusion::Holds,
                (0, false) => Conclusion::Stopped,
                _ => Conclusion::Fails,
            },
            expected: claim.expected(),
            flaw: claim.flaw,
            corrected: claim.flaw.and_then(Flaw::corrected),
            status: claim.status,
            unit: claim.unit(),
            checked,
            premise: claim.premise.map(|_| premise),
            failures,
            undecided: 0,
            first,
            range,
            seconds: 0.0,
            complete,
            origin: Origin::Computed,
            certificate: None,
        }
    }

    /// Whether the verdict is another than expected. A part of a range without a
    /// counterexample does not contradict that there is one.
    pub fn is_surprise(&self) -> bool {
        match self.verdict {
            Conclusion::Holds => self.expected == Truth::Fails,
            Conclusion::Fails => self.expected == Truth::Holds,
            Conclusion::Stopped => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What holds or fails against what was expected; a part without a counterexample says nothing.
    #[test]
    fn surprises() {
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
