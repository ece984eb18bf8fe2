//! Tests whole builds, builds in shares, and builds with faults.

mod build;
mod faults;
mod shares;
