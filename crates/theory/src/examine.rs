//! Makes the check of a claim, and says why a run may end without verdicts.

use std::io;
use std::time::Instant;

use grundy_sweep::Control;

use crate::conclude::CheckResult;
use crate::estimate::Means;
use crate::job::{Examination, Job};
use crate::plan::PlannedCheck;
use crate::source::TileSource;
use crate::stored::{Reader, Unreadable};

/// Why a run ended without verdicts.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// The source could not show a table.
    #[error(transparent)]
    Source(E),
    /// The source showed values that such a table cannot have.
    #[error("what is stored as {table} cannot be that table: {what}")]
    Impossible {
        /// The table's id.
        table: String,
        /// What is wrong, and where.
        what: String,
    },
    /// The checkpoint is of other claims or another range.
    #[error(
        "the checkpoint is of another diff (of other claims, games or sizes), or of another version"
    )]
    OtherPlan,
    /// The checkpoint could not be kept.
    #[error("the checkpoint cannot be written")]
    Save(#[source] io::Error),
}

impl<E: std::error::Error + 'static> From<Unreadable<E>> for RunError<E> {
    fn from(failure: Unreadable<E>) -> RunError<E> {
        match failure {
            Unreadable::Source(error) => RunError::Source(error),
            Unreadable::Impossible { table, what } => RunError::Impossible { table, what },
        }
    }
}

/// Makes the check of one claim.
pub(crate) fn examine<S: TileSource>(
    PlannedCheck { check, games, extent, .. }: &PlannedCheck,
    source: &mut S,
    means: &Means<'_>,
    control: &Control,
) -> Result<CheckResult, RunError<S::Error>> {
    let start = Instant::now();
    let &Means { isa, memory, certificate, keeper, .. } = means;
    let reader = Reader::new(source);
    let stored = &reader;
    let job = Job { games, extent, isa, memory, certificate, keeper, control, stored };
    let examined = match control.is_stopped() {
        true => Examination { stopped: true, ..Examination::default() },
        false => (check.run)(&job),
    };
    let origin = reader.finish()?;
    Ok(CheckResult { examined, seconds: start.elapsed().as_secs_f64(), origin })
}
