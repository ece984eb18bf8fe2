use std::io::{self, IsTerminal as _};

use anyhow::{Context, bail};
use grundy::{CheckSummary, Domain, Game, Number, Position, Quantity, Remembers, Totals};
use serde_json::json;

use crate::End;
use crate::args::{Common, Find, OPENING, convention_of, id_of};
use crate::commands::check::{in_words, range};
use crate::commands::compare;
use crate::commands::export::{columns_of, row_of, value_name};
use crate::output::{Out, grouped, in_line, tell};
use crate::watch::{with_listing, with_progress};

/// The bytes of a number in a list that grows, and of its text.
const NUMBER_BYTES: u64 = 16 + 20;

pub(crate) fn run(common: &Common, wanted: &Find, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game(common, wanted.seconds)?;
    let question = common.question(game, &wanted.predicate, &wanted.with.files, wanted.seconds)?;
    let (lengths, max_pile) = range(&question, &wanted.sizes)?;
    let (database, control) = common.ready(wanted.seconds.min(OPENING))?;
    let ask = common.ask(&question, &database, &control).domain(wanted.sizes.which.domain()?);
    if wanted.count {
        let ask = ask.seconds(wanted.seconds);
        let (positions, _) = ask.estimate(lengths.clone(), max_pile)?;
        let checked = with_progress(&control, positions, || {
            ask.clone().show(0).check(lengths.clone(), max_pile)
        })?;
        return tell_count(&ask.summary(checked, &lengths, max_pile, 0), out);
    }
    let reader = common.reader(&wanted.with.files, wanted.seconds)?;
    if let Some(text) = wanted.sum.as_ref().or(wanted.max.as_ref()) {
        let quantity = Quantity::parse_with(game, text, &reader)?;
        let ask = ask.seconds(wanted.seconds);
        let (positions, _) = ask.estimate(lengths.clone(), max_pile)?;
        let totals = || ask.totals(&quantity, lengths.clone(), max_pile);
        let totals = with_progress(&control, positions, totals)?;
        return tell_totals(game, wanted.sum.is_some(), &totals, out);
    }
    let sizes = String::new();
    let listed = wanted.list.as_ref().or(wanted.bfile.as_ref());
    let listed = listed.or(wanted.compare.as_ref().map(|_| &sizes));
    // Without an expression, the list contains the sizes of single piles.
    let is_of_sizes = listed.is_some_and(String::is_empty);
    if is_of_sizes && *lengths.end() > 1 {
        bail!(
            "--list, --bfile and --compare take the sizes of single piles; add --to N, or name a \
             number of each position, as in --list=p1"
        );
    }
    let number = listed.map(|text| if is_of_sizes { "total" } else { text });
    let number = number.map(|text| Quantity::parse_with(game, text, &reader)).transpose()?;
    if is_of_sizes
        && game.remembers() != Remembers::Nothing
        && wanted.sizes.which.domain()? == Domain::All
    {
        bail!(
            "{game} has several positions of each size, so --list and --bfile need \
             --positions beginning"
        );
    }
    let most = wanted.first.unwrap_or(u64::MAX);
    // The position without piles counts as one of the first.
    let mut list: Vec<i64> = match is_of_sizes && most > 0 && ask.holds_without_piles()? {
        true => vec![0],
        false => Vec::new(),
    };
    let form = Form { game, csv: wanted.csv, longest: *lengths.end() };
    form.header(out)?;
    let (mut left, mut last) = (most - list.len() as u64, None);
    let (positions, _) = ask.estimate(lengths.clone(), max_pile)?;
    // Only csv and JSON show values.
    let ask = if wanted.csv || out.is_json() { ask } else { ask.without_values() };
    let ask = ask.first(left);
    let is_seen = io::stdout().is_terminal();
    if left > 0 {
        with_listing(&control, positions, |bar| {
            let mut goes_on = |position: &Position| {
                left -= 1;
                last = Some(position.clone());
                left > 0
            };
            match &number {
                Some(number) => ask.numbers(number, lengths, max_pile, |position, number| {
                    list.push(i64::try_from(number).with_context(|| {
                        format!("the number {number} at {position} is too large for a list")
                    })?);
                    let needed = list.len() as u64 * NUMBER_BYTES;
                    if let Err(shortage) = common.memory.check(needed) {
                        bail!(
                            "cannot list the numbers: {shortage}; raise --memory, or leave out \
                             --list and --bfile"
                        );
                    }
                    Ok(goes_on(position))
                }),
                None => ask.find(lengths, max_pile, |position, cell| -> anyhow::Result<bool> {
                    form.line(position, cell, out)?;
                    if is_seen {
                        bar.suspend(|| out.flush())?;
                    }
                    Ok(goes_on(position))
                }),
            }
        })?;
    }
    if let Some(file) = &wanted.compare {
        let about = json!({ "game": id_of(game), "complete": !control.is_stopped() });
        let end = compare::run(file, None, &list, about, out)?;
        if control.is_stopped() {
            tell("grundy: stopped; the list is incomplete");
            return Ok(End::Interrupted);
        }
        return Ok(end);
    }
    if number.is_some() {
        tell_list(game, &list, wanted.list.is_some(), out)?;
    }
    if !control.is_stopped() {
        let all = positions + u64::from(is_of_sizes && game.has_empty_position());
        return form.end(most - left, most, all, out);
    }
    let found = Number(most - left, "position");
    tell(match last {
        Some(last) => format!("grundy: stopped after {last}; {found} up to there are listed"),
        None if !list.is_empty() => "grundy: stopped; the list is incomplete".to_owned(),
        None => "grundy: stopped before a position was listed".to_owned(),
    });
    Ok(End::Interrupted)
}

