//! Imports tables: copies shards that were built elsewhere into a database.
//!
//! An import takes the same steps as a build. It writes each shard as a whole, then syncs the
//! folder, and publishes the manifest last. So if an import is killed, the next import continues
//! from its finished shards. The import keeps existing shards that equal the expected ones. If an
//! existing shard differs, the import fails before it writes anything.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Instant;

use grundy_rules::Table;
use grundy_shard::disk::FileSystem;
use grundy_shard::manifest::{TableEntry, shard_path};
use grundy_shard::publish::publish_on;
use grundy_sweep::Control;

use crate::error::{BuildError, FetchError};
use crate::geometry::Geometry;
use crate::lock::Lock;
use crate::run::{Report, Run, open};

/// A function that returns the bytes of a shard, given the id of the table and the shard's index.
pub type Fetch<'a> = dyn Fn(&str, usize) -> Result<Vec<u8>, FetchError> + 'a;

/// Imports the tables listed in `entries` (by id) into a database. `fetch` returns the bytes of
/// each shard. The control counts cells.
///
/// # Errors
/// [`BuildError::Differs`] if the database has a different table or shard of the same name; then
/// nothing has changed. Other errors are the same as in a build; finished shards stay on disk.
pub fn import(
    entries: &BTreeMap<String, TableEntry>,
    folder: &Path,
    control: &Control,
    fetch: &Fetch<'_>,
) -> Result<Report, BuildError> {
    let start = Instant::now();
    // Check all tables before the import changes anything.
    let known =
        entries.iter().map(|(id, entry)| known(id, entry)).collect::<Result<Vec<_>, _>>()?;
    let _lock = Lock::take(folder)?;
    let mut run = Run::begin(&FileSystem, folder, control, None)?;
    let mut wanted = Vec::new();
    for ((id, entry), (table, geometry)) in entries.iter().zip(known) {
        if !run.has(id, entry)? {
            wanted.push((id, table, geometry, entry));
        }
    }
    let mut kept = Vec::new();
    for (id, _, geometry, entry) in &wanted {
        kept.push(run.existing(id, geometry, entry)?);
    }
    for ((id, table, geometry, entry), kept) in wanted.into_iter().zip(kept) {
        let begun = Instant::now();
        run.clear_table(id, geometry.shards())?;
        for (number, kept) in kept.iter().enumerate() {
            control.check()?;
            if !kept {
                run.put(id, number, &geometry, entry, fetch)?;
            }
        }
        run.sync_table(id)?;
        let kept = kept.iter().filter(|kept| **kept).count() as u32;
        run.list(&table, entry.clone(), kept, begun.elapsed().as_secs_f64());
        run.publish_manifest()?;
    }
    run.end(start)
}

/// Returns the table with this id if this program knows the table and `entry` describes it.
pub fn known(id: &str, entry: &TableEntry) -> Result<(Table, Geometry), BuildError> {
    let table = Table::of_id(id, entry.rules.as_deref());
    let known = table.map(|table| (Geometry::of(&table).like(entry), table));
    match known.filter(|(geometry, _)| geometry.is_entry(entry)) {
        Some((geometry, table)) => Ok((table, geometry)),
        None => Err(BuildError::Foreign { table: id.to_owned() }),
    }
}

impl Run<'_> {
    /// True if the database contains the table. Returns an error if it contains other values.
    fn has(&self, id: &str, entry: &TableEntry) -> Result<bool, BuildError> {
        let Some(listed) = self.manifest.tables.get(id) else { return Ok(false) };
        let differs = || BuildError::Differs { path: self.folder.join(id), table: id.to_owned() };
        if listed.digest() != entry.digest() {
            return Err(differs());
        }
        let is_there = self.has_files(id, listed);
        // If the entries are equal, the import restores the missing files. One of them may be older
        // than numberings.
        let numbering = listed.numbering.clone();
        match is_there || *listed == (TableEntry { numbering, ..entry.clone() }) {
            true => Ok(is_there),
            false => Err(differs()),
        }
    }

    /// Returns one flag for each shard: true if it exists. Fails if an existing shard differs.
    fn existing(
        &self,
        id: &str,
        geometry: &Geometry,
        entry: &TableEntry,
    ) -> Result<Vec<bool>, BuildError> {
        let each = (0..).zip(&entry.shards).map(|(shard, listed)| {
            let path = self.folder.join(shard_path(id, shard));
            // If the system hides a shard, writing it fails, and reports the reason.
            if fs::symlink_metadata(&path).is_err() {
                return Ok(false);
            }
            self.control.check()?;
            match self.keep(id, geometry, shard) {
                Some(found) if found == *listed => Ok(true),
                _ => Err(BuildError::Differs { path, table: id.to_owned() }),
            }
        });
        each.collect()
    }

    /// Fetches a shard, and publishes it if it matches the entry.
    fn put(
        &self,
        id: &str,
        number: usize,
        geometry: &Geometry,
        entry: &TableEntry,
        fetch: &Fetch<'_>,
    ) -> Result<(), BuildError> {
        let listed = &entry.shards[number];
        let failed = |source| BuildError::Fetch { table: id.to_owned(), shard: number, source };
        let bytes = fetch(id, number).map_err(failed)?;
        let description = geometry.description(number as u32);
        if !open(&bytes, &description).is_some_and(|(_, entry)| entry == *listed) {
            return Err(BuildError::Foreign { table: id.to_owned() });
        }
        let path = self.folder.join(shard_path(id, number as u32));
        publish_on(self.disk, &path, &bytes)
            .map_err(|source| BuildError::Write { path, source })?;
        self.control.advance(description.cells());
        Ok(())
    }
}
