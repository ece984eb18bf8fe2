//! A. S. Fraenkel and E. Reisner, *The game of End-Wythoff* (2009).
//!
//! For every word w of one or more piles and every a >= 1 there is exactly one b >= 0 (0 means no
//! pile) such that a·w·b is a P-position. This b is at most 2a + 1; docs/PROOFS.md has a proof.

use grundy_rules::{Pile, games};

use crate::checks::{printed_cost, small_words};
use crate::claim::{Rule, check};
use crate::job::{Examination, Job};

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("ew.wythoff", check(wythoff, small_words::position_cost)),
    ("ew.one-end", check(one_end, small_words::cost)),
    ("ew.growth", check(growth, printed_cost)),
];

/// Returns the floor of n times the golden ratio, (1 + sqrt 5) / 2, in integer arithmetic.
fn lower(n: u64) -> u64 {
    (n + (5 * n * n).isqrt()) / 2
}

fn is_pair(a: Pile, b: Pile) -> bool {
    let (a, b) = (u64::from(a.min(b)), u64::from(a.max(b)));
    lower(b - a) == a
}

fn wythoff(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        small_words::each_position(job, |game, position, value| {
            let &[a, b] = position.piles() else { return };
            tally.checked += 1;
            if (value == 0) != is_pair(a, b) {
                tally.fail(game, &[a, b], Some(value), || match value {
                    0 => "value 0, but N by Wythoff".to_owned(),
                    _ => format!("value {value}, but P by Wythoff"),
                });
            }
        })
    })
}

fn one_end(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        small_words::each_word(job, |game, word, reference| {
            let zero = |b: &Pile| reference.value(&game.position(&[word, &[*b]].concat())) == 0;
            let most = 2 * word[0] + 1;
            let zeros = (0..=most).filter(zero).count();
            tally.checked += 1;
            if zeros != 1 {
                tally.fail(game, word, None, || format!("{zeros} P-positions up to b = {most}"));
            }
        })
    })
}

/// Returns the lost cells (a, b) of the rows 0 to `to`, if the cells (0, r) and (l, 0) are lost. In
/// each other row, the lost cell is the first cell that has no lost cell above it in its column or
/// on its diagonal.
fn lost(r: usize, l: usize, to: usize) -> Vec<(usize, usize)> {
    let size = 2 * to + r + 4;
    let (mut columns, mut diagonals) = (vec![false; size], vec![false; size + to]);
    let row = |a: usize| {
        let is_free = |&b: &usize| !columns[b] && !diagonals[to + b - a];
        let b = match a {
            0 => r,
            a if a == l => 0,
            _ => (1..).find(is_free).unwrap_or(0),
        };
        (columns[b], diagonals[to + b - a]) = (true, true);
        (a, b)
    };
    (0..=to).map(row).collect()
}

fn growth(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        job.stored.computed();
        let numbers = 1..=24;
        for (r, l) in numbers.clone().flat_map(|r| numbers.clone().map(move |l| (r, l))) {
            job.control.check()?;
            tally.checked += 1;
            let lost = lost(r, l, 4 * r + 99);
            let above: Vec<_> = lost.into_iter().filter(|&(a, b)| b > a && a > 0).collect();
            let mut steps = above.windows(2).map(|pair| (pair[0], pair[1]));
            let wrong = steps.find(|&((a, b), (c, d))| c > 3 * r + 27 && d + a != c + b + 1);
            if let Some(((a, b), (c, d))) = wrong {
                tally.fail(games::END_WYTHOFF, &[r as Pile, l as Pile], None, || {
                    format!("for this r and l, the cell {a}, {b} is followed by {c}, {d}")
                });
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use grundy_rules::Position;
    use grundy_rules::reference::Reference;

    use super::*;

    /// Two of the P-positions around a word determine all others.
    #[test]
    fn two_numbers_determine_the_lost_positions() {
        let mut reference = Reference::new(games::END_WYTHOFF);
        for word in [&[1][..], &[3], &[1, 2], &[2, 2], &[4, 1], &[1, 3, 1], &[2, 1, 3]] {
            let mut is_lost = |a: usize, b: usize| {
                let end = |pile: usize| (pile > 0).then_some(pile as Pile);
                let row: Vec<Pile> =
                    end(a).into_iter().chain(word.to_vec()).chain(end(b)).collect();
                reference.value(&Position::row(&row)) == 0
            };
            let r = (0..).find(|&b| is_lost(0, b)).unwrap();
            let l = (0..).find(|&a| is_lost(a, 0)).unwrap();
            for (a, b) in lost(r, l, 12) {
                assert!(is_lost(a, b), "{word:?}: {a}, {b}");
            }
        }
    }

    /// The list of Wythoff 1907: (1,2), (3,5), (4,7), (6,10), (8,13), (9,15), (11,18), (12,20).
    #[test]
    fn pairs_of_wythoff() {
        let found: Vec<(u32, u32)> = (1..=12)
            .flat_map(|a| (a..=20).map(move |b| (a, b)))
            .filter(|&(a, b)| is_pair(a, b))
            .collect();
        let printed = [(1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20)];
        assert_eq!(found, printed);
    }
}
