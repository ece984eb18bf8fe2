//! Piles in any order with the move just played: multisets in their order, and for each a tile
//! of one row with the values for the last moves 0, 1, ..., N. A last move larger than every
//! pile forbids nothing and stands in column 0.

use super::{
    Index, Multisets, Numbering, Place, Shape, check_range, holds, multisets, sorted, too_large,
};
use crate::{Game, Memory, Pile, Position, Size, TableError};

/// Multisets in colexicographic order, a tile of the last moves 0..=N for each.
#[derive(Debug)]
pub struct LastMoveIndex {
    multisets: Multisets,
}

impl LastMoveIndex {
    /// The multisets of a table.
    pub fn new(game: Game, size: Size) -> Result<LastMoveIndex, TableError> {
        let multisets = multisets(game, size)?;
        let cells = multisets.count().checked_mul(u64::from(multisets.max_pile()) + 1);
        cells.filter(|&cells| cells <= 1 << 63).ok_or_else(|| too_large(game, size))?;
        check_range(size)?;
        Ok(LastMoveIndex { multisets })
    }
}

impl Index for LastMoveIndex {
    fn numbering(&self) -> Numbering {
        Numbering::LastMoves
    }

    fn multisets(&self) -> Option<&Multisets> {
        Some(&self.multisets)
    }

    fn shape(&self) -> Shape {
        let cols = self.multisets.max_pile() as usize + 1;
        Shape { cols, ..Shape::single(self.multisets.count()) }
    }

    /// A last move that is no larger than the largest pile makes a position of its own.
    fn positions(&self) -> u64 {
        self.multisets.count() * (u64::from(self.multisets.max_pile()) + 1)
    }

    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place> {
        if !holds(piles, self.multisets.max_pile(), self.multisets.length()) {
            return None;
        }
        let piles = sorted(piles);
        let last_move = match *memory {
            Memory::LastMove(taken) if piles.last().is_some_and(|&p| taken <= p) => taken as usize,
            _ => 0,
        };
        Some(Place { col: last_move, ..Place::tile(self.multisets.rank(&piles)) })
    }

    fn position(&self, number: u64) -> Option<Position> {
        if number >= self.positions() {
            return None;
        }
        let cols = u64::from(self.multisets.max_pile()) + 1;
        let mut piles = vec![0; self.multisets.length()];
        self.multisets.unrank(number / cols, &mut piles);
        Some(Position::after(piles, (number % cols) as Pile))
    }
}
