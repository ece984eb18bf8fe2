//! Fills multisets of a fixed number of heaps, in colexicographic order.
//!
//! A row fixes p₂ <= ... <= pₖ, which are all heaps but the smallest. Along the row, p₁ goes from 0
//! to p₂. Empty heaps count as heaps, so shorter positions are among the cells.
//!
//! Lowering some heaps by the same number changes neither the other heaps nor the differences
//! between the lowered heaps. Together these identify a line. Every move leads to an earlier
//! multiset. So when a cell is filled, the set of its line has exactly the values of the positions
//! below it on the line. For each choice of heaps, the cell reads one set and adds its own value to
//! that set. Equal heaps need no special case.
//!
//! ```text
//! line = number(other heaps) · D + number(differences)     D: a bound on number(differences)
//!
//! p₁ does not move   the next column is D lines further
//! p₁ moves           the next column is the next line: the largest difference falls by one
//! p₁ alone moves     the row is the line
//! ```
//!
//! A move leads to another cell of the same row only if it lowers p₁ alone. (For each s, count the
//! heaps of at least s. Lowering p₁ alone changes these counts by at most one, and only for s <=
//! p₁. Lowering two heaps changes a count for some s > p₁, or the count for s = p₁ by two.)
//!
//! Boxes (heaps lowered by any numbers) use prefix sets: the values of all positions whose moving
//! heaps are not larger. The set is the union of its neighbours: the sets with one of the moving
//! heaps lower by one. If p₁ moves, the union continues along the row. For the same other heaps,
//! the positions are visited by their largest moving heap. So the set replaces its neighbour in
//! which this heap is lower by one: there is one set for each list of the smaller moving heaps and
//! each list of the other heaps. If every moving heap must be lowered, the sets of two successive
//! largest heaps are kept, because the options are in the neighbour in which all are lower.

use grundy_rules::Multisets;

use super::bits::{Bits, OutcomeRows, bytes_in_order};
use super::row::{Join, Near, RowSteps, Stream, Values};
use super::walk::{Means, Walk, fill};
use super::{Guide, LimitError};
use crate::compiled::Compiler;

/// The options of one kind of move, for every choice of heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeapShape {
    /// Takes the same number from each heap of a choice. The field is the number of chosen heaps.
    Equal(usize),
    /// Takes any numbers from the heaps of a choice.
    Box {
        heaps: usize,
        /// True if each of these heaps must be lowered.
        all: bool,
    },
    /// Takes these numbers, each from a different heap.
    Point(Vec<usize>),
}

impl HeapShape {
    /// Returns the least number of coins that a move takes.
    pub fn least_taken(&self) -> usize {
        match self {
            HeapShape::Equal(heaps) | HeapShape::Box { heaps, all: true } => *heaps,
            HeapShape::Box { .. } => 1,
            HeapShape::Point(taken) => taken.iter().sum(),
        }
    }
}

/// Moves of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapMove {
    pub shape: HeapShape,
    /// The index of the guard for [`Guide::open`], if the moves have a condition.
    pub guard: Option<usize>,
}

#[derive(Clone, Debug)]
pub struct Heaps {
    /// For each number of heaps: all multisets. A heap of h coins is stored as a pile of h + 1.
    multisets: Vec<Multisets>,
    moves: Vec<HeapMove>,
    terminal: u16,
}

/// The indices of the heaps that a move changes, and those of the other heaps, in ascending order.
type Choice = (Vec<usize>, Vec<usize>);

struct HeapKind {
    shape: HeapShape,
    guard: Option<usize>,
    choices: Vec<Choice>,
    base: usize,
}

/// Returns the sets of `moved` of `all` heaps as bits, in ascending order.
fn chosen(moved: usize, all: usize) -> impl Iterator<Item = u64> {
    let first = (1..=all).contains(&moved).then(|| (1u64 << moved) - 1);
    // The lowest run of ones gives its top one to the next place, and the others go to the bottom.
    let next = |set: &u64| {
        let low = set & set.wrapping_neg();
        let carried = set + low;
        Some((((carried ^ set) >> 2) / low) | carried)
    };
    std::iter::successors(first, next).take_while(move |set| set >> all == 0)
}

