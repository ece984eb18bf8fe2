//! Cairns and Ho 2011: three games with the same P-positions, and small values
//! of two and three piles.
//!
//! The paper assumes a1 <= ak throughout, "by reversing if necessary", so each predicate first
//! reverses the row if needed. The paper calls this "without loss of generality", but the
//! definitions of l and r depend on it: without it the theorems fail, first at (2,2,1,1).
//!
//! Its l(A) is "the largest natural number i for which a1 = ... = a(i-1) <= ai": i runs over 1..k,
//! and i = 1 always qualifies, as the condition is vacuous. If i could be k + 1, the position (1)
//! would be lost. Its r(A) is the mirror image, except on rows of equal piles. There each game has
//! a convention of its own, which is the only difference between the games.
//!
//! Misère values follow the convention that Cairns and Ho use without stating it: the last coin is
//! never taken, and the single pile 1 is terminal with value 0. Under the other convention (the
//! empty position has value 1) Proposition 4.2 and Theorem 5.2 fail.

use grundy_rules::{Game, Pile, games};

use crate::checks::{proof_5_1, three_games};
use crate::claim::{About, Claim, Paper, Rule, counting};
use crate::domain::{ANY_LENGTH, Domain, Size};
use crate::statement::{EndBits, Shape, Statement};
use crate::three_piles::{self, theorem_5_1, theorem_5_2, theorem_5_3, theorem_5_4};
use crate::words::Status::Theorem;
use crate::words::Unit;

pub(crate) static PAPER: Paper = Paper {
    prefix: "ch",
    short: "Cairns and Ho",
    reference: "G. Cairns and N. B. Ho, Some remarks on End-Nim, \
                International Journal of Combinatorics 2011, Article ID 824742 (the journal is from elsewhere)",
    notes: include_str!("../findings/cairns_ho.md"),
};

/// Two piles: a million positions per game.
const TWO: Domain =
    Domain::Positions { from: 2, to: Some(2), defaults: &[Size { max_pile: 1000, length: 2 }] };

/// Three piles, in bytes: two million positions per game.
const THREE: Domain =
    Domain::Positions { from: 3, to: Some(3), defaults: &[Size { max_pile: 127, length: 3 }] };

const ALL_LENGTHS: Domain = Domain::Positions { from: 1, to: None, defaults: ANY_LENGTH };

const LAST_COIN: &str = "Misère values are those of the convention that the last coin is never \
                      taken; the paper does not say so, and under the other one (the empty \
                      position has value 1) the statement fails.";

const REVERSE: &str = "Reverse the row first if a1 > ak. The i in the definition of l goes from \
                       1, which always qualifies, to k.";

const ALL: About = About { paper: &PAPER, games: &games::END_NIM_GAMES };
const END: About = About { games: &[games::END_NIM], ..ALL };
const MISERE: About = About { games: &[games::MISERE_END_NIM], ..ALL };
const LOOP: About = About { games: &[games::LOOP_END_NIM], ..ALL };
const BOTH: About = About { games: &[games::END_NIM, games::MISERE_END_NIM], ..ALL };

