//! Partizan End-Nim, the second half of Albert and Nowakowski (2001).
//!
//! Our text of the paper lacks that half. The theorem here was derived again, and docs/PROOFS.md
//! proves it. It also proves the statements on classes and counts, first found by counting.

use grundy_rules::games;

use crate::checks::outcomes;
use crate::claim::{About, Claim, Paper, counting};
use crate::domain::{Domain, Size};
use crate::words::Status::TheoremHere;
use crate::words::Unit::{Counts, Positions};

pub(crate) static PAPER: Paper = Paper {
    prefix: "partizan",
    short: "Albert and Nowakowski, partizan",
    reference: "Partizan End-Nim: M. H. Albert and R. J. Nowakowski, The game of End-Nim, second \
                half (derived again)",
    notes: include_str!("../findings/partizan.md"),
};

/// Every length; about a second.
const SIZES: &[Size] = &[
    Size { max_pile: 64, length: 5 },
    Size { max_pile: 16, length: 6 },
    Size { max_pile: 8, length: 8 },
    Size { max_pile: 4, length: 11 },
    Size { max_pile: 3, length: 13 },
    Size { max_pile: 2, length: 18 },
];

const ROWS: Domain = Domain::Positions { from: 1, to: None, defaults: SIZES };

const HERE: About = About { paper: &PAPER, games: &[games::PARTIZAN_END_NIM] };

pub(crate) static CLAIMS: &[Claim] = &[
    HERE.claim(
        "partizan.thm",
        "thresholds",
        "Let l(empty) = r(empty) = 0, l(u b) = 0 if b <= r(u) and l(u) + b - r(u) otherwise, \
         and r(a u) = 0 if a <= l(u) and r(u) + a - l(u) otherwise. Left, moving first, wins a \
         w iff a > l(w); Right, moving first, wins w b iff b > r(w).",
        TheoremHere,
        ROWS,
        counting(Positions, outcomes::thresholds, outcomes::cost),
    )
    .with_reading(
        "Checked for every word x m y against who wins by the moves: Left, moving first, just \
         if x > l(m y), and Right just if y > r(x m), that is if l(x m y) > 0. So the pair (l, \
         r) of the word is (0,0) for P, (0,+) for L, (+,0) for R and (+,+) for N.",
    ),
    HERE.claim(
        "partizan.p-rows",
        "P-positions",
        "For a row v of one pile or more, a v is P iff l(v) > 0 and a = l(v); a single pile is \
         not P.",
        TheoremHere,
        ROWS,
        counting(Positions, outcomes::p_rows, outcomes::cost),
    ),
    HERE.claim(
        "partizan.even-n",
        "even lengths",
        "No row of an even number of piles is N.",
        TheoremHere,
        ROWS,
        counting(Positions, outcomes::no_even_n, outcomes::cost),
    ),
    HERE.claim(
        "partizan.odd-n",
        "odd lengths",
        "There are as many N-rows of 2m - 1 piles of at most n as P-rows of 2m - 1 and of 2m \
         such piles together.",
        TheoremHere,
        ROWS,
        counting(Counts, outcomes::odd_n, outcomes::cost),
    )
    .with_reading(
        "One count for each largest pile n and each m, as far as rows of 2m piles are looked \
         at.",
    ),
    HERE.claim(
        "partizan.sums",
        "odd lengths, a step",
        "Of the rows v of an odd number of piles of at most n, as many have l(v) > n as have \
         r(v) = 0.",
        TheoremHere,
        ROWS,
        counting(Counts, outcomes::sums, outcomes::cost),
    )
    .with_reading(
        "A step in the proof of `partizan.odd-n`. One count for each largest pile n and each \
         odd length. Whether r(v) = 0 comes from who wins by the moves, l(v) from the \
         recursion.",
    ),
];

#[cfg(test)]
mod tests {
    use crate::testing::{look, sizes};

    #[test]
    fn words_and_lengths_are_counted() {
        for (n, length) in [(1u32, 4_usize), (3, 6), (5, 4), (70, 2)] {
            let words: u64 = (1..=length as u32).map(|k| u64::from(n).pow(k)).sum();
            for (id, checked) in [
                ("partizan.thm", words),
                ("partizan.p-rows", words),
                ("partizan.odd-n", length as u64 / 2),
                ("partizan.sums", length.div_ceil(2) as u64),
            ] {
                let tally = look(id, sizes(n, length), &[]).examined.tally;
                assert_eq!((tally.checked, tally.failures), (checked, 0), "{id}");
            }
        }
    }
}
