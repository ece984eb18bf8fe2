//! Parsing of games and positions.

use std::ops::Deref;

use grundy::{Game, IntoPosition, Memory, Order, Pile, Position, Remembers};
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyDict, PyFrozenSet, PyList, PySet, PyString, PyTuple,
};

use crate::fault::Fault;

/// The name of a game: a string, or an item of `grundy.games()`.
pub(crate) struct Name(PyBackedStr);

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Name {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Name> {
        let text = match given.cast::<PyString>() {
            Ok(_) => given.extract::<PyBackedStr>()?,
            Err(_) => match given.getattr("name").and_then(|name| name.extract::<PyBackedStr>()) {
                Ok(name) => name,
                Err(_) => {
                    let shown = shown(&given)?;
                    let what = format!("a game is a string, as in 'end-nim'; got {shown}");
                    return Err(PyTypeError::new_err(what));
                }
            },
        };
        Ok(Name(text))
    }
}

pub(crate) fn game(name: &str) -> Result<Game, Fault> {
    Ok(grundy::game(name)?)
}

/// Returns a game and one of its positions.
pub(crate) fn at(name: &str, given: &Bound<'_, PyAny>) -> PyResult<(Game, Position)> {
    let game = game(name)?;
    Ok((game, position(game, given)?))
}

/// Returns a position of the game from a string, a `Position` or piles.
fn position(game: Game, given: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(text) = given.cast::<PyString>() {
        return read(game, text.to_str()?);
    }
    if !given.is_instance_of::<PyTuple>()
        && let Ok(text) = given.getattr("_text")
    {
        let of = given.getattr("game")?.to_string();
        if of != game.id() {
            let text = format!("{given} is a position of {of}, not of {}", game.id());
            return Err(Fault::new("PositionError", text).into());
        }
        // Take the piles if possible, because a string must not contain piles above 10^9.
        if let Ok(piles) = given.getattr("piles")?.extract::<Vec<Pile>>()
            && !text.cast::<PyString>()?.to_str()?.contains(['/', '{'])
        {
            return of_piles(game, piles);
        }
        return read(game, text.cast::<PyString>()?.to_str()?);
    }
    of_piles(game, piles(given)?)
}

fn read(game: Game, text: &str) -> PyResult<Position> {
    let shown = || text.chars().take(SHOWN).collect::<String>();
    Ok(game.parse(text).map_err(|error| Fault::from(error).position(shown()))?)
}

fn of_piles(game: Game, piles: Vec<Pile>) -> PyResult<Position> {
    let read = (&piles[..]).into_position(game);
    Ok(read.map_err(|error| {
        let shown = piles.iter().take(SHOWN / 4).map(Pile::to_string).collect::<Vec<_>>();
        Fault::from(error).position(shown.join(","))
    })?)
}

/// The maximum number of piles of a position. More piles could exhaust the memory or delay Ctrl-C.
const MOST_PILES: usize = 1_000_000;

/// The maximum number of characters of a position that an error shows.
const SHOWN: usize = 120;

fn shown(given: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(given.repr()?.to_string_lossy().chars().take(SHOWN).collect())
}

/// Returns piles from a tuple, a list or an array.
pub(crate) fn piles(given: &Bound<'_, PyAny>) -> PyResult<Vec<Pile>> {
    // Refuse sets, which have no order, and bytes, which are not piles.
    let is_row = !(given.is_instance_of::<PyBytes>()
        || given.is_instance_of::<PyByteArray>()
        || given.is_instance_of::<PySet>()
        || given.is_instance_of::<PyFrozenSet>()
        || given.is_instance_of::<PyDict>());
    let Some(items) = given.try_iter().ok().filter(|_| is_row) else {
        return Err(PyTypeError::new_err(format!(
            "a position is a tuple of piles, a text or a Position, as in (3, 1, 4) or '3,1,4'; this is {}",
            given.get_type().name()?
        )));
    };
    let too_many = || {
        let text = format!("a position has at most {MOST_PILES} piles; more were given");
        PyErr::from(Fault::new("PositionError", text))
    };
    if given.len().is_ok_and(|count| count > MOST_PILES) {
        return Err(too_many());
    }
    let mut piles = Vec::with_capacity(8);
    for (at, item) in items.enumerate() {
        // Iterators have no length.
        if at == MOST_PILES {
            return Err(too_many());
        }
        piles.push(pile(&item?, at, given)?);
    }
    Ok(piles)
}

