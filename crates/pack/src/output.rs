//! A pack while it is being written.
//!
//! The pack has the temporary name `.NAME.packing` beside its final place. The writer locks the tar
//! itself; for a folder it locks a file `.NAME.packing-lock`. A temporary pack without a lock is
//! left over from a killed writer, and the next writer overwrites it. Nothing else is ever removed.
//! When the pack is complete and synced, it gets its final name, if that name is still free.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use grundy_shard::disk::{Disk as _, FileSystem};
use grundy_shard::publish::folder_of;

use crate::PackError;
use crate::tar::{BLOCK, END, header, padded};

/// The maximum length of a tar without the zeros at its end. No file system stores longer files.
const LONGEST: u64 = i64::MAX as u64 - END;

pub(crate) struct Output {
    to: PathBuf,
    hidden: PathBuf,
    kind: Target,
    done: bool,
}

enum Target {
    Folder { lock: (PathBuf, File), file: Option<File> },
    Tar { file: File, places: BTreeMap<String, u64> },
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.done {
            // Ignore errors here, because the caller already has an error that explains more.
            let _ = match self.kind {
                Target::Folder { .. } => fs::remove_dir_all(&self.hidden),
                Target::Tar { .. } => fs::remove_file(&self.hidden),
            };
        }
        if let Target::Folder { lock: (path, _), .. } = &self.kind {
            // Remove the lock file while it is locked, so that no other writer can lose its lock.
            // A lock file that stays is locked by nobody.
            let _ = fs::remove_file(path);
        }
    }
}

fn hidden(to: &Path, end: &str) -> io::Result<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(to.file_name().ok_or(io::ErrorKind::InvalidInput)?);
    name.push(end);
    Ok(to.with_file_name(name))
}

/// Opens and locks the file that a writer uses, without changing its contents.
fn locked(to: &Path, path: &Path) -> Result<File, PackError> {
    let failed = |source| PackError::Write { path: to.to_owned(), source };
    if fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(failed(io::Error::other(format!("{} is not a regular file", path.display()))));
    }
    let open = File::options().write(true).create(true).truncate(false).open(path);
    let file = open.map_err(failed)?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(PackError::Busy(to.to_owned())),
        Err(TryLockError::Error(source)) => return Err(failed(source)),
    }
    // Another writer may have finished in the meantime.
    match fs::symlink_metadata(to) {
        Ok(_) => Err(PackError::Exists(to.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(file),
        Err(source) => Err(failed(source)),
    }
}

impl Output {
    pub(crate) fn folder(to: &Path) -> Result<Output, PackError> {
        let failed = |source| PackError::Write { path: to.to_owned(), source };
        let path = hidden(to, ".packing-lock").map_err(failed)?;
        let lock = (path.clone(), locked(to, &path)?);
        let hidden = hidden(to, ".packing").map_err(failed)?;
        let kind = Target::Folder { lock, file: None };
        let output = Output { to: to.to_owned(), hidden, kind, done: false };
        match fs::remove_dir_all(&output.hidden) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => fs::create_dir(&output.hidden).map_err(failed)?,
        }
        Ok(output)
    }

    pub(crate) fn tar(to: &Path, sizes: &[(String, u64)], date: u64) -> Result<Output, PackError> {
        let failed = |source| PackError::Write { path: to.to_owned(), source };
        let hidden = hidden(to, ".packing").map_err(failed)?;
        let file = locked(to, &hidden)?;
        let kind = Target::Tar { file, places: BTreeMap::new() };
        let mut output = Output { to: to.to_owned(), hidden, kind, done: false };
        output.begin_tar(sizes, date).map_err(failed)?;
        Ok(output)
    }

    fn begin_tar(&mut self, sizes: &[(String, u64)], date: u64) -> io::Result<()> {
        let Target::Tar { file, places } = &mut self.kind else { return Ok(()) };
        file.set_len(0)?;
        let mut at = 0;
        for (name, bytes) in sizes {
            file.seek(SeekFrom::Start(at))?;
            file.write_all(&header(name, *bytes, date))?;
            places.insert(name.clone(), at + BLOCK);
            let room = padded(*bytes).and_then(|room| room.checked_add(at + BLOCK));
            at = room.filter(|&at| at <= LONGEST).ok_or(io::ErrorKind::FileTooLarge)?;
        }
        // Gaps that were never written are read as zeros.
        file.set_len(at + END)
    }

    pub(crate) fn begin(&mut self, name: &str) -> io::Result<()> {
        match &mut self.kind {
            Target::Folder { file, .. } => {
                let path = self.hidden.join(name);
                *file = Some(File::options().write(true).create_new(true).open(path)?);
            }
            Target::Tar { file, places } => {
                file.seek(SeekFrom::Start(places[name]))?;
            }
        }
        Ok(())
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.kind {
            Target::Folder { file: Some(file), .. } | Target::Tar { file, .. } => {
                file.write_all(bytes)
            }
            Target::Folder { file: None, .. } => Err(io::ErrorKind::NotFound.into()),
        }
    }

    pub(crate) fn end(&mut self) -> io::Result<()> {
        match &mut self.kind {
            Target::Folder { file, .. } => file.take().map_or(Ok(()), |file| file.sync_all()),
            Target::Tar { .. } => Ok(()),
        }
    }

    pub(crate) fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.begin(name)?;
        self.write(bytes)?;
        self.end()
    }

    /// Returns the number of bytes that files of these lengths take in this output.
    pub(crate) fn bytes(&self, sizes: &[(String, u64)]) -> u64 {
        let each = sizes.iter().map(|(_, bytes)| *bytes);
        match self.kind {
            Target::Folder { .. } => each.sum(),
            Target::Tar { .. } => {
                END + each.map(|bytes| BLOCK + padded(bytes).unwrap_or(bytes)).sum::<u64>()
            }
        }
    }

    /// Gives the pack its final name, if the name is free.
    pub(crate) fn finish(mut self) -> Result<(), PackError> {
        let named = match &mut self.kind {
            Target::Tar { file, .. } => {
                file.sync_all().and_then(|()| publish(&self.hidden, &self.to))
            }
            Target::Folder { .. } => {
                let synced = FileSystem.sync_folder(&self.hidden);
                synced.and_then(|()| rename(&self.hidden, &self.to))
            }
        };
        match named {
            Ok(()) => self.done = true,
            Err(error) if is_there(&error) => return Err(PackError::Exists(self.to.clone())),
            Err(source) => return Err(PackError::Write { path: self.to.clone(), source }),
        }
        let synced = FileSystem.sync_folder(folder_of(&self.to));
        synced.map_err(|source| PackError::Write { path: self.to.clone(), source })
    }
}

fn is_there(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::DirectoryNotEmpty)
}

/// Renames a file, if the new name is free.
fn publish(from: &Path, to: &Path) -> io::Result<()> {
    // Unlike a rename, a hard link never replaces a file.
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if is_there(&error) => Err(error),
        // Some file systems lack hard links.
        Err(_) => rename(from, to),
    }
}

/// Renames a file if the new name seems to be free. Another process may still take the name first.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    match fs::symlink_metadata(to) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => FileSystem.rename(from, to),
        Err(error) => Err(error),
        Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
    }
}
