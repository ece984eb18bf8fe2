//! Ranking multisets of piles.
//!
//! If the order of the piles does not matter, a position is written in ascending order, p₁ <= p₂ <=
//! ... <= pₖ, and numbered *colexicographically*: first by its largest pile, then by the next
//! smaller pile, and so on. The number is
//!
//! ```text
//! C(p₁ - 1, 1) + C(p₂, 2) + C(p₃ + 1, 3) + ... + C(pₖ + k - 2, k)
//! ```
//!
//! because with qᵢ = pᵢ + i - 2 the multisets become the sets q₁ < q₂ < ... < qₖ. C(qᵢ, i) is the
//! number of sets that agree with this set above place i and have a smaller member in place i. So
//!
//! * the number does not depend on the largest pile allowed: a smaller table is the beginning of a
//!   larger one;
//! * lowering a pile lowers the number, because after sorting no pile is larger than before. So in
//!   the order of numbers, every option comes before its position.

use std::ops::{Range, RangeInclusive};

use grundy_language::Memories;

use super::{Index, Numbering, Place, Shape, holds, multisets, sorted, too_large};
use crate::size::{LARGEST_MAX_PILE, LARGEST_SUM_PILE};
use crate::{Game, Memory, Pile, Position, Size, TableError};

/// The multisets of `length` piles from 1 to N, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multisets {
    max_pile: Pile,
    length: usize,
    /// `terms[i - 1][p - 1]` = C(p + i - 2, i) for p = 1..=N + 1.
    terms: Vec<Vec<u64>>,
}

impl Multisets {
    /// Returns the multisets of `length` piles, each at most `max_pile`. `None` if there are more
    /// than 2^63 multisets.
    pub fn new(max_pile: Pile, length: usize) -> Option<Multisets> {
        let size = max_pile as usize + 1;
        let mut terms: Vec<Vec<u64>> = Vec::with_capacity(length);
        for i in 1..=length {
            // C(p + i - 2, i) = C(p + i - 3, i) + C(p + i - 3, i - 1). The last term is in `below`.
            let mut row = Vec::with_capacity(size);
            let mut sum = 0u64;
            for p in 0..size {
                row.push(sum);
                let next = match terms.last() {
                    Some(below) => below.get(p + 1).copied(),
                    None => Some(1),
                };
                if p + 1 < size {
                    sum = sum.checked_add(next?).filter(|&sum| sum <= 1 << 63)?;
                }
            }
            debug_assert_eq!(row.len(), size, "i = {i}");
            terms.push(row);
        }
        Some(Multisets { max_pile, length, terms })
    }

    /// Returns the largest pile, N.
    pub fn max_pile(&self) -> Pile {
        self.max_pile
    }

    /// Returns the number of piles.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the number of multisets, C(N + k - 1, k).
    pub fn count(&self) -> u64 {
        self.terms.last().map_or(1, |row| row[self.max_pile as usize])
    }

    /// Returns the term of a pile. The number of a multiset is the sum of the terms of its piles.
    /// `place` is the index of the pile in ascending order, from 0.
    pub fn term(&self, place: usize, pile: Pile) -> u64 {
        self.terms[place][pile as usize - 1]
    }

    /// Returns the terms of piles of these sizes at one place, from 1 on.
    pub fn terms(&self, place: usize, piles: RangeInclusive<Pile>) -> &[u64] {
        &self.terms[place][*piles.start() as usize - 1..*piles.end() as usize]
    }

    /// Returns the number of a multiset of this length with piles 1..=N in ascending order.
    pub fn rank(&self, piles: &[Pile]) -> u64 {
        debug_assert!(piles.len() == self.length && piles.is_sorted());
        piles.iter().enumerate().map(|(place, &pile)| self.term(place, pile)).sum()
    }

    /// Writes the multiset with this number into `piles`, in ascending order.
    ///
    /// # Panics
    /// Panics if `rank >= count()` or if `piles` has the wrong length.
    pub fn unrank(&self, rank: u64, piles: &mut [Pile]) {
        assert!(rank < self.count() && piles.len() == self.length);
        let mut rank = rank;
        for (row, pile) in self.terms.iter().zip(piles).rev() {
            // Find the largest p whose term is at most the remaining rank.
            let p = row.partition_point(|&term| term <= rank);
            *pile = p as Pile;
            rank -= row[p - 1];
        }
    }

    /// Divides a range of numbers into runs of multisets that differ only in the smallest pile.
    /// Calls `show` with the first multiset and the length of each run.
    ///
    /// # Panics
    /// Panics if the range is empty or exceeds `count()`.
    pub fn each_run(&self, numbers: Range<u64>, mut show: impl FnMut(&[Pile], usize)) {
        let mut piles = vec![0; self.length];
        self.unrank(numbers.start, &mut piles);
        let mut left = numbers.end - numbers.start;
        while left > 0 {
            let last = piles.get(1).copied().unwrap_or(self.max_pile);
            let run = left.min(u64::from(last - piles[0]) + 1);
            show(&piles, run as usize);
            left -= run;
            piles[0] = last;
            assert!(self.step(&mut piles) || left == 0, "no more than {} multisets", self.count());
        }
    }

