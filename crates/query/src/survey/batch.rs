//! Answers about many positions at once, and tiles that are read without a copy.

use std::ops::Range;
use std::sync::Arc;

use grundy_rules::{Form, Game, IntoPosition, Numbering, Order, Pile, Position, Remembers, Table};
use grundy_solvers::{Answer, Source, Stored};
use grundy_sweep::Control;
use rayon::prelude::*;

use crate::{Database, QueryError, StoredTable};

/// Each task computes the answers for a run of at most `TOGETHER` positions. Each thread gets at
/// least `RUNS_A_THREAD` runs, because some positions take a thousand times longer than others.
const TOGETHER: usize = 1 << 12;
const RUNS_A_THREAD: usize = 8;

/// The number of positions in the sample that decides if a whole level is computed.
const FORESEEN: usize = 1 << 10;

/// The error of the first position that failed.
#[derive(Debug, thiserror::Error)]
#[error("position {} of {count}: {error}", place + 1)]
pub struct BatchError {
    /// The index of the position, from 0.
    pub place: usize,
    pub count: usize,
    #[source]
    pub error: Box<QueryError>,
}

/// A decoded tile in memory, shared with the database. The cell of a·w·b has the index (a - 1) N +
/// b - 1. If the tile is turned, the index is (b - 1) N + a - 1.
#[derive(Clone, Debug)]
pub struct SharedTile {
    /// The bytes that contain the tile.
    pub bytes: Arc<[u8]>,
    pub range: Range<usize>,
    /// The width of a value in bytes, little-endian.
    pub width: usize,
    /// N, the largest pile of the table.
    pub max_pile: Pile,
    /// True if the table stores the tile of the reversed middle.
    pub is_turned: bool,
}

impl Database {
    /// Returns answers about positions at the beginning of play, each with `length` piles. `piles`
    /// lists the piles of the first position, then the piles of the second, and so on. Uses all
    /// threads of the current rayon pool. The control counts answers.
    ///
    /// ```
    /// use grundy_query::{Answer, Database};
    /// use grundy_rules::games::END_NIM;
    /// use grundy_sweep::Control;
    ///
    /// let (database, piles) = (Database::empty(), [3, 1, 4, 2, 3, 2]);
    /// let value = |answer: Answer| answer.value;
    /// let found = database.answers(END_NIM, 3, &piles, &Control::new(), value)?;
    /// assert_eq!(found, [Some(7), Some(0)]);
    /// # Ok::<(), grundy_query::BatchError>(())
    /// ```
    ///
    /// # Errors
    /// The error of [`Database::answer`], with the index of the first position that failed. Also an
    /// error if the control stopped the work.
    pub fn answers<T: Send>(
        &self,
        game: Game,
        length: usize,
        piles: &[Pile],
        control: &Control,
        pick: impl Fn(Answer) -> T + Sync,
    ) -> Result<Vec<T>, BatchError> {
        let count = piles.len().checked_div(length).unwrap_or(0);
        let largest = piles.iter().copied().max().unwrap_or(0);
        let resident = self.resident(game, length, largest);
        if resident.is_none() {
            let some = (0..count).step_by(count.div_ceil(FORESEEN).max(1));
            let some = some.map(|place| &piles[place * length..(place + 1) * length]);
            let largest = piles.chunks_exact(length.max(1)).max_by_key(|piles| piles.iter().max());
            let some = some.chain(largest).filter(|piles| game.check_piles(piles).is_ok());
            let some: Vec<Position> = some.map(|piles| game.position(piles)).collect();
            self.precompute(game, &some, count, control);
        }
        let at = |place: usize| -> Result<T, BatchError> {
            let here = &piles[place * length..(place + 1) * length];
            if control.is_stopped() {
                return Err(BatchError { place, count, error: QueryError::Stopped.into() });
            }
            let answer = match resident {
                Some(stored) if !here.contains(&0) => stored_answer(stored, here),
                _ => Ok(None),
            };
            let answer = match answer {
                Ok(Some(answer)) => Ok(answer),
                Ok(None) => self.answer(game, here),
                Err(error) => Err(error),
            };
            answer.map(&pick).map_err(|error| BatchError { place, count, error: error.into() })
        };
        let runs = rayon::current_num_threads() * RUNS_A_THREAD;
        let together = match self.is_remote() {
            // The frames of a run are prefetched together.
            true => TOGETHER,
            false => count.div_ceil(runs).clamp(1, TOGETHER),
        };
        let chunk = |first: usize| -> Result<Vec<T>, BatchError> {
            let places = first..(first + together).min(count);
            self.fetch(game, length, &piles[places.start * length..places.end * length])
                .map_err(|error| BatchError { place: first, count, error: error.into() })?;
            control.advance(places.len() as u64);
            places.map(at).collect()
        };
        let firsts: Vec<usize> = (0..count).step_by(together).collect();
        let parts: Vec<Result<Vec<T>, BatchError>> = firsts.into_par_iter().map(chunk).collect();
        let mut answers = Vec::with_capacity(count);
        for part in parts {
            answers.append(&mut part?);
        }
        Ok(answers)
    }

