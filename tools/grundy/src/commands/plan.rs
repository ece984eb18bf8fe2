use grundy_builder::{Plan, PlanError, TablePlan};
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Tables};
use crate::output::{Out, available_space, describe as describe_table, grouped, tell};
use grundy::{Bytes, Number, Seconds, Table};

/// Returns the plan for these options, and the result of the check for free disk space.
pub(crate) fn make(
    common: &Common,
    wanted: &Tables,
) -> anyhow::Result<(Plan, Result<(), PlanError>)> {
    let request = wanted.request(common)?;
    let manifest = grundy_builder::manifest(common.folder()?)?;
    let plan = Plan::new(request, &manifest)?;
    let fits = available_space(&common.db).map_or(Ok(()), |available| plan.check_space(available));
    Ok((plan, fits))
}

pub(crate) fn run(common: &Common, wanted: &Tables, out: &mut Out) -> anyhow::Result<End> {
    let (plan, fits) = make(common, wanted)?;
    // The plan may be for another disk, so only print the error.
    if let Err(error) = fits {
        tell(format_args!("grundy: {}", with_advice(&error)));
    }
    if out.is_json() {
        for planned in &plan.tables {
            out.object(&describe(planned))?;
        }
        return Ok(End::Fine);
    }
    let header = ["table", "positions", "values", "shards", "bytes", "memory", "time"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for planned in &plan.tables {
        rows.push(row(planned));
    }
    out.table(&rows)?;
    let total = |figure: fn(&Table) -> u64| {
        plan.unfinished().map(|planned| figure(&planned.table)).sum::<u64>()
    };
    out.line(format!(
        "to build: {} in {}, about {} and {} with {}",
        Number(total(Table::positions), "position"),
        Number(total(Table::cells), "value"),
        Bytes(plan.unfinished().map(|planned| planned.bytes).sum()),
        Seconds(plan.unfinished().map(|planned| planned.seconds).sum()),
        Number(common.threads as u64, "thread"),
    ))?;
    Ok(End::Fine)
}

fn row(planned: &TablePlan) -> Vec<String> {
    let table = &planned.table;
    let mut row = vec![
        table.to_string(),
        grouped(table.positions()),
        grouped(table.values()),
        planned.geometry.shards().to_string(),
    ];
    if planned.finished {
        row.push("finished".to_owned());
    } else {
        row.push(format!("~{}", Bytes(planned.bytes)));
        row.push(Bytes(planned.memory).to_string());
        row.push(format!("~{}", Seconds(planned.seconds)));
    }
    row
}

fn describe(planned: &TablePlan) -> serde_json::Value {
    let more = json!({
        "shards": planned.geometry.shards(),
        "finished": planned.finished,
        "estimated_bytes": planned.bytes,
        "memory": planned.memory,
        "estimated_seconds": planned.seconds,
    });
    describe_table(&planned.table, more)
}
