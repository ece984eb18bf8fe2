//! Work divided into tasks, for any scheduler.
//!
//! The work is a sequence of pieces ([`Piece`]), which is [cut](grundy::cut()) into shares of
//! nearly equal cost. A [`Task`] does one share. The command implements [`Divisible`], which
//! defines the pieces and combines the results.
//!
//! A plan depends only on the command and its input ([`Cut::new`]), so it is the same on every
//! node, whatever the node's threads, memory, instruction set and folder are. So the cost of a
//! piece is an estimate for one thread of any machine, with the default memory.
//!
//! A task is a line of JSON that contains the command of its plan. A node needs only this line and
//! the program. The program recomputes the plan, and refuses a line that it would not print itself.
//! So it never runs an edited line, or a line that another version of the program printed.
//!
//! The [result](result) of a task contains a digest of its content, and the names of the plan, the
//! task and the program. `finish` refuses results of other plans. It also refuses results of other
//! versions, which may count differently. The digest detects damage and mistakes, but not forgery;
//! [spot checks](recheck) find forged results with a known probability.

mod line;
pub(crate) mod recheck;
mod result;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy::{Control, MemoryLimit, Parts, Piece};
use grundy_shard::disk::FileSystem;
use grundy_shard::publish::{create_folder, publish_on, read_regular};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::End;
use crate::args::Common;
use crate::output::Out;

pub(crate) use line::Task;
use line::{TaskError, TaskPlan, read_some, rules_of};

const PROGRAM: &str = concat!("grundy ", env!("CARGO_PKG_VERSION"));

/// The default folder of results.
const USUAL_FOLDER: &str = "results";

/// Maximum bytes of a file of tasks. A million tasks take fewer bytes.
const MOST_TASK_BYTES: u64 = 1 << 30;

pub(crate) type Found<'a> =
    &'a mut dyn Iterator<Item = anyhow::Result<(&'a [Parts], Box<RawValue>)>>;

/// The arguments of [`Divisible::finish`], with the results of all shares.
pub(crate) struct Ending<'a> {
    pub(crate) results: Option<Found<'a>>,
    pub(crate) control: &'a Control,
    pub(crate) out: &'a mut Out,
}

/// A command that can be divided into tasks.
pub(crate) trait Divisible: Sync {
    fn ground(&self) -> String {
        String::new()
    }

    fn pieces(&self) -> anyhow::Result<Vec<Piece>>;

    /// True if each part of a piece begins with what the part before it leaves.
    fn is_chained(&self, _piece: usize) -> bool {
        false
    }

    /// Returns the limit of the estimated time of a share, in seconds of one core.
    fn seconds(&self) -> f64 {
        f64::INFINITY
    }

    fn leaves_files(&self) -> bool {
        false
    }

    /// Returns the files that a share writes besides its result, if the command writes such files.
    fn writes(&self, _share: &[Parts]) -> Option<Vec<String>> {
        None
    }

    /// Returns the files with which a share may begin, besides its input.
    fn begins(&self, _share: &[Parts]) -> Vec<String> {
        Vec::new()
    }

    /// Returns the estimated bytes that a share writes besides its result.
    fn bytes(&self, _share: &[Parts]) -> u64 {
        0
    }

    /// Returns the approximate number of values that a share visits, for the progress bar.
    fn values(&self, _share: &[Parts]) -> u64 {
        0
    }

    /// Runs a share and returns its result as JSON; `None` if it was stopped.
    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>>;

    fn is_done(&self, _share: &[Parts], _control: &Control) -> Option<bool> {
        None
    }

    /// Computes a share again; true if it agrees with the result of its task, or with the files
    /// that the task wrote. `None` if it was stopped.
    fn agrees(
        &self,
        share: &[Parts],
        result: Option<&RawValue>,
        control: &Control,
    ) -> anyhow::Result<Option<bool>> {
        let Some(again) = self.run(share, control)? else { return Ok(None) };
        let again = RawValue::from_string(again)?;
        Ok(Some(result.map_or(Ok(false), |result| recheck::is_same(result, &again))?))
    }

    /// Combines the files that the shares wrote, and compares them with the results, if any exist.
    fn finish_files(&self, ending: Ending<'_>) -> anyhow::Result<End> {
        self.finish(Ending { results: None, ..ending })
    }

    /// Combines the results of all shares, in order, and prints the output of the undivided
    /// command. If the command writes files, `finish` runs only with --from-results.
    fn finish(&self, ending: Ending<'_>) -> anyhow::Result<End>;
}

pub(crate) fn each<'a, T: DeserializeOwned>(
    results: Option<Found<'a>>,
    command: &'static str,
) -> impl Iterator<Item = anyhow::Result<(&'a [Parts], T)>> {
    results.into_iter().flatten().map(move |result| {
        let (share, result) = result?;
        let read = serde_json::from_str(result.get());
        Ok((share, read.with_context(|| format!("the result of a task does not fit {command}"))?))
    })
}

