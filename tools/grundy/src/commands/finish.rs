use std::collections::BTreeMap;

use anyhow::{Context as _, bail};

use crate::End;
use crate::args::{Common, Finish};
use crate::commands::tasks::{cut, divided};
use crate::output::Out;
use crate::tasks::{Ending, Results, Task, read_tasks};
use crate::watch::stop_on_interrupt;

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
    let mut all = tasks
        .iter()
        // A result that cannot be looked at is read, because reading reports the reason.
        .filter(|(_, task)| reads_results || !matches!(results.path(task).try_exists(), Ok(false)))
        .map(|(&index, task)| {
            let what =
                || "the shards and the results must agree; if a result is damaged, delete it";
            let result = results.read(task);
            let result = if reads_results { result } else { result.with_context(what) };
            Ok((&shares[index][..], result?))
        });
    let ending = Ending { results: Some(&mut all), control: &control, out };
    if reads_results { cut.work.finish(ending) } else { cut.work.finish_files(ending) }
}
