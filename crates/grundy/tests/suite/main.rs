//! Tests of the library through its public interface.

mod claims;
mod common;
mod guesses;
mod levels;
mod lookups;
mod progress;
mod questions;
mod sequences;
mod shares;
mod sizes;
mod statements;
