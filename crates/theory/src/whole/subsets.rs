//! Claims about long global nim with one pile: every set of a few moves, from tables of all
//! sets; and a few claims about several piles, by search.

use grundy_kernels::subsets::{MAX_PILE, Search, SubsetTables};
use grundy_rules::{Game, MoveSet, Pile};

use crate::job::{Examined, Extent, Job};
use crate::plan::{Estimate, Means};

const GAME: Game = Game::LongGlobalNim;

/// What tables of all sets within 1..=n take.
pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    of_sets(extent, 5e-9)
}

/// The same with a search for g-series from each set.
pub(crate) fn g_series_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    of_sets(extent, 1e-5)
}

fn of_sets(extent: &Extent, seconds_each: f64) -> Estimate {
    let &Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    let sets = 2f64.powi(to.min(64) as i32 + 1);
    let memory = if to <= MAX_PILE { SubsetTables::bytes(to) } else { u64::MAX };
    Estimate { positions: sets as u64, cells: to.into(), seconds: sets * seconds_each, memory }
}

/// What searching the positions of two piles takes that the propositions speak of: they have
/// short plays.
pub(crate) fn search_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let &Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    let seconds = 2e-7 * f64::from(to).powi(3);
    Estimate { positions: to.into(), cells: to.into(), seconds, memory: SEARCH_BYTES }
}

/// What searching equal piles with all moves takes: 0.3 seconds to 31, 15 to 45.
pub(crate) fn equal_piles_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let &Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    let seconds = 0.3 * 1.33f64.powf(f64::from(to) - 31.0);
    Estimate { positions: to.into(), cells: to.into(), seconds, memory: SEARCH_BYTES }
}

const SEARCH_BYTES: u64 = 1 << 30;

fn members(set: u64) -> Vec<u32> {
    MoveSet::of_mask(set).iter().collect()
}

/// The moves of a set, for counterexamples.
fn words(moves: &[u32]) -> String {
    let runs = moves.iter().map(|&s| (s, s)).collect();
    MoveSet::of_runs(runs).unwrap_or_default().to_string()
}

/// Tables up to the bound, which the plan has found possible; `None` if stopped.
fn tables(job: &Job<'_>, examined: &mut Examined) -> Option<(u32, SubsetTables)> {
    let &Extent::Numbers { to, .. } = job.extent else { return None };
    let mut tables = SubsetTables::new(job.isa);
    match grundy_sweep::subsets::extend(&mut tables, to, job.control) {
        Ok(()) => Some((to, tables)),
        Err(_) => {
            examined.stopped = true;
            None
        }
    }
}

/// Sets from one look at the stop signal to the next.
const STRIDE: u64 = 1 << 12;

/// Shows every n up to the bound and every set of `count` moves within 1..=n (any count if
/// `None`), with the tables.
fn each(
    job: &Job<'_>,
    count: Option<u32>,
    wrong: impl Fn(&SubsetTables, u32, &[u32]) -> Option<String>,
) -> Examined {
    each_of(job, count, |_, _| true, wrong)
}

/// The same for the sets that are `meant`.
fn each_of(
    job: &Job<'_>,
    count: Option<u32>,
    meant: impl Fn(u32, u64) -> bool,
    wrong: impl Fn(&SubsetTables, u32, &[u32]) -> Option<String>,
) -> Examined {
    let mut examined = Examined::default();
    let Some((to, tables)) = tables(job, &mut examined) else { return examined };
    for n in 1..=to {
        for set in 0..1u64 << n {
            if set % STRIDE == 0 && job.control.is_stopped() {
                examined.stopped = true;
                return examined;
            }
            if count.is_some_and(|count| set.count_ones() != count) || !meant(n, set) {
                continue;
            }
            examined.tally.checked += 1;
            let moves = members(set);
            if let Some(found) = wrong(&tables, n, &moves) {
                let value = u32::from(tables.value(n, set));
                examined.tally.fail(GAME, &[n], Some(value), || {
                    format!("{}: value {value}, {found}", words(&moves))
                });
            }
        }
        job.control.advance(1);
    }
    examined
}

fn set_of(moves: &[u32]) -> u64 {
    moves.iter().fold(0, |set, s| set | 1 << (s - 1))
}

