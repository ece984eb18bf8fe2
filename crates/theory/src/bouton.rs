//! C. L. Bouton, *Nim, a game with a complete mathematical theory* (1901-02).
//!
//! A combination is *safe* if, with the piles written in binary, every column has an even
//! sum. The theorems speak of safe combinations and moves alone and are checked as that;
//! section 5, and section 6 for misère play, are compared with tables made by mex, which
//! know nothing of columns.

use grundy_rules::{Game, Pile, nim};

use crate::claim::{Claim, Domain, Paper, Rule, Status, Truth, Whole};
use crate::job::{Examined, Extent, Job, Size};
use crate::plan::{Estimate, Means};
use crate::whole::{multisets, printed_cost};

pub(crate) static PAPER: Paper = Paper {
    prefix: "bouton",
    reference: "C. L. Bouton, Nim, a game with a complete mathematical theory, Annals of \
                Mathematics (2) 3 (1901-02), 35-39",
};

/// Many piles, and large ones; a second or so.
const SIZES: &[Size] = &[
    Size { max_pile: 64, length: 4 },
    Size { max_pile: 20, length: 6 },
    Size { max_pile: 9, length: 8 },
    Size { max_pile: 4, length: 14 },
];

const fn claim(
    id: &'static str,
    number: &'static str,
    statement: &'static str,
    domain: Domain,
    whole: Whole,
) -> Claim {
    Claim {
        id,
        paper: &PAPER,
        number,
        statement,
        reading: None,
        games: &[Game::Nim],
        domain,
        status: Status::Theorem,
        expected: Truth::Holds,
        rule: Rule::Whole(whole),
    }
}

pub(crate) static CLAIMS: &[Claim] = &[
    claim(
        "bouton.thm1",
        "Theorem I",
        "No move leads from a safe combination to a safe one.",
        Domain::Positions { from: 1, to: None, defaults: SIZES },
        Whole { check: theorem_1, cost: multisets::cost },
    ),
    Claim {
        reading: Some(
            "Of three piles; with two the other pile does it, of four one or three of the \
             others (section 5 leaves the proof to the reader).",
        ),
        ..claim(
            "bouton.thm2",
            "Theorem II",
            "From a safe combination of three piles, after any move, safety can be restored \
             by diminishing exactly one of the other two piles.",
            Domain::Positions {
                from: 2,
                to: Some(4),
                defaults: &[Size { max_pile: 64, length: 4 }],
            },
            Whole { check: theorem_2, cost: multisets::cost },
        )
    },
    Claim {
        reading: Some(
            "Multisets: equal piles are allowed, and all multisets are equally likely. It is not \
             the chance of piles chosen one by one. The odds divide by zero for n = 1.",
        ),
        ..claim(
            "bouton.chance",
            "section 3",
            "Of the combinations of three piles below 2^n, 2^(n-1) (2^(2n) - 1) / 3 in number, \
             (2^(n-1) - 1) (2^n - 1) / 3 are safe: a chance of (2^(n-1) - 1) / (2^(n-1) (2^n + \
             1)), and odds of 2^n + 2 + 3 / (2^(n-1) - 1) to 1.",
            Domain::Numbers { what: "n", default: 9, most: 64 },
            Whole { check: chance, cost: chance_cost },
        )
    },
    claim(
        "bouton.list35",
        "section 4",
        "The safe combinations of three piles below 16 are the 35 that are listed.",
        Domain::Printed,
        Whole { check: list, cost: printed_cost },
    ),
    Claim {
        reading: Some(
            "The paper says who wins; that the Grundy value is the nim-sum says more, and is \
             what is checked.",
        ),
        ..claim(
            "bouton.general",
            "section 5",
            "The value of any number of piles is their nim-sum; in particular the \
             P-positions are the safe combinations.",
            Domain::Positions { from: 1, to: None, defaults: SIZES },
            Whole { check: nim_sums, cost: multisets::cost },
        )
    },
    Claim {
        games: &[Game::MisereNim],
        reading: Some("No pile at all is no position: whoever is to move there has won."),
        ..claim(
            "bouton.misere",
            "section 6",
            "If the last counter loses, a combination is safe as before, except that an odd \
             number of piles of one each is safe and an even number is not.",
            Domain::Positions { from: 1, to: None, defaults: SIZES },
            Whole { check: misere, cost: multisets::cost },
        )
    },
    Claim {
        games: &[Game::MisereNim],
        reading: Some(
            "To the letter, with empty piles: only 1,1,0 and its like are taken out of the safe \
             combinations of three piles, and 1,1,1 and 1,0,0 put in.",
        ),
        expected: Truth::Fails,
        ..claim(
            "bouton.misere-literal",
            "section 6",
            "For three piles a safe combination is defined just as in the first case, except \
             that 1,1,0 is not safe, and 1,1,1 and 1,0,0 are.",
            Domain::Printed,
            Whole { check: misere_to_the_letter, cost: printed_cost },
        )
    },
];

