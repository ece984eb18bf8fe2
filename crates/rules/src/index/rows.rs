//! Rows that have the same value as their reversal. A tile holds all rows with the same middle.

use super::{Index, Middles, Numbering, Place, Shape, check, check_range, holds, too_large};
use crate::size::LARGEST_MAX_PILE;
use crate::{Game, Memory, Pile, Position, Size, TableError};

/// Positions are ordered by their middles. Each middle has a tile of N rows and N columns. If a
/// middle is larger than its reversal, the tile of the reversal holds the reversed position. The
/// table of length 1 is one tile of a single row, the seed row. The table of length 2 is one tile,
/// for the empty middle.
///
/// ```text
/// tile 0        tile 1              tile t = rank of w            (see Middles)
/// ┌─────────┐┌─────────┐  ...  ┌───────────────────┐
/// │         ││         │       │ row a-1:          │ value of a w b at column b-1
/// └─────────┘└─────────┘       └───────────────────┘
/// ```
#[derive(Debug)]
pub struct RowIndex {
    max_pile: Pile,
    length: usize,
    /// The middles, each of which has a tile.
    words: Middles,
}

impl RowIndex {
    /// Returns the middles of a table.
    pub fn new(game: Game, size: Size) -> Result<RowIndex, TableError> {
        check(game, size)?;
        let Size { max_pile, length, .. } = size;
        // Check the number of positions too, because it exceeds the number of tiles.
        let too_large = || too_large(game, size);
        Middles::new(max_pile, length).ok_or_else(too_large)?;
        let words = Middles::new(max_pile, length.saturating_sub(2)).ok_or_else(too_large)?;
        check_range(size, LARGEST_MAX_PILE)?;
        Ok(RowIndex { max_pile, length, words })
    }
}

impl Index for RowIndex {
    fn numbering(&self) -> Numbering {
        Numbering::Middles
    }

    fn shape(&self) -> Shape {
        let n = self.max_pile as usize;
        Shape { rows: if self.length > 1 { n } else { 1 }, cols: n, tiles: self.words.count() }
    }

    fn positions(&self) -> u64 {
        u64::from(self.max_pile).pow(self.length as u32)
    }

    fn locate(&self, piles: &[Pile], _: &Memory) -> Option<Place> {
        if !holds(piles, self.max_pile, self.length) {
            return None;
        }
        let place = |tile, row: Pile, col: Pile, reversed| {
            Some(Place { tile, row: row as usize - 1, col: col as usize - 1, within: 0, reversed })
        };
        match *piles {
            [] => None,
            [only] => place(0, 1, only, false),
            [first, ref middle @ .., last] => match self.words.rank_either(middle) {
                (tile, false) => place(tile, first, last, false),
                (tile, true) => place(tile, last, first, true),
            },
        }
    }

    fn position(&self, number: u64) -> Option<Position> {
        let Shape { rows, cols, tiles } = self.shape();
        let tile = number / (rows * cols) as u64;
        if tile >= tiles {
            return None;
        }
        let within = (number % (rows * cols) as u64) as usize;
        let (row, col) = ((within / cols) as Pile + 1, (within % cols) as Pile + 1);
        let mut piles = vec![0; self.length];
        match &mut piles[..] {
            [] => return None,
            [only] => *only = col,
            [first, middle @ .., last] => {
                self.words.unrank(tile, middle);
                (*first, *last) = (row, col);
            }
        }
        Some(Position::row(&piles))
    }

    fn tile_word(&self, tile: u64, word: &mut Vec<Pile>) {
        word.clear();
        word.resize(self.words.length(), 0);
        self.words.unrank(tile, word);
    }
}