fn pile(item: &Bound<'_, PyAny>, at: usize, of: &Bound<'_, PyAny>) -> PyResult<Pile> {
    if !item.is_instance_of::<PyBool>()
        && let Ok(pile) = item.extract::<Pile>()
    {
        return Ok(pile);
    }
    let (number, shown) = (at + 1, shown(of)?);
    // Objects with `__index__`, such as an array of one number, are numbers too.
    let whole = match item.is_instance_of::<PyBool>() {
        true => None,
        false => item.call_method0("__index__").ok(),
    };
    let Some(whole) = whole else {
        return Err(PyTypeError::new_err(format!(
            "pile {number} of {shown} is not a whole number but {}",
            item.get_type().name()?
        )));
    };
    let what = match whole.lt(0)? {
        true => "negative; every pile has at least one coin",
        false => "too large; a pile has less than 2**32 coins",
    };
    let fault = Fault::new("PositionError", format!("pile {number} of {shown} is {what}"));
    Err(fault.position(shown).into())
}

/// Lists the built-in games, and if `rulesets` is true also the rulesets.
#[pyfunction]
pub(crate) fn games(py: Python<'_>, rulesets: bool) -> PyResult<Bound<'_, PyList>> {
    let all = PyList::empty(py);
    let most = if rulesets { usize::MAX } else { Game::all().count() };
    for name in grundy::rulesets::names().into_iter().take(most) {
        all.append(about(py, game(name)?)?)?;
    }
    Ok(all)
}

/// Describes the game that has this name, or whose rule file has this path.
#[pyfunction]
pub(crate) fn game_named<'py>(py: Python<'py>, name: Name) -> PyResult<Bound<'py, PyDict>> {
    about(py, game(&name)?)
}

/// Describes the game that the text of a rule file defines.
#[pyfunction]
pub(crate) fn game_of_text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    about(py, grundy::game_of_text(text).map_err(Fault::from)?.0)
}

/// Returns the properties of a game, as in `grundy.Game`.
fn about(py: Python<'_>, game: Game) -> PyResult<Bound<'_, PyDict>> {
    let about = PyDict::new(py);
    about.set_item("name", game.id())?;
    about.set_item("title", game.title())?;
    about.set_item("paper", game.paper())?;
    about.set_item("rule", game.rule())?;
    about.set_item("is_row", game.order() == Order::Row)?;
    about.set_item("is_impartial", game.is_impartial())?;
    about.set_item("blocks", game.blocks())?;
    about.set_item("falls", game.law().and_then(grundy::law::Law::falls_in_words))?;
    about.set_item("within", if game.is_within_total() { "total" } else { "largest pile" })?;
    let remembers = match game.remembers() {
        Remembers::Nothing => None,
        Remembers::Numbers => {
            let all = game.memories().into_iter().flat_map(grundy::Memories::all);
            let all = all.map(|of| if of.largest.is_none() { "last move" } else { &of.name });
            Some(all.collect::<Vec<_>>().join(", "))
        }
        Remembers::Moves => Some("moves".to_owned()),
    };
    about.set_item("remembers", remembers)?;
    about.set_item("convention", grundy::convention_of(game))?;
    Ok(about)
}

/// A position in parts: its notation, its piles, the remembered numbers, the remaining moves.
pub(crate) type Parts = (String, Vec<Pile>, Vec<(String, u32)>, Option<String>);

pub(crate) fn parts(position: &Position) -> Parts {
    let memory = position.memory();
    let numbers = memory.numbers().into_iter().map(|(name, number)| (name.to_owned(), number));
    let moves = match memory {
        Memory::Available(set) => Some(set.to_string()),
        _ => None,
    };
    (position.to_string(), position.piles().to_vec(), numbers.collect(), moves)
}

#[pyfunction]
#[pyo3(name = "parse")]
pub(crate) fn parse(name: Name, given: &Bound<'_, PyAny>) -> PyResult<(String, Parts)> {
    let (game, position) = at(&name, given)?;
    Ok((game.id().to_owned(), parts(&position)))
}

/// Returns the N of the tables of a game, which may be given as a largest pile or a largest total.
pub(crate) fn given_size(
    game: Game,
    max_pile: Option<Pile>,
    max_total: Option<Pile>,
) -> PyResult<Option<Pile>> {
    let size = game.given_size(max_pile, max_total);
    Ok(size.map_err(grundy::Error::from).map_err(Fault::from)?)
}
