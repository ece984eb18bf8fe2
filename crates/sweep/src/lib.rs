#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod any_ladder;
#[cfg(test)]
#[path = "../../testing/src/cases.rs"]
pub mod cases;
mod control;
pub mod cost;
mod fold;
mod histogram;
mod ladder;
mod level;
mod memory;
mod multisets;
pub mod nim_sums;
pub mod outcomes;
pub mod period;
pub mod records;
mod share;
pub mod subsets;
mod units;
mod walk;
mod words;

pub use any_ladder::{AnyLadder, FillTiles};
pub use control::{Control, Stopped};
pub use fold::{Batch, Fold, Tile};
pub use histogram::{Histogram, ValueCounts};
pub use ladder::{Filler, Ladder};
pub use level::Level;
pub use memory::{MemoryLimit, MemoryShortage};
pub use multisets::MultisetLevels;
pub use share::{
    Checkpoint, Covered, MOST_TASKS, MergeError, NoSuchPart, Parts, Piece, Share, Work, cut,
    named_seconds, next_stretch,
};
pub use units::{Swept, fold_units, try_fold_units};
pub use walk::{parts, sweep, sweep_part};
pub use words::{Bytes, Number, Seconds, grouped};

/// Games for the tests of this crate.
#[cfg(test)]
mod testing {
    use grundy_rules::Game;

    pub(crate) fn ladder_games() -> impl Iterator<Item = Game> {
        Game::all().filter(|game| game.family() == grundy_rules::Family::Ends)
    }
}
