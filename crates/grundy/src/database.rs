//! Look-ups.

use std::path::Path;

use grundy_query::{Access, Answer, Limits, Moves, Watch};
use grundy_rules::{Game, Outcome, Pile, Table};

use crate::{Error, IntoPosition, Level};

/// Answers about positions: from tables where a folder has them, computed where it has not.
///
/// A folder without tables is no error. Threads share a database freely.
///
/// ```
/// use grundy::{Database, games};
///
/// let database = Database::open("db")?;
/// assert_eq!(database.value(games::END_NIM, [5, 4, 5, 6, 7])?, 9);
/// assert_eq!(database.value(games::SHORT_GLOBAL_NIM, "20,20/3")?, 2);
///
/// // Of a partizan game there is an outcome class, and no value.
/// let answer = database.answer(games::PARTIZAN_END_NIM, [3, 1, 4])?;
/// assert_eq!((answer.value, answer.outcome), (None, grundy::Outcome::R));
/// # Ok::<(), grundy::Error>(())
/// ```
///
/// Every value that comes from a table comes from bytes whose checksum is right.
#[derive(Debug)]
pub struct Database {
    inner: grundy_query::Database,
}

impl From<grundy_query::Database> for Database {
    /// One that was opened otherwise: a pack, or an address.
    fn from(inner: grundy_query::Database) -> Database {
        Database { inner }
    }
}

impl Database {
    /// Opens a folder of tables, as `grundy build` makes it; usually `db`. If there is none, or
    /// no folder, everything is computed.
    ///
    /// # Errors
    /// [`Error::Query`] if what the folder says of itself cannot be read.
    pub fn open(folder: impl AsRef<Path>) -> Result<Database, Error> {
        Database::open_within(folder, Limits::default())
    }

