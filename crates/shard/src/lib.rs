//! The file format of Grundy's tables: encodes values as files and decodes files to values.
//!
//! A table is a long row of equal *tiles*. A *shard* is a file that holds a contiguous run of them.
//! This crate knows nothing about games: the caller gives it the shape of a tile and the bytes, and
//! gets the bytes back, or an error. `docs/FORMAT.md` specifies every byte.
//!
//! # A shard
//!
//! ```text
//!  ┌────────┬─────────┬─────────┬── ── ─┬───────────┬─────────┬────────────┐
//!  │ header │ frame 0 │ frame 1 │  ...  │ frame n-1 │ trailer │ seek table │
//!  └────────┴─────────┴─────────┴── ── ─┴───────────┴─────────┴────────────┘
//!   skipped  ◄──────── independent zstd frames ────►  skipped   skipped
//!   by zstd                                           by zstd   by zstd
//!
//!  header      magic, version, the shard's `Description`, CRC-32
//!  frame       tiles_per_frame tiles (the last frame: the rest), transformed by the
//!              `Codec` and compressed, with zstd's own checksum at the end
//!  trailer     BLAKE3 of all values, totals, CRC-32 (which covers the seek table too)
//!  seek table  length and checksum of everything before it
//! ```
//!
//! A shard is a valid zstd file in zstd's *seekable format*, so other tools can read from its
//! middle. All frames but the last hold the same number of tiles, so a division finds the frame of
//! a tile ([`Description::place`]).
//!
//! # Checks
//!
//! - [`Shard::open`] checks everything but the frames; it reads the two ends of the file.
//! - [`Shard::decode_frame`] checks the frame's checksum twice. It returns the right values or an
//!   error.
//! - [`Shard::verify`] checks every frame and the BLAKE3 digest. The digest does not depend on
//!   codec, level or version of zstd: two shards with equal digests hold equal values.
//!
//! No input makes this crate panic. Allocations are bounded by the length of the file and by
//! [`MAX_FRAME_BYTES`].
//!
//! # Example
//!
//! ```
//! use grundy_shard::{Codec, Decoder, Description, Encoder, Shard, ShardError};
//!
//! // Three tiles of 2 x 2 values, two to a frame.
//! let description = Description {
//!     table: "some-game/n2/k3".to_owned(),
//!     value_bytes: 1,
//!     tile_rows: 2,
//!     tile_cols: 2,
//!     tiles_per_frame: 2,
//!     first_tile: 0,
//!     tiles: 3,
//!     shard: 0,
//!     shards: 1,
//!     codec: Codec::NimSum,
//! };
//! let mut encoder = Encoder::new(1);
//! encoder.begin(description)?;
//! encoder.push_frame(&[0, 3, 3, 0, 1, 2, 2, 1])?;
//! encoder.push_frame(&[0, 1, 1, 0])?;
//! let encoded = encoder.finish()?;
//!
//! let shard = Shard::open(&encoded.bytes)?;
//! let place = shard.description().place(2).expect("tile 2 is in this shard");
//! let mut frame = vec![0; shard.description().frame_len(place.frame)];
//! shard.decode_frame(place.frame, &mut Decoder::new(), &mut frame)?;
//! assert_eq!(frame[place.offset..], [0, 1, 1, 0]);
//! shard.verify()?;
//! # Ok::<(), ShardError>(())
//! ```

#![forbid(unsafe_code)]

mod codec;
mod decoder;
mod description;
pub mod disk;
mod encoder;
mod error;
mod layout;
pub mod manifest;
pub mod publish;
pub mod seal;
mod source;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod zstd_safe;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use zstd::zstd_safe;

pub use decoder::{Decoder, Shard, ends};
pub use description::{
    Codec, Description, MAX_DESCRIPTION_BYTES, MAX_FRAME_BYTES, TilePlace, cut, most_file_bytes,
};
pub use encoder::{EncodedShard, Encoder};
pub use error::{DescriptionFault, FrameFault, GeometryFault, SeekTableFault, ShardError};
pub use layout::FORMAT_VERSION;
pub use source::{Source, range_of, read_at};
