//! The deadline of each thread for its requests to servers.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
    /// The flag that another thread of the same job sets when it fails.
    static FAILED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// Sets the deadline of this thread's requests until the next call; infinity removes it. The
/// deadline is not a parameter of a request, because the code that reads tables does not know about
/// servers.
pub fn set_deadline(seconds: f64) {
    let until = Duration::try_from_secs_f64(seconds).ok();
    DEADLINE.set(until.and_then(|until| Instant::now().checked_add(until)));
}

pub(crate) fn deadline() -> Option<Instant> {
    DEADLINE.get()
}

/// Gives this helper thread the deadline of its caller, and a flag that stops the thread when
/// another helper thread fails.
pub(crate) fn inherit(deadline: Option<Instant>, failed: &Arc<AtomicBool>) {
    DEADLINE.set(deadline);
    FAILED.set(Some(Arc::clone(failed)));
}

/// True if another thread of the same job has failed.
pub(crate) fn is_in_vain() -> bool {
    FAILED.with_borrow(|failed| failed.as_ref().is_some_and(|f| f.load(Ordering::Relaxed)))
}
