//! Builds a plan in shares: independent processes on one or several machines.
//!
//! ```text
//!   share 0 ──► shards of k4, k5 ─┐
//!   share 1 ──► shards of k5     ─┼─ the folder of the database ──► finish ──► manifest
//!   share 2 ──► shards of k5     ─┘   (or wherever they were sent)
//! ```
//!
//! The name and the bytes of a shard do not depend on the process that builds it. Two processes may
//! build the same shard: each uses its own temporary file and publishes the same bytes under the
//! same name. A share keeps existing valid shards. If the shards of a table depend on each other
//! (see [`Making`](grundy_solvers::Making)), the table is one part, or a chain: a share leaves the
//! state with which the next one begins.
//!
//! Each share holds the lock of the database in shared mode, so no builder removes its temporary
//! files. Shares never change the manifest. `finish` holds the exclusive lock, checks every byte of
//! every shard, and publishes the manifest.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Instant;

use grundy_shard::disk::FileSystem;
use grundy_shard::manifest::{Manifest, ShardEntry, shard_path};
use grundy_shard::publish::create_folder_on;
use grundy_solvers::{Job, solver};
use grundy_sweep::Control;
use rayon::prelude::*;

use crate::error::BuildError;
use crate::job::TableJob;
use crate::lock::Lock;
use crate::plan::{Plan, Request, TablePlan};
use crate::run::{AGAIN, Report, Run, remove_all};
use crate::state::state_path;

/// A shard that belongs to a share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedShard {
    /// The path relative to the database folder.
    pub path: PathBuf,
    /// The entry for the manifest.
    pub entry: ShardEntry,
    /// True if an earlier run had built the shard.
    pub kept: bool,
}

/// Returns the paths of a share's shards, relative to the database folder. A share lists tables by
/// their index in the plan, each with a range of its parts ([`TablePlan::parts`]).
pub fn shards(plan: &Plan, share: &[(usize, Range<u64>)]) -> Vec<PathBuf> {
    let each = share.iter().flat_map(|(number, parts)| {
        let planned = &plan.tables[*number];
        let id = planned.table.to_string();
        planned.shards_of(parts).map(move |shard| shard_path(&id, shard))
    });
    each.collect()
}

/// Builds the missing shards of a share in the caller's rayon pool. The control counts cells.
pub fn build_share(
    plan: &Plan,
    share: &[(usize, Range<u64>)],
    folder: &Path,
    control: &Control,
) -> Result<Vec<SharedShard>, BuildError> {
    let _lock = Lock::share(folder)?;
    let run = Run::of(&FileSystem, folder, control);
    build_by(&run, &plan_of(plan, folder)?, share)
}

/// Builds all shards of a share again, without those of the database, which it leaves as they are.
/// It works in a subfolder, which it removes, and takes the lock.
pub fn rebuild_share(
    plan: &Plan,
    share: &[(usize, Range<u64>)],
    folder: &Path,
    control: &Control,
) -> Result<Vec<SharedShard>, BuildError> {
    let _lock = Lock::take(folder)?;
    let again = folder.join(AGAIN);
    let failed = |source| BuildError::Write { path: again.clone(), source };
    // A killed run left its shards, and they prove nothing.
    remove_all(&again).map_err(failed)?;
    create_folder_on(&FileSystem, &again).map_err(failed)?;
    let run = Run::of(&FileSystem, &again, control);
    let built = build_by(&run, &plan_of(plan, folder)?, share);
    remove_all(&again).map_err(failed)?;
    built
}

fn build_by(
    run: &Run<'_>,
    plan: &Plan,
    share: &[(usize, Range<u64>)],
) -> Result<Vec<SharedShard>, BuildError> {
    let mut all = Vec::new();
    for (number, parts) in share {
        all.extend(run.share_of(&plan.tables[*number], parts, &plan.request)?);
    }
    Ok(all)
}

