//! Filled tables that several walks share.
//!
//! If a move may change the number of heaps, one table holds the positions of every length. So a
//! question about several lengths fills it once. A search for laws asks many questions about one
//! level, so it also keeps other tables that no kernel fills.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use grundy_rules::Table;
use grundy_solvers::{Maker, solver};

/// The filled tables of one question, or of several. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Kept {
    filled: Arc<Mutex<Vec<Filled>>>,
    /// The largest number of tables if other tables than those of all lengths are kept; else 0.
    most: usize,
}

/// A table and its maker.
type Filled = (Table, Arc<dyn Maker>);

impl Kept {
    /// Keeps `most` tables, also tables of one length that no kernel fills.
    pub(crate) fn with_others(most: usize) -> Kept {
        Kept { most, ..Kept::default() }
    }

    /// Returns a maker that has filled this table, or a table of all lengths that begins with it.
    pub(crate) fn get(&self, table: &Table) -> Option<Arc<dyn Maker>> {
        let all = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        let is_filled = |(filled, _): &&Filled| match table.holds_all_lengths() {
            true => table.begins(filled),
            false => table == filled,
        };
        all.iter().find(is_filled).map(|(_, maker)| maker.clone())
    }

    /// Keeps a maker if its table can be needed again. Of each game, one table of all lengths is
    /// kept.
    pub(crate) fn put(&self, table: &Table, maker: &Arc<dyn Maker>) {
        let mut all = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        if table.holds_all_lengths() {
            all.retain(|(filled, _)| filled.game() != table.game());
        } else if self.most == 0 || solver(table.game()).has_kernel(table) {
            return;
        } else if all.len() >= self.most {
            all.remove(0);
        }
        all.push((table.clone(), maker.clone()));
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.filled.lock().unwrap_or_else(PoisonError::into_inner);
        f.debug_list().entries(all.iter().map(|(table, _)| table.to_string())).finish()
    }
}
