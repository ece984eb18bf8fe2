//! Storms: tests of misuse, faults and accidents, each repeated many times.
//!
//! [`hostile`] runs hundreds of invalid commands. [`kills`] kills builds at random moments while
//! other processes read. [`corruption`] flips bits of shards, and edits manifests. [`disks`] fills
//! disks and sets limits; [`archives`] and [`servers`] are hostile; in [`races`] processes meet,
//! and in [`clocks`] time jumps. By default only the short tests run; `make storms` runs the long
//! tests, too.
#![cfg(target_os = "linux")]

mod archives;
mod clocks;
mod corruption;
mod disks;
mod hostile;
mod kills;
mod races;
mod sandbox;
mod servers;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use grundy_testing::files::files;
use grundy_testing::program::Folder;

/// Returns the files that a command writes: one file, or the files of a folder.
fn written(folder: &Folder, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let place = folder.at(name);
    let mut all = match place.is_dir() {
        true => files(&place),
        false if place.exists() => BTreeMap::from([(name.into(), folder.read(name))]),
        false => BTreeMap::new(),
    };
    // A killed command leaves its unfinished file.
    all.retain(|path, _| {
        let name = path.to_string_lossy();
        name != "lock" && !name.contains(".tmp-")
    });
    all
}

/// Calls `attempt` once for each number below `count`. Threads on all processors share the
/// numbers, and each thread has its own state.
fn each_on_all_processors<S>(
    count: usize,
    begin: impl Fn() -> S + Sync,
    attempt: impl Fn(&mut S, usize) + Sync,
) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                let mut own = begin();
                let numbers = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
                numbers.take_while(|number| *number < count).for_each(|at| attempt(&mut own, at));
            });
        }
    });
}
