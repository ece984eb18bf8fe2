//! Fills a box of positions with a fixed number of places. Every move lowers some coordinates.
//!
//! The cells are filled row by row in lexicographic order, so options come first. Each line of a
//! ray has a set, but only while the walk still visits cells of that line:
//!
//! ```text
//!   ray with step (1, 0, 1), lead 0       the set of x replaces that of x - step: it is
//!        x0 = 0   1   2                   at (x1, x2 - q) with q = x0, in a row of sets that
//!   x2 = 0  A   .   .                     reaches to the smallest x2 - q. The coordinates
//!        1  B   A   .       one line A,   between lead and last are taken modulo their
//!        2  C   B   A       one set       size: a line that leaves the box makes room for
//!                                         one that enters it.
//! ```
//!
//! The *lead* is the first coordinate that the step changes. A line begins where x - step is
//! outside the box. Each row of cells first clears the sets of the lines that begin in it. So the
//! number of sets of a ray is about the step of the lead, times the sizes of all coordinates after
//! the lead. If `first` differs from `step`, a value enters the set only at the cell that has it as
//! its first option. So S(x) = S(x - step) ∪ {G(x - first)}. Moves with t ≡ r mod m, with t >= c,
//! or with two nearly equal numbers are such rays.
//!
//! For a box on piles I, the set of x contains the values of x and of all positions that result
//! from lowering some piles in I. It is the union of the sets of x - eᵢ, for i in I, and of the
//! value of x. Before the value of x is added, the set contains exactly the options that lower some
//! of I. If all of I must be lowered, the set of x - Σ eᵢ contains the options, so two slices
//! across the lead are kept.
//!
//! # Rows that close up, tiles
//!
//! If emptied piles vanish, the box still has the coordinates 0, ..., N. A cell with a 0 has a
//! *given* value, the value of the shorter position. Moves may lead to such a cell as to any other.
//! The tile of a middle is such a box with two places, the two ends.
//!
//! # Memory
//!
//! Rays whose lead is the first coordinate need the most sets. If they exceed the memory, the
//! second coordinate is cut into blocks. The walk visits one block after another, each with all
//! values of the first coordinate. A line that enters a block has lost its set, which is built
//! again from the table, which costs some loads. A grid with box moves is never cut.

use super::bits::{Bits, OutcomeRows, bytes_in_order};
use super::row::{Join, Near, RowSteps, Stream, Values};
use super::walk::{Means, Walk, fill};
use super::{Guide, LimitError, Move, Shape};
use crate::compiled::Compiler;

/// A box of positions, with its moves.
#[derive(Clone, Debug)]
pub struct Grid {
    sizes: Vec<usize>,
    moves: Vec<Move>,
    terminal: u16,
}

/// The layout of the sets of a ray.
#[derive(Debug)]
struct Track {
    first: Vec<usize>,
    step: Vec<usize>,
    lead: usize,
    is_even: bool,
    base: usize,
    /// The number of sets in a row, and the largest number of steps along the lead.
    row: usize,
    most: usize,
    guard: Option<usize>,
}

/// The layout of the sets for a move of [`Shape::Box`].
#[derive(Debug)]
struct Hull {
    piles: Vec<usize>,
    all: bool,
    base: usize,
    guard: Option<usize>,
}

/// The layout of all sets, for one size of blocks.
#[derive(Debug, Default)]
struct Layout {
    block: usize,
    tracks: Vec<Track>,
    hulls: Vec<Hull>,
    /// Moves with only one option, which is in another row.
    points: Vec<(Vec<usize>, Option<usize>)>,
    /// Moves within the row.
    near: Vec<(Near, Option<usize>)>,
    sets: usize,
}

