//! The games and their positions, against counts by hand and the reference.

mod notation;
mod own;
mod papers;
mod rule_files;
mod tables;
