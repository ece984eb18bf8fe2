//! Long global nim: the rules (the 2008 paper in INTEGERS, sections 4 and 5).
//!
//! Piles are a multiset. A move takes s coins from one pile, where s is one of the numbers
//! still available; then s is available no more, to either player and in no pile. Who cannot
//! move loses. A position [(p₁, ..., pₙ), S] is the piles and the set S of available numbers;
//! members larger than every pile never matter and are left out.

use crate::moves::from_any_pile;
use crate::{Memory, Move, MoveSet, Pile, Position};

/// Every move of a position, smallest pile first, by increasing remaining coins. Of
/// equal piles one is listed: the others lead to the same options.
pub fn moves(position: &Position) -> Vec<Move> {
    let all = MoveSet::up_to(position.max_pile());
    let available = match position.memory() {
        Memory::Available(set) => set,
        _ => &all,
    };
    let left = |from: Pile| {
        let taken: Vec<Pile> = available.iter().take_while(|&s| s <= from).collect();
        taken.into_iter().rev().map(move |s| from - s)
    };
    from_any_pile(position.piles(), left, |piles, taken| {
        let available = available.without(taken, Pile::MAX);
        Position::with_available(piles, available).unwrap_or_default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::reference::Reference;

    #[test]
    fn moves_are_those_of_the_rules() {
        let listed = |text: &str| {
            let position = Game::LongGlobalNim.parse(text).unwrap();
            moves(&position).iter().map(|m| m.option.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(listed("8{1,3,4}"), ["4{1,3}", "5{1,4}", "7{3,4}"]);
        assert_eq!(listed("2,2"), ["2{1}", "1,2{2}"]);
        assert_eq!(listed("1,3{2}"), ["1,1{}"]);
        assert_eq!(listed("3{3}"), ["(){}"]);
        assert!(listed("5{}").is_empty());
    }

    /// The example of section 5, and Theorem 24.
    #[test]
    fn published_values() {
        let mut reference = Reference::new(Game::LongGlobalNim);
        let mut value = |text: &str| reference.value(&Game::LongGlobalNim.parse(text).unwrap());
        assert_eq!(value("8{1,3,4}"), 1);
        assert_eq!((value("5{2,3}"), value("5{3,4}")), (0, 1));
        assert_eq!((value("6"), value("10")), (3, 4));
    }
}
