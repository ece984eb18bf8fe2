//! The walk over the rows of a table. It widens the sets when a value does not fit.

use super::row::{Full, Row, RowSteps};
use super::set::{MOST, Set, Set64, Set128, Set256, Set512, Set1024, Set2048, Set4096};
use super::{Guide, LimitError};
use crate::compiled::Compiler;

/// The rows of a table, in an order in which options come first.
pub(super) trait Walk {
    /// Returns the number of sets of one lane.
    fn sets(&self) -> usize;

    /// Writes the plan of the current row, and its given values.
    fn row(&mut self, cells: &mut [u16], plan: &mut RowSteps) -> RowState;

    /// Moves to the next row; returns false after the last one.
    fn step(&mut self) -> bool;
}

/// A row: its first cell, its number of columns, and the number and maximum of its given values.
pub(super) struct RowState {
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) given: usize,
    pub(super) largest: u16,
}

pub(super) struct Means<'a> {
    pub(super) compiler: Compiler,
    /// The maximum bytes of all sets.
    pub(super) memory: u64,
    /// The value of a cell without options.
    pub(super) terminal: u16,
    pub(super) lanes: usize,
    pub(super) guide: &'a dyn Guide,
}

pub(super) enum Ended {
    /// The memory does not suffice for sets of so many bytes each.
    NoRoom {
        bytes: u64,
    },
    Refused(LimitError),
}

/// Fills all rows, with sets of at least this many bytes each.
pub(super) fn fill(
    walk: &mut dyn Walk,
    means: &Means<'_>,
    bytes: u64,
    cells: &mut [u16],
) -> Result<(), Ended> {
    match bytes {
        8 => run::<Set64>(walk, means, Vec::new(), 0, cells),
        16 => run::<Set128>(walk, means, Vec::new(), 0, cells),
        32 => run::<Set256>(walk, means, Vec::new(), 0, cells),
        64 => run::<Set512>(walk, means, Vec::new(), 0, cells),
        128 => run::<Set1024>(walk, means, Vec::new(), 0, cells),
        256 => run::<Set2048>(walk, means, Vec::new(), 0, cells),
        _ => run::<Set4096>(walk, means, Vec::new(), 0, cells),
    }
}

/// Continues from the current row of the walk.
fn run<S: Set>(
    walk: &mut dyn Walk,
    means: &Means<'_>,
    mut sets: Vec<S>,
    mut filled: u64,
    cells: &mut [u16],
) -> Result<(), Ended> {
    let &Means { compiler, memory, terminal, lanes, guide } = means;
    sets.resize(walk.sets() * lanes, S::default());
    let (mut scratch, mut plan) = (Vec::new(), RowSteps::default());
    loop {
        plan.clear();
        let RowState { at, len, given, largest } = walk.row(cells, &mut plan);
        let done = if usize::from(largest) >= S::BITS {
            Err(Full)
        } else {
            let (plan, sets, scratch, cells) = (&plan, &mut sets[..], &mut scratch, &mut *cells);
            compiler.run(Row { plan, lanes, sets, scratch, cells, at, len, given, terminal })
        };
        match done {
            Err(Full) if S::BITS == MOST => return Err(Ended::Refused(LimitError::Value)),
            Err(Full) => {
                let bytes = S::BITS as u64 / 4;
                // While sets are copied, the sets of both widths are in memory.
                if sets.len() as u64 * bytes / 2 * 3 > memory {
                    return Err(Ended::NoRoom { bytes });
                }
                let wider = sets.iter().map(Set::widened).collect();
                drop(sets);
                return run::<S::Wider>(walk, means, wider, filled, cells);
            }
            Ok(()) => filled += (len * lanes) as u64,
        }
        if !guide.goes_on(filled) {
            return Err(Ended::Refused(LimitError::Stopped));
        }
        if !walk.step() {
            return Ok(());
        }
    }
}
