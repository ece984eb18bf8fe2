//! Claims about short global nim with one pile, checked for every n up to a bound. The checks use
//! g(n) and the exceptional last moves of n, which are read from stored records or computed.

use grundy_kernels::records::{Exception, Records};
use grundy_rules::{Game, Pile, games};
use grundy_sweep::cost::price::RECORD;

use super::records;
use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

const GAME: Game = games::SHORT_GLOBAL_NIM;

pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let to = extent.bound();
    let rows = u64::from(to);
    let memory = Records::bytes(to) + 120 * rows;
    Estimate { positions: rows, cells: rows, seconds: rows as f64 * RECORD, memory }
}

/// Estimates the cost of a check that keeps only a few numbers for each n.
pub(crate) fn light_cost(games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let to = extent.bound();
    Estimate { memory: Records::bytes(to) + 8 * u64::from(to), ..cost(games, extent, means) }
}

/// The number of rows between two checks of the stop signal.
const PATIENCE: Pile = 1 << 14;

/// Calls `row` for each n up to the bound, with g(n) and the exceptions. Each exception has the
/// value of a last move k, and the remaining pile n - k. `row` counts its own checks.
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

pub(crate) fn theorem_2(job: &Job<'_>) -> Examination {
    each_row(job, |tally, k, g, exceptions| {
        tally.checked += 1;
        let value = exceptions.iter().find(|e| e.remaining == 0).map_or(g, |e| e.value);
        if (value != 0) != (k.trailing_zeros() % 2 == 1) {
            tally.fail(GAME, &[k], Some(value), || format!("*({k},{k}) = {value}"));
        }
    })
}

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

/// Checks Theorem 17: if piles m < n have equal values, then k = n - m must be exceptional for m.
/// Counts all pairs (m, k) with m + k up to the bound.
pub(crate) fn theorem_17(job: &Job<'_>) -> Examination {
    // `places` has the piles of each value, and `left` has the exceptions of each pile.
    let mut places: Vec<Vec<Pile>> = vec![vec![0]];
    let mut left: Vec<Box<[Pile]>> = vec![Box::default()];
    // The number of pairs with an exceptional k, by the sum m + k. Their premise is false.
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

/// Checks that for m >= 2 f(v) + 1 no *(m, k) is v, where f(v) is the least n with g(n) = v. With
/// `but_one`, *(m, m - f(v)) may be v, but g(m) may not. Counts all pairs (m, k) with k = 0 to m.
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
            // Count all k that are not exceptional, including 0.
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

pub(crate) fn proposition_20(job: &Job<'_>) -> Examination {
    // The previous row: n, g(n), true if 1 is an exceptional last move, and the maximum of all
    // earlier rows.
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

pub(crate) fn corollary_21(job: &Job<'_>) -> Examination {
    let mut last = (0, 0);
    let mut unique_maximum = (true, false);
    let mut maximum = 0;
    each_row(job, |tally, n, g, _| {
        // `last` is (g(n-2), g(n-1)). `unique_maximum` has an entry for each of these two values.
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

/// Checks that no four consecutive terms increase. Case n consists of the four terms from n on.
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

/// The known values that occur once (OEIS A351630).
const ONCE: [u32; 4] = [0, 12, 1270, 105_161];

/// Checks that exactly the listed values occur once. Counts one case for each value up to the
/// largest g(n) with n up to half the bound.
pub(crate) fn once(job: &Job<'_>) -> Examination {
    // For each value, the number of piles with this value, and the last such pile.
    let mut piles: Vec<(u32, Pile)> = vec![(1, 0)];
    let (to, mut settled) = (job.bound(), 1);
    each_row(job, |tally, n, g, _| {
        if piles.len() <= g as usize {
            piles.resize(g as usize + 1, (0, 0));
        }
        piles[g as usize] = (piles[g as usize].0 + 1, n);
        if n <= to / 2 {
            settled = piles.len();
        }
        let decided = if n == to { settled } else { 0 };
        for (value, &(count, last)) in (0..).zip(&piles[..decided]) {
            tally.checked += 1;
            if (count == 1) != ONCE.contains(&value) {
                tally.fail(GAME, &[last], Some(value), || format!("{value} occurs {count} times"));
            }
        }
    })
}
