//! What can go wrong.

use grundy_query::QueryError;
use grundy_rules::{Game, PositionError, TableError};
use grundy_solvers::{FillError, SolveError};
use grundy_sweep::MemoryShortage;

/// Why there is no answer, or no walk. Each says what is wrong, and where.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A text, or piles, that are no position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// There is no table, and so no level, of this size.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The database is damaged, or a position is beyond the limits.
    #[error(transparent)]
    Query(QueryError),
    /// A level that cannot be computed.
    #[error(transparent)]
    Fill(FillError),
    /// A level that takes more memory than is allowed.
    #[error("cannot walk {table}: {shortage}")]
    Memory {
        /// The table's id, as in `nim/n64/k6`.
        table: String,
        /// The memory that is needed, and the limit.
        shortage: MemoryShortage,
    },
    /// A game of one's own whose cells are not the values of positions.
    #[error("the cells of {game} are not values of single positions, so they cannot be walked")]
    Unnumbered {
        /// The game.
        game: Game,
    },
    /// The value of another position that a question asks for cannot be had.
    #[error("{what}")]
    Value {
        /// Why.
        what: String,
    },
    /// A walk that was asked to stop before its end.
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
