//! How games are solved: what a table needs, how it is filled, how a position is answered from
//! what is there, how stored cells are derived again, how they are counted.
//!
//! ```text
//!   a game's rules ──► solver(game) ──► needs, maker        for the builder
//!                         │             answer, moves, row  for look-ups
//!                         │             checker             for verify
//!                         └             count, rows            for stats and export
//! ```
//!
//! [`AnyGame`] does all of it for any [`Rules`](grundy_rules::Rules). A family
//! of games has a file of its own where it does it faster, and a line in [`solver`]; nobody
//! else asks which game it is.
//!
//! What is stored comes in through [`Tables`], by the number of a cell; there are no files, no
//! clocks and no threads of its own here, and it compiles for a browser.
//!
//! ```
//! use grundy_rules::Game;
//! use grundy_solvers::{Desk, NoTables, solver};
//!
//! let game: Game = "end-wythoff".parse()?;
//! let position = game.parse("3,5")?;
//! let desk = Desk::with_nothing(&NoTables);
//! assert_eq!(solver(game).answer(game, &position, &desk)?.value, Some(0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod answer;
mod browser;
mod check;
mod compiled;
mod count;
mod ends;
mod fill;
mod generic;
mod long_global;
mod multisets;
mod partizan;
mod rows;
mod short_global;
mod solver;
mod tables;

pub use answer::{
    Answer, Desk, Effort, Limit, Limits, Moves, Reply, SolveError, Source, Watch, is_winning,
};
pub use check::{Checker, Checking, Derived, TileRun, Wrong};
pub use compiled::{Class, LineClass, filling};
pub use count::{Count, Counted};
pub use fill::{
    FillError, InOrder, Job, Maker, Making, Means, Needs, Packing, TableRequest, Worker,
};
pub use generic::AnyGame;
pub use grundy_rules::IN_BROWSER;
pub use grundy_sweep::ValueCounts;
pub use rows::{Listing, Put, RowShape, Rows};
pub use solver::{Records, Solver};
pub use tables::{NoTables, Reading, StoreError, Stored, Tables, Wanted, read_cells};

use browser::InBrowser;
use grundy_rules::{Game, Order, games};

/// Whether positions of any length follow from what the two ends lead to, in a game that is
/// numbered by middles: then there are ladders of it (see `grundy_sweep`).
pub fn follows_from_ends(game: Game) -> bool {
    let is_row = game.order() == Order::Row && game.is_symmetric();
    is_row && game.ends().is_some_and(|ends| ends.any_length)
}

/// The solver of a game: that of its family, or else the one for any game.
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
    // A row that follows from its two ends and reads the same backwards, whichever it is.
    if follows_from_ends(game) {
        return here!(ends::EndGames);
    }
    // What is filled as Nim is, from other single piles.
    if game.misere_of() == Some(games::NIM) {
        return here!(multisets::NimGames);
    }
    // A browser has no rule files.
    if !IN_BROWSER && game.rules().law().is_some() {
        return here!(compiled::RuleGames);
    }
    let named = BY_NAME.iter().find(|(named, _)| *named == game);
    named.map_or(here!(AnyGame), |&(_, solver)| solver)
}
