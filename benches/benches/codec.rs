//! One frame of real values, there and back, for each codec. For values of one byte
//! `nim-sum` and `nim-sum-planes` do the same; they part at two bytes, N = 128.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grundy_benches::{ladder, tiles};
use grundy_builder::Geometry;
use grundy_kernels::Isa;
use grundy_rules::{Pile, Table, games};
use grundy_shard::{Codec, Decoder, Description, Encoder, Shard};

fn frames(criterion: &mut Criterion) {
    frame(criterion, 64, |table, first, tiles_per_frame| {
        let ladder = ladder::<u8>(table.game(), 64, table.length(), Isa::best());
        tiles(&ladder, table, first, tiles_per_frame)
    });
    frame(criterion, 128, |table, first, tiles_per_frame| {
        let ladder = ladder::<u16>(table.game(), 128, table.length(), Isa::best());
        let values = tiles(&ladder, table, first, tiles_per_frame);
        values.into_iter().flat_map(u16::to_le_bytes).collect()
    });
}

/// Benches a frame from the middle of the table of four piles, cut as a build cuts it.
fn frame(criterion: &mut Criterion, n: Pile, values: impl Fn(&Table, u64, u64) -> Vec<u8>) {
    let table = Table::new(games::END_NIM, n, 4).expect("a small table");
    let geometry = Geometry::of(&table);
    let values = values(&table, table.tiles() / 2, geometry.tiles_per_frame());
    let mut group = criterion.benchmark_group(format!("codec n{n}"));
    group.throughput(Throughput::Bytes(values.len() as u64));
    for codec in Codec::ALL {
        let description = Description {
            first_tile: 0,
            tiles: geometry.tiles_per_frame(),
            shard: 0,
            shards: 1,
            codec,
            ..geometry.description(0)
        };
        let mut encoder = Encoder::new(1);
        let mut encode = || {
            encoder.begin(description.clone())?;
            encoder.push_frame(black_box(&values))?;
            encoder.finish()
        };
        let Ok(encoded) = encode() else { panic!("a frame that cannot be encoded") };
        let Ok(shard) = Shard::open(&encoded.bytes) else { panic!("a shard that does not open") };
        let mut decoder = Decoder::new();
        group.bench_function(BenchmarkId::new("encode", codec.name()), |bencher| {
            bencher.iter(&mut encode);
            // The same bytes as at first, which the decoder gives back below.
            assert!(encode().is_ok_and(|again| again.bytes == encoded.bytes));
        });
        group.bench_function(BenchmarkId::new("decode", codec.name()), |bencher| {
            let mut out = vec![0; values.len()];
            bencher.iter(|| shard.decode_frame(0, &mut decoder, black_box(&mut out)));
            assert!(out == values, "{}", codec.name());
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
