//! The library as somebody outside uses it.

mod common;
mod levels;
mod lookups;
mod questions;
mod shares;
mod statements;
