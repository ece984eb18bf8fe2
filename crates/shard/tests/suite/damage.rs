//! Damaged shards: every one is an error, of the right type, or still says the truth.

use std::cell::Cell;
use std::io;
use std::rc::Rc;

use grundy_shard::{
    Decoder, DescriptionFault, EncodedShard, Encoder, GeometryFault, SeekTableFault, Shard,
    ShardError, Source,
};
use grundy_testing::database::encoded;

use crate::common::{description, values};

/// A shard of three frames, small enough to be damaged in every place, and its values.
pub(crate) fn small() -> (EncodedShard, Vec<u8>) {
    let description = description(1, 4, 4, 4, 10);
    let values = values(&description);
    (encoded(&description, &values), values)
}

// Where things are, by docs/FORMAT.md and not by the crate.
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

/// Makes the header's CRC right again.
pub(crate) fn mend_header(bytes: &mut [u8]) {
    let crc = crc32fast::hash(&bytes[8..HEADER_CRC]);
    put(bytes, HEADER_CRC, &crc.to_le_bytes());
}

/// Makes the CRC of trailer and seek table right again.
pub(crate) fn mend_tail(bytes: &mut [u8]) {
    let table = bytes.len() - TABLE_LEN;
    let covered = [&bytes[table - TRAILER_LEN + 8..table - 4], &bytes[table..]].concat();
    put(bytes, table - 4, &crc32fast::hash(&covered).to_le_bytes());
}

/// Where the seek table's entries begin: header, frames, trailer.
pub(crate) fn entry(bytes: &[u8], number: usize) -> usize {
    bytes.len() - TABLE_LEN + 8 + 12 * number
}

/// Opens and decodes; whatever comes out must be right.
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
fn every_byte_changed() {
    let (encoded, values) = small();
    assert!(check_truth(&encoded.bytes, &values, "undamaged"));
    let mut harmless = Vec::new();
    for at in 0..encoded.bytes.len() {
        for pattern in [1, 2, 4, 8, 16, 32, 64, 128, 0xFF, 0x55, 0xF0] {
            let mut bytes = encoded.bytes.clone();
            bytes[at] ^= pattern;
            if check_truth(&bytes, &values, &format!("byte {at} ^ {pattern:#x}")) {
                harmless.push(at);
            }
        }
    }
    // zstd ignores a few bits of a frame. Everywhere else each bit counts.
    let frames = HEADER_LEN..encoded.bytes.len() - TABLE_LEN - TRAILER_LEN;
    assert!(harmless.iter().all(|at| frames.contains(at)), "{harmless:?}");
    assert!(harmless.len() < 10 * FRAMES, "{harmless:?}");
}

#[test]
fn every_length_cut() {
    let (encoded, _) = small();
    for len in 0..encoded.bytes.len() {
        assert!(Shard::open(&encoded.bytes[..len]).is_err(), "length {len}");
    }
    let nothing = Shard::open([]).unwrap_err();
    assert!(matches!(nothing, ShardError::Truncated { found: 0, .. }), "{nothing:?}");
}

#[test]
fn something_appended_or_put_in_front() {
    let (encoded, _) = small();
    for extra in [&[0_u8][..], &[0; 100], &encoded.bytes] {
        assert!(Shard::open([&encoded.bytes, extra].concat()).is_err());
        if extra != encoded.bytes {
            let front = Shard::open([extra, &encoded.bytes].concat()).unwrap_err();
            assert!(matches!(front, ShardError::NotAShard));
        }
    }
}

/// The error of a shard whose header was changed, with its CRC made right.
fn header_error(change: impl FnOnce(&mut Vec<u8>)) -> ShardError {
    let mut bytes = small().0.bytes;
    change(&mut bytes);
    mend_header(&mut bytes);
    Shard::open(bytes).expect_err("an error")
}

