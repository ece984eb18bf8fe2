//! End-Nim: the rules (Albert and Nowakowski 2001; Cairns and Ho 2011).
//!
//! The piles form a row. A move takes one or more coins from the leftmost or the rightmost pile; an
//! emptied pile disappears. The three games differ only in single piles (Cairns and Ho 2011,
//! sections 1 and 4):
//!
//! | game | moves of the single pile b | its value |
//! |---|---|---|
//! | `end-nim` | to b-1, ..., 1 and to the empty position | b |
//! | `misere-end-nim` | to b-1, ..., 1: the last coin is never taken | b - 1 |
//! | `loop-end-nim` | none: the player who leaves one pile has won | 0 |
//!
//! For two or more piles the moves are the same in all three games. A position and its reversal
//! have the same value.

use crate::games::nim::nim_sum;
use crate::moves::from_either_end;
use crate::{Ends, Move, Order, Pile, Position, Rules};

#[derive(Debug)]
pub(crate) struct EndNim;

impl Rules for EndNim {
    fn id(&self) -> &'static str {
        "end-nim"
    }

    fn title(&self) -> &'static str {
        "End-Nim"
    }

    fn paper(&self) -> &'static str {
        "Albert and Nowakowski 2001; Cairns and Ho 2011"
    }

    fn rule(&self) -> &'static str {
        "Take any number of coins from the first or the last pile of the row. Whoever takes the \
         last coin wins."
    }

    fn order(&self) -> Order {
        Order::Row
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |pile| 0..pile)
    }

    fn ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| pile, any_length: true })
    }

    /// With at most two piles, End-Nim is Nim.
    fn theorem(&self, position: &Position) -> Option<u32> {
        (position.length() <= 2).then(|| nim_sum(position.piles()))
    }

    /// Piles of 0, 1, 2 and 3 coins have the misère values 1, 0, 2 and 3.
    fn misere_ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| if pile == 1 { 0 } else { pile }, any_length: true })
    }
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