pub(crate) static CLAIMS: &[Claim] = &[
    END.claim(
        "ch.thm2.1",
        "Theorem 2.1",
        "In End-Nim with a1 <= ak, A is a P-position iff (a) a1 = ak and l + r is even, \
         or (b) ak = a1 + 1, l is odd and r is even; where r = 0 if all piles are equal.",
        Theorem,
        ALL_LENGTHS,
        Rule::Positions(|_| p_statement(theorem_2_1)),
    )
    .with_reading(REVERSE),
    MISERE
        .claim(
            "ch.thm2.2",
            "Theorem 2.2",
            "In misère End-Nim, A is a P-position iff (a) or (b) of Theorem 2.1 holds with r \
             = 1 if all piles are 1.",
            Theorem,
            ALL_LENGTHS,
            Rule::Positions(|_| p_statement(theorem_2_2)),
        )
        .with_reading(REVERSE),
    LOOP.claim(
        "ch.thm2.3",
        "Theorem 2.3",
        "In Loop-End-Nim, A is a P-position iff (a) or (b) of Theorem 2.1 holds with r = \
         1 if all piles are equal.",
        Theorem,
        ALL_LENGTHS,
        Rule::Positions(|_| p_statement(theorem_2_3)),
    )
    .with_reading(REVERSE),
    ALL.claim(
        "ch.cor2.4",
        "Corollary 2.4",
        "The three games have the same P-positions among the rows whose piles are not all \
         equal. A row of k piles of c is P in End-Nim iff k is even; in misère End-Nim \
         iff k is even and c > 1, or k is odd and c = 1; in Loop-End-Nim iff k is odd.",
        Theorem,
        Domain::Positions {
            from: 1,
            to: None,
            defaults: &[
                Size { max_pile: 64, length: 3 },
                Size { max_pile: 16, length: 5 },
                Size { max_pile: 4, length: 9 },
            ],
        },
        counting(Unit::Positions, three_games::compare, three_games::cost),
    )
    .with_reading("A row counts once for the three games."),
    BOTH.claim(
        "ch.two-pile",
        "section 4",
        "With two piles, G(a,b) = a xor b in End-Nim; in misère End-Nim (a,b) has value 0 \
         iff a = b and a != 1.",
        Theorem,
        TWO,
        Rule::Positions(two_piles),
    ),
    LOOP.claim(
        "ch.prop4.1",
        "Proposition 4.1",
        "In Loop-End-Nim with two piles, G(a,b) = ((a - 1) xor (b - 1)) + 1.",
        Theorem,
        TWO,
        Rule::Positions(|_| Statement::Formula(proposition_4_1)),
    ),
    MISERE
        .claim(
            "ch.prop4.2",
            "Proposition 4.2",
            "In misère End-Nim with two piles a <= b, the value is 1 iff a = b = 1, or a >= 3 \
             is odd and b = a + 1.",
            Theorem,
            TWO,
            Rule::Positions(|_| band(1, proposition_4_2, 1)),
        )
        .with_reading(LAST_COIN),
    ALL.claim(
        "ch.three-pile-p",
        "section 5",
        "With three piles, the value is 0 in End-Nim iff a3 = a1 and a2 != a1; in misère \
         End-Nim also for (1,1,1); in Loop-End-Nim also for (a,a,a).",
        Theorem,
        THREE,
        Rule::Positions(three_piles::p_positions),
    ),
    END.claim(
        "ch.thm5.1",
        "Theorem 5.1",
        "In End-Nim with three piles and a1 <= a3, the value is 1 iff (a) A = (1,1,1); or \
         (b) a3 = a1 + 1 and either (i) a1 is even and a2 < a1 or (ii) a1 is odd, a2 > a1 \
         and a2 != a1 + 2; or (c) a3 = a1 + 2, a1 is odd and a2 = a3.",
        Theorem,
        THREE,
        Rule::Positions(|_| band(1, theorem_5_1, 2)),
    ),
    MISERE
        .claim(
            "ch.thm5.2",
            "Theorem 5.2",
            "In misère End-Nim with three piles and a1 <= a3, the value is 1 iff (a) A = \
             (1,2,2); or (b) a1 = a2 = a3 >= 3; or (c) a3 = a1 + 1 and either (i) a1 is even \
             and a2 = 1 or (ii) a1 is odd and either 2 <= a2 < a1 or a2 > a3.",
            Theorem,
            THREE,
            Rule::Positions(|_| band(1, theorem_5_2, 1)),
        )
        .with_reading(LAST_COIN),
    LOOP.claim(
        "ch.thm5.3",
        "Theorem 5.3",
        "In Loop-End-Nim with three piles and a1 <= a3, the value is 1 iff (a) a3 = a1 + \
         1 and either (i) a1 is even and a2 < a1 or (ii) a1 is odd and a2 > a3; or (b) a3 \
         = a1 + 2, a1 is odd and a2 = a1 + 1.",
        Theorem,
        THREE,
        Rule::Positions(|_| band(1, theorem_5_3, 2)),
    ),
    END.claim(
        "ch.thm5.4",
        "Theorem 5.4",
        "In End-Nim with three piles and a1 <= a3, the value is 2 iff one of the \
         conditions (a) to (d) of the theorem holds, by the residues of a1 and a2 modulo \
         4.",
        Theorem,
        THREE,
        Rule::Positions(|_| band(2, theorem_5_4, 3)),
    )
    .with_reading(
        "(b)(iii) \"except for a1 = 3 mod 4 where a2 != a1 - 2\" is read: if a1 = 3 mod 4 \
         then a2 = a1 - 2 is left out.",
    ),
    END.claim(
        "ch.proof5.1",
        "section 6",
        "In the proof of Theorem 5.1 the cases (a) to (g) and their subcases are \
         exhaustive and exclude each other, and each move listed is legal and leads to a \
         position of value 1.",
        Theorem,
        THREE,
        counting(Unit::Positions, proof_5_1::follow, three_games::cost),
    )
    .with_reading(
        "Positions with b1 <= b3 that are neither a 0-position nor a 1-position, each \
         counted once.",
    ),
];

