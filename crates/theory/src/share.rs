//! The work of a plan in shares, which different processes can do.
//!
//! ```text
//! plan.pieces()     end-nim/n24/k6: 0 ... 39      end-nim/n24/k7: 0 ... 479      an.period-pow2: 0
//!                   └────────┬────────┘└────────────┬─────────┘└─────┬──────────────────────────┘
//! plan.run_share()        a share               a share           a share     in any process
//!                            │                      │                │
//!                      CoveredShare           CoveredShare      CoveredShare    e.g. as JSON
//!                            └──────────────────────┼────────────────┘
//! plan.merge()                            the verdicts of one run
//! ```
//!
//! A table has a fixed number of parts ([`grundy_sweep::parts`]), and a check is one part. So the
//! division depends only on the plan, and not on the machine, the threads or the stored tables.
//! Shares are computed from the rules ([`Recompute`]).
//!
//! Shares and checkpoints may come from files or networks, so they are validated. The parts must
//! cover every position of a table once, and a counterexample must be in its table.

use std::convert::Infallible;
use std::ops::Range;
use std::time::Instant;

use grundy_kernels::with_cell;
use grundy_rules::Table;
use grundy_sweep::{
    Control, MergeError, NoSuchPart, Parts, Piece, Share, Swept, Work, named_seconds,
};
use serde::{Deserialize, Serialize};

use crate::claim::{Claim, Rule};
use crate::conclude::{CheckResult, TableFinding, TableResult, in_words};
use crate::estimate::Means;
use crate::examine::examine;
use crate::job::Examination;
use crate::plan::{Plan, PlannedCheck, PlannedSweep};
use crate::source::{Recompute, TileSource};
use crate::stored::RunError;
use crate::tally::Tally;
use crate::tile_check::{TableTally, TileCheck};
use crate::verdict::Verdict;
use crate::words::Origin;

/// The finished part of a plan's work. Serde serializes it. The merge validates its contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoveredShare(Share<Finding>);

/// The finished part of a plan's tables, from which a long diff can resume.
pub type Checkpoint = grundy_sweep::Checkpoint<TableFinding>;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Finding {
    Table(TableFinding),
    Check { seconds: f64, examined: Examination },
}

pub(crate) enum Sum {
    Table(TableFinding),
    Check(Option<CheckResult>),
}

#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
    #[error(transparent)]
    Run(#[from] RunError<Infallible>),
}

