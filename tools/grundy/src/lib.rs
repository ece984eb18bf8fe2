//! The command line of Grundy. `args` turns arguments into requests, and each subcommand has its
//! own file in `commands`. This crate contains no mathematics.
//!
//! The library has one function, `main`. Two programs use it: `bin/grundy.rs`, and the Python
//! package, whose wheel contains the program. Other programs should use the crate `grundy`.
#![deny(unsafe_code)]

mod advice;
mod args;
mod checkpoint;
mod commands;
mod common;
mod explore;
mod inputs;
mod output;
mod picture;
mod plot;
mod remote;
mod rights;
mod source;
mod system;
mod tasks;
mod version;
mod watch;

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::num::ParseIntError;

use clap::error::{ContextKind, ErrorKind};
use grundy::{Class, diagnose};

use crate::advice::with_advice;
use crate::args::{Args, Command};
use crate::commands::{
    all_sizes, build, check, cite, claims, classes, dataset, diff, documents,
    explore as explore_command, export, families, find, findings, finish, game, guess, moves, pack,
    periods, plan, plot as plot_command, prove, query, sequence, stats, status, task,
    tasks as tasks_command, unpack, verify,
};
use crate::output::{Out, one_line, tell, to_stdout};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Success: exit code 0.
    Fine,
    /// A mismatch was found: exit code 1.
    Mismatch,
    /// A question got no answer: exit code 2.
    BadInput,
    /// Interrupted by the user, with finished work saved: exit code 130.
    Interrupted,
}

