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
//! * [`Database`] answers; a database without tables is no error. The crate [`grundy_solvers`]
//!   solves games; it reads tables through two traits that are implemented here.
//! * A [`Location`] holds a database: a folder, or with the feature `remote` a pack or an address
//!   (`remote`). It gives a manifest and the bytes of shards.
//! * `table` reads one stored table. It opens shards at the first access, mapped or read (`file`),
//!   and decodes and caches frames when needed.
//! * [`verify`] checks a database, over a reading path of its own (`fresh`).
//!
//! A value is returned only from a frame with the right checksum, in a shard that the manifest
//! lists with its digest. `map` is the only module with unsafe code.
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
