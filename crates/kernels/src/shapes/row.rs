//! One row of cells, whatever leads out of it.
//!
//! A filler goes through its table row by row; along a row the last place runs. For each row it
//! writes a [`Plan`] down: which rows of sets reach into it, which sets hear of its values. Then the
//! row takes three steps, each a loop or two that the compiler makes vectors of:
//!
//! ```text
//! before   for each column the union of the sets that earlier rows have left for it
//! chain    column by column: mex; the values further left that the last place leads to come in
//! after    the values go into the sets of the lines on which their cells stand
//! ```
//!
//! Only the chain is a chain, for each cell waits for the one before it. So tiles of one shape go
//! through it four at a time (*lanes*), each waiting for itself alone.

use super::Open;
use super::set::Set;
use crate::Compiled;

/// A row of sets that are read before the row and hear of it afterwards.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    /// The set of column 0, and how far it is from one to the next.
    pub(super) start: usize,
    pub(super) stride: usize,
    /// Columns that it has no sets for.
    pub(super) from: usize,
    pub(super) read: bool,
    pub(super) write: bool,
    /// Whether a set holds what the sets further left hold.
    pub(super) carry: bool,
    /// Columns that may read it, by number in [`Plan::masks`].
    pub(super) mask: Option<usize>,
}

/// A row of cells whose values are options, or go into sets: column c < `end` has that of
/// `cells + c - shift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    pub(super) cells: usize,
    pub(super) shift: usize,
    pub(super) end: usize,
    /// The row of sets they go into; none if they are options themselves.
    pub(super) sets: Option<usize>,
    pub(super) mask: Option<usize>,
}

/// Options further left in the row itself: `first`, `first + step`, ... columns; or one, if the step
/// is 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) first: usize,
    pub(super) step: usize,
    pub(super) mask: Option<usize>,
}

/// A row of sets that takes up another one, in its first `columns`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Join {
    pub(super) to: usize,
    pub(super) from: usize,
    /// How far it is from one set to the next, in both.
    pub(super) stride: usize,
    pub(super) columns: usize,
}

/// What concerns one row.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Sets whose lines begin here: the first one and how many.
    pub(super) clear: Vec<(usize, usize)>,
    pub(super) joins: Vec<Join>,
    pub(super) values: Vec<Values>,
    /// Single options: the column, and the cell of the option.
    pub(super) singles: Vec<(usize, usize)>,
    pub(super) streams: Vec<Stream>,
    pub(super) near: Vec<Near>,
    /// Rows of columns, one after another.
    pub(super) masks: Vec<bool>,
}

impl Stream {
    /// A row of sets side by side that are written.
    pub(super) const WRITE: Stream =
        Stream { start: 0, stride: 1, from: 0, read: false, write: true, carry: false, mask: None };
}

impl Plan {
    /// The columns in which a guard lets pass, as it marks them: `None` if nowhere, `Some(None)` if
    /// everywhere, else a row of masks.
    pub(super) fn mask(
        &mut self,
        len: usize,
        open: impl FnOnce(&mut [bool]) -> Open,
    ) -> Option<Option<usize>> {
        let row = self.masks.len() / len;
        self.masks.resize((row + 1) * len, false);
        let open = open(&mut self.masks[row * len..]);
        if open != Open::Some {
            self.masks.truncate(row * len);
        }
        match open {
            Open::Never => None,
            Open::Always => Some(None),
            Open::Some => Some(Some(row)),
        }
    }

    pub(super) fn clear(&mut self) {
        self.clear.clear();
        self.joins.clear();
        self.values.clear();
        self.singles.clear();
        self.streams.clear();
        self.near.clear();
        self.masks.clear();
    }
}

/// A row to be filled, in each lane. Sets and cells of the lanes stand one lane after another.
pub(super) struct Row<'a, S> {
    pub(super) plan: &'a Plan,
    pub(super) lanes: usize,
    pub(super) sets: &'a mut [S],
    pub(super) scratch: &'a mut Vec<S>,
    pub(super) cells: &'a mut [u16],
    /// The first cell of the row, its columns, and how many of them have their value already.
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) given: usize,
    /// The value of a cell without options.
    pub(super) terminal: u16,
}

