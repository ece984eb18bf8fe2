//! Opens databases at an address, or in a pack.
//!
//! ```text
//!   https://.../tables.tar            begins with pack.json, which locates other files
//!   https://.../release/pack.json     data files beside it
//!   https://.../db/manifest.json      shards below it, as in a folder
//! ```
//!
//! The first file that is read gives the lengths of all other files, and a digest of each shard.
//! The seek table of a shard has a checksum, and each frame has one, too. So damaged bytes, or a
//! file that changed between two requests, give an error and never a wrong value. But a server can
//! forge checksums. Only `verify` and `unpack` compare a shard with its digest in the manifest.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use grundy_pack::{Fault, MOST_MANIFEST_BYTES, Pack, PackError, PackManifest, first_file};
use grundy_remote::{Address, Remote, RemoteError, RemoteFile, RemotePart, set_deadline, want};
use grundy_shard::manifest::{
    MANIFEST_FILE, MANIFEST_VERSION, Manifest, ShardEntry, TableEntry, shard_path,
};

use crate::location::{Location, ShardBytes, ShardRange};
use crate::{Access, Database, Limits, QueryError};

/// The number of bytes in the first read of a tar: enough for the `pack.json` of a few tables.
const BEGINNING: u64 = 32 << 10;

const MOST_MANIFEST: u64 = 64 << 20;

impl Database {
    /// Opens a local pack, a folder or a tar, as a database.
    pub fn open_pack(path: &Path, limits: Limits) -> Result<Database, QueryError> {
        let pack = Pack::open(path, None)?;
        Database::open_at(Arc::new(LocalPack { pack }), limits)
    }

    /// Opens the pack, or the database, at an address.
    ///
    /// # Errors
    /// [`QueryError::Fetch`] if the address cannot be read, [`QueryError::Nothing`] if it has
    /// neither a pack nor a database, and the errors of [`Database::open_pack`].
    pub fn open_address(
        remote: &Arc<Remote>,
        address: &Address,
        limits: Limits,
    ) -> Result<Database, QueryError> {
        set_deadline(limits.seconds);
        let place = RemoteTables::open(remote, address);
        set_deadline(f64::INFINITY);
        Database::open_at(Arc::new(place?), limits)
    }

    /// Opens the database or the pack at a place, which is a folder, a tar, or an address. Calls
    /// `remote` to get the client that reads an address.
    pub fn open_place<E: From<QueryError> + From<RemoteError>>(
        place: &Path,
        limits: Limits,
        access: Access,
        remote: impl FnOnce() -> Result<Arc<Remote>, E>,
    ) -> Result<Database, E> {
        Ok(match Address::of_place(place)? {
            Some(address) => Database::open_address(&remote()?, &address, limits)?,
            None => Database::open_local(place, limits, access)?,
        })
    }

    /// Opens the database, or the pack, in a folder.
    pub fn open_local(path: &Path, limits: Limits, access: Access) -> Result<Database, QueryError> {
        let is_tar = path.extension().is_some_and(|ending| ending == "tar") && path.is_file();
        match is_tar || is_folder_pack(path) {
            true => Database::open_pack(path, limits),
            false => Database::open_by(path, limits, access),
        }
    }
}

/// True if a folder is a pack: it has the manifest of a pack, but not the manifest of a database.
#[must_use]
pub fn is_folder_pack(path: &Path) -> bool {
    path.join(grundy_pack::MANIFEST_FILE).is_file() && !path.join(MANIFEST_FILE).is_file()
}

/// Returns the manifest of a database that has the tables of a pack.
fn manifest_of(tables: impl Iterator<Item = (String, TableEntry)>) -> Manifest {
    Manifest { format: MANIFEST_VERSION, tables: tables.collect() }
}

fn entries(manifest: &PackManifest) -> impl Iterator<Item = (String, TableEntry)> {
    manifest.tables.iter().map(|(id, packed)| (id.clone(), packed.entry.clone()))
}

fn named(file: impl std::fmt::Display, table: &str, shard: u32) -> PathBuf {
    format!("{file} (shard {shard} of {table})").into()
}

#[derive(Debug)]
struct LocalPack {
    pack: Pack,
}

impl Location for LocalPack {
    fn path(&self) -> &Path {
        self.pack.path()
    }

