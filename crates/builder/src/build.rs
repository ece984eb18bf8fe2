//! Builds the tables of a plan.

use std::ops::Range;
use std::path::Path;
use std::time::Instant;

use grundy_rules::Game;
use grundy_shard::disk::{Disk, FileSystem};
use grundy_shard::manifest::ShardEntry;
use grundy_solvers::{Job, solver};
use grundy_sweep::Control;

use crate::error::BuildError;
use crate::job::TableJob;
use crate::lock::Lock;
use crate::plan::{Plan, Request, TablePlan};
use crate::run::{Report, Run, TableReport};

/// Builds the unfinished tables of a plan, in the caller's rayon pool. `control` counts the cells
/// of finished frames. `on_table` is called after each finished table. If the build fails, the
/// tables that are already finished remain valid.
pub fn build(
    plan: &Plan,
    folder: &Path,
    control: &Control,
    on_table: impl FnMut(&TableReport),
) -> Result<Report, BuildError> {
    let _lock = Lock::take(folder)?;
    build_on(&FileSystem, plan, folder, control, on_table)
}

/// Builds on the given disk. The caller ensures that no other process writes into the database.
pub fn build_on(
    disk: &dyn Disk,
    plan: &Plan,
    folder: &Path,
    control: &Control,
    mut on_table: impl FnMut(&TableReport),
) -> Result<Report, BuildError> {
    let start = Instant::now();
    let mut run = Run::begin(disk, folder, control, Some(plan))?;
    // A manifest without a seal may have named wrong codecs, or another process has built since.
    let plan = &plan.clone().with_codecs_of(&run.manifest);
    for game in &plan.request.games {
        build_game(&mut run, plan, *game, &mut on_table)?;
    }
    run.end(start)
}

fn build_game(
    run: &mut Run<'_>,
    plan: &Plan,
    game: Game,
    on_table: &mut impl FnMut(&TableReport),
) -> Result<(), BuildError> {
    let Request { max_pile, isa, .. } = plan.request;
    let mut maker = solver(game).maker(Job { game, max_pile, isa });
    for planned in plan.tables.iter().filter(|planned| planned.table.game() == game) {
        if is_finished(run, planned) {
            // A share that ended after the table was finished may have left them.
            run.remove_states(planned)?;
            continue;
        }
        let (start, id) = (Instant::now(), planned.table.to_string());
        maker
            .prepare(&planned.table, &planned.needs, run.control)
            .map_err(|source| BuildError::of_fill(id.clone(), source))?;
        run.clear(planned)?;
        let all = 0..planned.parts();
        let (shards, kept) = TableJob::of(run, planned, &id, &*maker).build(&all)?;
        let entry = planned.geometry.entry(shards);
        run.list(&planned.table, entry, kept, start.elapsed().as_secs_f64());
        run.remove_states(planned)?;
        run.publish_manifest()?;
        run.report.tables.last().into_iter().for_each(&mut *on_table);
    }
    Ok(())
}

fn is_finished(run: &Run<'_>, planned: &TablePlan) -> bool {
    let id = planned.table.to_string();
    let entry = run.manifest.tables.get(&id);
    entry.is_some_and(|entry| planned.geometry.is_entry(entry) && run.has_files(&id, entry))
}

impl<'a> TableJob<'a> {
    /// Builds the shards that some parts of the prepared table complete. Returns their entries, and
    /// the number of shards that an earlier run had built.
    pub(crate) fn build(&self, parts: &Range<u64>) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let built = match self.maker.in_order(&self.planned.table, self.run.control) {
            Some(run) => self.build_in_order(run, parts)?,
            None => self.build_tiles(self.planned.shards_of(parts))?,
        };
        // An earlier run may not have synced the names of its shards.
        self.run.sync_table(self.id)?;
        Ok(built)
    }
}
