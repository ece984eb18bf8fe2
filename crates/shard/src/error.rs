//! Error types for shards.
//!
//! The messages describe the fault in the bytes. The caller adds the name of the file and the
//! remedy, for example to build or fetch the shard again.

use std::error::Error;
use std::io;

/// An error while reading a shard from bytes, or while encoding values.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    #[error("cannot read it")]
    Read(#[source] io::Error),
    #[error("not a shard: the first bytes are not those of a Grundy shard")]
    NotAShard,
    #[error("shard format version {found}; this program reads versions 1 to {newest}")]
    Version { found: u32, newest: u32 },
    #[error("cut short: it needs at least {needed} bytes, but has {found}")]
    Truncated { needed: u64, found: u64 },
    #[error("the two lengths in the header contradict each other: {frame} and {description}")]
    HeaderLength { frame: u32, description: u32 },
    #[error("the header is damaged: CRC-32 {computed:08x}, should be {stored:08x}")]
    HeaderChecksum { stored: u32, computed: u32 },
    #[error("unreadable description")]
    Description(#[source] DescriptionFault),
    #[error("impossible description")]
    Geometry(#[source] GeometryFault),
    #[error(
        "the trailer or the seek table is damaged: CRC-32 {computed:08x}, should be {stored:08x}"
    )]
    TrailerChecksum { stored: u32, computed: u32 },
    #[error("the seek table does not fit the shard")]
    SeekTable(#[from] SeekTableFault),
    #[error("frame {frame} is damaged: its checksum differs from the one in the seek table")]
    FrameChecksum { frame: u64 },
    #[error("frame {frame} does not decode")]
    FrameDecode {
        frame: u64,
        #[source]
        fault: FrameFault,
    },
    #[error("the BLAKE3 digest of the values differs from the one in the trailer")]
    Digest { stored: [u8; 32], computed: [u8; 32] },
    #[error("no frame {frame}: the shard has {frames} frames")]
    NoSuchFrame { frame: u64, frames: u64 },
    #[error("frame {frame} has {expected} bytes, but the buffer has {found}")]
    FrameLength { frame: u64, expected: usize, found: usize },
    #[error("no shard was begun")]
    NotBegun,
    #[error("the shard is not complete: {pushed} of {frames} frames were written")]
    Incomplete { pushed: u64, frames: u64 },
    /// zstd failed to compress, probably because memory ran out.
    #[error("zstd cannot compress: {0}")]
    Compress(&'static str),
}

/// A fault in the encoding of a description.
#[derive(Debug, thiserror::Error)]
pub enum DescriptionFault {
    #[error("{len} bytes long; the format allows at most {limit}")]
    TooLong { len: u64, limit: u64 },
    #[error("not a valid encoding")]
    Malformed(#[source] Box<dyn Error + Send + Sync>),
    #[error("{len} bytes long, but it ends after {used} bytes")]
    TrailingBytes { used: usize, len: usize },
}

/// A fault in the sizes that a description states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeometryFault {
    #[error("values of {0} bytes; the format allows 1, 2 or 4 bytes, and one bit in version 2")]
    ValueBytes(u8),
    #[error(
        "version 2 needs values of one bit, frames of a multiple of 8 tiles, and the codec raw"
    )]
    Bits,
    #[error("no values: {0} is 0")]
    Empty(&'static str),
    /// A frame is larger than [`MAX_FRAME_BYTES`](crate::MAX_FRAME_BYTES).
    #[error("frames of {bytes} bytes; the format allows at most {limit}")]
    FrameTooLarge { bytes: u64, limit: u64 },
    #[error("{frames} frames; the format allows at most {limit}")]
    TooManyFrames { frames: u64, limit: u64 },
    /// `first_tile + tiles`, or the number of bytes, exceeds 64 bits.
    #[error("the number of tiles, values or bytes exceeds 64 bits")]
    Overflow,
    #[error("shard {shard} of {shards}")]
    ShardNumber { shard: u32, shards: u32 },
}

/// A contradiction between the end of the file and the rest of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeekTableFault {
    #[error("the file does not end with a seek table (it is cut short, or has grown)")]
    Missing,
    /// The descriptor in the footer announces unsupported entries.
    #[error("descriptor {0:#04x} in the footer; this format has only 0x80")]
    Descriptor(u8),
    #[error("{found} entries, should be {expected}")]
    Count { found: u64, expected: u64 },
    #[error("the {0} has a wrong magic number or length")]
    Envelope(&'static str),
    #[error("entry {0} does not match its frame")]
    Entry(u64),
    #[error("the number of {what} is {found}, should be {expected}")]
    Total { what: &'static str, found: u64, expected: u64 },
    #[error("the frames have {found} bytes, but {expected} bytes lie between header and trailer")]
    Room { found: u64, expected: u64 },
}

/// The fault of a frame that cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    #[error("not exactly one zstd frame")]
    NotOneFrame,
    #[error("no content checksum")]
    NoChecksum,
    #[error("it has a wrong number of bytes")]
    Length,
    #[error("zstd: {0}")]
    Zstd(&'static str),
}