impl Heaps {
    /// Returns all multisets of `heaps` heaps of at most `largest`; `None` if there are too many. A
    /// position without moves has the value `terminal`.
    ///
    /// # Panics
    /// If there is no heap, or a move takes nothing.
    pub fn new(largest: usize, heaps: usize, moves: &[HeapMove], terminal: u16) -> Option<Heaps> {
        assert!(heaps > 0);
        for made in moves {
            match &made.shape {
                HeapShape::Equal(heaps) | HeapShape::Box { heaps, .. } => assert!(*heaps > 0),
                HeapShape::Point(taken) => {
                    assert!(!taken.is_empty() && taken.iter().all(|&t| t > 0));
                }
            }
        }
        let piles = u32::try_from(largest + 1).ok()?;
        let multisets: Vec<Multisets> =
            (0..=heaps).map(|length| Multisets::new(piles, length)).collect::<Option<_>>()?;
        usize::try_from(multisets[heaps].count()).ok()?;
        Some(Heaps { multisets, moves: moves.to_vec(), terminal })
    }

    fn heaps(&self) -> usize {
        self.multisets.len() - 1
    }

    pub fn cells(&self) -> usize {
        self.count(self.heaps())
    }

    pub fn sets(&self) -> u64 {
        self.kinds().map_or(u64::MAX, |(_, sets)| sets as u64)
    }

    fn count(&self, heaps: usize) -> usize {
        self.multisets[heaps].count() as usize
    }

    fn size(&self) -> usize {
        self.multisets[0].max_pile() as usize
    }

    /// Returns the index of the cell of a multiset. The heaps are in ascending order.
    pub fn rank(&self, heaps: impl ExactSizeIterator<Item = usize>) -> usize {
        let multisets = &self.multisets[heaps.len()];
        heaps.enumerate().map(|(at, heap)| multisets.term(at, heap as u32 + 1) as usize).sum()
    }

    /// Returns the number of lines for each list of the heaps that do not move.
    fn lines(&self, moved: usize) -> Option<usize> {
        match moved {
            1 => Some(1),
            // The numbers of coins that the smaller heaps lack are a multiset, too.
            _ => self.count(moved - 2).checked_mul(self.size()),
        }
    }

    /// Returns the kinds of moves and the number of sets that they need, or `None` if there are too
    /// many sets.
    fn kinds(&self) -> Option<(Vec<HeapKind>, usize)> {
        let k = self.heaps();
        let mut sets = 0usize;
        let mut kinds = Vec::new();
        for HeapMove { shape, guard } in &self.moves {
            let shape = match shape {
                HeapShape::Box { heaps: 1, .. } => HeapShape::Equal(1),
                shape => shape.clone(),
            };
            let (moved, needed) = match &shape {
                HeapShape::Point(taken) => (taken.len(), Some(0)),
                HeapShape::Equal(moved) | HeapShape::Box { heaps: moved, .. } if *moved > k => {
                    (k + 1, Some(0))
                }
                &HeapShape::Equal(moved) => {
                    let lines = self.lines(moved);
                    (moved, lines.and_then(|lines| lines.checked_mul(self.count(k - moved))))
                }
                &HeapShape::Box { heaps, all } => {
                    let slice = self.count(heaps - 1).checked_mul(self.count(k - heaps));
                    (heaps, slice.and_then(|slice| slice.checked_mul(if all { 2 } else { 1 })))
                }
            };
            let choices = chosen(moved, k);
            let choices =
                choices.map(|chosen| (0..k).partition(|&at| chosen >> at & 1 == 1)).collect();
            kinds.push(HeapKind { shape, guard: *guard, choices, base: sets });
            sets = sets.checked_add(needed?)?;
        }
        Some((kinds, sets))
    }

