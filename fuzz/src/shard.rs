//! The format of shards, with damaged, forged and arbitrary bytes.
//!
//! - **Damage.** Only frames of a shard are changed. Each frame that decodes without error has the
//!   original values.
//! - **Forgery.** Header, trailer and seek table are changed, too, and their CRCs are corrected.
//!   The digest detects wrong values: a shard that verifies with the original digest has the
//!   original values. (Only this test corrects CRCs. Random damage passes a CRC with probability
//!   2^-32, but a fuzzer that watches comparisons finds such damage.)
//! - **Any bytes.** If a file opens and verifies, its values have the digest that it states.
//!   Encoding its description and values again gives the same header and digest.
//! - After an error the buffer contains zeros, never values. Verifying succeeds if and only if
//!   every frame decodes and the values have the digest, which this module computes itself.
//!
//! The offsets in a file come from docs/FORMAT.md, not from the crate.

use std::ops::Range;

use arbitrary::Unstructured;
use grundy_shard::{Codec, Decoder, Description, EncodedShard, Encoder, Shard};

/// Panics if one of the properties above fails. The bytes are used as a file, and as changes to a
/// shard.
pub fn run(data: &[u8]) {
    as_file(data);
    let mut mended = data.to_vec();
    mend_header(&mut mended);
    mend_tail(&mut mended);
    if mended != data {
        as_file(&mended);
    }
    // This call cannot fail, because every choice has candidates.
    let _ = as_changes(&mut Unstructured::new(data));
}

/// Returns shards of each format version.
pub fn seeds() -> Vec<Vec<u8>> {
    let golden: [&[u8]; 4] = [
        include_bytes!("../../crates/shard/tests/golden/v1-raw.zst"),
        include_bytes!("../../crates/shard/tests/golden/v1-nim-sum.zst"),
        include_bytes!("../../crates/shard/tests/golden/v1-nim-sum-planes.zst"),
        include_bytes!("../../crates/shard/tests/golden/v2-bits.zst"),
    ];
    golden.map(<[u8]>::to_vec).to_vec()
}

/// The maximum number of bytes to decode. A forged description may state many more.
const MOST_BYTES: u64 = 1 << 20;

struct Reading {
    /// The values of each frame, or `None` if decoding failed.
    frames: Vec<Option<Vec<u8>>>,
    verified: bool,
}

impl Reading {
    /// Decodes every frame. Returns `None` if there are too many values.
    fn of(shard: &Shard<&[u8]>) -> Option<Reading> {
        let description = shard.description();
        assert_eq!(shard.frames(), description.frames());
        if description.value_len() > MOST_BYTES {
            return None;
        }
        let mut decoder = Decoder::new();
        let frames: Vec<Option<Vec<u8>>> = (0..shard.frames())
            .map(|frame| {
                let mut out = vec![0x55; description.frame_len(frame)];
                match shard.decode_frame(frame, &mut decoder, &mut out) {
                    Ok(()) => Some(out),
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        assert!(out.iter().all(|&byte| byte == 0), "frame {frame}: {error}");
                        None
                    }
                }
            })
            .collect();
        let verified = shard.verify().is_ok();
        let reading = Reading { frames, verified };
        let digest_is_right =
            reading.values().is_some_and(|values| blake3::hash(&values) == *shard.digest());
        assert_eq!(verified, digest_is_right);
        Some(reading)
    }

    fn values(&self) -> Option<Vec<u8>> {
        let frames: Option<Vec<&[u8]>> = self.frames.iter().map(Option::as_deref).collect();
        frames.map(|frames| frames.concat())
    }
}

