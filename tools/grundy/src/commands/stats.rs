//! `grundy stats`: how often each value occurs.

mod long_global;
mod short_global;

use anyhow::{anyhow, bail};
use grundy_kernels::Cell;
use grundy_query::{Database, StoredTable, scan};
use grundy_rules::{Game, Layout, Outcome as Class, Position, Table};
use grundy_sweep::outcomes::{OutcomeLevels, count_outcomes};
use grundy_sweep::{Control, Counts, Histogram, Ladder, MultisetLevels, Swept, sweep};
use serde_json::json;

use crate::Outcome;
use crate::args::{Common, Stats};
use crate::output::{Out, bytes, columns, grouped};
use crate::watch::{stop_on_interrupt, with_progress};

/// Positions beyond which counts are not computed unless they are stored: about a minute.
const LARGEST_COMPUTED: u64 = 1 << 37;

pub(crate) fn run(common: &Common, wanted: &Stats, out: &mut Out) -> anyhow::Result<Outcome> {
    let game: Game = wanted.game.parse()?;
    let database = common.open(f64::INFINITY)?;
    let table = choose(&database, game, wanted)?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    if let Layout::LastMoves(_) | Layout::Heaps { .. } = table.layout() {
        return short_global::run(common, &database, &table, &control, out);
    }
    if let Layout::Sets | Layout::SetRows(_) = table.layout() {
        return long_global::run(common, &database, &table, &control, out);
    }
    let counted = with_progress(&control, table.cells(), || match table.layout() {
        Layout::Words(_)
        | Layout::LastMoves(_)
        | Layout::Heaps { .. }
        | Layout::Sets
        | Layout::SetRows(_) => Ok(None),
        Layout::Multisets(_) => count_multisets(common, &database, &table, &control).map(Some),
        Layout::Middles(_) if table.value_bytes() == 1 => {
            count::<u8>(common, &database, &table, &control).map(Some)
        }
        Layout::Middles(_) => count::<u16>(common, &database, &table, &control).map(Some),
    })?;
    let Some(counted) = counted else { return classes(common, &table, &control, out) };
    if !counted.complete {
        return Ok(Outcome::Interrupted);
    }
    print(&database, &table, &counted.acc, out)?;
    Ok(Outcome::Fine)
}

/// The table that is meant.
fn choose(database: &Database, game: Game, wanted: &Stats) -> anyhow::Result<Table> {
    if let (Some(max_pile), Some(length)) = (wanted.max_pile, wanted.length) {
        return Ok(Table::new(game, max_pile, length)?);
    }
    database
        .tables()
        .iter()
        .map(StoredTable::table)
        .filter(|table| table.game() == game)
        .filter(|table| wanted.max_pile.is_none_or(|max_pile| table.max_pile() == max_pile))
        .filter(|table| wanted.length.is_none_or(|length| table.length() == length))
        .max_by_key(|table| table.positions())
        .cloned()
        .ok_or_else(|| {
            anyhow!(
                "no such table of {game} is stored in {}; say both --max-pile and --length to \
                 have it computed",
                database.folder().display()
            )
        })
}

/// Refuses to compute what takes too long.
fn check_size(table: &Table) -> anyhow::Result<()> {
    if table.positions() > LARGEST_COMPUTED {
        bail!(
            "{table} has {} positions, too many to count here; choose a smaller max pile or length",
            grouped(table.positions())
        );
    }
    Ok(())
}

/// Counts a table of multisets, from its values if it is stored.
fn count_multisets(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
) -> anyhow::Result<Swept<Counts>> {
    let none = Swept { acc: Counts::default(), cells: 0, complete: false };
    let values = match (database.table(table), table.layout()) {
        (Some(stored), _) => stored.values()?,
        (None, Layout::Multisets(multisets)) => {
            check_size(table)?;
            let memory = MultisetLevels::bytes(multisets, table.largest_value());
            check_memory(table, Some(memory), common.memory)?;
            let mut levels = MultisetLevels::new(table.game(), table.max_pile());
            if levels.extend(table.length(), control).is_err() {
                return Ok(none);
            }
            let values = levels.level(table.length()).unwrap_or_default();
            values.iter().map(|&value| u32::from(value)).collect()
        }
        (None, _) => return Ok(none),
    };
    let mut acc = Counts::default();
    for (offset, value) in (0..).zip(values) {
        acc.count(value, || {
            table.position_at(offset).map_or_else(Vec::new, |found| found.piles().to_vec())
        });
    }
    control.advance(table.cells());
    Ok(Swept { acc, cells: table.cells(), complete: true })
}

