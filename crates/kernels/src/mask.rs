//! Where a value stands in a tile, as one bit per cell.
//!
//! A row of N cells becomes ceil(N / 64) words; bit `col % 64` of word
//! `col / 64` is set iff the cell of that column equals the value sought. A
//! statement about all positions of one value is then a comparison of words: the
//! mask of the cells that have the value, against the mask of those that should.
//!
//! Extracting the mask is one comparison and one instruction that gathers the
//! sign bits, where the instruction set has them. Written out in plain Rust the
//! compiler finds neither, and the mask would cost half of what filling the
//! tile costs (0.15 ns a cell against 0.01); hence this module.

use crate::vector::{AnyVector, Present, Work};
use crate::{Cell, Isa};

/// A cell whose places in a tile can be had as bits.
pub trait EqualMask: Cell {
    /// Writes the mask of the cells equal to `value`, row by row, each row of
    /// `cols` cells as ceil(cols / 64) words of `masks`.
    ///
    /// # Panics
    /// If `masks` is not exactly as long as the rows need, or the machine lacks
    /// the instruction set.
    fn equal_mask(isa: Isa, values: &[Self], cols: usize, value: Self, masks: &mut [u64]);
}

/// Cells to be looked through.
struct Seek<'a, T> {
    values: &'a [T],
    cols: usize,
    value: T,
    masks: &'a mut [u64],
}

/// Row by row, word by word: `word` finds the mask of 1 to 64 cells. (The arguments stand apart
/// for the compiler to know that they do not overlap.)
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
        // The commonest size: every word has all its cells.
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
        // SAFETY: the caller's promise; and the words have 1 to 64 cells.
        by_words(values, cols, value, masks, |cells, value| unsafe {
            V::equal_bytes(cells, value)
        });
    }
}

impl Work for Seek<'_, u16> {
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Seek { values, cols, value, masks } = self;
        // SAFETY: the caller's promise; and the words have 1 to 64 cells.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every implementation that this machine has, against the definition, for
    /// rows that end inside a word, at its end and in its first cell.
    fn check<T: EqualMask>() {
        for isa in Isa::available() {
            for cols in [1usize, 7, 8, 31, 32, 33, 63, 64, 65, 96, 100, 127, 128, 130, 200] {
                let rows = 5;
                let mut state = 88_172_645_463_325_252u64 + cols as u64;
                let cells: Vec<T> = (0..rows * cols)
                    .map(|_| {
                        state ^= state << 13;
                        state ^= state >> 7;
                        state ^= state << 17;
                        // Few values, neighbours among them, and the extremes.
                        T::from_value([0, 1, 2, 128, 127, 255, 0, 1][(state % 8) as usize])
                    })
                    .collect();
                for sought in [0, 1, 2, 127, 128, 255] {
                    let words = cols.div_ceil(64);
                    let mut masks = vec![u64::MAX; rows * words];
                    T::equal_mask(isa, &cells, cols, T::from_value(sought), &mut masks);
                    for row in 0..rows {
                        for col in 0..64 * words {
                            let found = masks[row * words + col / 64] >> (col % 64) & 1 == 1;
                            let stands = col < cols && cells[row * cols + col].into() == sought;
                            assert_eq!(found, stands, "{isa}, {cols} columns, {row}, {col}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn bits_are_where_the_value_stands() {
        check::<u8>();
        check::<u16>();
    }
}
