//! The file system operations of a build. Each step is a method.
//!
//! Any step may fail. Between any two steps, a process may be killed, or the power may fail.
//! [`FileSystem`] is the real implementation. The tests have an implementation in memory. It
//! records which bytes and names would survive a loss of power, and fails on demand.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write};
use std::path::Path;

/// Files and folders. The caller controls when bytes and names are forced to disk.
pub trait Disk: Sync {
    /// Creates a file for writing. Returns [`io::ErrorKind::AlreadyExists`] if the name exists.
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>>;

    /// Renames a file within its folder. Replaces a file that has the new name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Creates a folder in an existing folder, or returns [`io::ErrorKind::AlreadyExists`].
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Forces the new, changed and removed names of a folder to disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Forces the bytes of an existing file to disk, even if another process wrote them.
    fn sync(&self, path: &Path) -> io::Result<()>;

    fn is_folder(&self, path: &Path) -> bool;

    fn files(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// Returns the length of a regular file, or [`io::ErrorKind::InvalidInput`] for anything else.
    fn length(&self, path: &Path) -> io::Result<u64>;

    /// Reads a regular file, or returns [`io::ErrorKind::InvalidData`] if it exceeds `most` bytes.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
}

/// A file open for writing.
pub trait NewFile: Write {
    /// Forces the bytes to disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The machine's file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystem;

impl Disk for FileSystem {
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>> {
        Ok(Box::new(OpenOptions::new().write(true).create_new(true).open(path)?))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_folder(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        // Some systems can sync only files that were opened for writing.
        OpenOptions::new().write(true).open(path)?.sync_all()
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// Does nothing, because this system cannot open a folder as a file.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> io::Result<()> {
        Ok(())
    }

    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn files(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for file in fs::read_dir(folder)? {
            let file = file?;
            if file.file_type()?.is_file() {
                names.push(file.file_name());
            }
        }
        Ok(names)
    }

    fn length(&self, path: &Path) -> io::Result<u64> {
        let found = fs::metadata(path)?;
        if found.is_file() {
            return Ok(found.len());
        }
        Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file"))
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        // Opening a pipe may block forever, and reading a device may never end.
        let length = self.length(path)?;
        if length > most {
            let text = format!("it has {length} bytes; such a file has at most {most}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let mut bytes = Vec::new();
        let reserved = usize::try_from(length).ok().map(|length| bytes.try_reserve_exact(length));
        if !matches!(reserved, Some(Ok(()))) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        // The file may have grown, so read at most one byte more than allowed.
        File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            let text = format!("it grew; such a file has at most {most} bytes");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        Ok(bytes)
    }
}

impl NewFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_all()
    }
}
