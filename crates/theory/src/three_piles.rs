//! Cairns and Ho 2011, section 5: values 0, 1 and 2 of three piles.
//!
//! The conditions are copied literally from the paper. (a1, a2, a3) is reversed if a1 > a3.

use grundy_rules::{Game, Pile, games};

use crate::statement::{Shape, Statement};

/// Returns (a1, a2, a3) with a1 <= a3, as in the paper.
pub(crate) fn read(piles: &[Pile]) -> (Pile, Pile, Pile) {
    (piles[0].min(piles[2]), piles[1], piles[0].max(piles[2]))
}

pub(crate) fn p_positions(game: Game) -> Statement {
    let holds: fn(&[Pile]) -> bool = match game {
        _ if game == games::END_NIM => zero_end_nim,
        _ if game == games::MISERE_END_NIM => {
            |piles| zero_end_nim(piles) || read(piles) == (1, 1, 1)
        }
        _ if game == games::LOOP_END_NIM => |piles| {
            let (a1, a2, a3) = read(piles);
            zero_end_nim(piles) || a1 == a2 && a2 == a3
        },
        _ => unreachable!("section 5 covers only the three End-Nim games"),
    };
    Statement::Iff { value: 0, holds, shape: Shape::Band(0) }
}

/// True if the value is 0 in End-Nim: the row is "symmetrical but not constant".
pub(crate) fn zero_end_nim(piles: &[Pile]) -> bool {
    let (a1, a2, a3) = read(piles);
    a3 == a1 && a2 != a1
}

/// True if the value is 1 in End-Nim.
pub(crate) fn theorem_5_1(piles: &[Pile]) -> bool {
    let (a1, a2, a3) = read(piles);
    let even = a1 % 2 == 0;
    let a = (a1, a2, a3) == (1, 1, 1);
    let b = a3 == a1 + 1 && (even && a2 < a1 || !even && a2 > a1 && a2 != a1 + 2);
    let c = a3 == a1 + 2 && !even && a2 == a3;
    a || b || c
}

/// True if the value is 1 in misère End-Nim.
pub(crate) fn theorem_5_2(piles: &[Pile]) -> bool {
    let (a1, a2, a3) = read(piles);
    let even = a1 % 2 == 0;
    let a = (a1, a2, a3) == (1, 2, 2);
    let b = a1 == a2 && a2 == a3 && a1 >= 3;
    let c = a3 == a1 + 1 && (even && a2 == 1 || !even && (2 <= a2 && a2 < a1 || a2 > a3));
    a || b || c
}

/// True if the value is 1 in Loop-End-Nim.
pub(crate) fn theorem_5_3(piles: &[Pile]) -> bool {
    let (a1, a2, a3) = read(piles);
    let even = a1 % 2 == 0;
    let a = a3 == a1 + 1 && (even && a2 < a1 || !even && a2 > a3);
    let b = a3 == a1 + 2 && !even && a2 == a1 + 1;
    a || b
}

/// True if the value is 2 in End-Nim.
pub(crate) fn theorem_5_4(piles: &[Pile]) -> bool {
    let (a1, a2, a3) = read(piles);
    let mod_4 = |pile: Pile, residues: [u32; 2]| residues.contains(&(pile % 4));
    // "a2 <= a1 - 1 and if a2 >= 5 then a2 = 0, 3"
    let low = a2 < a1 && (a2 < 5 || mod_4(a2, [0, 3]));
    let a = a1 == a2 && a2 == a3 && a1 >= 2 && mod_4(a1, [1, 2]);
    let b = a3 == a1 + 1
        && ((a1, a2, a3) == (1, 1, 2)
            || a1 % 4 == 2 && a2 == a3
            || a1 % 2 == 1
                && a1 >= 7
                && (5..a1).contains(&a2)
                && mod_4(a2, [1, 2])
                && !(a1 % 4 == 3 && a2 == a1 - 2));
    let c = a3 == a1 + 2
        && match a1 % 4 {
            0 => low,
            1 => (a1, a2, a3) == (1, 2, 3) || a2 >= a1 + 3 || low,
            2 => a2 == a1 - 1 && a2 >= 5 || a2 >= a1 + 2 && a2 != a1 + 4,
            _ => false,
        };
    let d = a3 == a1 + 3 && a1 % 4 == 2 && a2 == a1 + 4;
    a || b || c || d
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fails_first_at, iff};

    /// Some clauses look like mistakes, but each of them is needed.
    #[test]
    fn exceptions_are_needed() {
        fn without_exception(piles: &[Pile]) -> bool {
            let (a1, a2, a3) = read(piles);
            theorem_5_1(piles) || a3 == a1 + 1 && a1 % 2 == 1 && a2 == a1 + 2
        }
        fails_first_at(&iff(1, without_exception), games::END_NIM, (12, 3..=3), &[1, 3, 2]);
        fn from_two(piles: &[Pile]) -> bool {
            let (a1, a2, a3) = read(piles);
            theorem_5_2(piles) || a1 == 2 && a2 == 2 && a3 == 2
        }
        fails_first_at(&iff(1, from_two), games::MISERE_END_NIM, (12, 3..=3), &[2, 2, 2]);
        fn at_least(piles: &[Pile]) -> bool {
            let (a1, a2, a3) = read(piles);
            theorem_5_3(piles) || a3 == a1 + 1 && a1 % 2 == 1 && a2 == a3
        }
        fails_first_at(&iff(1, at_least), games::LOOP_END_NIM, (12, 3..=3), &[1, 2, 2]);
        fn seven_with_five(piles: &[Pile]) -> bool {
            theorem_5_4(piles) || read(piles) == (7, 5, 8)
        }
        fails_first_at(&iff(2, seven_with_five), games::END_NIM, (12, 3..=3), &[7, 5, 8]);
        fn six_with_ten(piles: &[Pile]) -> bool {
            theorem_5_4(piles) || read(piles) == (2, 6, 4)
        }
        fails_first_at(&iff(2, six_with_ten), games::END_NIM, (12, 3..=3), &[2, 6, 4]);
    }
}
