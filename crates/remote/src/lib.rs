#![doc = include_str!("../README.md")]
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
