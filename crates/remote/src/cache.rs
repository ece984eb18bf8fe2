//! Extents of files on disk.
//!
//! ```text
//!   FOLDER/extents/<key>/<at>-<count>       the bytes, and BLAKE3 of key, place and bytes
//!   FOLDER/texts/<key>                     what the server said of it, the bytes, BLAKE3 as above
//! ```
//!
//! The key of an extent is the BLAKE3 of the address and of what is known of the file's content: a file
//! with another content has another key. A folder may be removed at any time.
//!
//! # Two processes
//!
//! An extent is written under a name that no other process has, and renamed: two that write the same one
//! write the same bytes, or either's digest decides. An extent that is not there, that is cut or whose
//! digest is wrong is one that the cache does not have. When a process has written as much as was left,
//! it counts what is there and removes the oldest until a quarter is free; another that removes the same
//! ones does no harm. Between two counts others may write too, so each counts anew after a sixteenth of
//! the whole.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use grundy_shard::publish::read_regular;

/// Bytes of the digest at the end of each file.
const DIGEST: usize = 32;

/// What a file takes on disk beside its bytes, counted as if: a block of a file system, nearly.
const FILE: u64 = 4 << 10;

/// Longest extent that is kept.
const MOST_EXTENT: u64 = 64 << 20;

/// Where programs keep what they can fetch again: what `GRUNDY_CACHE` names, else a folder `grundy` by
/// the rules of the platform; `None` if these name no place.
pub fn usual_cache() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("GRUNDY_CACHE").filter(|folder| !folder.is_empty()) {
        return Some(folder.into());
    }
    // By the XDG rules a path that is not absolute does not count.
    let of = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = if cfg!(windows) {
        of("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        of("HOME")?.join("Library/Caches")
    } else {
        of("XDG_CACHE_HOME").or_else(|| Some(of("HOME")?.join(".cache")))?
    };
    Some(folder.join("grundy"))
}

pub(crate) struct Cache {
    folder: Option<PathBuf>,
    most: u64,
    read: AtomicU64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Bytes that may be written before it is counted anew.
    left: u64,
    fault: Option<String>,
}

/// What a file on disk is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Key([u8; 32]);

impl Key {
    /// Of an address, and what is known of the content.
    pub(crate) fn of(address: &str, content: &[u8]) -> Key {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&(address.len() as u64).to_le_bytes());
        hasher.update(address.as_bytes());
        hasher.update(content);
        Key(*hasher.finalize().as_bytes())
    }

    fn name(self) -> String {
        blake3::Hash::from_bytes(self.0).to_hex()[..32].to_owned()
    }

    /// The digest of some bytes, as those of this key at this place.
    fn digest(self, at: u64, bytes: &[u8]) -> [u8; DIGEST] {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&at.to_le_bytes());
        hasher.update(bytes);
        *hasher.finalize().as_bytes()
    }
}

impl Cache {
    pub(crate) fn new(folder: Option<PathBuf>, most: u64) -> Cache {
        let folder = folder.filter(|_| most > 0);
        Cache { folder, most, read: AtomicU64::new(0), state: Mutex::default() }
    }

    /// Bytes that were read.
    pub(crate) fn read_bytes(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Why it could not be written, if so.
    pub(crate) fn fault(&self) -> Option<String> {
        self.state().fault.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn extents(&self, key: Key) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join("extents").join(key.name()))
    }

    /// Where the extents of a file begin, and their lengths.
    pub(crate) fn list(&self, key: Key) -> BTreeMap<u64, u64> {
        let mut all = BTreeMap::new();
        let Some(Ok(files)) = self.extents(key).map(fs::read_dir) else { return all };
        for file in files.flatten() {
            let place = file.file_name().to_str().and_then(|name| {
                let (at, count) = name.split_once('-')?;
                Some((at.parse().ok()?, count.parse().ok()?))
            });
            if let Some((at, count)) = place {
                let longest = all.entry(at).or_insert(count);
                *longest = count.max(*longest);
            }
        }
        all
    }

