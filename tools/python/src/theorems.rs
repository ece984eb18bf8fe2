//! Theorems about rows of all lengths, and about piles of all sizes.

use grundy::sizes::{Limits, usual_limit, value_classes};
use grundy::theorems::{self, Of, Theorem, TheoremError, Within};
use grundy::{Database, Game, MemoryLimit, Outcome, Pile};
use pyo3::exceptions::PyValueError;
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

/// The value, the equivalence, the formula, and the formula in LaTeX.
type ClassTexts = (String, String, String, String);

/// The cap, the modulus and the box of a proof.
type Proof = (u64, u64, u64);

/// The least n, and a polynomial in n for each remainder.
type ClassCounts = (u64, Vec<String>);

/// The classes and the certificate, or the reason why nothing was proved.
type Classes<'py> = (
    Vec<(ClassTexts, Option<Proof>, Option<ClassCounts>)>,
    Option<Bound<'py, PyBytes>>,
    Option<String>,
);

#[pyfunction]
pub(crate) fn classes<'py>(
    py: Python<'py>,
    name: Name,
    length: usize,
    values: Option<(u32, u32)>,
    max_pile: Option<Pile>,
    limits: (u64, f64),
) -> PyResult<Classes<'py>> {
    let game = game(&name)?;
    let (memory, seconds) = limits;
    let values = match (values, game.is_impartial()) {
        (Some((first, last)), true) => first..=last,
        (None, false) => 0..=Outcome::ALL.len() as u32 - 1,
        (None, true) => return Err(fault("choose the values, as in values=(0, 2)")),
        (Some(_), false) => {
            return Err(fault(&format!("{game} has outcome classes and no values")));
        }
    };
    let terms = Terms::new(None, None).within(seconds);
    let (database, memory) = (&Database::empty(), MemoryLimit::new(memory));
    let limits = Limits { database, memory, control: Some(&terms.control) };
    let limit = max_pile.unwrap_or_else(|| usual_limit(length));
    let found = match run(py, &terms, || {
        Ok::<_, Fault>(value_classes(game, length, values, limit, &limits))
    })? {
        Err(_) if terms.control.is_stopped() => {
            Err("the time passed before a proof was found".to_owned())
        }
        found => found.map_err(Fault::from)?,
    };
    let found = match found {
        Ok(found) => found,
        Err(why) => return Ok((Vec::new(), None, Some(why))),
    };
    let all = found.classes.into_iter().map(|class| {
        let proof = class.found.map(|of| (of.cap as u64, of.modulus as u64, of.most as u64));
        let polynomials = |counts: grundy::sizes::Counts| {
            (counts.from as u64, counts.polynomials.iter().map(ToString::to_string).collect())
        };
        let whole = format!("{} <-> {}", class.name, class.formula);
        let texts = (class.value, whole, class.formula, class.latex);
        (texts, proof, class.counts.map(polynomials))
    });
    Ok((all.collect(), Some(PyBytes::new(py, found.certificate.as_bytes())), None))
}

fn fault(why: &str) -> PyErr {
    PyValueError::new_err(why.to_owned())
}
