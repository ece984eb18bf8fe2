//! Computes values of long global nim, whose positions include the moves that are still allowed.
//!
//! A position is \[(p1, ..., pk), S\]. A move picks s in S and takes s coins from one pile; then s
//! leaves S for the rest of the game (the 2008 INTEGERS paper on short and long global nim,
//! Definition 22). Three types compute values:
//!
//! - [`SubsetTables`], in this file: one pile with *every* set S within {1..n}, 2^n values.
//! - [`SetRowValues`]: every position of a few small piles.
//! - [`Search`]: one position of any size, with a memo.
//!
//! # One pile
//!
//! ```text
//!   T_n[S]  =  mex over s in S of  T_(n-s)[(S without s) within 1..n-s]
//! ```
//!
//! **Three bits are enough up to n = 35.** From a position of value v one can play v moves: to an
//! option of value v-1, then to an option of value v-2, and so on. The v moves differ, and their
//! sum is at most n. So the v smallest members of S have a sum of at most n, too. Hence v is at
//! most the number of smallest members that fit into n ([`most_moves`]), and 1 + 2 + ... + 8 = 36.
//!
//! **The order of the sets.** Level n lists its sets with the *large* moves varying fastest: bit j
//! of the index is move n - j.
//!
//! ```text
//!   index of S in level n:   bit   n-1  n-2  ...   1    0
//!                            move   1    2        n-1   n
//! ```
//!
//! So the index of S within 1..m is the index of S shifted right by n - m. Sets that are equal up
//! to m are neighbours in each level, and only their large moves differ, which matter least. Most
//! neighbours have equal values, which makes the levels small in files (see
//! [`SubsetTables::pack_cells`]). The same order lets the `fill` module fill 512 sets at a time.
//!
//! **In memory** a level is a row of [`Block`]s of 512 sets, with three bit planes each. A level
//! takes 3 * 2^n bits, and all levels up to n take twice as many.

mod counts;
mod fill;
mod packed;
mod search;
mod several;

pub use search::{MOST_COINS, MOST_PILES, Search, SearchError};
pub use several::{SetRowValues, SetRowsError};

use grundy_rules::set_rows::{set_index as index, set_of_index as natural};

use crate::Isa;
use crate::vector::Present;

/// The values of 512 sets. Bit i of word w of `block[p]` is bit p of the value of the set with
/// index 64 w + i in the block.
pub type Block = [[u64; 8]; 3];

const LOG_BLOCK: u32 = 9;
const WORDS: usize = 24;
/// The largest level whose values fit three bits.
pub const MAX_PILE: u32 = 35;
/// The largest level that is filled set by set.
const LAST_SMALL: u32 = 2 * LOG_BLOCK - 1;

/// Returns the largest k such that the k smallest members of `set` have a sum of at most n. No play
/// from \[n, S\] has more than k moves, and no value exceeds k. Bit s-1 of `set` is move s.
pub fn most_moves(n: u32, set: u64) -> u32 {
    search::most_moves(n, &[set], 0)
}

#[derive(Clone, Debug)]
pub struct Level {
    n: u32,
    /// The blocks, after `lead` words that align the first block to a cache line.
    words: Vec<u64>,
    lead: usize,
}

impl Level {
    fn empty(n: u32) -> Level {
        let count = 1usize << n.saturating_sub(LOG_BLOCK);
        // The system zeroes pages when a thread first writes to them. If the words had an aligned
        // type, this thread would have to zero them all.
        let words = vec![0; count * WORDS + 8];
        let lead = words.as_ptr().align_offset(64).min(8);
        Level { n, words, lead }
    }

    pub fn n(&self) -> u32 {
        self.n
    }

    /// Returns the blocks in order of index: 2^(n-9) blocks. For n < 9 there is one block, and only
    /// its first 2^n bits are used.
    pub fn blocks(&self) -> &[Block] {
        let end = self.words.len() - 8 + self.lead;
        self.words[self.lead..end].as_chunks::<8>().0.as_chunks::<3>().0
    }

    pub fn blocks_mut(&mut self) -> &mut [Block] {
        let end = self.words.len() - 8 + self.lead;
        self.words[self.lead..end].as_chunks_mut::<8>().0.as_chunks_mut::<3>().0
    }
}

