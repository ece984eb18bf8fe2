//! `grundy tasks`: a command, cut into tasks.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::bail;
use grundy_tasks::Task;

use crate::End;
use crate::args::{Args, Common, Kind, Tasks};
use crate::commands::own;
use crate::output::Out;
use crate::work::Cut;

pub(crate) fn run(common: &Common, wanted: &Tasks, out: &mut Out) -> anyhow::Result<End> {
    if let Kind::Diff(diff) = &wanted.kind
        && !own::choose(own::read(&diff.own.folder)?, &diff.claims).0.is_empty()
    {
        bail!(
            "claims of your own are cut by `grundy tasks check`, each by itself; name those of the \
             papers, as in ch."
        );
    }
    let again;
    let mut wanted = wanted;
    if let Kind::Verify(verify) = &wanted.kind
        && verify.run.is_none()
    {
        again = of_now(wanted)?;
        wanted = &again;
    }
    let cut = Cut::of(common, wanted)?;
    let tasks: Vec<Task> = (0..cut.plan.shares.len()).map(|index| cut.task(index)).collect();
    let allowed = cut.work.seconds();
    if let Some(task) = tasks.iter().find(|task| task.core_seconds > allowed) {
        bail!(
            "task {} ({}) would take about {:.2} core seconds, and {allowed} are allowed; cut it \
             finer with --parts, if it can be, or allow more with --seconds",
            task.index,
            task.what,
            task.core_seconds
        );
    }
    for task in &tasks {
        out.line(task.to_line()?)?;
    }
    Ok(End::Fine)
}

/// The same command, as of now: bytes may have changed since somebody else asked.
fn of_now(wanted: &Tasks) -> anyhow::Result<Tasks> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos();
    let mut command = wanted.words.clone();
    command.splice(1..1, ["--run".to_owned(), now.to_string()]);
    Ok(Args::of_task(&command, wanted.parts)?)
}
