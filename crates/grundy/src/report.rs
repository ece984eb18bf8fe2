//! Reports on positions and moves for other programs: one form for the command line, its server and
//! the page in the browser. JSON fields are in alphabetical order.

use std::fmt;

use grundy_query::{Answer, Database, QueryError, is_winning};
use grundy_rules::{Game, Lowered, Move, Pick, Pile, Player, Position};
use serde::Serialize;

/// Returns the id of a game as typed by users; a misère form has the id of its game.
pub fn id_of(game: Game) -> &'static str {
    game.misere_of().unwrap_or(game).id()
}

/// The convention of a game's misère values, one of two; `None` for games under normal play.
pub fn convention_of(game: Game) -> Option<&'static str> {
    match (game.misere_of(), game.normal_play()) {
        (Some(_), _) => Some("misere: a position without moves has the value 1"),
        (None, Some(_)) => Some("Cairns and Ho: the last coin is never taken"),
        (None, None) => None,
    }
}

/// The answer about a position. It is displayed as its value, or the letter of its class.
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
    /// The value under the convention that the empty position has the value 1, in a misère game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misere_grundy: Option<u32>,
    /// Every move, if requested.
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

    /// Reports an answer with thresholds, and with the misère value under the other convention.
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

/// The change of one pile by a move on several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Change {
    pub from: Pile,
    /// The number of the pile in the position, from 1.
    pub pile: usize,
    pub to: Vec<Pile>,
}

impl Change {
    fn of(change: &Lowered) -> Change {
        Change { from: change.from, pile: change.pile, to: change.to.clone() }
    }
}

/// A move, and the answer about the option it reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)] // most names say it
pub struct MoveReport {
    /// The change of each pile, for a move of a rule file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The end that is lowered, if there is more than one.
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

    /// Every field; empty fields are left out.
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
