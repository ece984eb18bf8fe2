//! `grundy stats short-global-nim`.

use grundy_kernels::last_move::LastMoves;
use grundy_kernels::records::Records;
use grundy_query::Database;
use grundy_rules::{Layout, Table};
use grundy_sweep::Control;
use grundy_sweep::heaps::{RowCounts, count_rows};
use serde_json::json;

use super::{check_memory, check_size};
use crate::Outcome;
use crate::args::Common;
use crate::output::{Out, columns, grouped};

/// Permanent values that are listed; there are few.
const MOST_LISTED: usize = 20;

pub(super) fn run(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<Outcome> {
    match table.layout() {
        Layout::Heaps { .. } => rows(common, database, table, control, out),
        _ => last_moves(common, database, table, control, out),
    }
}

/// One pile: g(n) and the exceptional last moves of all rows.
fn rows(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<Outcome> {
    let stored = database.table(table);
    let mut counts = RowCounts::new();
    match stored {
        Some(stored) => stored.each_record(|_, g, left| {
            counts.take(g, left.len() as u32);
            control.advance(table.tile_cells() as u64);
            !control.is_stopped()
        })?,
        None => {
            check_memory(table, Some(Records::bytes(table.max_pile())), common.memory)?;
            match count_rows(table.max_pile(), control) {
                Ok(counted) => counts = counted,
                Err(_) => return Ok(Outcome::Interrupted),
            }
        }
    }
    if control.is_stopped() {
        return Ok(Outcome::Interrupted);
    }
    let source = if stored.is_some() { "table" } else { "computed" };
    let values_only = matches!(table.layout(), Layout::Heaps { values_only: true });
    let singletons = counts.singletons();
    if out.is_json() {
        out.object(&json!({
            "game": table.game().id(),
            "max_pile": table.max_pile(),
            "length": 1,
            "rows": counts.rows,
            "exceptions": (!values_only).then_some(counts.exceptions),
            "most_exceptions": (!values_only).then_some(counts.most_exceptions.0),
            "maximum": counts.maximum.0,
            "first_maximum": counts.maximum.1.to_string(),
            "singletons": singletons,
            "source": source,
        }))?;
        return Ok(Outcome::Fine);
    }
    out.line(format!("{table} ({source})"))?;
    out.line(format!("rows        {}", grouped(counts.rows)))?;
    if !values_only {
        out.line(format!(
            "exceptions  {} in all, {:.2} a row, at most {} (first at {})",
            grouped(counts.exceptions),
            counts.exceptions as f64 / counts.rows as f64,
            counts.most_exceptions.0,
            counts.most_exceptions.1,
        ))?;
    }
    out.line(format!("maximum     g({}) = {}", counts.maximum.1, counts.maximum.0))?;
    let listed: Vec<String> = singletons
        .iter()
        .take(MOST_LISTED)
        .map(|(value, pile)| format!("{value} at {pile}"))
        .collect();
    let more = if singletons.len() > MOST_LISTED { ", ..." } else { "" };
    out.line(format!("values up to half of it that occur once: {}{more}", listed.join(", ")))?;
    Ok(Outcome::Fine)
}

/// Several piles: how often each value occurs over all multisets and last moves.
fn last_moves(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<Outcome> {
    let mut counts: Vec<u64> = Vec::new();
    let mut first = 0;
    let mut take = |offset: u64, value: u32| {
        if counts.len() <= value as usize {
            counts.resize(value as usize + 1, 0);
            first = offset;
        }
        counts[value as usize] += 1;
    };
    let stored = database.table(table);
    if let Some(stored) = stored {
        stored.each_frame(|offset, values| {
            (offset..).zip(values).for_each(|(offset, &value)| take(offset, value));
            control.advance(values.len() as u64);
            !control.is_stopped()
        })?;
    } else if let Layout::LastMoves(multisets) = table.layout() {
        check_size(table)?;
        check_memory(table, LastMoves::bytes(multisets).checked_mul(2), common.memory)?;
        let mut level = LastMoves::empty(table.max_pile());
        for _ in 0..table.length() {
            match level.with_another_pile(|_| !control.is_stopped()) {
                Some(longer) => level = longer,
                None => return Ok(Outcome::Interrupted),
            }
        }
        (0..).zip(level.values()).for_each(|(offset, &value)| take(offset, value.into()));
    }
    if control.is_stopped() {
        return Ok(Outcome::Interrupted);
    }
    let source = if stored.is_some() { "table" } else { "computed" };
    let first = table.position_at(first).map_or_else(String::new, |found| found.to_string());
    let total: u64 = counts.iter().sum();
    if out.is_json() {
        out.object(&json!({
            "game": table.game().id(),
            "max_pile": table.max_pile(),
            "length": table.length(),
            "positions": total,
            "p_positions": counts.first(),
            "maximum": counts.len().saturating_sub(1),
            "first_maximum": first,
            "histogram": counts,
            "source": source,
        }))?;
        return Ok(Outcome::Fine);
    }
    out.line(format!("{table} ({source}), last moves 0 to {}", table.max_pile()))?;
    out.line(format!("positions    {}", grouped(total)))?;
    out.line(format!("P-positions  {}", grouped(counts.first().copied().unwrap_or(0))))?;
    out.line(format!("maximum      {}, first at {first}", counts.len().saturating_sub(1)))?;
    let mut rows = vec![vec!["value".to_owned(), "positions".to_owned()]];
    rows.extend(counts.iter().enumerate().map(|(v, &count)| vec![v.to_string(), grouped(count)]));
    for line in columns(&rows) {
        out.line(line)?;
    }
    Ok(Outcome::Fine)
}
