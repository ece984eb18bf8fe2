//! Short global nim: the rules (the 2008 paper in INTEGERS, sections 2 and 3).
//!
//! Piles are a multiset. A move takes one or more coins from one pile, but not as many as
//! the move just played took, from whichever pile; an emptied pile disappears. Who cannot
//! move loses. A position is the piles and that number k; k = 0 at the beginning. The
//! paper writes *(p₁, ..., pₙ, k) for its Grundy value, and g(n) for *(n, 0) of one pile.

use std::sync::Arc;

use crate::games::nim::most_options;
use crate::index::{Index, LastMoveIndex, RecordIndex};
use crate::moves::from_any_pile;
use crate::{Game, Move, Order, Pile, Position, Remembers, Rules, Size, TableError};

/// Short global nim.
#[derive(Debug)]
pub(crate) struct ShortGlobalNim;

impl Rules for ShortGlobalNim {
    fn id(&self) -> &'static str {
        "short-global-nim"
    }

    fn title(&self) -> &'static str {
        "short global nim"
    }

    fn paper(&self) -> &'static str {
        "INTEGERS 8 (2008), #G01, sections 2 and 3"
    }

    fn order(&self) -> Order {
        Order::Any
    }

    fn remembers(&self) -> Remembers {
        Remembers::LastMove
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let last_move = position.last_move();
        from_any_pile(
            position.piles(),
            |from| (0..from).filter(move |to| from - to != last_move),
            Position::after,
        )
    }

    /// Single piles, which can be large, have records; several piles a value for each last move.
    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        Ok(match size.length {
            1 => Arc::new(RecordIndex::new(game, size)?),
            _ => Arc::new(LastMoveIndex::new(game, size)?),
        })
    }

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        most_options(max_pile, length)
    }

    fn cell_bytes(&self, length: usize) -> Option<usize> {
        (length == 1).then_some(4)
    }
}

#[cfg(test)]
mod tests {
    use crate::games::SHORT_GLOBAL_NIM;
    use crate::reference::Reference;

    #[test]
    fn moves_are_those_of_the_rules() {
        let listed = |text: &str| {
            let position = SHORT_GLOBAL_NIM.parse(text).unwrap();
            SHORT_GLOBAL_NIM
                .moves(&position)
                .iter()
                .map(|m| m.option.to_string())
                .collect::<Vec<_>>()
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
        let mut reference = Reference::new(SHORT_GLOBAL_NIM);
        let mut value = |text: &str| reference.value(&SHORT_GLOBAL_NIM.parse(text).unwrap());
        let g: Vec<u32> = (1..=9).map(|n| value(&n.to_string())).collect();
        assert_eq!(g, [1, 1, 2, 3, 3, 2, 4, 5, 5]);
        assert_eq!((value("4/1"), value("8/3"), value("8/1"), value("7/7")), (2, 3, 4, 0));
        assert_eq!((value("5/1"), value("4/2"), value("9/9")), (3, 3, 0));
        // Theorems 3, 4 and 6.
        assert_eq!((value("1,5/1"), value("2,5/1"), value("1,1,3/1")), (0, 0, 0));
    }
}
