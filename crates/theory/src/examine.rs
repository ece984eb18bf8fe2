//! Runs the check of a claim.

use std::time::Instant;

use grundy_sweep::Control;

use crate::conclude::CheckResult;
use crate::estimate::Means;
use crate::job::{Examination, Job};
use crate::plan::PlannedCheck;
use crate::source::TileSource;
use crate::stored::{Reader, RunError};

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
