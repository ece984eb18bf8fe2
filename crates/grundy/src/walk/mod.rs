//! Walks over all positions of a level.
//!
//! The source of the values depends on the game and the stored tables. The caller sees only values:
//!
//! ```text
//! stored in the database        its frames, decoded one after another
//! rows that follow from ends    tiles, from the lowest levels (grundy_sweep)
//! partizan End-Nim              thresholds, computed row by row
//! single piles with records     g(n) and the exceptional last moves
//! any other game                the solver that fills its tables (grundy_solvers)
//! ```
//!
//! A [`Level`] gives the positions and the settings of a walk, a source ([`source`]) gives the
//! values, and a [`Walk`] joins the two. A walk shows [`Block`]s.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod array;
mod block;
mod domain;
mod gather;
mod kept;
mod level;
mod merge;
mod ready;
pub(crate) mod source;

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use array::{Array, EXCLUDED};
pub use block::{Block, BlockPlaces, PositionView};
pub(crate) use block::{Places, position_of};
pub(crate) use domain::choose;
pub use domain::{Domain, DomainError};
pub(crate) use gather::shifted;
pub use gather::{Hook, Progress};
pub(crate) use kept::Kept;
pub use level::Level;
pub(crate) use level::{WalkOptions, with_walk_options};
pub use merge::{Least, Merge};
pub use ready::Walk;
