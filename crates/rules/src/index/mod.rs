//! Maps positions to places in tables. All code that reads or writes a table uses this module.
//!
//! A table is a sequence of *tiles* of the same size. A tile is an array of *cells* in rows and
//! columns. An [`Index`] assigns positions to cells:
//!
//! | index | positions | a tile is |
//! |---|---|---|
//! | [middles](RowIndex) | rows that have the value of their reversal | all a w b of one middle w <= rev(w) |
//! | [words](BoxIndex) | other rows | all words that differ in the last two piles |
//! | [multisets](MultisetIndex) | piles in any order | one value |
//! | [last moves](MultisetIndex) | piles in any order with the last move | one value for each last move |
//! | [boxes](BoxIndex) | places that may be empty | all words that differ in the last two piles |
//! | | rows or places with the last move | one value for each last move |
//! | [records](RecordIndex) | single piles with the last move | g(n) and the exceptions |
//! | [sets](SetIndex) | single piles with the available moves | sixteen values in a cell |
//! | [set rows](SetRowIndex) | several piles with the available moves | one value |
//! | [coins](CoinIndex) | positions with at most N coins | one value |
//!
//! A cell holds one value, except in records and sets. All values of a pile follow from its record.
//! The *number* of a position is the number of values before its own value in the table.
//!
//! Walks by the number of coins use a numbering without tables, [`Totals`].

mod boxes;
mod coins;
mod middles;
mod multisets;
mod records;
mod rows;
pub mod set_rows;
mod sets;
mod totals;

use std::f64::consts::PI;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

pub use boxes::BoxIndex;
pub use coins::CoinIndex;
pub use middles::{Middles, lex_index, lex_word};
pub use multisets::{MultisetIndex, Multisets};
pub use records::{MOST_EXCEPTIONS, RecordIndex};
pub use rows::RowIndex;
pub use set_rows::{SetRowIndex, SetRows};
pub use sets::{LARGEST_SETS_PILE, SETS_PER_CELL, SetIndex};
pub use totals::Totals;

use crate::size::{LARGEST_LENGTH, LARGEST_MAX_PILE};
pub use crate::size::{LARGEST_RECORD, LARGEST_SET_ROWS};
use crate::{Form, Game, Memory, Order, Pile, Position, Remembers, Size, TableError};

/// The kinds of numberings of positions, one for each kind of table: see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Rows that have the value of their reversal.
    Middles,
    /// Rows whose reversal may have another value.
    Words,
    /// Piles in any order.
    Multisets,
    /// Piles in any order with the last move.
    LastMoves,
    /// Single piles with the last move.
    Records,
    /// Single piles with the available moves.
    Sets,
    /// Several piles with the available moves.
    SetRows,
    /// Places that may be empty, and positions of a game whose rules exclude some positions, or
    /// whose tables hold the positions with at most N coins.
    Places,
    /// Places or rows with the last move.
    PlaceMoves,
}

impl Numbering {
    /// True if every cell is the value of a position, or of a position and its reversal.
    pub fn is_plain(self) -> bool {
        match self {
            Numbering::Middles
            | Numbering::Words
            | Numbering::Multisets
            | Numbering::LastMoves
            | Numbering::SetRows
            | Numbering::Places
            | Numbering::PlaceMoves => true,
            Numbering::Records | Numbering::Sets => false,
        }
    }

    /// Returns the number of values in a cell: one, except for sets of moves of single piles.
    pub fn values_per_cell(self) -> u64 {
        if self == Numbering::Sets { SETS_PER_CELL } else { 1 }
    }
}

/// A numbering of the positions of one table: see the [module](self).
pub trait Index: Debug + Send + Sync {
    /// Returns the kind of numbering.
    fn numbering(&self) -> Numbering;

    /// Returns the number of tiles of the table, and their size.
    fn shape(&self) -> Shape;

    /// Returns the number of positions that the table holds. A row and its reversal both count.
    fn positions(&self) -> u64;

    /// Returns the place of a position. `None` if the table does not hold the position. If the
    /// order of piles does not matter, `piles` may be in any order. [`Memory::Nothing`] means the
    /// beginning of play.
    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place>;

    /// Returns the position with this number. If a row and its reversal share the number, returns
    /// the stored row. `None` beyond the end, and for the few numbers without a position.
    fn position(&self, number: u64) -> Option<Position>;

    /// Changes the position of a number to that of the next number; returns false if only
    /// [`Index::position`] can do so.
    fn step(&self, _: &mut Position) -> bool {
        false
    }

    /// Returns the numbers of positions. The rules of the game may exclude some of them, and so may
    /// the length of the table.
    fn numbers(&self) -> Range<u64> {
        let Shape { rows, cols, tiles } = self.shape();
        0..tiles * (rows * cols) as u64
    }

    /// Returns the multisets of piles, if each multiset has a tile.
    fn multisets(&self) -> Option<&Multisets> {
        None
    }

    /// Replaces the contents of `word` with the piles that all positions of a tile share. These are
    /// the middle, all piles, all piles except the last two, or none, depending on the index.
    ///
    /// # Panics
    /// Panics if there is no such tile.
    fn tile_word(&self, _tile: u64, word: &mut Vec<Pile>) {
        word.clear();
    }
}

/// The number of tiles of a table, and their size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The number of rows of a tile.
    pub rows: usize,
    /// The number of columns of a tile.
    pub cols: usize,
    /// The number of tiles.
    pub tiles: u64,
}

