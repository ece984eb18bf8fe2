//! What a long job shares with whoever watches it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A wish to stop, and a count of what is done. Shared by reference or `Arc`
/// between the job's threads and its watcher.
#[derive(Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    /// Those of the jobs that this one is a part of.
    others: Vec<Arc<AtomicBool>>,
    done: Arc<AtomicU64>,
}

/// The job was asked to stop before it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;

impl Control {
    /// Nothing done, no wish to stop.
    pub fn new() -> Control {
        Control::default()
    }

    /// The control of a part of the job, which stops with it, may stop before it, and counts its own
    /// cells.
    pub fn part(&self) -> Control {
        let others = self.others.iter().chain([&self.stop]).cloned().collect();
        Control { others, ..Control::default() }
    }

    /// The control of a part that also counts its cells for the whole job.
    pub fn counted_part(&self) -> Control {
        Control { done: Arc::clone(&self.done), ..self.part() }
    }

    /// Asks the job to stop at its next safe point.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Counts finished cells.
    pub fn advance(&self, cells: u64) {
        self.done.fetch_add(cells, Ordering::Relaxed);
    }

    /// Cells finished so far.
    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    /// Whether the job is wished to stop.
    pub fn is_stopped(&self) -> bool {
        let is_set = |stop: &Arc<AtomicBool>| stop.load(Ordering::Relaxed);
        is_set(&self.stop) || self.others.iter().any(is_set)
    }

    /// For the job's safe points: goes on, or stops.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}
