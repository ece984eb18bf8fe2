//! Tests of the games and their positions, against counts by hand and against the reference.

mod laws;
mod notation;
mod own;
mod papers;
mod rule_files;
mod tables;
