//! What can go wrong with an answer.

use std::fmt;
use std::io;
use std::path::PathBuf;

use grundy_rules::{Game, PositionError};
use grundy_shard::ShardError;
use grundy_shard::manifest::ManifestError;
use grundy_solvers::{SolveError, StoreError};
use grundy_sweep::NoSuchPart;

/// In what a shard is not the one that the manifest lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It is of another table.
    Table,
    /// It stands at another place in its table, or the table is cut in another way.
    Place,
    /// Its values are transformed in another way.
    Codec,
    /// It has other values.
    Digest,
    /// Its file has another length.
    Length,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::Table => "table",
            Difference::Place => "place in the table",
            Difference::Codec => "codec",
            Difference::Digest => "digest",
            Difference::Length => "length",
        })
    }
}

/// Why there is no answer. The shard layer says what the bytes did; this one says which
/// table and where.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// There are no such parts of a table to be counted.
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
    /// The manifest cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The manifest contradicts itself, or what the table must be.
    #[error("the manifest of {folder} is damaged: what it says of {table} cannot be")]
    Entry {
        /// The database.
        folder: PathBuf,
        /// The table's id.
        table: String,
    },
    /// A shard's file is missing or unreadable.
    #[error("cannot open {path}")]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Bytes of another machine cannot be had.
    #[error(transparent)]
    Fetch(io::Error),
    /// There is nothing at an address.
    #[error("there is neither a pack (pack.json) nor a database (manifest.json) at {path}")]
    Nothing {
        /// The address.
        path: PathBuf,
    },
    /// What is there is a pack, and a damaged one.
    #[cfg(feature = "remote")]
    #[error(transparent)]
    Pack(#[from] grundy_pack::PackError),
    /// A shard's bytes are wrong.
    #[error("{path} is damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which frame.
        source: ShardError,
    },
    /// A shard is sound but is not the one that the manifest lists.
    #[error("{path} is not the shard that the manifest lists (its {what} differs)")]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: Difference,
    },
    /// It cannot be computed, or not within the limits.
    #[error(transparent)]
    Solve(SolveError),
    /// It is no position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Rows of single piles were asked of a game that has none.
    #[error("{game} has no records of single piles")]
    NoRecords {
        /// The game's id.
        game: &'static str,
    },
    /// A value was asked for in a game whose positions have outcome classes.
    #[error("positions of {game} have no Grundy values but outcome classes; ask for the answer")]
    NoValue {
        /// The game.
        game: Game,
    },
    /// It was asked to stop before its end.
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

    #[test]
    fn a_shard_that_is_another_one_says_in_what() {
        let differences = [
            (Difference::Table, "table"),
            (Difference::Place, "place in the table"),
            (Difference::Codec, "codec"),
            (Difference::Digest, "digest"),
            (Difference::Length, "length"),
        ];
        for (what, word) in differences {
            let error = QueryError::Foreign { path: "there".into(), what };
            let text =
                format!("there is not the shard that the manifest lists (its {word} differs)");
            assert_eq!(error.to_string(), text);
        }
    }

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
