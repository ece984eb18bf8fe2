//! Fillers for the moves of any game, by their shapes.
//!
//! A filler that looks at every option costs as much as there are options: hundreds a cell. But options
//! have a shape. Take t coins from pile 3, for t = 1, 2, ...: these options stand on a *line*, and the next
//! cell on the line has the same ones and one more. So a set of values that belongs to the line, and is added to
//! as the line is walked, makes of them one load and one store:
//!
//! ```text
//!   ray      x - first - t·step, t = 0, 1, ...     S(x) = S(x - step) ∪ {G(x - first)}
//!   point    x - first alone                       a load
//!   box      some piles lowered by any numbers     prefix sets: a union of neighbours
//! ```
//!
//! A window, t <= c, is c points; t ≡ r mod m a ray with a longer step; two numbers that differ by less
//! than r are 2r - 1 rays. What a move asks of the position, and not of t, is a *guard*: the sets are kept
//! all the same, and read where it says so.
//!
//! [`Grid`] fills places, in which zeros stay, rows that close up, and tiles of rows in which only the ends
//! move; [`Heaps`] fills multisets; [`Splits`] single piles that are split.
//!
//! Nothing is known here of how a game is written down: moves are vectors, and the rest a [`Guide`] says.

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

/// The largest value that is filled, and one more.
pub const LARGEST_VALUE: usize = set::MOST;

/// Where the moves of one kind lead from x.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// To x - first - t·step for t = 0, 1, ..., as far as there are such positions; with a step of 0 to
    /// x - first alone.
    Ray {
        /// The options's distance for t = 0.
        first: Vec<usize>,
        /// The distance from one option to the next.
        step: Vec<usize>,
    },
    /// To all y that are smaller on some of these piles, and nowhere larger.
    Box {
        /// The piles, in ascending order.
        piles: Vec<usize>,
        /// Whether each of them must be smaller.
        all: bool,
    },
}

/// Moves of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where they lead.
    pub shape: Shape,
    /// What the position must fulfil, by the number under which a [`Guide`] knows it.
    pub guard: Option<usize>,
}

/// Which cells of a row a guard opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Open {
    /// All of them.
    Always,
    /// None.
    Never,
    /// Those that were marked.
    Some,
}

/// What a filler is told as it goes.
pub trait Guide {
    /// Writes the values of the first columns of a row that have them already, and says how many
    /// they are: the same number for each lane. `outer` are the coordinates of the row.
    fn given(&self, _lane: usize, _outer: &[u32], _row: &mut [u16]) -> usize {
        0
    }

    /// Marks the columns of a row that a guard opens.
    fn open(&self, _guard: usize, _outer: &[u32], _columns: &mut [bool]) -> Open {
        Open::Always
    }

    /// Hears how many cells are filled, and says whether it goes on.
    fn goes_on(&self, _cells: u64) -> bool {
        true
    }
}

/// A guide of places without conditions.
#[derive(Clone, Copy, Debug)]
pub struct Unguided;

impl Guide for Unguided {}

/// Why cells are not filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooMuch {
    /// So many bytes of sets are needed.
    Memory {
        /// The bytes.
        needed: u64,
    },
    /// A value is 4096 or more.
    Value,
    /// The guide stopped it.
    Stopped,
}
