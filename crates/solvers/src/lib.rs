#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answer;
mod check;
mod compiled;
mod count;
mod ends;
mod fill;
mod generic;
mod lines;
mod long_global;
mod move_checker;
mod multisets;
mod order;
mod outcomes;
mod partizan;
mod rows;
mod short_global;
mod solver;
mod tables;
mod totals;

pub use answer::{
    Answer, Answers, Effort, Env, Limit, Limits, Moves, Reply, SolveError, Source, Watch,
    is_winning,
};
pub use check::{Checker, Checking, Derived, TileRun, WrongCell};
pub use compiled::{Class, classes_alone, filling, sum_row, words_of};
pub use count::{Count, Counted};
pub use fill::{
    FillError, InOrder, Job, Maker, Making, Means, Needs, Packing, TableRequest, Worker, with_bytes,
};
pub use generic::{AnyGame, all_cells};
pub use grundy_rules::{IN_BROWSER, RULE_FILES};
pub use grundy_sweep::ValueCounts;
pub use outcomes::fills_without_values;
pub use rows::{Listing, Put, RowShape, Rows};
pub use solver::{Records, Solver, Surveyor};
pub use tables::{NoTables, Reading, StoreError, Stored, Tables, Wanted, read_cells};
pub use totals::{ByTotal, Visitor};

use grundy_rules::{Family, Game, Numbering, Table};

/// True if moves change only the two end piles of a row of any length, and a row and its reversal
/// have the same value. Ladders compute the values of these games (see `grundy_sweep`).
pub fn follows_from_ends(game: Game) -> bool {
    game.family() == Family::Ends
}

/// The method that produces the values of a table.
#[derive(Clone, Copy)]
pub enum Production {
    /// A ladder, because the values [follow from the ends](follows_from_ends).
    Ladder,
    /// Two [thresholds](grundy_rules::Rules::has_thresholds), which may be stored.
    Thresholds,
    /// Rows of single piles.
    Records(&'static dyn Records),
    Made,
}

impl Production {
    pub fn of(table: &Table) -> Production {
        let game = table.game();
        match solver(game).records(game) {
            Some(records) if table.numbering() == Numbering::Records => {
                Production::Records(records)
            }
            _ if game.has_thresholds() => Production::Thresholds,
            _ if follows_from_ends(game) => Production::Ladder,
            _ => Production::Made,
        }
    }
}

/// The methods of a family of games. In a browser they do not include those of a [`Surveyor`],
/// which would be half of the page's download.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub type Methods = dyn Surveyor;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub type Methods = dyn Solver;

/// Returns the methods for a game. The rules determine them, and the name of the game does not
/// matter.
pub fn solver(game: Game) -> &'static Methods {
    match game.family() {
        Family::Ends => &ends::EndGames,
        Family::Heaps => &multisets::NimGames,
        Family::Sides => &partizan::PartizanGames,
        Family::LastMoves => &short_global::ShortGlobal,
        Family::Sets => &long_global::LongGlobal,
        Family::Outcomes => &outcomes::OutcomeGames,
        Family::Lines if RULE_FILES => &compiled::RuleGames,
        Family::Lines | Family::Other => &AnyGame,
    }
}
