//! Tables: which positions they hold, and where.
//!
//! The table of (game, N, k) holds every position of k piles of at most N
//! coins. It is a sequence of equal *tiles*; how positions are laid out in them depends on
//! the game ([`Layout`]). This module owns the only bijection between positions and
//! offsets; everything that writes or reads a table goes through it.
//!
//! **Rows with a middle** (the three End-Nim games): one tile per middle `w` with
//! `w <= rev(w)`; the tile of `w` holds the values of all positions `a w b`, N rows by N
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
//! length 2 one tile, of the empty middle.
//!
//! **Words** (partizan End-Nim): all words in lexicographic order, one tile for all that
//! differ in the last two piles only. What is stored of w is its threshold l(w), see
//! [`crate::partizan`].
//!
//! **Multisets** (Nim): in the order of [`Multisets`]; a tile is a single value, so that
//! the offset is the number of the multiset.
//!
//! **Last moves** (short global nim, two or more piles): multisets in the same order, and for
//! each a tile of one row with the values for the last moves 0, 1, ..., N. A last move
//! larger than every pile forbids nothing and stands in column 0.
//!
//! **Heaps** (short global nim, one pile): a tile of one row for each pile n = 1, ..., N, a
//! *record*. Nearly all *(n, k) are g(n) = *(n, 0), so a record has g(n), and the exceptions:
//!
//! ```text
//! column   0     1        2 .. 1 + count                      the rest
//!          g(n)  count    m = n - k of each exceptional k     0
//!                         in ascending order
//! ```
//!
//! For an exceptional k the value is *(n - k, k), Corollary 10 of the paper; it is found in the
//! record of m = n - k. A table of g alone has one column.
//!
//! **Sets** (long global nim, one pile): the numbers of [`crate::set_rows`], sixteen to a
//! cell of four bytes, which is a tile. Nearly two bits a position; what they say is the
//! essay of `grundy_kernels::subsets`, and docs/FORMAT.md.
//!
//! **Set rows** (long global nim, two or more piles): a tile for each position, in the order
//! of [`SetRows`].

use std::fmt;
use std::str::FromStr;

use crate::set_rows::{set_index, set_of_index};
use crate::{Game, Middles, MoveSet, Multisets, Pile, Position, SetRows, lex_index, lex_word};

/// A table: every position of one length with piles of at most `max_pile`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    game: Game,
    max_pile: Pile,
    length: usize,
    layout: Layout,
}

/// How the positions of a table are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// A tile per middle, of N rows and columns (one row for length 1): the three impartial
    /// End-Nim games. Lengths 1 and 2 have the empty middle.
    Middles(Middles),
    /// Words in lexicographic order, a tile for the last two piles (one row for length 1):
    /// partizan End-Nim. The number of tiles.
    Words(u64),
    /// Multisets in colexicographic order, a tile for each: Nim.
    Multisets(Multisets),
    /// Multisets in colexicographic order, a tile of the last moves 0..=N for each: short
    /// global nim of two or more piles.
    LastMoves(Multisets),
    /// A record for each single pile: short global nim of one pile, the whole of it or g(n)
    /// alone.
    Heaps {
        /// Whether only g(n) is there.
        values_only: bool,
    },
    /// Every set of moves of single piles, sixteen to a cell: long global nim of one pile.
    Sets,
    /// A row of all sets of moves for each multiset: long global nim of two or more piles.
    SetRows(SetRows),
}

/// The positions in a cell of a table of [`Layout::Sets`].
pub const SETS_PER_CELL: u64 = 16;

/// The largest pile of a table of all sets of moves, of one pile: three bits hold a value.
pub const LARGEST_SETS_PILE: Pile = 35;

/// The largest pile, and the most piles, of a table of long global nim with several piles.
pub const LARGEST_SET_ROWS: Pile = 31;

/// The most exceptions that a record has room for.
pub const MOST_EXCEPTIONS: usize = 62;

