//! The language in which statements about positions and rule files are written.
//!
//! ```text
//!   text ──► lexer ──► parser ──► tree ──► resolve (names, types) ──► the slow evaluator
//!                                                                    one position, 128 bits
//! ```
//!
//! docs/LANGUAGE.md describes the language. A text that cannot be read gives a [`Problem`] with a
//! place in it. A [`Setting`] defines the names that exist in a game. The [`Evaluator`] gets
//! everything that is not in the text from a [`Here`]. Fast evaluators are tested against it.
#![forbid(unsafe_code)]

pub mod ast;
pub mod eval;
pub mod fault;
mod lexer;
pub mod mirror;
pub mod moves;
mod outcome;
pub mod parser;
mod print;
mod problem;
pub mod resolve;

pub use ast::{Expr, ExprKind};
pub use eval::{Evaluator, Here, Val};
pub use fault::{Cause, Fault, Undefined, ValueError};
pub use outcome::{Outcome, Player};
pub use problem::{Problem, Span};
pub use resolve::{Games, Resolver, Setting, Type};
