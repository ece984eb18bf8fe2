//! The state of long work that one process does in several stretches.
//!
//! After each stretch, the checkpoint contains the number of finished parts of each piece and their
//! finding. A process that writes it to a file can be stopped at any moment, and loses at most one
//! stretch. A checkpoint belongs to one [`Work`]. The work checks the contents of the checkpoint
//! and adds them like those of a share.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Work, name};

/// The finished parts of a work, written and read with serde.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint<F> {
    /// The name of the work; empty until the checkpoint is assigned to a work.
    work: String,
    pieces: BTreeMap<String, Covered<F>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered<F> {
    /// True if the values were read from a stored table, false if they were computed.
    pub is_read: bool,
    /// The number of parts of the piece.
    pub parts: u64,
    /// The number of finished parts. They are the first parts of the piece.
    pub done: u64,
    pub found: F,
}

impl<F> Default for Checkpoint<F> {
    fn default() -> Checkpoint<F> {
        Checkpoint { work: String::new(), pieces: BTreeMap::new() }
    }
}

impl<F> Checkpoint<F> {
    /// Assigns an empty checkpoint to this work. True if the checkpoint belongs to this work.
    pub fn is_of(&mut self, work: &impl Work) -> bool {
        let ours = name(work);
        if self.work.is_empty() {
            self.work.clone_from(&ours);
        }
        self.work == ours
    }

    /// Returns for each piece its name, the number of finished parts, and the number of all parts.
    pub fn pieces(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        self.pieces.iter().map(|(name, covered)| (name.as_str(), covered.done, covered.parts))
    }

    pub fn put(&mut self, piece: &str, covered: Covered<F>) {
        self.pieces.insert(piece.to_owned(), covered);
    }
}

/// Returns the stretch after the first `done` parts. The first stretch is short. Each later stretch
/// is at most as long as all earlier stretches together. So a process that stops loses at most
/// about half of its work.
pub fn next_stretch(done: u64, [first, longest]: [u64; 2], parts: u64) -> Range<u64> {
    done..(done + longest.min(done.max(first))).min(parts)
}

impl<F: Clone + Default> Checkpoint<F> {
    /// Returns the finished parts of a piece that now has `parts` parts. If its values now come
    /// from another source, because a table was stored in the meantime, the piece starts again.
    pub fn get(&self, piece: &str, is_read: bool, parts: u64) -> Covered<F> {
        let known = self.pieces.get(piece);
        let same = known.filter(|covered| (covered.is_read, covered.parts) == (is_read, parts));
        let fresh = || Covered { is_read, parts, ..Covered::default() };
        same.filter(|covered| covered.done <= parts).cloned().unwrap_or_else(fresh)
    }
}
