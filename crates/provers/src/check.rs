//! The checker of certificates. It shares no code with the provers, and reads the moves of the game
//! by itself. It relies only on docs/FORMAT.md and the two inductions of docs/PROOFS.md.
//!
//! A certificate must be minimal: no two states are equivalent, and all periods are as short as
//! possible. So a changed certificate is refused, unless it proves another theorem.

mod automaton;
mod family;
mod sizes;

use std::collections::HashSet;

use grundy_rules::law::RuleFile;
use grundy_rules::{Game, Order, Outcome, Pile, Player, Position, Problem, Undefined, misere_form};
use serde::Deserialize;
use serde_json::Value;

/// The reason why a certificate proves nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckError {
    #[error("it is not a certificate of an automaton or a family, or has another version")]
    Kind,
    #[error("it is not well formed")]
    Syntax(#[from] serde_json::Error),
    #[error("it is about the unknown game '{0}'")]
    Game(String),
    #[error("its rules prove nothing: {0}")]
    Rules(String),
    #[error("the moves of {0} read or change more than the two end piles")]
    Ends(Game),
    #[error("a member is missing or unknown")]
    Members,
    #[error("'{field}' contradicts the rules")]
    Field { field: &'static str },
    #[error("the row {row} has {by_rules} by the rules, but {said} in the certificate")]
    Row { row: Position, by_rules: String, said: String },
    #[error("no row distinguishes the states {0} and {1}")]
    Same(usize, usize),
    #[error("no row leads to the state {0}")]
    Unreached(usize),
    #[error("the {field} do not have the stated period, or become periodic earlier")]
    Periods { field: &'static str },
    #[error("the tiles do not repeat along the step, or repeat earlier")]
    Step,
    #[error("{0} and {1} have the same type and different values")]
    Types(String, String),
    #[error("the statement fails at {0}")]
    Fails(String),
    #[error("a box with piles up to {0} is too large to be solved again from the rules")]
    Box(Pile),
    #[error("types do not decide its statement, which {0}")]
    Undecided(String),
    #[error("checking it needs more memory than the limit")]
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

/// Checks a certificate. Uses at most about `memory` bytes.
///
/// # Errors
/// [`CheckError`] for the first fault.
pub fn check(certificate: &Value, memory: u64) -> Result<Checked, CheckError> {
    let is = |format: &str| certificate["format"] == format && certificate["version"] == 1;
    match () {
        () if is("grundy-automaton") => automaton::check(certificate, memory),
        () if is("grundy-family") => family::check(certificate, memory),
        () if is("grundy-sizes") => sizes::check(certificate),
        () => Err(CheckError::Kind),
    }
}

/// Reads an object whose members are exactly those in the alphabetical list `members`.
fn read<T: serde::de::DeserializeOwned>(of: &Value, members: &str) -> Result<T, CheckError> {
    let mut names: Vec<&str> =
        of.as_object().into_iter().flat_map(|object| object.keys()).map(String::as_str).collect();
    names.sort_unstable();
    if names.join(" ") != members {
        return Err(CheckError::Members);
    }
    Ok(serde_json::from_value(of.clone())?)
}

/// A Grundy value, or the sum of 1 if Right wins moving first and 2 if Left wins moving first.
/// `None` for the row without piles, if the game does not have this position.
type Cell = Option<u32>;

/// The members that state the game. All certificates have them.
#[derive(Deserialize)]
struct NamedGame {
    game: String,
    convention: Option<String>,
    rules: Option<String>,
}

fn named_game(certificate: &Value) -> Result<Game, CheckError> {
    let NamedGame { game: name, convention, rules } = serde_json::from_value(certificate.clone())?;
    let unknown = || CheckError::Game(name.chars().take(60).collect());
    let broken = |problem: Problem| CheckError::Rules(problem.to_string());
    let game = match rules {
        Some(text) => RuleFile::from_text(&text).and_then(RuleFile::game).map_err(broken)?,
        None => Game::all().find(|game| game.id() == name).ok_or_else(unknown)?,
    };
    let game = match convention.as_deref() {
        None => game,
        Some("misere") => misere_form(game).map_err(|_| unknown())?,
        Some(_) => return Err(CheckError::Field { field: "convention" }),
    };
    match game.misere_of().unwrap_or(game).id() == name {
        true => Ok(game),
        false => Err(unknown()),
    }
}

/// The members that state the rows of a theorem about all lengths.
#[derive(Deserialize)]
struct Named {
    piles: Pile,
    of: String,
}

struct Rules {
    game: Game,
    piles: Pile,
    values: bool,
}

impl Rules {
    fn named(certificate: &Value) -> Result<Rules, CheckError> {
        let game = named_game(certificate)?;
        let Named { piles, of } = serde_json::from_value(certificate.clone())?;
        let field = |field| CheckError::Field { field };
        let values = match &of[..] {
            "values" if game.is_impartial() => true,
            "outcomes" => false,
            _ => return Err(field("of")),
        };
        if !(1..=64).contains(&piles) {
            return Err(field("piles"));
        }
        let rules = Rules { game, piles, values };
        match game.order() == Order::Row && game.plays_on_ends() && rules.is_seen_on_ends()? {
            true => Ok(rules),
            false => Err(CheckError::Ends(game)),
        }
    }

    /// Compares the moves of each pair of ends around a few sample middles. True if these moves do
    /// not depend on the middle. The game itself declares that they depend on no middle.
    fn is_seen_on_ends(&self) -> Result<bool, CheckError> {
        let marker = self.piles + 1;
        let middles = [&[][..], &[1], &[self.piles, 1], &[1, marker, 2], &[2, 1, 1, self.piles]];
        for (a, b) in (1..=self.piles).flat_map(|a| (1..=self.piles).map(move |b| (a, b))) {
            let made = self.game.try_moves(&Position::row(&[a, marker, b]))?;
            for middle in middles {
                let around = |option: &[Pile]| {
                    let mut parts = option.split(|&pile| pile == marker);
                    let ends = [parts.next()?, parts.next()?];
                    let are_ends = ends.iter().all(|end| end.len() < 2) && parts.next().is_none();
                    are_ends.then(|| [ends[0], middle, ends[1]].concat())
                };
                let expected =
                    made.iter().map(|made| (made.player.name(), around(made.option.piles())));
                let moves = self.game.try_moves(&Position::row(&[&[a], middle, &[b]].concat()))?;
                let moves = moves
                    .iter()
                    .map(|made| (made.player.name(), Some(made.option.piles().to_vec())));
                if expected.collect::<HashSet<_>>() != moves.collect() {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn text(&self, cell: Cell) -> Value {
        match cell {
            None => Value::Null,
            Some(value) if self.values => value.into(),
            Some(wins) => Outcome::of_first_moves(wins & 2 > 0, wins & 1 > 0).name().into(),
        }
    }

    /// Returns the cell of a row, from the cells of its options.
    fn decide(
        &self,
        row: &[Pile],
        mut cell: impl FnMut(&[Pile]) -> Cell,
    ) -> Result<Cell, CheckError> {
        if row.is_empty() && !self.game.has_empty_position() {
            return Ok(None);
        }
        let (mut values, mut wins) = (HashSet::new(), 0);
        for made in self.game.try_moves(&Position::row(row))? {
            let found = cell(made.option.piles()).ok_or(CheckError::Ends(self.game))?;
            values.insert(found);
            let (left, right) = (u32::from(found & 1 == 0) << 1, u32::from(found & 2 == 0));
            wins |= match made.player {
                Player::Left => left,
                Player::Right => right,
                Player::Either => left | right,
            };
        }
        Ok(Some(match (values.is_empty(), self.values) {
            (true, true) => self.game.terminal_value(),
            (true, false) => 3 * self.game.terminal_value(),
            (false, true) => (0..).find(|value| !values.contains(value)).unwrap_or(0),
            (false, false) => wins,
        }))
    }

    /// Returns the names of the quantity and of the game, as a statement uses them.
    fn words(&self) -> (&'static str, String) {
        let game = match self.game.misere_of() {
            Some(normal) => format!("{normal} (misere)"),
            None => self.game.to_string(),
        };
        (if self.values { "Grundy values" } else { "outcomes" }, game)
    }
}
