//! The location of a database: a folder, or another source of its manifest and shards.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_shard::Source;
use grundy_shard::manifest::{Manifest, ShardEntry, shard_path};

use crate::QueryError;
use crate::file::{Access, ShardFile};

/// The bytes of a shard, from any source.
#[derive(Clone)]
pub struct ShardBytes(Arc<dyn Source + Send + Sync>);

impl ShardBytes {
    pub fn new(source: impl Source + Send + Sync + 'static) -> ShardBytes {
        ShardBytes(Arc::new(source))
    }
}

impl From<Arc<dyn Source + Send + Sync>> for ShardBytes {
    fn from(source: Arc<dyn Source + Send + Sync>) -> ShardBytes {
        ShardBytes(source)
    }
}

impl fmt::Debug for ShardBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ShardBytes").field(&self.0.length()).finish()
    }
}

impl Source for ShardBytes {
    fn length(&self) -> u64 {
        self.0.length()
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        self.0.range(at, count, room)
    }

    fn forget(&self) -> bool {
        self.0.forget()
    }
}

/// A part of a shard that will be read.
#[derive(Clone, Debug)]
pub struct ShardRange {
    pub table: String,
    pub shard: u32,
    pub range: Range<u64>,
}

/// The location of a database. Readers check its data with the manifest and the checksums.
pub trait Location: fmt::Debug + Send + Sync {
    fn path(&self) -> &Path;

    /// Returns the manifest; `None` if there is no database.
    fn manifest(&self) -> Result<Option<Manifest>, QueryError>;

    /// Returns the bytes of a shard; `entry` is the shard's entry in the manifest.
    fn shard(&self, table: &str, shard: u32, entry: &ShardEntry) -> io::Result<ShardBytes>;

    fn shard_path(&self, table: &str, shard: u32) -> PathBuf {
        self.path().join(shard_path(table, shard))
    }

    /// True if each read is a round trip to another machine, so that prefetching is worthwhile.
    fn is_remote(&self) -> bool {
        false
    }

    /// Prefetches these ranges, so that later reads need no round trip.
    fn want(&self, _: &[ShardRange]) -> io::Result<()> {
        Ok(())
    }

    /// Sets the maximum number of seconds that this thread waits for bytes from now on.
    fn within(&self, _: f64) {}
}

#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    access: Access,
}

impl Folder {
    pub(crate) fn new(path: &Path, access: Access) -> Folder {
        Folder { path: path.to_owned(), access }
    }
}

impl Location for Folder {
    fn path(&self) -> &Path {
        &self.path
    }

    fn manifest(&self) -> Result<Option<Manifest>, QueryError> {
        Ok(Manifest::read(&self.path)?)
    }

    fn shard(&self, table: &str, shard: u32, _: &ShardEntry) -> io::Result<ShardBytes> {
        let path = self.shard_path(table, shard);
        ShardFile::open(&path, self.access).map(ShardBytes::new)
    }
}