impl Plan<'_> {
    /// Returns the work of the plan: its tables, then its checks. Equal plans give the same pieces
    /// in the same order. With equal means, the estimates are equal on all machines.
    pub fn pieces(&self, means: &Means<'_>) -> Vec<Piece> {
        let one = Means { threads: 1, ..*means };
        let tables = self.sweeps.values().map(|sweep| {
            let estimate = self.estimate_sweep(sweep, means);
            (estimate.seconds, estimate.memory)
        });
        let checks = self.checks.iter().map(|PlannedCheck { check, games, extent, .. }| {
            let cost = |means| (check.cost)(games, extent, means);
            (cost(&one).seconds, cost(means).memory)
        });
        let costs = tables.chain(checks).zip(Pieces(self).outline());
        costs
            .map(|((seconds, memory), (name, parts))| Piece { name, parts, seconds, memory })
            .collect()
    }

    /// Does a share of the work. The share consists of parts of pieces; the index of a piece is its
    /// index in [`Plan::pieces`]. Returns `None` if the control stopped the work.
    pub fn run_share(
        &self,
        share: &[Parts],
        source: &mut Recompute,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<Option<CoveredShare>, ShareError> {
        Share::done(&Pieces(self), share, |piece, parts| {
            if let Some(sweep) = self.sweeps.values().nth(piece) {
                let check = self.tile_check(sweep, means);
                let Ok((found, complete)) =
                    self.walk(sweep, parts.clone(), source, control, &check);
                return Ok(complete.then_some(Finding::Table(found)));
            }
            let check = &self.checks[piece - self.sweeps.len()];
            let CheckResult { examined, seconds, .. } = examine(check, source, means, control)?;
            // A search that ran out of memory is not stopped; its verdict says why it ended.
            let is_stopped = examined.stopped && control.is_stopped();
            Ok((!is_stopped).then_some(Finding::Check { seconds, examined }))
        })
        .map(|share| share.map(CoveredShare))
    }

    /// Merges shares that cover every part once. Returns the verdicts of a run without shares.
    ///
    /// # Errors
    /// [`MergeError`], with the piece and its parts.
    pub fn merge(
        &self,
        shares: impl IntoIterator<Item = CoveredShare>,
    ) -> Result<Vec<Verdict>, MergeError> {
        let shares = shares.into_iter().map(|CoveredShare(share)| share);
        let (mut walked, mut checks) = (Vec::new(), Vec::new());
        for known in Share::merge(&Pieces(self), shares)? {
            match known {
                Sum::Table(found) => {
                    walked.push(TableResult { found, is_stored: false, complete: true });
                }
                Sum::Check(check) => checks.extend(check),
            }
        }
        Ok(self.conclude(walked, checks))
    }

    pub(crate) fn tile_check(&self, sweep: &PlannedSweep, means: &Means<'_>) -> TileCheck {
        let (game, length) = (sweep.table.game(), sweep.table.length());
        TileCheck::new(game, length, means.isa, &self.claims_about(sweep))
    }

    fn claims_about(&self, sweep: &PlannedSweep) -> Vec<&Claim> {
        sweep.claims.iter().map(|&number| self.claims[number]).collect()
    }

    /// Walks the given parts of a table. Returns the results, and true if the walk reached the end.
    pub(crate) fn walk<S: TileSource>(
        &self,
        sweep: &PlannedSweep,
        parts: Range<u64>,
        source: &mut S,
        control: &Control,
        check: &TileCheck,
    ) -> Result<(TableFinding, bool), S::Error> {
        let start = Instant::now();
        let table = &sweep.table;
        let swept = with_cell!(table.value_bytes(), T => {
            source.fold::<T, _>(table, parts, control, check)
        });
        let Swept { acc, cells, complete } = swept?;
        let TableTally { mut tallies, mut zeros, .. } = acc;
        // A walk that was stopped before its first tile lacks some counts, which are all 0.
        let fresh = self.nothing_about(sweep);
        tallies.resize(fresh.tallies.len(), Tally::default());
        zeros.resize(fresh.zeros.len(), 0);
        let seconds = start.elapsed().as_secs_f64();
        Ok((TableFinding { cells, seconds, tallies, zeros }, complete))
    }

    pub(crate) fn nothing_about(&self, sweep: &PlannedSweep) -> TableFinding {
        let claims = self.claims_about(sweep);
        let counts_zeros = claims.iter().any(|claim| matches!(claim.rule, Rule::Zeros(_)));
        let sizes = if counts_zeros { sweep.table.max_pile() as usize + 1 } else { 0 };
        TableFinding {
            tallies: vec![Tally::default(); claims.len()],
            zeros: vec![0; sizes],
            ..TableFinding::default()
        }
    }
}

pub(crate) struct Pieces<'a, 'b>(pub(crate) &'a Plan<'b>);

impl Work for Pieces<'_, '_> {
    type Finding = Finding;
    type Whole = Sum;

    fn words(&self) -> String {
        let Pieces(plan) = self;
        let ids: Vec<&str> = plan.claims.iter().map(|claim| claim.id).collect();
        let checks = plan.checks.iter().map(|check| {
            let id = plan.claims[check.claim].id;
            format!("{id}: {}", in_words(&check.games, &check.extent))
        });
        let checks = checks.collect::<Vec<_>>().join("; ");
        format!("{}\n{}\n{checks}", ids.join(", "), plan.in_words())
    }

    fn outline(&self) -> Vec<(String, u64)> {
        let Pieces(plan) = self;
        let tables = plan.sweeps.values().map(|sweep| &sweep.table);
        let tables = tables.map(|table| (table.to_string(), grundy_sweep::parts(table)));
        let checks = plan.checks.iter().map(|check| (plan.claims[check.claim].id.to_owned(), 1));
        tables.chain(checks).collect()
    }