/// The largest pile of a table of single piles of short global nim.
pub const LARGEST_HEAP: Pile = 400_000_000;

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
    /// Piles whose sets of moves are too many, or no piles.
    #[error(
        "long-global-nim has 2^n sets of moves for a pile of n, so its tables go from 1 to \
         {LARGEST_SET_ROWS} piles, and of {length} pile{} from a max pile of 1 to one of {most}; \
         {max_pile} and {length} are asked for",
        if *length == 1 { "" } else { "s" }
    )]
    Sets {
        /// The max pile asked.
        max_pile: Pile,
        /// The length asked.
        length: usize,
        /// The largest there is.
        most: Pile,
    },
    /// A single pile of zero, or beyond what one table may hold.
    #[error("a heap of {max_pile} is out of range; it goes from 1 to {LARGEST_HEAP}")]
    Heap {
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
        if game == Game::ShortGlobalNim && length == 1 {
            return Table::heaps(max_pile, false);
        }
        if game == Game::LongGlobalNim && length > 0 {
            return Table::of_sets(max_pile, length);
        }
        let out_of_range = TableError::MaxPile { max_pile };
        if max_pile == 0 {
            return Err(out_of_range);
        }
        // Even of piles of at most 1 there are no longer tables, so that no text can ask
        // for more than this much work.
        let few = max_pile == 1 || game.is_unordered();
        if length == 0 || few && length > LARGEST_LENGTH {
            return Err(TableError::Length { length });
        }
        let about_positions = || {
            let words = f64::from(max_pile).powf(length as f64);
            // About k! words are one multiset.
            let same: f64 = match game.is_unordered() {
                true => (1..=length).map(|i| i as f64).product(),
                false => 1.0,
            };
            words / same
        };
        let too_large =
            || TableError::TooLarge { game, max_pile, length, positions: about_positions() };
        // The whole table must be countable, not only its tiles. This comes
        // before the range, for the count says more.
        let in_range = max_pile <= LARGEST_MAX_PILE;
        let layout = if game.is_unordered() {
            // Beyond the range the terms of the numbering are not laid out, only counted.
            if !in_range && about_positions() > (1u64 << 63) as f64 {
                return Err(too_large());
            }
            let size = max_pile.min(LARGEST_MAX_PILE);
            let multisets = Multisets::new(size, length).ok_or_else(too_large)?;
            match game {
                Game::ShortGlobalNim => {
                    let cells = multisets.count().checked_mul(u64::from(size) + 1);
                    cells.filter(|&cells| cells <= 1 << 63).ok_or_else(too_large)?;
                    Layout::LastMoves(multisets)
                }
                _ => Layout::Multisets(multisets),
            }
        } else {
            let outer = length.saturating_sub(2);
            Middles::new(max_pile, length).ok_or_else(too_large)?;
            let middles = Middles::new(max_pile, outer).ok_or_else(too_large)?;
            match game {
                Game::PartizanEndNim => Layout::Words(middles.words()),
                _ => Layout::Middles(middles),
            }
        };
        if in_range { Ok(Table { game, max_pile, length, layout }) } else { Err(out_of_range) }
    }

    /// The table of the single piles of short global nim: records with the exceptional last
    /// moves, or g(n) alone.
    ///
    /// # Errors
    /// [`TableError::Heap`] if the largest pile is 0 or beyond [`LARGEST_HEAP`].
    pub fn heaps(max_pile: Pile, values_only: bool) -> Result<Table, TableError> {
        if !(1..=LARGEST_HEAP).contains(&max_pile) {
            return Err(TableError::Heap { max_pile });
        }
        let layout = Layout::Heaps { values_only };
        Ok(Table { game: Game::ShortGlobalNim, max_pile, length: 1, layout })
    }

    /// The table of long global nim with so many piles.
    fn of_sets(max_pile: Pile, length: usize) -> Result<Table, TableError> {
        let game = Game::LongGlobalNim;
        let most = if length == 1 { LARGEST_SETS_PILE } else { LARGEST_SET_ROWS };
        if !(1..=most).contains(&max_pile) || length > LARGEST_SET_ROWS as usize {
            return Err(TableError::Sets { max_pile, length, most });
        }
        let layout = match length {
            1 => Layout::Sets,
            _ => Layout::SetRows(SetRows::new(max_pile, length).ok_or_else(|| {
                let positions = 2f64.powi(max_pile as i32)
                    * f64::from(max_pile).powf(length as f64)
                    / (1..=length).map(|i| i as f64).product::<f64>();
                TableError::TooLarge { game, max_pile, length, positions }
            })?),
        };
        Ok(Table { game, max_pile, length, layout })
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

    /// How its positions are laid out.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Rows of a tile: N, but 1 for length 1 and where tiles are of multisets.
    pub fn tile_rows(&self) -> usize {
        match self.layout {
            Layout::Middles(_) | Layout::Words(_) if self.length > 1 => self.max_pile as usize,
            _ => 1,
        }
    }

    /// Columns of a tile: N, but 1 for multisets, N + 1 for last moves; of a record what it has.
    pub fn tile_cols(&self) -> usize {
        match self.layout {
            Layout::Middles(_) | Layout::Words(_) => self.max_pile as usize,
            Layout::Multisets(_) | Layout::Heaps { values_only: true } => 1,
            Layout::LastMoves(_) => self.max_pile as usize + 1,
            Layout::Heaps { values_only: false } => 2 + MOST_EXCEPTIONS,
            Layout::Sets | Layout::SetRows(_) => 1,
        }
    }

    /// Cells of a tile.
    pub fn tile_cells(&self) -> usize {
        self.tile_rows() * self.tile_cols()
    }

    /// The number of tiles.
    pub fn tiles(&self) -> u64 {
        match &self.layout {
            Layout::Middles(middles) => middles.count(),
            Layout::Words(tiles) => *tiles,
            Layout::Multisets(multisets) | Layout::LastMoves(multisets) => multisets.count(),
            Layout::Heaps { .. } => u64::from(self.max_pile),
            Layout::Sets => (2u64 << self.max_pile).div_ceil(SETS_PER_CELL),
            Layout::SetRows(rows) => rows.count(),
        }
    }

    /// Writes the piles that all positions of a tile share into `word`, replacing what it
    /// held: the middle, or the word before the last two piles, or nothing.
    ///
    /// # Panics
    /// If there is no such tile.
    pub fn tile_word(&self, tile: u64, word: &mut Vec<Pile>) {
        word.clear();
        match &self.layout {
            Layout::Middles(middles) => {
                word.resize(middles.length(), 0);
                middles.unrank(tile, word);
            }
            Layout::Words(tiles) => {
                assert!(tile < *tiles);
                word.resize(self.length.saturating_sub(2), 0);
                lex_word(tile, u64::from(self.max_pile), word);
            }
            Layout::Multisets(_)
            | Layout::LastMoves(_)
            | Layout::Heaps { .. }
            | Layout::Sets
            | Layout::SetRows(_) => {}
        }
    }

    /// The number of stored cells.
    pub fn cells(&self) -> u64 {
        self.tiles() * self.tile_cells() as u64
    }

    /// The number of positions the table answers for: N^k, both readings of
    /// each row counted; of multisets as many as there are; with the last moves 0 to N, or
    /// for a single pile n, 0 to n.
    pub fn positions(&self) -> u64 {
        match &self.layout {
            Layout::Middles(_) | Layout::Words(_) => {
                u64::from(self.max_pile).pow(self.length as u32)
            }
            Layout::Multisets(multisets) => multisets.count(),
            // A last move that is no larger than the largest pile makes a position of its own.
            Layout::LastMoves(multisets) => multisets.count() * (u64::from(self.max_pile) + 1),
            Layout::Heaps { values_only: true } => u64::from(self.max_pile),
            Layout::Heaps { values_only: false } => {
                let n = u64::from(self.max_pile);
                n * (n + 3) / 2
            }
            Layout::Sets => (2 << self.max_pile) - 2,
            Layout::SetRows(rows) => rows.count(),
        }
    }

    /// The number of values that are stored: cells, but for [`Layout::Sets`], where a cell has
    /// sixteen.
    pub fn values(&self) -> u64 {
        match self.layout {
            Layout::Sets => self.cells() * SETS_PER_CELL,
            _ => self.cells(),
        }
    }

    /// The largest number that may have to be stored. A value is at most the number of
    /// different options: a + b of a w b; and N + (N-1) + ... of a multiset, for equal piles
    /// have the same options. A threshold is at most the number of coins.
    pub fn largest_value(&self) -> u64 {
        let (n, k) = (u64::from(self.max_pile), self.length as u64);
        match self.layout {
            Layout::Middles(_) => 2 * n,
            Layout::Words(_) => n * k,
            Layout::Multisets(_) | Layout::LastMoves(_) => (0..k.min(n)).map(|i| n - i).sum(),
            Layout::Heaps { .. } => n,
            // Each move uses up one of at most n numbers; of a pile, 1 + ... + v <= n.
            Layout::Sets => (1..).take_while(|v| v * (v + 1) / 2 <= n).last().unwrap_or(0),
            Layout::SetRows(_) => n,
        }
    }

    /// Bytes of one stored value: 1 if all values fit, else 2; thresholds always take 2, and
    /// what stands in records and cells of sixteen values 4.
    pub fn value_bytes(&self) -> usize {
        match self.layout {
            Layout::Words(_) => 2,
            Layout::Heaps { .. } | Layout::Sets => 4,
            _ if self.largest_value() <= u64::from(u8::MAX) => 1,
            _ => 2,
        }
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
        let n = u64::from(self.max_pile);
        let here = |tile, row: Pile, col: Pile| Place {
            tile,
            row: row as usize - 1,
            col: col as usize - 1,
            reversed: false,
        };
        Some(match (&self.layout, piles) {
            (Layout::Multisets(multisets), piles) if piles.is_sorted() => {
                here(multisets.rank(piles), 1, 1)
            }
            (Layout::Multisets(multisets), piles) => {
                let mut sorted = piles.to_vec();
                sorted.sort_unstable();
                here(multisets.rank(&sorted), 1, 1)
            }
            (Layout::LastMoves(_) | Layout::Heaps { .. }, piles) => {
                return self.locate_after(piles, 0);
            }
            (Layout::Sets | Layout::SetRows(_), piles) => {
                here(self.locate_set(piles, u64::MAX)?.0, 1, 1)
            }
            (_, []) => return None,
            (_, &[only]) => here(0, 1, only),
            (Layout::Words(_), &[ref word @ .., a, b]) => here(lex_index(word, n), a, b),
            (Layout::Middles(middles), &[first, ref middle @ .., last]) => {
                match middles.rank_either(middle) {
                    (tile, false) => here(tile, first, last),
                    (tile, true) => Place { reversed: true, ..here(tile, last, first) },
                }
            }
        })
    }

    /// The tile, row and column of the value for a last move, in a table of several piles of
    /// short global nim; of a single pile, the beginning of its record.
    pub fn locate_after(&self, piles: &[Pile], last_move: Pile) -> Option<Place> {
        if !self.holds(piles) {
            return None;
        }
        let mut sorted = piles.to_vec();
        sorted.sort_unstable();
        let place = |tile, col| Some(Place { tile, row: 0, col, reversed: false });
        match &self.layout {
            Layout::LastMoves(multisets) => {
                let forbids = sorted.last().is_some_and(|&largest| last_move <= largest);
                place(multisets.rank(&sorted), if forbids { last_move as usize } else { 0 })
            }
            Layout::Heaps { .. } => place(u64::from(piles[0]) - 1, 0),
            _ => None,
        }
    }

    /// The cell of a position of long global nim that the table holds, and which of the values
    /// in the cell is its; bit s-1 of `set` is move s, and moves above the largest pile are
    /// ignored.
    pub fn locate_set(&self, piles: &[Pile], set: u64) -> Option<(u64, u32)> {
        if !self.holds(piles) {
            return None;
        }
        match (&self.layout, piles) {
            (Layout::Sets, &[pile]) => {
                let number = 1 << pile | set_index(pile, set);
                Some((number / SETS_PER_CELL, (number % SETS_PER_CELL) as u32))
            }
            (Layout::SetRows(rows), piles) if piles.is_sorted() => {
                Some((rows.number(piles, set), 0))
            }
            (Layout::SetRows(rows), piles) => {
                let mut sorted = piles.to_vec();
                sorted.sort_unstable();
                Some((rows.number(&sorted, set), 0))
            }
            _ => None,
        }
    }

    /// The offset, in cells, of a position that the table holds.
    pub fn offset(&self, piles: &[Pile]) -> Option<u64> {
        let place = self.locate(piles)?;
        let within = place.row * self.tile_cols() + place.col;
        Some(place.tile * self.tile_cells() as u64 + within as u64)
    }

    /// The position stored at an offset; `None` beyond the end. A position
    /// whose middle is larger than its reversal is stored as its reversal. Of a cell of sixteen
    /// sets it is the first.
    pub fn position_at(&self, offset: u64) -> Option<Position> {
        let tile = offset / self.tile_cells() as u64;
        let within = (offset % self.tile_cells() as u64) as usize;
        if tile >= self.tiles() {
            return None;
        }
        let row = (within / self.tile_cols()) as Pile + 1;
        let col = (within % self.tile_cols()) as Pile + 1;
        let mut piles = vec![0; self.length];
        match &self.layout {
            Layout::LastMoves(multisets) => {
                multisets.unrank(tile, &mut piles);
                return Position::after(piles, col - 1).ok();
            }
            Layout::Heaps { .. } => return Position::after(vec![tile as Pile + 1], 0).ok(),
            Layout::Sets => return position_of_number(tile * SETS_PER_CELL),
            Layout::SetRows(rows) => {
                let set = rows.position(tile, &mut piles);
                return Position::with_available(piles, MoveSet::of_mask(set)).ok();
            }
            _ => {}
        }
        match (&self.layout, &mut piles[..]) {
            (Layout::Multisets(multisets), piles) => multisets.unrank(tile, piles),
            (_, [only]) => *only = col,
            (Layout::Words(_), [word @ .., a, b]) => {
                lex_word(tile, u64::from(self.max_pile), word);
                (*a, *b) = (row, col);
            }
            (Layout::Middles(middles), [first, middle @ .., last]) => {
                middles.unrank(tile, middle);
                (*first, *last) = (row, col);
            }
            (_, _) => return None,
        }
        Some(Position::of(&piles))
    }
}