fn is_n(tables: &SubsetTables, n: u32, moves: &[u32]) -> bool {
    tables.value(n, set_of(moves)) > 0
}

/// Whether taking the move at a place wins.
fn wins(tables: &SubsetTables, n: u32, moves: &[u32], place: usize) -> bool {
    let left = n - moves[place];
    let rest = set_of(moves) & !(1 << (moves[place] - 1));
    tables.value(left, rest & ((1u64 << left) - 1)) == 0
}

/// Compares N with what is said.
fn said(tables: &SubsetTables, n: u32, moves: &[u32], said: bool) -> Option<String> {
    (is_n(tables, n, moves) != said).then(|| format!("said to be {}", if said { "N" } else { "P" }))
}

pub(crate) fn theorem_23(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let Some((to, tables)) = tables(job, &mut examined) else { return examined };
    for n in 1..=to {
        examined.tally.checked += 1;
        let value = u32::from(tables.value(n, (1u64 << (n - 1)) - 1));
        if (value > 0) != (n.trailing_zeros() % 2 == 1) {
            examined.tally.fail(GAME, &[n], Some(value), || format!("value {value}"));
        }
    }
    examined
}

pub(crate) fn theorem_24(job: &Job<'_>) -> Examined {
    each(job, Some(2), |tables, n, s| said(tables, n, s, s[0] + s[1] > n))
}

pub(crate) fn theorem_25(job: &Job<'_>) -> Examined {
    each(job, Some(3), |tables, n, s| {
        let left = n - s[2];
        said(tables, n, s, left < s[0] || left >= s[0] + s[1])
    })
}

pub(crate) fn theorem_26(job: &Job<'_>) -> Examined {
    each(job, Some(4), |tables, n, s| {
        (wins(tables, n, s, 0) && !wins(tables, n, s, 1)).then(|| "i wins and j does not".into())
    })
}

pub(crate) fn theorem_27_as_printed(job: &Job<'_>) -> Examined {
    let l_below_n = |n: u32, set: u64| set >> (n - 1) == 0;
    each_of(job, Some(4), l_below_n, |tables, n, s| {
        let [i, j, k, l] = [s[0], s[1], s[2], s[3]];
        let all = i + j + k + l;
        let (ijk, ijl) = (i + j + k <= n && n < all, i + j + l <= n && n < all);
        said(tables, n, s, i + j > n || ijk && ijl || ijk && k + l > n || ijl && k + l > n)
    })
}

pub(crate) fn theorem_27_corrected(job: &Job<'_>) -> Examined {
    each(job, Some(4), |tables, n, s| {
        let [i, j, k, l] = [s[0], s[1], s[2], s[3]];
        let middle = i + j + k <= n && n < k + l;
        said(tables, n, s, i + l > n || middle || i + j + l <= n && n < i + j + k + l)
    })
}

/// In an N-position take l if i + l > n, and otherwise j.
pub(crate) fn play_remark(job: &Job<'_>) -> Examined {
    each(job, Some(4), |tables, n, s| {
        let (place, name) = if s[0] + s[3] > n { (3, "l") } else { (1, "j") };
        (is_n(tables, n, s) && !wins(tables, n, s, place))
            .then(|| format!("taking {name} = {} does not win", s[place]))
    })
}

pub(crate) fn five_choices(job: &Job<'_>) -> Examined {
    each(job, Some(5), |tables, n, s| {
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
        said(tables, n, s, n_positions)
    })
}

pub(crate) fn five_remark(job: &Job<'_>) -> Examined {
    each(job, Some(5), |tables, n, s| {
        let j_or_m = wins(tables, n, s, 1) || wins(tables, n, s, 4);
        (wins(tables, n, s, 0) && !j_or_m).then(|| "i wins, and neither j nor m".into())
    })
}

/// How Definition 31 is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Only the first term has a condition on what is left.
    FirstTerm,
    /// What follows the first term is a g-series of what is left.
    EveryTerm,
}

