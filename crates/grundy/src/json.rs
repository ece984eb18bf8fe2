//! What other programs read: a move as JSON, with the names that the command line, its server and the
//! page in the browser share.

use serde_json::{Value, json};

use crate::{Answer, Move, Pick, Player, is_winning};

/// A move, and what is known of the option it reaches: `from`, `to`, `option`, `grundy`, `outcome`,
/// `winning`; `right_from` and `right_to` if it lowers a second pile; `end` and `player` where there is
/// more than one.
pub fn made_json(made: &Move, found: &Answer) -> Value {
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
