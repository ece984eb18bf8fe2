//! What both evaluators ask of whoever has the tables.

use std::sync::Arc;

pub use grundy_kernels::cells::Cells;
use grundy_language::ValueError;
use grundy_rules::{Game, Memory, Pile, Player};

/// The values of positions other than the one that is looked at.
pub trait Values: Sync {
    /// The Grundy value of a position, or the place of its class in
    /// [`Outcome::ALL`](grundy_rules::Outcome::ALL). Piles and memory are those of a position of
    /// the game, in the order in which the game writes them.
    fn cell(&self, game: Game, piles: &[Pile], memory: &Memory) -> Result<u32, ValueError>;

    /// The values of all rows of so many piles of a game, if they lie in memory one by one: where the
    /// order of piles does not matter, of all orders.
    fn dense(&self, _game: Game, _length: usize) -> Option<Dense<'_>> {
        None
    }

    /// Shows who may make each move of a position, and the cell of the option.
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

/// Values in memory: that of a row p1, ..., pk of piles up to `max_pile` stands at the sum of
/// (pi - 1) times the i-th stride.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    /// The values.
    pub cells: Cells<'a>,
    /// One for each pile.
    pub strides: &'a [usize],
    /// The largest pile.
    pub max_pile: Pile,
}

/// Cells in which a row stands with those whose first, or last, pile is lower.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) cells: Cells<'a>,
    /// The place of the first lane.
    pub(crate) from: usize,
    /// From a row to that with one coin more in its first pile, and in its last.
    pub(crate) steps: [usize; 2],
}
