//! Nim and misère Nim: whole levels in memory, filled by mex one after another.
//!
//! A level is small, for equal positions are counted once (766,480 of four piles of up to
//! 64), so nothing here is cut into tiles or walked: a level is an array in the order of
//! [`Multisets`], and whoever wants to look at all positions looks at it.

use grundy_kernels::multisets::{fill, fill_bytes};
use grundy_rules::{Game, Layout, Multisets, Pile, Table, end_nim};

use crate::{Control, Stopped};

/// The values of all multisets of 1, 2, ... piles of one game and max pile.
#[derive(Clone, Debug)]
pub struct MultisetLevels {
    game: Game,
    max_pile: Pile,
    levels: Vec<Vec<u16>>,
}

impl MultisetLevels {
    /// The single piles, straight from the rules.
    pub fn new(game: Game, max_pile: Pile) -> MultisetLevels {
        let seeds = (1..=max_pile).map(|pile| end_nim::seed(game, pile) as u16);
        MultisetLevels { game, max_pile, levels: vec![seeds.collect()] }
    }

    /// Bytes that the levels up to a table, and the filling of it, take.
    pub fn bytes(multisets: &Multisets, largest_value: u64) -> u64 {
        // All shorter levels together are rarely larger than this one.
        let levels = multisets.count().saturating_mul(2).saturating_mul(2);
        levels.saturating_add(fill_bytes(multisets, largest_value))
    }

    /// Adds levels until `length` is the longest. Does nothing if it is.
    ///
    /// # Errors
    /// [`Stopped`] if the control asks for it; the levels already made stay.
    ///
    /// # Panics
    /// If there is no such table.
    pub fn extend(&mut self, length: usize, control: &Control) -> Result<(), Stopped> {
        while self.levels.len() < length {
            let table = Table::new(self.game, self.max_pile, self.levels.len() + 1);
            let Ok(Layout::Multisets(multisets)) = table.as_ref().map(Table::layout) else {
                panic!("{} has no multisets of {length} piles", self.game);
            };
            let largest = table.as_ref().map_or(0, Table::largest_value);
            let below = &self.levels[self.levels.len() - 1];
            let filled = fill(multisets, below, largest, |_| !control.is_stopped());
            self.levels.push(filled.ok_or(Stopped)?);
        }
        Ok(())
    }

    /// The values of all multisets of `length` piles, in order.
    pub fn level(&self, length: usize) -> Option<&[u16]> {
        self.levels.get(length.checked_sub(1)?).map(Vec::as_slice)
    }
}
