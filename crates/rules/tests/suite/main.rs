//! Tests of the games and their positions, compared with counts by hand and with the reference.

#[path = "../../../testing/src/cases.rs"]
pub mod cases;
mod laws;
mod notation;
mod own;
mod papers;
mod rule_files;
mod tables;