    fn manifest(&self) -> Result<Option<Manifest>, QueryError> {
        Ok(Some(manifest_of(entries(self.pack.manifest()))))
    }

    fn shard(&self, table: &str, shard: u32, _: &ShardEntry) -> io::Result<ShardBytes> {
        let source = self.pack.shard_source(table, shard as usize);
        source.map(ShardBytes::new).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn shard_path(&self, table: &str, shard: u32) -> PathBuf {
        named(self.path().display(), table, shard)
    }
}

#[derive(Debug)]
struct RemoteTables {
    path: PathBuf,
    tables: Manifest,
    /// The shards of each table, created at the first access. A shard is a separate file, or a part
    /// of a data file.
    parts: BTreeMap<String, Vec<OnceLock<RemotePart>>>,
    /// The address of a folder; `None` for a pack, whose parts are all created when it is opened.
    folder: Option<(Arc<Remote>, Address)>,
}

impl RemoteTables {
    fn open(remote: &Arc<Remote>, address: &Address) -> Result<RemoteTables, QueryError> {
        if address.ends_with(".tar") {
            return RemoteTables::of_tar(remote, address);
        }
        // The address of a manifest means the folder that contains the manifest.
        let pack = grundy_pack::MANIFEST_FILE;
        if let Some(folder) = address.folder_of(pack) {
            return RemoteTables::of_pack(remote, &folder);
        }
        if let Some(folder) = address.folder_of(MANIFEST_FILE) {
            return RemoteTables::of_folder(remote, &folder);
        }
        match RemoteTables::of_pack(remote, address) {
            Err(error) if is_not_there(&error) => {}
            found => return found,
        }
        match RemoteTables::of_folder(remote, address) {
            Err(error) if is_not_there(&error) => {
                Err(QueryError::Nothing { path: address.to_string().into() })
            }
            found => found,
        }
    }

    fn of_tar(remote: &Arc<Remote>, address: &Address) -> Result<RemoteTables, QueryError> {
        let path = PathBuf::from(address.to_string());
        let damaged = |fault| QueryError::Pack(PackError::damaged(&path, fault));
        let mut text = remote.beginning(address, BEGINNING).map_err(fetch)?;
        let listed = first_file(&text.bytes).ok_or_else(|| damaged(Fault::NotATar))?;
        if listed.end > BEGINNING {
            if listed.end - listed.start > MOST_MANIFEST_BYTES {
                return Err(damaged(Fault::Syntax));
            }
            text = remote.beginning(address, listed.end).map_err(fetch)?;
        }
        let bytes = text.bytes.get(listed.start as usize..listed.end as usize);
        let bytes =
            bytes.ok_or_else(|| damaged(Fault::Cut(grundy_pack::MANIFEST_FILE.to_owned())))?;
        let manifest = PackManifest::of_text(bytes).map_err(damaged)?;
        let places = manifest.places_in_tar(bytes).unwrap_or_default();
        let file = Arc::new(text.file(remote));
        RemoteTables::packed(path.clone(), &manifest, |name, at, bytes| {
            let at = places.get(name)?.checked_add(at)?;
            RemotePart::new(Arc::clone(&file), at, bytes)
        })
    }

    fn of_pack(remote: &Arc<Remote>, address: &Address) -> Result<RemoteTables, QueryError> {
        let path = PathBuf::from(address.to_string());
        let listed = address.below(grundy_pack::MANIFEST_FILE);
        let text = remote.text(&listed, MOST_MANIFEST_BYTES).map_err(fetch)?;
        let manifest = PackManifest::of_text(&text.bytes)
            .map_err(|fault| QueryError::Pack(PackError::damaged(&path, fault)))?;
        let data = manifest.tables.values().map(|packed| &packed.file);
        let files: BTreeMap<&String, Arc<RemoteFile>> = data
            .filter_map(|name| {
                let entry = manifest.files.get(name)?;
                let file = RemoteFile::new(Arc::clone(remote), address.below(name), entry.bytes);
                Some((name, Arc::new(file)))
            })
            .collect();
        RemoteTables::packed(path, &manifest, |name, at, bytes| {
            RemotePart::new(Arc::clone(files.get(&name.to_owned())?), at, bytes)
        })
    }

