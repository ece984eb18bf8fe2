//! Tests damaged shards. Each gives an error of the right type, or decodes to the right values.

use std::cell::Cell;
use std::error::Error;
use std::io;
use std::iter::successors;
use std::rc::Rc;

use grundy_shard::{
    Decoder, DescriptionFault, EncodedShard, Encoder, SeekTableFault, Shard, ShardError, Source,
};
use grundy_testing::database::encoded;

use crate::common::{description, values};

/// A shard of three frames, small enough to damage every byte, and its values.
pub(crate) fn small() -> (EncodedShard, Vec<u8>) {
    let description = description(1, 4, 4, 4, 10);
    let values = values(&description);
    (encoded(&description, &values), values)
}

// These offsets follow docs/FORMAT.md, not the crate.
const NAME: usize = "test/table".len();
pub(crate) const DESCRIPTION: usize = 24;
pub(crate) const FIELDS: usize = DESCRIPTION + 8 + NAME;
pub(crate) const DESCRIPTION_LEN: usize = 49 + NAME;
const HEADER_CRC: usize = DESCRIPTION + DESCRIPTION_LEN;
pub(crate) const HEADER_LEN: usize = HEADER_CRC + 4;
const FRAMES: usize = 3;
pub(crate) const TABLE_LEN: usize = 8 + 12 * (FRAMES + 2) + 9;
pub(crate) const TRAILER_LEN: usize = 60;

pub(crate) fn put(bytes: &mut [u8], at: usize, new: &[u8]) {
    bytes[at..at + new.len()].copy_from_slice(new);
}

pub(crate) fn get(bytes: &[u8], at: usize) -> usize {
    u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize
}

pub(crate) fn mend_header(bytes: &mut [u8]) {
    let crc = crc32fast::hash(&bytes[8..HEADER_CRC]);
    put(bytes, HEADER_CRC, &crc.to_le_bytes());
}

/// Recomputes the CRC of trailer and seek table.
pub(crate) fn mend_tail(bytes: &mut [u8]) {
    let table = bytes.len() - TABLE_LEN;
    let covered = [&bytes[table - TRAILER_LEN + 8..table - 4], &bytes[table..]].concat();
    put(bytes, table - 4, &crc32fast::hash(&covered).to_le_bytes());
}

/// Returns the offset of an entry of the seek table: header, frames, trailer.
pub(crate) fn entry(bytes: &[u8], number: usize) -> usize {
    bytes.len() - TABLE_LEN + 8 + 12 * number
}

/// Opens and decodes a shard. Every decoded value must be right. Returns true if all frames decode.
pub(crate) fn check_truth(bytes: &[u8], values: &[u8], what: &str) -> bool {
    let Ok(shard) = Shard::open(bytes) else {
        return false;
    };
    let mut decoder = Decoder::new();
    let mut whole = true;
    let size = shard.description().frame_bytes();
    assert_eq!(shard.description().value_len(), values.len() as u64, "{what}");
    for frame in 0..shard.frames() {
        let mut out = vec![0x55; shard.description().frame_len(frame)];
        match shard.decode_frame(frame, &mut decoder, &mut out) {
            Ok(()) => assert_eq!(out, values.chunks(size).nth(frame as usize).unwrap(), "{what}"),
            Err(_) => {
                assert!(out.iter().all(|&byte| byte == 0), "{what}: left-overs");
                whole = false;
            }
        }
    }
    assert_eq!(shard.verify().is_ok(), whole, "{what}");
    whole
}

#[test]
fn extra_bytes_at_either_end_are_refused() {
    let (encoded, _) = small();
    for extra in [&[0_u8][..], &[0; 100], &encoded.bytes] {
        assert!(Shard::open([&encoded.bytes, extra].concat()).is_err());
        if extra != encoded.bytes {
            let front = Shard::open([extra, &encoded.bytes].concat()).unwrap_err();
            assert!(matches!(front, ShardError::NotAShard));
        }
    }
}

