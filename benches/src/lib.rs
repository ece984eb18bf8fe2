//! Shared code of the benchmarks: the heading of a record, the tiles to measure, and medians.
#![forbid(unsafe_code)]

#[path = "../../crates/testing/src/cases.rs"]
pub mod cases;

use std::process::Command;
use std::time::Instant;

use grundy_kernels::{Cell, Isa};
use grundy_rules::{Game, Pile, Table};
use grundy_sweep::{Control, Filler, Ladder};

/// Prints the conditions of a measurement: commit, CPU, threads and command.
pub fn print_heading(command: &str) {
    println!("commit   {}", commit());
    println!("CPU      {}", cpu());
    println!("threads  {}", rayon::current_num_threads());
    println!("command  {command}\n");
}

/// Returns the commit, with `-dirty` if tracked files differ from it.
fn commit() -> String {
    // Ignore tags, so that the result is always a hash.
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

/// Returns a pseudo-random stream, the same in every run.
pub fn random() -> impl FnMut(u64) -> u64 {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    }
}

/// The reason why a benchmark ended early.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// The source of a simple recursive function `g(p)` in Python, with a memo.
pub const PYTHON_MEMO: &str = include_str!("memo.txt");

/// Runs a Python program, and returns the seconds and the count that it prints; `None` if Python is
/// missing or fails.
pub fn python(program: &str) -> Option<(f64, u64)> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let output = Command::new(python).args(["-c", program]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Returns an error if an answer is wrong.
pub fn check(what: &str, holds: bool) -> Result<(), Failure> {
    if holds { Ok(()) } else { Err(format!("{what}: a wrong answer").into()) }
}

/// Returns the median of some figures.
///
/// # Panics
/// Panics if there are no figures.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Returns the median time of `runs` runs in seconds, after one run that is not counted.
pub fn median_seconds(runs: usize, mut job: impl FnMut()) -> f64 {
    job();
    let time = |()| {
        let start = Instant::now();
        job();
        start.elapsed().as_secs_f64()
    };
    median(std::iter::repeat_n((), runs).map(time).collect())
}

/// Returns a ladder of all levels below `length`, at least one.
pub fn ladder<T: Cell>(game: Game, max_pile: Pile, length: usize, isa: Isa) -> Ladder<T> {
    let mut ladder = Ladder::new(game, max_pile, isa);
    // Nothing can stop the work, because no other code has this `Control`.
    let _ = ladder.extend((length - 1).max(1), &Control::new());
    ladder
}

/// Returns the values of `count` stored tiles from `first` on.
pub fn tiles<T: Cell>(ladder: &Ladder<T>, table: &Table, first: u64, count: u64) -> Vec<T> {
    let count = count.min(table.tiles() - first);
    let mut out = vec![T::default(); count as usize * table.tile_cells()];
    Filler::new(ladder).fill_stored(table, first, &mut out);
    out
}