impl Grid {
    /// Returns a box of positions with coordinates below `sizes`. The last coordinate varies
    /// fastest. A cell without moves has the value `terminal`.
    ///
    /// # Panics
    /// If there is no coordinate, or a move does not have one entry for each coordinate.
    pub fn new(sizes: &[usize], moves: &[Move], terminal: u16) -> Grid {
        assert!(!sizes.is_empty() && sizes.iter().all(|&size| size > 0));
        for made in moves {
            match &made.shape {
                Shape::Ray { first, step } => {
                    assert!(first.len() == sizes.len() && step.len() == sizes.len());
                    assert!(first.iter().any(|&taken| taken > 0), "a move takes something");
                }
                Shape::Box { piles, .. } => {
                    assert!(!piles.is_empty() && piles.is_sorted_by(|a, b| a < b));
                    assert!(piles.iter().all(|&pile| pile < sizes.len()));
                }
            }
        }
        Grid { sizes: sizes.to_vec(), moves: moves.to_vec(), terminal }
    }

    pub fn cells(&self) -> usize {
        self.sizes.iter().product()
    }

    /// Returns two numbers of sets: for the smallest blocks, and for only one block.
    pub fn sets(&self) -> (u64, u64) {
        let (sizes, _) = self.parts();
        let whole = sizes.get(1).copied().unwrap_or(1);
        let least = if self.has_boxes() { whole } else { 1 };
        (self.layout(least).sets as u64, self.layout(whole).sets as u64)
    }

    fn has_boxes(&self) -> bool {
        self.moves.iter().any(|made| matches!(made.shape, Shape::Box { .. }))
    }

    /// Returns the sizes of all coordinates but the last, and the size of the last.
    fn parts(&self) -> (&[usize], usize) {
        match self.sizes.split_last() {
            Some((&last, outer)) => (outer, last),
            None => unreachable!("there is a place"),
        }
    }

    fn layout(&self, block: usize) -> Layout {
        let (sizes, len) = self.parts();
        let outer = sizes.len();
        let mut layout = Layout { block, ..Layout::default() };
        for made in &self.moves {
            let guard = made.guard;
            let (mut first, step) = match &made.shape {
                Shape::Ray { first, step } => (first.clone(), step.clone()),
                Shape::Box { piles, all } => {
                    if let [only] = piles[..] {
                        let unit: Vec<usize> =
                            (0..=outer).map(|at| usize::from(at == only)).collect();
                        (unit.clone(), unit)
                    } else {
                        let lead = piles[0];
                        let slice: usize =
                            (0..outer).filter(|&at| at != lead).map(|at| sizes[at]).product();
                        let (piles, base) = (piles.clone(), layout.sets);
                        layout.sets += slice * len * if *all { 2 } else { 1 };
                        layout.hulls.push(Hull { piles, all: *all, base, guard });
                        continue;
                    }
                }
            };
            let in_row = |vector: &[usize]| vector[..outer].iter().all(|&taken| taken == 0);
            if in_row(&first) && in_row(&step) {
                let near = Near { first: first[outer], step: step[outer], mask: None };
                layout.near.push((near, guard));
                continue;
            }
            if in_row(&first) {
                // The first option is in the row itself; the other options are in other rows.
                let near = Near { first: first[outer], step: 0, mask: None };
                layout.near.push((near, guard));
                first.iter_mut().zip(&step).for_each(|(first, step)| *first += step);
            }
            if step.iter().all(|&taken| taken == 0) {
                layout.points.push((first, guard));
                continue;
            }
            let lead = step.iter().position(|&taken| taken > 0).unwrap_or(outer);
            let extent = |at: usize| if at == 1 { block } else { sizes[at] };
            let (most, slice) = if lead == outer {
                (0, 1)
            } else {
                let slice: usize = (lead + 1..outer).map(extent).product();
                ((extent(lead) - 1) / step[lead], slice * step[lead])
            };
            let row = len + most * step[outer];
            let track = Track {
                is_even: first == step,
                first,
                step,
                lead,
                base: layout.sets,
                row,
                most,
                guard,
            };
            layout.sets += slice * row;
            layout.tracks.push(track);
        }
        layout
    }

