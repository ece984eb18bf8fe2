//! The claims of the papers, and the periods of rows.

use std::path::PathBuf;

use grundy::papers::{Claim, Means, Plan, Range, conjecture};
use grundy::{Game, Isa, MemoryLimit, PeriodSearch, Pile};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::Value;

use crate::database::Db;
use crate::fault::Fault;
use crate::lend;
use crate::position::{Name, game, piles};
use crate::run::{Terms, quick, run};

fn choose(names: &[String]) -> Result<Vec<&'static Claim>, Fault> {
    Claim::choose(names).map_err(|error| Fault::from(error).advised("grundy.claims() lists them"))
}

/// Returns the claims as JSON.
#[pyfunction]
pub(crate) fn claims(names: Vec<String>) -> PyResult<String> {
    let chosen = choose(&names)?;
    Ok(Value::from(chosen.iter().map(|claim| claim.about()).collect::<Vec<_>>()).to_string())
}

#[pymethods]
impl Db {
    /// Returns the verdicts on claims as JSON. A verdict comes with its proof, if there is one.
    #[pyo3(signature = (names, games, max_pile, length, to, memory, seconds, threads, hook))]
    #[expect(clippy::too_many_arguments, reason = "Python passes the arguments by name")]
    fn diff<'py>(
        &self,
        py: Python<'py>,
        names: Vec<String>,
        games: Vec<String>,
        max_pile: Option<Pile>,
        length: Option<usize>,
        to: Option<u32>,
        memory: Option<u64>,
        seconds: f64,
        threads: Option<usize>,
        hook: Option<Py<PyAny>>,
    ) -> PyResult<Vec<(String, Option<Bound<'py, PyBytes>>)>> {
        let games: Vec<Game> = games.iter().map(|name| game(name)).collect::<Result<_, _>>()?;
        let mut claims = choose(&names)?;
        if names.is_empty() && !games.is_empty() {
            claims.retain(|claim| claim.wanted(&games).is_ok());
        }
        let range = Range { max_pile, length, to };
        if let Some(unused) = range.unused(&claims) {
            let what = format!("none of these claims uses {unused}; leave it out");
            return Err(Fault::new("SizeError", what).into());
        }
        let shorter = range.shorter(&claims);
        if let (Some(given), [(first, to), ..]) = (length, &shorter[..])
            && shorter.len() == claims.len()
        {
            let id = &first.id;
            let what = format!("{id} is about positions of at most {to} piles, not length={given}");
            return Err(Fault::new("SizeError", what).into());
        }
        let plan = Plan::new(&claims, &games, &range).map_err(Fault::from)?;
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let means = Means {
            isa: Isa::best(),
            memory: memory.map_or(self.memory, MemoryLimit::new),
            threads: threads.unwrap_or(cores),
            certificate: None,
            keeper: None,
        };
        let estimate = plan.estimate(&means).map_err(Fault::from)?;
        estimate.within(means.memory, seconds).map_err(Fault::from)?;
        let (database, terms) = (self.get()?, Terms::new(threads, hook));
        let verdicts = run(py, &terms, || plan.run(database, &means, &terms.control))?;
        let parts = verdicts.iter().map(|verdict| {
            let text = serde_json::to_string(verdict);
            let proof = verdict.certificate.as_ref().map(|bytes| PyBytes::new(py, bytes));
            text.map(|text| (text, proof))
        });
        let parts = parts.collect::<Result<Vec<_>, _>>();
        Ok(parts.map_err(|error| Fault::new("InternalError", error.to_string()))?)
    }
}

/// The rows b -> G(a, w, b) for a = 1, ..., `left`, or only the last row; with 0, only the row
/// b -> G(w, b). A row consists of a, the
/// period (preperiod, period, saltus, and true if it is proved), and the values.
type PeriodRows = Vec<(Pile, Option<(usize, usize, i64, bool)>, Py<PyAny>)>;

#[pyfunction]
#[pyo3(signature = (name, left, middle, to, all, limits))]
pub(crate) fn periods(
    py: Python<'_>,
    name: Name,
    left: Pile,
    middle: &Bound<'_, PyAny>,
    to: u32,
    all: bool,
    limits: (u64, f64),
) -> PyResult<PeriodRows> {
    let (game, middle) = (game(&name)?, piles(middle)?);
    let (memory, seconds) = limits;
    let search = PeriodSearch { game, left, middle: &middle, to, memory: memory.into() };
    let terms = Terms::new(Some(1), None).within(seconds);
    let rows = run(py, &terms, || search.rows(&terms.control))?;
    let parts = (left.min(1)..).zip(rows).filter(|&(a, _)| all || a == left).map(|(a, row)| {
        let found = row.found.map(|f| (f.preperiod, f.period, f.saltus, f.proved));
        Ok((a, found, lend::give(py, row.values)?))
    });
    parts.collect()
}

/// Checks a certificate of the triangular-number conjecture, given as bytes or as a file. Returns
/// the bound, the first n that the certificate does not prove, and the number of families.
#[pyfunction]
pub(crate) fn check_certificate(
    py: Python<'_>,
    given: &Bound<'_, PyAny>,
    memory: u64,
) -> PyResult<(u32, Option<u32>, u64)> {
    let checked = match given.cast::<PyBytes>() {
        Ok(bytes) => {
            let bytes = bytes.as_bytes();
            quick(py, || conjecture::check_bytes("that was given".as_ref(), bytes, memory.into()))?
        }
        Err(_) => {
            let file: PathBuf = given.extract()?;
            quick(py, || conjecture::check_file(&file, memory.into()))?
        }
    };
    Ok((checked.bound(), checked.first_gap(), checked.families()))
}
