//! Writes the manifest and the folders of a database.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use std::{fs, io};

use grundy_rules::Table;
use grundy_shard::disk::Disk;
use grundy_shard::manifest::{
    MANIFEST_FILE, MANIFEST_VERSION, Manifest, ManifestError, ShardEntry, TableEntry,
    UNSEALED_VERSION, hex, shard_path,
};
use grundy_shard::publish::{create_folder_on, of_temporary};
use grundy_shard::{Codec, Description, Shard, most_file_bytes};
use grundy_sweep::Control;

use crate::error::BuildError;
use crate::geometry::Geometry;
use crate::plan::{Plan, TablePlan};

#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The tables that this run built, in order.
    pub tables: Vec<TableReport>,
    /// Seconds from taking the lock to publishing the last manifest.
    pub seconds: f64,
}

#[derive(Clone, Debug)]
pub struct TableReport {
    pub table: Table,
    pub bytes: u64,
    /// Valid shards that an earlier run had built.
    pub kept_shards: u32,
    pub built_shards: u32,
    /// Valid shards that an earlier version had built in another codec, and that were built again.
    pub recoded_shards: u32,
    pub seconds: f64,
}

/// The subfolder of a database in which `rebuild_share` works. If the process is killed, the next
/// builder removes it.
pub(crate) const AGAIN: &str = "again.tmp";

/// The extension of the files with the state between two parts of a table.
pub(crate) const STATE: &str = "state";

/// True if the error says that writing is forbidden. Then no unsynced bytes can exist.
fn is_denied(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

/// Opens a shard and creates its entry. `None` if the bytes are not the described shard.
pub(crate) fn open<'a>(
    bytes: &'a [u8],
    description: &Description,
) -> Option<(Shard<&'a [u8]>, ShardEntry)> {
    let shard = Shard::open(bytes).ok().filter(|shard| shard.description() == description)?;
    let entry = ShardEntry { bytes: bytes.len() as u64, blake3: hex(shard.digest()) };
    Some((shard, entry))
}

pub(crate) struct Run<'a> {
    pub(crate) disk: &'a dyn Disk,
    pub(crate) folder: &'a Path,
    pub(crate) control: &'a Control,
    pub(crate) manifest: Manifest,
    pub(crate) report: Report,
    /// The number of valid shards of the current table in another codec.
    recoded: AtomicU32,
}

