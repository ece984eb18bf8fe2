//! Tiles, and computations over all tiles of a table.

use grundy_kernels::{Borders, Cell, Kernel, Scratch};
use grundy_rules::{Middles, Pile};

/// One tile: the values of all positions a·middle·b.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a, T> {
    pub length: usize,
    /// The piles between the two ends. Positions of one or two piles have none.
    pub middle: &'a [Pile],
    /// The number of rows of the tile: N, or 1 in the table of length 1.
    pub rows: usize,
    /// The values row by row: `values[row * cols + col]` belongs to a = row + 1, b = col + 1.
    pub values: &'a [T],
}

impl<'a, T: Cell> Tile<'a, T> {
    pub fn cols(&self) -> usize {
        self.values.len() / self.rows
    }

    /// Returns the number of positions that a cell stands for: 1 if the middle is its own reversal,
    /// otherwise 2. The tile of the reversed middle is the transpose and is omitted.
    pub fn weight(&self) -> u64 {
        if Middles::is_palindrome(self.middle) { 1 } else { 2 }
    }

    pub fn lines(&self) -> std::slice::ChunksExact<'a, T> {
        self.values.chunks_exact(self.cols())
    }

    /// Writes the piles of the cell at `row`, `col` (from 0) into `piles`.
    pub fn piles(&self, row: usize, col: usize, piles: &mut Vec<Pile>) {
        piles.clear();
        if self.length > 1 {
            piles.push(row as Pile + 1);
        }
        piles.extend_from_slice(self.middle);
        piles.push(col as Pile + 1);
    }
}

/// A computation over all tiles of a table, in any order and in parallel. Each thread folds its
/// tiles into an accumulator. Then the accumulators are merged.
pub trait Fold<T: Cell>: Sync {
    type Acc: Send;

    fn start(&self) -> Self::Acc;

    fn tile(&self, acc: &mut Self::Acc, tile: Tile<'_, T>);

    /// Adds tiles that are given by their borders. The default method fills each tile and adds it.
    /// A fold that does not need the values can override the method.
    fn batch(&self, acc: &mut Self::Acc, mut batch: Batch<'_, '_, T>) {
        batch.each(|tile| self.tile(acc, tile));
    }

    /// Merges the accumulators of two threads. The order must not change the result.
    fn merge(&self, left: Self::Acc, right: Self::Acc) -> Self::Acc;
}

/// Tiles of positions of at least four piles, given by their borders.
#[derive(Debug)]
pub struct Batch<'a, 'b, T> {
    /// The number of piles of the positions.
    pub length: usize,
    pub kernel: Kernel,
    /// One pair for each tile.
    pub borders: &'a [Borders<'b, T>],
    /// The middles of the tiles, one after another.
    pub middles: &'a [Pile],
    pub scratch: &'a mut Scratch,
    /// A buffer for values.
    pub out: &'a mut Vec<T>,
}

impl<T: Cell> Batch<'_, '_, T> {
    pub fn middle(&self, at: usize) -> &[Pile] {
        let length = self.length - 2;
        &self.middles[at * length..(at + 1) * length]
    }

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
