//! Statements about single positions, and their fast forms.
//!
//! The slow form of a statement is a predicate over the piles, as in the paper. The fast form finds
//! the relevant cells of a whole tile. For a statement "the value is v iff ..." it predicts a mask
//! for each row. The mask has the columns that should have the value v, and is compared with the
//! columns that do have it. The *shape* of the predicate makes the prediction fast:
//!
//! ```text
//! Anywhere    nothing is known: every word is checked, and its reversal too
//! Band(d)     it holds only where the two ends differ by at most d, and reads
//!             the same backwards: 2d + 1 cells of a row are checked
//! Diagonals   P-positions of End-Nim: three diagonals, given by three bit sets
//!             that depend on the middle alone
//! ```
//!
//! # Three diagonals
//!
//! In both papers every P-position x w y of three or more piles has |x - y| <= 1. Each end has one
//! bit. It depends on the end pile, on the number of equal piles at that end (the *run*), and on
//! the next pile, which is higher or lower. Fix a middle w. If an end pile differs from its
//! neighbour, its bit depends only on which of the two is larger. So the bits of the left ends x =
//! 1..N are equal below the neighbour, and equal above it. The bit at x = neighbour depends on the
//! first run of the middle:
//!
//! ```text
//! x        1 2 3 4 5 6 7 8        middle 5 5 2 ...
//! bit      1 1 1 1 ? 0 0 0        ? : a run of three, then a lower pile
//! ```
//!
//! A few operations on such words predict the tile as three sets. x is in `same` if x w x is P, in
//! `up` if x w (x+1) is P, and in `down` if x w (x-1) is P. If all piles of the middle equal c, a
//! run may reach from one end to the other. Then the slow form decides the five cells around (c,
//! c).

use grundy_rules::Pile;
use grundy_sweep::cost::price;

#[derive(Clone, Copy)]
pub(crate) enum Statement {
    Iff {
        value: u32,
        holds: fn(&[Pile]) -> bool,
        shape: Shape,
    },
    /// A formula gives the value. The value is the same for a row and its mirror image.
    Formula(fn(&[Pile]) -> u32),
    /// The value can be `value` only if the two ends differ by at most `distance`.
    Near {
        value: u32,
        distance: Pile,
    },
    /// The value is at most the sum of the two ends.
    Bounded,
    /// Positions that differ only in the last pile have different values.
    Injective,
}

#[derive(Clone, Copy)]
pub(crate) enum Shape {
    /// The predicate may hold anywhere, and may differ for a row and its mirror image.
    #[cfg_attr(not(test), expect(dead_code, reason = "tests use it for wrong claims"))]
    Anywhere,
    /// The predicate holds only if the ends differ by at most this number, and it is the same for a
    /// row and its mirror image.
    Band(Pile),
    /// The predicate holds only on three diagonals, and a bit of each end decides it. The predicate
    /// is the same for a row and its mirror image.
    Diagonals(EndBits),
}

/// The rules for the bit of each end, and for the combination of two bits.
#[derive(Clone, Copy)]
pub(crate) struct EndBits {
    /// The bit of an end pile below its neighbour. An end above its neighbour has the opposite bit.
    pub(crate) below: bool,
    /// Returns the bit of an end pile that equals its neighbour. The arguments are the length of
    /// the run of equal piles, and true if the pile after the run is higher.
    pub(crate) repeated: fn(usize, bool) -> bool,
    /// Combines the bits of the lower and the higher end, if the ends differ by one. Returns 1 for
    /// P. (Equal ends are P iff their bits are equal.)
    pub(crate) pair: fn(u64, u64) -> u64,
}

impl Statement {
    /// Returns the statement that the value is `value` iff the predicate holds. The predicate must
    /// be false if the ends differ by more than `distance`.
    pub(crate) fn band(value: u32, holds: fn(&[Pile]) -> bool, distance: Pile) -> Statement {
        Statement::Iff { value, holds, shape: Shape::Band(distance) }
    }

    /// Returns the statement that the predicate holds exactly for P-positions, on three diagonals.
    pub(crate) fn lost(holds: fn(&[Pile]) -> bool, bits: EndBits) -> Statement {
        Statement::Iff { value: 0, holds, shape: Shape::Diagonals(bits) }
    }

    /// True if a position may have this value. `None` if the answer depends on other positions.
    pub(crate) fn allows(&self, piles: &[Pile], value: u32) -> Option<bool> {
        Some(match self {
            Statement::Iff { value: v, holds, .. } => (value == *v) == holds(piles),
            Statement::Formula(formula) => value == formula(piles),
            Statement::Near { value: v, distance } => match piles {
                [x, .., y] => value != *v || x.abs_diff(*y) <= *distance,
                _ => true,
            },
            Statement::Bounded => match piles {
                [x, .., y] => value <= x + y,
                _ => true,
            },
            Statement::Injective => return None,
        })
    }

    pub(crate) fn cost(&self) -> f64 {
        match self {
            Statement::Iff { shape: Shape::Diagonals(_) | Shape::Band(_), .. }
            | Statement::Near { .. }
            | Statement::Bounded => price::MASK,
            Statement::Injective => price::INJECTIVE,
            Statement::Formula(_) | Statement::Iff { .. } => price::PREDICATE,
        }
    }
}

