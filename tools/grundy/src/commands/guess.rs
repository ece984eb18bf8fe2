use std::sync::Arc;

use anyhow::bail;
use grundy::{Control, FoundLaw, Guess, LawKind, Number, usual_max_pile};
use serde_json::json;

use crate::End;
use crate::args::{Common, GuessLaws, convention_of, id_of, named, size_option};
use crate::output::{Out, grouped, tell};
use crate::watch::{end_search, stop_after};

pub(crate) fn run(common: &Common, wanted: &GuessLaws, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game(common, wanted.seconds)?;
    let Some(length) = wanted.length.or(game.only_length()) else {
        bail!("positions of {game} have several lengths; give the number of piles by --length K");
    };
    let given = game.given_size(wanted.max_pile, wanted.max_total)?;
    let max_pile = given.unwrap_or_else(|| usual_max_pile(game, length, Guess::USUAL_POSITIONS));
    let (database, control) = common.ready(wanted.seconds)?;
    let (memory, isa) = (common.memory, common.isa);
    let database = Some(&database);
    let (seconds, control) = (wanted.seconds, &*control);
    let guess = Guess { game, length, max_pile, database, memory, isa, seconds, control };
    // `Guess` has its own time limit.
    let searching = Arc::new(Control::new());
    stop_after(&searching, f64::INFINITY, "searching");
    let guessed = guess.run();
    drop(searching);
    end_search();
    let guessed = guessed?;
    let (sampled, positions) = guessed.sample;
    let tried_to = guessed.found.iter().map(|found| found.tried_to).min();
    if out.is_json() {
        for found in &guessed.found {
            out.object(&json!({
                "game": id_of(game),
                "convention": convention_of(game),
                "statement": found.statement,
                "kind": in_words(found.kind),
                "about": found.subject,
                "checked": found.checked,
                "constrained": found.constrained,
                "length": length,
                "max_pile": max_pile,
                "sampled": sampled,
                "tried_to": found.tried_to,
                "complete": guessed.complete,
            }))?;
        }
    } else {
        for found in &guessed.found {
            out.line(&found.statement)?;
            out.line(format!("    {}", remark(found)))?;
        }
        let holding = match guessed.found.len() {
            0 if !guessed.complete => "the search stopped before it found a statement that \
                                       holds"
                .to_owned(),
            0 => "no statement holds".to_owned(),
            1 => "1 statement holds".to_owned(),
            count => format!("{count} statements hold"),
        };
        let all = guessed.found.first().map_or(" at all positions".to_owned(), |found| {
            format!(" at all {}", Number(found.checked, "position"))
        });
        let more = match guessed.refuted {
            1 => "1 other statement holds there but fails on larger piles".to_owned(),
            count => {
                format!("{} other statements hold there but fail on larger piles", grouped(count))
            }
        };
        let size = game.measure();
        let beyond = tried_to.filter(|&tried_to| tried_to > max_pile);
        out.line(format!(
            "{holding}{all} of {} with {size} <= {max_pile} and length {length}; the search used \
             the {} positions with {size} <= {sampled}; {more}{}",
            named(game),
            grouped(positions),
            beyond.map_or(String::new(), |to| format!(
                "; statements that hold were also tested with {size} <= {to}"
            )),
        ))?;
    }
    if tried_to.is_some_and(|tried_to| tried_to <= sampled) {
        tell(format_args!(
            "grundy: the statements were found and tested on the same positions; raise {} above \
             {sampled} to test them on others",
            size_option(game)
        ));
    }
    if !guessed.complete && !control.is_stopped() {
        tell("grundy: out of time before all statements were tested; raise --seconds");
    }
    Ok(if control.is_stopped() { End::Interrupted } else { End::Fine })
}

fn in_words(kind: LawKind) -> &'static str {
    match kind {
        LawKind::Formula => "formula",
        LawKind::Equivalence => "equivalence",
        LawKind::Symmetry => "symmetry",
        LawKind::Period => "period",
        LawKind::Necessary => "necessary condition",
        LawKind::Bound => "bound",
    }
}

fn remark(found: &FoundLaw) -> String {
    let positions = Number(found.constrained, "position");
    match found.kind {
        LawKind::Equivalence | LawKind::Necessary => {
            format!("{}, of {positions} with {}", in_words(found.kind), found.subject)
        }
        kind => format!("{}, of {positions}", in_words(kind)),
    }
}
