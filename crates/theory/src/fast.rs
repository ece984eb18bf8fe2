//! Fast forms of statements about rows. A fast form looks at a whole tile. If the form passes the
//! tile, the statement holds at all its positions; otherwise the statement itself is evaluated. So
//! a fast form can only save time, and the verdict still comes from the statement.
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
//! `up` if x w (x+1) is P, and in `down` if x w (x-1) is P. If all piles of the middle are equal, a
//! run may reach from one end to the other, so such tiles are left to the statement.

use grundy_kernels::cells::Cells;
use grundy_kernels::{EqualMask, Isa};
use grundy_rules::Pile;

/// Makes a fast form for a thread.
pub type Fast = fn(Isa) -> Box<dyn FastForm>;

/// A fast form of a statement, with its working memory.
pub trait FastForm: Send {
    /// True if the statement holds at all positions a w b of a tile, and at their reversals. The
    /// values are in rows of `cols` for each a.
    fn passes(&mut self, middle: &[Pile], cols: usize, cells: Cells<'_>) -> bool;
}

/// The rules for the bit of each end, and for the combination of two bits.
#[derive(Clone, Copy)]
struct EndBits {
    /// The bit of an end pile below its neighbour. An end above its neighbour has the opposite bit.
    below: bool,
    /// Returns the bit of an end pile that equals its neighbour. The arguments are the length of
    /// the run of equal piles, and true if the pile after the run is higher.
    repeated: fn(usize, bool) -> bool,
    /// Combines the bits of the lower and the higher end, if the ends differ by one. Returns 1 for
    /// P. (Equal ends are P iff their bits are equal.)
    pair: fn(u64, u64) -> u64,
}

/// The diagram of Albert and Nowakowski as bits: 1 means the top row.
const ARROWS: EndBits = EndBits {
    below: true,
    repeated: |run, rises| (run % 2 == 1) == rises,
    pair: |lower, higher| higher & !lower,
};

/// The theorems of Cairns and Ho as bits; a bit is 1 if its number, l or r, is odd.
const PARITIES: EndBits = EndBits {
    below: false,
    repeated: |run, rises| (run + usize::from(rises)) % 2 == 1,
    pair: |lower, higher| lower & !higher,
};

pub(crate) fn arrows(isa: Isa) -> Box<dyn FastForm> {
    Box::new(Diagonals::new(isa, ARROWS))
}

pub(crate) fn parities(isa: Isa) -> Box<dyn FastForm> {
    Box::new(Diagonals::new(isa, PARITIES))
}

pub(crate) fn distinct(_: Isa) -> Box<dyn FastForm> {
    Box::new(LastRows::default())
}

/// The P-positions of a tile as three diagonals. Bit x - 1 of each set is for the row x; a set has
/// ceil(N / 64) words.
struct Diagonals {
    isa: Isa,
    bits: EndBits,
    /// Bits for x w x.
    same: Vec<u64>,
    /// Bits for x w (x + 1).
    up: Vec<u64>,
    /// Bits for x w (x - 1).
    down: Vec<u64>,
    left: Vec<u64>,
    right: Vec<u64>,
    row: Vec<u64>,
    zeros: Vec<u64>,
}

impl Diagonals {
    fn new(isa: Isa, bits: EndBits) -> Diagonals {
        let [same, up, down, left, right, row, zeros] = [const { Vec::new() }; 7];
        Diagonals { isa, bits, same, up, down, left, right, row, zeros }
    }