struct Form {
    game: Game,
    csv: bool,
    /// The largest number of piles. Positions with fewer piles leave the last columns empty.
    longest: usize,
}

impl Form {
    fn header(&self, out: &mut Out) -> anyhow::Result<()> {
        if self.csv && out.is_json() {
            bail!("--csv and --json exclude each other; leave out one of them");
        }
        if self.csv {
            let columns = columns_of(self.game, self.longest).join(",");
            out.line(format!("{columns},{}", value_name(self.game)))?;
        }
        Ok(())
    }

    fn line(&self, position: &Position, cell: u32, out: &mut Out) -> io::Result<()> {
        let outcome = || self.game.class_of(cell).to_string();
        let is_impartial = self.game.is_impartial();
        if out.is_json() {
            let mut found = json!({ "position": position.to_string() });
            match is_impartial {
                true => found["grundy"] = cell.into(),
                false => found["outcome"] = outcome().into(),
            }
            if let Some(convention) = convention_of(self.game) {
                found["convention"] = convention.into();
            }
            out.object(&found)
        } else if self.csv {
            let mut columns = row_of(position, self.longest);
            columns.push(if is_impartial { cell.to_string() } else { outcome() });
            out.line(columns.join(","))
        } else {
            out.line(position)
        }
    }

    /// Prints the number of listed positions, and whether the list is complete.
    fn end(&self, found: u64, most: u64, all: u64, out: &mut Out) -> anyhow::Result<End> {
        let complete = found < most;
        // If the rules exclude positions, do not print `all`, which counts these positions too.
        let all = (!self.game.excludes()).then_some(all);
        if out.is_json() {
            out.object(&json!({ "complete": complete, "found": found, "positions": all }))?;
            return Ok(End::Fine);
        }
        out.flush()?;
        let count = if found == 0 { "none".to_owned() } else { grouped(found) };
        let all = all.map(|all| Number(all, "position"));
        tell(match (complete, all) {
            (true, Some(all)) => format!("grundy: complete: {count} of all {all}"),
            (true, None) => format!("grundy: complete: {count} of all positions"),
            (false, all) => {
                let range = all.map_or(String::new(), |all| format!(" in a range of {all}"));
                format!("grundy: incomplete: stopped after {}{range}", Number(found, "position"))
            }
        });
        Ok(End::Fine)
    }
}

/// Prints the sizes of single piles in one line, or as a b-file.
fn tell_list(game: Game, list: &[i64], is_line: bool, out: &mut Out) -> io::Result<()> {
    if out.is_json() {
        return out.object(&json!({ "game": id_of(game), "list": list }));
    }
    if is_line {
        return out.line(in_line(list));
    }
    (1..).zip(list).try_for_each(|(n, number): (u64, _)| out.line(format!("{n} {number}")))
}

fn tell_totals(game: Game, is_sum: bool, totals: &Totals, out: &mut Out) -> anyhow::Result<End> {
    let Totals { count, sum, ref largest, complete } = *totals;
    let (most, at) = (largest.as_ref().map(|(most, _)| most), largest.as_ref().map(|(_, at)| at));
    if out.is_json() {
        let at = at.map(Position::to_string);
        // A number of JSON may have too few digits for a sum.
        out.object(&json!({
            "game": id_of(game), "convention": convention_of(game), "count": count,
            "sum": sum.to_string(), "max": most.map(i128::to_string), "position": at,
            "complete": complete,
        }))?;
    } else if is_sum {
        out.line(sum)?;
    } else if let (Some(most), Some(at)) = (most, at) {
        out.line(format!("{most}  {at}"))?;
    }
    tell(match (complete, count) {
        (false, _) => format!("grundy: stopped; this covers only {}", Number(count, "position")),
        (true, 0) => "grundy: complete: no position".to_owned(),
        (true, _) => format!("grundy: complete: {}", Number(count, "position")),
    });
    Ok(if complete { End::Fine } else { End::Interrupted })
}

fn tell_count(summary: &CheckSummary, out: &mut Out) -> anyhow::Result<End> {
    let CheckSummary { game, checked, complete, .. } = *summary;
    let found = checked - summary.failures;
    if out.is_json() {
        out.object(&json!({
            "game": id_of(game), "convention": convention_of(game), "predicate": summary.statement,
            "count": found, "checked": checked,
            "range": in_words(summary), "complete": complete,
        }))?;
    } else if complete {
        out.line(found)?;
    }
    if !complete {
        tell("grundy: stopped before the end");
        return Ok(End::Interrupted);
    }
    Ok(End::Fine)
}
