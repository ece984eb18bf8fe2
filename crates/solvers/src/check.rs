//! Deriving stored cells again, by code that shares nothing with what filled them: by the definition,
//! from the options' values as the tables have them. Each family has a checker of its own.

use grundy_rules::Table;
use grundy_sweep::Control;

use crate::answer::SolveError;

/// A run of tiles as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The number of the first tile.
    pub first: u64,
    /// The cells of all tiles.
    pub cells: &'a [u32],
    /// Whether every value is to be derived, or a few of those that take long.
    pub full: bool,
}

/// What a checker has to work with.
#[derive(Clone, Copy, Debug)]
pub struct Checking<'a> {
    /// Bytes of memory.
    pub memory: u64,
    /// What stops it: what is derived then is less than was asked for.
    pub control: &'a Control,
}

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// Values derived again.
    pub values: u64,
    /// Values that were to be derived, and take more than the memory.
    pub left_out: u64,
    /// The first value that is not what the options make it.
    pub wrong: Option<Wrong>,
}

/// A wrong value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The position; empty if there is none where the value stands.
    pub position: String,
    /// The stored value.
    pub found: u32,
}

/// Derives the cells of one table again. Holds what it has read of other tables.
pub trait Checker {
    /// Derives a piece again.
    ///
    /// # Errors
    /// [`SolveError`] if what it is derived from cannot be had.
    fn check(&mut self, piece: Piece<'_>) -> Result<Derived, SolveError>;
}

/// A wrong cell by its place in a piece.
pub(crate) fn wrong_at(table: &Table, piece: Piece<'_>, at: usize) -> Wrong {
    let cell = piece.first * table.tile_cells() as u64 + at as u64;
    let position = table.position(cell * table.values_per_cell());
    Wrong {
        position: position.map_or_else(String::new, |found| found.to_string()),
        found: piece.cells[at],
    }
}

/// The values that are derived where every cell is one.
pub(crate) fn derived(table: &Table, piece: Piece<'_>, wrong: Option<usize>) -> Derived {
    let wrong = wrong.map(|at| wrong_at(table, piece, at));
    Derived { values: piece.cells.len() as u64, left_out: 0, wrong }
}
