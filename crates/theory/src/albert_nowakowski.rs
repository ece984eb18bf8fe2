//! Albert and Nowakowski 2001: the arrows on Lorraine's steering wheel.
//!
//! Section 2 of the paper solves impartial End-Nim up to the outcome, and says
//! in passing what its Nim-values look like. The diagram
//!
//! ```text
//!           n odd   n even
//! top         ↑       ↓
//! bottom      ↓       ↑
//! ```
//!
//! gives each end of a row x^n a w b y^m a cell: the column by the parity of the
//! run of equal piles at that end, the row by whether the run is followed by a
//! higher pile (↑) or a lower one. "The position is in P precisely when the
//! order relationship between x and y is the same as the relationship of the
//! height of the corresponding cells", provided that they differ by at most 1.
//! So for x < y the cell of y must be in the top row *and* that of x in the
//! bottom row.

use grundy_rules::{Game, Pile, games};

use crate::checks::{printed_cost, printed_table, rows};
use crate::claim::{Claim, Paper, Rule, counting};
use crate::domain::{ANY_LENGTH, Domain};
use crate::statement::{EndBits, Shape, Statement};
use crate::words::{Status, Truth, Unit};

pub(crate) static PAPER: Paper = Paper {
    prefix: "an",
    short: "Albert and Nowakowski",
    reference: "M. H. Albert and R. J. Nowakowski, The game of End-Nim, \
                Electronic Journal of Combinatorics 8(2) (2001), #R1",
    notes: include_str!("../findings/albert_nowakowski.md"),
};

const END_NIM: &[Game] = &[games::END_NIM];

pub(crate) static CLAIMS: &[Claim] = &[
    Claim {
        id: "an.prop1",
        paper: &PAPER,
        number: "Proposition 1",
        statement: "If a row of two or more piles is a P-position, its two end piles differ by \
                    at most 1.",
        reading: Some(
            "The paper speaks of End-Nim. Its proof uses options of rows of two or more piles \
             only, so the claim is asked of the other two games as well.",
        ),
        games: &games::END_NIM_GAMES,
        domain: Domain::Positions { from: 2, to: None, defaults: ANY_LENGTH },
        status: Status::Theorem,
        premise: Some("the row is a P-position"),
        expected: Truth::Holds,
        rule: Rule::Positions(|_| Statement::Near { value: 0, distance: 1 }),
    },
    Claim {
        id: "an.thm2",
        paper: &PAPER,
        number: "Theorem 2",
        statement: "The P-positions are the rows of an even number of equal piles, and those \
                    whose ends differ by at most 1 and compare as the heights of their cells in \
                    the arrow diagram do.",
        reading: Some(
            "For x < y the cell of y must be in the top row and that of x in the bottom row; the \
             empty position, also P, is in no table.",
        ),
        games: END_NIM,
        domain: Domain::Positions { from: 1, to: None, defaults: ANY_LENGTH },
        status: Status::Theorem,
        premise: None,
        expected: Truth::Holds,
        rule: Rule::Positions(|_| Statement::Iff {
            value: 0,
            holds: theorem_2,
            shape: Shape::Diagonals(ARROWS),
        }),
    },
    Claim {
        id: "an.table",
        paper: &PAPER,
        number: "table in section 2",
        statement: "The Nim-values of the positions a,4,b for a, b = 1 to 16 are those printed.",
        reading: Some(
            "The text at hand has lost the spaces between most numbers, so each printed row is \
             compared as a string of digits.",
        ),
        games: END_NIM,
        domain: Domain::Printed,
        status: Status::Observation,
        premise: None,
        expected: Truth::Holds,
        rule: Rule::Check(counting(Unit::Rows, printed_table::compare, printed_cost)),
    },
    Claim {
        id: "an.period",
        paper: &PAPER,
        number: "remark after the table",
        statement: "Within each row b -> G(a w b), for fixed a and w, the values are ultimately \
                    arithmetico-periodic.",
        reading: Some(
            "The paper says \"within each row (or column)\" of its table of a,4,b; it is asked here of \
             all middles w of one pile. A row counts as holding when its period is found; a row \
             whose period is not found within the range is left undecided. (docs/PROOFS.md has a \
             proof for all rows.)",
        ),
        games: END_NIM,
        domain: Domain::Rows { max_pile: 16, bound: 1 << 20 },
        status: Status::TheoremHere,
        premise: None,
        expected: Truth::Holds,
        rule: Rule::Check(counting(Unit::Rows, rows::all_periodic, rows::cost)),
    },
    Claim {
        id: "an.period-pow2",
        paper: &PAPER,
        number: "remark after the table",
        statement: "The ultimate periods of the rows b -> G(a w b) are powers of two.",
        reading: Some(
            "Said in passing of the rows of the table of a,4,b, \"being of lengths a power of two\", \
             and asked here of all middles w of one pile. A row of the table itself, 5,4,b, refutes \
             it. The least period of a row counts.",
        ),
        games: END_NIM,
        domain: Domain::Rows { max_pile: 16, bound: 1 << 20 },
        status: Status::Remark,
        premise: None,
        expected: Truth::Fails,
        rule: Rule::Check(counting(Unit::Rows, rows::powers_of_two, rows::cost)),
    },
];

/// The diagram by bits: 1 is the top row.
const ARROWS: EndBits = EndBits {
    below: true,
    repeated: |run, rises| (run % 2 == 1) == rises,
    pair: |lower, higher| higher & !lower,
};

/// Theorem 2, as the paper has it.
pub(crate) fn theorem_2(piles: &[Pile]) -> bool {
    let [x, .., y] = *piles else {
        return piles.is_empty();
    };
    if piles.iter().all(|&pile| pile == x) {
        return piles.len().is_multiple_of(2);
    }
    let left = is_top(piles.iter());
    let right = is_top(piles.iter().rev());
    x.abs_diff(y) <= 1 && x.cmp(&y) == left.cmp(&right)
}

/// Whether the cell of the end at which `piles` begins is in the top row. The
/// piles are not all equal; a row x^n y^m needs no rule of its own, as the first
/// pile that differs from x is then y.
fn is_top<'a>(piles: impl Iterator<Item = &'a Pile>) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{fails_first_at, holds_on_reference, iff};

    #[test]
    fn the_example_of_the_paper() {
        assert!(theorem_2(&[3, 3, 3, 2, 3, 4, 3, 3]));
        assert!(!theorem_2(&[3]) && theorem_2(&[3, 3]) && theorem_2(&[]));
    }

    #[test]
    fn claims_hold_on_the_reference() {
        for id in ["an.prop1", "an.thm2"] {
            holds_on_reference(id, &[(9, 3), (5, 5), (2, 8)]);
        }
    }

    /// The larger end in the top row, whatever the smaller: too many positions.
    #[test]
    fn both_cells_count() {
        fn loose(piles: &[Pile]) -> bool {
            let (x, y) = (piles[0], piles[piles.len() - 1]);
            if x == y || piles.len() < 2 {
                return theorem_2(piles);
            }
            let left = is_top(piles.iter());
            let right = is_top(piles.iter().rev());
            x.abs_diff(y) <= 1 && if x < y { right } else { left }
        }
        fails_first_at(&iff(0, loose), games::END_NIM, (5, 1..=4), &[1, 2, 2]);
    }

    #[test]
    fn ends_of_p_positions_are_not_always_equal() {
        fails_first_at(
            &Statement::Near { value: 0, distance: 0 },
            games::END_NIM,
            (5, 1..=5),
            &[1, 1, 2, 2],
        );
    }
}