    /// Changes `piles` to the next multiset. Returns false after the last multiset.
    pub fn step(&self, piles: &mut [Pile]) -> bool {
        for at in 0..piles.len() {
            let room = piles.get(at + 1).copied().unwrap_or(self.max_pile);
            if piles[at] < room {
                piles[at] += 1;
                piles[..at].fill(1);
                return true;
            }
        }
        false
    }
}

/// Piles in any order: multisets in colexicographic order. Each multiset has a tile of one value,
/// so the number of a position is the number of its multiset. If the game remembers numbers,
/// a tile is one row, with a column for each state from 0 on.
#[derive(Debug)]
pub struct MultisetIndex {
    multisets: Multisets,
    /// The numbers that the game remembers, and the number of columns, one for each state.
    memories: Option<Memories>,
    cols: u64,
    /// True if column 0 also holds the value for a last move that is larger than every pile,
    /// because such a last move forbids nothing.
    merges: bool,
}

impl MultisetIndex {
    /// Returns the multisets of a table.
    pub fn new(game: Game, size: Size) -> Result<MultisetIndex, TableError> {
        MultisetIndex::up_to(game, size, LARGEST_MAX_PILE)
    }

    /// Returns the multisets of the piles of a sum. No table of them is stored.
    pub fn of_sums(game: Game, size: Size) -> Result<MultisetIndex, TableError> {
        MultisetIndex::up_to(game, size, LARGEST_SUM_PILE)
    }

    fn up_to(game: Game, size: Size, most: Pile) -> Result<MultisetIndex, TableError> {
        let multisets = multisets(game, size, most)?;
        Ok(MultisetIndex { multisets, memories: None, cols: 1, merges: false })
    }

    /// Returns the multisets of a table, with a column for each last move up to the largest pile.
    pub fn with_last_moves(game: Game, size: Size) -> Result<MultisetIndex, TableError> {
        let cols = u64::from(size.max_pile) + 1;
        Ok(MultisetIndex { merges: true, ..MultisetIndex::with_states(game, size, cols)? })
    }

    /// Returns the multisets of a table, with `cols` columns, one for each state.
    pub fn with_states(game: Game, size: Size, cols: u64) -> Result<MultisetIndex, TableError> {
        let multisets = multisets(game, size, LARGEST_MAX_PILE)?;
        let cells = multisets.count().checked_mul(cols);
        cells.filter(|&cells| cells <= 1 << 63).ok_or_else(|| too_large(game, size))?;
        let memories = game.memories().cloned();
        Ok(MultisetIndex { multisets, memories, cols, merges: false })
    }
}

impl Index for MultisetIndex {
    fn numbering(&self) -> Numbering {
        if self.memories.is_none() { Numbering::Multisets } else { Numbering::LastMoves }
    }

    fn multisets(&self) -> Option<&Multisets> {
        Some(&self.multisets)
    }

    fn shape(&self) -> Shape {
        Shape { cols: self.cols as usize, ..Shape::single(self.multisets.count()) }
    }

    /// Returns the number of cells, including cells for last moves larger than every pile.
    fn positions(&self) -> u64 {
        self.multisets.count() * self.cols
    }

    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place> {
        if !holds(piles, self.multisets.max_pile(), self.multisets.length()) {
            return None;
        }
        let piles = sorted(piles);
        let state = memory.state();
        let forbids = !self.merges || piles.last().is_some_and(|&pile| state <= pile);
        let col = if self.memories.is_some() && forbids { state } else { 0 };
        let fits = u64::from(col) < self.cols;
        fits.then(|| Place { col: col as usize, ..Place::tile(self.multisets.rank(&piles)) })
    }

    fn position(&self, number: u64) -> Option<Position> {
        if number >= self.positions() {
            return None;
        }
        let mut piles = vec![0; self.multisets.length()];
        self.multisets.unrank(number / self.cols, &mut piles);
        let memory = Memory::of((number % self.cols) as u32, self.memories.as_ref());
        Some(Position { piles, memory })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns all multisets, sorted directly by the definition of colexicographic order.
    fn all(n: Pile, k: usize) -> Vec<Vec<Pile>> {
        let words = u64::from(n).pow(k as u32);
        let mut found = Vec::new();
        for index in 0..words {
            let mut word = vec![0; k];
            crate::index::lex_word(index, u64::from(n), &mut word);
            if word.is_sorted() {
                found.push(word);
            }
        }
        found.sort_by(|a, b| a.iter().rev().cmp(b.iter().rev()));
        found
    }

    #[test]
    fn a_bijection_in_colexicographic_order() {
        for (n, k) in [(1, 1), (1, 4), (5, 1), (6, 2), (5, 3), (4, 4), (3, 6), (7, 3)] {
            let multisets = Multisets::new(n, k).unwrap();
            let all = all(n, k);
            assert_eq!(multisets.count(), all.len() as u64);
            let mut stepped = vec![1; k];
            for (rank, piles) in all.iter().enumerate() {
                assert_eq!(multisets.rank(piles), rank as u64, "{n} {piles:?}");
                let mut back = vec![0; k];
                multisets.unrank(rank as u64, &mut back);
                assert_eq!(&back, piles);
                assert_eq!(&stepped, piles);
                assert_eq!(multisets.step(&mut stepped), rank + 1 < all.len());
            }
        }
        assert_eq!(Multisets::new(9, 0).unwrap().count(), 1);
    }
}
