//! Opens a pack: checks names, lengths and `pack.json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use grundy_shard::Source;

use crate::manifest::{BLAKE3_FILE, MOST_MANIFEST_BYTES, SHA256_FILE, is_name, is_own};
use crate::member::Member;
use crate::tar::{BLOCK, END, FOLDER, header, padded, read_header};
use crate::{Fault, MANIFEST_FILE, MOST_FILES, PackError, PackManifest, PublicKey, SIGNATURE_FILE};

/// An open pack. It has exactly the files that its manifest lists, with the right lengths.
#[derive(Debug)]
pub struct Pack {
    path: PathBuf,
    pub(crate) members: BTreeMap<String, Member>,
    pub(crate) manifest: PackManifest,
    pub(crate) text: Vec<u8>,
}

impl Pack {
    /// Opens a pack, which is a folder or a tar, without reading its data files. If `key` is given,
    /// the pack must have a signature that matches the key.
    pub fn open(path: &Path, key: Option<&PublicKey>) -> Result<Pack, PackError> {
        match path.is_dir() {
            true => Pack::of_members(path, folder(path)?, None, key),
            false => Pack::of_tar(path, Member::open(path)?, key),
        }
    }

    /// Opens a tar from any source of bytes. Error messages call the tar `path`.
    pub fn open_tar(
        path: &Path,
        source: Arc<dyn Source + Send + Sync>,
        key: Option<&PublicKey>,
    ) -> Result<Pack, PackError> {
        Pack::of_tar(path, Member::of(path, source), key)
    }

    /// Opens a pack from named files in any source of bytes. Error messages call the pack `path`.
    pub fn open_files(
        path: &Path,
        files: Vec<(String, Arc<dyn Source + Send + Sync>)>,
        key: Option<&PublicKey>,
    ) -> Result<Pack, PackError> {
        let member = |(name, source)| {
            let member = Member::of(&path.join(&name), source);
            (name, member)
        };
        Pack::of_members(path, files.into_iter().map(member).collect(), None, key)
    }

    fn of_tar(path: &Path, whole: Member, key: Option<&PublicKey>) -> Result<Pack, PackError> {
        let (members, date) = tar(path, &whole)?;
        Pack::of_members(path, members, Some(date), key)
    }

    fn of_members(
        path: &Path,
        members: Vec<(String, Member)>,
        date: Option<u64>,
        key: Option<&PublicKey>,
    ) -> Result<Pack, PackError> {
        let damaged = |fault| PackError::damaged(path, fault);
        let mut files = BTreeMap::new();
        let order: Vec<String> = members.iter().map(|(name, _)| name.clone()).collect();
        for (name, member) in members {
            if files.insert(name.clone(), member).is_some() {
                return Err(damaged(Fault::Twice(name)));
            }
        }
        let Some(listed) = files.get(MANIFEST_FILE) else {
            return Err(damaged(Fault::Missing(MANIFEST_FILE.to_owned())));
        };
        if listed.bytes > MOST_MANIFEST_BYTES {
            return Err(damaged(Fault::Syntax));
        }
        let text = listed.read(0, listed.bytes)?;
        let manifest = PackManifest::of_text(&text).map_err(damaged)?;
        let pack = Pack { path: path.to_owned(), members: files, manifest, text };
        pack.check_names().map_err(damaged)?;
        if let Some(date) = date {
            pack.check_order(&order, date).map_err(damaged)?;
        }
        pack.check_signature(key)?;
        Ok(pack)
    }

