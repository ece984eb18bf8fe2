//! Work cut into tasks, so that any scheduler can drive it.
//!
//! What is to be done is a line of *pieces*, in a fixed order: a table that is built shard by shard,
//! a level that is walked part by part, a check that cannot be cut. Parts of a piece cost the same,
//! parts of different pieces do not.
//!
//! ```text
//! pieces    k4 ▕▏▏▏▏▏▏▏   k5 ▕████▕████▕████▕████▕████   a check ▕███████████
//! shares    0 ─────────────────────╯╰── 1 ─────────────╯  ╰── 2 ─────────────
//! ```
//!
//! The line is [cut](cut()) into shares of nearly equal cost, none of which is empty. A share is what a
//! [`Task`] does. The cut is a pure function of the pieces, in whole numbers: every node makes it
//! anew, and comes to the same.
//!
//! A task is a line of JSON that says by which command the plan was made, so a node needs no more than
//! that line and the program: it makes the plan again, and refuses a line that is not what it would
//! have printed itself. That is how a line edited by hand, or printed by another version, is found out:
//! there is nothing in it that is believed.
//!
//! What a task brings home is a [result](seal) with the digest of all that it says, and of which plan,
//! task and program it is. Results of other plans, or of other programs that may have counted
//! otherwise, are refused before anything is merged. The digest guards against damage and against
//! mixing up, not against forgery.
//!
//! This crate knows no games and no files. What the pieces are, and what their shares come to, is
//! said by whoever does the work.
#![forbid(unsafe_code)]

mod cut;
mod result;
mod task;

pub use cut::{MOST_TASKS, Piece, Share, cut};
pub use result::{ResultError, read, seal};
pub use task::{Plan, Task, TaskError, read_lines, read_some};
