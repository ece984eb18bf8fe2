#![doc = include_str!("../README.md")]
#![deny(unsafe_code)]

mod ahead;
mod counted;
mod database;
mod error;
mod file;
mod foresee;
mod fresh;
mod held;
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
pub use grundy_shard::seal;
pub use grundy_solvers::{
    Answer, Answers, Counted, Effort, Limit, Limits, Listing, Moves, RowShape, Rows, SolveError,
    Source, ValueCounts, Watch, is_winning,
};
pub use held::{HeldLevel, Layout};
pub use location::{Location, ShardBytes, ShardRange};
pub use many::{ManyError, SharedTile};
#[cfg(feature = "remote")]
pub use remote::is_folder_pack;
pub use table::StoredTable;
pub use tile::Tile;
pub use verify::{
    Problem, TableChoice, Verification, VerifyReport, chosen, conclude, is_named, verify,
    verify_share,
};
