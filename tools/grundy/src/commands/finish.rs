//! `grundy finish`: puts together what the tasks of a plan made.

use std::collections::BTreeMap;

use anyhow::bail;
use grundy_tasks::Task;
use serde_json::value::RawValue;

use crate::End;
use crate::args::{Common, Finish};
use crate::output::{Out, tell};
use crate::watch::stop_on_interrupt;
use crate::work::{Cut, Results, asked, read_tasks};

/// Tasks of which the ids are told if they are not done.
const MOST_TOLD: usize = 3;

pub(crate) fn run(common: &Common, wanted: &Finish, out: &mut Out) -> anyhow::Result<End> {
    let file = wanted.tasks.file.display().to_string();
    let lines = read_tasks(&wanted.tasks.file)?;
    let whole = asked(&lines[0])?;
    let cut = Cut::of(common, &whole)?;
    let mut tasks: BTreeMap<usize, Task> = BTreeMap::new();
    for line in &lines {
        if line.plan != lines[0].plan {
            bail!("{file} has tasks of two plans, {} and {}; one at a time", lines[0].id, line.id);
        }
        let index = cut.plan.index_of(line)?;
        tasks.insert(index, cut.task(index));
    }
    let folder = wanted.tasks.results.as_deref();
    let results = Results::of(folder);
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let shares = &cut.plan.shares;
    let leaves_files = shares.first().is_some_and(|share| !cut.work.writes(share).is_empty());
    let reads_results = !leaves_files || wanted.from_results;
    if wanted.left {
        for (&index, task) in &tasks {
            let is_done = match cut.work.is_done(&shares[index], &control) {
                Some(is_done) if !wanted.from_results => {
                    is_done && (folder.is_none() || results.read(task).is_ok())
                }
                _ => results.read(task).is_ok(),
            };
            if control.is_stopped() {
                return Ok(End::Interrupted);
            }
            if !is_done {
                out.line(serde_json::to_string(task)?)?;
            }
        }
        return Ok(End::Fine);
    }
    if wanted.from_results && !leaves_files {
        bail!("--from-results is for tasks of a build, whose shards lie elsewhere; leave it out");
    }
    if tasks.len() < shares.len() {
        bail!("{file} has {} of the {} tasks of its plan", tasks.len(), shares.len());
    }
    let mut read: Vec<Box<RawValue>> = Vec::new();
    let mut lacking = Vec::new();
    for task in tasks.values().filter(|_| reads_results) {
        match results.read(task) {
            Ok(result) => read.push(result),
            Err(error) => lacking.push((task, error)),
        }
    }
    if let Some((task, first)) = lacking.first() {
        for (task, error) in lacking.iter().take(MOST_TOLD).skip(1) {
            tell(format_args!("grundy: {} is not done: {error:#}", task.id));
        }
        let count = lacking.len();
        bail!(
            "{} is not done: {first:#} ({count} of {} tasks in all); do what --left prints",
            task.id,
            tasks.len()
        );
    }
    cut.work.finish(&read, &control, out)
}
