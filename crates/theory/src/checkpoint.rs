//! Where a long diff stands, so that it can be taken up again.
//!
//! A table is walked in parts (see [`Source::parts`](crate::Source::parts)), some
//! seconds of work at a time. After each stretch the checkpoint knows how many parts are
//! covered and what the claims have gathered from them; whoever keeps it in a file can
//! stop at any moment and loses one stretch at most. A checkpoint belongs to one plan:
//! the same claims over the same tables.

use std::collections::BTreeMap;

use grundy_rules::Table;
use serde::{Deserialize, Serialize};

use crate::tally::Tally;
use crate::tile_check::Gathered;

/// What is covered of a plan.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The plan, in words: claims and tables.
    pub(crate) plan: String,
    /// By table id.
    tables: BTreeMap<String, Covered>,
}

/// What is covered of one table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Covered {
    /// Whether it was read from a stored table; otherwise it was computed.
    pub(crate) stored: bool,
    /// Parts of the whole table, in the order of the source that showed them.
    pub(crate) parts: u64,
    /// How many of them are covered, from the first.
    pub(crate) done: u64,
    pub(crate) cells: u64,
    pub(crate) seconds: f64,
    /// One per claim of the table's sweep.
    pub(crate) tallies: Vec<Tally>,
    pub(crate) zeros: Vec<u64>,
}

impl Checkpoint {
    /// Whether it was made by the same plan; one that is empty is of any.
    pub(crate) fn is_of(&self, plan: &str) -> bool {
        self.plan.is_empty() || self.plan == plan
    }

    /// What is covered of a table that its source cuts into `parts`. If the source has
    /// changed (a table was stored meanwhile), the table starts again.
    pub(crate) fn get(&self, table: &Table, stored: bool, parts: u64) -> Covered {
        let found = self.tables.get(&table.to_string()).cloned();
        let fresh = Covered { stored, parts, ..Covered::default() };
        found.filter(|c| (c.stored, c.parts) == (stored, parts)).unwrap_or(fresh)
    }

    /// Keeps what is covered of a table.
    pub(crate) fn put(&mut self, table: &Table, covered: Covered) {
        self.tables.insert(table.to_string(), covered);
    }
}

impl Covered {
    /// Takes in what a stretch gathered.
    pub(crate) fn add(&mut self, gathered: Gathered, cells: u64) {
        self.cells += cells;
        if self.tallies.is_empty() {
            self.tallies = gathered.tallies;
        } else {
            for (tally, new) in self.tallies.iter_mut().zip(gathered.tallies) {
                *tally = std::mem::take(tally).merge(new);
            }
        }
        self.zeros.resize(self.zeros.len().max(gathered.zeros.len()), 0);
        for (zeros, new) in self.zeros.iter_mut().zip(gathered.zeros) {
            *zeros += new;
        }
    }
}