/// Checks the properties of any bytes.
fn as_file(bytes: &[u8]) {
    let shard = match Shard::open(bytes) {
        Ok(shard) => shard,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let Some(reading) = Reading::of(&shard) else {
        return;
    };
    let Some(values) = reading.values().filter(|_| reading.verified) else {
        return;
    };
    let again = encode(shard.description(), &values, 1);
    assert_eq!(&again.digest, shard.digest());
    let header = header_len(bytes).expect("the shard has a header");
    assert_eq!(again.bytes[..header], bytes[..header]);
    let again = Shard::open(again.bytes.as_slice()).expect("what was encoded opens");
    assert_eq!(again.description(), shard.description());
    let reading = Reading::of(&again).expect("as large as before");
    assert_eq!(reading.values(), Some(values));
}

/// Checks the properties of damage and of forgery.
fn as_changes(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let description = description(input)?;
    let values = values(input, &description)?;
    let level = input.int_in_range(1..=3)?;
    let written = encode(&description, &values, level);
    hold(&written, &written.bytes, &values);

    let mut bytes = written.bytes.clone();
    if input.ratio(1, 4)? {
        put_frame_over_another(input, &mut bytes, &description)?;
    }
    for _ in 0..input.int_in_range(0..=6)? {
        change(input, &mut bytes, &description)?;
    }
    hold(&written, &bytes, &values);
    mend_header(&mut bytes);
    mend_tail(&mut bytes);
    hold(&written, &bytes, &values);
    Ok(())
}

/// Checks the properties of `bytes`, a changed copy of `written`, which is the shard of `values`.
fn hold(written: &EncodedShard, bytes: &[u8], values: &[u8]) {
    let Ok(shard) = Shard::open(bytes) else {
        assert!(bytes != written.bytes, "the written shard does not open");
        return;
    };
    let Some(reading) = Reading::of(&shard) else {
        return;
    };
    let (header, frames, tail) = parts(&written.bytes, &written.description);
    if bytes.starts_with(&written.bytes[header]) && bytes.ends_with(&written.bytes[tail]) {
        assert_eq!(shard.description(), &written.description);
        let expected = values.chunks(written.description.frame_bytes());
        for (number, (found, expected)) in reading.frames.iter().zip(expected).enumerate() {
            assert!(
                found.as_deref().is_none_or(|found| found == expected),
                "frame {number} of {frames:?} decodes to other values than the written ones"
            );
        }
    }
    if reading.verified && *shard.digest() == written.digest {
        assert_eq!(reading.values().as_deref(), Some(values));
    }
    if bytes == written.bytes {
        assert!(reading.verified, "the written shard does not verify");
    }
}

/// Returns the description of a small shard of any shape.
fn description(input: &mut Unstructured<'_>) -> arbitrary::Result<Description> {
    let shards = input.int_in_range(1..=3)?;
    let value_bytes = input.int_in_range(0..=2)?;
    // Values of one bit require frames of whole bytes, and no codec.
    let (tiles, codec) = match value_bytes {
        0 => (8, Codec::Raw),
        _ => (1, *input.choose(&Codec::ALL)?),
    };
    Ok(Description {
        table: (*input.choose(&["t", "end-nim/n5/k4", "misère/n1/k1"])?).to_owned(),
        value_bytes,
        tile_rows: input.int_in_range(1..=6)?,
        tile_cols: input.int_in_range(1..=6)?,
        tiles_per_frame: tiles * input.int_in_range(1..=5)?,
        first_tile: input.int_in_range(0..=300)?,
        tiles: input.int_in_range(1..=20)?,
        shard: input.int_in_range(0..=shards - 1)?,
        shards,
        codec,
    })
}

/// Returns values with a simple pattern, so that zstd can compress them.
fn values(input: &mut Unstructured<'_>, description: &Description) -> arbitrary::Result<Vec<u8>> {
    let pattern = input.arbitrary::<[u8; 8]>()?;
    let (period, step) = (input.int_in_range(1..=8_usize)?, input.arbitrary::<u8>()?);
    Ok((0..description.value_len() as usize)
        .map(|at| pattern[at % period].wrapping_add(step.wrapping_mul((at / period) as u8)))
        .collect())
}

fn encode(description: &Description, values: &[u8], level: i32) -> EncodedShard {
    let mut encoder = Encoder::new(level);
    encoder.begin(description.clone()).expect("a valid description");
    for frame in values.chunks(description.frame_bytes()) {
        encoder.push_frame(frame).expect("a whole frame");
    }
    encoder.finish().expect("all frames are there")
}

/// Overwrites a frame with a copy of another frame, which decodes but has the wrong values.
fn put_frame_over_another(
    input: &mut Unstructured<'_>,
    bytes: &mut [u8],
    description: &Description,
) -> arbitrary::Result<()> {
    let (_, all, tail) = parts(bytes, description);
    // The entries of the seek table begin after 8 bytes. The first entry is that of the header.
    let entry = |frame: usize| tail.start + TRAILER + 8 + 12 * (frame + 1);
    let mut start = all.start;
    let frames: Vec<Range<usize>> = (0..description.frames() as usize)
        .map(|frame| {
            let length = u32_at(bytes, entry(frame)).expect("the entry of a frame") as usize;
            start += length;
            start - length..start
        })
        .collect();
    assert_eq!(start, all.end, "the frames end where the trailer begins");
    let (from, to) = (input.choose(&frames)?, input.choose(&frames)?);
    if from.len() == to.len() {
        bytes.copy_within(from.clone(), to.start);
    }
    Ok(())
}

/// Makes one change, anywhere in the file or in one of its parts.
fn change(
    input: &mut Unstructured<'_>,
    bytes: &mut Vec<u8>,
    description: &Description,
) -> arbitrary::Result<()> {
    if bytes.is_empty() {
        return Ok(());
    }
    let (header, frames, tail) = parts(bytes, description);
    let all = [header, frames, tail, 0..bytes.len()];
    let part = input.choose(&all)?;
    let last = part.end.clamp(1, bytes.len()) - 1;
    let at = input.int_in_range(part.start.min(last)..=last)?;
    let length = input.int_in_range(1..=16)?.min(bytes.len() - at);
    match input.int_in_range(0..=6)? {
        0 => bytes[at] ^= 1 << input.int_in_range(0..=7)?,
        1 => bytes[at] = input.arbitrary()?,
        2 => {
            let new = input.arbitrary::<u32>()?.to_le_bytes();
            let end = bytes.len().min(at + new.len());
            bytes[at..end].copy_from_slice(&new[..end - at]);
        }
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..at + length)),
        5 => {
            let new: Vec<u8> = (0..length).map(|_| input.arbitrary()).collect::<Result<_, _>>()?;
            bytes.splice(at..at, new);
        }
        _ => {
            let from = input.int_in_range(0..=bytes.len() - length)?;
            bytes.copy_within(from..from + length, at);
        }
    }
    Ok(())
}

