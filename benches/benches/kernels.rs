//! Tiles and edges, for each instruction set that the machine has. What is timed is
//! first held against the definition of mex.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grundy_benches::ladder;
use grundy_kernels::{Borders, Cell, Edge, Isa, Kernel, Scratch};
use grundy_rules::{Game, Pile, reference};

/// Sixteen tiles of middles of one pile: what stays in cache.
const TILES: usize = 16;

fn fill<T: Cell>(criterion: &mut Criterion, n: Pile) {
    let size = n as usize;
    let ladder = ladder::<T>(Game::EndNim, n, 3, Isa::Portable);
    let Some(level) = ladder.level(2) else { return };
    let rows: Vec<&[T]> = (0..TILES as Pile).map(|at| level.row(&[at % n + 1])).collect();
    let borders: Vec<Borders<'_, T>> = rows.iter().map(|&row| Borders { row, col: row }).collect();
    let mut out = vec![T::default(); TILES * size * size];
    let mut group = criterion.benchmark_group("fill");
    group.throughput(Throughput::Elements(out.len() as u64));
    for isa in Isa::available() {
        let kernel = Kernel::new(isa, size);
        let mut scratch = Scratch::default();
        kernel.fill(&mut scratch, &borders, &mut out);
        for (row, tile) in rows.iter().zip(out.chunks_exact(size * size)) {
            let border: Vec<u32> = row.iter().map(|&value| value.into()).collect();
            let values: Vec<u32> = tile.iter().map(|&value| value.into()).collect();
            assert_eq!(reference::first_wrong_cell(&border, &border, &values), None);
        }
        group.bench_function(BenchmarkId::new(isa.name(), n), |bencher| {
            bencher.iter(|| kernel.fill(&mut scratch, black_box(&borders), black_box(&mut out)));
        });
    }
    group.finish();
}

fn tiles(criterion: &mut Criterion) {
    for n in [16, 32, 64, 127] {
        fill::<u8>(criterion, n);
    }
    for n in [128, 255] {
        fill::<u16>(criterion, n);
    }
}

fn edges(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("edge");
    for (a, b) in [(64u32, 64u32), (32, 32), (16, 48)] {
        // The tile of the middle 5: G(5 b) = 5 xor b (Cairns and Ho 2011, section 4).
        let row: Vec<u32> = (1..=b).map(|pile| 5 ^ pile).collect();
        let col: Vec<u32> = (1..=a).map(|pile| 5 ^ pile).collect();
        let mut found = Vec::new();
        for isa in Isa::available() {
            let mut edge = Edge::new(isa);
            edge.compute(&row, &col);
            found.push((edge.row.clone(), edge.col.clone()));
            group.bench_function(BenchmarkId::new(isa.name(), format!("{a}x{b}")), |bencher| {
                bencher.iter(|| edge.compute(black_box(&row), black_box(&col)));
            });
        }
        // P-positions of three piles are a, c, a with c != a.
        let corner_is_zero = found[0].0.last() == Some(&0);
        assert_eq!(corner_is_zero, a == b && a != 5);
        assert!(found.iter().all(|one| *one == found[0]));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = tiles, edges
}
criterion_main!(benches);