/// The position of long global nim with one pile and this number: see [`crate::set_rows`]. `None`
/// for piles above 62.
pub fn position_of_number(number: u64) -> Option<Position> {
    let pile = number.max(1).ilog2();
    let piles = if pile == 0 { Vec::new() } else { vec![pile] };
    let set = set_of_index(pile, number & ((1 << pile) - 1));
    Position::with_available(piles, MoveSet::of_mask(set)).ok().filter(|_| pile < 63)
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
        match self.layout {
            Layout::Heaps { values_only: true } => write!(f, "{}/n{}/g", self.game, self.max_pile),
            _ => write!(f, "{}/n{}/k{}", self.game, self.max_pile, self.length),
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
                "g" => Table::heaps(max_pile, true),
                k => Table::new(game, max_pile, k.strip_prefix('k')?.parse().ok()?),
            };
            table.ok().filter(|table| table.to_string() == id)
        };
        read().ok_or_else(|| NotATableId(id.to_owned()))
    }
}

/// The length built when none is asked for: the largest with at most 2^31
/// positions, and at most 8 piles; of multisets, at most 2^24 of Nim and 2^26 values of short
/// global nim, and at most 4 piles, as of long global nim.
pub fn default_length(game: Game, max_pile: Pile) -> usize {
    let n = u64::from(max_pile.clamp(1, LARGEST_MAX_PILE));
    let multisets = |length| Multisets::new(n as Pile, length).map(|multisets| multisets.count());
    let (most, piles) = if game.is_unordered() { (1 << 24, 4) } else { (1 << 31, 8) };
    let fits = |&length: &usize| match game {
        Game::LongGlobalNim => true,
        Game::ShortGlobalNim => multisets(length).is_some_and(|m| m <= (1 << 26) / (n + 1)),
        _ if game.is_unordered() => multisets(length).is_some_and(|count| count <= most),
        _ => u64::from(max_pile.max(1)).checked_pow(length as u32).is_some_and(|w| w <= most),
    };
    (1..=piles).take_while(fits).last().unwrap_or(1)
}

