//! Turns the results of a plan into verdicts. A run collects all results in one process; a merge
//! collects them from shares. Both use this module, so equal results give equal verdicts.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::{Game, Pile};
use grundy_theory::{
    CheckResult, Claim, Conclusion, Counterexample, Counts, Examination, Extent, Origin, Tally,
    Verdict, compare_counts, named,
};

use super::plan::{Plan, Planned, Role};
use crate::ask::{Ask, Levels, QuestionTally, Walked};

#[derive(Default)]
struct Progress {
    examined: Examination,
    correction: Option<Tally>,
    counts: Counts,
    seconds: f64,
    covered: Vec<(Game, Pile, usize)>,
    read: bool,
    computed: bool,
}

impl Plan<'_> {
    /// Returns one verdict for each claim, in the order of the plan's claims. A stopped walk has no
    /// results for the levels after it.
    pub(super) fn conclude(
        &self,
        levels: &Levels<'_>,
        walked: Vec<Walked>,
        checks: Vec<CheckResult>,
    ) -> Vec<Verdict> {
        let mut progress: Vec<Progress> = self.claims.iter().map(|_| Progress::default()).collect();
        let mut walked = walked.into_iter();
        for ((&(game, max_pile, length, _), planned), asked) in self.levels.iter().zip(&levels.each)
        {
            let Some(walked) = walked.next() else {
                for &claim in planned.iter().flat_map(|one| &one.claims) {
                    progress[claim].examined.stopped = true;
                }
                continue;
            };
            let of_claims: BTreeSet<usize> =
                planned.iter().flat_map(|one| &one.claims).copied().collect();
            for claim in of_claims {
                let progress = &mut progress[claim];
                progress.seconds += walked.all.seconds;
                progress.examined.stopped |= !walked.complete;
                if walked.all.cells > 0 {
                    progress.covered.push((game, max_pile, length));
                    progress.read |= walked.is_read;
                    progress.computed |= !walked.is_read;
                }
            }
            let found = planned.iter().zip(&asked.asks).zip(walked.all.gathered);
            for ((planned, ask), found) in found {
                if let Some(by_largest) = &found.counts {
                    // The results of a stopped walk are no counts of the level.
                    if walked.complete {
                        let up_to = by_largest.iter().scan(0, |sum, count| {
                            *sum += count;
                            Some(*sum)
                        });
                        let up_to: Vec<u64> = up_to.collect();
                        for &claim in &planned.claims {
                            progress[claim].counts.insert((game, max_pile, length), up_to.clone());
                        }
                    }
                    continue;
                }
                let claim = planned.claims[0];
                progress[claim].add(self.claims[claim], planned, ask, found, max_pile);
            }
        }
        for (planned, check) in self.checks.iter().zip(checks) {
            let CheckResult { examined, seconds, origin } = check;
            let (read, computed) = (origin != Origin::Computed, origin != Origin::Table);
            progress[planned.claim] =
                Progress { examined, seconds, read, computed, ..Progress::default() };
        }
        let each = self.claims.iter().zip(&self.extents).zip(progress);
        each.map(|((claim, (games, extent)), progress)| progress.verdict(claim, games, extent))
            .collect()
    }
}

impl Progress {
    fn add(
        &mut self,
        claim: &Claim,
        planned: &Planned<'_>,
        ask: &Ask<'_>,
        found: QuestionTally,
        max_pile: Pile,
    ) {
        let QuestionTally { checked, premise, failures, least, .. } = found;
        let tally = match planned.role {
            // The positions at which the condition holds are the cases of the claim.
            Role::Cases => Tally { checked: checked - failures, ..Tally::default() },
            Role::Statement | Role::Correction | Role::Counted => {
                let selects = planned.question.has_premise() && !claim.has_premise();
                let has_cases = claim.has_cases(planned.question);
                let first = least.into_iter().next().map(|(_, position, cell)| {
                    let found = ask.counterexample(&position, cell, max_pile, true);
                    let game = planned.question.game();
                    Counterexample::at(game, &position, found.value.as_u64(), found.explanation())
                });
                let checked = match (selects, has_cases) {
                    (true, _) => premise,
                    (_, true) => 0,
                    _ => checked,
                };
                Tally { checked, premise, failures, first }
            }
        };
        let sum = match planned.role {
            Role::Correction => self.correction.get_or_insert_default(),
            _ => &mut self.examined.tally,
        };
        *sum = std::mem::take(sum).merge(tally);
    }

