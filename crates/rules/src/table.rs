//! Tables: sets of positions, with a number for each position.
//!
//! The table of (game, N, k) holds every position of k piles of at most N coins. The game
//! determines how positions are numbered ([`Index`](crate::index::Index)). All code that writes or
//! reads a table uses these numbers. If a move may change the number of heaps, one table holds the
//! positions of every length with at most N coins; its length is 0.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use grundy_language::Remembered;

use crate::forms::OUTCOMES;
use crate::index::{Index, Multisets, Numbering, Place, Shape};
use crate::law::Kind;
use crate::law::RuleFile;
use crate::{Form, Game, Memory, Pile, Position, Size, TableError, coins, outcome_form};

/// A table: every position of one length with piles of at most `max_pile`.
#[derive(Clone, Debug)]
pub struct Table {
    game: Game,
    size: Size,
    shape: Shape,
    index: Arc<dyn Index>,
}

impl Table {
    /// Returns the table of this game, max pile and length.
    pub fn new(game: Game, max_pile: Pile, length: usize) -> Result<Table, TableError> {
        Table::of(game, Size { max_pile, length, form: Form::Whole })
    }

    /// Returns the table with this id. `rules` is the rule file of a game that is not built in.
    pub fn of_id(id: &str, rules: Option<&str>) -> Option<Table> {
        if let Some(text) = rules {
            // Opening the rules makes the id of their game known. Wrong rules have no table.
            let game = RuleFile::from_text(text).ok()?.game().ok()?;
            let (name, _) = id.split_once('/')?;
            if game.id() != name.strip_suffix(OUTCOMES).unwrap_or(name) {
                return None;
            }
        }
        id.parse::<Table>().ok().filter(|table| table.to_string() == id)
    }

    /// Returns the table of single piles that stores only g(n), for a game with records.
    pub fn values_only(game: Game, max_pile: Pile) -> Result<Table, TableError> {
        Table::of(game, Size { max_pile, length: 1, form: Form::ValuesOnly })
    }

    /// Returns the table of this game and size.
    pub fn of(game: Game, size: Size) -> Result<Table, TableError> {
        if size.length == 0 && game.stored_length(1) != 0 {
            return Err(TableError::Length { length: 0 });
        }
        let index = game.index(game, size)?;
        Ok(Table { game, size, shape: index.shape(), index })
    }

    pub fn game(&self) -> Game {
        self.game
    }

    /// Returns the largest pile, N.
    pub fn max_pile(&self) -> Pile {
        self.size.max_pile
    }

    /// Returns the smallest pile: 0 in places, which may be empty, otherwise 1.
    pub fn least_pile(&self) -> Pile {
        self.game.order().least_pile()
    }

    /// Returns the largest state in the positions of the table, for a game that remembers numbers.
    pub fn largest_state(&self) -> Pile {
        match self.numbering() {
            Numbering::Records => self.max_pile(),
            _ => self.shape.cols as Pile - 1,
        }
    }

    /// Returns k, the number of piles in each position; 0 if the table holds every number of piles.
    pub fn length(&self) -> usize {
        self.size.length
    }

    /// Returns the table that holds these positions together with those of all other lengths, or
    /// this table if it holds what its game stores.
    #[must_use]
    pub fn with_all_lengths(&self) -> Table {
        let length = self.game.stored_length(self.length());
        let of_all = || Table::of(self.game, Size { length, ..self.size }).ok();
        let found = if length == self.length() { None } else { of_all() };
        found.unwrap_or_else(|| self.clone())
    }

    /// Returns the part of each position's result that is stored.
    pub fn form(&self) -> Form {
        self.size.form
    }

    pub fn numbering(&self) -> Numbering {
        match self.index.numbering() {
            kind if !self.game.excludes() => kind,
            // If the rules exclude positions, code that visits the table must skip their numbers.
            Numbering::LastMoves | Numbering::PlaceMoves => Numbering::PlaceMoves,
            _ => Numbering::Places,
        }
    }

    /// Returns how the table of a rule file numbers positions, for readers that do not know the
    /// rules: the arrangement of the piles, and whether a row and its reversal share a number.
    pub fn arrangement(&self) -> Option<(&'static str, bool)> {
        let kind = self.game.rule_file()?.law.kind;
        Some(match (self.game.is_within_total(), kind) {
            (false, kind) => (kind.name(), kind == Kind::Row && self.game.is_symmetric()),
            (true, Kind::Row) => ("row-by-total", false),
            (true, Kind::Places) => ("places-by-total", false),
            (true, _) => ("heaps-by-total", false),
        })
    }

