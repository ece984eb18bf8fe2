//! Turns the results of a plan into verdicts.
//!
//! ```text
//! each table  Walked: tallies, zeros ──┐
//! each check  Checked: its tally ─────┴──► Plan::conclude ──► one Verdict per claim
//! ```
//!
//! A run collects all results in one process; `merge` collects them from shares. Both call this
//! module, so equal results give equal verdicts.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::{Game, Pile};
use serde::{Deserialize, Serialize};

use crate::claim::Rule;
use crate::domain::Extent;
use crate::job::Examination;
use crate::plan::{Plan, list};
use crate::tally::Tally;
use crate::verdict::Verdict;
use crate::words::Origin;
use crate::zeros::Zeros;

/// The results for a share of the parts of a table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableFinding {
    pub(crate) cells: u64,
    pub(crate) seconds: f64,
    pub(crate) tallies: Vec<Tally>,
    pub(crate) zeros: Vec<u64>,
}

pub(crate) struct TableResult {
    pub(crate) found: TableFinding,
    pub(crate) is_stored: bool,
    pub(crate) complete: bool,
}

pub(crate) struct CheckResult {
    pub(crate) examined: Examination,
    pub(crate) seconds: f64,
    pub(crate) origin: Origin,
}

#[derive(Default)]
struct Progress {
    examined: Examination,
    seconds: f64,
    range: String,
    read: bool,
    computed: bool,
}

impl Progress {
    fn add(&mut self, tally: Tally, seconds: f64, complete: bool) {
        self.examined.tally = std::mem::take(&mut self.examined.tally).merge(tally);
        self.examined.stopped |= !complete;
        self.seconds += seconds;
    }
}

impl Plan<'_> {
    /// Returns one verdict for each claim, in the order of the plan's claims. Claims about numbers
    /// of zeros are checked here, because they compare several tables.
    pub(crate) fn conclude(
        &self,
        walked: Vec<TableResult>,
        checks: Vec<CheckResult>,
    ) -> Vec<Verdict> {
        let mut progress: Vec<Progress> = self.claims.iter().map(|_| Progress::default()).collect();
        let mut zeros = Zeros::default();
        let mut covered: Vec<Vec<(Game, Pile, usize)>> = vec![Vec::new(); self.claims.len()];
        for ((&key, planned), walked) in self.sweeps.iter().zip(walked) {
            for (tally, &number) in walked.found.tallies.into_iter().zip(&planned.claims) {
                let progress = &mut progress[number];
                progress.add(tally, walked.found.seconds, walked.complete);
                if walked.found.cells > 0 {
                    covered[number].push(key);
                    progress.read |= walked.is_stored;
                    progress.computed |= !walked.is_stored;
                }
            }
            if walked.complete {
                zeros.insert(&planned.table, walked.found.zeros);
            }
        }
        for ((claim, covered), progress) in self.claims.iter().zip(covered).zip(&mut progress) {
            if let Rule::Zeros(rule) = claim.rule {
                progress.add(zeros.check(&covered, rule), 0.0, true);
            }
            progress.range = covered_in_words(covered);
        }
        for (planned, check) in self.checks.iter().zip(checks) {
            let CheckResult { examined, seconds, origin } = check;
            let range = in_words(&planned.games, &planned.extent);
            let (read, computed) = (origin != Origin::Computed, origin != Origin::Table);
            progress[planned.claim] = Progress { examined, seconds, range, read, computed };
        }
        let verdicts = self.claims.iter().zip(progress).map(|(claim, done)| {
            let range = match done.examined.remark {
                Some(remark) => format!("{}; {remark}", done.range),
                None => done.range,
            };
            Verdict {
                undecided: done.examined.undecided,
                origin: Origin::of(done.read, done.computed),
                seconds: done.seconds,
                certificate: done.examined.certificate,
                ..Verdict::new(claim, done.examined.tally, !done.examined.stopped, range)
            }
        });
        verdicts.collect()
    }
}

pub(crate) fn in_words(games: &[Game], extent: &Extent) -> String {
    let games_in_words = list(games);
    match extent {
        Extent::Sizes(sizes) => {
            let all = games
                .iter()
                .flat_map(|&game| sizes.iter().map(move |size| (game, size.max_pile, size.length)));
            covered_in_words(all.collect())
        }
        Extent::Rows { max_pile, bound } => format!(
            "{games_in_words}: rows b -> G(a c b), a and c up to {max_pile}, b up to {bound}"
        ),
        Extent::Numbers { what, to } => format!("{games_in_words}: {what} up to {to}"),
        Extent::Printed => format!("{games_in_words}: the whole claim"),
    }
}

/// Formats ranges: "end-nim, loop-end-nim: piles <= 64, lengths 1 to 4; piles <= 16, length 5".
fn covered_in_words(covered: Vec<(Game, Pile, usize)>) -> String {
    let games: BTreeSet<Game> = covered.iter().map(|&(game, ..)| game).collect();
    let mut lengths: BTreeMap<std::cmp::Reverse<Pile>, BTreeSet<usize>> = BTreeMap::new();
    for (_, max_pile, length) in covered {
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
    if sizes.is_empty() {
        return "nothing".to_owned();
    }
    let games: Vec<Game> = games.into_iter().collect();
    format!("{}: {}", list(&games), sizes.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Size;
    use crate::testing::{referred, sizes, verdict};
    use grundy_rules::games;

    #[test]
    fn a_verdict_names_its_origin() {
        let [two, three] = [2, 3].map(|length| referred(games::SHORT_GLOBAL_NIM, 4, length));
        let id = "gn.smallest-pile.corrected";
        for (stored, origin) in [
            (vec![], Origin::Computed),
            (vec![two.clone()], Origin::Mixed),
            (vec![three.clone()], Origin::Mixed),
            (vec![two, three], Origin::Table),
        ] {
            let verdict = verdict(id, sizes(4, 3), &stored).unwrap();
            assert_eq!(verdict.origin, origin);
            // There are 3 x 4 / 2 multisets of two piles of 2 to 4, and 3 x 4 x 5 / 6 of three.
            assert_eq!((verdict.checked, verdict.failures), (6 + 10, 0));
            assert_eq!(verdict.range, "short-global-nim: piles <= 4, lengths 2 to 3");
        }
    }

    #[test]
    fn ranges_are_written_in_words() {
        let both = [games::END_NIM, games::LOOP_END_NIM];
        let words = |extent| in_words(&both, &extent);
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
        let numbers = Extent::Numbers { what: "n", to: 7 };
        assert_eq!(words(numbers), "end-nim, loop-end-nim: n up to 7");
        assert_eq!(words(Extent::Printed), "end-nim, loop-end-nim: the whole claim");
    }
}
