//! What is done with tiles.

use grundy_kernels::Cell;
use grundy_rules::{Middles, Pile};

/// One tile: the values of all positions a·middle·b.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a, T> {
    /// The number of piles of its positions.
    pub length: usize,
    /// The piles between the two ends; empty for lengths 1 and 2.
    pub middle: &'a [Pile],
    /// Rows of the tile: N, or 1 in the table of length 1.
    pub rows: usize,
    /// Row by row, `values[row * cols + col]`, with a = row + 1, b = col + 1.
    pub values: &'a [T],
}

impl<'a, T: Cell> Tile<'a, T> {
    /// Columns of the tile, N.
    pub fn cols(&self) -> usize {
        self.values.len() / self.rows
    }

    /// How many words each cell stands for: 2 if the tile of the reversed middle
    /// is left out as its transpose, 1 if the middle is its own reversal.
    pub fn weight(&self) -> u64 {
        if Middles::is_palindrome(self.middle) { 1 } else { 2 }
    }

    /// The rows, each of `cols` values.
    pub fn lines(&self) -> std::slice::ChunksExact<'a, T> {
        self.values.chunks_exact(self.cols())
    }

    /// The piles of the cell at `row`, `col` (from 0), into `piles`.
    pub fn piles(&self, row: usize, col: usize, piles: &mut Vec<Pile>) {
        piles.clear();
        if self.length > 1 {
            piles.push(row as Pile + 1);
        }
        piles.extend_from_slice(self.middle);
        piles.push(col as Pile + 1);
    }
}

/// A computation over all tiles of a table, in any order and in parallel: each
/// thread folds the tiles it meets into an accumulator of its own, and the
/// accumulators are merged.
pub trait Fold<T: Cell>: Sync {
    /// What a thread gathers.
    type Acc: Send;

    /// Nothing gathered.
    fn start(&self) -> Self::Acc;

    /// Takes in one tile.
    fn tile(&self, acc: &mut Self::Acc, tile: Tile<'_, T>);

    /// Joins what two threads gathered. The order must not matter to the result.
    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc;
}
