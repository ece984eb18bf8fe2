//! Builds tables: plan, run, publish, resume. Only this crate writes into a database.
//!
//! ```text
//!  Request ──► Plan (pure, printable)
//!                │
//!                ▼  run, under the database's lock
//!   ┌─ worker ─────────────────────────────────┐  bounded   ┌─ writer ───────┐
//!   │ claim the next shard                      │  channel   │ publish file   │
//!   │ for each frame: kernel → digest → codec   │ ─────────► │ (temp, fsync,  │
//!   │   → zstd, all in cache                    │            │  rename, fsync)│
//!   └─ one a thread ────────────────────────────┘            └───────┬────────┘
//!                                                                    ▼
//!                                     table complete: manifest replaced whole
//! ```
//!
//! # Shards are independent
//!
//! The rows that border on a tile come from levels in memory, not from shards: computing a level
//! takes less time than reading it (ARCHITECTURE.md). So any shard can be rebuilt alone. The
//! exceptions are tables whose tiles depend on all tiles before: each is one run with checkpoints
//! (`in_order`).
//!
//! # The unit of work is a shard
//!
//! A shard's digest covers its values in order. So one thread takes a shard from kernel to
//! compressed bytes, frame by frame, and the values of a frame stay in the cache of that thread's
//! core. Big tables have hundreds of shards. The channel to the writer is bounded: if the disk is
//! slow, workers wait, and memory use stays constant.
//!
//! # Interruptions
//!
//! | killed while | left on disk | the next run |
//! |---|---|---|
//! | computing | finished shards | keeps those with a valid header, length and digest |
//! | writing a shard | a temporary file | removes it, builds the shard |
//! | between last shard and manifest | all shards, old manifest | checks them, writes a manifest |
//! | replacing the manifest | old or new manifest, never a mixture | continues from either |
//!
//! docs/FORMAT.md gives the argument step by step, with loss of power and folders; `tests/faults`
//! tests it. The output is a pure function of game, max pile, length and format version: the same
//! bytes for any number of threads, any instruction set, and any history of interruptions.
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

pub use build::{build, build_on};
pub use error::{BuildError, FetchError};
pub use geometry::Geometry;
pub use import::{Fetch, import, known};
pub use lock::{LOCK_FILE, Lock, LockError};
pub use plan::{Plan, PlanError, Request, TablePlan};
pub use run::{Report, TableReport};
pub use share::{SharedShard, build_share, find_share, finish, finish_from, shards};

use std::path::Path;

use grundy_shard::manifest::{Manifest, ManifestError};
pub use grundy_shard::publish::{Publication, publish};

/// Reads the manifest of a database; returns an empty one if the file does not exist.
pub fn manifest(folder: &Path) -> Result<Manifest, ManifestError> {
    Ok(Manifest::read(folder)?.unwrap_or_default())
}
