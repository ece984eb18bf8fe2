//! `grundy stats`: how often each value occurs.

use anyhow::{anyhow, bail};
use grundy_kernels::Cell;
use grundy_query::{Database, StoredTable, scan};
use grundy_rules::{Game, Position, Table};
use grundy_sweep::{Control, Counts, Histogram, Ladder, Swept, sweep};
use serde_json::json;

use crate::Outcome;
use crate::args::{Common, Stats};
use crate::output::{Out, columns, grouped};
use crate::watch::{stop_on_interrupt, with_progress};

/// Positions beyond which counts are not computed unless they are stored: about a minute.
const LARGEST_COMPUTED: u64 = 1 << 37;

pub(crate) fn run(common: &Common, wanted: &Stats, out: &mut Out) -> anyhow::Result<Outcome> {
    let game: Game = wanted.game.parse()?;
    let database = common.open(f64::INFINITY)?;
    let table = choose(&database, game, wanted)?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let counted = with_progress(&control, table.cells(), || match table.value_bytes() {
        1 => count::<u8>(common, &database, &table, &control),
        _ => count::<u16>(common, &database, &table, &control),
    })?;
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

fn count<T: Cell>(
    common: &Common,
    database: &Database,
    table: &Table,
    control: &Control,
) -> anyhow::Result<Swept<Counts>> {
    if let Some(stored) = database.table(table) {
        return Ok(scan::<T, _>(stored, 0..stored.frames(), control, &Histogram)?);
    }
    if table.positions() > LARGEST_COMPUTED {
        bail!(
            "{table} has {} positions, too many to count here; choose a smaller max pile or length",
            grouped(table.positions())
        );
    }
    let wanted = table.length().saturating_sub(2).max(2);
    let top = Ladder::<T>::top_within(table.max_pile(), wanted, common.memory);
    let mut ladder = Ladder::<T>::new(table.game(), table.max_pile(), common.isa);
    match ladder.extend(top, control) {
        Ok(()) => Ok(sweep(&ladder, table, control, &Histogram)),
        Err(_) => Ok(Swept {
            acc: Counts { values: Vec::new(), first_maximum: Vec::new() },
            cells: 0,
            complete: false,
        }),
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