    /// The bytes of an extent, if they are there and right.
    pub(crate) fn read(&self, key: Key, at: u64, count: u64) -> Option<Vec<u8>> {
        let path = self.extents(key)?.join(format!("{at}-{count}"));
        let bytes = self.load(&path, key, at, count)?;
        (bytes.len() as u64 == count).then_some(bytes)
    }

    fn load(&self, path: &Path, key: Key, at: u64, most: u64) -> Option<Vec<u8>> {
        let mut bytes = read_regular(path, most.checked_add(DIGEST as u64)?).ok()?;
        let Some(length) = bytes.len().checked_sub(DIGEST) else {
            let _ = fs::remove_file(path);
            return None;
        };
        if key.digest(at, &bytes[..length])[..] != bytes[length..] {
            let _ = fs::remove_file(path);
            return None;
        }
        bytes.truncate(length);
        self.read.fetch_add(length as u64, Ordering::Relaxed);
        // So that what is used stays. If it cannot be said, it goes a little sooner.
        let _ = fs::File::options()
            .append(true)
            .open(path)
            .and_then(|file| file.set_modified(SystemTime::now()));
        Some(bytes)
    }

    /// Keeps an extent, if there is room.
    pub(crate) fn write(&self, key: Key, at: u64, bytes: &[u8]) {
        if bytes.len() as u64 > MOST_EXTENT {
            return;
        }
        if let Some(folder) = self.extents(key) {
            self.save(&folder.join(format!("{at}-{}", bytes.len())), key, at, bytes);
        }
    }

    /// Forgets all extents of a file.
    pub(crate) fn forget(&self, key: Key) {
        for (at, count) in self.list(key) {
            if let Some(folder) = self.extents(key) {
                let _ = fs::remove_file(folder.join(format!("{at}-{count}")));
            }
        }
    }

    /// A text that is kept with what the server said of it.
    pub(crate) fn read_text(&self, key: Key, most: u64) -> Option<Vec<u8>> {
        let path = self.folder.as_ref()?.join("texts").join(key.name());
        self.load(&path, key, 0, most)
    }

    /// Keeps a text.
    pub(crate) fn write_text(&self, key: Key, bytes: &[u8]) {
        if let Some(folder) = &self.folder {
            self.save(&folder.join("texts").join(key.name()), key, 0, bytes);
        }
    }

    fn save(&self, path: &Path, key: Key, at: u64, bytes: &[u8]) {
        let size = (bytes.len() + DIGEST) as u64 + FILE;
        if !self.make_room(size) {
            return;
        }
        // Who else uses the folder may have made room meanwhile, and thought the file on its way, or
        // the folder for it, to be nobody's any more.
        let gone = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists)
        };
        let mut kept = put(path, key, at, bytes);
        for _ in 0..10 {
            if kept.as_ref().is_err_and(gone) {
                kept = put(path, key, at, bytes);
            }
        }
        // What cannot be kept is fetched again: no reason to stop.
        if let Err(error) = kept {
            self.state().fault.get_or_insert_with(|| format!("{}: {error}", path.display()));
        }
    }

    /// Makes room for so many bytes; false if there can be none.
    fn make_room(&self, size: u64) -> bool {
        let Some(folder) = &self.folder else { return false };
        // What is kept moves out nearly all the rest no sooner than it has to.
        if size > self.most / 4 * 3 {
            return false;
        }
        let mut state = self.state();
        if size > state.left {
            // All extents, and what a killed process left of them.
            let mut files = collect(folder);
            let mut used: u64 = files.iter().map(|(_, size, _)| size).sum();
            if used.saturating_add(size) > self.most {
                files.sort_by_key(|(time, ..)| *time);
                let wanted = self.most / 4 * 3;
                for (_, bytes, path) in files {
                    if used.saturating_add(size) <= wanted {
                        break;
                    }
                    if fs::remove_file(path).is_ok() {
                        used -= bytes;
                    }
                }
            }
            let free = self.most.saturating_sub(used);
            state.left = free.min((self.most / 16).max(size));
            if size > free {
                state.left = 0;
                return false;
            }
        }
        state.left -= size;
        true
    }
}

