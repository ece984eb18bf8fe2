//! The control of a long job, which its threads share with a watcher.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A request to stop, and a count of finished cells. The threads and the watcher of a job share a
/// control by reference or by `Arc`.
#[derive(Debug, Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    /// The stop flags of the jobs that contain this job.
    others: Vec<Arc<AtomicBool>>,
    done: Arc<AtomicU64>,
}

/// An error: the job was stopped before it was finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped before the end")]
pub struct Stopped;

impl Control {
    pub fn new() -> Control {
        Control::default()
    }

    /// Returns a control for a part of the job. The part stops when the job stops, but can also be
    /// stopped alone. It counts its own cells.
    pub fn part(&self) -> Control {
        let others = self.others.iter().chain([&self.stop]).cloned().collect();
        Control { others, ..Control::default() }
    }

    /// Returns a control for a part that also counts its cells for the whole job.
    pub fn counted_part(&self) -> Control {
        Control { done: Arc::clone(&self.done), ..self.part() }
    }

    /// Asks the job to stop at its next safe point.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn advance(&self, cells: u64) {
        self.done.fetch_add(cells, Ordering::Relaxed);
    }

    pub fn done(&self) -> u64 {
        self.done.load(Ordering::Relaxed)
    }

    pub fn is_stopped(&self) -> bool {
        let is_set = |stop: &Arc<AtomicBool>| stop.load(Ordering::Relaxed);
        is_set(&self.stop) || self.others.iter().any(is_set)
    }

    /// Returns [`Stopped`] if the job should stop. Jobs call this at their safe points.
    pub fn check(&self) -> Result<(), Stopped> {
        if self.is_stopped() { Err(Stopped) } else { Ok(()) }
    }
}
