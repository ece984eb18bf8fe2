//! Partizan End-Nim: the rules (Albert and Nowakowski 2001).
//!
//! The piles form a row. Left takes one or more coins from the leftmost pile, Right from the
//! rightmost pile; an emptied pile disappears. If one pile is left, both players may take from it.
//! The player who takes the last coin wins.
//!
//! A position has an outcome class and no Grundy value. Two *thresholds* determine the class:
//!
//! ```text
//! l(w) = the largest a with which Left, moving first, does not win a w
//! r(w) = the largest b with which Right, moving first, does not win w b
//! ```
//!
//! More coins at a player's own end never hurt that player. So Left, moving first, wins a w if and
//! only if a > l(w). In particular, l(w) = 0 if and only if Right, moving first, loses w, because
//! Left can then take a whole pile of any size in front of w. So (l, r) gives the class: (0, 0) is
//! P, (0, +) L, (+, 0) R, and (+, +) N. By symmetry r(w) = l(rev w).

use std::sync::Arc;

use crate::index::{BoxIndex, Index};
use crate::moves::{with_first, with_last};
use crate::{Game, Meaning, Move, Order, Outcome, Pick, Player, Position, Rules, Size, TableError};

#[derive(Debug)]
pub(crate) struct PartizanEndNim;

impl Rules for PartizanEndNim {
    fn id(&self) -> &'static str {
        "partizan-end-nim"
    }

    fn title(&self) -> &'static str {
        "partizan End-Nim"
    }

    fn paper(&self) -> &'static str {
        "Albert and Nowakowski 2001"
    }

    fn rule(&self) -> &'static str {
        "Left takes any number of coins from the first pile of the row, Right from the last. \
         Whoever takes the last coin wins."
    }

    fn order(&self) -> Order {
        Order::Row
    }

    fn meaning(&self) -> Meaning {
        Meaning::Classes
    }

    /// Returns Left's moves, then Right's. Both lists are in ascending order of the coins left.
    fn moves(&self, position: &Position) -> Vec<Move> {
        let piles = position.piles();
        let (Some(&first), Some(&last)) = (piles.first(), piles.last()) else {
            return Vec::new();
        };
        let pick = |pick| if piles.len() == 1 { Pick::Only } else { pick };
        let of = |player, m: Move| Move { player, ..m };
        let left = (0..first).map(|to| {
            let made = Move::new(pick(Pick::Left), first, to, with_first(piles, to));
            of(Player::Left, made)
        });
        let right = (0..last).map(|to| {
            let made = Move::new(pick(Pick::Right), last, to, with_last(piles, to));
            of(Player::Right, made)
        });
        left.chain(right).collect()
    }

    fn lowers_ends(&self) -> Option<[Player; 2]> {
        Some([Player::Left, Player::Right])
    }

    /// A table stores the threshold l(w) of each row w, in two bytes.
    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        Ok(Arc::new(BoxIndex::of_words(game, size)?))
    }

    fn cell_bytes(&self, _: usize) -> Option<usize> {
        Some(2)
    }
}

/// Returns the outcome class of a position from its thresholds (l, r).
pub fn class_of_thresholds(left: u64, right: u64) -> Outcome {
    Outcome::of_first_moves(right > 0, left > 0)
}
