//! The package `grundy` for Python, as far as it is not written in Python.
//!
//! ```text
//!   python/grundy/*.py     what one types: names, documentation, pictures
//!          │  plain things: texts, tuples, arrays
//!          ▼
//!   this module _grundy    positions and errors brought over, memory lent, the interpreter let go
//!          │
//!          ▼
//!   crates/grundy          the facade: all that is computed
//! ```
//!
//! What takes long runs on threads of its own, a pool for each call, while the calling thread waits
//! without the interpreter's lock (`run`): it looks for Ctrl-C, tells how far the work is, and stops
//! it. No pool outlives its call, so a process may fork between calls.
//!
//! Arrays are handed over, not copied: what was computed for an array belongs to it, and a tile
//! that stands in a decoded frame is lent together with the frame (`lend`), whoever else lets go
//! of it. Nothing that is lent can be written to.
//!
//! The wheel has the program `grundy` too, as the library that it is (`command_line`).
//!
//! A panic of what is computed would be a mistake of this program. It is caught and raised as
//! `InternalError`.
#![deny(unsafe_code)]

mod ask;
mod database;
mod fault;
mod lend;
mod papers;
mod place;
mod position;
mod run;
mod sweep;

use std::ffi::OsString;
use std::io::Write as _;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fault::Fault;
use crate::run::quick;

/// The program `grundy`, in a process that does nothing else: what was typed, the program's name first,
/// to the exit code.
#[pyfunction]
fn command_line(py: Python<'_>, typed: Vec<OsString>) -> PyResult<u8> {
    quick(py, || {
        let code = grundy_cli::main(typed);
        // What a Rust program does when it ends. Whoever read it may have seen enough.
        let _ = std::io::stdout().flush();
        Ok::<_, Fault>(code)
    })
}

#[pymodule]
fn _grundy(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Has NumPy loaded now: a signal in the midst of a later load would be a panic.
    lend::give(py, Vec::<u8>::new())?;
    py.import("atexit")?.call_method1("register", (wrap_pyfunction!(run::end, module)?,))?;
    if let Ok(register) = py.import("os")?.getattr("register_at_fork") {
        let forked = PyDict::new(py);
        forked.set_item("after_in_child", wrap_pyfunction!(run::forked, module)?)?;
        register.call((), Some(&forked))?;
    }
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<database::Db>()?;
    module.add_class::<sweep::Block>()?;
    module.add_function(wrap_pyfunction!(command_line, module)?)?;
    module.add_function(wrap_pyfunction!(position::games, module)?)?;
    module.add_function(wrap_pyfunction!(position::parse, module)?)?;
    module.add_function(wrap_pyfunction!(papers::claims, module)?)?;
    module.add_function(wrap_pyfunction!(papers::periods, module)?)?;
    module.add_function(wrap_pyfunction!(papers::check_certificate, module)?)?;
    Ok(())
}
