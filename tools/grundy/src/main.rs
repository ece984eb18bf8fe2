//! The command line of Grundy. What was typed becomes what is meant in `args`; each
//! subcommand has a file of its own in `commands`; there is no mathematics here.
#![forbid(unsafe_code)]

mod advice;
mod args;
mod checkpoint;
mod commands;
mod made;
mod output;
mod picture;
mod places;
mod remote;
mod source;
mod watch;
mod work;

use std::io;
use std::process::ExitCode;

use grundy::{AskError, ClaimFileError, Problem};
use grundy_query::QueryError;
use grundy_remote::RemoteError;

use crate::advice::with_advice;
use crate::args::{Args, Command};
use crate::commands::{
    build, check, cite, claims, diff, documents, export, find, findings, finish, guess, moves,
    pack, periods, plan, plot, query, sequence, stats, status, task, tasks, unpack, verify,
};
use crate::output::{Out, one_line, tell};

/// musl's own allocator costs some per cent of a long command: docs/PLATFORMS.md.
#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// How a command that ran to its end went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Everything as it should be: exit code 0.
    Fine,
    /// A mismatch was found: exit code 1.
    Mismatch,
    /// Some of what was asked has no answer: exit code 2.
    BadInput,
    /// Interrupted by the user; what was finished is kept: exit code 130.
    Interrupted,
}

fn main() -> ExitCode {
    let args = match Args::read(std::env::args_os()) {
        Ok(args) => args,
        Err(error) => return misread(&error),
    };
    let mut out = Out::new(args.json);
    let ended = run(args, &mut out).and_then(|end| Ok(out.flush().map(|()| end)?));
    if ended.is_ok() {
        remote::tell_fetched();
    }
    match ended {
        Ok(End::Fine) => ExitCode::SUCCESS,
        Ok(End::Mismatch) => ExitCode::from(1),
        Ok(End::BadInput) => ExitCode::from(2),
        Ok(End::Interrupted) => ExitCode::from(130),
        // Whoever read our output has seen enough, as in `| head`.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) if is_stopped(&error) => ExitCode::from(130),
        Err(error) => {
            // What was printed before the error is still true.
            let _ = out.flush();
            let text = format!("grundy: {}", with_advice(error.as_ref()));
            if points_at_a_place(&error) {
                text.lines().for_each(tell);
            } else {
                tell(text);
            }
            ExitCode::from(2)
        }
    }
}

/// Whether it shows a statement, with a caret below the place: lines that are to stay lines.
fn points_at_a_place(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.is::<Problem>()
            || cause.is::<ClaimFileError>()
            || matches!(
                cause.downcast_ref::<AskError>(),
                Some(AskError::Problem(_) | AskError::Undefined(_))
            )
    })
}

/// What was typed is no command, or asks for help.
fn misread(error: &clap::Error) -> ExitCode {
    let text = error.render().to_string();
    if error.use_stderr() && text.lines().any(|line| one_line(line) != line) {
        // It quotes what was typed, whatever that is.
        text.lines().for_each(tell);
    } else {
        let _ = error.print();
    }
    if error.use_stderr() { ExitCode::from(2) } else { ExitCode::SUCCESS }
}

fn run(args: Args, out: &mut Out) -> anyhow::Result<End> {
    let common = args.common()?;
    // What writes a database, or hands its folder to others.
    if let Command::Build(_) | Command::Tasks(_) | Command::Task(_) | Command::Finish(_) =
        args.command
    {
        common.folder()?;
    }
    match &args.command {
        Command::Plan(wanted) => plan::run(&common, wanted, out),
        Command::Build(wanted) => build::run(&common, wanted, out),
        Command::Status(wanted) => status::run(&common, wanted, out),
        Command::Query(wanted) => query::run(&common, wanted, out),
        Command::Moves(wanted) => moves::run(&common, wanted, out),
        Command::Diff(wanted) => diff::run(&common, wanted, out),
        Command::Check(wanted) => check::run(&common, wanted, out),
        Command::Find(wanted) => find::run(&common, wanted, out),
        Command::Sequence(wanted) => sequence::run(&common, wanted, out),
        Command::Guess(wanted) => guess::run(&common, wanted, out),
        Command::Claims(wanted) => claims::run(wanted, out),
        Command::Findings(wanted) => findings::run(wanted, out),
        Command::Periods(wanted) => periods::run(&common, wanted, out),
        Command::Verify(wanted) => verify::run(&common, wanted, out),
        Command::Stats(wanted) => stats::run(&common, wanted, out),
        Command::Export(wanted) => export::run(&common, wanted, out),
        Command::Plot(wanted) => plot::run(&common, wanted, out),
        Command::Tasks(wanted) => tasks::run(&common, wanted, out),
        Command::Task(wanted) => task::run(&common, wanted, out),
        Command::Finish(wanted) => finish::run(&common, wanted, out),
        Command::Pack(wanted) => pack::run(&common, wanted, out),
        Command::Unpack(wanted) => unpack::run(&common, wanted, out),
        Command::Cite(wanted) => cite::run(&common, wanted, out),
        Command::Completions(wanted) => documents::completions(wanted, out),
        Command::Man(wanted) => documents::man(wanted, out),
    }
}

/// Whether a transfer ended because of Ctrl-C.
fn is_stopped(error: &anyhow::Error) -> bool {
    let is_so = |error: &io::Error| {
        let inner = error.get_ref().and_then(|error| error.downcast_ref::<RemoteError>());
        matches!(inner, Some(RemoteError::Stopped))
    };
    watch::is_interrupted()
        && error.chain().any(|cause| {
            matches!(cause.downcast_ref(), Some(RemoteError::Stopped))
                || cause.downcast_ref().is_some_and(is_so)
                || matches!(cause.downcast_ref(), Some(QueryError::Fetch(error)) if is_so(error))
        })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