impl Shape {
    pub(crate) fn single(tiles: u64) -> Shape {
        Shape { rows: 1, cols: 1, tiles }
    }
}

/// The place of a position in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The tile, from 0.
    pub tile: u64,
    /// The row in the tile, from 0.
    pub row: usize,
    /// The column in the tile, from 0.
    pub col: usize,
    /// The index of the value within the cell, from 0.
    pub within: u32,
    /// True if the table stores the reversal of the position. Then the first pile gives the column,
    /// and the last pile gives the row.
    pub reversed: bool,
}

impl Place {
    pub(crate) fn tile(tile: u64) -> Place {
        Place { tile, row: 0, col: 0, within: 0, reversed: false }
    }
}

/// Returns the index of the positions with at most N coins, for `within: total`.
pub(crate) fn within_total(
    game: Game,
    size: Size,
    states: Option<u64>,
) -> Result<Arc<dyn Index>, TableError> {
    Ok(Arc::new(CoinIndex::new(game, size, states)?))
}

/// Returns the number of positions of heaps with at most N coins; `None` if it is too large.
pub(crate) fn heaps_within(coins: Pile) -> Option<u64> {
    Some(Totals::of(Order::Any, 0, coins)?.count())
}

/// Chooses the index by the properties of the game: middles for rows that have the same value as
/// their reversal, words for other rows, and multisets if the order of piles does not matter. If
/// the game remembers the last move or the available moves, these are part of the numbering.
pub(crate) fn usual(game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
    Ok(match (game.order(), game.remembers()) {
        (Order::Any, Remembers::Nothing) => Arc::new(MultisetIndex::new(game, size)?),
        (Order::Any, Remembers::Numbers) => Arc::new(MultisetIndex::with_last_moves(game, size)?),
        (Order::Any, Remembers::Moves) => Arc::new(SetRowIndex::new(game, size)?),
        (Order::Row, Remembers::Nothing) if game.is_symmetric() => {
            Arc::new(RowIndex::new(game, size)?)
        }
        (Order::Row, Remembers::Nothing) => Arc::new(BoxIndex::of_words(game, size)?),
        (Order::Row | Order::Places, _) => return Err(TableError::NoIndex { game }),
    })
}

/// Rejects a max pile of 0, too large a length, and a form that stores only values.
fn check(game: Game, size: Size) -> Result<(), TableError> {
    let Size { max_pile, length, form } = size;
    if form != Form::Whole {
        return Err(TableError::Form { game, length });
    }
    if max_pile == 0 && !game.is_within_total() {
        return Err(TableError::MaxPile { max_pile, most: LARGEST_MAX_PILE });
    }
    // Limit the length even if all piles are 1, because a short input must not cause endless work.
    let few = max_pile == 1 || game.is_unordered();
    if few && length > LARGEST_LENGTH {
        return Err(TableError::Length { length });
    }
    Ok(())
}

fn too_large(game: Game, size: Size) -> TableError {
    let Size { max_pile, length, .. } = size;
    TableError::TooLarge { game, max_pile, length, positions: about_positions(game, size) }
}

fn about_positions(game: Game, Size { max_pile, length, .. }: Size) -> f64 {
    if game.is_within_total() && game.is_unordered() {
        // The partitions of all numbers up to n, by the formula of Hardy and Ramanujan.
        let n = f64::from(max_pile);
        return (PI * (2.0 * n / 3.0).sqrt()).exp() / (2.0 * PI * (2.0 * n).sqrt());
    }
    let words = f64::from(max_pile).powf(length as f64);
    // Most multisets of k piles have k! orders. About one in k! words has a total of at most N.
    let same: f64 = match game.order() {
        Order::Row | Order::Places if !game.is_within_total() => 1.0,
        _ => (1..=length).map(|i| i as f64).product(),
    };
    words / same
}

/// Rejects piles that are too large for a tile. Callers count the positions first, because the
/// error for too many positions is more helpful.
fn check_range(Size { max_pile, .. }: Size, most: Pile) -> Result<(), TableError> {
    if max_pile <= most { Ok(()) } else { Err(TableError::MaxPile { max_pile, most }) }
}

/// Returns the multisets of a table, or an error if there are too many, or if a pile may be larger
/// than `most`.
fn multisets(game: Game, size: Size, most: Pile) -> Result<Multisets, TableError> {
    check(game, size)?;
    // Do not compute terms for piles that are too large.
    let in_range = size.max_pile <= most;
    if !in_range && about_positions(game, size) > (1u64 << 63) as f64 {
        return Err(too_large(game, size));
    }
    let within = size.max_pile.min(most);
    let multisets = Multisets::new(within, size.length).ok_or_else(|| too_large(game, size))?;
    check_range(size, most)?;
    Ok(multisets)
}

/// Returns the piles in ascending order. Does not copy them if they already are in this order.
fn sorted(piles: &[Pile]) -> std::borrow::Cow<'_, [Pile]> {
    if piles.is_sorted() {
        return piles.into();
    }
    let mut sorted = piles.to_vec();
    sorted.sort_unstable();
    sorted.into()
}

/// True if there are `length` piles, all from 1 to `max_pile`.
fn holds(piles: &[Pile], max_pile: Pile, length: usize) -> bool {
    piles.len() == length && piles.iter().all(|&pile| pile >= 1 && pile <= max_pile)
}
