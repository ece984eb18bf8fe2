//! Measures time. In a browser this module has no clock: all work seems to take no time, and the
//! page must measure the time and stop the work.

use std::time::Duration;

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