/// The lengths, as bits, of the g-series of a position.
fn lengths(tables: &SubsetTables, n: u32, moves: &[u32], reading: Reading) -> u64 {
    let mut found = 0;
    for (place, &s) in moves.iter().enumerate().filter(|(_, s)| **s <= n) {
        let rest: Vec<u32> =
            moves.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, &t)| t).collect();
        let left = n - s;
        let fits: Vec<u32> = rest.iter().copied().filter(|&t| t <= left).collect();
        let value = u32::from(tables.value(left, set_of(&fits)));
        let goes_on = match reading {
            // value more terms that fit together: the smallest do if any do.
            Reading::FirstTerm => {
                let smallest: u32 = rest.iter().take(value as usize).sum();
                rest.len() >= value as usize && smallest <= left
            }
            Reading::EveryTerm => {
                value == 0 || lengths(tables, left, &fits, reading) >> value & 1 == 1
            }
        };
        if goes_on {
            found |= 1 << (value + 1);
        }
    }
    found
}

fn theorem_33(job: &Job<'_>, reading: Reading) -> Examined {
    each(job, None, |tables, n, s| {
        let reach = (lengths(tables, n, s, reading) >> 1).trailing_ones();
        let value = u32::from(tables.value(n, set_of(s)));
        (value != reach).then(|| format!("there are g-series of lengths 1 to {reach}"))
    })
}

pub(crate) fn theorem_33_first_term(job: &Job<'_>) -> Examined {
    theorem_33(job, Reading::FirstTerm)
}

pub(crate) fn theorem_33_every_term(job: &Job<'_>) -> Examined {
    theorem_33(job, Reading::EveryTerm)
}

/// Shows positions of several piles to `wrong` with their values.
fn each_position(
    job: &Job<'_>,
    positions: impl Fn(u32) -> Vec<(Vec<Pile>, Vec<u32>)>,
    wrong: impl Fn(&[Pile], &[u32], u32) -> Option<String>,
) -> Examined {
    let mut examined = Examined::default();
    let &Extent::Numbers { to, .. } = job.extent else { return examined };
    let mut search = Search::new(SEARCH_BYTES.min(job.memory));
    for n in 1..=to {
        for (piles, moves) in positions(n) {
            let mut stop = |_: &Search| job.control.is_stopped();
            let Ok(value) = search.value(&piles, moves.iter().copied(), &mut stop) else {
                examined.stopped = true;
                return examined;
            };
            examined.tally.checked += 1;
            let value = u32::from(value);
            if let Some(found) = wrong(&piles, &moves, value) {
                examined.tally.fail(GAME, &piles, Some(value), || {
                    format!("{}: value {value}, {found}", words(&moves))
                });
            }
        }
        job.control.advance(1);
    }
    examined
}

/// The most piles of Theorem 28 that are looked at for a pile n.
fn most_equal_piles(n: u32) -> usize {
    match n {
        1..=5 => 6,
        6..=9 => 4,
        _ => 2,
    }
}

pub(crate) fn theorem_28(job: &Job<'_>) -> Examined {
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
        ((value > 0) != expected).then(|| "not as stated".into())
    })
}

/// [(a, a+b), ({1..a+b} without {1..a-1}) with b] for 1 <= b < a.
pub(crate) fn proposition_29(job: &Job<'_>) -> Examined {
    let positions = |a: u32| {
        let of = |b: u32| (vec![a, a + b], std::iter::once(b).chain(a..=a + b).collect());
        (1..a).map(of).collect()
    };
    each_position(job, positions, |_, _, value| (value > 0).then(|| "not P".into()))
}

/// [(a, a+b), {a..a+b}] is P for a < b <= 2a + 2, and N for b = 2a + 3.
pub(crate) fn proposition_30(job: &Job<'_>) -> Examined {
    let positions =
        |a: u32| (a + 1..=2 * a + 2).map(|b| (vec![a, a + b], (a..=a + b).collect())).collect();
    each_position(job, positions, |_, _, value| (value > 0).then(|| "not P".into()))
}

pub(crate) fn proposition_30_is_sharp(job: &Job<'_>) -> Examined {
    let positions = |a: u32| {
        let b = 2 * a + 3;
        vec![(vec![a, a + b], (a..=a + b).collect())]
    };
    each_position(job, positions, |_, _, value| (value == 0).then(|| "it is P too".into()))
}

pub(crate) fn example(_: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let mut search = Search::new(1 << 20);
    examined.tally.checked = 1;
    match search.value(&[8], [1, 3, 4], &mut |_| false) {
        Ok(1) => {}
        found => examined.tally.fail(GAME, &[8], None, || format!("{found:?}")),
    }
    examined
}
