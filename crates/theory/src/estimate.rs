//! The resources of the machine, and estimates of a check's cost.

use grundy_sweep::{MemoryLimit, MemoryShortage, Seconds};
use std::fmt;

use grundy_kernels::Isa;
use grundy_triangular::ValidCertificate;

/// The resources of the machine.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    pub isa: Isa,
    /// Memory for the lowest levels. Threads need working memory in addition;
    /// The estimate of a plan is the total.
    pub memory: MemoryLimit,
    pub threads: usize,
    /// A certificate from which the search of `lgn.conj34` continues
    /// ([`crate::conjecture::check_file`]).
    pub certificate: Option<&'a ValidCertificate>,
    pub keeper: Option<CertificateSink<'a>>,
}

/// Keeps the latest certificate of an unfinished search. If the process is killed, its work is not
/// lost. Every certificate has passed the checker.
#[derive(Clone, Copy)]
pub struct CertificateSink<'a>(pub &'a (dyn Fn(&[u8]) + Sync));

impl fmt::Debug for CertificateSink<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CertificateSink")
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Positions that are examined, each counted once for all claims.
    pub positions: u64,
    /// The number of cells to be computed, the maximum of [`grundy_sweep::Control::done`].
    pub cells: u64,
    pub seconds: f64,
    /// Estimated bytes of memory.
    pub memory: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum LimitError {
    #[error(transparent)]
    Memory(#[from] MemoryShortage),
    #[error("this would take about {}, but the limit is {}", Seconds(*needed), Seconds(*allowed))]
    Seconds { needed: f64, allowed: f64 },
}

impl Estimate {
    pub(crate) const NOTHING: Estimate =
        Estimate { positions: 0, cells: 0, seconds: 0.0, memory: 0 };

    pub fn within(&self, memory: MemoryLimit, seconds: f64) -> Result<(), LimitError> {
        memory.check(self.memory)?;
        if self.seconds > seconds {
            return Err(LimitError::Seconds { needed: self.seconds, allowed: seconds });
        }
        Ok(())
    }
}

impl std::iter::Sum for Estimate {
    /// Adds up steps that run one after another. The memory is the maximum, and not the sum.
    fn sum<I: Iterator<Item = Estimate>>(steps: I) -> Estimate {
        steps.fold(Estimate::NOTHING, |all, next| Estimate {
            positions: all.positions.saturating_add(next.positions),
            cells: all.cells.saturating_add(next.cells),
            seconds: all.seconds + next.seconds,
            memory: all.memory.max(next.memory),
        })
    }
}
