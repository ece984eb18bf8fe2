//! The proof of Theorem 5.1 of Cairns and Ho, section 6, checked step by step.
//!
//! Take (b1, b2, b3) with b1 <= b3 that is neither a 0-position nor a 1-position. By Property 2 of
//! the proof it has a move to a position of value 1. The proof lists the move for each case. This
//! file transcribes the seven cases and their subcases. Exactly one case must apply to a position,
//! and exactly one subcase of this case. The move must be legal and lead to value 1 in the tables.

use grundy_rules::{Game, Pile, games};
use grundy_sweep::cost::price::LOOK;
use grundy_sweep::fold_units;

use super::levels::Levels;
use crate::domain::{Extent, Size};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

/// True if the value is 0 in End-Nim: the row is "symmetrical but not constant".
fn zero_end_nim(piles: &[Pile; 3]) -> bool {
    let &[a1, a2, a3] = piles;
    a3 == a1 && a2 != a1
}

/// True if the value is 1 in End-Nim.
fn theorem_5_1(piles: &[Pile; 3]) -> bool {
    let &[a1, a2, a3] = piles;
    let even = a1 % 2 == 0;
    let a = (a1, a2, a3) == (1, 1, 1);
    let b = a3 == a1 + 1 && (even && a2 < a1 || !even && a2 > a1 && a2 != a1 + 2);
    let c = a3 == a1 + 2 && !even && a2 == a3;
    a || b || c
}

pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let each = |size: &Size| {
        let positions = u64::from(size.max_pile).saturating_pow(3);
        let seconds = positions as f64 * LOOK;
        Estimate { positions, cells: 3 * positions, seconds, memory: 4 * positions }
    };
    extent.sizes().iter().map(each).sum()
}

/// A subcase: its name, its condition on (b1, b2, b3), and the position after the listed move.
type Step = (&'static str, bool, Vec<i64>);

/// Returns the seven cases, each with its subcases and their moves.
fn cases(b1: i64, b2: i64, b3: i64) -> [(&'static str, bool, Vec<Step>); 7] {
    let even = b1 % 2 == 0;
    let odd = !even;
    let lower = || vec![b1, b2, b1 - 1];
    let higher = || vec![b1, b2, b1 + 1];
    let two_lower = || vec![b1, b1, b1 - 2];
    let ones = || vec![1, 1, 1];
    [
        (
            "a",
            b3 > b1 + 2,
            vec![
                ("i", even && b2 < b1, higher()),
                ("ii", even && (b2 == b1 || b2 > b1 + 1), lower()),
                ("iii", even && b2 == b1 + 1, vec![b1, b2]),
                ("iv", odd && (b2 == b1 + 1 || b2 > b1 + 2), higher()),
                ("v", odd && b2 == b1 + 2, vec![b1, b2, b2]),
                ("vi", odd && b1 > 1 && b2 < b1 - 1, lower()),
                ("vii", odd && b1 > 1 && b2 == b1, two_lower()),
                ("viii", odd && b1 > 1 && b2 == b1 - 1, vec![b1, b1 - 1]),
                ("ix", b1 == 1 && b2 == 1, ones()),
            ],
        ),
        (
            "b",
            b3 == b1 + 2 && even,
            vec![
                ("i", b2 < b1, higher()),
                ("ii", b2 == b1 || b2 > b1 + 1, lower()),
                ("iii", b2 == b1 + 1, vec![b1, b2]),
            ],
        ),
        (
            "c",
            b3 == b1 + 2 && odd && b2 != b3,
            vec![
                ("i", b2 == b1 + 1 || b2 > b1 + 2, higher()),
                ("ii", b1 > 1 && b2 < b1 - 1, lower()),
                ("iii", b1 > 1 && b2 == b1, two_lower()),
                ("iv", b1 > 1 && b2 == b1 - 1, vec![b1, b1 - 1]),
                ("v", b1 == 1 && b2 == 1, ones()),
            ],
        ),
        (
            "d",
            b3 == b1 + 1 && even && b2 >= b1,
            vec![("i", b2 == b1 || b2 > b1 + 1, lower()), ("ii", b2 == b1 + 1, vec![b1, b2])],
        ),
        (
            "e",
            b3 == b1 + 1 && odd && b2 <= b1,
            vec![
                ("i", b1 > 1 && b2 < b1 - 1, lower()),
                ("ii", b1 > 1 && b2 == b1, two_lower()),
                ("iii", b1 > 1 && b2 == b1 - 1, vec![b1, b1 - 1]),
                ("iv", b1 == 1 && b2 == 1, ones()),
            ],
        ),
        ("f", b3 == b1 + 1 && odd && b2 == b1 + 2, vec![("only", true, vec![b1 + 2, b1 + 1])]),
        (
            "g",
            b3 == b2 && b2 == b1 && b1 != 1,
            vec![("i", odd, vec![b1 - 2, b1, b1]), ("ii", even, vec![b1, b1, b1 - 1])],
        ),
    ]
}

/// True if `to` is an option of the three piles. A reversed option does not count.
fn is_legal(from: [i64; 3], to: &[i64]) -> bool {
    let [b1, b2, b3] = from;
    match *to {
        [x, y] => [x, y] == [b1, b2] || [x, y] == [b2, b3],
        [x, y, z] => {
            let left = (1..b1).contains(&x) && y == b2 && z == b3;
            let right = x == b1 && y == b2 && (1..b3).contains(&z);
            left || right
        }
        _ => false,
    }
}

fn objection(piles: [Pile; 3], value: impl Fn(&[Pile]) -> u32) -> Option<String> {
    let [b1, b2, b3] = piles.map(i64::from);
    let applying: Vec<_> = cases(b1, b2, b3).into_iter().filter(|(_, holds, _)| *holds).collect();
    let [(case, _, steps)] = applying.as_slice() else {
        return Some(format!("{} of the cases (a) to (g) apply", applying.len()));
    };
    let applying: Vec<_> = steps.iter().filter(|(_, holds, _)| *holds).collect();
    let [(step, _, to)] = applying.as_slice() else {
        return Some(format!("{} subcases of case ({case}) apply", applying.len()));
    };
    let place = format!("case ({case})({step}): the move to {to:?}");
    if !is_legal([b1, b2, b3], to) {
        return Some(format!("{place} is not legal"));
    }
    let to: Vec<Pile> = to.iter().map(|&pile| pile as Pile).collect();
    match value(&to) {
        1 => None,
        other => Some(format!("{place} leads to value {other}")),
    }
}

pub(crate) fn follow(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        job.sizes().iter().try_for_each(|size| follow_size(size.max_pile, job, tally))
    })
}