    /// Returns the name, the least and the largest of each number that the positions of the table
    /// remember. The first is the most significant digit of the state.
    pub fn remembered(&self) -> Vec<(&'static str, u32, u32)> {
        let rules = self.game.rules();
        let Some(memories) = rules.memories() else { return Vec::new() };
        let last_move = ("last move", 0, self.largest_state() / memories.states());
        let of = |of: &'static Remembered| match of.largest {
            Some(largest) => (&*of.name, of.least, largest),
            None => last_move,
        };
        memories.all().iter().map(of).collect()
    }

    /// Returns the multisets of piles, if each multiset has a tile.
    pub fn multisets(&self) -> Option<&Multisets> {
        self.index.multisets()
    }

    pub fn tile_rows(&self) -> usize {
        self.shape.rows
    }

    pub fn tile_cols(&self) -> usize {
        self.shape.cols
    }

    /// True if each tile of this table is the beginning of the tile with the same number of a table
    /// of the same game and length whose largest pile is at least as large. Tables with numbers of
    /// positions of all lengths need not have the same length.
    pub fn begins(&self, larger: &Table) -> bool {
        if self.holds_all_lengths() {
            // The positions with fewer coins come first.
            return self.game() == larger.game()
                && self.tile_cols() == larger.tile_cols()
                && self.max_pile() <= larger.max_pile();
        }
        let kinds =
            [Numbering::Multisets, Numbering::LastMoves, Numbering::Sets, Numbering::SetRows];
        (self.game(), self.length(), self.numbering())
            == (larger.game(), larger.length(), larger.numbering())
            && self.max_pile() <= larger.max_pile()
            && kinds.contains(&self.numbering())
    }

    pub fn tile_cells(&self) -> usize {
        self.shape.rows * self.shape.cols
    }

    pub fn tiles(&self) -> u64 {
        self.shape.tiles
    }

    /// Returns the number of values in a cell: one, except for sets of moves of single piles.
    pub fn values_per_cell(&self) -> u64 {
        self.index.numbering().values_per_cell()
    }

    /// Replaces the contents of `word` with the piles that all positions of a tile share. These are
    /// the middle, all piles, all piles except the last two, or none, depending on the index.
    ///
    /// # Panics
    /// Panics if there is no such tile.
    pub fn tile_word(&self, tile: u64, word: &mut Vec<Pile>) {
        self.index.tile_word(tile, word);
    }

    /// Returns the number of stored cells.
    pub fn cells(&self) -> u64 {
        self.tiles() * self.tile_cells() as u64
    }

    /// Returns the number of positions that the table holds. A row and its reversal both count, and
    /// so do positions that differ only in memory.
    pub fn positions(&self) -> u64 {
        self.index.positions()
    }

    /// Returns the number of positions, including those of other lengths that the table also holds.
    pub fn most_numbers(&self) -> u64 {
        if self.holds_all_lengths() { self.cells() } else { self.positions() }
    }

    /// Returns the number of stored values. The number of any position is less than this.
    pub fn values(&self) -> u64 {
        self.cells() * self.numbering().values_per_cell()
    }

    /// Returns an upper bound on the stored numbers.
    pub fn largest_value(&self) -> u64 {
        match self.numbering() {
            // A record also stores piles, which may be larger than all values.
            Numbering::Records => u64::from(self.max_pile()),
            _ => self.game.largest_value(self.max_pile(), self.length()),
        }
    }

    /// Returns the number of bytes in a cell: by default, just enough for the largest value.
    pub fn value_bytes(&self) -> usize {
        self.game.cell_bytes(self.length()).unwrap_or_else(|| match self.largest_value() {
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        })
    }

    /// True if each value is stored in one bit, because it is an outcome.
    pub fn has_bits(&self) -> bool {
        self.game.outcomes_of().is_some()
    }

    /// True if the table holds the positions of these piles.
    pub fn holds(&self, piles: &[Pile]) -> bool {
        self.has_length(piles.len())
            && piles.iter().all(|&pile| pile >= self.least_pile() && pile <= self.max_pile())
            && (!self.game.is_within_total() || coins(piles) <= self.max_pile().into())
    }

    /// True if the table holds positions of this length.
    pub fn has_length(&self, length: usize) -> bool {
        let allows = || length == 0 || self.game.law().is_some_and(|law| law.allows(length));
        match self.length() {
            0 => length <= self.max_pile() as usize && allows(),
            own => own == length,
        }
    }

    /// Returns the tile, row and column of a position that the table holds.
    pub fn locate(&self, position: &Position) -> Option<Place> {
        self.locate_written(position.piles(), position.memory())
    }

    /// Does the same as [`Table::locate`], for piles in the order of the game and a memory.
    pub fn locate_written(&self, piles: &[Pile], memory: &Memory) -> Option<Place> {
        self.index.locate(piles, memory)
    }

    /// Does the same as [`Table::locate`], for piles without memory.
    pub fn locate_piles(&self, piles: &[Pile]) -> Option<Place> {
        self.index.locate(piles, &Memory::Nothing)
    }

    /// Returns the number of a position, or in a table of records, of the first cell of its record.
    pub fn number(&self, position: &Position) -> Option<u64> {
        self.locate(position).map(|place| self.number_of(place))
    }

    /// Returns the number of a place.
    pub fn number_of(&self, place: Place) -> u64 {
        let within = (place.row * self.tile_cols() + place.col) as u64;
        let cell = place.tile * self.tile_cells() as u64 + within;
        cell * self.values_per_cell() + u64::from(place.within)
    }

    /// Returns the position with this number. If a row and its reversal share the number, returns
    /// the stored row. `None` beyond the end, and for numbers without a position of this length.
    pub fn position(&self, number: u64) -> Option<Position> {
        let found = self.position_if_admitted(number)?;
        (!self.game.excludes() || self.game.keeps(&found)).then_some(found)
    }

    /// Does the same as [`Table::position`] for a number that is known not to be excluded. Does not
    /// test the condition of the rules.
    pub fn position_if_admitted(&self, number: u64) -> Option<Position> {
        let found = self.index.position(number)?;
        let is_here = !self.holds_all_lengths() || self.has_length(found.length());
        is_here.then_some(found)
    }

    /// Changes the position of a number to that of the next number, which belongs to a position.
    /// Returns false if only [`Table::position`] can do so.
    pub fn step(&self, position: &mut Position) -> bool {
        self.index.step(position)
    }

    /// Returns the range of the numbers of positions. The game may [exclude](Game::excludes) some.
    pub fn numbers(&self) -> Range<u64> {
        self.index.numbers()
    }

    /// Returns the first numbers of a range that belong to positions and follow each other.
    pub fn first_numbers(&self, within: Range<u64>) -> Range<u64> {
        let all = self.numbers();
        let (start, end) = (within.start.max(all.start), within.end.min(all.end));
        if !self.game.excludes() {
            return start..end;
        }
        let is_held = |number: &u64| self.position(*number).is_some();
        let start = (start..end).find(is_held).unwrap_or(end);
        start..(start..end).find(|number| !is_held(number)).unwrap_or(end)
    }

    /// True if the numbers of the table include those of positions of all lengths.
    pub fn holds_all_lengths(&self) -> bool {
        self.game.stored_length(self.length()) == 0
    }

    /// Returns the lexicographically first position that has this number.
    pub fn least_position(&self, number: u64) -> Option<Position> {
        let found = self.position(number)?;
        Some(if self.game.is_symmetric() { found.canonical() } else { found })
    }
}

