//! Fills Nim on multisets of piles. Every value is a mex over options.
//!
//! Removing a pile from a position gives a *line*: all positions that result from adding a pile of
//! any size to the others. A position P = {p₁, ..., pₖ} is on k lines. Its options on line P - pᵢ
//! are the positions whose added pile is smaller than pᵢ:
//!
//! ```text
//! line P - pᵢ :   0     1     2    ...   pᵢ - 1  │  pᵢ   ...
//!                 └──────── options ───────────┘    P
//! ```
//!
//! For each line, the code keeps the set of the values on the line so far, as bits. It visits
//! options before the positions that have them. When it visits P, the set of line P - pᵢ contains
//! exactly the values of P's options on that line. The other positions of the line have more coins
//! and come later. So
//!
//! ```text
//! value(P) = the lowest bit missing in  set(P - p₁) | ... | set(P - pₖ)
//! ```
//!
//! and that bit is then added to the same k sets. This code does not use nim-sums. Bouton's theorem
//! says that the values are nim-sums, and the tables test it.
//!
//! [`fill`] visits all multisets of a length in colexicographic order, the order of their numbers
//! ([`Multisets`]). [`Rectangle`] visits the positions below one position.

use grundy_rules::{Multisets, Pile, coins};

const STRIDE: u64 = 1 << 16;

/// Returns the bytes of working memory that [`fill`] needs for the sets of all lines.
pub fn fill_bytes(multisets: &Multisets, largest_value: u64) -> u64 {
    let lines = Multisets::new(multisets.max_pile(), multisets.length().saturating_sub(1));
    let lines = lines.map_or(u64::MAX, |lines| lines.count());
    lines.saturating_mul(8 * words(largest_value) as u64)
}

/// Returns the number of words of a set of values up to `largest`, with at least one spare bit.
fn words(largest: u64) -> usize {
    (largest as usize + 1) / 64 + 1
}

/// Fills the values of all multisets of at least two piles, in order, from the values of the
/// multisets with one pile less. Regularly calls `go_on` with the number of values done; returns
/// `None` if `go_on` returns false.
///
/// # Panics
/// If there are fewer than two piles, `below` does not contain the values of all multisets with one
/// pile less, or a value exceeds `largest_value`.
pub fn fill(
    multisets: &Multisets,
    below: &[u16],
    largest_value: u64,
    mut go_on: impl FnMut(u64) -> bool,
) -> Option<Vec<u16>> {
    let k = multisets.length();
    assert!(k >= 2, "the rules give the values of single piles");
    let width = words(largest_value);
    let mut sets = vec![0u64; below.len() * width];
    for (set, &value) in sets.chunks_exact_mut(width).zip(below) {
        set[usize::from(value) / 64] |= 1 << (value % 64);
    }
    let mut values = Vec::with_capacity(multisets.count() as usize);
    let mut piles = vec![1 as Pile; k];
    let mut lines = vec![0usize; k];
    loop {
        if (values.len() as u64).is_multiple_of(STRIDE) && !go_on(values.len() as u64) {
            return None;
        }
        let count = find_lines(multisets, &piles, &mut lines);
        let value = place(&mut sets, width, lines[..count].iter().map(|line| line * width));
        assert!(u64::from(value) <= largest_value);
        values.push(value as u16);
        if !multisets.step(&mut piles) {
            return Some(values);
        }
    }
}

/// Writes the numbers of the lines of a position into `lines`, and returns their count. Each line
/// omits one pile. Equal piles have the same line.
fn find_lines(multisets: &Multisets, piles: &[Pile], lines: &mut [usize]) -> usize {
    // Piles before the omitted pile keep their places; piles after it move down by one.
    let mut before = 0;
    let mut behind: u64 =
        piles.iter().enumerate().skip(1).map(|(at, &pile)| multisets.term(at - 1, pile)).sum();
    let mut count = 0;
    for (at, &pile) in piles.iter().enumerate() {
        if piles.get(at + 1) != Some(&pile) {
            lines[count] = (before + behind) as usize;
            count += 1;
        }
        before += multisets.term(at, pile);
        if let Some(&next) = piles.get(at + 1) {
            behind -= multisets.term(at, next);
        }
    }
    count
}

fn insert(sets: &mut [u64], start: usize, value: u32) {
    sets[start + value as usize / 64] |= 1 << (value % 64);
}

/// Adds to the sets at `starts` the lowest bit that none of them contains, and returns it.
fn place(sets: &mut [u64], width: usize, starts: impl Iterator<Item = usize> + Clone) -> u32 {
    for word in 0..width {
        let mut taken = 0;
        for start in starts.clone() {
            taken |= sets[start + word];
        }
        if taken != u64::MAX {
            let bit = taken.trailing_ones();
            for start in starts {
                sets[start + word] |= 1 << bit;
            }
            return 64 * word as u32 + bit;
        }
    }
    unreachable!("a set has more bits than options")
}

