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

/// The mask of at most 64 cells.
type WordMask<T> = fn(&[T], T) -> u64;

/// Row by row, word by word. `word` is inlined into its caller, and with it
/// the caller's instruction set.
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
    for (row, masks) in values.chunks_exact(cols).zip(masks.chunks_exact_mut(words)) {
        for (cells, mask) in row.chunks(64).zip(masks) {
            *mask = word(cells, value);
        }
    }
}

#[inline(always)]
fn one_by_one<T: Cell>(cells: &[T], value: T) -> u64 {
    cells.iter().enumerate().fold(0, |mask, (at, &cell)| mask | u64::from(cell == value) << at)
}

/// Eight bytes at a time inside a word: the high bit of each byte that is zero
/// after xor with the value, gathered by a multiplication. The bits come out
/// right because each of the eight products that reach the top byte has a place
/// of its own and no two of them carry.
fn bytes_in_words(cells: &[u8], value: u8) -> u64 {
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    const GATHER: u64 = 0x0002_0408_1020_4081;
    let pattern = u64::from_le_bytes([value; 8]);
    let (eights, rest) = cells.as_chunks::<8>();
    let mut mask = 0;
    for (at, eight) in eights.iter().enumerate() {
        let differing = u64::from_le_bytes(*eight) ^ pattern;
        let zero = !(((differing & LOW) + LOW) | differing | LOW);
        mask |= ((zero >> 7).wrapping_mul(GATHER) >> 49 & 0xFF) << (8 * at);
    }
    if !rest.is_empty() {
        mask |= one_by_one(rest, value) << (8 * eights.len());
    }
    mask
}

const PORTABLE_BYTES: WordMask<u8> = bytes_in_words;

impl EqualMask for u8 {
    fn equal_mask(isa: Isa, values: &[u8], cols: usize, value: u8, masks: &mut [u64]) {
        assert!(isa.is_available());
        match isa {
            // SAFETY: the machine has the instruction set, as just asserted.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { x86::bytes_avx512(values, cols, value, masks) },
            // SAFETY: the same.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx2 => unsafe { x86::bytes_avx2(values, cols, value, masks) },
            _ => by_words(values, cols, value, masks, PORTABLE_BYTES),
        }
    }
}

impl EqualMask for u16 {
    fn equal_mask(isa: Isa, values: &[u16], cols: usize, value: u16, masks: &mut [u64]) {
        assert!(isa.is_available());
        match isa {
            // SAFETY: the machine has the instruction set, as just asserted.
            #[cfg(target_arch = "x86_64")]
            Isa::Avx512 => unsafe { x86::pairs_avx512(values, cols, value, masks) },
            // Rows of two-byte values take tens of times longer to fill than to
            // look through in any way, so AVX2 needs no version of its own.
            _ => by_words(values, cols, value, masks, one_by_one),
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, _mm256_cmpeq_epi8, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_set1_epi8,
        _mm512_cmpeq_epi8_mask, _mm512_loadu_si512, _mm512_mask_cmpeq_epi8_mask,
        _mm512_mask_cmpeq_epi16_mask, _mm512_maskz_loadu_epi8, _mm512_maskz_loadu_epi16,
        _mm512_set1_epi8, _mm512_set1_epi16,
    };

    use super::{by_words, one_by_one};

    #[target_feature(enable = "avx2")]
    pub(super) fn bytes_avx2(values: &[u8], cols: usize, value: u8, masks: &mut [u64]) {
        let sought = _mm256_set1_epi8(value.cast_signed());
        by_words(values, cols, value, masks, |cells, value| {
            let (halves, rest) = cells.as_chunks::<32>();
            let mut mask = 0;
            for (at, half) in halves.iter().enumerate() {
                // SAFETY: `half` is 32 readable bytes; the load needs no
                // alignment; AVX2 is there, by this function's target feature.
                let bits = unsafe {
                    let loaded = _mm256_loadu_si256(half.as_ptr().cast::<__m256i>());
                    _mm256_movemask_epi8(_mm256_cmpeq_epi8(loaded, sought))
                };
                mask |= u64::from(bits.cast_unsigned()) << (32 * at);
            }
            if !rest.is_empty() {
                mask |= one_by_one(rest, value) << (32 * halves.len());
            }
            mask
        });
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn bytes_avx512(values: &[u8], cols: usize, value: u8, masks: &mut [u64]) {
        let sought = _mm512_set1_epi8(value.cast_signed());
        if cols == 64 {
            // The commonest size, without a mask on the load.
            assert_eq!(values.len(), 64 * masks.len());
            for (cells, mask) in values.as_chunks::<64>().0.iter().zip(masks) {
                // SAFETY: `cells` is 64 readable bytes; the load needs no
                // alignment; the features are this function's.
                *mask = unsafe {
                    _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(cells.as_ptr().cast()), sought)
                };
            }
            return;
        }
        by_words(values, cols, value, masks, |cells, _| {
            let lanes = u64::MAX >> (64 - cells.len());
            // SAFETY: only the first `cells.len()` bytes are read, 1 to 64 of
            // them, as the chunks are not empty; the features are this function's.
            unsafe {
                let loaded = _mm512_maskz_loadu_epi8(lanes, cells.as_ptr().cast());
                _mm512_mask_cmpeq_epi8_mask(lanes, loaded, sought)
            }
        });
    }

    #[target_feature(enable = "avx512f,avx512bw")]
    pub(super) fn pairs_avx512(values: &[u16], cols: usize, value: u16, masks: &mut [u64]) {
        let sought = _mm512_set1_epi16(value.cast_signed());
        by_words(values, cols, value, masks, |cells, _| {
            let mut mask = 0;
            for (at, half) in cells.chunks(32).enumerate() {
                let lanes = u32::MAX >> (32 - half.len());
                // SAFETY: only the first `half.len()` values are read, 1 to 32
                // of them, as the chunks are not empty; the features are this
                // function's.
                let bits = unsafe {
                    let loaded = _mm512_maskz_loadu_epi16(lanes, half.as_ptr().cast());
                    _mm512_mask_cmpeq_epi16_mask(lanes, loaded, sought)
                };
                mask |= u64::from(bits) << (32 * at);
            }
            mask
        });
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
