#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod batch;
mod database;
mod error;
mod file;
mod held_level;
mod level_cache;
mod location;
mod map;
mod precompute;
#[cfg(feature = "remote")]
mod remote;
mod table;
mod tile;
mod uncached;
mod verify;

pub use batch::{BatchError, SharedTile};
pub use database::Database;
pub use error::{Difference, QueryError};
pub use file::Access;
pub use grundy_shard::manifest::ManifestError;
pub use grundy_shard::seal;
pub use grundy_solvers::{
    Answer, Answers, Counted, Effort, Limit, Limits, Listing, Moves, RowShape, Rows, SolveError,
    Source, ValueCounts, Watch, is_winning,
};
pub use held_level::{HeldLevel, Layout};
pub use location::{Location, ShardBytes, ShardRange};
#[cfg(feature = "remote")]
pub use remote::is_folder_pack;
pub use table::StoredTable;
pub use tile::Tile;
pub use verify::{Problem, Verification, VerifyReport, chosen, is_named, verify};
