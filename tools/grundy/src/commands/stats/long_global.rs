//! `grundy stats long-global-nim`.

use grundy_kernels::subsets::{SetRowValues, SubsetTables};
use grundy_query::Database;
use grundy_rules::table::position_of_number;
use grundy_rules::{Layout, Table};
use grundy_sweep::Control;
use grundy_sweep::subsets::{SetCounts, SetRowCounts, count_set_rows, count_sets};
use serde_json::json;

use super::{check_memory, check_size};
use crate::Outcome;
use crate::args::Common;
use crate::output::{Out, columns, grouped};
use crate::watch::with_progress;

pub(super) fn run(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<Outcome> {
    let counted =
        with_progress(control, table.cells(), || count(common, database, table, control))?;
    match counted {
        Some(counts) => print(database, table, &counts, out),
        None => Ok(Outcome::Interrupted),
    }
}

/// Counts a table, from its values if it is stored; `None` if interrupted.
fn count(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
) -> anyhow::Result<Option<SetCounts>> {
    if let Some(stored) = database.table(table) {
        let mut counts = SetCounts::default();
        let mut several = match table.layout() {
            Layout::SetRows(rows) => Some(SetRowCounts::new(rows)),
            _ => None,
        };
        stored.each_frame(|first, cells| {
            match &mut several {
                Some(several) => several.take(cells.iter().map(|&value| value as u8)),
                None => counts.take_cells(table.max_pile(), first, cells),
            }
            control.advance(cells.len() as u64);
            !control.is_stopped()
        })?;
        let counts = several.map_or(counts, SetRowCounts::finish);
        return Ok((!control.is_stopped()).then_some(counts));
    }
    check_size(table)?;
    let Layout::SetRows(rows) = table.layout() else {
        check_memory(table, Some(SubsetTables::bytes(table.max_pile() - 1)), common.memory)?;
        let mut tables = SubsetTables::new(common.isa);
        return Ok(count_sets(&mut tables, table.max_pile(), control).ok());
    };
    let (piles, max_pile) = (table.length() as u32, table.max_pile());
    check_memory(table, Some(SetRowValues::bytes(piles, max_pile)), common.memory)?;
    let mut go_on = || !control.is_stopped();
    let values = SetRowValues::watched(common.isa, piles, max_pile, common.memory, &mut go_on).ok();
    Ok(values.map(|values| count_set_rows(rows, &values)))
}

fn print(
    database: &Database,
    table: &Table,
    counts: &SetCounts,
    out: &mut Out,
) -> anyhow::Result<Outcome> {
    let source = if database.table(table).is_some() { "table" } else { "computed" };
    let (maximum, number) = counts.maximum;
    let first = match table.layout() {
        Layout::Sets => position_of_number(number),
        _ => table.position_at(number),
    };
    let first = first.map_or_else(String::new, |found| found.to_string());
    let total = counts.total();
    let positions: u64 = total.iter().sum();
    let lost = total.first().copied().unwrap_or(0);
    let piles = || (0..).zip(&counts.piles).skip(1);
    if out.is_json() {
        out.object(&json!({
            "game": table.game().id(),
            "max_pile": table.max_pile(),
            "length": table.length(),
            "positions": positions,
            "p_positions": lost,
            "maximum": maximum,
            "first_maximum": first,
            "histogram": total,
            "histogram_by_largest_pile": piles().map(|(_, counts)| counts).collect::<Vec<_>>(),
            "source": source,
        }))?;
        return Ok(Outcome::Fine);
    }
    out.line(format!("{table} ({source}), every set of moves"))?;
    out.line(format!("positions    {}", grouped(positions)))?;
    out.line(format!("P-positions  {}", grouped(lost)))?;
    out.line(format!("maximum      {maximum}, first at {first}"))?;
    let mut header = vec!["largest pile".to_owned()];
    header.extend((0..total.len()).map(|value| format!("value {value}")));
    let mut lines = vec![header];
    let cells = |name: String, counts: &[u64]| {
        let values = (0..total.len()).map(|value| counts.get(value).copied().unwrap_or(0));
        [name].into_iter().chain(values.map(grouped)).collect()
    };
    lines.extend(piles().map(|(pile, counts): (u32, _)| cells(pile.to_string(), counts)));
    lines.push(cells("all".to_owned(), &total));
    for line in columns(&lines) {
        out.line(line)?;
    }
    Ok(Outcome::Fine)
}
