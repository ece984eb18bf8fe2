//! A. S. Fraenkel and E. Reisner, *The game of End-Wythoff* (2009).
//!
//! For every word w of one or more piles and every a >= 1 there is exactly one b >= 0 (0 means no
//! pile) such that a·w·b is a P-position. It is at most 2a + 1. docs/PROOFS.md has a proof.

use grundy_rules::Pile;

use crate::checks::small_words;
use crate::claim::{Rule, check};
use crate::job::{Examination, Job};

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("ew.wythoff", check(wythoff, small_words::position_cost)),
    ("ew.one-end", check(one_end, small_words::cost)),
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
                tally.fail(game, word, None, || format!("{zeros} right ends up to {most}"));
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wythoff 1907: (1,2), (3,5), (4,7), (6,10), (8,13), (9,15), (11,18), (12,20).
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
