//! Turns errors into exceptions. An exception has a class of `grundy.errors`, advice, and the
//! position, table and file that the error concerns.

use std::error::Error;
use std::iter::successors;
use std::path::PathBuf;

use grundy::{Advice, BatchError, Class, Diagnosis, Limit, Measure, diagnose, with_causes};
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[derive(Debug)]
pub(crate) struct Fault {
    /// The name of a class of `grundy.errors`.
    class: &'static str,
    what: String,
    position: Option<String>,
    table: Option<String>,
    file: Option<PathBuf>,
}

impl Fault {
    pub(crate) fn new(class: &'static str, what: impl Into<String>) -> Fault {
        Fault { class, what: what.into(), position: None, table: None, file: None }
    }

    pub(crate) fn position(self, position: impl Into<String>) -> Fault {
        Fault { position: Some(position.into()), ..self }
    }

    pub(crate) fn advised(self, advice: &str) -> Fault {
        Fault { what: format!("{}; {advice}", self.what), ..self }
    }

    /// Returns the error of one row of an array of positions.
    pub(crate) fn of_row(BatchError { place, error, .. }: BatchError) -> Fault {
        let fault = Fault::from(*error);
        match fault.class == "StoppedError" {
            true => fault,
            false => Fault { what: format!("row {place}: {}", fault.what), ..fault },
        }
    }
}

impl From<Fault> for PyErr {
    fn from(fault: Fault) -> PyErr {
        let raise = |py: Python<'_>| -> PyResult<PyErr> {
            let class = py.import("grundy.errors")?.getattr(&*fault.class)?;
            let about = PyDict::new(py);
            about.set_item("position", &fault.position)?;
            about.set_item("table", &fault.table)?;
            about.set_item("file", fault.file.as_ref().map(|file| file.display().to_string()))?;
            Ok(PyErr::from_value(class.call((&fault.what,), Some(&about))?))
        };
        Python::attach(|py| raise(py).unwrap_or_else(|error| error))
    }
}

impl<E: Error + 'static> From<E> for Fault {
    fn from(error: E) -> Fault {
        let what = with_causes(&error);
        let mut chain = successors(Some(&error as &(dyn Error + 'static)), |&error| error.source());
        let Some(diagnosis) = chain.find_map(diagnose) else {
            return Fault::new("GrundyError", what);
        };
        let Diagnosis { class, advice, position, table, file } = diagnosis;
        let class = match class {
            Class::Game => "GameError",
            Class::Position => "PositionError",
            Class::Size => "SizeError",
            Class::Statement => "StatementError",
            Class::Claim => "ClaimError",
            Class::Limit => "LimitError",
            Class::Damaged => "DamagedError",
            Class::Missing => "MissingError",
            Class::Access => "AccessError",
            Class::Fetch => "FetchError",
            Class::Place => "PlaceError",
            Class::Stopped => "StoppedError",
            Class::Other => "GrundyError",
        };
        let fault = Fault { class, what, position, table, file };
        match advice {
            Some(advice) => fault.advised(in_arguments(advice)),
            None => fault,
        }
    }
}

/// Returns the facade's advice with the names of Python's arguments.
fn in_arguments(advice: Advice) -> &'static str {
    match advice {
        Advice::Words(words) => words,
        Advice::RaiseLimit(Limit::Memory) | Advice::RaiseTransferLimit(Limit::Memory) => {
            "raise grundy.open(memory=)"
        }
        Advice::RaiseLimit(Limit::Seconds) | Advice::RaiseTransferLimit(Limit::Seconds) => {
            "raise grundy.open(seconds=)"
        }
        Advice::RaiseMemory => "raise memory=",
        Advice::SmallerSize(Measure::Pile) => "choose a smaller max_pile or length",
        Advice::SmallerSize(Measure::Total) => "choose a smaller max_total",
        Advice::SmallerSizeOr(Measure::Total, Limit::Memory) => {
            "choose a smaller max_total, or raise memory="
        }
        Advice::SmallerSizeOr(Measure::Pile, Limit::Memory)
        | Advice::SmallerRangeOr(Limit::Memory) => "choose a smaller size, or raise memory=",
        Advice::SmallerSizeOr(_, Limit::Seconds) | Advice::SmallerRangeOr(Limit::Seconds) => {
            "choose a smaller range, or raise seconds="
        }
        Advice::Again => "open it again",
        Advice::NameSigner => {
            "unpack it with `grundy unpack --pubkey`, and open the resulting folder"
        }
        Advice::OtherRelease => "use the release that wrote it",
    }
}