    /// Fills the cells in colexicographic order. The sets take at most `memory` bytes. The guide
    /// receives all heaps of a row except the smallest.
    ///
    /// # Panics
    /// If `cells` has the wrong length.
    pub fn fill(
        &self,
        compiler: Compiler,
        memory: u64,
        guide: &dyn Guide,
        cells: &mut [u16],
    ) -> Result<(), LimitError> {
        assert_eq!(cells.len(), self.cells());
        let means = Means { compiler, memory, terminal: self.terminal, lanes: 1 };
        fill(&means, cells, |bytes| {
            let (kinds, sets) = self.kinds().ok_or(LimitError::Memory { needed: u64::MAX })?;
            let needed = (sets as u64).saturating_mul(bytes);
            match needed > memory {
                true => Err(LimitError::Memory { needed }),
                false => Ok(self.filling((kinds, sets), Box::new(guide))),
            }
        })
    }
}

impl Heaps {
    /// Returns the outcomes of the cells: 0 in a P-position, 1 in an N-position.
    ///
    /// # Panics
    /// If a position without moves is an N-position.
    pub fn outcomes(&self, memory: u64, guide: &dyn Guide) -> Result<Bits, LimitError> {
        assert_eq!(self.terminal, 0, "a position without moves is a P-position");
        let (kinds, sets) = self.kinds().unwrap_or((Vec::new(), usize::MAX));
        let needed = (sets as u64).div_ceil(8);
        if needed > memory || sets == usize::MAX {
            return Err(LimitError::Memory { needed });
        }
        let filling = self.filling((kinds, sets), Box::new(guide));
        OutcomeRows::new(Box::new(filling), 0).all(self.cells())
    }

    /// Fills the outcomes, one row after another in the order of the cells. `None` if there are too
    /// many sets.
    ///
    /// # Panics
    /// If a position without moves is an N-position.
    pub fn outcome_rows<'a>(&'a self, guide: Box<dyn Guide + 'a>) -> Option<OutcomeRows<'a>> {
        assert_eq!(self.terminal, 0, "a position without moves is a P-position");
        let filling = self.filling(self.kinds()?, guide);
        Some(OutcomeRows::new(Box::new(filling), 0))
    }

    /// Returns the bytes of memory that [`Heaps::outcome_rows`] takes.
    pub fn bytes_in_order(&self) -> u64 {
        let (Some((_, sets)), size) = (self.kinds(), self.size()) else { return u64::MAX };
        // The cells whose largest heap is at most `most_taken` smaller than the largest of all.
        let kept = match self.most_taken() {
            Some(most) => self.cells() - self.first_with((size - 1).saturating_sub(most)),
            None => 0,
        };
        bytes_in_order(sets, kept, size)
    }

    /// Returns the largest number that a move takes from one heap, of the moves that read cells.
    fn most_taken(&self) -> Option<usize> {
        let taken = self.moves.iter().filter_map(|made| match &made.shape {
            HeapShape::Point(taken) => taken.iter().max().copied(),
            _ => None,
        });
        taken.max()
    }

    /// Returns the number of the first cell with this largest heap.
    fn first_with(&self, largest: usize) -> usize {
        self.multisets[self.heaps()].term(self.heaps() - 1, largest as u32 + 1) as usize
    }

    fn filling<'a>(
        &'a self,
        (kinds, sets): (Vec<HeapKind>, usize),
        guide: Box<dyn Guide + 'a>,
    ) -> Filling<'a> {
        let rows = RowCursor { p: vec![0; self.heaps()], at: 0, size: self.size() };
        let most_taken = self.most_taken();
        Filling { heaps: self, kinds, sets, most_taken, guide, rows, piles: Vec::new() }
    }
}

/// The current row: the heaps of its first cell, in ascending order, and the number of that cell.
struct RowCursor {
    p: Vec<usize>,
    at: usize,
    /// The largest heap plus one.
    size: usize,
}

impl RowCursor {
    fn len(&self) -> usize {
        self.p.get(1).map_or(self.size, |next| next + 1)
    }

    fn step(&mut self) -> bool {
        self.at += self.len();
        let p = &mut self.p;
        for at in 1..p.len() {
            let room = p.get(at + 1).copied().unwrap_or(self.size - 1);
            if p[at] < room {
                p[at] += 1;
                p[..at].fill(0);
                return true;
            }
        }
        false
    }
}

struct Filling<'a> {
    heaps: &'a Heaps,
    kinds: Vec<HeapKind>,
    sets: usize,
    most_taken: Option<usize>,
    guide: Box<dyn Guide + 'a>,
    rows: RowCursor,
    /// All heaps except the smallest, in the type that the guide expects.
    piles: Vec<u32>,
}