/// All positions whose piles are at most those of a given position, whose value is computed.
///
/// Piles may be 0, and the order of the piles matters. The positions are the points of a rectangle
/// with one dimension for each pile. The last pile varies fastest. Omitting one coordinate of a
/// point gives a line. The rectangle keeps only the sets of the lines, not the values.
#[derive(Clone, Debug)]
pub struct Rectangle {
    /// The piles in descending order. The last pile varies fastest; the lines along it share a set.
    piles: Vec<Pile>,
    width: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Corner {
    pub value: u32,
    /// The different piles, in descending order. With each pile: the values of the options that
    /// lower it to 0, 1, ..., pile - 1.
    pub lowered: Vec<(Pile, Vec<u32>)>,
}

impl Rectangle {
    pub fn new(piles: &[Pile]) -> Rectangle {
        let mut piles = piles.to_vec();
        piles.sort_unstable_by(|a, b| b.cmp(a));
        let width = words(coins(&piles));
        Rectangle { piles, width }
    }

    /// Returns the number of points, or infinity if the number exceeds the range of `f64`.
    pub fn points(&self) -> f64 {
        self.piles.iter().map(|&pile| f64::from(pile) + 1.0).product()
    }

    /// Estimates the work as a number of words to visit. A point costs as much as six words, and
    /// each of its lines costs three words in addition to its set.
    pub fn words(&self) -> f64 {
        self.points() * (6.0 + self.piles.len() as f64 * (3.0 + self.width as f64))
    }

    pub fn bytes(&self) -> f64 {
        let slow = self.piles.split_last().map_or(&[][..], |(_, slow)| slow);
        let points = self.points();
        let lines: f64 = slow.iter().map(|&pile| points / (f64::from(pile) + 1.0)).sum();
        8.0 * self.width as f64 * (lines + 1.0)
    }

    /// Evaluates a position of at least two piles. `singles` contains the values of the single
    /// piles 1, 2, ... Regularly calls `go_on` with the number of points since the last call, and
    /// returns
    /// `None` if `go_on` returns false.
    ///
    /// # Panics
    /// If there are fewer than two piles, or too few values.
    pub fn evaluate(&self, singles: &[u32], mut go_on: impl FnMut(u64) -> bool) -> Option<Corner> {
        let k = self.piles.len();
        assert!(k >= 2, "the rules give the values of single piles");
        // The sets of the lines without pile i begin at firsts[i]. If pile j grows by one, the place
        // of the set changes by strides[i][j].
        let (mut firsts, mut places) = (Vec::new(), 0);
        let mut strides = vec![vec![0usize; k]; k];
        for (i, strides) in strides.iter_mut().enumerate() {
            let mut lines = 1;
            for j in (0..k).rev().filter(|&j| j != i) {
                strides[j] = lines * self.width;
                lines *= self.piles[j] as usize + 1;
            }
            // The lines along the last pile are visited one after another, so they share a set.
            firsts.push(places);
            places += self.width * if i + 1 == k { 1 } else { lines };
        }
        let mut sets = vec![0u64; places];
        let mut lowered: Vec<Vec<u32>> = vec![Vec::new(); k];
        let mut point = vec![0 as Pile; k];
        let mut starts = firsts.clone();
        let mut visited = 0u64;
        // The piles besides the last that are not empty: their number and their coins.
        let (mut others, mut coins) = (0, 0);
        let corner = loop {
            if point[k - 1] == 0 {
                sets[firsts[k - 1]..].fill(0);
                for (i, start) in starts.iter_mut().enumerate().take(k - 1) {
                    *start = firsts[i]
                        + (0..k).map(|j| point[j] as usize * strides[i][j]).sum::<usize>();
                }
                others = point.iter().filter(|&&pile| pile > 0).count();
                coins = point.iter().sum();
            }
            let single = coins + point[k - 1];
            // Only a single pile has the position without piles as an option.
            if single > 0 {
                let value = match others + usize::from(point[k - 1] > 0) {
                    1 => {
                        let value = singles[single as usize - 1];
                        starts.iter().for_each(|start| insert(&mut sets, *start, value));
                        value
                    }
                    _ => place(&mut sets, self.width, starts.iter().copied()),
                };
                let mut off = (0..k).filter(|&i| point[i] != self.piles[i]);
                match (off.next(), off.next()) {
                    (None, _) => break value,
                    (Some(i), None) => lowered[i].push(value),
                    _ => {}
                }
            }
            visited += 1;
            if visited == STRIDE {
                if !go_on(visited) {
                    return None;
                }
                visited = 0;
            }
            // Go to the next point. A step of the last pile stays on the line along this pile.
            for j in (0..k).rev() {
                if point[j] < self.piles[j] {
                    point[j] += 1;
                    if j + 1 == k {
                        for (i, start) in starts.iter_mut().enumerate().take(k - 1) {
                            *start += strides[i][j];
                        }
                    }
                    break;
                }
                point[j] = 0;
            }
        };
        let mut different: Vec<(Pile, Vec<u32>)> = Vec::new();
        for (&pile, values) in self.piles.iter().zip(lowered) {
            if different.last().is_none_or(|(last, _)| *last != pile) {
                different.push((pile, values));
            }
        }
        Some(Corner { value: corner, lowered: different })
    }
}
