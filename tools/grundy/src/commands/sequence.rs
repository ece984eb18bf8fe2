//! `grundy sequence`: prints integer sequences in the style of the OEIS.

use anyhow::bail;
use grundy::{
    Control, Count, Database, Domain, Game, Number, Pile, Position, Question, Remembers, counts,
    estimate_counts, has_records, row_values, usual_lengths,
};
use serde_json::json;

use crate::End;
use crate::args::{Common, MOST_PILES, Sequence, SizeBy, convention_of, id_of};
use crate::commands::compare;
use crate::commands::oeis::{self, Terms};
use crate::output::{Out, in_line, tell};
use crate::picture::part;
use crate::watch::{is_interrupted, with_progress};

const TO: Pile = 32;

/// The bytes of a term that is looked up: an answer and its value, or later a term and its JSON.
const TERM_BYTES: u64 = 48;

pub(crate) fn run(common: &Common, wanted: &Sequence, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game(common, wanted.within.seconds)?;
    let (database, control) = common.ready(wanted.within.seconds)?;
    let made = match (&wanted.predicate, &wanted.row) {
        (Some(predicate), None) => {
            match counted(common, game, predicate, wanted, &database, &control)? {
                Some(made) => made,
                None => {
                    tell("grundy: stopped before the end");
                    return Ok(End::Interrupted);
                }
            }
        }
        (Some(_), Some(_)) => {
            bail!("--row and a predicate exclude each other; leave out one of them")
        }
        (None, _) if !wanted.with.files.is_empty() => {
            bail!(
                "--with is for a statement that names another game; give a predicate, or leave \
                 --with out"
            )
        }
        (None, row) => {
            let database = database.clone().watched(|_| !is_interrupted());
            values(common, game, row.as_deref(), wanted, &database)?
        }
    };
    // A stopped row has fewer terms.
    let last = u64::from(wanted.to.unwrap_or(TO));
    let complete = !control.is_stopped() || made.offset + made.terms.len() as u64 > last;
    let end = if complete { End::Fine } else { End::Interrupted };
    if !complete {
        tell("grundy: stopped before the end; the terms up to there are printed");
    }
    let made = from_offset(made, wanted.offset)?;
    if made.terms.is_empty() {
        let (to, first) = (wanted.to.unwrap_or(TO), made.offset);
        bail!("the sequence has no terms up to n = {to}; choose --to {first} or more");
    }
    if wanted.oeis_draft {
        if wanted.list {
            out.line(in_line(&made.terms))?;
        }
        oeis::draft(game, &made, wanted).iter().try_for_each(|line| out.line(line))?;
        tell(format_args!(
            "grundy: search the OEIS for this sequence: {}",
            oeis::search(&made.terms)
        ));
        return Ok(end);
    }
    let meaning = made.meaning();
    let Terms { offset, terms, positions, .. } = made;
    let about = || {
        json!({
            "game": id_of(game), "convention": convention_of(game), "meaning": meaning,
            "offset": offset, "terms": terms, "complete": complete, "positions": positions,
        })
    };
    if let Some(file) = &wanted.compare {
        return compare::run(file, Some(offset), &terms, about(), out);
    }
    if out.is_json() {
        out.object(&about())?;
    } else if wanted.list {
        out.line(in_line(&terms))?;
    } else {
        out.line(format!("# a(n) = {meaning}"))?;
        let command = oeis::Command::of(wanted);
        let all = positions.map_or("all positions".to_owned(), |count| {
            format!("all {}", Number(count, "position"))
        });
        let state = if complete { "complete" } else { "stopped" };
        out.line(format!("# {state}: {all}"))?;
        out.line(format!("# made by grundy {} with: {command}", env!("CARGO_PKG_VERSION")))?;
        for (n, term) in (offset..).zip(&terms) {
            out.line(format!("{n} {term}"))?;
        }
    }
    Ok(end)
}

/// Returns the sequence without the terms before a(offset).
fn from_offset(made: Terms, offset: Option<u64>) -> anyhow::Result<Terms> {
    let Some(wanted) = offset else { return Ok(made) };
    let Some(before) = wanted.checked_sub(made.offset) else {
        bail!("--offset {wanted} is before the first term, a({})", made.offset);
    };
    let terms = made.terms.iter().skip(before as usize).copied().collect();
    // The example and the number of positions are those of the whole sequence.
    let (example, positions) = match before {
        0 => (made.example, made.positions),
        _ => (None, None),
    };
    Ok(Terms { offset: wanted, terms, positions, example, ..made })
}