impl<'a> Run<'a> {
    /// Creates a run with an empty manifest.
    pub(crate) fn of(disk: &'a dyn Disk, folder: &'a Path, control: &'a Control) -> Run<'a> {
        let (manifest, report) = (Manifest::default(), Report::default());
        Run { disk, folder, control, manifest, report, recoded: AtomicU32::new(0) }
    }

    /// Creates the folder, removes temporary files of a killed builder, and reads the manifest.
    /// Checks a manifest without a seal against the shards. Without a plan, a wrong entry is an
    /// error. The caller holds the exclusive lock.
    pub(crate) fn begin(
        disk: &'a dyn Disk,
        folder: &'a Path,
        control: &'a Control,
        plan: Option<&Plan>,
    ) -> Result<Run<'a>, BuildError> {
        let failed = |source| BuildError::Write { path: folder.to_owned(), source };
        create_folder_on(disk, folder).map_err(failed)?;
        remove_leftovers(disk, folder, |path| path.ends_with(MANIFEST_FILE)).map_err(failed)?;
        // A file of this name is not ours.
        let again = folder.join(AGAIN);
        if again.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            remove_all(&again).map_err(failed)?;
        }
        // An earlier run may have been killed before it synced the name of its manifest.
        disk.sync_folder(folder).map_err(failed)?;
        // Read the manifest again under the lock, because another builder may have replaced it.
        let manifest = Manifest::read_on(disk, folder)?.unwrap_or_default();
        let mut run = Run { manifest, ..Run::of(disk, folder, control) };
        // Check an old manifest now, because the first finished table publishes a sealed manifest.
        if run.manifest.format == UNSEALED_VERSION {
            run.check_unsealed(plan)?;
        }
        Ok(run)
    }

    /// Publishes the manifest if it still has an old version, or lacks a numbering.
    pub(crate) fn end(mut self, start: Instant) -> Result<Report, BuildError> {
        let lacks = |(id, entry): (&String, &TableEntry)| {
            entry.lacks_numbering() && Table::of_id(id, entry.rules.as_deref()).is_some()
        };
        let is_old = self.manifest.format < MANIFEST_VERSION;
        if is_old || self.manifest.tables.iter().any(lacks) {
            self.publish_manifest()?;
        }
        self.report.seconds = start.elapsed().as_secs_f64();
        Ok(self.report)
    }

    /// Checks a manifest without a seal against the shards. Removes wrong entries of tables in the
    /// plan, so they are rebuilt. Any other wrong entry is an error.
    fn check_unsealed(&mut self, plan: Option<&Plan>) -> Result<(), BuildError> {
        let is_wrong = |(id, entry): &(&String, &TableEntry)| !self.is_so(id, entry);
        let wrong: Vec<String> =
            self.manifest.tables.iter().filter(is_wrong).map(|(id, _)| id.clone()).collect();
        for table in wrong {
            let made = |plan: &Plan| plan.tables.iter().any(|made| made.table.to_string() == table);
            if !plan.is_some_and(made) {
                return Err(BuildError::Unsealed { folder: self.folder.to_owned(), table });
            }
            self.manifest.tables.remove(&table);
        }
        Ok(())
    }

    /// True if an entry agrees with the headers of the table's shards, which can be read.
    fn is_so(&self, id: &str, entry: &TableEntry) -> bool {
        let table = Table::of_id(id, entry.rules.as_deref());
        let Some(table) = table else { return false };
        let geometry = Geometry::of(&table).like(entry);
        let is_listed = |(number, listed): (u32, &ShardEntry)| {
            let bytes = self.disk.read(&self.folder.join(shard_path(id, number)), listed.bytes);
            bytes.is_ok_and(|bytes| {
                open(&bytes, &geometry.description(number)).is_some_and(|found| found.1 == *listed)
            })
        };
        geometry.is_entry(entry) && (0..).zip(&entry.shards).all(is_listed)
    }

    pub(crate) fn publish_manifest(&mut self) -> Result<(), ManifestError> {
        // Older manifests, and older packs, have no numberings.
        for (id, entry) in
            self.manifest.tables.iter_mut().filter(|(_, entry)| entry.lacks_numbering())
        {
            let table = Table::of_id(id, entry.rules.as_deref());
            entry.numbering = table.and_then(|table| Geometry::of(&table).numbering());
        }
        self.manifest.format = MANIFEST_VERSION;
        self.manifest.publish_on(self.disk, self.folder)
    }

    pub(crate) fn list(&mut self, table: &Table, entry: TableEntry, kept: u32, seconds: f64) {
        self.report.tables.push(TableReport {
            table: table.clone(),
            bytes: entry.bytes(),
            kept_shards: kept,
            built_shards: entry.shards.len() as u32 - kept,
            recoded_shards: self.recoded.swap(0, Ordering::Relaxed),
            seconds,
        });
        self.manifest.tables.insert(table.to_string(), entry);
    }

    /// True if every shard of a table has the listed length. Only `verify` checks the bytes. If the
    /// system does not tell the length, the shard is built again.
    pub(crate) fn has_files(&self, id: &str, entry: &TableEntry) -> bool {
        (0..).zip(&entry.shards).all(|(shard, listed)| {
            let path = self.folder.join(shard_path(id, shard));
            self.disk.length(&path).is_ok_and(|found| found == listed.bytes)
        })
    }

    /// Returns the entry of an existing shard, if it is the right shard and every byte is valid. A
    /// shard that cannot be read is built again; publishing it reports a fault of the folder.
    pub(crate) fn keep(&self, id: &str, geometry: &Geometry, shard: u32) -> Option<ShardEntry> {
        let path = self.folder.join(shard_path(id, shard));
        let description = geometry.description(shard);
        // A file longer than `most` cannot be this shard.
        let most = most_file_bytes(description.value_len());
        let bytes = self.disk.read(&path, most).ok()?;
        let Some((found, entry)) = open(&bytes, &description) else {
            let is_other = |codec| {
                let other = Description { codec, ..description.clone() };
                open(&bytes, &other).is_some_and(|(found, _)| found.verify().is_ok())
            };
            let is_recoded = Codec::ALL.into_iter().any(is_other);
            self.recoded.fetch_add(is_recoded.into(), Ordering::Relaxed);
            return None;
        };
        found.verify().ok()?;
        // An earlier run may not have synced the shard. If writing is forbidden, no unsynced bytes
        // can exist.
        match self.disk.sync(&path) {
            Err(error) if !is_denied(&error) => return None,
            _ => {}
        }
        self.control.advance(description.cells());
        Some(entry)
    }

    /// Creates the folder of a table, and removes temporary files of a killed builder.
    pub(crate) fn clear(&self, planned: &TablePlan) -> Result<(), BuildError> {
        self.clear_table(&planned.table.to_string(), planned.geometry.shards())
    }

    pub(crate) fn clear_table(&self, id: &str, shards: u32) -> Result<(), BuildError> {
        let folder = self.folder.join(id);
        let failed = |source| BuildError::Write { path: folder.clone(), source };
        create_folder_on(self.disk, &folder).map_err(failed)?;
        let paths = (0..shards).map(|shard| self.folder.join(shard_path(id, shard)));
        let ours: BTreeSet<PathBuf> = paths.collect();
        let is_state = |path: &Path| path.extension().is_some_and(|found| found == STATE);
        let is_ours = |path: &Path| ours.contains(path) || is_state(path);
        remove_leftovers(self.disk, &folder, is_ours).map_err(failed)
    }

    pub(crate) fn sync_table(&self, id: &str) -> Result<(), BuildError> {
        let folder = self.folder.join(id);
        let synced = self.disk.sync_folder(&folder);
        synced.map_err(|source| BuildError::Write { path: folder, source })
    }
}

/// Removes the temporary files that a killed builder left, if `ours` accepts their final paths.
/// This process holds the lock, so no other process writes.
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

/// Removes a folder if it exists.
pub(crate) fn remove_all(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
