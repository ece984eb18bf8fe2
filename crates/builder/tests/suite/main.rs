//! Tests whole builds, builds in shares, and builds with faults. `tests/estimates.rs` is a separate
//! program, because it measures its process.

mod build;
mod faults;
mod shares;
