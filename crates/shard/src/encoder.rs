//! The encoder: turns values into the bytes of a shard.

use crate::codec::Transform;
use crate::description::Description;
use crate::error::ShardError;
use crate::layout::{self, SeekEntry, Tail, Totals};
use zstd::zstd_safe::{CCtx, CParameter, compress_bound, get_error_name};

/// A finished shard in memory, which can be [published](crate::publish::publish).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedShard {
    pub bytes: Vec<u8>,
    /// The BLAKE3 digest of the values, as in the trailer.
    pub digest: [u8; 32],
    pub description: Description,
}

/// Encodes shards in memory, one after another. The bytes depend only on the description, the
/// values, the level and the version of zstd. Each thread should use one encoder, to reuse buffers.
pub struct Encoder {
    level: i32,
    /// Created on first use, so that `new` cannot fail. Earlier frames do not change later output
    /// of the context; the tests check this.
    context: Option<CCtx<'static>>,
    transform: Option<Transform>,
    transformed: Vec<u8>,
    compressed: Vec<u8>,
    current: Option<Current>,
}

struct Current {
    description: Description,
    header_len: usize,
    bytes: Vec<u8>,
    entries: Vec<SeekEntry>,
    hasher: blake3::Hasher,
}

impl Encoder {
    /// Creates an encoder for a zstd compression level (1 to 19; 0 is zstd's default).
    pub fn new(level: i32) -> Encoder {
        Encoder {
            level,
            context: None,
            transform: None,
            transformed: Vec::new(),
            compressed: Vec::new(),
            current: None,
        }
    }

    /// Begins a shard. Discards an unfinished shard.
    pub fn begin(&mut self, description: Description) -> Result<(), ShardError> {
        self.current = None;
        description.validate()?;
        let bytes = layout::write_header(&description)?;
        self.current = Some(Current {
            header_len: bytes.len(),
            bytes,
            entries: Vec::with_capacity(description.frames() as usize),
            hasher: blake3::Hasher::new(),
            description,
        });
        Ok(())
    }

    /// Appends the next frame. `values` contains the tiles of the frame in order.
    pub fn push_frame(&mut self, values: &[u8]) -> Result<(), ShardError> {
        let current = self.current.as_mut().ok_or(ShardError::NotBegun)?;
        let description = &current.description;
        let (frame, frames) = (current.entries.len() as u64, description.frames());
        if frame >= frames {
            return Err(ShardError::NoSuchFrame { frame, frames });
        }
        let (expected, found) = (description.frame_len(frame), values.len());
        if found != expected {
            return Err(ShardError::FrameLength { frame, expected, found });
        }
        current.hasher.update(values);
        let transform = Transform::cached(&mut self.transform, description);
        let plain = transform.encoded(values, &mut self.transformed);
        self.compressed.clear();
        self.compressed.reserve(compress_bound(plain.len()));
        let context = match &mut self.context {
            Some(context) => context,
            slot => slot.insert(new_context(self.level)?),
        };
        context
            .compress2(&mut self.compressed, plain)
            .map_err(|code| ShardError::Compress(get_error_name(code)))?;
        // A compressed frame ends with the checksum of its content.
        let checksum = self.compressed.last_chunk().copied().unwrap_or_default();
        current.entries.push(SeekEntry {
            compressed: self.compressed.len() as u32,
            decompressed: values.len() as u32,
            checksum: u32::from_le_bytes(checksum),
        });
        current.bytes.extend_from_slice(&self.compressed);
        Ok(())
    }

    /// Finishes the shard. Returns an error if frames are missing; the caller can still push them.
    pub fn finish(&mut self) -> Result<EncodedShard, ShardError> {
        let current = self.current.as_ref().ok_or(ShardError::NotBegun)?;
        let (pushed, frames) = (current.entries.len() as u64, current.description.frames());
        if pushed < frames {
            return Err(ShardError::Incomplete { pushed, frames });
        }
        let current = self.current.take().ok_or(ShardError::NotBegun)?;
        let Current { description, header_len, mut bytes, entries, hasher, .. } = current;
        let digest = *hasher.finalize().as_bytes();
        let totals = Totals {
            digest,
            value_bytes: description.value_len(),
            frame_bytes: (bytes.len() - header_len) as u64,
        };
        layout::write_tail(&mut bytes, header_len, &Tail { totals, entries });
        Ok(EncodedShard { bytes, digest, description })
    }
}

fn new_context(level: i32) -> Result<CCtx<'static>, ShardError> {
    let mut context = CCtx::try_create().ok_or(ShardError::Compress("no memory"))?;
    let parameters = [
        CParameter::CompressionLevel(level),
        CParameter::ContentSizeFlag(true),
        CParameter::ChecksumFlag(true),
        CParameter::DictIdFlag(false),
    ];
    for parameter in parameters {
        context
            .set_parameter(parameter)
            .map_err(|code| ShardError::Compress(get_error_name(code)))?;
    }
    Ok(context)
}