    pub fn manifest(&self) -> &PackManifest {
        &self.manifest
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the unchecked bytes of a shard; `None` if there is no such shard.
    pub fn shard_source(
        &self,
        table: &str,
        shard: usize,
    ) -> Option<impl Source + Send + Sync + use<>> {
        let packed = self.manifest.tables.get(table)?;
        let (at, listed) = (packed.offsets.get(shard)?, packed.entry.shards.get(shard)?);
        // The range is not checked, because the shards fill their data files exactly.
        Some(self.members.get(&packed.file)?.part(*at, listed.bytes))
    }

    fn check_names(&self) -> Result<(), Fault> {
        let own = [SHA256_FILE, BLAKE3_FILE].map(str::to_owned);
        let signature = self.manifest.signer.iter().map(|_| SIGNATURE_FILE.to_owned());
        let wanted = self.manifest.files.keys().cloned().chain(own).chain(signature);
        for name in wanted {
            if !self.members.contains_key(&name) {
                return Err(Fault::Missing(name));
            }
        }
        for (name, member) in &self.members {
            match self.manifest.files.get(name) {
                None if !is_own(name) => return Err(Fault::Added(name.clone())),
                Some(entry) if entry.bytes != member.bytes => {
                    let (name, found) = (name.clone(), member.bytes);
                    return Err(Fault::Length { name, found, expected: entry.bytes });
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks the order and the date of the files in the tar. Only one order and date are valid.
    fn check_order(&self, order: &[String], date: u64) -> Result<(), Fault> {
        let wanted = self.manifest.order(self.members.contains_key(SIGNATURE_FILE));
        match wanted.iter().zip(order).find(|(wanted, found)| wanted != found) {
            Some((_, found)) => Err(Fault::Place(found.clone())),
            None if date != self.manifest.date => Err(Fault::Place(MANIFEST_FILE.to_owned())),
            None => Ok(()),
        }
    }

    fn check_signature(&self, key: Option<&PublicKey>) -> Result<(), PackError> {
        let damaged = |fault| PackError::damaged(&self.path, fault);
        let Some(member) = self.members.get(SIGNATURE_FILE) else {
            return key.map_or(Ok(()), |_| Err(damaged(Fault::Unsigned)));
        };
        let wrong = |error| damaged(Fault::Signature(error));
        let named = self.manifest.signer.as_deref().map(PublicKey::of_text).transpose();
        let named = named.map_err(wrong)?;
        /// An upper bound on the length of a signature.
        const MOST: u64 = 64 << 10;
        if member.bytes > MOST {
            return Err(wrong(crate::SignError::Syntax));
        }
        let text = member.read(0, member.bytes)?;
        let Ok(text) = String::from_utf8(text) else {
            return Err(wrong(crate::SignError::Syntax));
        };
        if let Some(named) = &named {
            named.check(&self.text, &text).map_err(wrong)?;
            if !crate::sign::is_canonical(&text) {
                return Err(wrong(crate::SignError::Syntax));
            }
        }
        match (key, named) {
            (Some(key), _) => key.check(&self.text, &text).map_err(wrong),
            (None, Some(_)) => Ok(()),
            (None, None) => Err(damaged(Fault::UnknownSigner)),
        }
    }
}

impl PackManifest {
    /// Returns the names of all files, in their order in a tar.
    pub(crate) fn order(&self, is_signed: bool) -> Vec<String> {
        let data = self.data();
        let is_data = |name: &&String| data.contains_key(&name[..]);
        let texts = self.files.keys().filter(|name| !is_data(name)).cloned();
        let data = self.files.keys().filter(is_data).cloned();
        let own = [MANIFEST_FILE, SHA256_FILE, BLAKE3_FILE].map(str::to_owned);
        let signature = is_signed.then(|| SIGNATURE_FILE.to_owned());
        own.into_iter().chain(texts).chain(data).chain(signature).collect()
    }
}

fn folder(path: &Path) -> Result<Vec<(String, Member)>, PackError> {
    let failed = |source| PackError::Read { path: path.to_owned(), source };
    let damaged = |fault| PackError::damaged(path, fault);
    let mut members = Vec::new();
    for entry in fs::read_dir(path).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !is_name(&name) {
            return Err(damaged(Fault::Name(name)));
        }
        // For a link, this is the type of the link itself, not of its target.
        if !entry.file_type().map_err(failed)?.is_file() {
            return Err(damaged(Fault::NotAFile(name)));
        }
        if members.len() == MOST_FILES {
            return Err(damaged(Fault::TooMany(MOST_FILES)));
        }
        members.push((name, Member::open(&entry.path())?));
    }
    Ok(members)
}

fn tar(path: &Path, whole: &Member) -> Result<(Vec<(String, Member)>, u64), PackError> {
    let failed = |source| PackError::Read { path: path.to_owned(), source };
    let damaged = |fault| PackError::damaged(path, fault);
    let length = whole.bytes;
    let mut members: Vec<(String, Member)> = Vec::new();
    let mut date = None;
    let mut at = 0;
    let mut last = "its beginning".to_owned();
    loop {
        let left = length - at;
        if left < BLOCK {
            let fault = if date.is_none() { Fault::NotATar } else { Fault::Cut(last) };
            return Err(damaged(fault));
        }
        let block: [u8; BLOCK as usize] = match whole.read(at, BLOCK)?.try_into() {
            Ok(block) => block,
            Err(_) => return Err(failed(io::ErrorKind::UnexpectedEof.into())),
        };
        if block.iter().all(|&byte| byte == 0) {
            let is_end = left == END && whole.read(at, END)?.iter().all(|&byte| byte == 0);
            return match (is_end, date) {
                (true, Some(date)) => Ok((members, date)),
                (_, None) => Err(damaged(Fault::NotATar)),
                _ if left < END => Err(damaged(Fault::Cut(last))),
                _ => Err(damaged(Fault::Padding(last))),
            };
        }
        let fault = || match date {
            None => Fault::NotATar,
            Some(_) => Fault::Header(format!("what follows {last}")),
        };
        let Some((full, bytes, stated)) = read_header(&block) else {
            return Err(damaged(fault()));
        };
        let Some(name) = full.strip_prefix(FOLDER).filter(|name| is_name(name)) else {
            return Err(damaged(Fault::Name(full)));
        };
        let name = name.to_owned();
        // The type flags 0 and NUL mean a file. Other flags mean links, folders or devices.
        if !matches!(block[156], b'0' | 0) {
            return Err(damaged(Fault::NotAFile(name)));
        }
        if block != header(&name, bytes, *date.get_or_insert(stated)) {
            return Err(damaged(Fault::Header(name)));
        }
        let room = padded(bytes).filter(|&room| room <= left - BLOCK);
        let Some(room) = room else { return Err(damaged(Fault::Cut(name))) };
        at += BLOCK;
        if whole.read(at + bytes, room - bytes)?.iter().any(|&byte| byte != 0) {
            return Err(damaged(Fault::Padding(name)));
        }
        if members.len() == MOST_FILES {
            return Err(damaged(Fault::TooMany(MOST_FILES)));
        }
        last.clone_from(&name);
        members.push((name, whole.part(at, bytes)));
        at += room;
    }
}
