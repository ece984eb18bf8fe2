//! `grundy query`: the value of positions.

use std::io::{self, BufRead};

use anyhow::Context;
use grundy_query::Database;
use grundy_rules::Game;
use serde_json::json;

use crate::Outcome;
use crate::args::{Common, Query};
use crate::output::Out;

pub(crate) fn run(common: &Common, wanted: &Query, out: &mut Out) -> anyhow::Result<Outcome> {
    let game: Game = wanted.game.parse()?;
    let database = common.open(wanted.seconds)?;
    for text in &wanted.positions {
        if text == "-" {
            from_stdin(&database, game, out)?;
        } else {
            answer(&database, game, text, out)?;
        }
    }
    Ok(Outcome::Fine)
}

/// Positions from standard input, one a line; empty lines are passed over.
fn from_stdin(database: &Database, game: Game, out: &mut Out) -> anyhow::Result<()> {
    let mut input = io::stdin().lock();
    let mut line = String::new();
    for number in 1u64.. {
        line.clear();
        if input.read_line(&mut line).context("cannot read standard input")? == 0 {
            break;
        }
        if !line.trim().is_empty() {
            answer(database, game, &line, out).with_context(|| format!("line {number}"))?;
        }
    }
    Ok(())
}

fn answer(database: &Database, game: Game, text: &str, out: &mut Out) -> anyhow::Result<()> {
    let position = game.parse(text)?;
    let answer = database.value(game, &position)?;
    if !out.is_json() {
        out.line(answer.value)?;
        return Ok(());
    }
    let mut object = json!({
        "game": game.id(),
        "position": position.to_string(),
        "grundy": answer.value,
        "outcome": answer.outcome().to_string(),
        "source": answer.source.to_string(),
    });
    if game == Game::MisereEndNim {
        // "grundy" follows Cairns and Ho: the last coin is never taken, (1) has value 0.
        // "misere_grundy" follows the other convention: the empty position has value 1.
        object["misere_grundy"] = database.other_misere_value(&position)?.into();
        object["convention"] = "grundy: the last coin is never taken (Cairns and Ho 2011); \
                                misere_grundy: the empty position has value 1"
            .into();
    }
    out.object(&object)?;
    Ok(())
}