    /// Predicts the tile of a middle of different piles, with N rows and columns.
    fn predict(&mut self, middle: &[Pile], n: usize) {
        let words = n.div_ceil(64);
        for set in [&mut self.same, &mut self.up, &mut self.down, &mut self.left, &mut self.right] {
            set.resize(words, 0);
        }
        end_bits(self.bits, middle.iter(), &mut self.left);
        end_bits(self.bits, middle.iter().rev(), &mut self.right);
        for word in 0..words {
            let (left, right) = (self.left[word], self.right[word]);
            self.same[word] = !(left ^ right);
            // In `higher` the place of x has the bit of the right end x + 1, and in `lower` the bit
            // of the right end x - 1.
            let after = self.right.get(word + 1).copied().unwrap_or(0);
            let before = if word == 0 { 0 } else { self.right[word - 1] };
            let higher = right >> 1 | after << 63;
            let lower = right << 1 | before >> 63;
            self.up[word] = (self.bits.pair)(left, higher);
            self.down[word] = (self.bits.pair)(lower, left);
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
    }

    /// Writes the predicted columns of row `row` (from 0) into `self.row`.
    fn predict_row(&mut self, row: usize) {
        self.row.clear();
        self.row.resize(self.same.len(), 0);
        let (word, bit) = (row / 64, row % 64);
        let mut set = |from: &[u64], col: usize| {
            self.row[col / 64] |= (from[word] >> bit & 1) << (col % 64);
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
    fn short_row(&self, row: usize) -> u64 {
        let bit = 1u64 << row;
        (self.same[0] & bit) | (self.up[0] & bit) << 1 | (self.down[0] & bit) >> 1
    }

    fn agrees<T: EqualMask>(&mut self, middle: &[Pile], cols: usize, values: &[T]) -> bool {
        self.predict(middle, cols);
        let words = cols.div_ceil(64);
        self.zeros.clear();
        self.zeros.resize(values.len() / cols * words, 0);
        T::equal_mask(self.isa, values, cols, T::from_value(0), &mut self.zeros);
        if words == 1 {
            let wrong = self.zeros.iter().enumerate();
            return wrong.fold(0, |wrong, (row, &zeros)| wrong | self.short_row(row) ^ zeros) == 0;
        }
        (0..values.len() / cols).all(|row| {
            self.predict_row(row);
            self.row == self.zeros[row * words..][..words]
        })
    }
}

impl FastForm for Diagonals {
    fn passes(&mut self, middle: &[Pile], cols: usize, cells: Cells<'_>) -> bool {
        if middle.windows(2).all(|pair| pair[0] == pair[1]) {
            return false;
        }
        match cells {
            Cells::Bytes(values) => self.agrees(middle, cols, values),
            Cells::Words(values) => self.agrees(middle, cols, values),
            _ => false,
        }
    }
}

fn set_bit(set: &mut [u64], pile: usize, bit: bool) {
    let (word, at) = ((pile - 1) / 64, (pile - 1) % 64);
    set[word] = set[word] & !(1 << at) | u64::from(bit) << at;
}

/// Sets the bits of the end piles 1, 2, ...; `inner` has the other piles, from that end inwards.
fn end_bits<'a>(bits: EndBits, inner: impl Iterator<Item = &'a Pile>, set: &mut [u64]) {
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
    // The end pile is the first of its run.
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

/// Finds repeated values in the rows and columns of a tile. A column is a row of the reversed
/// middle. `at[v]` is the last row that had the value v, and `now` is the number of this row.
#[derive(Default)]
struct LastRows {
    at: Vec<u32>,
    now: u32,
}

impl LastRows {
    /// True if some value occurs twice.
    #[inline(always)]
    fn repeats<T: Copy + Into<u32>>(&mut self, values: impl Iterator<Item = T>) -> bool {
        if self.now == u32::MAX {
            self.at.fill(0);
            self.now = 0;
        }
        self.now += 1;
        values.fold(false, |any, value| {
            let at = &mut self.at[Into::<u32>::into(value) as usize];
            any | (std::mem::replace(at, self.now) == self.now)
        })
    }

    fn are_distinct<T: Copy + Into<u32>>(
        &mut self,
        cols: usize,
        values: &[T],
        most: usize,
    ) -> bool {
        if self.at.len() < most {
            self.at.resize(most, 0);
        }
        let mut rows = values.chunks_exact(cols);
        let columns = |col: usize| values[col..].iter().step_by(cols).copied();
        !rows.any(|row| self.repeats(row.iter().copied()))
            && !(0..cols).any(|col| self.repeats(columns(col)))
    }
}

impl FastForm for LastRows {
    fn passes(&mut self, _: &[Pile], cols: usize, cells: Cells<'_>) -> bool {
        match cells {
            Cells::Bytes(values) => self.are_distinct(cols, values, 1 << 8),
            Cells::Words(values) => self.are_distinct(cols, values, 1 << 16),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cairns_ho::{theorem_2_1, theorem_2_3};
    use grundy_rules::is_lost_end_nim;

    /// Returns the tile of a middle. A cell of it is 0 if and only if the predicate holds.
    fn painted(holds: fn(&[Pile]) -> bool, middle: &[Pile], n: usize) -> Vec<u8> {
        let cells = (1..=n as Pile).flat_map(|a| (1..=n as Pile).map(move |b| (a, b)));
        cells.map(|(a, b)| u8::from(!holds(&[&[a], middle, &[b]].concat()))).collect()
    }

    /// A tile with the predicted P-positions passes. If any one cell is changed, it does not. The
    /// theorems differ from each other only at rows of equal piles.
    #[test]
    fn diagonals_are_those_of_the_theorems() {
        let middles: [&[Pile]; 8] = [
            &[1, 2],
            &[2, 1],
            &[5, 5, 2],
            &[5, 5, 5, 9, 3],
            &[3, 2, 2],
            &[64, 65],
            &[1, 1, 2, 1],
            &[66, 64],
        ];
        for (fast, holds) in [
            (arrows as Fast, is_lost_end_nim as fn(&[Pile]) -> bool),
            (parities, theorem_2_1),
            (parities, theorem_2_3),
        ] {
            for (middle, n) in
                middles.into_iter().flat_map(|middle| [9, 64, 70].map(|n| (middle, n)))
            {
                if middle.iter().any(|&pile| pile as usize > n) {
                    continue;
                }
                let mut form = fast(Isa::Portable);
                let mut tile = painted(holds, middle, n);
                assert!(form.passes(middle, n, Cells::Bytes(&tile)), "{middle:?} {n}");
                let wide: Vec<u16> = tile.iter().map(|&cell| cell.into()).collect();
                assert!(form.passes(middle, n, Cells::Words(&wide)), "{middle:?} {n}");
                for at in (0..n * n).step_by(if n == 9 { 1 } else { 61 }) {
                    tile[at] ^= 1;
                    assert!(!form.passes(middle, n, Cells::Bytes(&tile)), "{middle:?} {n} {at}");
                    tile[at] ^= 1;
                }
            }
        }
        assert!(!parities(Isa::Portable).passes(&[3, 3], 2, Cells::Bytes(&[0; 4])));
    }

    /// A value that occurs twice in a row or in a column is found.
    #[test]
    fn repeated_values_are_found() {
        let mut form = distinct(Isa::Portable);
        let square = [0, 1, 2, 1, 2, 0, 2, 0, 1];
        assert!(
            form.passes(&[], 3, Cells::Bytes(&square))
                && form.passes(&[], 3, Cells::Bytes(&square))
        );
        for (at, value) in [(0, 1), (0, 2), (4, 0), (8, 2)] {
            let mut spoilt = square;
            spoilt[at] = value;
            assert!(!form.passes(&[], 3, Cells::Bytes(&spoilt)), "{at} {value}");
        }
        assert!(!form.passes(&[], 2, Cells::Words(&[300, 301, 300, 302])));
        assert!(!form.passes(&[], 2, Cells::Longs(&[0, 1, 1, 0])));
    }
}
