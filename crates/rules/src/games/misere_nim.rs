//! Misère Nim: the rules (Bouton 1901, section 6).
//!
//! The game is Nim (see `nim.rs`), but the player who takes the last coin loses. As in misère
//! End-Nim, values follow the convention of Cairns and Ho (2011): the last coin is never taken. So
//! the single pile 1 is terminal with value 0, and there is no empty position. With at most two
//! piles this game is the same as misère End-Nim.

use crate::games::nim::most_options;
use crate::moves::from_any_pile;
use crate::{Ends, Game, Move, Order, Pile, Position, Rules};

#[derive(Debug)]
pub(crate) struct MisereNim;

impl Rules for MisereNim {
    fn id(&self) -> &'static str {
        "misere-nim"
    }

    fn title(&self) -> &'static str {
        "misère Nim"
    }

    fn paper(&self) -> &'static str {
        "Bouton 1901"
    }

    fn rule(&self) -> &'static str {
        "Take any number of coins from one pile. Whoever takes the last coin loses."
    }

    fn order(&self) -> Order {
        Order::Any
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        // The last coin is never taken.
        let least = Pile::from(position.length() == 1);
        from_any_pile(position.piles(), |from| least..from, |piles, _| Position::multiset(piles))
    }

    fn has_empty_position(&self) -> bool {
        false
    }

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        most_options(max_pile, length)
    }

    fn ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| pile - 1, any_length: false })
    }

    fn normal_play(&self) -> Option<Game> {
        Some(crate::games::NIM)
    }
}
