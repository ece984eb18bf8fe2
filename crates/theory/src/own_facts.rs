//! Theorems of this project about the three End-Nim games, which no paper states. docs/PROOFS.md
//! proves them.

use grundy_rules::{Game, Pile, games};

use crate::claim::{About, Claim, Paper, Rule};
use crate::domain::{ANY_LENGTH, Domain, Size};
use crate::statement::{Shape, Statement};
use crate::words::Status::TheoremHere;

pub(crate) static PAPER: Paper = Paper {
    prefix: "end",
    short: "here",
    reference: "Grundy's own facts, proved in docs/PROOFS.md",
    notes: include_str!("../findings/own_facts.md"),
};

const ALL: About = About { paper: &PAPER, games: &games::END_NIM_GAMES };
const MISERE: About = About { games: &[games::MISERE_END_NIM], ..ALL };

const ANY: Domain = Domain::Positions { from: 1, to: None, defaults: ANY_LENGTH };
const ROWS: Domain = Domain::Positions { from: 2, to: None, defaults: ANY_LENGTH };

pub(crate) static CLAIMS: &[Claim] = &[
    ALL.claim(
        "end.p-count",
        "number of P-positions",
        "Among the rows of k piles of at most n coins, (n^k + (-1)^k n) / (n + 1) are \
         P-positions of End-Nim; of misère End-Nim one more if k is odd, one less if k is even; \
         of Loop-End-Nim n more if k is odd, n less if k is even.",
        TheoremHere,
        ANY,
        Rule::Zeros(|game, n, length, _| p_count(game, n, length)),
    ),
    ALL.claim(
        "end.zeros",
        "zeros from length to length",
        "The number of P-positions of k piles of at most n is n^(k-1) minus the number of those \
         of k - 1 piles.",
        TheoremHere,
        ROWS,
        Rule::Zeros(|_, n, length, below| {
            let words = i128::from(n).checked_pow(length as u32 - 1)?;
            Some(words - i128::from(*below.last()?))
        }),
    ),
    ALL.claim(
        "end.rows",
        "injectivity of rows",
        "Along a row b -> G(w b), w not empty, no value occurs twice.",
        TheoremHere,
        ROWS,
        Rule::Positions(|_| Statement::Injective),
    ),
    ALL.claim(
        "end.bound",
        "bound",
        "The value of a row of two or more piles is at most the sum of its two end piles.",
        TheoremHere,
        ROWS,
        Rule::Positions(|_| Statement::Bounded),
    ),
    MISERE.claim(
        "end.misere-2",
        "value 2 of two misère piles",
        "In misère End-Nim, and in misère Nim, two piles a <= b have value 2 iff (a,b) = (1,2), \
         or a >= 4 is even and b = a + 1.",
        TheoremHere,
        TWO,
        Rule::Positions(|_| Statement::Iff { value: 2, holds: two, shape: Shape::Band(1) }),
    ),
    MISERE.claim(
        "end.misere-3",
        "value 3 of two misère piles",
        "In misère End-Nim, and in misère Nim, two piles a <= b have value 3 iff (a,b) is (1,3) \
         or (2,5), or a >= 6 leaves 2 or 3 when divided by 4 and b = a + 2.",
        TheoremHere,
        TWO,
        Rule::Positions(|_| Statement::Iff { value: 3, holds: three, shape: Shape::Band(3) }),
    ),
];

const TWO: Domain =
    Domain::Positions { from: 2, to: Some(2), defaults: &[Size { max_pile: 512, length: 2 }] };

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

    /// The patterns do not begin earlier than stated.
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

    /// Rows of single piles are not injective in Loop-End-Nim, so the claim begins at length 2.
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
