use std::collections::BTreeMap;

use grundy::shares::cut;
use grundy::{Number, Parts, Piece};
use grundy_shard::json;
use serde::{Deserialize, Serialize};

use crate::args::{Common, OPENING};
use crate::output::quoted;

const FORMAT: u32 = 1;

/// The maximum number of tasks if the user requests no number.
const USUAL_PARTS: u64 = 64;

/// The least seconds of a task that takes turns with others, if the user requests no number: more
/// of them are no faster.
const LEAST_TURN: f64 = 60.0;

const MOST_LINE: usize = 16 << 20;

/// A task, with the fields of its line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub(crate) format: u32,
    /// The name and version of the program that printed the line.
    pub(crate) program: String,
    /// The name of the plan, which is a digest of the command and its input.
    pub(crate) plan: String,
    /// The name of the task, unique among all plans.
    pub(crate) id: String,
    /// The number of the task in its plan, from 0.
    pub(crate) index: u64,
    pub(crate) tasks: u64,
    /// The number of tasks that the user requested, or else [`USUAL_PARTS`].
    pub(crate) parts: u64,
    /// The name of the divided command, such as `build`.
    pub(crate) kind: String,
    /// The whole command: its name and its options.
    pub(crate) command: Vec<String>,
    /// The texts of the command's rule files, by path, so that nodes need no rule files.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) rules: BTreeMap<String, String>,
    pub(crate) what: String,
    /// The ids of the tasks that should end before this one begins. If their files are missing, the
    /// task does their work again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) after: Vec<String>,
    /// The files that these tasks leave and with which this one begins, relative to the database.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) begins: Vec<String>,
    /// The files that the task writes, relative to the database or to the folder of results.
    pub(crate) writes: Vec<String>,
    pub(crate) core_seconds: f64,
    pub(crate) memory: u64,
    pub(crate) bytes: u64,
    pub(crate) run: String,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum TaskError {
    #[error("line {line} is not a task ({why}); print the tasks again with `grundy tasks`")]
    Syntax { line: usize, why: serde_json::Error },
    #[error("line {line} is longer than {MOST_LINE} bytes, too long for a task")]
    Long { line: usize },
    #[error(
        "{id} was printed by {program} in format {format}, but this is {here} with format {FORMAT}"
    )]
    Program { id: String, program: String, format: u32, here: String },
    #[error(
        "{id} is not a task of its plan: its {what} differs from the one that this program \
             prints for the same command"
    )]
    Edited { id: String, what: &'static str },
}

#[derive(Clone, Debug)]
pub(crate) struct TaskPlan {
    program: String,
    command: Vec<String>,
    rules: BTreeMap<String, String>,
    parts: u64,
    digest: String,
    pub(crate) shares: Vec<Vec<Parts>>,
    pieces: Vec<Piece>,
}

impl TaskPlan {
    /// Divides a command into exactly `parts` tasks, of which the last may be empty. For `None`
    /// there are at most [`USUAL_PARTS`] tasks, none is empty, and those that take turns are
    /// longer. `command` contains its name and options. `ground` contains its further input: the
    /// codecs of the tables of a build.
    pub(crate) fn new(
        program: &str,
        command: &[String],
        rules: BTreeMap<String, String>,
        ground: &str,
        pieces: Vec<Piece>,
        is_chained: impl Fn(usize) -> bool,
        parts: Option<u64>,
    ) -> TaskPlan {
        let usual = pieces.iter().enumerate().map(|(number, piece)| {
            let begin = if is_chained(number) { piece.begin.max(LEAST_TURN) } else { piece.begin };
            Piece { begin, seconds: piece.seconds - piece.begin + begin, ..piece.clone() }
        });
        let usual = cut(&usual.collect::<Vec<_>>(), USUAL_PARTS);
        // A line does not tell whether so many tasks were requested.
        let is_usual = parts.is_none() && (usual.len() as u64) < USUAL_PARTS;
        let mut shares = if is_usual { usual } else { cut(&pieces, parts.unwrap_or(USUAL_PARTS)) };
        if let Some(parts) = parts {
            shares.resize(parts as usize, Vec::new());
        }
        let parts = parts.unwrap_or(USUAL_PARTS);
        // The digest also covers the shares, because two builds of the same version may estimate
        // costs differently.
        let mut said =
            serde_json::json!([FORMAT, program, command, ground, parts, shares]).to_string();
        rules.iter().for_each(|(path, text)| said.push_str(&format!("{path}\n{text}")));
        let digest = blake3::hash(said.as_bytes()).to_hex()[..32].to_owned();
        let (program, command) = (program.to_owned(), command.to_vec());
        TaskPlan { program, command, rules, parts, digest, shares, pieces }
    }

