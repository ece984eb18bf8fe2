//! Short global nim: sections 2 and 3 of the 2008 paper in INTEGERS.

use grundy_rules::games;

use crate::checks::g_series::{
    self,
    Reading::{NeighboursDiffer, ToTheLetter},
};
use crate::checks::{dense, last_moves, printed_cost, single_piles};
use crate::claim::{About, Claim, Paper, counting};
use crate::domain::{Domain, Size};

pub(crate) static PAPER: Paper = Paper {
    prefix: "gn",
    short: "Short global nim",
    reference: "Short global nim: sections 2 and 3 of the paper on short and long global nim, \
                INTEGERS: Electronic Journal of Combinatorial Number Theory 8 (2008), #G01 (by J. James \
                and M. Schlatter: the names are from elsewhere, the text at hand has none)",
    notes: include_str!("../findings/short_global.md"),
};

/// Rows of one pile that take about a second.
const ROWS: Domain =
    Domain::Numbers { what: "n", default: 1_000_000, most: grundy_rules::index::LARGEST_RECORD };
/// Rows whose cells are all computed by definition.
const CELLS: Domain = Domain::Numbers { what: "n", default: 1500, most: 1_000_000 };
const PRINTED: Domain = Domain::Printed;
const TWO: Domain =
    Domain::Positions { from: 2, to: Some(2), defaults: &[Size { max_pile: 250, length: 2 }] };
const SEVERAL: &[Size] = &[
    Size { max_pile: 120, length: 2 },
    Size { max_pile: 40, length: 3 },
    Size { max_pile: 16, length: 4 },
    Size { max_pile: 8, length: 6 },
];

const HERE: About = About { paper: &PAPER, games: &[games::SHORT_GLOBAL_NIM] };

use crate::words::Flaw;
use crate::words::Status::{Observation, OurReading, Remark, Theorem, TheoremHere};
use crate::words::Unit::{Multisets, Pairs, Piles, Positions, Sums};

