//! Carrying out a plan.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use grundy_rules::{Game, Table};
use grundy_shard::disk::{Disk, FileSystem};
use grundy_shard::manifest::{
    MANIFEST_FILE, MANIFEST_VERSION, Manifest, ManifestError, ShardEntry, TableEntry, hex,
    shard_path,
};
use grundy_shard::publish::{create_folder_on, of_temporary, publish_on};
use grundy_shard::{EncodedShard, Encoder, Shard, ShardError, most_file_bytes};
use grundy_solvers::{FillError, Job as Filling, Maker, Worker, solver};
use grundy_sweep::{Control, Stopped};

use crate::geometry::ZSTD_LEVEL;
use crate::import::FetchError;
use crate::in_order::CHECKPOINT_FILE;
use crate::{Geometry, Lock, LockError, Plan, PlanError, Request, TablePlan};

/// Finished shards that may wait for the writer.
const WAITING_SHARDS: usize = 1;

/// What was built.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The tables built in this run, in order. Those finished before are not listed.
    pub tables: Vec<TableReport>,
    /// Seconds, lock to last manifest.
    pub seconds: f64,
}

/// One table built.
#[derive(Clone, Debug)]
pub struct TableReport {
    /// The table.
    pub table: Table,
    /// Bytes of its shards.
    pub bytes: u64,
    /// Shards that an earlier run had left, whole and right.
    pub kept_shards: u32,
    /// Shards written in this run.
    pub built_shards: u32,
    /// Seconds, its levels included.
    pub seconds: f64,
}

/// Why a build ended early. Whatever was finished stays, and the next run goes on there.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The control asked for it.
    #[error("stopped; what is finished is kept")]
    Stopped,
    /// Another builder is at work, or the folder cannot be written.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The manifest cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The plan does not fit.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A manifest of version 1, whose text has no digest, says what is not so.
    #[error("what the manifest of {folder} says of {table} is not what the shards are")]
    Unsealed {
        /// The database.
        folder: PathBuf,
        /// The table's id.
        table: String,
    },
    /// A shard cannot be written.
    #[error("cannot write {path}; what is finished is kept")]
    Write {
        /// The shard's path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Shards that other runs were to build are not there, or not whole.
    #[error("{first} is missing, or not what it should be{}", others(*.count))]
    Missing {
        /// The first of them.
        first: PathBuf,
        /// How many there are.
        count: usize,
    },
    /// Those who built shards say of them what cannot be.
    #[error("what is said of the shards of {table} for {folder} cannot be")]
    Impossible {
        /// The database.
        folder: PathBuf,
        /// The table's id.
        table: String,
    },
    /// What was to be put into the database is no table of this program.
    #[error("what is said of the shards of {table} is not of a table that this program knows")]
    Foreign {
        /// The table's id.
        table: String,
    },
    /// What is there is another than what was to be put there.
    #[error("{path} is there and is not the same as the {table} that is to be put there")]
    Differs {
        /// What is there.
        path: PathBuf,
        /// The table's id.
        table: String,
    },
    /// A shard that was to be put into the database cannot be had.
    #[error("cannot read shard {shard} of {table}; what is finished is kept")]
    Fetch {
        /// The table's id.
        table: String,
        /// The shard's number.
        shard: usize,
        /// Why not.
        source: FetchError,
    },
    /// The values of a table cannot be had, or not be stored.
    #[error("cannot fill {table}")]
    Fill {
        /// The table's id.
        table: String,
        /// Why not.
        source: FillError,
    },
    /// A shard cannot be encoded.
    #[error("cannot encode shard {shard} of {table}")]
    Encode {
        /// The table's id.
        table: String,
        /// The shard's number.
        shard: u32,
        /// What went wrong.
        source: ShardError,
    },
}

/// That it is not the only one.
fn others(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => ", and so is another shard".to_owned(),
        more => format!(", and so are {} other shards", more - 1),
    }
}

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> BuildError {
        BuildError::Stopped
    }
}

