//! Bytes of a file at an address: what a web server has is read in extents, as they are needed.
//!
//! ```text
//!                       ┌─ in memory: Extents ─┐
//!  RemoteFile::range ───┤                      ├──► bytes, not believed
//!  RemoteFile::want     └─ Remote: GET ────────┘
//!                            Range, If-Range     one request an extent, neighbours together,
//!                            retries, deadline   some at once
//! ```
//!
//! Any server of static files will do that serves ranges (RFC 9110, section 14). No program of ours
//! runs there, and no length or place that it states is believed.
//!
//! # What is true of the bytes
//!
//! That a server sent them for this address and place, and no more. Answers that contradict each other
//! (another length, another `ETag`) are an error, [`RemoteError::Changed`], and so is an answer of
//! another range. Whether the bytes are *right* is decided by who reads them, by seals and checksums;
//! who finds them wrong says so ([`RemoteFile::forget`](grundy_shard::Source::forget)), and they are
//! fetched once more.
//!
//! # What bounds it
//!
//! Bytes are counted as they arrive, and no length that a server states is allocated. Tries are counted, pauses
//! grow, an answer that trickles ends, and [`set_deadline`] bounds all of it for a thread. Redirects are
//! few, and never lead from https to http. Extents are kept in memory, as many as there is room for, and
//! nothing on disk: who reads much downloads the file.

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