/// A set had no room for a value. The row has changed nothing, and can be done again.
#[derive(Debug)]
pub(super) struct Full;

/// Lanes that go side by side.
pub const LANES: usize = 4;

impl<S: Set> Compiled for Row<'_, S> {
    type Out = Result<(), Full>;

    #[inline(always)]
    fn run(self) -> Result<(), Full> {
        let Row { plan, lanes, sets, scratch, cells, at, len, given, terminal } = self;
        let (lane_sets, lane_cells) = (sets.len() / lanes, cells.len() / lanes);
        scratch.clear();
        scratch.resize(
            lanes * len + plan.near.iter().map(|near| near.step).sum::<usize>(),
            S::default(),
        );
        let (before, rings) = scratch.split_at_mut(lanes * len);
        for lane in 0..lanes {
            let sets = &mut sets[lane * lane_sets..][..lane_sets];
            let before = &mut before[lane * len..][..len];
            gather(plan, sets, &cells[lane * lane_cells..][..lane_cells], before, given);
        }
        if given < len {
            let plain =
                terminal == 0 && matches!(plan.near[..], [Near { first: 1, step: 1, mask: None }]);
            let most = if plain && lanes == LANES {
                chain_plain::<S, LANES>(before, cells, lane_cells, at, len, given)
            } else {
                let lanes = before.chunks_exact(len).zip(cells.chunks_exact_mut(lane_cells));
                lanes.fold(0, |most, (before, cells)| {
                    let cells = &mut cells[at..at + len];
                    let here = if plain {
                        chain_plain::<S, 1>(before, cells, len, 0, len, given)
                    } else {
                        chain(plan, before, rings, cells, given, terminal)
                    };
                    here.max(most)
                })
            };
            if most >= S::BITS {
                return Err(Full);
            }
        }
        for lane in 0..lanes {
            let sets = &mut sets[lane * lane_sets..][..lane_sets];
            hand_on(plan, sets, &cells[lane * lane_cells + at..][..len]);
        }
        Ok(())
    }
}

/// What reaches each column from earlier rows.
#[inline(always)]
fn gather<S: Set>(plan: &Plan, sets: &mut [S], cells: &[u16], before: &mut [S], given: usize) {
    let len = before.len();
    for &(start, count) in &plan.clear {
        sets[start..start + count].fill(S::default());
    }
    for &Join { to, from, stride, columns } in &plan.joins {
        for at in (0..columns).map(|column| column * stride) {
            sets[to + at] = sets[to + at].union(sets[from + at]);
        }
    }
    for &(column, cell) in &plan.singles {
        before[column].insert(cells[cell]);
    }
    for values in &plan.values {
        let Values { cells: first, shift, end, sets: into, mask } = *values;
        if shift >= end {
            continue;
        }
        let values = &cells[first..first + end - shift];
        if let Some(start) = into {
            for (set, &value) in sets[start + shift..start + end].iter_mut().zip(values) {
                set.insert(value);
            }
        } else if let Some(mask) = mask {
            let mask = &plan.masks[mask * len + shift..mask * len + end];
            for ((set, &value), &open) in before[shift..].iter_mut().zip(values).zip(mask) {
                if open {
                    set.insert(value);
                }
            }
        } else {
            for (set, &value) in before[shift..].iter_mut().zip(values) {
                set.insert(value);
            }
        }
    }
    for stream in &plan.streams {
        if stream.carry {
            let mut left = S::default();
            for column in 0..len {
                let set = &mut sets[stream.at(column)];
                left = left.union(*set);
                *set = left;
            }
        }
    }
    if given == len {
        return;
    }
    // Four rows at a time: a union is stored once.
    let mut rows = plan
        .streams
        .iter()
        .filter(|stream| stream.is_plain())
        .map(|stream| &sets[stream.start..stream.start + len]);
    while let Some(first) = rows.next() {
        let empty = first;
        let [second, third, fourth] = std::array::from_fn(|_| rows.next().unwrap_or(empty));
        for (column, set) in before.iter_mut().enumerate() {
            let (left, right) =
                (first[column].union(second[column]), third[column].union(fourth[column]));
            *set = set.union(left.union(right));
        }
    }
    for stream in plan.streams.iter().filter(|stream| stream.read && !stream.is_plain()) {
        for (column, set) in before.iter_mut().enumerate().skip(stream.from) {
            if stream.mask.is_none_or(|mask| plan.masks[mask * len + column]) {
                *set = set.union(sets[stream.at(column)]);
            }
        }
    }
}

