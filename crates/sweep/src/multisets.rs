//! Fills tables of Nim and misère Nim: whole levels in memory, by mex, one after another.
//!
//! A level is small, because positions that differ only in the order of piles count once. There are
//! 766,480 positions of four piles of up to 64. So levels are not divided into tiles. A level is an
//! array in the order of [`Multisets`], and callers iterate over the array.

use grundy_kernels::multisets::{fill, fill_bytes};
use grundy_rules::{Family, Game, Multisets, Pile};

use crate::{Control, Stopped};

/// The values of all multisets of 1, 2, ... piles, for one game and largest pile.
#[derive(Clone, Debug)]
pub struct MultisetLevels {
    game: Game,
    max_pile: Pile,
    levels: Vec<Vec<u16>>,
}

impl MultisetLevels {
    /// Returns the level of single piles, which the rules give directly.
    ///
    /// # Panics
    /// If the game is not of [`Family::Heaps`]: Nim and its variants with other values of single
    /// piles.
    pub fn new(game: Game, max_pile: Pile) -> MultisetLevels {
        assert!(game.family() == Family::Heaps, "{game} is not filled like Nim");
        let singles = game.single_piles(max_pile);
        let seeds = singles.up_to(max_pile).map(|value| value as u16).collect();
        MultisetLevels { game, max_pile, levels: vec![seeds] }
    }

    /// Returns the bytes of all levels up to these multisets, and of the memory to fill them.
    pub fn bytes(multisets: &Multisets, largest_value: u64) -> u64 {
        // All shorter levels together are rarely larger than this level.
        let levels = multisets.count().saturating_mul(2).saturating_mul(2);
        levels.saturating_add(fill_bytes(multisets, largest_value))
    }

    /// Adds levels until level `length` exists.
    ///
    /// # Errors
    /// [`Stopped`] if the control requests a stop; completed levels stay.
    ///
    /// # Panics
    /// If there are too many multisets to number.
    pub fn extend(&mut self, length: usize, control: &Control) -> Result<(), Stopped> {
        while self.levels.len() < length {
            let longer = self.levels.len() + 1;
            let Some(multisets) = Multisets::new(self.max_pile, longer) else {
                panic!("{} has too many multisets of {longer} piles", self.game);
            };
            let largest = self.game.largest_value(self.max_pile, longer);
            let below = &self.levels[self.levels.len() - 1];
            let filled = fill(&multisets, below, largest, |_| !control.is_stopped());
            self.levels.push(filled.ok_or(Stopped)?);
        }
        Ok(())
    }

    pub fn level(&self, length: usize) -> Option<&[u16]> {
        self.levels.get(length.checked_sub(1)?).map(Vec::as_slice)
    }
}
