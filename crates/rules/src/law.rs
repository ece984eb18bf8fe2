//! The resolved form of a rule file. The moves, the tables and the identity are derived from it.
//!
//! ```text
//!   text ──► read ──► Law ──┬─► walk       the moves of one position, for the reference
//!                           ├─► at         the lines written out for one length, for kernels
//!                           ├─► family     the family, if there is a faster method for such rules
//!                           └─► canonical  the identity, name-xxxxxxxx
//! ```
//!
//! Expressions are resolved expressions of the language. A name that a binder defines is replaced
//! by its *place*: the first binder of a move has place 0, and `each i in H t[i]` takes two places,
//! one for `i` and one for `t`. So two files that differ only in names have the same identity.

use std::ops::RangeInclusive;

pub use grundy_language::At;
pub use grundy_language::moves::{Binder, Change, Choice, Effect, MoveRule, Numbers};
use grundy_language::{Expr, Memories, Player};

use crate::Order;

mod at;
mod bound;
mod canonical;
mod ends;
mod example;
mod family;
mod game;
mod read;
mod singles;
mod walk;

pub use at::{Plain, is_defined};
pub use example::Checked;
pub use family::Family;
pub(crate) use game::{FileGame, opened};
pub use read::{
    LONGEST_FILE, RuleFile, UNPUBLISHED, is_license, is_plain, license_ids, license_page,
};
pub use singles::{Repeats, Singles};
pub use walk::CHOICES_PER_LOOK;

/// The arrangement of the piles of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Piles of at least 1 in a row. When a pile is emptied, the row closes up.
    Row,
    /// A multiset of piles of at least 1, in ascending order.
    Heaps,
    /// Piles in a fixed number of places. Empty piles are kept.
    Places,
    /// Piles that are separate games. The value of a position is a nim-sum.
    Sum,
}

/// The largest number of piles that a rule file can name. The names of piles are p1 to p63.
pub const MOST_PILES: usize = 63;

pub(crate) fn piles(lengths: &RangeInclusive<usize>) -> String {
    match (lengths.start(), lengths.end()) {
        (1, 1) => "1 pile".to_owned(),
        (least, most) if least == most => format!("{least} piles"),
        (least, &MOST_PILES) => format!("{least} or more piles"),
        (least, most) => format!("{least} to {most} piles"),
    }
}

impl Kind {
    /// All kinds, with their names in rule files.
    pub const ALL: [(&str, Kind); 4] =
        [("row", Kind::Row), ("heaps", Kind::Heaps), ("places", Kind::Places), ("sum", Kind::Sum)];

    /// Returns the arrangement of the piles.
    pub fn order(self) -> Order {
        match self {
            Kind::Row => Order::Row,
            Kind::Places => Order::Places,
            Kind::Heaps | Kind::Sum => Order::Any,
        }
    }

    /// Returns the name of the kind in rule files.
    pub fn name(self) -> &'static str {
        Kind::ALL[self as usize].0
    }
}

/// The resolved form of a rule file.
#[derive(Clone, Debug)]
pub struct Law {
    /// The arrangement of the piles of a position.
    pub kind: Kind,
    /// The allowed numbers of piles. The position without piles is always allowed. If the range
    /// ends at [`MOST_PILES`], any larger number is allowed too.
    pub lengths: RangeInclusive<usize>,
    /// The condition for valid positions; `None` if all are valid.
    pub admits: Option<Expr>,
    /// The numbers that positions remember besides their piles, if any.
    pub memories: Option<Memories>,
    /// True if a position without moves has the value 1.
    pub misere: bool,
    /// The number of options that the other player may forbid before a move.
    pub blocks: usize,
    /// The numbers that every move lowers lexicographically; none for the number of coins.
    pub falls: Vec<Expr>,
    /// True if tables hold the positions with at most N coins, instead of piles of at most N.
    pub within_total: bool,
    /// The moves, in the order of the file.
    pub moves: Vec<MoveRule>,
    /// The digits of the code, d0 first, if the file defines its moves by a finite octal code.
    pub code: Option<Vec<u8>>,
}

impl Law {
    /// True if the players have different moves.
    pub fn is_partizan(&self) -> bool {
        self.moves.iter().any(|rule| rule.player != Player::Either)
    }

    /// True if positions have outcome classes and no values.
    pub fn has_classes(&self) -> bool {
        self.blocks > 0 || self.is_partizan()
    }

    /// True if every move takes a coin, and makes no pile larger than the largest of the position.
    pub fn only_takes(&self) -> bool {
        self.falls.is_empty() && !self.within_total
    }

    /// True if a number in a table may have no position.
    pub fn excludes(&self) -> bool {
        self.admits.is_some() || self.within_total
    }

    /// Returns the list of the line `falls`; `None` for the number of coins.
    pub fn falls_in_words(&self) -> Option<String> {
        let all: Vec<String> = self.falls.iter().map(Expr::to_string).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// True if a position may have this number of piles.
    pub(crate) fn allows(&self, length: usize) -> bool {
        length >= *self.lengths.start() && length.min(MOST_PILES) <= *self.lengths.end()
    }

    /// Returns the numbers of piles for which tables are stored. For sums this is only 1.
    pub fn table_lengths(&self) -> RangeInclusive<usize> {
        if self.kind == Kind::Sum { 1..=1 } else { self.lengths.clone() }
    }

    /// Describes the allowed numbers of piles, for messages.
    pub(crate) fn lengths_in_words(&self) -> String {
        format!("its positions have {}", piles(&self.lengths))
    }

    /// Returns the least pile that a position may have.
    pub fn least_pile(&self) -> u32 {
        self.kind.order().least_pile()
    }
}
