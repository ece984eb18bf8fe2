//! End-Wythoff: the rules (Fraenkel and Reisner, "The game of End-Wythoff", Games of No
//! Chance 3, 2009).
//!
//! Piles stand in a row. A move takes one or more coins from the leftmost or from the
//! rightmost pile, or the same number from both, if there are two or more piles; an emptied
//! pile disappears. Who takes the last coin wins. With two piles it is Wythoff's game.
//!
//! A position and its reversal have the same value. The options of a w b are at most
//! a + b + min(a, b), and so is its value.

use crate::moves::{from_either_end, with_first, with_last};
use crate::{Move, Order, Pick, Pile, Position, Rules};

/// End-Wythoff.
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

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        u64::from(max_pile) * length.min(3) as u64
    }
}

#[cfg(test)]
mod tests {
    use crate::games::END_WYTHOFF;
    use crate::reference::Reference;

    #[test]
    fn moves_are_those_of_the_rules() {
        let listed = |text: &str| {
            let position = END_WYTHOFF.parse(text).unwrap();
            let moves = END_WYTHOFF.moves(&position);
            moves.iter().map(|m| format!("{} {}", m.pick.name(), m.option)).collect::<Vec<_>>()
        };
        assert_eq!(listed("2,9,1"), ["left 9,1", "left 1,9,1", "right 2,9", "both 1,9"]);
        assert_eq!(listed("1,1"), ["left 1", "right 1", "both ()"]);
        assert_eq!(listed("1,5,1"), ["left 5,1", "right 1,5", "both 5"]);
        assert_eq!(listed("2"), ["only ()", "only 1"]);
        assert!(listed("()").is_empty());
    }

    /// By hand: the first P-positions of Wythoff's game, (1,2), (3,5) and (4,7), and the value
    /// of (1,1), whose options are 1 and the empty position.
    #[test]
    fn two_piles_are_the_game_of_wythoff() {
        let mut reference = Reference::new(END_WYTHOFF);
        let mut value = |text: &str| reference.value(&END_WYTHOFF.parse(text).unwrap());
        assert_eq!(["1,2", "3,5", "7,4"].map(&mut value), [0, 0, 0]);
        assert_eq!([value("1,1"), value("2,2"), value("6")], [2, 1, 6]);
    }
}