/// Finds the shards of a share that exist and are valid. Returns one entry or `None` for each path
/// that [`shards`] returns, in the same order. The control counts cells.
pub fn find_share(
    plan: &Plan,
    share: &[(usize, Range<u64>)],
    folder: &Path,
    control: &Control,
) -> Vec<Option<ShardEntry>> {
    let run = Run::of(&FileSystem, folder, control);
    // If the manifest cannot be read, no table is finished.
    let plan = plan_of(plan, folder).unwrap_or_else(|_| plan.clone());
    let each = share.iter().flat_map(|(number, parts)| run.find(&plan.tables[*number], parts));
    each.collect()
}

/// True if the shards of a share exist and are valid, and the next shares can begin.
pub fn is_share_done(
    plan: &Plan,
    share: &[(usize, Range<u64>)],
    folder: &Path,
    control: &Control,
) -> bool {
    let run = Run::of(&FileSystem, folder, control);
    find_share(plan, share, folder, control).iter().all(Option::is_some)
        && share.iter().all(|(number, parts)| run.hands_on(&plan.tables[*number], parts))
}

/// Returns the files with which a share may begin, relative to the database folder.
pub fn begins(plan: &Plan, share: &[(usize, Range<u64>)]) -> Vec<PathBuf> {
    let each = share.iter().map(|(number, parts)| (&plan.tables[*number], parts));
    let later = each.filter(|(planned, parts)| planned.is_chained() && parts.start > 0);
    later
        .map(|(planned, parts)| state_path(&planned.table, planned.tiles_of(parts).start))
        .collect()
}

/// Returns the plan in which the tables that a folder has finished keep their codecs.
fn plan_of(plan: &Plan, folder: &Path) -> Result<Plan, BuildError> {
    let manifest = Manifest::read_on(&FileSystem, folder)?.unwrap_or_default();
    Ok(plan.clone().with_codecs_of(&manifest))
}

/// Publishes the manifest of a plan after its shares are built, if every shard exists and is valid.
/// `reported` contains entries that the shares reported, by path. Some entries may be missing.
///
/// # Errors
/// [`BuildError::Missing`] if a shard is missing, and [`BuildError::Replaced`] if it differs from
/// the report. In both cases nothing has changed. Other errors are those of a build.
pub fn finish(
    plan: &Plan,
    folder: &Path,
    control: &Control,
    reported: &BTreeMap<PathBuf, ShardEntry>,
) -> Result<Report, BuildError> {
    let _lock = Lock::take(folder)?;
    finish_by(plan, folder, control, |run, planned| {
        let id = planned.table.to_string();
        let found = run.find(planned, &(0..planned.parts()));
        for (shard, found) in (0..).zip(&found) {
            let path = shard_path(&id, shard);
            if let (Some(found), Some(named)) = (found, reported.get(&path))
                && found != named
            {
                return Err(BuildError::Replaced { path: folder.join(path) });
            }
        }
        Ok(found)
    })
}

/// Publishes the manifest for shards that are stored elsewhere, for example in an object store.
/// `entries` contains the entries that the shares reported, by path.
pub fn finish_from(
    plan: &Plan,
    folder: &Path,
    control: &Control,
    entries: &BTreeMap<PathBuf, ShardEntry>,
) -> Result<Report, BuildError> {
    let _lock = Lock::take(folder)?;
    finish_by(plan, folder, control, |_, planned| {
        let id = planned.table.to_string();
        let shards = 0..planned.geometry.shards();
        Ok(shards.map(|shard| entries.get(&shard_path(&id, shard)).cloned()).collect())
    })
}

