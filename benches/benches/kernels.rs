//! Tiles and edges, for each instruction set that the machine has. What the timed loop
//! wrote is held against the rules, by a way that shares nothing with the kernels: tiles
//! cell by cell against the definition of mex, edges against the reference evaluator.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use grundy_benches::two_pile_row;
use grundy_kernels::{Borders, Cell, Edge, Isa, Kernel, Scratch};
use grundy_rules::reference::Reference;
use grundy_rules::{Pile, Position, games, mex};

/// Least number of cells of one call: enough tiles for all lanes, and still in cache.
const CELLS: usize = 1 << 17;

fn fill<T: Cell>(criterion: &mut Criterion, n: Pile) {
    let size = n as usize;
    let count = CELLS.div_ceil(size * size).next_multiple_of(8);
    let rows: Vec<Vec<u32>> = (0..count as Pile).map(|at| two_pile_row(at % n + 1, n)).collect();
    let cells: Vec<Vec<T>> =
        rows.iter().map(|row| row.iter().map(|&value| T::from_value(value)).collect()).collect();
    // A middle of one pile is its own reversal: both borders are the same row.
    let borders: Vec<Borders<'_, T>> = cells.iter().map(|row| Borders { row, col: row }).collect();
    let mut expected = vec![T::default(); count * size * size];
    Kernel::new(Isa::Portable, size).fill(&mut Scratch::default(), &borders, &mut expected);
    for (row, tile) in rows.iter().zip(expected.chunks_exact(size * size)) {
        let values: Vec<u32> = tile.iter().map(|&value| value.into()).collect();
        for (at, &value) in values.iter().enumerate() {
            let (a, b) = (at / size, at % size);
            let left = values[a * size..at].iter().chain([&row[a]]);
            let above = values[..at].iter().skip(b).step_by(size).chain([&row[b]]);
            assert_eq!(value, mex(left.chain(above).copied()), "N = {n}");
        }
    }
    let mut group = criterion.benchmark_group("fill");
    group.throughput(Throughput::Elements(expected.len() as u64));
    for isa in Isa::available() {
        let kernel = Kernel::new(isa, size);
        let mut scratch = Scratch::default();
        group.bench_function(BenchmarkId::new(isa.name(), n), |bencher| {
            let mut out = vec![T::default(); expected.len()];
            bencher.iter(|| kernel.fill(&mut scratch, black_box(&borders), black_box(&mut out)));
            assert!(out == expected, "{isa}, N = {n}");
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

/// The one pile of the middle. Small, for the reference evaluator visits a position for
/// each of its coins.
const MIDDLE: Pile = 7;

fn edges(criterion: &mut Criterion) {
    let mut reference = Reference::new(games::END_NIM);
    let mut by_the_rules = |a: Pile, b: Pile| {
        let position = Position::new(vec![a, MIDDLE, b]).expect("no pile is empty");
        reference.value(&position)
    };
    let mut group = criterion.benchmark_group("edge");
    for (a, b) in [(64, 64), (32, 32), (16, 48)] {
        let (row, col) = (two_pile_row(MIDDLE, b), two_pile_row(MIDDLE, a));
        let last_row: Vec<u32> = (1..=b).map(|b| by_the_rules(a, b)).collect();
        let last_col: Vec<u32> = (1..=a).map(|a| by_the_rules(a, b)).collect();
        group.throughput(Throughput::Elements(u64::from(a * b)));
        for isa in Isa::available() {
            group.bench_function(BenchmarkId::new(isa.name(), format!("{a}x{b}")), |bencher| {
                let mut edge = Edge::new(isa);
                bencher.iter(|| edge.compute(black_box(&row), black_box(&col)));
                assert_eq!((&edge.row, &edge.col), (&last_row, &last_col), "{isa}, {a} x {b}");
            });
        }
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
