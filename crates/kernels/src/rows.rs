//! Fills one rectangle at a time, with any number of columns.
//!
//! The code places greedy rooks, as the crate's page explains. A row has as many words as its
//! columns need. Placing v in a row means finding the first set bit of `free & avail[v]`. The
//! search starts at the first word that has a free column. The values start at `least`, the
//! smallest value that at least one column still lacks. So the cost of a row depends only on its
//! columns, not on the rows above. Each row puts `least` into a column that lacks it, unless the
//! row's border is `least`. So soon all columns have `least`, and `least` increases.
//!
//! A callback receives each rook. The tile kernel for N > 255 writes every value; the edge kernel
//! keeps only the last row and column.

use crate::vector::{AnyVector, Present, Work};
use crate::{Borders, Cell};

/// Reusable memory. `avail` contains rows + cols + 1 sets of columns, and `free` contains one.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    avail: Vec<u64>,
    free: Vec<u64>,
}

impl Scratch {
    pub(crate) fn bytes(rows: usize, cols: usize) -> u64 {
        (rows + cols + 2) as u64 * cols.div_ceil(64) as u64 * 8
    }
}

fn fill_columns(words: &mut [u64], columns: usize) {
    words.fill(u64::MAX);
    if !columns.is_multiple_of(64)
        && let Some(last) = words.last_mut()
    {
        *last = (1 << (columns % 64)) - 1;
    }
}

/// Places every value of the rectangle with the borders `row_border` (one value per column) and
/// `col_border` (one per row). Calls `rook(row, column, v)` once per cell, row by row, with
/// increasing v in a row. Calls `goes_on` before every row, and returns false if `goes_on` does.
#[inline(always)]
pub(crate) fn place_all<T: Copy + Into<u32>>(
    scratch: &mut Scratch,
    row_border: &[T],
    col_border: &[T],
    mut goes_on: impl FnMut(usize) -> bool,
    mut rook: impl FnMut(usize, usize, u32),
) -> bool {
    let (rows, cols) = (col_border.len(), row_border.len());
    let words = cols.div_ceil(64);
    // No value in row a (counted from 1) exceeds a + cols.
    scratch.avail.resize((rows + cols + 1) * words, 0);
    for set in scratch.avail.chunks_exact_mut(words) {
        fill_columns(set, cols);
    }
    for (col, &value) in row_border.iter().enumerate() {
        let value: u32 = value.into();
        // Skip border values that no cell can reach.
        if let Some(word) = scratch.avail.get_mut(value as usize * words + col / 64) {
            *word &= !(1 << (col % 64));
        }
    }
    scratch.free.resize(words, 0);
    // The smallest value that at least one column lacks.
    let mut least = 0;
    for (row, &border) in col_border.iter().enumerate() {
        if !goes_on(row) {
            return false;
        }
        while scratch.avail[least * words..][..words].iter().all(|&columns| columns == 0) {
            least += 1;
        }
        let border: u32 = border.into();
        fill_columns(&mut scratch.free, cols);
        let free = &mut scratch.free[..words];
        let mut first = 0;
        let values = scratch.avail[least * words..].chunks_exact_mut(words);
        for (value, avail) in (least as u32..).zip(values) {
            if value == border {
                continue;
            }
            let found = (first..words).find(|&word| free[word] & avail[word] != 0);
            let Some(word) = found else { continue };
            let open = free[word] & avail[word];
            let bit = open & open.wrapping_neg();
            free[word] ^= bit;
            avail[word] ^= bit;
            rook(row, 64 * word + bit.trailing_zeros() as usize, value);
            while first < words && free[first] == 0 {
                first += 1;
            }
            if first == words {
                break;
            }
        }
    }
    true
}

/// A tile that has too many columns for `lanes`, and a callback for its rooks.
struct Rooks<'a, 'b, T, F> {
    scratch: &'a mut Scratch,
    borders: &'a Borders<'b, T>,
    rook: F,
}

impl<T: Cell, F: FnMut(usize, usize, u32)> Work for Rooks<'_, '_, T, F> {
    // SAFETY: this function needs no instruction set.
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        place_all(self.scratch, self.borders.row, self.borders.col, |_| true, self.rook);
    }
}

/// Calls `rook(row, column, v)` once for each cell of a tile.
pub(crate) fn each_rook<T: Cell>(
    isa: Present,
    scratch: &mut Scratch,
    borders: &Borders<'_, T>,
    rook: impl FnMut(usize, usize, u32),
) {
    // The search goes word by word. BMI (a part of AVX2) speeds it up; vectors do not.
    isa.up_to_avx2().run(Rooks { scratch, borders, rook });
}
