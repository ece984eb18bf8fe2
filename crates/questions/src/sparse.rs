//! Runs a long part of a program only in the lanes of its mask.
//!
//! [`Step::Skip`] skips a part whose mask is empty. If the mask marks few lanes and the part is
//! long, the part is a *section*: the numbers that the section reads are moved to the first lanes
//! of columns of their own, its steps run on these lanes, and the results are moved back.

use grundy_language::fault::Fault;

use crate::lane::Lane;
use crate::machine::{Around, Phase, Registers, Run};
use crate::program::Arg;

/// The time to move a number to another lane, compared with the time of a step in a lane.
const MOVE: usize = 16;

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
