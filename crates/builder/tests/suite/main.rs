//! Builds at once, in shares and through every fault. `tests/estimates.rs` is a program of its own, for
//! it measures its process.

mod build;
mod faults;
mod shares;
