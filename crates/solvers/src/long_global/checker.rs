//! Derives values of long global nim again, from the stored options.

use grundy_rules::index::SETS_PER_CELL;
use grundy_rules::set_rows::set_index;
use grundy_rules::{MoveSet, Pile, Position, SetRows};

use super::rows_of;
use crate::answer::Reply;
use crate::check::{Checker, Checking, Derived, Options, TileRun, WrongCell, derived};
use crate::tables::{Reading, Stored};

/// Reads the values of `count` sets of a pile, beginning with the index `first`. A cell holds the
/// values of eight pairs of sets (docs/FORMAT.md): a set without the move m that takes the whole
/// pile, and the same set with m. Bits j of the first three bytes are the value with m in pair j.
/// Bit j of the fourth byte is set if the value without m is equal, and clear if that value is 0.
fn sets(stored: &dyn Stored, pile: Pile, first: u64, count: usize) -> Reading<Vec<u8>> {
    let number = (1 << pile) + first;
    let cell = number / SETS_PER_CELL;
    let last = (number + count as u64 - 1) / SETS_PER_CELL;
    let mut cells = Vec::new();
    stored.cells(cell, 1, (last - cell + 1) as usize, &mut cells)?;
    let value = |number: u64| {
        let bytes = cells[(number / SETS_PER_CELL - cell) as usize].to_le_bytes();
        let (pair, with_all) = (number % SETS_PER_CELL / 2, number % 2 == 1);
        let bit = |byte: u8| byte >> pair & 1;
        let value = 4 * bit(bytes[2]) + 2 * bit(bytes[1]) + bit(bytes[0]);
        if with_all || bit(bytes[3]) == 1 { value } else { 0 }
    };
    Ok((number..number + count as u64).map(value).collect())
}

/// Checks tables of one pile. It derives runs of sets from the sets of smaller piles.
pub(super) struct SetChecker<'a>(pub(super) &'a dyn Stored);

impl Checker for SetChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let stored = self.0;
        let table = stored.table();
        let cells = run.cells.len() as u64;
        let (mut number, end) = (run.first * SETS_PER_CELL, (run.first + cells) * SETS_PER_CELL);
        let wrong = |values, at: u64, found: u8| {
            let position = table.position(at);
            let position = position.map_or_else(String::new, |found| found.to_string());
            let wrong = Some(WrongCell { position, found: found.into() });
            Ok(Derived { values, left_out: 0, wrong })
        };
        // Number 0 is unused, and 1 is the empty position.
        let mut values = 0;
        while number < end {
            if number < 2 {
                let nothing = sets(stored, 0, 0, 1)?[0];
                if nothing != 0 {
                    return wrong(values, 1, nothing);
                }
                (number, values) = (2, 1);
                continue;
            }
            let pile = number.ilog2();
            if pile > table.max_pile() {
                // In a table of one cell, all values after the last pile are 0.
                let padding = sets(stored, pile, 0, (end - number) as usize)?;
                return match padding.iter().position(|&value| value != 0) {
                    Some(at) => wrong(values, number + at as u64, padding[at]),
                    None => Ok(Derived { values, ..Derived::default() }),
                };
            }
            let index = number - (1 << pile);
            // A run has 2^k sets for the largest possible k, and begins at a multiple of 2^k.
            let aligned = 1u64 << index.trailing_zeros().min(pile);
            let count = aligned.min(1 << (end - number).ilog2());
            let run = sets(stored, pile, index, count as usize)?;
            let found = first_wrong_set(pile, index, &run, |pile, index, count| {
                sets(stored, pile, index, count)
            })?;
            if let Some(at) = found {
                return wrong(values, number + at as u64, run[at]);
            }
            number += count;
            values += count;
        }
        Ok(Derived { values, ..Derived::default() })
    }
}

pub(super) struct SetRowChecker<'a>(Options<'a, SetRows>);

impl SetRowChecker<'_> {
    pub(super) fn new(of: Checking<'_>) -> SetRowChecker<'_> {
        SetRowChecker(Options::new(of, |_| true, rows_of))
    }
}

impl Checker for SetRowChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let SetRowChecker(options) = self;
        let table = options.stored.table();
        let mut piles = vec![0; table.length()];
        for (at, &value) in run.cells.iter().enumerate() {
            let set = options.numbering.position(run.first + at as u64, &mut piles);
            let value_of = |option: &[Pile], set: u64| {
                options.value(
                    option,
                    |rows, _| rows.number(option, set),
                    |found| Ok(sets(found, option[0], set_index(option[0], set), 1)?[0].into()),
                    || Position::with_available(option.to_vec(), &MoveSet::of_mask(set)),
                )
            };
            if !is_right_with_set(&piles, set, value, value_of)? {
                return Ok(derived(table, run, Some(at)));
            }
        }
        Ok(derived(table, run, None))
    }
}

/// True if the value of a position of long global nim is the mex of the values of its options.
/// `value_of` receives ascending piles, and a mask in which bit s - 1 is the remaining move s.
fn is_right_with_set<E>(
    piles: &[Pile],
    set: u64,
    value: u32,
    mut value_of: impl FnMut(&[Pile], u64) -> Result<u32, E>,
) -> Result<bool, E> {
    let mut seen = 0u64;
    for (at, &pile) in piles.iter().enumerate() {
        if piles[..at].contains(&pile) {
            continue;
        }
        for taken in (1..=pile).filter(|taken| set >> (taken - 1) & 1 == 1) {
            let mut left = piles.to_vec();
            left[at] -= taken;
            left.retain(|&pile| pile > 0);
            left.sort_unstable();
            seen |= 1 << (value_of(&left, set & !(1 << (taken - 1)))? & 63);
        }
    }
    Ok(value == seen.trailing_ones())
}

/// Compares values of one pile with the values of the options. Returns the first place with a wrong
/// value. The values are those of the sets with the indices `first`, `first` + 1, ... (see
/// [`grundy_rules::set_rows`]). The number of sets is a power of two, and `first` is a multiple of
/// this number. `below` receives a smaller pile, an index and a count, and returns the values of
/// these sets. Consecutive sets with the same option are processed together.
fn first_wrong_set<E>(
    pile: Pile,
    first: u64,
    values: &[u8],
    mut below: impl FnMut(Pile, u64, usize) -> Result<Vec<u8>, E>,
) -> Result<Option<usize>, E> {
    let count = values.len();
    assert!((1..=63).contains(&pile) && count.is_power_of_two());
    assert!(first.is_multiple_of(count as u64));
    // The values of the options of each set, as 16 bits. Piles below 136 have values below 16.
    let mut seen = vec![0u16; count];
    for taken in 1..=pile {
        // The index of the option lacks the bit of the move, and the lowest bits, which are the
        // moves above the remaining pile.
        let bit = 1u64 << (pile - taken);
        let option = |index: u64| (index & !bit) >> taken;
        let start = option(first);
        let options = below(pile - taken, start, (count >> taken).max(1))?;
        // The number of consecutive sets with the same option. Either all or none contain the move.
        let together = bit.min(1 << taken).min(count as u64);
        for (index, seen) in
            (first..).step_by(together as usize).zip(seen.chunks_mut(together as usize))
        {
            if index & bit != 0 {
                let value = options[(option(index) - start) as usize];
                let value = 1u16.checked_shl(value.into()).unwrap_or(0);
                seen.iter_mut().for_each(|seen| *seen |= value);
            }
        }
    }
    let right = |(&value, seen): (&u8, &u16)| u32::from(value) == seen.trailing_ones();
    Ok(values.iter().zip(&seen).position(|pair| !right(pair)))
}
