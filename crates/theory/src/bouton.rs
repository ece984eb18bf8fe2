//! C. L. Bouton, *Nim, a game with a complete mathematical theory* (1901-02).
//!
//! Write the piles in binary. A combination is *safe* if every column has an even sum. The theorems
//! are only about safe combinations and moves, so their checks use no values. Sections 5 and 6
//! (misère play) are compared with tables, which are computed by mex and not from the columns.

use grundy_rules::{Game, Pile, games, nim_sum};
use grundy_sweep::cost::price::PREDICATE;

use crate::checks::{multisets, printed_cost};
use crate::claim::{Rule, check};
use crate::domain::{Extent, Size};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("bouton.thm1", check(theorem_1, multisets::cost)),
    ("bouton.thm2", check(theorem_2, multisets::cost)),
    ("bouton.chance", check(chance, chance_cost)),
    ("bouton.list35", check(list, printed_cost)),
    ("bouton.general", check(nim_sums, multisets::cost)),
    ("bouton.misere", check(misere, multisets::cost)),
    ("bouton.misere-literal", check(misere_to_the_letter, printed_cost)),
];

/// True if the combination is safe by section 2: every binary column has an even sum.
fn is_safe(piles: &[Pile]) -> bool {
    (0..Pile::BITS).all(|column| {
        let sum: u32 = piles.iter().map(|pile| pile >> column & 1).sum();
        sum.is_multiple_of(2)
    })
}

/// True if the combination is safe by section 6. No pile is empty.
fn is_misere_safe(piles: &[Pile]) -> bool {
    if piles.iter().all(|&pile| pile == 1) {
        !piles.len().is_multiple_of(2)
    } else {
        is_safe(piles)
    }
}

/// Returns every move from a combination: the remaining piles, and the index of the lowered pile.
fn moves(piles: &[Pile]) -> impl Iterator<Item = (Vec<Pile>, usize)> {
    (0..piles.len()).flat_map(move |at| {
        (0..piles[at]).map(move |to| {
            let mut left = piles.to_vec();
            left[at] = to;
            (left, at)
        })
    })
}

fn theorem_1(job: &Job<'_>) -> Examination {
    multisets::each_without_value(job, |tally, game, piles| {
        if !tally.given(is_safe(piles)) {
            return;
        }
        if let Some((left, _)) = moves(piles).find(|(left, _)| is_safe(left)) {
            tally.fail(game, piles, None, || format!("{left:?} is safe too"));
        }
    })
}

/// Counts the other piles that can be lowered so that the combination becomes safe again.
fn restoring(left: &mut [Pile], moved: usize) -> usize {
    let others = (0..left.len()).filter(|&other| other != moved);
    others
        .filter(|&other| {
            let before = left[other];
            let restores = (0..before).any(|lower| {
                left[other] = lower;
                is_safe(left)
            });
            left[other] = before;
            restores
        })
        .count()
}

fn theorem_2(job: &Job<'_>) -> Examination {
    multisets::each_without_value(job, |tally, game, piles| {
        if !tally.given(is_safe(piles)) {
            return;
        }
        let expected: &[usize] = if piles.len() == 4 { &[1, 3] } else { &[1] };
        let wrong = moves(piles).find_map(|(mut left, moved)| {
            let restoring = restoring(&mut left, moved);
            (!expected.contains(&restoring)).then_some((left, restoring))
        });
        if let Some((left, restoring)) = wrong {
            tally.fail(game, piles, None, || {
                format!("after {left:?}, lowering any of {restoring} other piles makes it safe")
            });
        }
    })
}

fn chance_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let triples = 8f64.powf(f64::from(extent.bound())) / 6.0;
    let counted = if triples < u64::MAX as f64 { triples as u64 } else { u64::MAX };
    Estimate { positions: counted, cells: counted, seconds: triples * PREDICATE, memory: 0 }
}

fn chance(job: &Job<'_>) -> Examination {
    Examination::by(|tally| (1..=job.bound()).try_for_each(|n| chance_to(n, job, tally)))
}

