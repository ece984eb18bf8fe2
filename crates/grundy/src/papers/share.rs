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
//! The levels come first, divided as the questions of [`crate::Ask::pieces`] are; a check in Rust
//! is one part. Shares are computed from the rules. They may come from files or networks, so they
//! are validated.

use std::io;

use grundy_query::{Database, QueryError};
use grundy_rules::Table;
use grundy_solvers::Stored;
use grundy_sweep::{Control, NoSuchPart, Parts, Piece, Share, Work, named_seconds};
use grundy_theory::{
    CheckResult, Examination, Means, NoTables, Origin, ReadError, Tables, Verdict,
};
use serde::{Deserialize, Serialize};

use super::conclude::extent_in_words;
use super::plan::{Plan, PlannedCheck};
use crate::ask::{AskError, CheckedLevel, CheckedPart, Checkpoint, Levels, Walked};

/// The finished part of a plan's work. Serde serializes it. The merge validates its contents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CoveredShare(Share<Finding>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Finding {
    Level(CheckedPart),
    Check { seconds: f64, examined: Examination },
}

pub(super) enum Sum {
    Level(CheckedLevel),
    Check(Option<CheckResult>),
}

impl<'a> Plan<'a> {
    /// Runs the plan. Returns one verdict for each claim, in the given order. If the control stops
    /// the run, the verdicts state the part that was covered.
    pub fn run(
        &self,
        database: &'a Database,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<Vec<Verdict>, AskError> {
        self.run_from(database, means, control, &mut Checkpoint::default(), &mut |_| Ok(()))
    }

    /// Runs the plan without the parts that a checkpoint covers. Calls `save` with the new
    /// checkpoint after each part of the work.
    ///
    /// # Errors
    /// A table that cannot be read, a statement without a value at some position, an error of
    /// `save`, or a checkpoint that is invalid or belongs to another plan.
    pub fn run_from(
        &self,
        database: &'a Database,
        means: &Means<'_>,
        control: &Control,
        checkpoint: &mut Checkpoint,
        save: &mut dyn FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<Vec<Verdict>, AskError> {
        let levels = self.asked(Some(database), means)?;
        let pieces = Pieces { plan: self, levels };
        if !checkpoint.is_of(&pieces) {
            return Err(AskError::OtherCheckpoint);
        }
        let walked = pieces.levels.check(control, checkpoint, save)?;
        let mut source = DatabaseTables(database);
        let checks = self.checks.iter().map(|&check| {
            let found = self.examine(check, &mut source, means, control);
            found.map_err(|error| match error {
                ReadError::Source(error) => error.into(),
                ReadError::Impossible { table, what } => AskError::Impossible { table, what },
            })
        });
        let checks = checks.collect::<Result<Vec<_>, AskError>>()?;
        let mut verdicts = self.conclude(&pieces.levels, walked, checks);
        self.prove(&mut verdicts, means, control)?;
        Ok(verdicts)
    }

    /// Returns the work of the plan: its levels, then its checks. Equal plans give the same pieces
    /// in the same order. With equal means, the estimates are equal on all machines.
    pub fn pieces(&self, means: &Means<'_>) -> Result<Vec<Piece>, AskError> {
        let one = Means { threads: 1, ..*means };
        let mut pieces = self.asked(None, means)?.pieces()?;
        pieces.extend(self.checks.iter().map(|&PlannedCheck { claim, check }| {
            let (games, extent) = &self.extents[claim];
            let (name, parts) = (self.claims[claim].id.clone(), 1);
            let seconds = check.cost(games, extent, &one).seconds;
            Piece {
                name,
                parts,
                seconds,
                begin: 0.0,
                memory: check.cost(games, extent, means).memory,
            }
        }));
        Ok(pieces)
    }

    /// Does a share of the work. The share consists of parts of pieces; the index of a piece is its
    /// index in [`Plan::pieces`]. Returns `None` if the control stopped the work.
    pub fn run_share(
        &self,
        share: &[Parts],
        means: &Means<'_>,
        control: &Control,
    ) -> Result<Option<CoveredShare>, AskError> {
        let pieces = Pieces { plan: self, levels: self.asked(None, means)? };
        NoSuchPart::unless_in(&pieces.outline(), share)?;
        let (mut before, total) = (0, pieces.levels.values_in(share));
        let done = Share::done(&pieces, share, |piece, parts| {
            if piece < self.levels.len() {
                let progress = (&mut before, total);
                let found = pieces.levels.check_parts(piece, parts.clone(), progress, control)?;
                return Ok(found.map(Finding::Level));
            }
            let check = self.checks[piece - self.levels.len()];
            let CheckResult { examined, seconds, .. } =
                match self.examine(check, &mut NoTables, means, control) {
                    Ok(found) => found,
                    Err(ReadError::Source(never)) => match never {},
                    Err(ReadError::Impossible { table, what }) => {
                        return Err(AskError::Impossible { table, what });
                    }
                };
            // A search that ran out of memory is not stopped; its verdict says why it ended.
            let is_stopped = examined.stopped && control.is_stopped();
            Ok((!is_stopped).then_some(Finding::Check { seconds, examined }))
        });
        Ok(done?.map(CoveredShare))
    }

    /// Merges shares that cover every part once. Returns the verdicts of a run without shares.
    ///
    /// # Errors
    /// [`AskError::Merge`], with the piece and its parts.
    pub fn merge(
        &self,
        shares: impl IntoIterator<Item = CoveredShare>,
        means: &Means<'_>,
    ) -> Result<Vec<Verdict>, AskError> {
        let pieces = Pieces { plan: self, levels: self.asked(None, means)? };
        let shares = shares.into_iter().map(|CoveredShare(share)| share);
        let (mut walked, mut checks) = (Vec::new(), Vec::new());
        for known in Share::merge(&pieces, shares)? {
            match known {
                Sum::Level(all) => walked.push(Walked::whole(all)),
                Sum::Check(check) => checks.extend(check),
            }
        }
        let mut verdicts = self.conclude(&pieces.levels, walked, checks);
        self.prove(&mut verdicts, means, &Control::new())?;
        Ok(verdicts)
    }
}

/// The tables of a database, for checks in Rust.
struct DatabaseTables<'a>(&'a Database);

