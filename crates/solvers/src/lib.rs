#![doc = include_str!("../README.md")]
#![allow(missing_docs, reason = "clear names need no comment")]
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
use grundy_rules::{Game, Numbering, Order, Table, games};

/// True if moves change only the two end piles of a row of any length, and a row and its reversal
/// have the same value. Ladders compute the values of these games (see `grundy_sweep`).
pub fn follows_from_ends(game: Game) -> bool {
    let is_row = game.order() == Order::Row && game.is_symmetric();
    is_row && game.ends().is_some_and(|ends| ends.any_length)
}

/// The method that produces the values of a table.
#[derive(Clone, Copy)]
pub enum Production {
    /// A ladder, because the values [follow from the ends](follows_from_ends).
    Ladder,
    /// Two [thresholds](Solver::has_thresholds), which may be stored.
    Thresholds,
    /// Rows of single piles.
    Records(&'static dyn Records),
    Made,
}

impl Production {
    pub fn of(table: &Table) -> Production {
        let solver = solver(table.game());
        match solver.records() {
            Some(records) if table.numbering() == Numbering::Records => {
                Production::Records(records)
            }
            _ if solver.has_thresholds() => Production::Thresholds,
            _ if follows_from_ends(table.game()) => Production::Ladder,
            _ => Production::Made,
        }
    }
}

/// Returns the solver of a game: the solver of its family, or else [`AnyGame`].
pub fn solver(game: Game) -> &'static dyn Solver {
    macro_rules! here {
        ($family:expr) => {
            if IN_BROWSER { &InBrowser($family) } else { &$family }
        };
    }
    const BY_NAME: [(Game, &dyn Solver); 5] = [
        (games::NIM, here!(multisets::NimGames)),
        (games::MISERE_NIM, here!(multisets::NimGames)),
        (games::PARTIZAN_END_NIM, here!(partizan::PartizanGames)),
        (games::SHORT_GLOBAL_NIM, here!(short_global::ShortGlobal)),
        (games::LONG_GLOBAL_NIM, here!(long_global::LongGlobal)),
    ];
    if follows_from_ends(game) {
        return here!(ends::EndGames);
    }
    // The misère form of Nim is filled like Nim, but begins with different values of single piles.
    if game.misere_of() == Some(games::NIM) {
        return here!(multisets::NimGames);
    }
    // A browser has no tables of outcomes, so it does not need the solver of these tables.
    if !IN_BROWSER && game.outcomes_of().is_some() {
        return &outcomes::OutcomeGames;
    }
    if RULE_FILES && game.remoteness_of().is_none() && game.rules().law().is_some() {
        return here!(compiled::RuleGames);
    }
    let named = BY_NAME.iter().find(|(named, _)| *named == game);
    named.map_or(here!(AnyGame), |&(_, solver)| solver)
}