/// Returns the error of these bytes with all its causes.
fn said(bytes: &[u8]) -> String {
    let error = Shard::open(bytes).and_then(|shard| shard.verify()).expect_err("an error");
    let chain = successors(Some(&error as &dyn Error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Each case has the offset of a change, the new bytes and the expected message. The CRC is
/// recomputed. The last cases are plausible fields that do not match these frames.
#[test]
fn each_field_of_the_header() {
    const MALFORMED: &str = "unreadable description: not a valid encoding";
    let (ones, zeros) = (&[0xFF; 8][..], &[0; 8][..]);
    let name = [NAME as u8 - 1];
    let cases = [
        (0, &[0x5F][..], "not a shard"),
        (8, b"grundy", "not a shard"),
        (16, &[2], "shard format version 2; this program reads version 1"),
        (16, &[0], "shard format version 0; this program reads version 1"),
        (4, &[1], "the two lengths in the header contradict each other: 1 and 59"),
        (20, &[1], "the two lengths in the header contradict each other: 79 and 1"),
        (20, &ones[..4], "4294967295 bytes long; the format allows 4096"),
        // The length of the name is beyond the limit, then past the end, then too short.
        (DESCRIPTION, ones, MALFORMED),
        (DESCRIPTION, &[60], MALFORMED),
        (DESCRIPTION + 8, &[0xFF], MALFORMED),
        (DESCRIPTION, &name, "unreadable description"),
        (FIELDS, &[0], "impossible description: values of 0 bytes; a value has 1, 2 or 4"),
        (FIELDS, &[3], "values of 3 bytes"),
        (FIELDS + 1, &zeros[..4], "no values: the number of rows is 0"),
        (FIELDS + 5, &zeros[..4], "no values: the number of columns is 0"),
        (FIELDS + 9, &zeros[..4], "no values: the number of tiles in a frame is 0"),
        (FIELDS + 21, zeros, "no values: the number of tiles is 0"),
        (FIELDS + 1, &ones[..4], "impossible description: frames of "),
        (FIELDS + 5, &ones[..4], "impossible description: frames of "),
        (FIELDS + 9, &ones[..4], "impossible description: frames of "),
        (FIELDS + 13, ones, "the tiles are too many to count in 64 bits"),
        (FIELDS + 21, ones, "the tiles are too many to count in 64 bits"),
        (FIELDS + 29, &[3], "shard 3 of 3"),
        (FIELDS + 33, &[1], "shard 1 of 1"),
        (FIELDS + 37, &[9], MALFORMED),
        (FIELDS, &[2], "the seek table does not fit the shard: entry 1 does not match its frame"),
        (FIELDS + 1, &[5], "entry 1 does not match its frame"),
        (FIELDS + 9, &[5], "5 entries, should be 4"),
        (FIELDS + 21, &[11], "entry 3 does not match its frame"),
        (FIELDS + 21, &[13], "5 entries, should be 6"),
    ];
    for (at, new, expected) in cases {
        let mut bytes = small().0.bytes;
        put(&mut bytes, at, new);
        mend_header(&mut bytes);
        let said = said(&bytes);
        assert!(said.contains(expected), "byte {at}: {said}");
    }
    let mut unmended = small().0.bytes;
    unmended[HEADER_CRC] ^= 1;
    assert!(said(&unmended).starts_with("the header is damaged: CRC-32 "));
}

#[test]
fn bytes_after_the_description_are_refused() {
    let (encoded, _) = small();
    let mut bytes = encoded.bytes;
    bytes.insert(HEADER_CRC, 0);
    put(&mut bytes, 4, &(16 + DESCRIPTION_LEN as u32 + 1 + 4).to_le_bytes());
    put(&mut bytes, 20, &(DESCRIPTION_LEN as u32 + 1).to_le_bytes());
    let crc = crc32fast::hash(&bytes[8..=HEADER_CRC]);
    put(&mut bytes, HEADER_CRC + 1, &crc.to_le_bytes());
    let error = Shard::open(bytes).unwrap_err();
    let ShardError::Description(DescriptionFault::TrailingBytes { used, len }) = error else {
        panic!("{error:?}");
    };
    assert_eq!((used, len), (DESCRIPTION_LEN, DESCRIPTION_LEN + 1));
}

/// Damages the tail: each case has the offset from the end, the new byte and the expected message.
#[test]
fn each_field_of_the_tail() {
    const TRAILER: usize = TABLE_LEN + TRAILER_LEN;
    let mut cases = vec![
        (4, 0, "the file does not end with a seek table (it is cut short, or has grown)"),
        (5, 0, "descriptor 0x00 in the footer; this format has only 0x80"),
        (9, 4, "4 entries, should be 5"),
        (TABLE_LEN, 0, "the seek table has a wrong magic number or length"),
        (TABLE_LEN - 4, 0, "the seek table has a wrong magic number or length"),
        (TRAILER, 0, "the trailer has a wrong magic number or length"),
        (TRAILER - 4, 0, "the trailer has a wrong magic number or length"),
        (TRAILER - 8, 0xEE, "the BLAKE3 digest of the values is not the one in the trailer"),
        (TRAILER - 40, 0, "the number of bytes of values is 0, should be 160"),
        (TRAILER - 48, 0, "the number of bytes of frames is "),
        // The lengths and the checksum of the second frame.
        (TABLE_LEN - 32, 0xEE, "the number of bytes of frames is "),
        (TABLE_LEN - 36, 0xEE, "entry 2 does not match its frame"),
        (TABLE_LEN - 40, 0xEE, "frame 1 is damaged: its checksum is not the one in the seek table"),
    ];
    // The entries of the header and the trailer, each field.
    for field in [0, 4, 8] {
        cases.push((TABLE_LEN - 8 - field, 0xEE, "entry 0 does not match its frame"));
        cases.push((TABLE_LEN - 56 - field, 0xEE, "entry 4 does not match its frame"));
    }
    for (from_end, new, expected) in cases {
        let mut bytes = small().0.bytes;
        let at = bytes.len() - from_end;
        assert_ne!(bytes[at], new);
        bytes[at] = new;
        mend_tail(&mut bytes);
        let said = said(&bytes);
        assert!(said.contains(expected), "{from_end} from the end: {said}");
    }
    let mut unmended = small().0.bytes;
    let crc = unmended.len() - TABLE_LEN - 4;
    unmended[crc] ^= 1;
    assert!(said(&unmended).starts_with("the trailer or the seek table is damaged: CRC-32 "));
}

#[test]
fn a_gap_after_the_frames_is_refused() {
    let (encoded, _) = small();
    let mut bytes = encoded.bytes;
    bytes.insert(bytes.len() - TABLE_LEN - TRAILER_LEN, 0);
    let error = Shard::open(bytes).unwrap_err();
    assert!(matches!(error, ShardError::SeekTable(SeekTableFault::Room { .. })), "{error:?}");
}

/// Only the header and the last 9 bytes of the file remain. The header shows how many bytes the
/// file must have.
#[test]
fn a_file_without_its_middle_is_refused() {
    assert!(matches!(Shard::open([]), Err(ShardError::Truncated { found: 0, .. })));
    let bytes = small().0.bytes;
    let rest = [&bytes[..HEADER_LEN], &bytes[bytes.len() - 9..]].concat();
    match Shard::open(&rest[..]) {
        Err(ShardError::Truncated { needed, found }) => {
            let expected = (HEADER_LEN + TRAILER_LEN + TABLE_LEN) as u64;
            assert_eq!((needed, found), (expected, rest.len() as u64));
        }
        other => panic!("{other:?}"),
    }
}

/// A source with a length that may shrink.
struct Shrinking(Vec<u8>, Rc<Cell<usize>>);

impl Source for Shrinking {
    fn length(&self) -> u64 {
        self.1.get() as u64
    }

    fn range<'a>(&'a self, at: u64, count: usize, room: &'a mut Vec<u8>) -> io::Result<&'a [u8]> {
        if self.1.get() == 0 {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        self.0[..self.1.get()].range(at, count, room)
    }
}

/// If a file is shortened after opening, the error has the needed and the actual length. Any other
/// error of the source is passed on.
#[test]
fn a_file_that_shrinks_is_refused() {
    let bytes = small().0.bytes;
    let first = HEADER_LEN + get(&bytes, entry(&bytes, 1));
    let length = Rc::new(Cell::new(bytes.len()));
    let shard = Shard::open(Shrinking(bytes, Rc::clone(&length))).unwrap();
    let decode = || shard.decode_frame(0, &mut Decoder::new(), &mut [0; 64]);
    length.set(first);
    decode().unwrap();
    length.set(first - 1);
    match decode() {
        Err(ShardError::Truncated { needed, found }) => {
            assert_eq!((needed, found), (first as u64, first as u64 - 1));
        }
        other => panic!("{other:?}"),
    }
    length.set(0);
    assert!(matches!(decode(), Err(ShardError::Read(_))));
}

#[test]
fn the_longest_description() {
    let mut longest = description(1, 4, 4, 4, 10);
    let values = values(&longest);
    longest.table = "t".repeat(4096 - 49);
    let encoded = encoded(&longest, &values);
    assert!(check_truth(&encoded.bytes, &values, "the longest name"));
    longest.table.push('t');
    let refused = Encoder::new(1).begin(longest).unwrap_err();
    let fault = DescriptionFault::TooLong { len: 4097, limit: 4096 };
    let ShardError::Description(found) = refused else { panic!("{refused:?}") };
    assert_eq!(found.to_string(), fault.to_string());
}
