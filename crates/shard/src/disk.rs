//! What a build asks of a file system, one step a method.
//!
//! Between any two of these steps a process may be killed or the power be lost, and any of them may
//! fail. [`FileSystem`] is the one that there is. The tests have another, in memory, that knows
//! which bytes and names would survive, and fails when it is told to.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write};
use std::path::Path;

/// Files and folders, and when they are safe.
#[allow(missing_docs)] // the names say it
pub trait Disk: Sync {
    /// Creates a file to be written. A name that is taken is [`io::ErrorKind::AlreadyExists`].
    fn create(&self, path: &Path) -> io::Result<Box<dyn NewFile + '_>>;

    /// Gives a file another name in its folder, in place of a file that has it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Creates a folder in one that is there. A name that is taken is
    /// [`io::ErrorKind::AlreadyExists`].
    fn create_folder(&self, path: &Path) -> io::Result<()>;

    /// Forces the names in a folder to disk: those that came, those that changed, those that went.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Forces the bytes of a file that is there to disk: somebody else may have written it.
    fn sync(&self, path: &Path) -> io::Result<()>;

    fn is_folder(&self, path: &Path) -> bool;

    fn files(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// The length of a regular file; [`io::ErrorKind::InvalidInput`] for anything else.
    fn length(&self, path: &Path) -> io::Result<u64>;

    /// The bytes of a regular file of at most `most` bytes; [`io::ErrorKind::InvalidData`] if it is longer.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;
}

/// A file that is being written.
pub trait NewFile: Write {
    /// Forces its bytes to disk.
    fn sync(&mut self) -> io::Result<()>;
}

/// The file system of the machine.
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
        // Some systems force only what was opened for writing.
        OpenOptions::new().write(true).open(path)?.sync_all()
    }

    #[cfg(unix)]
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        File::open(folder)?.sync_all()
    }

    /// A folder cannot be opened as a file here; the rename is all there is.
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
        // Opening anything but a regular file may wait for ever, and reading it never end.
        let length = self.length(path)?;
        if length > most {
            let text = format!("it has {length} bytes, and no such file has more than {most}");
            return Err(io::Error::new(io::ErrorKind::InvalidData, text));
        }
        let mut bytes = Vec::new();
        let reserved = usize::try_from(length).ok().map(|length| bytes.try_reserve_exact(length));
        if !matches!(reserved, Some(Ok(()))) {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        // It may grow while it is read.
        File::open(path)?.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            let text = format!("it grew, and no such file has more than {most} bytes");
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
