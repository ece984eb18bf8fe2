use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use grundy::{Control, Number, Parts};
use serde_json::json;
use serde_json::value::RawValue;

use crate::End;
use crate::args::{Common, Finish};
use crate::commands::tasks::{cut, divided};
use crate::output::{Out, tell};
use crate::tasks::recheck::{self, Sample};
use crate::tasks::{Cut, Ending, Results, Task, read_tasks};
use crate::watch::{stop_on_interrupt, with_progress};

pub(crate) fn run(common: &Common, wanted: &Finish, out: &mut Out) -> anyhow::Result<End> {
    let file = wanted.tasks.file.display().to_string();
    let lines = read_tasks(&wanted.tasks.file, "")?;
    let whole = divided(&lines[0])?;
    let common = &Common { given: lines[0].rules.clone(), ..common.clone() };
    let cut = cut(common, &whole)?;
    let mut tasks: BTreeMap<usize, Task> = BTreeMap::new();
    for line in &lines {
        if line.plan != lines[0].plan {
            bail!("{file} has tasks of two plans, {} and {}; give one plan", lines[0].id, line.id);
        }
        let (index, task) = cut.same(line)?;
        tasks.insert(index, task);
    }
    let folder = wanted.tasks.results.as_deref();
    let results = Results::new(folder, common.memory);
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let shares = cut.shares();
    let leaves_files = cut.work.leaves_files();
    let reads_results = !leaves_files || wanted.from_results;
    if wanted.left {
        for (&index, task) in &tasks {
            // A task whose result cannot be read runs again, and its error then says why.
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
                out.line(task.to_line()?)?;
            }
        }
        return Ok(End::Fine);
    }
    if wanted.from_results && !leaves_files {
        bail!("--from-results is for the tasks of a build with shards elsewhere; leave it out");
    }
    if tasks.len() < shares.len() {
        bail!("{file} has {} of the {} tasks of its plan", tasks.len(), shares.len());
    }
    let read = tasks.values().filter(|_| reads_results).map(|task| (task, results.read(task)));
    let lacking: Vec<_> = read.filter_map(|(task, read)| Some((task, read.err()?))).collect();
    if let Some((task, first)) = lacking.first() {
        let count = lacking.len();
        bail!(
            "{count} of {} tasks are not done, such as {}: {first:#}; run the tasks that `--left` prints",
            tasks.len(),
            task.id
        );
    }
    let result = |task: &Task| {
        // A result that cannot be looked at is read, because reading reports the reason.
        let is_there = reads_results || !matches!(results.path(task).try_exists(), Ok(false));
        is_there.then(|| results.read(task)).transpose()
    };
    if let Some(sample) = wanted.recheck
        && !compute_again(sample, wanted.seed, &cut, &tasks, &result, &control, out)?
    {
        return Ok(End::Interrupted);
    }
    let mut all = tasks.iter().filter_map(|(&index, task)| {
        let what = || "the shards and the results must agree; if a result is damaged, delete it";
        let found = result(task).transpose()?;
        let found = if reads_results { found } else { found.with_context(what) };
        Some(found.map(|found| (&shares[index][..], found)))
    });
    let ending = Ending { results: Some(&mut all), control: &control, out };
    if reads_results { cut.work.finish(ending) } else { cut.work.finish_files(ending) }
}

/// Computes a sample of the tasks again, and compares it with their results. It leaves out tasks
/// that give nothing to compare: those without work, and those that complete no shard. Returns
/// false if it was stopped.
fn compute_again(
    sample: Sample,
    seed: Option<u32>,
    cut: &Cut<'_>,
    tasks: &BTreeMap<usize, Task>,
    result: &dyn Fn(&Task) -> anyhow::Result<Option<Box<RawValue>>>,
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<bool> {
    let seed = seed.unwrap_or_else(recheck::new_seed);
    let full: Vec<(&[Parts], &Task)> = tasks
        .iter()
        .map(|(&index, task)| (&cut.shares()[index][..], task))
        .filter(|(share, task)| !share.is_empty() && !task.writes.is_empty())
        .collect();
    if full.is_empty() {
        return Ok(true);
    }
    let chosen = sample.choose(full.iter().map(|(_, task)| &*task.id), seed);
    let (count, size) = (full.len(), chosen.len());
    let total = chosen.iter().map(|&at| cut.work.values(full[at].0)).sum();
    let each = || -> anyhow::Result<Option<Vec<&str>>> {
        let mut others = Vec::new();
        for &at in &chosen {
            let (share, task) = full[at];
            match cut.work.agrees(share, result(task)?.as_deref(), control)? {
                Some(true) => {}
                Some(false) => others.push(&*task.id),
                None => return Ok(None),
            }
        }
        Ok(Some(others))
    };
    let Some(others) = with_progress(control, total, each)? else { return Ok(false) };
    if let Some(first) = others.first() {
        bail!(
            "{} of {size} tasks that were computed again (seed {seed}) differ from their results, \
             such as {first}; this command publishes nothing: delete all results, shards and \
             files .state of the machines that ran them, and run the tasks that `--left` prints",
            others.len()
        );
    }
    let (one, least) = (recheck::chance(count, size, 1), recheck::least_found(count, size));
    if out.is_json() {
        out.object(&json!({ "recheck": {
            "tasks": count, "rechecked": size, "seed": seed, "finds_one": one, "finds_95": least,
        }}))?;
    } else {
        tell(format_args!(
            "grundy: computed {size} of {} again (seed {seed}), and all agree; this would have \
             found one forged task with a probability of {:.1} %, and {least} or more with 95 %",
            Number(count as u64, "task"),
            100.0 * one
        ));
    }
    Ok(true)
}
