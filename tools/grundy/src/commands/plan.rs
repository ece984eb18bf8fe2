use grundy_builder::{Plan, PlanError, TablePlan};
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Tables};
use crate::output::{Out, available_space, describe as describe_table, grouped, tell};
use grundy::theorems::{Of, Within, prove};
use grundy::{Bytes, Control, Game, Number, Seconds, Table};

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
    let laws = laws(common, &plan);
    if out.is_json() {
        for planned in &plan.tables {
            out.object(&describe(planned, &laws))?;
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
    let in_turn: Vec<String> = plan
        .unfinished()
        .filter(|planned| planned.is_in_turn())
        .map(|planned| planned.table.to_string())
        .collect();
    if !in_turn.is_empty() {
        out.line(format!(
            "row after row, so that more machines are no faster: {}",
            in_turn.join(", ")
        ))?;
    }
    for (outcomes, values, law) in laws {
        let tables = || plan.tables.iter().filter(|planned| planned.table.game() == outcomes);
        let bytes = tables().map(|planned| planned.bytes).sum::<u64>();
        let of_values = tables().filter_map(TablePlan::bytes_of_values).sum::<u64>();
        // Both numbers are estimates, so small differences say nothing.
        if of_values - of_values / 10 <= bytes {
            out.line(format!(
                "the outcomes of {values} save almost nothing: without --outcomes its values take \
                 about {}",
                Bytes(of_values)
            ))?;
        }
        if let Some(law) = law {
            out.line(law)?;
        }
    }
    Ok(End::Fine)
}

/// The time to look for an automaton that gives the outcomes of a game.
const LAW_SECONDS: f64 = 1.0;

/// Returns the games whose outcomes are planned: the game of the tables, the game itself, and the
/// theorem that gives the outcomes, if a prover soon finds one.
fn laws(common: &Common, plan: &Plan) -> Vec<(Game, Game, Option<String>)> {
    let (memory, control) = (common.memory.bytes(), Control::new());
    let within = Within { memory, seconds: LAW_SECONDS, control: &control };
    let games = plan.request.games.iter().filter_map(|game| Some((*game, game.outcomes_of()?)));
    let law = |(outcomes, game)| {
        let found = prove(game, plan.request.max_pile, Of::Outcomes, &within, |_| {});
        (outcomes, game, found.ok().map(|found| found.statement))
    };
    games.map(law).collect()
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

fn describe(planned: &TablePlan, laws: &[(Game, Game, Option<String>)]) -> serde_json::Value {
    let mut more = json!({
        "shards": planned.geometry.shards(),
        "finished": planned.finished,
        "estimated_bytes": planned.bytes,
        "memory": planned.memory,
        "estimated_seconds": planned.seconds,
        "tasks": planned.parts(),
        "in_turn": planned.is_in_turn(),
    });
    if let Some(bytes) = planned.bytes_of_values() {
        let law = laws.iter().find(|(outcomes, ..)| *outcomes == planned.table.game());
        more["estimated_bytes_of_values"] = bytes.into();
        more["law"] = law.and_then(|(.., law)| law.clone()).into();
    }
    describe_table(&planned.table, more)
}
