//! Computes the last row and column of one rectangle, for lookups.
//!
//! A lookup of a w b needs only the last row and column of the first a rows and b columns of the
//! tile T of `w`: T\[a\]\[1..=b\] and T\[1..=a\]\[b\]. They contain the value of a w b, and the
//! borders for longer positions. There is only one rectangle, so the lanes of a vector share it.
//! Placing value v in row a needs two sets of columns: the set `free` of row a after value v - 1,
//! and the set `avail` of v after row a - 1. So the pairs (v, a), (v + 1, a - 1), ... are
//! independent. Sixteen values advance together, each one row behind the value before it.
//!
//! ```text
//!   free[t] ──► v₀ ──► v₀+1 ──► v₀+2 ── ... ──► v₀+15 ──► free[t - 15]
//!  step t:    row t   row t-1  row t-2         row t-15
//! ```
//!
//! The set `avail` of each value stays in its lane. At each step, the `free` sets of all rows move
//! by one lane, as in a systolic array: one row enters at the first lane, and one row leaves at the
//! last. After rows + 15 steps, sixteen values are placed in every row, and the next sixteen
//! follow. The computation ends when all cells of the last row and the last column have values.
//!
//! The columns are the bits of one word. If both sides of a rectangle exceed 64, the `rows` module
//! computes it row by row. The same holds for a rectangle with many more rows than columns: each
//! batch of values visits all rows, but places only a few values in each.

use crate::Isa;
use crate::rows::{self, place_all};
use crate::vector::{Aligned, AnyVector, LANES, Line, Present, TileVector, Work};

/// The number of values that a pass places, one in each lane of two vectors.
const BATCH: usize = 2 * LANES;
/// The largest number of columns. Each column is one bit of a word.
const WORD: usize = 64;
/// The ratio of rows to columns above which computing row by row is faster. The ratio was measured
/// with AVX-512. Other instruction sets gain even more.
const TALL: usize = 8;
const LOOK_EVERY: usize = 64;

/// Computes the edges of rectangles. An `Edge` keeps its working memory and the last result.
#[derive(Debug)]
pub struct Edge {
    isa: Present,
    rows: rows::Scratch,
    scratch: Scratch,
    /// The last row: G(a w b') for b' = 1..=b.
    pub row: Vec<u32>,
    /// The last column: G(a' w b) for a' = 1..=a.
    pub col: Vec<u32>,
}

/// Working memory of the systolic array.
#[derive(Debug, Default)]
struct Scratch {
    /// The free columns of each row, followed by zeros.
    free: Vec<u64>,
    /// The borders of the rows, from the last row to the first, with padding at both ends.
    borders: Vec<u64>,
    /// The columns with border v, for each value v.
    taken: Vec<u64>,
    /// Bit i of `hits[t]` is set if lane i placed its value in the last column at step t.
    hits: Vec<u16>,
}

/// A number that no cell has as its value.
const NO_BORDER: u64 = u64::MAX;

impl Edge {
    /// Creates an `Edge` for rectangles of any size.
    ///
    /// # Panics
    /// If the machine lacks the instruction set.
    pub fn new(isa: Isa) -> Edge {
        let (rows, scratch) = (rows::Scratch::default(), Scratch::default());
        Edge { isa: Present::new(isa), rows, scratch, row: Vec::new(), col: Vec::new() }
    }

    /// Computes the edge of the rectangle with these borders: `row_border[b' - 1]` = G(w b') and
    /// `col_border[a' - 1]` = G(a' w). `row` and `col` hold the results until the next call.
    ///
    /// # Panics
    /// If a border is empty.
    pub fn compute(&mut self, row_border: &[u32], col_border: &[u32]) {
        self.compute_while(row_border, col_border, &mut || true);
    }