fn follow_size(n: Pile, job: &Job<'_>, tally: &mut Tally) -> Result<(), Halt> {
    let levels = Levels::of(job, games::END_NIM, n, 3)?;
    let follow = |(): &mut (), tally: &mut Tally, b1| {
        let b1 = b1 as Pile;
        for (b2, b3) in (1..=n).flat_map(|b2| (b1..=n).map(move |b3| (b2, b3))) {
            let piles = [b1, b2, b3];
            if zero_end_nim(&piles) || theorem_5_1(&piles) {
                continue;
            }
            tally.checked += 1;
            if let Some(objection) = objection(piles, |piles| levels.value(piles)) {
                tally.fail(games::END_NIM, &piles, None, || objection);
            }
        }
        // The number of cells that the plan expects for the tables of three games.
        3 * u64::from(n) * u64::from(n)
    };
    let firsts = 1..u64::from(n) + 1;
    let swept = fold_units(firsts, job.control, || (), Tally::default, follow, Tally::merge);
    *tally = std::mem::take(tally).merge(swept.acc);
    if swept.complete { Ok(()) } else { Err(Halt) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proof_5_1_is_checked_case_by_case() {
        assert_eq!(objection([2, 2, 2], |_| 1), None);
        assert!(objection([2, 2, 2], |_| 3).unwrap().contains("leads to value 3"));
        assert!(objection([4, 9, 4], |_| 1).unwrap().starts_with("0 of the cases"));
        assert!(!is_legal([3, 3, 3], &[3, 2, 3]) && !is_legal([3, 3, 3], &[3, 3, 3]));
        assert!(!is_legal([3, 3, 3], &[0, 3, 3]) && is_legal([3, 5, 7], &[5, 7]));
    }

    /// Compares the legal moves with a loop that lowers each end pile or removes it.
    #[test]
    fn legal_moves_are_made_at_the_ends() {
        let piles = || (1..=5).flat_map(|a| (1..=5).map(move |b| (a, b)));
        for (from, b3) in piles().flat_map(|two| (1..=5).map(move |b3| (two, b3))) {
            let from = [from.0, from.1, b3];
            let mut options = vec![vec![from[0], from[1]], vec![from[1], from[2]]];
            options.extend((1..from[0]).map(|x| vec![x, from[1], from[2]]));
            options.extend((1..from[2]).map(|z| vec![from[0], from[1], z]));
            let two = piles().map(|(x, y)| vec![x, y]);
            let three = piles().flat_map(|(x, y)| (0..=6).map(move |z| vec![x, y, z]));
            let zero = piles().map(|(y, z)| vec![0, y, z]);
            for to in two.chain(three).chain(zero).chain([vec![from[1]]]) {
                assert_eq!(is_legal(from, &to), options.contains(&to), "{from:?} {to:?}");
            }
        }
    }
}
