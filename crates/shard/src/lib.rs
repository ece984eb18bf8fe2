#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]
#![cfg_attr(
    all(target_family = "wasm", target_os = "unknown"),
    allow(dead_code, reason = "a browser writes no shards")
)]

mod codec;
mod decoder;
mod description;
pub mod disk;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod encoder;
mod error;
pub mod json;
mod layout;
pub mod manifest;
pub mod publish;
pub mod seal;
mod source;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub mod state;
#[cfg_attr(all(target_family = "wasm", target_os = "unknown"), path = "no_zstd.rs")]
mod unpack;

pub use decoder::{Decoder, Shard, ends};
pub use description::{
    Codec, Description, MAX_DESCRIPTION_BYTES, MAX_FRAME_BYTES, TilePlace, bytes_of, cut,
    most_file_bytes,
};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use encoder::{EncodedShard, Encoder};
pub use error::{DescriptionFault, FrameFault, GeometryFault, SeekTableFault, ShardError};
pub use layout::FORMAT_VERSION;
pub use source::{Source, range_of, read_at};
