//! Reads files on web servers in extents, on demand.
//!
//! ```text
//!                       ┌─ in memory: Extents ─┐
//!  RemoteFile::range ───┤                      ├──► bytes, not trusted
//!  RemoteFile::want     └─ Remote: GET ────────┘
//!                            Range, If-Range     one request per extent, neighbours merged,
//!                            retries, deadline   several in parallel
//! ```
//!
//! Any server of static files that supports ranges (RFC 9110, section 14) will do. It runs none of
//! our programs, and its statements about lengths and offsets are not trusted.
//!
//! # Trust
//!
//! The bytes are only known to come from a server, for this address and offset. Contradictory
//! answers (another length, another `ETag`) are an error, [`RemoteError::Changed`]; so is an answer
//! for another range. The reader checks the *contents*, by seals and checksums. If they are wrong,
//! it calls [`RemoteFile::forget`](grundy_shard::Source::forget), and the bytes are fetched once
//! more.
//!
//! # Limits
//!
//! Bytes are counted as they arrive, and no stated length is allocated. Tries are counted, pauses
//! grow, and slow answers are cut off; [`set_deadline`] bounds all of it for a thread. Redirects
//! are few, and never lead from https to http. Extents are cached in memory up to a limit, and
//! never on disk: to read much, download the file.

#![forbid(unsafe_code)]

mod address;
mod answer;
mod client;
mod deadline;
mod download;
mod error;
mod extents;
mod file;
mod ranges;
mod text;

pub use address::Address;
pub use client::{Counts, Remote, Settings};
pub use deadline::set_deadline;
pub use download::download;
pub use error::{AddressFault, RemoteError};
pub use file::{Passing, RemoteFile, RemotePart, want};
pub use text::Text;
