//! Any position, interval by interval.
//!
//! The value of a₁ a₂ ... aₖ is the corner of an a₁ x aₖ rectangle whose borders belong
//! to shorter rows. Write (i, j) for the piles i..=j, and keep of each interval its
//! *edge*: the values with the last pile lowered, and those with the first pile lowered,
//!
//! ```text
//! row(i, j)[b] = G(aᵢ ... aⱼ₋₁ b),  b = 1..=aⱼ
//! col(i, j)[a] = G(a aᵢ₊₁ ... aⱼ),  a = 1..=aᵢ
//! ```
//!
//! Then the borders of the rectangle of (i, j) are row(i+1, j) above and col(i, j-1) to
//! the left, and its last row and column are the edge of (i, j). Intervals are done by
//! increasing length, so two diagonals of edges are all the memory; the edges of single
//! piles are the seed row; and wherever a table holds an interval its edge is read
//! instead, and nothing shorter is needed for it.
//!
//! ```text
//! length   1     2     3     4        k(k-1)/2 rectangles from nothing,
//!          a₁ ─┐                      one for each level above a table's
//!              ├ 12 ─┐                rows
//!          a₂ ─┤     ├ 123 ─┐
//!              ├ 23 ─┤      ├ 1234
//!          a₃ ─┤     ├ 234 ─┘
//!              ├ 34 ─┘
//!          a₄ ─┘
//! ```

use grundy_kernels::{Edge, Isa};
use grundy_rules::Pile;
use grundy_sweep::cost::nanoseconds::{INTERVAL, RECTANGLE, RECTANGLE_ROW};

use crate::answer::{Effort, Limits, Reply};

impl Effort {
    /// What it takes to look at every interval of a row of k piles, before any is computed.
    fn of_intervals(k: usize) -> Effort {
        let intervals = k as f64 * (k as f64 + 1.0) / 2.0;
        let bytes = intervals * size_of::<Need>() as f64 + 2.0 * (k * size_of::<Lowered>()) as f64;
        Effort { cells: intervals, seconds: intervals * INTERVAL * 1e-9, memory: bytes as u64 }
    }

    /// Adds a rectangle. A cell costs a few operations and the search of a row's words.
    fn add(&mut self, a: Pile, b: Pile) {
        let (rows, cols) = (a.max(b) as f64, a.min(b) as f64);
        let cells = rows * cols;
        self.cells += cells;
        let each = 2.5 + 0.02 * cols / 8.0;
        self.seconds += (RECTANGLE + rows * RECTANGLE_ROW + cells * each) * 1e-9;
        self.memory = self.memory.max(Edge::bytes(a as usize, b as usize));
    }
}

/// Rows that are known already.
pub(crate) trait Known {
    /// Whether a table holds the position with these piles.
    fn holds(&self, piles: &[Pile]) -> bool;
    /// Of a position that a table holds, the values with the last pile lowered.
    fn last_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()>;
    /// The same with the first pile lowered.
    fn first_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()>;
}

/// Asked in the course of an evaluation that takes long whether it goes on.
pub(crate) type Look<'a> = &'a dyn Fn() -> Reply<()>;

/// The edge of an interval: the values with one end pile lowered, up to what is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lowered {
    /// By the last pile, b = 1, 2, ...
    pub(crate) row: Vec<u32>,
    /// By the first pile, a = 1, 2, ...
    pub(crate) col: Vec<u32>,
}

/// What [`Workspace::evaluate`] finds for a position of two or more piles, besides its
/// edge, which stays in the workspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluated {
    /// The position's value.
    pub(crate) value: u32,
    /// The value without the first pile.
    pub(crate) without_first: u32,
    /// The value without the last pile.
    pub(crate) without_last: u32,
    /// Whether a table gave any of it.
    pub(crate) used_tables: bool,
}

/// Intervals between two looks at whether to go on.
const LOOK_EVERY: usize = 64;

/// What is done for an interval, and which sides of its edge are wanted.
#[derive(Clone, Copy, Debug, Default)]
struct Need {
    row: bool,
    col: bool,
    held: bool,
}

impl Need {
    fn any(self) -> bool {
        self.row || self.col
    }
}

/// Working memory, used again from one evaluation to the next.
#[derive(Debug)]
pub(crate) struct Workspace {
    edge: Edge,
    /// By length, then by first pile: the intervals of length m are
    /// `needs[start(m)..][..k + 1 - m]`.
    needs: Vec<Need>,
    /// The edges of two diagonals, by first pile.
    below: Vec<Lowered>,
    here: Vec<Lowered>,
}

impl Workspace {
    /// Nothing computed yet.
    pub(crate) fn new(isa: Isa) -> Workspace {
        let edge = Edge::new(isa);
        Workspace { edge, needs: Vec::new(), below: Vec::new(), here: Vec::new() }
    }

