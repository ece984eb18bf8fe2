//! Theorems about rows of all lengths.

use grundy::theorems::{self, Of, Theorem, TheoremError, Within};
use grundy::{Game, Pile};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::fault::Fault;
use crate::position::{Name, game};
use crate::run::{Terms, run};

/// A certificate, the statement, and further texts: an automaton in other formats, or the formula
/// of a family.
type Proved<'py> = (Bound<'py, PyBytes>, String, Vec<String>);

fn proved<T: Send>(
    py: Python<'_>,
    game: Game,
    (outcomes, memory, seconds): (bool, u64, f64),
    search: impl FnOnce(Of, &Within<'_>) -> Result<Theorem<T>, TheoremError> + Send,
    texts: impl FnOnce(&T) -> Vec<String>,
) -> PyResult<Proved<'_>> {
    let of = if outcomes || !game.is_impartial() { Of::Outcomes } else { Of::Values };
    let terms = Terms::new(Some(1), None);
    let within = Within { memory, seconds, control: &terms.control };
    let Theorem { found, statement, certificate } = run(py, &terms, || search(of, &within))?;
    Ok((PyBytes::new(py, certificate.as_bytes()), statement, texts(&found)))
}

#[pyfunction]
pub(crate) fn prove<'py>(
    py: Python<'py>,
    name: Name,
    piles: Pile,
    limits: (bool, u64, f64),
) -> PyResult<Proved<'py>> {
    let game = game(&name)?;
    let search = |of, within: &Within<'_>| theorems::prove(game, piles, of, within, |_| {});
    proved(py, game, limits, search, |found| vec![found.dot(), found.svg(), found.walnut()])
}

#[pyfunction]
pub(crate) fn families<'py>(
    py: Python<'py>,
    name: Name,
    words: &str,
    limits: (bool, u64, f64),
) -> PyResult<Proved<'py>> {
    let game = game(&name)?;
    let words = words.parse().map_err(TheoremError::Words).map_err(Fault::from)?;
    let search = |of, within: &Within<'_>| theorems::families(game, &words, of, within, |_| {});
    proved(py, game, limits, search, |found| vec![found.formula()])
}
