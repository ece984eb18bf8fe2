//! A database, with look-ups, tiles and levels.

use std::path::PathBuf;
use std::sync::Arc;

use grundy::{
    Access, Answer, Database, EXCLUDED, Form, Game, Level, Limits, MemoryLimit, Outcome, Pile,
    QueryError, StoredTable, is_winning,
};
use numpy::{PyArray1, PyReadonlyArray2, PyReadwriteArray1, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::fault::Fault;
use crate::lend;
use crate::place::{Opened, Opening};
use crate::position::{Name, at, game, given_size, parts, piles};
use crate::run::{Terms, quick, run, watch};

/// A database, which may have no tables.
#[pyclass(frozen, module = "grundy._grundy")]
pub(crate) struct Db {
    opened: Arc<Opened>,
    pub(crate) memory: MemoryLimit,
}

/// The parts of an answer: value, outcome, source, thresholds.
type Parts = (Option<u32>, String, String, Option<(u64, u64)>);

fn parts_of(answer: &Answer) -> Parts {
    (answer.value, answer.outcome.to_string(), answer.source.to_string(), answer.thresholds)
}

impl Db {
    pub(crate) fn get(&self) -> Result<&Database, Fault> {
        self.opened.get()
    }

    /// Returns the database. Use it only to read the manifest, which any process may do.
    pub(crate) fn known(&self) -> &Database {
        &self.opened.database
    }

    /// Answers a question about one position.
    fn ask<R: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Database) -> Result<R, QueryError> + Send,
    ) -> PyResult<R> {
        let database = self.get()?;
        quick(py, || question(database))
    }

    pub(crate) fn level<'a>(
        &'a self,
        game: Game,
        length: usize,
        max_pile: Pile,
        memory: Option<MemoryLimit>,
    ) -> Result<Level<'a>, Fault> {
        let level = Level::new(game, length, max_pile)?.database(self.get()?);
        Ok(level.memory(memory.unwrap_or(self.memory)))
    }
}

#[pymethods]
impl Db {
    /// Opens a folder, a pack or an address. Without a place there are no tables. By default files
    /// are read instead of mapped, because the system ends the process if a mapped file becomes
    /// shorter.
    #[new]
    fn new(
        py: Python<'_>,
        place: Option<PathBuf>,
        memory: u64,
        seconds: f64,
        mapped: bool,
        theorems: bool,
    ) -> PyResult<Db> {
        let memory = MemoryLimit::new(memory);
        let limits = Limits { memory, seconds };
        let access = if mapped { Access::Mapped } else { Access::Read };
        let opening = Opening { limits, access };
        let opened = quick(py, || match place {
            Some(place) => Opened::open(&place, opening),
            None => Ok(Opened::nothing(limits)),
        })?;
        Ok(Db { opened: Arc::new(opened.watched(watch).using(theorems)), memory })
    }

    /// Returns the id, game, length, largest pile and number of positions of each table. The number
    /// of positions is 0 if the table stores only g(n).
    fn tables(&self) -> Vec<(String, &'static str, usize, Pile, u64)> {
        let about = |table: &grundy::Table| {
            let positions = if table.form() == Form::Whole { table.positions() } else { 0 };
            let id = table.to_string();
            (id, table.game().id(), table.length(), table.max_pile(), positions)
        };
        self.known().tables().iter().map(StoredTable::table).map(about).collect()
    }

    fn largest_stored(&self, name: Name, length: usize) -> PyResult<Option<Pile>> {
        Ok(self.known().largest_stored(game(&name)?, length))
    }

    fn given_size(
        &self,
        name: Name,
        max_pile: Option<Pile>,
        max_total: Option<Pile>,
    ) -> PyResult<Option<Pile>> {
        given_size(game(&name)?, max_pile, max_total)
    }

    fn value(&self, py: Python<'_>, name: Name, given: &Bound<'_, PyAny>) -> PyResult<u32> {
        let (game, position) = at(&name, given)?;
        self.ask(py, |database| database.value(game, position))
    }

    fn answer(&self, py: Python<'_>, name: Name, given: &Bound<'_, PyAny>) -> PyResult<Parts> {
        let (game, position) = at(&name, given)?;
        Ok(parts_of(&self.ask(py, |database| database.answer(game, position))?))
    }

    /// Returns every move: the player, the end, the coins of the pile before and after, the coins
    /// of the rightmost pile before and after, the option with its value and outcome, and true if
    /// the move wins.
    fn moves<'py>(
        &self,
        py: Python<'py>,
        name: Name,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyList>> {
        let (game, position) = at(&name, given)?;
        let found = self.ask(py, |database| database.moves(game, position))?;
        let moves = PyList::empty(py);
        for (made, answer) in &found.moves {
            let outcome = answer.outcome.to_string();
            let wins = is_winning(made.player, answer.outcome);
            let option = parts(&made.option);
            let lowered = (made.from, made.to, made.right);
            let (player, end) = (made.player.name(), made.pick.name());
            moves.append((player, end, lowered, option, answer.value, outcome, wins))?;
        }
        Ok(moves)
    }

    /// Returns the values of a row, or indices of classes; -1 where the rules exclude the position.
    fn row(
        &self,
        py: Python<'_>,
        name: Name,
        word: &Bound<'_, PyAny>,
        last: Pile,
    ) -> PyResult<Py<PyAny>> {
        let (game, word) = (game(&name)?, piles(word)?);
        let answers = self.ask(py, |database| database.row(game, &word, last))?;
        let cells = answers.iter().map(|found| found.map_or(EXCLUDED, |answer| answer.cell()));
        match game.excludes() {
            true => lend::give(py, cells.map(u32::cast_signed).collect()),
            false => lend::give(py, cells.collect::<Vec<u32>>()),
        }
    }

