//! Single piles with the last move. Each pile n = 1, ..., N has a tile of one row, a *record*.
//! Nearly all values *(n, k) are g(n) = *(n, 0), so a record holds g(n) and the exceptions:
//!
//! ```text
//! column   0     1        2 .. 1 + count                      the rest
//!          g(n)  count    m = n - k of each exceptional k     0
//!                         in ascending order
//! ```
//!
//! For an exceptional k, *(n, k) = *(n - k, k) by Corollary 10 of the paper on global nim. The
//! record of m = n - k gives this value. A table of g alone has one column.

use super::{Index, LARGEST_RECORD, Numbering, Place, Shape};
use crate::{Form, Game, Memory, Pile, Position, Size, TableError};

/// The largest number of exceptions that a record can hold.
pub const MOST_EXCEPTIONS: usize = 62;

/// The index of tables of single piles, with whole records or with g(n) alone.
#[derive(Debug)]
pub struct RecordIndex {
    max_pile: Pile,
    form: Form,
}

impl RecordIndex {
    /// Returns the records of the single piles up to `max_pile`.
    pub fn new(game: Game, size: Size) -> Result<RecordIndex, TableError> {
        let Size { max_pile, length, form } = size;
        if length != 1 {
            return Err(TableError::Form { game, length });
        }
        if !(1..=LARGEST_RECORD).contains(&max_pile) {
            return Err(TableError::Record { max_pile });
        }
        Ok(RecordIndex { max_pile, form })
    }
}

impl Index for RecordIndex {
    fn numbering(&self) -> Numbering {
        Numbering::Records
    }

    fn shape(&self) -> Shape {
        let cols = if self.form == Form::ValuesOnly { 1 } else { 2 + MOST_EXCEPTIONS };
        Shape { cols, ..Shape::single(u64::from(self.max_pile)) }
    }

    fn positions(&self) -> u64 {
        let n = u64::from(self.max_pile);
        if self.form == Form::ValuesOnly { n } else { n * (n + 3) / 2 }
    }

    /// Returns the first cell of the pile's record.
    fn locate(&self, piles: &[Pile], _: &Memory) -> Option<Place> {
        match *piles {
            [pile] if (1..=self.max_pile).contains(&pile) => Some(Place::tile(u64::from(pile) - 1)),
            _ => None,
        }
    }

    /// Returns the pile whose record has the cell with this number. The position has no last move.
    fn position(&self, number: u64) -> Option<Position> {
        let before = number / self.shape().cols as u64;
        let is_held = before < u64::from(self.max_pile);
        is_held.then(|| Position::after(vec![before as Pile + 1], 0))
    }
}
