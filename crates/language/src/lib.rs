#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod ast;
#[cfg(test)]
#[path = "../../testing/src/cases.rs"]
pub mod cases;
pub mod eval;
pub mod fault;
mod lexer;
mod memories;
pub mod mirror;
pub mod moves;
mod names;
mod outcome;
pub mod parser;
mod print;
mod problem;
pub mod resolve;

/// True if the program is compiled for a browser, which has no files, no threads and no clock.
pub const IN_BROWSER: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// True if the program reads rule files. In a browser this requires the feature `rule-files`,
/// because the code that reads them would make the first download a third larger.
pub const RULE_FILES: bool = !IN_BROWSER || cfg!(feature = "rule-files");

pub use ast::{Expr, ExprKind};
pub use eval::{At, Context, Evaluator, Val};
pub use fault::{Cause, Fault, Undefined, ValueError};
pub use memories::{Memories, Remembered};
pub use names::Names;
pub use outcome::{Outcome, Player};
pub use problem::{Problem, Span};
pub use resolve::{Games, Resolver, Setting, Type};
