//! What a rule file says: the resolved form of a game, from which everything else is derived.
//!
//! ```text
//!   text ──► read ──► Law ──┬─► walk       one position at a time: the reference
//!                           ├─► at         written out for one length: shapes, symmetry
//!                           └─► canonical  the identity, name-xxxxxxxx
//! ```
//!
//! Expressions are those of the language, resolved. Names that binders give are *places*: the first
//! binder of a move has place 0, and `each i in H t[i]` takes two, one for `i` and one for `t`. So
//! the names themselves do not count, and two files that differ in them alone have one identity.

use std::ops::RangeInclusive;

pub use grundy_language::moves::{Binder, Change, Choice, Effect, MoveRule, Numbers};
use grundy_language::{Expr, Player};

mod at;
mod canonical;
mod example;
mod game;
mod read;
mod walk;

pub use at::Plain;
pub use example::Checked;
pub(crate) use game::opened;
pub use read::{LONGEST_FILE, RuleFile};

/// What a position is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Piles of at least 1 in a row, which closes up where one is emptied.
    Row,
    /// A multiset of piles of at least 1, ascending.
    Heaps,
    /// A tuple of fixed length, whose zeros stay.
    Places,
    /// Piles that are games by themselves, and whose values are added by nim-sum.
    Sum,
}

/// The most piles of a position of a rule file: those that have a name, p1 to p63.
pub const MOST_PILES: usize = crate::LARGEST_LENGTH;

impl Kind {
    /// The kinds with their names in files.
    pub const ALL: [(&str, Kind); 4] =
        [("row", Kind::Row), ("heaps", Kind::Heaps), ("places", Kind::Places), ("sum", Kind::Sum)];

    /// The name in files.
    pub fn name(self) -> &'static str {
        Kind::ALL[self as usize].0
    }
}

/// The resolved form of a rule file.
#[derive(Clone, Debug)]
pub struct Law {
    /// What a position is made of.
    pub kind: Kind,
    /// How many piles it may have, the position without piles apart.
    pub lengths: RangeInclusive<usize>,
    /// Which positions there are; without it all.
    pub admits: Option<Expr>,
    /// Whether the number of coins that the last move took belongs to a position.
    pub last_move: bool,
    /// Whether a position without moves has the value 1.
    pub misere: bool,
    /// The moves, in the order of the file.
    pub moves: Vec<MoveRule>,
    /// The digits of an octal code, d0 first, if the moves were given by one.
    pub code: Option<Vec<u8>>,
}

impl Law {
    /// Whether the players have different moves.
    pub fn is_partizan(&self) -> bool {
        self.moves.iter().any(|rule| rule.player != Player::Either)
    }

    /// The least pile that a position may have.
    pub fn least_pile(&self) -> u32 {
        u32::from(self.kind != Kind::Places)
    }
}
