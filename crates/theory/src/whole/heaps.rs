//! Claims about short global nim with one pile: over all rows up to a bound, from g(n) and
//! the exceptional last moves, and over a dense table made by definition.

use grundy_kernels::records::Records;
use grundy_rules::{Game, Pile, mex};

use crate::job::{Examined, Extent, Job};
use crate::plan::{Estimate, Means};
use crate::tally::Tally;

const GAME: Game = Game::ShortGlobalNim;

/// What computing the rows takes, and keeping them.
pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let &Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    let rows = u64::from(to);
    let memory = Records::bytes(to) + 120 * rows;
    Estimate { positions: rows, cells: rows, seconds: rows as f64 * 1.2e-6, memory }
}

/// The same when only a few numbers a row are kept.
pub(crate) fn light_cost(games: &[Game], extent: &Extent, means: &Means<'_>) -> Estimate {
    let &Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    Estimate { memory: Records::bytes(to) + 8 * u64::from(to), ..cost(games, extent, means) }
}

/// What the dense table takes.
pub(crate) fn dense_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let &Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    let cells = u64::from(to).pow(2);
    Estimate {
        positions: cells / 2,
        cells: cells / 2,
        seconds: cells as f64 * 2e-8,
        memory: 8 * cells,
    }
}

/// Runs over all rows; `row` gets n, g(n) and the m = n - k of the exceptional last moves with
/// their values. Calls `fail` with what is wrong at a pile.
fn each_row(
    job: &Job<'_>,
    mut row: impl FnMut(&mut Tally, Pile, u32, &[grundy_kernels::records::Exception]),
) -> Examined {
    let mut examined = Examined::default();
    let &Extent::Numbers { to, .. } = job.extent else { return examined };
    let mut heaps = Records::new(to);
    for n in 1..=to {
        if n % (1 << 14) == 0 {
            if job.control.is_stopped() {
                examined.stopped = true;
                return examined;
            }
            job.control.advance(1 << 14);
        }
        let found = heaps.next_row();
        examined.tally.checked += 1;
        row(&mut examined.tally, n, found.value, found.exceptions);
    }
    examined
}

/// (k, k) is N iff k ends in an odd number of zeros.
pub(crate) fn theorem_2(job: &Job<'_>) -> Examined {
    each_row(job, |tally, k, g, exceptions| {
        let value = exceptions.iter().find(|e| e.remaining == 0).map_or(g, |e| e.value);
        if (value != 0) != (k.trailing_zeros() % 2 == 1) {
            tally.fail(GAME, &[k], Some(value), || format!("*({k},{k}) = {value}"));
        }
    })
}

