#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod build;
mod error;
mod geometry;
mod import;
mod in_order;
mod job;
mod lock;
mod plan;
mod run;
mod share;
mod state;

pub use build::{build, build_on};
pub use error::{BuildError, FetchError};
pub use geometry::Geometry;
pub use import::{Fetch, import, known};
pub use lock::{LOCK_FILE, Lock, LockError};
pub use plan::{Plan, PlanError, Request, TablePlan};
pub use run::{Report, TableReport};
pub use share::{
    SharedShard, begins, build_share, find_share, finish, finish_from, is_share_done,
    rebuild_share, shards,
};

use std::path::Path;

use grundy_shard::manifest::{Manifest, ManifestError};
pub use grundy_shard::publish::{Publication, publish};

/// Reads the manifest of a database; returns an empty one if the file does not exist.
pub fn manifest(folder: &Path) -> Result<Manifest, ManifestError> {
    Ok(Manifest::read(folder)?.unwrap_or_default())
}