    fn verdict(self, claim: &Claim, games: &[Game], extent: &Extent) -> Verdict {
        let Progress { mut examined, correction, counts, seconds, covered, read, computed } = self;
        if let Some(rule) = claim.count_rule() {
            examined.tally = compare_counts(rule, &counts);
        }
        let complete = !examined.stopped;
        let range = match (extent, claim.rust_check()) {
            // A stopped run may not have covered all sizes.
            (Extent::Sizes(_), None) => in_words(games, &covered),
            _ => extent_in_words(games, extent),
        };
        let range = match examined.remark {
            Some(remark) => format!("{range}; {remark}"),
            None => range,
        };
        let mut verdict = Verdict {
            undecided: examined.undecided,
            origin: Origin::of(read, computed),
            seconds,
            certificate: examined.certificate,
            ..Verdict::new(claim, examined.tally, complete, range)
        };
        if let Some(tally) = correction {
            verdict.correction = Some(Conclusion::of(tally.failures, complete));
            verdict.against_correction = tally.first;
        }
        verdict
    }
}

pub(super) fn extent_in_words(games: &[Game], extent: &Extent) -> String {
    let names = list(games);
    match extent {
        Extent::Sizes(sizes) => {
            let sizes: Vec<_> =
                sizes.iter().map(|size| (games[0], size.max_pile, size.length)).collect();
            in_words(games, &sizes)
        }
        Extent::Rows { max_pile, bound } => {
            format!("{names}: rows b -> G(a c b), a and c up to {max_pile}, b up to {bound}")
        }
        Extent::Numbers { what, to } => format!("{names}: {what} up to {to}"),
        Extent::Printed => format!("{names}: the whole claim"),
    }
}

fn list(games: &[Game]) -> String {
    let games: BTreeSet<Game> = games.iter().copied().collect();
    games.into_iter().map(named).collect::<Vec<_>>().join(", ")
}

/// Formats ranges: "end-nim, loop-end-nim: piles <= 64, lengths 1 to 4; piles <= 16, length 5".
fn in_words(games: &[Game], covered: &[(Game, Pile, usize)]) -> String {
    let mut lengths: BTreeMap<std::cmp::Reverse<Pile>, BTreeSet<usize>> = BTreeMap::new();
    for &(_, max_pile, length) in covered {
        lengths.entry(std::cmp::Reverse(max_pile)).or_default().insert(length);
    }
    let sizes: Vec<String> = lengths
        .iter()
        .filter_map(|(max_pile, lengths)| {
            let (first, last) = (lengths.first()?, lengths.last()?);
            let lengths = if first == last {
                format!("length {first}")
            } else {
                format!("lengths {first} to {last}")
            };
            Some(format!("piles <= {}, {lengths}", max_pile.0))
        })
        .collect();
    match sizes.is_empty() {
        true => "nothing".to_owned(),
        false => format!("{}: {}", list(games), sizes.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games;
    use grundy_theory::Size;

    #[test]
    fn ranges_are_written_in_words() {
        let both = [games::END_NIM, games::LOOP_END_NIM];
        let words = |extent| extent_in_words(&both, &extent);
        let size = |max_pile, length| Size { max_pile, length };
        let sizes = vec![size(16, 6), size(64, 1), size(64, 2), size(64, 5)];
        assert_eq!(
            words(Extent::Sizes(sizes)),
            "end-nim, loop-end-nim: piles <= 64, lengths 1 to 5; piles <= 16, length 6"
        );
        assert_eq!(words(Extent::Sizes(Vec::new())), "nothing");
        assert_eq!(
            words(Extent::Rows { max_pile: 3, bound: 9 }),
            "end-nim, loop-end-nim: rows b -> G(a c b), a and c up to 3, b up to 9"
        );
        let numbers = Extent::Numbers { what: "n".to_owned(), to: 7 };
        assert_eq!(words(numbers), "end-nim, loop-end-nim: n up to 7");
        assert_eq!(words(Extent::Printed), "end-nim, loop-end-nim: the whole claim");
    }
}
