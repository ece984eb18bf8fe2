//! Opens a database, looks values up, and computes beyond it.
//!
//! ```text
//!                     ┌─ held by a table? ── frame of its tile ── value     source: table
//!  position ── solver ┤
//!                     └─ no: a formula, or the period of the row, is proved   theorem, period
//!                        from the rows the tables hold                      table+computed
//!                        or from nothing                                    computed
//! ```
//!
//! * [`Database`] answers; no table present is no error. How a game is solved is the business
//!   of [`grundy_solvers`], which reads tables through two traits that are implemented here.
//! * A [`Location`] is where it is: a folder, or what the feature `remote` adds, packs and addresses
//!   (`remote`). It gives a manifest and the bytes of shards.
//! * `table` reads one stored table: shards are opened when first touched, mapped or read
//!   (`file`), frames decoded when first needed and kept (see there which ones).
//! * [`verify`] checks a database, over a reading path of its own (`fresh`).
//!
//! A value is handed out only from a frame whose checksum is right, in a shard that the
//! manifest lists, of the digest it lists. `map` is the only module with unsafe code.
#![deny(unsafe_code)]

mod ahead;
mod counted;
mod database;
mod error;
mod file;
mod foresee;
mod fresh;
mod location;
mod many;
mod map;
#[cfg(feature = "remote")]
mod remote;
mod table;
mod tile;
mod verify;

pub use counted::CountedShare;
pub use database::Database;
pub use error::{Difference, QueryError};
pub use file::Access;
pub use grundy_shard::manifest::ManifestError;
pub use grundy_solvers::{
    Answer, Counted, Effort, Limit, Limits, Listing, Moves, RowShape, Rows, SolveError, Source,
    ValueCounts, Watch, is_winning,
};
pub use location::{Location, ShardBytes, ShardRange};
pub use many::{ManyError, SharedTile};
#[cfg(feature = "remote")]
pub use remote::is_folder_pack;
pub use table::StoredTable;
pub use tile::Tile;
pub use verify::{
    Problem, TableChoice, Verification, VerifyReport, chosen, conclude, verify, verify_share,
};
