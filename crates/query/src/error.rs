//! What can go wrong with an answer.

use std::io;
use std::path::PathBuf;

use grundy_kernels::subsets::SearchError;
use grundy_rules::Game;
use grundy_shard::ShardError;
use grundy_shard::manifest::ManifestError;

use crate::Work;

/// Why there is no answer. The shard layer says what the bytes did; this one says which
/// table, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The manifest cannot be read.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// The manifest contradicts itself, or what the table must be.
    #[error(
        "the manifest of {folder} is damaged: what it says of {table} cannot be; delete it, and `grundy build` makes it again"
    )]
    Entry {
        /// The database.
        folder: PathBuf,
        /// The table's id.
        table: String,
    },
    /// A shard's file is missing or unreadable.
    #[error("cannot open {path}; `grundy build` makes a missing shard again")]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A shard's bytes are wrong.
    #[error("{path} is damaged; delete it, and `grundy build` makes it again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong, and in which frame.
        source: ShardError,
    },
    /// A shard is sound but is not the one that the manifest lists.
    #[error(
        "{path} is not the shard that the manifest lists (its {what} differs); delete it, and `grundy build` makes it again"
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// A record of short global nim that cannot be one.
    #[error("the record of {pile} in {table} cannot be one; `grundy verify` says more")]
    Record {
        /// The pile.
        pile: u32,
        /// The table's id.
        table: String,
    },
    /// Grundy values were asked of a partizan game.
    #[error("positions of {game} have no Grundy values; ask for their outcome classes")]
    NoValues {
        /// The game.
        game: Game,
    },
    /// A position that the search does not take.
    #[error("{position} is beyond what can be searched")]
    BeyondSearch {
        /// The position.
        position: String,
        /// What is too much.
        source: SearchError,
    },
    /// More moves than can be listed.
    #[error("{position} has too many moves to list: {coins} coins; the limit is {limit}")]
    TooManyMoves {
        /// The position.
        position: String,
        /// Its coins.
        coins: u64,
        /// The most coins of a position whose moves are listed.
        limit: u64,
    },
    /// A search that came to a limit.
    #[error(
        "{position} is too large to search here: {states} positions, {seconds:.0} seconds and \
         {} MiB did not suffice. Raise {limit} to try it all the same",
        memory.div_ceil(1 << 20)
    )]
    Unfinished {
        /// The position.
        position: String,
        /// The positions that were found below it.
        states: u64,
        /// What that took.
        seconds: f64,
        /// Bytes of memory.
        memory: u64,
        /// The option that sets the limit that was reached.
        limit: &'static str,
    },
    /// Computing it would exceed a limit.
    #[error(
        "{position} is too large to compute here: {work}. Raise {limit} to try it all the same"
    )]
    TooLarge {
        /// The position.
        position: String,
        /// The estimate.
        work: Work,
        /// The option that sets the limit that was exceeded.
        limit: &'static str,
    },
}
