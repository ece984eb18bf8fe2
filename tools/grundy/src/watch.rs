//! Progress of a long job on a terminal, and Ctrl-C.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::End;
use crate::output::{rate, tell};
use grundy::{Bytes, Control, Effort, Number, Seconds};

/// Handles Ctrl-C and SIGTERM: the first signal stops the job at its next safe point, and the
/// second ends the process. (Closing the terminal ends the process, unless it runs under `nohup`.)
pub(crate) fn stop_on_interrupt() -> anyhow::Result<Arc<Control>> {
    let control = Arc::new(Control::new());
    let shared = Arc::clone(&control);
    on_interrupt(move || {
        shared.stop();
        INTERRUPTED.store(true, Ordering::Relaxed);
        tell("grundy: stopping; press Ctrl-C again to quit at once");
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(control)
}

/// Stops the control after some seconds. Until then, shows what the command does and the passed
/// time on a terminal, unless `doing` is empty.
pub(crate) fn stop_after(control: &Arc<Control>, seconds: f64, doing: &'static str) {
    let control = Arc::downgrade(control);
    thread::spawn(move || {
        for passed in 1u32.. {
            let left = seconds - f64::from(passed - 1) / 2.0;
            thread::sleep(Duration::from_secs_f64(left.clamp(0.0, 0.5)));
            let Some(control) = control.upgrade() else { return };
            if left <= 0.5 {
                return control.stop();
            }
            if !doing.is_empty() {
                show_line(format!("{doing}: {}", Seconds(f64::from(passed) / 2.0)));
            }
        }
    });
}

/// Returns the end of a command whose control was stopped, by a signal or by [`stop_after`].
pub(crate) fn end_of_stopped() -> End {
    if is_interrupted() {
        return End::Interrupted;
    }
    tell("grundy: --seconds passed before the end; raise --seconds, or choose a smaller range");
    End::BadInput
}

/// Catches the signal for a file that exceeds the system's limit (`ulimit -f`). The write then
/// returns an error, which names the file. By default this signal would silently end the process.
pub(crate) fn survive_the_limit_on_files() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        // If the registration fails, the signal still ends the process.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

/// The flag is global, because a signal belongs to the process.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Calls `stop` on a separate thread at the first signal. At the second signal the handler itself
/// ends the process.
#[cfg(unix)]
fn on_interrupt(stop: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::{flag, iterator::Signals};

    // Catch signals before the flag exists, so that no signal is lost.
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    let requested = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // Keep the order of these two calls; otherwise the first signal would end the process.
        flag::register_conditional_shutdown(signal, 130, Arc::clone(&requested))?;
        flag::register(signal, Arc::clone(&requested))?;
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

/// Runs a job of `total` cells with a bar on standard error, which shows progress, rate and time
/// left. Shows nothing without a terminal.
pub(crate) fn with_progress<R>(control: &Control, total: u64, job: impl FnOnce() -> R) -> R {
    with_listing(control, total, |_| job())
}

/// Like `with_progress`, but passes the bar to the job, which hides the bar while it prints lines.
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
            // The bar cannot report a write error.
            let _ = to.write_str(&rate(state.per_sec(), 1.0));
        };
        let left = |state: &ProgressState, to: &mut dyn Write| {
            // Before the first step no remaining time can be estimated.
            if state.pos() > 0 {
                let _ = write!(to, "{:#} left", HumanDuration(state.eta()));
            }
        };
        bar.set_style(style.with_key("rate", show).with_key("left", left));
    }
    // Subtract the counts of earlier jobs.
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
        // If the job panics, dropping `_running` closes the channel and ends the thread above.
        let _running = running;
        job(&bar)
    })
}

/// The number of positions from standard input that the program has begun to answer. This number
/// and the line are global, because a watch is a function without data.
pub(crate) static ANSWERED: AtomicU64 = AtomicU64::new(0);

static SEARCH: OnceLock<ProgressBar> = OnceLock::new();

/// Shows the progress of a search in a line on standard error, if that is a terminal. Always
/// returns `true`, so the search continues; Ctrl-C ends the whole process.
pub(crate) fn show_search(work: &Effort) -> bool {
    let answer = match ANSWERED.load(Ordering::Relaxed) {
        0 => String::new(),
        answer => format!("answer {answer}: "),
    };
    let doing = match work.cells {
        0.0 => format!("computing: {}", Seconds(work.seconds)),
        cells => format!(
            "searching: {}, {}, {}",
            Number(cells as u64, "position"),
            Seconds(work.seconds),
            Bytes(work.memory)
        ),
    };
    show_line(answer + &doing);
    true
}

/// Shows a line on standard error, if that is a terminal.
pub(crate) fn show_line(text: String) {
    let line = SEARCH.get_or_init(|| {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5))
            .with_style(ProgressStyle::default_spinner())
    });
    if line.is_finished() {
        line.reset();
    }
    line.set_message(text);
    line.tick();
}

pub(crate) fn end_search() {
    if let Some(line) = SEARCH.get() {
        line.finish_and_clear();
    }
}
