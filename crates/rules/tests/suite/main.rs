//! Tests games and positions. The expected results were counted by hand or come from the reference.

#[path = "../../../testing/src/cases.rs"]
pub mod cases;
mod laws;
mod notation;
mod own;
mod papers;
mod rule_files;
mod tables;
