//! Long global nim: sections 4 and 5 of the 2008 paper in INTEGERS.

use grundy_kernels::subsets::MAX_PILE;
use grundy_rules::games;
use grundy_triangular::MAX_BOUND;

use crate::checks::subsets::{self, Reading};
use crate::checks::{printed_cost, several_piles};
use crate::claim::{About, Claim, Paper, counting};
use crate::conjecture;
use crate::domain::Domain;

pub(crate) static PAPER: Paper = Paper {
    prefix: "lgn",
    short: "Long global nim",
    reference: "Long global nim: sections 4 and 5 of the paper on short and long global nim, \
                INTEGERS: Electronic Journal of Combinatorial Number Theory 8 (2008), #G01 (by J. James \
                and M. Schlatter: the names are from elsewhere, the text at hand has none)",
    notes: include_str!("../findings/long_global.md"),
};

const fn numbers(what: &'static str, default: u32, most: u32) -> Domain {
    Domain::Numbers { what, default, most }
}

const HERE: About = About { paper: &PAPER, games: &[games::LONG_GLOBAL_NIM] };

use crate::words::Flaw;
use crate::words::Status::{Conjecture, OurReading, Remark, Theorem, TheoremHere};
use crate::words::Unit::{Piles, Positions, Sets};

const ALL_FIT: &str = "All moves fit into the pile: j <= n, k <= n and so on. With one that does not \
                       the position is one with fewer moves.";

/// Piles whose sets of moves are all in tables.
const SETS: Domain = numbers("n", 18, MAX_PILE);

