//! The Rust part of the Python package `grundy`.
//!
//! ```text
//!   python/grundy/*.py     the interface for users: names, documentation, pictures
//!          │  simple values: strings, tuples, arrays
//!          ▼
//!   this module _grundy    converts positions and errors, lends memory, releases the lock
//!          │
//!          ▼
//!   crates/grundy          the facade, which computes everything
//! ```
//!
//! Each long call has its own pool of threads. The calling thread releases the interpreter's lock
//! and waits (`run`); meanwhile it checks for Ctrl-C, reports progress, and can stop the work. No
//! pool outlives its call, so a process may fork between calls.
//!
//! Arrays are moved, not copied, so an array owns its computed values. A tile in a decoded frame
//! borrows the frame (`lend`), and stays valid after the database is closed. Borrowed memory is
//! read-only.
//!
//! The wheel also contains the program `grundy` as a library (`command_line`).
//!
//! A panic is a bug of this program. It is caught and raised as `InternalError`.
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
mod theorems;

use std::ffi::OsString;
use std::io::Write as _;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::fault::Fault;
use crate::run::quick;

/// Runs the program `grundy`, and returns its exit code. The first word in `typed` is the program's
/// name. After this call the process must end.
#[pyfunction]
fn command_line(py: Python<'_>, typed: Vec<OsString>) -> PyResult<u8> {
    quick(py, || {
        let code = grundy_cli::main(typed);
        // Flush the output, as a Rust program does when it ends. Ignore a failure, because the
        // reader of the output may have ended.
        let _ = std::io::stdout().flush();
        Ok::<_, Fault>(code)
    })
}

#[pymodule]
fn _grundy(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Load NumPy now, because a signal during a later load would cause a panic.
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
    module.add_function(wrap_pyfunction!(position::game_named, module)?)?;
    module.add_function(wrap_pyfunction!(position::game_of_text, module)?)?;
    module.add_function(wrap_pyfunction!(position::parse, module)?)?;
    module.add_function(wrap_pyfunction!(papers::claims, module)?)?;
    module.add_function(wrap_pyfunction!(papers::periods, module)?)?;
    module.add_function(wrap_pyfunction!(papers::check_certificate, module)?)?;
    module.add_function(wrap_pyfunction!(theorems::prove, module)?)?;
    module.add_function(wrap_pyfunction!(theorems::families, module)?)?;
    module.add_function(wrap_pyfunction!(theorems::classes, module)?)?;
    Ok(())
}
