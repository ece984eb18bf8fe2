//! Walks every position of a table in cache-sized tiles.
//!
//! # Why every option is final before it is used
//!
//! A move takes coins away, so any order by increasing total coin count is retrograde: it visits
//! every option before the position. Two coarsenings of that order are used, one inside the other.
//!
//! * *Between tiles:* removing a whole end pile shortens the row. So a tile of level k borders on
//!   two rows of level k - 1 and on no other tile of its own level. Levels are computed in order;
//!   within one, tiles are independent.
//! * *Inside a tile:* the other options of a w b stand left of it or above it. The kernel fills
//!   rows from top to bottom, each by increasing value.
//!
//! # Levels stored, virtual, and streamed
//!
//! A [`Ladder`] keeps the lowest levels complete in memory, one tile per middle (both readings of
//! it, so that every row of every word is contiguous). Computing a level costs less than reading it
//! from a disk, so levels above the ladder are not stored: they are *virtual*.
//!
//! ```text
//! level k      w = x u y       tile(w) = kernel(row R_w, row R_rev(w))
//!                                              │            │
//! level k - 1                    row x of tile(u y)   row y of tile(rev(u) x)
//! ```
//!
//! For a fixed inner word `u`, the N² tiles of the middles x u y need rows of only 2N tiles, those
//! of (u, y) and (rev(u), x). [`sweep()`] therefore goes *block* by block, one per canonical `u`.
//! It computes the 2N tiles into a ring that stays in cache (or finds them in the ladder). Then it
//! computes the N² tiles, a batch at a time, into a buffer that is reused. A [`Fold`] processes
//! each tile; nothing is written to fresh memory.
//!
//! All this concerns the End-Nim games that have values. [`outcomes`] walks partizan End-Nim,
//! [`MultisetLevels`] fills Nim, [`records`] counts rows of short global nim, and [`subsets`] fills
//! and counts the sets of long global nim. [`cost`] estimates their time and memory.
//!
//! Many processes can do long work in [`Share`]s; one process can do it a stretch at a time and
//! keep a [`Checkpoint`].
#![forbid(unsafe_code)]

mod any_ladder;
mod compositions;
mod control;
pub mod cost;
mod fold;
mod histogram;
mod ladder;
mod level;
mod memory;
mod multisets;
pub mod outcomes;
pub mod period;
pub mod records;
mod share;
pub mod subsets;
mod walk;
mod words;

pub use any_ladder::AnyLadder;
pub use compositions::Compositions;
pub use control::{Control, Stopped};
pub use fold::{Batch, Fold, Tile};
pub use histogram::{Histogram, ValueCounts};
pub use ladder::{Filler, Ladder};
pub use level::Level;
pub use memory::{MemoryLimit, MemoryShortage};
pub use multisets::MultisetLevels;
pub use share::{
    Checkpoint, Covered, MOST_TASKS, MergeError, NoSuchPart, Parts, Piece, Share, Work, cut,
    named_seconds,
};
pub use walk::{Swept, parts, sweep, sweep_part};
pub use words::{Bytes, Number, Seconds, grouped};

/// Games for the tests of this crate.
#[cfg(test)]
mod testing {
    use grundy_rules::Game;

    /// Returns the games that have ladders.
    pub(crate) fn ladder_games() -> impl Iterator<Item = Game> {
        Game::all().filter(|game| game.ends().is_some_and(|ends| ends.any_length))
    }
}
