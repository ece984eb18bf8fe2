mod build;
mod check;
mod diff;

use crate::End;
use crate::args::{Args, Common, DivisibleCommand, Tasks};
use crate::commands::own;
use crate::output::{Out, tell};
use crate::tasks::{Cut, Divisible, Task};
use anyhow::{anyhow, bail};
use grundy::{Number, Seconds};

pub(crate) fn run(common: &Common, wanted: &Tasks, out: &mut Out) -> anyhow::Result<End> {
    if let DivisibleCommand::Diff(diff) = &wanted.kind
        && !own::choose(own::read(common, &diff.own.folder, diff.within.seconds)?, &diff.claims)
            .0
            .is_empty()
    {
        bail!(
            "to divide the check of your own claim, use `grundy tasks check` with its statement; \
             `tasks diff` takes only claims of papers, as in ch."
        );
    }
    let cut = cut(common, wanted)?;
    let tasks: Vec<Task> = (0..cut.shares().len()).map(|index| cut.task(index)).collect();
    let allowed = cut.work.seconds();
    if let Some(task) = tasks.iter().find(|task| task.core_seconds > allowed) {
        bail!(
            "task {} ({}) would take about {} on one core, but the limit is {}; choose more \
             --parts, or raise --seconds",
            task.index,
            task.what,
            Seconds(task.core_seconds),
            Seconds(allowed)
        );
    }
    let full = cut.shares().iter().filter(|share| !share.is_empty()).count();
    if full < tasks.len() {
        let empty = tasks.len() - full;
        let does = if empty == 1 { "does" } else { "do" };
        let (full, empty) = (Number(full as u64, "task"), Number(empty as u64, "task"));
        let longest = tasks.iter().max_by(|a, b| a.core_seconds.total_cmp(&b.core_seconds));
        let why = longest.map(|task| format!(", because {} is not divided further", task.what));
        let why = why.unwrap_or_default();
        tell(format_args!(
            "grundy: the work fits into {full}{why}; {empty} at the end {does} nothing"
        ));
    }
    let waiting = tasks.iter().filter(|task| !task.after.is_empty()).count();
    if waiting > 0 {
        tell(format_args!(
            "grundy: {} with what an earlier task leaves; lines name that task in `after`",
            if waiting == 1 { "1 task begins".into() } else { format!("{waiting} tasks begin") }
        ));
    }
    for task in &tasks {
        out.line(task.to_line()?)?;
    }
    Ok(End::Fine)
}

pub(super) fn cut<'a>(common: &'a Common, wanted: &'a Tasks) -> anyhow::Result<Cut<'a>> {
    let work: Box<dyn Divisible> = match &wanted.kind {
        DivisibleCommand::Build(tables) => Box::new(build::Build::new(common, tables)?),
        DivisibleCommand::Check(check) => Box::new(check::Check::new(common, check)?),
        DivisibleCommand::Diff(claims) => Box::new(diff::Diff::new(common, claims)?),
    };
    Cut::new(common, work, &wanted.words, wanted.parts)
}

pub(super) fn divided(task: &Task) -> anyhow::Result<Tasks> {
    task.check_ours()?;
    let wanted = Args::of_task(&task.command, task.wanted_parts()).map_err(|error| {
        let text = match error.use_stderr() {
            true => error.to_string(),
            false => "it asks for help".to_owned(),
        };
        let first = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
        anyhow!("the command of {} cannot be divided: {first}", task.id)
    })?;
    Ok(wanted)
}