/// Whether a name is that of a key.
fn is_key(name: &str) -> bool {
    name.len() == 32 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a name is one of an extent, as `12-34`.
fn is_extent(name: &str) -> bool {
    name.split_once('-')
        .is_some_and(|(at, count)| [at, count].iter().all(|number| number.parse::<u64>().is_ok()))
}

/// Whether a name is one of a file on its way, as `new-12-34`.
fn is_new(name: &str) -> bool {
    name.strip_prefix("new-").is_some_and(is_extent)
}

/// The files of a cache, with times and sizes. What else lies in its folder is none of them: somebody
/// may have named a folder that they have other things in.
fn collect(folder: &Path) -> Vec<(SystemTime, u64, PathBuf)> {
    let mut files = Vec::new();
    list(&folder.join("texts"), |name| is_key(name) || is_new(name), &mut files);
    let extents = folder.join("extents");
    // Of a link itself, not of what it leads to: nothing outside the folder is looked at.
    if !fs::symlink_metadata(&extents).is_ok_and(|found| found.is_dir()) {
        return files;
    }
    for entry in fs::read_dir(&extents).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_key) {
            let before = files.len();
            list(&entry.path(), |name| is_extent(name) || is_new(name), &mut files);
            if files.len() == before {
                // Of a file that has no extents any more; with anything else in it, it stays.
                let _ = fs::remove_dir(entry.path());
            }
        }
    }
    files
}

/// Adds the regular files of a folder that have such names.
fn list(folder: &Path, ours: impl Fn(&str) -> bool, files: &mut Vec<(SystemTime, u64, PathBuf)>) {
    if !fs::symlink_metadata(folder).is_ok_and(|found| found.is_dir()) {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(found) = entry.metadata() else { continue };
        if found.is_file() && entry.file_name().to_str().is_some_and(&ours) {
            let time = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            files.push((time, found.len() + FILE, entry.path()));
        }
    }
}

