//! Computes any position, interval by interval.
//!
//! The value of a₁ a₂ ... aₖ is the corner of an a₁ x aₖ rectangle, whose borders are values of
//! shorter rows. Let (i, j) be the interval of piles i..=j. The *edge* of an interval consists of
//! the values with all sizes of the last pile up to its own, and the same for the first pile:
//!
//! ```text
//! row(i, j)[b] = G(aᵢ ... aⱼ₋₁ b),  b = 1..=aⱼ
//! col(i, j)[a] = G(a aᵢ₊₁ ... aⱼ),  a = 1..=aᵢ
//! ```
//!
//! The borders of the rectangle of (i, j) are then row(i+1, j) above and col(i, j-1) to the left,
//! and its last row and column are the edge of (i, j). Intervals are computed by increasing length,
//! so memory holds only the edges of two lengths. The rules give the edges of single piles. If a
//! table holds an interval, its edge is read from the table, and it needs no shorter intervals.
//!
//! ```text
//! length   1     2     3     4        k(k-1)/2 rectangles without tables;
//!          a₁ ─┐                      m(m+1)/2 if a table holds all rows
//!              ├ 12 ─┐                of k - m piles
//!          a₂ ─┤     ├ 123 ─┐
//!              ├ 23 ─┤      ├ 1234
//!          a₃ ─┤     ├ 234 ─┘
//!              ├ 34 ─┘
//!          a₄ ─┘
//! ```

use grundy_kernels::{Edge, Isa};
use grundy_rules::{Pile, Singles};
use grundy_sweep::cost::price;

use crate::answer::{Effort, Limits, Reply};

impl Effort {
    /// Estimates the effort of visiting every interval of k piles, without computing values.
    fn of_intervals(k: usize) -> Effort {
        let intervals = k as f64 * (k as f64 + 1.0) / 2.0;
        let bytes = intervals * size_of::<Need>() as f64 + 2.0 * (k * size_of::<Lowered>()) as f64;
        Effort { cells: intervals, seconds: intervals * price::ROW, memory: bytes as u64 }
    }

    /// Adds the effort of a rectangle. Each cell takes a few operations and a search.
    fn add(&mut self, a: Pile, b: Pile) {
        let (rows, cols) = (a.max(b) as f64, a.min(b) as f64);
        let cells = rows * cols;
        self.cells += cells;
        let each = price::RECTANGLE_CELL + cols / 8.0 * price::RECTANGLE_WORD;
        self.seconds += price::RECTANGLE + rows * price::ROW + cells * each;
        self.memory = self.memory.max(Edge::bytes(a as usize, b as usize));
    }
}

/// Access to stored rows and columns.
pub(crate) trait Known {
    /// True if a table holds the position with these piles.
    fn holds(&self, piles: &[Pile]) -> bool;
    /// Reads the row of a position that a table holds.
    fn last_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()>;
    /// Reads the column of a position that a table holds.
    fn first_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()>;
}

/// A check that a long evaluation calls regularly. If it returns an error, the evaluation ends.
pub(crate) type Look<'a> = &'a dyn Fn() -> Reply<()>;

/// The edge of an interval: the values with one end pile lowered or unchanged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lowered {
    /// The values with b = 1, 2, ... as the last pile.
    pub(crate) row: Vec<u32>,
    /// The values with a = 1, 2, ... as the first pile.
    pub(crate) col: Vec<u32>,
}

/// The result of [`Workspace::evaluate`] for a position of two or more piles. The edge of the
/// position stays in the workspace.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluated {
    pub(crate) value: u32,
    pub(crate) without_first: u32,
    pub(crate) without_last: u32,
    /// True if some values came from a table.
    pub(crate) used_tables: bool,
}

const LOOK_EVERY: usize = 64;

/// The source of an interval's edge, and the sides of the edge that are needed.
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

/// Working memory, which the next evaluation reuses.
#[derive(Debug)]
pub(crate) struct Workspace {
    edge: Edge,
    /// The intervals, ordered by length and then by first pile. The intervals of length m are
    /// `needs[start(m)..][..k + 1 - m]`.
    needs: Vec<Need>,
    /// The edges of the intervals of two consecutive lengths, ordered by first pile.
    below: Vec<Lowered>,
    here: Vec<Lowered>,
}

impl Workspace {
    pub(crate) fn new(isa: Isa) -> Workspace {
        let edge = Edge::new(isa);
        Workspace { edge, needs: Vec::new(), below: Vec::new(), here: Vec::new() }
    }

    /// Returns the edge of the last evaluated position.
    pub(crate) fn lowered(&self) -> Option<&Lowered> {
        self.below.first()
    }

    /// Evaluates a position of at least two piles from known rows and single piles.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] before the computation if the estimate exceeds the limits, and all
    /// errors of `known` and `look`.
    pub(crate) fn evaluate(
        &mut self,
        singles: &Singles,
        piles: &[Pile],
        known: &impl Known,
        limits: Limits,
        look: Look<'_>,
    ) -> Reply<Evaluated> {
        let k = piles.len();
        // Memory or time may not suffice even to visit all intervals of a long row.
        let intervals = Effort::of_intervals(k);
        intervals.check(piles, limits)?;
        let (mut work, used_tables) = self.find_needs(piles, known, look)?;
        work.seconds += intervals.seconds;
        work.memory = work.memory.saturating_add(intervals.memory);
        work.check(piles, limits)?;
        self.below.resize_with(k, Lowered::default);
        self.here.resize_with(k, Lowered::default);
        for length in 1..k {
            self.diagonal(singles, piles, known, look, length)?;
        }
        // Each side of an edge has one value for each coin of an end pile.
        let last = |values: &[u32]| values[values.len() - 1];
        let (without_last, without_first) = (last(&self.below[0].col), last(&self.below[1].row));
        self.diagonal(singles, piles, known, look, k)?;
        let value = last(&self.below[0].row);
        Ok(Evaluated { value, without_first, without_last, used_tables })
    }

    /// Returns the index in `needs` of the first interval of the given length.
    fn start(k: usize, length: usize) -> usize {
        // The shorter lengths have k, k - 1, ..., k + 2 - length intervals.
        (length - 1) * k - (length - 1) * length.saturating_sub(2) / 2
    }

    /// Decides which intervals are read and which are computed, from the longest to the shortest.
    /// Returns the effort, and true if tables are used.
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
                // Compute the whole position even if a table holds it, because the caller needs the
                // values without an end pile.
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

    /// Finds the needed edges of all intervals of one length, and writes them to `below`.
    fn diagonal(
        &mut self,
        singles: &Singles,
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
                    side.extend(singles.up_to(piles[i]));
                }
            } else {
                // `compute_while` never calls `look` in small rectangles. So call it here, too, at
                // every `LOOK_EVERY`-th interval.
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
