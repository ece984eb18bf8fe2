//! Loop-End-Nim, "leave only one pile": the rules (Cairns and Ho 2011).
//!
//! End-Nim (see `end_nim.rs`) with terminal single piles: the player who leaves one pile wins.

use crate::moves::from_either_end;
use crate::{Ends, Move, Order, Position, Rules};

#[derive(Debug)]
pub(crate) struct LoopEndNim;

impl Rules for LoopEndNim {
    fn id(&self) -> &'static str {
        "loop-end-nim"
    }

    fn title(&self) -> &'static str {
        "Loop-End-Nim"
    }

    fn paper(&self) -> &'static str {
        "Cairns and Ho 2011"
    }

    fn rule(&self) -> &'static str {
        "Take any number of coins from the first or the last pile of the row. Whoever leaves a \
         single pile wins."
    }

    fn order(&self) -> Order {
        Order::Row
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |_| 0..0)
    }

    fn has_empty_position(&self) -> bool {
        false
    }

    fn ends(&self) -> Option<Ends> {
        Some(Ends { seed: |_| 0, any_length: true })
    }

    /// Returns ((a - 1) xor (b - 1)) + 1 for two piles, by Proposition 4.1 of Cairns and Ho.
    fn theorem(&self, position: &Position) -> Option<u32> {
        match *position.piles() {
            [a, b] => Some(((a - 1) ^ (b - 1)) + 1),
            _ => None,
        }
    }

    /// A single pile has no moves.
    fn misere_ends(&self) -> Option<Ends> {
        Some(Ends { seed: |_| 1, any_length: true })
    }
}
