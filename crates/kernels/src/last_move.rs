//! Fills short global nim with several piles: every multiset with every last move.
//!
//! An option takes j coins from a pile and has last move j. Without a forbidden move, the mex of
//! all options of a multiset p is g(p) = *(p, 0). Forbidding k removes the options with j = k, so
//!
//! ```text
//! *(p, k) = g(p), or the least v < g(p) that occurs only at options with j = k
//! ```
//!
//! One pass over the options finds the values that occur. For each value, the pass records the move
//! if all options with this value have the same j, or else notes that several moves lead to it. The
//! code visits multisets by number ([`grundy_rules::Multisets`]), so it computes options first.

use grundy_rules::{Multisets, Pile, coins};

const STRIDE: u64 = 1 << 10;

/// The values of all multisets of one length, in the order of [`Multisets`]. There are N + 1 values
/// for each multiset, one for each last move 0, 1, ..., N.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastMoves {
    multisets: Multisets,
    values: Vec<u16>,
}

/// All positions whose piles are at most those of a given position, with every last move.
///
/// Piles may be 0, and the order of the piles matters. The positions are the points of a rectangle
/// with one dimension for each pile. The last pile varies fastest.
#[derive(Clone, Debug)]
pub struct Rectangle {
    piles: Vec<Pile>,
    /// For each pile, the distance to the point with one more coin in this pile.
    strides: Vec<usize>,
    width: usize,
    values: Vec<u16>,
}

impl Rectangle {
    pub fn new(piles: &[Pile]) -> Rectangle {
        let width = piles.iter().max().map_or(1, |&pile| pile as usize + 1);
        Rectangle { piles: piles.to_vec(), strides: Vec::new(), width, values: Vec::new() }
    }

    pub fn dimensions(&self) -> usize {
        self.piles.len()
    }

    /// Returns the number of values, or infinity if the number exceeds the range of `f64`.
    pub fn cells(&self) -> f64 {
        self.points() * self.width as f64
    }

    fn points(&self) -> f64 {
        self.piles.iter().map(|&pile| f64::from(pile) + 1.0).product()
    }

    /// Estimates the work as a number of options. On average a point has half as many options as
    /// the given position has coins. A point itself costs as much as five options, and eight of its
    /// last moves cost as much as one option.
    pub fn options(&self) -> f64 {
        let coins: f64 = self.piles.iter().map(|&pile| f64::from(pile)).sum();
        self.points() * (coins / 2.0 + self.width as f64 / 8.0 + 5.0)
    }

    /// Returns the bytes of memory, or infinity if values could exceed 16 bits.
    pub fn bytes(&self) -> f64 {
        if coins(&self.piles) > u64::from(u16::MAX) { f64::INFINITY } else { 2.0 * self.cells() }
    }

    /// Evaluates all points. Regularly calls `go_on` with the number of points done, and returns
    /// `None` if `go_on` returns false.
    ///
    /// # Panics
    /// If a value exceeds 16 bits, which takes more than 65,535 coins.
    pub fn evaluate(mut self, mut go_on: impl FnMut(u64) -> bool) -> Option<Rectangle> {
        let k = self.piles.len();
        self.strides = vec![1; k];
        for i in (1..k).rev() {
            self.strides[i - 1] = self.strides[i] * (self.piles[i] as usize + 1);
        }
        let points = self.strides.first().map_or(1, |stride| stride * (self.piles[0] as usize + 1));
        self.values.reserve_exact(points * self.width);
        let mut point = vec![0 as Pile; k];
        let mut moves = Vec::new();
        let mut number = 0;
        loop {
            if (number as u64).is_multiple_of(STRIDE) && !go_on(number as u64) {
                return None;
            }
            moves.clear();
            for (&pile, stride) in point.iter().zip(&self.strides) {
                for taken in 1..=pile {
                    let option = (number - taken as usize * stride) * self.width;
                    note(&mut moves, self.values[option + taken as usize], taken);
                }
            }
            append_row(&moves, self.width, &mut self.values);
            number += 1;
            let Some(at) = (0..k).rfind(|&at| point[at] < self.piles[at]) else {
                return Some(self);
            };
            point[at] += 1;
            point[at + 1..].fill(0);
        }
    }

    /// Returns the values of a position, one for each last move. The piles have the rectangle's
    /// order, with 0 for a missing pile. Larger last moves would forbid nothing.
    pub fn row(&self, piles: &[Pile]) -> &[u16] {
        let number: usize =
            piles.iter().zip(&self.strides).map(|(&pile, stride)| pile as usize * stride).sum();
        &self.values[number * self.width..][..self.width]
    }
}

