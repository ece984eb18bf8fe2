//! Task lines.

use serde::{Deserialize, Serialize};

use crate::{Piece, Share, cut};

/// The version of lines and results.
pub(crate) const FORMAT: u32 = 1;

/// Most bytes of a task line.
const MOST_LINE: usize = 16 << 20;

/// One task, as it is printed and read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Task {
    /// The version of the line.
    pub format: u32,
    /// The program that printed it, and its version.
    pub program: String,
    /// The plan that it is of: a digest of the command and of what it was given.
    pub plan: String,
    /// Its name, which no other task of any plan has.
    pub id: String,
    /// Its number in the plan, from 0.
    pub index: u64,
    /// The number of tasks of the plan.
    pub tasks: u64,
    /// The number of tasks that was asked for.
    pub parts: u64,
    /// The command that it is a part of, as in `build`.
    pub kind: String,
    /// The whole command: its name and its options.
    pub command: Vec<String>,
    /// What it does, for people.
    pub what: String,
    /// The files that it writes, below the database folder or the folder of results.
    pub writes: Vec<String>,
    /// Seconds that one core takes for it, estimated.
    pub core_seconds: f64,
    /// Bytes of memory, estimated.
    pub memory: u64,
    /// Bytes that it writes, estimated.
    pub bytes: u64,
    /// How to do it by hand.
    pub run: String,
}

/// Why a text is not a task, or not the one it should be.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// It is no task line.
    #[error("line {line} is not a task")]
    Syntax {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// It is far too long.
    #[error("line {line} is longer than {MOST_LINE} bytes, which no task is")]
    Long {
        /// Its number, from 1.
        line: usize,
    },
    /// Another program printed it.
    #[error(
        "{id} was printed by {program} in format {format}, and this is {here} with format {FORMAT}"
    )]
    Program {
        /// The task.
        id: String,
        /// Who printed it.
        program: String,
        /// The version of the line.
        format: u32,
        /// This program.
        here: String,
    },
    /// The plan has no such task, or another one in its place.
    #[error(
        "{id} is not a task of its plan: its {what} is not the one that its command gives here"
    )]
    Edited {
        /// The task.
        id: String,
        /// What differs.
        what: &'static str,
    },
}

/// A command cut into tasks.
#[derive(Clone, Debug)]
pub struct Plan {
    program: String,
    command: Vec<String>,
    parts: u64,
    digest: String,
    /// What the tasks do, in order.
    pub shares: Vec<Share>,
    pieces: Vec<Piece>,
}

impl Plan {
    /// Cuts a command, of which `command` is the name and the options, into at most `parts` tasks.
    /// `ground` is what the work depends on besides, such as the digests of tables.
    pub fn new(
        program: &str,
        command: &[String],
        ground: &str,
        pieces: Vec<Piece>,
        parts: u64,
    ) -> Plan {
        let shares = cut(&pieces, parts);
        // The cut itself is part of it: two programs that weigh pieces differently are found out.
        let said = serde_json::json!([FORMAT, program, command, ground, parts, shares]).to_string();
        let digest = blake3::hash(said.as_bytes()).to_hex()[..32].to_owned();
        let (program, command) = (program.to_owned(), command.to_vec());
        Plan { program, command, parts, digest, shares, pieces }
    }

    /// The plan's name.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The pieces that were cut.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The id of a task.
    pub fn id(&self, index: usize) -> String {
        let kind = self.command.first().map_or("", String::as_str);
        format!("{kind}-{}-{index:05}", &self.digest[..16])
    }

    /// The line of a task. `writes` are the files of a share, if it writes others than its result.
    pub fn task(&self, index: usize, writes: Vec<String>) -> Task {
        let share = &self.shares[index];
        let id = self.id(index);
        let of = |figure: fn(&Piece) -> f64| -> f64 {
            let each = share.iter().map(|(number, parts)| {
                let piece = &self.pieces[*number];
                figure(piece) * (parts.end - parts.start) as f64 / piece.parts as f64
            });
            each.sum()
        };
        let what = share.iter().map(|(number, parts)| {
            let Piece { name, parts: all, .. } = &self.pieces[*number];
            match (parts.end - parts.start, all) {
                (_, 1) => name.clone(),
                (1, all) => format!("{name}: {} of {all}", parts.start + 1),
                (_, all) => format!("{name}: {} to {} of {all}", parts.start + 1, parts.end),
            }
        });
        let words: Vec<String> = self.command.iter().map(|word| quoted(word)).collect();
        let (words, parts) = (words.join(" "), self.parts);
        Task {
            format: FORMAT,
            program: self.program.clone(),
            plan: self.digest.clone(),
            index: index as u64,
            tasks: self.shares.len() as u64,
            parts,
            kind: self.command.first().cloned().unwrap_or_default(),
            command: self.command.clone(),
            what: what.collect::<Vec<_>>().join(", "),
            writes: if writes.is_empty() { vec![format!("{id}.json")] } else { writes },
            id,
            core_seconds: LEAST_SECONDS + of(|piece| piece.seconds),
            memory: share.iter().map(|(number, _)| self.pieces[*number].memory).max().unwrap_or(0),
            bytes: of(|piece| piece.bytes as f64) as u64,
            run: format!(
                "grundy tasks {words} --parts {parts} | grundy task --file - --index {index}"
            ),
        }
    }