fn chance_to(n: u32, job: &Job<'_>, tally: &mut Tally) -> Result<(), Halt> {
    let below = 1u32 << n;
    let (mut all, mut safe) = (0i128, 0i128);
    for a in 1..below {
        job.control.check()?;
        let mut counted = 0;
        for b in a..below {
            for c in b..below {
                counted += 1;
                safe += i128::from(nim_sum(&[a, b, c]) == 0);
            }
        }
        all += counted;
        job.control.advance(counted as u64);
    }
    let (half, power) = (1i128 << (n - 1), 1i128 << n);
    let mut claim = |what: &str, holds: bool| {
        tally.checked += 1;
        if !holds {
            let found = format!("n = {n}: {safe} of {all} are safe, which contradicts the {what}");
            tally.fail(games::NIM, &[], None, || found);
        }
    };
    claim("number", 3 * all == half * (power * power - 1));
    claim("number of safe ones", 3 * safe == (half - 1) * (power - 1));
    claim("chance", safe * half * (power + 1) == all * (half - 1));
    if n > 1 {
        // (all - safe) / safe = 2^n + 2 + 3 / (2^(n-1) - 1)
        let odds = (power + 2) * (half - 1) + 3;
        claim("odds", (all - safe) * (half - 1) == odds * safe);
    }
    Ok(())
}

const PRINTED: &str = "\
1 2 3  2 4 6  3 4 7  4 8 12  1 4 5  2 5 7  3 5 6  4 9 13  1 6 7  2 8 10  3 8 11  4 10 14
1 8 9  2 9 11  3 9 10  4 11 15  1 10 11  2 12 14  3 12 15  1 12 13  2 13 15  3 13 14  1 14 15
5 8 13  6 8 14  7 8 15  5 9 12  6 9 15  7 9 14  5 10 15  6 10 12  7 10 13  5 11 14  6 11 13
7 11 12";

fn list(job: &Job<'_>) -> Examination {
    let numbers: Vec<Pile> = PRINTED.split_whitespace().flat_map(str::parse).collect();
    let mut printed: Vec<&[Pile]> = numbers.chunks(3).collect();
    printed.sort_unstable();
    let below_16 = [Size { max_pile: 15, length: 3 }];
    multisets::each_of(job, &below_16, |tally, game, piles, value| {
        let is_printed = printed.binary_search(&piles).is_ok();
        if is_printed != (value == 0) {
            let found = if is_printed { "printed but not safe" } else { "safe but not printed" };
            tally.fail(game, piles, Some(value), || found.to_owned());
        }
    })
}

fn nim_sums(job: &Job<'_>) -> Examination {
    multisets::each(job, |tally, game, piles, value| {
        let sum = nim_sum(piles);
        if value != sum || (value == 0) != is_safe(piles) {
            tally.fail(game, piles, Some(value), || format!("value {value}, nim-sum {sum}"));
        }
    })
}

fn misere(job: &Job<'_>) -> Examination {
    multisets::each(job, |tally, game, piles, value| {
        let safe = is_misere_safe(piles);
        if safe != (value == 0) {
            let found = if safe { "claimed to be safe" } else { "claimed not to be safe" };
            tally.fail(game, piles, Some(value), || format!("value {value}, {found}"));
        }
    })
}

fn misere_to_the_letter(job: &Job<'_>) -> Examination {
    let sizes = [1, 2, 3].map(|length| Size { max_pile: 15, length });
    let letter = |piles: [Pile; 3]| match piles {
        [1, 1, 0] => false,
        [1, 1, 1] | [1, 0, 0] => true,
        _ => is_safe(&piles),
    };
    let mut examined = multisets::each_of(job, &sizes, |tally, game, piles, value| {
        // The piles in descending order, with empty piles at the end.
        let mut three = [0; 3];
        for (pile, from) in three.iter_mut().zip(piles.iter().rev()) {
            *pile = *from;
        }
        if letter(three) != (value == 0) {
            tally.fail(game, piles, Some(value), || format!("value {value}"));
        }
    });
    if examined.stopped {
        return examined;
    }
    // 0,0,0 is not safe: the other player took the last counter, so the player to move has won.
    examined.tally.checked += 1;
    if letter([0, 0, 0]) {
        let found = "0,0,0 is called safe, but the player who leaves it has taken the last counter";
        examined.tally.fail(games::MISERE_NIM, &[], None, || found.to_owned());
    }
    examined
}
