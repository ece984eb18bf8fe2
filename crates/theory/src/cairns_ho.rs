//! Cairns and Ho 2011: three games with the same P-positions, and small values of two and three
//! piles.
//!
//! The paper assumes a1 <= ak, "by reversing if necessary", so each predicate reverses the row
//! first if a1 > ak. The paper calls this "without loss of generality". But the definitions of l
//! and r depend on the reversal: without it the theorems fail, first at (2,2,1,1).
//!
//! The paper's l(A) is "the largest natural number i for which a1 = ... = a(i-1) <= ai". Here i
//! runs from 1 to k. The condition is empty for i = 1. If i could be k + 1, the position (1) would
//! be lost. r(A) is l of the reversed row, except for rows of equal piles. For these rows each game
//! has its own convention; the conventions are the only difference between the games.
//!
//! Misère values follow the convention that Cairns and Ho use without stating it: the last coin is
//! never taken, and the single pile 1 is terminal with value 0. Under the other convention (the
//! empty position has value 1) Proposition 4.2 and Theorem 5.2 fail.

use grundy_rules::{Game, Pile, games};

use crate::checks::{proof_5_1, three_games};
use crate::claim::{Rule, check};
use crate::statement::{EndBits, Statement};
use crate::three_piles::{self, theorem_5_1, theorem_5_2, theorem_5_3, theorem_5_4};

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("ch.thm2.1", Rule::Positions(|_| p_statement(theorem_2_1))),
    ("ch.thm2.2", Rule::Positions(|_| p_statement(theorem_2_2))),
    ("ch.thm2.3", Rule::Positions(|_| p_statement(theorem_2_3))),
    ("ch.cor2.4", check(three_games::compare, three_games::cost)),
    ("ch.two-pile", Rule::Positions(two_piles)),
    ("ch.prop4.1", Rule::Positions(|_| Statement::Formula(proposition_4_1))),
    ("ch.prop4.2", Rule::Positions(|_| Statement::band(1, proposition_4_2, 1))),
    ("ch.three-pile-p", Rule::Positions(three_piles::p_positions)),
    ("ch.thm5.1", Rule::Positions(|_| Statement::band(1, theorem_5_1, 2))),
    ("ch.thm5.2", Rule::Positions(|_| Statement::band(1, theorem_5_2, 1))),
    ("ch.thm5.3", Rule::Positions(|_| Statement::band(1, theorem_5_3, 2))),
    ("ch.thm5.4", Rule::Positions(|_| Statement::band(2, theorem_5_4, 3))),
    ("ch.proof5.1", check(proof_5_1::follow, three_games::cost)),
];

fn p_statement(holds: fn(&[Pile]) -> bool) -> Statement {
    Statement::lost(holds, PARITIES)
}

/// Theorem 2.1 as bits; a bit is 1 if its number, l or r, is odd.
const PARITIES: EndBits = EndBits {
    below: false,
    repeated: |run, rises| (run + usize::from(rises)) % 2 == 1,
    pair: |lower, higher| lower & !higher,
};

/// Returns the row, reversed if necessary so that a1 <= ak.
pub(crate) fn ascending(piles: &[Pile]) -> Vec<Pile> {
    let mut word = piles.to_vec();
    if let [first, .., last] = *piles
        && first > last
    {
        word.reverse();
    }
    word
}

/// Returns the largest i in 1..k for which a1 = ... = a(i-1) <= ai.
fn l(word: &[Pile]) -> usize {
    // The condition is empty for i = 1.
    (2..=word.len())
        .rev()
        .find(|&i| {
            let run = &word[..i - 1];
            run.iter().all(|&pile| pile == word[0]) && run.iter().all(|&pile| pile <= word[i - 1])
        })
        .unwrap_or(1)
}

/// Returns the largest j for which a(k-j+1) >= a(k-j+2) = ... = ak; or `if_equal` if all piles are
/// equal.
fn r(word: &[Pile], if_equal: usize) -> usize {
    if word.iter().all(|&pile| pile == word[0]) {
        return if_equal;
    }
    let reversed: Vec<Pile> = word.iter().rev().copied().collect();
    l(&reversed)
}

fn condition(word: &[Pile], l: usize, r: usize) -> bool {
    let (first, last) = (word[0], word[word.len() - 1]);
    last == first && (l + r).is_multiple_of(2)
        || last == first + 1 && !l.is_multiple_of(2) && r.is_multiple_of(2)
}

pub(crate) fn theorem_2_1(piles: &[Pile]) -> bool {
    is_lost(piles, |_| 0)
}

pub(crate) fn theorem_2_2(piles: &[Pile]) -> bool {
    is_lost(piles, IF_EQUAL_MISERE)
}

pub(crate) fn theorem_2_3(piles: &[Pile]) -> bool {
    is_lost(piles, |_| 1)
}

pub(crate) const IF_EQUAL_MISERE: fn(&[Pile]) -> usize = |word| usize::from(word[0] == 1);

fn is_lost(piles: &[Pile], if_equal: fn(&[Pile]) -> usize) -> bool {
    let (word, l, r) = l_and_r(piles, if_equal);
    condition(&word, l, r)
}

