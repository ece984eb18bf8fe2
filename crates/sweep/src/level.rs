//! Keeps one complete level in memory.

use grundy_kernels::Cell;
use grundy_rules::{Pile, Singles, lex_index};

/// The N^length values of all positions of one length. The tiles of *all* middles follow each other
/// in lexicographic order. Both a position and its reversal are stored, so every row is contiguous.
#[derive(Clone, Debug)]
pub struct Level<T> {
    max_pile: usize,
    length: usize,
    values: Vec<T>,
}

impl<T: Cell> Level<T> {
    /// Returns level 1, the seed row, which the rules give directly.
    pub fn seed(singles: &Singles, max_pile: usize) -> Level<T> {
        let values = singles.up_to(max_pile as Pile).map(T::from_value).collect();
        Level { max_pile, length: 1, values }
    }

    pub(crate) fn from_values(max_pile: usize, length: usize, values: Vec<T>) -> Level<T> {
        debug_assert_eq!(values.len(), max_pile.pow(length as u32));
        Level { max_pile, length, values }
    }

    pub fn length(&self) -> usize {
        self.length
    }

    pub fn values(&self) -> &[T] {
        &self.values
    }

    pub(crate) fn into_values(self) -> Vec<T> {
        self.values
    }

    /// Returns the row R_w = (G(w b))_b of the word `w` of `length - 1` piles.
    pub fn row(&self, word: &[Pile]) -> &[T] {
        debug_assert_eq!(word.len() + 1, self.length);
        let n = self.max_pile;
        let (tile, row) = match word {
            [] => (0, 0),
            [first, middle @ ..] => (lex_index(middle, n as u64) as usize, *first as usize - 1),
        };
        let start = (tile * n + row) * n;
        &self.values[start..start + n]
    }

    /// Returns the tiles of the middles (word, x) for x = 1..=N, which are contiguous. `word` has
    /// `length - 3` piles.
    pub(crate) fn tiles_after(&self, word: &[Pile]) -> &[T] {
        debug_assert_eq!(word.len() + 3, self.length);
        let n = self.max_pile;
        let start = lex_index(word, n as u64) as usize * n * n * n;
        &self.values[start..start + n * n * n]
    }

    /// Returns the value of a position of this length. Its piles must be at most N.
    pub fn value(&self, piles: &[Pile]) -> u32 {
        let (word, last) = piles.split_at(self.length - 1);
        self.row(word)[last[0] as usize - 1].into()
    }
}
