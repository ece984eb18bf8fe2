//! Compares estimates of plans with builds. The ratio of file size to estimate is at most
//! [`FACTOR`]. The memory of a build exceeds its estimate by at most [`BESIDE`].
//!
//! This test is a separate program, because it measures the peak memory of its whole process.
#![cfg(target_os = "linux")]

use std::fs;

use grundy_builder::{Plan, Request, build};
use grundy_rules::Game;
use grundy_shard::manifest::Manifest;
use grundy_sweep::Control;

/// The largest allowed ratio of a file's size to its estimate. The estimates are based on large
/// tables. Small tables compress less, because each frame is compressed separately.
const FACTOR: f64 = 2.5;
/// The number of bytes of a shard that store no values: description, trailer and seek table.
const FRAMING: u64 = 1 << 10;
/// The memory that the estimates leave out: stacks, allocator and runtime.
const BESIDE: u64 = 8 << 20;

/// Returns a memory figure of this process in bytes, such as `VmRSS`.
fn memory(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("a status");
    let line = status.lines().find(|line| line.starts_with(name)).expect("a line");
    let kibibytes = line.split_whitespace().nth(1).and_then(|word| word.parse::<u64>().ok());
    kibibytes.expect("a number") << 10
}

#[test]
fn builds_take_what_the_plan_says() {
    let sized = |game: Game| match game.id() {
        "short-global-nim" => (100, 2),
        "long-global-nim" => (22, 1),
        "end-wythoff" => (20, 4),
        "nim" | "misere-nim" => (60, 4),
        _ => (40, 4),
    };
    let mut plans = Vec::new();
    for game in Game::all() {
        let (max_pile, length) = sized(game);
        for (threads, single) in [(1, 20_000), (3, 300_000)] {
            let (length, single) = (Some(length), Some(single));
            let request = Request { length, single, threads, ..Request::new(vec![game], max_pile) };
            plans.push(Plan::new(request, &Manifest::default()).expect("a plan"));
        }
    }
    // The process may not return freed memory, so run the largest builds last.
    let memory_of = |plan: &Plan| plan.tables.iter().map(|table| table.memory).max();
    plans.sort_by_key(memory_of);
    let before = memory("VmRSS");
    let mut faults = Vec::new();
    for plan in plans {
        let Request { ref games, threads, .. } = plan.request;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        // Reset the peak.
        fs::write("/proc/self/clear_refs", "5").expect("a writable file that resets the peak");
        let control = Control::new();
        let run = || build(&plan, folder.path(), &control, |_| ());
        let report = pool.expect("a pool").install(run).expect("nothing is wrong");
        let peak = memory("VmHWM").saturating_sub(before);
        let planned = memory_of(&plan).expect("a table");
        println!("{}, {threads} threads: {} of {} KiB", games[0], peak >> 10, planned >> 10);
        if peak > planned + BESIDE {
            faults.push(format!("{}: {peak} bytes of memory, planned {planned}", games[0]));
        }
        for (table, built) in plan.tables.iter().zip(&report.tables) {
            let (planned, found) = (table.bytes, built.bytes);
            println!("    {}: {found} bytes, planned {planned}", table.table);
            let framing = FRAMING * u64::from(table.geometry.shards());
            let most = (planned as f64 * FACTOR) as u64 + framing;
            let least = (planned as f64 / FACTOR) as u64;
            // Small files consist mostly of framing.
            if found > most || found > 16 * framing && found < least {
                faults.push(format!("{}: {found}, planned {planned}", table.table));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:?}");
}
