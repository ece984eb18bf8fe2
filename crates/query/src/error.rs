//! What can go wrong with an answer.

use std::io;
use std::path::PathBuf;

use grundy_rules::{Game, PositionError};
use grundy_shard::ShardError;
use grundy_shard::manifest::ManifestError;
use grundy_solvers::{SolveError, StoreError};
use grundy_sweep::NoSuchPart;

/// In what a shard is not the one that the manifest lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
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

/// Why there is no answer. The shard layer says what the bytes did; this one says which
/// table and where.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum QueryError {
    /// There are no such parts of a table to be counted.
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error("the manifest of {folder} is damaged: what it says of {table} cannot be")]
    Entry { folder: PathBuf, table: String },
    /// A shard's file is missing or unreadable.
    #[error("cannot open {path}")]
    Open { path: PathBuf, source: io::Error },
    /// Bytes of another machine cannot be had.
    #[error(transparent)]
    Fetch(io::Error),
    #[error("there is neither a pack (pack.json) nor a database (manifest.json) at {path}")]
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
    /// Rows of single piles were asked of a game that has none.
    #[error("{game} has no records of single piles")]
    NoRecords { game: &'static str },
    /// A value was asked for in a game whose positions have outcome classes.
    #[error("positions of {game} have no Grundy values but outcome classes; ask for the answer")]
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
        // What this crate handed to a solver comes back.
        match error.downcast::<QueryError>() {
            Ok(error) => *error,
            Err(error) => QueryError::Solve(SolveError::Store(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    /// What this crate handed to a solver comes back as it was; what others say stays theirs.
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