impl Tables for DatabaseTables<'_> {
    type Error = QueryError;

    fn tables(&self) -> Vec<Table> {
        self.0.tables().iter().map(|stored| stored.table().clone()).collect()
    }

    fn each_block(
        &mut self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), QueryError> {
        match self.0.table(table) {
            Some(stored) => Ok((stored as &dyn Stored).each_frame(show)?),
            None => Ok(()),
        }
    }
}

/// A plan, and its levels with the settings of a run.
pub(super) struct Pieces<'p, 'a> {
    pub(super) plan: &'p Plan<'a>,
    pub(super) levels: Levels<'a>,
}

impl Work for Pieces<'_, '_> {
    type Finding = Finding;
    type Whole = Sum;

    fn words(&self) -> String {
        let Plan { claims, extents, checks, .. } = self.plan;
        let ids: Vec<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
        let checks = checks.iter().map(|check| {
            let (games, extent) = &extents[check.claim];
            format!("{}: {}", claims[check.claim].id, extent_in_words(games, extent))
        });
        let checks = checks.collect::<Vec<_>>().join("; ");
        format!("{}\n{}\n{checks}", ids.join(", "), self.levels.words())
    }

    fn outline(&self) -> Vec<(String, u64)> {
        let Plan { claims, checks, .. } = self.plan;
        let checks = checks.iter().map(|check| (claims[check.claim].id.clone(), 1));
        self.levels.outline().into_iter().chain(checks).collect()
    }

    fn begin(&self, piece: usize) -> Sum {
        match piece < self.levels.each.len() {
            true => Sum::Level(self.levels.begin(piece)),
            false => Sum::Check(None),
        }
    }

    fn add(&self, piece: usize, known: &mut Sum, found: Finding) -> Result<(), String> {
        match (known, found) {
            (Sum::Level(all), Finding::Level(found)) => self.levels.add(piece, all, found),
            (Sum::Check(all), Finding::Check { seconds, examined }) => {
                let check = self.plan.checks[piece - self.levels.each.len()];
                let has_premise = self.plan.claims[check.claim].has_premise();
                if !examined.tally.is_possible() || !has_premise && examined.tally.premise > 0 {
                    return Err("its counts contradict each other".to_owned());
                }
                let (games, _) = &self.plan.extents[check.claim];
                let first = examined.tally.first.as_ref();
                if first.is_some_and(|first| !games.contains(&first.game)) {
                    return Err("its counterexample belongs to another game".to_owned());
                }
                let (seconds, origin) = (named_seconds(seconds), Origin::Computed);
                *all = Some(CheckResult { examined, seconds, origin });
                Ok(())
            }
            (Sum::Level(_), _) => Err("it is a check instead of a level".to_owned()),
            (Sum::Check(_), _) => Err("it is a level instead of a check".to_owned()),
        }
    }

    fn is_whole(&self, piece: usize, known: &Sum) -> bool {
        match known {
            Sum::Level(all) => self.levels.is_whole(piece, all),
            Sum::Check(_) => true,
        }
    }
}
