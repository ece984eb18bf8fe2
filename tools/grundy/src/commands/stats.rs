use anyhow::anyhow;
use grundy::tables::{
    Counted, OutcomeCounts, RecordCounts, SetCounts, ValueCounts, has_thresholds,
};
use grundy::{Database, Game, Number, Outcome, Pile, Position, StoredTable, Table};
use serde_json::{Value, json};

use crate::End;
use crate::args::{Common, OPENING, Stats, convention_of, id_of, size_option};
use crate::output::{Out, grouped, strings, tell as message};
use crate::watch::{end_of_stopped, stop_after, stop_on_interrupt, with_progress};

/// Maximum number of rare values to list. Few tables have more rare values.
const MOST_LISTED: usize = 20;

pub(crate) fn run(common: &Common, wanted: &Stats, out: &mut Out) -> anyhow::Result<End> {
    let seconds = wanted.within.seconds;
    let game = wanted.game.game(common, seconds.min(OPENING))?;
    let database = common.open(seconds)?;
    let lengths: Vec<_> = match &wanted.length {
        None => vec![game.only_length()],
        // If a game has thresholds, the counts of the longest table include all shorter lengths.
        Some(lengths) if has_thresholds(game) => vec![Some(*lengths.end())],
        Some(lengths) => lengths.clone().map(Some).collect(),
    };
    let size = game.given_size(wanted.max_pile, wanted.max_total)?;
    let tables = lengths.into_iter().map(|length| choose(&database, game, size, length));
    let tables: Vec<Table> = tables.collect::<anyhow::Result<_>>()?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    stop_after(&control, seconds, "");
    for table in tables {
        let count = || database.count(&table, common.isa, &control);
        let Some(counted) = with_progress(&control, table.cells(), count)? else {
            message(format_args!("grundy: stopped before any position of {table} was counted"));
            return Ok(end_of_stopped());
        };
        let stored = database.table(&table).is_some();
        let complete = !control.is_stopped();
        tell(&table, stored, &counted, complete, out)?;
        if !complete {
            return Ok(end_of_stopped());
        }
    }
    Ok(End::Fine)
}

fn tell(
    table: &Table,
    stored: bool,
    counted: &Counted,
    complete: bool,
    out: &mut Out,
) -> anyhow::Result<()> {
    let game = table.game();
    let page = match counted {
        Counted::Values(counts) => values(table, stored, counts),
        Counted::Classes(counts) => classes(table, stored && !has_thresholds(game), counts),
        Counted::Records { counts, exceptions } => records(table, stored, counts, *exceptions),
        Counted::Sets { counts, first_maximum } => {
            sets(table, stored, counts, first_maximum.as_ref())
        }
    };
    if out.is_json() {
        for mut object in page.objects {
            object["game"] = id_of(game).into();
            object["max_pile"] = table.max_pile().into();
            object["source"] = page.source.into();
            object["complete"] = complete.into();
            if let Some(convention) = convention_of(game) {
                object["convention"] = convention.into();
            }
            out.object(&object)?;
        }
        return Ok(());
    }
    if !complete {
        let part = Number(counted.positions(), "position");
        out.line(format!("stopped before the end: this covers only {part} of {table}"))?;
    }
    if let Some(convention) = convention_of(game) {
        out.line(format!("convention: {convention}"))?;
    }
    page.lines.iter().try_for_each(|line| out.line(line))?;
    Ok(out.table(&page.columns)?)
}

fn choose(
    database: &Database,
    game: Game,
    max_pile: Option<Pile>,
    length: Option<usize>,
) -> anyhow::Result<Table> {
    if let (Some(max_pile), Some(length)) = (max_pile, length) {
        return Ok(Table::new(game, max_pile, length)?);
    }
    database
        .tables()
        .iter()
        .map(StoredTable::table)
        .filter(|table| table.game() == game)
        .filter(|table| max_pile.is_none_or(|max_pile| table.max_pile() == max_pile))
        .filter(|table| length.is_none_or(|length| table.has_length(length)))
        .max_by_key(|table| table.positions())
        .map(|table| match length {
            // One table holds the heaps of every number.
            Some(length) if table.length() == 0 => Table::new(game, table.max_pile(), length),
            _ => Ok(table.clone()),
        })
        .transpose()?
        .ok_or_else(|| {
            let is_of = |stored: &StoredTable| stored.table().game().outcomes_of() == Some(game);
            let (folder, size) = (database.folder().display(), size_option(game));
            if database.tables().iter().any(is_of) {
                return anyhow!(
                    "{folder} has the outcomes of {game}, not its values; give both {size} and \
                     --length to compute the values"
                );
            }
            anyhow!(
                "{folder} holds no such table of {game}; give both {size} and --length to compute \
                 its values"
            )
        })
}

struct Page {
    lines: Vec<String>,
    columns: Vec<Vec<String>>,
    objects: Vec<Value>,
    source: &'static str,
}

fn source(stored: bool) -> &'static str {
    if stored { "table" } else { "computed" }
}

fn text(position: Option<&Position>) -> String {
    position.map_or_else(String::new, Position::to_string)
}

/// Returns a clause that names the first position with the maximum, or an empty text.
fn at(first: &str) -> String {
    if first.is_empty() { String::new() } else { format!(", first at {first}") }
}