    /// The number of a task of this plan, by what names it in a line. Whoever prints lines compares
    /// the others ([`Task::check_same`]).
    ///
    /// # Errors
    /// [`TaskError::Edited`] with what differs.
    pub fn index_of(&self, task: &Task) -> Result<usize, TaskError> {
        let edited = |what| TaskError::Edited { id: task.id.clone(), what };
        let index = usize::try_from(task.index).unwrap_or(usize::MAX);
        if task.plan != self.digest {
            return Err(edited("plan"));
        }
        if task.tasks != self.shares.len() as u64 {
            return Err(edited("number of tasks"));
        }
        if index >= self.shares.len() {
            return Err(edited("index"));
        }
        if task.id != self.id(index) {
            return Err(edited("id"));
        }
        Ok(index)
    }
}

/// Seconds that a process takes to begin and to end: no task takes less.
const LEAST_SECONDS: f64 = 0.05;

impl Task {
    /// Whether a line is the one that is printed here. Estimates may differ, which depend on who
    /// prints them and by which nothing is done.
    ///
    /// # Errors
    /// [`TaskError::Edited`] with what differs.
    pub fn check_same(&self, printed: &Task) -> Result<(), TaskError> {
        let what = if self.command != printed.command {
            "command"
        } else if self.kind != printed.kind {
            "kind"
        } else if self.what != printed.what {
            "description"
        } else if self.writes != printed.writes {
            "list of files"
        } else if self.run != printed.run {
            "line for doing it by hand"
        } else {
            return Ok(());
        };
        Err(TaskError::Edited { id: self.id.clone(), what })
    }

    /// Whether this program printed it.
    ///
    /// # Errors
    /// [`TaskError::Program`] if it did not.
    pub fn check_program(&self, here: &str) -> Result<(), TaskError> {
        let Task { format, program, id, .. } = self.clone();
        if (format, &program[..]) == (FORMAT, here) {
            return Ok(());
        }
        Err(TaskError::Program { id, program, format, here: here.to_owned() })
    }
}

impl Task {
    /// Its line.
    ///
    /// # Errors
    /// [`TaskError::Long`] if it has too many files for one.
    pub fn to_line(&self) -> Result<String, TaskError> {
        let text = serde_json::to_string(self);
        let line = text.map_err(|source| TaskError::Syntax { line: 1, source })?;
        if line.len() > MOST_LINE {
            return Err(TaskError::Long { line: self.index as usize + 1 });
        }
        Ok(line)
    }
}

/// Reads task lines; empty ones are passed over.
///
/// # Errors
/// [`TaskError::Syntax`] or [`TaskError::Long`] for the first that is none.
pub fn read_lines(text: &str) -> Result<Vec<Task>, TaskError> {
    read_some(text, "")
}

