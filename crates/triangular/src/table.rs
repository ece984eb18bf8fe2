//! The families found so far.
//!
//! Families of the same n are stored together, in the order of discovery; there may be thousands.
//! The table finds the families that use none of the given moves, and compares their other moves.
//! Families agree on most moves: each family uses {1..l}, and most other moves are used by all
//! families or by none. So they are stored in [blocks](crate::block) of 256. A move is disputed if
//! some families use it and others do not. One in twelve moves that are disputed among all families
//! of n is not disputed within a single block. In a full block, one in five disputed moves has a
//! short list of families instead of one bit for each family.
//!
//! To find the families of a block that use none of the given moves, unite the sets of the families
//! that use each move. The zero bits of the union are the result. If all families use one of the
//! moves, the result is empty.
//!
//! docs/CONJECTURE.md says how much memory a family takes.

use crate::block::{Block, COMPARED, FULL, ones};
use crate::landings::{Landing, Landings};
use crate::level;
use crate::moves::words;
use crate::weights::OfLevel;

#[derive(Debug)]
pub(crate) struct Families {
    n: u32,
    /// The last block, which is not full. It is inline, because small piles have no other blocks.
    last: Block,
    /// The earlier blocks, which are full.
    full: Vec<Block>,
    full_bytes: usize,
    landings: Landings,
}

fn place(family: u32) -> (usize, u8) {
    (family as usize / FULL, family as u8)
}

impl Families {
    fn new(n: u32) -> Self {
        Self {
            n,
            last: Block::default(),
            full: Vec::new(),
            full_bytes: 0,
            landings: Landings::new(level(n).saturating_sub(1) as u16),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        (self.full.len() * FULL + self.last.count()) as u32
    }

    fn block(&self, number: usize) -> &Block {
        self.full.get(number).unwrap_or(&self.last)
    }

    pub(crate) fn landings(&self) -> impl Iterator<Item = Vec<Landing>> + '_ {
        self.landings.iter()
    }

    pub(crate) fn unite(&self, family: u32, used: &mut [u64]) {
        let (block, family) = place(family);
        self.block(block).unite(family, used);
    }

    /// Calls `each` in order with the families that use neither a move of `holes` nor the move
    /// `hole`, until `each` returns `false`. Move x is bit x % 64 of word x / 64 of `holes`; moves
    /// above n are ignored.
    pub(crate) fn without(&self, holes: &[u64], hole: u32, mut each: impl FnMut(u32) -> bool) {
        let hole = (hole <= self.n).then_some((hole as usize / 64, hole % 64));
        let blocks = self.full.iter().chain([&self.last]);
        for (block, first) in blocks.zip((0..).step_by(FULL)) {
            let Some(free) = block.without(holes, hole) else { continue };
            for (word, first) in free.into_iter().zip((first..).step_by(64)) {
                for bit in ones(word) {
                    if !each(first + bit) {
                        return;
                    }
                }
            }
        }
    }

    /// Finds the family that adds the least weight to `used`, among at most [`COMPARED`] families
    /// in ascending order. If several families add the same weight, takes the first. Returns the
    /// family and its weight, if this weight is less than `limit`.
    pub(crate) fn lightest(
        &self,
        families: &[u32],
        weights: OfLevel<'_>,
        used: &[u64],
        mut limit: u32,
    ) -> Option<(u32, u32)> {
        let mut best = None;
        for of_block in families.chunk_by(|&a, &b| place(a).0 == place(b).0) {
            let (block, _) = place(of_block[0]);
            let mut numbers = [0; COMPARED];
            let numbers = &mut numbers[..of_block.len()];
            for (number, &family) in numbers.iter_mut().zip(of_block) {
                *number = place(family).1;
            }
            let found = self.block(block).lightest(numbers, weights, used, limit);
            if let Some((weight, number)) = found {
                limit = weight;
                best = Some((weight, (block * FULL) as u32 + u32::from(number)));
            }
        }
        best
    }

    fn push(&mut self, used: &[u64], landings: &[Landing]) {
        self.last.push(used);
        if self.last.count() == FULL {
            let mut full = std::mem::take(&mut self.last);
            full.close();
            self.full_bytes += full.bytes();
            self.full.reserve_exact(1);
            self.full.push(full);
        }
        self.landings.push(landings);
    }