    /// Computes the same as [`compute`](Edge::compute). Calls `goes_on` regularly if the rectangle
    /// is large. If `goes_on` returns false, this method does too, and `row` and `col` are invalid.
    ///
    /// # Panics
    /// If a border is empty.
    pub fn compute_while(
        &mut self,
        row_border: &[u32],
        col_border: &[u32],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> bool {
        assert!(!row_border.is_empty() && !col_border.is_empty());
        let Edge { isa, rows, scratch, row, col } = self;
        let (_, cols) = rows_and_cols(col_border.len(), row_border.len());
        let (row_border, col_border, row, col) = if row_border.len() == cols {
            (row_border, col_border, row, col)
        } else {
            (col_border, row_border, col, row)
        };
        row.clear();
        row.resize(row_border.len(), 0);
        col.clear();
        col.resize(col_border.len(), 0);
        if is_traced(col_border.len(), cols) {
            return trace(rows, (row_border, col_border), (row, col), goes_on);
        }
        isa.run(Pass { scratch, row_border, col_border, last_row: row, last_col: col });
        true
    }

    pub fn corner(&self) -> u32 {
        self.row.last().copied().unwrap_or(0)
    }

    pub fn bytes(a: usize, b: usize) -> u64 {
        let (rows, cols) = rows_and_cols(a, b);
        let sets =
            if is_traced(rows, cols) { rows::Scratch::bytes(rows, cols) } else { 26 * rows as u64 };
        sets + 4 * (a + b) as u64
    }
}

/// Chooses which side to divide into rows, and returns the numbers of rows and columns. Each row
/// costs a step, but 64 columns cost no more than one column. So the longer side becomes the
/// columns if it fits into a word; otherwise the shorter side becomes the columns.
fn rows_and_cols(a: usize, b: usize) -> (usize, usize) {
    let (short, long) = (a.min(b), a.max(b));
    if long <= WORD { (short, long) } else { (long, short) }
}

/// True if a rectangle has many rows or rows longer than a word, and is computed row by row.
fn is_traced(rows: usize, cols: usize) -> bool {
    cols > WORD || rows > TALL * cols
}

/// Computes the edge row by row. Returns false if `goes_on` does.
fn trace(
    scratch: &mut rows::Scratch,
    (row_border, col_border): (&[u32], &[u32]),
    (last_row, last_col): (&mut [u32], &mut [u32]),
    goes_on: &mut dyn FnMut() -> bool,
) -> bool {
    let (rows, cols) = (col_border.len(), row_border.len());
    let look = |row: usize| !(row + 1).is_multiple_of(LOOK_EVERY) || goes_on();
    place_all(scratch, row_border, col_border, look, |row, col, value| {
        if row + 1 == rows {
            last_row[col] = value;
        }
        if col + 1 == cols {
            last_col[row] = value;
        }
    })
}

#[inline(always)]
fn line(words: &[u64], at: usize) -> Line {
    let mut line = [0; LANES];
    line.copy_from_slice(&words[at..at + LANES]);
    line
}

/// A rectangle for the systolic array, with at most 64 columns.
struct Pass<'a> {
    scratch: &'a mut Scratch,
    row_border: &'a [u32],
    col_border: &'a [u32],
    last_row: &'a mut [u32],
    last_col: &'a mut [u32],
}