/// Returns the row, reversed if a1 > ak, with its l and r.
pub(crate) fn l_and_r(piles: &[Pile], if_equal: fn(&[Pile]) -> usize) -> (Vec<Pile>, usize, usize) {
    let word = ascending(piles);
    let (l, r) = (l(&word), r(&word, if_equal(&word)));
    (word, l, r)
}

fn two_piles(game: Game) -> Statement {
    match game {
        _ if game == games::MISERE_END_NIM => {
            Statement::band(0, |piles| piles[0] == piles[1] && piles[0] != 1, 0)
        }
        _ => Statement::Formula(|piles| piles[0] ^ piles[1]),
    }
}

fn proposition_4_1(piles: &[Pile]) -> u32 {
    ((piles[0] - 1) ^ (piles[1] - 1)) + 1
}

fn proposition_4_2(piles: &[Pile]) -> bool {
    let (a, b) = (piles[0].min(piles[1]), piles[0].max(piles[1]));
    a == 1 && b == 1 || a >= 3 && a % 2 == 1 && b == a + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fails_first_at, iff};
    use grundy_rules::other_misere_value;
    use grundy_rules::{Position, reference::Reference};

    /// Tests other possible readings of Theorem 2.1, and their first failures. Each failure shows
    /// why the `reading` of the claim needs a certain phrase.
    #[test]
    fn other_readings_of_l_and_r_fail() {
        // If i runs to k + 1, a row of equal piles has l = k + 1.
        fn beyond(piles: &[Pile]) -> bool {
            let word = ascending(piles);
            let equal = word.iter().all(|&pile| pile == word[0]);
            condition(&word, l(&word) + usize::from(equal), r(&word, 0))
        }
        fails_first_at(&iff(0, beyond), games::END_NIM, (4, 1..=4), &[1]);
        // Applies the general definition of r to equal piles.
        fn general(piles: &[Pile]) -> bool {
            let word = ascending(piles);
            condition(&word, l(&word), r(&word, word.len()))
        }
        fails_first_at(&iff(0, general), games::END_NIM, (4, 1..=4), &[1]);
        // Requires a strict inequality before ai.
        fn strict_l(word: &[Pile]) -> usize {
            (2..=word.len())
                .rev()
                .find(|&i| word[..i - 1].iter().all(|&p| p == word[0]) && word[i - 2] < word[i - 1])
                .unwrap_or(1)
        }
        fn strict(piles: &[Pile]) -> bool {
            let word = ascending(piles);
            let equal = word.iter().all(|&pile| pile == word[0]);
            let reversed: Vec<Pile> = word.iter().rev().copied().collect();
            let r = if equal { 0 } else { strict_l(&reversed) };
            condition(&word, strict_l(&word), r)
        }
        fails_first_at(&iff(0, strict), games::END_NIM, (4, 1..=4), &[1, 1]);
        // Does not reverse the row.
        fn unreversed(word: &[Pile]) -> bool {
            condition(word, l(word), r(word, 0))
        }
        fails_first_at(&iff(0, unreversed), games::END_NIM, (4, 1..=4), &[2, 2, 1, 1]);
    }

    /// Each game needs its own convention, because each theorem fails in the other games.
    #[test]
    fn the_theorems_tell_the_games_apart() {
        fails_first_at(&p_statement(theorem_2_1), games::MISERE_END_NIM, (4, 1..=4), &[1]);
        fails_first_at(&p_statement(theorem_2_1), games::LOOP_END_NIM, (4, 1..=4), &[1]);
        fails_first_at(&p_statement(theorem_2_2), games::LOOP_END_NIM, (4, 1..=4), &[2]);
        fails_first_at(&p_statement(theorem_2_3), games::END_NIM, (4, 1..=4), &[1]);
    }

    #[test]
    fn proposition_4_2_needs_a_from_3() {
        fn from_one(piles: &[Pile]) -> bool {
            proposition_4_2(piles) || piles[0].min(piles[1]) == 1 && piles[0].max(piles[1]) == 2
        }
        fails_first_at(
            &Statement::band(1, from_one, 1),
            games::MISERE_END_NIM,
            (9, 2..=2),
            &[1, 2],
        );
        fails_first_at(
            &Statement::Formula(|p| p[0] ^ p[1]),
            games::LOOP_END_NIM,
            (9, 2..=2),
            &[1, 1],
        );
    }

    /// Both statements on misère values fail under the other convention, in which the empty
    /// position has value 1. Then rows whose piles are all 1 have the values of normal play with 0
    /// and 1 exchanged, and all other rows have the values of normal play.
    #[test]
    fn misere_values_fail_under_the_other_convention() {
        let mut normal = Reference::new(games::END_NIM);
        let mut other = |piles: &[Pile]| {
            let position = Position::new(piles.to_vec()).unwrap();
            other_misere_value(&position, normal.value(&position))
        };
        assert_eq!((other(&[2, 3]), proposition_4_2(&[2, 3])), (1, false));
        assert_eq!((other(&[1, 2, 2]), theorem_5_2(&[1, 2, 2])), (1, true));
        assert_eq!((other(&[2, 1, 3]), theorem_5_2(&[2, 1, 3])), (1, true));
        assert_ne!(other(&[3, 3, 3]), 1);
        assert!(theorem_5_2(&[3, 3, 3]));
    }
}