impl Stream {
    /// Sets side by side that all columns read.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.read && self.stride == 1 && self.from == 0 && self.mask.is_none()
    }

    #[inline(always)]
    fn at(&self, column: usize) -> usize {
        self.start.wrapping_add(self.stride * column)
    }
}

/// The chain of rows in which the last place leads to all smaller ones, R of them side by side; gives
/// the largest value.
#[inline(always)]
fn chain_plain<S: Set, const R: usize>(
    before: &[S],
    cells: &mut [u16],
    lane_cells: usize,
    at: usize,
    len: usize,
    given: usize,
) -> usize {
    let mut reached = [S::default(); R];
    let mut largest = 0;
    let mut lanes = cells.chunks_exact_mut(lane_cells);
    let rows: [&mut [u16]; R] =
        std::array::from_fn(|_| lanes.next().map_or(&mut [][..], |lane| &mut lane[at..at + len]));
    let before: [&[S]; R] = std::array::from_fn(|lane| &before[lane * len..][..len]);
    for (reached, row) in reached.iter_mut().zip(&rows) {
        row[..given].iter().for_each(|&value| reached.insert(value));
    }
    for column in given..len {
        for lane in 0..R {
            let value = before[lane][column].union(reached[lane]).mex();
            largest = largest.max(value);
            rows[lane][column] = value as u16;
            reached[lane].insert(value as u16);
        }
    }
    largest
}

/// The chain of any row.
#[inline(always)]
fn chain<S: Set>(
    plan: &Plan,
    before: &[S],
    rings: &mut [S],
    row: &mut [u16],
    given: usize,
    terminal: u16,
) -> usize {
    let len = row.len();
    rings.fill(S::default());
    let mut largest = 0;
    for column in 0..len {
        let mut options = before[column];
        let mut ring = 0;
        for near in &plan.near {
            let option = column.checked_sub(near.first).map(|at| row[at]);
            let open = near.mask.is_none_or(|mask| plan.masks[mask * len + column]);
            if near.step == 0 {
                if let Some(value) = option.filter(|_| open) {
                    options.insert(value);
                }
                continue;
            }
            let reached = &mut rings[ring + column % near.step];
            if let Some(value) = option {
                reached.insert(value);
            }
            if open {
                options = options.union(*reached);
            }
            ring += near.step;
        }
        if column >= given {
            let value = if options.is_empty() { usize::from(terminal) } else { options.mex() };
            largest = largest.max(value);
            row[column] = value as u16;
        }
    }
    largest
}

/// Puts the values of a row into the sets that hear of them.
#[inline(always)]
fn hand_on<S: Set>(plan: &Plan, sets: &mut [S], row: &[u16]) {
    for stream in plan.streams.iter().filter(|stream| stream.write) {
        if stream.carry {
            let mut left = S::default();
            for (column, &value) in row.iter().enumerate() {
                left.insert(value);
                let set = &mut sets[stream.at(column)];
                *set = set.union(left);
            }
        } else if stream.stride == 1 {
            for (set, &value) in sets[stream.start..stream.start + row.len()].iter_mut().zip(row) {
                set.insert(value);
            }
        } else {
            for (column, &value) in row.iter().enumerate() {
                sets[stream.at(column)].insert(value);
            }
        }
    }
}
