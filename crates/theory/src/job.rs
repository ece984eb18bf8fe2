//! A check that a claim makes by itself, and what comes of it.

use std::collections::BTreeMap;

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile};
use grundy_sweep::Control;
use grundy_triangular::Checked;

use crate::tally::Tally;

/// Positions of at most this length, with piles of at most this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// The largest pile.
    pub max_pile: Pile,
    /// The number of piles.
    pub length: usize,
}

/// How far a claim is to be checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Exactly these sizes.
    Sizes(Vec<Size>),
    /// Left piles and middle piles up to `max_pile`, columns up to `bound`.
    Rows { max_pile: Pile, bound: u32 },
    /// Numbers, called so, from 1 to a bound.
    Numbers { what: &'static str, to: u32 },
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
    /// A certificate to go on from.
    pub(crate) certificate: Option<&'a Checked>,
    pub(crate) control: &'a Control,
}

impl Job<'_> {
    /// The sizes, none if the extent is another.
    pub(crate) fn sizes(&self) -> &[Size] {
        match self.extent {
            Extent::Sizes(sizes) => sizes,
            _ => &[],
        }
    }
}

/// For each largest pile the greatest length.
pub(crate) fn longest(sizes: &[Size]) -> BTreeMap<Pile, usize> {
    let mut longest = BTreeMap::new();
    for &Size { max_pile, length } in sizes {
        let known = longest.entry(max_pile).or_insert(length);
        *known = length.max(*known);
    }
    longest
}

/// What came of a check.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Examined {
    pub(crate) tally: Tally,
    /// Cases that the range does not decide.
    pub(crate) undecided: u64,
    /// Whether it was stopped before the end.
    pub(crate) stopped: bool,
    /// What there is to say besides, put behind the range.
    pub(crate) remark: Option<String>,
    /// The proof, as a certificate.
    pub(crate) certificate: Option<Vec<u8>>,
}
