//! Writes a complete pack from a database, or no pack at all.
//!
//! The lengths of all files are known before the first file is written, because digests have a
//! fixed length. So a tar is written from front to back, while its shards are read and checked.
//! `pack.json` is the first file, but is completed last; the writer reserves space for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use grundy_shard::manifest::{TableEntry, shard_path};
use grundy_shard::publish::read_regular;
use rayon::prelude::*;

use crate::check::fault_of;
use crate::describe::{CRATE_FILE, metadata};
use crate::manifest::{Digester, MOST_MANIFEST_BYTES, Placed, batches, is_name, is_own};
use crate::output::Output;
use crate::{
    About, FileEntry, MANIFEST_FILE, MOST_FILES, PACK_VERSION, PackError, PackManifest,
    PackedTable, SIGNATURE_FILE, Signer,
};

/// The maximum number of data files, which leaves room for documents.
const MOST_DATA: usize = 70;

#[derive(Debug)]
pub struct Release<'a> {
    pub db: &'a Path,
    /// The tables to pack, by id, with their entries in the database's manifest.
    pub tables: BTreeMap<String, TableEntry>,
    /// Documents for readers, by name.
    pub texts: BTreeMap<String, Vec<u8>>,
    /// The machine-readable metadata.
    pub about: About,
    /// The date of publication, in seconds since the beginning of 1970.
    pub date: u64,
    pub signer: Option<&'a Signer>,
    /// Maximum bytes of memory for shards.
    pub memory: u64,
}

#[derive(Clone, Debug)]
pub struct Written {
    pub manifest: PackManifest,
    pub files: usize,
    /// The length of the tar, or the total length of the files of the folder, in bytes.
    pub bytes: u64,
}

/// Writes a pack: a tar if the name ends in `.tar`, else a folder. No existing file is replaced.
/// `watch` gets the number of bytes of each batch of shards, and returns false to stop.
///
/// # Errors
/// [`PackError`]. In this case no pack was written, unless only the last sync failed.
pub fn write(
    release: &Release<'_>,
    to: &Path,
    watch: &(dyn Fn(u64) -> bool + Sync),
) -> Result<Written, PackError> {
    // If this fails, creating the pack fails, too, and reports the reason.
    if fs::symlink_metadata(to).is_ok() {
        return Err(PackError::Exists(to.to_owned()));
    }
    let failed = |source| PackError::Write { path: to.to_owned(), source };
    let mut plan = PackLayout::of(release)?;
    let is_tar = to.extension().is_some_and(|end| end.eq_ignore_ascii_case("tar"));
    let mut output = match is_tar {
        true => Output::tar(to, &plan.sizes, release.date)?,
        false => Output::folder(to)?,
    };
    plan.copy_shards(release, &mut output, to, watch)?;
    let texts = &plan.texts;
    for (name, text) in texts {
        plan.manifest.files.insert(name.clone(), FileEntry::of(text));
        output.put(name, text).map_err(failed)?;
    }
    let last = plan.own(release)?;
    for (name, text) in &last {
        output.put(name, text).map_err(failed)?;
    }
    let (files, bytes) = (plan.sizes.len(), output.bytes(&plan.sizes));
    output.finish()?;
    Ok(Written { manifest: plan.manifest, files, bytes })
}

struct PackLayout {
    /// The manifest. It has placeholders where the digests of files are not known yet.
    manifest: PackManifest,
    texts: BTreeMap<String, Vec<u8>>,
    sizes: Vec<(String, u64)>,
}

impl PackLayout {
    fn of(release: &Release<'_>) -> Result<PackLayout, PackError> {
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
                // Neighbouring tables share a data file.
                false => format!("tables-{:02}.zst", number * MOST_DATA / count),
            };
            if !is_name(&file) || !entry.is_consistent() {
                let text = format!("the entry of {id} in the manifest is invalid");
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
            // Omit the length of `pack.json`, because the length depends on this text.
            [(MANIFEST_FILE, None)].into_iter().chain(rest).chain(data),
        );
        texts.insert(CRATE_FILE.to_owned(), described.into_bytes());
        for (name, text) in &texts {
            let blank = FileEntry::blank(text.len() as u64);
            let taken = manifest.files.insert(name.clone(), blank).is_some();
            if taken || !is_name(name) || is_own(name) {
                return Err(PackError::Selection(format!(
                    "a document of a pack cannot have the name {name}"
                )));
            }
        }
        let mut plan = PackLayout { manifest, texts, sizes: Vec::new() };
        let own = plan.own(release)?;
        let own: BTreeMap<_, _> = own.into_iter().map(|(name, text)| (name, text.len())).collect();
        for name in plan.manifest.order(release.signer.is_some()) {
            let bytes = match (own.get(&name), plan.manifest.files.get(&name)) {
                (Some(&bytes), _) => bytes as u64,
                (None, listed) => listed.map_or(0, |file| file.bytes),
            };
            plan.sizes.push((name, bytes));
        }
        let most = MOST_MANIFEST_BYTES;
        if plan.sizes.iter().any(|(name, bytes)| name == MANIFEST_FILE && *bytes > most) {
            let text = "a pack cannot hold so many shards; pack fewer tables";
            return Err(PackError::Selection(text.to_owned()));
        }
        if plan.sizes.len() > MOST_FILES {
            let text = format!("a pack holds at most {MOST_FILES} files; pack fewer tables");
            return Err(PackError::Selection(text));
        }
        Ok(plan)
    }

    /// Returns `pack.json` and the files derived from it. No length depends on a digest.
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

    /// Writes the data files, checking every byte of the shards.
    fn copy_shards(
        &mut self,
        release: &Release<'_>,
        output: &mut Output,
        to: &Path,
        watch: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<(), PackError> {
        let failed = |source| PackError::Write { path: to.to_owned(), source };
        let mut written = Vec::new();
        for (name, shards) in self.manifest.data() {
            let mut digester = Digester::default();
            output.begin(name).map_err(failed)?;
            for shards in batches(&shards, release.memory) {
                let shards = shards.map_err(|needed| PackError::Memory { needed })?;
                let read = shards.par_iter().map(|placed| read(release.db, placed));
                let read = read.collect::<Result<Vec<_>, PackError>>()?;
                let (done, ()) = rayon::join(
                    || read.iter().try_for_each(|bytes| output.write(bytes)),
                    || read.iter().for_each(|bytes| digester.update(bytes)),
                );
                done.map_err(failed)?;
                if !watch(shards.iter().map(Placed::bytes).sum()) {
                    return Err(PackError::Stopped);
                }
            }
            output.end().map_err(failed)?;
            written.push((name.to_owned(), digester.finish()));
        }
        self.manifest.files.extend(written);
        Ok(())
    }
}

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