/// Records that move `taken` leads to `value`. No move equals [`NEVER`], which is 0.
fn note(moves: &mut Vec<u32>, value: u16, taken: Pile) {
    let value = usize::from(value);
    if moves.len() <= value {
        moves.resize(value + 1, NEVER);
    }
    moves[value] = match moves[value] {
        NEVER => taken,
        known if known == taken => known,
        _ => MANY,
    };
}

fn append_row(moves: &[u32], width: usize, values: &mut Vec<u16>) {
    let g = moves.iter().position(|&at| at == NEVER).unwrap_or(moves.len());
    assert!(g <= usize::from(u16::MAX), "a value is at most the number of coins");
    let start = values.len();
    values.resize(start + width, g as u16);
    for (value, &at) in moves[..g].iter().enumerate().rev() {
        if at != MANY {
            values[start + at as usize] = value as u16;
        }
    }
}

/// A mark for values that no option has.
const NEVER: u32 = 0;
/// A mark for values to which several moves lead.
const MANY: u32 = u32::MAX;

impl LastMoves {
    pub fn empty(max_pile: Pile) -> LastMoves {
        // The only multiset without piles.
        let multisets = Multisets::new(max_pile, 0).unwrap_or_else(|| unreachable!());
        LastMoves { multisets, values: vec![0; max_pile as usize + 1] }
    }

    pub fn bytes(multisets: &Multisets) -> u64 {
        multisets.count().saturating_mul(2 * (u64::from(multisets.max_pile()) + 1))
    }

    /// Estimates the work of filling these multisets, as a number of options.
    pub fn work(multisets: &Multisets) -> f64 {
        let coins = f64::from(multisets.max_pile()) * multisets.length() as f64 / 2.0;
        multisets.count() as f64 * (coins + f64::from(multisets.max_pile()) / 8.0)
    }

    /// Returns the values of a multiset, one for each last move. The piles must be ascending.
    pub fn row(&self, piles: &[Pile]) -> &[u16] {
        self.row_at(self.multisets.rank(piles))
    }

    pub fn row_at(&self, number: u64) -> &[u16] {
        let width = self.multisets.max_pile() as usize + 1;
        &self.values[number as usize * width..][..width]
    }

    pub fn values(&self) -> &[u16] {
        &self.values
    }

    pub fn multisets(&self) -> &Multisets {
        &self.multisets
    }

    /// Computes the values of all multisets with one more pile. Regularly calls `go_on` with the
    /// number of multisets done. Returns `None` if `go_on` returns false, or if there are too many
    /// multisets.
    pub fn with_another_pile(&self, mut go_on: impl FnMut(u64) -> bool) -> Option<LastMoves> {
        let max_pile = self.multisets.max_pile();
        let multisets = Multisets::new(max_pile, self.multisets.length() + 1)?;
        let width = max_pile as usize + 1;
        let count = multisets.count();
        let mut values: Vec<u16> = Vec::with_capacity(count as usize * width);
        let mut piles = vec![1 as Pile; multisets.length()];
        let mut moves = Vec::new();
        for number in 0..count {
            if number.is_multiple_of(STRIDE) && !go_on(number) {
                return None;
            }
            moves.clear();
            for at in 0..piles.len() {
                if piles.get(at + 1) != Some(&piles[at]) {
                    self.look_along(&multisets, &values, &piles, at, &mut moves);
                }
            }
            append_row(&moves, width, &mut values);
            multisets.step(&mut piles);
        }
        Some(LastMoves { multisets, values })
    }

    /// Records the options that lower the pile with index `at`, which is the last pile of its size.
    fn look_along(
        &self,
        multisets: &Multisets,
        values: &[u16],
        piles: &[Pile],
        at: usize,
        moves: &mut Vec<u32>,
    ) {
        let width = multisets.max_pile() as usize + 1;
        let from = piles[at];
        // The lowered pile moves left to `place`. The piles that it passes move right by one.
        let mut place = at;
        let behind: u64 = (at + 1..piles.len()).map(|j| multisets.term(j, piles[j])).sum();
        let mut before: u64 = (0..at).map(|j| multisets.term(j, piles[j])).sum();
        let mut between = 0;
        for to in (1..from).rev() {
            while place > 0 && piles[place - 1] > to {
                place -= 1;
                before -= multisets.term(place, piles[place]);
                between += multisets.term(place + 1, piles[place]);
            }
            let number = before + multisets.term(place, to) + between + behind;
            // The row covers every move up to the largest pile, so it covers `taken`.
            let taken = from - to;
            note(moves, values[number as usize * width + taken as usize], taken);
        }
        let mut rest = piles.to_vec();
        rest.remove(at);
        note(moves, self.row(&rest)[from as usize], from);
    }
}