/// The P-positions of a tile as three diagonals. Bit x - 1 of each set is for the row x; a set has
/// ceil(N / 64) words.
#[derive(Debug, Default)]
pub(crate) struct Diagonals {
    /// Bits for x w x.
    pub(crate) same: Vec<u64>,
    /// Bits for x w (x + 1).
    pub(crate) up: Vec<u64>,
    /// Bits for x w (x - 1).
    pub(crate) down: Vec<u64>,
    left: Vec<u64>,
    right: Vec<u64>,
}

impl Diagonals {
    /// Predicts the tile of a middle of at least one pile, with N rows and columns.
    pub(crate) fn predict(
        &mut self,
        bits: &EndBits,
        holds: fn(&[Pile]) -> bool,
        middle: &[Pile],
        n: usize,
    ) {
        let words = n.div_ceil(64);
        for set in [&mut self.same, &mut self.up, &mut self.down, &mut self.left, &mut self.right] {
            set.resize(words, 0);
        }
        end_bits(bits, middle.iter(), &mut self.left);
        end_bits(bits, middle.iter().rev(), &mut self.right);
        for word in 0..words {
            let (left, right) = (self.left[word], self.right[word]);
            self.same[word] = !(left ^ right);
            // In `higher` the place of x has the bit of the right end x + 1, and in `lower` the bit
            // of the right end x - 1.
            let after = self.right.get(word + 1).copied().unwrap_or(0);
            let before = if word == 0 { 0 } else { self.right[word - 1] };
            let higher = right >> 1 | after << 63;
            let lower = right << 1 | before >> 63;
            self.up[word] = (bits.pair)(left, higher);
            self.down[word] = (bits.pair)(lower, left);
        }
        // Clear the bits outside the tile: rows beyond N, column 0 and column N + 1.
        if !n.is_multiple_of(64) {
            let inside = (1u64 << (n % 64)) - 1;
            for set in [&mut self.same, &mut self.up, &mut self.down] {
                set[words - 1] &= inside;
            }
        }
        self.down[0] &= !1;
        set_bit(&mut self.up, n, false);
        if middle.iter().all(|&pile| pile == middle[0]) {
            self.ask_around(holds, middle, n);
        }
    }

    /// Corrects the prediction if all piles of the middle equal c. Evaluates the slow form at the
    /// positions in which a run can include the whole middle.
    fn ask_around(&mut self, holds: fn(&[Pile]) -> bool, middle: &[Pile], n: usize) {
        let c = middle[0] as usize;
        let mut piles = vec![0; middle.len() + 2];
        piles[1..=middle.len()].copy_from_slice(middle);
        let last = piles.len() - 1;
        for (x, y) in [(c, c), (c, c + 1), (c, c - 1), (c + 1, c), (c - 1, c)] {
            if (1..=n).contains(&x) && (1..=n).contains(&y) {
                piles[0] = x as Pile;
                piles[last] = y as Pile;
                let set = match y.cmp(&x) {
                    std::cmp::Ordering::Equal => &mut self.same,
                    std::cmp::Ordering::Greater => &mut self.up,
                    std::cmp::Ordering::Less => &mut self.down,
                };
                set_bit(set, x, holds(&piles));
            }
        }
    }

    /// Writes the predicted columns of row `row` (from 0) into `mask`.
    pub(crate) fn row(&self, row: usize, mask: &mut [u64]) {
        mask.fill(0);
        let (word, bit) = (row / 64, row % 64);
        let mut set = |from: &[u64], col: usize| {
            mask[col / 64] |= (from[word] >> bit & 1) << (col % 64);
        };
        set(&self.same, row);
        if row > 0 {
            set(&self.down, row - 1);
        }
        if row + 1 < 64 * self.up.len() {
            set(&self.up, row + 1);
        }
    }

    /// Returns the predicted columns of a row; N must be at most 64.
    #[inline(always)]
    pub(crate) fn short_row(&self, row: usize) -> u64 {
        let bit = 1u64 << row;
        (self.same[0] & bit) | (self.up[0] & bit) << 1 | (self.down[0] & bit) >> 1
    }
}

fn set_bit(set: &mut [u64], pile: usize, bit: bool) {
    let (word, at) = ((pile - 1) / 64, (pile - 1) % 64);
    set[word] = set[word] & !(1 << at) | u64::from(bit) << at;
}

/// Sets the bits of the end piles 1, 2, ...; `inner` has the other piles, from that end inwards.
fn end_bits<'a>(bits: &EndBits, inner: impl Iterator<Item = &'a Pile>, set: &mut [u64]) {
    let mut inner = inner.copied();
    let Some(neighbour) = inner.next() else {
        return;
    };
    let below = neighbour as usize - 1;
    for (at, word) in set.iter_mut().enumerate() {
        let lower = match below.saturating_sub(64 * at) {
            0 => 0,
            count @ 1..64 => (1u64 << count) - 1,
            _ => u64::MAX,
        };
        *word = if bits.below { lower } else { !lower };
    }
    // The end pile is the first of its run. If the run fills the middle, the slow form decides.
    let mut run = 2;
    let next = inner.find(|&pile| {
        let goes_on = pile == neighbour;
        run += usize::from(goes_on);
        !goes_on
    });
    if let Some(next) = next {
        set_bit(set, neighbour as usize, (bits.repeated)(run, next > neighbour));
    }
}