    /// Fills the cells of `lanes` boxes of this shape, one after another. The sets take at most
    /// `memory` bytes. `guide` supplies values and conditions.
    ///
    /// # Panics
    /// If `cells` has the wrong length.
    pub fn fill(
        &self,
        compiler: Compiler,
        memory: u64,
        guide: &dyn Guide,
        lanes: usize,
        cells: &mut [u16],
    ) -> Result<(), LimitError> {
        assert_eq!(cells.len(), self.cells() * lanes);
        let means = Means { compiler, memory, terminal: self.terminal, lanes };
        fill(&means, cells, |bytes| {
            let layout = self.layout_within(memory, 8 * bytes * lanes as u64)?;
            Ok(self.filling(layout, Box::new(guide)))
        })
    }
}

impl Grid {
    /// Returns the outcomes of one box: 0 in a P-position, 1 in an N-position. The guide receives
    /// the number of the box as the lane.
    ///
    /// # Panics
    /// If a cell without moves is an N-position.
    pub fn outcomes(
        &self,
        memory: u64,
        guide: &dyn Guide,
        lane: usize,
    ) -> Result<Bits, LimitError> {
        assert_eq!(self.terminal, 0, "a cell without moves is a P-position");
        let layout = self.layout_within(memory, 1)?;
        OutcomeRows::new(Box::new(self.filling(layout, Box::new(guide))), lane).all(self.cells())
    }

    /// Fills the outcomes of one box, one row after another in the order of the cells.
    ///
    /// # Panics
    /// If a cell without moves is an N-position.
    pub fn outcome_rows<'a>(&'a self, guide: Box<dyn Guide + 'a>) -> OutcomeRows<'a> {
        assert_eq!(self.terminal, 0, "a cell without moves is a P-position");
        OutcomeRows::new(Box::new(self.filling(self.whole_layout(), guide)), 0)
    }

    /// Returns the bytes of memory that [`Grid::outcome_rows`] takes.
    pub fn bytes_in_order(&self) -> u64 {
        let layout = self.whole_layout();
        bytes_in_order(layout.sets, self.back(&layout), self.parts().1)
    }

    /// Returns the layout with only one block.
    fn whole_layout(&self) -> Layout {
        self.layout(self.sizes.get(1).copied().unwrap_or(1))
    }

    /// Returns the largest distance from the first cell of a row to the first cell of an earlier
    /// row that it reads.
    fn back(&self, layout: &Layout) -> usize {
        let uneven = layout.tracks.iter().filter(|track| !track.is_even);
        let read = uneven.map(|track| &track.first).chain(layout.points.iter().map(|(at, _)| at));
        let (outer, len) = self.parts();
        let inside = read.filter(|first| first.iter().zip(&self.sizes).all(|(t, size)| t < size));
        let rows = inside.map(|first| {
            let sides = outer.iter().zip(first);
            sides.fold(0usize, |rows, (size, taken)| {
                rows.saturating_mul(*size).saturating_add(*taken)
            })
        });
        rows.max().unwrap_or(0).saturating_mul(len)
    }

    /// Returns the layout with the largest blocks that fit the memory, for sets of `bits` bits.
    fn layout_within(&self, memory: u64, bits: u64) -> Result<Layout, LimitError> {
        let (sizes, _) = self.parts();
        let mut block = sizes.get(1).copied().unwrap_or(1);
        loop {
            let layout = self.layout(block);
            let needed = (layout.sets as u64 * bits).div_ceil(8);
            if needed <= memory {
                return Ok(layout);
            }
            if block == 1 || self.has_boxes() {
                return Err(LimitError::Memory { needed });
            }
            block = block.div_ceil(2);
        }
    }

    fn filling<'a>(&'a self, layout: Layout, guide: Box<dyn Guide + 'a>) -> Filling<'a> {
        let outer = vec![0; self.parts().0.len()];
        let back = self.back(&layout);
        Filling { grid: self, layout, back, guide, block: 0, outer, piles: Vec::new() }
    }
}

struct Filling<'a> {
    grid: &'a Grid,
    layout: Layout,
    back: usize,
    guide: Box<dyn Guide + 'a>,
    /// The start of the block in the second coordinate, and the coordinates of the current row.
    block: usize,
    outer: Vec<usize>,
    /// The coordinates of the current row, in the type that the guide expects.
    piles: Vec<u32>,
}