/// The max pile of a table that is built when no other is asked for: that of the request; of
/// long global nim, where a pile of n has 2^n sets of moves, at most 28, 16, 11 and 9 for one to
/// four piles, and less for more.
pub fn default_max_pile(game: Game, max_pile: Pile, length: usize) -> Pile {
    const MOST: [Pile; 6] = [28, 16, 11, 9, 8, 7];
    match game {
        Game::LongGlobalNim => max_pile.min(*MOST.get(length.max(1) - 1).unwrap_or(&6)),
        _ => max_pile,
    }
}

/// The largest single pile of short global nim that is built when none is asked for:
/// 15,625 times the largest pile of the other tables, at most a million, which it is for 64.
pub fn default_heap(max_pile: Pile) -> Pile {
    max_pile.saturating_mul(15_625).clamp(1, 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_offset_is_the_offset_of_its_position() {
        let sizes = [(1, 5), (2, 8), (3, 6), (5, 4), (9, 3)];
        let games = [Game::EndNim, Game::PartizanEndNim, Game::Nim];
        for (game, (n, longest)) in games.into_iter().flat_map(|game| sizes.map(|s| (game, s))) {
            for length in 1..=longest {
                let table = Table::new(game, n, length).unwrap();
                let mut word = Vec::new();
                for offset in 0..table.cells() {
                    let position = table.position_at(offset).unwrap();
                    assert_eq!(table.offset(position.piles()), Some(offset), "{table} {position}");
                    table.tile_word(offset / table.tile_cells() as u64, &mut word);
                    let piles = position.piles();
                    match game {
                        Game::EndNim if length > 1 => assert_eq!(word, piles[1..length - 1]),
                        _ => assert_eq!(word, piles[..word.len()]),
                    }
                }
                assert_eq!(table.position_at(table.cells()), None);
            }
        }
    }

    /// Words stand in lexicographic order, so that the offset says what docs/FORMAT.md does.
    #[test]
    fn words_in_lexicographic_order() {
        let table = Table::new(Game::PartizanEndNim, 7, 4).unwrap();
        assert_eq!(table.offset(&[3, 7, 1, 2]), Some(((2 * 7 + 6) * 7) * 7 + 1));
        assert_eq!((table.cells(), table.value_bytes()), (7u64.pow(4), 2));
    }

    #[test]
    fn multisets_in_any_order_of_piles() {
        let table = Table::new(Game::Nim, 9, 3).unwrap();
        assert_eq!(table.offset(&[4, 1, 3]), table.offset(&[1, 3, 4]));
        assert_eq!((table.positions(), table.tile_cells()), (165, 1));
        let width = |n, k| Table::new(Game::MisereNim, n, k).unwrap().value_bytes();
        assert_eq!((width(64, 4), width(65, 4), width(2000, 2), width(255, 1)), (1, 1, 2, 1));
        assert_eq!((width(64, 5), width(128, 2)), (2, 1));
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
        let lengths = |game| [16, 64, 1024].map(|max_pile| default_length(game, max_pile));
        assert_eq!(lengths(Game::EndNim), [7, 5, 3]);
        assert_eq!(lengths(Game::PartizanEndNim), [7, 5, 3]);
        assert_eq!(lengths(Game::Nim), [4, 4, 2]);
        assert_eq!(lengths(Game::ShortGlobalNim), [4, 4, 1]);
        assert_eq!((default_heap(64), default_heap(8)), (1_000_000, 125_000));
        assert_eq!(Table::new(Game::EndNim, 0, 3), Err(TableError::MaxPile { max_pile: 0 }));
        let too_large = Table::new(Game::EndNim, 100_000, 6);
        assert!(matches!(too_large, Err(TableError::TooLarge { .. })));
        assert_eq!(Table::new(Game::EndNim, 5000, 2), Err(TableError::MaxPile { max_pile: 5000 }));
    }

    #[test]
    fn tables_of_short_global_nim() {
        let table = Table::new(Game::ShortGlobalNim, 9, 2).unwrap();
        assert_eq!((table.tiles(), table.tile_cols(), table.value_bytes()), (45, 10, 1));
        let place = |k| table.locate_after(&[4, 1], k).unwrap();
        assert_eq!((place(0).tile, place(0).col), (6, 0));
        assert_eq!((place(4).col, place(5).col), (4, 0));
        assert_eq!(table.position_at(6 * 10 + 4).unwrap().to_string(), "1,4/4");
        let heaps = Table::new(Game::ShortGlobalNim, 1_000_000, 1).unwrap();
        assert_eq!(heaps.to_string(), "short-global-nim/n1000000/k1");
        assert_eq!(heaps.positions(), 500_001_500_000);
        assert_eq!(heaps.locate_after(&[34], 7).unwrap().tile, 33);
        let values = Table::heaps(100, true).unwrap();
        assert_eq!("short-global-nim/n100/g".parse(), Ok(values.clone()));
        assert_eq!(values.position_at(99).unwrap().to_string(), "100");
        assert!("nim/n100/g".parse::<Table>().is_err());
        assert!(matches!(Table::heaps(0, true), Err(TableError::Heap { .. })));
        assert!(Table::new(Game::ShortGlobalNim, 500_000_000, 1).is_err());
    }

    #[test]
    fn every_set_of_moves_has_a_place() {
        let one = Table::new(Game::LongGlobalNim, 28, 1).unwrap();
        assert_eq!(one.to_string(), "long-global-nim/n28/k1");
        assert_eq!((one.positions(), one.values()), ((1 << 29) - 2, 1 << 29));
        assert_eq!((one.value_bytes(), one.tiles()), (4, 1 << 25));
        // 8{1,3,4}: below the leading bit the moves 1 to 8.
        let number = 0b1_1011_0000;
        assert_eq!(one.locate_set(&[8], 0b1101), Some((number >> 4, (number & 15) as u32)));
        assert_eq!(position_of_number(number).unwrap().to_string(), "8{1,3,4}");
        assert_eq!(one.position_at(number >> 4).unwrap().to_string(), "8{1,3,4}");
        assert_eq!(position_of_number(1).unwrap().to_string(), "(){}");
        assert_eq!(one.locate_set(&[29], 1), None);
        let small = Table::new(Game::LongGlobalNim, 2, 1).unwrap();
        assert_eq!((small.tiles(), small.positions()), (1, 6));

        let several = Table::new(Game::LongGlobalNim, 5, 3).unwrap();
        for offset in 0..several.cells() {
            let position = several.position_at(offset).unwrap();
            let crate::Memory::Available(set) = position.memory() else { panic!("{position}") };
            let found = several.locate_set(position.piles(), set.mask().unwrap());
            assert_eq!(found, Some((offset, 0)), "{position}");
        }
        assert_eq!(several.position_at(several.cells()), None);

        assert!(matches!(
            Table::new(Game::LongGlobalNim, 64, 1),
            Err(TableError::Sets { most: LARGEST_SETS_PILE, .. })
        ));
        assert!(matches!(
            Table::new(Game::LongGlobalNim, 32, 2),
            Err(TableError::Sets { most: LARGEST_SET_ROWS, .. })
        ));
        assert!(matches!(
            Table::new(Game::LongGlobalNim, 31, 31),
            Err(TableError::TooLarge { .. })
        ));
        assert_eq!(default_length(Game::LongGlobalNim, 64), 4);
        assert_eq!(
            [1, 2, 3, 4, 9].map(|k| default_max_pile(Game::LongGlobalNim, 64, k)),
            [28, 16, 11, 9, 6]
        );
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
