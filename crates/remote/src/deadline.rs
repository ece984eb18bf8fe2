//! When a thread gives up waiting for servers.

use std::cell::Cell;
use std::time::{Duration, Instant};

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Bounds what this thread waits for servers from now on, until it is said anew; with infinity it
/// waits as long as its tries last. The bytes of a table are asked for deep below whoever knows how
/// long an answer may take, and between them is code that knows no servers.
pub fn set_deadline(seconds: f64) {
    let until = Duration::try_from_secs_f64(seconds).ok();
    DEADLINE.set(until.and_then(|until| Instant::now().checked_add(until)));
}

/// The deadline of this thread.
pub(crate) fn deadline() -> Option<Instant> {
    DEADLINE.get()
}

/// Gives a thread that helps another one its deadline.
pub(crate) fn inherit(deadline: Option<Instant>) {
    DEADLINE.set(deadline);
}
