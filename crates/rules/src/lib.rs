//! The games: positions, notation, canonical form, options, the index of a
//! position in its table, and the slow reference evaluator.
//!
//! This crate is what everything else is checked against, so it is written for
//! the reader of a paper and not for speed. It does no input or output and
//! depends on no other crate of the project.
//!
//! ```text
//! "3,1,4" ── notation ──► Position ── options ──► Position, Position, ...
//!                            │                        │
//!                            │                        └── reference: mex of the options' values
//!                            └── table: (game, max pile, length) and an offset in it
//! ```
//!
//! * [`Game`] names a game, the way the command line, the folders and JSON do.
//! * [`Position`] is a row, or a multiset, of piles; [`Game::parse`] reads one, `Display` prints it.
//! * [`nim`], [`end_nim`], [`partizan`], [`short_global`] and [`long_global`] hold the rules,
//!   one file per family of games.
//! * [`table`] owns the only bijection position ↔ (table, offset) of the project.
//! * [`reference`](mod@reference) evaluates any position straight from the rules.
#![forbid(unsafe_code)]

pub mod end_nim;
mod game;
pub mod long_global;
mod middle;
mod move_set;
mod moves;
mod multiset;
pub mod nim;
pub mod partizan;
mod position;
pub mod reference;
pub mod set_rows;
pub mod short_global;
pub mod table;

pub use game::{Game, UnknownGame};
pub use middle::{Middles, lex_index, lex_word};
pub use move_set::MoveSet;
pub use moves::{Move, Pick, Player};
pub use multiset::Multisets;
pub use position::{Memory, Pile, Position, PositionError};
pub use set_rows::SetRows;
pub use table::{
    LARGEST_BYTE_MAX_PILE, LARGEST_HEAP, LARGEST_LENGTH, LARGEST_MAX_PILE, Layout, MOST_EXCEPTIONS,
    NotATableId, Table, TableError,
};

/// The outcome class of a position: who wins with best play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// Left wins, whoever begins. In partizan games only.
    L,
    /// Right wins, whoever begins. In partizan games only.
    R,
    /// The next player, the one to move, wins.
    N,
    /// The previous player wins: the player to move loses. In an impartial game, exactly
    /// the positions of Grundy value 0.
    P,
}

impl Outcome {
    /// The classes in the order in which they are listed.
    pub const ALL: [Outcome; 4] = [Outcome::L, Outcome::R, Outcome::N, Outcome::P];

    /// The outcome class of an impartial position with this Grundy value.
    pub fn of_value(value: u32) -> Outcome {
        if value == 0 { Outcome::P } else { Outcome::N }
    }

    /// The outcome class by who wins moving first.
    pub fn of_first_moves(left_wins: bool, right_wins: bool) -> Outcome {
        match (left_wins, right_wins) {
            (true, false) => Outcome::L,
            (false, true) => Outcome::R,
            (true, true) => Outcome::N,
            (false, false) => Outcome::P,
        }
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outcome::L => "L",
            Outcome::R => "R",
            Outcome::N => "N",
            Outcome::P => "P",
        })
    }
}

/// The least non-negative integer that is not among `values`.
///
/// ```
/// assert_eq!(grundy_rules::mex([0, 1, 3]), 2);
/// assert_eq!(grundy_rules::mex([]), 0);
/// ```
pub fn mex(values: impl IntoIterator<Item = u32>) -> u32 {
    let mut seen: Vec<u32> = values.into_iter().collect();
    seen.sort_unstable();
    let mut least = 0;
    for value in seen {
        if value == least {
            least += 1;
        }
    }
    least
}
