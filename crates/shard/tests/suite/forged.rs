//! Tests shards with valid checksums and invalid content, and bytes that are not a shard.

use grundy_shard::{FrameFault, Shard, ShardError};
use grundy_testing::database::encoded;
use proptest::prelude::*;

use crate::common::{decode, description, values};
use crate::damage::{HEADER_LEN, TABLE_LEN, TRAILER_LEN, entry, get, mend_tail, put, small};

/// Changes frame 0, updates the checksums, and returns the error from decoding this frame.
fn frame_error(change: impl FnOnce(&mut [u8])) -> ShardError {
    let mut bytes = small().0.bytes;
    let len = get(&bytes, entry(&bytes, 1));
    change(&mut bytes[HEADER_LEN..HEADER_LEN + len]);
    let checksum: [u8; 4] = *bytes[HEADER_LEN + len - 4..].first_chunk().unwrap();
    let at = entry(&bytes, 1) + 8;
    put(&mut bytes, at, &checksum);
    mend_tail(&mut bytes);
    decode(&bytes).expect_err("an error")
}

#[test]
fn invalid_frames_are_refused() {
    let fault = |change: fn(&mut [u8])| match frame_error(change) {
        ShardError::FrameDecode { frame: 0, fault } => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(|frame| frame[0] ^= 1), FrameFault::NotOneFrame);
    assert_eq!(fault(|frame| frame[4] ^= 4), FrameFault::NoChecksum);
    assert_eq!(fault(|frame| frame[5] ^= 1), FrameFault::Length);
    assert!(matches!(fault(|frame| *frame.last_mut().unwrap() ^= 1), FrameFault::Zstd(_)));
    // A skippable frame of the same length is valid zstd, but contains no values.
    let skippable = fault(|frame| {
        let len = frame.len() as u32 - 8;
        put(frame, 0, &0x184D_2A50_u32.to_le_bytes());
        put(frame, 4, &len.to_le_bytes());
    });
    assert_eq!(skippable, FrameFault::NotOneFrame);
}

#[test]
fn frames_of_another_shard_are_refused() {
    // All checksums are right, but the digest belongs to other values.
    let description = description(1, 4, 4, 4, 10);
    let values = values(&description);
    let mut others = values.clone();
    others[3] ^= 1;
    let (ours, theirs) = (encoded(&description, &values), encoded(&description, &others));
    let mut bytes = theirs.bytes;
    let at = bytes.len() - TABLE_LEN - TRAILER_LEN + 8;
    put(&mut bytes, at, &ours.digest);
    mend_tail(&mut bytes);
    let error = Shard::open(bytes).unwrap().verify();
    assert!(matches!(error, Err(ShardError::Digest { stored, .. }) if stored == ours.digest));
}

proptest! {
    #[test]
    fn arbitrary_frames(noise in prop::collection::vec(any::<u8>(), 60), from in 0..20_usize) {
        let error = frame_error(|frame| {
            let end = frame.len().min(from + noise.len());
            frame[from..end].copy_from_slice(&noise[..end - from]);
        });
        let decoding = matches!(error, ShardError::FrameDecode { .. });
        prop_assert!(decoding, "{:?}", error);
    }
}