impl BuildError {
    /// That a table was not filled.
    pub(crate) fn of_fill(table: String, source: FillError) -> BuildError {
        match source {
            FillError::Stopped(_) => BuildError::Stopped,
            source => BuildError::Fill { table, source },
        }
    }
}

/// Builds what is unfinished of a plan, in the rayon pool of the caller. `control`
/// counts the cells of finished frames; `on_table` hears of each finished table.
///
/// # Errors
/// [`BuildError`]; what was finished before stays finished.
pub fn build(
    plan: &Plan,
    folder: &Path,
    control: &Control,
    on_table: impl FnMut(&TableReport),
) -> Result<Report, BuildError> {
    let _lock = Lock::take(folder)?;
    build_on(&FileSystem, plan, folder, control, on_table)
}

/// [`build`] on a disk, where the caller sees to it that nobody else writes into the database.
///
/// # Errors
/// As there.
pub fn build_on(
    disk: &dyn Disk,
    plan: &Plan,
    folder: &Path,
    control: &Control,
    mut on_table: impl FnMut(&TableReport),
) -> Result<Report, BuildError> {
    let start = Instant::now();
    let mut run = Run::begin(disk, folder, control, Some(plan))?;
    for game in &plan.request.games {
        run.game(plan, *game, &mut on_table)?;
    }
    run.end(start)
}

/// Whether nothing can be written to a file, so that nothing waits to be.
fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

pub(crate) struct Run<'a> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) folder: &'a Path,
    pub(crate) control: &'a Control,
    /// Bytes of memory that the plan stays within.
    pub(crate) memory: u64,
    pub(crate) manifest: Manifest,
    pub(crate) report: Report,
}

