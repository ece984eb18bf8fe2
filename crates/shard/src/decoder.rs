//! The decoder: turns the bytes of a shard into values.

use std::fmt;
use std::io;
use std::ops::Range;

use crate::codec::Transform;
use crate::description::Description;
use crate::error::ShardError;
use crate::layout::{self, SeekEntry};
use crate::source::Source;
use crate::unpack::Unpacker;

/// Buffers and a zstd context, which can decode frames of any shard.
#[derive(Default)]
pub struct Decoder {
    unpacker: Unpacker,
    transform: Option<Transform>,
    spare: Vec<u8>,
    /// A buffer into which a source may copy the bytes of a frame.
    frame: Vec<u8>,
}

impl Decoder {
    /// Creates a decoder. Allocates nothing before the first frame.
    pub fn new() -> Decoder {
        Decoder::default()
    }
}

/// An open shard over any [`Source`] of bytes. The [crate's page](crate) lists the checks.
pub struct Shard<B: Source> {
    bytes: B,
    description: Description,
    digest: [u8; 32],
    entries: Vec<SeekEntry>,
    offsets: Vec<u64>,
}

impl<B: Source> Shard<B> {
    /// Opens a shard. Checks everything except the frames, and decodes nothing. Takes time and
    /// memory in proportion to the number of frames.
    pub fn open(bytes: B) -> Result<Shard<B>, ShardError> {
        let length = bytes.length();
        let mut room = Vec::new();
        let header = length.min(layout::MAX_HEADER_LEN as u64) as usize;
        let header = bytes.range(0, header, &mut room).map_err(ShardError::Read)?;
        let (description, header_len) = layout::read_header(header)?;
        let tail = length.min(layout::tail_len(&description) as u64);
        let tail =
            bytes.range(length - tail, tail as usize, &mut room).map_err(ShardError::Read)?;
        let tail = layout::read_tail(tail, length, &description, header_len)?;
        let offsets = tail
            .entries
            .iter()
            .scan(header_len as u64, |end, entry| {
                let start = *end;
                *end += u64::from(entry.compressed);
                Some(start)
            })
            .collect();
        let (entries, digest) = (tail.entries, tail.totals.digest);
        Ok(Shard { bytes, description, digest, entries, offsets })
    }

    pub fn description(&self) -> &Description {
        &self.description
    }

    /// Returns the BLAKE3 digest of the trailer. Only [`verify`](Shard::verify) compares it with
    /// the values.
    pub fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    pub fn source(&self) -> &B {
        &self.bytes
    }

    /// Returns the byte range of a frame, or `None` if there is no such frame.
    pub fn frame_range(&self, frame: u64) -> Option<Range<u64>> {
        let (entry, start) = self.entry(frame).ok()?;
        Some(start..start + u64::from(entry.compressed))
    }

    pub fn frames(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Decodes the values of one frame into `out`, which must have the length
    /// [`Description::frame_len`]. After an error `out` contains zeros.
    pub fn decode_frame(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        out: &mut [u8],
    ) -> Result<(), ShardError> {
        let result = self.try_decode(frame, decoder, out);
        if result.is_err() {
            out.fill(0);
        }
        result
    }

    fn try_decode(
        &self,
        frame: u64,
        decoder: &mut Decoder,
        out: &mut [u8],
    ) -> Result<(), ShardError> {
        let (entry, start) = self.entry(frame)?;
        let (expected, found) = (self.description.frame_len(frame), out.len());
        if found != expected {
            return Err(ShardError::FrameLength { frame, expected, found });
        }
        let Decoder { unpacker, frame: room, .. } = decoder;
        let bytes = self.bytes.range(start, entry.compressed as usize, room);
        let bytes =
            bytes.map_err(|error| self.unread(start + u64::from(entry.compressed), error))?;
        // A frame ends with a copy of its checksum, which zstd compares with the content.
        if bytes.last_chunk() != Some(&entry.checksum.to_le_bytes()) {
            return Err(ShardError::FrameChecksum { frame });
        }
        unpacker.unpack(bytes, out).map_err(|fault| ShardError::FrameDecode { frame, fault })?;
        let transform = Transform::cached(&mut decoder.transform, &self.description);
        transform.decode(out, &mut decoder.spare);
        Ok(())
    }

    fn entry(&self, frame: u64) -> Result<(SeekEntry, u64), ShardError> {
        let index = usize::try_from(frame).unwrap_or(usize::MAX);
        match (self.entries.get(index), self.offsets.get(index)) {
            (Some(&entry), Some(&start)) => Ok((entry, start)),
            _ => Err(ShardError::NoSuchFrame { frame, frames: self.frames() }),
        }
    }

    /// Returns the error for a failed attempt to read bytes before the offset `needed`. Another
    /// process may have shortened the file after `open`.
    fn unread(&self, needed: u64, error: io::Error) -> ShardError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                ShardError::Truncated { needed, found: self.bytes.length() }
            }
            _ => ShardError::Read(error),
        }
    }

    /// Decodes every frame, and compares the digest of all values with the trailer.
    pub fn verify(&self) -> Result<(), ShardError> {
        let mut decoder = Decoder::new();
        let mut hasher = blake3::Hasher::new();
        let mut values = vec![0; self.description.frame_len(0)];
        for frame in 0..self.frames() {
            let values = &mut values[..self.description.frame_len(frame)];
            self.decode_frame(frame, &mut decoder, values)?;
            hasher.update(values);
        }
        let computed = *hasher.finalize().as_bytes();
        if computed != self.digest {
            return Err(ShardError::Digest { stored: self.digest, computed });
        }
        Ok(())
    }
}

/// Returns the two ranges that [`Shard::open`] reads, given the numbers of frames and bytes.
pub fn ends(frames: u64, length: u64) -> [Range<u64>; 2] {
    let header = length.min(layout::MAX_HEADER_LEN as u64);
    let tail = length.min(layout::tail_len_of(frames));
    [0..header, length - tail..length]
}

impl<B: Source> fmt::Debug for Shard<B> {
    /// Leaves out the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shard { description, digest, .. } = self;
        f.debug_struct("Shard")
            .field("description", description)
            .field("digest", digest)
            .finish_non_exhaustive()
    }
}
