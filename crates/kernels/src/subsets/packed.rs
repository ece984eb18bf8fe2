//! Levels as bytes, for files.
//!
//! The move n takes the whole pile: it leads to value 0 and to nothing else. So if S has
//! value v >= 1 with n in it, then without n it has v too, or, when no other move leads
//! to 0, it has 0. The two sets S with and without n, which are neighbours in the
//! order of a level, are told apart by one bit:
//!
//! ```text
//!   a pair          v = value with n: 3 bits     is it v without n, and not 0: 1 bit
//!   8 pairs         4 bytes:  bit 0 of each v | bit 1 of each v | bit 2 of each v | the flags
//!   index           bits 0: with n;  1..=3: the pair;  from 4 on: the group of 4 bytes
//! ```
//!
//! Two bits a set instead of three, in whole groups, so a power of two of sets is a power
//! of two of bytes; and eight neighbours agree often enough that most bytes are 0 or 255.
//! Bits a set after zstd -1 in frames of 64 KiB, measured on levels 24, 26 and 28:
//!
//! | form, large moves fastest | 24 | 26 | 28 |
//! |---|---|---|---|
//! | a byte a set | 0.172 | 0.156 | 0.142 |
//! | a nibble a set | 0.110 | 0.094 | 0.085 |
//! | bit planes, frame by frame | 0.093 | 0.081 | 0.072 |
//! | three bytes for eight sets | 0.072 | 0.060 | 0.053 |
//! | a nibble a pair | 0.070 | 0.058 | 0.051 |
//! | four bytes for eight pairs | 0.056 | 0.045 | 0.038 |
//!
//! With the small moves fastest a byte a set takes 0.880 and a nibble 0.677 on level 24.
//! A frame holds 2^18 sets, and what is in it shares its moves up to n - 18; the larger the
//! level, the less a set takes: 0.033 bit on level 30, 0.028 on level 33.

use super::{Block, LOG_BLOCK, index};

/// Bytes of a group of eight pairs.
pub const GROUP: usize = 4;
/// Bytes of a packed [`Block`].
pub const PACKED_BLOCK: usize = 128;

/// Bytes of level n: a quarter of its sets, at least one group.
pub fn packed_bytes(n: u32) -> u64 {
    if n < 4 { GROUP as u64 } else { 1 << (n - 2) }
}

/// Writes the bytes of blocks of a level; 128 for each, fewer for the one block of a
/// level below 9, whose [`packed_bytes`] may be asked for alone.
///
/// # Panics
/// If `out` is not as long as the blocks, a level below 9 aside, or ends inside a group.
pub fn pack(blocks: &[Block], out: &mut [u8]) {
    check(blocks.len(), out.len());
    for (block, out) in blocks.iter().zip(out.chunks_mut(PACKED_BLOCK)) {
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

/// The reverse of [`pack`].
///
/// # Panics
/// As [`pack`] does.
pub fn unpack(packed: &[u8], blocks: &mut [Block]) {
    check(blocks.len(), packed.len());
    for (packed, block) in packed.chunks(PACKED_BLOCK).zip(blocks) {
        *block = [[0; 8]; 3];
        for (at, group) in packed.as_chunks::<GROUP>().0.iter().enumerate() {
            let (word, shift) = (at / 4, 16 * (at % 4));
            for (plane, &byte) in block.iter_mut().zip(group) {
                // Where the flag is not set the value without n is 0.
                let with = super::bits::doubled_word(u64::from(byte)) & 0xAAAA;
                let without = super::bits::doubled_word(u64::from(byte & group[3])) & 0x5555;
                plane[word] |= (with | without) << shift;
            }
        }
    }
}

fn check(blocks: usize, bytes: usize) {
    let short = blocks == 1 && bytes.is_power_of_two() && (GROUP..PACKED_BLOCK).contains(&bytes);
    assert!(short || bytes == blocks * PACKED_BLOCK, "{bytes} bytes for {blocks} blocks");
}

/// The even bits of a word, moved together.
#[inline(always)]
fn even(word: u64) -> u32 {
    let mut x = word & 0x5555_5555_5555_5555;
    x = (x | x >> 1) & 0x3333_3333_3333_3333;
    x = (x | x >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    x = (x | x >> 4) & 0x00FF_00FF_00FF_00FF;
    x = (x | x >> 8) & 0x0000_FFFF_0000_FFFF;
    (x | x >> 16) as u32
}

/// Byte i of word k becomes byte 4 i + k.
#[inline(always)]
fn transposed(planes: [u32; 4]) -> [u8; 16] {
    let bytes = planes.map(u32::to_le_bytes);
    let mut out = [0; 16];
    for (i, group) in out.as_chunks_mut::<GROUP>().0.iter_mut().enumerate() {
        *group = [bytes[0][i], bytes[1][i], bytes[2][i], bytes[3][i]];
    }
    out
}

/// Where the value of a set stands among the bytes of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedPlace {
    /// The first byte of its group, counted from the level's first.
    pub byte: u64,
    /// Which of the sixteen sets of the group.
    within: u8,
}

impl PackedPlace {
    /// The place of \[n, S\]; bit s-1 of `set` is move s, and moves above n are ignored.
    pub fn new(n: u32, set: u64) -> PackedPlace {
        let index = index(n, set);
        PackedPlace { byte: (index >> 4) * GROUP as u64, within: (index & 15) as u8 }
    }

    /// The value, from the four bytes of the group.
    pub fn value(self, group: [u8; GROUP]) -> u8 {
        let (pair, with_n) = (self.within >> 1, self.within & 1);
        let bits = group.map(|byte| byte >> pair & 1);
        let value = bits[0] | bits[1] << 1 | bits[2] << 2;
        if with_n | bits[3] == 1 { value } else { 0 }
    }
}

/// Bytes of level n to its first block and length, for a run of bytes that holds whole
/// blocks: the blocks to hand to [`pack`].
pub fn blocks_of(first_byte: u64, bytes: usize) -> std::ops::Range<usize> {
    let first = (first_byte / PACKED_BLOCK as u64) as usize;
    first..first + bytes.div_ceil(PACKED_BLOCK)
}

const _: () = assert!(PACKED_BLOCK * 4 == 1 << LOG_BLOCK);
