//! Values in memory, as wide as they have to be, and cells of sixteen values.

/// Values in memory, as wide as they had to be.
#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    /// One byte each.
    Bytes(&'a [u8]),
    /// Two.
    Words(&'a [u16]),
    /// Four.
    Longs(&'a [u32]),
}

/// Does the same with values of any width: `with_cells!(cells, values => values.len())`.
#[macro_export]
macro_rules! with_cells {
    ($cells:expr, $values:ident => $do:expr) => {
        match $cells {
            $crate::cells::Cells::Bytes($values) => $do,
            $crate::cells::Cells::Words($values) => $do,
            $crate::cells::Cells::Longs($values) => $do,
        }
    };
}

/// Does the same with cells of one byte or of two, as a table has them that a
/// [`Kernel`](crate::Kernel) fills: `with_cell!(bytes, T => T::MAX_PILE)`.
#[macro_export]
macro_rules! with_cell {
    ($bytes:expr, $cell:ident => $do:expr) => {
        match $bytes {
            1 => {
                type $cell = u8;
                $do
            }
            _ => {
                type $cell = u16;
                $do
            }
        }
    };
}

impl<'a> Cells<'a> {
    /// How many they are.
    pub fn count(self) -> usize {
        with_cells!(self, values => values.len())
    }

    /// One of them.
    ///
    /// # Panics
    /// If there are no more than `at`.
    pub fn get(self, at: usize) -> u32 {
        fn one<T: Copy + Into<u32>>(values: &[T], at: usize) -> u32 {
            values[at].into()
        }
        with_cells!(self, values => one(values, at))
    }

    /// Some of them.
    ///
    /// # Panics
    /// If the range goes beyond them.
    #[must_use]
    pub fn part(self, range: std::ops::Range<usize>) -> Cells<'a> {
        match self {
            Cells::Bytes(values) => Cells::Bytes(&values[range]),
            Cells::Words(values) => Cells::Words(&values[range]),
            Cells::Longs(values) => Cells::Longs(&values[range]),
        }
    }
}

// A table of long global nim with one pile has the values of sixteen sets of moves in a cell. What
// writes them (`subsets::packed`) shares nothing with what reads them here.

/// The value of a position of one pile from its cell, four bytes read as a little-endian number;
/// `within` counts the sixteen positions of the cell from 0.
///
/// They go in pairs that differ in the move p, the whole pile. Bit j of the bytes 0, 1 and 2 is the
/// value v with that move of pair j, and bit j of byte 3 says whether it is v without it too, and not
/// 0: see docs/FORMAT.md.
pub fn cell_value(cell: u32, within: u32) -> u8 {
    let (pair, with_n) = (within >> 1 & 7, within & 1);
    let bit = |plane: u32| (cell >> (8 * plane + pair) & 1) as u8;
    let value = bit(0) | bit(1) << 1 | bit(2) << 2;
    if with_n as u8 | bit(3) == 1 { value } else { 0 }
}

/// The sixteen values of a cell.
pub fn cell_values(cell: u32) -> [u8; 16] {
    let [low, middle, high, flags] = cell.to_le_bytes().map(|byte| SPREAD[usize::from(byte)]);
    let with = low | middle << 1 | high << 2;
    let without = with & (flags * 7);
    let mut values = [0; 16];
    let pairs = without.to_le_bytes().into_iter().zip(with.to_le_bytes());
    for (out, (without, with)) in values.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
        *out = [without, with];
    }
    values
}

/// Bit i of a byte as byte i of a word.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= ((byte >> bit & 1) as u64) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_has_sixteen_values() {
        // Pair 0: 0 and 1, pair 1: 5 and 5, pair 7: 0 and 7; all others 0.
        let cell = u32::from_le_bytes([0b1000_0011, 0b1000_0000, 0b1000_0010, 0b0000_0010]);
        let mut expected = [0; 16];
        expected[1..4].copy_from_slice(&[1, 5, 5]);
        expected[15] = 7;
        assert_eq!(cell_values(cell), expected);
        for seed in 0..1000u32 {
            let cell = seed.wrapping_mul(0x9E37_79B9) ^ seed.rotate_left(20);
            let values = (0..16).map(|within| cell_value(cell, within));
            assert!(values.eq(cell_values(cell)));
        }
    }
}