/// Safe as section 2 says: every column of the binary numbers has an even sum.
fn is_safe(piles: &[Pile]) -> bool {
    (0..Pile::BITS).all(|column| {
        let sum: u32 = piles.iter().map(|pile| pile >> column & 1).sum();
        sum.is_multiple_of(2)
    })
}

/// Safe as section 6 says, of piles that are not empty.
fn is_misere_safe(piles: &[Pile]) -> bool {
    if piles.iter().all(|&pile| pile == 1) {
        !piles.len().is_multiple_of(2)
    } else {
        is_safe(piles)
    }
}

fn theorem_1(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let mut left = Vec::new();
    multisets::each(job, &mut examined, |examined, game, piles, _| {
        if !is_safe(piles) {
            return;
        }
        for at in 0..piles.len() {
            for to in 0..piles[at] {
                left.clear();
                left.extend_from_slice(piles);
                left[at] = to;
                if is_safe(&left) {
                    examined.tally.fail(game, piles, None, || format!("{left:?} is safe too"));
                }
            }
        }
    });
    examined
}

fn theorem_2(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let mut left = Vec::new();
    multisets::each(job, &mut examined, |examined, game, piles, _| {
        if !is_safe(piles) {
            return;
        }
        for at in 0..piles.len() {
            for to in 0..piles[at] {
                left.clear();
                left.extend_from_slice(piles);
                left[at] = to;
                // Diminish another pile in every way.
                let mut restoring = 0;
                for other in (0..piles.len()).filter(|&other| other != at) {
                    let before = left[other];
                    restoring += usize::from((0..before).any(|lower| {
                        left[other] = lower;
                        is_safe(&left)
                    }));
                    left[other] = before;
                }
                let expected: &[usize] = if piles.len() == 4 { &[1, 3] } else { &[1] };
                if !expected.contains(&restoring) {
                    examined.tally.fail(game, piles, None, || {
                        format!("after {left:?}, {restoring} of the other piles restore safety")
                    });
                }
            }
        }
    });
    examined
}

/// Counts all multisets of three piles below 2^n.
fn chance_cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let Extent::Numbers { to, .. } = extent else { return Estimate::default() };
    let triples = 8f64.powf(f64::from(*to)) / 6.0;
    let counted = if triples < u64::MAX as f64 { triples as u64 } else { u64::MAX };
    Estimate { positions: counted, cells: counted, seconds: triples * 1.5e-9, memory: 0 }
}

