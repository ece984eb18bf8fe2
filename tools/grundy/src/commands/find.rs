//! `grundy find`: which positions satisfy a statement?

use std::io;

use anyhow::bail;
use grundy::{CheckReport, Game, Outcome, Pile, Position, Question};
use serde_json::json;

use crate::End;
use crate::args::{Common, Find, Lengths, convention_of, id_of};
use crate::commands::check::{in_words, range};
use crate::output::{Out, tell};

pub(crate) fn run(common: &Common, wanted: &Find, out: &mut Out) -> anyhow::Result<End> {
    let game = wanted.game.game()?;
    let question = Question::parse(game, &wanted.predicate)?;
    let (lengths, max_pile) = range(&question, &wanted.sizes);
    let (database, control) = common.ready(60.0)?;
    let ask = common.ask(&question, &database, &control);
    if wanted.count {
        let checked = ask.seconds(wanted.seconds).check(lengths.clone(), max_pile)?;
        return tell_count(&question, &checked, &lengths, max_pile, out);
    }
    let form = Form { game, csv: wanted.csv };
    form.header(out)?;
    let mut left = wanted.first.unwrap_or(u64::MAX);
    let mut show = |position: &Position, cell: u32| -> anyhow::Result<bool> {
        if left == 0 {
            return Ok(false);
        }
        left -= 1;
        form.line(position, cell, out)?;
        Ok(left > 0)
    };
    if wanted.first != Some(0) {
        ask.find(lengths, max_pile, &mut show)?;
    }
    Ok(if control.is_stopped() { End::Interrupted } else { End::Fine })
}

pub(crate) struct Form {
    pub(crate) game: Game,
    pub(crate) csv: bool,
}

impl Form {
    fn what(&self) -> &'static str {
        match (self.game.is_impartial(), self.game.misere_of()) {
            (true, None) => "grundy",
            (true, Some(_)) => "misere_grundy",
            (false, _) => "outcome",
        }
    }

    pub(crate) fn header(&self, out: &mut Out) -> anyhow::Result<()> {
        if self.csv && out.is_json() {
            bail!("--csv and --json are two formats; leave one out");
        }
        if self.csv {
            out.line(format!("position,{}", self.what()))?;
        }
        Ok(())
    }

    pub(crate) fn line(&self, position: &Position, cell: u32, out: &mut Out) -> io::Result<()> {
        // The names of classes are those of their places.
        let outcome = || Outcome::ALL.get(cell as usize).map_or(String::new(), ToString::to_string);
        let is_impartial = self.game.is_impartial();
        if out.is_json() {
            let value = if is_impartial { json!(cell) } else { json!(outcome()) };
            out.object(&json!({ "position": position.to_string(), self.what(): value }))
        } else if self.csv {
            let value = if is_impartial { cell.to_string() } else { outcome() };
            out.line(format!("\"{position}\",{value}"))
        } else {
            out.line(position)
        }
    }
}

pub(crate) fn tell_count(
    question: &Question,
    checked: &CheckReport,
    lengths: &Lengths,
    max_pile: Pile,
    out: &mut Out,
) -> anyhow::Result<End> {
    let game = question.game();
    let found = checked.checked - checked.failures;
    if out.is_json() {
        out.object(&json!({
            "game": id_of(game), "convention": convention_of(game), "predicate": question.text(),
            "count": found, "checked": checked.checked,
            "range": in_words(game, lengths, max_pile), "complete": checked.complete,
        }))?;
    } else if checked.complete {
        out.line(found)?;
    }
    if !checked.complete {
        tell("grundy: stopped before the end");
        return Ok(End::Interrupted);
    }
    Ok(End::Fine)
}
