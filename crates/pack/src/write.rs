//! Writing a pack: from a database, whole or not at all.
//!
//! The lengths of all files are known before one is written, and digests have one length: so a tar
//! is written front to back, shard by shard as they are read and checked, and `pack.json`, which
//! stands first and is known last, is put into the room left for it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_shard::disk::{Disk as _, FileSystem};
use grundy_shard::manifest::{TableEntry, shard_path};
use grundy_shard::publish::{Publication, of_temporary, read_regular};
use rayon::prelude::*;

use crate::check::fault_of;
use crate::describe::{CRATE_FILE, metadata};
use crate::manifest::{Digester, Placed, is_name, is_own};
use crate::tar::{BLOCK, END, header, padded};
use crate::{
    About, FileEntry, MANIFEST_FILE, MOST_FILES, PACK_VERSION, PackError, PackManifest,
    PackedTable, SIGNATURE_FILE, Signer,
};

/// Data files beside which there is room for texts.
const MOST_DATA: usize = 70;

/// What is to be packed.
#[derive(Debug)]
pub struct Release<'a> {
    /// The database folder.
    pub db: &'a Path,
    /// Tables of it, by id, with what its manifest says of them.
    pub tables: BTreeMap<String, TableEntry>,
    /// Texts for people, by name.
    pub texts: BTreeMap<String, Vec<u8>>,
    /// What is said for machines.
    pub about: About,
    /// When it is published, in seconds since the beginning of 1970.
    pub date: u64,
    /// Who signs it.
    pub signer: Option<&'a Signer>,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct Written {
    /// The manifest.
    pub manifest: PackManifest,
    /// Files of the pack.
    pub files: usize,
    /// Bytes of the tar, or of all files of the folder.
    pub bytes: u64,
}

