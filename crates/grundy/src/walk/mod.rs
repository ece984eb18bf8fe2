//! Walking over all positions of a level.
//!
//! Where the values come from depends on the game and on what is stored. Nobody who walks has
//! to know:
//!
//! ```text
//! stored in the database        its frames, decoded one after another
//! rows that follow from ends    tiles, from the lowest levels (grundy_sweep)
//! partizan End-Nim              thresholds, from the word alone
//! single piles with records     g(n) and its exceptions, spread out over the last moves
//! any other game                what fills its tables (grundy_solvers), a run at a time
//! ```
//!
//! A [`Level`] says what is walked and within what, a source ([`source`]) has the values, and a
//! [`Walk`] joins the two. What is met on the way are [`Block`]s.

mod array;
mod block;
mod gather;
mod level;
mod merge;
mod ready;
pub(crate) mod source;

pub use array::Array;
pub use block::{Block, Kept, PositionView};
pub(crate) use block::{Places, position_of};
pub(crate) use gather::shifted;
pub use gather::{Hook, Progress};
pub use level::Level;
pub(crate) use level::WalkOptions;
pub use merge::{Least, Merge};
pub use ready::Walk;
