//! Claims about long global nim with one pile, checked at every set of a few moves. The values are
//! from stored tables of all sets, or from tables that are filled during the check.

use grundy_kernels::cells::cell_value;
use grundy_kernels::subsets::{MAX_PILE, SubsetTables};
use grundy_rules::set_rows::set_index;
use grundy_rules::{Game, MoveSet, Table, games, index::SETS_PER_CELL};
use grundy_sweep::cost::price::{MEMO, PREDICATE, SET};

use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;

const GAME: Game = games::LONG_GLOBAL_NIM;

pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    of_sets(extent, SET + PREDICATE)
}

/// Estimates the cost of tables of all sets, and of a search for g-series from each set.
pub(crate) fn g_series_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    of_sets(extent, f64::from(extent.bound()) * MEMO)
}

fn of_sets(extent: &Extent, seconds_each: f64) -> Estimate {
    let to = extent.bound();
    let sets = 2f64.powi(to.min(64) as i32 + 1);
    let memory = if to <= MAX_PILE { SubsetTables::bytes(to) } else { u64::MAX };
    Estimate { positions: sets as u64, cells: to.into(), seconds: sets * seconds_each, memory }
}

enum Sets {
    /// The cells of a stored table, in the order of [`grundy_rules::set_rows`].
    Read(Vec<u32>),
    Computed(SubsetTables),
}

impl Sets {
    fn of(job: &Job<'_>, to: u32) -> Result<Sets, Halt> {
        let held = Table::new(GAME, to, 1).ok().and_then(|table| job.holder(&table));
        let Some(held) = held else {
            job.stored.computed();
            let mut tables = SubsetTables::new(job.isa);
            grundy_sweep::subsets::extend(&mut tables, to, job.control)?;
            return Ok(Sets::Computed(tables));
        };
        // The table may be for larger piles. It begins with the piles that are needed.
        let wanted = (2u64 << to).div_ceil(SETS_PER_CELL) as usize;
        let mut cells = Vec::new();
        job.read(&held, |_, values| {
            let left = wanted - cells.len();
            cells.extend_from_slice(&values[..left.min(values.len())]);
            Ok(cells.len() < wanted)
        })?;
        Ok(Sets::Read(cells))
    }

    /// Returns the value of \[n, S\]; bit s-1 of `set` is the move s, and moves above n are
    /// ignored.
    fn value(&self, n: u32, set: u64) -> u32 {
        match self {
            Sets::Computed(tables) => tables.value(n, set).into(),
            Sets::Read(cells) => {
                let number = (1 << n) + set_index(n, set);
                let cell = cells[(number / SETS_PER_CELL) as usize];
                cell_value(cell, (number % SETS_PER_CELL) as u32).into()
            }
        }
    }
}

fn members(set: u64) -> Vec<u32> {
    MoveSet::of_mask(set).iter().collect()
}

/// The number of sets between two checks of the stop signal.
const STRIDE: u64 = 1 << 12;

/// Checks every n up to the bound and every set of moves within 1..=n. `wrong` gets the values of
/// all sets.
fn each(job: &Job<'_>, wrong: impl Fn(&Sets, u32, &[u32]) -> Option<String>) -> Examination {
    Examination::by(|tally| {
        let to = job.bound();
        let sets = Sets::of(job, to)?;
        for n in 1..=to {
            for set in 0..1u64 << n {
                if set % STRIDE == 0 {
                    job.control.check()?;
                }
                tally.checked += 1;
                if let Some(found) = wrong(&sets, n, &members(set)) {
                    let value = sets.value(n, set);
                    tally.fail(GAME, &[n], Some(value), || {
                        format!("{}: value {value}, {found}", MoveSet::of_mask(set))
                    });
                }
            }
            job.control.advance(1);
        }
        Ok(())
    })
}

fn set_of(moves: &[u32]) -> u64 {
    moves.iter().fold(0, |set, s| set | 1 << (s - 1))
}

pub(crate) fn theorem_23(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let to = job.bound();
        let sets = Sets::of(job, to)?;
        for n in 1..=to {
            tally.checked += 1;
            let value = sets.value(n, (1u64 << (n - 1)) - 1);
            if (value > 0) != (n.trailing_zeros() % 2 == 1) {
                tally.fail(GAME, &[n], Some(value), || format!("value {value}"));
            }
        }
        Ok(())
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Only the first term has a condition on the remaining pile.
    FirstTerm,
    /// The terms after the first must form a g-series of the remaining pile.
    EveryTerm,
}

/// Returns the lengths of a position's g-series, as bits.
fn lengths(sets: &Sets, n: u32, moves: &[u32], reading: Reading) -> u64 {
    let mut found = 0;
    for (place, &s) in moves.iter().enumerate().filter(|(_, s)| **s <= n) {
        let rest: Vec<u32> =
            moves.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, &t)| t).collect();
        let left = n - s;
        let fits: Vec<u32> = rest.iter().copied().filter(|&t| t <= left).collect();
        let value = sets.value(left, set_of(&fits));
        let goes_on = match reading {
            // Are there `value` further terms with a sum up to `left`? Test the smallest sum.
            Reading::FirstTerm => {
                let smallest: u32 = rest.iter().take(value as usize).sum();
                rest.len() >= value as usize && smallest <= left
            }
            Reading::EveryTerm => {
                value == 0 || lengths(sets, left, &fits, reading) >> value & 1 == 1
            }
        };
        if goes_on {
            found |= 1 << (value + 1);
        }
    }
    found
}

pub(crate) fn theorem_33(job: &Job<'_>, reading: Reading) -> Examination {
    each(job, |sets, n, s| {
        let reach = (lengths(sets, n, s, reading) >> 1).trailing_ones();
        let value = sets.value(n, set_of(s));
        (value != reach)
            .then(|| format!("the largest m with g-series of all lengths 1 to m is {reach}"))
    })
}
