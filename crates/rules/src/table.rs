//! Tables: which positions they hold.
//!
//! The table of (game, N, k) holds every position of k piles of at most N coins. The game says
//! how they are numbered ([`Index`](crate::index::Index)); everything that writes or reads a
//! table goes through that.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use crate::index::{Index, Multisets, Numbering, Place, Shape};
use crate::{Form, Game, Memory, Pile, Position, Size, TableError};

/// A table: every position of one length with piles of at most `max_pile`.
#[derive(Clone, Debug)]
pub struct Table {
    game: Game,
    size: Size,
    shape: Shape,
    index: Arc<dyn Index>,
}

impl Table {
    /// The table of this game, max pile and length.
    pub fn new(game: Game, max_pile: Pile, length: usize) -> Result<Table, TableError> {
        Table::of(game, Size { max_pile, length, form: Form::Whole })
    }

    /// The table of the single piles of a game that has records, g(n) alone.
    pub fn values_only(game: Game, max_pile: Pile) -> Result<Table, TableError> {
        Table::of(game, Size { max_pile, length: 1, form: Form::ValuesOnly })
    }

    /// The table of this game and size.
    pub fn of(game: Game, size: Size) -> Result<Table, TableError> {
        if size.length == 0 {
            return Err(TableError::Length { length: 0 });
        }
        let index = game.index(game, size)?;
        Ok(Table { game, size, shape: index.shape(), index })
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The largest pile, N.
    pub fn max_pile(&self) -> Pile {
        self.size.max_pile
    }

    /// The number of piles of its positions, k.
    pub fn length(&self) -> usize {
        self.size.length
    }

    /// What is stored of each position.
    pub fn form(&self) -> Form {
        self.size.form
    }

    /// How its positions are numbered.
    pub fn numbering(&self) -> Numbering {
        self.index.numbering()
    }

    /// The multisets of piles that the tiles go through, one each; `None` if they go through
    /// something else.
    pub fn multisets(&self) -> Option<&Multisets> {
        self.index.multisets()
    }

    /// Rows of a tile.
    pub fn tile_rows(&self) -> usize {
        self.shape.rows
    }

    /// Columns of a tile.
    pub fn tile_cols(&self) -> usize {
        self.shape.cols
    }

    /// Cells of a tile.
    pub fn tile_cells(&self) -> usize {
        self.shape.rows * self.shape.cols
    }

    /// The number of tiles.
    pub fn tiles(&self) -> u64 {
        self.shape.tiles
    }

    /// The values in a cell: one, but for sets of moves of single piles.
    pub fn values_per_cell(&self) -> u64 {
        self.numbering().values_per_cell()
    }

    /// Writes the piles that all positions of a tile share into `word`, replacing what it
    /// held: the middle, or the word before the last two piles, or nothing.
    ///
    /// # Panics
    /// If there is no such tile.
    pub fn tile_word(&self, tile: u64, word: &mut Vec<Pile>) {
        self.index.tile_word(tile, word);
    }

    /// The number of stored cells.
    pub fn cells(&self) -> u64 {
        self.tiles() * self.tile_cells() as u64
    }

    /// The number of positions the table answers for: both readings of each row counted; of
    /// multisets as many as there are; with what the game remembers, each state of it.
    pub fn positions(&self) -> u64 {
        self.index.positions()
    }

    /// The number of values that are stored, which is that of the numbers of positions.
    pub fn values(&self) -> u64 {
        self.cells() * self.numbering().values_per_cell()
    }

    /// The largest number that may have to be stored.
    pub fn largest_value(&self) -> u64 {
        match self.numbering() {
            // The largest m of an exception.
            Numbering::Records => u64::from(self.max_pile()),
            _ => self.game.largest_value(self.max_pile(), self.length()),
        }
    }

    /// Bytes of one stored cell: what the game says, else just enough for the largest value.
    pub fn value_bytes(&self) -> usize {
        self.game.cell_bytes(self.length()).unwrap_or_else(|| match self.largest_value() {
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        })
    }

    /// Whether the table answers for a position of these piles.
    pub fn holds(&self, piles: &[Pile]) -> bool {
        piles.len() == self.length()
            && piles.iter().all(|&pile| pile >= 1 && pile <= self.max_pile())
    }

    /// The tile, row and column of a position that the table holds.
    pub fn locate(&self, position: &Position) -> Option<Place> {
        self.index.locate(position.piles(), position.memory())
    }

    /// The same for piles with nothing to remember.
    pub fn locate_piles(&self, piles: &[Pile]) -> Option<Place> {
        self.index.locate(piles, &Memory::Nothing)
    }

    /// The number of a position that the table holds: of a record, that of its first cell.
    pub fn number(&self, position: &Position) -> Option<u64> {
        self.locate(position).map(|place| self.number_of(place))
    }

    /// The number of a place.
    pub fn number_of(&self, place: Place) -> u64 {
        let within = (place.row * self.tile_cols() + place.col) as u64;
        let cell = place.tile * self.tile_cells() as u64 + within;
        cell * self.values_per_cell() + u64::from(place.within)
    }

    /// The position with a number; `None` beyond the end, and for numbers that none has. Of a
    /// row and its reversal it is the one that is stored.
    pub fn position(&self, number: u64) -> Option<Position> {
        self.index.position(number)
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        (self.game, self.size) == (other.game, other.size)
    }
}

impl Eq for Table {}

impl fmt::Display for Table {
    /// The table's id: `end-nim/n64/k5`, which is also its folder.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form() {
            Form::Whole => write!(f, "{}/n{}/k{}", self.game, self.max_pile(), self.length()),
            Form::ValuesOnly => write!(f, "{}/n{}/g", self.game, self.max_pile()),
        }
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
            let table = match parts.next()? {
                "g" => Table::values_only(game, max_pile),
                k => Table::new(game, max_pile, k.strip_prefix('k')?.parse().ok()?),
            };
            table.ok().filter(|table| table.to_string() == id)
        };
        read().ok_or_else(|| NotATableId(id.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{
        END_NIM, END_WYTHOFF, LONG_GLOBAL_NIM, MISERE_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM,
    };
    use crate::index::{LARGEST_SET_ROWS, LARGEST_SETS_PILE, SETS_PER_CELL};
    use crate::{MoveSet, Order};
    use proptest::prelude::*;

    #[test]
    fn every_number_is_the_number_of_its_position() {
        let sizes = [(1, 5), (2, 8), (3, 6), (5, 4), (9, 3)];
        for (game, (n, longest)) in Game::all().flat_map(|game| sizes.map(|s| (game, s))) {
            for length in 1..=longest {
                let table = Table::new(game, n, length).unwrap();
                let (mut word, mut found) = (Vec::new(), 0);
                for number in 0..table.values() {
                    let Some(position) = table.position(number) else { continue };
                    found += 1;
                    let cols = table.tile_cols() as u64;
                    let first = match table.numbering() {
                        Numbering::Records => number / cols * cols,
                        _ => number,
                    };
                    // A last move that forbids nothing stands with no last move.
                    let idle = position.last_move() > position.max_pile();
                    let expected = if idle { number / cols * cols } else { first };
                    if !position.piles().is_empty() {
                        assert_eq!(table.number(&position), Some(expected), "{table} {position}");
                    }
                    let tile = number / table.values_per_cell() / table.tile_cells() as u64;
                    table.tile_word(tile, &mut word);
                    let piles = position.piles();
                    if table.numbering() == Numbering::Middles && length > 1 {
                        assert_eq!(word, piles[1..length - 1]);
                    } else {
                        assert_eq!(word, piles[..word.len()]);
                    }
                }
                assert!(found > 0 && table.position(table.values()).is_none(), "{table}");
            }
        }
    }

    /// Words stand in lexicographic order, so that the number says what docs/FORMAT.md does.
    #[test]
    fn words_in_lexicographic_order() {
        let table = Table::new(PARTIZAN_END_NIM, 7, 4).unwrap();
        let number = table.number(&Position::row(&[3, 7, 1, 2]));
        assert_eq!(number, Some(((2 * 7 + 6) * 7) * 7 + 1));
        assert_eq!((table.cells(), table.value_bytes()), (7u64.pow(4), 2));
    }

    #[test]
    fn multisets_in_any_order_of_piles() {
        let table = Table::new(NIM, 9, 3).unwrap();
        assert_eq!(table.locate_piles(&[4, 1, 3]), table.locate_piles(&[1, 3, 4]));
        assert_eq!((table.positions(), table.tile_cells()), (165, 1));
        let width = |n, k| Table::new(MISERE_NIM, n, k).unwrap().value_bytes();
        assert_eq!((width(64, 4), width(65, 4), width(2000, 2), width(255, 1)), (1, 1, 2, 1));
        assert_eq!((width(64, 5), width(128, 2)), (2, 1));
    }

    #[test]
    fn cells_are_as_wide_as_values() {
        let width = |game, n, k| Table::new(game, n, k).unwrap().value_bytes();
        assert_eq!((width(END_NIM, 127, 1), width(END_NIM, 128, 1)), (1, 2));
        // a + b + min(a, b) of End-Wythoff, from three piles on; two have 2 N at most.
        assert_eq!((width(END_WYTHOFF, 85, 3), width(END_WYTHOFF, 86, 3)), (1, 2));
    }

    #[test]
    fn sizes() {
        let table = Table::new(END_NIM, 64, 5).unwrap();
        assert_eq!(table.positions(), 1_073_741_824);
        assert_eq!(table.tiles(), (64u64.pow(3) + 64u64.pow(2)) / 2);
        assert_eq!(table.to_string(), "end-nim/n64/k5");
        assert_eq!("end-nim/n64/k5".parse(), Ok(table));
        for id in ["end-nim/n64", "end-nim/n064/k5", "chess/n64/k5", "end-nim/n64/k5/x"] {
            assert!(id.parse::<Table>().is_err(), "{id}");
        }
        for game in Game::all() {
            assert_eq!(Table::new(game, 3, 0), Err(TableError::Length { length: 0 }), "{game}");
            assert!(Table::new(game, 0, 3).is_err() && Table::new(game, 0, 1).is_err());
            assert!(Table::new(game, 100_000, 6).is_err());
            assert!(Table::new(game, u32::MAX, 63).is_err());
        }
        assert_eq!(Table::new(END_NIM, 0, 3), Err(TableError::MaxPile { max_pile: 0 }));
        let too_large = Table::new(END_NIM, 100_000, 6);
        assert!(matches!(too_large, Err(TableError::TooLarge { .. })));
        assert_eq!(Table::new(END_NIM, 5000, 2), Err(TableError::MaxPile { max_pile: 5000 }));
    }

    #[test]
    fn tables_of_short_global_nim() {
        let table = Table::new(SHORT_GLOBAL_NIM, 9, 2).unwrap();
        assert_eq!((table.tiles(), table.tile_cols(), table.value_bytes()), (45, 10, 1));
        let place = |k| table.locate(&Position::after(vec![4, 1], k)).unwrap();
        assert_eq!((place(0).tile, place(0).col), (6, 0));
        assert_eq!((place(4).col, place(5).col), (4, 0));
        assert_eq!(table.position(6 * 10 + 4).unwrap().to_string(), "1,4/4");
        let records = Table::new(SHORT_GLOBAL_NIM, 1_000_000, 1).unwrap();
        assert_eq!(records.to_string(), "short-global-nim/n1000000/k1");
        assert_eq!(records.positions(), 500_001_500_000);
        assert_eq!(records.locate(&Position::after(vec![34], 7)).unwrap().tile, 33);
        let values = Table::values_only(SHORT_GLOBAL_NIM, 100).unwrap();
        assert_eq!("short-global-nim/n100/g".parse(), Ok(values.clone()));
        assert_eq!(values.position(99).unwrap().to_string(), "100");
        assert!("nim/n100/g".parse::<Table>().is_err());
        let none = Table::values_only(SHORT_GLOBAL_NIM, 0);
        assert!(matches!(none, Err(TableError::Record { .. })));
        assert!(Table::new(SHORT_GLOBAL_NIM, 500_000_000, 1).is_err());
    }

    #[test]
    fn every_set_of_moves_has_a_place() {
        let one = Table::new(LONG_GLOBAL_NIM, 28, 1).unwrap();
        assert_eq!(one.to_string(), "long-global-nim/n28/k1");
        assert_eq!((one.positions(), one.values()), ((1 << 29) - 2, 1 << 29));
        assert_eq!((one.value_bytes(), one.tiles()), (4, 1 << 25));
        // 8{1,3,4}: below the leading bit the moves 1 to 8.
        let number = 0b1_1011_0000;
        let position = Position::with_available(vec![8], &MoveSet::of_mask(0b1101));
        let place = one.locate(&position).unwrap();
        assert_eq!((place.tile, u64::from(place.within)), (number >> 4, number & 15));
        assert_eq!(one.position(number).unwrap().to_string(), "8{1,3,4}");
        assert_eq!(one.position(1).unwrap().to_string(), "(){}");
        assert_eq!((one.position(0), one.locate_piles(&[29])), (None, None));
        let small = Table::new(LONG_GLOBAL_NIM, 2, 1).unwrap();
        assert_eq!((small.tiles(), small.positions()), (1, 6));
        assert_eq!(small.values(), SETS_PER_CELL);

        let sizes = |n, k| Table::new(LONG_GLOBAL_NIM, n, k);
        assert!(matches!(sizes(64, 1), Err(TableError::Sets { most: LARGEST_SETS_PILE, .. })));
        assert!(matches!(sizes(32, 2), Err(TableError::Sets { most: LARGEST_SET_ROWS, .. })));
        assert!(matches!(sizes(31, 31), Err(TableError::TooLarge { .. })));
    }

    proptest! {
        #[test]
        fn a_position_and_its_reversal_share_a_tile(
            piles in prop::collection::vec(1u32..=64, 1..9)
        ) {
            let symmetric = Game::all().filter(|game| game.is_symmetric());
            for game in symmetric {
                prop_assert_eq!(game.order(), Order::Row);
                let table = Table::new(game, 64, piles.len()).unwrap();
                let position = Position::row(&piles);
                let back = position.reversed();
                let here = table.locate(&position).unwrap();
                let there = table.locate(&back).unwrap();
                prop_assert_eq!(here.tile, there.tile);
                let stored = table.position(table.number_of(here)).unwrap();
                prop_assert!(stored == position || stored == back);
            }
        }
    }
}
