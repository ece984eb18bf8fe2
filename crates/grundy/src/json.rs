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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Outcome, Position, Source};

    /// Every field, and those that are left out where they say nothing.
    #[test]
    fn a_move_is_written_in_full() {
        let answer =
            |value, outcome| Answer { value, outcome, thresholds: None, source: Source::Table };
        let made = Move::new(Pick::Any, 5, 2, Position::row(&[2, 7]));
        let expected = json!({
            "from": 5, "to": 2, "option": "2,7", "grundy": 4, "outcome": "N", "winning": false,
        });
        assert_eq!(made_json(&made, &answer(Some(4), Outcome::N)), expected);
        let zero = made_json(&made, &answer(Some(0), Outcome::P));
        assert_eq!((&zero["winning"], &zero["outcome"]), (&json!(true), &json!("P")));
        let made = Move {
            player: Player::Left,
            pick: Pick::Left,
            right: Some((9, 8)),
            ..Move::new(Pick::Any, 5, 0, Position::row(&[8]))
        };
        let expected = json!({
            "from": 5, "to": 0, "option": "8", "grundy": null, "outcome": "L", "winning": true,
            "right_from": 9, "right_to": 8, "end": Pick::Left.name(), "player": Player::Left.name(),
        });
        assert_eq!(made_json(&made, &answer(None, Outcome::L)), expected);
    }
}
