use std::time::Instant;

use anyhow::bail;
use grundy::Seconds;
use serde_json::{Value, json};

use crate::End;
use crate::args::{Common, Task};
use crate::commands::tasks::{cut, divided};
use crate::output::{Out, tell};
use crate::tasks::{Results, Task as Line, read_tasks};
use crate::watch::{stop_on_interrupt, with_progress};

pub(crate) fn run(common: &Common, wanted: &Task, out: &mut Out) -> anyhow::Result<End> {
    let begun = Instant::now();
    // Parse only lines with this text, because a plan may have a million lines.
    let part = match (&wanted.index, &wanted.id) {
        (Some(index), _) => format!("\"index\":{index},"),
        (None, id) => id.clone().unwrap_or_default(),
    };
    let line = choose(wanted, read_tasks(&wanted.tasks.file, &part)?)?;
    let whole = divided(&line)?;
    let common = &Common { given: line.rules.clone(), ..common.clone() };
    let cut = cut(common, &whole)?;
    let (index, task) = cut.same(&line)?;
    let share = &cut.shares()[index];
    let leaves_files = cut.work.leaves_files();
    let folder = wanted.tasks.results.as_deref();
    let results = (folder.is_some() || !leaves_files).then(|| Results::new(folder, common.memory));
    // A result that cannot be read is computed again, and writing it reports the fault.
    let known = results.as_ref().and_then(|results| results.read(&task).ok());
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let is_there = cut.work.is_done(share, &control).unwrap_or(known.is_some());
    let is_kept = is_there && (known.is_some() || results.is_none());
    let mut said = known.filter(|_| is_there).map(|known| known.get().to_owned());
    if said.is_none() {
        let total = cut.work.values(share);
        said = with_progress(&control, total, || cut.work.run(share, &control))?;
    }
    let Some(said) = said else {
        tell(format_args!("grundy: stopped before the end of {}", task.id));
        return Ok(End::Interrupted);
    };
    let shown: Value = if leaves_files { serde_json::from_str(&said)? } else { Value::Null };
    let path = match &results {
        Some(results) if !is_kept => Some(results.write(&task, said)?),
        Some(results) => Some(results.path(&task)),
        None => None,
    };
    let seconds = begun.elapsed().as_secs_f64();
    if out.is_json() {
        out.object(&json!({
            "id": task.id,
            "kept": is_kept,
            "seconds": seconds,
            "result": path.map(|path| path.display().to_string()),
            "shards": shown.get("shards"),
        }))?;
    } else {
        let went = if is_kept { "was done" } else { "done" };
        out.line(format!("{went} in {}: {} ({})", Seconds(seconds), task.id, task.what))?;
    }
    Ok(End::Fine)
}

fn choose(wanted: &Task, lines: Vec<Line>) -> anyhow::Result<Line> {
    let Task { index, id, tasks } = wanted;
    let file = tasks.file.display();
    let is_meant = |line: &Line| match (index, id) {
        (Some(index), _) => line.index == *index,
        (None, id) => id.as_ref() == Some(&line.id),
    };
    let mut chosen: Vec<Line> = lines.into_iter().filter(is_meant).collect();
    let sought = match (index, id) {
        (Some(index), _) => format!("of index {index}"),
        (None, id) => format!("'{}'", id.as_deref().unwrap_or_default()),
    };
    match (chosen.pop(), chosen.len()) {
        (Some(line), 0) => Ok(line),
        (Some(_), more) => bail!("{file} has {} tasks {sought}; choose one with --id", more + 1),
        (None, _) => bail!("{file} has no task {sought}"),
    }
}
