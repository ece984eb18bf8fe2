//! Checks of claims that cannot be checked at each position separately.
//!
//! Each file is for one technique, not for one paper. For example, one pass over multisets serves a
//! dozen claims of several papers. The file of each paper has the statements, their places in the
//! paper and their interpretations.
//!
//! A check reads stored values if the claim covers their positions, and computes all other values;
//! the verdict names the origin. Some checks always compute, because no table stores their data:
//!
//! * safe combinations and the moves between them (Bouton's theorems, and his section on chances);
//! * periods of rows (`rows`);
//! * winners of partizan End-Nim, computed from the moves (`outcomes`, which reads thresholds);
//! * the corollary on which stored records rely (Corollary 10 of short global nim, in `dense`);
//! * the search for families ([`crate::conjecture`]).

pub(crate) mod dense;
pub(crate) mod g_series;
pub(crate) mod last_moves;
pub(crate) mod levels;
pub(crate) mod multisets;
pub(crate) mod outcomes;
pub(crate) mod printed_table;
pub(crate) mod proof_5_1;
pub(crate) mod records;
pub(crate) mod rows;
pub(crate) mod several_piles;
pub(crate) mod single_piles;
pub(crate) mod small_words;
pub(crate) mod subsets;
pub(crate) mod three_games;

use grundy_rules::Game;

use crate::domain::Extent;
use crate::estimate::{Estimate, Means};

/// Estimates the cost of comparing a printed list or table, which takes almost no time.
pub(crate) fn printed_cost(_: &[Game], _: &Extent, _: &Means<'_>) -> Estimate {
    Estimate { positions: 256, ..Estimate::NOTHING }
}

#[cfg(test)]
mod tests;