/// Runs a command, and returns the exit code. The first word in `typed` is the program's name. Call
/// `main` only once in a process, because it sets up signals and threads.
pub fn main(typed: impl IntoIterator<Item = OsString>) -> u8 {
    let typed: Vec<OsString> = typed.into_iter().collect();
    system::share_one_arena();
    if system::stdout_was_closed() {
        tell("grundy: standard output is closed, so results would be lost; open it, as in > FILE");
        return 2;
    }
    watch::survive_the_limit_on_files();
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
        // The reader closed the output, as `| head` does.
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) if is_stopped(&error) => 130,
        Err(error) => {
            // Print the results before the error, because they are valid. An error of this writing
            // would hide the first error.
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

/// Returns true if the message quotes a text, with a bar at the left of each quoted line.
fn points_at_a_place(error: &anyhow::Error) -> bool {
    format!("{error:#}").lines().any(|line| line.trim() == "|")
}

/// Reports an invalid command line, or prints the requested help.
fn misread(error: &clap::Error, typed: &[OsString]) -> u8 {
    let is_negative = |word: &str| word[1..].starts_with(|first: char| first.is_ascii_digit());
    let words: Vec<&str> = typed.iter().filter_map(|word| word.to_str()).collect();
    let negative = words.iter().position(|word| word.starts_with('-') && is_negative(word));
    if let (ErrorKind::UnknownArgument, Some(at)) = (error.kind(), negative) {
        let word = words[at];
        match at.checked_sub(1).map(|before| words[before]).filter(|name| name.starts_with("--")) {
            Some(option) => {
                tell(format_args!("grundy: {option} {word} is negative; write 0 or more"));
            }
            None => tell(format_args!(
                "grundy: '{word}' begins with a minus sign; every pile has at least one coin"
            )),
        }
        return 2;
    }
    if error.kind() == ErrorKind::InvalidSubcommand && words.get(1) == Some(&"version") {
        tell("grundy: unknown command 'version'; `grundy --version` prints the version");
        return 2;
    }
    let said = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    // A shell reads `g == 1 -> R` as words, and writes the output to a file R.
    if error.kind() == ErrorKind::UnknownArgument && said(ContextKind::InvalidArg) == "-" {
        tell("grundy: put the statement in quotes: the shell reads its `>` as the name of a file");
        return 2;
    }
    let command = said(ContextKind::InvalidSubcommand);
    if let Some(instead) = instead_of_tasks(&command).filter(|_| words.contains(&"tasks")) {
        tell(format_args!(
            "grundy: `grundy tasks` divides build, check and diff, but not {command}; {instead}"
        ));
        return 2;
    }
    let (word, value) = (said(ContextKind::InvalidArg), said(ContextKind::InvalidValue));
    if words.iter().any(|word| matches!(*word, "plan" | "build")) && grundy::game(&word).is_ok() {
        tell(format_args!("grundy: a game is given by an option here: --games {word}"));
        return 2;
    }
    if error.source().is_some_and(<dyn std::error::Error>::is::<ParseIntError>) {
        tell(format_args!(
            "grundy: invalid value '{value}' for {word}: not a whole number, or too large; \
             write digits, as in 12"
        ));
        return 2;
    }
    let text = error.render().to_string();
    if error.use_stderr() && text.lines().any(|line| one_line(line) != line) {
        // The message quotes arguments, whose control characters `tell` escapes.
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

/// Returns what to do on many machines with a command that `tasks` does not divide.
fn instead_of_tasks(command: &str) -> Option<&'static str> {
    Some(match command {
        "find" => {
            "divide a check of the opposite, `grundy tasks check GAME 'not (PREDICATE)' --show N`: \
             its counterexamples are the positions"
        }
        "stats" => "`grundy stats` counts a table on all cores of one machine",
        "verify" => "`grundy verify --sample I/N` checks the I-th of N parts on a machine",
        _ => return None,
    })
}

fn run(args: Args, out: &mut Out) -> anyhow::Result<End> {
    let common = args.common()?;
    // The database must be a folder, because these commands or their tasks write into it.
    if let Command::Build(_) | Command::Tasks(_) | Command::Task(_) | Command::Finish(_) =
        args.command
    {
        common.folder()?;
    }
    let other_output = match &args.command {
        Command::Export(_) => Some("the format of --format"),
        Command::Plot(_) => Some("a picture"),
        Command::Findings(_) | Command::Man(_) | Command::Help(_) => Some("a document"),
        Command::Completions(_) => Some("a script"),
        Command::Sequence(wanted) if wanted.oeis_draft => Some("a draft"),
        _ => None,
    };
    if let Some(output) = other_output.filter(|_| args.json) {
        anyhow::bail!("this command writes {output}, not JSON; leave out --json");
    }
    match &args.command {
        Command::Plan(wanted) => plan::run(&common, wanted, out),
        Command::Build(wanted) => build::run(&common, wanted, out),
        Command::Status(wanted) => status::run(&common, wanted, out),
        Command::Query(wanted) => query::run(&common, wanted, out),
        Command::Moves(wanted) => moves::run(&common, wanted, out),
        Command::Diff(wanted) => diff::run(&common, wanted, out),
        Command::Check(wanted) if wanted.all_sizes => all_sizes::run(&common, wanted, out),
        Command::Check(wanted) => check::run(&common, wanted, out),
        Command::Find(wanted) => find::run(&common, wanted, out),
        Command::Sequence(wanted) => sequence::run(&common, wanted, out),
        Command::Guess(wanted) => guess::run(&common, wanted, out),
        Command::Game(wanted) => game::run(&common, wanted, out),
        Command::Games => game::list(out),
        Command::Prove(wanted) => prove::run(&common, wanted, out),
        Command::Families(wanted) => families::run(&common, wanted, out),
        Command::Classes(wanted) => classes::run(&common, wanted, out),
        Command::Claims(wanted) => claims::run(&common, wanted, out),
        Command::Findings(wanted) => findings::run(&common, wanted, out),
        Command::Periods(wanted) => periods::run(&common, wanted, out),
        Command::Verify(wanted) => verify::run(&common, wanted, out),
        Command::Stats(wanted) => stats::run(&common, wanted, out),
        Command::Export(wanted) => export::run(&common, wanted, out),
        Command::Dataset(wanted) => dataset::run(&common, wanted, out),
        Command::Plot(wanted) => plot_command::run(&common, wanted, out),
        Command::Explore(wanted) => explore_command::run(&common, wanted, out),
        Command::Tasks(wanted) => tasks_command::run(&common, wanted, out),
        Command::Task(wanted) => task::run(&common, wanted, out),
        Command::Finish(wanted) => finish::run(&common, wanted, out),
        Command::Pack(wanted) => pack::run(&common, wanted, out),
        Command::Unpack(wanted) => unpack::run(&common, wanted, out),
        Command::Cite(wanted) => cite::run(&common, wanted, out),
        Command::Help(wanted) => documents::help(wanted, out),
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
