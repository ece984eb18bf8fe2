//! Shards for tests.

use grundy_shard::{Codec, Description, EncodedShard, Encoder};
pub(crate) use grundy_testing::database::decoded as decode;

/// Describes one of many shards. A tile has `rows` x `cols` values of `width` bytes.
pub(crate) fn description(
    width: u8,
    rows: u32,
    cols: u32,
    per_frame: u32,
    tiles: u64,
) -> Description {
    Description {
        table: "test/table".to_owned(),
        value_bytes: width,
        tile_rows: rows,
        tile_cols: cols,
        tiles_per_frame: per_frame,
        first_tile: 1000,
        tiles,
        shard: 1,
        shards: 3,
        codec: Codec::NimSum,
    }
}

/// Returns values that differ in every frame and do not compress too well.
pub(crate) fn values(description: &Description) -> Vec<u8> {
    let mut state = 1_u64;
    (0..description.value_len())
        .map(|at| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(at | 1);
            // Add a few random bits to a regular pattern.
            ((state >> 60) as u8) ^ (at % 17) as u8
        })
        .collect()
}

pub(crate) fn encode_with(
    encoder: &mut Encoder,
    description: &Description,
    values: &[u8],
) -> EncodedShard {
    encoder.begin(description.clone()).unwrap();
    for frame in values.chunks(description.frame_bytes()) {
        encoder.push_frame(frame).unwrap();
    }
    encoder.finish().unwrap()
}
