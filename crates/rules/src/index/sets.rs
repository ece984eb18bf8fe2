//! Single piles with the available moves, numbered as in [`set_rows`](super::set_rows). A tile is
//! one cell of four bytes, which encodes sixteen positions. docs/FORMAT.md describes the encoding.

use std::ops::Range;

use super::set_rows::{mask_of, set_index, set_of_index};
use super::{Index, Numbering, Place, Shape, check};
use crate::{Game, Memory, MoveSet, Pile, Position, Size, TableError};

/// The number of positions in a cell.
pub const SETS_PER_CELL: u64 = 16;

/// The largest pile in tables of single piles with sets of moves. Up to this pile, a value has at
/// most three bits.
pub const LARGEST_SETS_PILE: Pile = 35;

/// Single piles with every set of moves. A cell contains the values for sixteen sets.
#[derive(Debug)]
pub struct SetIndex {
    max_pile: Pile,
}

impl SetIndex {
    /// Returns the sets of the piles up to `max_pile`.
    pub fn new(game: Game, size: Size) -> Result<SetIndex, TableError> {
        let Size { max_pile, length, .. } = size;
        let most = LARGEST_SETS_PILE;
        if !(1..=most).contains(&max_pile) {
            return Err(TableError::Sets { game, max_pile, length, most });
        }
        check(game, size)?;
        Ok(SetIndex { max_pile })
    }
}

impl Index for SetIndex {
    fn numbering(&self) -> Numbering {
        Numbering::Sets
    }

    fn shape(&self) -> Shape {
        let tiles = (2u64 << self.max_pile).div_ceil(SETS_PER_CELL);
        Shape::single(tiles)
    }

    fn positions(&self) -> u64 {
        (2 << self.max_pile) - 2
    }

    fn locate(&self, piles: &[Pile], memory: &Memory) -> Option<Place> {
        match *piles {
            [pile] if (1..=self.max_pile).contains(&pile) => {
                let number = 1 << pile | set_index(pile, mask_of(memory)?);
                let within = (number % SETS_PER_CELL) as u32;
                Some(Place { within, ..Place::tile(number / SETS_PER_CELL) })
            }
            _ => None,
        }
    }

    /// The number 0 has no position, and 1 is the number of the position without coins.
    fn position(&self, number: u64) -> Option<Position> {
        let pile = number.checked_ilog2().filter(|&pile| pile <= self.max_pile)?;
        let set = set_of_index(pile, number & ((1 << pile) - 1));
        let piles = if pile == 0 { Vec::new() } else { vec![pile] };
        Some(Position::with_available(piles, &MoveSet::of_mask(set)))
    }

    fn numbers(&self) -> Range<u64> {
        2..2 << self.max_pile
    }
}
