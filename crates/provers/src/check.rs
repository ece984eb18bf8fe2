//! The checker of certificates. It shares no code with the provers: it reads the moves of the game by
//! itself, and relies on docs/FORMAT.md and the two inductions of docs/PROOFS.md alone.
//!
//! A certificate says the least that is true: states that differ, periods that are no multiples. So
//! there is one for each statement, and whatever is changed in it is refused.

mod automaton;
mod family;

use grundy_rules::law::RuleFile;
use grundy_rules::{Game, Order, Outcome, Pile, Position, Undefined, misere_form};
use serde_json::Value;

/// The reason why a certificate proves nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the messages say it")]
pub enum CheckError {
    #[error("it is no certificate of an automaton or a family, or one of another version")]
    Kind,
    #[error("it does not have the form of a certificate")]
    Syntax(#[from] serde_json::Error),
    #[error("it is about the game '{0}', which is not known here")]
    Game(String),
    #[error("its rules are no rule file: {0}")]
    Rules(String),
    #[error("the moves of {0} read or change more than the two end piles")]
    Ends(Game),
    #[error("'{field}' is not what the rules give")]
    Field { field: &'static str },
    #[error("for the row {row} the rules give {by_rules}, and it says {said}")]
    Row { row: Position, by_rules: String, said: String },
    #[error("the states {0} and {1} are the same to all rows")]
    Same(usize, usize),
    #[error("no row leads to the state {0}")]
    Unreached(usize),
    #[error("line {line} of '{field}' is not periodic as it says, or sooner")]
    Line { field: &'static str, line: usize },
    #[error("the step does not lead to the same tiles")]
    Step,
    #[error("checking it takes more memory than is allowed")]
    Memory,
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

/// A statement whose certificate was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// The id of the game.
    pub game: String,
    /// The statement in words.
    pub statement: String,
}

/// Checks a certificate, in about `memory` bytes at most.
///
/// # Errors
/// [`CheckError`] for the first fault.
pub fn check(certificate: &Value, memory: u64) -> Result<Checked, CheckError> {
    let is = |format: &str| certificate["format"] == format && certificate["version"] == 1;
    match () {
        () if is("grundy-automaton") => automaton::check(certificate, memory),
        () if is("grundy-family") => family::check(certificate, memory),
        () => Err(CheckError::Kind),
    }
}

/// Reads an object with these members and no others.
fn read<T: serde::de::DeserializeOwned>(of: &Value, members: usize) -> Result<T, CheckError> {
    match of.as_object() {
        Some(object) if object.len() == members => Ok(serde_json::from_value(of.clone())?),
        _ => Err(CheckError::Kind),
    }
}

/// A value or a class by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Cell {
    Value(u32),
    Wins { left: bool, right: bool },
    Nothing,
}

impl Cell {
    fn text(self) -> Value {
        match self {
            Cell::Value(value) => value.into(),
            Cell::Wins { left, right } => Outcome::of_first_moves(left, right).name().into(),
            Cell::Nothing => Value::Null,
        }
    }
}

/// The game that a certificate names.
struct Rules {
    game: Game,
    piles: Pile,
    values: bool,
}

impl Rules {
    fn named(
        name: &str,
        convention: Option<&str>,
        rules: Option<&str>,
        (piles, of): (Pile, &str),
    ) -> Result<Rules, CheckError> {
        let unknown = || CheckError::Game(name.chars().take(60).collect());
        let game = match rules {
            Some(text) => {
                let broken =
                    |problem: grundy_rules::Problem| CheckError::Rules(problem.to_string());
                RuleFile::from_text(text).and_then(RuleFile::game).map_err(broken)?
            }
            None => Game::all().find(|game| game.id() == name).ok_or_else(unknown)?,
        };
        let game = match convention {
            None => game,
            Some("misere") => misere_form(game).map_err(|_| unknown())?,
            Some(_) => return Err(CheckError::Field { field: "convention" }),
        };
        if game.misere_of().unwrap_or(game).id() != name {
            return Err(unknown());
        }
        if game.order() != Order::Row || !game.plays_on_ends() {
            return Err(CheckError::Ends(game));
        }
        let values = match of {
            "values" if game.is_impartial() => true,
            "outcomes" => false,
            _ => return Err(CheckError::Field { field: "of" }),
        };
        if !(1..=64).contains(&piles) {
            return Err(CheckError::Field { field: "piles" });
        }
        Ok(Rules { game, piles, values })
    }

    /// Reads a cell.
    fn cell(&self, text: &Value) -> Option<Cell> {
        if self.values {
            return text.as_u64().and_then(|value| u32::try_from(value).ok()).map(Cell::Value);
        }
        let (left, right) = match text.as_str()? {
            "P" => (false, false),
            "L" => (true, false),
            "R" => (false, true),
            "N" => (true, true),
            _ => return None,
        };
        Some(Cell::Wins { left, right })
    }

    /// Decides a row by the cells of its options.
    fn decide(
        &self,
        row: &[Pile],
        mut cell: impl FnMut(&[Pile]) -> Option<Cell>,
    ) -> Result<Cell, CheckError> {
        if row.is_empty() && !self.game.has_empty_position() {
            return Ok(Cell::Nothing);
        }
        let row = Position::row(row);
        let moves = self.game.try_moves(&row)?;
        let mut values = Vec::new();
        let stuck = moves.is_empty() && self.game.terminal_value() > 0;
        let (mut left, mut right) = (stuck, stuck);
        for made in &moves {
            let found = cell(made.option.piles()).ok_or(CheckError::Ends(self.game))?;
            match found {
                Cell::Value(value) => values.push(value),
                Cell::Wins { left: other_left, right: other_right } => {
                    left |= made.player.name() != "Right" && !other_right;
                    right |= made.player.name() != "Left" && !other_left;
                }
                Cell::Nothing => return Err(CheckError::Ends(self.game)),
            }
        }
        if !self.values {
            return Ok(Cell::Wins { left, right });
        }
        if moves.is_empty() {
            return Ok(Cell::Value(self.game.terminal_value()));
        }
        values.sort_unstable();
        values.dedup();
        let gap = values.iter().zip(0..).find(|&(&value, at)| value != at);
        Ok(Cell::Value(gap.map_or(values.len() as u32, |(_, at)| at)))
    }

    /// Writes what a statement is about, and of which game.
    fn words(&self) -> (&'static str, String) {
        let game = match self.game.misere_of() {
            Some(normal) => format!("{normal} (misere)"),
            None => self.game.to_string(),
        };
        (if self.values { "Grundy values" } else { "outcomes" }, game)
    }
}
