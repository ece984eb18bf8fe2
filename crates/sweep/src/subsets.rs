//! Every set of moves of long global nim: the sets of one pile on all threads, and counts.

use grundy_kernels::cells::cell_values;
use grundy_kernels::subsets::{Block, PileTooLarge, SetRowValues, SubsetTables};
use grundy_rules::index::SETS_PER_CELL;
use grundy_rules::set_rows::set_of_index;
use grundy_rules::{Pile, SetRows};
use rayon::prelude::*;

use crate::{Control, Stopped};

/// Blocks of 512 sets that a thread fills at a time, at least: a tenth of a millisecond.
const PIECE: usize = 1 << 12;

/// Fills all levels up to `max_pile`, in the rayon pool of the caller.
///
/// # Errors
/// [`Stopped`] if the control says so; the levels that are there stay.
///
/// # Panics
/// If `max_pile` is above what the tables hold.
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

/// How often each value occurs, by largest pile.
#[derive(Clone, Debug, Default)]
pub struct SetCounts {
    /// Of each pile n = 0, 1, ... the number of positions with value 0, 1, ... whose largest
    /// pile it is.
    pub piles: Vec<Vec<u64>>,
    /// The largest value, and the first number with it (see `grundy_rules::set_rows`).
    pub maximum: (u8, u64),
}

impl SetCounts {
    /// Of all piles together.
    pub fn total(&self) -> Vec<u64> {
        let mut total = Vec::new();
        for counts in &self.piles {
            total.resize(total.len().max(counts.len()), 0);
            total.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
        }
        total
    }

    /// Takes up cells of a table of one pile up to `max_pile`, of which `first` is the number of
    /// the first one.
    pub fn take_cells(&mut self, max_pile: Pile, first: u64, cells: &[u32]) {
        for (number, &cell) in (first..).zip(cells) {
            let number = number * SETS_PER_CELL;
            let values = cell_values(cell);
            if number == 0 {
                // Sets of several piles; 0 is no set, and 1 that of no coins.
                // Behind the last pile there may be nothing.
                let sets = (2..2u64 << max_pile).zip(&values[2..]);
                sets.for_each(|(number, &value)| self.count(ilog2(number), value, 1, number));
                continue;
            }
            let pile = ilog2(number);
            // Neighbours agree more often than not.
            if values.iter().all(|&value| value == values[0]) {
                self.count(pile, values[0], SETS_PER_CELL, number);
                continue;
            }
            (number..).zip(values).for_each(|(number, value)| self.count(pile, value, 1, number));
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

fn ilog2(number: u64) -> Pile {
    number.ilog2()
}

/// Counts positions of several piles, which are taken up in order.
#[derive(Clone, Debug)]
pub struct SetRowCounts<'a> {
    rows: &'a SetRows,
    /// The piles whose row is next or has begun, the row's end, and the next number.
    piles: Vec<Pile>,
    end: u64,
    next: u64,
    counts: SetCounts,
}

impl<'a> SetRowCounts<'a> {
    /// No position taken up yet.
    pub fn new(rows: &'a SetRows) -> SetRowCounts<'a> {
        let piles = vec![1; rows.multisets().length()];
        SetRowCounts { rows, piles, end: 2, next: 0, counts: SetCounts::default() }
    }

    /// Takes up the values of the next positions.
    pub fn take(&mut self, values: impl IntoIterator<Item = u8>) {
        for value in values {
            if self.next == self.end {
                self.rows.multisets().step(&mut self.piles);
                self.end += self.rows.row(&self.piles).1;
            }
            // A multiset of a table has at least one pile.
            let largest = self.piles[self.piles.len() - 1];
            self.counts.count(largest, value, 1, self.next);
            self.next += 1;
        }
    }

    /// What was counted.
    pub fn finish(self) -> SetCounts {
        self.counts
    }
}

/// Counts the positions of several piles from the rules.
pub fn count_set_rows(rows: &SetRows, values: &SetRowValues) -> SetCounts {
    let mut counts = SetRowCounts::new(rows);
    let mut piles = vec![1; rows.multisets().length()];
    loop {
        let Some(row) = values.sets(&piles) else {
            unreachable!("the values are those of the rows");
        };
        let pile = row.len().trailing_zeros();
        counts.take((0..row.len() as u64).map(|index| row[set_of_index(pile, index) as usize]));
        if !rows.multisets().step(&mut piles) {
            return counts.finish();
        }
    }
}

/// Counts the sets of single piles up to `max_pile` from the rules: the last level is filled piece by
/// piece and never whole in memory.
///
/// # Errors
/// [`Stopped`] if the control says so.
pub fn count_sets(
    tables: &mut SubsetTables,
    max_pile: Pile,
    control: &Control,
) -> Result<SetCounts, Stopped> {
    extend(tables, max_pile.saturating_sub(1), control)?;
    let all = (2u64 << max_pile).div_ceil(SETS_PER_CELL);
    let piece = all.min(1 << 16);
    let mut counts = SetCounts::default();
    let (mut bytes, mut scratch) = (vec![0; piece as usize * 4], Vec::<Block>::new());
    for first in (0..all).step_by(piece as usize) {
        if control.is_stopped() {
            return Err(Stopped);
        }
        tables.pack_cells(first, &mut bytes, &mut scratch);
        let cells: Vec<u32> =
            bytes.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell)).collect();
        counts.take_cells(max_pile, first, &cells);
        control.advance(piece);
    }
    Ok(counts)
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
        }
        let rows = SetRows::new(5, 3).unwrap();
        let values = SetRowValues::new(Isa::best(), 3, 5, 1 << 20).unwrap();
        let counts = count_set_rows(&rows, &values);
        assert_eq!(counts.total().iter().sum::<u64>(), rows.count());
        let equal = |set| u64::from(values.value(&[1, 1, 1], set) == Some(0));
        assert_eq!(counts.piles[1][0], equal(0) + equal(1));
        let control = Control::new();
        control.stop();
        assert!(extend(&mut SubsetTables::new(Isa::best()), 5, &control).is_err());
    }
}
