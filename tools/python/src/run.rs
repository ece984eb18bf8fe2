//! Runs long work on its own threads, without the interpreter's lock. Ctrl-C stops the work.
//!
//! An interpreter crashes if it ends while a thread waits for its lock. So `end` runs just before
//! the interpreter ends. It stops all work, refuses new work on other threads, and waits.

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

/// The interval between checks for Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(40);

/// The maximum number of threads of a call. More threads start slowly and do not help.
const MOST_THREADS: usize = 1024;

/// The longest time that a closing interpreter waits for Python functions that do not return.
const PATIENCE: Duration = Duration::from_secs(10);

/// The number of running calls, and the thread that ends the interpreter.
static WORKING: AtomicIsize = AtomicIsize::new(0);
static ENDED_BY: OnceLock<ThreadId> = OnceLock::new();

/// True if another thread is ending the interpreter.
fn is_ending() -> bool {
    ENDED_BY.get().is_some_and(|&thread| thread != thread::current().id())
}

/// A running call. The thread holds the interpreter's lock when it creates and drops this value.
struct Working;

impl Working {
    fn begin() -> PyResult<Working> {
        // Count first and then check the flag, because `end` sets the flag first and then reads the
        // count.
        WORKING.fetch_add(1, Ordering::SeqCst);
        let working = Working;
        match is_ending() {
            false => Ok(working),
            // This exception ends the thread silently.
            true => Err(PySystemExit::new_err(())),
        }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        WORKING.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Stops all work, and waits for it. Runs just before the interpreter ends.
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

/// Resets the count in the child process of a fork, which has no other threads.
#[pyfunction]
pub(crate) fn forked() {
    WORKING.store(0, Ordering::SeqCst);
}

/// The options of a call, and its control.
#[derive(Default)]
pub(crate) struct Terms {
    /// The number of threads; by default one for each core.
    threads: Option<usize>,
    /// A function to call with the progress.
    hook: Option<Py<PyAny>>,
    pub(crate) control: Arc<Control>,
    /// The time at which the work is stopped.
    until: Option<Instant>,
}

impl Terms {
    pub(crate) fn new(threads: Option<usize>, hook: Option<Py<PyAny>>) -> Terms {
        Terms { threads, hook, control: Arc::new(Control::new()), until: None }
    }

    /// Stops the work after some seconds.
    pub(crate) fn within(self, seconds: f64) -> Terms {
        let left = Duration::try_from_secs_f64(seconds).ok();
        Terms { until: left.and_then(|left| Instant::now().checked_add(left)), ..self }
    }
}

/// Runs work on its own threads. Ctrl-C or an exception of the hook stops the work and is raised.
pub(crate) fn run<R: Send, E: Into<Fault> + Send>(
    py: Python<'_>,
    terms: &Terms,
    work: impl FnOnce() -> Result<R, E> + Send,
) -> PyResult<R> {
    let _working = Working::begin()?;
    let control = &terms.control;
    let threads = terms.threads.unwrap_or(0);
    if threads > MOST_THREADS {
        let text = format!("{threads} threads exceed the limit of {MOST_THREADS}");
        return Err(Fault::new("LimitError", text).into());
    }
    let shared = Arc::clone(control);
    let pool = py.detach(move || {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.start_handler(move |_| WORKS_FOR.set(Some(Arc::clone(&shared)))).build()
    });
    let pool = pool.map_err(|error| {
        Fault::new("LimitError", format!("cannot start {threads} threads: {error}"))
    })?;
    let (send, receive) = mpsc::channel();
    let mut raised = None;
    let done = py.detach(|| {
        let (send, receive) = (send, receive);
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                // Catching a panic is safe, because the values that it leaves unfinished are never
                // used.
                let done = catch_unwind(AssertUnwindSafe(work));
                // The receiver lives until it has the result.
                let _ = send.send(done);
            });
            loop {
                match receive.recv_timeout(LOOK_EVERY) {
                    Ok(done) => return done,
                    Err(mpsc::RecvTimeoutError::Timeout) if raised.is_none() => {
                        if terms.until.is_some_and(|until| until <= Instant::now()) {
                            control.stop();
                        }
                        raised = Python::attach(|py| look(py, terms)).err();
                        if raised.is_some() {
                            control.stop();
                        }
                    }
                    Err(mpsc::RecvTimeoutError::Timeout) => {}
                    Err(mpsc::RecvTimeoutError::Disconnected) => {
                        return Err(Box::new("the work was abandoned"));
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
    /// The control of the call to which this pool thread belongs.
    static WORKS_FOR: RefCell<Option<Arc<Control>>> = const { RefCell::new(None) };
    /// The exception that Ctrl-C raised in a search on the calling thread.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Returns false if a search should stop.
pub(crate) fn watch(_: &Effort) -> bool {
    goes_on()
}

/// Returns false if the work on this thread should stop. A thread of a pool asks the control of its
/// call; any other thread checks for signals.
pub(crate) fn goes_on() -> bool {
    if is_ending() {
        return false;
    }
    let stopped = WORKS_FOR.with_borrow(|work| work.as_ref().map(|control| control.is_stopped()));
    if let Some(stopped) = stopped {
        return !stopped;
    }
    let checked = Python::attach(|py| py.check_signals().map_err(|error| RAISED.set(Some(error))));
    checked.is_ok()
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

/// Runs short work on this thread, without the interpreter's lock.
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
            // Raise the exception of a signal before converting the answer.
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
    Fault::new("InternalError", format!("an error of this program; please report it: {what}"))
}
