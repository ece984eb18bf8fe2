//! The first part of `make bench`. In one run it measures whole tasks and the limits of the
//! machine, and compares the tasks with the limits. It checks every answer.
//!
//! Each figure is the median of several measurements. Compare only figures of one run, because
//! absolute figures vary with the machine and its load. `benches/record` keeps the output with
//! commit, CPU and command.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use grundy_benches::{
    Failure, check, ladder, median, median_seconds, print_heading, random, tiles,
};
use grundy_builder::{Plan, Request, build, manifest};
use grundy_kernels::{Borders, Isa, Kernel, Scratch};
use grundy_query::Database;
use grundy_rules::{Pile, Position, Table, games};
use grundy_sweep::{Control, Histogram, sweep};
use rayon::prelude::*;

fn main() -> Result<(), Failure> {
    print_heading("cargo run --release -p grundy-benches --bin table");
    fill()?;
    sweeping()?;
    building()?;
    lookups()?;
    Ok(())
}

/// Compares kernels with memcpy on one thread. All data stays in cache.
fn fill() -> Result<(), Failure> {
    println!("| fill tiles, one thread | ns per cell | speed / memcpy |");
    println!("|---|---|---|");
    for n in [16u32, 32, 64, 127] {
        fill_width::<u8>(n)?;
    }
    for n in [255u32, 1024] {
        fill_width::<u16>(n)?;
    }
    println!();
    Ok(())
}

fn fill_width<T: grundy_kernels::Cell>(n: Pile) -> Result<(), Failure> {
    let size = n as usize;
    let ladder = ladder::<T>(games::END_NIM, n, 3, Isa::Portable);
    let level = ladder.level(2).ok_or("no level 2")?;
    let count = ((1 << 17) / (size * size * T::BYTES)).max(1).next_multiple_of(8);
    let words: Vec<[Pile; 1]> = (0..count).map(|at| [at as Pile % n + 1]).collect();
    let borders: Vec<Borders<'_, T>> =
        words.iter().map(|w| Borders { row: level.row(w), col: level.row(w) }).collect();
    let mut out = vec![T::default(); count * size * size];
    let mut expected = out.clone();
    Kernel::new(Isa::Portable, size).fill(&mut Scratch::default(), &borders, &mut expected);
    let repeat = (1 << 22) / out.len() + 1;
    let cells = (repeat * out.len()) as f64;
    let copied = expected.clone();
    let memcpy = median_seconds(7, || {
        for _ in 0..repeat {
            black_box(&mut out).copy_from_slice(black_box(&copied));
        }
    });
    for isa in Isa::available() {
        let kernel = Kernel::new(isa, size);
        let mut scratch = Scratch::default();
        let seconds = median_seconds(7, || {
            for _ in 0..repeat {
                kernel.fill(&mut scratch, black_box(&borders), black_box(&mut out));
            }
        });
        check("fill", out == expected)?;
        println!("| N = {n}, {isa} | {:.3} | {:.3} |", seconds / cells * 1e9, memcpy / seconds);
    }
    println!("| N = {n}, memcpy | {:.3} | 1 |", memcpy / cells * 1e9);
    Ok(())
}

fn sweeping() -> Result<(), Failure> {
    println!("| walk every position of 5 piles of up to 64 | positions/s | seconds |");
    println!("|---|---|---|");
    let table = Table::new(games::END_NIM, 64, 5)?;
    let ladder = ladder::<u8>(games::END_NIM, 64, 4, Isa::best());
    let p_positions = (64u64.pow(5) - 64) / 65;
    for threads in [1, rayon::current_num_threads()] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut found = 0;
        let seconds = median_seconds(5, || {
            let swept = pool.install(|| sweep(&ladder, &table, &Control::new(), &Zeros));
            found = swept.acc;
        });
        check("sweep", found == p_positions)?;
        let line = |what: &str, seconds: f64| {
            let rate = table.positions() as f64 / seconds;
            println!("| {what}, {threads} threads | {rate:.2e} | {seconds:.3} |");
        };
        line("P-positions counted", seconds);
        let seconds = median_seconds(3, || {
            let swept = pool.install(|| sweep(&ladder, &table, &Control::new(), &Histogram));
            found = swept.acc.p_positions();
        });
        check("histogram", found == p_positions)?;
        line("all values counted", seconds);
    }
    println!();
    Ok(())
}

/// Counts zeros, which is nearly the least work that a fold can do with a tile.
struct Zeros;

impl grundy_sweep::Fold<u8> for Zeros {
    type Acc = u64;

    fn start(&self) -> u64 {
        0
    }

    fn tile(&self, acc: &mut u64, tile: grundy_sweep::Tile<'_, u8>) {
        // Count in bytes, so that the compiler uses vectors. A byte can count 128 zeros.
        let zeros: u64 = tile
            .values
            .chunks(128)
            .map(|chunk| u64::from(chunk.iter().map(|&value| u8::from(value == 0)).sum::<u8>()))
            .sum();
        *acc += tile.weight() * zeros;
    }

    fn merge(&self, left: u64, right: u64) -> u64 {
        left + right
    }
}

fn request(length: usize) -> Request {
    let threads = rayon::current_num_threads();
    Request { length: Some(length), threads, ..Request::new(vec![games::END_NIM], 64) }
}

/// Builds the tables of up to `length` piles in a folder; returns the time in seconds.
fn build_to(folder: &Path, length: usize) -> Result<f64, Failure> {
    let plan = Plan::new(request(length), &manifest(folder)?)?;
    let start = Instant::now();
    build(&plan, folder, &Control::new(), |_| ())?;
    Ok(start.elapsed().as_secs_f64())
}