impl Walk for Filling<'_> {
    fn sets(&self) -> usize {
        self.sets
    }

    fn row(&mut self) -> (usize, usize) {
        self.piles.clear();
        self.piles.extend(self.rows.p[1..].iter().map(|&heap| heap as u32));
        (self.rows.at, self.rows.len())
    }

    fn plan(&self, plan: &mut RowSteps, _: bool) {
        for kind in &self.kinds {
            let mask = self.mask(kind.guard, plan);
            for (moved, rest) in &kind.choices {
                match &kind.shape {
                    HeapShape::Equal(_) => self.equal(kind.base, moved, rest, mask, plan),
                    HeapShape::Box { all, .. } => {
                        self.hull(kind.base, *all, moved, rest, mask, plan);
                    }
                    HeapShape::Point(taken) => {
                        if let Some(mask) = mask {
                            self.point(taken, moved, mask, plan);
                        }
                    }
                }
            }
        }
    }

    fn kept(&self) -> usize {
        let largest = self.rows.p.last().copied().unwrap_or(0);
        self.most_taken
            .map_or(self.rows.at, |most| self.heaps.first_with(largest.saturating_sub(most)))
    }

    fn outer(&self) -> &[u32] {
        &self.piles
    }

    fn goes_on(&self, cells: u64) -> bool {
        self.guide.goes_on(cells)
    }

    fn step(&mut self) -> bool {
        self.rows.step()
    }
}

