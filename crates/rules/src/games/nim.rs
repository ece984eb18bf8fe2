//! Nim: the rules (Bouton 1901, sections 1 to 5).
//!
//! Piles are a multiset. A move takes one or more coins from one pile; an emptied pile
//! disappears. The player who takes the last coin wins.

use crate::moves::from_any_pile;
use crate::{Ends, Move, Order, Pile, Position, Rules};

#[derive(Debug)]
pub(crate) struct Nim;

impl Rules for Nim {
    fn id(&self) -> &'static str {
        "nim"
    }

    fn title(&self) -> &'static str {
        "Nim"
    }

    fn paper(&self) -> &'static str {
        "Bouton 1901"
    }

    fn rule(&self) -> &'static str {
        "Take any number of coins from one pile. Whoever takes the last coin wins."
    }

    fn order(&self) -> Order {
        Order::Any
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        from_any_pile(position.piles(), |from| 0..from, |piles, _| Position::multiset(piles))
    }

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        most_options(max_pile, length)
    }

    fn ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| pile, any_length: false })
    }

    /// Returns the nim-sum of the piles, by Bouton's theorem.
    fn theorem(&self, position: &Position) -> Option<u32> {
        Some(nim_sum(position.piles()))
    }

    /// Piles of 0, 1, 2 and 3 coins have the misère values 1, 0, 2 and 3.
    fn misere_ends(&self) -> Option<Ends> {
        Some(Ends { seed: |pile| if pile == 1 { 0 } else { pile }, any_length: false })
    }
}

/// Returns the largest number of options of a position: N + (N-1) + ... Each size of a pile counts
/// once, because equal piles have the same options.
pub(crate) fn most_options(max_pile: Pile, length: usize) -> u64 {
    let n = u64::from(max_pile);
    (0..n.min(length as u64)).map(|i| n - i).sum()
}

/// Returns the value of a position of Nim by Bouton's theorem: the nim-sum of its piles.
pub fn nim_sum(piles: &[Pile]) -> Pile {
    piles.iter().fold(0, |sum, pile| sum ^ pile)
}