impl PartialEq for Table {
    fn eq(&self, other: &Table) -> bool {
        (self.game, self.size) == (other.game, other.size)
    }
}

impl Eq for Table {}

impl fmt::Display for Table {
    /// Writes the id of the table, such as `end-nim/n64/k5`. Its folder has the same name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.form() {
            Form::Whole => {
                let size = if self.game.is_within_total() { 't' } else { 'n' };
                write!(f, "{}/{size}{}", self.game, self.max_pile())?;
                if self.length() == 0 { Ok(()) } else { write!(f, "/k{}", self.length()) }
            }
            Form::ValuesOnly => write!(f, "{}/n{}/g", self.game, self.max_pile()),
        }
    }
}

/// The error for a text that is not the id of a table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid table id '{0}'; an id reads GAME/nN/kLENGTH, as in end-nim/n64/k5")]
pub struct NotATableId(pub String);

impl FromStr for Table {
    type Err = NotATableId;

    fn from_str(id: &str) -> Result<Table, NotATableId> {
        let read = || {
            let mut parts = id.split('/');
            let name = parts.next()?;
            let game = match name.strip_suffix(OUTCOMES) {
                Some(of) => outcome_form(of.parse().ok()?).ok()?,
                None => name.parse().ok()?,
            };
            let size = parts.next()?;
            let max_pile = size.strip_prefix(['n', 't'])?.parse().ok()?;
            let table = match parts.next() {
                None => Table::new(game, max_pile, 0),
                Some("g") => Table::values_only(game, max_pile),
                Some(k) => Table::new(game, max_pile, k.strip_prefix('k')?.parse().ok()?),
            };
            // No table of several piles of a sum is stored.
            let is_sum = |table: &Table| table.length() > 1 && table.game.is_sum();
            let is_stored = |table: &Table| {
                game.stored_length(table.length()) == table.length() && !is_sum(table)
            };
            table.ok().filter(|table| table.to_string() == id && is_stored(table))
        };
        read().ok_or_else(|| NotATableId(id.to_owned()))
    }
}
