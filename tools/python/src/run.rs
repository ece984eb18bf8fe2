//! Long work: on threads of its own, without the interpreter's lock, stopped by Ctrl-C.
//!
//! An interpreter that ends while a thread asks for its lock ends with a crash. So when it is about to
//! end (`end`), work is told to stop, nothing new begins on other threads, and it is waited for.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use grundy::{Control, Effort};
use pyo3::exceptions::PySystemExit;
use pyo3::prelude::*;

use crate::fault::Fault;

/// Between two looks for Ctrl-C; shorter for the first, lest short work waits.
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// Threads that a call may have: starting many takes seconds, and more of them help nobody.
const MOST_THREADS: usize = 1024;

/// How long the end waits for functions of Python that do not come back.
const PATIENCE: Duration = Duration::from_secs(10);

/// How many calls are at work, and who has said that the interpreter is about to end.
static WORKING: AtomicIsize = AtomicIsize::new(0);
static ENDED_BY: OnceLock<ThreadId> = OnceLock::new();

/// Whether all is about to end for this thread.
fn is_ending() -> bool {
    ENDED_BY.get().is_some_and(|&thread| thread != thread::current().id())
}

/// A call at work. It begins and ends with the interpreter's lock.
struct Working;

impl Working {
    fn begin() -> PyResult<Working> {
        // Counted before it is asked: the end sets the one and then looks at the other.
        WORKING.fetch_add(1, Ordering::SeqCst);
        let working = Working;
        match is_ending() {
            false => Ok(working),
            // Threads end with it, and say nothing.
            true => Err(PySystemExit::new_err(())),
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        WORKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Called when the interpreter is about to end.
#[pyfunction]
pub(crate) fn end(py: Python<'_>) {
    ENDED_BY.get_or_init(|| thread::current().id());
    let began = Instant::now();
    py.detach(|| {
        while WORKING.load(Ordering::SeqCst) > 0 && began.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(2));
        }
    });
}

/// Called in the child of a fork, which has none of the other threads.
#[pyfunction]
pub(crate) fn forked() {
    WORKING.store(0, Ordering::SeqCst);
}

/// How somebody wants work to be done, and what stops it.
#[derive(Default)]
pub(crate) struct Terms {
    /// As many as the machine has cores, if nothing is said.
    threads: Option<usize>,
    /// Called with how far it is.
    hook: Option<Py<PyAny>>,
    pub(crate) control: Arc<Control>,
}

impl Terms {
    pub(crate) fn new(threads: Option<usize>, hook: Option<Py<PyAny>>) -> Terms {
        Terms { threads, hook, control: Arc::new(Control::new()) }
    }
}

/// Does work on its own threads. An exception of the hook, or of Ctrl-C, stops it and is raised.
pub(crate) fn run<R: Send, E: Into<Fault> + Send>(
    py: Python<'_>,
    terms: &Terms,
    work: impl FnOnce() -> Result<R, E> + Send,
) -> PyResult<R> {
    let _working = Working::begin()?;
    let control = &terms.control;
    let threads = terms.threads.unwrap_or(0);
    if threads > MOST_THREADS {
        let text = format!("{threads} threads are more than {MOST_THREADS}");
        return Err(Fault::new("LimitError", text).into());
    }
    let shared = Arc::clone(control);
    let pool = py.detach(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.start_handler(move |_| WORKS_FOR.set(Some(Arc::clone(&shared)))).build()
    });
    let pool = pool.map_err(|error| {
        Fault::new("LimitError", format!("{threads} threads cannot be had: {error}"))
    })?;
    let (send, receive) = mpsc::channel();
    let mut raised = None;
    let done = py.detach(|| {
        let (send, receive) = (send, receive);
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                // Nobody looks at what a panic has left half done.
                let done = catch_unwind(AssertUnwindSafe(work));
                // The receiver is there until this has been received.
                let _ = send.send(done);
            });
            loop {
                match receive.recv_timeout(LOOK_EVERY) {
                    Ok(done) => return done,
                    Err(mpsc::RecvTimeoutError::Timeout) if raised.is_none() => {
                        raised = Python::attach(|py| look(py, terms)).err();
                        if raised.is_some() {
                            control.stop();
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => {
                        return Err(Box::new("the work has vanished"));
                    }
                }
            }
        })
    });
    match (raised, done) {
        (Some(error), _) => Err(error),
        (None, Ok(done)) => {
            look(py, terms)?;
            Ok(done.map_err(Into::into)?)
        }
        (None, Err(panic)) => Err(internal(&*panic).into()),
    }
}

thread_local! {
    /// Of a thread of a pool, what stops its work.
    static WORKS_FOR: RefCell<Option<Arc<Control>>> = const { RefCell::new(None) };
    /// What Ctrl-C raised in a search on the thread that was called.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Asks in the middle of a search whether it goes on: on a thread of a pool whoever waits for it, else
/// the system.
pub(crate) fn watch(_: &Effort) -> bool {
    goes_on()
}

/// The same, of whatever else takes long.
pub(crate) fn goes_on() -> bool {
    if is_ending() {
        return false;
    }
    let stopped = WORKS_FOR.with_borrow(|work| work.as_ref().map(|control| control.is_stopped()));
    if let Some(stopped) = stopped {
        return !stopped;
    }
    let asked = Python::attach(|py| py.check_signals().map_err(|error| RAISED.set(Some(error))));
    asked.is_ok()
}

fn look(py: Python<'_>, terms: &Terms) -> PyResult<()> {
    if is_ending() {
        return Err(PySystemExit::new_err(()));
    }
    py.check_signals()?;
    if let Some(hook) = &terms.hook {
        hook.call1(py, (terms.control.done(),))?;
    }
    Ok(())
}

/// Short work, on this thread, without the interpreter's lock.
pub(crate) fn quick<R: Send, E: Into<Fault> + Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<R, E> + Send,
) -> PyResult<R> {
    let _working = Working::begin()?;
    let done = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    match RAISED.take() {
        _ if is_ending() => Err(PySystemExit::new_err(())),
        Some(error) => Err(error),
        None => {
            let done = done.map_err(|panic| PyErr::from(internal(&*panic)))?;
            // What came meanwhile is raised here, and not where the answer is put together.
            py.check_signals()?;
            Ok(done.map_err(Into::into)?)
        }
    }
}

fn internal(panic: &(dyn std::any::Any + Send)) -> Fault {
    let what = match (panic.downcast_ref::<&str>(), panic.downcast_ref::<String>()) {
        (Some(what), _) => (*what).to_owned(),
        (_, Some(what)) => what.clone(),
        _ => "unknown".to_owned(),
    };
    Fault::new("InternalError", format!("a mistake of this program; please report it: {what}"))
}
