//! The library as somebody outside uses it.

mod common;
mod far;
mod guesses;
mod levels;
mod lookups;
mod papers;
mod progress;
mod questions;
mod sequences;
mod shares;
mod statements;