#[test]
fn each_field_of_the_header() {
    use ShardError as E;
    let change = |at: usize, new: &[u8]| header_error(|bytes| put(bytes, at, new));
    let (ones, zeros) = ([0xFF; 8], [0; 8]);

    assert!(matches!(change(0, &[0x5F]), E::NotAShard));
    assert!(matches!(change(8, b"grundy"), E::NotAShard));
    assert!(matches!(change(16, &[2]), E::Version { found: 2, expected: 1 }));
    assert!(matches!(change(16, &[0]), E::Version { found: 0, expected: 1 }));
    assert!(matches!(change(4, &[1]), E::HeaderLength { .. }));
    assert!(matches!(change(20, &[1]), E::HeaderLength { description: 1, .. }));
    let long = change(20, &ones[..4]);
    assert!(matches!(long, E::Description(DescriptionFault::TooLong { .. })));
    let mut unmended = small().0.bytes;
    unmended[HEADER_CRC] ^= 1;
    assert!(matches!(Shard::open(unmended).err(), Some(E::HeaderChecksum { .. })));

    // The name's length: beyond the limit, then past the end, then too short.
    let malformed = change(DESCRIPTION, &ones);
    assert!(matches!(malformed, E::Description(DescriptionFault::Malformed(_))));
    let malformed = change(DESCRIPTION, &[60]);
    assert!(matches!(malformed, E::Description(DescriptionFault::Malformed(_))));
    let malformed = change(DESCRIPTION + 8, &[0xFF]);
    assert!(matches!(malformed, E::Description(DescriptionFault::Malformed(_))));
    assert!(matches!(change(DESCRIPTION, &[NAME as u8 - 1]), E::Description(_)));

    let geometry = |at, new: &[u8]| match change(FIELDS + at, new) {
        E::Geometry(fault) => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(geometry(0, &[0]), GeometryFault::ValueBytes(0));
    assert_eq!(geometry(0, &[3]), GeometryFault::ValueBytes(3));
    for at in [1, 5, 9] {
        assert!(matches!(geometry(at, &zeros[..4]), GeometryFault::Empty(_)));
        assert!(matches!(geometry(at, &ones[..4]), GeometryFault::FrameTooLarge { .. }));
    }
    assert_eq!(geometry(13, &ones), GeometryFault::Overflow);
    assert!(matches!(geometry(21, &zeros), GeometryFault::Empty(_)));
    assert_eq!(geometry(21, &ones), GeometryFault::Overflow);
    let number = GeometryFault::ShardNumber { shard: 3, shards: 3 };
    assert_eq!(geometry(29, &[3]), number);
    assert!(matches!(geometry(33, &[1]), GeometryFault::ShardNumber { .. }));
    let codec = change(FIELDS + 37, &[9]);
    assert!(matches!(codec, E::Description(DescriptionFault::Malformed(_))));
}

#[test]
fn a_header_that_fits_another_file() {
    // Believable fields that do not belong to these frames.
    let change = |at: usize, new: u8| header_error(|bytes| bytes[FIELDS + at] = new);
    let fault = |error| match error {
        ShardError::SeekTable(fault) => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(change(0, 2)), SeekTableFault::Entry(1));
    assert_eq!(fault(change(1, 5)), SeekTableFault::Entry(1));
    assert_eq!(fault(change(9, 5)), SeekTableFault::Count { found: 5, expected: 4 });
    assert_eq!(fault(change(21, 11)), SeekTableFault::Entry(3));
    assert_eq!(fault(change(21, 13)), SeekTableFault::Count { found: 5, expected: 6 });
}

#[test]
fn bytes_behind_the_description() {
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

/// The error of a shard whose end was changed, with its CRC made right.
fn tail_error(change: impl FnOnce(&mut Vec<u8>)) -> ShardError {
    let mut bytes = small().0.bytes;
    change(&mut bytes);
    mend_tail(&mut bytes);
    let error = Shard::open(&bytes).and_then(|shard| shard.verify());
    error.expect_err("an error")
}

#[test]
fn each_field_of_the_tail() {
    let fault = |from_end: usize, new: &[u8]| match tail_error(|bytes| {
        let at = bytes.len() - from_end;
        put(bytes, at, new);
    }) {
        ShardError::SeekTable(fault) => fault,
        other => panic!("{from_end}: {other:?}"),
    };
    assert_eq!(fault(4, &[0]), SeekTableFault::Missing);
    assert_eq!(fault(5, &[0x00]), SeekTableFault::Descriptor(0));
    assert_eq!(fault(9, &[4]), SeekTableFault::Count { found: 4, expected: 5 });
    assert_eq!(fault(TABLE_LEN, &[0]), SeekTableFault::Envelope("seek table"));
    assert_eq!(fault(TABLE_LEN - 4, &[0]), SeekTableFault::Envelope("seek table"));
    let trailer = TABLE_LEN + TRAILER_LEN;
    assert_eq!(fault(trailer, &[0]), SeekTableFault::Envelope("trailer"));
    assert_eq!(fault(trailer - 4, &[0]), SeekTableFault::Envelope("trailer"));
    assert!(matches!(fault(trailer - 40, &[0]), SeekTableFault::Total { found: 0, .. }));
    assert!(matches!(fault(trailer - 48, &[0]), SeekTableFault::Total { found: 0, .. }));
    // The entries of the header and the trailer, each field.
    for (number, at) in [(0, TABLE_LEN - 8), (4, TABLE_LEN - 56)] {
        for field in [0, 4, 8] {
            assert_eq!(fault(at - field, &[0xEE]), SeekTableFault::Entry(number));
        }
    }

    let digest = tail_error(|bytes| {
        let at = bytes.len() - trailer + 8;
        bytes[at] ^= 1;
    });
    assert!(matches!(digest, ShardError::Digest { .. }));
    let mut unmended = small().0.bytes;
    let crc = unmended.len() - TABLE_LEN - 4;
    unmended[crc] ^= 1;
    assert!(matches!(Shard::open(unmended).err(), Some(ShardError::TrailerChecksum { .. })));
}

#[test]
fn each_field_of_a_frames_entry() {
    let change = |field: usize| {
        tail_error(|bytes| {
            let at = entry(bytes, 2) + field;
            bytes[at] ^= 1;
        })
    };
    let length = change(0);
    let total = SeekTableFault::Total { what: "bytes of frames", found: 0, expected: 0 };
    let ShardError::SeekTable(fault) = length else { panic!("{length:?}") };
    assert_eq!(std::mem::discriminant(&fault), std::mem::discriminant(&total));
    assert!(matches!(change(4), ShardError::SeekTable(SeekTableFault::Entry(2))));
    assert!(matches!(change(8), ShardError::FrameChecksum { frame: 1 }));
}

#[test]
fn frames_that_do_not_fill_their_room() {
    let (encoded, _) = small();
    let mut bytes = encoded.bytes;
    bytes.insert(bytes.len() - TABLE_LEN - TRAILER_LEN, 0);
    let error = Shard::open(bytes).unwrap_err();
    assert!(matches!(error, ShardError::SeekTable(SeekTableFault::Room { .. })), "{error:?}");
}

/// By docs/FORMAT.md a description has 49 bytes and the table's name, and at most 4096.
/// What is left of a shard is its header and its last bytes: the header says how much is missing.
#[test]
fn nothing_in_the_middle() {
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

/// Bytes that may grow fewer.
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

/// A file that is cut short after it was opened: how much of it the frame needs, and how much there
/// is. Any other error of the source is told as it is.
#[test]
fn bytes_that_are_gone_by_now() {
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
