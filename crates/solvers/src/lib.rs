#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod answer;
mod browser;
mod check;
mod compiled;
mod count;
mod ends;
mod fill;
mod generic;
mod lines;
mod long_global;
mod multisets;
mod outcomes;
mod partizan;
mod rows;
mod short_global;
mod solver;
mod tables;

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
pub use generic::AnyGame;
pub use grundy_rules::{IN_BROWSER, RULE_FILES};
pub use grundy_sweep::ValueCounts;
pub use rows::{Listing, Put, RowShape, Rows};
pub use solver::{Records, Solver};
pub use tables::{NoTables, Reading, StoreError, Stored, Tables, Wanted, read_cells};

use browser::InBrowser;
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

/// Returns the solver of a game. The rules determine it, and the name of the game does not matter.
pub fn solver(game: Game) -> &'static dyn Solver {
    macro_rules! here {
        ($family:expr) => {
            if IN_BROWSER { &InBrowser($family) } else { &$family }
        };
    }
    match game.family() {
        Family::Ends => here!(ends::EndGames),
        Family::Heaps => here!(multisets::NimGames),
        Family::Sides => here!(partizan::PartizanGames),
        Family::LastMoves => here!(short_global::ShortGlobal),
        Family::Sets => here!(long_global::LongGlobal),
        // A browser has no tables of outcomes, so it does not need the solver of these tables.
        Family::Other if !IN_BROWSER && game.outcomes_of().is_some() => &outcomes::OutcomeGames,
        Family::Other if RULE_FILES && game.remoteness_of().is_none() && game.law().is_some() => {
            here!(compiled::RuleGames)
        }
        Family::Other => here!(AnyGame),
    }
}