pub(crate) fn all<T: DeserializeOwned>(
    results: Option<Found<'_>>,
    command: &'static str,
) -> anyhow::Result<Vec<T>> {
    each(results, command).map(|result| Ok(result?.1)).collect()
}

/// Returns the result of a share as JSON; `None` if it was stopped.
pub(crate) fn to_json(found: Option<impl Serialize>) -> anyhow::Result<Option<String>> {
    Ok(found.map(|found| serde_json::to_string(&found)).transpose()?)
}

pub(crate) struct Cut<'a> {
    pub(crate) work: Box<dyn Divisible + 'a>,
    plan: TaskPlan,
}

impl<'a> Cut<'a> {
    /// Divides a command into tasks, as [`TaskPlan::new`] does; `words` are its name and options.
    pub(crate) fn new(
        common: &Common,
        work: Box<dyn Divisible + 'a>,
        words: &[String],
        parts: Option<u64>,
    ) -> anyhow::Result<Cut<'a>> {
        let rules = rules_of(common, words);
        let (ground, pieces) = (work.ground(), work.pieces()?);
        let is_chained = |piece| work.is_chained(piece);
        let plan = TaskPlan::new(PROGRAM, words, rules, &ground, pieces, is_chained, parts);
        Ok(Cut { work, plan })
    }

    pub(crate) fn shares(&self) -> &[Vec<Parts>] {
        &self.plan.shares
    }

    pub(crate) fn task(&self, index: usize) -> Task {
        let share = &self.plan.shares[index];
        let after = self.plan.after(index, |piece| self.work.is_chained(piece));
        let begins = self.work.begins(share);
        self.plan.task(index, (after, begins), self.work.writes(share), self.work.bytes(share))
    }

    /// Recomputes the task of a line. Returns the task and its index, or refuses a changed line.
    pub(crate) fn same(&self, line: &Task) -> anyhow::Result<(usize, Task)> {
        Ok(self.plan.same(line, |index| self.task(index))?)
    }
}

impl Task {
    pub(crate) fn check_ours(&self) -> Result<(), TaskError> {
        self.check_program(PROGRAM)
    }
}

/// Reads the task lines that contain the text `part`, from a file or from standard input.
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
            bail!("standard input is longer than {MOST_TASK_BYTES} bytes, too long for a plan");
        }
        ("standard input".to_owned(), bytes)
    } else {
        let bytes = read_regular(file, MOST_TASK_BYTES)
            .with_context(|| format!("cannot read the tasks in {}", file.display()))?;
        (file.display().to_string(), bytes)
    };
    let text = String::from_utf8(bytes).map_err(|_| anyhow::anyhow!("{name} is not text"))?;
    let mut tasks =
        read_some(&text, part).with_context(|| format!("cannot read the tasks in {name}"))?;
    if tasks.is_empty() {
        // Another program may have written the lines again with different spaces.
        tasks = read_some(&text, "").with_context(|| format!("cannot read the tasks in {name}"))?;
    }
    // A repeated line counts once.
    tasks.dedup();
    if tasks.is_empty() {
        bail!("{name} contains no task; `grundy tasks` prints tasks");
    }
    Ok(tasks)
}

pub(crate) struct Results {
    folder: PathBuf,
    /// The memory for reading one result.
    memory: MemoryLimit,
}

impl Results {
    pub(crate) fn new(folder: Option<&Path>, memory: MemoryLimit) -> Results {
        let folder = folder.unwrap_or(Path::new(USUAL_FOLDER)).to_owned();
        Results { folder, memory }
    }

    /// Returns the path of a task's result. The task must belong to the plan.
    pub(crate) fn path(&self, task: &Task) -> PathBuf {
        self.folder.join(format!("{}.json", task.id))
    }

    pub(crate) fn read(&self, task: &Task) -> anyhow::Result<Box<RawValue>> {
        let path = self.path(task);
        let text = read_regular(&path, self.memory.share(3).bytes())
            .with_context(|| format!("cannot read the result {}", path.display()))?;
        let read = result::read(task, text);
        read.with_context(|| format!("cannot use the result {}", path.display()))
    }

    pub(crate) fn write(&self, task: &Task, result: String) -> anyhow::Result<PathBuf> {
        let path = self.path(task);
        let text = result::write(task, result)?;
        create_folder(&self.folder)
            // If the path is a link, replace the link. In a shared folder another user may have
            // made it.
            .and_then(|()| publish_on(&FileSystem, &path, text.as_bytes()))
            .with_context(|| format!("cannot write the result {}", path.display()))?;
        Ok(path)
    }
}
