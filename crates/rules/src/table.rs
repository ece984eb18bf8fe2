//! Tables: which positions they hold, and where.
//!
//! The table of (game, N, k) holds every position of k piles of at most N
//! coins. It is a sequence of *tiles*, one per middle `w` with `w <= rev(w)`;
//! the tile of `w` holds the values of all positions `a w b`, N rows by N
//! columns, `a` and `b` from 1:
//!
//! ```text
//! tile 0        tile 1              tile t = rank of w            (see Middles)
//! ┌─────────┐┌─────────┐  ...  ┌───────────────────┐
//! │         ││         │       │ row a-1:          │ value of a w b at column b-1
//! └─────────┘└─────────┘       └───────────────────┘
//! ```
//!
//! A position whose middle is larger than its reversal is looked up reversed.
//! The table of length 1 is one tile of a single row, the seed row; that of
//! length 2 one tile, of the empty middle. This module owns the only bijection
//! between positions (up to reversal of the middle) and offsets; everything
//! that writes or reads a table goes through it.

use std::fmt;
use std::str::FromStr;

use crate::{Game, Middles, Pile, Position};

/// A table: every position of one length with piles of at most `max_pile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    game: Game,
    max_pile: Pile,
    length: usize,
    middles: Middles,
}

/// The largest max pile that a table may have: a tile, the unit of everything,
/// stays within 32 MiB.
pub const LARGEST_MAX_PILE: Pile = 4096;

/// The largest length: 2^63 positions of piles of at most 2.
pub const LARGEST_LENGTH: usize = 63;

/// The largest max pile whose values fit a byte: a value is at most a + b.
pub const LARGEST_BYTE_MAX_PILE: Pile = 127;

/// Why there is no such table.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableError {
    /// Max pile zero, or beyond what one tile may hold.
    #[error("max pile {max_pile} is out of range; it goes from 1 to {LARGEST_MAX_PILE}")]
    MaxPile {
        /// What was asked for.
        max_pile: Pile,
    },
    /// Length zero, or beyond what can be numbered.
    #[error("length {length} is out of range; it goes from 1 to {LARGEST_LENGTH}")]
    Length {
        /// What was asked for.
        length: usize,
    },
    /// More positions than can be numbered.
    #[error(
        "{game} with max pile {max_pile} and length {length} has about {positions:.1e} positions, \
         more than any table can hold; choose a smaller max pile or length"
    )]
    TooLarge {
        /// The game asked.
        game: Game,
        /// The max pile asked.
        max_pile: Pile,
        /// The length asked.
        length: usize,
        /// About how many positions that is.
        positions: f64,
    },
}

impl Table {
    /// The table of this game, max pile and length.
    ///
    /// # Errors
    /// [`TableError`] if the size is zero or beyond 2^63 cells.
    pub fn new(game: Game, max_pile: Pile, length: usize) -> Result<Table, TableError> {
        let out_of_range = TableError::MaxPile { max_pile };
        if max_pile == 0 {
            return Err(out_of_range);
        }
        // Even of piles of at most 1 there are no longer tables, so that no text can ask
        // for more than this much work.
        if length == 0 || max_pile == 1 && length > LARGEST_LENGTH {
            return Err(TableError::Length { length });
        }
        let too_large = || TableError::TooLarge {
            game,
            max_pile,
            length,
            positions: f64::from(max_pile).powf(length as f64),
        };
        // The whole table must be countable, not only its middles. This comes
        // before the range, for the count says more.
        Middles::new(max_pile, length).ok_or_else(too_large)?;
        if max_pile > LARGEST_MAX_PILE {
            return Err(out_of_range);
        }
        let middles = Middles::new(max_pile, length.saturating_sub(2)).ok_or_else(too_large)?;
        Ok(Table { game, max_pile, length, middles })
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The largest pile, N.
    pub fn max_pile(&self) -> Pile {
        self.max_pile
    }

    /// The number of piles of its positions, k.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The numbering of its middles. Lengths 1 and 2 have the empty middle.
    pub fn middles(&self) -> &Middles {
        &self.middles
    }

    /// Rows of a tile: N, or 1 for length 1.
    pub fn tile_rows(&self) -> usize {
        if self.length == 1 { 1 } else { self.max_pile as usize }
    }

    /// Columns of a tile: N.
    pub fn tile_cols(&self) -> usize {
        self.max_pile as usize
    }

    /// Cells of a tile.
    pub fn tile_cells(&self) -> usize {
        self.tile_rows() * self.tile_cols()
    }

    /// The number of tiles, one per canonical middle.
    pub fn tiles(&self) -> u64 {
        self.middles.count()
    }

    /// The number of stored cells.
    pub fn cells(&self) -> u64 {
        self.tiles() * self.tile_cells() as u64
    }

    /// The number of positions the table answers for: N^k, both readings of
    /// each row counted.
    pub fn positions(&self) -> u64 {
        u64::from(self.max_pile).pow(self.length as u32)
    }

    /// Bytes of one stored value: 1 up to N = 127, else 2.
    pub fn value_bytes(&self) -> usize {
        if self.max_pile <= LARGEST_BYTE_MAX_PILE { 1 } else { 2 }
    }

    /// Whether the table answers for a position of these piles.
    pub fn holds(&self, piles: &[Pile]) -> bool {
        piles.len() == self.length && piles.iter().all(|&pile| pile >= 1 && pile <= self.max_pile)
    }

    /// The tile, row and column (from 0) of a position that the table holds.
    pub fn locate(&self, piles: &[Pile]) -> Option<Place> {
        if !self.holds(piles) {
            return None;
        }
        Some(match piles {
            [] => return None,
            &[only] => Place { tile: 0, row: 0, col: only as usize - 1, reversed: false },
            &[first, ref middle @ .., last] => {
                let (a, b) = (first as usize - 1, last as usize - 1);
                match self.middles.rank_either(middle) {
                    (tile, false) => Place { tile, row: a, col: b, reversed: false },
                    (tile, true) => Place { tile, row: b, col: a, reversed: true },
                }
            }
        })
    }

    /// The offset, in cells, of a position that the table holds.
    pub fn offset(&self, piles: &[Pile]) -> Option<u64> {
        let place = self.locate(piles)?;
        let within = place.row * self.tile_cols() + place.col;
        Some(place.tile * self.tile_cells() as u64 + within as u64)
    }

    /// The position stored at an offset; `None` beyond the end. A position
    /// whose middle is larger than its reversal is stored as its reversal.
    pub fn position_at(&self, offset: u64) -> Option<Position> {
        let tile = offset / self.tile_cells() as u64;
        let within = (offset % self.tile_cells() as u64) as usize;
        if tile >= self.tiles() {
            return None;
        }
        let col = (within % self.tile_cols()) as Pile + 1;
        if self.length == 1 {
            return Some(Position::of(&[col]));
        }
        let mut piles = vec![0; self.length];
        piles[0] = (within / self.tile_cols()) as Pile + 1;
        piles[self.length - 1] = col;
        self.middles.unrank(tile, &mut piles[1..self.length - 1]);
        Some(Position::of(&piles))
    }
}

/// Where a position stands in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The tile, from 0.
    pub tile: u64,
    /// The row in the tile, from 0.
    pub row: usize,
    /// The column in the tile, from 0.
    pub col: usize,
    /// Whether it is stored reversed: its first pile counts columns, its last rows.
    pub reversed: bool,
}