    pub(crate) fn id(&self, index: usize) -> String {
        let kind = self.command.first().map_or("", String::as_str);
        format!("{kind}-{}-{index:05}", &self.digest[..16])
    }

    /// Returns the ids of the tasks that compute the parts just before those of a task, in pieces
    /// whose parts follow from each other.
    pub(crate) fn after(&self, index: usize, is_chained: impl Fn(usize) -> bool) -> Vec<String> {
        let ends = |number: usize, part: u64| {
            let has = |share: &Vec<Parts>| share.iter().any(|(n, p)| (*n, p.end) == (number, part));
            self.shares[..index].iter().position(has)
        };
        let chained = self.shares[index].iter().filter(|(number, _)| is_chained(*number));
        let before = chained.filter_map(|(number, parts)| ends(*number, parts.start));
        before.map(|index| self.id(index)).collect()
    }

    /// Returns the line of a task. The task writes the files `writes`, with `bytes` bytes in all,
    /// or else only its result.
    pub(crate) fn task(
        &self,
        index: usize,
        (after, begins): (Vec<String>, Vec<String>),
        writes: Option<Vec<String>>,
        bytes: u64,
    ) -> Task {
        let share = &self.shares[index];
        let id = self.id(index);
        let seconds = share.iter().map(|(number, parts)| {
            let piece = &self.pieces[*number];
            piece.seconds_of(parts.end - parts.start)
        });
        let what = share.iter().map(|(number, parts)| {
            let Piece { name, parts: all, .. } = &self.pieces[*number];
            match (parts.end - parts.start, all) {
                (_, 1) => name.clone(),
                (1, all) => format!("{name}: {} of {all}", parts.start + 1),
                (_, all) => format!("{name}: {} to {} of {all}", parts.start + 1, parts.end),
            }
        });
        let mut what = what.collect::<Vec<_>>().join(", ");
        if share.is_empty() {
            let full = self.shares.iter().filter(|share| !share.is_empty()).count();
            what = format!("nothing: the work fits into {}", Number(full as u64, "task"));
        }
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        let is_exact = self.shares.len() as u64 == self.parts;
        let option = if is_exact { format!(" --parts {}", self.parts) } else { String::new() };
        let words = words.join(" ") + &option;
        Task {
            format: FORMAT,
            program: self.program.clone(),
            plan: self.digest.clone(),
            index: index as u64,
            tasks: self.shares.len() as u64,
            parts: self.parts,
            kind: self.command.first().cloned().unwrap_or_default(),
            command: self.command.clone(),
            rules: self.rules.clone(),
            what,
            after,
            begins,
            writes: writes.unwrap_or_else(|| vec![format!("{id}.json")]),
            id,
            core_seconds: LEAST_SECONDS + seconds.sum::<f64>(),
            memory: share.iter().map(|(number, _)| self.pieces[*number].memory).max().unwrap_or(0),
            bytes,
            run: format!("grundy tasks {words} | grundy task --file - --index {index}"),
        }
    }