/// Writes a pack: a tar if the name ends so, else a folder. What is there already is left alone.
/// `watch` hears of the bytes of shards, and says whether to go on.
///
/// # Errors
/// [`PackError`]; then there is no pack of that name.
pub fn write(
    release: &Release<'_>,
    to: &Path,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Written, PackError> {
    if fs::symlink_metadata(to).is_ok() {
        return Err(PackError::Exists(to.to_owned()));
    }
    let failed = |source| PackError::Write { path: to.to_owned(), source };
    remove_leftovers(to).map_err(failed)?;
    let mut plan = Plan::of(release)?;
    let is_tar = to.extension().is_some_and(|end| end.eq_ignore_ascii_case("tar"));
    let mut sink = match is_tar {
        true => Sink::tar(to, &plan).map_err(failed)?,
        false => Sink::folder(to).map_err(failed)?,
    };
    plan.copy_shards(release, &mut sink, to, watch)?;
    let texts = &plan.texts;
    for (name, text) in texts {
        plan.manifest.files.insert(name.clone(), FileEntry::of(text));
        sink.put(name, text).map_err(failed)?;
    }
    let last = plan.own(release)?;
    for (name, text) in &last {
        sink.put(name, text).map_err(failed)?;
    }
    let (files, bytes) = (plan.sizes.len(), sink.bytes(&plan));
    sink.finish(to).map_err(failed)?;
    Ok(Written { manifest: plan.manifest, files, bytes })
}

/// What the files will be.
struct Plan {
    /// With digests that are known as far as files are written.
    manifest: PackManifest,
    texts: BTreeMap<String, Vec<u8>>,
    /// All files and their lengths, in the order of a tar.
    sizes: Vec<(String, u64)>,
}

impl Plan {
    fn of(release: &Release<'_>) -> Result<Plan, PackError> {
        let count = release.tables.len();
        if count == 0 {
            return Err(PackError::Selection("there are no tables to pack".to_owned()));
        }
        let mut manifest = PackManifest {
            format: PACK_VERSION,
            date: release.date,
            signer: release.signer.map(|signer| signer.public().letters()),
            files: BTreeMap::new(),
            tables: BTreeMap::new(),
        };
        for (number, (id, entry)) in release.tables.iter().enumerate() {
            let file = match count <= MOST_DATA {
                true => format!("{}.zst", id.replace('/', "-")),
                // Neighbours share one.
                false => format!("tables-{:02}.zst", number * MOST_DATA / count),
            };
            if !is_name(&file) || !entry.is_consistent() {
                let text = format!("what the manifest says of {id} cannot be");
                return Err(PackError::Selection(text));
            }
            let blank = manifest.files.entry(file.clone()).or_insert(FileEntry::blank(0));
            let mut offsets = Vec::new();
            for shard in &entry.shards {
                offsets.push(blank.bytes);
                blank.bytes = blank.bytes.saturating_add(shard.bytes);
            }
            let packed = PackedTable { entry: entry.clone(), file, offsets };
            manifest.tables.insert(id.clone(), packed);
        }
        let mut texts = release.texts.clone();
        let data = manifest.files.iter().map(|(name, file)| (&name[..], Some(file.bytes)));
        let rest = texts.iter().map(|(name, text)| (&name[..], Some(text.len() as u64)));
        let described = metadata(
            &release.about,
            release.date,
            // Its own length is not known yet.
            [(MANIFEST_FILE, None)].into_iter().chain(rest).chain(data),
        );
        texts.insert(CRATE_FILE.to_owned(), described.into_bytes());
        for (name, text) in &texts {
            let blank = FileEntry::blank(text.len() as u64);
            let taken = manifest.files.insert(name.clone(), blank).is_some();
            if taken || !is_name(name) || is_own(name) {
                return Err(PackError::Selection(format!(
                    "no text of a pack can be called {name}"
                )));
            }
        }
        let mut plan = Plan { manifest, texts, sizes: Vec::new() };
        let own = plan.own(release)?;
        let own: BTreeMap<_, _> = own.into_iter().map(|(name, text)| (name, text.len())).collect();
        for name in plan.manifest.order(release.signer.is_some()) {
            let bytes = match (own.get(&name), plan.manifest.files.get(&name)) {
                (Some(&bytes), _) => bytes as u64,
                (None, listed) => listed.map_or(0, |file| file.bytes),
            };
            plan.sizes.push((name, bytes));
        }
        if plan.sizes.len() > MOST_FILES {
            let text = format!("more than {MOST_FILES} files are too many for a pack");
            return Err(PackError::Selection(text));
        }
        Ok(plan)
    }

    /// `pack.json`, and what follows from it. Their lengths do not depend on digests.
    fn own(&self, release: &Release<'_>) -> Result<Vec<(String, Vec<u8>)>, PackError> {
        let text = self.manifest.to_text().into_bytes();
        let sums = self.manifest.sums(&text);
        let mut own: Vec<(String, Vec<u8>)> =
            sums.map(|(name, list)| (name.to_owned(), list.into_bytes())).into();
        if let Some(signer) = release.signer {
            let signature = signer.sign(&text, release.date).map_err(PackError::Sign)?;
            own.push((SIGNATURE_FILE.to_owned(), signature.into_bytes()));
        }
        own.push((MANIFEST_FILE.to_owned(), text));
        Ok(own)
    }

    /// Writes the data files, of shards that are checked to the last byte.
    fn copy_shards(
        &mut self,
        release: &Release<'_>,
        sink: &mut Sink,
        to: &Path,
        watch: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(), PackError> {
        let failed = |source| PackError::Write { path: to.to_owned(), source };
        let mut written = Vec::new();
        for (name, shards) in self.manifest.data() {
            let mut digester = Digester::default();
            sink.begin(name).map_err(failed)?;
            for shards in shards.chunks(rayon::current_num_threads()) {
                let read = shards.par_iter().map(|placed| read(release.db, placed));
                let read = read.collect::<Result<Vec<_>, PackError>>()?;
                let (done, ()) = rayon::join(
                    || read.iter().try_for_each(|bytes| sink.write(bytes)),
                    || read.iter().for_each(|bytes| digester.update(bytes)),
                );
                done.map_err(failed)?;
                if !watch(shards.iter().map(Placed::bytes).sum()) {
                    return Err(PackError::Stopped);
                }
            }
            sink.end().map_err(failed)?;
            written.push((name.to_owned(), digester.finish()));
        }
        self.manifest.files.extend(written);
        Ok(())
    }
}

/// The bytes of a shard of a database, if they are right.
fn read(db: &Path, placed: &Placed<'_>) -> Result<Vec<u8>, PackError> {
    let path = db.join(shard_path(placed.table, placed.shard as u32));
    let bytes = match read_regular(&path, placed.bytes()) {
        Ok(bytes) => bytes,
        Err(source) => return Err(PackError::Read { path, source }),
    };
    match fault_of(&bytes, placed.table, placed.entry, placed.shard) {
        Ok(()) => Ok(bytes),
        Err(source) => Err(PackError::Shard { path, source }),
    }
}

/// Where files go.
enum Sink {
    Folder { folder: Temporary, file: Option<File> },
    Tar { file: Publication, places: BTreeMap<String, u64> },
}

/// A folder on its way to its name; dropped before that it is removed.
struct Temporary(Option<PathBuf>);

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // There is an error on its way already, which says more than this one.
            let _ = fs::remove_dir_all(path);
        }
    }
}