impl Filling<'_> {
    /// Returns `None` if no column satisfies the guard, and `Some(None)` if all do. Otherwise
    /// returns the number of the mask of these columns.
    fn mask(&self, guard: Option<usize>, plan: &mut RowSteps) -> Option<Option<usize>> {
        let Some(guard) = guard else { return Some(None) };
        plan.mask(self.rows.len(), |columns| self.guide.open(guard, &self.piles, columns))
    }

    /// Adds to the plan the moves that take the same number from each heap in `moved`.
    fn equal(
        &self,
        base: usize,
        moved: &[usize],
        rest: &[usize],
        mask: Option<Option<usize>>,
        plan: &mut RowSteps,
    ) {
        let (p, size) = (&self.rows.p, self.rows.size);
        let (lines, differences) = match moved {
            [first, inner @ .., largest] => {
                let lacks = |at: &usize| p[*largest] - p[*at];
                let inner = self.heaps.rank(inner.iter().rev().map(lacks));
                (self.heaps.lines(moved.len()), inner * size + size - 1 - lacks(first))
            }
            _ => (Some(1), 0),
        };
        let lines = lines.unwrap_or(0);
        // The line of column 0. Along the row, p₁ changes the rank or a difference.
        let start = base + self.heaps.rank(rest.iter().map(|&at| p[at])) * lines + differences;
        let stride = match moved {
            [0] => 0,
            [0, ..] => 1,
            _ => lines,
        };
        let alone = moved == [0];
        let read = mask.is_some() && !alone;
        plan.streams.push(Stream { start, stride, read, mask: mask.flatten(), ..Stream::new() });
        if alone && let Some(mask) = mask {
            plan.near.push(Near { first: 1, step: 1, mask });
        }
    }

    /// Adds to the plan the moves that take any numbers from the heaps in `moved`.
    fn hull(
        &self,
        base: usize,
        all: bool,
        moved: &[usize],
        rest: &[usize],
        mask: Option<Option<usize>>,
        plan: &mut RowSteps,
    ) {
        let (p, heaps) = (&self.rows.p, self.heaps);
        let others = heaps.count(rest.len());
        let carry = moved[0] == 0;
        let stride = if carry { others } else { 1 };
        let rest = heaps.rank(rest.iter().map(|&at| p[at]));
        let value = |at: usize| p[moved[at]];
        let smaller = moved.len() - 1;
        let largest = value(smaller);
        let values = heaps.rank(moved[..smaller].iter().map(|&at| p[at]));
        let [start, before] = [largest % 2, (largest + 1) % 2].map(|slice| {
            let slice = if all { slice * heaps.count(smaller) } else { 0 };
            base + (slice + values) * others + rest
        });
        let terms = &heaps.multisets[smaller];
        // The distance to the sets of the row in which one heap is lower by one.
        let behind = |at: usize| {
            let [below, here] = [value(at), value(at) + 1].map(|h| terms.term(at, h as u32));
            (here - below) as usize * others
        };
        let first = usize::from(carry);
        for at in first..smaller {
            // Of several equal heaps, only the first can be lowered without changing the order.
            if value(at) == 0 || at > first && value(at - 1) == value(at) {
                continue;
            }
            // For larger p₁, the set that the previous column carries over is enough.
            let columns = if carry {
                self.rows.len().min(value(first) + usize::from(at > first))
            } else {
                self.rows.len()
            };
            plan.joins.push(Join { to: start, from: start - behind(at), stride, columns });
        }
        if all && largest > 0 {
            plan.joins.push(Join { to: start, from: before, stride, columns: self.rows.len() });
        }
        let mask_row = mask.flatten();
        let read = mask.is_some() && !all;
        plan.streams.push(Stream { start, stride, read, carry, mask: mask_row, ..Stream::new() });
        if mask.is_none() {
            return;
        }
        if !all {
            if carry {
                plan.near.push(Near { first: 1, step: 1, mask: mask_row });
            }
        } else if (first..moved.len()).all(|at| value(at) > 0) {
            let below = before - (first..smaller).map(behind).sum::<usize>();
            let start = below.wrapping_sub(stride * first);
            let (read, write) = (true, false);
            plan.streams.push(Stream {
                start,
                stride,
                from: first,
                read,
                write,
                mask: mask_row,
                ..Stream::new()
            });
        }
    }

    /// Adds to the plan the moves that take `taken` from the heaps in `moved`, in any order.
    fn point(&self, taken: &[usize], moved: &[usize], mask: Option<usize>, plan: &mut RowSteps) {
        let p = &self.rows.p;
        if let ([0], &[taken]) = (moved, taken) {
            plan.near.push(Near { first: taken, step: 0, mask });
            return;
        }
        let mut taken = taken.to_vec();
        taken.sort_unstable();
        loop {
            let mut option = p.clone();
            option[0] = usize::MAX;
            let mut shift = 0;
            let fits = moved.iter().zip(&taken).all(|(&at, &taken)| {
                if at == 0 {
                    shift = taken;
                    return true;
                }
                let left = option[at].checked_sub(taken);
                option[at] = left.unwrap_or(0);
                left.is_some()
            });
            if fits {
                self.options(option, shift, mask, plan);
            }
            if !next_order(&mut taken) {
                return;
            }
        }
    }

    /// Adds the options with the heaps p₁ - `shift` and `option[1..]`.
    fn options(
        &self,
        mut option: Vec<usize>,
        shift: usize,
        mask: Option<usize>,
        plan: &mut RowSteps,
    ) {
        let (p, len) = (&self.rows.p, self.rows.len());
        option[1..].sort_unstable();
        // While p₁ - `shift` is the smallest heap, the options form a row.
        let end = option.get(1).map_or(len, |next| len.min(next + 1 + shift));
        option[0] = 0;
        let cells = self.heaps.rank(option.iter().copied());
        plan.values.push(Values { cells, shift, end, sets: None, mask });
        let moved = option[1..].to_vec();
        for column in end..len {
            option[0] = column - shift;
            option[1..].copy_from_slice(&moved);
            option.sort_unstable();
            // Skip options in the row itself: they come from lowering p₁ alone.
            let is_here = option[1..] == p[1..];
            let open = mask.is_none_or(|mask| plan.masks[mask * len + column]);
            if open && !is_here {
                plan.singles.push((column, self.heaps.rank(option.iter().copied())));
            }
        }
    }
}

/// Rearranges numbers into their next permutation; returns false after the last one.
fn next_order(numbers: &mut [usize]) -> bool {
    let Some(at) = numbers.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    if let Some(other) = numbers.iter().rposition(|&number| number > numbers[at]) {
        numbers.swap(at, other);
    }
    numbers[at + 1..].reverse();
    true
}
