//! Reports on positions, moves and checks, for other programs. The command line, its server, Python
//! and the page in the browser all use these reports. JSON fields are in alphabetical order.

use std::fmt;

use grundy_query::{Answer, Database, Moves, QueryError, is_winning};
use grundy_rules::{Game, Lowered, Move, Outcome, Pick, Pile, Player, Position, remoteness_form};
use grundy_sweep::{Number, grouped};
use grundy_theory::{Conclusion, Origin};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::{Ask, CheckReport, Error, Lengths};

/// Returns the id of a game as users type it. A misère or remoteness form has the id of its game.
pub fn id_of(game: Game) -> &'static str {
    let game = game.remoteness_of().unwrap_or(game);
    game.misere_of().unwrap_or(game).id()
}

/// Returns the convention of the misère values of a game. `None` under normal play.
pub fn convention_of(game: Game) -> Option<&'static str> {
    let game = game.remoteness_of().unwrap_or(game);
    match (game.misere_of(), game.normal_play()) {
        (Some(_), _) => Some("misere: a position without moves has the value 1"),
        (None, Some(_)) => Some("Cairns and Ho: the last coin is never taken"),
        (None, None) => None,
    }
}

/// The answer about a position. Its text is the value, or the letter of the class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PositionReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub convention: Option<&'static str>,
    pub game: &'static str,
    pub grundy: Option<u32>,
    /// The threshold l, if the game is partizan and has thresholds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_threshold: Option<u64>,
    /// The value of a misère game under the convention that the empty position has the value 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub misere_grundy: Option<u32>,
    /// The moves, if they were requested; `of_moves` also counts moves that are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveReport>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_moves: Option<usize>,
    pub outcome: String,
    pub position: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub remote: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<u32>,
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
            outcome: answer.outcome.to_string(),
            position: position.to_string(),
            source: answer.source.to_string(),
            ..PositionReport::default()
        }
    }

    /// Reports an answer with its thresholds and, in a misère game, with the value `misere_grundy`.
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

/// The change of one pile, for a move that may change several piles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    pub from: Pile,
    /// The number of the pile in the position, counted from 1.
    pub pile: usize,
    pub to: Vec<Pile>,
}

impl Change {
    fn of(change: &Lowered) -> Change {
        Change { from: change.from, pile: change.pile, to: change.to.clone() }
    }
}

/// A move, and the answer about its option.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// The change of each pile, if the game is from a rule file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// The end from which the move takes coins, if the row has two ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<&'static str>,
    pub from: Pile,
    pub grundy: Option<u32>,
    pub option: String,
    pub outcome: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<&'static str>,
    /// The remoteness of the option, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remoteness: Option<u32>,
    /// The coins of the second pile before the move, if the move takes coins from two piles.
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
            remoteness: None,
            right_from,
            right_to,
            to: made.to,
            winning: is_winning(made.player, found.outcome),
        }
    }
}

/// Sorts the moves of a position. Winning moves come first, sorted from the soonest win to the
/// latest; then losing moves, sorted from the latest loss to the soonest. Returns the remoteness of
/// the position, and of the options in the new order.
pub fn sort_by_remoteness(
    database: &Database,
    game: Game,
    position: &Position,
    moves: &mut Moves,
) -> Result<(u32, Vec<u32>), Error> {
    let lasting = database.moves(remoteness_form(game)?, position)?;
    let of = |answer: &Answer| answer.value.unwrap_or_default();
    let all = moves.moves.drain(..).zip(&lasting.moves);
    let mut all: Vec<_> = all.map(|(one, (_, option))| (of(option), one)).collect();
    all.sort_by_key(|(after, (made, option))| match is_winning(made.player, option.outcome) {
        true => (0, *after),
        false => (1, u32::MAX - after),
    });
    let (remoteness, sorted) = all.into_iter().unzip();
    moves.moves = sorted;
    Ok((of(&lasting.answer), remoteness))
}