/// Compares the speed of a whole build with the speeds of its steps.
fn building() -> Result<(), Failure> {
    println!("| build end-nim, 5 piles of up to 64 | values/s | speed / zstd |");
    println!("|---|---|---|");
    let table = Table::new(games::END_NIM, 64, 5)?;
    let cells = table.cells() as f64;
    let mut digest = String::new();
    let mut size = 0;
    let mut runs = Vec::new();
    for _ in 0..5 {
        let folder = tempfile::tempdir()?;
        runs.push(build_to(folder.path(), 5)?);
        let built = manifest(folder.path())?;
        let entry = &built.tables[&table.to_string()];
        check("build", digest.is_empty() || digest == entry.digest())?;
        digest = entry.digest();
        size = entry.bytes();
    }
    let whole = median(runs);

    let ladder = ladder::<u8>(games::END_NIM, 64, 5, Isa::best());
    let groups: Vec<u64> = (0..table.tiles()).step_by(4096).collect();
    let kernel = median_seconds(3, || {
        groups.par_iter().for_each_init(
            || (grundy_sweep::Filler::new(&ladder), vec![0u8; 16 * 4096]),
            |(filler, frame), &first| {
                let end = (first + 4096).min(table.tiles());
                for tile in (first..end).step_by(16) {
                    filler.fill_stored(&table, tile, frame);
                }
            },
        );
    });
    let frames: Vec<Vec<u8>> = groups
        .par_iter()
        .map(|&first| {
            let mut values = tiles(&ladder, &table, first, 4096);
            for (at, value) in values.iter_mut().enumerate() {
                *value ^= ((at / 64 % 64 + 1) ^ (at % 64 + 1)) as u8;
            }
            values
        })
        .collect();
    let zstd_alone = median_seconds(3, || {
        let total: usize = frames
            .par_iter()
            .map_init(
                || (zstd::bulk::Compressor::new(1).ok(), vec![0u8; 1 << 17]),
                |(compressor, out), frame| {
                    let Some(compressor) = compressor else { return 0 };
                    let pieces = frame.chunks(16 * 4096);
                    pieces.filter_map(|p| compressor.compress_to_buffer(p, &mut out[..]).ok()).sum()
                },
            )
            .sum();
        black_box(total);
    });
    let line = |name: &str, seconds: f64| {
        println!("| {name} | {:.2e} | {:.2} |", cells / seconds, zstd_alone / seconds);
    };
    line("levels 1 to 5 from nothing to files on disk", whole);
    line("only the kernel", kernel);
    line("only zstd -1, same frames and threads", zstd_alone);
    println!("\n{:.3} bits per stored value; digest {digest}\n", 8.0 * size as f64 / cells);
    Ok(())
}

fn print_times(name: &str, mut times: Vec<u128>) {
    times.sort_unstable();
    let (median, late) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("| {name} | {median} ns | {late} ns |");
}

fn lookups() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    build_to(folder.path(), 5)?;
    println!("| one lookup, random piles of up to 64 | p50 | p99 |");
    println!("|---|---|---|");
    let start = Instant::now();
    let stored = Database::open(folder.path())?;
    let opened = start.elapsed();
    let empty = Database::open(folder.path().join("none"))?;
    let mut random = random();
    for (name, database, length, count) in [
        ("warm table, 5 piles", &stored, 5, 400_000),
        ("one level above it, 6 piles", &stored, 6, 40_000),
        ("two levels above it, 7 piles", &stored, 7, 20_000),
        ("from nothing, 5 piles", &empty, 5, 4_000),
        ("from nothing, 10 piles", &empty, 10, 400),
        ("from nothing, 20 piles", &empty, 20, 100),
    ] {
        let positions: Vec<Position> = (0..count)
            .map(|_| Position::new((0..length).map(|_| random(64) as Pile + 1).collect()))
            .collect::<Result<_, _>>()?;
        for position in &positions {
            database.answer(games::END_NIM, position)?;
        }
        let mut times = Vec::new();
        for position in &positions {
            let start = Instant::now();
            black_box(database.answer(games::END_NIM, black_box(position))?);
            times.push(start.elapsed().as_nanos());
        }
        for position in positions.iter().take(50) {
            let (one, other) =
                (stored.answer(games::END_NIM, position)?, empty.answer(games::END_NIM, position)?);
            check(name, one.value == other.value)?;
        }
        print_times(name, times);
    }
    let level = ladder::<u8>(games::END_NIM, 64, 6, Isa::best());
    let flat = level.level(5).ok_or("no level 5")?;
    let mut times = Vec::new();
    for _ in 0..400_000 {
        let piles: [Pile; 5] = std::array::from_fn(|_| random(64) as Pile + 1);
        let start = Instant::now();
        black_box(flat.value(black_box(&piles)));
        times.push(start.elapsed().as_nanos());
    }
    print_times("limit: a flat array of all words in memory, 5 piles", times);
    for piles in [6, 10, 20] {
        let position = Position::new(vec![64; piles])?;
        let seconds = median_seconds(99, || {
            black_box(empty.answer(games::END_NIM, &position)).ok();
        });
        println!("| from nothing, {piles} piles of 64 | {:.1} µs | |", seconds * 1e6);
    }
    println!("| opening the database | {:.1} µs | |", opened.as_secs_f64() * 1e6);
    println!();
    Ok(())
}
