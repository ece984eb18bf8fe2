//! Opens a database, looks values up, and computes beyond it.
//!
//! ```text
//!                     ┌─ held by a table? ── frame of its tile ── value     source: table
//!  position ── length ┤
//!  and piles          └─ no: interval by interval, from the longest
//!                        rows the tables hold                               table+computed
//!                        or from single piles                               computed
//! ```
//!
//! * [`Database`] answers; no table present is no error.
//! * `table` reads one stored table: shards are memory-mapped when first touched,
//!   frames decoded when first needed and kept (see there which ones).
//! * `compute` evaluates any position of End-Nim from rows of shorter ones; `multiset`,
//!   `partizan`, `short_global` and `long_global` do the same for the other games.
//! * [`scan`] folds over a stored table in parallel; [`verify`] checks a database.
//!
//! A value is handed out only from a frame whose checksum is right, in a shard that the
//! manifest lists, of the digest it lists. `map` is the only module with unsafe code.
#![deny(unsafe_code)]

mod compute;
mod database;
mod error;
mod long_global;
mod map;
mod multiset;
mod partizan;
mod scan;
mod short_global;
mod table;
mod verify;

pub use compute::{Limits, Work};
pub use database::{Answer, Database, Moves, Source, Watch};
pub use error::QueryError;
pub use partizan::{PartizanMoves, Thresholds, is_winning};
pub use scan::scan;
pub use table::StoredTable;
pub use verify::{Checked, Problem, Verification, verify};
