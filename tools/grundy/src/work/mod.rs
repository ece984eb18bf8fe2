//! What a command does when it is cut into tasks: its pieces, a share of them, and how their results
//! come together.
//!
//! A plan is made from the command alone ([`Cut::of`]), the same on every node: whatever a node has of
//! its own (threads, memory, instruction set, folder) has no part in the cut. So pieces are weighed by
//! what they cost one thread of any machine, with the usual memory.

mod build;
mod diff;
mod question;
mod stats;
mod verify;

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use grundy_builder::publish;
use grundy_shard::publish::{create_folder, read_regular};
use grundy_sweep::Control;
use grundy_tasks::{Piece, Plan, Share, Task, read_some};
use serde_json::value::RawValue;

use crate::End;
use crate::args::{Args, Common, Kind, Tasks};
use crate::output::Out;

/// Who prints tasks and makes results: those of another version are not mixed with ours.
pub(crate) const PROGRAM: &str = concat!("grundy ", env!("CARGO_PKG_VERSION"));

/// The folder of results, unless another is named.
const USUAL_FOLDER: &str = "results";

/// Most bytes of a file of tasks: more than that of a million.
const MOST_TASK_BYTES: u64 = 1 << 30;

/// What tasks brought home, in order, and what each was to do.
pub(crate) type Said<'a> = &'a mut dyn Iterator<Item = anyhow::Result<(&'a Share, Box<RawValue>)>>;

/// A command that can be cut.
pub(crate) trait Work: Sync {
    /// What it works on besides what its options say: of tables their digests.
    fn ground(&self) -> String {
        String::new()
    }

    /// What is to be done, in a fixed order, the same on every node.
    fn pieces(&self) -> anyhow::Result<Vec<Piece>>;

    /// Core seconds that a share may take, as estimated, if anybody set a limit.
    fn seconds(&self) -> f64 {
        f64::INFINITY
    }

    /// Whether shares leave files in the database folder, and no results unless they are asked for.
    fn leaves_files(&self) -> bool {
        false
    }

    /// The files that a share leaves there.
    fn writes(&self, _share: &Share) -> Vec<String> {
        Vec::new()
    }

    /// Values that a share goes through, for those who watch.
    fn values(&self, _share: &Share) -> u64 {
        0
    }

    /// Does a share; what came of it, as JSON. `None` if it was stopped.
    fn run(&self, share: &Share, control: &Control) -> anyhow::Result<Option<String>>;

    /// Whether a share is done, of work that leaves something else than a result.
    fn is_done(&self, _share: &Share, _control: &Control) -> Option<bool> {
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

/// A piece of a library, of which nothing is written but a result.
fn unwritten(piece: grundy_sweep::Piece) -> Piece {
    let grundy_sweep::Piece { name, parts, seconds, memory } = piece;
    Piece { name, parts, seconds, memory, bytes: 0 }
}

/// A command that was cut.
pub(crate) struct Cut<'a> {
    pub(crate) work: Box<dyn Work + 'a>,
    pub(crate) plan: Plan,
}

impl<'a> Cut<'a> {
    pub(crate) fn of(common: &'a Common, wanted: &'a Tasks) -> anyhow::Result<Cut<'a>> {
        let work: Box<dyn Work> = match &wanted.kind {
            Kind::Build(tables) => Box::new(build::Build::new(common, tables)?),
            Kind::Check(check) => Box::new(question::Check::new(common, check)?),
            Kind::Find(find) => Box::new(question::Find::new(common, find)?),
            Kind::Diff(claims) => Box::new(diff::Diff::new(common, claims)?),
            Kind::Verify(verify) => Box::new(verify::Verify::new(common, verify)?),
            Kind::Stats(table) => Box::new(stats::Stats::new(common, table)?),
        };
        let plan = Plan::new(PROGRAM, &wanted.words, &work.ground(), work.pieces()?, wanted.parts);
        Ok(Cut { work, plan })
    }

    /// The line of a task.
    pub(crate) fn task(&self, index: usize) -> Task {
        self.plan.task(index, self.work.writes(&self.plan.shares[index]))
    }
}

impl Cut<'_> {
    /// The number of the task of a line, if it is one that would be printed here.
    pub(crate) fn index_of(&self, line: &Task) -> anyhow::Result<usize> {
        let index = self.plan.index_of(line).map_err(|error| match &line.kind[..] {
            "verify" => {
                anyhow::anyhow!("{error}, or the tables here are not those it was made for")
            }
            _ => error.into(),
        })?;
        line.check_same(&self.task(index))?;
        Ok(index)
    }
}

/// The plan that a line is of, as it was asked for.
pub(crate) fn asked(task: &Task) -> anyhow::Result<Tasks> {
    task.check_program(PROGRAM)?;
    let wanted = Args::of_task(&task.command, task.parts).map_err(|error| {
        let text = match error.use_stderr() {
            true => error.to_string(),
            false => "it asks for help".to_owned(),
        };
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        anyhow::anyhow!("the command of {} cannot be cut: {first}", task.id)
    })?;
    Ok(wanted)
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

/// Where results are.
pub(crate) struct Results {
    folder: PathBuf,
    /// Bytes of memory that reading one has to stay within.
    memory: u64,
}

impl Results {
    pub(crate) fn of(common: &Common, folder: Option<&Path>) -> Results {
        let folder = folder.unwrap_or(Path::new(USUAL_FOLDER)).to_owned();
        Results { folder, memory: common.memory }
    }

    /// The file of a task's result. Its id has been compared with that of its plan.
    pub(crate) fn path(&self, task: &Task) -> PathBuf {
        self.folder.join(format!("{}.json", task.id))
    }

    /// The result of a task.
    pub(crate) fn read(&self, task: &Task) -> anyhow::Result<Box<RawValue>> {
        let path = self.path(task);
        let text = read_regular(&path, self.memory / 3)
            .with_context(|| format!("cannot read the result {}", path.display()))?;
        let read = grundy_tasks::read(task, &text);
        read.with_context(|| format!("cannot take the result {}", path.display()))
    }

    /// Puts the result of a task in its place.
    pub(crate) fn write(&self, task: &Task, result: String) -> anyhow::Result<PathBuf> {
        let path = self.path(task);
        let text = grundy_tasks::seal(task, result)?;
        create_folder(&self.folder)
            .and_then(|()| publish(&path, text.as_bytes()))
            .with_context(|| format!("cannot write the result {}", path.display()))?;
        Ok(path)
    }
}
