//! Fillers for the moves of any game, by the shapes of its moves.
//!
//! A filler that visits every option takes time in proportion to the options: hundreds a cell. But
//! options have a shape. Take t coins from pile 3, for t = 1, 2, ...: these options stand on a
//! *line*, and the next cell on the line has the same ones and one more. So each line keeps one set
//! of values and adds to it as the walk goes along it. That takes one load and one store:
//!
//! ```text
//!   ray      x - first - t·step, t = 0, 1, ...     S(x) = S(x - step) ∪ {G(x - first)}
//!   point    x - first alone                       a load
//!   box      some piles lowered by any numbers     prefix sets: a union of neighbours
//! ```
//!
//! A window, t <= c, is c points. t ≡ r mod m is a ray with a longer step. Two numbers that differ
//! by less than r are 2r - 1 rays. A condition on the position (but not on t) is a *guard*: the
//! sets are kept in any case, and read only at cells that fulfil it.
//!
//! [`Grid`] fills boxes of places that keep their zeros, rows that close up, and tiles of rows in
//! which only the ends move. [`Heaps`] fills multisets, and [`Splits`] single piles that are split.
//!
//! The notation of a game is unknown here: moves are vectors, and a [`Guide`] supplies the rest.

mod grid;
mod heaps;
mod row;
mod set;
mod sums;
mod walk;

pub use grid::Grid;
pub use heaps::{HeapMove, HeapShape, Heaps};
pub use row::LANES;
pub use sums::{Leaving, Splits};

/// One more than the largest value that can be filled.
pub const LARGEST_VALUE: usize = set::MOST;

/// The options of one kind of move from x.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// x - first - t·step for t = 0, 1, ..., as far as these are positions; for step 0, only x -
    /// first.
    Ray {
        /// The distance of the option for t = 0.
        first: Vec<usize>,
        /// The distance from one option to the next.
        step: Vec<usize>,
    },
    /// All y that are smaller on some of these piles, and larger nowhere.
    Box {
        /// The piles, in ascending order.
        piles: Vec<usize>,
        /// True if each of them must be smaller.
        all: bool,
    },
}

/// Moves of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub shape: Shape,
    /// The number of the condition in the [`Guide`], if the moves have one.
    pub guard: Option<usize>,
}

/// The cells of a row that a guard opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    Always,
    Never,
    /// Those that were marked.
    Some,
}

/// Values and conditions that a game supplies to a filler during the walk.
pub trait Guide {
    /// Writes the values of the first columns of a row that are known already, and returns their
    /// number: the same for each lane. `outer` holds the coordinates of the row.
    fn given(&self, _lane: usize, _outer: &[u32], _row: &mut [u16]) -> usize {
        0
    }

    /// Marks the columns of a row that a guard opens.
    fn open(&self, _guard: usize, _outer: &[u32], _columns: &mut [bool]) -> Open {
        Open::Always
    }

    /// Receives the number of cells filled; returns false to stop.
    fn goes_on(&self, _cells: u64) -> bool {
        true
    }
}

/// A guide without given values or conditions.
#[derive(Clone, Copy, Debug)]
pub struct Unguided;

impl Guide for Unguided {}

/// The reasons for refusing to fill cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// The sets need more memory than allowed.
    Memory {
        /// The bytes needed.
        needed: u64,
    },
    /// A value is 4096 or more.
    Value,
    Stopped,
}