pub(crate) static CLAIMS: &[Claim] = &[
    HERE.claim(
        "gn.thm2",
        "Theorem 2",
        "For k >= 1 the position (k,k) is N iff k ends in an odd number of binary zeros.",
        Theorem,
        ROWS,
        counting(Pairs, single_piles::theorem_2, single_piles::light_cost),
    ),
    HERE.claim(
        "gn.thm3",
        "Theorem 3",
        "(1,n,1) is P, and (1,n,k) with k != 1 is N.",
        Theorem,
        TWO,
        counting(Positions, last_moves::one_and_more, last_moves::cost),
    ),
    HERE.claim(
        "gn.thm4",
        "Theorem 4",
        "Two nonempty unequal piles: (m,n,1) is P, and (m,n,k) with k != 1 is N.",
        Theorem,
        TWO,
        counting(Positions, last_moves::unequal, last_moves::cost),
    ),
    HERE.claim(
        "gn.cor5",
        "Corollary 5",
        "(n,n,1) is P iff n = 1 or n ends in an odd number of binary zeros.",
        Theorem,
        TWO,
        counting(Positions, last_moves::equal, last_moves::cost),
    ),
    HERE.claim(
        "gn.thm6",
        "Theorem 6",
        "With three or more piles the position is P iff k = 1.",
        Theorem,
        Domain::Positions {
            from: 3,
            to: None,
            defaults: &[
                Size { max_pile: 40, length: 3 },
                Size { max_pile: 16, length: 4 },
                Size { max_pile: 8, length: 6 },
            ],
        },
        counting(Positions, last_moves::three_or_more, last_moves::cost),
    )
    .with_reading("The piles are not empty. A line of the proof prints P where N is meant."),
    HERE.claim(
        "gn.smallest-pile",
        "remark after Theorem 6",
        "The winning move is to take one from the smallest pile, if it has more than one.",
        Remark,
        Domain::Positions { from: 1, to: None, defaults: SEVERAL },
        counting(Multisets, last_moves::smallest_pile, last_moves::cost),
    )
    .with_reading(
        "k != 1, so that the move is allowed; of a single pile too. For each k it is the same \
         move, so a multiset counts once.",
    )
    .with_flaw(Flaw::Convention),
    HERE.claim(
        "gn.smallest-pile.corrected",
        "remark after Theorem 6",
        "With two or more piles and k != 1, to take one from the smallest pile wins, if it has \
         more than one.",
        TheoremHere,
        Domain::Positions { from: 2, to: None, defaults: SEVERAL },
        counting(Multisets, last_moves::smallest_pile, last_moves::cost),
    ),
    HERE.claim(
        "gn.table1",
        "Table 1",
        "The values *(n,k) for n, k = 0 to 9 are those printed.",
        Observation,
        PRINTED,
        counting(Pairs, dense::table_1, printed_cost),
    )
    .with_flaw(Flaw::Misprint("*(9,9) is 0.")),
    HERE.claim(
        "gn.prop7",
        "Proposition 7",
        "g(n) >= *(n,k).",
        Theorem,
        CELLS,
        counting(Pairs, dense::proposition_7, dense::cost),
    )
    .with_reading("Checked for k up to n + 2."),
    HERE.claim(
        "gn.prop8",
        "Proposition 8",
        "*(n,k) = g(n) if k > n.",
        Theorem,
        CELLS,
        counting(Pairs, dense::proposition_8, dense::cost),
    )
    .with_reading("Checked for k = n + 1 and k = n + 2."),
    HERE.claim(
        "gn.prop9",
        "Proposition 9",
        "*(n,k) = g(n) iff *(n-k,k) > g(n) or *(n-k,k) = *(n-j,j) for some j != k.",
        Theorem,
        Domain::Numbers { what: "n", default: 400, most: 1_000_000 },
        counting(Pairs, dense::proposition_9, dense::cost),
    )
    .with_reading("For 1 <= k <= n."),
    HERE.claim(
        "gn.cor10",
        "Corollary 10",
        "If *(n,k) != g(n), then *(n,k) = *(n-k,k).",
        Theorem,
        CELLS,
        counting(Pairs, dense::corollary_10, dense::cost),
    )
    .with_premise("*(n,k) != g(n)"),
    HERE.claim(
        "gn.cor11",
        "Corollary 11",
        "g(n) <= mex(g(0), ..., g(n-1)).",
        Theorem,
        ROWS,
        counting(Piles, single_piles::corollary_11, single_piles::light_cost),
    ),
    HERE.claim(
        "gn.def12",
        "example after Definition 12",
        "The only g-series for (6,0) are 6, 5+1, 4+2, 1+2+1+2 and 2+1+2+1.",
        OurReading,
        PRINTED,
        counting(Sums, |job| g_series::definition_12(job, ToTheLetter), printed_cost),
    )
    .with_reading(
        "To the letter of the definition, which the example does not keep to: a term may equal \
         the one before it.",
    )
    .with_flaw(Flaw::Convention),
    HERE.claim(
        "gn.def12.corrected",
        "example after Definition 12",
        "The only g-series for (6,0) in which neighbours differ are 6, 5+1, 4+2, 1+2+1+2 and \
         2+1+2+1.",
        Remark,
        PRINTED,
        counting(Sums, |job| g_series::definition_12(job, NeighboursDiffer), printed_cost),
    )
    .with_reading("Neighbouring terms must differ."),
    HERE.claim(
        "gn.prop13",
        "Proposition 13",
        "A g-series for (n-j,j) of length *(n-j,j), with j put before it, is a g-series for \
         (n,k), k != j.",
        Theorem,
        Domain::Numbers { what: "n", default: 16, most: 1_000_000 },
        counting(Sums, g_series::proposition_13, g_series::sums_cost),
    ),
    HERE.claim(
        "gn.thm14",
        "Theorem 14",
        "For k != n and m > 0, *(n,k) >= m iff there are g-series for (n,k) of lengths 1 to m.",
        Theorem,
        Domain::Numbers { what: "n", default: 1000, most: 1_000_000 },
        counting(Pairs, |job| g_series::theorem_14(job, ToTheLetter), dense::cost),
    )
    .with_reading("g-series to the letter of Definition 12."),
    HERE.claim(
        "gn.thm14-differ",
        "Theorem 14",
        "For k != n and m > 0, *(n,k) >= m iff there are g-series for (n,k) of lengths 1 to m.",
        OurReading,
        Domain::Numbers { what: "n", default: 1000, most: 1_000_000 },
        counting(Pairs, |job| g_series::theorem_14(job, NeighboursDiffer), dense::cost),
    )
    .with_reading(
        "g-series in which neighbouring terms differ, as the example has them and no definition \
         says.",
    )
    .with_flaw(Flaw::Convention),
    HERE.claim(
        "gn.cor15",
        "Corollary 15",
        "If *(n,k) = p < g(n), all g-series for (n,0) of length p + 1 begin with k.",
        Theorem,
        Domain::Numbers { what: "n", default: 1000, most: 1_000_000 },
        counting(Pairs, g_series::corollary_15, dense::cost),
    )
    .with_premise("*(n,k) < g(n)"),
    HERE.claim(
        "gn.prop16",
        "Proposition 16",
        "g(n) <= 2n/3 if 3 divides n, and g(n) <= 2 floor(n/3) + 1 otherwise.",
        Theorem,
        ROWS,
        counting(Piles, single_piles::proposition_16, single_piles::light_cost),
    ),
    HERE.claim(
        "gn.half-bound",
        "remark before Theorem 17",
        "g(n) <= n/2 + 2 for even n, and g(n) <= (n-1)/2 + 3 for odd n.",
        Observation,
        ROWS,
        counting(Piles, single_piles::half_bound, single_piles::light_cost),
    ),
    HERE.claim(
        "gn.below-half",
        "more than the remark before Theorem 17",
        "g(n) < n/2 for n > 146.",
        Observation,
        ROWS,
        counting(Piles, single_piles::below_half, single_piles::light_cost),
    )
    .with_reading("Ours; the paper observed the weaker bound up to n = 1000."),
    HERE.claim(
        "gn.thm17",
        "Theorem 17",
        "If *(n,0) = *(n,k), then g(n+k) != g(n).",
        Theorem,
        ROWS,
        counting(Pairs, single_piles::theorem_17, single_piles::cost),
    )
    .with_premise("*(n,0) = *(n,k)")
    .with_reading("For k >= 1. All pairs (n,k) with n + k up to the bound."),
    HERE.claim(
        "gn.prop19",
        "Proposition 19",
        "For all m >= 2 f(v) + 1, *(m,k) != v.",
        Theorem,
        ROWS,
        counting(Pairs, |job| single_piles::proposition_19(job, false), single_piles::light_cost),
    )
    .with_reading("f(v) is the least n with g(n) = v.")
    .with_flaw(Flaw::False),
    HERE.claim(
        "gn.prop19.corrected",
        "Proposition 19",
        "For all m >= 2 f(v) + 1, g(m) != v, and *(m,k) = v only for k = m - f(v).",
        TheoremHere,
        ROWS,
        counting(Pairs, |job| single_piles::proposition_19(job, true), single_piles::light_cost),
    ),
    HERE.claim(
        "gn.prop20",
        "Proposition 20",
        "If g(n+1) > g(n), then g(n) = *(n,1), or g(n) <= g(m) for some m < n.",
        Theorem,
        ROWS,
        counting(Piles, single_piles::proposition_20, single_piles::light_cost),
    )
    .with_premise("g(n+1) > g(n)"),
    HERE.claim(
        "gn.cor21",
        "Corollary 21",
        "If g(n+1) > g(n) and g(n) is the unique maximum of g(0), ..., g(n), then g(n+2) <= \
         g(n+1).",
        Theorem,
        ROWS,
        counting(Piles, single_piles::corollary_21, single_piles::light_cost),
    )
    .with_premise("g(n+1) > g(n), and g(n) is the unique maximum"),
    HERE.claim(
        "gn.three-increasing",
        "remark after Corollary 21",
        "The sequence g(0), g(1), ... has at most three consecutive increasing terms.",
        Remark,
        ROWS,
        counting(Piles, single_piles::three_increasing, single_piles::light_cost),
    )
    .with_flaw(Flaw::False),
];