    /// Recomputes the task of a line, and returns the task with its index. Refuses a line that
    /// differs from the task, except in estimates, which depend on the node and have no effect.
    pub(crate) fn same(
        &self,
        line: &Task,
        print: impl FnOnce(usize) -> Task,
    ) -> Result<(usize, Task), TaskError> {
        let unless = |same: bool, what| match same {
            true => Ok(()),
            false => Err(TaskError::Edited { id: line.id.clone(), what }),
        };
        let index = usize::try_from(line.index).unwrap_or(usize::MAX);
        unless(line.plan == self.digest, "plan")?;
        unless(line.tasks == self.shares.len() as u64, "number of tasks")?;
        unless(index < self.shares.len(), "index")?;
        let printed = print(index);
        unless(line.id == printed.id, "id")?;
        unless(line.command == printed.command, "command")?;
        unless(line.rules == printed.rules, "rules")?;
        unless(line.kind == printed.kind, "kind")?;
        unless(line.what == printed.what, "description")?;
        unless(line.after == printed.after, "list of tasks before it")?;
        unless(line.begins == printed.begins, "list of files to begin with")?;
        unless(line.writes == printed.writes, "list of files")?;
        unless(line.run == printed.run, "shell command")?;
        Ok((index, printed))
    }
}

/// Returns the texts of the rule files that a command names. Other words look like paths, too, and
/// the command itself reports a file that it cannot read.
pub(crate) fn rules_of(common: &Common, command: &[String]) -> BTreeMap<String, String> {
    // A statement has paths in brackets.
    let words = command.iter().flat_map(|word| word.split([',', '[', ']']));
    let paths = words.filter(|word| word.contains(['/', '\\']) || word.ends_with(".game"));
    let text = |path: &str| Some(common.game(path, OPENING).ok()?.rule_file()?.text.clone());
    paths.filter_map(|path| Some((path.to_owned(), text(path)?))).collect()
}

/// The time that a process takes to start and end, in seconds.
const LEAST_SECONDS: f64 = 0.05;

impl Task {
    /// Returns the value of --parts, or `None` if the option was not given. Then the plan may have
    /// fewer tasks than `parts`.
    pub(crate) fn wanted_parts(&self) -> Option<u64> {
        (self.tasks == self.parts).then_some(self.parts)
    }

    pub(crate) fn check_program(&self, here: &str) -> Result<(), TaskError> {
        let Task { format, program, id, .. } = self.clone();
        if (format, &program[..]) == (FORMAT, here) {
            return Ok(());
        }
        Err(TaskError::Program { id, program, format, here: here.to_owned() })
    }

    pub(crate) fn to_line(&self) -> Result<String, TaskError> {
        let text = serde_json::to_string(self);
        let line = text.map_err(|why| TaskError::Syntax { line: 1, why })?;
        if line.len() > MOST_LINE {
            return Err(TaskError::Long { line: self.index as usize + 1 });
        }
        Ok(line)
    }
}

/// Reads the non-empty lines that contain `part`, for example to find one task among a million.
pub(crate) fn read_some(text: &str, part: &str) -> Result<Vec<Task>, TaskError> {
    let is_meant = |line: &str| !line.trim().is_empty() && line.contains(part);
    let lines = text.lines().enumerate().filter(|(_, line)| is_meant(line));
    lines
        .map(|(number, text)| {
            let line = number + 1;
            if text.len() > MOST_LINE {
                return Err(TaskError::Long { line });
            }
            json::from_slice(text.as_bytes()).map_err(|why| TaskError::Syntax { line, why })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_plan_depends_on_all_its_inputs() {
        let piece =
            |parts, seconds| Piece { name: "a".to_owned(), parts, seconds, begin: 0.0, memory: 5 };
        let digest = |program, word: &str, ground, piece, parts| {
            let (words, rules) = ([word.to_owned()], BTreeMap::new());
            TaskPlan::new(program, &words, rules, ground, vec![piece], |_| false, Some(parts))
                .digest
        };
        let one = digest("grundy 9", "check", "", piece(4, 1.0), 2);
        assert_eq!(one, digest("grundy 9", "check", "", piece(4, 2.0), 2));
        for other in [
            digest("grundy 8", "check", "", piece(4, 1.0), 2),
            digest("grundy 9", "diff", "", piece(4, 1.0), 2),
            digest("grundy 9", "check", "raw", piece(4, 1.0), 2),
            digest("grundy 9", "check", "", piece(5, 1.0), 2),
            digest("grundy 9", "check", "", piece(4, 1.0), 3),
        ] {
            assert_ne!(one, other);
        }
    }
}