fn band(value: u32, holds: fn(&[Pile]) -> bool, distance: Pile) -> Statement {
    Statement::Iff { value, holds, shape: Shape::Band(distance) }
}

fn p_statement(holds: fn(&[Pile]) -> bool) -> Statement {
    Statement::Iff { value: 0, holds, shape: Shape::Diagonals(PARITIES) }
}

/// Theorem 2.1 as bits: 1 means that l, or r, is odd.
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
    // i = 1 always qualifies.
    (2..=word.len())
        .rev()
        .find(|&i| {
            let run = &word[..i - 1];
            run.iter().all(|&pile| pile == word[0]) && run.iter().all(|&pile| pile <= word[i - 1])
        })
        .unwrap_or(1)
}

/// Returns the largest j for which a(k-j+1) >= a(k-j+2) = ... = ak; `if_equal` if all piles are
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

/// Returns the row as the three theorems read it, with its l and r.
pub(crate) fn l_and_r(piles: &[Pile], if_equal: fn(&[Pile]) -> usize) -> (Vec<Pile>, usize, usize) {
    let word = ascending(piles);
    let (l, r) = (l(&word), r(&word, if_equal(&word)));
    (word, l, r)
}

fn two_piles(game: Game) -> Statement {
    match game {
        _ if game == games::MISERE_END_NIM => {
            band(0, |piles| piles[0] == piles[1] && piles[0] != 1, 0)
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

    /// Readings of Theorem 2.1 that the words allow, with their first failures. Each failure
    /// justifies a phrase of `REVERSE`.
    #[test]
    fn other_readings_of_l_and_r_fail() {
        // If i runs to k + 1, a row of equal piles has l = k + 1.
        fn beyond(piles: &[Pile]) -> bool {
            let word = ascending(piles);
            let equal = word.iter().all(|&pile| pile == word[0]);
            condition(&word, l(&word) + usize::from(equal), r(&word, 0))
        }
        fails_first_at(&iff(0, beyond), games::END_NIM, (4, 1..=4), &[1]);
        // The general definition of r, applied to equal piles.
        fn general(piles: &[Pile]) -> bool {
            let word = ascending(piles);
            condition(&word, l(&word), r(&word, word.len()))
        }
        fails_first_at(&iff(0, general), games::END_NIM, (4, 1..=4), &[1]);
        // A strict inequality before ai.
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
        // The row is not reversed first.
        fn unreversed(word: &[Pile]) -> bool {
            condition(word, l(word), r(word, 0))
        }
        fails_first_at(&iff(0, unreversed), games::END_NIM, (4, 1..=4), &[2, 2, 1, 1]);
    }

    /// Each game needs its own convention: no theorem holds in another game.
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
        fails_first_at(&band(1, from_one, 1), games::MISERE_END_NIM, (9, 2..=2), &[1, 2]);
        fails_first_at(
            &Statement::Formula(|p| p[0] ^ p[1]),
            games::LOOP_END_NIM,
            (9, 2..=2),
            &[1, 1],
        );
    }

    /// Both statements on misère values depend on the convention and fail under the other one.
    /// There the empty position has value 1: 0 and 1 change places on rows of ones, and everything
    /// else equals normal play.
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