impl Work for Pass<'_> {
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Pass { scratch, row_border, col_border, last_row, last_col } = self;
        let (rows, cols) = (col_border.len(), row_border.len());
        let steps = rows + BATCH - 1;
        let everything = u64::MAX >> (WORD - cols);
        // No cell's value exceeds rows + cols.
        let values = (rows + cols + 1).next_multiple_of(BATCH);

        let Scratch { free, borders, taken, hits } = scratch;
        free.clear();
        free.reserve(steps);
        free.resize(rows, everything);
        free.resize(steps, 0);
        borders.clear();
        borders.reserve(2 * BATCH + rows);
        borders.resize(BATCH, NO_BORDER);
        borders.extend(col_border.iter().rev().map(|&border| u64::from(border)));
        borders.resize(2 * BATCH + rows, NO_BORDER);
        taken.clear();
        taken.resize(values, 0);
        for (col, &border) in row_border.iter().enumerate() {
            // Skip border values that no cell can reach.
            if let Some(taken) = taken.get_mut(border as usize) {
                *taken |= 1 << col;
            }
        }
        hits.clear();
        hits.resize(steps, 0);

        let (mut in_last_row, mut in_last_col) = (0, 0);
        let mut rooks = [[Aligned([0; LANES]); 2]; BATCH];
        for first in (0..values).step_by(BATCH) {
            // SAFETY: the caller promises that the machine has the instruction set.
            unsafe { pass_batch::<V>(scratch, (rows, cols), first, &mut rooks) };
            for (i, kept) in rooks.iter().enumerate() {
                let rook = kept[i / LANES].0[i % LANES];
                if rook != 0 {
                    last_row[rook.trailing_zeros() as usize] = (first + i) as u32;
                    in_last_row += 1;
                }
            }
            for (step, &hit) in scratch.hits.iter().enumerate().filter(|&(_, &hit)| hit != 0) {
                let mut left = hit;
                while left != 0 {
                    let i = left.trailing_zeros() as usize;
                    last_col[step - i] = (first + i) as u32;
                    in_last_col += 1;
                    left &= left - 1;
                }
            }
            if in_last_row == cols && in_last_col == rows {
                return;
            }
        }
    }
}

/// Places the values `first` to `first` + 15 in all rows. Updates `free`. Writes the rooks of the
/// last column into `hits`, and those of the last row into `last_rooks` (lane i in entry i).
///
/// # Safety
/// The machine has the instruction set of V.
#[inline(always)]
unsafe fn pass_batch<V: TileVector>(
    scratch: &mut Scratch,
    (rows, cols): (usize, usize),
    first: usize,
    last_rooks: &mut [[Aligned; 2]; BATCH],
) {
    let Scratch { free, borders, taken, hits } = scratch;
    // SAFETY: for the whole body, the caller promises that the machine has the instruction set.
    unsafe {
        let everything = V::splat(u64::MAX >> (WORD - cols));
        let last_bit = V::splat(1 << (cols - 1));
        let avail_of = |at: usize| everything.xor(V::load(&line(taken, at)));
        let value_of = |at: usize| V::load(&std::array::from_fn(|i| (at + i) as u64));
        let (value0, value1) = (value_of(first), value_of(first + LANES));
        let (mut avail0, mut avail1) = (avail_of(first), avail_of(first + LANES));
        let (mut free0, mut free1) = (V::splat(0), V::splat(0));
        for step in 0..rows + BATCH - 1 {
            free1 = free1.shift_in(free0);
            free0 = free0.shift_in(V::splat(free[step]));
            // Lane i works on row `step - i`. Its border is `borders[at + i]`, because `borders`
            // begins with the last row.
            let at = BATCH + rows - 1 - step;
            let (border0, border1) =
                (V::load(&line(borders, at)), V::load(&line(borders, at + LANES)));
            let rook0 = free0.and(avail0).where_differ(border0, value0).lowest();
            let rook1 = free1.and(avail1).where_differ(border1, value1).lowest();
            avail0 = avail0.xor(rook0);
            avail1 = avail1.xor(rook1);
            free0 = free0.xor(rook0);
            free1 = free1.xor(rook1);
            hits[step] =
                u16::from(rook0.meets(last_bit)) | u16::from(rook1.meets(last_bit)) << LANES;
            if step + 1 >= BATCH {
                free[step + 1 - BATCH] = free1.last();
            }
            if step + 1 >= rows {
                let [kept0, kept1] = &mut last_rooks[step + 1 - rows];
                rook0.store(&mut kept0.0);
                rook1.store(&mut kept1.0);
            }
        }
    }
}