impl Temporary {
    fn path(&self) -> &Path {
        self.0.as_deref().unwrap_or(Path::new(""))
    }
}

impl Sink {
    fn folder(to: &Path) -> io::Result<Sink> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        loop {
            let mut name = name.to_os_string();
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            // As `of_temporary` knows them.
            name.push(format!(".tmp-{}-{count}", process::id()));
            let path = to.with_file_name(name);
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Sink::Folder { folder: Temporary(Some(path)), file: None }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn tar(to: &Path, plan: &Plan) -> io::Result<Sink> {
        let publication = Publication::create(to)?;
        let mut file = publication.file();
        let mut at = 0;
        let mut places = BTreeMap::new();
        for (name, bytes) in &plan.sizes {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(&header(name, *bytes, plan.manifest.date))?;
            places.insert(name.clone(), at + BLOCK);
            let room = padded(*bytes).and_then(|room| room.checked_add(at + BLOCK));
            at = room.ok_or(io::ErrorKind::FileTooLarge)?;
        }
        // What nobody writes is zeros.
        file.set_len(at + END)?;
        Ok(Sink::Tar { file: publication, places })
    }

    fn begin(&mut self, name: &str) -> io::Result<()> {
        match self {
            Sink::Folder { folder, file } => {
                let path = folder.path().join(name);
                *file = Some(File::options().write(true).create_new(true).open(path)?);
            }
            Sink::Tar { file, places } => {
                file.file().seek(SeekFrom::Start(places[name]))?;
            }
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Sink::Folder { file: Some(file), .. } => file.write_all(bytes),
            Sink::Folder { file: None, .. } => Err(io::ErrorKind::NotFound.into()),
            Sink::Tar { file, .. } => file.file().write_all(bytes),
        }
    }

    fn end(&mut self) -> io::Result<()> {
        match self {
            Sink::Folder { file, .. } => file.take().map_or(Ok(()), |file| file.sync_all()),
            Sink::Tar { .. } => Ok(()),
        }
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.begin(name)?;
        self.write(bytes)?;
        self.end()
    }

    fn bytes(&self, plan: &Plan) -> u64 {
        let each = plan.sizes.iter().map(|(_, bytes)| *bytes);
        match self {
            Sink::Folder { .. } => each.sum(),
            Sink::Tar { .. } => {
                END + each.map(|bytes| BLOCK + padded(bytes).unwrap_or(bytes)).sum::<u64>()
            }
        }
    }

    /// Gives the pack its name.
    fn finish(self, to: &Path) -> io::Result<()> {
        match self {
            Sink::Tar { file, .. } => file.finish(),
            Sink::Folder { mut folder, .. } => {
                FileSystem.sync_folder(folder.path())?;
                FileSystem.rename(folder.path(), to)?;
                folder.0 = None;
                FileSystem.sync_folder(parent(to))
            }
        }
    }
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Removes what a pack of that name left that was killed while it was written.
fn remove_leftovers(to: &Path) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(parent(to)) else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let is_ours = name
            .to_str()
            .and_then(of_temporary)
            .is_some_and(|name| to.file_name().and_then(|to| to.to_str()) == Some(name));
        if !is_ours {
            continue;
        }
        let kind = entry.file_type()?;
        if kind.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if kind.is_file() {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}