    fn bytes(&self) -> u64 {
        let blocks = self.full_bytes + self.full.capacity() * size_of::<Block>();
        (blocks + self.last.bytes()) as u64 + self.landings.bytes()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Table {
    of: Vec<Families>,
    bytes: u64,
    families: u64,
}

impl Table {
    pub(crate) fn reach(&mut self, n: u32) {
        while self.of.len() <= n as usize {
            self.of.push(Families::new(self.of.len() as u32));
            self.bytes += size_of::<Families>() as u64;
        }
    }

    pub(crate) fn of(&self, n: u32) -> &Families {
        &self.of[n as usize]
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(crate) fn families(&self) -> u64 {
        self.families
    }

    /// Adds a family of n that uses the moves `used`. Returns its index among the families of n.
    pub(crate) fn push(&mut self, n: u32, used: &[u64], landings: &[Landing]) -> u32 {
        let of = &mut self.of[n as usize];
        debug_assert_eq!(used.len(), words(n));
        self.bytes -= of.bytes();
        of.push(used, landings);
        self.bytes += of.bytes();
        self.families += 1;
        of.count() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;

    fn pseudo_random(seed: &mut u64) -> u64 {
        *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *seed >> 32
    }

    /// The table gives the same answers as plain sets of moves, from the first family to the 700th,
    /// which is in the third block. Some moves are used by all families, some by none, and some by
    /// few or by most. Some become disputed late.
    #[test]
    fn the_blocks_answer_as_the_sets_do() {
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
                    4 => draw + k as u64 % 5 > 0,
                    5 => k % 37 == x % 37,
                    _ => draw < 3,
                };
                used[x / 64] |= u64::from(yes) << (x % 64);
            }
            assert_eq!(table.push(150, &used, &landings), k as u32);
            sets.push(used);
            let of = table.of(150);
            let near = [255, 256, 257, 511, 512, 513].contains(&(k + 1));
            for questions in 0..if near { 200 } else { 4 } {
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
        assert_eq!((of.full.len(), of.last.count()), (2, 700 - 512));

        // Find the lightest family among the families of one, two and three blocks.
        let mut weights = Weights::default();
        weights.reach(150);
        let weights = weights.of_level(16);
        let weight = |used: &[u64], &f: &u32| weights.added(&sets[f as usize], used);
        for (k, set) in sets.iter().enumerate().step_by(23) {
            let spread = [1, 5, 40, 80][k % 4];
            let first = pseudo_random(&mut seed) as u32 % (700 - 7 * spread);
            let families: Vec<u32> = (0..=k as u32 % 8).map(|j| first + j * spread).collect();
            let family = *families.iter().min_by_key(|f| weight(set, f)).unwrap();
            let least = weight(set, &family);
            let found = |limit| of.lightest(&families, weights, set, limit);
            assert_eq!(found(u32::MAX), Some((least, family)), "{families:?}");
            assert_eq!(found(least + 1), Some((least, family)));
            assert_eq!(found(least), None);
        }
        // Of two equally light families in different blocks, the first one is found.
        let mut twins = Table::default();
        twins.reach(150);
        (0..300).for_each(|_| _ = twins.push(150, &sets[0], &landings));
        let found = twins.of(150).lightest(&[254, 255, 256, 299], weights, &sets[0], 1);
        assert_eq!(found, Some((0, 254)));
    }

    #[test]
    fn a_walk_ends_when_each_returns_false() {
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

    /// In a block a family takes at most one bit for each disputed move. In a full block, moves
    /// with few users or few non-users have a list.
    #[test]
    fn a_family_takes_little_memory() {
        let mut seed = 9;
        let landings = vec![Landing::default(); level(1000) as usize - 1];
        let mut each = |count: u64, used: &mut dyn FnMut(u64, &mut u64) -> Vec<u64>| {
            let mut table = Table::default();
            table.reach(1000);
            for family in 0..count {
                table.push(1000, &used(family, &mut seed), &landings);
            }
            table.of(1000).bytes() / count
        };
        // 64 of 1001 moves are disputed, so a family takes 8 bytes.
        let mut divided = |_: u64, seed: &mut u64| {
            (0..16).map(|w| if w % 8 == 0 { pseudo_random(seed) } else { 6 }).collect()
        };
        let found = [240, 2048].map(|count| each(count, &mut divided));
        assert!(found.iter().all(|each| (8..=14).contains(each)), "{found:?}");
        // Each move is used by 8 of 256 families, or by all but 8.
        let mut listed = |family: u64, _: &mut u64| {
            let word = |w| if w % 2 == 0 { 0 } else { u64::MAX };
            (0..16).map(|w| word(w) ^ 0x0010_0001_u64.rotate_left(family as u32)).collect()
        };
        // 1024 lists of 8 bytes for 256 families are 32 bytes per family; rows would take 128.
        let found = each(2048, &mut listed);
        assert!((24..=40).contains(&found), "{found}");
    }
}
