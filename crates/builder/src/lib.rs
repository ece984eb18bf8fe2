//! Builds tables: plan → run → publish → resume. The only writer of a database.
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
//! # Why no shard depends on another
//!
//! The rows that a tile borders on come from levels kept in memory, not from shards: a level costs less
//! to compute than to read back (ARCHITECTURE.md). So any shard can be built again alone. Only where each
//! tile depends on all before it is a table one run, with checkpoints (the `in_order` module).
//!
//! # Why the unit of work is a shard
//!
//! A shard's digest runs over its values in order, so one thread takes a shard from
//! kernel to compressed bytes, frame by frame: values live for one frame in the cache
//! of the core that made them. Big tables have hundreds of shards. The channel to the
//! writer is bounded: if the disk is slow, workers wait, and memory stays flat.
//!
//! # What may die when
//!
//! | killed while | what is there then | the next run |
//! |---|---|---|
//! | computing | finished shards | keeps those whose header, length and digest are right |
//! | writing a shard | a temporary file | removes it, builds the shard |
//! | between the last shard and the manifest | all shards, old manifest | checks them, writes the manifest |
//! | replacing the manifest | old or new manifest, never a mixture | goes on from either |
//!
//! docs/FORMAT.md argues it step by step, with loss of power and folders; `tests/faults` tries it.
//!
//! What is written is a pure function of game, max pile, length and format version:
//! the same bytes for any number of threads, any instruction set, and any history of
//! interruptions. The tests hold it to that.
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

/// The manifest of a database; an empty one if there is none.
pub fn manifest(folder: &Path) -> Result<Manifest, ManifestError> {
    Ok(Manifest::read(folder)?.unwrap_or_default())
}
