//! Claims that are not about each position by itself: they compute what they
//! need, on their own.

pub(crate) mod printed_table;
pub(crate) mod proof_5_1;
pub(crate) mod rows;
pub(crate) mod three_games;
