//! Checks of claims that are not about each position by itself.
//!
//! They stand here by technique, not by paper: one walk over multisets, over the rows of single
//! piles, or over sets of moves serves a dozen claims, some of different papers. What a claim
//! says, where it stands and how it was read is in the file of its paper.
//!
//! A check reads stored tables where the claim speaks of positions that are stored, and
//! computes the rest; the verdict says which. These compute whatever is stored, because what
//! they look at is in no table: safe combinations and the moves between them (Bouton's two
//! theorems and his chances), periods of rows (`rows`), who wins partizan End-Nim by the moves
//! (`outcomes`, where the thresholds are read), what stored records rely on themselves (Corollary
//! 10 of short global nim, in `dense`), and the search for families ([`crate::conjecture`]).

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

/// What comparing a printed list or table takes: nothing to speak of.
pub(crate) fn printed_cost(_: &[Game], _: &Extent, _: &Means<'_>) -> Estimate {
    Estimate { positions: 256, ..Estimate::NOTHING }
}

#[cfg(test)]
mod tests;
