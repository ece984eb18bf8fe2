//! Why a build ends early.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use grundy_shard::ShardError;
use grundy_shard::manifest::ManifestError;
use grundy_solvers::FillError;
use grundy_sweep::Stopped;

use crate::lock::LockError;
use crate::plan::PlanError;

/// Why a shard cannot be fetched.
pub type FetchError = Box<dyn Error + Send + Sync>;

/// Why a build ended early. Whatever was finished stays, and the next run goes on there.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum BuildError {
    #[error("stopped; what is finished is kept")]
    Stopped,
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A manifest of version 1, whose text has no digest, says what is not so.
    #[error("what the manifest of {folder} says of {table} is not what the shards are")]
    Unsealed { folder: PathBuf, table: String },
    #[error("cannot write {path}; what is finished is kept")]
    Write { path: PathBuf, source: io::Error },
    /// Shards that other runs were to build are not there, or not whole.
    #[error("{first} is missing, or not what it should be{}", others(*.count))]
    Missing { first: PathBuf, count: usize },
    /// Those who built shards say of them what cannot be.
    #[error("what is said of the shards of {table} for {folder} cannot be")]
    Impossible { folder: PathBuf, table: String },
    /// What was to be put into the database is no table of this program.
    #[error("what is said of the shards of {table} is not of a table that this program knows")]
    Foreign { table: String },
    /// What is there is another than what was to be put there.
    #[error("{path} is there and is not the same as the {table} that is to be put there")]
    Differs { path: PathBuf, table: String },
    /// A shard that was to be put into the database cannot be had.
    #[error("cannot read shard {shard} of {table}; what is finished is kept")]
    Fetch { table: String, shard: usize, source: FetchError },
    #[error("cannot fill {table}")]
    Fill { table: String, source: FillError },
    #[error("cannot encode shard {shard} of {table}")]
    Encode { table: String, shard: u32, source: ShardError },
}

/// That it is not the only one.
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