fn counted(
    common: &Common,
    game: Game,
    predicate: &str,
    wanted: &Sequence,
    database: &Database,
    control: &Control,
) -> anyhow::Result<Option<Terms>> {
    let question = common.question(game, predicate, &wanted.with.files, wanted.within.seconds)?;
    let mut lengths = wanted.length.clone().unwrap_or_else(|| usual_lengths(&question));
    let to = wanted.to.unwrap_or(TO);
    let is_all = lengths == (1..=MOST_PILES);
    if is_all && wanted.by == SizeBy::Max {
        bail!("--length all needs --by total; or give the numbers of piles, as in --length 1..4");
    }
    if wanted.by == SizeBy::Total && game.order().least_pile() > 0 {
        // With n coins there are at most n piles.
        lengths = *lengths.start()..=(*lengths.end()).min((to as usize).max(*lengths.start()));
    }
    let domain = wanted.which.domain()?;
    let ask = common.ask(&question, database, control).seconds(wanted.within.seconds);
    let ask = ask.domain(domain);
    let by = match wanted.by {
        SizeBy::Max => Count::LargestPile,
        SizeBy::Total => Count::Total,
    };
    let (positions, _) = estimate_counts(&ask, lengths.clone(), by, to)?;
    // The number of positions is only an estimate if the size of a position is its number of coins.
    let exact = wanted.by == SizeBy::Max && !game.excludes();
    let found = with_progress(control, positions, || counts(&ask, lengths.clone(), by, to))?;
    let Some(mut terms) = found else { return Ok(None) };
    if wanted.cumulative {
        let mut sum = 0;
        for term in &mut terms {
            sum += *term;
            *term = sum;
        }
    }
    let piles = match (lengths.start(), lengths.end()) {
        _ if is_all => "any number of piles".to_owned(),
        (1, 1) => "1 pile".to_owned(),
        (first, last) if first == last => format!("{first} piles"),
        (first, last) => format!("{first} to {last} piles"),
    };
    let each = match (game.is_unordered(), game.remembers()) {
        (false, Remembers::Nothing) => "positions",
        (true, Remembers::Nothing) => "multisets",
        (_, Remembers::Numbers) if domain == Domain::All => {
            match game.memories().is_some_and(|of| of.states() == 1) {
                true => "positions (multiset and last move)",
                false => "positions (piles and remembered numbers)",
            }
        }
        (_, Remembers::Moves) if domain != Domain::Beginning => {
            "positions (multiset and set of moves left)"
        }
        (_, Remembers::Numbers | Remembers::Moves) => "multisets",
    };
    let mut offset = by.least(game, *lengths.start());
    if game.excludes() && wanted.oeis_draft {
        // Begin with the smallest size that has a position.
        let all = Question::parse(game, "total >= 0")?;
        let ask = common.ask(&all, database, control).seconds(wanted.within.seconds);
        let Some(sizes) = counts(&ask.domain(domain), lengths.clone(), by, to)? else {
            return Ok(None);
        };
        offset = sizes.iter().position(|&size| size > 0).unwrap_or(offset);
    }
    let terms: Vec<u64> = terms.into_iter().skip(offset).collect();
    let size_of = |position: &Position| match by {
        Count::LargestPile => u64::from(position.max_pile()),
        Count::Total => position.coins(),
    };
    let example = match wanted.oeis_draft {
        true => {
            let longest = |n: u64| match by {
                Count::LargestPile => *lengths.end(),
                Count::Total => (*lengths.end()).min(n as usize),
            };
            oeis::example(
                &ask,
                |n| *lengths.start()..=longest(n),
                (offset, &terms),
                |at, n| {
                    let size = size_of(at);
                    size == n || wanted.cumulative && size < n
                },
            )?
        }
        false => None,
    };
    let (each, which) = oeis::which(question.text(), each);
    let most = if wanted.cumulative { "at most " } else { "" };
    let size = match by {
        Count::LargestPile if *lengths.end() == 1 => format!("of {most}n coins"),
        Count::LargestPile => format!("the largest of {most}n coins"),
        Count::Total => format!("{most}n coins in all"),
    };
    let name =
        format!("Number of {each} of {} with {piles}{domain}, {size}{which}.", oeis::title(game));
    let terms = terms.into_iter().map(u64::cast_signed).collect();
    Ok(Some(Terms {
        offset: offset as u64,
        terms,
        positions: exact.then_some(positions),
        name,
        example,
    }))
}

fn values(
    common: &Common,
    game: Game,
    row: Option<&str>,
    wanted: &Sequence,
    database: &Database,
) -> anyhow::Result<Terms> {
    if wanted.cumulative || wanted.length.is_some() {
        bail!(
            "--length and --cumulative are for the numbers of positions that satisfy a predicate"
        );
    }
    if !game.is_impartial() {
        bail!("positions of {game} have no values; give a predicate, as in P, to count positions");
    }
    let to = wanted.to.unwrap_or(TO);
    let word = part(game, "--row", row, 1)?;
    if !(word.is_empty() && has_records(game))
        && let Err(shortage) = common.memory.check(u64::from(to) * TERM_BYTES)
    {
        bail!("cannot compute {}: {shortage}; raise --memory", Number(to.into(), "term"));
    }
    let (mut offset, values) = row_values(database, game, &word, to, &mut || !is_interrupted())?;
    if word.is_empty() && has_records(game) {
        let name = format!("Grundy value of a pile of n coins in {}.", oeis::title(game));
        let terms: Vec<i64> = values.iter().map(|g| i64::from(g.unwrap_or(0))).collect();
        let example =
            terms.get(5).map(|g| format!("a(5) = {g}: a pile of 5 coins has that value."));
        let positions = Some(terms.len() as u64);
        return Ok(Terms { offset, terms, positions, name, example });
    }
    let mut terms: Vec<i64> = values.iter().map(|value| value.map_or(-1, i64::from)).collect();
    let piles: Vec<String> = word.iter().map(Pile::to_string).chain(["n".to_owned()]).collect();
    let at: Vec<String> = word.iter().map(Pile::to_string).chain(["5".to_owned()]).collect();
    let fifth = terms.get(5 - offset as usize).filter(|&&g| g >= 0);
    let example = fifth.map(|g| format!("a(5) = {g}: ({}) has that value.", at.join(",")));
    let positions = terms.iter().filter(|&&g| g >= 0).count();
    let positions = Some(positions as u64);
    if wanted.oeis_draft {
        // Begin with the first position.
        let before = terms.iter().position(|&g| g >= 0).unwrap_or(0);
        terms.drain(..before);
        offset += before as u64;
    }
    let gaps = if terms.contains(&-1) { ", or -1 if there is no such position" } else { "" };
    let name = format!("Grundy value of ({}) in {}{gaps}.", piles.join(","), oeis::title(game));
    Ok(Terms { offset, terms, positions, name, example })
}
