//! Albert and Nowakowski 2001: the arrows on Lorraine's steering wheel.
//!
//! Section 2 of the paper determines the outcomes of impartial End-Nim, and also mentions its
//! Nim-values. The diagram
//!
//! ```text
//!           n odd   n even
//! top         ↑       ↓
//! bottom      ↓       ↑
//! ```
//!
//! assigns a cell to each end of a row x^n a w b y^m. The number of equal piles at that end, odd or
//! even, determines the column. The next pile determines the row: ↑ if it is higher, ↓ if it is
//! lower. "The position is in P precisely when the order relationship between x and y is the same
//! as the relationship of the height of the corresponding cells", provided that x and y differ by
//! at most 1. So for x < y the cell of y must be in the top row *and* the cell of x in the bottom.

use grundy_rules::is_lost_end_nim as theorem_2;

use crate::checks::{printed_cost, printed_table, rows};
use crate::claim::{Rule, check};
use crate::statement::{EndBits, Statement};

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("an.prop1", Rule::Positions(|_| Statement::Near { value: 0, distance: 1 })),
    ("an.thm2", Rule::Positions(|_| Statement::lost(theorem_2, ARROWS))),
    ("an.table", check(printed_table::compare, printed_cost)),
    ("an.period", check(rows::all_periodic, rows::cost)),
    ("an.period-pow2", check(rows::powers_of_two, rows::cost)),
];

/// The diagram as bits: 1 means the top row.
const ARROWS: EndBits = EndBits {
    below: true,
    repeated: |run, rises| (run % 2 == 1) == rises,
    pair: |lower, higher| higher & !lower,
};

#[cfg(test)]
mod tests {
    use grundy_rules::{Pile, is_top_end};

    use super::*;
    use crate::testing::{fails_first_at, iff};
    use grundy_rules::games;

    #[test]
    fn the_example_of_the_paper_holds() {
        assert!(theorem_2(&[3, 3, 3, 2, 3, 4, 3, 3]));
        assert!(!theorem_2(&[3]) && theorem_2(&[3, 3]) && theorem_2(&[]));
    }

    /// If only the cell of the larger end mattered, too many positions would be P.
    #[test]
    fn both_cells_count() {
        fn loose(piles: &[Pile]) -> bool {
            let (x, y) = (piles[0], piles[piles.len() - 1]);
            if x == y || piles.len() < 2 {
                return theorem_2(piles);
            }
            let left = is_top_end(piles.iter());
            let right = is_top_end(piles.iter().rev());
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
