//! Claims about short global nim with one pile, over all rows up to a bound: from g(n) and
//! the exceptional last moves of each n, which stored records have, or which are computed.

use grundy_kernels::records::{Exception, Records};
use grundy_rules::{Game, Pile, games};

use super::records;
use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

const GAME: Game = games::SHORT_GLOBAL_NIM;

/// What computing the rows takes, and keeping them.
pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let to = extent.bound();
    let rows = u64::from(to);
    let memory = Records::bytes(to) + 120 * rows;
    Estimate { positions: rows, cells: rows, seconds: rows as f64 * 1.2e-6, memory }
}

/// The same when only a few numbers a row are kept.
pub(crate) fn light_cost(games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let to = extent.bound();
    Estimate { memory: Records::bytes(to) + 8 * u64::from(to), ..cost(games, extent, means) }
}

/// Rows from one look at the stop signal to the next.
const PATIENCE: Pile = 1 << 14;

/// Runs over all rows up to the bound; `row` gets n, g(n) and the m = n - k of the exceptional
/// last moves with their values, and counts what it checks.
fn each_row(
    job: &Job<'_>,
    mut row: impl FnMut(&mut Tally, Pile, u32, &[Exception]),
) -> Examination {
    Examination::by(|tally| {
        let mut row = |n: Pile, g, exceptions: &[Exception]| -> Result<(), Halt> {
            if n.is_multiple_of(PATIENCE) {
                job.control.check()?;
                job.control.advance(PATIENCE.into());
            }
            row(tally, n, g, exceptions);
            Ok(())
        };
        let to = job.bound();
        if let Some(held) = records::holder(job, to) {
            return records::each(job, &held, to, row);
        }
        job.stored.computed();
        let mut records = Records::new(to);
        for n in 1..=to {
            let found = records.next_row();
            row(n, found.value, found.exceptions)?;
        }
        Ok(())
    })
}

/// (k, k) is N iff k ends in an odd number of zeros.
pub(crate) fn theorem_2(job: &Job<'_>) -> Examination {
    each_row(job, |tally, k, g, exceptions| {
        tally.checked += 1;
        let value = exceptions.iter().find(|e| e.remaining == 0).map_or(g, |e| e.value);
        if (value != 0) != (k.trailing_zeros() % 2 == 1) {
            tally.fail(GAME, &[k], Some(value), || format!("*({k},{k}) = {value}"));
        }
    })
}

/// g(n) <= the mex of the values before.
pub(crate) fn corollary_11(job: &Job<'_>) -> Examination {
    let mut seen = vec![true];
    let mut least = 1;
    each_row(job, |tally, n, g, _| {
        tally.checked += 1;
        if g > least {
            tally.fail(GAME, &[n], Some(g), || format!("the mex of the values before is {least}"));
        }
        if seen.len() <= g as usize {
            seen.resize(g as usize + 1, false);
        }
        seen[g as usize] = true;
        while seen.get(least as usize) == Some(&true) {
            least += 1;
        }
    })
}

fn bounded(job: &Job<'_>, bound: impl Fn(Pile) -> u32) -> Examination {
    each_row(job, |tally, n, g, _| {
        tally.checked += 1;
        if g > bound(n) {
            tally.fail(GAME, &[n], Some(g), || format!("the bound is {}", bound(n)));
        }
    })
}

/// g(n) <= 2n/3 if 3 divides n, and 2 floor(n/3) + 1 otherwise.
pub(crate) fn proposition_16(job: &Job<'_>) -> Examination {
    bounded(job, |n| 2 * (n / 3) + u32::from(n % 3 != 0))
}

/// g(n) <= n/2 + 2 for even n, (n-1)/2 + 3 for odd n.
pub(crate) fn half_bound(job: &Job<'_>) -> Examination {
    bounded(job, |n| n / 2 + 2 + n % 2)
}

/// g(n) < n/2 from 147 on.
pub(crate) fn below_half(job: &Job<'_>) -> Examination {
    bounded(job, |n| if n > 146 { (n - 1) / 2 } else { n })
}

