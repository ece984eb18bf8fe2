//! What can be wrong with a pack, as types.

use std::io;
use std::path::{Path, PathBuf};

use grundy_shard::ShardError;

use crate::SignError;

/// Why a pack cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// The caller asked for it.
    #[error("stopped before the end")]
    Stopped,
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {path}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is something where the pack was to be.
    #[error("{0} is there already")]
    Exists(PathBuf),
    /// Somebody else writes a pack of that name.
    #[error("something else is writing {0}")]
    Busy(PathBuf),
    /// A shard takes more memory than there is.
    #[error("a shard of {needed} bytes is more than may be in memory")]
    Memory {
        /// Its length.
        needed: u64,
    },
    /// A shard that was to be packed is not what the database's manifest says.
    #[error("{path} is not the shard that the manifest lists")]
    Shard {
        /// The shard's file.
        path: PathBuf,
        /// What is wrong with it.
        source: ShardFault,
    },
    /// There are no tables, or a table's id makes no name of a file.
    #[error("{0}")]
    Selection(String),
    /// The pack cannot be signed.
    #[error("cannot sign the pack")]
    Sign(#[source] SignError),
    /// What is there is no pack, or not a whole one.
    #[error("{path} is no whole pack")]
    Damaged {
        /// The pack.
        path: PathBuf,
        /// What is wrong.
        source: Box<Fault>,
    },
}

impl PackError {
    /// What is wrong with the pack at a place.
    pub fn damaged(path: &Path, fault: Fault) -> PackError {
        PackError::Damaged { path: path.to_owned(), source: Box::new(fault) }
    }
}

/// What is wrong with a shard.
#[derive(Debug, thiserror::Error)]
pub enum ShardFault {
    /// Its bytes are wrong.
    #[error(transparent)]
    Bytes(#[from] ShardError),
    /// It is sound, but another one.
    #[error("its header or its digest is that of another shard")]
    Other,
    /// Its bytes are not those that were checked before.
    #[error("it changed after it was checked")]
    Changed,
    /// Its file has another length.
    #[error("it has {found} bytes, should have {expected}")]
    Length {
        /// Its length.
        found: u64,
        /// As the manifest says.
        expected: u64,
    },
}

/// What is wrong with a pack.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// It is neither a folder nor a tar of that kind.
    #[error("it does not begin as the tar of a pack")]
    NotATar,
    /// A name that no file of a pack has: of another folder, say.
    #[error("'{0}' is no name of a file of a pack")]
    Name(String),
    /// Something that is no regular file: a link, say.
    #[error("{0} is no regular file")]
    NotAFile(String),
    /// A name that is there twice.
    #[error("{0} is there twice")]
    Twice(String),
    /// More files than a pack has.
    #[error("it has more than {0} files")]
    TooMany(usize),
    /// A header of the tar is not the one that its file has.
    #[error("the header of {0} in the tar is damaged")]
    Header(String),
    /// The tar ends too soon.
    #[error("the tar is cut short in {0}")]
    Cut(String),
    /// The room behind a file, or the end of the tar, has something in it.
    #[error("the tar has something behind {0}")]
    Padding(String),
    /// The files of the tar are not in their order, or of another date.
    #[error("{0} is not at its place in the tar")]
    Place(String),
    /// A file is missing.
    #[error("{0} is missing")]
    Missing(String),
    /// A file that `pack.json` does not list.
    #[error("{0} does not belong to it")]
    Added(String),
    /// A file of another length.
    #[error("{name} has {found} bytes, should have {expected}")]
    Length {
        /// The file.
        name: String,
        /// Its length.
        found: u64,
        /// As the manifest says.
        expected: u64,
    },
    /// There is no table in it.
    #[error("it has no tables")]
    Empty,
    /// The text of `pack.json` is not the one that was written.
    #[error("pack.json is damaged: its text does not have the digest that stands at its end")]
    Seal,
    /// `pack.json` is of another version.
    #[error("pack.json is of version {found}, and this program reads version {expected}")]
    Version {
        /// The version it names.
        found: u64,
        /// The one that is read here.
        expected: u32,
    },
    /// `pack.json` is not the manifest of a pack.
    #[error("pack.json is not the manifest of a pack")]
    Syntax,
    /// What `pack.json` says of a table cannot be.
    #[error("what pack.json says of {0} cannot be")]
    Entry(String),
    /// A file has other bytes.
    #[error("{0} does not have the digests that pack.json lists")]
    Digest(String),
    /// A list of digests is not the one that follows from `pack.json`.
    #[error("{0} is not the list of digests that it should be")]
    Sums(String),
    /// A shard is not what it should be.
    #[error("shard {shard} of {table} is wrong")]
    Shard {
        /// The table.
        table: String,
        /// The shard's number.
        shard: usize,
        /// What is wrong.
        source: ShardFault,
    },
    /// There is a signature that nothing here can check.
    #[error("it has a signature by a key that it does not name")]
    UnknownSigner,
    /// A key is asked for, and there is no signature.
    #[error("it is not signed")]
    Unsigned,
    /// The signature is wrong, or of another key.
    #[error("the signature is not right")]
    Signature(#[source] SignError),
}
