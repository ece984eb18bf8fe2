//! Errors of look-ups and checks.

use std::io;
use std::path::PathBuf;

use grundy_rules::{Game, PositionError};
use grundy_shard::ShardError;
use grundy_shard::manifest::ManifestError;
use grundy_solvers::{SolveError, StoreError};

/// The property of a shard that differs from its entry in the manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    #[error("table")]
    Table,
    #[error("place in the table")]
    Place,
    #[error("codec")]
    Codec,
    #[error("digest")]
    Digest,
    #[error("length")]
    Length,
}

/// The errors of a database. The errors of `grundy_shard` describe damage; these errors add the
/// table and the file.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("the manifest of {folder} is damaged: its entry of {table} is invalid")]
    Entry { folder: PathBuf, table: String },
    #[error("cannot open {path}")]
    Open { path: PathBuf, source: io::Error },
    /// Reading from a remote machine failed.
    #[error(transparent)]
    Fetch(io::Error),
    #[error("{path} is neither a pack (pack.json) nor a database (manifest.json)")]
    Nothing { path: PathBuf },
    #[cfg(feature = "remote")]
    #[error(transparent)]
    Pack(#[from] grundy_pack::PackError),
    #[error("{path} is damaged")]
    Damaged { path: PathBuf, source: ShardError },
    #[error("{path} is not the shard that the manifest lists (its {what} differs)")]
    Foreign { path: PathBuf, what: Difference },
    #[error(transparent)]
    Solve(SolveError),
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error("{game} has no records of single piles")]
    NoRecords { game: &'static str },
    #[error("positions of {game} have outcome classes and no Grundy values; ask for the outcome")]
    NoValue { game: Game },
    #[error("stopped before the end")]
    Stopped,
}

impl From<SolveError> for QueryError {
    fn from(error: SolveError) -> QueryError {
        match error {
            SolveError::Store(error) => error.into(),
            error => QueryError::Solve(error),
        }
    }
}

impl From<StoreError> for QueryError {
    fn from(error: StoreError) -> QueryError {
        // If a solver passed on an error of this crate, unwrap it.
        match error.downcast::<QueryError>() {
            Ok(error) => *error,
            Err(error) => QueryError::Solve(SolveError::Store(error)),
        }
    }
}

/// A fault that a check of a database found.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    #[error(transparent)]
    Shard(#[from] QueryError),
    #[error("{folder}: the manifest lists '{table}', a table that this program does not know")]
    Unknown { folder: PathBuf, table: String },
    #[error("the stored rules of {table} contradict themselves: {what}")]
    Rules { table: String, what: String },
    #[error("{table} has the digest {found}, expected {expected}")]
    Digest { table: String, found: String, expected: String },
    #[error("{path}: the value {found} of {position} contradicts the values of its options")]
    Value { path: PathBuf, position: String, found: u32 },
    #[error("{path}: the outcome of {position} contradicts its value in {table}")]
    Outcome { path: PathBuf, position: String, table: String },
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    /// Errors of this crate that a solver passed on are unwrapped; other errors stay wrapped.
    #[test]
    fn errors_come_back_from_solvers() {
        let own = || QueryError::NoRecords { game: "nim" };
        let boxed: StoreError = Box::new(own());
        for error in [own(), QueryError::from(boxed), SolveError::Store(Box::new(own())).into()] {
            assert!(matches!(error, QueryError::NoRecords { game: "nim" }), "{error:?}");
            assert_eq!(error.to_string(), "nim has no records of single piles");
        }
        let foreign = || -> StoreError { "the disk is full".into() };
        for error in [QueryError::from(foreign()), SolveError::Store(foreign()).into()] {
            let QueryError::Solve(SolveError::Store(inner)) = &error else { panic!("{error:?}") };
            assert_eq!(inner.to_string(), "the disk is full");
            assert!(error.source().is_none_or(|source| source.to_string() == "the disk is full"));
        }
    }
}
