//! Claims that are not about each position by itself: they compute what they
//! need, on their own.

pub(crate) mod printed_table;
pub(crate) mod proof_5_1;
pub(crate) mod rows;
pub(crate) mod three_games;

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile};
use grundy_sweep::Control;

use crate::claim::Size;
use crate::tally::Tally;

/// How far a claim is to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Exactly these sizes.
    Sizes(Vec<Size>),
    /// Left piles and middle piles up to `max_pile`, columns up to `bound`.
    Rows { max_pile: Pile, bound: u32 },
    /// What is printed.
    Printed,
}

/// A check to be made.
pub(crate) struct Job<'a> {
    /// The games that were asked for, of those the claim speaks about.
    pub(crate) games: &'a [Game],
    pub(crate) extent: &'a Extent,
    pub(crate) isa: Isa,
    pub(crate) memory: u64,
    pub(crate) control: &'a Control,
}

impl Job<'_> {
    /// The sizes, none if the extent is another.
    fn sizes(&self) -> &[Size] {
        match self.extent {
            Extent::Sizes(sizes) => sizes,
            _ => &[],
        }
    }
}

/// What came of a check.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Examined {
    pub(crate) tally: Tally,
    /// Cases that the range does not decide.
    pub(crate) undecided: u64,
    /// Whether it was stopped before the end.
    pub(crate) stopped: bool,
}
