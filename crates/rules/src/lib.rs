#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod admission;
mod forms;
mod game;
pub mod games;
pub mod index;
mod into_position;
pub mod law;
mod move_set;
mod moves;
pub mod notation;
mod order;
mod position;
pub mod reference;
mod rules;
pub mod rulesets;
mod size;
mod table;
mod theorems;

pub use admission::PositionError;
pub use forms::{
    NoMisereForm, NoOutcomeForm, NoRemoteness, misere_form, outcome_form, remoteness_form,
};
pub use game::{Game, UnknownGame};
pub use grundy_language::{IN_BROWSER, Memories, Outcome, Player, Problem, RULE_FILES, Undefined};
pub use index::{
    Middles, Multisets, Numbering, Place, SetRows, Totals, lex_index, lex_word, set_rows,
};
pub use into_position::IntoPosition;
pub use law::{Family, Singles};
pub use move_set::MoveSet;
pub use moves::{Lowered, Move, Pick, from_any_pile, from_either_end};
pub use order::{Order, Pile, Remembers};
pub use position::{Memory, Position, coins};
pub use rules::{Meaning, Rules};
pub use size::{Form, LARGEST_LENGTH, LARGEST_MAX_PILE, Size, TableError};
pub use table::{NotATableId, Table};
pub use theorems::{class_of_thresholds, end_runs, is_lost_by_ends, nim_sum, other_misere_value};

/// Returns the least non-negative integer that is not among `values`.
///
/// ```
/// assert_eq!(grundy_rules::mex([0, 1, 3]), 2);
/// assert_eq!(grundy_rules::mex([]), 0);
/// ```
pub fn mex(values: impl IntoIterator<Item = u32>) -> u32 {
    let mut seen: Vec<u32> = values.into_iter().collect();
    seen.sort_unstable();
    let mut least = 0;
    for value in seen {
        if value == least {
            least += 1;
        }
    }
    least
}
