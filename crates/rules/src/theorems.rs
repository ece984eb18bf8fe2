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

/// Returns the ends a1 <= ak of a row, reversed if necessary, and the numbers l and r of Cairns and
/// Ho 2011: l is the largest i with a1 = ... = a(i-1) <= ai, and r is l of the reversed row. If all
/// piles are equal, r is `if_equal`, because each game has its own convention.
pub fn end_runs(piles: &[Pile], if_equal: usize) -> ([Pile; 2], [usize; 2]) {
    let (Some(&first), Some(&last)) = (piles.first(), piles.last()) else {
        return ([0; 2], [0, if_equal]);
    };
    let equal = |end, piles: &mut dyn Iterator<Item = &Pile>| {
        piles.take_while(|&&pile| pile == end).count()
    };
    let count = [equal(first, &mut piles.iter()), equal(last, &mut piles.iter().rev())];
    if count[0] == piles.len() {
        return ([first; 2], [count[0], if_equal]);
    }
    // The pile behind a run counts too if it is larger.
    let rises = |count: usize, next: Pile, end: Pile| count + usize::from(next > end);
    let l = rises(count[0], piles[count[0]], first);
    let r = rises(count[1], piles[piles.len() - 1 - count[1]], last);
    if first <= last { ([first, last], [l, r]) } else { ([last, first], [r, l]) }
}

/// True if a row of End-Nim is a P-position, by Theorem 2.1 of Cairns and Ho 2011. With another
/// `if_equal` this is Theorem 2.2 (misère End-Nim) or 2.3 (Loop-End-Nim): see [`end_runs`].
pub fn is_lost_by_ends(piles: &[Pile], if_equal: usize) -> bool {
    let ([first, last], [l, r]) = end_runs(piles, if_equal);
    last == first && (l + r).is_multiple_of(2)
        || last == first + 1 && !l.is_multiple_of(2) && r.is_multiple_of(2)
}