/// g(n) <= the mex of the values before.
pub(crate) fn corollary_11(job: &Job<'_>) -> Examined {
    let mut seen = vec![true];
    let mut least = 1;
    each_row(job, |tally, n, g, _| {
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

fn bounded(job: &Job<'_>, bound: impl Fn(Pile) -> u32) -> Examined {
    each_row(job, |tally, n, g, _| {
        if g > bound(n) {
            tally.fail(GAME, &[n], Some(g), || format!("the bound is {}", bound(n)));
        }
    })
}

/// g(n) <= 2n/3 if 3 divides n, and 2 floor(n/3) + 1 otherwise.
pub(crate) fn proposition_16(job: &Job<'_>) -> Examined {
    bounded(job, |n| 2 * (n / 3) + u32::from(n % 3 != 0))
}

/// g(n) <= n/2 + 2 for even n, (n-1)/2 + 3 for odd n.
pub(crate) fn half_bound(job: &Job<'_>) -> Examined {
    bounded(job, |n| n / 2 + 2 + n % 2)
}

/// g(n) < n/2 from 147 on.
pub(crate) fn below_half(job: &Job<'_>) -> Examined {
    bounded(job, |n| if n > 146 { (n - 1) / 2 } else { n })
}

/// If *(n, 0) = *(n, k), k >= 1, then g(n + k) is another value: of two piles m < n of equal
/// value, k = n - m is exceptional in row m.
pub(crate) fn theorem_17(job: &Job<'_>) -> Examined {
    // By value the piles that have it, and by pile its exceptions.
    let mut places: Vec<Vec<Pile>> = vec![vec![0]];
    let mut left: Vec<Box<[Pile]>> = vec![Box::default()];
    each_row(job, |tally, n, g, exceptions| {
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
    })
}

/// For m >= 2 f(v) + 1 no *(m, k) is v, where f(v) is the least n with g(n) = v; with
/// `but_one`, except that *(m, m - f(v)) may be.
fn proposition_19(job: &Job<'_>, but_one: bool) -> Examined {
    let mut first: Vec<Pile> = vec![0];
    each_row(job, |tally, m, g, exceptions| {
        if first.len() <= g as usize {
            first.resize(g as usize + 1, Pile::MAX);
        }
        let of_g = &mut first[g as usize];
        *of_g = m.min(*of_g);
        if m > 2 * *of_g {
            tally.fail(GAME, &[m], Some(g), || format!("g({m}) = {g}, and f({g}) = {of_g}"));
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

pub(crate) fn proposition_19_as_printed(job: &Job<'_>) -> Examined {
    proposition_19(job, false)
}

pub(crate) fn proposition_19_corrected(job: &Job<'_>) -> Examined {
    proposition_19(job, true)
}

/// If g(n+1) > g(n), then *(n, 1) = g(n), or g(n) <= g(m) for some m < n.
pub(crate) fn proposition_20(job: &Job<'_>) -> Examined {
    // Of the row before: n, g(n), whether 1 is exceptional, and the maximum before it.
    let mut before = (0, 0, false, None);
    each_row(job, |tally, n, g, exceptions| {
        let (m, value, exceptional, maximum) = before;
        let reached = maximum.is_some_and(|maximum| value <= maximum);
        if g > value && exceptional && !reached {
            tally.fail(GAME, &[m], Some(value), || format!("g({n}) = {g}, *({m},1) < {value}"));
        }
        let maximum = Some(maximum.map_or(value, |maximum: u32| maximum.max(value)));
        before = (n, g, exceptions.iter().any(|e| e.remaining == n - 1), maximum);
    })
}

/// If g(n+1) > g(n) and g(n) is the unique maximum up to n, then g(n+2) <= g(n+1).
pub(crate) fn corollary_21(job: &Job<'_>) -> Examined {
    let mut last = (0, 0);
    let mut unique_maximum = (true, false);
    let mut maximum = 0;
    each_row(job, |tally, n, g, _| {
        // last = (g(n-2), g(n-1)); unique_maximum of n - 2 and of n - 1.
        let (a, b) = last;
        if n >= 2 && unique_maximum.0 && b > a && g > b {
            tally.fail(GAME, &[n - 2], Some(a), || format!("{a}, {b}, {g} increase"));
        }
        let here = g > maximum;
        unique_maximum = if n == 1 { (true, here) } else { (unique_maximum.1, here) };
        maximum = maximum.max(g);
        last = if n == 1 { (0, g) } else { (b, g) };
    })
}

/// There are no four consecutive increasing terms.
pub(crate) fn three_increasing(job: &Job<'_>) -> Examined {
    let mut last = [0, 0, 0];
    each_row(job, |tally, n, g, _| {
        let [a, b, c] = last;
        if n >= 3 && a < b && b < c && c < g {
            tally.fail(GAME, &[n - 3], Some(a), || format!("{a}, {b}, {c}, {g} increase"));
        }
        last = [b, c, g];
    })
}

/// Table 1, as printed: rows n = 0..9, columns k = 0..9.
const PRINTED: [[u32; 10]; 10] = [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 0, 1, 1, 1, 1, 1, 1, 1, 1],
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    [2, 2, 2, 0, 2, 2, 2, 2, 2, 2],
    [3, 2, 3, 3, 0, 3, 3, 3, 3, 3],
    [3, 3, 3, 3, 3, 0, 3, 3, 3, 3],
    [2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
    [4, 4, 4, 4, 4, 4, 4, 0, 4, 4],
    [5, 4, 5, 3, 5, 5, 5, 5, 5, 5],
    [5, 5, 5, 5, 5, 5, 5, 5, 5, 5],
];

pub(crate) fn table_1(_: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let dense = Dense::new(9);
    for (n, printed) in (0..).zip(PRINTED) {
        for (k, printed) in (0..).zip(printed) {
            examined.tally.checked += 1;
            let value = dense.value(n, k);
            if value != printed {
                examined.tally.fail(GAME, &[n as Pile], Some(value), || {
                    format!("*({n},{k}) is printed {printed} and is {value}")
                });
            }
        }
    }
    examined
}

/// Every *(n, k) up to a bound, by definition.
pub(crate) struct Dense {
    /// Row n: k = 0..=n.
    rows: Vec<Vec<u32>>,
}

impl Dense {
    pub(crate) fn new(last: usize) -> Dense {
        let mut dense = Dense { rows: vec![vec![0]] };
        for n in 1..=last {
            let options: Vec<u32> = (1..=n).map(|j| dense.value(n - j, j)).collect();
            let g = mex(options.iter().copied());
            let mut count = vec![0u32; n + 2];
            options.iter().for_each(|&value| count[value as usize] += 1);
            // Without an option that occurs once its own value is missing.
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

/// Compares every (n, k), 1 <= n <= bound and k up to n + 2, that is `meant`, by a rule.
fn each_cell(
    job: &Job<'_>,
    meant: impl Fn(usize, usize) -> bool,
    wrong: impl Fn(&Dense, usize, usize) -> Option<String>,
) -> Examined {
    let mut examined = Examined::default();
    let &Extent::Numbers { to, .. } = job.extent else { return examined };
    let dense = Dense::new(to as usize);
    for n in 1..=dense.last() {
        if job.control.is_stopped() {
            examined.stopped = true;
            return examined;
        }
        for k in (0..=n + 2).filter(|&k| meant(n, k)) {
            examined.tally.checked += 1;
            if let Some(found) = wrong(&dense, n, k) {
                let value = Some(dense.value(n, k));
                examined.tally.fail(GAME, &[n as Pile], value, || found);
            }
        }
        job.control.advance(n as u64);
    }
    examined
}

pub(crate) fn proposition_7(job: &Job<'_>) -> Examined {
    let all = |_, _| true;
    each_cell(job, all, |dense, n, k| {
        (dense.value(n, 0) < dense.value(n, k)).then(|| format!("*({n},{k}) is larger than g({n})"))
    })
}

/// The mex without the option that takes k, for k > n.
pub(crate) fn proposition_8(job: &Job<'_>) -> Examined {
    let larger = |n, k| k > n;
    each_cell(job, larger, |dense, n, k| {
        let options = (1..=n).filter(|&j| j != k).map(|j| dense.value(n - j, j));
        (mex(options) != dense.value(n, 0)).then(|| format!("*({n},{k}) is not g({n})"))
    })
}

/// Whether the value of the option that takes k occurs at another option.
fn occurs_elsewhere(dense: &Dense, n: usize, k: usize) -> bool {
    let value = dense.value(n - k, k);
    (1..=n).any(|j| j != k && dense.value(n - j, j) == value)
}

pub(crate) fn proposition_9(job: &Job<'_>) -> Examined {
    each_cell(job, is_option, |dense, n, k| {
        let g = dense.value(n, 0);
        let equal = dense.value(n, k) == g;
        let said = dense.value(n - k, k) > g || occurs_elsewhere(dense, n, k);
        (equal != said).then(|| format!("*({n},{k}) = g({n}) is {equal}"))
    })
}

/// Whether k coins can be taken from n.
fn is_option(n: usize, k: usize) -> bool {
    (1..=n).contains(&k)
}

pub(crate) fn corollary_10(job: &Job<'_>) -> Examined {
    // For other k the corollary has nothing to conclude: *(n,k) is g(n) by Proposition 8.
    each_cell(job, is_option, |dense, n, k| {
        let value = dense.value(n, k);
        let exceptional = value != dense.value(n, 0);
        (exceptional && value != dense.value(n - k, k))
            .then(|| format!("*({n},{k}) = {value} is not *({},{k})", n - k))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Position;
    use grundy_rules::reference::Reference;

    #[test]
    fn the_dense_table_is_that_of_the_rules() {
        let dense = Dense::new(30);
        let mut reference = Reference::new(GAME);
        for n in 1..=30u32 {
            for k in 0..=n + 2 {
                let position = Position::after(vec![n], k).unwrap();
                let value = reference.value(&position);
                assert_eq!(dense.value(n as usize, k as usize), value, "{position}");
            }
        }
    }
}