fn finish_by(
    plan: &Plan,
    folder: &Path,
    control: &Control,
    find: impl Fn(&Run<'_>, &TablePlan) -> Result<Vec<Option<ShardEntry>>, BuildError>,
) -> Result<Report, BuildError> {
    let start = Instant::now();
    let mut run = Run::begin(&FileSystem, folder, control, Some(plan))?;
    let plan = &plan.clone().with_codecs_of(&run.manifest);
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for planned in &plan.tables {
        let begun = Instant::now();
        let id = planned.table.to_string();
        let shards = find(&run, planned)?;
        let gone = (0..).zip(&shards).filter(|(_, entry)| entry.is_none());
        missing.extend(gone.map(|(shard, _)| shard_path(&id, shard)));
        let entry = planned.geometry.entry(shards.into_iter().flatten().collect());
        if run.manifest.tables.get(&id) != Some(&entry) {
            found.push((planned, entry, begun.elapsed().as_secs_f64()));
        }
        control.check()?;
    }
    if let Some(first) = missing.first() {
        return Err(BuildError::Missing { first: folder.join(first), count: missing.len() });
    }
    for (planned, entry, seconds) in found {
        if !planned.geometry.is_entry(&entry) || !entry.shards.iter().all(is_possible) {
            let (folder, table) = (folder.to_owned(), planned.table.to_string());
            return Err(BuildError::Impossible { folder, table });
        }
        run.settle(planned)?;
        let kept = entry.shards.len() as u32;
        run.list(&planned.table, entry, kept, seconds);
    }
    plan.tables.iter().try_for_each(|planned| run.remove_states(planned))?;
    if !run.report.tables.is_empty() {
        run.publish_manifest()?;
    }
    run.end(start)
}

/// True if the shard is not empty and its digest is well-formed.
fn is_possible(shard: &ShardEntry) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    shard.bytes > 0 && shard.blake3.len() == 64 && shard.blake3.bytes().all(is_digit)
}

impl Run<'_> {
    /// Finds the valid shards in a range of a table's parts.
    fn find(&self, planned: &TablePlan, parts: &Range<u64>) -> Vec<Option<ShardEntry>> {
        let id = planned.table.to_string();
        let look = |shard| match self.control.is_stopped() {
            true => None,
            false => self.keep(&id, &planned.geometry, shard),
        };
        planned.shards_of(parts).into_par_iter().map(look).collect()
    }

    /// True if the share behind a range of parts needs no more state than there is.
    fn hands_on(&self, planned: &TablePlan, parts: &Range<u64>) -> bool {
        !planned.is_chained() || self.is_handed_on(planned, planned.tiles_of(parts).end)
    }

    /// Builds the missing shards in a range of a table's parts.
    fn share_of(
        &self,
        planned: &TablePlan,
        parts: &Range<u64>,
        request: &Request,
    ) -> Result<Vec<SharedShard>, BuildError> {
        let Request { max_pile, isa, .. } = *request;
        let (table, id) = (&planned.table, planned.table.to_string());
        let shards = planned.shards_of(parts);
        let found = self.find(planned, parts);
        let mut entries: Vec<ShardEntry> = found.iter().flatten().cloned().collect();
        if entries.len() < found.len() || !self.hands_on(planned, parts) {
            let folder = self.folder.join(&id);
            create_folder_on(self.disk, &folder)
                .map_err(|source| BuildError::Write { path: folder, source })?;
            let mut maker = solver(table.game()).maker(Job { game: table.game(), max_pile, isa });
            maker
                .prepare(table, &planned.needs, self.control)
                .map_err(|source| BuildError::of_fill(id.clone(), source))?;
            (entries, _) = TableJob::of(self, planned, &id, &*maker).build(parts)?;
        }
        let paths = shards.map(|shard| shard_path(&id, shard));
        let all = paths.zip(entries).zip(found);
        Ok(all
            .map(|((path, entry), found)| SharedShard { path, entry, kept: found.is_some() })
            .collect())
    }

    /// Removes the temporary files that shares left in a table's folder.
    fn settle(&self, planned: &TablePlan) -> Result<(), BuildError> {
        self.clear(planned)?;
        self.sync_table(&planned.table.to_string())
    }
}
