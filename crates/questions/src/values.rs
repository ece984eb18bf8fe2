//! The values of the positions that a statement looks up, for both evaluators.

use std::sync::Arc;

use grundy_kernels::cells::CellVec;
pub use grundy_kernels::cells::Cells;
use grundy_language::ValueError;
use grundy_rules::{Game, Memory, Pile, Player};

pub trait Values: Sync {
    /// Returns the Grundy value of a position, or the index of its class in
    /// [`Outcome::ALL`](grundy_rules::Outcome::ALL). Callers give only valid positions, with the
    /// piles in the order of the game.
    fn cell(&self, game: Game, piles: &[Pile], memory: &Memory) -> Result<u32, ValueError>;

    /// Returns the values of all rows of `length` piles of a game, if they are in memory. The rows
    /// include every order of the piles, even if the order does not matter.
    fn dense(&self, _game: Game, _length: usize) -> Option<Dense<'_>> {
        None
    }

    /// Returns what fills the tiles of another game, if the statement asks only for its values at
    /// the positions of the tiles.
    fn beside(&self, _game: Game) -> Option<Tiles<'_>> {
        None
    }

    /// Calls `show` for each move of a position, with its player and the cell of its option.
    fn options(
        &self,
        game: Game,
        piles: &[Pile],
        memory: &Memory,
        show: &mut dyn FnMut(Player, u32),
    ) -> Result<(), ValueError> {
        let moves = game.try_moves(&game.position_with(piles, memory));
        for made in moves.map_err(|error| -> ValueError { Arc::new(error) })? {
            let option = self.cell(game, made.option.piles(), made.option.memory())?;
            show(made.player, option);
        }
        Ok(())
    }
}

/// Fills the cells of the tile with these shared piles.
pub type FillTile<'a> = Box<dyn FnMut(&[Pile], &mut CellVec) + Send + 'a>;

/// The tiles of another game, filled one by one.
pub struct Tiles<'a> {
    pub fill: FillTile<'a>,
    pub cells: CellVec,
}

/// Values in memory. The index of a row p1, ..., pk is the sum of (pi - 1) times the i-th stride.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    pub cells: Cells<'a>,
    pub strides: &'a [usize],
    pub max_pile: Pile,
}

/// The cells of a set of rows. Lowering an end pile of a row gives a row of the same set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) cells: Cells<'a>,
    pub(crate) from: usize,
    /// The distance between the cells of two rows that differ by one coin in the first pile, and
    /// the distance for the last pile.
    pub(crate) steps: [usize; 2],
}
