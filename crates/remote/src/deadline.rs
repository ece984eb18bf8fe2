//! When a thread gives up waiting for servers.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// Of a thread that does something together with others, whether one of them has failed.
    static FAILED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Bounds what this thread waits for servers from now on, until it is said anew; with infinity it
/// waits as long as its tries last. The bytes of a table are asked for deep below whoever knows how
/// long an answer may take, and between them is code that knows no servers.
pub fn set_deadline(seconds: f64) {
    let until = Duration::try_from_secs_f64(seconds).ok();
    DEADLINE.set(until.and_then(|until| Instant::now().checked_add(until)));
}

pub(crate) fn deadline() -> Option<Instant> {
    DEADLINE.get()
}

/// Makes a thread that helps another one wait no longer than that one, nor when one of those that
/// help has failed: the others would be waited for in vain.
pub(crate) fn inherit(deadline: Option<Instant>, failed: &Arc<AtomicBool>) {
    DEADLINE.set(deadline);
    FAILED.set(Some(Arc::clone(failed)));
}

/// Whether somebody for whom this thread waits has failed.
pub(crate) fn is_in_vain() -> bool {
    FAILED.with_borrow(|failed| failed.as_ref().is_some_and(|f| f.load(Ordering::Relaxed)))
}
