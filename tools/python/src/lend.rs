//! Memory that NumPy borrows. This is the only unsafe code of the crate.
#![allow(unsafe_code)]

use std::ops::Range;
use std::sync::Arc;

use numpy::ndarray::ArrayView1;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// The owner of the bytes that arrays refer to.
#[pyclass(frozen, module = "grundy._grundy")]
struct Lent {
    bytes: Arc<[u8]>,
}

/// Returns a range of these bytes as a read-only array, without a copy.
pub(crate) fn lend<'py>(
    py: Python<'py>,
    bytes: Arc<[u8]>,
    range: Range<usize>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let lent = Bound::new(py, Lent { bytes })?;
    let view = ArrayView1::from(&lent.get().bytes[range]);
    // SAFETY: the memory of the array must stay in place and unchanged as long as the array lives.
    // This memory belongs to an `Arc`, whose content no code changes. The base of the array,
    // `lent`, holds that `Arc`. `lent` is frozen, so that no code can take the `Arc` out.
    let array = unsafe { PyArray1::borrow_from_array(&view, lent.clone().into_any()) };
    // No other code refers to the array yet.
    seal(&array)?;
    Ok(array)
}

/// Makes an array read-only.
pub(crate) fn seal<T: numpy::Element>(array: &Bound<'_, PyArray1<T>>) -> PyResult<()> {
    array.try_readwrite()?.make_nonwriteable();
    Ok(())
}

/// Moves numbers into a read-only array.
pub(crate) fn give<T: numpy::Element>(py: Python<'_>, numbers: Vec<T>) -> PyResult<Py<PyAny>> {
    let array = PyArray1::from_vec(py, numbers);
    seal(&array)?;
    Ok(array.into_any().unbind())
}