/// An error: the level is above [`MAX_PILE`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a pile of {0} coins has values above 7; tables of all sets go up to {MAX_PILE}")]
pub struct PileTooLarge(pub u32);

/// Returns an error if values of the level may not fit three bits.
fn check(n: u32) -> Result<u32, PileTooLarge> {
    if n > MAX_PILE { Err(PileTooLarge(n)) } else { Ok(n) }
}

/// Tables of T_n\[S\] for every S within {1..n}, n = 0..=max.
///
/// ```
/// use grundy_kernels::Isa;
/// use grundy_kernels::subsets::SubsetTables;
///
/// let mut tables = SubsetTables::new(Isa::best());
/// tables.extend(8)?;
/// // [8, {1,3,4}] has value 1: every first move wins.
/// assert_eq!(tables.value(8, 0b1101), 1);
/// # Ok::<(), grundy_kernels::subsets::PileTooLarge>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubsetTables {
    isa: Present,
    levels: Vec<Level>,
}

impl SubsetTables {
    /// Creates a table that has only level 0.
    ///
    /// # Panics
    /// If the machine lacks the instruction set.
    pub fn new(isa: Isa) -> SubsetTables {
        SubsetTables { isa: Present::new(isa), levels: vec![Level::empty(0)] }
    }

    pub fn isa(&self) -> Isa {
        self.isa.isa()
    }

    pub fn max_pile(&self) -> u32 {
        self.levels.len() as u32 - 1
    }

    pub fn bytes(max_pile: u32) -> u64 {
        (0..=max_pile).map(|n| (8 * WORDS as u64) << n.saturating_sub(LOG_BLOCK)).sum()
    }

    /// Fills every level up to `max_pile`, on the calling thread.
    ///
    /// # Errors
    /// If `max_pile` exceeds [`MAX_PILE`]; nothing is filled then.
    pub fn extend(&mut self, max_pile: u32) -> Result<(), PileTooLarge> {
        check(max_pile)?;
        while self.max_pile() < max_pile {
            let mut level = self.next_level()?;
            self.fill(level.n, 0, level.blocks_mut());
            self.push(level);
        }
        Ok(())
    }

    /// Returns the next level without its values. Threads fill its pieces in any order with
    /// [`fill`](SubsetTables::fill); then [`push`](SubsetTables::push) adds it.
    pub fn next_level(&self) -> Result<Level, PileTooLarge> {
        check(self.max_pile() + 1).map(Level::empty)
    }

    /// Returns the number of blocks of level n that are filled together, a power of two.
    /// [`fill`](SubsetTables::fill) takes multiples of this number.
    pub fn grain(n: u32) -> usize {
        1 << (log_chunk(n).saturating_sub(LOG_BLOCK))
    }

    /// Fills a piece of level n, from block `first` on. Reads the levels below n.
    ///
    /// `out` need not be part of a [`Level`]. To write a level only to a file, fill one buffer with
    /// one piece after another.
    ///
    /// # Panics
    /// If a level below n is missing, `first` or the length is not a multiple of the
    /// [`grain`](SubsetTables::grain) of level n, the piece ends beyond the level, or n is above
    /// [`MAX_PILE`].
    pub fn fill(&self, n: u32, first: usize, out: &mut [Block]) {
        assert!(n <= MAX_PILE && n as usize <= self.levels.len());
        let grain = SubsetTables::grain(n);
        assert!(first.is_multiple_of(grain) && out.len().is_multiple_of(grain));
        assert!(first + out.len() <= 1 << n.saturating_sub(LOG_BLOCK));
        if n > LAST_SMALL {
            fill::chunks(self, n, log_chunk(n), first / grain, out);
            return;
        }
        for (at, block) in out.iter_mut().enumerate() {
            *block = [[0; 8]; 3];
            for within in 0..1 << n.min(LOG_BLOCK) {
                let set = natural(n, ((first + at) << LOG_BLOCK | within) as u64);
                let value = u64::from(self.by_options(n, set));
                for (bit, plane) in block.iter_mut().enumerate() {
                    plane[within / 64] |= (value >> bit & 1) << (within % 64);
                }
            }
        }
    }

