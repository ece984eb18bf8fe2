//! Round trips: decoding returns the encoded values.

use grundy_shard::{
    Codec, Decoder, Description, Encoder, GeometryFault, Shard, ShardError, cut, most_file_bytes,
};
use grundy_testing::database::encoded;
use proptest::prelude::*;

use crate::common::{decode, description, encode_with, values};

#[test]
fn frames_are_independent_and_decoders_reusable() {
    let descriptions = [description(1, 8, 8, 3, 10), description(2, 5, 9, 2, 7)];
    let values = descriptions.each_ref().map(values);
    let mut decoder = Decoder::new();
    for (description, values) in descriptions.iter().zip(&values).cycle().take(6) {
        let encoded = encoded(description, values);
        let shard = Shard::open(encoded.bytes).unwrap();
        let frames: Vec<_> = values.chunks(description.frame_bytes()).collect();
        for frame in (0..shard.frames()).rev() {
            let mut out = vec![0xAA; description.frame_len(frame)];
            shard.decode_frame(frame, &mut decoder, &mut out).unwrap();
            assert_eq!(out, frames[frame as usize]);
        }
    }
}

#[test]
fn bytes_do_not_depend_on_what_was_encoded_before() {
    let description = description(1, 64, 64, 16, 60);
    let data = values(&description);
    let noise = description.clone();
    let other: Vec<u8> = data.iter().rev().map(|value| value.wrapping_mul(91)).collect();
    for level in [1, 3, 5, 6, 9, 12, 19] {
        let fresh = encode_with(&mut Encoder::new(level), &description, &data);
        let mut used = Encoder::new(level);
        encode_with(&mut used, &noise, &other);
        // Begin a shard and discard it.
        used.begin(noise.clone()).unwrap();
        used.push_frame(&other[..noise.frame_bytes()]).unwrap();
        assert!(encode_with(&mut used, &description, &data) == fresh, "level {level}");
    }
}

#[test]
fn the_encoder_refuses_misuse() {
    let mut encoder = Encoder::new(1);
    assert!(matches!(encoder.push_frame(&[]), Err(ShardError::NotBegun)));
    assert!(matches!(encoder.finish(), Err(ShardError::NotBegun)));

    let description = description(1, 2, 2, 2, 3);
    encoder.begin(description).unwrap();
    let wrong = encoder.push_frame(&[0; 4]);
    assert!(matches!(wrong, Err(ShardError::FrameLength { frame: 0, expected: 8, found: 4 })));
    encoder.push_frame(&[0; 8]).unwrap();
    let early = encoder.finish();
    assert!(matches!(early, Err(ShardError::Incomplete { pushed: 1, frames: 2 })));
    encoder.push_frame(&[0; 4]).unwrap();
    let beyond = encoder.push_frame(&[0; 8]);
    assert!(matches!(beyond, Err(ShardError::NoSuchFrame { frame: 2, frames: 2 })));
    encoder.finish().unwrap();
    assert!(matches!(encoder.finish(), Err(ShardError::NotBegun)));
}

