//! Shared code of the benchmarks: the heading of a record, the tiles to measure, and medians.
#![forbid(unsafe_code)]

pub mod bitsets;
#[path = "../../crates/testing/src/cases.rs"]
pub mod cases;
pub mod scan;

use std::process::Command;
use std::time::Instant;

use grundy_kernels::{Cell, Isa};
use grundy_rules::{Game, Pile, Table};
use grundy_sweep::{Control, Filler, Ladder};

/// Prints the commit, CPU, threads and command of a measurement.
pub fn print_heading(command: &str) {
    println!("commit   {}", commit());
    println!("CPU      {}", cpu());
    println!("threads  {}", rayon::current_num_threads());
    println!("command  {command}\n");
}

/// Returns the commit, followed by `-dirty` if tracked files have changed.
fn commit() -> String {
    // Exclude tags, so that the result is always a hash.
    let describe = ["describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"];
    let output = Command::new("git").args(describe).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default().lines().next().unwrap_or("unknown").to_owned()
}

fn cpu() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find(|line| line.starts_with("model name"));
    let isas: Vec<&str> = Isa::available().map(Isa::name).collect();
    let name = model.and_then(|line| line.split(": ").nth(1)).unwrap_or("unknown");
    format!("{name}, {}", isas.join(" "))
}

/// Returns a pseudo-random generator with a fixed seed. It takes an exclusive upper bound.
pub fn random() -> impl FnMut(u64) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}

/// An error that ends a benchmark.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The Python source of a recursive function `g(p)` with a memo.
pub const PYTHON_MEMO: &str = include_str!("memo.txt");

/// Runs a Python program that prints its time in seconds and a count; returns both. Returns `None`
/// if Python is missing or fails.
pub fn python(program: &str) -> Option<(f64, u64)> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(python).args(["-c", program]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Returns an error that names `what` unless `holds` is true.
pub fn check(what: &str, holds: bool) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(format!("{what}: a wrong answer").into()) }
}

/// Returns the median.
///
/// # Panics
/// Panics if `figures` is empty.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Returns the median time of `runs` runs in seconds. An extra first run is not counted.
pub fn median_seconds(runs: usize, mut job: impl FnMut()) -> f64 {
    job();
    let time = |()| {
        let start = Instant::now();
        job();
        start.elapsed().as_secs_f64()
    };
    median(std::iter::repeat_n((), runs).map(time).collect())
}

/// Returns a ladder of all levels shorter than `length`, and of at least one level.
pub fn ladder<T: Cell>(game: Game, max_pile: Pile, length: usize, isa: Isa) -> Ladder<T> {
    let mut ladder = Ladder::new(game, max_pile, isa);
    // This `Control` is not shared, so nothing can stop the work.
    let _ = ladder.extend((length - 1).max(1), &Control::new());
    ladder
}

/// Returns the values of `count` stored tiles, beginning with tile `first`.
pub fn tiles<T: Cell>(ladder: &Ladder<T>, table: &Table, first: u64, count: u64) -> Vec<T> {
    let count = count.min(table.tiles() - first);
    let mut out = vec![T::default(); count as usize * table.tile_cells()];
    Filler::new(ladder).fill_stored(table, first, &mut out);
    out
}
