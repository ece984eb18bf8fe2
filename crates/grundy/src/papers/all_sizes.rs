//! Proves claims about piles of all sizes. A range shows only that a claim may hold; a small box
//! proves it, or finds a counterexample.

use std::collections::BTreeSet;

use grundy_query::Database;
use grundy_sweep::Control;
use grundy_theory::{AllSizes, Conclusion, Counterexample, Extent, Means, Verdict};

use super::plan::Plan;
use crate::Number;
use crate::ask::{Ask, AskError};
use crate::sizes::usual_limit;

impl Plan<'_> {
    /// Tries to prove each claim about piles of all sizes that holds in its range.
    pub(super) fn prove(
        &self,
        verdicts: &mut [Verdict],
        means: &Means<'_>,
        control: &Control,
    ) -> Result<(), AskError> {
        let database = Database::empty();
        for ((claim, (games, extent)), verdict) in
            self.claims.iter().zip(&self.extents).zip(verdicts)
        {
            let Extent::Sizes(sizes) = extent else { continue };
            if !claim.all_sizes || verdict.verdict != Conclusion::Holds {
                continue;
            }
            let lengths: BTreeSet<usize> = sizes.iter().map(|size| size.length).collect();
            let (mut positions, mut most) = (0, 0);
            let mut reason = None;
            let questions = claim.checks.iter().flat_map(|check| &check.questions);
            let questions = questions.filter(|question| games.contains(&question.game()));
            for (question, &length) in
                questions.flat_map(|question| lengths.iter().map(move |length| (question, length)))
            {
                let ask =
                    Ask::new(question).database(&database).memory(means.memory).control(control);
                let found = ask.check_all_sizes(length, usual_limit(length))?;
                let report = found.report.as_ref();
                most = most.max(found.most);
                positions += report.map_or(0, |report| report.checked);
                match (found.verdict(), report.and_then(|report| report.least.first())) {
                    ("fails", Some((position, cell))) => {
                        let shown = ask.counterexample(position, *cell, found.most, true);
                        let value = shown.value.as_u64();
                        let first = Counterexample::at(
                            question.game(),
                            position,
                            value,
                            shown.explanation(),
                        );
                        // From here on the verdict is about the box, which is larger.
                        verdict.failures = report.map_or(1, |report| report.failures);
                        verdict.checked = report.map_or(1, |report| report.checked);
                        (verdict.verdict, verdict.first) = (Conclusion::Fails, Some(first));
                        // The corrected statement was not tried in the box.
                        verdict.corrected = None;
                        break;
                    }
                    ("holds", _) => {}
                    _ => reason = Some((length, found.reason.unwrap_or_default())),
                }
            }
            let fails = verdict.verdict == Conclusion::Fails;
            let proved = reason.is_none() && !fails && positions > 0;
            let words = match reason {
                _ if fails => format!("fails with piles up to {most}"),
                Some((length, why)) => {
                    format!("undecided for piles of all sizes, with length {length}: {why}")
                }
                None if proved => format!(
                    "proved for piles of all sizes by {} up to {most}",
                    Number(positions, "position")
                ),
                None => "undecided for piles of all sizes: no statement was checked".to_owned(),
            };
            verdict.all_sizes = Some(AllSizes { proved, words });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use grundy_kernels::Isa;
    use grundy_theory::{Claim, Range};

    use super::*;

    /// An interrupt during the proofs leaves the verdict about the range, which is complete.
    #[test]
    fn an_interrupted_proof_is_undecided() {
        let claims: Vec<_> = Claim::all().filter(|claim| claim.id == "ch.thm5.4").collect();
        let range = Range { max_pile: Some(8), ..Range::default() };
        let plan = Plan::new(&claims, &[], &range).unwrap();
        let memory = (1 << 30).into();
        let means = Means { isa: Isa::best(), memory, threads: 1, certificate: None, keeper: None };
        let mut verdicts = plan.run(&Database::empty(), &means, &Control::new()).unwrap();
        assert!(verdicts[0].all_sizes.as_ref().is_some_and(|all| all.proved));
        let control = Control::new();
        control.stop();
        plan.prove(&mut verdicts, &means, &control).unwrap();
        let all = verdicts[0].all_sizes.as_ref().unwrap();
        assert!(!all.proved && all.words.contains("stopped before a proof was found"), "{all:?}");
        assert_eq!((verdicts[0].verdict, verdicts[0].complete), (Conclusion::Holds, true));
    }
}
