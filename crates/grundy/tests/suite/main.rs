//! Tests of the library through its public interface.

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