    /// The edge of the position last evaluated.
    pub(crate) fn lowered(&self) -> Option<&Lowered> {
        self.below.first()
    }

    /// Evaluates a position of at least two piles from known rows and single piles.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] before anything is computed, if the estimate exceeds the
    /// limits; whatever `known` or `look` meets.
    pub(crate) fn evaluate(
        &mut self,
        seed: fn(Pile) -> u32,
        piles: &[Pile],
        known: &impl Known,
        limits: Limits,
        look: Look<'_>,
    ) -> Reply<Evaluated> {
        let k = piles.len();
        // A long row has more intervals than there is memory, or time, to look at.
        let intervals = Effort::of_intervals(k);
        intervals.check(piles, limits)?;
        let (mut work, used_tables) = self.find_needs(piles, known, look)?;
        work.seconds += intervals.seconds;
        work.memory = work.memory.saturating_add(intervals.memory);
        work.check(piles, limits)?;
        self.below.resize_with(k, Lowered::default);
        self.here.resize_with(k, Lowered::default);
        for length in 1..k {
            self.diagonal(seed, piles, known, look, length)?;
        }
        // An edge has as many values as its pile has coins.
        let last = |values: &[u32]| values[values.len() - 1];
        let (without_last, without_first) = (last(&self.below[0].col), last(&self.below[1].row));
        self.diagonal(seed, piles, known, look, k)?;
        let value = last(&self.below[0].row);
        Ok(Evaluated { value, without_first, without_last, used_tables })
    }

    /// Where the intervals of one length start in `needs`.
    fn start(k: usize, length: usize) -> usize {
        // The lengths before have k, k - 1, ..., k + 2 - length intervals.
        (length - 1) * k - (length - 1) * length.saturating_sub(2) / 2
    }

    /// Decides, from the whole position down, which intervals are read and which are
    /// computed; returns what that takes, and whether tables are used.
    pub(crate) fn find_needs(
        &mut self,
        piles: &[Pile],
        known: &impl Known,
        look: Look<'_>,
    ) -> Reply<(Effort, bool)> {
        let k = piles.len();
        self.needs.clear();
        self.needs.resize(k * (k + 1) / 2, Need::default());
        self.needs[Self::start(k, k)] = Need { row: true, col: true, held: false };
        let (mut used_tables, mut work) = (false, Effort::default());
        for length in (1..=k).rev() {
            if length.is_multiple_of(LOOK_EVERY) {
                look()?;
            }
            let start = Self::start(k, length);
            let mut bytes = 0;
            for i in 0..=k - length {
                if !self.needs[start + i].any() {
                    continue;
                }
                let interval = &piles[i..i + length];
                let (first, last) = (interval[0], interval[length - 1]);
                bytes += 4 * u64::from(first) + 4 * u64::from(last);
                // The whole is computed even if held, for its ends' removal is wanted too.
                let held = length < k && known.holds(interval);
                self.needs[start + i].held = held;
                used_tables |= held;
                if length > 1 && !held {
                    work.add(first, last);
                    let below = Self::start(k, length - 1) + i;
                    self.needs[below].col = true;
                    self.needs[below + 1].row = true;
                }
            }
            work.memory = work.memory.max(2 * bytes);
        }
        Ok((work, used_tables))
    }

    /// Finds the wanted edges of all intervals of one length; they become `below`.
    fn diagonal(
        &mut self,
        seed: fn(Pile) -> u32,
        piles: &[Pile],
        known: &impl Known,
        look: Look<'_>,
        length: usize,
    ) -> Reply<()> {
        let start = Self::start(piles.len(), length);
        for i in 0..=piles.len() - length {
            let need = self.needs[start + i];
            let interval = &piles[i..i + length];
            let here = &mut self.here[i];
            if !need.any() {
                continue;
            }
            if need.held {
                if need.row {
                    known.last_lowered(interval, &mut here.row)?;
                }
                if need.col {
                    known.first_lowered(interval, &mut here.col)?;
                }
            } else if length == 1 {
                for side in [&mut here.row, &mut here.col] {
                    side.clear();
                    side.extend((1..=piles[i]).map(seed));
                }
            } else {
                // Of fewer the large ones look for themselves, and small ones are done soon.
                if (i + 1).is_multiple_of(LOOK_EVERY) {
                    look()?;
                }
                let mut looked = Ok(());
                let mut goes_on = || {
                    looked = look();
                    looked.is_ok()
                };
                let (above, left) = (&self.below[i + 1].row, &self.below[i].col);
                self.edge.compute_while(above, left, &mut goes_on);
                looked?;
                here.row.clone_from(&self.edge.row);
                here.col.clone_from(&self.edge.col);
            }
        }
        std::mem::swap(&mut self.below, &mut self.here);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
