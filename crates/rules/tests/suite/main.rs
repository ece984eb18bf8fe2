//! Tests of the games and their positions, by hand counts and by the reference.

mod laws;
mod notation;
mod own;
mod papers;
mod rule_files;
mod tables;