/// If *(n, 0) = *(n, k), k >= 1, then g(n + k) is another value: of two piles m < n of equal
/// value, k = n - m is exceptional in row m. All pairs (m, k) with m + k up to the bound count.
pub(crate) fn theorem_17(job: &Job<'_>) -> Examination {
    // By value the piles that have it, and by pile its exceptions.
    let mut places: Vec<Vec<Pile>> = vec![vec![0]];
    let mut left: Vec<Box<[Pile]>> = vec![Box::default()];
    // By m + k how many exceptional k there are: where the premise is false.
    let mut exceptional = vec![0u32; job.bound() as usize + 1];
    each_row(job, |tally, n, g, exceptions| {
        tally.checked += u64::from(n);
        tally.premise += u64::from(n - exceptional[n as usize]);
        if places.len() <= g as usize {
            places.resize(g as usize + 1, Vec::new());
        }
        for &m in &places[g as usize] {
            let k = n - m;
            let exceptional = k <= m && left[m as usize].contains(&(m - k));
            if !exceptional {
                tally.fail(GAME, &[m], Some(g), || format!("g({n}) = {g} too, and *({m},{k})"));
            }
        }
        places[g as usize].push(n);
        left.push(exceptions.iter().map(|e| e.remaining).collect());
        for exception in exceptions {
            let k = n - exception.remaining;
            if let Some(count) = exceptional.get_mut(n as usize + k as usize) {
                *count += 1;
            }
        }
    })
}

/// For m >= 2 f(v) + 1 no *(m, k) is v, where f(v) is the least n with g(n) = v; with
/// `but_one`, except that *(m, m - f(v)) may be, though not g(m). All pairs (m, k), k = 0 to m,
/// count.
pub(crate) fn proposition_19(job: &Job<'_>, but_one: bool) -> Examination {
    let mut first: Vec<Pile> = vec![0];
    each_row(job, |tally, m, g, exceptions| {
        tally.checked += u64::from(m) + 1;
        if first.len() <= g as usize {
            first.resize(g as usize + 1, Pile::MAX);
        }
        let of_g = m.min(first[g as usize]);
        first[g as usize] = of_g;
        if m > 2 * of_g {
            // All k that are not exceptional, 0 among them.
            let count = u64::from(m) + 1 - exceptions.len() as u64;
            tally.fail_all(count, GAME, &[m], Some(g), || {
                format!("g({m}) = {g}, and f({g}) = {of_g}")
            });
        }
        for exception in exceptions {
            let (v, k) = (exception.value, m - exception.remaining);
            let of_v = first[v as usize];
            if m > 2 * of_v && !(but_one && k == m - of_v) {
                tally
                    .fail(GAME, &[m], Some(v), || format!("*({m},{k}) = {v}, and f({v}) = {of_v}"));
            }
        }
    })
}

/// If g(n+1) > g(n), then *(n, 1) = g(n), or g(n) <= g(m) for some m < n.
pub(crate) fn proposition_20(job: &Job<'_>) -> Examination {
    // Of the row before: n, g(n), whether 1 is exceptional, and the maximum before it.
    let mut before = (0, 0, false, None);
    each_row(job, |tally, n, g, exceptions| {
        tally.checked += 1;
        let (m, value, exceptional, maximum) = before;
        let reached = maximum.is_some_and(|maximum| value <= maximum);
        if tally.given(g > value) && exceptional && !reached {
            tally.fail(GAME, &[m], Some(value), || format!("g({n}) = {g}, *({m},1) < {value}"));
        }
        let maximum = Some(maximum.map_or(value, |maximum: u32| maximum.max(value)));
        before = (n, g, exceptions.iter().any(|e| e.remaining == n - 1), maximum);
    })
}

/// If g(n+1) > g(n) and g(n) is the unique maximum up to n, then g(n+2) <= g(n+1).
pub(crate) fn corollary_21(job: &Job<'_>) -> Examination {
    let mut last = (0, 0);
    let mut unique_maximum = (true, false);
    let mut maximum = 0;
    each_row(job, |tally, n, g, _| {
        // last = (g(n-2), g(n-1)); unique_maximum of n - 2 and of n - 1.
        let (a, b) = last;
        if n >= 2 {
            tally.checked += 1;
            if tally.given(unique_maximum.0 && b > a) && g > b {
                tally.fail(GAME, &[n - 2], Some(a), || format!("{a}, {b}, {g} increase"));
            }
        }
        let here = g > maximum;
        unique_maximum = if n == 1 { (true, here) } else { (unique_maximum.1, here) };
        maximum = maximum.max(g);
        last = if n == 1 { (0, g) } else { (b, g) };
    })
}

