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
//! That a server sent them for this address and place, and no more. A server may be wrong, and a file
//! may change between two requests. Two things are done against that here: answers that contradict
//! each other (another length, another `ETag`) are an error, [`RemoteError::Changed`], and so is every
//! answer of another range than the one that was asked for. That the bytes are *right* is decided by
//! who reads them: manifests have a seal, seek tables and frames their checksums, and a value comes out
//! of no frame whose checksum is wrong. Who finds them wrong says so ([`RemoteFile::forget`]), and they
//! are fetched once more.
//!
//! # What bounds it
//!
//! No length that a server states is allocated: what arrives is counted, and ends where what was asked
//! for ends. Tries are counted; between them it waits, longer each time. A read that waits too long
//! ends, and so does an answer that trickles. [`set_deadline`] bounds all of it for a thread.
//! Redirects are few, and never lead from https to http.
//!
//! # What is kept
//!
//! Extents, in memory, as long as the process lives; what is older goes first when there is too much.
//! Nothing is kept on disk: who reads much downloads the file.

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