fn values(table: &Table, stored: bool, counts: &ValueCounts) -> Page {
    let source = source(stored);
    let first = text(counts.first_maximum.as_ref());
    let mut titled = format!("{table} ({source})");
    for (name, least, largest) in table.remembered() {
        let name = if name == "last move" { "last moves" } else { name };
        titled += &format!(", {name} {least} to {largest}");
    }
    let lines = vec![
        titled,
        format!("positions    {}", grouped(counts.positions())),
        format!("P-positions  {}", grouped(counts.p_positions())),
        format!("maximum      {}{}", counts.maximum(), at(&first)),
    ];
    let mut columns = vec![strings(["value", "positions"])];
    let row = |(value, &count): (usize, &u64)| vec![value.to_string(), grouped(count)];
    columns.extend(counts.values.iter().enumerate().map(row));
    let object = json!({
        "length": table.length(),
        "positions": counts.positions(),
        "p_positions": counts.p_positions(),
        "maximum": counts.maximum(),
        "first_maximum": first,
        "histogram": counts.values,
    });
    Page { lines, columns, objects: vec![object], source }
}

/// Describes the outcome classes of each length, or of all lengths together.
fn classes(table: &Table, stored: bool, counts: &[(usize, OutcomeCounts)]) -> Page {
    let (game, max_pile, source) = (table.game(), table.max_pile(), source(stored));
    // If the opponent forbids options, both players have the same moves.
    let is_listed =
        |class: &Outcome| game.blocks() == 0 || matches!(class, Outcome::N | Outcome::P);
    let classes = || (0..).zip(Outcome::ALL).filter(|(_, class)| is_listed(class));
    let header = ["length", "positions"].into_iter().map(str::to_owned);
    let mut page = Page {
        lines: vec![format!("{game}, {} up to {max_pile} ({source})", game.measure())],
        columns: vec![header.chain(classes().map(|(_, class)| class.to_string())).collect()],
        objects: Vec::new(),
        source,
    };
    for (length, counts) in counts {
        let positions: u64 = counts.iter().sum();
        let named = if *length == 0 { "all".to_owned() } else { length.to_string() };
        let mut row = vec![named, grouped(positions)];
        row.extend(classes().map(|(at, _): (usize, _)| grouped(counts[at])));
        page.columns.push(row);
        let mut object = json!({
            "length": length,
            "positions": positions,
        });
        for (at, class) in classes() {
            object[class.to_string()] = counts[at].into();
        }
        page.objects.push(object);
    }
    page
}

/// Describes a table of single piles: their values g(n) and exceptional last moves.
fn records(table: &Table, stored: bool, counts: &RecordCounts, exceptions: bool) -> Page {
    let source = source(stored);
    let singletons = counts.singletons();
    let mut lines =
        vec![format!("{table} ({source})"), format!("rows        {}", grouped(counts.rows))];
    if exceptions {
        lines.push(format!(
            "exceptions  {} in all, {:.2} for each n, at most {} (first at {})",
            grouped(counts.exceptions),
            counts.exceptions as f64 / counts.rows as f64,
            counts.most_exceptions.0,
            counts.most_exceptions.1,
        ));
    }
    lines.push(format!("maximum     g({}) = {}", counts.maximum.1, counts.maximum.0));
    let listed: Vec<String> = singletons
        .iter()
        .take(MOST_LISTED)
        .map(|(value, pile)| format!("{value} at {pile}"))
        .collect();
    let more = if singletons.len() > MOST_LISTED { ", ..." } else { "" };
    lines.push(format!("values <= maximum / 2 that occur once: {}{more}", listed.join(", ")));
    let object = json!({
        "length": table.length(),
        "rows": counts.rows,
        "exceptions": exceptions.then_some(counts.exceptions),
        "most_exceptions": exceptions.then_some(counts.most_exceptions.0),
        "maximum": counts.maximum.0,
        "first_maximum": counts.maximum.1.to_string(),
        "singletons": singletons,
    });
    Page { lines, columns: Vec::new(), objects: vec![object], source }
}

/// Describes how often each value occurs among all sets of moves, for each largest pile.
fn sets(table: &Table, stored: bool, counts: &SetCounts, first: Option<&Position>) -> Page {
    let (source, first) = (source(stored), text(first));
    let maximum = counts.maximum.0;
    let total = counts.total();
    let positions: u64 = total.iter().sum();
    let lost = total.first().copied().unwrap_or(0);
    let piles = || (0..).zip(&counts.piles).skip(1);
    let lines = vec![
        format!("{table} ({source}), every set of moves"),
        format!("positions    {}", grouped(positions)),
        format!("P-positions  {}", grouped(lost)),
        format!("maximum      {maximum}{}", at(&first)),
    ];
    let mut header = vec!["largest pile".to_owned()];
    header.extend((0..total.len()).map(|value| format!("value {value}")));
    let cells = |name: String, counts: &[u64]| {
        let values = (0..total.len()).map(|value| counts.get(value).copied().unwrap_or(0));
        [name].into_iter().chain(values.map(grouped)).collect()
    };
    let mut columns: Vec<Vec<String>> = vec![header];
    columns.extend(piles().map(|(pile, counts): (u32, _)| cells(pile.to_string(), counts)));
    columns.push(cells("all".to_owned(), &total));
    let object = json!({
        "length": table.length(),
        "positions": positions,
        "p_positions": lost,
        "maximum": maximum,
        "first_maximum": first,
        "histogram": total,
        "histogram_by_largest_pile": piles().map(|(_, counts)| counts).collect::<Vec<_>>(),
    });
    Page { lines, columns, objects: vec![object], source }
}
