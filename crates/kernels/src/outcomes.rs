//! Computes which players win partizan End-Nim by moving first. Fills whole tiles by the rules.
//!
//! Fix a middle m and consider the words x m y. Write L(w) for "Left, moving first, wins w", and
//! R(w) for "Right, moving first, wins w". Left lowers x or takes all of it; Right lowers y or
//! takes all of it. A move wins if it leaves a word that the opponent, moving first, loses:
//!
//! ```text
//! L(x m y)  iff  not R(x' m y) for some x' < x,   x' = 0 being m y
//! R(x m y)  iff  not L(x m y') for some y' < y,   y' = 0 being x m
//! ```
//!
//! So L in row x depends only on R in earlier rows and in the border m y. L is true in a column if
//! R is false somewhere above. The code gathers these columns as bits. R depends on L in the same
//! row: R is true in all columns to the right of the first false L, where the border x m counts as
//! column 0. A row takes a few operations on words of 64 columns. This code does not use
//! thresholds, so these tiles test the theorem about thresholds.

/// The tile of a middle: N rows x of [`words`] and N columns y. Bit y - 1 of a row is column y.
#[derive(Clone, Debug, Default)]
pub struct OutcomeTile {
    /// L(x m y).
    pub left: Vec<u64>,
    /// R(x m y).
    pub right: Vec<u64>,
    gathered: Vec<u64>,
}

/// Returns the number of 64-bit words for a row with `max_pile` columns.
pub fn words(max_pile: usize) -> usize {
    max_pile.div_ceil(64)
}

/// Returns a mask of the bits in use in the last word of a row with `max_pile` columns.
fn last_word(max_pile: usize) -> u64 {
    u64::MAX >> (64 * words(max_pile) - max_pile)
}

impl OutcomeTile {
    /// Fills the tile from its borders: R(m y) as the bits of a row, and L(x m) for x = 1..=N. Bits
    /// beyond column N are 0.
    ///
    /// # Panics
    /// If a border is too short.
    #[inline]
    pub fn fill(
        &mut self,
        max_pile: usize,
        right_above: &[u64],
        left_before: impl Fn(usize) -> bool,
    ) {
        let width = words(max_pile);
        let inside = last_word(max_pile);
        self.left.resize(width * max_pile, 0);
        self.right.resize(width * max_pile, 0);
        self.gathered.clear();
        self.gathered.extend(right_above[..width].iter().map(|word| !word));
        self.gathered[width - 1] &= inside;
        for (x, (left, right)) in (1..=max_pile)
            .zip(self.left.chunks_exact_mut(width).zip(self.right.chunks_exact_mut(width)))
        {
            left.copy_from_slice(&self.gathered);
            let mut found = !left_before(x);
            for ((left, right), gathered) in left.iter().zip(&mut *right).zip(&mut self.gathered) {
                *right = if found {
                    u64::MAX
                } else if *left == u64::MAX {
                    0
                } else {
                    found = true;
                    // Set all columns to the right of the first false L.
                    (u64::MAX << left.trailing_ones()) << 1
                };
                *gathered |= !*right;
            }
            right[width - 1] &= inside;
            self.gathered[width - 1] &= inside;
        }
    }
}