/// There are no four consecutive increasing terms: the four from n on, for each n.
pub(crate) fn three_increasing(job: &Job<'_>) -> Examination {
    let mut last = [0, 0, 0];
    each_row(job, |tally, n, g, _| {
        let [a, b, c] = last;
        if n >= 3 {
            tally.checked += 1;
            if a < b && b < c && c < g {
                tally.fail(GAME, &[n - 3], Some(a), || format!("{a}, {b}, {c}, {g} increase"));
            }
        }
        last = [b, c, g];
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{after, count, examine, examine_told, look, noisy_records, up_to};
    use crate::words::Origin;
    use grundy_rules::{Table, mex};

    /// The records of all piles up to TO as a table has them, and that table.
    fn stored() -> (Table, Vec<u32>) {
        let table = Table::new(GAME, TO, 1).unwrap();
        let width = table.tile_cells();
        let mut records = Records::new(TO);
        let mut values = Vec::new();
        for n in 1..=TO as usize {
            let row = records.next_row();
            values.push(row.value);
            values.push(row.exceptions.len() as u32);
            values.extend(row.exceptions.iter().map(|e| e.remaining));
            values.resize(n * width, 0);
        }
        (table, values)
    }

    const TO: Pile = 200;

    /// What is read is what is computed.
    #[test]
    fn stored_records_say_the_same() {
        let (table, values) = stored();
        for id in [
            "gn.thm2",
            "gn.cor11",
            "gn.prop16",
            "gn.half-bound",
            "gn.below-half",
            "gn.thm17",
            "gn.prop19",
            "gn.prop19.corrected",
            "gn.prop20",
            "gn.cor21",
            "gn.three-increasing",
        ] {
            assert_eq!(examine_told(id, TO, &table, &values), examine(id, TO), "{id}");
        }
    }

    /// The greatest g(n) that a bound allows, by the paper's formula, and one more.
    #[test]
    fn one_more_than_a_bound_is_found() {
        let (table, values) = stored();
        let width = table.tile_cells();
        for (id, n, bound) in [
            // 2n/3 if 3 divides n.
            ("gn.prop16", 150, 100),
            // n/2 + 2 for even n.
            ("gn.half-bound", 150, 77),
            // Less than n/2 from 147 on.
            ("gn.below-half", 147, 73),
            ("gn.below-half", 148, 73),
        ] {
            for (g, failures) in [(bound, 0), (bound + 1, 1)] {
                let mut spoilt = values.clone();
                spoilt[(n as usize - 1) * width] = g;
                let tally = examine_told(id, TO, &table, &spoilt).tally;
                assert_eq!(tally.failures, failures, "{id}: g({n}) = {g}");
                assert_eq!(tally.first.map(|first| first.piles), (failures > 0).then(|| vec![n]));
            }
        }
    }

    /// Records that follow no rule: of each claim as many fail as loops over its words find, and
    /// the first of them is told. More records are stored than are asked for.
    #[test]
    fn what_fails_is_counted_row_by_row() {
        const TO: usize = 20;
        let mut all_failures = [0; 10];
        for seed in 0..60 {
            let (stored, dense) = noisy_records(seed, TO + 4);
            let value = |n: usize, k: usize| after(&dense, n, k);
            let g = |n: usize| dense[n][0];
            let least = |v: u32| (0..).find(|&n| g(n) == v).unwrap();
            let rows = |from: usize, to: usize, wrong: &dyn Fn(usize) -> bool| {
                count((from..=to).map(|n| (vec![n as Pile], wrong(n))))
            };
            let pairs = |all: &dyn Fn(usize) -> std::ops::Range<usize>,
                         wrong: &dyn Fn(usize, usize) -> bool| {
                let all = (0..=TO).flat_map(|m| all(m).map(move |k| (m, k)));
                count(all.map(|(m, k)| (vec![m as Pile], wrong(m, k))))
            };
            let late = |m: usize, k: usize| m > 2 * least(value(m, k));
            let up_to_m = |m: usize| if m == 0 { 0..0 } else { 0..m + 1 };
            let rises = |n: usize| g(n) > g(n - 1);
            let is_new = |n: usize| (0..n).all(|m| g(m) < g(n));
            let premises = |holds: &dyn Fn(usize) -> bool, all: std::ops::RangeInclusive<usize>| {
                all.filter(|&n| holds(n)).count() as u64
            };
            let all_pairs = || (0..=TO).flat_map(|m| (1..=TO - m).map(move |k| (m, k)));
            let expected = [
                (
                    "gn.thm2",
                    0,
                    rows(1, TO, &|k| (value(k, k) != 0) != (k.trailing_zeros() % 2 == 1)),
                ),
                ("gn.cor11", 0, rows(1, TO, &|n| g(n) > mex((0..n).map(g)))),
                (
                    "gn.prop16",
                    0,
                    rows(1, TO, &|n| {
                        g(n) as usize > if n % 3 == 0 { 2 * n / 3 } else { 2 * (n / 3) + 1 }
                    }),
                ),
                (
                    "gn.half-bound",
                    0,
                    rows(1, TO, &|n| {
                        g(n) as usize > if n % 2 == 0 { n / 2 + 2 } else { (n - 1) / 2 + 3 }
                    }),
                ),
                (
                    "gn.thm17",
                    all_pairs().filter(|&(m, k)| value(m, k) == g(m)).count() as u64,
                    pairs(&|m| 1..TO - m + 1, &|m, k| value(m, k) == g(m) && g(m + k) == g(m)),
                ),
                ("gn.prop19", 0, pairs(&up_to_m, &late)),
                (
                    "gn.prop19.corrected",
                    0,
                    pairs(&up_to_m, &|m, k| {
                        let may = value(m, k) != g(m) && k == m - least(value(m, k));
                        late(m, k) && !may
                    }),
                ),
                (
                    "gn.prop20",
                    premises(&rises, 1..=TO),
                    rows(0, TO - 1, &|n| {
                        rises(n + 1) && value(n, 1) != g(n) && (0..n).all(|m| g(m) < g(n))
                    }),
                ),
                (
                    "gn.cor21",
                    premises(&|n| rises(n + 1) && is_new(n), 0..=TO - 2),
                    rows(0, TO - 2, &|n| rises(n + 1) && is_new(n) && rises(n + 2)),
                ),
                (
                    "gn.three-increasing",
                    0,
                    rows(0, TO - 3, &|n| rises(n + 1) && rises(n + 2) && rises(n + 3)),
                ),
            ];
            for ((id, premise, expected), all) in expected.into_iter().zip(&mut all_failures) {
                let looked = look(id, up_to(TO as u32), std::slice::from_ref(&stored));
                assert_eq!(looked.examined.tally.premise, premise, "{id}, {seed}");
                assert_eq!(looked.origin, Some(Origin::Table));
                *all += expected.1;
                assert_eq!(looked.counts(), expected, "{id}, {seed}");
            }
        }
        assert!(all_failures.iter().all(|&failures| failures > 0), "{all_failures:?}");
    }

    /// What is said of counterexamples: in 0, 1, 1, 3, 1 the first two ones have no exceptional last
    /// move, and f(1) = 1; in 0, 1, 2, 3 the exceptional ones are *(2,1) = g(1) and *(3,3) = 0.
    #[test]
    fn failures_are_said_in_numbers() {
        let said = |id, records: &[&[u32]]| {
            let table = Table::new(GAME, records.len() as Pile, 1).unwrap();
            let mut values = Vec::new();
            for record in records {
                let mut record = record.to_vec();
                record.resize(table.tile_cells(), 0);
                values.extend(record);
            }
            let tally = examine_told(id, records.len() as u32, &table, &values).tally;
            tally.first.unwrap().to_string()
        };
        let ones = |id| said(id, &[&[1], &[1], &[3], &[1]]);
        assert_eq!(ones("gn.thm2"), "short-global-nim 1: *(1,1) = 1");
        assert_eq!(ones("gn.cor11"), "short-global-nim 3: the mex of the values before is 2");
        assert_eq!(ones("gn.prop16"), "short-global-nim 3: the bound is 2");
        assert_eq!(ones("gn.thm17"), "short-global-nim 1: g(2) = 1 too, and *(1,1)");
        assert_eq!(ones("gn.prop19"), "short-global-nim 4: g(4) = 1, and f(1) = 1");
        let rising = |id| said(id, &[&[1], &[2, 1, 1], &[3, 1, 0]]);
        assert_eq!(rising("gn.prop19"), "short-global-nim 3: *(3,3) = 0, and f(0) = 0");
        assert_eq!(rising("gn.prop20"), "short-global-nim 2: g(3) = 3, *(2,1) < 2");
        assert_eq!(rising("gn.cor21"), "short-global-nim 0: 0, 1, 2 increase");
        assert_eq!(rising("gn.three-increasing"), "short-global-nim 0: 0, 1, 2, 3 increase");
    }
}