    fn fetch(&self, game: Game, length: usize, piles: &[Pile]) -> Result<(), QueryError> {
        if !self.is_remote() {
            return Ok(());
        }
        // Skip invalid positions here, because their answers will be errors.
        let positions = piles.chunks_exact(length).filter_map(|p| p.into_position(game).ok());
        self.prepare(game, &positions.collect::<Vec<_>>())
    }

    /// Returns a table of all rows of `length` piles up to `largest`, if all its frames stay in
    /// memory and its cells are plain values. Otherwise returns `None`.
    fn resident(&self, game: Game, length: usize, largest: Pile) -> Option<&StoredTable> {
        let is_plain = game.order() == Order::Row
            && game.is_impartial()
            && game.remembers() == Remembers::Nothing;
        self.tables().iter().filter(|_| is_plain).find(|stored| {
            let table = stored.table();
            (table.game(), table.length()) == (game, length)
                && table.max_pile() >= largest
                && !table.has_bits()
                && stored.is_resident()
                && table.numbering().is_plain()
        })
    }

    /// Returns the largest pile of the tables of a game and length; `None` if there is no table.
    pub fn largest_stored(&self, game: Game, length: usize) -> Option<Pile> {
        let whole = self
            .tables()
            .iter()
            .map(StoredTable::table)
            .filter(|table| table.form() == Form::Whole);
        whole
            .filter(|table| table.game() == game && table.has_length(length))
            .map(Table::max_pile)
            .max()
    }

    /// Returns the tile of a middle from the table with this max pile, without a copy. Returns
    /// `None` if there is no such table, or if the table does not consist of tiles. Frames of small
    /// tables stay in memory as long as the database, so a second call returns the same memory.
    pub fn shared_tile(
        &self,
        game: Game,
        middle: &[Pile],
        max_pile: Pile,
    ) -> Result<Option<SharedTile>, QueryError> {
        let length = middle.len() + 2;
        let stored = self.tables().iter().find(|stored| {
            let table = stored.table();
            (table.game(), table.length(), table.max_pile()) == (game, length, max_pile)
                && table.form() == Form::Whole
                && !table.has_bits()
        });
        match stored.filter(|stored| stored.table().numbering() == Numbering::Middles) {
            Some(stored) => tile_of(stored, middle),
            None => Ok(None),
        }
    }
}

/// Returns the value of a row, if the table has it. Each pile must be at least 1.
fn stored_answer(stored: &StoredTable, piles: &[Pile]) -> Result<Option<Answer>, QueryError> {
    let table = stored.table();
    let Some(place) = table.locate_piles(piles) else { return Ok(None) };
    let value = stored.cell(table.number_of(place)).map_err(QueryError::from)?;
    Ok(Some(Answer::of_value(value, Source::Table)))
}

fn tile_of(stored: &StoredTable, middle: &[Pile]) -> Result<Option<SharedTile>, QueryError> {
    let table = stored.table();
    let corner = [&[1], middle, &[1]].concat();
    let Some(place) = table.locate(&Position::row(&corner)) else { return Ok(None) };
    // Look up 1, w, 1, which is the first cell both in the tile of w and in the reversed tile.
    let per_frame = stored.frame_tiles(0).1;
    let bytes = stored.shared_frame(place.tile / per_frame)?;
    let size = table.tile_cells() * table.value_bytes();
    let start = (place.tile % per_frame) as usize * size;
    Ok(Some(SharedTile {
        bytes,
        range: start..start + size,
        width: table.value_bytes(),
        max_pile: table.max_pile(),
        is_turned: place.reversed,
    }))
}
