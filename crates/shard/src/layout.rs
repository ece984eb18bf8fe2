//! The layout of header, trailer and seek table, which are the bytes around the frames. Only this
//! file (and docs/FORMAT.md) knows the layout.
//!
//! A reader first checks the magic numbers and the version. Before it uses a length, it compares
//! the length with the number of available bytes. Then it checks the CRC. Only after that does it
//! use the data that the CRC covers.

use crate::description::{Description, MAX_DESCRIPTION_BYTES, check_len};
use crate::error::{GeometryFault, SeekTableFault, ShardError};

/// The newest version of the format. Version 1 has values of whole bytes; version 2 has values of
/// one bit.
pub const FORMAT_VERSION: u32 = 2;

fn version_of(description: &Description) -> u32 {
    if description.value_bytes == 0 { 2 } else { 1 }
}

/// The first bytes of the header. A program that converts line ends would change these bytes.
const SHARD_MAGIC: [u8; 8] = *b"GRUNDY\r\n";

/// The magic numbers of the skippable frames. zstd reserves sixteen numbers; the seekable format
/// uses the number that ends in 5E for its table.
const HEADER_ENVELOPE: u32 = 0x184D_2A50;
const TRAILER_ENVELOPE: u32 = 0x184D_2A51;
const SEEK_TABLE_ENVELOPE: u32 = 0x184D_2A5E;

/// The bytes of a skippable frame before its payload: magic number and length.
const ENVELOPE_LEN: usize = 8;

const PREFIX_LEN: usize = 8 + 4 + 4;
const CRC_LEN: usize = 4;

const TOTALS_LEN: usize = 32 + 8 + 8;
const TRAILER_LEN: usize = ENVELOPE_LEN + TOTALS_LEN + CRC_LEN;

const SEEK_ENTRY_LEN: usize = 12;
const SEEK_FOOTER_LEN: usize = 9;
const SEEK_FOOTER_MAGIC: u32 = 0x8F92_EAB1;
/// The descriptor in the footer, which says that entries have checksums.
const SEEK_DESCRIPTOR: u8 = 0x80;
/// The checksum of an empty frame: the low half of the XXH64 of an empty text.
const CHECKSUM_OF_NOTHING: u32 = 0x51D8_E999;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SeekEntry {
    pub(crate) compressed: u32,
    pub(crate) decompressed: u32,
    /// The low half of the XXH64 of the decoded frame. A zstd frame ends with the same number.
    pub(crate) checksum: u32,
}

impl SeekEntry {
    fn of_skippable(len: usize) -> SeekEntry {
        SeekEntry { compressed: len as u32, decompressed: 0, checksum: CHECKSUM_OF_NOTHING }
    }

