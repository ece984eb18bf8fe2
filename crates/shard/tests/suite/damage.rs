//! Tests that a damaged shard causes an error of the right type or decodes to the right values.

use std::cell::Cell;
use std::error::Error;
use std::io;
use std::iter::successors;
use std::rc::Rc;

use grundy_shard::{
    Decoder, DescriptionFault, EncodedShard, Encoder, SeekTableFault, Shard, ShardError, Source,
};
use grundy_testing::cases::cases;
use grundy_testing::database::encoded;

use crate::common::{description, values};

/// Returns a small shard of three frames and its values, so that tests can damage every byte.
pub(crate) fn small() -> (EncodedShard, Vec<u8>) {
    let description = description(1, 4, 4, 4, 10);
    let values = values(&description);
    (encoded(&description, &values), values)
}

// These offsets come from docs/FORMAT.md, not from the crate.
const NAME: usize = "test/table".len();
const DESCRIPTION: usize = 24;
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

pub(crate) fn mend_tail(bytes: &mut [u8]) {
    let table = bytes.len() - TABLE_LEN;
    let covered = [&bytes[table - TRAILER_LEN + 8..table - 4], &bytes[table..]].concat();
    put(bytes, table - 4, &crc32fast::hash(&covered).to_le_bytes());
}

/// Returns the offset of an entry of the seek table. Entry 0 belongs to the header.
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

/// Returns the error for these bytes, with all its causes.
fn said(bytes: &[u8]) -> String {
    let error = Shard::open(bytes).and_then(|shard| shard.verify()).expect_err("an error");
    let chain = successors(Some(&error as &dyn Error), |&error| error.source());
    chain.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Changes the header and compares the errors with the cases. The last cases give fields plausible
/// values that do not match the frames.
#[test]
fn each_field_of_the_header() {
    changes_are_refused("header", |_, at| at, mend_header);
    let mut unmended = small().0.bytes;
    unmended[HEADER_CRC] ^= 1;
    assert!(said(&unmended).starts_with("the header is damaged: CRC-32 "));
}

/// Makes the change of each case, corrects the CRC, and compares the error.
fn changes_are_refused(part: &str, place: fn(usize, usize) -> usize, mend: fn(&mut [u8])) {
    for (line, [at, new, expected]) in cases(include_str!("damage.txt"), part) {
        let mut bytes = small().0.bytes;
        let at = place(bytes.len(), at.parse().unwrap());
        let digits = new.as_bytes().as_chunks::<2>().0.iter();
        let byte = |two: &[u8; 2]| u8::from_str_radix(str::from_utf8(two).unwrap(), 16).unwrap();
        let new: Vec<u8> = digits.map(byte).collect();
        assert_ne!(bytes[at..at + new.len()], new);
        put(&mut bytes, at, &new);
        mend(&mut bytes);
        let said = said(&bytes);
        assert!(said.contains(expected), "line {line}: {said}");
    }
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

#[test]
fn each_field_of_the_tail() {
    changes_are_refused("tail", |length, from_end| length - from_end, mend_tail);
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

/// Tests files of which only the header and the last 9 bytes remain. The header determines how many
/// bytes the file must have.
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

/// A source whose length may shrink.
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

/// If a file is shortened after opening, the error states the needed and the actual length. Other
/// errors of the source are passed on.
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