impl<'a> Run<'a> {
    /// Makes the folder, clears away what a killed builder was writing, and reads the manifest, which is
    /// held against the shards if it has no seal. Nobody else writes into the database. Without a
    /// plan nothing is made again.
    pub(crate) fn begin(
        disk: &'a dyn Disk,
        folder: &'a Path,
        control: &'a Control,
        plan: Option<&Plan>,
    ) -> Result<Run<'a>, BuildError> {
        let failed = |source| BuildError::Write { path: folder.to_owned(), source };
        create_folder_on(disk, folder).map_err(failed)?;
        remove_leftovers(disk, folder, |path| path.ends_with(MANIFEST_FILE)).map_err(failed)?;
        // A manifest that is there counts: an earlier run may have been killed before its name was
        // on disk.
        disk.sync_folder(folder).map_err(failed)?;
        // Read again under the lock: another builder may have finished since the plan.
        let manifest = Manifest::read_on(disk, folder)?.unwrap_or_default();
        let memory = plan.map_or(0, |plan| plan.request.memory);
        let report = Report::default();
        let mut run = Run { disk, folder, control, memory, manifest, report };
        // Before anything is built: each table that is finished gets the manifest a seal.
        if run.manifest.format < MANIFEST_VERSION {
            run.check_unsealed(plan)?;
        }
        Ok(run)
    }

    /// Replaces a manifest of an old version, if no table was finished.
    pub(crate) fn end(mut self, start: Instant) -> Result<Report, BuildError> {
        if self.manifest.format < MANIFEST_VERSION {
            self.publish_manifest()?;
        }
        self.report.seconds = start.elapsed().as_secs_f64();
        Ok(self.report)
    }

    /// Builds the unfinished tables of one game, by increasing length.
    fn game(
        &mut self,
        plan: &Plan,
        game: Game,
        on_table: &mut impl FnMut(&TableReport),
    ) -> Result<(), BuildError> {
        let Request { max_pile, isa, memory, .. } = plan.request;
        let mut maker = solver(game).maker(Filling { game, max_pile, isa });
        for planned in plan.tables.iter().filter(|planned| planned.table.game() == game) {
            if self.is_finished(planned) {
                continue;
            }
            let start = Instant::now();
            maker
                .prepare(&planned.table, &planned.needs, memory, self.control)
                .map_err(|source| BuildError::of_fill(planned.table.to_string(), source))?;
            let (entry, kept_shards) = self.table(planned, &*maker)?;
            let report = TableReport {
                table: planned.table.clone(),
                bytes: entry.bytes(),
                kept_shards,
                built_shards: entry.shards.len() as u32 - kept_shards,
                seconds: start.elapsed().as_secs_f64(),
            };
            self.manifest.tables.insert(planned.table.to_string(), entry);
            self.publish_manifest()?;
            on_table(&report);
            self.report.tables.push(report);
        }
        Ok(())
    }

    /// Holds what a manifest without a seal says against the shards, before it gets one. A table of
    /// the plan of which it says what is not so is made again; any other is an error.
    fn check_unsealed(&mut self, plan: Option<&Plan>) -> Result<(), BuildError> {
        let mut wrong = Vec::new();
        for (id, entry) in &self.manifest.tables {
            let table = id.parse::<Table>().ok().filter(|table| table.to_string() == *id);
            let is_so = table.is_some_and(|table| {
                let geometry = Geometry::of(&table);
                geometry.is_entry(entry)
                    && (0..).zip(&entry.shards).all(|(number, shard)| {
                        let path = self.folder.join(shard_path(id, number));
                        let bytes = self.disk.read(&path, shard.bytes);
                        bytes.is_ok_and(|bytes| {
                            let length = bytes.len() as u64;
                            Shard::open(&bytes).is_ok_and(|found| {
                                *found.description() == geometry.description(number)
                                    && (length, hex(found.digest()))
                                        == (shard.bytes, shard.blake3.clone())
                            })
                        })
                    })
            });
            if !is_so {
                wrong.push(id.clone());
            }
        }
        let planned = |id: &str| {
            plan.is_some_and(|plan| plan.tables.iter().any(|made| made.table.to_string() == id))
        };
        for table in wrong {
            if !planned(&table) {
                return Err(BuildError::Unsealed { folder: self.folder.to_owned(), table });
            }
            self.manifest.tables.remove(&table);
        }
        Ok(())
    }

    pub(crate) fn publish_manifest(&mut self) -> Result<(), ManifestError> {
        self.manifest.format = MANIFEST_VERSION;
        self.manifest.publish_on(self.disk, self.folder)
    }

    /// Whether the manifest lists the table and every shard has the length it lists. The
    /// bytes themselves are `verify`'s business.
    pub(crate) fn is_finished(&self, planned: &TablePlan) -> bool {
        let id = planned.table.to_string();
        let Some(entry) = self.manifest.tables.get(&id) else { return false };
        planned.geometry.is_entry(entry)
            && entry.shards.iter().zip(0..).all(|(shard, index)| {
                let path = self.folder.join(shard_path(&id, index));
                self.disk.length(&path).is_ok_and(|found| found == shard.bytes)
            })
    }

    /// Builds one table; returns its entry and how many shards were there already.
    fn table(
        &self,
        planned: &TablePlan,
        maker: &dyn Maker,
    ) -> Result<(TableEntry, u32), BuildError> {
        let id = planned.table.to_string();
        self.clear(planned)?;
        let job = self.job(planned, &id, maker);
        let (shards, kept) = job.build(0..planned.geometry.shards())?;
        Ok((planned.geometry.entry(shards), kept))
    }

    /// The entry of a shard that is on disk already, if it is this one, and right to the last byte.
    pub(crate) fn keep(&self, id: &str, geometry: &Geometry, shard: u32) -> Option<ShardEntry> {
        let path = self.folder.join(shard_path(id, shard));
        let description = geometry.description(shard);
        // What is longer than the values and all that frames them cannot be this shard.
        let most = most_file_bytes(description.value_len());
        let bytes = self.disk.read(&path, most).ok()?;
        let found = Shard::open(&bytes).ok()?;
        if *found.description() != description || found.verify().is_err() {
            return None;
        }
        // Whoever put it there may not have forced it to disk. Where nothing can be written, nothing
        // waits to be.
        match self.disk.sync(&path) {
            Err(error) if !is_denied(&error) => return None,
            _ => {}
        }
        self.control.advance(description.value_len() / u64::from(description.value_bytes));
        Some(ShardEntry { bytes: bytes.len() as u64, blake3: hex(found.digest()) })
    }

    /// Makes the folder of a table, and clears away what a killed builder was writing there.
    pub(crate) fn clear(&self, planned: &TablePlan) -> Result<(), BuildError> {
        self.clear_table(&planned.table.to_string(), planned.geometry.shards())
    }

    /// The same of a table of so many shards.
    pub(crate) fn clear_table(&self, id: &str, shards: u32) -> Result<(), BuildError> {
        let folder = self.folder.join(id);
        let failed = |source| BuildError::Write { path: folder.clone(), source };
        create_folder_on(self.disk, &folder).map_err(failed)?;
        let ours: BTreeSet<PathBuf> = (0..shards)
            .map(|shard| self.folder.join(shard_path(id, shard)))
            .chain([folder.join(CHECKPOINT_FILE)])
            .collect();
        remove_leftovers(self.disk, &folder, |path| ours.contains(path)).map_err(failed)
    }

    pub(crate) fn job<'b>(
        &'b self,
        planned: &'b TablePlan,
        id: &'b str,
        maker: &'b dyn Maker,
    ) -> Job<'b> {
        let threads = rayon::current_num_threads();
        let (table, geometry) = (&planned.table, &planned.geometry);
        Job { run: self, id, table, geometry, maker, threads }
    }
}

