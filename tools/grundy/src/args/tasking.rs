//! Commands divided into tasks: the options of `tasks`, `task` and `finish`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, CommandFactory, FromArgMatches, Subcommand};

use super::asking::{Check, Diff};
use super::{Args, Command, Tables};
use crate::tasks::recheck::Sample;

#[derive(Debug, clap::Args)]
pub(crate) struct Tasks {
    #[command(subcommand)]
    pub(crate) kind: DivisibleCommand,

    /// Print exactly N tasks. If the work has fewer parts, the last tasks are empty and succeed at
    /// once. Without this option there are at most 64 tasks, and none is empty.
    #[arg(long, global = true, value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=grundy::shares::MOST_TASKS))]
    pub(crate) parts: Option<u64>,

    /// The command's name and its own options, as in task lines.
    #[arg(skip)]
    pub(crate) words: Vec<String>,
}

/// The commands that can be divided into tasks.
#[derive(Debug, Subcommand)]
pub(crate) enum DivisibleCommand {
    /// Divide a build. Each task builds some shards.
    Build(Tables),
    /// Divide the check of your own statement.
    Check(Check),
    /// Divide the check of the papers' claims.
    Diff(Diff),
}

/// The files of tasks and results.
#[derive(Debug, clap::Args)]
pub(crate) struct TaskFile {
    /// The file with the lines of the tasks; - is standard input.
    #[arg(long, value_name = "TASKS")]
    pub(crate) file: PathBuf,

    /// The folder of results [default: results, but none for a build].
    #[arg(long, value_name = "DIR")]
    pub(crate) results: Option<PathBuf>,
}

#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("which").required(true).args(["index", "id"]))]
pub(crate) struct Task {
    #[command(flatten)]
    pub(crate) tasks: TaskFile,

    /// The task's number in its plan, from 0.
    #[arg(long, value_name = "I")]
    pub(crate) index: Option<u64>,

    /// The task's id.
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Finish {
    #[command(flatten)]
    pub(crate) tasks: TaskFile,

    /// Only print the lines of the unfinished tasks.
    #[arg(long)]
    pub(crate) left: bool,

    /// Compute some tasks again, and publish nothing if one of them differs from its result: a
    /// number of tasks, or a percentage, as in 0.1%. This finds forged results.
    #[arg(long, value_name = "N|P%", conflicts_with = "left")]
    pub(crate) recheck: Option<Sample>,

    /// The seed that chooses these tasks [default: a new one, which is printed].
    #[arg(long, value_name = "S", requires = "recheck")]
    pub(crate) seed: Option<u32>,

    /// Take the lengths and digests of shards from the results, and write only the manifest. Use
    /// this if the shards of a build are in another place, such as an object store.
    #[arg(long)]
    pub(crate) from_results: bool,
}

impl Args {
    /// Parses the command line.
    pub(crate) fn read(
        words: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    ) -> Result<Args, clap::Error> {
        let mut command = Args::command();
        command.build();
        let mut matches = command.try_get_matches_from_mut(words)?;
        let of_tasks = matches.subcommand_matches("tasks").and_then(ArgMatches::subcommand);
        let words = of_tasks.map(|(name, matches)| {
            let cut =
                command.find_subcommand("tasks").and_then(|tasks| tasks.find_subcommand(name));
            cut.map_or_else(|| Ok(Vec::new()), |command| words_of(command, matches))
        });
        let words = words.transpose()?;
        let mut args = Args::from_arg_matches_mut(&mut matches)?;
        if let (Command::Tasks(tasks), Some(words)) = (&mut args.command, words) {
            tasks.words = words;
        }
        Ok(args)
    }

    /// Parses the command of a task, with the value of --parts if it was given.
    pub(crate) fn of_task(command: &[String], parts: Option<u64>) -> Result<Tasks, clap::Error> {
        let words = ["grundy", "tasks"].into_iter().map(str::to_owned);
        let parts = parts.map(|parts| format!("--parts={parts}"));
        // Put --parts first, because the command may contain --, after which no word is an option.
        let args = Args::read(words.chain(parts).chain(command.iter().cloned()))?;
        match args.command {
            Command::Tasks(tasks) => Ok(tasks),
            _ => Err(Args::command().error(clap::error::ErrorKind::InvalidSubcommand, "no task")),
        }
    }
}

/// Returns a command's name and its own options, each as `--option value` in the order of the help.
/// The positional arguments come last.
fn words_of(command: &clap::Command, matches: &ArgMatches) -> Result<Vec<String>, clap::Error> {
    let mut words = vec![command.get_name().to_owned()];
    let mut places = Vec::new();
    for argument in command.get_arguments().filter(|argument| !argument.is_global_set()) {
        let id = argument.get_id().as_str();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            continue;
        }
        let text = |value: &std::ffi::OsStr| value.to_str().map(str::to_owned);
        let values = matches.get_raw(id).into_iter().flatten().map(text);
        let Some(values) = values.collect::<Option<Vec<String>>>() else {
            let what = "an argument is not text, so no task can contain it; rename the file";
            return Err(Args::command().error(clap::error::ErrorKind::InvalidUtf8, what));
        };
        match argument.get_long() {
            Some(long) if argument.get_action().takes_values() => {
                let values = values.join(",");
                match values.starts_with('-') {
                    true => words.push(format!("--{long}={values}")),
                    false => words.extend([format!("--{long}"), values]),
                }
            }
            Some(long) => words.push(format!("--{long}")),
            None => places.extend(values),
        }
    }
    if places.iter().any(|place| place.starts_with('-')) {
        words.push("--".to_owned());
    }
    words.extend(places);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        let typed = line.split(' ').map(|word| word.replace('_', " "));
        match Args::read(typed).unwrap().command {
            Command::Tasks(tasks) => tasks.words,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_command_has_one_form() {
        let expected = ["build", "--max-pile", "64", "--games", "nim,end-nim"];
        for typed in [
            "grundy tasks build --max-pile 64 --games nim,end-nim",
            "grundy tasks build --games=nim --games end-nim --max-pile=64 --parts 3",
            "grundy --threads 3 tasks --parts 9 build --db x --max-pile 64 --games nim,end-nim",
        ] {
            assert_eq!(words(typed), expected, "{typed}");
        }
        let check = ["check", "--length", "2", "nim", "g > 1"];
        assert_eq!(words("grundy tasks check nim g_>_1 --length 2"), check);
        let minus = words("grundy tasks check nim -g_<_1");
        assert_eq!(minus, ["check", "--", "nim", "-g < 1"]);
        assert_eq!(Args::of_task(&minus, Some(3)).unwrap().words, minus);
        let all = words("grundy tasks check nim P --convention misere --show 3 --to 9");
        let expected = ["check", "--convention", "misere", "--to", "9", "--show", "3", "nim", "P"];
        assert_eq!(all, expected);
        assert_eq!(Args::of_task(&all, None).unwrap().words, all);
    }

    /// Task lines leave out options of a node, such as --db. A line with such an option differs
    /// from the printed line, and is refused.
    #[test]
    fn task_lines_leave_out_options_of_the_node() {
        let typed: Vec<String> =
            ["build", "--max-pile", "4", "--db", "/x"].map(str::to_owned).to_vec();
        assert_eq!(Args::of_task(&typed, Some(3)).unwrap().words, typed[..3]);
        assert!(Args::of_task(&["status".to_owned()], None).is_err());
    }
}
