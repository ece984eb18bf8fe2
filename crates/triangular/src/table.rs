//! The families found so far.
//!
//! Families of the same n lie together, in the order in which they were found. A question to
//! the table is: which families of m use none of these moves? There may be thousands of
//! families of one m, and few moves in question, so the used sets are kept twice:
//!
//! ```text
//!   rows     family f:  bit x = f uses x              to unite and to count
//!   columns  block b of 64 families, move x:          to ask: OR the words of the moves in
//!            bit f = family 64 b + f uses x           question, the zero bits are the answer
//! ```

use crate::level;

/// Where one move of a family leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Landing {
    /// m - T(i), in 0..=i, for the pile m of level i that the move leaves.
    pub(crate) slack: u16,
    /// Which family of m.
    pub(crate) family: u32,
}

/// The families of one n.
#[derive(Debug)]
pub(crate) struct Families {
    n: u32,
    /// l - 1 for l = level(n) >= 2, otherwise 0.
    landings_each: usize,
    count: u32,
    rows: Vec<u64>,
    columns: Vec<u64>,
    landings: Vec<Landing>,
}

/// Words for one bit for each of 0..=n.
pub(crate) fn words(n: u32) -> usize {
    n as usize / 64 + 1
}

impl Families {
    fn new(n: u32) -> Self {
        let landings_each = level(n).saturating_sub(1) as usize;
        Self {
            n,
            landings_each,
            count: 0,
            rows: Vec::new(),
            columns: Vec::new(),
            landings: Vec::new(),
        }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// The moves that a family uses: bit x of word x / 64.
    pub(crate) fn used(&self, family: u32) -> &[u64] {
        let words = words(self.n);
        &self.rows[family as usize * words..][..words]
    }

    /// The landings of a family, for i = 0, 1, ..., level(n) - 2.
    pub(crate) fn landings(&self, family: u32) -> &[Landing] {
        &self.landings[family as usize * self.landings_each..][..self.landings_each]
    }

    /// Calls `each` with the families that use none of `holes` (all at most n) nor `hole`
    /// (if at most n), in order, until it returns `false`.
    pub(crate) fn without(&self, holes: &[u32], hole: u32, mut each: impl FnMut(u32) -> bool) {
        let stride = self.n as usize + 1;
        for (block, column) in self.columns.chunks_exact(stride).enumerate() {
            let first = block as u32 * 64;
            let mut taken = if hole <= self.n { column[hole as usize] } else { 0 };
            for &x in holes {
                taken |= column[x as usize];
            }
            let mut free = !taken;
            if self.count - first < 64 {
                free &= (1 << (self.count - first)) - 1;
            }
            while free != 0 {
                if !each(first + free.trailing_zeros()) {
                    return;
                }
                free &= free - 1;
            }
        }
    }

    fn bytes(&self) -> u64 {
        let words = self.rows.capacity() + self.columns.capacity();
        (words * 8 + self.landings.capacity() * size_of::<Landing>()) as u64
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
        debug_assert_eq!((used.len(), landings.len()), (words(n), of.landings_each));
        self.bytes -= of.bytes();
        let stride = n as usize + 1;
        if of.count.is_multiple_of(64) {
            of.columns.resize(of.columns.len() + stride, 0);
        }
        let block = of.columns.len() - stride;
        for (word, &bits) in used.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let x = word * 64 + bits.trailing_zeros() as usize;
                of.columns[block + x] |= 1 << (of.count % 64);
                bits &= bits - 1;
            }
        }
        of.rows.extend_from_slice(used);
        of.landings.extend_from_slice(landings);
        of.count += 1;
        self.bytes += of.bytes();
        self.families += 1;
        of.count - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_columns_answer_as_the_rows_do() {
        let mut table = Table::default();
        table.reach(70);
        let mut seed = 1_u64;
        let landings = vec![Landing { slack: 0, family: 0 }; level(70) as usize - 1];
        for _ in 0..150 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let used = [seed & !1, (seed >> 32) & 0x7F];
            table.push(70, &used, &landings);
        }
        let of = table.of(70);
        assert_eq!((of.count(), table.families()), (150, 150));
        for (holes, hole) in [(vec![], 99), (vec![3], 99), (vec![3, 66], 10), (vec![], 70)] {
            let mut found = Vec::new();
            of.without(&holes, hole, |f| {
                found.push(f);
                true
            });
            let uses = |f: u32, x: u32| of.used(f)[x as usize / 64] >> (x % 64) & 1 == 1;
            let expected: Vec<u32> = (0..150)
                .filter(|&f| holes.iter().chain([&hole]).all(|&x| x > 70 || !uses(f, x)))
                .collect();
            assert_eq!(found, expected);
            assert!(!expected.is_empty());
        }
    }
}
