//! Misère End-Nim: the rules, under the convention of Cairns and Ho (2011).
//!
//! The game is End-Nim (see `end_nim.rs`), but the player who takes the last coin loses. So the
//! last coin is never taken: the single pile 1 is terminal with value 0, and no position is empty.

use crate::moves::from_either_end;
use crate::{Ends, Game, Move, Order, Position, Rules};

#[derive(Debug)]
pub(crate) struct MisereEndNim;

impl Rules for MisereEndNim {
    fn id(&self) -> &'static str {
        "misere-end-nim"
    }

    fn title(&self) -> &'static str {
        "misère End-Nim"
    }

    fn paper(&self) -> &'static str {
        "Cairns and Ho 2011"
    }

    fn rule(&self) -> &'static str {
        "Take any number of coins from the first or the last pile of the row. Whoever takes the \
         last coin loses."
    }

    fn order(&self) -> Order {
        Order::Row
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_either_end(position.piles(), |pile| 1..pile)
    }

    fn has_empty_position(&self) -> bool {
        false
    }

    fn ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| pile - 1, any_length: true })
    }

    fn normal_play(&self) -> Option<Game> {
        Some(crate::games::END_NIM)
    }
}
