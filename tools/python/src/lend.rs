//! Memory lent to NumPy: the only unsafe code of this crate.
#![allow(unsafe_code)]

use std::ops::Range;
use std::sync::Arc;

use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// Holds bytes that arrays look at.
#[pyclass(frozen, module = "grundy._grundy")]
struct Lent {
    bytes: Arc<[u8]>,
}

/// Some of these bytes as an array that cannot be written to, without a copy.
pub(crate) fn lend<'py>(
    py: Python<'py>,
    bytes: Arc<[u8]>,
    range: Range<usize>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let lent = Bound::new(py, Lent { bytes })?;
    let view = ArrayView1::from(&lent.get().bytes[range]);
    // SAFETY: the array's memory must stay where it is, and unchanged, as long as the array lives.
    // It belongs to an `Arc` that nobody changes; `lent`, which is the array's base, holds it, and
    // is frozen, so that nobody takes it out.
    let array = unsafe { PyArray1::borrow_from_array(&view, lent.clone().into_any()) };
    // Before anybody else sees it.
    seal(&array)?;
    Ok(array)
}

/// Makes an array one that cannot be written to.
pub(crate) fn seal<T: numpy::Element>(array: &Bound<'_, PyArray1<T>>) -> PyResult<()> {
    array.try_readwrite()?.make_nonwriteable();
    Ok(())
}

/// Numbers that now belong to an array that cannot be written to.
pub(crate) fn give<T: numpy::Element>(py: Python<'_>, numbers: Vec<T>) -> PyResult<Py<PyAny>> {
    let array = PyArray1::from_vec(py, numbers);
    seal(&array)?;
    Ok(array.into_any().unbind())
}