    /// Returns the tables of a pack. `part` creates a part from its file name, offset and length.
    fn packed(
        path: PathBuf,
        manifest: &PackManifest,
        part: impl Fn(&str, u64, u64) -> Option<RemotePart>,
    ) -> Result<RemoteTables, QueryError> {
        let mut parts = BTreeMap::new();
        for (id, packed) in &manifest.tables {
            let shards = packed.offsets.iter().zip(&packed.entry.shards);
            let all = shards.map(|(at, listed)| part(&packed.file, *at, listed.bytes));
            let cut = || PackError::damaged(&path, Fault::Cut(packed.file.clone()));
            let all: Option<Vec<_>> = all.map(|part| part.map(OnceLock::from)).collect();
            parts.insert(id.clone(), all.ok_or_else(cut)?);
        }
        Ok(RemoteTables { path, tables: manifest_of(entries(manifest)), parts, folder: None })
    }

    fn of_folder(remote: &Arc<Remote>, address: &Address) -> Result<RemoteTables, QueryError> {
        let listed = address.below(MANIFEST_FILE);
        let text = remote.text(&listed, MOST_MANIFEST).map_err(fetch)?;
        let tables = Manifest::of_text(&text.bytes, listed.to_string().into())?;
        let shards = |entry: &TableEntry| entry.shards.iter().map(|_| OnceLock::new()).collect();
        let parts = tables.tables.iter().map(|(id, entry)| (id.clone(), shards(entry))).collect();
        let folder = Some((Arc::clone(remote), address.clone()));
        Ok(RemoteTables { path: address.to_string().into(), tables, parts, folder })
    }

    fn part(&self, table: &str, shard: u32) -> Option<&RemotePart> {
        let part = self.parts.get(table)?.get(shard as usize)?;
        let Some((remote, address)) = &self.folder else { return part.get() };
        let listed = self.tables.tables.get(table)?.shards.get(shard as usize)?;
        Some(part.get_or_init(|| {
            // Names of tables and shards need no escaping in an address.
            let name = shard_path(table, shard).to_string_lossy().replace('\\', "/");
            let file = RemoteFile::new(Arc::clone(remote), address.below(&name), listed.bytes);
            RemotePart::whole(Arc::new(file))
        }))
    }
}

impl Location for RemoteTables {
    fn path(&self) -> &Path {
        &self.path
    }

    fn manifest(&self) -> Result<Option<Manifest>, QueryError> {
        Ok(Some(self.tables.clone()))
    }

    fn shard(&self, table: &str, shard: u32, _: &ShardEntry) -> io::Result<ShardBytes> {
        let part = self.part(table, shard).ok_or(io::ErrorKind::NotFound)?;
        Ok(ShardBytes::new(part.clone()))
    }

    fn shard_path(&self, table: &str, shard: u32) -> PathBuf {
        match self.part(table, shard) {
            Some(part) if self.folder.is_some() => part.file().address().to_string().into(),
            Some(part) => named(part.file().address(), table, shard),
            None => named(self.path.display(), table, shard),
        }
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn want(&self, wanted: &[ShardRange]) -> io::Result<()> {
        // Group the ranges by file, because shards in a pack share a data file.
        let mut files: BTreeMap<*const RemoteFile, (&RemoteFile, Vec<_>)> = BTreeMap::new();
        for ShardRange { table, shard, range } in wanted {
            if let Some(part) = self.part(table, *shard) {
                let file = files.entry(Arc::as_ptr(part.file()));
                let (_, ranges) = file.or_insert_with(|| (&**part.file(), Vec::new()));
                ranges.push(part.in_file(range.clone()));
            }
        }
        let files: Vec<_> = files.into_values().collect();
        Ok(want(&files)?)
    }

    fn within(&self, seconds: f64) {
        set_deadline(seconds);
    }
}

fn fetch(error: RemoteError) -> QueryError {
    QueryError::Fetch(error.into())
}

fn is_not_there(error: &QueryError) -> bool {
    let QueryError::Fetch(error) = error else { return false };
    let inner = error.get_ref().and_then(|error| error.downcast_ref::<RemoteError>());
    matches!(inner, Some(RemoteError::NotThere { .. }))
}
