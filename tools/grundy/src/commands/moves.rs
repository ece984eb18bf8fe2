//! `grundy moves`: every option of a position.

use grundy_query::{Database, is_winning};
use grundy_rules::{Game, Move, Outcome as Class, Pick, Player, Position};
use serde_json::{Value, json};

use crate::Outcome;
use crate::args::{Common, Moves};
use crate::output::{Out, columns};
use crate::watch::end_search;

pub(crate) fn run(common: &Common, wanted: &Moves, out: &mut Out) -> anyhow::Result<Outcome> {
    let game: Game = wanted.game.parse()?;
    let position = game.parse(&wanted.position)?;
    let database = common.open(wanted.seconds)?;
    let found = if game.is_impartial() {
        values(&database, game, &position)
    } else {
        classes(&database, &position)
    };
    end_search();
    let found = found?;
    if out.is_json() {
        let mut object = json!({
            "game": game.id(),
            "position": position.to_string(),
            "grundy": found.value,
            "outcome": found.outcome.to_string(),
            "source": found.source,
        });
        object["moves"] = found.moves.iter().map(describe).collect();
        out.object(&object)?;
        return Ok(Outcome::Fine);
    }
    let value = found.value.map_or_else(String::new, |value| format!("value {value}, "));
    out.line(format!("{position} in {game}: {value}{}", found.outcome))?;
    if found.moves.is_empty() {
        out.line("no moves: the player to move has lost")?;
        return Ok(Outcome::Fine);
    }
    let rows: Vec<Vec<String>> = found.moves.iter().map(row).collect();
    for line in columns(&rows) {
        out.line(line)?;
    }
    Ok(Outcome::Fine)
}

/// A position with its moves, of any game.
struct Found {
    value: Option<u32>,
    outcome: Class,
    source: String,
    moves: Vec<Reached>,
}

/// A move, and what is said of the option it reaches.
struct Reached {
    made: Move,
    value: Option<u32>,
    outcome: Class,
}

impl Reached {
    fn wins(&self) -> bool {
        is_winning(self.made.player, self.outcome)
    }
}

fn values(database: &Database, game: Game, position: &Position) -> anyhow::Result<Found> {
    let found = database.moves(game, position)?;
    let moves = found.moves.into_iter().map(|(made, value)| Reached {
        made,
        value: Some(value),
        outcome: Class::of_value(value),
    });
    Ok(Found {
        value: Some(found.answer.value),
        outcome: found.answer.outcome(),
        source: found.answer.source.to_string(),
        moves: moves.collect(),
    })
}

fn classes(database: &Database, position: &Position) -> anyhow::Result<Found> {
    let found = database.partizan_moves(position)?;
    let moves =
        found.moves.into_iter().map(|(made, outcome)| Reached { made, value: None, outcome });
    Ok(Found {
        value: None,
        outcome: found.answer.outcome(),
        source: found.answer.source.to_string(),
        moves: moves.collect(),
    })
}

fn describe(option: &Reached) -> Value {
    let Move { player, pick, from, to, option: reached } = &option.made;
    let mut object = json!({
        "from": from,
        "to": to,
        "option": reached.to_string(),
        "grundy": option.value,
        "outcome": option.outcome.to_string(),
        "winning": option.wins(),
    });
    if *pick != Pick::Any {
        object["end"] = pick.name().into();
    }
    if *player != Player::Either {
        object["player"] = player.name().into();
    }
    object
}

fn row(option: &Reached) -> Vec<String> {
    let Move { player, pick, from, to, option: reached } = &option.made;
    let who = match player {
        Player::Either => pick.name().to_owned(),
        _ => player.name().to_owned(),
    };
    let said = option.value.map_or_else(|| option.outcome.to_string(), |value| value.to_string());
    let mark = if option.wins() { "wins" } else { "" };
    vec![who, format!("{from} to {to}"), reached.to_string(), said, mark.to_owned()]
}