/// Removes what a killed builder was writing: temporary files of what is `ours`, and nothing
/// else that lies there. The lock is held, so nobody else is writing.
fn remove_leftovers(
    disk: &dyn Disk,
    folder: &Path,
    ours: impl Fn(&Path) -> bool,
) -> io::Result<()> {
    for name in disk.files(folder)? {
        let published = name.to_str().and_then(of_temporary);
        if published.is_some_and(|name| ours(&folder.join(name))) {
            disk.remove(&folder.join(&name))?;
        }
    }
    Ok(())
}

/// One table being built.
pub(crate) struct Job<'a> {
    pub(crate) run: &'a Run<'a>,
    pub(crate) id: &'a str,
    pub(crate) table: &'a Table,
    pub(crate) geometry: &'a Geometry,
    pub(crate) maker: &'a dyn Maker,
    pub(crate) threads: usize,
}

/// What a worker hands to the writer.
enum Finished {
    /// Found on disk, whole and right.
    Kept(ShardEntry),
    /// To be written.
    Built(EncodedShard),
}

type Message = (u32, Result<Finished, ShardError>);

impl Job<'_> {
    fn path(&self, shard: u32) -> PathBuf {
        self.run.folder.join(shard_path(self.id, shard))
    }

    /// Builds some shards of the table, made ready; all if its tiles come in order. Returns their
    /// entries, and how many of them an earlier run had left.
    pub(crate) fn build(&self, shards: Range<u32>) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let built = match self.maker.in_order(self.table) {
            Some(run) => self.build_in_order(run)?,
            None => self.build_tiles(shards)?,
        };
        // Shards that an earlier run left may have names that are not on disk yet.
        let folder = self.run.folder.join(self.id);
        let synced = self.run.disk.sync_folder(&folder);
        synced.map_err(|source| BuildError::Write { path: folder, source })?;
        Ok(built)
    }

    /// Builds shards whose tiles can be computed in any order.
    fn build_tiles(&self, shards: Range<u32>) -> Result<(Vec<ShardEntry>, u32), BuildError> {
        let next = AtomicU32::new(shards.start);
        let (sender, receiver) = crossbeam_channel::bounded(WAITING_SHARDS);
        let (shards, kept) = std::thread::scope(|scope| {
            let writer = scope.spawn(|| self.write(shards.clone(), receiver));
            rayon::broadcast(|_| self.work(&next, shards.end, &sender));
            drop(sender);
            writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })?;
        // All shards, or the workers were stopped.
        let shards: Option<Vec<ShardEntry>> = shards.into_iter().collect();
        Ok((shards.ok_or(BuildError::Stopped)?, kept))
    }

    /// Compresses all values of a shard and puts it in its place.
    pub(crate) fn publish_values(
        &self,
        shard: u32,
        values: &[u8],
    ) -> Result<ShardEntry, BuildError> {
        let mut encoder = Encoder::new(ZSTD_LEVEL);
        let encode = |encoder: &mut Encoder| {
            encoder.begin(self.geometry.description(shard))?;
            for frame in values.chunks(self.geometry.frame_bytes() as usize) {
                encoder.push_frame(frame)?;
            }
            encoder.finish()
        };
        let encoded = encode(&mut encoder).map_err(|source| BuildError::Encode {
            table: self.id.to_owned(),
            shard,
            source,
        })?;
        self.publish(shard, &encoded)
    }

    fn publish(&self, shard: u32, encoded: &EncodedShard) -> Result<ShardEntry, BuildError> {
        let path = self.path(shard);
        publish_on(self.run.disk, &path, &encoded.bytes)
            .map_err(|source| BuildError::Write { path, source })?;
        Ok(ShardEntry { bytes: encoded.bytes.len() as u64, blake3: hex(&encoded.digest) })
    }

    /// A worker: claims shards until there are none, the control says stop, or the
    /// writer has gone.
    fn work(&self, next: &AtomicU32, end: u32, sender: &Sender<Message>) {
        let mut worker = self.maker.worker(self.table);
        let mut encoder = Encoder::new(ZSTD_LEVEL);
        loop {
            let shard = next.fetch_add(1, Ordering::Relaxed);
            if shard >= end || self.run.control.is_stopped() {
                return;
            }
            let finished = match self.keep(shard) {
                Some(entry) => Ok(Finished::Kept(entry)),
                None => match self.encode(shard, &mut *worker, &mut encoder) {
                    Ok(Some(encoded)) => Ok(Finished::Built(encoded)),
                    Ok(None) => return,
                    Err(error) => Err(error),
                },
            };
            if sender.send((shard, finished)).is_err() {
                return;
            }
        }
    }

    /// The entry of a shard that is on disk already.
    pub(crate) fn keep(&self, shard: u32) -> Option<ShardEntry> {
        self.run.keep(self.id, self.geometry, shard)
    }

    /// Computes and compresses a shard, frame by frame; `None` if stopped.
    fn encode(
        &self,
        shard: u32,
        worker: &mut dyn Worker,
        encoder: &mut Encoder,
    ) -> Result<Option<EncodedShard>, ShardError> {
        let description = self.geometry.description(shard);
        let (mut tile, end) = (description.first_tile, description.first_tile + description.tiles);
        encoder.begin(description)?;
        while tile < end {
            if self.run.control.is_stopped() {
                return Ok(None);
            }
            let tiles = self.geometry.tiles_per_frame().min(end - tile);
            encoder.push_frame(worker.tiles(tile, tiles))?;
            self.run.control.advance(tiles * self.table.tile_cells() as u64);
            tile += tiles;
        }
        encoder.finish().map(Some)
    }

    /// The writer: publishes shards as they come, and gathers their entries. Returns
    /// early on an error, which makes the workers' sends fail and so stops them.
    fn write(
        &self,
        shards: Range<u32>,
        receiver: Receiver<Message>,
    ) -> Result<(Vec<Option<ShardEntry>>, u32), BuildError> {
        let mut entries = vec![None; shards.len()];
        let mut kept = 0;
        for (shard, finished) in receiver {
            let finished = finished.map_err(|source| BuildError::Encode {
                table: self.id.to_owned(),
                shard,
                source,
            })?;
            let entry = match finished {
                Finished::Kept(entry) => {
                    kept += 1;
                    entry
                }
                Finished::Built(encoded) => self.publish(shard, &encoded)?,
            };
            entries[(shard - shards.start) as usize] = Some(entry);
        }
        Ok((entries, kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_shards_are_counted() {
        let all = [1, 2, 3, 10].map(others);
        let said = ["", ", and so is another shard", ", and so are 2 other shards"];
        assert_eq!(all[..3], said);
        assert_eq!(all[3], ", and so are 9 other shards");
    }
}
