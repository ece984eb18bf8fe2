//! Long global nim: the rules (the 2008 paper in INTEGERS, sections 4 and 5).
//!
//! Piles are a multiset. A move takes s coins from one pile, where s is one of the available
//! numbers. After that, neither player may take s coins again, from any pile. A player who cannot
//! move loses. A position [(p₁, ..., pₙ), S] consists of the piles and the set S of available
//! numbers. Numbers larger than every pile never matter and are left out.

use std::sync::Arc;

use crate::index::{Index, SetIndex, SetRowIndex};
use crate::moves::from_any_pile;
use crate::{Family, Game, Move, Order, Pile, Position, Remembers, Rules, Size, TableError};

#[derive(Debug)]
pub(crate) struct LongGlobalNim;

impl Rules for LongGlobalNim {
    fn id(&self) -> &'static str {
        "long-global-nim"
    }

    fn title(&self) -> &'static str {
        "long global nim"
    }

    fn paper(&self) -> &'static str {
        "INTEGERS 8 (2008), #G01, sections 4 and 5"
    }

    fn rule(&self) -> &'static str {
        "From one pile, take a number of coins that neither player has taken before. Whoever \
         cannot move loses."
    }

    fn order(&self) -> Order {
        Order::Any
    }

    fn remembers(&self) -> Remembers {
        Remembers::Moves
    }

    fn family(&self) -> Family {
        Family::Sets
    }

    fn moves(&self, position: &Position) -> Vec<Move> {
        let available = position.available();
        let lowered = |from: Pile| {
            let taken: Vec<Pile> = available.iter().take_while(|&s| s <= from).collect();
            taken.into_iter().rev().map(move |s| from - s)
        };
        from_any_pile(position.piles(), lowered, |piles, taken| {
            Position::with_available(piles, &available.without(taken, Pile::MAX))
        })
    }

    /// In tables of single piles, a cell contains the values for sixteen sets.
    fn index(&self, game: Game, size: Size) -> Result<Arc<dyn Index>, TableError> {
        Ok(match size.length {
            1 => Arc::new(SetIndex::new(game, size)?),
            _ => Arc::new(SetRowIndex::new(game, size)?),
        })
    }

    /// Returns a bound on values. A value v requires v moves with different numbers of coins up to
    /// n, so v <= n. For one pile, the moves take at least 1 + ... + v coins, so this sum is <= n.
    fn largest_value(&self, max_pile: Pile, length: usize) -> u64 {
        let n = u64::from(max_pile);
        match length {
            1 => (1..).take_while(|v| v * (v + 1) / 2 <= n).last().unwrap_or(0),
            _ => n,
        }
    }

    fn cell_bytes(&self, length: usize) -> Option<usize> {
        (length == 1).then_some(4)
    }
}
