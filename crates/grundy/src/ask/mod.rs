//! Questions in the language of docs/LANGUAGE.md, asked of whole levels.
//!
//! ```text
//! question    how a statement is asked, and what comes of it
//! check       a statement, checked on every position
//! find        the positions that satisfy a statement, in order
//! order       the order in which positions are listed
//! lookups     values of other positions, for statements that ask for them
//! all_orders  values of multisets, looked up without sorting
//! gathered    counts and counterexamples, as each thread gathers them
//! share       a check or a list, done share by share in different processes, or a stretch at a time
//! sequence    integer sequences: how many positions of each size satisfy a statement
//! guess       simple laws that hold
//! ```

mod all_orders;
mod check;
mod find;
mod gathered;
mod guess;
mod lookups;
mod order;
mod question;
mod sequence;
mod share;

pub use guess::{FoundLaw, Guess, Guesses, usual_max_pile};
pub use question::{
    Ask, AskError, CheckReport, Lengths, Problem, Question, Span, Undefined, usual_range,
};
pub use sequence::{Count, counts, estimate_counts};
pub use share::{CheckedPart, CheckedShare, Checkpoint};
