//! Work cut into tasks, so that any scheduler can drive it.
//!
//! The work is a line of pieces ([`Piece`]), which is [cut](grundy::cut()) into shares of
//! nearly equal cost. A share is what a [`Task`] does. What the pieces are, and what their shares come to,
//! is said by the command that is cut ([`Divisible`]).
//!
//! A plan is made from the command alone ([`Cut::new`]), the same on every node: whatever a node has of
//! its own (threads, memory, instruction set, folder) has no part in the cut. So pieces are weighed by
//! what they cost one thread of any machine, with the usual memory.
//!
//! A task is a line of JSON that says by which command the plan was made, so a node needs no more than
//! that line and the program: it makes the plan again, and refuses a line that is not what it would
//! have printed itself. That is how a line edited by hand, or printed by another version, is found out:
//! there is nothing in it that is believed.
//!
//! A task brings home a [result](result) with the digest of all that it says, and of which plan,
//! task and program it is. Results of other plans, or of other programs that may have counted
//! otherwise, are refused before anything is merged. The digest guards against damage and against
//! mixing up, not against forgery.

mod line;
mod result;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy::{Control, MemoryLimit, Parts, Piece};
use grundy_builder::publish;
use grundy_shard::publish::{create_folder, read_regular};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::End;
use crate::output::Out;

pub(crate) use line::Task;
use line::{TaskError, TaskPlan, read_some};

const PROGRAM: &str = concat!("grundy ", env!("CARGO_PKG_VERSION"));

/// The folder of results, unless another is named.
const USUAL_FOLDER: &str = "results";

/// Most bytes of a file of tasks: more than that of a million.
const MOST_TASK_BYTES: u64 = 1 << 30;

pub(crate) type Said<'a> =
    &'a mut dyn Iterator<Item = anyhow::Result<(&'a [Parts], Box<RawValue>)>>;

/// A command that can be cut.
pub(crate) trait Divisible: Sync {
    fn ground(&self) -> String {
        String::new()
    }

    fn pieces(&self) -> anyhow::Result<Vec<Piece>>;

    /// Core seconds that a share may take, as estimated, if anybody set a limit.
    fn seconds(&self) -> f64 {
        f64::INFINITY
    }

    fn leaves_files(&self) -> bool {
        false
    }

    /// The files that a share leaves there.
    fn writes(&self, _share: &[Parts]) -> Vec<String> {
        Vec::new()
    }

    /// Bytes that a share writes beside its result, estimated.
    fn bytes(&self, _share: &[Parts]) -> u64 {
        0
    }

    /// The values of each piece and its parts, for those who watch.
    fn sizes(&self) -> Vec<(u64, u64)> {
        Vec::new()
    }

    /// Values that a share goes through, about.
    fn values(&self, share: &[Parts]) -> u64 {
        let sizes = self.sizes();
        let each = share.iter().filter_map(|(number, parts)| {
            let (values, all) = sizes.get(*number)?;
            Some(values.div_ceil((*all).max(1)).saturating_mul(parts.end - parts.start))
        });
        each.fold(0, u64::saturating_add)
    }

    /// Does a share; what came of it, as JSON. `None` if it was stopped.
    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>>;

    fn is_done(&self, _share: &[Parts], _control: &Control) -> Option<bool> {
        None
    }

    /// Puts all shares together and tells what came of it, as the command itself would. Results come
    /// in order; of work that leaves something else there are none, unless they were asked for.
    fn finish(
        &self,
        results: Option<Said<'_>>,
        control: &Control,
        out: &mut Out,
    ) -> anyhow::Result<End>;
}

pub(crate) fn each<'a, T: DeserializeOwned>(
    results: Option<Said<'a>>,
    command: &'static str,
) -> impl Iterator<Item = anyhow::Result<(&'a [Parts], T)>> {
    results.into_iter().flatten().map(move |result| {
        let (share, result) = result?;
        let read = serde_json::from_str(result.get());
        Ok((share, read.with_context(|| format!("the result of a task of {command} is not one"))?))
    })
}

/// Reads all results of tasks at once, without the parts that they are of.
pub(crate) fn all<T: DeserializeOwned>(
    results: Option<Said<'_>>,
    command: &'static str,
) -> anyhow::Result<Vec<T>> {
    each(results, command).map(|result| Ok(result?.1)).collect()
}

