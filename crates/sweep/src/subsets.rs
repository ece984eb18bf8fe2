//! Fills tables of one-pile long global nim, for all sets of moves, on all threads; counts values.

use grundy_kernels::cells::cell_values;
use grundy_kernels::subsets::{Block, PileTooLarge, SubsetTables};
use grundy_rules::index::SETS_PER_CELL;
use grundy_rules::{Pile, SetRows};
use rayon::prelude::*;

use crate::{Control, Stopped, fold_units};

/// The minimum number of blocks of 512 sets that a thread fills at a time (in about 0.1 ms).
const PIECE: usize = 1 << 12;

/// The base-2 logarithms of the numbers of sets in a block and in a cell of a table.
const LOG_BLOCK: u32 = 9;
const LOG_CELL: u32 = SETS_PER_CELL.ilog2();

/// Fills all levels up to `max_pile`, in the caller's rayon pool.
///
/// # Errors
/// [`Stopped`] if the control requests a stop; completed levels stay.
///
/// # Panics
/// If `max_pile` is above the limit of the tables.
pub fn extend(tables: &mut SubsetTables, max_pile: Pile, control: &Control) -> Result<(), Stopped> {
    while tables.max_pile() < max_pile {
        let mut level = match tables.next_level() {
            Ok(level) => level,
            Err(PileTooLarge(pile)) => panic!("no table of all sets of a pile of {pile}"),
        };
        let n = level.n();
        let piece = PIECE.max(SubsetTables::grain(n)).min(level.blocks().len());
        level.blocks_mut().par_chunks_mut(piece).enumerate().for_each(|(at, blocks)| {
            if !control.is_stopped() {
                tables.fill(n, at * piece, blocks);
            }
        });
        if control.is_stopped() {
            return Err(Stopped);
        }
        tables.push(level);
    }
    Ok(())
}

/// The frequency of each value, for each largest pile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetCounts {
    /// The number of positions with largest pile n and value v, for each n and v.
    pub piles: Vec<Vec<u64>>,
    /// The largest value, and the number of its first position (see `grundy_rules::set_rows`).
    pub maximum: (u8, u64),
}

impl SetCounts {
    pub fn total(&self) -> Vec<u64> {
        let mut total: Vec<u64> = Vec::new();
        for counts in &self.piles {
            total.resize(total.len().max(counts.len()), 0);
            total.iter_mut().zip(counts).for_each(|(total, count)| {
                *total += *count;
            });
        }
        total
    }

    /// Counts the values in cells of a table of one pile, from the cell `first` on.
    pub fn take_cells(&mut self, max_pile: Pile, first: u64, cells: &[u32]) {
        for (number, &cell) in (first..).zip(cells) {
            let number = number * SETS_PER_CELL;
            if number == 0 {
                let values = cell_values(cell);
                // The first cell contains the sets of the piles 0 to 3. Number 0 is unused, and 1
                // is the empty position. The cell may extend beyond the last pile.
                let sets = (2..2u64 << max_pile).zip(&values[2..]);
                sets.for_each(|(number, &value)| self.count(ilog2(number), value, 1, number));
                continue;
            }
            let pile = ilog2(number) as usize;
            if self.piles.len() <= pile {
                self.piles.resize(pile + 1, Vec::new());
            }
            let mut counts = cell_counts(cell);
            let largest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
            let here = &mut self.piles[pile];
            here.resize(here.len().max(largest + 1), 0);
            here.iter_mut().zip(&mut counts).for_each(|(sum, count)| *sum += u64::from(*count));
            if largest > usize::from(self.maximum.0) {
                let values = cell_values(cell);
                let first = (number..).zip(values).find(|&(_, v)| usize::from(v) == largest);
                self.maximum = first.map_or(self.maximum, |(number, value)| (value, number));
            }
        }
    }

    pub fn merge(&mut self, other: SetCounts) {
        self.piles.resize(self.piles.len().max(other.piles.len()), Vec::new());
        for (sums, counts) in self.piles.iter_mut().zip(other.piles) {
            sums.resize(sums.len().max(counts.len()), 0);
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let (value, number) = self.maximum;
        let (more, earlier) = other.maximum;
        if more > value || more == value && earlier < number {
            self.maximum = other.maximum;
        }
    }

    fn count(&mut self, pile: Pile, value: u8, positions: u64, number: u64) {
        let pile = pile as usize;
        if self.piles.len() <= pile {
            self.piles.resize(pile + 1, Vec::new());
        }
        let counts = &mut self.piles[pile];
        if counts.len() <= usize::from(value) {
            counts.resize(usize::from(value) + 1, 0);
        }
        counts[usize::from(value)] += positions;
        if value > self.maximum.0 {
            self.maximum = (value, number);
        }
    }
}

/// Counts how often each value occurs in a cell of eight pairs of sets. The two sets of a pair
/// differ by one move. Bytes 0, 1 and 2 contain the bits of the values with this move. A bit of
/// byte 3 is set if the value without the move is the same, and clear if it is 0 (see
/// `grundy_kernels::cells`). Counts common bits, and subtracts the counts of values with more bits.
fn cell_counts(cell: u32) -> [u32; 8] {
    let [p0, p1, p2, same] = cell.to_le_bytes().map(u32::from);
    let count = |bits: u32| (bits | (bits & same) << 8).count_ones();
    let mut counts = [
        SETS_PER_CELL as u32,
        count(p0),
        count(p1),
        count(p0 & p1),
        count(p2),
        count(p0 & p2),
        count(p1 & p2),
        count(p0 & p1 & p2),
    ];
    for bit in [1, 2, 4] {
        for value in (0..8).filter(|value| value & bit == 0) {
            counts[value] -= counts[value | bit];
        }
    }
    counts
}

fn ilog2(number: u64) -> Pile {
    number.ilog2()
}

/// Counts positions of several piles in the order of a table.
#[derive(Clone, Debug)]
pub struct SetRowCounts<'a> {
    rows: &'a SetRows,
    /// The piles of the current row, the end of that row, and the number of the next position.
    piles: Vec<Pile>,
    end: u64,
    next: u64,
    counts: SetCounts,
}

