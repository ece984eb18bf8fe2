//! Claims about short global nim with one pile, checked at every cell (n, k) of a table up to a
//! bound. The table is computed by definition, or unpacked from stored records.

use grundy_rules::{Game, Pile, games, mex};
use grundy_sweep::cost::price::LOOK;

use super::records;
use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

const GAME: Game = games::SHORT_GLOBAL_NIM;

pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let cells = u64::from(extent.bound()).pow(2);
    let (seen, memory) = (cells / 2, 8 * cells);
    Estimate { positions: seen, cells: seen, seconds: seen as f64 * LOOK, memory }
}

pub(crate) struct Dense {
    rows: Vec<Vec<u32>>,
}

impl Dense {
    /// Unpacks stored records if there are any, and otherwise computes the table by definition.
    pub(crate) fn of(job: &Job<'_>, last: u32) -> Result<Dense, Halt> {
        let Some(held) = records::holder(job, last) else {
            job.stored.computed();
            return Ok(Dense::by_definition(last));
        };
        let mut dense = Dense { rows: vec![vec![0]] };
        records::each(job, &held, last, |n, g, exceptions| {
            let mut row = vec![g; n as usize + 1];
            for exception in exceptions {
                row[(n - exception.remaining) as usize] = exception.value;
            }
            dense.rows.push(row);
            Ok(())
        })?;
        Ok(dense)
    }

    /// Computes the table by the mex of the options, even if records are stored.
    pub(crate) fn by_definition(last: u32) -> Dense {
        let last = last as usize;
        let mut dense = Dense { rows: vec![vec![0]] };
        for n in 1..=last {
            let options: Vec<u32> = (1..=n).map(|j| dense.value(n - j, j)).collect();
            let g = mex(options.iter().copied());
            let mut count = vec![0u32; n + 2];
            options.iter().for_each(|&value| count[value as usize] += 1);
            // If k forbids the only option of a value below g, the mex is this value.
            let row = (0..=n).map(|k| match k.checked_sub(1).map(|at| options[at]) {
                Some(value) if value < g && count[value as usize] == 1 => value,
                _ => g,
            });
            let row = row.collect();
            dense.rows.push(row);
        }
        dense
    }

    pub(crate) fn value(&self, n: usize, k: usize) -> u32 {
        let row = &self.rows[n];
        row.get(k).copied().unwrap_or(row[0])
    }

    pub(crate) fn last(&self) -> usize {
        self.rows.len() - 1
    }
}

/// Checks and counts every (n, k) that satisfies `meant`, for n = 1 to the bound and k up to n + 2.
pub(crate) fn each_cell(
    job: &Job<'_>,
    dense: &Dense,
    tally: &mut Tally,
    meant: impl Fn(usize, usize) -> bool,
    wrong: impl Fn(&mut Tally, usize, usize) -> Option<String>,
) -> Result<(), Halt> {
    for n in 1..=dense.last() {
        job.control.check()?;
        for k in (0..=n + 2).filter(|&k| meant(n, k)) {
            tally.checked += 1;
            if let Some(found) = wrong(tally, n, k) {
                let value = Some(dense.value(n, k));
                tally.fail(GAME, &[n as Pile], value, || found);
            }
        }
        job.control.advance(n as u64);
    }
    Ok(())
}

fn each_cell_at_hand(
    job: &Job<'_>,
    meant: impl Fn(usize, usize) -> bool,
    wrong: impl Fn(&Dense, usize, usize) -> Option<String>,
) -> Examination {
    Examination::by(|tally| {
        let dense = Dense::of(job, job.bound())?;
        each_cell(job, &dense, tally, meant, |_, n, k| wrong(&dense, n, k))
    })
}

/// Returns Table 1 as printed. The rows are n = 0 to 9, and the columns k = 0 to 9.
pub(super) fn printed() -> Vec<Vec<u32>> {
    let numbers = |row: &str| row.split(' ').flat_map(str::parse).collect();
    include_str!("table_1.txt").lines().map(numbers).collect()
}

pub(crate) fn table_1(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let dense = Dense::of(job, 9)?;
        for (n, printed) in (0..).zip(printed()) {
            for (k, printed) in (0..).zip(printed) {
                tally.checked += 1;
                let value = dense.value(n, k);
                if value != printed {
                    tally.fail(GAME, &[n as Pile], Some(value), || {
                        format!("*({n},{k}) is printed as {printed}, but is {value}")
                    });
                }
            }
        }
        Ok(())
    })
}

pub(crate) fn proposition_7(job: &Job<'_>) -> Examination {
    let all = |_, _| true;
    each_cell_at_hand(job, all, |dense, n, k| {
        (dense.value(n, 0) < dense.value(n, k)).then(|| format!("*({n},{k}) is larger than g({n})"))
    })
}

pub(crate) fn proposition_8(job: &Job<'_>) -> Examination {
    let larger = |n, k| k > n;
    each_cell_at_hand(job, larger, |dense, n, k| {
        let options = (1..=n).filter(|&j| j != k).map(|j| dense.value(n - j, j));
        (mex(options) != dense.value(n, 0)).then(|| format!("*({n},{k}) is not g({n})"))
    })
}

fn occurs_elsewhere(dense: &Dense, n: usize, k: usize) -> bool {
    let value = dense.value(n - k, k);
    (1..=n).any(|j| j != k && dense.value(n - j, j) == value)
}

pub(crate) fn proposition_9(job: &Job<'_>) -> Examination {
    each_cell_at_hand(job, is_option, |dense, n, k| {
        let g = dense.value(n, 0);
        let equal = dense.value(n, k) == g;
        let said = dense.value(n - k, k) > g || occurs_elsewhere(dense, n, k);
        (equal != said).then(|| format!("*({n},{k}) = g({n}) is {equal}"))
    })
}

fn is_option(n: usize, k: usize) -> bool {
    (1..=n).contains(&k)
}

/// Checks Corollary 10. Stored records rely on it, so the check computes the table by definition.
pub(crate) fn corollary_10(job: &Job<'_>) -> Examination {
    // If k is 0 or exceeds n, the corollary is vacuous: *(n,k) is g(n) by Proposition 8.
    Examination::by(|tally| {
        let dense = Dense::by_definition(job.bound());
        each_cell(job, &dense, tally, is_option, |tally, n, k| {
            let value = dense.value(n, k);
            let exceptional = tally.given(value != dense.value(n, 0));
            (exceptional && value != dense.value(n - k, k))
                .then(|| format!("*({n},{k}) = {value} is not *({},{k})", n - k))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Position;
    use grundy_rules::reference::Reference;

    #[test]
    fn the_dense_table_is_that_of_the_rules() {
        let dense = Dense::by_definition(30);
        let mut reference = Reference::new(GAME);
        for n in 1..=30u32 {
            for k in 0..=n + 2 {
                let position = Position::after(vec![n], k);
                let value = reference.value(&position);
                assert_eq!(dense.value(n as usize, k as usize), value, "{position}");
            }
        }
    }
}