fn chance(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let &Extent::Numbers { to, .. } = job.extent else { return examined };
    for n in 1..=to {
        let below = 1u32 << n;
        let (mut all, mut safe) = (0i128, 0i128);
        for a in 1..below {
            if job.control.is_stopped() {
                examined.stopped = true;
                return examined;
            }
            let mut counted = 0;
            for b in a..below {
                for c in b..below {
                    counted += 1;
                    safe += i128::from(nim::nim_sum(&[a, b, c]) == 0);
                }
            }
            all += counted;
            job.control.advance(counted as u64);
        }
        let (half, power) = (1i128 << (n - 1), 1i128 << n);
        let mut claim = |what: &str, holds: bool| {
            examined.tally.checked += 1;
            if !holds {
                let found = format!("n = {n}: {safe} of {all} are safe, the {what} differs");
                examined.tally.fail(Game::Nim, &[], None, || found);
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
    }
    examined
}

/// Section 4, row by row as printed.
const PRINTED: &str = "\
1 2 3  2 4 6  3 4 7  4 8 12  1 4 5  2 5 7  3 5 6  4 9 13  1 6 7  2 8 10  3 8 11  4 10 14
1 8 9  2 9 11  3 9 10  4 11 15  1 10 11  2 12 14  3 12 15  1 12 13  2 13 15  3 13 14  1 14 15
5 8 13  6 8 14  7 8 15  5 9 12  6 9 15  7 9 14  5 10 15  6 10 12  7 10 13  5 11 14  6 11 13
7 11 12";

fn list(job: &Job<'_>) -> Examined {
    let numbers: Vec<Pile> = PRINTED.split_whitespace().flat_map(str::parse).collect();
    let mut printed: Vec<&[Pile]> = numbers.chunks(3).collect();
    printed.sort_unstable();
    let mut examined = Examined::default();
    let sizes = Extent::Sizes(vec![Size { max_pile: 15, length: 3 }]);
    let table = Job { extent: &sizes, ..*job };
    multisets::each(&table, &mut examined, |examined, game, piles, value| {
        let is_printed = printed.binary_search(&piles).is_ok();
        if is_printed != (value == 0) {
            let found = if is_printed { "printed, and not safe" } else { "safe, and not printed" };
            examined.tally.fail(game, piles, Some(value), || found.to_owned());
        }
    });
    examined
}

fn nim_sums(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    multisets::each(job, &mut examined, |examined, game, piles, value| {
        let sum = nim::nim_sum(piles);
        if value != sum || (value == 0) != is_safe(piles) {
            examined
                .tally
                .fail(game, piles, Some(value), || format!("value {value}, nim-sum {sum}"));
        }
    });
    examined
}

fn misere(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    multisets::each(job, &mut examined, |examined, game, piles, value| {
        let safe = is_misere_safe(piles);
        if safe != (value == 0) {
            let found = if safe { "said to be safe" } else { "said not to be safe" };
            examined.tally.fail(game, piles, Some(value), || format!("value {value}, {found}"));
        }
    });
    examined
}

fn misere_to_the_letter(job: &Job<'_>) -> Examined {
    let mut examined = Examined::default();
    let sizes = [1, 2, 3].map(|length| Size { max_pile: 15, length });
    let extent = Extent::Sizes(sizes.to_vec());
    let table = Job { extent: &extent, ..*job };
    let letter = |piles: [Pile; 3]| match piles {
        [1, 1, 0] => false,
        [1, 1, 1] | [1, 0, 0] => true,
        _ => is_safe(&piles),
    };
    multisets::each(&table, &mut examined, |examined, game, piles, value| {
        // In descending order, with empty piles at the end.
        let mut three = [0; 3];
        for (pile, from) in three.iter_mut().zip(piles.iter().rev()) {
            *pile = *from;
        }
        if letter(three) != (value == 0) {
            examined.tally.fail(game, piles, Some(value), || format!("value {value}"));
        }
    });
    if examined.stopped {
        return examined;
    }
    // The player to move at 0,0,0 has won, for the other took the last counter: not safe.
    examined.tally.checked += 1;
    if letter([0, 0, 0]) {
        let found = "0,0,0 is called safe; but who leaves it has taken the last counter and lost";
        examined.tally.fail(Game::MisereNim, &[], None, || found.to_owned());
    }
    examined
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Position;
    use grundy_rules::reference::Reference;

    #[test]
    fn the_list_is_a_list_of_35() {
        assert_eq!(PRINTED.split_whitespace().count(), 3 * 35);
    }

    /// The rules for safety against the reference, and their wrong neighbours.
    #[test]
    fn safety_on_the_reference() {
        let mut normal = Reference::new(Game::Nim);
        let mut misere = Reference::new(Game::MisereNim);
        let (mut plain_fails, mut parity_fails) = (0, 0);
        for a in 1..=6 {
            for b in a..=6 {
                for c in b..=6 {
                    for piles in [&[a][..], &[a, b], &[a, b, c], &[a, a, b, c]] {
                        let mut piles = piles.to_vec();
                        piles.sort_unstable();
                        let position = Position::new(piles.clone()).unwrap();
                        assert_eq!(is_safe(&piles), normal.value(&position) == 0, "{position}");
                        let safe = misere.value(&position) == 0;
                        assert_eq!(is_misere_safe(&piles), safe, "{position}");
                        plain_fails += u32::from(is_safe(&piles) != safe);
                        let all_ones = piles.iter().all(|&pile| pile == 1);
                        let other = all_ones && piles.len() % 2 == 0 || is_safe(&piles);
                        parity_fails += u32::from(other != safe);
                    }
                }
            }
        }
        assert!(plain_fails > 0 && parity_fails > 0);
    }
}
