//! One builder at a time in one database, or any number of shares of one.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use grundy_shard::publish::{check_regular, create_folder};

/// The lock's name in the database folder. The file stays; what counts is the
/// operating system's lock on it, which goes with the process however that ends.
pub const LOCK_FILE: &str = "lock";

/// The right to write into a database, until dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// Why the lock cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum LockError {
    #[error("another build, or tasks of one, are at work in {0}")]
    Taken(PathBuf),
    #[error("cannot write into the database folder {path}")]
    Io { path: PathBuf, source: io::Error },
}

impl Lock {
    /// Takes the lock of a database, making its folder if need be, and waits for nobody.
    pub fn take(folder: &Path) -> Result<Lock, LockError> {
        Lock::by(folder, File::try_lock)
    }

    /// Takes it together with others who share it: who builds shards and leaves all else alone.
    pub(crate) fn share(folder: &Path) -> Result<Lock, LockError> {
        Lock::by(folder, File::try_lock_shared)
    }

    fn by(
        folder: &Path,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Lock, LockError> {
        let failed = |source| LockError::Io { path: folder.to_owned(), source };
        create_folder(folder).map_err(failed)?;
        // Opening a pipe would wait for ever.
        match check_regular(&folder.join(LOCK_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let file = File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(folder.join(LOCK_FILE))
            .map_err(failed)?;
        match lock(&file) {
            Ok(()) => Ok(Lock { _file: file }),
            Err(TryLockError::WouldBlock) => Err(LockError::Taken(folder.to_owned())),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}
