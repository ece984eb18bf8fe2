//! Claims about the periods of the rows b -> G(a c b).
//!
//! For each middle pile c, the rows of all a = 1, 2, ... are computed together. If the period of a
//! row is not found within the bound, the row is undecided.

use grundy_rules::{Game, Pile};
use rayon::prelude::*;

use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::period::{CELL_BYTES, Periodicity, Words, cells, seconds};

pub(crate) fn cost(games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let (max_pile, bound) = extent.rows();
    let rows = u64::from(max_pile).pow(2) * games.len() as u64;
    let threads = means.threads.max(1) as u64;
    // The search in a row ends when the period is proved, which is usually early. So the estimate
    // is an eighth of the cells up to the bound.
    let strip = |c: Pile| cells(max_pile, &[c], bound as usize) / 8;
    let all = (1..=max_pile).map(strip).sum::<u64>() * games.len() as u64;
    Estimate {
        positions: rows,
        cells: rows * u64::from(bound),
        seconds: seconds(all, max_pile.into()) / threads as f64,
        memory: CELL_BYTES * strip(max_pile) * threads,
    }
}

/// Counts a row as undecided if it has no period within the bound. A row without any period would
/// refute the claim, but no finite part of a row can show that.
pub(crate) fn all_periodic(job: &Job<'_>) -> Examination {
    examine(job, |_| None)
}

pub(crate) fn powers_of_two(job: &Job<'_>) -> Examination {
    examine(job, |found| {
        (!found.period.is_power_of_two()).then(|| {
            let certainty = if found.proved { "proved" } else { "observed" };
            format!("least period {} from b = {} on, {certainty}", found.period, found.from())
        })
    })
}

fn examine(job: &Job<'_>, wrong: impl Fn(&Periodicity) -> Option<String> + Sync) -> Examination {
    let (max_pile, bound) = job.extent.rows();
    let control = job.control;
    let strips: Vec<(Game, Pile)> =
        job.games.iter().flat_map(|&game| (1..=max_pile).map(move |c| (game, c))).collect();
    strips
        .par_iter()
        .map(|&(game, middle)| {
            let mut examined = Examination::default();
            match Words::of_ends(game).strip(max_pile, &[middle], bound as usize, control) {
                Err(_) => examined.stopped = true,
                Ok(rows) => {
                    for (a, row) in (1..).zip(&rows) {
                        match &row.found {
                            None => examined.undecided += 1,
                            Some(found) => {
                                examined.tally.checked += 1;
                                if let Some(complaint) = wrong(found) {
                                    examined.tally.fail(game, &[a, middle], None, || complaint);
                                }
                            }
                        }
                    }
                    control.advance(u64::from(max_pile) * u64::from(bound));
                }
            }
            examined
        })
        .reduce(Examination::default, |left, right| Examination {
            tally: left.tally.merge(right.tally),
            undecided: left.undecided + right.undecided,
            stopped: left.stopped || right.stopped,
            ..Examination::default()
        })
}

#[cfg(test)]
mod tests {
    use crate::period::Words;
    use crate::testing::look;
    use grundy_rules::games;
    use grundy_sweep::Control;

    /// Rows without a period within the bound are undecided; all other rows are counted. A row
    /// fails if its period is not a power of two.
    #[test]
    fn rows_without_a_period_are_left_open() {
        let (mut all_open, mut all_others) = (0, 0);
        for bound in [5, 40, 150, 600] {
            let words = Words::of_ends(games::END_NIM);
            let strip = |middle| words.strip(7, &[middle], bound, &Control::new()).unwrap();
            let periods: Vec<_> = (1..=7).flat_map(strip).map(|row| row.found).collect();
            let found: Vec<usize> = periods.iter().flatten().map(|found| found.period).collect();
            let others = found.iter().filter(|period| !period.is_power_of_two()).count() as u64;
            let (open, found) = ((periods.len() - found.len()) as u64, found.len() as u64);
            all_open += open;
            all_others += others;
            let range = crate::Range { max_pile: Some(7), length: None, to: Some(bound as u32) };
            for (id, failures) in [("an.period", 0), ("an.period-pow2", others)] {
                let examined = look(id, range, &[]).examined;
                let tally = &examined.tally;
                let counts = (tally.checked, tally.failures, examined.undecided);
                assert_eq!((counts, examined.stopped), ((found, failures, open), false));
            }
        }
        assert!(all_open > 0 && all_others > 0, "{all_open} {all_others}");
    }

    /// The row 5,4,b of the paper's table has the period 12 from b = 8 on.
    #[test]
    fn a_counterexample_shows_its_period() {
        let range = crate::Range { max_pile: Some(5), length: None, to: Some(4096) };
        let first = look("an.period-pow2", range, &[]).examined.tally.first.unwrap();
        assert_eq!(first.to_string(), "end-nim 5,4: least period 12 from b = 8 on, proved");
    }
}
