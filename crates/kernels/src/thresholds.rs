//! Computes the thresholds l and r of words of partizan End-Nim.
//!
//! l(w) is the largest a such that Left, moving first, does not win a w. r(w) is the largest b such
//! that Right, moving first, does not win w b (see `theorems.rs` in `grundy_rules`).
//! The thresholds satisfy
//!
//! ```text
//! l(u b) = 0                  if b <= r(u)        l(empty) = r(empty) = 0
//!          l(u) + b - r(u)    otherwise
//! r(a u) = the same with left and right exchanged
//! ```
//!
//! as docs/PROOFS.md proves.
//!
//! For fixed u, the row b -> l(u b) begins with zeros and then grows by one per column. The words u
//! of the rows of a tile differ only in the last pile. Appending a pile takes one step for each
//! pile before it ([`Prefix`]). So a table can be computed without other tables, which is faster
//! than reading them from files.

use grundy_rules::Pile;

/// Returns l(u b) for `near` = l(u), `far` = r(u) and `pile` = b. By symmetry, also for r(a u).
fn step(near: u64, far: u64, pile: Pile) -> u64 {
    let pile = u64::from(pile);
    if pile <= far { 0 } else { near + pile - far }
}

/// Computes the thresholds (l, r) of a word, in time quadratic in its length.
///
/// ```
/// // 3,1: Left wins whoever begins.
/// let (left, right) = grundy_kernels::thresholds::of_word(&[3, 1]);
/// assert!(left == 0 && right > 0);
/// ```
pub fn of_word(piles: &[Pile]) -> (u64, u64) {
    let (mut prefix, last) = match piles {
        [] => return (0, 0),
        [word @ .., last] => (Prefix::default(), (word, *last)),
    };
    prefix.set(last.0);
    prefix.appended(last.1)
}

/// A word to which piles can be appended.
#[derive(Clone, Debug, Default)]
pub struct Prefix {
    word: Vec<Pile>,
    /// The thresholds (l, r) of the word without its first i piles, for i = 0..=length.
    suffixes: Vec<(u64, u64)>,
}

impl Prefix {
    pub fn set(&mut self, word: &[Pile]) {
        self.word.clear();
        self.suffixes.clear();
        self.suffixes.push((0, 0));
        for &pile in word {
            self.push(pile);
        }
    }

    fn push(&mut self, pile: Pile) {
        let mut behind = (0, 0);
        let length = self.word.len();
        for at in (0..=length).rev() {
            behind = self.joined(at, pile, behind);
            self.suffixes[at] = behind;
        }
        self.suffixes.push((0, 0));
        self.word.push(pile);
    }

    /// Returns (l, r) of the piles from `at` on, followed by `pile`. `behind` is (l, r) of the
    /// piles from `at` + 1 on, followed by `pile`, or (0, 0) if `at` is the length of the word.
    fn joined(&self, at: usize, pile: Pile, behind: (u64, u64)) -> (u64, u64) {
        let (left, right) = self.suffixes[at];
        match self.word.get(at) {
            Some(&first) => (step(left, right, pile), step(behind.1, behind.0, first)),
            // A single pile; both players may take from it.
            None => (u64::from(pile), u64::from(pile)),
        }
    }

    /// Returns the thresholds (l, r) of the word followed by `pile`.
    pub fn appended(&self, pile: Pile) -> (u64, u64) {
        (0..=self.word.len()).rev().fold((0, 0), |behind, at| self.joined(at, pile, behind))
    }

    /// Returns two numbers (x, y). After appending b, the threshold l is 0 if b <= x, and r is 0 if
    /// b >= y. So a row of outcome classes has at most three runs.
    ///
    /// With u = a v: l(u b) is 0 for b up to r(u), and r(a v b) is 0 as soon as l(v b) reaches a.
    ///
    /// ```
    /// let mut prefix = grundy_kernels::thresholds::Prefix::default();
    /// prefix.set(&[3]);
    /// // Left wins 3,1 and 3,2; the second player wins 3,3; Right wins 3,4.
    /// assert_eq!(prefix.zeros(), (3, 3));
    /// ```
    pub fn zeros(&self) -> (u64, u64) {
        let Some(&first) = self.word.first() else { return (0, u64::MAX) };
        let ((_, to), (left, right)) = (self.suffixes[0], self.suffixes[1]);
        (to, (right + 1).max((right + u64::from(first)).saturating_sub(left)))
    }
}

/// Fills the row l(u b), b = 1, 2, ..., from the thresholds of u.
///
/// # Panics
/// If a threshold exceeds 16 bits.
pub fn fill_row(left: u64, right: u64, row: &mut [u16]) {
    assert!(left + row.len() as u64 <= u64::from(u16::MAX));
    let zeros = right.min(row.len() as u64) as usize;
    row[..zeros].fill(0);
    // The counter is wider than a value, because it ends one above the last value.
    for (value, above) in row[zeros..].iter_mut().zip(left as u32 + 1..) {
        *value = above as u16;
    }
}
