//! Checks that are written in Rust: of claims that the language of statements cannot say, and
//! faster forms of some statements. A file of claims names a check of [`NAMED`] in its field `by`.
//!
//! Each file is for one technique, not for one paper. A check reads stored values if the claim
//! covers their positions, and computes all other values; the verdict names the origin. Some checks
//! always compute, because no table stores their data:
//!
//! * the chances of Bouton's section 3;
//! * periods of rows (`rows`);
//! * winners of partizan End-Nim, computed from the moves (`outcomes`, which reads thresholds);
//! * the corollary on which stored records rely (Corollary 10 of short global nim, in `dense`);
//! * the search for families ([`crate::conjecture`]).

mod all_lengths;
mod bouton;
pub(crate) mod counts;
mod dense;
mod end_wythoff;
mod g_series;
mod outcomes;
mod printed_table;
mod records;
mod rows;
mod several_piles;
mod single_piles;
mod subsets;

use grundy_rules::Game;

use crate::claim::{By, check};
use crate::conjecture;
use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use g_series::Reading::{NeighboursDiffer, ToTheLetter};
use single_piles::light_cost;
use subsets::Reading::{EveryTerm, FirstTerm};

/// Estimates the cost of comparing a printed list or table, which takes almost no time.
fn printed_cost(_: &[Game], _: &Extent, _: &Means<'_>) -> Estimate {
    Estimate { positions: 256, ..Estimate::NOTHING }
}

static NAMED: &[(&str, By)] = &[
    ("distinct values", By::DistinctRows),
    ("chances", check(bouton::chance, bouton::chance_cost)),
    ("misere to the letter", check(bouton::misere_to_the_letter, printed_cost)),
    ("printed rows", check(printed_table::compare, printed_cost)),
    ("periods", check(rows::all_periodic, rows::cost)),
    ("periods are powers of two", check(rows::powers_of_two, rows::cost)),
    ("thresholds", check(outcomes::thresholds, outcomes::cost)),
    ("p-rows", check(outcomes::p_rows, outcomes::cost)),
    ("no even n-rows", check(outcomes::no_even_n, outcomes::cost)),
    ("odd n-rows", check(outcomes::odd_n, outcomes::cost)),
    ("sums of thresholds", check(outcomes::sums, outcomes::cost)),
    ("growth", check(end_wythoff::growth, printed_cost)),
    ("numbers of p-positions", By::Counts(counts::p_count)),
    ("zeros", By::Counts(counts::zeros)),
    ("table 1", check(dense::table_1, printed_cost)),
    ("proposition 7", check(dense::proposition_7, dense::cost)),
    ("proposition 8", check(dense::proposition_8, dense::cost)),
    ("proposition 9", check(dense::proposition_9, dense::cost)),
    ("corollary 10", check(dense::corollary_10, dense::cost)),
    ("example of g-series", check(|job| g_series::definition_12(job, ToTheLetter), printed_cost)),
    (
        "example of g-series, neighbours differ",
        check(|job| g_series::definition_12(job, NeighboursDiffer), printed_cost),
    ),
    ("longer g-series", check(g_series::proposition_13, g_series::sums_cost)),
    ("g-series", check(|job| g_series::theorem_14(job, ToTheLetter), dense::cost)),
    (
        "g-series, neighbours differ",
        check(|job| g_series::theorem_14(job, NeighboursDiffer), dense::cost),
    ),
    ("first terms of g-series", check(g_series::corollary_15, dense::cost)),
    ("theorem 2", check(single_piles::theorem_2, light_cost)),
    ("corollary 11", check(single_piles::corollary_11, light_cost)),
    ("theorem 17", check(single_piles::theorem_17, single_piles::cost)),
    ("proposition 19", check(|job| single_piles::proposition_19(job, false), light_cost)),
    ("proposition 19 but one", check(|job| single_piles::proposition_19(job, true), light_cost)),
    ("proposition 20", check(single_piles::proposition_20, light_cost)),
    ("corollary 21", check(single_piles::corollary_21, light_cost)),
    ("three increasing", check(single_piles::three_increasing, light_cost)),
    ("values that occur once", check(single_piles::once, light_cost)),
    ("theorem 23", check(subsets::theorem_23, subsets::cost)),
    ("g-series of sets", check(|job| subsets::theorem_33(job, FirstTerm), subsets::g_series_cost)),
    (
        "g-series of sets, every term",
        check(|job| subsets::theorem_33(job, EveryTerm), subsets::g_series_cost),
    ),
    ("theorem 28", check(several_piles::theorem_28, several_piles::equal_piles_cost)),
    ("proposition 29", check(several_piles::proposition_29, several_piles::cost)),
    ("proposition 30", check(several_piles::proposition_30, several_piles::cost)),
    ("proposition 30 is sharp", check(several_piles::proposition_30_is_sharp, several_piles::cost)),
    ("conjecture 34", check(conjecture::check, conjecture::cost)),
    ("automaton", check(all_lengths::values, printed_cost)),
    ("no automaton", check(all_lengths::no_values, printed_cost)),
    ("automata of p-positions", check(all_lengths::p_positions, all_lengths::cost)),
    ("partizan automata", check(all_lengths::partizan, printed_cost)),
];

/// Returns the check with a name.
pub(crate) fn named(name: &str) -> Option<By> {
    NAMED.iter().find_map(|&(known, by)| (known == name).then_some(by))
}

#[cfg(test)]
mod tests;
