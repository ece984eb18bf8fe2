//! Counts how often each value occurs among the sets of a level.
//!
//! A block contains the values of 512 sets as three planes of bits. The code counts the bits of
//! each plane, and the bits that are common to several planes. From the count of a combination of
//! planes, it subtracts the frequencies of the values that contain more planes:
//!
//! ```text
//! #7 = |p0 p1 p2|    #6 = |p1 p2| - #7    ...    #1 = |p0| - #3 - #5 - #7
//! ```

use super::{Block, LOG_BLOCK};
use crate::vector::{AnyVector, Present, Work};

struct Counting<'a> {
    blocks: &'a [Block],
    counts: &'a mut [u64; 8],
}

impl Work for Counting<'_> {
    // SAFETY: this function needs no instruction set.
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        // `sums[i]` counts the sets whose value has all bits of i.
        let mut sums = [0u64; 8];
        for [p0, p1, p2] in self.blocks {
            let mut ones = [0u64; 8];
            for word in 0..8 {
                let (a, b, c) = (p0[word], p1[word], p2[word]);
                let count = |bits: u64| u64::from(bits.count_ones());
                ones[1] += count(a);
                ones[2] += count(b);
                ones[3] += count(a & b);
                ones[4] += count(c);
                ones[5] += count(a & c);
                ones[6] += count(b & c);
                ones[7] += count(a & b & c);
            }
            for (sum, ones) in sums.iter_mut().zip(ones) {
                *sum += ones;
            }
        }
        sums[0] = (self.blocks.len() as u64) << LOG_BLOCK;
        for bit in [1, 2, 4] {
            for value in (0..8).filter(|value| value & bit == 0) {
                sums[value] -= sums[value | bit];
            }
        }
        for (count, sum) in self.counts.iter_mut().zip(sums) {
            *count += sum;
        }
    }
}

pub(super) fn add(isa: Present, blocks: &[Block], counts: &mut [u64; 8]) {
    isa.run(Counting { blocks, counts });
}

/// Returns the index of the first set in a block that has the value.
pub(super) fn place_of(block: &Block, value: u8) -> Option<u64> {
    (0..8).find_map(|word| {
        let same = |plane: usize| {
            let bits = block[plane][word];
            if value >> plane & 1 == 1 { bits } else { !bits }
        };
        let places = same(0) & same(1) & same(2);
        (places != 0).then(|| 64 * word as u64 + u64::from(places.trailing_zeros()))
    })
}
