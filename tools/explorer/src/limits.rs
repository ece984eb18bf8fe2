//! How much a page may ask for.

use grundy::Pile;

/// Bytes of memory of a computation: a page has at most 4 GiB, and some browsers give it less.
pub const MEMORY: u64 = 1 << 29;

/// Seconds of one answer. A page may end the worker sooner.
pub const SECONDS: f64 = 20.0;

/// Seconds of a statement, as estimated and as they pass.
pub const STATEMENT_SECONDS: f64 = 600.0;

/// Bytes of a question.
pub const MOST_BYTES: usize = 64 << 10;

/// Coins of a position whose moves are listed.
pub const MOST_LISTED_COINS: u64 = 4096;

/// The side of a tile.
pub const MOST_SIDE: Pile = 1024;

/// The last pile of a row.
pub const MOST_ROW: Pile = 100_000;

/// The last single pile of which a value is shown.
pub const MOST_SINGLE: Pile = 1_000_000;

/// The pile of which all sets of moves are shown.
pub const MOST_SETS: Pile = 20;

/// Counterexamples that are listed.
pub const MOST_SHOWN: usize = 100;
