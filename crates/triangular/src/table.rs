//! The families found so far.
//!
//! Families of the same n lie together, in the order in which they were found. There may be thousands
//! of them, and the questions are: which of them use none of these moves, and what do they use beyond
//! those? On most moves all families of n agree: {1..l} is used by each, others by all or by none. So
//! bits are kept of the *disputed* moves only, about two in five, and they lie by move:
//!
//! ```text
//!   all       bit x = every family uses x
//!   disputed  bit x = some do and some do not
//!   rows      row r = the r-th disputed move x; bit f = family f uses x
//! ```
//!
//! Which families are free of some moves: of none, if one of the moves is in `all`; else OR the rows of
//! those that are disputed, and the zero bits are the answer, 256 families at a time.
//!
//! A move that becomes disputed gets a row by copying all of them. That is rare, as most moves of a pile
//! are disputed after a few dozens of families or never.
//!
//! Memory for a family is one bit for each disputed move, some 70 bytes at piles of 1300, where the
//! most families are in a proof to 3000, and what its [`landings`](crate::landings) take, some 45.

use crate::landings::{Landing, Landings};
use crate::level;

/// Families that are asked at once: so many words of 64.
const LANES: usize = 4;

/// Bytes that may be read behind the last row.
const PADDING: usize = LANES * 8;

/// A row is made longer than it need be by one part in so many, lest each eighth family copies all.
const SPARE: usize = 16;

/// The families of one n.
#[derive(Debug)]
pub(crate) struct Families {
    n: u32,
    count: u32,
    all: Vec<u64>,
    disputed: Vec<u64>,
    /// For each word of `disputed`, how many disputed moves there are in the words before.
    before: Vec<u16>,
    /// Bytes in a row.
    width: usize,
    rows: Vec<u8>,
    landings: Landings,
}

/// Words for one bit for each of 0..=n.
pub(crate) fn words(n: u32) -> usize {
    n as usize / 64 + 1
}

/// The bits of a word that are set, ascending.
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

