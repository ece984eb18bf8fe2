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
use crate::tally::Tally;

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

/// Checks every n up to the bound and every set of `count` moves within 1..=n, or all sets if
/// `count` is `None`. `wrong` gets the values of all sets.
fn each(
    job: &Job<'_>,
    count: Option<u32>,
    wrong: impl Fn(&mut Tally, &Sets, u32, &[u32]) -> Option<String>,
) -> Examination {
    each_of(job, count, |_, _| true, wrong)
}

/// Does the same as [`each`] for the sets that satisfy `meant`.
fn each_of(
    job: &Job<'_>,
    count: Option<u32>,
    meant: impl Fn(u32, u64) -> bool,
    wrong: impl Fn(&mut Tally, &Sets, u32, &[u32]) -> Option<String>,
) -> Examination {
    Examination::by(|tally| {
        let to = job.bound();
        let sets = Sets::of(job, to)?;
        for n in 1..=to {
            for set in 0..1u64 << n {
                if set % STRIDE == 0 {
                    job.control.check()?;
                }
                if count.is_some_and(|count| set.count_ones() != count) || !meant(n, set) {
                    continue;
                }
                tally.checked += 1;
                let moves = members(set);
                if let Some(found) = wrong(tally, &sets, n, &moves) {
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

fn is_n(sets: &Sets, n: u32, moves: &[u32]) -> bool {
    sets.value(n, set_of(moves)) > 0
}

fn wins(sets: &Sets, n: u32, moves: &[u32], place: usize) -> bool {
    let left = n - moves[place];
    let rest = set_of(moves) & !(1 << (moves[place] - 1));
    sets.value(left, rest & ((1u64 << left) - 1)) == 0
}

/// Compares the outcome with the claim. `said` is true for N.
fn wrong_outcome(sets: &Sets, n: u32, moves: &[u32], said: bool) -> Option<String> {
    (is_n(sets, n, moves) != said)
        .then(|| format!("claimed to be {}", if said { "N" } else { "P" }))
}

pub(crate) fn example(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let value = Sets::of(job, 8)?.value(8, set_of(&[1, 3, 4]));
        tally.checked += 1;
        if value != 1 {
            tally.fail(GAME, &[8], Some(value), || format!("{{1,3,4}}: value {value}"));
        }
        Ok(())
    })
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

pub(crate) fn theorem_24(job: &Job<'_>) -> Examination {
    each(job, Some(2), |_, sets, n, s| wrong_outcome(sets, n, s, s[0] + s[1] > n))
}

pub(crate) fn theorem_25(job: &Job<'_>) -> Examination {
    each(job, Some(3), |_, sets, n, s| {
        let left = n - s[2];
        wrong_outcome(sets, n, s, left < s[0] || left >= s[0] + s[1])
    })
}

pub(crate) fn theorem_26(job: &Job<'_>) -> Examination {
    each(job, Some(4), |tally, sets, n, s| {
        (tally.given(wins(sets, n, s, 0)) && !wins(sets, n, s, 1))
            .then(|| "i wins and j does not".into())
    })
}

pub(crate) fn theorem_27_as_printed(job: &Job<'_>) -> Examination {
    let l_below_n = |n: u32, set: u64| set >> (n - 1) == 0;
    each_of(job, Some(4), l_below_n, |_, sets, n, s| {
        let [i, j, k, l] = [s[0], s[1], s[2], s[3]];
        let all = i + j + k + l;
        let (ijk, ijl) = (i + j + k <= n && n < all, i + j + l <= n && n < all);
        wrong_outcome(sets, n, s, i + j > n || ijk && ijl || ijk && k + l > n || ijl && k + l > n)
    })
}

pub(crate) fn theorem_27_corrected(job: &Job<'_>) -> Examination {
    each(job, Some(4), |_, sets, n, s| {
        let [i, j, k, l] = [s[0], s[1], s[2], s[3]];
        let middle = i + j + k <= n && n < k + l;
        wrong_outcome(sets, n, s, i + l > n || middle || i + j + l <= n && n < i + j + k + l)
    })
}

pub(crate) fn play_remark(job: &Job<'_>) -> Examination {
    each(job, Some(4), |tally, sets, n, s| {
        let (place, name) = if s[0] + s[3] > n { (3, "l") } else { (1, "j") };
        (tally.given(is_n(sets, n, s)) && !wins(sets, n, s, place))
            .then(|| format!("taking {name} = {} does not win", s[place]))
    })
}

pub(crate) fn five_choices(job: &Job<'_>) -> Examination {
    each(job, Some(5), |_, sets, n, s| {
        let [i, j, k, l, m] = [s[0], s[1], s[2], s[3], s[4]];
        let n_positions = i + m > n
            || (i + j + l <= n && n < i + j + k + l) && m + j > n
            || (i + j + m <= n && n < i + j + k + l)
            || (i + j + k <= n && n < l + k)
            || (i + k + l <= n && n < i + j + k + l) && m + l > n
            || (k + l + m <= n && n < i + j + l + m)
            || (i + j + m <= n && n < k + m)
            || (i + k + m <= n && n < i + j + k + m) && l + m > n
            || (i + l + m <= n && n < i + j + k + m)
            || i + j + k + l + m <= n;
        wrong_outcome(sets, n, s, n_positions)
    })
}

pub(crate) fn five_remark(job: &Job<'_>) -> Examination {
    each(job, Some(5), |tally, sets, n, s| {
        let j_or_m = || wins(sets, n, s, 1) || wins(sets, n, s, 4);
        (tally.given(wins(sets, n, s, 0)) && !j_or_m())
            .then(|| "i wins, and neither j nor m".into())
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
    each(job, None, |_, sets, n, s| {
        let reach = (lengths(sets, n, s, reading) >> 1).trailing_ones();
        let value = sets.value(n, set_of(s));
        (value != reach)
            .then(|| format!("the largest m with g-series of all lengths 1 to m is {reach}"))
    })
}
