//! Fast fillers of tables: this page is about the tiles of End-Nim; [`multisets`] has
//! Nim, [`thresholds`] and [`outcomes`] partizan End-Nim, [`records`] and
//! [`last_move`] short global nim; [`shapes`] has the moves of any game.
//!
//! For a fixed middle `w` the *tile* holds T\[a\]\[b\] = G(a w b) for a, b = 1..=N,
//! and obeys
//!
//! ```text
//!                        row border  R[b] = G(w b)
//!                      ┌──────────────────────────┐
//!  column border       │ T[a][b] = mex of what     │
//!  C[a] = G(a w)       │ stands left of it and     │
//!                      │ above it, borders included│
//!                      └──────────────────────────┘
//! ```
//!
//! because the options of a w b are a' w b (a' < a, above; a' = 0 is R\[b\]) and
//! a w b' (b' < b, to the left; b' = 0 is C\[a\]). A tile depends on its two
//! borders and on nothing else.
//!
//! # Greedy rooks
//!
//! Mex cell by cell is a search. The same tile falls out of placing values
//! instead: think of value v as a set of rooks, at most one per row and column.
//! Row by row, for v = 0, 1, 2, ...: v goes to the *leftmost* column of the row
//! that has no value yet and in whose column v does not stand above (border
//! included), unless the row's own border is v. That is exactly mex: a cell
//! takes v iff every smaller value stands to its left or above it, and v does
//! not.
//!
//! With the columns as bits of a word, `free` = the columns of this row without
//! a value, `avail[v]` = the columns in which v has not appeared:
//!
//! ```text
//! t = free & avail[v];   rook = t & -t;   free ^= rook;   avail[v] ^= rook
//! ```
//!
//! Five operations a (row, value), with no branch and no dependence between
//! tiles, so eight tiles go side by side in the eight lanes of a 512-bit
//! vector (or two of 256, or four of 128). See the `lanes` module, which also says how
//! the values come out; the `rows` module for N > 255, where a row is many words and one
//! tile at a time is better; and the `edge` module for a lookup, which needs only the last
//! row and column of one rectangle. Who only asks how often each value occurs needs no
//! values at all: see the `tally` module.
//!
//! # Instruction sets
//!
//! One algorithm, written once, compiled for each [`Isa`]; the choice is made, and
//! the machine asked, once, when a [`Kernel`] is made. How, and why it is safe, says
//! the `vector` module. The tests run every implementation that the machine has
//! against a naive oracle.
//!
//! Where cells come from: Albert and Nowakowski 2001, section 2 (the game);
//! the border identities are those of its options.

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

/// A stored value: a byte up to N = 127, two above.
pub trait Cell:
    Copy + Default + Eq + Ord + Send + Sync + Into<u32> + std::fmt::Debug + 'static
{
    /// The largest max pile whose values fit.
    const MAX_PILE: usize;
    /// Bytes of a value.
    const BYTES: usize;
    /// The value as a cell. It must fit, which N <= [`Cell::MAX_PILE`] ensures.
    fn from_value(value: u32) -> Self;
    /// The cell whose bytes in memory are those that are stored: little-endian.
    #[must_use]
    fn to_le(self) -> Self;

    /// The same values, whose width is known when it runs.
    fn cells(values: &[Self]) -> Cells<'_>;

    /// Fills tiles by the implementation for this width. Use [`Kernel::fill`].
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

/// How tiles of one size are filled: chosen once per job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    isa: Present,
    max_pile: usize,
}

/// Reusable working memory of a kernel, one per thread.
#[derive(Debug, Default)]
pub struct Scratch {
    lanes: lanes::Scratch,
    long: rows::Scratch,
    tally: tally::Scratch,
}

impl Kernel {
    /// A kernel for N x N tiles with this instruction set.
    ///
    /// # Panics
    /// If the machine lacks the instruction set, or N is 0: both are decided
    /// where the user's wish is read, by [`Isa::available`] and by the table.
    pub fn new(isa: Isa, max_pile: usize) -> Kernel {
        assert!(max_pile >= 1);
        Kernel { isa: Present::new(isa), max_pile }
    }

    /// The instruction set it uses.
    pub fn isa(self) -> Isa {
        self.isa.isa()
    }

    /// N.
    pub fn max_pile(self) -> usize {
        self.max_pile
    }

    /// Fills one N x N tile per pair of borders, one after another in `out`.
    ///
    /// # Panics
    /// If N exceeds the cell's range, a border is not N long or has a value above
    /// 2N, which no game's has, or `out` is not exactly as long as the tiles.
    pub fn fill<T: Cell>(self, scratch: &mut Scratch, borders: &[Borders<'_, T>], out: &mut [T]) {
        let n = self.max_pile;
        assert!(n <= T::MAX_PILE, "values of N = {n} do not fit the cell");
        assert_eq!(out.len(), borders.len() * n * n);
        assert!(borders.iter().all(|b| b.row.len() == n && b.col.len() == n));
        T::fill(self, scratch, borders, out);
    }

    /// Counts the values of the tiles that [`fill`](Kernel::fill) would fill, each as often as its
    /// weight says, on top of what `tally` holds.
    ///
    /// # Panics
    /// As [`fill`](Kernel::fill), or if there are not as many weights as borders.
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
    const BYTES: usize = 1;

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
    const BYTES: usize = 2;

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
        // Without wide vectors the search for a row's first column is the faster way,
        // measured from two words on.
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