fn put(path: &Path, key: Key, at: u64, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let Some(folder) = path.parent() else { return Err(io::ErrorKind::InvalidInput.into()) };
    fs::create_dir_all(folder)?;
    let temporary = folder.join(format!("new-{}-{count}", process::id()));
    // Not forced to disk: what a loss of power leaves is found out by its digest.
    let written = fs::File::create_new(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        file.write_all(&key.digest(at, bytes))
    });
    let placed = written.and_then(|()| fs::rename(&temporary, path));
    if placed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(folder: &Path, most: u64) -> Cache {
        Cache::new(Some(folder.to_owned()), most)
    }

    fn size(folder: &Path) -> u64 {
        collect(folder).iter().map(|(_, size, _)| size).sum()
    }

    #[test]
    fn what_is_kept_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1 << 20);
        let (key, other) = (Key::of("there", b"a"), Key::of("there", b"b"));
        cache.write(key, 7, b"bytes");
        assert_eq!(cache.list(key), BTreeMap::from([(7, 5)]));
        assert_eq!(cache.read(key, 7, 5).as_deref(), Some(&b"bytes"[..]));
        assert!(cache.list(other).is_empty() && cache.read(other, 7, 5).is_none());
        assert!(cache.read(key, 7, 4).is_none() && cache.read(key, 6, 5).is_none());
        cache.forget(key);
        assert!(cache.list(key).is_empty() && cache.fault().is_none());
    }

    /// Each bit and each length of a file on disk, its name, and its place.
    #[test]
    fn what_is_damaged_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1 << 20);
        let key = Key::of("there", b"a");
        cache.write(key, 7, b"by");
        let path = cache.extents(key).unwrap().join("7-2");
        let right = fs::read(&path).unwrap();
        for bit in 0..8 * right.len() {
            let mut wrong = right.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &wrong).unwrap();
            assert!(cache.read(key, 7, 2).is_none(), "bit {bit}");
            assert!(!path.exists(), "bit {bit}");
        }
        for length in 0..right.len() {
            fs::write(&path, &right[..length]).unwrap();
            assert!(cache.read(key, 7, 2).is_none(), "length {length}");
        }
        let moved = path.with_file_name("8-2");
        fs::write(&moved, &right).unwrap();
        assert!(cache.read(key, 8, 2).is_none());
        let other = Key::of("there", b"b");
        let foreign = cache.extents(other).unwrap().join("7-2");
        fs::create_dir_all(foreign.parent().unwrap()).unwrap();
        fs::write(&foreign, &right).unwrap();
        assert!(cache.read(other, 7, 2).is_none());
    }

    #[test]
    fn the_oldest_pieces_make_room() {
        let folder = tempfile::tempdir().unwrap();
        let most = 40 * FILE;
        for extent in 0..200 {
            // A process for each of three.
            let cache = cache(folder.path(), most);
            let key = Key::of("there", &[(extent / 10) as u8]);
            for part in 0..3 {
                cache.write(key, 10 * extent + part, &[7; 5000]);
            }
            assert!(size(folder.path()) <= most, "{extent}");
        }
        let cache = cache(folder.path(), most);
        assert!(cache.list(Key::of("there", &[0])).is_empty());
        assert!(cache.list(Key::of("there", &[19])).len() > 2);
        // What can never fit moves nothing out.
        let before = size(folder.path());
        cache.write(Key::of("there", b"large"), 0, &vec![7; most as usize]);
        assert!(size(folder.path()) <= before);
    }

    /// Who makes room takes away folders that are empty, as each is for a moment.
    #[test]
    fn a_folder_that_another_takes_away_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = cache(folder.path(), 1 << 30);
        let over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    collect(folder.path());
                }
            });
            for step in 0..500_u32 {
                let key = Key::of("there", &step.to_le_bytes());
                cache.write(key, 0, &[7; 100]);
                assert!(cache.read(key, 0, 100).is_some() || cache.state().fault.is_some());
                let _ = fs::remove_dir_all(folder.path().join("extents").join(key.name()));
            }
            over.store(true, Ordering::Relaxed);
        });
        assert_eq!(cache.state().fault, None);
    }

    /// Whatever else lies in the folder stays, at any depth, however old it is.
    #[test]
    fn what_others_have_there_stays() {
        let folder = tempfile::tempdir().unwrap();
        let key = Key::of("there", b"").name();
        let strangers = [
            "thesis.tex".to_owned(),
            "docs/thesis.tex".to_owned(),
            "docs/more/thesis.tex".to_owned(),
            "texts/thesis.tex".to_owned(),
            "extents/1-2".to_owned(),
            "extents/mine/1-2".to_owned(),
            format!("extents/{key}/thesis.tex"),
            format!("extents/{key}/old/1-2"),
        ];
        for stranger in &strangers {
            let path = folder.path().join(stranger);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, vec![1; 5000]).unwrap();
            let old = fs::File::options().append(true).open(&path).unwrap();
            old.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        fs::create_dir_all(folder.path().join("empty/deep/folder")).unwrap();
        let most = 10 * FILE;
        let cache = cache(folder.path(), most);
        for extent in 0..50 {
            cache.write(Key::of("there", &[extent]), 0, &[7; 5000]);
            cache.forget(Key::of("there", b""));
        }
        assert!(size(folder.path()) <= most);
        for stranger in strangers {
            assert!(folder.path().join(&stranger).exists(), "{stranger}");
        }
        assert!(folder.path().join("empty/deep/folder").exists());
    }

    #[test]
    fn no_cache_keeps_nothing() {
        for cache in [Cache::new(None, 100), Cache::new(Some("no/such/folder".into()), 0)] {
            let key = Key::of("there", b"");
            cache.write(key, 0, b"bytes");
            cache.write_text(key, b"bytes");
            assert!(cache.list(key).is_empty() && cache.read_text(key, 10).is_none());
            assert!(cache.fault().is_none());
        }
    }

    #[test]
    fn a_folder_that_is_none_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = cache(&file, 1 << 20);
        cache.write(Key::of("there", b""), 0, b"bytes");
        assert!(cache.fault().is_some());
    }
}
