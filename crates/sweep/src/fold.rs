//! What is done with tiles.

use grundy_kernels::{Borders, Cell, Kernel, Scratch};
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

    /// Takes in tiles of which nothing is known yet but what they follow from. Fills them and takes
    /// in each, unless a fold can do without their values.
    fn batch(&self, acc: &mut Self::Acc, mut batch: Batch<'_, '_, T>) {
        batch.each(|tile| self.tile(acc, tile));
    }

    /// Joins what two threads gathered. The order must not matter to the result.
    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc;
}

/// Tiles of a level of at least four piles, given by their borders.
#[derive(Debug)]
pub struct Batch<'a, 'b, T> {
    /// The number of piles of their positions.
    pub length: usize,
    /// What fills them.
    pub kernel: Kernel,
    /// One pair for each tile.
    pub borders: &'a [Borders<'b, T>],
    /// Their middles, one after another.
    pub middles: &'a [Pile],
    /// Working memory of the kernel.
    pub scratch: &'a mut Scratch,
    /// Room for values.
    pub out: &'a mut Vec<T>,
}

impl<T: Cell> Batch<'_, '_, T> {
    /// The middle of a tile.
    pub fn middle(&self, at: usize) -> &[Pile] {
        let length = self.length - 2;
        &self.middles[at * length..(at + 1) * length]
    }

    /// Fills all tiles and shows each.
    pub fn each(&mut self, mut show: impl FnMut(Tile<'_, T>)) {
        let (length, n) = (self.length, self.kernel.max_pile());
        let cells = self.borders.len() * n * n;
        if self.out.len() < cells {
            self.out.resize(cells, T::default());
        }
        let out = &mut self.out[..cells];
        self.kernel.fill(self.scratch, self.borders, out);
        let middles = self.middles.chunks_exact(length - 2);
        for (values, middle) in out.chunks_exact(n * n).zip(middles) {
            show(Tile { length, middle, rows: n, values });
        }
    }

    /// Fills one tile and shows it.
    pub fn one<R>(&mut self, at: usize, show: impl FnOnce(Tile<'_, T>) -> R) -> R {
        let (length, n) = (self.length, self.kernel.max_pile());
        if self.out.len() < n * n {
            self.out.resize(n * n, T::default());
        }
        self.kernel.fill(self.scratch, &self.borders[at..=at], &mut self.out[..n * n]);
        let middle = &self.middles[at * (length - 2)..(at + 1) * (length - 2)];
        show(Tile { length, middle, rows: n, values: &self.out[..n * n] })
    }
}
