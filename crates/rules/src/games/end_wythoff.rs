//! End-Wythoff: the rules (Fraenkel and Reisner, "The game of End-Wythoff", Games of No
//! Chance 3, 2009).
//!
//! The piles form a row. A move takes one or more coins from the leftmost or from the rightmost
//! pile. With two or more piles it may also take the same number from both ends. An emptied pile
//! disappears. The player who takes the last coin wins. With two piles the game is Wythoff's game.
//!
//! A position and its reversal have the same value. The position a w b has at most a + b + min(a,
//! b) options, so its value is at most a + b + min(a, b).

use std::sync::LazyLock;

use crate::law::{Law, RuleFile};
use crate::moves::{from_either_end, with_first, with_last};
use crate::{Move, Order, Pick, Pile, Position, RULE_FILES, Rules};

#[derive(Debug)]
pub(crate) struct EndWythoff;

impl Rules for EndWythoff {
    fn id(&self) -> &'static str {
        "end-wythoff"
    }

    fn title(&self) -> &'static str {
        "End-Wythoff"
    }

    fn paper(&self) -> &'static str {
        "Fraenkel and Reisner 2009"
    }

    fn rule(&self) -> &'static str {
        "Take any number of coins from the first or the last pile of the row, or equally many \
         from both. Whoever takes the last coin wins."
    }

    fn order(&self) -> Order {
        Order::Row
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let piles = position.piles();
        let mut moves = from_either_end(piles, |pile| 0..pile);
        if let &[first, .., last] = piles {
            moves.extend((1..=first.min(last)).rev().map(|taken| {
                let (to, right) = (first - taken, last - taken);
                let option = with_last(with_first(piles, to).piles(), right);
                Move { right: Some((last, right)), ..Move::new(Pick::Both, first, to, option) }
            }));
        }
        moves
    }

    /// Returns the law of the ruleset `end-wythoff`, from which kernels compute the tables. `None`
    /// if [`RULE_FILES`] is false.
    fn law(&self) -> Option<&Law> {
        static FILE: LazyLock<Option<RuleFile>> = LazyLock::new(|| {
            RuleFile::from_text(include_str!("../../games/end-wythoff.game")).ok()
        });
        if RULE_FILES { FILE.as_ref().map(|file| &file.law) } else { None }
    }

    fn plays_on_ends(&self) -> bool {
        true
    }

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        u64::from(max_pile) * length.min(3) as u64
    }
}
