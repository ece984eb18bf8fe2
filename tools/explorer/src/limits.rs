//! Limits for the questions of a page.

use grundy::Pile;

/// Bytes of memory for a computation. A page has at most 4 GiB, and some browsers allow less.
pub const MEMORY: u64 = 1 << 29;

/// Seconds for an answer. A page may end the worker sooner.
pub const SECONDS: f64 = 20.0;

/// Seconds for checking a statement. It limits the estimated time, and then the elapsed time.
pub const STATEMENT_SECONDS: f64 = 600.0;

/// The largest length of a question in bytes.
pub const MOST_BYTES: usize = 64 << 10;

/// Maximum number of coins of a position for which the moves are listed.
pub const MOST_LISTED_COINS: u64 = 4096;

/// Maximum number of coins of a position for which an answer to each move is listed.
pub const MOST_ANSWERED_COINS: u64 = 128;

/// The remoteness of a position is computed if the position's table has at most this many values.
pub const MOST_LASTING: u64 = 1 << 14;

/// The largest side of a tile.
pub const MOST_SIDE: Pile = 1024;

/// The largest b of a row b -> G(w b).
pub const MOST_ROW: Pile = 100_000;

/// Maximum number of cells in the search for a row's period, if moves change more than the ends.
pub const MOST_SEARCHED: u64 = 1 << 21;

/// The largest single pile whose value is shown.
pub const MOST_SINGLE: Pile = 1_000_000;

/// The largest pile for which the values of all sets of moves are shown.
pub const MOST_SETS: Pile = 20;

/// Values of a family are shown for 0 to `COPIES` - 1 copies of each repeated word.
pub const COPIES: usize = 64;

/// The largest number of counterexamples in an answer.
pub const MOST_SHOWN: usize = 100;

/// Maximum number of counterexamples that are shown with the values of the statement's parts.
pub const MOST_EXPLAINED: usize = 10;

/// Returns an error unless a number is between 1 and a limit.
pub(crate) fn within<T: PartialOrd + From<u8> + Copy + std::fmt::Display>(
    what: &str,
    found: T,
    most: T,
) -> Result<(), String> {
    if (T::from(1)..=most).contains(&found) {
        return Ok(());
    }
    Err(format!("{what} is {found}; it must be from 1 to {most}"))
}
