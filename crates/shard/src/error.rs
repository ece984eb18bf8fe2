//! What can be wrong with a shard, as types.
//!
//! The texts say what is wrong with the bytes. Which file it was and what to do about
//! it (build it again, fetch it again) only the caller knows, and adds.

use std::error::Error;
use std::io;

/// Why bytes could not be read as a shard, or values not be written as one.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The bytes could not be read.
    #[error("cannot read it")]
    Read(#[source] io::Error),
    /// The first bytes are not those of a shard.
    #[error("not a shard: the first bytes are not those of a Grundy shard")]
    NotAShard,
    /// The shard was written in a format this version cannot read.
    #[error("shard format version {found}; this program reads version {expected}")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version this crate reads and writes.
        expected: u32,
    },
    /// There are fewer bytes than the part being read needs.
    #[error("cut short: at least {needed} bytes needed, {found} found")]
    Truncated {
        /// The least length the bytes read so far call for.
        needed: u64,
        /// The length found.
        found: u64,
    },
    /// The lengths that the leading frame states contradict each other.
    #[error("the header's two lengths contradict each other: {frame} and {description}")]
    HeaderLength {
        /// Length of the skippable frame's payload, as stated.
        frame: u32,
        /// Length of the description inside it, as stated.
        description: u32,
    },
    /// The header's CRC-32 does not match its bytes.
    #[error("the header is damaged: CRC-32 {computed:08x}, should be {stored:08x}")]
    HeaderChecksum {
        /// CRC-32 in the file.
        stored: u32,
        /// CRC-32 of the bytes.
        computed: u32,
    },
    /// The header is intact but its description cannot be read.
    #[error("unreadable description")]
    Description(#[source] DescriptionFault),
    /// The description can be read but describes no possible shard.
    #[error("impossible description")]
    Geometry(#[source] GeometryFault),
    /// The CRC-32 over the trailer and the seek table does not match.
    #[error(
        "the trailer or the seek table is damaged: CRC-32 {computed:08x}, should be {stored:08x}"
    )]
    TrailerChecksum {
        /// CRC-32 in the file.
        stored: u32,
        /// CRC-32 of the bytes.
        computed: u32,
    },
    /// The end of the file (trailer and seek table) disagrees with the header or the file.
    #[error("the seek table does not fit the shard")]
    SeekTable(#[from] SeekTableFault),
    /// A frame's checksum is not the one the seek table lists.
    #[error("frame {frame} is damaged: its checksum is not the one in the seek table")]
    FrameChecksum {
        /// The frame, counted from 0 in this shard.
        frame: u64,
    },
    /// A frame does not decode.
    #[error("frame {frame} does not decode")]
    FrameDecode {
        /// The frame, counted from 0 in this shard.
        frame: u64,
        /// Why.
        #[source]
        fault: FrameFault,
    },
    /// The values decode but are not those that were written.
    #[error("the BLAKE3 digest of the values is not the one in the trailer")]
    Digest {
        /// Digest in the file.
        stored: [u8; 32],
        /// Digest of the values.
        computed: [u8; 32],
    },
    /// There is no such frame in this shard.
    #[error("no frame {frame}: the shard has {frames} frames")]
    NoSuchFrame {
        /// The frame asked for (or pushed).
        frame: u64,
        /// How many there are.
        frames: u64,
    },
    /// A buffer has not the length of the frame.
    #[error("frame {frame} has {expected} bytes, the buffer {found}")]
    FrameLength {
        /// The frame, counted from 0 in this shard.
        frame: u64,
        /// Its length by the description.
        expected: usize,
        /// The length given.
        found: usize,
    },
    /// The encoder was given frames, or asked to finish, before `begin`.
    #[error("no shard has been begun")]
    NotBegun,
    /// The encoder was asked to finish before the last frame.
    #[error("the shard is not complete: {pushed} of {frames} frames were written")]
    Incomplete {
        /// Frames pushed so far.
        pushed: u64,
        /// Frames the description calls for.
        frames: u64,
    },
    /// zstd could not compress (in practice: no memory).
    #[error("zstd cannot compress: {0}")]
    Compress(&'static str),
}

/// Why a description cannot be read from, or written as, its bytes.
#[derive(Debug, thiserror::Error)]
pub enum DescriptionFault {
    /// It is longer than the format allows.
    #[error("{len} bytes long; the format allows {limit}")]
    TooLong {
        /// Length stated or needed.
        len: u64,
        /// The most the format allows.
        limit: u64,
    },
    /// It is not the encoding of a description.
    #[error("not the encoding of a description")]
    Malformed(#[source] Box<dyn Error + Send + Sync>),
    /// Bytes are left over behind it.
    #[error("{used} of {len} bytes used, the rest means nothing")]
    TrailingBytes {
        /// Bytes the description needs.
        used: usize,
        /// Bytes there are.
        len: usize,
    },
}

/// Why no shard can have this description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GeometryFault {
    /// Values are neither one nor two bytes wide.
    #[error("values of {0} bytes; a value has 1, 2 or 4")]
    ValueBytes(u8),
    /// A tile, a frame or the shard has nothing in it.
    #[error("no values: {0} is 0")]
    Empty(&'static str),
    /// A frame is larger than [`MAX_FRAME_BYTES`](crate::MAX_FRAME_BYTES).
    #[error("frames of {bytes} bytes; the format allows {limit}")]
    FrameTooLarge {
        /// Bytes in a full frame (saturating).
        bytes: u64,
        /// The most the format allows.
        limit: u64,
    },
    /// More frames than a seek table may list.
    #[error("{frames} frames; the format allows {limit}")]
    TooManyFrames {
        /// Frames in the shard.
        frames: u64,
        /// The most the format allows.
        limit: u64,
    },
    /// `first_tile + tiles`, or the number of bytes, is beyond 64 bits.
    #[error("the tiles are too many to count in 64 bits")]
    Overflow,
    /// The shard's number is not below the number of shards.
    #[error("shard {shard} of {shards}")]
    ShardNumber {
        /// Number of this shard, from 0.
        shard: u32,
        /// Number of shards of the table.
        shards: u32,
    },
}

/// Why the end of the file does not fit the rest of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeekTableFault {
    /// The file does not end in a seek table's footer.
    #[error("the file does not end with a seek table (it is cut short, or has grown)")]
    Missing,
    /// The seek table's entries are not of the kind this format uses.
    #[error("descriptor {0:#04x} in the footer; this format has only 0x80")]
    Descriptor(u8),
    /// The number of entries is not the number of frames the header calls for.
    #[error("{found} entries, should be {expected}")]
    Count {
        /// Entries in the footer.
        found: u64,
        /// Entries the description calls for.
        expected: u64,
    },
    /// The trailer or the seek table has not its magic number and length.
    #[error("the {0} has not the magic number and length it should have")]
    Envelope(&'static str),
    /// An entry is not what header and file call for.
    #[error("entry {0} is not that of its frame")]
    Entry(u64),
    /// A total in the trailer is not the one the header or the entries give.
    #[error("the number of {what} is {found}, should be {expected}")]
    Total {
        /// What is counted.
        what: &'static str,
        /// As the trailer says.
        found: u64,
        /// As header or entries say.
        expected: u64,
    },
    /// The frames do not fill the room between header and trailer.
    #[error("the frames have {found} bytes, between header and trailer there are {expected}")]
    Room {
        /// Bytes that the entries add up to.
        found: u64,
        /// Bytes between header and trailer.
        expected: u64,
    },
}

/// Why a frame does not decode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameFault {
    /// The bytes are not exactly one zstd frame.
    #[error("not exactly one zstd frame")]
    NotOneFrame,
    /// The frame has no content checksum.
    #[error("no content checksum")]
    NoChecksum,
    /// The frame holds another number of bytes than it should.
    #[error("it holds another number of bytes than it should")]
    Length,
    /// zstd says no.
    #[error("zstd: {0}")]
    Zstd(&'static str),
}