/// The offset of the description. It follows the magic number and length of the skippable frame,
/// and the magic number, version and field L of the header.
const DESCRIPTION_AT: usize = 8 + 16;
const CRC: usize = 4;
const TRAILER: usize = 60;

/// Returns the ranges of header, frames, and trailer with seek table, cut at the end of the file.
fn parts(bytes: &[u8], description: &Description) -> (Range<usize>, Range<usize>, Range<usize>) {
    let header = DESCRIPTION_AT + 49 + description.table.len() + CRC;
    let table = 8 + 12 * (description.frames() as usize + 2) + 9;
    let header = header.min(bytes.len());
    let tail = bytes.len().saturating_sub(TRAILER + table).max(header);
    (0..header, header..tail, tail..bytes.len())
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|&chunk| u32::from_le_bytes(chunk))
}

/// Returns the length of the header from its field L.
fn header_len(bytes: &[u8]) -> Option<usize> {
    let length = u32_at(bytes, 20)? as usize;
    let end = DESCRIPTION_AT.checked_add(length)?.checked_add(CRC)?;
    (end <= bytes.len()).then_some(end)
}

/// Corrects the CRC of the header, if the file has one.
fn mend_header(bytes: &mut [u8]) {
    if let Some(end) = header_len(bytes) {
        let crc = crc32fast::hash(&bytes[8..end - CRC]);
        bytes[end - CRC..end].copy_from_slice(&crc.to_le_bytes());
    }
}

/// Corrects the CRC of the trailer and the seek table, if the file has them.
fn mend_tail(bytes: &mut [u8]) {
    let table = bytes
        .len()
        .checked_sub(9)
        .and_then(|at| u32_at(bytes, at))
        .and_then(|entries| (entries as usize).checked_mul(12)?.checked_add(8 + 9));
    let Some(table_at) =
        table.and_then(|length| bytes.len().checked_sub(length)).filter(|&at| at >= TRAILER)
    else {
        return;
    };
    let covered = [&bytes[table_at - TRAILER + 8..table_at - CRC], &bytes[table_at..]].concat();
    let crc = crc32fast::hash(&covered);
    bytes[table_at - CRC..table_at].copy_from_slice(&crc.to_le_bytes());
}
