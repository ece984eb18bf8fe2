//! C. L. Bouton, *Nim, a game with a complete mathematical theory* (1901-02).
//!
//! A combination is *safe* if, with the piles written in binary, every column has an even sum. The
//! theorems concern safe combinations and moves only, and are checked as such. Section 5, and
//! section 6 for misère play, are compared with tables computed by mex, which do not use columns.

use grundy_rules::{Game, Pile, games, nim_sum};

use crate::checks::{multisets, printed_cost};
use crate::claim::{About, Claim, Paper, counting};
use crate::domain::{Domain, Extent, Size};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;
use crate::words::Flaw;
use crate::words::Status::{OurReading, Theorem};
use crate::words::Unit::{Counts, Multisets};

pub(crate) static PAPER: Paper = Paper {
    prefix: "bouton",
    short: "Bouton",
    reference: "C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of \
                Mathematics (2) 3 (1901-02), 35-39",
    notes: include_str!("../findings/bouton.md"),
};

/// Many piles, and large piles; about a second.
const SIZES: &[Size] = &[
    Size { max_pile: 64, length: 4 },
    Size { max_pile: 20, length: 6 },
    Size { max_pile: 9, length: 8 },
    Size { max_pile: 4, length: 14 },
];

const NIM: About = About { paper: &PAPER, games: &[games::NIM] };
const MISERE: About = About { paper: &PAPER, games: &[games::MISERE_NIM] };

const ANY: Domain = Domain::Positions { from: 1, to: None, defaults: SIZES };

pub(crate) static CLAIMS: &[Claim] = &[
    NIM.claim(
        "bouton.thm1",
        "Theorem I",
        "No move leads from a safe combination to a safe one.",
        Theorem,
        ANY,
        counting(Multisets, theorem_1, multisets::cost),
    )
    .with_premise("the combination is safe"),
    NIM.claim(
        "bouton.thm2",
        "Theorem II",
        "From a safe combination of three piles, after any move, safety can be restored by \
         diminishing exactly one of the other two piles.",
        Theorem,
        Domain::Positions { from: 2, to: Some(4), defaults: &[Size { max_pile: 64, length: 4 }] },
        counting(Multisets, theorem_2, multisets::cost),
    )
    .with_reading(
        "Of three piles; with two the other pile does it, of four one or three of the others \
         (section 5 leaves the proof to the reader).",
    )
    .with_premise("the combination is safe"),
    NIM.claim(
        "bouton.chance",
        "section 3",
        "Of the combinations of three piles from 1 to 2^n - 1, 2^(n-1) (2^(2n) - 1) / 3 in \
         number, (2^(n-1) - 1) (2^n - 1) / 3 are safe: a chance of (2^(n-1) - 1) / (2^(n-1) \
         (2^n + 1)), and odds of 2^n + 2 + 3 / (2^(n-1) - 1) to 1.",
        Theorem,
        Domain::Numbers { what: "n", default: 9, most: 31 },
        counting(Counts, chance, chance_cost),
    )
    .with_reading(
        "Multisets: equal piles are allowed, and all multisets are equally likely. It is not \
         the chance of piles chosen one by one. The odds divide by zero for n = 1.",
    ),
    NIM.claim(
        "bouton.list35",
        "section 4",
        "The safe combinations of three piles below 16 are the 35 that are listed.",
        Theorem,
        Domain::Printed,
        counting(Multisets, list, printed_cost),
    ),
    NIM.claim(
        "bouton.general",
        "section 5",
        "The value of any number of piles is their nim-sum; in particular the P-positions are \
         the safe combinations.",
        Theorem,
        ANY,
        counting(Multisets, nim_sums, multisets::cost),
    )
    .with_reading(
        "The paper says who wins; that the Grundy value is the nim-sum says more, and is what \
         is checked.",
    ),
    MISERE
        .claim(
            "bouton.misere",
            "section 6",
            "If the last counter loses, a combination is safe as before, except that an odd number \
         of piles of one each is safe and an even number is not.",
            Theorem,
            ANY,
            counting(Multisets, misere, multisets::cost),
        )
        .with_reading("No pile at all is no position: whoever is to move there has won."),
    MISERE
        .claim(
            "bouton.misere-literal",
            "section 6",
            "For three piles a safe combination is defined just as in the first case, except that \
         1,1,0 is not safe, and 1,1,1 and 1,0,0 are.",
            OurReading,
            Domain::Printed,
            counting(Multisets, misere_to_the_letter, printed_cost),
        )
        .with_reading(
            "To the letter, with empty piles: only 1,1,0 and its like are taken out of the safe \
         combinations of three piles, and 1,1,1 and 1,0,0 put in. The rule at the end of the \
         section, `bouton.misere`, is what the paper means.",
        )
        .with_flaw(Flaw::Convention),
];

/// True if safe by section 2: every column of the binary numbers has an even sum.
fn is_safe(piles: &[Pile]) -> bool {
    (0..Pile::BITS).all(|column| {
        let sum: u32 = piles.iter().map(|pile| pile >> column & 1).sum();
        sum.is_multiple_of(2)
    })
}

/// True if safe by section 6. No pile is empty.
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

/// Counts the piles, except the moved one, that can be lowered so that the combination is safe.
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
                format!("after {left:?}, {restoring} of the other piles restore safety")
            });
        }
    })
}

fn chance_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let triples = 8f64.powf(f64::from(extent.bound())) / 6.0;
    let counted = if triples < u64::MAX as f64 { triples as u64 } else { u64::MAX };
    Estimate { positions: counted, cells: counted, seconds: triples * 1.5e-9, memory: 0 }
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
            let found = format!("n = {n}: {safe} of {all} are safe, the {what} differs");
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

/// Section 4, row by row as printed.
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
            let found = if is_printed { "printed, and not safe" } else { "safe, and not printed" };
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
            let found = if safe { "said to be safe" } else { "said not to be safe" };
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
        // In descending order, with empty piles at the end.
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
    // The player to move at 0,0,0 has won, as the other took the last counter: not safe.
    examined.tally.checked += 1;
    if letter([0, 0, 0]) {
        let found = "0,0,0 is called safe; but who leaves it has taken the last counter and lost";
        examined.tally.fail(games::MISERE_NIM, &[], None, || found.to_owned());
    }
    examined
}
