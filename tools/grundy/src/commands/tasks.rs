//! `grundy tasks`: a command, cut into tasks.

use anyhow::bail;
use grundy_tasks::Task;

use crate::End;
use crate::args::{Common, Tasks};
use crate::output::Out;
use crate::work::Cut;

pub(crate) fn run(common: &Common, wanted: &Tasks, out: &mut Out) -> anyhow::Result<End> {
    let cut = Cut::of(common, wanted)?;
    let tasks: Vec<Task> = (0..cut.plan.shares.len()).map(|index| cut.task(index)).collect();
    let allowed = cut.work.seconds();
    if let Some(task) = tasks.iter().find(|task| task.core_seconds > allowed) {
        bail!(
            "task {} ({}) would take about {:.0} core seconds, and {allowed} are allowed; cut it \
             finer with --parts, or allow more with --seconds",
            task.index,
            task.what,
            task.core_seconds
        );
    }
    for task in &tasks {
        out.line(serde_json::to_string(task)?)?;
    }
    Ok(End::Fine)
}
