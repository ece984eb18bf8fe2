//! Finds the cells of a tile that have a given value, and writes one bit for each cell.
//!
//! A row of N cells becomes ceil(N / 64) words. Bit `col % 64` of word `col / 64` is set iff the
//! cell in column `col` equals the value. A claim about all positions with one value is checked by
//! comparing two masks: the cells that have the value, and the cells that should have it.
//!
//! A mask takes a vector comparison and an instruction that gathers the sign bits: 0.01 ns per
//! cell. In plain Rust, the compiler does not generate these instructions, and a mask takes 0.15 ns
//! per cell, half the cost of filling the tile.

use crate::vector::{AnyVector, Present, Work};
use crate::{Cell, Isa};

/// A type of cells that can be searched for a value.
pub trait EqualMask: Cell {
    /// Writes the mask of the cells equal to `value`, row by row. Each row of `cols` cells takes
    /// ceil(cols / 64) words of `masks`.
    ///
    /// # Panics
    /// If the length of `masks` does not fit the rows, or the machine lacks the instruction set.
    fn equal_mask(isa: Isa, values: &[Self], cols: usize, value: Self, masks: &mut [u64]);
}

struct Seek<'a, T> {
    values: &'a [T],
    cols: usize,
    value: T,
    masks: &'a mut [u64],
}

/// Calls `word` for each word of 64 cells in a row; the last word of a row has 1 to 64 cells. The
/// slices are separate arguments, so that the compiler knows that they do not overlap.
#[inline(always)]
fn by_words<T: Cell>(
    values: &[T],
    cols: usize,
    value: T,
    masks: &mut [u64],
    word: impl Fn(&[T], T) -> u64,
) {
    assert!(cols > 0);
    let words = cols.div_ceil(64);
    assert_eq!(values.len() / cols * words, masks.len());
    if cols == 64 {
        // Rows of the most common size consist of full words.
        for (cells, mask) in values.as_chunks::<64>().0.iter().zip(masks) {
            *mask = word(cells, value);
        }
        return;
    }
    for (row, masks) in values.chunks_exact(cols).zip(masks.chunks_exact_mut(words)) {
        for (cells, mask) in row.chunks(64).zip(masks) {
            *mask = word(cells, value);
        }
    }
}

impl Work for Seek<'_, u8> {
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Seek { values, cols, value, masks } = self;
        // SAFETY: the caller promises the instruction set, and a word has 1 to 64 cells.
        by_words(values, cols, value, masks, |cells, value| unsafe {
            V::equal_bytes(cells, value)
        });
    }
}

impl Work for Seek<'_, u16> {
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Seek { values, cols, value, masks } = self;
        // SAFETY: the caller promises the instruction set, and a word has 1 to 64 cells.
        by_words(values, cols, value, masks, |cells, value| unsafe {
            V::equal_pairs(cells, value)
        });
    }
}

impl EqualMask for u8 {
    fn equal_mask(isa: Isa, values: &[u8], cols: usize, value: u8, masks: &mut [u64]) {
        Present::new(isa).run(Seek { values, cols, value, masks });
    }
}

impl EqualMask for u16 {
    fn equal_mask(isa: Isa, values: &[u16], cols: usize, value: u16, masks: &mut [u64]) {
        Present::new(isa).run(Seek { values, cols, value, masks });
    }
}