    /// Adds to `counts` how often each value occurs in these blocks of level n. Ignores the unused
    /// part of the block of a small level.
    pub fn count(&self, n: u32, blocks: &[Block], counts: &mut [u64; 8]) {
        counts::add(self.isa, blocks, counts);
        if n < LOG_BLOCK {
            // The unused part of the block contains zeros.
            counts[0] -= (blocks.len() as u64) * ((1 << LOG_BLOCK) - (1 << n));
        }
    }

    /// Returns the index of the first set with this value, counted from the first set of `blocks`.
    pub fn first_place(blocks: &[Block], value: u8) -> Option<u64> {
        let places = blocks.iter().map(|block| counts::place_of(block, value));
        (0u64..).zip(places).find_map(|(at, place)| Some((at << LOG_BLOCK) + place?))
    }

    /// Adds the next level. Does not check its values, although higher levels depend on them.
    ///
    /// # Panics
    /// If the level is not the one that [`next_level`](SubsetTables::next_level) returns now.
    pub fn push(&mut self, level: Level) {
        assert_eq!(level.n, self.max_pile() + 1, "levels must be added in order");
        self.levels.push(level);
    }

    /// Returns the value of \[n, S\]. Bit s-1 of `set` is move s; moves above n are ignored.
    ///
    /// # Panics
    /// If level n is missing.
    pub fn value(&self, n: u32, set: u64) -> u8 {
        self.value_within(n, set)
    }

    /// Returns the blocks of level n, in order of index.
    ///
    /// # Panics
    /// If level n is missing.
    pub fn level(&self, n: u32) -> &[Block] {
        self.levels[n as usize].blocks()
    }

    #[inline(always)]
    fn value_within(&self, n: u32, set: u64) -> u8 {
        let index = index(n, set);
        let block = &self.levels[n as usize].blocks()[(index >> LOG_BLOCK) as usize];
        block_value(block, (index & ((1 << LOG_BLOCK) - 1)) as usize)
    }

    /// Computes the value as the mex of the values of all options.
    fn by_options(&self, n: u32, set: u64) -> u8 {
        let mut seen = 0u8;
        let mut rest = set;
        while rest != 0 {
            let s = rest.trailing_zeros() + 1;
            rest &= rest - 1;
            seen |= 1 << self.value_within(n - s, set & !(1 << (s - 1)));
        }
        seen.trailing_ones() as u8
    }
}

/// Returns the value of the set with index `within` in its block.
#[inline(always)]
fn block_value(block: &Block, within: usize) -> u8 {
    let (word, bit) = (within / 64, within % 64);
    let bits = block.map(|plane| (plane[word] >> bit & 1) as u8);
    bits[0] | bits[1] << 1 | bits[2] << 2
}

/// Returns the base-2 logarithm of the number of sets of level n that are filled together. Large
/// levels are filled in whole blocks, with at most 2^(n/2) sets together, as `fill` requires.
fn log_chunk(n: u32) -> u32 {
    if n > LAST_SMALL { (n / 2).min(fill::MAX_LOG_CHUNK) } else { n.min(LOG_BLOCK) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block has 512 = 2^9 sets. A chunk has 2^(n/2) sets, but at most 2^15.
    #[test]
    fn sizes_of_levels() {
        for (n, blocks) in [(0, 1), (8, 1), (9, 1), (10, 2), (14, 32)] {
            let mut level = Level::empty(n);
            assert_eq!(
                (level.n(), level.blocks().len(), level.blocks_mut().len()),
                (n, blocks, blocks)
            );
            // A cache line has 64 bytes.
            assert_eq!(level.blocks().as_ptr() as usize % 64, 0);
            assert!(level.blocks().iter().all(|block| *block == [[0; 8]; 3]));
        }
        let grains = [(0, 1), (17, 1), (18, 1), (19, 1), (20, 2), (27, 16), (30, 64), (35, 64)];
        for (n, blocks) in grains {
            assert_eq!(SubsetTables::grain(n), blocks, "{n}");
        }
    }
}
