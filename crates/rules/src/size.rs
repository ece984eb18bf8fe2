//! Sizes of tables, and the errors for impossible sizes.

use crate::law::{MOST_PILES, piles};
use crate::{Game, Pile};

/// The size and the form of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The largest pile, N.
    pub max_pile: Pile,
    /// The number of piles, k.
    pub length: usize,
    /// The part of each position's result that the table stores.
    pub form: Form,
}

/// The part of each position's result that a table stores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// The whole result.
    #[default]
    Whole,
    /// Only the values g(n), for a table of records.
    ValuesOnly,
}

/// The largest max pile of a table. It limits a tile to 32 MiB.
pub const LARGEST_MAX_PILE: Pile = 4096;

/// The largest pile of a sum of several piles.
pub(crate) const LARGEST_SUM_PILE: Pile = 1 << 20;

/// The largest length of a table. Even if all piles are 1 or 2, there are 2^63 rows of this length.
pub const LARGEST_LENGTH: usize = MOST_PILES;

/// The largest pile of a table of records.
pub const LARGEST_RECORD: Pile = 400_000_000;

/// The largest pile and the largest length of a table of long global nim with several piles.
pub const LARGEST_SET_ROWS: Pile = 31;

/// An error for a table that cannot exist.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    #[error("max pile {max_pile} is out of range; it goes from 1 to {most}")]
    MaxPile { max_pile: Pile, most: Pile },
    #[error(
        "invalid max pile {max_pile} and length {length}: {game} has 2^n sets of moves for a pile \
         of n, so its tables have 1 to {LARGEST_SET_ROWS} piles, and those of {length} pile{} have a \
         max pile of 1 to {most}",
        if *length == 1 { "" } else { "s" }
    )]
    Sets { game: Game, max_pile: Pile, length: usize, most: Pile },
    #[error("a single pile of {max_pile} is out of range; it goes from 1 to {LARGEST_RECORD}")]
    Record { max_pile: Pile },
    #[error("tables of {game} with {length} piles cannot be limited to values")]
    Form { game: Game, length: usize },
    #[error("{game} has no tables: ordered rows with a remembered move cannot be numbered")]
    NoIndex { game: Game },
    #[error("{game} has no tables with {}: {lengths}", piles(&(*length..=*length)))]
    Piles { game: Game, length: usize, lengths: String },
    #[error(
        "no table of {game} with {length} piles is stored, because the value of several piles is \
         the nim-sum of their values; leave out the length, and ask about {length} piles without \
         a table"
    )]
    Sum { game: Game, length: usize },
    #[error(
        "{game} has no tables of remoteness, because the remoteness of several piles does not \
         follow from that of each pile; look up single positions"
    )]
    Remoteness { game: Game },
    #[error("max total {max_total} is out of range; it goes from 1 to {most}")]
    MaxTotal { max_total: Pile, most: Pile },
    #[error("a max pile and a max total were given; give one of them")]
    TwoSizes,
    #[error(
        "a max total of {max_total} is for games whose rule file says `within: total`; for {game} \
         give a max pile of {max_total}"
    )]
    NotWithinTotal { game: Game, max_total: Pile },
    #[error("no position of {length} piles has at most {max_total} coins; choose a larger total")]
    FewCoins { max_total: Pile, length: usize },
    #[error("length {length} is out of range; it goes from 1 to {LARGEST_LENGTH}")]
    Length { length: usize },
    #[error(
        "{game} with {} {max_pile}{} has about {positions:.1e} positions, more than any table can \
         hold",
        game.size_name(),
        if *length == 0 { String::new() } else { format!(" and length {length}") }
    )]
    TooLarge { game: Game, max_pile: Pile, length: usize, positions: f64 },
}
