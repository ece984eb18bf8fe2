//! Measures the kernels of long global nim: `cargo run --release --example subsets [n]`.
//!
//! Sets filled and packed a second by one thread, bytes after zstd, positions of
//! several piles a second, positions that a search takes.

use std::error::Error;
use std::time::Instant;

use grundy_kernels::Isa;
use grundy_kernels::subsets::{Search, SetRowValues, SubsetTables};

const FRAME: usize = 1 << 16;

fn timed<R>(work: impl FnOnce() -> R) -> (f64, R) {
    let start = Instant::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

fn main() -> Result<(), Box<dyn Error>> {
    let n = match std::env::args().nth(1) {
        Some(n) => n.parse()?,
        None => 28,
    };
    let sets = (1u64 << n) as f64;
    for isa in Isa::available() {
        let mut tables = SubsetTables::new(isa);
        let (all, filled) = timed(|| tables.extend(n - 1));
        filled?;
        let mut level = tables.next_level()?;
        let (fresh, ()) = timed(|| tables.fill(n, 0, level.blocks_mut()));
        let (warm, ()) = timed(|| tables.fill(n, 0, level.blocks_mut()));
        let [all, fresh, warm] = [all, fresh, warm].map(|seconds| sets / seconds);
        println!(
            "{isa}, sets a second: all levels below {n} {all:.2e}; level {n} in fresh memory \
             {fresh:.2e}, again {warm:.2e}"
        );
    }

    let mut tables = SubsetTables::new(Isa::best());
    tables.extend(n)?;
    let mut compressor = zstd::bulk::Compressor::new(1)?;
    let mut decompressor = zstd::bulk::Decompressor::new()?;
    for n in [n - 4, n - 2, n] {
        let sets = (1u64 << n) as f64;
        let mut packed = vec![0; 1 << (n - 2)];
        let mut pack = || tables.pack_cells(1 << (n - 4), &mut packed, &mut Vec::new());
        pack();
        let (packing, ()) = timed(pack);
        let (compressing, frames) = timed(|| {
            packed
                .chunks(FRAME)
                .map(|frame| compressor.compress(frame))
                .collect::<Result<Vec<_>, _>>()
        });
        let frames = frames?;
        let bytes: usize = frames.iter().map(Vec::len).sum();
        let mut frame = vec![0; FRAME];
        let (decoding, decoded) = timed(|| {
            frames
                .iter()
                .try_for_each(|f| decompressor.decompress_to_buffer(f, &mut frame).map(drop))
        });
        decoded?;
        println!(
            "level {n}: packed {:.2e} sets/s, zstd -1 {:.2e}, {bytes} bytes, \
             {:.4} bit a set, {:.1} us to decode a frame",
            sets / packing,
            sets / compressing,
            8.0 * bytes as f64 / sets,
            1e6 * decoding / frames.len() as f64,
        );
    }

    for (piles, max_pile) in [(2, 18), (3, 13), (4, 10), (2, 22)] {
        for isa in Isa::available() {
            let (seconds, table) = timed(|| SetRowValues::new(isa, piles, max_pile, 1 << 32));
            let bytes = SetRowValues::bytes(table?.piles(), max_pile);
            println!(
                "{piles} piles up to {max_pile}, {isa}: {bytes} positions, {seconds:.3} s, {:.2e} a second",
                bytes as f64 / seconds
            );
        }
    }

    let singles = [60, 80, 100, 200, 300, 400, 500, 700].map(|n| vec![n]);
    for piles in singles.into_iter().chain([vec![20, 30], vec![40, 40], vec![15, 20, 25]]) {
        let largest = piles.iter().copied().max().unwrap_or(0);
        let mut search = Search::new(4 << 30);
        let (seconds, value) = timed(|| search.value(&piles, 1..=largest, &mut |_| false));
        let states = search.states() as f64;
        println!(
            "{piles:?} with all moves: {value:?}, {states} positions, {seconds:.3} s, {:.2e} a second, {:.0} bytes each",
            states / seconds,
            search.bytes() as f64 / states
        );
    }
    let mut search = Search::new(4 << 30);
    let (seconds, done) =
        timed(|| (1..=300).try_for_each(|n| search.value(&[n], 1..=n, &mut |_| false).map(drop)));
    println!("all of 1..=300: {done:?}, {} positions, {seconds:.3} s", search.states());
    Ok(())
}
