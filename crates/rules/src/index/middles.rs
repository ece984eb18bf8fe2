//! Numbers the middles of rows.
//!
//! The *middle* of a position is the part between its two ends. A table holds one tile per middle
//! `w`. A position and its reversal have the same value, so there are tiles only for middles with
//! `w <= rev(w)` (lexicographically). [`Middles`] numbers these middles by x, then by y, then by u,
//! where `w = x u y`:
//!
//! ```text
//! x < y : w < rev(w) whatever u is      → every u, in lexicographic order
//! x = y : w <= rev(w) iff u <= rev(u)   → the canonical u, ranked the same way
//! x > y : never
//! ```
//!
//! There are W(m) = N^m words of m piles, and C(m) = (N^m + N^⌈m/2⌉)/2 of them are canonical. So
//! (x-1) C(m-2) + ((x-1) N - x(x-1)/2) W(m-2) middles come before the pair (x, x).

use crate::Pile;

/// A bijection between the middles of one length with piles 1..=N and the numbers 0..count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Middles {
    max_pile: u64,
    /// `words[m]` = N^m and `canonical[m]` = C(m), for m up to the length.
    words: Vec<u64>,
    canonical: Vec<u64>,
}

impl Middles {
    /// Returns the middles of `length` piles up to `max_pile`. `None` for more than 2^63 words.
    pub fn new(max_pile: Pile, length: usize) -> Option<Middles> {
        let n = u64::from(max_pile);
        let mut words = vec![1u64];
        for _ in 0..length {
            let next = words.last()?.checked_mul(n).filter(|&count| count <= 1 << 63)?;
            words.push(next);
        }
        // Both powers are odd or both are even. Halve them first, because their sum may overflow.
        let count = |m: usize| words[m] / 2 + words[m.div_ceil(2)] / 2 + (words[m] & 1);
        let canonical = (0..=length).map(count).collect();
        Some(Middles { max_pile: n, words, canonical })
    }

    /// Returns the number of piles of a middle.
    pub fn length(&self) -> usize {
        self.words.len() - 1
    }

    /// Returns the number of middles with `w <= rev(w)`.
    pub fn count(&self) -> u64 {
        self.canonical[self.length()]
    }

    /// Returns the number of all words of this length.
    pub fn words(&self) -> u64 {
        self.words[self.length()]
    }

    /// True if `w <= rev(w)`.
    pub fn is_canonical(word: &[Pile]) -> bool {
        word.iter().le(word.iter().rev())
    }

    /// True if `w = rev(w)`.
    pub fn is_palindrome(word: &[Pile]) -> bool {
        word.iter().eq(word.iter().rev())
    }

    /// Returns the number of a canonical middle of this length, with piles from 1 to N.
    pub fn rank(&self, word: &[Pile]) -> u64 {
        debug_assert!(Middles::is_canonical(word));
        self.rank_by(word.len(), |at| word[at])
    }

    /// Returns the number of the canonical form of `word`, and true if this form is the reversal.
    pub fn rank_either(&self, word: &[Pile]) -> (u64, bool) {
        if Middles::is_canonical(word) {
            (self.rank(word), false)
        } else {
            (self.rank_by(word.len(), |at| word[word.len() - 1 - at]), true)
        }
    }

    fn rank_by(&self, length: usize, pile: impl Fn(usize) -> Pile) -> u64 {
        debug_assert_eq!(length, self.length());
        let mut before = 0;
        // Remove equal outer pairs until a pair is unequal or no pair is left.
        for (left, inside) in (0..length / 2).map(|left| (left, length - 2 * left - 2)) {
            let right = length - 1 - left;
            let (x, y) = (u64::from(pile(left)), u64::from(pile(right)));
            before += self.before_pair(inside + 2, x);
            if x < y {
                let inner = (left + 1..right)
                    .fold(0, |index, at| index * self.max_pile + u64::from(pile(at)) - 1);
                return before + self.canonical[inside] + (y - x - 1) * self.words[inside] + inner;
            }
        }
        if length % 2 == 1 { before + u64::from(pile(length / 2)) - 1 } else { before }
    }

    /// Writes the middle with this number into `word`.
    ///
    /// # Panics
    /// Panics if `rank >= count()` or if `word` has the wrong length.
    pub fn unrank(&self, rank: u64, word: &mut [Pile]) {
        assert!(rank < self.count() && word.len() == self.length());
        let mut word = word;
        let mut rank = rank;
        while word.len() >= 2 {
            let m = word.len();
            let x = self.first_pile(m, rank);
            rank -= self.before_pair(m, x);
            let [first, inner @ .., last] = word else { unreachable!("at least two piles") };
            *first = x as Pile;
            let equal = self.canonical[m - 2];
            if rank >= equal {
                let inside = self.words[m - 2];
                *last = (x + 1 + (rank - equal) / inside) as Pile;
                lex_word((rank - equal) % inside, self.max_pile, inner);
                return;
            }
            *last = x as Pile;
            word = inner;
        }
        if let [only] = word {
            *only = rank as Pile + 1;
        }
    }

    /// Returns the number of middles with m piles and a first pile below x.
    fn before_pair(&self, m: usize, x: u64) -> u64 {
        let pairs = (x - 1) * self.max_pile - x * (x - 1) / 2;
        (x - 1) * self.canonical[m - 2] + pairs * self.words[m - 2]
    }

    /// Returns the first pile of the middle with this number, which has m piles.
    fn first_pile(&self, m: usize, rank: u64) -> u64 {
        let (mut low, mut high) = (1, self.max_pile);
        while low < high {
            let mid = (low + high).div_ceil(2);
            if self.before_pair(m, mid) <= rank {
                low = mid;
            } else {
                high = mid - 1;
            }
        }
        low
    }
}

/// Returns the number of a word with piles 1..=N in lexicographic order, from 0.
#[inline]
pub fn lex_index(word: &[Pile], max_pile: u64) -> u64 {
    word.iter().fold(0, |index, &pile| index * max_pile + u64::from(pile) - 1)
}

/// Writes into `word` the word with piles 1..=N that has this number in lexicographic order.
#[inline]
pub fn lex_word(index: u64, max_pile: u64, word: &mut [Pile]) {
    let mut index = index;
    for pile in word.iter_mut().rev() {
        *pile = (index % max_pile) as Pile + 1;
        index /= max_pile;
    }
}