    /// The same with other limits than 4 GiB of memory and a minute for an answer.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn open_within(folder: impl AsRef<Path>, limits: Limits) -> Result<Database, Error> {
        Database::open_by(folder, limits, Access::default())
    }

    /// The same, and how its files are read: mapped into memory, or with calls of the system where
    /// others may shorten them meanwhile.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn open_by(
        folder: impl AsRef<Path>,
        limits: Limits,
        access: Access,
    ) -> Result<Database, Error> {
        Ok(Database { inner: grundy_query::Database::open_by(folder.as_ref(), limits, access)? })
    }

    /// No tables: everything is computed.
    pub fn empty() -> Database {
        Database::empty_within(Limits::default())
    }

    /// The same with other limits than 4 GiB of memory and a minute for an answer.
    pub fn empty_within(limits: Limits) -> Database {
        Database { inner: grundy_query::Database::empty(limits) }
    }

    /// Has `watch` hear of searches that take long, once a tenth of a second or so. One that it
    /// says no to ends with [`Error::Stopped`].
    pub fn watched(self, watch: Watch) -> Database {
        Database { inner: self.inner.watched(watch) }
    }

    /// Has the seconds of an answer counted by another clock than the system's, which a browser has
    /// not: seconds since some moment.
    pub fn clocked(self, clock: fn() -> f64) -> Database {
        Database { inner: self.inner.clocked(clock) }
    }

    /// The tables there are, by game, length and max pile.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.inner.tables().iter().map(grundy_query::StoredTable::table)
    }

    /// The Grundy value of a position.
    ///
    /// # Errors
    /// [`Error::Position`] if it is none; [`Error::NoValue`] in a partizan game;
    /// [`Error::Query`] if a file is damaged, or computing it would exceed the limits.
    pub fn value(&self, game: Game, position: impl IntoPosition) -> Result<u32, Error> {
        let answer = self.answer(game, position)?;
        answer.value.ok_or(Error::NoValue { game })
    }

    /// What is known of a position: its value or not, its outcome class, where they came from.
    ///
    /// # Errors
    /// As [`Database::value`], in any game.
    pub fn answer(&self, game: Game, position: impl IntoPosition) -> Result<Answer, Error> {
        Ok(self.inner.answer(game, &position.into_position(game)?)?)
    }

    /// Every move of a position, with what is known of the option it reaches.
    ///
    /// ```
    /// use grundy::{Database, games, is_winning};
    ///
    /// let found = Database::empty().moves(games::END_NIM, [2, 3, 4])?;
    /// let winning = found.moves.iter().filter(|(m, to)| is_winning(m.player, to.outcome));
    /// let options: Vec<String> = winning.map(|(m, _)| m.option.to_string()).collect();
    /// assert_eq!(options, ["2,3,2"]);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Database::answer`], or that the moves are too many.
    pub fn moves(&self, game: Game, position: impl IntoPosition) -> Result<Moves, Error> {
        Ok(self.inner.moves(game, &position.into_position(game)?)?)
    }

    /// The positions (`word`, b) for b = 1, ..., `last`, at the beginning of play: `last`
    /// answers.
    ///
    /// ```
    /// use grundy::{Database, games};
    ///
    /// // b -> G(5 b) in misère End-Nim.
    /// let row = Database::empty().row(games::MISERE_END_NIM, &[5], 6)?;
    /// let values: Vec<u32> = row.iter().filter_map(|answer| answer.value).collect();
    /// assert_eq!(values, [5, 3, 6, 2, 0, 1]);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Database::answer`].
    pub fn row(&self, game: Game, word: &[Pile], last: Pile) -> Result<Vec<Answer>, Error> {
        Ok(self.inner.row(game, word, last)?)
    }

    /// All positions a·w·b of a middle w, a and b from 1 to `last`, at the beginning of play.
    /// Where the order of the piles does not matter they are a, w and b together.
    ///
    /// # Errors
    /// As [`Database::answer`].
    pub fn tile(&self, game: Game, middle: &[Pile], last: Pile) -> Result<Tile, Error> {
        let answers = self.inner.tile(game, middle, last)?;
        let values = answers.iter().map(|a| a.value.unwrap_or(a.outcome as u32)).collect();
        Ok(Tile { game, middle: middle.to_vec(), size: last, values })
    }

    /// All positions of `length` piles of at most `max_pile` coins, to be walked: from its table
    /// if that is stored, else computed.
    ///
    /// ```
    /// use grundy::{Database, games};
    ///
    /// let database = Database::open("db")?;
    /// let level = database.level(games::END_NIM, 4, 16)?;
    /// assert_eq!(level.positions(), 65_536);
    /// assert_eq!(level.sweep(|block| block.count(|value| value > 31))?, 0);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Level::new`].
    pub fn level(&self, game: Game, length: usize, max_pile: Pile) -> Result<Level<'_>, Error> {
        Ok(Level::new(game, length, max_pile)?.database(self))
    }

    /// The database as the query layer has it: counts, records of single piles, files.
    pub fn inner(&self) -> &grundy_query::Database {
        &self.inner
    }
}

/// The values of all positions a·w·b of a middle w, for a and b from 1 to N.
///
/// ```
/// use grundy::{Database, games};
///
/// let tile = Database::empty().tile(games::END_NIM, &[4], 8)?;
/// assert_eq!((tile.value(5, 6), tile.value(5, 5)), (3, 0));
/// for line in tile.rows() {
///     assert_eq!(line.len(), 8);
/// }
/// # Ok::<(), grundy::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tile {
    game: Game,
    middle: Vec<Pile>,
    size: Pile,
    values: Vec<u32>,
}

impl Tile {
    /// The game.
    pub fn game(&self) -> Game {
        self.game
    }

    /// The piles between the two ends.
    pub fn middle(&self) -> &[Pile] {
        &self.middle
    }

    /// N.
    pub fn size(&self) -> Pile {
        self.size
    }

    /// The value of a·w·b; in a game of outcome classes the place of its class in
    /// [`Outcome::ALL`].
    ///
    /// # Panics
    /// If a or b is 0 or above N.
    pub fn value(&self, a: Pile, b: Pile) -> u32 {
        assert!((1..=self.size).contains(&a) && (1..=self.size).contains(&b));
        self.values[(a as usize - 1) * self.size as usize + b as usize - 1]
    }

    /// The outcome class of a·w·b.
    ///
    /// # Panics
    /// As [`Tile::value`].
    pub fn outcome(&self, a: Pile, b: Pile) -> Outcome {
        crate::walk::outcome(self.game, self.value(a, b))
    }

    /// The rows a = 1, 2, ..., N, each of the values for b = 1, 2, ..., N.
    pub fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.values.chunks(self.size.max(1) as usize)
    }
}
