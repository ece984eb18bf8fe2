//! Watching a long job: progress on a terminal, and Ctrl-C.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use grundy::{Control, Effort};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::output::{rate, tell};
use grundy::{Bytes, Number, Seconds};

/// Makes Ctrl-C, or SIGTERM, stop the job at its next safe point; a second one ends the process
/// at once. (A terminal that goes away still ends it, unless `nohup` has been asked to care.)
pub(crate) fn stop_on_interrupt() -> anyhow::Result<Arc<Control>> {
    let control = Arc::new(Control::new());
    let shared = Arc::clone(&control);
    on_interrupt(move || {
        shared.stop();
        INTERRUPTED.store(true, Ordering::Relaxed);
        tell("grundy: stopping; once more to end at once");
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(control)
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Calls `stop`, once, from a thread of its own. The second signal does not wait for a thread:
/// its handler ends the process, whatever the process is doing.
#[cfg(unix)]
fn on_interrupt(stop: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::{flag, iterator::Signals};

    // First of all, lest a signal set the flag and be heard by nobody.
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order, or the first one would end it too.
        flag::register_conditional_shutdown(signal, 130, Arc::clone(&asked))?;
        flag::register(signal, Arc::clone(&asked))?;
    }
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if signals.forever().next().is_some() {
            stop();
        }
    })?;
    Ok(())
}

#[cfg(not(unix))]
fn on_interrupt(stop: impl FnOnce() + Send + 'static) -> Result<(), ctrlc::Error> {
    let mut stop = Some(stop);
    ctrlc::set_handler(move || match stop.take() {
        Some(stop) => stop(),
        None => std::process::exit(130),
    })
}

/// Runs a job of `total` cells while a bar on standard error shows how far it is, its
/// rate and the time left. Off a terminal nothing is shown.
pub(crate) fn with_progress<R>(control: &Control, total: u64, job: impl FnOnce() -> R) -> R {
    with_listing(control, total, |_| job())
}

/// The same of a job that prints lines, each while the bar is suspended if both are on a terminal.
pub(crate) fn with_listing<R>(
    control: &Control,
    total: u64,
    job: impl FnOnce(&ProgressBar) -> R,
) -> R {
    with_bar(control, total, "{human_pos} of {human_len} values  {rate}", job)
}

pub(crate) fn with_bytes<R>(control: &Control, total: u64, job: impl FnOnce() -> R) -> R {
    with_bar(
        control,
        total,
        "{binary_bytes} of {binary_total_bytes}  {binary_bytes_per_sec}",
        |_| job(),
    )
}

fn with_bar<R>(
    control: &Control,
    total: u64,
    done: &str,
    job: impl FnOnce(&ProgressBar) -> R,
) -> R {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    if bar.is_hidden() {
        return job(&bar);
    }
    let template = format!("{{wide_bar}} {{percent:>3}}%  {done}  {{left}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        let show = |state: &ProgressState, to: &mut dyn Write| {
            // A bar has nowhere to tell that it cannot be written.
            let _ = to.write_str(&rate(state.per_sec(), 1.0));
        };
        let left = |state: &ProgressState, to: &mut dyn Write| {
            // Before the first step there is nothing to go by.
            if state.pos() > 0 {
                let _ = write!(to, "{:#} left", HumanDuration(state.eta()));
            }
        };
        bar.set_style(style.with_key("rate", show).with_key("left", left));
    }
    // One control may watch several jobs, one after the other.
    let before = control.done();
    thread::scope(|scope| {
        let (running, ended) = mpsc::channel::<()>();
        let shown = bar.clone();
        scope.spawn(move || {
            while ended.recv_timeout(Duration::from_millis(50)) == Err(RecvTimeoutError::Timeout) {
                shown.set_position(control.done().saturating_sub(before));
            }
            shown.finish_and_clear();
        });
        // However the job ends, the other end of the channel is gone then.
        let _running = running;
        job(&bar)
    })
}

/// The line about a search that takes long.
static SEARCH: OnceLock<ProgressBar> = OnceLock::new();

/// Shows how far a search is: a line on standard error, if that is a terminal. It goes on: Ctrl-C ends
/// the process.
pub(crate) fn show_search(work: &Effort) -> bool {
    let line = SEARCH.get_or_init(|| {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5))
            .with_style(ProgressStyle::default_spinner())
    });
    if line.is_finished() {
        line.reset();
    }
    line.set_message(match work.cells {
        0.0 => format!("computing: {}", Seconds(work.seconds)),
        cells => format!(
            "searching: {}, {}, {}",
            Number(cells as u64, "position"),
            Seconds(work.seconds),
            Bytes(work.memory)
        ),
    });
    line.tick();
    true
}

pub(crate) fn end_search() {
    if let Some(line) = SEARCH.get() {
        line.finish_and_clear();
    }
}
