//! Storms: tests of misuse, faults and accidents, each repeated many times.
//!
//! [`hostile`] runs hundreds of invalid commands. [`kills`] kills builds at random moments while
//! other processes read. [`corruption`] flips bits of shards, and edits manifests. By default only
//! the short tests run; `make crash-storm` and `make corruption-storm` run the long tests, too.
#![cfg(target_os = "linux")]

mod corruption;
mod hostile;
mod kills;
mod sandbox;

use std::sync::atomic::{AtomicUsize, Ordering};

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