    fn begin(&self, piece: usize) -> Sum {
        match self.0.sweeps.values().nth(piece) {
            Some(sweep) => Sum::Table(self.0.nothing_about(sweep)),
            None => Sum::Check(None),
        }
    }

    fn add(&self, piece: usize, known: &mut Sum, found: Finding) -> Result<(), String> {
        let Pieces(plan) = self;
        let sweep = plan.sweeps.values().nth(piece);
        match (known, found, sweep) {
            (Sum::Table(all), Finding::Table(found), Some(sweep)) => all.add(&sweep.table, found),
            (Sum::Check(all), Finding::Check { seconds, examined }, None) => {
                let check = &plan.checks[piece - plan.sweeps.len()];
                let has_premise = plan.claims[check.claim].premise.is_some();
                if !possible(&examined.tally) || !has_premise && examined.tally.premise > 0 {
                    return Err("its counts contradict each other".to_owned());
                }
                let first = examined.tally.first.as_ref();
                if first.is_some_and(|first| !check.games.contains(&first.game)) {
                    return Err("its counterexample belongs to another game".to_owned());
                }
                let (seconds, origin) = (named_seconds(seconds), Origin::Computed);
                *all = Some(CheckResult { examined, seconds, origin });
                Ok(())
            }
            (Sum::Table(_), ..) => Err("it is a table instead of a check".to_owned()),
            (Sum::Check(_), ..) => Err("it is a check instead of a table".to_owned()),
        }
    }

    fn is_whole(&self, piece: usize, known: &Sum) -> bool {
        let Pieces(plan) = self;
        let (Sum::Table(all), Some(sweep)) = (known, plan.sweeps.values().nth(piece)) else {
            return true;
        };
        let all_checked =
            plan.claims_about(sweep).iter().zip(&all.tallies).all(|(claim, tally)| {
                let speaks = matches!(claim.rule, Rule::Positions(_));
                tally.checked == if speaks { sweep.table.positions() } else { 0 }
            });
        all_checked && all.cells == sweep.table.cells()
    }
}

impl TableFinding {
    /// Adds results for further parts of a table. If the results are invalid, returns the reason.
    pub(crate) fn add(&mut self, table: &Table, found: TableFinding) -> Result<(), String> {
        let TableFinding { cells, seconds, tallies, zeros } = found;
        if (tallies.len(), zeros.len()) != (self.tallies.len(), self.zeros.len()) {
            return Err("it belongs to other claims".to_owned());
        }
        let most = table.positions();
        // No sum may exceed the number of positions, so no sum overflows.
        let add = |sum: &mut u64, more: u64| match sum.checked_add(more).filter(|&sum| sum <= most)
        {
            Some(all) => {
                *sum = all;
                Ok(())
            }
            None => Err(format!("its count exceeds the {most} positions of the table")),
        };
        add(&mut self.cells, cells)?;
        for (sum, tally) in self.tallies.iter_mut().zip(tallies) {
            if !possible(&tally) {
                return Err("its counts contradict each other".to_owned());
            }
            if tally.first.as_ref().is_some_and(|first| {
                let inside = |pile: &u32| (1..=table.max_pile()).contains(pile);
                let is_word = first.piles.len() == table.length() && first.piles.iter().all(inside);
                first.game != table.game() || !is_word
            }) {
                return Err("its counterexample is not a position of the table".to_owned());
            }
            add(&mut sum.checked.clone(), tally.checked)?;
            *sum = std::mem::take(sum).merge(tally);
        }
        let mut counted = self.zeros.iter().sum();
        for (sum, more) in self.zeros.iter_mut().zip(zeros) {
            add(&mut counted, more)?;
            *sum += more;
        }
        self.seconds += named_seconds(seconds);
        Ok(())
    }
}

fn possible(tally: &Tally) -> bool {
    let Tally { checked, premise, failures, first } = tally;
    premise <= checked && failures <= checked && first.is_some() == (*failures > 0)
}

#[cfg(test)]
mod tests;
