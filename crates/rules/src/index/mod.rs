//! Where a position stands in its table: the only bijection between positions and places.
//!
//! A table is a sequence of equal *tiles*, each an array of *cells* in rows and columns.
//! How positions are laid out in them is an [`Index`]:
//!
//! | index | of | a tile is |
//! |---|---|---|
//! | [middles](RowIndex) | rows that read the same backwards | all a w b of one middle w <= rev(w) |
//! | [words](RowIndex) | other rows | all words that differ in the last two piles |
//! | [multisets](MultisetIndex) | piles in any order | one value |
//! | [last moves](MultisetIndex) | the same, with the move just played | the values for each last move |
//! | [boxes](BoxIndex) | places, of which some may be empty; rows with the move just played | all words that differ in the last two piles; the values for each last move |
//! | [records](RecordIndex) | single piles with the move just played | g(n) and what differs from it |
//! | [sets](SetIndex) | single piles with the moves that are left | sixteen values in a cell |
//! | [set rows](SetRowIndex) | several piles with them | one value |
//!
//! A cell holds one value, but for records, where a row of cells together says all values of a
//! pile, and for sets. Positions are also counted by *number*: that of their value in the order
//! of the table.

mod boxes;
mod middles;
mod multisets;
mod records;
mod rows;
pub mod set_rows;
mod sets;

use std::fmt::Debug;
use std::sync::Arc;

pub use boxes::{BoxIndex, Where};
pub use middles::{Middles, lex_index, lex_word};
pub use multisets::{MultisetIndex, Multisets};
pub use records::{MOST_EXCEPTIONS, RecordIndex};
pub use rows::RowIndex;
pub use set_rows::{SetRowIndex, SetRows};
pub use sets::{LARGEST_SETS_PILE, SETS_PER_CELL, SetIndex};

use crate::size::{LARGEST_LENGTH, LARGEST_MAX_PILE};
pub use crate::size::{LARGEST_RECORD, LARGEST_SET_ROWS};
use crate::{Form, Game, Memory, Order, Pile, Position, Remembers, Size, TableError};

/// The kinds of tables, by how their positions are numbered: see the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    /// Rows that read the same backwards.
    Middles,
    /// Other rows.
    Words,
    /// Piles in any order.
    Multisets,
    /// Piles in any order with the move just played.
    LastMoves,
    /// Single piles with the move just played.
    Records,
    /// Single piles with the moves that are left.
    Sets,
    /// Several piles with the moves that are left.
    SetRows,
    /// Places, of which some may be empty.
    Places,
    /// Places or rows with the move just played.
    PlaceMoves,
}

impl Numbering {
    /// Whether every cell is the value of one position, and of no other but its reversal's.
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

    /// The values in a cell: one, but for sets of moves of single piles.
    pub fn values_per_cell(self) -> u64 {
        if self == Numbering::Sets { SETS_PER_CELL } else { 1 }
    }
}

/// How the positions of one table are numbered: see the [module](self).
pub trait Index: Debug + Send + Sync {
    /// Which of the numberings it is.
    fn numbering(&self) -> Numbering;

    /// The tiles.
    fn shape(&self) -> Shape;

    /// The number of positions the table answers for, both readings of a row counted.
    fn positions(&self) -> u64;

    /// Where a position stands; `None` if the table does not hold it. Piles come in any order
    /// where the order does not matter, and a memory of nothing is that of the beginning.
    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place>;

    /// The position with this number; `None` beyond the end, and for the few numbers that no
    /// position has. Of a row and its reversal it is the one that is stored.
    fn position(&self, number: u64) -> Option<Position>;

    /// The multisets of piles that its tiles go through, if they do: one each.
    fn multisets(&self) -> Option<&Multisets> {
        None
    }

    /// Writes the piles that all positions of a tile share into `word`, replacing what it
    /// held: the middle, or the word before the last two piles, or nothing.
    ///
    /// # Panics
    /// If there is no such tile.
    fn tile_word(&self, _tile: u64, word: &mut Vec<Pile>) {
        word.clear();
    }
}

/// The tiles of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Rows of a tile.
    pub rows: usize,
    /// Columns of a tile.
    pub cols: usize,
    /// The number of tiles.
    pub tiles: u64,
}

