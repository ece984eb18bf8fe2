//! Proved formulas for values and outcomes, and the rules to which they apply.
//!
//! **Thresholds.** In partizan End-Nim, and in any game of [`Family::Sides`], two *thresholds*
//! determine the outcome class of a row:
//!
//! ```text
//! l(w) = the largest a with which Left, moving first, does not win a w
//! r(w) = the largest b with which Right, moving first, does not win w b
//! ```
//!
//! More coins at a player's own end never hurt that player. So Left, moving first, wins a w if and
//! only if a > l(w). In particular, l(w) = 0 if and only if Right, moving first, loses w, because
//! Left can then take a whole pile of any size in front of w. So (l, r) gives the class: (0, 0) is
//! P, (0, +) L, (+, 0) R, and (+, +) N. By symmetry r(w) = l(rev w).

use crate::law::{Family, Singles};
use crate::{Outcome, Pile, Position};

/// Returns the value of a position by a theorem, if one applies to the family of its game and to
/// the values of single piles.
///
/// * Nim has the nim-sum of its piles as its value, by Bouton's theorem. With at most two piles,
///   End-Nim is Nim. If a position without moves has the value 1, [`other_misere_value`] gives the
///   value.
/// * Two piles a, b of a row whose single piles have no moves have the value ((a - 1) xor (b - 1))
///   + 1, by Proposition 4.1 of Cairns and Ho.
pub(crate) fn theorem(family: Family, singles: &Singles, position: &Position) -> Option<u32> {
    let piles = position.piles();
    let is_nim = is_heaps(family, piles.len());
    match *piles {
        _ if is_nim && singles.is_nim(&[]) => Some(nim_sum(piles)),
        _ if is_nim && singles.is_nim(&[0]) => Some(other_misere_value(position, nim_sum(piles))),
        [a, b] if family == Family::Ends && singles.is_zero() => Some(((a - 1) ^ (b - 1)) + 1),
        _ => None,
    }
}

/// True if positions of `length` piles have the moves of heaps; those of single piles may differ.
pub(crate) fn is_heaps(family: Family, length: usize) -> bool {
    family == Family::Heaps || family == Family::Ends && length <= 2
}

/// Returns the value of a position of Nim by Bouton's theorem: the nim-sum of its piles.
pub fn nim_sum(piles: &[Pile]) -> Pile {
    piles.iter().fold(0, |sum, pile| sum ^ pile)
}

/// Returns the misère value under the *other* convention of the literature (`G(empty) = 1`, then
/// mex; `MisereNimValue` in CGSuite). The argument `normal` is the value of the same position in
/// normal play. The two values differ only if all piles are 1: then 0 and 1 are exchanged.
pub fn other_misere_value(position: &Position, normal: u32) -> u32 {
    if position.piles().iter().all(|&pile| pile == 1) { normal ^ 1 } else { normal }
}

/// Returns the outcome class of a position from its thresholds (l, r).
pub fn class_of_thresholds(left: u64, right: u64) -> Outcome {
    Outcome::of_first_moves(right > 0, left > 0)
}

/// True if a row of End-Nim is a P-position, by Theorem 2 of Albert and Nowakowski 2001. If all
/// piles are equal, the length must be even. Otherwise the ends must differ by at most 1 and be
/// ordered like their cells in the diagram of the paper.
pub fn is_lost_end_nim(piles: &[Pile]) -> bool {
    let [x, .., y] = *piles else {
        return piles.is_empty();
    };
    if piles.iter().all(|&pile| pile == x) {
        return piles.len().is_multiple_of(2);
    }
    let left = is_top_end(piles.iter());
    let right = is_top_end(piles.iter().rev());
    x.abs_diff(y) <= 1 && x.cmp(&y) == left.cmp(&right)
}

/// True if the cell of the first pile is in the top row of the diagram of Albert and Nowakowski
/// 2001. The piles must not all be equal.
pub fn is_top_end<'a>(piles: impl Iterator<Item = &'a Pile>) -> bool {
    let mut piles = piles.copied().peekable();
    let Some(&x) = piles.peek() else {
        return false;
    };
    let mut n = 0;
    let a = piles.find(|&pile| {
        n += usize::from(pile == x);
        pile != x
    });
    let (odd, up) = (n % 2 == 1, a.is_some_and(|a| x < a));
    odd && up || !odd && !up
}
