//! Short global nim: the rules (the 2008 paper in INTEGERS, sections 2 and 3).
//!
//! Piles are a multiset. A move takes one or more coins from one pile, but not as many as
//! the move just played took, from whichever pile; an emptied pile disappears. Who cannot
//! move loses. A position is the piles and that number k; k = 0 at the beginning. The
//! paper writes *(p₁, ..., pₙ, k) for its Grundy value, and g(n) for *(n, 0) of one pile.

use crate::moves::from_any_pile;
use crate::{Move, Position};

/// Every move of a position, smallest pile first, by increasing remaining coins. Of
/// equal piles one is listed: the others lead to the same options.
pub fn moves(position: &Position) -> Vec<Move> {
    let last_move = position.last_move();
    from_any_pile(
        position.piles(),
        |from| (0..from).filter(move |to| from - to != last_move),
        |piles, taken| Position::after(piles, taken).unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::reference::Reference;

    #[test]
    fn moves_are_those_of_the_rules() {
        let listed = |text: &str| {
            let position = Game::ShortGlobalNim.parse(text).unwrap();
            moves(&position).iter().map(|m| m.option.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(listed("3"), ["()/3", "1/2", "2/1"]);
        assert_eq!(listed("3/2"), ["()/3", "2/1"]);
        assert_eq!(listed("1,2/1"), ["1/2"]);
        assert_eq!(listed("2,2"), ["2/2", "1,2/1"]);
        assert!(listed("1/1").is_empty() && listed("()").is_empty());
    }

    /// Table 1 of the paper, but for its misprint at (9,9), and values named in the text.
    #[test]
    fn published_values() {
        let mut reference = Reference::new(Game::ShortGlobalNim);
        let mut value = |text: &str| reference.value(&Game::ShortGlobalNim.parse(text).unwrap());
        let g: Vec<u32> = (1..=9).map(|n| value(&n.to_string())).collect();
        assert_eq!(g, [1, 1, 2, 3, 3, 2, 4, 5, 5]);
        assert_eq!((value("4/1"), value("8/3"), value("8/1"), value("7/7")), (2, 3, 4, 0));
        assert_eq!((value("5/1"), value("4/2"), value("9/9")), (3, 3, 0));
        // Theorems 3, 4 and 6.
        assert_eq!((value("1,5/1"), value("2,5/1"), value("1,1,3/1")), (0, 0, 0));
    }
}
