//! End-Nim: the rules (Albert and Nowakowski 2001; Cairns and Ho 2011).
//!
//! Piles stand in a row. A move takes one or more coins from the leftmost or the rightmost pile; an
//! emptied pile disappears. The three games differ only in single piles (Cairns and Ho 2011,
//! sections 1 and 4):
//!
//! | game | moves of the single pile b | its value |
//! |---|---|---|
//! | `end-nim` | to b-1, ..., 1 and to the empty position | b |
//! | `misere-end-nim` | to b-1, ..., 1: the last coin is never taken | b - 1 |
//! | `loop-end-nim` | none: the player who leaves one pile has won | 0 |
//!
//! For two or more piles the moves are the same in all three. A position and its reversal have the
//! same value.

use crate::games::nim::nim_sum;
use crate::moves::from_either_end;
use crate::{Ends, Move, Order, Position, Rules};

/// End-Nim.
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

    fn order(&self) -> Order {
        Order::Row
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |pile| 0..pile)
    }

    fn ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| pile, any_length: true })
    }

    /// Up to two piles are Nim.
    fn theorem(&self, position: &Position) -> Option<u32> {
        (position.length() <= 2).then(|| nim_sum(position.piles()))
    }

    /// mex {1} = 0, mex {1, 0} = 2, mex {1, 0, 2} = 3, ...
    fn misere_ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| if pile == 1 { 0 } else { pile }, any_length: true })
    }
}
