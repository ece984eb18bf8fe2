//! Claims that are not about each position by itself: they compute what they
//! need, on their own.

pub(crate) mod g_series;
pub(crate) mod heaps;
pub(crate) mod last_moves;
pub(crate) mod multisets;
pub(crate) mod outcomes;
pub(crate) mod printed_table;
pub(crate) mod proof_5_1;
pub(crate) mod rows;
pub(crate) mod subsets;
pub(crate) mod three_games;

use grundy_rules::Game;

use crate::job::Extent;
use crate::plan::{Estimate, Means};

/// What comparing a printed list or table takes: nothing to speak of.
pub(crate) fn printed_cost(_: &[Game], _: &Extent, _: &Means<'_>) -> Estimate {
    Estimate { positions: 256, ..Estimate::default() }
}
