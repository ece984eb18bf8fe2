#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod ask;
#[cfg(feature = "remote")]
mod client;
mod clock;
mod diagnosis;
mod error;
mod game_file;
mod large;
mod measure;
pub mod papers;
mod report;
pub mod sizes;
mod statement;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub mod tables;
pub mod theorems;
mod walk;

pub use ask::{
    Ask, AskError, CheckReport, CheckedPart, CheckedShare, Checkpoint, Count, FoundLaw, Guess,
    Guesses, Lengths, PeriodError, PeriodSearch, Problem, Quantity, Question, Span, Totals,
    Undefined, counts, estimate_counts, row_values, usual_lengths, usual_max_pile, usual_range,
};
#[cfg(feature = "remote")]
pub use client::remote_client;
pub use diagnosis::{Advice, Class, Diagnosis, diagnose, with_causes};
pub use error::Error;
pub use game_file::{
    ComparedTable, Comparison, Differs, Filling, GameError, claims, compare_with_rules, game,
    game_among, game_in, game_of_text, usual_filling,
};
pub use grundy_kernels::cells::{CellVec, Cells};
pub use grundy_kernels::{Isa, UnknownIsa};
pub use grundy_query::{
    Access, Answer, Database, Effort, Limit, Limits, Moves, QueryError, Source, StoredTable, Tile,
    Watch, is_winning,
};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use grundy_query::{BatchError, SharedTile};
pub use grundy_questions::{ReadGame, laws::LawKind};
#[cfg(feature = "remote")]
pub use grundy_remote as remote;
pub use grundy_rules::{
    Family, Form, Game, IntoPosition, Meaning, Memories, Memory, Move, MoveSet, NoMisereForm,
    Numbering, Order, Outcome, Pick, Pile, Player, Position, PositionError, RULE_FILES, Remembers,
    Rules, Size, Table, TableError, UnknownGame, from_any_pile, from_either_end, games, index, law,
    lex_index, lex_word, mex, misere_form, nim_sum, outcome_form, reference, remoteness_form,
    rulesets,
};
pub use grundy_solvers::FillError;
pub use grundy_sweep::{
    Bytes, Control, MemoryLimit, MemoryShortage, MergeError, Number, Parts, Piece, Seconds, Swept,
    grouped,
};
pub use grundy_theory::ClaimFileError;
pub use large::{nim_period, some_moves};
pub use measure::Measure;
pub use report::{
    CheckSummary, Counterexample, MoveReport, PositionReport, convention_of, id_of,
    sort_by_remoteness,
};
pub use statement::Statement;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use walk::{Array, EXCLUDED};
pub use walk::{
    Block, BlockPlaces, Domain, DomainError, Hook, Least, Level, Merge, PositionView, Progress,
    Walk,
};

/// The division of long work into shares, with estimates and checkpoints.
pub mod shares {
    pub use grundy_sweep::cost::price;
    pub use grundy_sweep::{Checkpoint, MOST_TASKS, cut};
}

/// True if single piles of a game have records; [`Database::each_record`] shows them.
pub fn has_records(game: Game) -> bool {
    grundy_solvers::solver(game).records(game).is_some()
}

/// Computes the values of all positions of `length` piles up to `max_pile`, on all threads of the
/// current rayon pool. Calls `ask` with each [`Block`] of these positions, and merges the results.
///
/// Use a [`Level`] to read stored values, to stop the work, or to limit its memory.
pub fn sweep<R: Merge>(
    game: Game,
    length: usize,
    max_pile: Pile,
    ask: impl Fn(&Block<'_>) -> R + Sync,
) -> Result<R, Error> {
    Level::new(game, length, max_pile)?.sweep(ask)
}
