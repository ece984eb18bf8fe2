//! The rows b -> G(a c b): are they periodic, and with what periods?
//!
//! One strip per middle pile c gives all rows a = 1, 2, ... A row whose period is
//! not found within the bound decides nothing.

use grundy_rules::{Game, Pile};
use rayon::prelude::*;

use crate::job::{Examined, Extent, Job};
use crate::period::{Periodicity, strip};

/// A row without a period would refute the claim; but no finite part of a row
/// can show that there is none, so it can only stay undecided.
pub(crate) fn all_periodic(job: &Job<'_>) -> Examined {
    examine(job, |_| None)
}

pub(crate) fn powers_of_two(job: &Job<'_>) -> Examined {
    examine(job, |found| {
        (!found.period.is_power_of_two()).then(|| {
            let certainty = if found.proved { "proved" } else { "observed" };
            format!("least period {} from b = {} on, {certainty}", found.period, found.from())
        })
    })
}

fn examine(job: &Job<'_>, wrong: impl Fn(&Periodicity) -> Option<String> + Sync) -> Examined {
    let &Extent::Rows { max_pile, bound } = job.extent else {
        return Examined::default();
    };
    let strips: Vec<(Game, Pile)> =
        job.games.iter().flat_map(|&game| (1..=max_pile).map(move |c| (game, c))).collect();
    strips
        .par_iter()
        .map(|&(game, middle)| {
            let mut examined = Examined::default();
            match strip(game, max_pile, &[middle], bound as usize, job.control) {
                Err(_) => examined.stopped = true,
                Ok(rows) => {
                    for (a, row) in (1..).zip(&rows) {
                        examined.tally.checked += 1;
                        match &row.found {
                            None => examined.undecided += 1,
                            Some(found) => {
                                if let Some(complaint) = wrong(found) {
                                    examined.tally.fail(game, &[a, middle], None, || complaint);
                                }
                            }
                        }
                    }
                    job.control.advance(u64::from(max_pile) * u64::from(bound));
                }
            }
            examined
        })
        .reduce(Examined::default, |left, right| Examined {
            tally: left.tally.merge(right.tally),
            undecided: left.undecided + right.undecided,
            stopped: left.stopped || right.stopped,
        })
}