    fn to_bytes(self) -> [u8; SEEK_ENTRY_LEN] {
        let mut bytes = [0; SEEK_ENTRY_LEN];
        bytes[..4].copy_from_slice(&self.compressed.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.decompressed.to_le_bytes());
        bytes[8..].copy_from_slice(&self.checksum.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<SeekEntry> {
        Some(SeekEntry {
            compressed: u32_at(bytes, 0)?,
            decompressed: u32_at(bytes, 4)?,
            checksum: u32_at(bytes, 8)?,
        })
    }
}

/// The trailer's digest and totals for the whole shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Totals {
    /// The BLAKE3 digest of all values, before the transform.
    pub(crate) digest: [u8; 32],
    pub(crate) value_bytes: u64,
    pub(crate) frame_bytes: u64,
}

#[derive(Debug)]
pub(crate) struct Tail {
    pub(crate) totals: Totals,
    /// The entries of the zstd frames, in order.
    pub(crate) entries: Vec<SeekEntry>,
}

pub(crate) fn write_header(description: &Description) -> Result<Vec<u8>, ShardError> {
    let text = description.to_bytes().map_err(ShardError::Description)?;
    let mut out = envelope(HEADER_ENVELOPE, PREFIX_LEN + text.len() + CRC_LEN);
    out.extend_from_slice(&SHARD_MAGIC);
    out.extend_from_slice(&version_of(description).to_le_bytes());
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(&text);
    let crc = crc32fast::hash(&out[ENVELOPE_LEN..]);
    out.extend_from_slice(&crc.to_le_bytes());
    Ok(out)
}

pub(crate) const MAX_HEADER_LEN: usize =
    ENVELOPE_LEN + PREFIX_LEN + MAX_DESCRIPTION_BYTES + CRC_LEN;

/// Reads the first skippable frame. Returns the validated description and the frame's end. `bytes`
/// contains the first [`MAX_HEADER_LEN`] bytes of the file, or the whole file if it is shorter.
pub(crate) fn read_header(bytes: &[u8]) -> Result<(Description, usize), ShardError> {
    let truncated =
        |needed: usize| ShardError::Truncated { needed: needed as u64, found: bytes.len() as u64 };
    let start = ENVELOPE_LEN + PREFIX_LEN;
    let Some(head) = bytes.get(..start) else {
        return Err(truncated(start));
    };
    let (envelope, prefix) = head.split_at(ENVELOPE_LEN);
    if !envelope.starts_with(&HEADER_ENVELOPE.to_le_bytes()) || !prefix.starts_with(&SHARD_MAGIC) {
        return Err(ShardError::NotAShard);
    }
    // `head` is long enough for all three numbers.
    let frame = u32_at(envelope, 4).unwrap_or_default();
    let version = u32_at(prefix, 8).unwrap_or_default();
    let length = u32_at(prefix, 12).unwrap_or_default();
    if !(1..=FORMAT_VERSION).contains(&version) {
        return Err(ShardError::Version { found: version, newest: FORMAT_VERSION });
    }
    check_len(length as usize).map_err(ShardError::Description)?;
    let crc_at = start + length as usize;
    let end = crc_at + CRC_LEN;
    if frame as usize != end - ENVELOPE_LEN {
        return Err(ShardError::HeaderLength { frame, description: length });
    }
    let (Some(covered), Some(stored)) = (bytes.get(ENVELOPE_LEN..crc_at), u32_at(bytes, crc_at))
    else {
        return Err(truncated(end));
    };
    let computed = crc32fast::hash(covered);
    if stored != computed {
        return Err(ShardError::HeaderChecksum { stored, computed });
    }
    let text = &covered[PREFIX_LEN..];
    let description = Description::from_bytes(text).map_err(ShardError::Description)?;
    if version != version_of(&description) {
        return Err(ShardError::Geometry(match version {
            1 => GeometryFault::ValueBytes(description.value_bytes),
            _ => GeometryFault::Bits,
        }));
    }
    description.validate()?;
    Ok((description, end))
}

pub(crate) fn write_tail(out: &mut Vec<u8>, header_len: usize, tail: &Tail) {
    let table = seek_table(header_len, &tail.entries);
    let totals = &tail.totals;
    out.extend_from_slice(&envelope(TRAILER_ENVELOPE, TOTALS_LEN + CRC_LEN));
    let start = out.len();
    out.extend_from_slice(&totals.digest);
    out.extend_from_slice(&totals.value_bytes.to_le_bytes());
    out.extend_from_slice(&totals.frame_bytes.to_le_bytes());
    let crc = crc_of_two(&out[start..], &table);
    out.extend_from_slice(&crc.to_le_bytes());
    out.extend_from_slice(&table);
}

/// Builds the seek table. It lists all frames of the file, so that sums of sizes give offsets.
fn seek_table(header_len: usize, frames: &[SeekEntry]) -> Vec<u8> {
    let header = SeekEntry::of_skippable(header_len);
    let trailer = SeekEntry::of_skippable(TRAILER_LEN);
    let count = frames.len() + 2;
    let mut out = envelope(SEEK_TABLE_ENVELOPE, count * SEEK_ENTRY_LEN + SEEK_FOOTER_LEN);
    for entry in [&header].into_iter().chain(frames).chain([&trailer]) {
        out.extend_from_slice(&entry.to_bytes());
    }
    out.extend_from_slice(&(count as u32).to_le_bytes());
    out.push(SEEK_DESCRIPTOR);
    out.extend_from_slice(&SEEK_FOOTER_MAGIC.to_le_bytes());
    out
}

pub(crate) fn tail_len(description: &Description) -> usize {
    // A valid description has fewer than 2^27 entries, so the length fits even into 32 bits.
    tail_len_of(description.frames()) as usize
}

/// Returns the total length of trailer and seek table for `frames` frames. The result saturates.
pub(crate) fn tail_len_of(frames: u64) -> u64 {
    let around = (TRAILER_LEN + ENVELOPE_LEN + SEEK_FOOTER_LEN) as u64;
    frames.saturating_add(2).saturating_mul(SEEK_ENTRY_LEN as u64).saturating_add(around)
}

/// Reads the trailer and the seek table. Checks each field against the only value that it may have,
/// or against the frames. `description` and `header_len` come from [`read_header`]. `bytes`
/// contains the last [`tail_len`] bytes of a file of `length` bytes, or the whole file if it is
/// shorter.
pub(crate) fn read_tail(
    bytes: &[u8],
    length: u64,
    description: &Description,
    header_len: usize,
) -> Result<Tail, ShardError> {
    let expected = description.frames() + 2;
    // The number of bytes after the header.
    let room = length.saturating_sub(header_len as u64);
    let footer =
        bytes.len().checked_sub(SEEK_FOOTER_LEN).filter(|_| room >= SEEK_FOOTER_LEN as u64);
    let Some(footer) = footer.and_then(|at| bytes.get(at..)) else {
        return Err(SeekTableFault::Missing.into());
    };
    if u32_at(footer, 5) != Some(SEEK_FOOTER_MAGIC) {
        return Err(SeekTableFault::Missing.into());
    }
    let found = u64::from(u32_at(footer, 0).unwrap_or_default());
    if found != expected {
        return Err(SeekTableFault::Count { found, expected }.into());
    }
    if footer[4] != SEEK_DESCRIPTOR {
        return Err(SeekTableFault::Descriptor(footer[4]).into());
    }
    let entries_len = expected as usize * SEEK_ENTRY_LEN;
    let needed = tail_len(description);
    let Some(room) = room.checked_sub(needed as u64).filter(|_| needed <= bytes.len()) else {
        let needed = (header_len + needed) as u64;
        return Err(ShardError::Truncated { needed, found: length });
    };
    let (trailer, table) = bytes[bytes.len() - needed..].split_at(TRAILER_LEN);
    if !trailer.starts_with(&envelope(TRAILER_ENVELOPE, TOTALS_LEN + CRC_LEN)) {
        return Err(SeekTableFault::Envelope("trailer").into());
    }
    if !table.starts_with(&envelope(SEEK_TABLE_ENVELOPE, entries_len + SEEK_FOOTER_LEN)) {
        return Err(SeekTableFault::Envelope("seek table").into());
    }
    let (totals, stored) = trailer[ENVELOPE_LEN..].split_at(TOTALS_LEN);
    let stored = u32_at(stored, 0).unwrap_or_default();
    let computed = crc_of_two(totals, table);
    if stored != computed {
        return Err(ShardError::TrailerChecksum { stored, computed });
    }
    let totals = read_totals(totals).ok_or(SeekTableFault::Envelope("trailer"))?;
    let entries = &table[ENVELOPE_LEN..ENVELOPE_LEN + entries_len];
    let entries = check_entries(entries, description, header_len)?;
    check_totals(&totals, &entries, description, room)?;
    Ok(Tail { totals, entries })
}

fn read_totals(bytes: &[u8]) -> Option<Totals> {
    Some(Totals {
        digest: *bytes.first_chunk()?,
        value_bytes: u64_at(bytes, 32)?,
        frame_bytes: u64_at(bytes, 40)?,
    })
}

/// Checks all entries against header and file. Returns the entries of the zstd frames.
fn check_entries(
    bytes: &[u8],
    description: &Description,
    header_len: usize,
) -> Result<Vec<SeekEntry>, SeekTableFault> {
    let last = description.frames() + 1;
    let mut frames = Vec::with_capacity(bytes.len() / SEEK_ENTRY_LEN);
    for (number, bytes) in (0..).zip(bytes.chunks_exact(SEEK_ENTRY_LEN)) {
        let fault = SeekTableFault::Entry(number);
        let entry = SeekEntry::from_bytes(bytes).ok_or(fault)?;
        let right = if number == 0 {
            entry == SeekEntry::of_skippable(header_len)
        } else if number == last {
            entry == SeekEntry::of_skippable(TRAILER_LEN)
        } else {
            frames.push(entry);
            entry.decompressed as usize == description.frame_len(number - 1)
        };
        if !right {
            return Err(fault);
        }
    }
    Ok(frames)
}

/// Compares the totals with the entries, and the total length of the frames with `room`.
fn check_totals(
    totals: &Totals,
    entries: &[SeekEntry],
    description: &Description,
    room: u64,
) -> Result<(), SeekTableFault> {
    let frame_bytes = entries.iter().map(|entry| u64::from(entry.compressed)).sum();
    let pairs = [
        ("bytes of values", totals.value_bytes, description.value_len()),
        ("bytes of frames", totals.frame_bytes, frame_bytes),
    ];
    for (what, found, expected) in pairs {
        if found != expected {
            return Err(SeekTableFault::Total { what, found, expected });
        }
    }
    if frame_bytes != room {
        return Err(SeekTableFault::Room { found: frame_bytes, expected: room });
    }
    Ok(())
}

/// Returns the magic number and length of a skippable frame.
fn envelope(magic: u32, payload: usize) -> Vec<u8> {
    [magic.to_le_bytes(), (payload as u32).to_le_bytes()].concat()
}

/// Computes the CRC-32 of the concatenation of two pieces.
fn crc_of_two(first: &[u8], second: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(first);
    hasher.update(second);
    hasher.finalize()
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().copied().map(u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().copied().map(u64::from_le_bytes)
}