/// The finding of a share as its result; `None` of one that was stopped.
pub(crate) fn to_json(found: Option<impl Serialize>) -> anyhow::Result<Option<String>> {
    Ok(found.map(|found| serde_json::to_string(&found)).transpose()?)
}

pub(crate) struct Cut<'a> {
    pub(crate) work: Box<dyn Divisible + 'a>,
    plan: TaskPlan,
}

impl<'a> Cut<'a> {
    /// Cuts a command, of which `words` are the name and the options, into at most `parts` tasks.
    pub(crate) fn new(
        work: Box<dyn Divisible + 'a>,
        words: &[String],
        parts: u64,
    ) -> anyhow::Result<Cut<'a>> {
        let plan = TaskPlan::new(PROGRAM, words, &work.ground(), work.pieces()?, parts);
        Ok(Cut { work, plan })
    }

    pub(crate) fn shares(&self) -> &[Vec<Parts>] {
        &self.plan.shares
    }

    pub(crate) fn task(&self, index: usize) -> Task {
        let share = &self.plan.shares[index];
        self.plan.task(index, self.work.writes(share), self.work.bytes(share))
    }

    /// The task of a line as it is printed here, and its number.
    pub(crate) fn same(&self, line: &Task) -> anyhow::Result<(usize, Task)> {
        self.plan.same(line, |index| self.task(index)).map_err(|error| match &error {
            TaskError::Edited { what: "plan", .. } if line.kind == "verify" => {
                anyhow::anyhow!("{error}, or the tables here are not those it was made for")
            }
            _ => error.into(),
        })
    }
}

impl Task {
    pub(crate) fn check_ours(&self) -> Result<(), TaskError> {
        self.check_program(PROGRAM)
    }
}

/// Reads task lines from a file, or from standard input: those in which a text stands.
pub(crate) fn read_tasks(file: &Path, part: &str) -> anyhow::Result<Vec<Task>> {
    let (name, bytes) = if file == Path::new("-") {
        let mut bytes = Vec::new();
        let most = MOST_TASK_BYTES + 1;
        io::stdin()
            .lock()
            .take(most)
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
        if bytes.len() as u64 == most {
            bail!("standard input is longer than {MOST_TASK_BYTES} bytes, which no plan is");
        }
        ("standard input".to_owned(), bytes)
    } else {
        let bytes = read_regular(file, MOST_TASK_BYTES)
            .with_context(|| format!("cannot read the tasks in {}", file.display()))?;
        (file.display().to_string(), bytes)
    };
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{name} is no text"))?;
    let mut tasks =
        read_some(&text, part).with_context(|| format!("cannot read the tasks in {name}"))?;
    // A line that stands there twice is one.
    tasks.dedup();
    if tasks.is_empty() && part.is_empty() {
        bail!("{name} has no task; `grundy tasks` prints them");
    }
    Ok(tasks)
}

pub(crate) struct Results {
    folder: PathBuf,
    /// Memory to read one result in.
    memory: MemoryLimit,
}

impl Results {
    pub(crate) fn new(folder: Option<&Path>, memory: MemoryLimit) -> Results {
        let folder = folder.unwrap_or(Path::new(USUAL_FOLDER)).to_owned();
        Results { folder, memory }
    }

    /// The file of a task's result. Its id has been compared with that of its plan.
    pub(crate) fn path(&self, task: &Task) -> PathBuf {
        self.folder.join(format!("{}.json", task.id))
    }

    pub(crate) fn read(&self, task: &Task) -> anyhow::Result<Box<RawValue>> {
        let path = self.path(task);
        let text = read_regular(&path, self.memory.share(3).bytes())
            .with_context(|| format!("cannot read the result {}", path.display()))?;
        let read = result::read(task, text);
        read.with_context(|| format!("cannot take the result {}", path.display()))
    }

    pub(crate) fn write(&self, task: &Task, result: String) -> anyhow::Result<PathBuf> {
        let path = self.path(task);
        let text = result::write(task, result)?;
        create_folder(&self.folder)
            .and_then(|()| publish(&path, text.as_bytes()))
            .with_context(|| format!("cannot write the result {}", path.display()))?;
        Ok(path)
    }
}