    /// Returns values of many positions at the beginning of play, or the indices of their classes.
    #[pyo3(signature = (name, array, classes, threads, hook))]
    fn values(
        &self,
        py: Python<'_>,
        name: Name,
        array: PyReadonlyArray2<'_, u32>,
        classes: bool,
        threads: Option<usize>,
        hook: Option<Py<PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let game = game(&name)?;
        if !classes && !game.is_impartial() {
            return Err(Fault::from(grundy::QueryError::NoValue { game }).into());
        }
        let (piles, length) = (array.as_slice()?, array.shape()[1]);
        let (database, terms) = (self.get()?, Terms::new(threads, hook));
        let pick = |answer: Answer| match answer.value {
            Some(value) if !classes => value,
            _ => answer.outcome as u32,
        };
        let values = run(py, &terms, || {
            database.answers(game, length, piles, &terms.control, pick).map_err(Fault::of_row)
        })?;
        Ok(PyArray1::from_vec(py, values).into_any().unbind())
    }

    /// Returns the values of a tile: their bytes, their type, the side, and the least pile. The
    /// flag is true if the tile is transposed.
    fn tile<'py>(
        &self,
        py: Python<'py>,
        name: Name,
        middle: &Bound<'_, PyAny>,
        max_pile: Pile,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let (game, middle) = (game(&name)?, piles(middle)?);
        // This tile may be the corner of a tile in a larger stored table.
        let database = self.get()?;
        let largest = database.largest_stored(game, middle.len() + 2).filter(|&n| n >= max_pile);
        let shared = self.ask(py, |database| match largest {
            Some(largest) => database.shared_tile(game, &middle, largest),
            None => Ok(None),
        })?;
        if let Some(tile) = shared {
            let bytes = lend::lend(py, tile.bytes, tile.range)?;
            let kind = format!("<u{}", tile.width);
            return (bytes, kind, tile.max_pile, 1, tile.is_turned).into_pyobject(py);
        }
        let side = u64::from(max_pile);
        if let Err(shortage) = self.memory.check(side.saturating_mul(side).saturating_mul(32)) {
            let what =
                format!("cannot compute a tile of {game} with piles up to {max_pile}: {shortage}");
            let advice = "choose a smaller max_pile, or raise grundy.open(memory=)";
            return Err(Fault::new("LimitError", what).advised(advice).into());
        }
        let tile = run(py, &Terms::default(), || database.tile(game, &middle, max_pile))?;
        let cells = || tile.cells().map(|cell| cell.unwrap_or(EXCLUDED));
        let (kind, bytes): (_, Vec<u8>) = match cells().max() {
            _ if game.excludes() => ("<i4", cells().flat_map(u32::to_le_bytes).collect()),
            Some(most) if most > 0xFF => ("<u4", cells().flat_map(u32::to_le_bytes).collect()),
            _ => ("<u1", cells().map(|value| value as u8).collect()),
        };
        (lend::give(py, bytes)?, kind, tile.side(), tile.first(), false).into_pyobject(py)
    }

    /// Returns the table's id, the number of positions, and the axes of a level's array. The flag
    /// is true if the table is stored.
    fn level_of(
        &self,
        name: Name,
        length: usize,
        max_pile: Pile,
    ) -> PyResult<(String, u64, Vec<usize>, bool)> {
        let level = self.level(game(&name)?, length, max_pile, None)?;
        let is_stored = self.known().table(level.table()).is_some();
        Ok((level.table().to_string(), level.positions(), level.axes(), is_stored))
    }

    /// Returns the type of a level's values, and the number of bytes of all values.
    fn array_of(&self, name: Name, length: usize, max_pile: Pile) -> PyResult<(String, u64)> {
        let game = game(&name)?;
        let level = self.level(game, length, max_pile, None)?;
        let sign = if game.excludes() { 'i' } else { 'u' };
        Ok((format!("<{sign}{}", level.array_width()), level.array_bytes()))
    }

    /// Writes a level's values to an array that NumPy has allocated (in large pages of memory).
    #[pyo3(signature = (name, length, max_pile, out, memory, threads, hook))]
    #[expect(clippy::too_many_arguments, reason = "Python passes the arguments by name")]
    fn write_array(
        &self,
        py: Python<'_>,
        name: Name,
        length: usize,
        max_pile: Pile,
        mut out: PyReadwriteArray1<'_, u8>,
        memory: Option<u64>,
        threads: Option<usize>,
        hook: Option<Py<PyAny>>,
    ) -> PyResult<()> {
        let terms = Terms::new(threads, hook);
        let level = self
            .level(game(&name)?, length, max_pile, memory.map(MemoryLimit::new))?
            .control(&terms.control);
        let bytes = out.as_slice_mut()?;
        if bytes.len() as u64 != level.array_bytes() {
            return Err(Fault::new(
                "SizeError",
                "the size of the array differs from the size of the \
                                   level",
            )
            .into());
        }
        run(py, &terms, || level.write_array(bytes))
    }

    /// Returns the letters of outcome classes, in the order of their indices.
    #[staticmethod]
    fn classes() -> Vec<String> {
        Outcome::ALL.iter().map(ToString::to_string).collect()
    }
}
