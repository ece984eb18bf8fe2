//! Short global nim: the rules (the 2008 paper in INTEGERS, sections 2 and 3).
//!
//! Piles are a multiset. A move takes one or more coins from one pile, but not the number k that
//! the last move took. An emptied pile disappears. A player who cannot move loses. A position
//! consists of the piles and k, which is 0 at the beginning. The paper writes *(p₁, ..., pₙ, k) for
//! its Grundy value. For one pile it writes g(n) for *(n, 0).

use std::sync::Arc;

use crate::games::nim::most_options;
use crate::index::{Index, MultisetIndex, RecordIndex};
use crate::moves::from_any_pile;
use crate::{Game, Move, Order, Pile, Position, Remembers, Rules, Size, TableError};

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

    fn rule(&self) -> &'static str {
        "Take any number of coins from one pile, but not the number that was just taken. \
         Whoever cannot move loses."
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

    /// A table of single piles holds records, because it can be large. A table of several piles
    /// holds a value for each last move.
    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        Ok(match size.length {
            1 => Arc::new(RecordIndex::new(game, size)?),
            _ => Arc::new(MultisetIndex::with_last_moves(game, size)?),
        })
    }

    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        most_options(max_pile, length)
    }

    fn cell_bytes(&self, length: usize) -> Option<usize> {
        (length == 1).then_some(4)
    }
}
