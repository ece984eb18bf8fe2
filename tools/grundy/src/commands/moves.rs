//! `grundy moves`: every option of a position.

use grundy_rules::Game;
use serde_json::json;

use crate::Outcome;
use crate::args::{Common, Moves};
use crate::output::{Out, columns};

pub(crate) fn run(common: &Common, wanted: &Moves, out: &mut Out) -> anyhow::Result<Outcome> {
    let game: Game = wanted.game.parse()?;
    let position = game.parse(&wanted.position)?;
    let found = common.open(wanted.seconds)?.moves(game, &position)?;
    let answer = found.answer;
    if out.is_json() {
        let moves: Vec<_> = found
            .moves
            .iter()
            .map(|(m, value)| {
                json!({
                    "end": m.end.name(),
                    "from": m.from,
                    "to": m.to,
                    "option": m.option.to_string(),
                    "grundy": value,
                    "winning": *value == 0,
                })
            })
            .collect();
        out.object(&json!({
            "game": game.id(),
            "position": position.to_string(),
            "grundy": answer.value,
            "outcome": answer.outcome().to_string(),
            "source": answer.source.to_string(),
            "moves": moves,
        }))?;
        return Ok(Outcome::Fine);
    }
    out.line(format!("{position} in {game}: value {}, {}", answer.value, answer.outcome()))?;
    if found.moves.is_empty() {
        out.line("no moves: the player to move has lost")?;
        return Ok(Outcome::Fine);
    }
    let rows: Vec<Vec<String>> = found
        .moves
        .iter()
        .map(|(m, value)| {
            let mark = if *value == 0 { "wins" } else { "" };
            vec![
                m.end.name().to_owned(),
                format!("{} to {}", m.from, m.to),
                m.option.to_string(),
                value.to_string(),
                mark.to_owned(),
            ]
        })
        .collect();
    for line in columns(&rows) {
        out.line(line)?;
    }
    Ok(Outcome::Fine)
}
