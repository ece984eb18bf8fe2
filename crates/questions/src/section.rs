//! Parts of a program that may run in few lanes.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use crate::program::{Arg, Program, Step};

/// A part of a program between the step that skips it and the step behind it.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    pub(crate) steps: Range<usize>,
    /// The registers that the section reads and does not write.
    pub(crate) reads: Vec<Arg>,
    /// The registers that the section writes and later steps read.
    pub(crate) writes: Vec<Arg>,
    /// The work of the section in each lane, in steps.
    pub(crate) work: usize,
}

/// Lanes that were moved together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moved<L> {
    pub(crate) is_used: bool,
    /// The lanes, in ascending order.
    pub(crate) lanes: Vec<u32>,
    /// A column of moved numbers for each register that a section reads.
    pub(crate) columns: Vec<Vec<L>>,
}

/// The least work of a section, in steps.
const LEAST_WORK: usize = 8;

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
