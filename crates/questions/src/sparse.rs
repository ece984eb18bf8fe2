//! Runs a long part of a program only in the lanes of its mask.
//!
//! [`Step::Skip`] skips a part whose mask is empty. If the mask marks few lanes and the part is
//! long, the part is a *section*: the numbers that the section reads are moved to the first lanes
//! of columns of their own, its steps run on these lanes, and the results are moved back.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use grundy_language::fault::Fault;

use crate::lane::Lane;
use crate::machine::{Around, Phase, Registers, Run};
use crate::program::{Arg, Program, Step};

/// A part of a program between the step that skips it and the step behind it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    steps: Range<usize>,
    /// The registers that the section reads and does not write.
    reads: Vec<Arg>,
    /// The registers that the section writes and later steps read.
    writes: Vec<Arg>,
    /// The work of the section in each lane, in steps.
    work: usize,
}

/// Lanes that were moved together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moved<L> {
    pub(crate) is_used: bool,
    /// The lanes, in ascending order.
    lanes: Vec<u32>,
    /// A column of moved numbers for each register that a section reads.
    columns: Vec<Vec<L>>,
}

/// The least work of a section, in steps.
const LEAST_WORK: usize = 8;

/// The time to move a number to another lane, compared with the time of a step in a lane.
const MOVE: usize = 16;

/// The work of a look-up or of a checked step, compared with other steps.
const SLOW: usize = 8;

/// Returns for each step of the rate Cell the section that begins there.
pub(crate) fn sections(program: &Program) -> Vec<Option<Section>> {
    let steps = &program.per_cell;
    let (mut written, mut last_read) = (HashMap::new(), HashMap::new());
    for (at, step) in steps.iter().enumerate() {
        written.extend(step.out().map(|out| (out, at)));
        last_read.extend(step.reads().into_iter().map(|arg| (arg, at)));
    }
    let results = program.premise.into_iter().chain([program.result]);
    last_read.extend(results.map(|arg| (arg, steps.len())));
    let section = |(at, step): (usize, &Step)| {
        let &Step::Skip { to, .. } = step else { return None };
        let some = &steps[at + 1..to];
        // The sets of option values stay in their lanes.
        let has_options = |step: &Step| {
            matches!(
                step,
                Step::Options { .. }
                    | Step::HasOption { .. }
                    | Step::MexOptions { .. }
                    | Step::CountOptions { .. }
            )
        };
        if some.len() < LEAST_WORK || some.iter().any(has_options) {
            return None;
        }
        let is_inside = |arg: &Arg| written.get(arg).is_some_and(|by| (at + 1..to).contains(by));
        let reads: BTreeSet<Arg> = some.iter().flat_map(Step::reads).collect();
        let is_moved = |arg: &Arg| !matches!(arg, Arg::Fixed(_)) && !is_inside(arg);
        let is_late = |arg: &Arg| last_read.get(arg).is_some_and(|&by| by >= to);
        let work = |step: &Step| match step {
            Step::Other { .. } | Step::Checked { .. } => SLOW,
            _ => 1,
        };
        Some(Section {
            steps: at + 1..to,
            reads: reads.into_iter().filter(is_moved).collect(),
            writes: some.iter().filter_map(Step::out).filter(is_late).collect(),
            work: some.iter().map(work).sum(),
        })
    };
    steps.iter().enumerate().map(section).collect()
}

impl<L: Lane> Registers<L> {
    /// Runs the section that begins at a step in the `marked` lanes of its mask alone. Returns
    /// false if this would take longer than running its steps in all lanes.
    #[inline(never)]
    pub(crate) fn run_moved(
        &mut self,
        step: usize,
        mask: Arg,
        marked: usize,
        from: usize,
        lanes: usize,
        around: &Around<'_>,
    ) -> Result<bool, (usize, Fault)> {
        let sections = self.sections.clone();
        let Some(section) = &sections[step] else { return Ok(false) };
        let numbers = marked * (section.reads.len() + section.writes.len());
        if numbers * MOVE >= section.work * (lanes - marked) {
            return Ok(false);
        }
        let mut moved = std::mem::take(&mut self.moved);
        let of_mask = self.col(mask, from, lanes);
        moved.lanes.clear();
        moved.lanes.extend((0..lanes as u32).filter(|&at| of_mask.at(at as usize) != L::default()));
        moved.columns.resize_with(moved.columns.len().max(section.reads.len()), Vec::new);
        for (&arg, column) in section.reads.iter().zip(&mut moved.columns) {
            let all = self.col(arg, from, lanes);
            column.clear();
            column.extend(moved.lanes.iter().map(|&lane| all.at(lane as usize)));
        }
        self.exchange(&section.reads, &mut moved.columns);
        self.moved.is_used = true;
        let run = Run {
            registers: self,
            part: Phase::Section(section.steps.clone()),
            from: 0,
            lanes: marked,
            around,
            given: None,
        };
        let found = around.compiler.run(run);
        self.exchange(&section.reads, &mut moved.columns);
        for &arg in &section.writes {
            self.write(arg, 0, lanes, |_, column| {
                // A lane moves back to itself or to a later lane, so begin with the last.
                for (at, &lane) in moved.lanes.iter().enumerate().rev() {
                    column[lane as usize] = column[at];
                }
            });
        }
        let found = found.map_err(|(at, fault)| (moved.lanes[at] as usize, fault));
        self.moved = moved;
        found.map(|_| true)
    }

    /// Exchanges the columns of registers for others. In a single tile, registers of the rate Tile
    /// have only one number, which is the same in all lanes.
    fn exchange(&mut self, registers: &[Arg], columns: &mut [Vec<L>]) {
        for (&arg, column) in registers.iter().zip(columns) {
            if let Some(of) = self.column_in_cells(arg) {
                std::mem::swap(of, column);
            }
        }
    }
}
