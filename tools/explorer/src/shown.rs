//! Answers as JSON, with the names that the command line gives them.

use grundy::{Answer, Game, Position};
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
