//! The description of a shard, and its encoding in the header.
//!
//! Only this module uses bincode, which is no longer maintained. docs/FORMAT.md specifies the
//! encoding of a [`Description`] byte by byte. So another encoder can replace bincode without a
//! change of format.

use crate::error::{DescriptionFault, GeometryFault, ShardError};

/// The maximum size of the values in a frame. A reader rejects larger frames before it allocates.
pub const MAX_FRAME_BYTES: usize = 64 << 20;

/// The maximum size of an encoded description, in bytes.
pub const MAX_DESCRIPTION_BYTES: usize = 4096;

/// The maximum number of entries that the zstd seekable format allows in a seek table.
const MAX_SEEK_ENTRIES: u64 = 0x0800_0000;

/// The maximum total size of header, trailer and seek table, in bytes. (The frames can be 1/64
/// longer than the values, because zstd slightly lengthens values that it cannot compress.)
const FRAMING_BYTES: u64 = 1 << 20;

/// The approximate size of the values in a frame, in bytes. zstd decodes whole frames. Larger
/// frames compress better; smaller frames make lookups faster. docs/FORMAT.md has the measurements.
const FRAME_BYTES: u64 = 64 << 10;
/// The approximate size of the values in a shard, in bytes.
const SHARD_BYTES: u64 = 64 << 20;

/// Returns the numbers of tiles in a full frame and in a full shard. A tile has `tile_cells` values
/// of `value_bytes` bytes. The format fixes the result.
pub fn cut(tile_cells: u64, value_bytes: u8) -> (u64, u64) {
    let whole = tiles_of_whole_bytes(value_bytes);
    let tile =
        tile_cells.saturating_mul(if value_bytes == 0 { 1 } else { 8 * u64::from(value_bytes) });
    let tile = tile.max(1);
    let tiles_per_frame = (8 * FRAME_BYTES / tile / whole * whole).max(whole);
    let frames_per_shard = (8 * SHARD_BYTES / tiles_per_frame.saturating_mul(tile)).max(1);
    (tiles_per_frame, tiles_per_frame * frames_per_shard)
}

/// Returns the length in bytes of this many values. If `value_bytes` is 0, a value is one bit.
pub fn bytes_of(values: u64, value_bytes: u8) -> u64 {
    match value_bytes {
        0 => values.div_ceil(8),
        _ => values.saturating_mul(value_bytes.into()),
    }
}

/// Returns a number of tiles that fill whole bytes, whatever the shape of the tiles.
fn tiles_of_whole_bytes(value_bytes: u8) -> u64 {
    if value_bytes == 0 { 8 } else { 1 }
}

/// Returns the maximum length of a shard file with this many bytes of values. A longer file is
/// invalid.
pub fn most_file_bytes(value_len: u64) -> u64 {
    value_len.saturating_add(value_len / 64).saturating_add(FRAMING_BYTES)
}

/// The transform of a shard's values before zstd compresses them. Every codec accepts all values.
// Files store the number of a variant: add new variants at the end, never reorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bincode::Encode, bincode::Decode)]
pub enum Codec {
    /// No transform.
    Raw,
    /// Each value xored with row ^ column, both counted from 1 within the tile. If a nim-sum is
    /// wider than a value, it loses its high bits.
    NimSum,
    /// The same as `NimSum`, but if values have two bytes, all low bytes of the frame precede all
    /// high bytes.
    NimSumPlanes,
    /// Each value minus the previous value in the frame, modulo the range of a value. The lowest
    /// bytes of all differences come first, then the next bytes, and so on.
    DeltaPlanes,
}

impl Codec {
    /// Every codec, in the order of the numbers that files store.
    pub const ALL: [Codec; 4] =
        [Codec::Raw, Codec::NimSum, Codec::NimSumPlanes, Codec::DeltaPlanes];

    /// Returns the name that documents and options use.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Raw => "raw",
            Codec::NimSum => "nim-sum",
            Codec::NimSumPlanes => "nim-sum-planes",
            Codec::DeltaPlanes => "delta-planes",
        }
    }
}

/// The contents of a shard's header.
///
/// A table is a row of tiles of one shape. A shard contains `tiles` tiles of its table, beginning
/// with the tile `first_tile`, in frames of `tiles_per_frame` tiles. Only the last frame may have
/// fewer tiles. If [`validate`](Description::validate) accepts a description, the results of all
/// methods are exact. Otherwise the results saturate.
#[derive(Clone, Debug, PartialEq, Eq, bincode::Encode, bincode::Decode)]
pub struct Description {
    /// The id of the table, such as `end-nim/n64/k5`. This crate does not interpret it.
    pub table: String,
    /// The size of a value in bytes: 1, 2 or 4 (little endian), or 0 if a value is one bit. A byte
    /// contains eight such bits, the lowest bit first. The unused bits of a frame are 0.
    pub value_bytes: u8,
    pub tile_rows: u32,
    pub tile_cols: u32,
    /// The number of tiles in every frame except the last.
    pub tiles_per_frame: u32,
    /// The index of this shard's first tile within its table.
    pub first_tile: u64,
    pub tiles: u64,
    /// The index of this shard within its table, from 0.
    pub shard: u32,
    pub shards: u32,
    /// The transform of the values before compression.
    pub codec: Codec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TilePlace {
    pub frame: u64,
    /// The index of the tile's first value in the frame.
    pub value: u64,
}

impl Description {
    fn tile_cells(&self) -> u64 {
        u64::from(self.tile_rows).saturating_mul(self.tile_cols.into())
    }