/// The same of those lines in which a text stands: of one task among a million.
///
/// # Errors
/// As [`read_lines`].
pub fn read_some(text: &str, part: &str) -> Result<Vec<Task>, TaskError> {
    let is_meant = |line: &str| !line.trim().is_empty() && line.contains(part);
    let lines = text.lines().enumerate().filter(|(_, line)| is_meant(line));
    lines
        .map(|(number, text)| {
            let line = number + 1;
            if text.len() > MOST_LINE {
                return Err(TaskError::Long { line });
            }
            serde_json::from_str(text).map_err(|source| TaskError::Syntax { line, source })
        })
        .collect()
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./,:=@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(command: &str, parts: u64) -> Plan {
        let piece = |name: &str, parts| Piece {
            name: name.to_owned(),
            parts,
            seconds: parts as f64,
            memory: 1000 * parts,
            bytes: 10 * parts,
        };
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        Plan::new("grundy 9", &words, "", vec![piece("a", 1), piece("b", 5)], parts)
    }

    #[test]
    fn a_line_says_what_is_done_and_how() {
        let plan = plan("check nim g>1", 2);
        let task = plan.task(0, Vec::new());
        assert_eq!(task.what, "a, b: 1 to 2 of 5");
        assert_eq!((task.core_seconds, task.memory, task.bytes), (3.05, 5000, 30));
        assert_eq!(
            task.run,
            "grundy tasks check nim 'g>1' --parts 2 | grundy task --file - --index 0"
        );
        assert_eq!(task.writes, [format!("{}.json", task.id)]);
        assert_eq!(plan.task(1, Vec::new()).what, "b: 3 to 5 of 5");
        let line = serde_json::to_string(&task).unwrap();
        assert_eq!(read_lines(&format!("\n{line}\n")).unwrap(), std::slice::from_ref(&task));
        assert_eq!(plan.index_of(&task).unwrap(), 0);
        task.check_program("grundy 9").unwrap();
    }

    #[test]
    fn lines_that_were_edited_are_found_out() {
        let plan = plan("check nim g>1", 2);
        let task = plan.task(0, Vec::new());
        let with = |change: fn(&mut Task)| {
            let mut task = task.clone();
            change(&mut task);
            plan.index_of(&task)
        };
        assert!(matches!(with(|task| task.index = 1), Err(TaskError::Edited { what: "id", .. })));
        assert!(matches!(
            with(|task| task.index = 2),
            Err(TaskError::Edited { what: "index", .. })
        ));
        assert!(with(|task| task.tasks = 3).is_err());
        assert!(with(|task| task.id.push('0')).is_err());
        assert!(with(|task| task.plan.replace_range(..1, "x")).is_err());
        assert!(matches!(task.check_program("grundy 8"), Err(TaskError::Program { .. })));
        for other in [self::plan("check nim g>2", 2), self::plan("check nim g>1", 3)] {
            assert!(matches!(other.index_of(&task), Err(TaskError::Edited { what: "plan", .. })));
        }
        assert!(matches!(read_lines("{}"), Err(TaskError::Syntax { line: 1, .. })));
        let long = format!("\n{}", "x".repeat(MOST_LINE + 1));
        assert!(matches!(read_lines(&long), Err(TaskError::Long { line: 2 })));
    }

    #[test]
    fn words_are_quoted_for_a_shell() {
        assert_eq!(quoted("end-nim"), "end-nim");
        assert_eq!(quoted("it's $1"), "'it'\\''s $1'");
        assert_eq!(quoted(""), "''");
    }

    /// By hand: of five parts, which take five seconds and write fifty bytes, the last three.
    #[test]
    fn estimates_are_those_of_the_parts() {
        let plan = plan("check nim g>1", 2);
        let task = plan.task(1, vec!["a file".to_owned(), "another".to_owned()]);
        assert_eq!(plan.shares, [vec![(0, 0..1), (1, 0..2)], vec![(1, 2..5)]]);
        assert_eq!((task.core_seconds, task.memory, task.bytes), (3.05, 5000, 30));
        assert_eq!(task.writes, ["a file", "another"]);
        assert_eq!((task.index, task.tasks, task.parts), (1, 2, 2));
        assert_eq!((task.format, &task.program[..], &task.kind[..]), (1, "grundy 9", "check"));
        assert_eq!(task.command, ["check", "nim", "g>1"]);
        assert_eq!(task.id, format!("check-{}-00001", &plan.digest()[..16]));
        assert_eq!((task.plan.len(), &task.plan[..]), (32, plan.digest()));
        assert!(task.plan.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let names: Vec<&str> = plan.pieces().iter().map(|piece| &piece.name[..]).collect();
        assert_eq!(names, ["a", "b"]);
        // One part of several, in the middle and at the end.
        let six = self::plan("check nim g>1", 6);
        let said: Vec<String> = (0..6).map(|index| six.task(index, Vec::new()).what).collect();
        assert_eq!(said, ["a", "b: 1 of 5", "b: 2 of 5", "b: 3 of 5", "b: 4 of 5", "b: 5 of 5"]);
        assert_eq!((six.task(5, Vec::new()).bytes, six.task(0, Vec::new()).memory), (10, 1000));
        // Nothing to be done is no task, of a command without a name too.
        let none = Plan::new("grundy 9", &[], "", Vec::new(), 3);
        assert!(none.shares.is_empty() && none.pieces().is_empty());
        assert!(none.id(0).starts_with('-'));
    }

    /// All that decides what the tasks are changes the name of the plan.
    #[test]
    fn a_plan_is_named_after_all_that_it_is_made_of() {
        let words = ["check".to_owned(), "nim".to_owned()];
        let piece = |parts, seconds| {
            let name = "a".to_owned();
            vec![Piece { name, parts, seconds, memory: 5, bytes: 5 }]
        };
        let digest = |program, words: &[String], ground, pieces, parts| {
            Plan::new(program, words, ground, pieces, parts).digest().to_owned()
        };
        let one = digest("grundy 9", &words, "", piece(4, 1.0), 2);
        assert_eq!(one, digest("grundy 9", &words, "", piece(4, 2.0), 2));
        assert_ne!(one, digest("grundy 8", &words, "", piece(4, 1.0), 2));
        assert_ne!(one, digest("grundy 9", &words[..1], "", piece(4, 1.0), 2));
        assert_ne!(one, digest("grundy 9", &words, "table", piece(4, 1.0), 2));
        assert_ne!(one, digest("grundy 9", &words, "", piece(5, 1.0), 2));
        assert_ne!(one, digest("grundy 9", &words, "", piece(4, 1.0), 3));
    }

    #[test]
    fn a_line_is_compared_with_the_one_that_is_printed() {
        let task = plan("check nim g>1", 2).task(0, Vec::new());
        task.check_same(&task).unwrap();
        let estimated = Task { core_seconds: 9.0, memory: 9, bytes: 9, ..task.clone() };
        estimated.check_same(&task).unwrap();
        let more = || "more".to_owned();
        let edited = [
            (Task { command: vec![more()], ..task.clone() }, "command"),
            (Task { kind: more(), ..task.clone() }, "kind"),
            (Task { what: more(), ..task.clone() }, "description"),
            (Task { writes: vec![more()], ..task.clone() }, "list of files"),
            (Task { run: more(), ..task.clone() }, "line for doing it by hand"),
        ];
        for (edited, what) in edited {
            let id = &task.id;
            let said = format!(
                "{id} is not a task of its plan: its {what} is not the one that its command gives here"
            );
            assert_eq!(edited.check_same(&task).unwrap_err().to_string(), said);
        }
    }

    /// Its number must be below that of the tasks, which must be right.
    #[test]
    fn what_names_a_task_is_checked() {
        let plan = plan("check nim g>1", 2);
        let task = plan.task(1, Vec::new());
        assert_eq!(plan.index_of(&task).unwrap(), 1);
        let what = |task: Task| match plan.index_of(&task) {
            Err(TaskError::Edited { what, .. }) => what,
            other => panic!("{other:?}"),
        };
        assert_eq!(what(Task { plan: "x".to_owned(), ..task.clone() }), "plan");
        assert_eq!(what(Task { tasks: 1, ..task.clone() }), "number of tasks");
        assert_eq!(what(Task { tasks: 3, ..task.clone() }), "number of tasks");
        assert_eq!(what(Task { index: 2, ..task.clone() }), "index");
        assert_eq!(what(Task { index: u64::MAX, ..task.clone() }), "index");
        assert_eq!(what(Task { index: 0, ..task.clone() }), "id");
        assert_eq!(what(Task { id: "x".to_owned(), ..task.clone() }), "id");
        let older = Task { format: 2, ..task.clone() }.check_program("grundy 9").unwrap_err();
        let said = format!(
            "{} was printed by grundy 9 in format 2, and this is grundy 9 with format 1",
            task.id
        );
        assert_eq!(older.to_string(), said);
        assert!(task.check_program("grundy 8").is_err());
    }

    /// 16 MiB: as long as that is a line, and no longer.
    #[test]
    fn lines_have_a_most() {
        let most = 16 * 1024 * 1024;
        let task = plan("check nim g>1", 2).task(1, Vec::new());
        let line = task.to_line().unwrap();
        assert_eq!(read_lines(&line).unwrap(), std::slice::from_ref(&task));
        let with = |more: usize| Task {
            what: format!("{}{}", task.what, "x".repeat(more)),
            ..task.clone()
        };
        let full = with(most - line.len()).to_line().unwrap();
        assert_eq!(full.len(), most);
        assert_eq!(read_lines(&full).unwrap().len(), 1);
        let long = with(most - line.len() + 1).to_line().unwrap_err();
        assert!(matches!(long, TaskError::Long { line: 2 }));
        assert_eq!(long.to_string(), "line 2 is longer than 16777216 bytes, which no task is");
        let text = format!("{full} ");
        assert!(matches!(read_lines(&text), Err(TaskError::Long { line: 1 })));
    }

    #[test]
    fn lines_in_which_a_text_stands_are_read() {
        let plan = plan("check nim g>1", 2);
        let tasks = [plan.task(0, Vec::new()), plan.task(1, Vec::new())];
        let text = format!("{}\n \n{}\n", tasks[0].to_line().unwrap(), tasks[1].to_line().unwrap());
        assert_eq!(read_lines(&text).unwrap(), tasks);
        assert_eq!(read_some(&text, &tasks[1].id).unwrap(), tasks[1..]);
        assert!(read_some(&text, "no such text").unwrap().is_empty());
        // What stands in no line that is meant is not read.
        let text = format!("{text}{{}}");
        assert_eq!(read_some(&text, &tasks[0].id).unwrap(), tasks[..1]);
        let wrong = read_lines(&text).unwrap_err();
        assert_eq!(wrong.to_string(), "line 4 is not a task");
    }
}
