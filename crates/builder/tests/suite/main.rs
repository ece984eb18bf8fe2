//! Whole builds, builds in shares, and builds with faults. `tests/estimates.rs` is a program of its
//! own because it measures its process.

mod build;
mod faults;
mod shares;
