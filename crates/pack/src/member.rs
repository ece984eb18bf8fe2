//! The files of a pack, read from any source of bytes.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_shard::publish::open_regular;
use grundy_shard::{Source, range_of, read_at};

use crate::PackError;

/// A file of a pack, which is either a separate file or a part of a tar.
#[derive(Clone)]
pub(crate) struct Member {
    path: PathBuf,
    source: Arc<dyn Source + Send + Sync>,
    at: u64,
    pub(crate) bytes: u64,
}

impl fmt::Debug for Member {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Member { path, at, bytes, .. } = self;
        f.debug_struct("Member").field("path", path).field("at", at).field("bytes", bytes).finish()
    }
}

impl Member {
    pub(crate) fn open(path: &Path) -> Result<Member, PackError> {
        let opened = open_regular(path);
        let (file, length) =
            opened.map_err(|source| PackError::Read { path: path.to_owned(), source })?;
        Ok(Member::of(path, Arc::new(OnDisk { file, length })))
    }

    pub(crate) fn of(path: &Path, source: Arc<dyn Source + Send + Sync>) -> Member {
        let bytes = source.length();
        Member { path: path.to_owned(), source, at: 0, bytes }
    }

    pub(crate) fn part(&self, at: u64, bytes: u64) -> Member {
        Member { at: self.at + at, bytes, ..self.clone() }
    }

    pub(crate) fn read(&self, at: u64, count: u64) -> Result<Vec<u8>, PackError> {
        let failed = |source| PackError::Read { path: self.path.clone(), source };
        let Ok(room) = usize::try_from(count) else {
            return Err(failed(io::ErrorKind::OutOfMemory.into()));
        };
        let mut bytes = Vec::new();
        let found = self.range(at, room, &mut bytes).map_err(failed)?.len();
        if bytes.len() != found {
            // The source left `bytes` empty, because it returns a slice of its own bytes.
            let lent = self.range(at, room, &mut Vec::new()).map_err(failed)?.to_vec();
            return Ok(lent);
        }
        Ok(bytes)
    }
}

impl Source for Member {
    fn length(&self) -> u64 {
        self.bytes
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        // Check the range first, so that a wrong `count` cannot allocate much memory.
        range_of(at, count, self.bytes)?;
        self.source.range(self.at + at, count, room)
    }

    fn forget(&self) -> bool {
        self.source.forget()
    }
}

struct OnDisk {
    file: File,
    length: u64,
}

impl Source for OnDisk {
    fn length(&self) -> u64 {
        self.length
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        range_of(at, count, self.length)?;
        room.clear();
        if room.try_reserve_exact(count).is_err() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        room.resize(count, 0);
        read_at(&self.file, at, room)?;
        Ok(room)
    }
}
