//! Fills tables of any game, by the shapes of its moves.
//!
//! A cell may have hundreds of options, so visiting each of them takes long. But options have a
//! shape. The options that take t = 1, 2, ... coins from pile 3 form a *line*, and the next cell on
//! the line has the same options and one more. So the filler keeps one set of values for each line,
//! and adds a value to it at each cell of the line. A cell takes one load and one store:
//!
//! ```text
//!   ray      x - first - t·step, t = 0, 1, ...     S(x) = S(x - step) ∪ {G(x - first)}
//!   point    x - first alone                       a load
//!   box      some piles lowered by any numbers     prefix sets: a union of neighbours
//! ```
//!
//! Other moves consist of these shapes. Taking t <= c coins (a window) is c points. Taking t ≡ r
//! mod m coins is a ray with a longer step. Taking two numbers that differ by less than r is 2r - 1
//! rays. A condition on the position (not on t) is a *guard*: only cells that satisfy it read sets.
//!
//! [`Grid`] fills rows in which empty piles stay, rows in which empty piles vanish, and tiles of
//! rows in which only the ends change. [`Heaps`] fills multisets; [`Splits`] fills splitting piles.
//!
//! Outcomes need no mex: [`Grid::outcomes`] and [`Heaps::outcomes`] keep one bit in place of a set.
//! [`OutcomeRows`] hands out one row after another, and keeps only the cells that later rows read.
//!
//! This module does not read the rules of games. Moves are vectors; a [`Guide`] supplies the rest.

mod bits;
mod grid;
mod heaps;
mod row;
mod set;
mod sums;
mod walk;

pub use bits::{Bits, OutcomeRows};
pub use grid::Grid;
pub use heaps::{HeapMove, HeapShape, Heaps};
pub use row::LANES;
pub use sums::{Leaving, Splits};

/// The number of values that a cell can have. A value that reaches this number is an error.
pub const LARGEST_VALUE: usize = set::MOST;

/// The options of one kind of move from x.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The options x - first - t·step for t = 0, 1, ... in the table; only x - first if step is 0.
    Ray {
        /// The vector from the option for t = 0 to x.
        first: Vec<usize>,
        /// The vector between successive options.
        step: Vec<usize>,
    },
    /// All positions below x that differ from x only in these piles.
    Box {
        /// The indices of the piles, in ascending order.
        piles: Vec<usize>,
        /// True if every one of these piles must be lowered.
        all: bool,
    },
}

/// Moves of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    pub shape: Shape,
    /// The index of the guard for [`Guide::open`], if the moves have a condition.
    pub guard: Option<usize>,
}

/// The cells of a row that satisfy the guard of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    Always,
    Never,
    /// The cells that [`Guide::open`] marks.
    Some,
}

/// Supplies the values and conditions of a game to a filler.
pub trait Guide {
    /// Writes the known values of the first columns of a row. Returns the number of these columns,
    /// which is the same for each lane. `outer` contains the coordinates of the row.
    fn given(&self, _lane: usize, _outer: &[u32], _row: &mut [u16]) -> usize {
        0
    }

    /// Marks the columns of a row that satisfy a guard.
    fn open(&self, _guard: usize, _outer: &[u32], _columns: &mut [bool]) -> Open {
        Open::Always
    }

    /// Receives the number of cells filled so far; returns false to stop.
    fn goes_on(&self, _cells: u64) -> bool {
        true
    }
}

impl<G: Guide + ?Sized> Guide for &G {
    fn given(&self, lane: usize, outer: &[u32], row: &mut [u16]) -> usize {
        (**self).given(lane, outer, row)
    }

    fn open(&self, guard: usize, outer: &[u32], columns: &mut [bool]) -> Open {
        (**self).open(guard, outer, columns)
    }

    fn goes_on(&self, cells: u64) -> bool {
        (**self).goes_on(cells)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Unguided;

impl Guide for Unguided {}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimitError {
    /// The sets need more memory than the limit allows.
    Memory {
        needed: u64,
    },
    /// A value is 8192 or more.
    Value,
    Stopped,
}
