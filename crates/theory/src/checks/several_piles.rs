//! Claims about long global nim with several piles, checked at single positions. The values are
//! from stored tables if these are large enough, and otherwise from a search.

use grundy_kernels::subsets::{Search, SearchError};
use grundy_rules::{Game, MoveSet, Pile, SetRows, Table, games};
use grundy_sweep::cost::price::MEMO;

use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;

const GAME: Game = games::LONG_GLOBAL_NIM;

/// Estimates the cost of searching the positions of two piles in the propositions. Play from such a
/// position ends after a few moves.
pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let to = extent.bound();
    let seconds = f64::from(to).powi(3) * MEMO;
    Estimate { positions: to.into(), cells: to.into(), seconds, memory: SEARCH_BYTES }
}

/// Estimates the cost of searching equal piles with all moves. The search visits 1.5 million
/// positions for piles up to 31, and a third more for each further coin.
pub(crate) fn equal_piles_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let to = extent.bound();
    let seconds = 1.5e6 * 1.33f64.powf(f64::from(to) - 31.0) * MEMO;
    Estimate { positions: to.into(), cells: to.into(), seconds, memory: SEARCH_BYTES }
}

const SEARCH_BYTES: u64 = 1 << 30;

/// A check reads no table that has more cells, because a check needs few positions.
const CELLS_READ: u64 = 1 << 27;

struct Values<'a> {
    job: &'a Job<'a>,
    read: Vec<Option<(SetRows, Vec<u8>)>>,
    search: Search,
    ended: Option<String>,
}

impl<'a> Values<'a> {
    fn new(job: &'a Job<'a>) -> Values<'a> {
        let search = Search::new(job.memory.at_most(SEARCH_BYTES).bytes());
        Values { job, read: Vec::new(), search, ended: None }
    }

    /// Returns the table of a length; reads the table on first use.
    fn table(&mut self, length: usize) -> Result<Option<&(SetRows, Vec<u8>)>, Halt> {
        while self.read.len() <= length {
            let next = self.read.len();
            let largest = match next {
                // Tables of single piles have another format.
                0 | 1 => None,
                _ => self.job.stored.tables(GAME, next).pop(),
            };
            let most = self.job.memory.at_most(CELLS_READ).bytes();
            let read = match largest.filter(|table| table.cells() <= most) {
                Some(table) => read(self.job, &table)?,
                None => None,
            };
            self.read.push(read);
        }
        Ok(self.read[length].as_ref())
    }

    fn value(&mut self, piles: &[Pile], moves: &[u32]) -> Result<u32, Halt> {
        if let Some((rows, values)) = self.table(piles.len())?
            && piles.iter().all(|&pile| pile <= rows.multisets().max_pile())
        {
            let set = moves.iter().fold(0u64, |set, s| set | 1 << (s - 1));
            return Ok(values[rows.number(piles, set) as usize].into());
        }
        self.job.stored.computed();
        let control = self.job.control;
        let mut stop = |_: &Search| control.is_stopped();
        match self.search.value(piles, moves.iter().copied(), &mut stop) {
            Ok(value) => Ok(value.into()),
            Err(SearchError::Stopped { .. }) => Err(Halt),
            Err(error) => {
                self.ended = Some(format!("at {piles:?}: {error}"));
                Err(Halt)
            }
        }
    }
}

/// Reads all values of a stored table. A value is at most the number of moves.
fn read(job: &Job<'_>, table: &Table) -> Result<Option<(SetRows, Vec<u8>)>, Halt> {
    let Some(rows) = SetRows::new(table.max_pile(), table.length()) else { return Ok(None) };
    let mut all = Vec::new();
    job.read(table, |first, values| {
        for (at, &value) in (first..).zip(values) {
            let Ok(value) = u8::try_from(value) else {
                return Err(job.stored.refuse(table, format!("the value {value} at {at}")));
            };
            all.push(value);
        }
        Ok(true)
    })?;
    Ok(Some((rows, all)))
}

fn words(moves: &[u32]) -> String {
    let runs = moves.iter().map(|&s| (s, s)).collect();
    MoveSet::of_runs(runs).map_or_else(|| format!("{moves:?}"), |set| set.to_string())
}

fn each_position(
    job: &Job<'_>,
    positions: impl Fn(u32) -> Vec<(Vec<Pile>, Vec<u32>)>,
    wrong: impl Fn(&[Pile], &[u32], u32) -> Option<String>,
) -> Examination {
    let mut values = Values::new(job);
    let mut examined = Examination::by(|tally| {
        for n in 1..=job.bound() {
            for (piles, moves) in positions(n) {
                let value = values.value(&piles, &moves)?;
                tally.checked += 1;
                if let Some(found) = wrong(&piles, &moves, value) {
                    tally.fail(GAME, &piles, Some(value), || {
                        format!("{}: value {value}, {found}", words(&moves))
                    });
                }
            }
            job.control.advance(1);
        }
        Ok(())
    });
    examined.remark = values.ended;
    examined
}

/// Returns the maximum number of piles of n coins in the check of Theorem 28.
fn most_equal_piles(n: u32) -> usize {
    match n {
        1..=5 => 6,
        6..=9 => 4,
        _ => 2,
    }
}

pub(crate) fn theorem_28(job: &Job<'_>) -> Examination {
    let positions = |n: u32| {
        if n.is_multiple_of(2) {
            return Vec::new();
        }
        let piles = (1..=most_equal_piles(n)).map(|count| vec![n; count]);
        piles
            .flat_map(|piles| [(piles.clone(), (1..=n).collect()), (piles, (1..n).collect())])
            .collect()
    };
    each_position(job, positions, |piles, moves, value| {
        let expected = moves.contains(&piles[0]);
        ((value > 0) != expected).then(|| "which contradicts the claim".into())
    })
}

pub(crate) fn proposition_29(job: &Job<'_>) -> Examination {
    let positions = |a: u32| {
        let of = |b: u32| (vec![a, a + b], std::iter::once(b).chain(a..=a + b).collect());
        (1..a).map(of).collect()
    };
    each_position(job, positions, |_, _, value| (value > 0).then(|| "not P".into()))
}

pub(crate) fn proposition_30(job: &Job<'_>) -> Examination {
    let positions =
        |a: u32| (a + 1..=2 * a + 2).map(|b| (vec![a, a + b], (a..=a + b).collect())).collect();
    each_position(job, positions, |_, _, value| (value > 0).then(|| "not P".into()))
}

pub(crate) fn proposition_30_is_sharp(job: &Job<'_>) -> Examination {
    let positions = |a: u32| {
        let b = 2 * a + 3;
        vec![(vec![a, a + b], (a..=a + b).collect())]
    };
    each_position(job, positions, |_, _, value| (value == 0).then(|| "it is P too".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{look, looked_with, means, stored, up_to};

    #[test]
    fn values_are_less_than_256() {
        let stored = stored(GAME, 2, 2, |number| 256 * u32::from(number == 3));
        assert!(look("lgn.prop30", up_to(1), &[stored]).examined.stopped);
    }

    #[test]
    fn a_search_without_memory_says_so() {
        let found = looked_with("lgn.thm28", up_to(9), &[], &means(1, 1)).unwrap().examined;
        assert!(found.stopped && found.tally.failures == 0);
        assert!(found.remark.unwrap().starts_with("at ["));
    }
}
