//! The command line of Grundy. What was typed becomes what is meant in `args`; each
//! subcommand has a file of its own in `commands`; there is no mathematics here.
//!
//! It is a library with one function, for two programs: `bin/grundy.rs`, and the package for Python,
//! whose wheel has it too. For what else a program would ask there is the crate `grundy`.
#![forbid(unsafe_code)]

mod advice;
mod args;
mod checkpoint;
mod commands;
mod common;
mod explore;
mod made;
mod output;
mod picture;
mod places;
mod plot;
mod remote;
mod source;
mod tasks;
mod watch;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::error::ErrorKind;
use grundy::{Class, diagnose};

use crate::advice::with_advice;
use crate::args::{Args, Command};
use crate::commands::{
    build, check, cite, claims, diff, documents, explore as explore_command, export, find,
    findings, finish, game, guess, moves, pack, periods, plan, plot as plot_command, query,
    sequence, stats, status, task, tasks as tasks_command, unpack, verify,
};
use crate::output::{Out, one_line, tell, to_stdout};

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

/// Does what was typed, the name of the program first, and gives the exit code. It reads and writes the
/// standard streams, watches for signals, and sets up the threads of the process: once in each.
pub fn main(typed: impl IntoIterator<Item = OsString>) -> u8 {
    let typed: Vec<OsString> = typed.into_iter().collect();
    let args = match Args::read(&typed) {
        Ok(args) => args,
        Err(error) => return misread(&error, &typed),
    };
    let mut out = Out::new(args.json);
    let ended = run(args, &mut out).and_then(|end| Ok(out.flush().map(|()| end)?));
    if ended.is_ok() {
        remote::tell_fetched();
    }
    match ended {
        Ok(End::Fine) => 0,
        Ok(End::Mismatch) => 1,
        Ok(End::BadInput) => 2,
        Ok(End::Interrupted) => 130,
        // Whoever read our output has seen enough, as in `| head`.
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) if is_stopped(&error) => 130,
        Err(error) => {
            // What was printed before the error is still true.
            let _ = out.flush();
            let text = format!("grundy: {}", with_advice(error.as_ref()));
            if points_at_a_place(&error) {
                text.lines().for_each(tell);
            } else {
                tell(text);
            }
            2
        }
    }
}

/// True if the message shows a place of a text, with a bar before each line of it.
fn points_at_a_place(error: &anyhow::Error) -> bool {
    format!("{error:#}").lines().any(|line| line.trim() == "|")
}

/// Tells that what was typed is no command, or gives the help it asks for.
fn misread(error: &clap::Error, typed: &[OsString]) -> u8 {
    let is_negative = |word: &str| word[1..].starts_with(|first: char| first.is_ascii_digit());
    let words: Vec<&str> = typed.iter().filter_map(|word| word.to_str()).collect();
    let negative = words.iter().position(|word| word.starts_with('-') && is_negative(word));
    if let (ErrorKind::UnknownArgument, Some(at)) = (error.kind(), negative) {
        let word = words[at];
        match at.checked_sub(1).map(|before| words[before]).filter(|name| name.starts_with("--")) {
            Some(option) => tell(format_args!("grundy: {option} {word}: no number is negative")),
            None => tell(format_args!(
                "grundy: '{word}' begins with a minus sign; every pile has at least one coin, and \
                 no number is negative"
            )),
        }
        return 2;
    }
    let text = error.render().to_string();
    if error.use_stderr() && text.lines().any(|line| one_line(line) != line) {
        // It quotes what was typed, whatever that is.
        text.lines().for_each(tell);
        return 2;
    }
    let printed = error.print().and_then(|()| io::stdout().flush());
    match printed {
        _ if error.use_stderr() => 2,
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(format_args!("grundy: {}", to_stdout(error)));
            2
        }
        _ => 0,
    }
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
        Command::Game(wanted) => game::run(wanted, out),
        Command::Games => game::list(out),
        Command::Claims(wanted) => claims::run(wanted, out),
        Command::Findings(wanted) => findings::run(wanted, out),
        Command::Periods(wanted) => periods::run(&common, wanted, out),
        Command::Verify(wanted) => verify::run(&common, wanted, out),
        Command::Stats(wanted) => stats::run(&common, wanted, out),
        Command::Export(wanted) => export::run(&common, wanted, out),
        Command::Plot(wanted) => plot_command::run(&common, wanted, out),
        Command::Explore(wanted) => explore_command::run(&common, wanted, out),
        Command::Tasks(wanted) => tasks_command::run(&common, wanted, out),
        Command::Task(wanted) => task::run(&common, wanted, out),
        Command::Finish(wanted) => finish::run(&common, wanted, out),
        Command::Pack(wanted) => pack::run(&common, wanted, out),
        Command::Unpack(wanted) => unpack::run(&common, wanted, out),
        Command::Cite(wanted) => cite::run(&common, wanted, out),
        Command::Completions(wanted) => documents::completions(wanted, out),
        Command::Man(wanted) => documents::man(wanted, out),
    }
}

fn is_stopped(error: &anyhow::Error) -> bool {
    let is_so = |cause| diagnose(cause).is_some_and(|found| found.class == Class::Stopped);
    watch::is_interrupted() && error.chain().any(is_so)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