impl Shape {
    /// Tiles of single values.
    pub(crate) fn single(tiles: u64) -> Shape {
        Shape { rows: 1, cols: 1, tiles }
    }
}

/// Where a position stands in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The tile, from 0.
    pub tile: u64,
    /// The row in the tile, from 0.
    pub row: usize,
    /// The column in the tile, from 0.
    pub col: usize,
    /// Which of the values in the cell, from 0.
    pub within: u32,
    /// Whether it is stored reversed: its first pile counts columns, its last rows.
    pub reversed: bool,
}

impl Place {
    /// The only cell of a tile.
    pub(crate) fn tile(tile: u64) -> Place {
        Place { tile, row: 0, col: 0, within: 0, reversed: false }
    }
}

/// The index by what a game says of itself: by middles if rows read the same backwards, by words
/// if they do not, by multisets if the order of the piles does not matter, each with whatever
/// the game remembers besides.
pub(crate) fn usual(game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
    Ok(match (game.order(), game.remembers()) {
        (Order::Any, Remembers::Nothing) => Arc::new(MultisetIndex::new(game, size)?),
        (Order::Any, Remembers::LastMove) => Arc::new(MultisetIndex::with_last_moves(game, size)?),
        (Order::Any, Remembers::Moves) => Arc::new(SetRowIndex::new(game, size)?),
        (Order::Row, Remembers::Nothing) if game.is_symmetric() => {
            Arc::new(RowIndex::of_middles(game, size)?)
        }
        (Order::Row, Remembers::Nothing) => Arc::new(RowIndex::of_words(game, size)?),
        (Order::Row | Order::Places, _) => return Err(TableError::NoIndex { game }),
    })
}

/// Refuses a form that is not the whole, and sizes of zero.
fn check(game: Game, size: Size) -> Result<(), TableError> {
    let Size { max_pile, length, form } = size;
    if form != Form::Whole {
        return Err(TableError::Form { game, length });
    }
    if max_pile == 0 {
        return Err(TableError::MaxPile { max_pile });
    }
    // Even of piles of at most 1 there are no longer tables, so that no text can ask
    // for more than this much work.
    let few = max_pile == 1 || game.is_unordered();
    if length == 0 || few && length > LARGEST_LENGTH {
        return Err(TableError::Length { length });
    }
    Ok(())
}

/// The refusal of a table with too many positions.
fn too_large(game: Game, size: Size) -> TableError {
    let Size { max_pile, length, .. } = size;
    TableError::TooLarge { game, max_pile, length, positions: about_positions(game, size) }
}

fn about_positions(game: Game, Size { max_pile, length, .. }: Size) -> f64 {
    let words = f64::from(max_pile).powf(length as f64);
    // About k! words are one multiset.
    let same: f64 = match game.order() {
        Order::Any => (1..=length).map(|i| i as f64).product(),
        Order::Row | Order::Places => 1.0,
    };
    words / same
}

/// Refuses piles beyond what a tile may hold. This comes after the count, which says more.
fn check_range(size: Size) -> Result<(), TableError> {
    if size.max_pile <= LARGEST_MAX_PILE {
        return Ok(());
    }
    Err(TableError::MaxPile { max_pile: size.max_pile })
}

/// The multisets of a table, counted.
fn multisets(game: Game, size: Size) -> Result<Multisets, TableError> {
    check(game, size)?;
    // Beyond the range the terms of the numbering are not laid out, only counted.
    let in_range = size.max_pile <= LARGEST_MAX_PILE;
    if !in_range && about_positions(game, size) > (1u64 << 63) as f64 {
        return Err(too_large(game, size));
    }
    let within = size.max_pile.min(LARGEST_MAX_PILE);
    Multisets::new(within, size.length).ok_or_else(|| too_large(game, size))
}

/// Piles in ascending order; they mostly are.
fn sorted(piles: &[Pile]) -> std::borrow::Cow<'_, [Pile]> {
    if piles.is_sorted() {
        return piles.into();
    }
    let mut sorted = piles.to_vec();
    sorted.sort_unstable();
    sorted.into()
}

/// Whether these are so many piles of at most so many coins.
fn holds(piles: &[Pile], max_pile: Pile, length: usize) -> bool {
    piles.len() == length && piles.iter().all(|&pile| pile >= 1 && pile <= max_pile)
}
