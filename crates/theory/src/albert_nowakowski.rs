//! Albert and Nowakowski 2001: the arrows on Lorraine's steering wheel.
//!
//! Section 2 of the paper determines the outcomes of impartial End-Nim, and describes its
//! Nim-values in passing. The diagram
//!
//! ```text
//!           n odd   n even
//! top         ↑       ↓
//! bottom      ↓       ↑
//! ```
//!
//! gives each end of a row x^n a w b y^m a cell. The parity of the run of equal piles at that end
//! determines the column. The row depends on the pile after the run: ↑ if it is higher, ↓ if it is
//! lower. "The position is in P precisely when the order relationship between x and y is the same
//! as the relationship of the height of the corresponding cells", provided that they differ by at
//! most 1. So for x < y the cell of y must be in the top row *and* that of x in the bottom row.

use grundy_rules::{Pile, games};

use crate::checks::{printed_cost, printed_table, rows};
use crate::claim::{About, Claim, Paper, Rule, counting};
use crate::domain::{ANY_LENGTH, Domain};
use crate::statement::{EndBits, Shape, Statement};

pub(crate) static PAPER: Paper = Paper {
    prefix: "an",
    short: "Albert and Nowakowski",
    reference: "M. H. Albert and R. J. Nowakowski, The game of End-Nim, \
                Electronic Journal of Combinatorics 8(2) (2001), #R1",
    notes: include_str!("../findings/albert_nowakowski.md"),
};

const HERE: About = About { paper: &PAPER, games: &[games::END_NIM] };
const ALL: About = About { games: &games::END_NIM_GAMES, ..HERE };

const ROWS: Domain = Domain::Rows { max_pile: 16, bound: 1 << 20 };

use crate::words::Flaw;
use crate::words::Status::{Observation, Remark, Theorem, TheoremHere};
use crate::words::Unit::Rows;

pub(crate) static CLAIMS: &[Claim] = &[
    ALL.claim(
        "an.prop1",
        "Proposition 1",
        "If a row of two or more piles is a P-position, its two end piles differ by at most 1.",
        Theorem,
        Domain::Positions { from: 2, to: None, defaults: ANY_LENGTH },
        Rule::Positions(|_| Statement::Near { value: 0, distance: 1 }),
    )
    .with_premise("the row is a P-position")
    .with_reading(
        "The paper speaks of End-Nim. Its proof uses options of rows of two or more piles only, \
         so the claim is asked of the other two games as well.",
    ),
    HERE.claim(
        "an.thm2",
        "Theorem 2",
        "The P-positions are the rows of an even number of equal piles, and those whose ends \
         differ by at most 1 and compare as the heights of their cells in the arrow diagram do.",
        Theorem,
        Domain::Positions { from: 1, to: None, defaults: ANY_LENGTH },
        Rule::Positions(|_| Statement::Iff {
            value: 0,
            holds: theorem_2,
            shape: Shape::Diagonals(ARROWS),
        }),
    )
    .with_reading(
        "For x < y the cell of y must be in the top row and that of x in the bottom row; the \
         empty position, also P, is in no table.",
    ),
    HERE.claim(
        "an.table",
        "table in section 2",
        "The Nim-values of the positions a,4,b for a, b = 1 to 16 are those printed.",
        Observation,
        Domain::Printed,
        counting(Rows, printed_table::compare, printed_cost),
    )
    .with_reading(
        "The text at hand has lost the spaces between most numbers, so each printed row is \
         compared as a string of digits.",
    ),
    HERE.claim(
        "an.period",
        "remark after the table",
        "Within each row b -> G(a w b), for fixed a and w, the values are ultimately \
         arithmetico-periodic.",
        TheoremHere,
        ROWS,
        counting(Rows, rows::all_periodic, rows::cost),
    )
    .with_reading(
        "The paper says \"within each row (or column)\" of its table of a,4,b; it is asked here \
         of all middles w of one pile. A row counts as holding when its period is found; a row \
         whose period is not found within the range is left undecided. (docs/PROOFS.md has a \
         proof for all rows.)",
    ),
    HERE.claim(
        "an.period-pow2",
        "remark after the table",
        "The ultimate periods of the rows b -> G(a w b) are powers of two.",
        Remark,
        ROWS,
        counting(Rows, rows::powers_of_two, rows::cost),
    )
    .with_reading(
        "Said in passing of the rows of the table of a,4,b, \"being of lengths a power of \
         two\", and asked here of all middles w of one pile. A row of the table itself, 5,4,b, \
         refutes it. The least period of a row counts.",
    )
    .with_flaw(Flaw::False),
];

/// The diagram as bits: 1 is the top row.
const ARROWS: EndBits = EndBits {
    below: true,
    repeated: |run, rises| (run % 2 == 1) == rises,
    pair: |lower, higher| higher & !lower,
};

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

/// True if the cell of the end at the start of `piles` is in the top row. The piles are not all
/// equal. A row x^n y^m needs no rule of its own: its first pile that differs from x is y.
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
    use crate::testing::{fails_first_at, iff};

    #[test]
    fn the_example_of_the_paper() {
        assert!(theorem_2(&[3, 3, 3, 2, 3, 4, 3, 3]));
        assert!(!theorem_2(&[3]) && theorem_2(&[3, 3]) && theorem_2(&[]));
    }

    /// This reading requires only the larger end in the top row, and accepts too many positions.
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
