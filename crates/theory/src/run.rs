//! Runs a plan: sweeps and checks, and a verdict for each claim.
//!
//! ```text
//! for each table of the plan   source.fold ── tiles ──► TileCheck ──► a tally for each claim
//! for each check               Reader ── stored values ──► the check ──► its tally
//! ```
//!
//! `conclude` turns the results into verdicts, for a run and for merged shares. If a run is
//! stopped, its verdicts use the results so far. Claims with a counterexample fail; all others are
//! *stopped*, which means undecided.

use std::io;

use grundy_rules::Game;
use grundy_sweep::{Control, Covered, next_stretch};

use crate::claim::Claim;
use crate::conclude::TableResult;
use crate::estimate::Means;
use crate::examine::examine;
use crate::plan::{Plan, PlanError, PlannedSweep};
use crate::range::Range;
use crate::share::{Checkpoint, Pieces};
use crate::source::{Recompute, TileSource};
use crate::stored::RunError;
use crate::verdict::Verdict;

/// The number of cells between two checkpoints. Checking these cells takes about a second.
const CELLS_OF_A_STRETCH: u64 = 1 << 33;

impl Plan<'_> {
    /// Runs the plan. Returns one verdict per claim, in the given order. If the control stops the
    /// run, the verdicts state the part that was covered.
    pub fn run<S: TileSource>(
        &self,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<Vec<Verdict>, RunError<S::Error>> {
        self.run_from(source, means, control, &mut Checkpoint::default(), |_| Ok(()))
    }

    /// Runs the plan without the parts that a checkpoint covers. Calls `save` with the new
    /// checkpoint after each part of the work.
    ///
    /// # Errors
    /// An error of the source or of `save`, or a checkpoint that is invalid or of another plan.
    pub fn run_from<S: TileSource>(
        &self,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
        checkpoint: &mut Checkpoint,
        save: impl FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<Vec<Verdict>, RunError<S::Error>> {
        self.run_stretches(source, means, control, checkpoint, save, CELLS_OF_A_STRETCH)
    }

    fn run_stretches<S: TileSource>(
        &self,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
        checkpoint: &mut Checkpoint,
        save: impl FnMut(&Checkpoint) -> io::Result<()>,
        cells_of_a_stretch: u64,
    ) -> Result<Vec<Verdict>, RunError<S::Error>> {
        if !checkpoint.is_of(&Pieces(self)) {
            return Err(RunError::OtherPlan);
        }
        let mut sweeping = Sweeping { means, control, checkpoint, save, cells_of_a_stretch };
        let stored = source.tables();
        let mut walked = Vec::with_capacity(self.sweeps.len());
        for planned in self.sweeps.values() {
            let is_stored = stored.contains(&planned.table);
            walked.push(self.sweep_table(source, planned, is_stored, &mut sweeping)?);
        }
        let mut checks = Vec::with_capacity(self.checks.len());
        for planned in &self.checks {
            checks.push(examine(planned, source, means, control)?);
        }
        Ok(self.conclude(walked, checks))
    }

    /// Walks the rest of a table. Saves a checkpoint after each stretch.
    fn sweep_table<S: TileSource>(
        &self,
        source: &mut S,
        planned: &PlannedSweep,
        is_stored: bool,
        sweeping: &mut Sweeping<'_, impl FnMut(&Checkpoint) -> io::Result<()>>,
    ) -> Result<TableResult, RunError<S::Error>> {
        let Sweeping { means, control, checkpoint, save, cells_of_a_stretch } = sweeping;
        let (table, name) = (&planned.table, planned.table.to_string());
        let check = self.tile_check(planned, means);
        let parts = source.parts(table);
        let of = |cells: u64| parts.div_ceil((cells / *cells_of_a_stretch).clamp(1, parts));
        let stretches = [of(table.cells().saturating_mul(64)), of(table.cells())];
        let mut covered = checkpoint.get(&name, is_stored, parts);
        let mut all = self.nothing_about(planned);
        if covered.done > 0 {
            all.add(table, covered.found)
                .map_err(|what| RunError::Checkpoint { table: name.clone(), what })?;
        }
        control.advance(all.cells);
        let mut complete = true;
        while covered.done < parts && complete {
            let next = next_stretch(covered.done, stretches, parts);
            covered.done = next.end;
            let (found, to_the_end) =
                self.walk(planned, next, source, control, &check).map_err(RunError::Source)?;
            complete = to_the_end;
            all.add(table, found)
                .map_err(|what| RunError::Impossible { table: name.clone(), what })?;
            // Results of an interrupted stretch are reported, but not saved.
            if complete {
                let Covered { is_read, parts, done, .. } = covered;
                checkpoint.put(&name, Covered { is_read, parts, done, found: all.clone() });
                save(checkpoint).map_err(RunError::Save)?;
            }
        }
        Ok(TableResult { found: all, is_stored, complete })
    }
}

struct Sweeping<'a, F> {
    means: &'a Means<'a>,
    control: &'a Control,
    checkpoint: &'a mut Checkpoint,
    save: F,
    cells_of_a_stretch: u64,
}

/// Plans and runs claims over a range, and computes all values. Checks the games in `games`, or all
/// games that the claims cover if `games` is empty.
pub fn diff(
    claims: &[&Claim],
    games: &[Game],
    range: &Range,
    means: &Means<'_>,
    control: &Control,
) -> Result<Vec<Verdict>, PlanError> {
    let plan = Plan::new(claims, games, range)?;
    let mut source = Recompute::new(means.isa, means.memory);
    match plan.run(&mut source, means, control) {
        Ok(verdicts) => Ok(verdicts),
        Err(RunError::Source(never)) => match never {},
        Err(
            RunError::Impossible { .. }
            | RunError::OtherPlan
            | RunError::Checkpoint { .. }
            | RunError::Save(_),
        ) => {
            unreachable!("an empty checkpoint fits any plan, and nothing is read or saved")
        }
    }
}

#[cfg(test)]
mod tests;
