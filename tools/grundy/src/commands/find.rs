//! `grundy find`: which positions satisfy a statement?

use std::io;

use anyhow::bail;
use grundy::{Ask, AskError, Question};
use grundy_rules::Position;
use serde_json::json;

use crate::End;
use crate::args::{Common, Find, convention_of, id_of};
use crate::commands::check::{in_words, open, range};
use crate::output::{Out, tell};
use crate::watch::stop_on_interrupt;

/// Why listing ended.
#[derive(Debug, thiserror::Error)]
enum Ended {
    #[error(transparent)]
    Ask(#[from] AskError),
    #[error(transparent)]
    Output(#[from] io::Error),
}

pub(crate) fn run(common: &Common, wanted: &Find, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game()?;
    let question = Question::parse(game, &wanted.predicate)?;
    let (lengths, max_pile) = range(&question, &wanted.sizes);
    let database = open(common, 60.0)?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let ask = Ask::new(&question)
        .database(&database)
        .memory(common.memory)
        .isa(common.isa)
        .control(&control);
    if wanted.count {
        let checked = ask.seconds(wanted.seconds).check(lengths.clone(), max_pile)?;
        let found = checked.checked - checked.failures;
        if out.is_json() {
            out.object(&json!({
                "game": id_of(game), "convention": convention_of(game), "predicate": question.text(), "count": found,
                "checked": checked.checked, "range": in_words(game, &lengths, max_pile),
                "complete": checked.complete,
            }))?;
        } else if checked.complete {
            out.line(found)?;
        }
        if !checked.complete {
            tell("grundy: stopped before the end");
            return Ok(End::Interrupted);
        }
        return Ok(End::Fine);
    }
    if wanted.csv && out.is_json() {
        bail!("--csv and --json are two formats; leave one out");
    }
    let what = match (game.is_impartial(), game.misere_of()) {
        (true, None) => "grundy",
        (true, Some(_)) => "misere_grundy",
        (false, _) => "outcome",
    };
    if wanted.csv {
        out.line(format!("position,{what}"))?;
    }
    let (mut left, is_json) = (wanted.first.unwrap_or(u64::MAX), out.is_json());
    let mut show = |position: &Position, cell: u32| -> Result<bool, Ended> {
        if left == 0 {
            return Ok(false);
        }
        left -= 1;
        // The names of classes are those of their places.
        let outcome =
            grundy::Outcome::ALL.get(cell as usize).map_or(String::new(), ToString::to_string);
        if is_json {
            let value = if game.is_impartial() { json!(cell) } else { json!(outcome) };
            out.object(&json!({ "position": position.to_string(), what: value }))?;
        } else if wanted.csv {
            let value = if game.is_impartial() { cell.to_string() } else { outcome };
            out.line(format!("\"{position}\",{value}"))?;
        } else {
            out.line(position)?;
        }
        Ok(left > 0)
    };
    if wanted.first != Some(0) {
        ask.find(lengths, max_pile, &mut show).map_err(|ended| match ended {
            Ended::Ask(error) => anyhow::Error::from(error),
            Ended::Output(error) => error.into(),
        })?;
    }
    Ok(if control.is_stopped() { End::Interrupted } else { End::Fine })
}
