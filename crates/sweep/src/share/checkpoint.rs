//! The state of long work that one process does a stretch at a time.
//!
//! After each stretch the checkpoint knows how many parts of each piece are covered and what was found
//! there; whoever keeps it in a file can stop at any moment and loses one stretch at most. It belongs to
//! one [`Work`], and what it says is believed as little as a share: the work adds it up as it adds up what a
//! share found.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Work, name};

/// The pieces of some work as far as they are covered. It is written and read with serde.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint<F> {
    /// The name of the work; empty of a checkpoint of any.
    work: String,
    pieces: BTreeMap<String, Covered<F>>,
}

/// The part of one piece that is covered.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Covered<F> {
    /// Whether it was read from a stored table; otherwise it was computed.
    pub is_read: bool,
    /// Parts of the whole piece, in the order of the source that showed them.
    pub parts: u64,
    /// How many of them are covered, from the first.
    pub done: u64,
    /// The finding there.
    pub found: F,
}

impl<F> Default for Checkpoint<F> {
    fn default() -> Checkpoint<F> {
        Checkpoint { work: String::new(), pieces: BTreeMap::new() }
    }
}

impl<F> Checkpoint<F> {
    /// Tells whether it is of this work; an empty one becomes it.
    pub fn is_of(&mut self, work: &impl Work) -> bool {
        let ours = name(work);
        if self.work.is_empty() {
            self.work.clone_from(&ours);
        }
        self.work == ours
    }

    /// Keeps what is covered of a piece.
    pub fn put(&mut self, piece: &str, covered: Covered<F>) {
        self.pieces.insert(piece.to_owned(), covered);
    }
}

impl<F: Clone + Default> Checkpoint<F> {
    /// Returns what is covered of a piece that its source cuts into `parts`. If the source has changed (a table
    /// was stored meanwhile), the piece begins again.
    pub fn get(&self, piece: &str, is_read: bool, parts: u64) -> Covered<F> {
        let known = self.pieces.get(piece);
        let same = known.filter(|covered| (covered.is_read, covered.parts) == (is_read, parts));
        let fresh = || Covered { is_read, parts, ..Covered::default() };
        same.filter(|covered| covered.done <= parts).cloned().unwrap_or_else(fresh)
    }
}