/// Refuses to compute what does not fit into memory.
fn check_memory(table: &Table, needed: Option<u64>, allowed: u64) -> anyhow::Result<()> {
    let needed = needed.unwrap_or(u64::MAX);
    if needed > allowed {
        bail!(
            "{table} takes {} of memory to count and the limit is {}; choose a smaller max pile \
             or length, or raise --memory",
            bytes(needed),
            bytes(allowed)
        );
    }
    Ok(())
}

/// Prints the outcome classes of each length up to that of a table of partizan End-Nim.
/// They come from the moves and not from stored thresholds, which takes less time.
fn classes(
    common: &Common,
    table: &Table,
    control: &Control,
    out: &mut Out,
) -> anyhow::Result<Outcome> {
    check_size(table)?;
    let memory = OutcomeLevels::bytes(table.max_pile(), table.length().max(2) - 1);
    check_memory(table, memory, common.memory)?;
    let Ok(counts) = count_outcomes(table.max_pile(), table.length(), control) else {
        return Ok(Outcome::Interrupted);
    };
    if out.is_json() {
        for (length, counts) in (1..).zip(&counts) {
            let mut object = json!({
                "game": table.game().id(),
                "max_pile": table.max_pile(),
                "length": length,
                "positions": counts.iter().sum::<u64>(),
                "source": "computed",
            });
            for (class, count) in Class::ALL.iter().zip(counts) {
                object[class.to_string()] = (*count).into();
            }
            out.object(&object)?;
        }
        return Ok(Outcome::Fine);
    }
    out.line(format!("{}, piles up to {} (computed)", table.game(), table.max_pile()))?;
    let header = ["length", "positions", "L", "R", "N", "P"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for (length, counts) in (1..).zip(&counts) {
        let mut row = vec![length.to_string(), grouped(counts.iter().sum())];
        row.extend(counts.iter().map(|&count| grouped(count)));
        rows.push(row);
    }
    for line in columns(&rows) {
        out.line(line)?;
    }
    Ok(Outcome::Fine)
}

fn count<T: Cell>(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
) -> anyhow::Result<Swept<Counts>> {
    if let Some(stored) = database.table(table) {
        return Ok(scan::<T, _>(stored, 0..stored.frames(), control, &Histogram)?);
    }
    check_size(table)?;
    let wanted = table.length().saturating_sub(2).max(2);
    let top = Ladder::<T>::top_within(table.max_pile(), wanted, common.memory);
    let mut ladder = Ladder::<T>::new(table.game(), table.max_pile(), common.isa);
    match ladder.extend(top, control) {
        Ok(()) => Ok(sweep(&ladder, table, control, &Histogram)),
        Err(_) => Ok(Swept { acc: Counts::default(), cells: 0, complete: false }),
    }
}

fn print(database: &Database, table: &Table, counts: &Counts, out: &mut Out) -> anyhow::Result<()> {
    let source = if database.table(table).is_some() { "table" } else { "computed" };
    let first = Position::new(counts.first_maximum.clone())?;
    if out.is_json() {
        out.object(&json!({
            "game": table.game().id(),
            "max_pile": table.max_pile(),
            "length": table.length(),
            "positions": counts.positions(),
            "p_positions": counts.p_positions(),
            "maximum": counts.maximum(),
            "first_maximum": first.to_string(),
            "histogram": counts.values,
            "source": source,
        }))?;
        return Ok(());
    }
    out.line(format!("{table} ({source})"))?;
    out.line(format!("positions    {}", grouped(counts.positions())))?;
    out.line(format!("P-positions  {}", grouped(counts.p_positions())))?;
    out.line(format!("maximum      {}, first at {first}", counts.maximum()))?;
    let mut rows = vec![vec!["value".to_owned(), "positions".to_owned()]];
    for (value, &count) in counts.values.iter().enumerate() {
        rows.push(vec![value.to_string(), grouped(count)]);
    }
    for line in columns(&rows) {
        out.line(line)?;
    }
    Ok(())
}
