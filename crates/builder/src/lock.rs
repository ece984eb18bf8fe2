//! A database's lock. One builder holds it alone, or several processes that build shares hold it.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use grundy_shard::publish::{check_regular, create_folder};

/// The name of the lock file in the database folder. The file remains after the lock is released.
/// If a process ends, the operating system releases its lock.
pub const LOCK_FILE: &str = "lock";

/// The right to write into a database. Dropping it releases the lock.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

/// An error while taking the lock.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("another build or one of its tasks is running in {0}")]
    Taken(PathBuf),
    #[error("cannot write into the database folder {path}")]
    Io { path: PathBuf, source: io::Error },
}

impl Lock {
    /// Takes the exclusive lock of a database without waiting; creates its folder if needed.
    pub fn take(folder: &Path) -> Result<Lock, LockError> {
        Lock::by(folder, File::try_lock)
    }

    /// Takes the lock in shared mode, for a process that only builds shards.
    pub(crate) fn share(folder: &Path) -> Result<Lock, LockError> {
        Lock::by(folder, File::try_lock_shared)
    }

    fn by(
        folder: &Path,
        lock: impl Fn(&File) -> Result<(), TryLockError>,
    ) -> Result<Lock, LockError> {
        let failed = |source| LockError::Io { path: folder.to_owned(), source };
        create_folder(folder).map_err(failed)?;
        // If the lock file were a named pipe, opening it would block forever.
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
