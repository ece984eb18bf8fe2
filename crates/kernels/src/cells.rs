//! Holds values in memory, in the narrowest type that fits them. Reads and writes stored cells,
//! which may be packed.

#[derive(Clone, Copy, Debug)]
pub enum Cells<'a> {
    Bytes(&'a [u8]),
    Words(&'a [u16]),
    Longs(&'a [u32]),
}

/// Evaluates an expression for values of any width: `with_cells!(cells, values => values.len())`.
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

/// Evaluates an expression for cells of one or two bytes, the widths that a
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
    pub fn count(self) -> usize {
        with_cells!(self, values => values.len())
    }

    pub fn width(self) -> usize {
        fn of<T>(_: &[T]) -> usize {
            size_of::<T>()
        }
        with_cells!(self, values => of(values))
    }

    /// Returns the value at index `at`.
    ///
    /// # Panics
    /// If `at` is out of range.
    pub fn get(self, at: usize) -> u32 {
        fn one<T: Copy + Into<u32>>(values: &[T], at: usize) -> u32 {
            values[at].into()
        }
        with_cells!(self, values => one(values, at))
    }

    /// Returns the values in a range of indices.
    ///
    /// # Panics
    /// If the range ends beyond the last value.
    #[must_use]
    pub fn part(self, range: std::ops::Range<usize>) -> Cells<'a> {
        match self {
            Cells::Bytes(values) => Cells::Bytes(&values[range]),
            Cells::Words(values) => Cells::Words(&values[range]),
            Cells::Longs(values) => Cells::Longs(&values[range]),
        }
    }
}

#[derive(Clone, Debug)]
pub enum CellVec {
    Bytes(Vec<u8>),
    Words(Vec<u16>),
    Longs(Vec<u32>),
}

impl CellVec {
    /// Returns an empty vector for values of `width` bytes, with room for `count` values.
    pub fn with_capacity(width: usize, count: usize) -> CellVec {
        match width {
            1 => CellVec::Bytes(Vec::with_capacity(count)),
            2 => CellVec::Words(Vec::with_capacity(count)),
            _ => CellVec::Longs(Vec::with_capacity(count)),
        }
    }

    /// Reads stored cells of `width` bytes. Cells of one byte are not copied.
    pub fn of_stored(width: usize, bytes: Vec<u8>) -> CellVec {
        if width == 1 {
            return CellVec::Bytes(bytes);
        }
        let mut values = CellVec::with_capacity(width, bytes.len() / width);
        values.extend_stored(&bytes);
        values
    }

    pub fn cells(&self) -> Cells<'_> {
        match self {
            CellVec::Bytes(values) => Cells::Bytes(values),
            CellVec::Words(values) => Cells::Words(values),
            CellVec::Longs(values) => Cells::Longs(values),
        }
    }

    pub fn clear(&mut self) {
        match self {
            CellVec::Bytes(values) => values.clear(),
            CellVec::Words(values) => values.clear(),
            CellVec::Longs(values) => values.clear(),
        }
    }

    /// Appends zeros if there are fewer than `count` values.
    pub fn pad(&mut self, count: usize) {
        match self {
            CellVec::Bytes(values) => values.resize(values.len().max(count), 0),
            CellVec::Words(values) => values.resize(values.len().max(count), 0),
            CellVec::Longs(values) => values.resize(values.len().max(count), 0),
        }
    }

    /// Appends values.
    ///
    /// # Panics
    /// If the width of the values is not that of the vector.
    pub fn extend(&mut self, cells: Cells<'_>) {
        match (self, cells) {
            (CellVec::Bytes(values), Cells::Bytes(more)) => values.extend_from_slice(more),
            (CellVec::Words(values), Cells::Words(more)) => values.extend_from_slice(more),
            (CellVec::Longs(values), Cells::Longs(more)) => values.extend_from_slice(more),
            _ => panic!("all values of a level have the same width"),
        }
    }

    /// Appends stored cells of this vector's width.
    pub fn extend_stored(&mut self, bytes: &[u8]) {
        match self {
            CellVec::Bytes(values) => values.extend_from_slice(bytes),
            CellVec::Words(values) => values.extend(words(bytes)),
            CellVec::Longs(values) => values.extend(longs(bytes)),
        }
    }
}

// Stored cells are little-endian.

fn words(bytes: &[u8]) -> impl Iterator<Item = u16> {
    bytes.as_chunks::<2>().0.iter().map(|&cell| u16::from_le_bytes(cell))
}

pub fn longs(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell))
}

/// Reads stored cells of `width` bytes, and appends their values to `cells`.
pub fn read_cells(width: usize, bytes: &[u8], cells: &mut Vec<u32>) {
    match width {
        1 => cells.extend(bytes.iter().map(|&cell| u32::from(cell))),
        2 => cells.extend(words(bytes).map(u32::from)),
        _ => cells.extend(longs(bytes)),
    }
}

/// Replaces the contents of `cells` by the first `count` bits of `bits`. The lowest bit of a byte
/// comes first.
pub fn read_bits(bits: &[u8], count: usize, cells: &mut Vec<u8>) {
    cells.clear();
    let words = bits.iter().flat_map(|&byte| SPREAD[usize::from(byte)].to_le_bytes());
    cells.extend(words.take(count));
}

/// Replaces the contents of `bits` by outcomes, one bit for each byte (0 or 1) of `cells`. The
/// unused bits of the last byte are 0.
pub fn write_bits(cells: &[u8], bits: &mut Vec<u8>) {
    bits.clear();
    // The product moves the lowest bit of byte i to bit 56 + i.
    let (eights, rest) = cells.as_chunks::<8>();
    let eight =
        |&bytes| (u64::from_le_bytes(bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    bits.extend(eights.iter().map(eight));
    let last = rest.iter().rev().fold(0, |byte, cell| byte << 1 | cell);
    bits.extend((!rest.is_empty()).then_some(last));
}

/// Appends values to `bytes` as stored cells of `width` bytes. Every value must fit.
pub fn write_cells(width: usize, values: impl Iterator<Item = u32>, bytes: &mut Vec<u8>) {
    match width {
        1 => bytes.extend(values.map(|value| value as u8)),
        2 => bytes.extend(values.flat_map(|value| (value as u16).to_le_bytes())),
        _ => bytes.extend(values.flat_map(u32::to_le_bytes)),
    }
}

// In tables of long global nim with one pile, a cell holds the values of sixteen sets of moves. The
// reader below and the writer (`subsets::packed`) share no code.

/// Returns one value of a cell of long global nim with one pile. `cell` is its four bytes as a
/// little-endian number. `within` is the index of the position in the cell, from 0 to 15.
///
/// The positions form eight pairs. Only one position of a pair has the move p, which takes the
/// whole pile. Bits j of bytes 0, 1 and 2 are the value v of that position in pair j. The other
/// position has the value v if bit j of byte 3 is set, and otherwise 0 (see docs/FORMAT.md).
pub fn cell_value(cell: u32, within: u32) -> u8 {
    let (pair, with_n) = (within >> 1 & 7, within & 1);
    let bit = |plane: u32| (cell >> (8 * plane + pair) & 1) as u8;
    let value = bit(0) | bit(1) << 1 | bit(2) << 2;
    if with_n as u8 | bit(3) == 1 { value } else { 0 }
}

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

/// Spreads the bits of a byte over a word: bit i becomes byte i.
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
