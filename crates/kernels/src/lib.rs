#![doc = include_str!("../README.md")]

pub mod cells;
mod compiled;
mod edge;
mod isa;
mod lanes;
pub mod last_move;
mod mask;
pub mod multisets;
pub mod outcomes;
pub mod records;
mod rows;
pub mod shapes;
pub mod subsets;
mod tally;
pub mod thresholds;
mod vector;

pub use compiled::{Compiled, Compiler};
pub use edge::Edge;
pub use isa::{Isa, UnknownIsa};
pub use mask::EqualMask;
pub use tally::Tally;

use cells::Cells;
use vector::Present;

/// The type of a stored value: one byte up to N = 127, and two bytes above.
pub trait Cell:
    Copy + Default + Eq + Ord + Send + Sync + Into<u32> + std::fmt::Debug + 'static
{
    /// The largest N for which all values fit this type.
    const MAX_PILE: usize;
    /// The size of a value in bytes.
    const BYTES: usize = size_of::<Self>();
    /// Converts a value. The caller ensures that it fits, for example because N <= `MAX_PILE`.
    fn from_value(value: u32) -> Self;
    /// Returns the cell in the byte order of stored cells, little-endian.
    #[must_use]
    fn to_le(self) -> Self;

    /// Wraps values as [`Cells`], whose width is known at run time.
    fn cells(values: &[Self]) -> Cells<'_>;

    /// Implements [`Kernel::fill`] for cells of this width.
    #[doc(hidden)]
    fn fill(kernel: Kernel, scratch: &mut Scratch, borders: &[Borders<'_, Self>], out: &mut [Self]);
}

/// The two borders of a tile: `row[b - 1]` = G(w b) and `col[a - 1]` = G(a w).
#[derive(Clone, Copy, Debug)]
pub struct Borders<'a, T> {
    /// G(w b) for b = 1..=N.
    pub row: &'a [T],
    /// G(a w) for a = 1..=N.
    pub col: &'a [T],
}

/// Fills tiles of one size with one instruction set. A job creates only one kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    isa: Present,
    max_pile: usize,
}

/// The working memory of a kernel for one thread. Each call reuses the memory.
#[derive(Debug, Default)]
pub struct Scratch {
    lanes: lanes::Scratch,
    long: rows::Scratch,
    tally: tally::Scratch,
}

impl Kernel {
    /// Returns a kernel for N x N tiles with this instruction set.
    ///
    /// # Panics
    /// If the machine lacks the instruction set, or N is 0. Callers must check user input first.
    pub fn new(isa: Isa, max_pile: usize) -> Kernel {
        assert!(max_pile >= 1);
        Kernel { isa: Present::new(isa), max_pile }
    }

    pub fn isa(self) -> Isa {
        self.isa.isa()
    }

    pub fn max_pile(self) -> usize {
        self.max_pile
    }

    /// Fills one N x N tile for each pair of borders. The tiles follow each other in `out`.
    ///
    /// # Panics
    /// If N exceeds the cell's range, the length of a border is not N, a border contains a value
    /// above 2N (which no game reaches), or `out` is not as long as all tiles together.
    pub fn fill<T: Cell>(self, scratch: &mut Scratch, borders: &[Borders<'_, T>], out: &mut [T]) {
        let n = self.max_pile;
        assert!(n <= T::MAX_PILE, "values of N = {n} do not fit the cell");
        assert_eq!(out.len(), borders.len() * n * n);
        assert!(borders.iter().all(|b| b.row.len() == n && b.col.len() == n));
        T::fill(self, scratch, borders, out);
    }

    /// Counts the values of the tiles that [`fill`](Kernel::fill) would fill, and adds the counts
    /// to `tally`. Multiplies the counts of each tile by its weight.
    ///
    /// # Panics
    /// The same as for [`fill`](Kernel::fill), or if the numbers of weights and borders differ.
    pub fn tally<T: Cell>(
        self,
        scratch: &mut Scratch,
        borders: &[Borders<'_, T>],
        weights: &[u64],
        tally: &mut Tally,
    ) {
        let n = self.max_pile;
        assert!(n <= T::MAX_PILE, "values of N = {n} do not fit the cell");
        assert_eq!(borders.len(), weights.len());
        assert!(borders.iter().all(|b| b.row.len() == n && b.col.len() == n));
        tally::count(self.isa, n, &mut scratch.tally, borders, weights, tally);
    }
}

impl Cell for u8 {
    const MAX_PILE: usize = 127;

    fn from_value(value: u32) -> u8 {
        debug_assert!(value <= u32::from(u8::MAX));
        value as u8
    }

    fn to_le(self) -> u8 {
        self
    }

    fn cells(values: &[u8]) -> Cells<'_> {
        Cells::Bytes(values)
    }

    fn fill(kernel: Kernel, scratch: &mut Scratch, borders: &[Borders<'_, u8>], out: &mut [u8]) {
        lanes::fill(kernel.isa, kernel.max_pile, &mut scratch.lanes, borders, out);
    }
}

impl Cell for u16 {
    const MAX_PILE: usize = 32_767;

    fn from_value(value: u32) -> u16 {
        debug_assert!(value <= u32::from(u16::MAX));
        value as u16
    }

    fn to_le(self) -> u16 {
        u16::to_le(self)
    }

    fn cells(values: &[u16]) -> Cells<'_> {
        Cells::Words(values)
    }

    fn fill(kernel: Kernel, scratch: &mut Scratch, borders: &[Borders<'_, u16>], out: &mut [u16]) {
        let n = kernel.max_pile;
        // Without wide vectors, measurements show that `rows` is faster for rows of two or more
        // words.
        let widest = if kernel.isa() == Isa::Portable { 127 } else { lanes::MAX_PILE };
        if n <= widest {
            lanes::fill(kernel.isa, n, &mut scratch.lanes, borders, out);
            return;
        }
        for (border, tile) in borders.iter().zip(out.chunks_exact_mut(n * n)) {
            rows::each_rook(kernel.isa, &mut scratch.long, border, |row, col, value| {
                tile[row * n + col] = value as u16;
            });
        }
    }
}
