//! Fills one row of cells, for moves of any shape.
//!
//! A filler goes through its table row by row; the last place varies along a row. For each row, it
//! writes a [`RowSteps`], which lists the rows of sets to read and the rows of sets to write.
//! Filling the row takes three steps. Each is a loop or two that the compiler vectorises:
//!
//! ```text
//! before   for each column, the union of the sets that earlier rows left for it
//! chain    column by column, the mex of this union and of the options further left in the row
//! after    each value is added to the sets of the lines through its cell
//! ```
//!
//! Only the chain is sequential, since each cell waits for the cell before it. So four tiles of one
//! shape go through the chain side by side, in *lanes* that do not wait for each other.

use super::Open;
use super::set::Set;
use crate::Compiled;

/// A row of sets, which is read before a row of cells is filled, and then takes the new values.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stream {
    /// The index of the set of column 0, and the distance from one set to the next.
    pub(super) start: usize,
    pub(super) stride: usize,
    /// The first column that has a set.
    pub(super) from: usize,
    pub(super) read: bool,
    pub(super) write: bool,
    /// True if the set of a column includes the sets of the columns to its left.
    pub(super) carry: bool,
    /// The columns that may read the sets, as a row of [`RowSteps::masks`].
    pub(super) mask: Option<usize>,
    /// The distance to the row of sets for the next row of cells: see [`RowSteps::again`].
    pub(super) next: usize,
}

/// A row of cells. The cells are options, or their values are added to sets. A column c < `end`
/// takes the value of the cell with index `cells + c - shift`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Values {
    pub(super) cells: usize,
    pub(super) shift: usize,
    pub(super) end: usize,
    /// The row of sets that takes the values; `None` if the cells are options.
    pub(super) sets: Option<usize>,
    pub(super) mask: Option<usize>,
}

/// Options in the same row, `first`, `first + step`, ... columns to the left (only `first` if
/// `step` is 0).
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    pub(super) first: usize,
    pub(super) step: usize,
    pub(super) mask: Option<usize>,
}

/// Adds the first `columns` sets of row `from` to the sets of row `to`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Join {
    pub(super) to: usize,
    pub(super) from: usize,
    /// The distance from one set to the next, in both rows.
    pub(super) stride: usize,
    pub(super) columns: usize,
}

#[derive(Debug, Default)]
pub(super) struct RowSteps {
    /// The sets to clear, because their lines begin in this row: the first index, and the count.
    pub(super) clear: Vec<(usize, usize)>,
    pub(super) joins: Vec<Join>,
    pub(super) values: Vec<Values>,
    /// Single options: the column, and the index of the option's cell.
    pub(super) singles: Vec<(usize, usize)>,
    pub(super) streams: Vec<Stream>,
    pub(super) near: Vec<Near>,
    /// Rows of masks, one after another.
    pub(super) masks: Vec<bool>,
    /// The number of further rows that have the same steps. In the next row, each stream moves by
    /// [`Stream::next`], and the cells of single options move by the length of a row.
    pub(super) again: usize,
    is_given: bool,
}

impl Stream {
    /// Returns adjacent sets, one for each column, which are written but not read.
    pub(super) fn new() -> Stream {
        Stream { stride: 1, write: true, ..Stream::default() }
    }
}

impl RowSteps {
    /// Returns `None` if no column satisfies the guard, and `Some(None)` if all do. Otherwise
    /// returns the row in `masks` with the columns that `open` marked.
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

    /// Returns the starts of two rows of adjacent sets, if they contain all options in earlier
    /// rows, and only they take the values of the row.
    fn two_rows(&self) -> Option<[usize; 2]> {
        let [first, second] = &self.streams[..] else { return None };
        let is_both = |stream: &Stream| stream.is_plain() && stream.write && !stream.carry;
        let reads = |values: &Values| values.sets.is_none() && values.shift < values.end;
        let others = !self.singles.is_empty() || self.values.iter().any(reads);
        (is_both(first) && is_both(second) && !others).then_some([first.start, second.start])
    }

    /// Replaces the steps by those of the next row, which `write` adds. For some rows, the steps of
    /// the previous row are shifted instead.
    pub(super) fn plan(&mut self, len: usize, is_given: bool, write: impl FnOnce(&mut Self, bool)) {
        if self.again > 0 && self.is_given == is_given {
            self.again -= 1;
            self.streams.iter_mut().for_each(|s| s.start = s.start.wrapping_add(s.next));
            self.values.iter_mut().for_each(|values| values.cells += len);
            return;
        }
        self.again = 0;
        self.is_given = is_given;
        self.clear.clear();
        self.joins.clear();
        self.values.clear();
        self.singles.clear();
        self.streams.clear();
        self.near.clear();
        self.masks.clear();
        write(self, is_given);
    }
}

/// A row to fill, in each lane. `sets` and `cells` contain one lane after another.
pub(super) struct Row<'a, S> {
    pub(super) plan: &'a RowSteps,
    pub(super) lanes: usize,
    pub(super) sets: &'a mut [S],
    pub(super) scratch: &'a mut Vec<S>,
    pub(super) cells: &'a mut [u16],
    /// The first cell of the row, the number of columns, and the number of given values.
    pub(super) at: usize,
    pub(super) len: usize,
    pub(super) given: usize,
    /// The value of a cell without options.
    pub(super) terminal: u16,
}

/// An error: a value does not fit the sets. The row is unchanged and can be filled again.
#[derive(Debug)]
pub(super) struct Full;

