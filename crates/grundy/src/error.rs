//! Errors of look-ups and walks.

use grundy_query::QueryError;
use grundy_rules::{Game, NoRemoteness, PositionError, TableError};
use grundy_solvers::{FillError, SolveError};
use grundy_sweep::MemoryShortage;

use crate::{DomainError, Measure};

/// An error of a look-up or a walk.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Position(#[from] PositionError),
    #[error(transparent)]
    Table(#[from] TableError),
    #[error(transparent)]
    Remoteness(#[from] NoRemoteness),
    #[error(transparent)]
    Domain(#[from] DomainError),
    #[error(transparent)]
    Query(QueryError),
    #[error(transparent)]
    Fill(FillError),
    #[error("{table}: {shortage}")]
    Memory { table: String, measure: Measure, shortage: MemoryShortage },
    #[error("the cells of {game} are not values of single positions, so they cannot be walked")]
    Unnumbered { game: Game },
    /// A question needs the value of another position, and this value cannot be determined.
    #[error("{what}")]
    Value { what: String },
    #[error("stopped before the end")]
    Stopped,
}

impl From<FillError> for Error {
    fn from(error: FillError) -> Error {
        match error {
            FillError::Stopped(_) => Error::Stopped,
            error => Error::Fill(error),
        }
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Error {
        match error {
            QueryError::Stopped | QueryError::Solve(SolveError::Stopped { .. }) => Error::Stopped,
            QueryError::Position(error) => Error::Position(error),
            error => Error::Query(error),
        }
    }
}

impl From<SolveError> for Error {
    fn from(error: SolveError) -> Error {
        QueryError::from(error).into()
    }
}
