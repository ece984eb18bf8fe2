//! Questions in the language of docs/LANGUAGE.md about whole levels.
//!
//! ```text
//! question    a statement with its options, and the reports
//! check       checks a statement on every position
//! find        lists the positions that satisfy a statement, in order
//! order       the order of lists
//! lookups     values of other positions, for statements that need them
//! all_orders  values of multisets, looked up without sorting
//! by_value    checks of sums of several piles without a walk
//! gathered    the counts and counterexamples of each thread
//! share       checks and lists divided among processes, or into stretches
//! sequence    integer sequences: the numbers of positions of each size that satisfy a statement
//! guess       search for simple laws
//! periods     search for the periods of rows
//! ```

mod all_orders;
mod by_value;
mod check;
mod find;
mod gathered;
mod guess;
mod lookups;
mod order;
mod periods;
mod question;
mod sequence;
mod share;
mod totals;

pub(crate) use check::Walked;
pub use find::Totals;
pub(crate) use gathered::QuestionTally;
pub use guess::{FoundLaw, Guess, Guesses, usual_max_pile};
pub use periods::{PeriodError, PeriodSearch};
pub use question::{
    Ask, AskError, CheckReport, Lengths, Problem, Quantity, Question, Span, Undefined, usual_range,
};
pub use sequence::{Count, counts, estimate_counts, row_values, usual_lengths};
pub(crate) use share::{Asked, CheckedLevel, Levels};
pub use share::{CheckedPart, CheckedShare, Checkpoint};
