//! wip
#![forbid(unsafe_code)]
mod ast;
mod eval;
mod fault;
mod lane;
mod lexer;
mod lower;
mod machine;
mod mirror;
mod parser;
mod print;
mod problem;
mod program;
mod question;
mod range;
mod resolve;
mod sets;
mod values;
mod worker;

pub use fault::Undefined;
pub use problem::{Problem, Span};
pub use question::Question;
pub use values::{Cells, Dense, ValueError, Values};
pub use worker::{Asks, Column, Places, Prepared, Show, Tile, Worker};
