//! The errors for statements that have no value at a position.

use std::error::Error;
use std::sync::Arc;

use crate::problem::{Problem, Span};

/// The reason why the value of a position is unknown.
pub type ValueError = Arc<dyn Error + Send + Sync>;

/// A part of a statement that has no value, and the reason.
#[derive(Clone, Debug)]
pub struct Fault {
    pub span: Span,
    pub cause: Cause,
}

#[derive(Clone, Debug, thiserror::Error)]
pub enum Cause {
    #[error("division by zero")]
    DivisionByZero,
    #[error("a negative exponent")]
    NegativeExponent,
    #[error("a shift by fewer than 0 or more than 127 bits")]
    Shift,
    #[error("a number of more than 127 bits")]
    TooWide,
    #[error("there is no pile p{number} in a position of length {length}")]
    NoPile { number: usize, length: usize },
    #[error("there is no place {place} in a list of length {length}")]
    NoPlace { place: i128, length: usize },
    #[error("`{0}` of an empty list")]
    OfNothing(&'static str),
    #[error("`{0}` of a number for which it is undefined")]
    Domain(&'static str),
    #[error("a range of more than {0} numbers")]
    LongRange(i128),
    #[error("more than {0} numbers to try")]
    ManyMembers(usize),
    #[error("a reference to the invalid position {0}")]
    NoPosition(String),
    #[error("a `{name}` that is not from {least} to {largest}")]
    NotRemembered { name: String, least: u32, largest: u32 },
    #[error("{0}")]
    Value(ValueError),
}

/// The error for a statement that has no value at a position.
#[derive(Clone, Debug)]
pub struct Undefined {
    /// The position in its notation.
    pub position: String,
    /// The part without a value, the reason, and a hint.
    pub problem: Box<Problem>,
    /// The error of the look-up, if the look-up of another position failed.
    pub cause: Option<ValueError>,
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.problem.fmt(f)
    }
}

impl std::error::Error for Undefined {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Some(cause) => Some(&**cause),
            None => None,
        }
    }
}

impl Undefined {
    /// Returns the error for a fault of the statement `text` at a position.
    pub fn new(fault: Fault, position: String, text: &str) -> Undefined {
        let what = format!("{} at the position {position}", fault.cause);
        let problem = Problem::new(what, fault.span, "this has no value at that position");
        let problem = match &fault.cause {
            Cause::DivisionByZero => {
                problem.hint("exclude such positions by a premise, as in `last > 1 -> ...`")
            }
            Cause::NoPosition(_) => problem.hint(
                "a row has no pile of 0 at an end; test that the position exists, as in \
                       `exists(p1, p2 - 1, p3) -> g(p1, p2 - 1, p3) != g`",
            ),
            Cause::NotRemembered { name, least, largest } => {
                problem.hint(format!("`{name}` remembers a number from {least} to {largest}"))
            }
            Cause::NoPile { .. } => {
                problem.hint("choose longer positions, or add the premise `k >= ... ->`")
            }
            Cause::OfNothing(_) => {
                problem.hint("exclude such positions by a premise, as in `k > 2 -> ...`")
            }
            _ => problem,
        };
        let cause = match fault.cause {
            Cause::Value(cause) => Some(cause),
            _ => None,
        };
        Undefined { position, problem: Box::new(problem.of(text)), cause }
    }
}
