//! Errors of a build.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use grundy_shard::ShardError;
use grundy_shard::manifest::ManifestError;
use grundy_shard::state::StateError;
use grundy_solvers::FillError;
use grundy_sweep::Stopped;

use crate::lock::LockError;
use crate::plan::PlanError;

/// The error of a [`Fetch`](crate::Fetch) function.
pub type FetchError = Box<dyn Error + Send + Sync>;

/// An error that ends a build early. Finished shards stay, and the next run continues from them.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    #[error("stopped; finished shards are kept")]
    Stopped,
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A manifest of version 1, which contains no digest, contradicts the shards.
    #[error("the manifest of {folder} does not match the shards of {table}")]
    Unsealed { folder: PathBuf, table: String },
    #[error("cannot write {path}; finished shards are kept")]
    Write { path: PathBuf, source: io::Error },
    /// Shards of other shares are missing or damaged.
    #[error("{first} is missing or damaged{}", others(*.count))]
    Missing { first: PathBuf, count: usize },
    /// A reported entry contains an impossible length or digest.
    #[error("the list of shards of {table} for {folder} is invalid")]
    Impossible { folder: PathBuf, table: String },
    /// This program does not know the table to be imported.
    #[error("the list of shards names the table {table}, but this program does not know it")]
    Foreign { table: String },
    /// The database already contains a different table with this id.
    #[error("{path} already exists and differs from the shard of {table} to be stored there")]
    Differs { path: PathBuf, table: String },
    /// The shard differs from the entry that its share reported.
    #[error("{path} differs from the shard that its task built")]
    Replaced { path: PathBuf },
    /// The source of an import cannot supply a shard.
    #[error("cannot read shard {shard} of {table}; finished shards are kept")]
    Fetch { table: String, shard: usize, source: FetchError },
    /// A file with the state between two parts is not the expected one.
    #[error("cannot continue from {path}")]
    State { path: PathBuf, source: StateError },
    #[error("cannot fill {table}")]
    Fill { table: String, source: FillError },
    #[error("cannot encode shard {shard} of {table}")]
    Encode { table: String, shard: u32, source: ShardError },
}

/// Returns the part of the message that counts the other missing shards.
fn others(count: usize) -> String {
    match count {
        0 | 1 => String::new(),
        2 => ", and so is another shard".to_owned(),
        more => format!(", and so are {} other shards", more - 1),
    }
}

impl From<Stopped> for BuildError {
    fn from(_: Stopped) -> BuildError {
        BuildError::Stopped
    }
}

impl BuildError {
    pub(crate) fn of_fill(table: String, source: FillError) -> BuildError {
        match source {
            FillError::Stopped(_) => BuildError::Stopped,
            source => BuildError::Fill { table, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_shards_are_counted() {
        let all = [1, 2, 3, 10].map(others);
        let said = ["", ", and so is another shard", ", and so are 2 other shards"];
        assert_eq!(all[..3], said);
        assert_eq!(all[3], ", and so are 9 other shards");
    }
}
