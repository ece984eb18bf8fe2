//! The language in which statements about positions and rule files are written.
//!
//! ```text
//!   text ──► lexer ──► parser ──► tree ──► resolve (names, types) ──► the slow evaluator
//!                                                                    one position, 128 bits
//! ```
//!
//! What it says stands in docs/LANGUAGE.md. A text that cannot be read is a [`Problem`] with a place
//! in it. What names mean depends on who asks: a [`Setting`] says which of them there are. The
//! [`Evaluator`] asks a [`Here`] for all that is not in the text. It is the oracle: fast evaluators
//! are held against it.
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