    pub fn cells(&self) -> u64 {
        self.tiles.saturating_mul(self.tile_cells())
    }

    fn bytes_of(&self, tiles: u64) -> u64 {
        bytes_of(self.tile_cells().saturating_mul(tiles), self.value_bytes)
    }

    fn len_of(&self, tiles: u64) -> usize {
        usize::try_from(self.bytes_of(tiles)).unwrap_or(usize::MAX)
    }

    pub fn frame_bytes(&self) -> usize {
        self.len_of(self.tiles_per_frame.into())
    }

    pub fn frames(&self) -> u64 {
        self.tiles.div_ceil(u64::from(self.tiles_per_frame.max(1)))
    }

    /// Returns the number of bytes of a decoded frame, or 0 if there is no such frame.
    pub fn frame_len(&self, frame: u64) -> usize {
        let before = frame.saturating_mul(u64::from(self.tiles_per_frame));
        let tiles = self.tiles.saturating_sub(before).min(u64::from(self.tiles_per_frame));
        self.len_of(tiles)
    }

    pub fn value_len(&self) -> u64 {
        self.bytes_of(self.tiles)
    }

    /// Returns the place of a tile of the table, or `None` if another shard contains the tile.
    pub fn place(&self, tile: u64) -> Option<TilePlace> {
        let here = tile.checked_sub(self.first_tile).filter(|&here| here < self.tiles)?;
        let per_frame = u64::from(self.tiles_per_frame.max(1));
        Some(TilePlace {
            frame: here / per_frame,
            value: self.tile_cells().saturating_mul(here % per_frame),
        })
    }

    /// Returns an error if no shard can have this description.
    pub fn validate(&self) -> Result<(), ShardError> {
        self.geometry_fault().map_or(Ok(()), |fault| Err(ShardError::Geometry(fault)))
    }

    fn geometry_fault(&self) -> Option<GeometryFault> {
        if !matches!(self.value_bytes, 0 | 1 | 2 | 4) {
            return Some(GeometryFault::ValueBytes(self.value_bytes));
        }
        let counts = [
            ("the length of the table's name", self.table.len() as u64),
            ("the number of rows", self.tile_rows.into()),
            ("the number of columns", self.tile_cols.into()),
            ("the number of tiles in a frame", self.tiles_per_frame.into()),
            ("the number of tiles", self.tiles),
        ];
        if let Some((what, _)) = counts.into_iter().find(|&(_, count)| count == 0) {
            return Some(GeometryFault::Empty(what));
        }
        let whole = tiles_of_whole_bytes(self.value_bytes);
        let is_divided = !u64::from(self.tiles_per_frame).is_multiple_of(whole);
        if is_divided || whole > 1 && self.codec != Codec::Raw {
            return Some(GeometryFault::Bits);
        }
        if self.frame_bytes() > MAX_FRAME_BYTES {
            let (bytes, limit) = (self.frame_bytes() as u64, MAX_FRAME_BYTES as u64);
            return Some(GeometryFault::FrameTooLarge { bytes, limit });
        }
        if self.first_tile.checked_add(self.tiles).is_none()
            || self.tiles.checked_mul(self.tile_cells()).is_none()
            || self.cells().checked_mul(self.value_bytes.max(1).into()).is_none()
        {
            return Some(GeometryFault::Overflow);
        }
        // The seek table has two more entries, for the header and the trailer.
        let (frames, limit) = (self.frames(), MAX_SEEK_ENTRIES - 2);
        if frames > limit {
            return Some(GeometryFault::TooManyFrames { frames, limit });
        }
        if self.shard >= self.shards {
            let (shard, shards) = (self.shard, self.shards);
            return Some(GeometryFault::ShardNumber { shard, shards });
        }
        None
    }

    pub(crate) fn to_bytes(&self) -> Result<Vec<u8>, DescriptionFault> {
        let bytes = bincode::encode_to_vec(self, config())
            .map_err(|error| DescriptionFault::Malformed(error.into()))?;
        check_len(bytes.len())?;
        Ok(bytes)
    }

    /// Decodes the description in the header. Does not validate it.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Description, DescriptionFault> {
        check_len(bytes.len())?;
        let (description, used) = bincode::decode_from_slice(bytes, config())
            .map_err(|error| DescriptionFault::Malformed(error.into()))?;
        if used != bytes.len() {
            return Err(DescriptionFault::TrailingBytes { used, len: bytes.len() });
        }
        Ok(description)
    }
}

pub(crate) fn check_len(len: usize) -> Result<(), DescriptionFault> {
    if len > MAX_DESCRIPTION_BYTES {
        let (len, limit) = (len as u64, MAX_DESCRIPTION_BYTES as u64);
        return Err(DescriptionFault::TooLong { len, limit });
    }
    Ok(())
}

/// Limits the length, so that an invalid length cannot cause a huge allocation.
fn config() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<MAX_DESCRIPTION_BYTES>()
}