/// The verdict on a statement, with the question and the counterexamples. Its text is a sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckSummary {
    pub checked: u64,
    pub complete: bool,
    pub counterexamples: Vec<Counterexample>,
    pub failures: u64,
    /// The number of positions checked in `seconds`. A checkpoint covers the other positions.
    #[serde(skip)]
    pub fresh: u64,
    #[serde(serialize_with = "by_id")]
    pub game: Game,
    /// The least and the greatest number of piles.
    pub lengths: [usize; 2],
    pub max_pile: Pile,
    /// `beginning` if only positions at the beginning of play were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<&'static str>,
    /// The number of positions at which the premise is true; `None` without a premise.
    pub premise: Option<u64>,
    pub seconds: f64,
    /// The number of moves, if only sets with this number of moves were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sets: Option<u32>,
    pub source: Origin,
    pub statement: String,
    pub verdict: Conclusion,
}

/// A counterexample of a check.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Counterexample {
    /// The parts of the statement, each with its value.
    pub parts: Vec<(String, String)>,
    pub position: String,
    /// The Grundy value, or the outcome class.
    pub value: Value,
}

fn by_id<S: Serializer>(game: &Game, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(game.id())
}

impl Ask<'_> {
    /// Reports a counterexample, with the parts of the statement if `explained`.
    pub(crate) fn counterexample(
        &self,
        position: &Position,
        cell: u32,
        max_pile: Pile,
        explained: bool,
    ) -> Counterexample {
        let of_cell = |cell: u32| match self.game().is_impartial() {
            true => cell.into(),
            false => Outcome::ALL.get(cell as usize).map(Outcome::to_string).into(),
        };
        let has_bits =
            |length| self.level(length, max_pile).is_ok_and(|level| level.table().has_bits());
        let value = match cell {
            // A stored outcome of 1 stands for any value above 0.
            1 if has_bits(position.length()) => {
                self.value_of(position).map_or(Value::Null, of_cell)
            }
            _ => of_cell(cell),
        };
        let parts = if explained { self.parts(position, cell) } else { Vec::new() };
        Counterexample { parts, position: position.to_string(), value }
    }

    /// Reports a check, with the parts of the statement at the first `explained` counterexamples.
    pub fn summary(
        &self,
        report: CheckReport,
        lengths: &Lengths,
        max_pile: Pile,
        explained: usize,
    ) -> CheckSummary {
        let game = self.game();
        let (verdict, source) = (report.verdict(), report.source());
        let each = report.least.iter().enumerate();
        let counterexamples = each.map(|(at, (position, cell))| {
            self.counterexample(position, *cell, max_pile, at < explained)
        });
        CheckSummary {
            checked: report.checked,
            complete: report.complete,
            counterexamples: counterexamples.collect(),
            failures: report.failures,
            fresh: report.fresh,
            game,
            lengths: [*lengths.start(), *lengths.end()],
            max_pile,
            positions: self.options.domain.positions(),
            premise: self.question.has_premise().then_some(report.premise),
            seconds: report.seconds,
            sets: self.options.domain.sets(),
            source,
            statement: self.question.text().to_owned(),
            verdict,
        }
    }
}

impl fmt::Display for CheckSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CheckSummary { failures, verdict, .. } = self;
        let positions = Number(self.checked, "position");
        match verdict {
            Conclusion::Fails => write!(f, "fails at {} of {positions}", grouped(*failures))?,
            Conclusion::Holds => write!(f, "holds at {positions}")?,
            Conclusion::Stopped => {
                write!(f, "stopped: no counterexample among {positions} so far")?;
            }
        }
        match self.premise {
            _ if self.checked == 0 && *verdict == Conclusion::Holds => {
                f.write_str("; it is vacuous: there are no positions")
            }
            Some(0) if *verdict == Conclusion::Holds => {
                f.write_str("; it is vacuous: none satisfies the premise")
            }
            Some(premise) => write!(f, "; {} satisfy the premise", grouped(premise)),
            None => Ok(()),
        }
    }
}

impl Counterexample {
    /// Returns the parts and their values as a text.
    pub fn explanation(&self) -> String {
        let parts = self.parts.iter().map(|(name, value)| format!("{name} = {value}"));
        parts.collect::<Vec<_>>().join(", ")
    }
}
