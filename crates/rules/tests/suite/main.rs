//! The games and their positions, against counts by hand and the reference.

mod own;
mod papers;
mod tables;
