//! Runs a check that is written in Rust.

use std::time::Instant;

use grundy_rules::Game;
use grundy_sweep::Control;

use crate::claim::RustCheck;
use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::{ReadError, Reader, Tables};
use crate::words::Origin;

/// The result of a check in Rust.
#[derive(Clone, Debug)]
pub struct CheckResult {
    pub examined: Examination,
    pub seconds: f64,
    pub origin: Origin,
}

impl RustCheck {
    /// Estimates the cost without stored tables.
    pub fn cost(&self, games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
        (self.cost)(games, extent, means)
    }

    /// Runs the check.
    pub fn examine<S: Tables>(
        &self,
        games: &[Game],
        extent: &Extent,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<CheckResult, ReadError<S::Error>> {
        let start = Instant::now();
        let &Means { isa, memory, certificate, keeper, .. } = means;
        let reader = Reader::new(source);
        let stored = &reader;
        let job = Job { games, extent, isa, memory, certificate, keeper, control, stored };
        let examined = match control.is_stopped() {
            true => Examination { stopped: true, ..Examination::default() },
            false => (self.run)(&job),
        };
        let origin = reader.finish()?;
        Ok(CheckResult { examined, seconds: start.elapsed().as_secs_f64(), origin })
    }
}