/// The number of tiles that are filled side by side.
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
        let plain =
            terminal == 0 && matches!(plan.near[..], [Near { first: 1, step: 1, mask: None }]);
        let by_words = if plain && S::IS_WIDE && lanes == 1 { plan.two_rows() } else { None };
        for lane in 0..lanes {
            let sets = &mut sets[lane * lane_sets..][..lane_sets];
            let before = &mut before[lane * len..][..len];
            let given = if by_words.is_some() { len } else { given };
            gather(plan, sets, &cells[lane * lane_cells..][..lane_cells], before, given);
        }
        if given < len {
            let most = if plain && lanes == LANES {
                chain_plain::<S, LANES>(before, cells, lane_cells, at, len, given)
            } else {
                // A closure would be compiled without the instruction set of the caller.
                let mut most = 0;
                for lane in 0..lanes {
                    let before = &before[lane * len..][..len];
                    let cells = &mut cells[lane * lane_cells + at..][..len];
                    let here = if let Some(rows) = by_words {
                        let sets = &mut sets[lane * lane_sets..][..lane_sets];
                        chain_words(sets, rows, cells, given)
                    } else if plain {
                        chain_plain::<S, 1>(before, cells, len, 0, len, given)
                    } else {
                        chain(plan, before, rings, cells, given, terminal)
                    };
                    most = here.max(most);
                }
                most
            };
            if most >= S::BITS {
                return Err(Full);
            }
        }
        let written = if by_words.is_some() { given } else { len };
        for lane in 0..lanes {
            let sets = &mut sets[lane * lane_sets..][..lane_sets];
            hand_on(plan, sets, &cells[lane * lane_cells + at..][..written]);
        }
        Ok(())
    }
}

/// Collects the values of each column's options in earlier rows.
#[inline(always)]
fn gather<S: Set>(plan: &RowSteps, sets: &mut [S], cells: &[u16], before: &mut [S], given: usize) {
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
    // Read four rows of sets at a time, so that their union is stored only once.
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
    /// True if the sets are adjacent and all columns read them.
    #[inline(always)]
    pub(super) fn is_plain(&self) -> bool {
        self.read && self.stride == 1 && self.from == 0 && self.mask.is_none()
    }

    #[inline(always)]
    pub(super) fn at(&self, column: usize) -> usize {
        self.start.wrapping_add(self.stride * column)
    }
}

/// Fills R rows in which all cells to the left are options. Returns the largest value.
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
            reached[lane] = reached[lane].with(value as u16);
        }
    }
    largest
}

/// Fills a row in which all cells to the left are options, and all other options are in two rows of
/// sets. Returns the largest value. Reads a set only up to the word that has the least missing
/// number, and adds the value there. If a value does not fit, the sets stay as they were.
#[inline(always)]
fn chain_words<S: Set>(sets: &mut [S], rows: [usize; 2], row: &mut [u16], given: usize) -> usize {
    let len = row.len();
    let Ok([above, beside]) = sets.get_disjoint_mut(rows.map(|start| start..start + len)) else {
        unreachable!("each ray has its own sets")
    };
    let mut reached = S::default();
    row[..given].iter().for_each(|&value| reached.insert(value));
    let (mut full, mut largest) = (0, 0);
    for column in given..len {
        let (first, second) = (&mut above[column], &mut beside[column]);
        let mut at = full;
        let value = loop {
            let word = first.word(at) | second.word(at) | reached.word(at);
            if word != u64::MAX {
                break 64 * at + word.trailing_ones() as usize;
            }
            at += 1;
            if 64 * at == S::BITS {
                break S::BITS;
            }
        };
        if value == S::BITS {
            // None of these sets had the value before.
            for column in given..column {
                above[column].remove(row[column]);
                beside[column].remove(row[column]);
            }
            return value;
        }
        largest = largest.max(value);
        row[column] = value as u16;
        first.insert(value as u16);
        second.insert(value as u16);
        reached.insert(value as u16);
        while 64 * (full + 1) < S::BITS && reached.word(full) == u64::MAX {
            full += 1;
        }
    }
    largest
}

/// Fills the columns of any row, one after another. Returns the largest value.
#[inline(always)]
fn chain<S: Set>(
    plan: &RowSteps,
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

/// Adds the values of a row to the sets that take them.
#[inline(always)]
fn hand_on<S: Set>(plan: &RowSteps, sets: &mut [S], row: &[u16]) {
    let adjacent = |is_adjacent: bool| {
        let streams = plan.streams.iter().filter(|stream| stream.write);
        streams.filter(move |stream| (stream.stride == 1 && !stream.carry) == is_adjacent)
    };
    for stream in adjacent(false) {
        let mut left = S::default();
        for (column, &value) in row.iter().enumerate() {
            let set = &mut sets[stream.at(column)];
            set.insert(value);
            if stream.carry {
                left = left.with(value);
                *set = set.union(left);
            }
        }
    }
    // Write three rows of sets at a time, so that the word and the bit of a value are found once.
    let mut rows = adjacent(true).map(|stream| stream.start..stream.start + row.len());
    while let Some(first) = rows.next() {
        let [second, third] = std::array::from_fn(|_| rows.next().unwrap_or(0..0));
        let parts = [first.clone(), second.clone(), third.clone()];
        if let (false, Ok([first, second, third])) =
            (third.is_empty(), sets.get_disjoint_mut(parts))
        {
            let rows = first.iter_mut().zip(second).zip(third);
            for (((first, second), third), &value) in rows.zip(row) {
                first.insert(value);
                second.insert(value);
                third.insert(value);
            }
            continue;
        }
        for range in [first, second, third] {
            sets[range].iter_mut().zip(row).for_each(|(set, &value)| set.insert(value));
        }
    }
}