impl Walk for Filling<'_> {
    fn sets(&self) -> usize {
        self.layout.sets
    }

    fn row(&mut self) -> (usize, usize) {
        self.piles.clear();
        self.piles.extend(self.outer.iter().map(|&at| at as u32));
        (self.cells_of(|at| self.outer[at]), self.grid.parts().1)
    }

    fn given(&self, lane: usize, row: &mut [u16]) -> usize {
        self.guide.given(lane, &self.piles, row)
    }

    fn plan(&self, plan: &mut RowSteps, is_given: bool) {
        self.write_plan(plan, is_given);
    }

    fn kept(&self) -> usize {
        self.cells_of(|at| self.outer[at]).saturating_sub(self.back)
    }

    fn outer(&self) -> &[u32] {
        &self.piles
    }

    fn goes_on(&self, cells: u64) -> bool {
        self.guide.goes_on(cells)
    }

    fn step(&mut self) -> bool {
        for at in (0..self.outer.len()).rev() {
            self.outer[at] += 1;
            if self.outer[at] < self.end(at) {
                return true;
            }
            self.outer[at] = if at == 1 { self.block } else { 0 };
        }
        match self.grid.parts().0.get(1) {
            Some(&size) if self.block + self.layout.block < size => {
                self.block += self.layout.block;
                self.outer[1] = self.block;
                true
            }
            _ => false,
        }
    }
}

