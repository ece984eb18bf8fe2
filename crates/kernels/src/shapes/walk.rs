//! Goes through the rows of a table, and widens the sets when a value does not fit.

use super::LimitError;
use super::row::{Full, Row, RowSteps};
use super::set::{MOST, Set, Set64, Set128, Set256, Set512, Set1024, Set2048, Set4096, Set8192};
use crate::compiled::Compiler;

/// The rows of a table, in an order in which all options of a row come before it.
pub(super) trait Walk {
    /// Returns the number of sets of one lane.
    fn sets(&self) -> usize;

    /// Prepares the current row for the guide. Returns its first cell and its number of columns.
    fn row(&mut self) -> (usize, usize);

    /// Writes the given values of the current row in a lane, and returns their number.
    fn given(&self, _lane: usize, _row: &mut [u16]) -> usize {
        0
    }

    /// Writes the plan of the current row. `is_given` is true if all its values are given.
    fn plan(&self, plan: &mut RowSteps, is_given: bool);

    /// Returns the first cell that the current row or a later one reads, at most the first cell of
    /// the row. Only walks in the order of the cells have it.
    fn kept(&self) -> usize;

    /// Returns the coordinates of the current row, as the guide receives them.
    fn outer(&self) -> &[u32];

    /// Tells the guide the number of cells filled so far; returns false to stop.
    fn goes_on(&self, cells: u64) -> bool;

    /// Moves to the next row; returns false after the last one.
    fn step(&mut self) -> bool;
}

pub(super) struct Means {
    pub(super) compiler: Compiler,
    /// The memory limit for all sets, in bytes.
    pub(super) memory: u64,
    /// The value of a cell without options.
    pub(super) terminal: u16,
    pub(super) lanes: usize,
}

enum Ended {
    /// The memory is too small for sets of two widths at once. `bytes` is the larger width.
    NoRoom {
        bytes: u64,
    },
    Refused(LimitError),
}

/// Fills all rows of a walk. `start` prepares the walk for sets of so many bytes, or refuses it.
pub(super) fn fill<W: Walk>(
    means: &Means,
    cells: &mut [u16],
    start: impl Fn(u64) -> Result<W, LimitError>,
) -> Result<(), LimitError> {
    let mut bytes = 8;
    loop {
        let walk = &mut start(bytes)?;
        let done = match bytes {
            8 => run::<Set64>(walk, means, Vec::new(), 0, cells),
            16 => run::<Set128>(walk, means, Vec::new(), 0, cells),
            32 => run::<Set256>(walk, means, Vec::new(), 0, cells),
            64 => run::<Set512>(walk, means, Vec::new(), 0, cells),
            128 => run::<Set1024>(walk, means, Vec::new(), 0, cells),
            256 => run::<Set2048>(walk, means, Vec::new(), 0, cells),
            512 => run::<Set4096>(walk, means, Vec::new(), 0, cells),
            _ => run::<Set8192>(walk, means, Vec::new(), 0, cells),
        };
        // The memory may not fit old and wider sets. If it does not, start again.
        match done {
            Err(Ended::NoRoom { bytes: wider }) => bytes = wider,
            Err(Ended::Refused(why)) => return Err(why),
            Ok(()) => return Ok(()),
        }
    }
}

/// Fills the rows from the current one on, with sets of this width or wider.
fn run<S: Set>(
    walk: &mut dyn Walk,
    means: &Means,
    mut sets: Vec<S>,
    mut filled: u64,
    cells: &mut [u16],
) -> Result<(), Ended> {
    let &Means { compiler, memory, terminal, lanes } = means;
    sets.resize(walk.sets() * lanes, S::default());
    let (mut scratch, mut plan) = (Vec::new(), RowSteps::default());
    loop {
        let (at, len) = walk.row();
        let (mut given, mut largest) = (0, 0);
        for (lane, cells) in cells.chunks_exact_mut(cells.len() / lanes).enumerate() {
            let row = &mut cells[at..at + len];
            given = walk.given(lane, row);
            largest = row[..given].iter().fold(largest, |largest, &value| value.max(largest));
        }
        plan.plan(len, given == len, |plan, is_given| walk.plan(plan, is_given));
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
        if !walk.goes_on(filled) {
            return Err(Ended::Refused(LimitError::Stopped));
        }
        if !walk.step() {
            return Ok(());
        }
    }
}
