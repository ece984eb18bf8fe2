//! Watching a long job: progress on a terminal, and Ctrl-C.

use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use anyhow::Context;
use grundy_query::Work;
use grundy_sweep::Control;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::{bytes, grouped, tell};

/// Makes Ctrl-C stop the job at its next safe point; a second one ends the process.
pub(crate) fn stop_on_interrupt() -> anyhow::Result<Arc<Control>> {
    let control = Arc::new(Control::new());
    let shared = Arc::clone(&control);
    ctrlc::set_handler(move || {
        if shared.is_stopped() {
            std::process::exit(130);
        }
        shared.stop();
        tell("grundy: stopping; once more to end at once");
    })
    .context("cannot watch for Ctrl-C")?;
    Ok(control)
}

/// Runs a job of `total` cells while a bar on standard error shows how far it is, its
/// rate and the time left. Off a terminal nothing is shown.
pub(crate) fn with_progress<R: Send>(
    control: &Control,
    total: u64,
    job: impl FnOnce() -> R + Send,
) -> R {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    if bar.is_hidden() {
        return job();
    }
    if let Ok(style) = ProgressStyle::with_template(
        "{wide_bar} {percent:>3}%  {human_pos} of {human_len} values  {per_sec}  {eta} left",
    ) {
        bar.set_style(style);
    }
    thread::scope(|scope| {
        let running = scope.spawn(job);
        while !running.is_finished() {
            bar.set_position(control.done());
            thread::sleep(Duration::from_millis(50));
        }
        bar.finish_and_clear();
        running.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// The line about a search that takes long.
static SEARCH: OnceLock<ProgressBar> = OnceLock::new();

/// Shows how far a search is: a line on standard error, if that is a terminal.
pub(crate) fn show_search(work: &Work) {
    let line = SEARCH.get_or_init(|| {
        ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(5))
            .with_style(ProgressStyle::default_spinner())
    });
    if line.is_finished() {
        line.reset();
    }
    line.set_message(format!(
        "searching: {} positions, {:.0} s, {}",
        grouped(work.cells as u64),
        work.seconds,
        bytes(work.memory)
    ));
    line.tick();
}

/// Takes the line of a search away again.
pub(crate) fn end_search() {
    if let Some(line) = SEARCH.get() {
        line.finish_and_clear();
    }
}