impl<'a> SetRowCounts<'a> {
    /// Returns empty counts. The next position is the first one.
    pub fn new(rows: &'a SetRows) -> SetRowCounts<'a> {
        let piles = vec![1; rows.multisets().length()];
        SetRowCounts { rows, piles, end: 2, next: 0, counts: SetCounts::default() }
    }

    pub fn take(&mut self, value: u8) {
        if self.next == self.end {
            self.rows.multisets().step(&mut self.piles);
            self.end += self.rows.row(&self.piles).1;
        }
        // A multiset in a table has at least one pile.
        let largest = self.piles[self.piles.len() - 1];
        self.counts.count(largest, value, 1, self.next);
        self.next += 1;
    }

    pub fn finish(self) -> SetCounts {
        self.counts
    }
}

/// Counts the sets of single piles up to `max_pile`, on all threads of the caller's rayon pool.
/// Pieces of a level are counted while the level is filled. The last level is never in memory as a
/// whole.
///
/// # Panics
/// If `max_pile` is above the limit of the tables.
pub fn count_sets(
    tables: &mut SubsetTables,
    max_pile: Pile,
    control: &Control,
) -> Result<SetCounts, Stopped> {
    extend(tables, max_pile.saturating_sub(1), control)?;
    let mut counts = SetCounts { piles: vec![Vec::new()], maximum: (0, 0) };
    for n in 1..=max_pile {
        let all = 1usize << n.saturating_sub(LOG_BLOCK);
        let piece = PIECE.max(SubsetTables::grain(n)).min(all);
        let pieces = 0..(all / piece) as u64;
        let known = counts.maximum.0;
        let count = |filled: &mut Vec<Block>, part: &mut PieceCounts, number| {
            let first = number as usize * piece;
            let blocks = if n <= tables.max_pile() {
                &tables.level(n)[first..first + piece]
            } else {
                filled.resize(piece, Block::default());
                tables.fill(n, first, filled);
                filled
            };
            count_piece(tables, n, first, blocks, part);
            (piece as u64) << LOG_BLOCK >> LOG_CELL
        };
        let start = || ([0u64; 8], (known, u64::MAX));
        // Keep the first set with the largest value. A part without a new maximum has no first set.
        let merge = |(a, x): PieceCounts, (b, y): PieceCounts| {
            let first = if y.0 > x.0 || y.0 == x.0 && y.1 < x.1 { y } else { x };
            (std::array::from_fn(|value| a[value] + b[value]), first)
        };
        let swept = fold_units(pieces, control, Vec::new, start, count, merge);
        if !swept.complete {
            return Err(Stopped);
        }
        let (values, largest) = swept.acc;
        if largest.0 > known {
            counts.maximum = largest;
        }
        let most = values.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.piles.push(values[..=most].to_vec());
    }
    Ok(counts)
}

/// The number of sets with each value, the largest value, and the number of its first set.
type PieceCounts = ([u64; 8], (u8, u64));

/// Counts blocks of level n, and updates the largest value and the number of its first set.
fn count_piece(
    tables: &SubsetTables,
    n: Pile,
    first: usize,
    blocks: &[Block],
    (counts, (most, place)): &mut PieceCounts,
) {
    let mut here = [0; 8];
    tables.count(n, blocks, &mut here);
    counts.iter_mut().zip(here).for_each(|(sum, count)| *sum += count);
    let largest = here.iter().rposition(|&count| count > 0).unwrap_or(0) as u8;
    // A thread gets its pieces in order, so only the first set with a larger value matters.
    if largest > *most
        && let Some(within) = SubsetTables::first_place(blocks, largest)
    {
        *most = largest;
        *place = (1 << n) + ((first as u64) << LOG_BLOCK) + within;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_kernels::Isa;

    #[test]
    fn counts_are_those_of_the_levels() {
        let mut tables = SubsetTables::new(Isa::best());
        extend(&mut tables, 20, &Control::new()).unwrap();
        for max in [1, 2, 3, 5, 13, 20] {
            let mut below = SubsetTables::new(Isa::best());
            let counts = count_sets(&mut below, max, &Control::new()).unwrap();
            assert_eq!(counts.piles.len() as u32, max + 1);
            for (n, counts) in (0..).zip(&counts.piles).skip(1) {
                let mut expected = vec![0; counts.len()];
                (0..1u64 << n).for_each(|set| expected[usize::from(tables.value(n, set))] += 1);
                assert_eq!(*counts, expected, "{n} of {max}");
            }
            assert_eq!(counts.total().iter().sum::<u64>(), (2 << max) - 2);
            // Counting the cells in order gives the same counts and the same first position.
            let mut cells = vec![0; 4 * (2usize << max).div_ceil(16)];
            tables.pack_cells(0, &mut cells, &mut Vec::new());
            let cells: Vec<u32> =
                cells.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell)).collect();
            let mut by_cells = SetCounts::default();
            by_cells.take_cells(max, 0, &cells);
            assert_eq!((counts.total(), counts.maximum), (by_cells.total(), by_cells.maximum));
        }
    }
}
