//! Rows that read differently backwards: all words in lexicographic order, one tile for all
//! that differ in the last two piles only.

use super::{
    Index, Middles, Numbering, Place, Shape, check, check_range, holds, lex_index, lex_word,
    too_large,
};
use crate::{Game, Memory, Pile, Position, Size, TableError};

/// Words in lexicographic order.
#[derive(Debug)]
pub struct WordIndex {
    max_pile: Pile,
    length: usize,
    tiles: u64,
}

impl WordIndex {
    /// The words of a table.
    pub fn new(game: Game, size: Size) -> Result<WordIndex, TableError> {
        check(game, size)?;
        let Size { max_pile, length, .. } = size;
        // The whole table must be countable, not only its tiles.
        let too_large = || too_large(game, size);
        Middles::new(max_pile, length).ok_or_else(too_large)?;
        let outer = Middles::new(max_pile, length.saturating_sub(2)).ok_or_else(too_large)?;
        check_range(size)?;
        Ok(WordIndex { max_pile, length, tiles: outer.words() })
    }
}

impl Index for WordIndex {
    fn numbering(&self) -> Numbering {
        Numbering::Words
    }

    fn shape(&self) -> Shape {
        let n = self.max_pile as usize;
        let rows = if self.length > 1 { n } else { 1 };
        Shape { rows, cols: n, tiles: self.tiles }
    }

    fn positions(&self) -> u64 {
        u64::from(self.max_pile).pow(self.length as u32)
    }

    fn locate(&self, piles: &[Pile], _: &Memory) -> Option<Place> {
        if !holds(piles, self.max_pile, self.length) {
            return None;
        }
        match *piles {
            [] => None,
            [only] => Some(Place { col: only as usize - 1, ..Place::tile(0) }),
            [ref word @ .., a, b] => Some(Place {
                row: a as usize - 1,
                col: b as usize - 1,
                ..Place::tile(lex_index(word, u64::from(self.max_pile)))
            }),
        }
    }

    fn position(&self, number: u64) -> Option<Position> {
        if number >= self.positions() {
            return None;
        }
        let mut piles = vec![0; self.length];
        lex_word(number, u64::from(self.max_pile), &mut piles);
        Some(Position::row(&piles))
    }

    fn tile_word(&self, tile: u64, word: &mut Vec<Pile>) {
        assert!(tile < self.tiles);
        word.clear();
        word.resize(self.length.saturating_sub(2), 0);
        lex_word(tile, u64::from(self.max_pile), word);
    }
}
