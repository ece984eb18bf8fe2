//! Theorems of this project about the three End-Nim games. docs/PROOFS.md proves them.

use grundy_rules::{Game, Pile, games};

use crate::claim::Rule;
use crate::statement::Statement;

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("end.p-count", Rule::Zeros(|game, n, length, _| p_count(game, n, length))),
    ("end.zeros", Rule::Zeros(|_, n, length, below| zeros(n, length, below))),
    ("end.rows", Rule::Positions(|_| Statement::Injective)),
    ("end.bound", Rule::Positions(|_| Statement::Bounded)),
    ("end.misere-2", Rule::Positions(|_| Statement::band(2, two, 1))),
    ("end.misere-3", Rule::Positions(|_| Statement::band(3, three, 3))),
];

fn ascending(piles: &[Pile]) -> (Pile, Pile) {
    (piles[0].min(piles[1]), piles[0].max(piles[1]))
}

fn two(piles: &[Pile]) -> bool {
    match ascending(piles) {
        (1, b) => b == 2,
        (a, b) => a >= 4 && a % 2 == 0 && b == a + 1,
    }
}

fn three(piles: &[Pile]) -> bool {
    match ascending(piles) {
        (1, b) => b == 3,
        (2, b) => b == 5,
        (a, b) => a >= 6 && a % 4 >= 2 && b == a + 2,
    }
}

fn zeros(n: u64, length: usize, below: &[u64]) -> Option<i128> {
    Some(i128::from(n).checked_pow(length as u32 - 1)? - i128::from(*below.last()?))
}

fn p_count(game: Game, n: u64, length: usize) -> Option<i128> {
    let n = i128::from(n);
    let words = n.checked_pow(length as u32)?;
    let sign = if length.is_multiple_of(2) { 1 } else { -1 };
    let end_nim = (words + sign * n) / (n + 1);
    Some(match game {
        _ if game == games::END_NIM => end_nim,
        _ if game == games::MISERE_END_NIM => end_nim - sign,
        _ if game == games::LOOP_END_NIM => end_nim - sign * n,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fails_first_at, iff};

    #[test]
    fn the_patterns_of_misere_values_begin_late() {
        fn early(piles: &[Pile]) -> bool {
            two(piles) || ascending(piles) == (2, 3)
        }
        fails_first_at(&iff(2, early), games::MISERE_END_NIM, (9, 2..=2), &[2, 3]);
        fn without_exception(piles: &[Pile]) -> bool {
            three(piles) && ascending(piles) != (2, 5)
        }
        fails_first_at(&iff(3, without_exception), games::MISERE_END_NIM, (9, 2..=2), &[2, 5]);
    }

    /// Rows of single piles in Loop-End-Nim are not injective, so the claim begins at length 2.
    #[test]
    fn single_piles_are_no_row() {
        fails_first_at(&Statement::Injective, games::LOOP_END_NIM, (4, 1..=1), &[2]);
    }

    /// The bound is attained at (1,2), so it is optimal.
    #[test]
    fn the_bound_is_attained() {
        let at = |value| Statement::Bounded.allows(&[1, 2], value);
        assert_eq!((at(3), at(4)), (Some(true), Some(false)));
        fails_first_at(&iff(3, |_| false), games::END_NIM, (4, 2..=2), &[1, 2]);
    }
}
