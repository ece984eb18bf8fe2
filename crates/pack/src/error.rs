//! Error types for packs.

use std::io;
use std::path::{Path, PathBuf};

use grundy_shard::ShardError;

use crate::SignError;

/// An error while writing or reading a pack.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum PackError {
    #[error("stopped before the end")]
    Stopped,
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {path}")]
    Write { path: PathBuf, source: io::Error },
    #[error("{0} is there already")]
    Exists(PathBuf),
    #[error("something else is writing {0}")]
    Busy(PathBuf),
    #[error("a shard of {} MiB is more than may be in memory", needed.div_ceil(1 << 20))]
    Memory { needed: u64 },
    #[error("{path} is not the shard that the manifest lists")]
    Shard { path: PathBuf, source: ShardFault },
    #[error("{0}")]
    Selection(String),
    #[error("cannot sign the pack")]
    Sign(#[source] SignError),
    #[error("{path} is no whole pack")]
    Damaged { path: PathBuf, source: Box<Fault> },
}

impl PackError {
    /// Returns the error for a fault of the pack at `path`.
    pub fn damaged(path: &Path, fault: Fault) -> PackError {
        PackError::Damaged { path: path.to_owned(), source: Box::new(fault) }
    }
}

/// A fault of a shard.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum ShardFault {
    #[error(transparent)]
    Bytes(#[from] ShardError),
    #[error("its header or its digest is that of another shard")]
    Other,
    #[error("it changed after it was checked")]
    Changed,
    #[error("it has {found} bytes, should have {expected}")]
    Length { found: u64, expected: u64 },
}

/// A fault of a pack.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum Fault {
    #[error("it does not begin as the tar of a pack")]
    NotATar,
    #[error("'{0}' is no name of a file of a pack")]
    Name(String),
    #[error("{0} is no regular file")]
    NotAFile(String),
    #[error("{0} is there twice")]
    Twice(String),
    #[error("it has more than {0} files")]
    TooMany(usize),
    #[error("the header of {0} in the tar is damaged")]
    Header(String),
    #[error("the tar is cut short in {0}")]
    Cut(String),
    #[error("the tar has something behind {0}")]
    Padding(String),
    #[error("{0} is not at its place in the tar")]
    Place(String),
    #[error("{0} is missing")]
    Missing(String),
    #[error("{0} does not belong to it")]
    Added(String),
    #[error("{name} has {found} bytes, should have {expected}")]
    Length { name: String, found: u64, expected: u64 },
    #[error("it has no tables")]
    Empty,
    #[error("pack.json is damaged: its text does not have the digest that stands at its end")]
    Seal,
    #[error("pack.json is of version {found}, and this program reads version {expected}")]
    Version { found: u64, expected: u32 },
    #[error("pack.json is not the manifest of a pack")]
    Syntax,
    #[error("what pack.json says of {0} cannot be")]
    Entry(String),
    #[error("{0} does not have the digests that pack.json lists")]
    Digest(String),
    #[error("{0} is not the list of digests that it should be")]
    Sums(String),
    #[error("shard {shard} of {table} is wrong")]
    Shard { table: String, shard: usize, source: ShardFault },
    #[error("it has a signature by a key that it does not name")]
    UnknownSigner,
    #[error("it is not signed")]
    Unsigned,
    #[error("the signature is not right")]
    Signature(#[source] SignError),
}
