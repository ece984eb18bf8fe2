//! The statements of the papers, checked with the values of a database: the claims of
//! `grundy_theory`, and a source of values for them.
//!
//! ```
//! use grundy::papers::{Claim, Means, Plan, Range, Tables};
//! use grundy::{Control, Database, Isa};
//!
//! let claims = Claim::find("ch.thm5.1")?;
//! let range = Range { max_pile: Some(12), ..Range::default() };
//! let plan = Plan::new(&claims, &[], &range)?;
//! let (certificate, keeper) = (None, None);
//! let (isa, memory) = (Isa::best(), (1 << 30).into());
//! let means = Means { isa, memory, threads: 2, certificate, keeper };
//! let database = Database::empty();
//! let mut tables = Tables::new(&database, &means);
//! let verdicts = tables.run(&plan, &means, &Control::new())?;
//! assert_eq!(verdicts[0].checked, 12 * 12 * 12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::ops::Range as Parts;

use grundy_kernels::EqualMask;
use grundy_query::{Database, QueryError};
use grundy_rules::Table;
use grundy_solvers::Stored;
use grundy_sweep::{Control, Fold, Swept};
use grundy_theory::TileSource;

pub use grundy_theory::conjecture::{self, CertificateFailure};
pub use grundy_theory::{
    CertificateSink, Checkpoint, Claim, Conclusion, CoveredShare, Estimate, Flaw, LimitError,
    Means, Plan, PlanError, Range, Recompute, RunError, Status, UnknownClaim, Verdict, decided_by,
    decided_with, findings, period,
};

/// A source of values that reads stored tables and computes the other values.
pub struct Tables<'a> {
    database: &'a Database,
    recompute: Recompute,
}

impl<'a> Tables<'a> {
    /// Creates a source that uses the tables of a database.
    pub fn new(database: &'a Database, means: &Means<'_>) -> Tables<'a> {
        Tables { database, recompute: Recompute::new(means.isa, means.memory) }
    }

    /// Runs a plan with these values, as [`Plan::run`] does. This crate compiles the sweeps, so
    /// that programs need not compile them again.
    pub fn run(
        &mut self,
        plan: &Plan<'_>,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<Vec<Verdict>, RunError<QueryError>> {
        self.run_from(plan, means, control, &mut Checkpoint::default(), &mut |_| Ok(()))
    }

    /// Runs a plan from a checkpoint with these values, as [`Plan::run_from`] does.
    ///
    /// # Errors
    /// A table that cannot be read, an error of `save`, or a checkpoint that is invalid or belongs
    /// to another plan.
    pub fn run_from(
        &mut self,
        plan: &Plan<'_>,
        means: &Means<'_>,
        control: &Control,
        checkpoint: &mut Checkpoint,
        save: &mut dyn FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<Vec<Verdict>, RunError<QueryError>> {
        plan.run_from(self, means, control, checkpoint, save)
    }

    fn stored(&self, table: &Table) -> Option<&'a dyn Stored> {
        self.database.table(table).map(|stored| stored as &dyn Stored)
    }
}

impl std::fmt::Debug for Tables<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tables").field("folder", &self.database.folder()).finish_non_exhaustive()
    }
}

impl TileSource for Tables<'_> {
    type Error = QueryError;

    fn tables(&self) -> Vec<Table> {
        self.database.tables().iter().map(|stored| stored.table().clone()).collect()
    }

    fn each_block(
        &mut self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), QueryError> {
        match self.stored(table) {
            Some(stored) => Ok(stored.each_frame(show)?),
            None => Ok(()),
        }
    }

    fn parts(&self, table: &Table) -> u64 {
        self.stored(table).map_or_else(|| self.recompute.parts(table), Stored::frames)
    }

    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        parts: Parts<u64>,
        control: &Control,
        fold: &F,
    ) -> Result<Swept<F::Acc>, QueryError> {
        match self.stored(table) {
            Some(stored) => Ok(stored.scan::<T, F>(parts, control, fold)?),
            None => Ok(match self.recompute.fold::<T, F>(table, parts, control, fold) {
                Ok(swept) => swept,
                Err(never) => match never {},
            }),
        }
    }
}
