//! Answers and moves as JSON, with the names that the command line gives them.

use grundy::{Answer, Game, Move, Pick, Player, Position, is_winning};
use serde_json::{Value, json};

/// What is known of a position.
pub(crate) fn answer(game: Game, position: &Position, found: &Answer) -> Value {
    json!({
        "game": game.id(),
        "position": position.to_string(),
        "grundy": found.value,
        "outcome": found.outcome.to_string(),
        "source": found.source.to_string(),
    })
}

/// A move, and what is known of the option it reaches.
pub(crate) fn made(made: &Move, found: &Answer) -> Value {
    let mut object = json!({
        "from": made.from,
        "to": made.to,
        "option": made.option.to_string(),
        "grundy": found.value,
        "outcome": found.outcome.to_string(),
        "winning": is_winning(made.player, found.outcome),
    });
    if let Some((from, to)) = made.right {
        object["right_from"] = from.into();
        object["right_to"] = to.into();
    }
    if made.pick != Pick::Any {
        object["end"] = made.pick.name().into();
    }
    if made.player != Player::Either {
        object["player"] = made.player.name().into();
    }
    object
}
