//! Short global nim: sections 2 and 3 of the 2008 paper in INTEGERS.

use crate::checks::g_series::{
    self,
    Reading::{NeighboursDiffer, ToTheLetter},
};
use crate::checks::single_piles::{self, light_cost};
use crate::checks::{dense, last_moves, printed_cost};
use crate::claim::{Rule, check};

pub(crate) static RULES: &[(&str, Rule)] = &[
    ("gn.thm2", check(single_piles::theorem_2, light_cost)),
    ("gn.thm3", check(last_moves::one_and_more, last_moves::cost)),
    ("gn.thm4", check(last_moves::unequal, last_moves::cost)),
    ("gn.cor5", check(last_moves::equal, last_moves::cost)),
    ("gn.thm6", check(last_moves::three_or_more, last_moves::cost)),
    ("gn.smallest-pile", check(last_moves::smallest_pile, last_moves::cost)),
    ("gn.smallest-pile.corrected", check(last_moves::smallest_pile, last_moves::cost)),
    ("gn.table1", check(dense::table_1, printed_cost)),
    ("gn.prop7", check(dense::proposition_7, dense::cost)),
    ("gn.prop8", check(dense::proposition_8, dense::cost)),
    ("gn.prop9", check(dense::proposition_9, dense::cost)),
    ("gn.cor10", check(dense::corollary_10, dense::cost)),
    ("gn.cor11", check(single_piles::corollary_11, light_cost)),
    ("gn.def12", check(|job| g_series::definition_12(job, ToTheLetter), printed_cost)),
    (
        "gn.def12.corrected",
        check(|job| g_series::definition_12(job, NeighboursDiffer), printed_cost),
    ),
    ("gn.prop13", check(g_series::proposition_13, g_series::sums_cost)),
    ("gn.thm14", check(|job| g_series::theorem_14(job, ToTheLetter), dense::cost)),
    ("gn.thm14-differ", check(|job| g_series::theorem_14(job, NeighboursDiffer), dense::cost)),
    ("gn.cor15", check(g_series::corollary_15, dense::cost)),
    ("gn.prop16", check(single_piles::proposition_16, light_cost)),
    ("gn.half-bound", check(single_piles::half_bound, light_cost)),
    ("gn.below-half", check(single_piles::below_half, light_cost)),
    ("gn.thm17", check(single_piles::theorem_17, single_piles::cost)),
    ("gn.prop19", check(|job| single_piles::proposition_19(job, false), light_cost)),
    ("gn.prop19.corrected", check(|job| single_piles::proposition_19(job, true), light_cost)),
    ("gn.prop20", check(single_piles::proposition_20, light_cost)),
    ("gn.cor21", check(single_piles::corollary_21, light_cost)),
    ("gn.three-increasing", check(single_piles::three_increasing, light_cost)),
    ("gn.once", check(single_piles::once, light_cost)),
];