impl fmt::Display for Table {
    /// The table's id: `end-nim/n64/k5`, which is also its folder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/n{}/k{}", self.game, self.max_pile, self.length)
    }
}

/// A text that is no table's id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the id of a table; an id reads GAME/nN/kLENGTH, as in end-nim/n64/k5")]
pub struct NotATableId(pub String);

impl FromStr for Table {
    type Err = NotATableId;

    fn from_str(id: &str) -> Result<Table, NotATableId> {
        let read = || {
            let mut parts = id.split('/');
            let game = parts.next()?.parse().ok()?;
            let max_pile = parts.next()?.strip_prefix('n')?.parse().ok()?;
            let length = parts.next()?.strip_prefix('k')?.parse().ok()?;
            Table::new(game, max_pile, length).ok().filter(|table| table.to_string() == id)
        };
        read().ok_or_else(|| NotATableId(id.to_owned()))
    }
}

/// The length built when none is asked for: the largest with at most 2^31
/// positions, and at most 8 piles.
pub fn default_length(max_pile: Pile) -> usize {
    let n = u64::from(max_pile.max(1));
    let fits = |length: u32| n.checked_pow(length).is_some_and(|count| count <= 1 << 31);
    (1..=8).take_while(|&length| fits(length)).last().unwrap_or(1) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_offset_is_the_offset_of_its_position() {
        for (n, longest) in [(1, 5), (2, 8), (3, 6), (5, 4), (9, 3)] {
            for length in 1..=longest {
                let table = Table::new(Game::EndNim, n, length).unwrap();
                for offset in 0..table.cells() {
                    let position = table.position_at(offset).unwrap();
                    assert_eq!(table.offset(position.piles()), Some(offset), "{table} {position}");
                }
                assert_eq!(table.position_at(table.cells()), None);
            }
        }
    }

    #[test]
    fn sizes() {
        let table = Table::new(Game::EndNim, 64, 5).unwrap();
        assert_eq!(table.positions(), 1_073_741_824);
        assert_eq!(table.tiles(), (64u64.pow(3) + 64u64.pow(2)) / 2);
        assert_eq!(table.to_string(), "end-nim/n64/k5");
        assert_eq!("end-nim/n64/k5".parse(), Ok(table));
        for id in ["end-nim/n64", "end-nim/n064/k5", "chess/n64/k5", "end-nim/n64/k5/x"] {
            assert!(id.parse::<Table>().is_err(), "{id}");
        }
        assert_eq!((default_length(64), default_length(16), default_length(1024)), (5, 7, 3));
        assert_eq!(Table::new(Game::EndNim, 0, 3), Err(TableError::MaxPile { max_pile: 0 }));
        let too_large = Table::new(Game::EndNim, 100_000, 6);
        assert!(matches!(too_large, Err(TableError::TooLarge { .. })));
        assert_eq!(Table::new(Game::EndNim, 5000, 2), Err(TableError::MaxPile { max_pile: 5000 }));
    }

    proptest! {
        #[test]
        fn a_position_and_its_reversal_share_a_tile(
            piles in prop::collection::vec(1u32..=64, 1..9)
        ) {
            let table = Table::new(Game::EndNim, 64, piles.len()).unwrap();
            let position = Position::of(&piles);
            let back = position.reversed();
            let here = table.locate(position.piles()).unwrap();
            let there = table.locate(back.piles()).unwrap();
            prop_assert_eq!(here.tile, there.tile);
            let stored = table.position_at(table.offset(&piles).unwrap()).unwrap();
            prop_assert!(stored == position || stored == back);
        }
    }
}
