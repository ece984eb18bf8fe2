//! How long something took. In a browser there is no clock: there it always took no time at all, and
//! whoever embeds this measures, and stops, by means of his own.

use std::time::Duration;

/// Runs from when it was started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    begun: std::time::Instant,
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { begun: std::time::Instant::now() }
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.begun.elapsed()
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch {}
    }

    pub(crate) fn elapsed(self) -> Duration {
        Duration::ZERO
    }
}
