//! One frame of real values, there and back, for each codec.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grundy_benches::{ladder, tiles};
use grundy_kernels::Isa;
use grundy_rules::{Game, Table};
use grundy_shard::{Codec, Decoder, Description, Encoder, Shard};

/// 16 tiles of 64 x 64: a frame of 64 KiB.
const TILES: u32 = 16;

fn frames(criterion: &mut Criterion) {
    let Ok(table) = Table::new(Game::EndNim, 64, 4) else { return };
    let values = tiles(&ladder::<u8>(Game::EndNim, 64, 4, Isa::best()), &table, 1000, TILES.into());
    let mut group = criterion.benchmark_group("codec");
    group.throughput(Throughput::Bytes(values.len() as u64));
    for codec in Codec::ALL {
        let description = Description {
            table: table.to_string(),
            value_bytes: 1,
            tile_rows: 64,
            tile_cols: 64,
            tiles_per_frame: TILES,
            first_tile: 0,
            tiles: TILES.into(),
            shard: 0,
            shards: 1,
            codec,
        };
        let mut encoder = Encoder::new(1);
        let mut encode = || {
            encoder.begin(description.clone())?;
            encoder.push_frame(black_box(&values))?;
            encoder.finish()
        };
        let Ok(encoded) = encode() else { panic!("a frame that cannot be encoded") };
        let Ok(shard) = Shard::open(encoded.bytes) else { panic!("a shard that does not open") };
        let (mut decoder, mut out) = (Decoder::new(), vec![0; values.len()]);
        assert!(shard.decode_frame(0, &mut decoder, &mut out).is_ok() && out == values);
        group.bench_function(BenchmarkId::new("encode", codec.name()), |bencher| {
            bencher.iter(&mut encode);
        });
        group.bench_function(BenchmarkId::new("decode", codec.name()), |bencher| {
            bencher.iter(|| shard.decode_frame(0, &mut decoder, black_box(&mut out)));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = frames
}
criterion_main!(benches);
