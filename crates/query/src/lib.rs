#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod database;
mod error;
mod file;
mod held_level;
mod location;
mod map;
#[cfg(feature = "remote")]
mod remote;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod survey;
mod table;
mod tile;

pub use database::Database;
pub use error::{Difference, Problem, QueryError};
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
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use survey::{BatchError, SharedTile, Verification, VerifyReport, chosen, is_named, verify};
pub use table::StoredTable;
pub use tile::Tile;