impl Families {
    fn new(n: u32) -> Self {
        Self {
            n,
            count: 0,
            all: Vec::new(),
            disputed: Vec::new(),
            before: Vec::new(),
            width: 0,
            rows: Vec::new(),
            landings: Landings::new(level(n).saturating_sub(1) as usize),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// Bytes that a question reads for each move in it that is disputed.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Moves that every family uses: bit x of word x / 64; no words if there is no family.
    pub(crate) fn all(&self) -> &[u64] {
        &self.all
    }

    /// Moves that some families use and some do not.
    pub(crate) fn disputed(&self) -> &[u64] {
        &self.disputed
    }

    /// The row of a disputed move, and what lies behind it: bit f % 8 of byte f / 8 says that family f
    /// uses it.
    pub(crate) fn row(&self, word: usize, bit: u32) -> &[u8] {
        let lower = self.disputed[word] & ((1 << bit) - 1);
        let row = usize::from(self.before[word]) + lower.count_ones() as usize;
        &self.rows[row * self.width..]
    }

    /// Whether a family uses a disputed move.
    fn uses(&self, word: usize, bit: u32, family: u32) -> bool {
        self.row(word, bit)[family as usize / 8] >> (family % 8) & 1 == 1
    }

    /// The landings of each family, in order.
    pub(crate) fn landings(&self) -> impl Iterator<Item = Vec<Landing>> + '_ {
        self.landings.iter()
    }

    /// Adds what a family uses.
    pub(crate) fn unite(&self, family: u32, used: &mut [u64]) {
        for (word, (all, disputed)) in self.all.iter().zip(&self.disputed).enumerate() {
            used[word] |= all;
            for bit in ones(disputed & !used[word]) {
                used[word] |= u64::from(self.uses(word, bit, family)) << bit;
            }
        }
    }

    /// Calls `each` with the families that use none of `holes` (bit x of word x / 64; moves above n
    /// do not matter) nor `hole`, in order, until it returns `false`.
    pub(crate) fn without(&self, holes: &[u64], hole: u32, mut each: impl FnMut(u32) -> bool) {
        let hole = (hole <= self.n).then_some((hole as usize / 64, hole % 64));
        let of_all =
            |(word, bit): (usize, u32)| self.all.get(word).is_some_and(|w| w >> bit & 1 == 1);
        if hole.is_some_and(of_all) || self.all.iter().zip(holes).any(|(a, b)| a & b != 0) {
            return;
        }
        for first in (0..self.width).step_by(LANES * 8) {
            let mut taken = [0_u64; LANES];
            let mut take = |row: &[u8]| {
                let (words, _) = row[first..first + LANES * 8].as_chunks();
                for (taken, word) in taken.iter_mut().zip(words) {
                    *taken |= u64::from_le_bytes(*word);
                }
            };
            for (word, (disputed, holes)) in self.disputed.iter().zip(holes).enumerate() {
                for bit in ones(disputed & holes) {
                    take(self.row(word, bit));
                }
            }
            if let Some((word, bit)) = hole
                && self.disputed[word] >> bit & 1 == 1
            {
                take(self.row(word, bit));
            }
            for (lane, taken) in (0..).zip(taken) {
                let from = first as u32 * 8 + lane * 64;
                let left = self.count.saturating_sub(from);
                let there = if left < 64 { (1 << left) - 1 } else { u64::MAX };
                for bit in ones(!taken & there) {
                    if !each(from + bit) {
                        return;
                    }
                }
            }
        }
    }

    fn push(&mut self, used: &[u64], landings: &[Landing]) {
        if self.count == 0 {
            self.all = used.to_vec();
            self.disputed = vec![0; used.len()];
            self.before = vec![0; used.len()];
        }
        // Disputed from now on: what all used and this does not, or it alone.
        let some = self.all.iter().zip(&self.disputed).map(|(all, disputed)| all | disputed);
        let newly: Vec<u64> = some
            .zip(&self.all)
            .zip(used)
            .map(|((some, all), used)| (all & !used) | (used & !some))
            .collect();
        let needed = self.count as usize / 8 + 1;
        if needed > self.width || newly.iter().any(|&word| word != 0) {
            let width = if needed > self.width { needed + needed / SPARE } else { self.width };
            self.lay_out(&newly, width);
        }
        let (byte, bit) = (self.count as usize / 8, self.count % 8);
        let mut at = byte;
        for (disputed, used) in self.disputed.iter().zip(used) {
            for x in ones(*disputed) {
                self.rows[at] |= ((used >> x & 1) as u8) << bit;
                at += self.width;
            }
        }
        self.landings.push(landings);
        self.count += 1;
    }

    /// Copies the rows into rows of `width`, with new ones for moves that become disputed.
    fn lay_out(&mut self, newly: &[u64], width: usize) {
        let sum =
            |words: &[u64]| words.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        let mut rows = vec![0; (sum(&self.disputed) + sum(newly)) * width + PADDING];
        let (mut from, mut to, mut before) = (0, 0, 0);
        for (word, newly) in newly.iter().enumerate() {
            self.before[word] = before;
            for x in ones(self.disputed[word] | newly) {
                if self.disputed[word] >> x & 1 == 1 {
                    rows[to..][..self.width].copy_from_slice(&self.rows[from..][..self.width]);
                    from += self.width;
                } else if self.all[word] >> x & 1 == 1 {
                    let whole = self.count as usize / 8;
                    rows[to..][..whole].fill(u8::MAX);
                    rows[to + whole] = (1 << (self.count % 8)) - 1;
                }
                to += width;
                before += 1;
            }
            self.disputed[word] |= newly;
            self.all[word] &= !newly;
        }
        (self.rows, self.width) = (rows, width);
    }

    fn bytes(&self) -> u64 {
        let words = self.all.capacity() + self.disputed.capacity();
        (words * 8 + self.before.capacity() * 2 + self.rows.capacity()) as u64
            + self.landings.bytes()
    }
}

/// All families found so far.
#[derive(Debug, Default)]
pub(crate) struct Table {
    of: Vec<Families>,
    bytes: u64,
    families: u64,
}

impl Table {
    /// Makes room for families of piles up to n.
    pub(crate) fn reach(&mut self, n: u32) {
        while self.of.len() <= n as usize {
            self.of.push(Families::new(self.of.len() as u32));
            self.bytes += size_of::<Families>() as u64;
        }
    }

    pub(crate) fn of(&self, n: u32) -> &Families {
        &self.of[n as usize]
    }

