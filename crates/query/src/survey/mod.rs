//! Surveys whole tables: counts, lists and checks them, and prepares answers about many positions.
//! A browser, which has no tables, has none of this.

mod batch;
mod level_cache;
mod precompute;
mod uncached;
mod verify;

use grundy_kernels::Isa;
use grundy_rules::Table;
use grundy_solvers::{Count, Counted, Rows, Stored, solver};
use grundy_sweep::Control;

use crate::{Database, QueryError};

pub use batch::{BatchError, SharedTile};
pub(crate) use level_cache::LevelCache;
pub use verify::{Verification, VerifyReport, chosen, is_named, verify};

impl Database {
    /// Returns all rows of a table, for export. Reads stored cells if that is the fastest way;
    /// otherwise computes the rows.
    pub fn rows<'a>(
        &'a self,
        table: &'a Table,
        isa: Isa,
        control: &'a Control,
    ) -> Result<Box<dyn Rows + 'a>, QueryError> {
        let stored = self.table(table).map(|stored| stored as &dyn Stored);
        let memory = self.limits.memory;
        Ok(solver(table.game()).rows(Count { table, stored, memory, isa, control })?)
    }

    /// Counts the positions of a table. Reads its cells if the table is stored. If the control
    /// stops the count, returns the counts so far, or `None` if there are none.
    pub fn count(
        &self,
        table: &Table,
        isa: Isa,
        control: &Control,
    ) -> Result<Option<Counted>, QueryError> {
        let stored = self.table(table).map(|stored| stored as &dyn Stored);
        let memory = self.limits.memory;
        Ok(solver(table.game()).count(Count { table, stored, memory, isa, control })?)
    }
}
