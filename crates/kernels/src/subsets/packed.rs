//! Packs levels into bytes, as files store them.
//!
//! Sixteen neighbours form a *cell* of four bytes. The sets of all piles share one numbering: a set
//! of level n has the number 2^n + index. So level n begins at number 2^n, which is the beginning
//! of a cell from n = 4 on. Cell 0 contains the levels 0 to 3; number 0 is unused.
//!
//! The move n takes the whole pile and leads to value 0. So a set S with n has a value v >= 1.
//! Without n, the value is also v; or it is 0, if no other move leads to 0. The two sets are
//! neighbours in the order of a level, and one bit tells which case applies:
//!
//! ```text
//!   a pair          v = value with n: 3 bits     flag: the value without n is v, not 0: 1 bit
//!   8 pairs         4 bytes:  bit 0 of each v | bit 1 of each v | bit 2 of each v | the flags
//!   number          bit 0: with n;  bits 1 to 3: the pair;  bits from 4 on: the cell
//! ```
//!
//! A set takes two bits instead of three, and 2^k sets take 2^(k-2) bytes. Neighbours are often
//! equal, so most bytes are 0 or 255. docs/FORMAT.md lists other forms and their sizes.
//!
//! [`crate::cells`] reads the cells, without code from this module.

use super::{Block, LOG_BLOCK, SubsetTables};

const CELL: usize = 4;
/// The base-2 logarithm of the number of sets in a cell.
const LOG_CELL: u32 = 4;
/// The base-2 logarithm of the number of cells in a packed [`Block`].
const LOG_BLOCK_CELLS: u32 = LOG_BLOCK - LOG_CELL;

impl SubsetTables {
    /// Writes cells of four bytes into `out`, from cell number `first` on. If the cells need the
    /// level after the last stored one, its values are computed in `scratch`.
    ///
    /// # Panics
    /// If the length of `out` is not a multiple of four, or a cell belongs to a level above the
    /// next level. Also if a run of cells within a level does not have 2^k cells, does not begin at
    /// a multiple of 2^k, or is shorter than a [`grain`](SubsetTables::grain) of the level.
    pub fn pack_cells(&self, first: u64, out: &mut [u8], scratch: &mut Vec<Block>) {
        assert!(out.len().is_multiple_of(CELL));
        let (mut cell, mut rest) = (first, out);
        while !rest.is_empty() {
            let (n, start, end) = level_of(cell);
            let count = ((end - cell) as usize).min(rest.len() / CELL);
            let (here, after) = rest.split_at_mut(count * CELL);
            if n < LOG_CELL {
                here.copy_from_slice(&self.first_cell());
            } else {
                self.pack_run(n, cell - start, here, scratch);
            }
            (cell, rest) = (cell + count as u64, after);
        }
    }

    /// Packs cells of one level, from cell `first` of the level on.
    fn pack_run(&self, n: u32, first: u64, out: &mut [u8], scratch: &mut Vec<Block>) {
        let blocks = out.len().div_ceil(CELL << LOG_BLOCK_CELLS);
        let from = (first >> LOG_BLOCK_CELLS) as usize;
        assert_eq!((from as u64) << LOG_BLOCK_CELLS, first, "a run must begin at a block");
        if n <= self.max_pile() {
            return pack(&self.level(n)[from..from + blocks], out);
        }
        scratch.resize(blocks, [[0; 8]; 3]);
        self.fill(n, from, scratch);
        pack(scratch, out);
    }

    /// Returns the cell of the levels below 4. Values of missing levels are 0.
    fn first_cell(&self) -> [u8; CELL] {
        let mut values = [0; 1 << LOG_CELL];
        // Compute these values from their options, because the level may be missing.
        for (number, value) in (1u64..).zip(&mut values[1..]) {
            let n = number.ilog2();
            if n <= self.max_pile() + 1 {
                *value = self.by_options(n, super::natural(n, number - (1 << n)));
            }
        }
        pack_values(values)
    }
}

/// Returns the level that contains a cell (0 for cell 0), and the range of the level's cells.
fn level_of(cell: u64) -> (u32, u64, u64) {
    match cell.checked_ilog2() {
        None => (0, 0, 1),
        Some(log) => (log + LOG_CELL, 1 << log, 2 << log),
    }
}

/// Packs blocks of a level. The level may end within the last block.
fn pack(blocks: &[Block], out: &mut [u8]) {
    for (block, out) in blocks.iter().zip(out.chunks_mut(CELL << LOG_BLOCK_CELLS)) {
        let mut words = [[0; 16]; 8];
        for (word, out) in words.iter_mut().enumerate() {
            let p = [block[0][word], block[1][word], block[2][word]];
            let planes =
                [even(p[0] >> 1), even(p[1] >> 1), even(p[2] >> 1), even(p[0] | p[1] | p[2])];
            *out = transposed(planes);
        }
        out.copy_from_slice(&words.as_flattened()[..out.len()]);
    }
}

fn pack_values(values: [u8; 1 << LOG_CELL]) -> [u8; CELL] {
    let mut cell = [0; CELL];
    for (pair, &[without, with]) in values.as_chunks::<2>().0.iter().enumerate() {
        for (plane, byte) in cell[..3].iter_mut().enumerate() {
            *byte |= (with >> plane & 1) << pair;
        }
        cell[3] |= u8::from(without != 0) << pair;
    }
    cell
}

/// Returns the even bits of a word, packed into the low half.
#[inline(always)]
fn even(word: u64) -> u32 {
    let mut x = word & 0x5555_5555_5555_5555;
    x = (x | x >> 1) & 0x3333_3333_3333_3333;
    x = (x | x >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    x = (x | x >> 4) & 0x00FF_00FF_00FF_00FF;
    x = (x | x >> 8) & 0x0000_FFFF_0000_FFFF;
    (x | x >> 16) as u32
}

/// Transposes bytes: byte i of word k becomes byte 4 i + k.
#[inline(always)]
fn transposed(planes: [u32; 4]) -> [u8; 16] {
    let bytes = planes.map(u32::to_le_bytes);
    let mut out = [0; 16];
    for (i, cell) in out.as_chunks_mut::<CELL>().0.iter_mut().enumerate() {
        *cell = [bytes[0][i], bytes[1][i], bytes[2][i], bytes[3][i]];
    }
    out
}