/// The encoder rejects impossible descriptions. Other tests check the reader.
#[test]
fn the_encoder_refuses_impossible_descriptions() {
    let fault = |change: fn(&mut Description)| {
        let mut description = description(1, 64, 64, 16, 100);
        change(&mut description);
        match Encoder::new(1).begin(description) {
            Err(ShardError::Geometry(fault)) => fault,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(fault(|d| d.table.clear()), GeometryFault::Empty(_)));
    let huge = fault(|d| {
        (d.tile_rows, d.tile_cols, d.tiles_per_frame) = (u32::MAX, u32::MAX, u32::MAX);
    });
    assert!(matches!(huge, GeometryFault::FrameTooLarge { .. }));
    assert_eq!(fault(|d| (d.first_tile, d.tiles) = (0, u64::MAX)), GeometryFault::Overflow);
    assert!(matches!(fault(|d| d.tiles = 1 << 32), GeometryFault::TooManyFrames { .. }));
}

#[test]
fn decoding_refuses_wrong_frames_and_buffers() {
    let description = description(1, 2, 2, 2, 3);
    let encoded = encoded(&description, &values(&description));
    let shard = Shard::open(encoded.bytes).unwrap();
    let mut decoder = Decoder::new();
    for frame in [2, u64::MAX] {
        let mut out = [7; 8];
        let error = shard.decode_frame(frame, &mut decoder, &mut out);
        assert!(matches!(error, Err(ShardError::NoSuchFrame { frames: 2, .. })));
        assert_eq!(out, [0; 8]);
    }
    for len in [0, 3, 5, 8] {
        let error = shard.decode_frame(1, &mut decoder, &mut vec![7; len]);
        assert!(matches!(error, Err(ShardError::FrameLength { frame: 1, expected: 4, .. })));
    }
}

#[test]
fn codecs_do_what_they_say() {
    let description = description(2, 2, 3, 2, 2);
    let values: Vec<u8> = (0..24).map(|at| if at % 2 == 0 { 16 + at } else { at }).collect();
    let mut out = Vec::new();
    Codec::Raw.encode(&description, &values, &mut out);
    assert_eq!(out, values);
    // The nim-sums of rows 1, 2 and columns 1, 2, 3.
    let sums = [0, 3, 2, 3, 0, 1].repeat(2);
    Codec::NimSum.encode(&description, &values, &mut out);
    let expected: Vec<u8> =
        (0..12).flat_map(|at| [values[2 * at] ^ sums[at], values[2 * at + 1]]).collect();
    assert_eq!(out, expected);
    Codec::NimSumPlanes.encode(&description, &values, &mut out);
    let plane = |byte| expected.iter().skip(byte).step_by(2).copied();
    assert_eq!(out, plane(0).chain(plane(1)).collect::<Vec<u8>>());
    // The values are 300 and 5, so the differences are 300 and 5 - 300 = 65241 modulo 2^16.
    Codec::DeltaPlanes.encode(&description, &[44, 1, 5, 0], &mut out);
    assert_eq!(out, [44, 217, 1, 254]);
}

/// Nim-sums lose the bits that do not fit into a value. As little-endian bytes, 1 ^ 256 = 257 is 1
/// in one byte, and 1, 1 in two bytes; 1 ^ 300 = 301 is 45, 1.
#[test]
fn nim_sums_of_wide_tiles() {
    let description = description(2, 1, 300, 1, 1);
    let mut out = Vec::new();
    Codec::NimSum.encode(&description, &[0; 600], &mut out);
    let value = |col: usize| [out[2 * col - 2], out[2 * col - 1]];
    assert_eq!([1, 255, 256, 300].map(value), [[0, 0], [254, 0], [1, 1], [45, 1]]);
}

/// Frames have about 65,536 bytes, and shards about 67,108,864 bytes. Both consist of whole tiles.
/// The expected numbers were calculated manually.
#[test]
fn tables_are_divided_into_parts() {
    assert_eq!(cut(1, 1), (65_536, 67_108_864));
    assert_eq!(cut(2048, 2), (16, 16_384));
    // 21 tiles have 63,000 bytes, and 1065 such frames have 67,095,000 bytes.
    assert_eq!(cut(3000, 1), (21, 22_365));
    assert_eq!(cut(100_000, 1), (1, 671));
    assert_eq!(cut(1 << 40, 1), (1, 1));
    // Eight tiles of one-bit values fill whole bytes. 520 tiles of 1000 bits have 65,000 bytes, and
    // 1032 such frames have 67,080,000 bytes.
    assert_eq!(cut(1000, 0), (520, 536_640));
    assert_eq!(cut(1 << 20, 0), (8, 512));
    // The limit is the length of the values, plus a sixty-fourth of it, plus a mebibyte.
    assert_eq!(most_file_bytes(6_400), 6_400 + 100 + 1_048_576);
    assert_eq!(most_file_bytes(u64::MAX), u64::MAX);
}

#[test]
fn the_largest_descriptions() {
    let whole = |description: Description| description.validate().is_ok();
    assert!(whole(description(1, 8192, 8192, 1, 1)));
    assert!(!whole(description(1, 8192, 8193, 1, 1)));
    // The zstd seekable format allows 0x8000000 entries. Header and trailer need two entries.
    assert!(whole(description(1, 1, 1, 1, 0x0800_0000 - 2)));
    assert!(!whole(description(1, 1, 1, 1, 0x0800_0000 - 1)));
    // Values of one bit need frames of whole bytes, and the codec `Raw`.
    let bits = Description { codec: Codec::Raw, ..description(0, 8192, 8192, 8, 1) };
    assert!(whole(bits.clone()));
    assert!(!whole(Description { tiles_per_frame: 64, ..bits.clone() }));
    assert!(!whole(Description { tiles_per_frame: 4, ..bits.clone() }));
    assert!(!whole(Description { codec: Codec::NimSum, ..bits }));
}

proptest! {
    /// The cases include tiles of one value, tiles of one row, and tiles larger than a usual frame.
    #[test]
    fn any_geometry_and_values(
        width in prop::sample::select(&[0_u8, 1, 2, 4][..]),
        (rows, cols) in prop_oneof![(1..=40_u32, 1..=40_u32), (1..=2_u32, 1..=300_u32), (200..=300_u32, 200..=300_u32)],
        per_frame in 1..=20_u32,
        tiles in 1..=40_u64,
        codec in prop::sample::select(&Codec::ALL[..]),
        table in "\\PC{1,40}",
        seed in any::<u64>(),
    ) {
        let tiles = if rows < 200 { tiles } else { 1 + tiles % 3 };
        let (per_frame, codec) = match width {
            0 => (8 * per_frame, Codec::Raw),
            _ => (per_frame, codec),
        };
        let mut description = description(width, rows, cols, per_frame, tiles);
        (description.codec, description.table) = (codec, table);
        let mut values = values(&description);
        values.iter_mut().zip(seed.to_le_bytes().iter().cycle()).for_each(|(v, s)| *v ^= s);
        let encoded = encoded(&description, &values);
        prop_assert_eq!(decode(&encoded.bytes).unwrap(), &values[..]);
        let shard = Shard::open(&encoded.bytes).unwrap();
        prop_assert_eq!(shard.description(), &description);
        prop_assert!(shard.digest() == blake3::hash(&values).as_bytes());
        prop_assert_eq!(shard.digest(), &encoded.digest);
        prop_assert_eq!(shard.frames(), tiles.div_ceil(per_frame.into()));
        shard.verify().unwrap();
        let mut bytes = Vec::new();
        let frame = &values[..description.frame_len(0)];
        codec.encode(&description, frame, &mut bytes);
        codec.decode(&description, &mut bytes);
        prop_assert_eq!(&bytes[..], frame);
    }
}
