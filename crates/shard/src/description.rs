//! What a shard says about itself, and how that is written in its header.
//!
//! This is the only module that knows bincode, which is no longer maintained. Its
//! encoding of a [`Description`] is spelled out byte by byte in docs/FORMAT.md, so it
//! can be replaced by a hand-written one without a change of format.

use crate::error::{DescriptionFault, GeometryFault, ShardError};

/// Most bytes of values in one frame. A reader refuses more before it allocates.
pub const MAX_FRAME_BYTES: usize = 64 << 20;

/// Most bytes of an encoded description.
pub const MAX_DESCRIPTION_BYTES: usize = 4096;

/// Most entries in a seek table, by the zstd seekable format.
const MAX_SEEK_ENTRIES: u64 = 0x0800_0000;

/// More than header, trailer and the seek table of a shard take, beside a sixty-fourth of the
/// values: a frame that does not compress takes little more than its values.
const FRAMING_BYTES: u64 = 1 << 20;

/// Bytes of the values of a frame, about: what zstd decodes at once. Larger frames compress better,
/// smaller ones answer a look-up sooner; the measurements are in docs/FORMAT.md.
const FRAME_BYTES: u64 = 64 << 10;
/// Bytes of the values of a shard, about.
const SHARD_BYTES: u64 = 64 << 20;

/// How a table is cut: tiles of a full frame, and of a full shard, for tiles of so many bytes. Part
/// of the format.
pub fn cut(tile_bytes: u64) -> (u64, u64) {
    let tile_bytes = tile_bytes.max(1);
    let tiles_per_frame = (FRAME_BYTES / tile_bytes).max(1);
    let frames_per_shard = (SHARD_BYTES / (tiles_per_frame * tile_bytes)).max(1);
    (tiles_per_frame, tiles_per_frame * frames_per_shard)
}

/// More bytes than the file of a shard has whose values have so many: what is longer cannot be
/// one.
pub fn most_file_bytes(value_len: u64) -> u64 {
    value_len.saturating_add(value_len / 64).saturating_add(FRAMING_BYTES)
}

/// How the values of a shard, which may be any, are transformed before zstd sees them.
// The numbers of the variants are in files: add at the end, never reorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bincode::Encode, bincode::Decode)]
pub enum Codec {
    /// The values as they are.
    Raw,
    /// Each value xor (row ^ column), both numbered from 1 within the tile. Of the
    /// nim-sum only as many low bits are used as a value has.
    NimSum,
    /// As `NimSum`; then, if a value has two bytes, the low bytes of all values of the
    /// frame, followed by all high bytes.
    NimSumPlanes,
    /// Each value minus the one before it in the frame, modulo what a value can hold; then
    /// the lowest bytes of all of them, the next lowest, and so on. For sequences.
    DeltaPlanes,
}

impl Codec {
    /// Every codec, in the order of their numbers in files.
    pub const ALL: [Codec; 4] =
        [Codec::Raw, Codec::NimSum, Codec::NimSumPlanes, Codec::DeltaPlanes];

    /// The name used in documents and options.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Raw => "raw",
            Codec::NimSum => "nim-sum",
            Codec::NimSumPlanes => "nim-sum-planes",
            Codec::DeltaPlanes => "delta-planes",
        }
    }
}

/// What the header of a shard says.
///
/// A table is a row of tiles, all of one shape; a shard holds `tiles` of them,
/// beginning with number `first_tile`, in frames of `tiles_per_frame` (only the last
/// may have fewer). The methods are exact for a description that
/// [`validate`](Description::validate) accepts; for any other they saturate.
#[derive(Clone, Debug, PartialEq, Eq, bincode::Encode, bincode::Decode)]
#[allow(missing_docs)] // the names say it
pub struct Description {
    /// The table that the tiles belong to, e.g. `end-nim/n64/k5`. Means nothing here.
    pub table: String,
    /// Bytes of a value: 1, 2 or 4 (little endian).
    pub value_bytes: u8,
    pub tile_rows: u32,
    pub tile_cols: u32,
    /// Tiles in every frame but the last.
    pub tiles_per_frame: u32,
    /// Number, within its table, of the first tile of this shard.
    pub first_tile: u64,
    pub tiles: u64,
    /// Number of this shard within its table, from 0.
    pub shard: u32,
    pub shards: u32,
    /// How values are transformed before zstd sees them.
    pub codec: Codec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub struct TilePlace {
    pub frame: u64,
    /// Where it begins among the decoded bytes of that frame.
    pub offset: usize,
}

#[allow(missing_docs)] // the names say it
impl Description {
    pub fn tile_bytes(&self) -> usize {
        (self.tile_rows as usize)
            .saturating_mul(self.tile_cols as usize)
            .saturating_mul(usize::from(self.value_bytes))
    }

    pub fn frame_bytes(&self) -> usize {
        self.tile_bytes().saturating_mul(self.tiles_per_frame as usize)
    }

    pub fn frames(&self) -> u64 {
        self.tiles.div_ceil(u64::from(self.tiles_per_frame.max(1)))
    }

    /// Bytes of this frame: those of a full frame, fewer for the last one, 0 beyond it.
    pub fn frame_len(&self, frame: u64) -> usize {
        let before = frame.saturating_mul(u64::from(self.tiles_per_frame));
        let tiles = self.tiles.saturating_sub(before).min(u64::from(self.tiles_per_frame));
        // At most a u32 came out of `min`.
        self.tile_bytes().saturating_mul(tiles as usize)
    }

    pub fn value_len(&self) -> u64 {
        self.tiles.saturating_mul(self.tile_bytes() as u64)
    }

    /// Where tile number `tile` of the table lies, or `None` if it is in another shard.
    pub fn place(&self, tile: u64) -> Option<TilePlace> {
        let here = tile.checked_sub(self.first_tile).filter(|&here| here < self.tiles)?;
        let per_frame = u64::from(self.tiles_per_frame.max(1));
        Some(TilePlace {
            frame: here / per_frame,
            offset: self.tile_bytes().saturating_mul((here % per_frame) as usize),
        })
    }

    /// Whether a shard can have this description.
    pub fn validate(&self) -> Result<(), ShardError> {
        self.geometry_fault().map_or(Ok(()), |fault| Err(ShardError::Geometry(fault)))
    }

    fn geometry_fault(&self) -> Option<GeometryFault> {
        if !matches!(self.value_bytes, 1 | 2 | 4) {
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
        if self.frame_bytes() > MAX_FRAME_BYTES {
            let (bytes, limit) = (self.frame_bytes() as u64, MAX_FRAME_BYTES as u64);
            return Some(GeometryFault::FrameTooLarge { bytes, limit });
        }
        if self.first_tile.checked_add(self.tiles).is_none()
            || self.tiles.checked_mul(self.tile_bytes() as u64).is_none()
        {
            return Some(GeometryFault::Overflow);
        }
        // Header and trailer have entries too.
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

    /// The description that stands in the header; not yet validated.
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

/// The limit keeps a forged string length from allocating.
fn config() -> impl bincode::config::Config {
    bincode::config::standard()
        .with_little_endian()
        .with_fixed_int_encoding()
        .with_limit::<MAX_DESCRIPTION_BYTES>()
}
