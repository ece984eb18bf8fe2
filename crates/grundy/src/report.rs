//! Reports on positions and moves for other programs: one form for the command line, its server and the
//! page in the browser. The fields of JSON stand in alphabetical order.

use std::fmt;

use grundy_query::{Answer, Database, QueryError, is_winning};
use grundy_rules::{Game, Lowered, Move, Pick, Pile, Player, Position};
use serde::Serialize;

/// The id of a game as it is typed: of a misère form that of the game it is one of.
pub fn id_of(game: Game) -> &'static str {
    game.misere_of().unwrap_or(game).id()
}

/// The convention by which a game has its values if it is one of misère play, of which there are two;
/// `None` of other games.
pub fn convention_of(game: Game) -> Option<&'static str> {
    match (game.misere_of(), game.normal_play()) {
        (Some(_), _) => Some("misere: a position without moves has the value 1"),
        (None, Some(_)) => Some("Cairns and Ho: the last coin is never taken"),
        (None, None) => None,
    }
}

/// A position and what is known of it. It is displayed as its value, or the letter of its class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // most names say it
pub struct PositionReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub convention: Option<&'static str>,
    pub game: &'static str,
    pub grundy: Option<u32>,
    /// The threshold l, in a partizan game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_threshold: Option<u64>,
    /// The value by which the empty position has the value 1, in a misère game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misere_grundy: Option<u32>,
    /// Every move, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveReport>>,
    pub outcome: String,
    pub position: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub remote: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_threshold: Option<u64>,
    pub source: String,
}

impl PositionReport {
    /// Reports an answer.
    pub fn new(game: Game, position: &Position, answer: &Answer) -> PositionReport {
        PositionReport {
            convention: convention_of(game),
            game: id_of(game),
            grundy: answer.value,
            left_threshold: None,
            misere_grundy: None,
            moves: None,
            outcome: answer.outcome.to_string(),
            position: position.to_string(),
            remote: false,
            right_threshold: None,
            source: answer.source.to_string(),
        }
    }

    /// The same with all that the database knows besides: thresholds, and the value of misère play
    /// under the other convention.
    pub fn in_full(
        database: &Database,
        game: Game,
        position: &Position,
        answer: &Answer,
    ) -> Result<PositionReport, QueryError> {
        let (left, right) = answer.thresholds.unzip();
        let (left_threshold, right_threshold) = (left, right);
        let remote = database.is_remote();
        let new = PositionReport::new(game, position, answer);
        let mut report = PositionReport { left_threshold, right_threshold, remote, ..new };
        report.misere_grundy = database.other_misere_value(game, position)?;
        if report.misere_grundy.is_some() {
            report.convention = Some(
                "grundy: the last coin is never taken (Cairns and Ho 2011); misere_grundy: the \
                 empty position has value 1",
            );
        }
        Ok(report)
    }
}

impl fmt::Display for PositionReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.grundy {
            Some(value) => value.fmt(f),
            None => self.outcome.fmt(f),
        }
    }
}

/// What becomes of one pile of several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Change {
    pub from: Pile,
    /// Its number in the position, from 1.
    pub pile: usize,
    pub to: Vec<Pile>,
}

impl Change {
    fn of(change: &Lowered) -> Change {
        Change { from: change.from, pile: change.pile, to: change.to.clone() }
    }
}

/// A move, and what is known of the option it reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // most names say it
pub struct MoveReport {
    /// Of a move of a rule file, what becomes of each pile.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The end that is lowered, where there is more than one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
    pub from: Pile,
    pub grundy: Option<u32>,
    pub option: String,
    pub outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<&'static str>,
    /// The coins of a second pile before it is lowered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_from: Option<Pile>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_to: Option<Pile>,
    pub to: Pile,
    pub winning: bool,
}

impl MoveReport {
    /// Reports a move and its option.
    pub fn new(made: &Move, found: &Answer) -> MoveReport {
        let (right_from, right_to) = made.right.unzip();
        MoveReport {
            changes: made.changes.iter().map(Change::of).collect(),
            end: (!matches!(made.pick, Pick::Any | Pick::Piles)).then(|| made.pick.name()),
            from: made.from,
            grundy: found.value,
            option: made.option.to_string(),
            outcome: found.outcome.to_string(),
            player: (made.player != Player::Either).then(|| made.player.name()),
            right_from,
            right_to,
            to: made.to,
            winning: is_winning(made.player, found.outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{Outcome, Source};

    fn json_of(made: &Move, found: &Answer) -> Value {
        serde_json::to_value(MoveReport::new(made, found)).unwrap()
    }

    /// Every field, and those that are left out where they say nothing.
    #[test]
    fn a_move_is_written_in_full() {
        let answer =
            |value, outcome| Answer { value, outcome, thresholds: None, source: Source::Table };
        let made = Move::new(Pick::Any, 5, 2, Position::row(&[2, 7]));
        let expected = json!({
            "from": 5, "to": 2, "option": "2,7", "grundy": 4, "outcome": "N", "winning": false,
        });
        assert_eq!(json_of(&made, &answer(Some(4), Outcome::N)), expected);
        let zero = json_of(&made, &answer(Some(0), Outcome::P));
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
        assert_eq!(json_of(&made, &answer(None, Outcome::L)), expected);
    }
}