impl Filling<'_> {
    /// Returns the end of the block's range for a coordinate.
    fn end(&self, at: usize) -> usize {
        let size = self.grid.sizes[at];
        if at == 1 { size.min(self.block + self.layout.block) } else { size }
    }

    /// Returns the index of the first cell of the row with these outer coordinates.
    fn cells_of(&self, outer: impl Fn(usize) -> usize) -> usize {
        let (sizes, len) = self.grid.parts();
        (0..sizes.len()).fold(0, |cells, at| cells * sizes[at] + outer(at)) * len
    }

    /// Returns the first cell of the row that is lower by `taken`; `None` if it is outside the box.
    fn row_below(&self, taken: impl Fn(usize) -> usize) -> Option<usize> {
        let outer = &self.outer;
        let inside = (0..outer.len()).all(|at| taken(at) <= outer[at]);
        inside.then(|| self.cells_of(|at| outer[at] - taken(at)))
    }

    fn write_plan(&self, plan: &mut RowSteps, is_given: bool) {
        let layout = &self.layout;
        // Without boxes and guards, the next rows may have the same steps.
        let is_plain = |made: &Move| made.guard.is_none();
        if layout.hulls.is_empty() && self.grid.moves.iter().all(is_plain) {
            plan.again = self.outer.last().map_or(0, |at| self.end(self.outer.len() - 1) - 1 - at);
        }
        for track in &layout.tracks {
            self.track(track, plan, is_given);
        }
        for hull in &layout.hulls {
            self.hull(hull, plan, is_given);
        }
        if !is_given {
            let last = self.outer.len();
            for (first, guard) in &layout.points {
                let Some(cells) = self.row_below(|at| first[at]) else {
                    plan.again = 0;
                    continue;
                };
                if let Some(mask) = self.mask(*guard, plan) {
                    let (_, end) = self.grid.parts();
                    plan.values.push(Values { cells, shift: first[last], end, sets: None, mask });
                }
            }
            for &(near, guard) in &layout.near {
                if let Some(mask) = self.mask(guard, plan) {
                    plan.near.push(Near { mask, ..near });
                }
            }
        }
    }

    /// Returns `None` if no column satisfies the guard, and `Some(None)` if all do. Otherwise
    /// returns the number of the mask of these columns.
    fn mask(&self, guard: Option<usize>, plan: &mut RowSteps) -> Option<Option<usize>> {
        let Some(guard) = guard else { return Some(None) };
        let (_, len) = self.grid.parts();
        plan.mask(len, |columns| self.guide.open(guard, &self.piles, columns))
    }

    fn track(&self, track: &Track, plan: &mut RowSteps, is_given: bool) {
        let (sizes, end) = self.grid.parts();
        let outer = &self.outer;
        let Track { first, step, lead, .. } = track;
        let (lead, last) = (*lead, outer.len());
        let within = |at: usize| if at == 1 { outer[1] - self.block } else { outer[at] };
        let begins = (lead..last).any(|at| within(at) < step[at]);
        let (mut row, mut steps, mut next) = (0, 0, track.row);
        if lead < last {
            (steps, row) = (within(lead), 0);
            if step[lead] > 1 {
                (steps, row) = (steps / step[lead], steps % step[lead]);
            }
            if lead + 1 == last {
                next = step[last].wrapping_neg();
            }
            for at in lead + 1..last {
                let size = if at == 1 { self.layout.block } else { sizes[at] };
                let back = if step[at] == 0 { 0 } else { steps * step[at] % size };
                let lost = back.saturating_sub(within(at));
                if at + 1 == last && lost > 0 {
                    plan.again = plan.again.min(lost - 1);
                }
                row = row * size + if lost > 0 { size - lost } else { within(at) - back };
            }
        }
        let start = track.base + row * track.row;
        let begins = begins || lead == last;
        if begins || !track.is_even || lead + 1 == last && step[lead] > 1 {
            plan.again = 0;
        }
        if begins {
            plan.clear.push((start, track.row));
        }
        let start = start + (track.most - steps) * step[last];
        // A line in this block may begin in an earlier block. So read the values of the line.
        for t in 0.. {
            if !(begins || t == 0 && !track.is_even) {
                break;
            }
            let Some(cells) = self.row_below(|at| first[at] + t * step[at]) else { break };
            let shift = first[last] + t * step[last];
            if shift >= end {
                break;
            }
            plan.values.push(Values { cells, shift, end, sets: Some(start), mask: None });
        }
        let read = if is_given { None } else { self.mask(track.guard, plan) };
        let (read, mask) = (read.is_some(), read.flatten());
        let write = track.is_even;
        plan.streams.push(Stream { start, read, write, mask, next, ..Stream::new() });
    }

    fn hull(&self, hull: &Hull, plan: &mut RowSteps, is_given: bool) {
        let (sizes, len) = self.grid.parts();
        let outer = &self.outer;
        let (lead, last) = (hull.piles[0], outer.len());
        // Returns the first set of the row whose coordinates are lower by one if `less` is true. If
        // this lowers the lead, the row is in the previous slice.
        let row = |less: &dyn Fn(usize) -> bool| {
            let at = |at: usize| outer[at] - usize::from(less(at));
            let slice = if hull.all { at(lead) % 2 } else { 0 };
            let row = (0..last).filter(|&other| other != lead);
            row.fold(slice, |row, other| row * sizes[other] + at(other)) * len + hull.base
        };
        let start = row(&|_| false);
        if outer[lead] == 0 || hull.all {
            plan.clear.push((start, len));
        }
        let others = hull.piles.iter().filter(|&&pile| pile < last && outer[pile] > 0);
        for &pile in others.filter(|&&pile| pile != lead || hull.all) {
            let from = row(&|at| at == pile);
            plan.joins.push(Join { to: start, from, stride: 1, columns: len });
        }
        let carry = hull.piles.last() == Some(&last);
        let open = if is_given { None } else { self.mask(hull.guard, plan) };
        let mask = open.flatten();
        let read = open.is_some() && !hull.all;
        plan.streams.push(Stream { start, read, carry, mask, ..Stream::new() });
        if open.is_none() {
            return;
        }
        if !hull.all {
            if carry {
                plan.near.push(Near { first: 1, step: 1, mask });
            }
            return;
        }
        if hull.piles.iter().all(|&pile| pile == last || outer[pile] > 0) {
            let below = row(&|at| hull.piles.contains(&at));
            let from = usize::from(carry);
            let start = below.wrapping_sub(from);
            plan.streams.push(Stream {
                start,
                from,
                read: true,
                write: false,
                mask,
                ..Stream::new()
            });
        }
    }
}