    /// Bytes on the heap.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The families of all n.
    pub(crate) fn families(&self) -> u64 {
        self.families
    }

    /// Adds a family of n that uses `used`; returns its number among those of n.
    pub(crate) fn push(&mut self, n: u32, used: &[u64], landings: &[Landing]) -> u32 {
        let of = &mut self.of[n as usize];
        debug_assert_eq!(used.len(), words(n));
        self.bytes -= of.bytes();
        of.push(used, landings);
        self.bytes += of.bytes();
        self.families += 1;
        of.count - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudo_random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *seed >> 32
    }

    /// Against the sets themselves, from the first family to the 700th, which three rounds of 256
    /// are asked for. Some moves are used by all, some by none, and some are disputed late.
    #[test]
    fn the_rows_answer_as_the_sets_do() {
        let mut table = Table::default();
        table.reach(150);
        let mut seed = 1_u64;
        let landings = vec![Landing::default(); level(150) as usize - 1];
        let mut sets: Vec<[u64; 3]> = Vec::new();
        for k in 0..700 {
            let mut used = [0; 3];
            for x in 1..=150_usize {
                let draw = pseudo_random(&mut seed) % 16;
                let yes = match x % 7 {
                    0 => true,
                    1 => false,
                    2 => k < 40 + x,
                    3 => k == 2 * x,
                    _ => draw < 3,
                };
                used[x / 64] |= u64::from(yes) << (x % 64);
            }
            assert_eq!(table.push(150, &used, &landings), k as u32);
            sets.push(used);
            let of = table.of(150);
            for questions in 0..if k % 50 < 3 { 20 } else { 2 } {
                let mut holes = [0; 3];
                for _ in 0..questions % 7 {
                    let x = pseudo_random(&mut seed) as usize % 151;
                    holes[x / 64] |= u64::from(!x.is_multiple_of(7)) << (x % 64);
                }
                let hole = pseudo_random(&mut seed) as u32 % 200;
                let mut found = Vec::new();
                of.without(&holes, hole, |family| {
                    found.push(family);
                    true
                });
                let uses =
                    |set: &[u64; 3], x: u32| x <= 150 && set[x as usize / 64] >> (x % 64) & 1 == 1;
                let free = |set: &[u64; 3]| {
                    set.iter().zip(&holes).all(|(set, holes)| set & holes == 0) && !uses(set, hole)
                };
                let expected: Vec<u32> =
                    (0..).zip(&sets).filter(|(_, s)| free(s)).map(|(f, _)| f).collect();
                assert_eq!(found, expected, "{k} {holes:?} {hole}");
            }
        }
        let of = table.of(150);
        for (family, set) in (0..).zip(&sets) {
            let mut used = [1, 0, 1 << 22];
            of.unite(family, &mut used);
            assert_eq!(used, [set[0] | 1, set[1], set[2] | 1 << 22]);
        }
        assert_eq!((of.count(), table.families()), (700, 700));
        let disputed: u32 = of.disputed().iter().map(|word| word.count_ones()).sum();
        assert!((80..=110).contains(&disputed), "{disputed}");
    }

    /// It stops when it is told to.
    #[test]
    fn no_more_are_given_than_wanted() {
        let mut table = Table::default();
        table.reach(3);
        let landings = [Landing::default()];
        (0..300).for_each(|_| _ = table.push(3, &[0b1110], &landings));
        let mut found = Vec::new();
        table.of(3).without(&[0], 9, |family| {
            found.push(family);
            family < 260
        });
        assert_eq!(found, (0..=260).collect::<Vec<u32>>());
        table.of(3).without(&[0], 2, |_| panic!("all use it"));
        table.of(2).without(&[0], 1, |_| panic!("there is none"));
    }

    #[test]
    fn memory_is_little() {
        let mut table = Table::default();
        table.reach(1000);
        let mut seed = 9;
        let landings = vec![Landing::default(); level(1000) as usize - 1];
        for _ in 0..2000 {
            // 64 of 1001 moves are disputed, so 8 bytes a family.
            let used: Vec<u64> =
                (0..16).map(|w| if w % 8 == 0 { pseudo_random(&mut seed) } else { 6 }).collect();
            table.push(1000, &used, &landings);
        }
        let each = table.of(1000).bytes() / 2000;
        assert!((8..=12).contains(&each), "{each}");
    }
}
