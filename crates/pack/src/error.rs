//! Error types for packs.

use std::io;
use std::path::{Path, PathBuf};

use grundy_shard::ShardError;

use crate::SignError;

/// An error while writing or reading a pack.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("stopped before the end")]
    Stopped,
    #[error("cannot read {path}")]
    Read { path: PathBuf, source: io::Error },
    #[error("cannot write {path}")]
    Write { path: PathBuf, source: io::Error },
    #[error("{0} already exists")]
    Exists(PathBuf),
    #[error("another program is writing {0}")]
    Busy(PathBuf),
    #[error("a shard of {} MiB exceeds the memory limit", needed.div_ceil(1 << 20))]
    Memory { needed: u64 },
    #[error("{path} is not the shard that the manifest lists")]
    Shard { path: PathBuf, source: ShardFault },
    #[error("{0}")]
    Selection(String),
    #[error("cannot sign the pack")]
    Sign(#[source] SignError),
    #[error(
        "{path} is not a {} pack",
        if matches!(**.source, Fault::Unsigned) { "signed" } else { "complete" }
    )]
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
pub enum ShardFault {
    #[error(transparent)]
    Bytes(#[from] ShardError),
    #[error("its header or digest belongs to another shard")]
    Other,
    #[error("it changed after it was checked")]
    Changed,
    #[error("it has {found} bytes instead of {expected}")]
    Length { found: u64, expected: u64 },
}

/// A fault of a pack.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("it does not begin like the tar of a pack")]
    NotATar,
    #[error("a pack contains no file of the name '{0}'")]
    Name(String),
    #[error("{0} is not a regular file")]
    NotAFile(String),
    #[error("{0} occurs twice")]
    Twice(String),
    #[error("it has more than {0} files")]
    TooMany(usize),
    #[error("the header of {0} in the tar is damaged")]
    Header(String),
    #[error("the tar is cut short in {0}")]
    Cut(String),
    #[error("the tar has extra bytes after {0}")]
    Padding(String),
    #[error("{0} is at the wrong place in the tar")]
    Place(String),
    #[error("{0} is missing")]
    Missing(String),
    #[error("{0} does not belong to the pack")]
    Added(String),
    #[error("{name} has {found} bytes instead of {expected}")]
    Length { name: String, found: u64, expected: u64 },
    #[error("it has no tables")]
    Empty,
    #[error("pack.json is damaged: its text does not match the digest at its end")]
    Seal,
    #[error("pack.json is of version {found}, and this program reads version {expected}")]
    Version { found: u64, expected: u32 },
    #[error("pack.json is not the manifest of a pack")]
    Syntax,
    #[error("the entry of {0} in pack.json is invalid")]
    Entry(String),
    #[error("{0} does not match the digests in pack.json")]
    Digest(String),
    #[error("{0} is not the expected list of digests")]
    Sums(String),
    #[error("shard {shard} of {table} is damaged")]
    Shard { table: String, shard: usize, source: ShardFault },
    #[error("it has a signature, but pack.json names no key")]
    UnknownSigner,
    #[error("it has no signature, so no key can check it")]
    Unsigned,
    #[error("the signature is invalid")]
    Signature(#[source] SignError),
}