pub(crate) static CLAIMS: &[Claim] = &[
    HERE.claim(
        "lgn.thm23",
        "Theorem 23",
        "[n,{1..n-1}] is N iff n ends in an odd number of binary zeros.",
        Theorem,
        SETS,
        counting(Piles, subsets::theorem_23, subsets::cost),
    ),
    HERE.claim(
        "lgn.thm24",
        "Theorem 24",
        "With two moves i < j the position is N iff i + j > n.",
        Theorem,
        SETS,
        counting(Sets, subsets::theorem_24, subsets::cost),
    )
    .with_reading(ALL_FIT),
    HERE.claim(
        "lgn.thm25",
        "Theorem 25",
        "With three moves i < j < k the position is N iff n - k < i or n - k >= i + j.",
        Theorem,
        SETS,
        counting(Sets, subsets::theorem_25, subsets::cost),
    )
    .with_reading(ALL_FIT),
    HERE.claim(
        "lgn.thm26",
        "Theorem 26",
        "With four moves, if i is a winning move, then j is.",
        Theorem,
        SETS,
        counting(Sets, subsets::theorem_26, subsets::cost),
    )
    .with_premise("i is a winning move")
    .with_reading(ALL_FIT),
    HERE.claim(
        "lgn.thm27",
        "Theorem 27",
        "With four moves the position is N iff i + j > n, or i + j + k <= n < i + j + k + l and \
         i + j + l <= n, or i + j + k <= n < i + j + k + l and k + l > n, or i + j + l <= n < i \
         + j + k + l and k + l > n.",
        Theorem,
        SETS,
        counting(Sets, subsets::theorem_27_as_printed, subsets::cost),
    )
    .with_reading("The first clause as printed in the theorem, i + j > n; and l < n.")
    .with_flaw(Flaw::Misprint("i + l > n in the first case and k + l > n in the second, as in the last line of the proof.")),
    HERE.claim(
        "lgn.thm27.corrected",
        "Theorem 27",
        "With four moves the position is N iff i + l > n, or i + j + k <= n < k + l, or i + j + \
         l <= n < i + j + k + l.",
        Theorem,
        SETS,
        counting(Sets, subsets::theorem_27_corrected, subsets::cost),
    )
    .with_reading("All moves fit into the pile. The last line of the proof."),
    HERE.claim(
        "lgn.play-remark",
        "remark after Theorem 27",
        "In an N-position with four moves, if i + l > n take l, and otherwise j.",
        Remark,
        SETS,
        counting(Sets, subsets::play_remark, subsets::cost),
    )
    .with_premise("the position is N")
    .with_reading(ALL_FIT)
    .with_flaw(Flaw::False),
    HERE.claim(
        "lgn.five-choice",
        "list after Theorem 27",
        "With five moves i < j < k < l < m the N-positions are those of the ten cases printed.",
        Theorem,
        SETS,
        counting(Sets, subsets::five_choices, subsets::cost),
    )
    .with_reading(ALL_FIT),
    HERE.claim(
        "lgn.five-remark",
        "remark after Theorem 27",
        "With five moves i < j < k < l < m, if i is a winning move, then j or m is.",
        Remark,
        SETS,
        counting(Sets, subsets::five_remark, subsets::cost),
    )
    .with_premise("i is a winning move")
    .with_reading(ALL_FIT),
    HERE.claim(
        "lgn.thm28",
        "Theorem 28",
        "If n is odd and all piles are n, the position with {1..n} is N, and with {1..n-1} P.",
        Theorem,
        numbers("n", 31, 99),
        counting(Positions, several_piles::theorem_28, several_piles::equal_piles_cost),
    )
    .with_reading(
        "Checked with up to six piles of n <= 5, up to four of n <= 9, and one or two of larger \
         n.",
    ),
    HERE.claim(
        "lgn.prop29",
        "Proposition 29",
        "[(a,a+b), ({1..a+b} without {1..a-1}) with b] is P.",
        Theorem,
        numbers("a", 60, 1000),
        counting(Positions, several_piles::proposition_29, several_piles::cost),
    )
    .with_reading("For 1 <= b < a; the braces of the set are set as in the proof."),
    HERE.claim(
        "lgn.prop30",
        "Proposition 30",
        "If a < b <= 2a + 2, then [(a,a+b), {a..a+b}] is P.",
        Theorem,
        numbers("a", 60, 1000),
        counting(Positions, several_piles::proposition_30, several_piles::cost),
    ),
    HERE.claim(
        "lgn.prop30-sharp",
        "Proposition 30",
        "[(a,a+b), {a..a+b}] with b = 2a + 3 is N.",
        TheoremHere,
        numbers("a", 60, 1000),
        counting(Positions, several_piles::proposition_30_is_sharp, several_piles::cost),
    )
    .with_reading("Ours: the bound on b cannot be raised."),
    HERE.claim(
        "lgn.example",
        "section 5",
        "*[8,{1,3,4}] = 1.",
        Remark,
        Domain::Printed,
        counting(Sets, subsets::example, printed_cost),
    ),
    HERE.claim(
        "lgn.thm33",
        "Theorem 33",
        "*[n,S] >= m iff there are g-series for [n,S] of lengths 1 to m.",
        Theorem,
        numbers("n", 13, MAX_PILE),
        counting(Sets, |job| subsets::theorem_33(job, Reading::FirstTerm), subsets::g_series_cost),
    )
    .with_reading(
        "A g-series to the letter of Definition 31: only its first term has a condition on the \
         value of what is left.",
    ),
    HERE.claim(
        "lgn.thm33-every-term",
        "Theorem 33",
        "*[n,S] >= m iff there are g-series for [n,S] of lengths 1 to m.",
        OurReading,
        numbers("n", 13, MAX_PILE),
        counting(Sets, |job| subsets::theorem_33(job, Reading::EveryTerm), subsets::g_series_cost),
    )
    .with_reading(
        "A g-series as in short global nim: what follows the first term is a g-series too.",
    ),
    HERE.claim(
        "lgn.conj34",
        "Conjecture 34",
        "If 1 + ... + k is the largest triangular number up to n, then *[n,{1..n}] = k.",
        Conjecture,
        numbers("n", 1000, MAX_BOUND),
        counting(Piles, conjecture::check, conjecture::cost),
    )
    .with_reading(
        "An n counts as checked if it is proved by a family that the checker of certificates \
         accepts, or evaluated exactly: for these n it is proved (docs/PROOFS.md, section 7; \
         how far, and at what cost: docs/CONJECTURE.md). The paper reached 50.",
    ),
];
