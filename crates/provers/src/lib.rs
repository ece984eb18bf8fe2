#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod automaton;
mod check;
mod draw;
mod ends;
mod family;
mod formula;
mod learn;
pub mod sizes;
mod tiles;
mod word;

use std::ops::ControlFlow;

use grundy_rules::{Game, Meaning, Order, Outcome, Pile, Undefined};
use serde::Serialize;

pub use automaton::{Automaton, prove};
pub use check::{CheckError, Checked, check};
pub use family::{Family, prove_family};
pub use word::{FamilyWords, WordError};

/// The largest pile that the rows of a theorem may contain.
pub const MOST_PILES: Pile = 64;

/// The quantity that a theorem gives for each row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Of {
    /// The Grundy value of the row.
    Values,
    /// The outcome class of the row.
    Outcomes,
}

impl Of {
    /// Returns the output for a cell: a number, or the letter of a class.
    pub(crate) fn output(self, cell: u32) -> Output {
        match self {
            _ if cell == ends::NONE => Output::None,
            Of::Values => Output::Value(cell),
            Of::Outcomes => {
                Output::Class(Outcome::of_first_moves(cell & 2 > 0, cell & 1 > 0).name())
            }
        }
    }
}

/// The value or the class of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Output {
    /// A Grundy value.
    Value(u32),
    /// The letter of an outcome class.
    Class(&'static str),
    /// No output, because the row has no piles and the game has no such position.
    None,
}

impl Output {
    /// Returns the value, or the place of the class in [`Outcome::ALL`].
    pub fn number(self) -> Option<u32> {
        match self {
            Output::Value(value) => Some(value),
            Output::Class(class) => {
                (0..).zip(Outcome::ALL).find(|(_, of)| of.name() == class).map(|(at, _)| at)
            }
            Output::None => None,
        }
    }
}

impl std::fmt::Display for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Output::Value(value) => write!(f, "{value}"),
            Output::Class(class) => write!(f, "{class}"),
            Output::None => write!(f, "-"),
        }
    }
}

/// The game and the rows of a theorem, as its certificate names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Subject {
    /// The id of the game.
    pub game: String,
    /// `misere` if the theorem gives the values of a built-in game under misère play.
    pub convention: Option<&'static str>,
    /// The text of the rule file, if the game is not built in.
    pub rules: Option<String>,
    /// The largest pile.
    pub piles: Pile,
    /// The quantity that the theorem gives for each row.
    pub of: Of,
}

impl Subject {
    fn new(game: Game, piles: Pile, of: Of) -> Result<Subject, ProverError> {
        if piles == 0 || piles > MOST_PILES {
            return Err(ProverError::Piles { piles });
        }
        if of == Of::Values && game.meaning() != Meaning::Grundy {
            return Err(ProverError::NoValues { game });
        }
        if game.order() != Order::Row || !game.plays_on_ends() {
            return Err(ProverError::Ends { game });
        }
        let named = game.misere_of().unwrap_or(game);
        Ok(Subject {
            game: named.id().to_owned(),
            convention: game.misere_of().map(|_| "misere"),
            rules: game.rule_file().map(|file| file.text.clone()),
            piles,
            of,
        })
    }
}

/// The progress of a prover.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// The number of states of the automaton so far, or the number of copies of u and of v.
    pub size: usize,
    /// The approximate memory in use, in bytes.
    pub bytes: u64,
}

/// A function that watches a prover, and may stop it.
pub type Watch<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// The result of a prover.
#[derive(Debug)]
pub enum Proof<T> {
    /// The theorem.
    Proved(T),
    /// The watcher ended the prover before it found a proof. The statement may still be true.
    Stopped(Progress),
}

/// The reason why a prover refuses a theorem.
#[derive(Debug, thiserror::Error)]
pub enum ProverError {
    #[error(
        "the moves of {game} are not those on the two end piles of any row; automata and families are \
         for games such as {}, and for rule files of rows without other lines, whose moves use only \
         first, last, k >= 2, and t < total for a move of t coins",
        played_on_ends()
    )]
    Ends { game: Game },
    #[error("positions of {game} have outcome classes and no values; use --outcomes")]
    NoValues { game: Game },
    #[error(
        "the largest pile of a theorem is from 1 to {MOST_PILES}, not {piles}; choose such a pile"
    )]
    Piles { piles: Pile },
    #[error(transparent)]
    Undefined(#[from] Undefined),
}

fn played_on_ends() -> String {
    let named = Game::all().filter(|game| game.order() == Order::Row && game.plays_on_ends());
    named.map(Game::id).collect::<Vec<_>>().join(", ")
}
