//! What the machine gives, and what a check would take of it.

use grundy_sweep::{MemoryLimit, MemoryShortage, Seconds};
use std::fmt;

use grundy_kernels::Isa;
use grundy_triangular::ValidCertificate;

/// What the machine gives.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Memory that the lowest levels may take; what the threads work with comes
    /// on top ([`crate::Plan::estimate`] says how much that is together).
    pub memory: MemoryLimit,
    /// Threads that will work.
    pub threads: usize,
    /// A certificate that the search of `lgn.conj34` goes on from
    /// ([`crate::conjecture::check_file`]).
    pub certificate: Option<&'a ValidCertificate>,
    /// Who keeps the certificates of that search while it goes on.
    pub keeper: Option<Keeper<'a>>,
}

/// Keeps the latest certificate of a search that is not at its end yet, so that a process that is
/// killed has not searched in vain. What is handed over has passed the checker.
#[derive(Clone, Copy)]
pub struct Keeper<'a>(pub &'a (dyn Fn(&[u8]) + Sync));

impl fmt::Debug for Keeper<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keeper")
    }
}

/// What a plan would take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Positions that are looked at, each once, however many claims look.
    pub positions: u64,
    /// Cells to be computed, which is what [`grundy_sweep::Control::done`] counts up to.
    pub cells: u64,
    /// About how long.
    pub seconds: f64,
    /// About how much memory, in bytes.
    pub memory: u64,
}

/// A plan that would take more than allowed.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum TooMuch {
    #[error(transparent)]
    Memory(#[from] MemoryShortage),
    #[error("this would take about {}, and {} are allowed", Seconds(*needed), Seconds(*allowed))]
    Seconds { needed: f64, allowed: f64 },
}

impl Estimate {
    pub(crate) const NOTHING: Estimate =
        Estimate { positions: 0, cells: 0, seconds: 0.0, memory: 0 };

    /// Adds what is done after this.
    pub(crate) fn add(&mut self, next: Estimate) {
        self.positions += next.positions;
        self.cells += next.cells;
        self.seconds += next.seconds;
        self.memory = self.memory.max(next.memory);
    }

    /// Refuses what takes too much memory or time.
    ///
    /// # Errors
    /// [`TooMuch`] of the two.
    pub fn within(&self, memory: MemoryLimit, seconds: f64) -> Result<(), TooMuch> {
        memory.check(self.memory)?;
        if self.seconds > seconds {
            return Err(TooMuch::Seconds { needed: self.seconds, allowed: seconds });
        }
        Ok(())
    }
}
