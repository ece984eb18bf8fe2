//! Domains of claims, and the extent of a check.

use std::collections::BTreeMap;

use grundy_rules::Pile;

/// A bound on positions: at most this number of piles, each of at most this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    pub max_pile: Pile,
    pub length: usize,
}

/// The cases that a claim covers, and the default extent of its check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Positions of `from` to `to` piles (unbounded if `None`). Each default size covers all
    /// lengths from `from` to its own length.
    Positions { from: usize, to: Option<usize>, defaults: Vec<Size> },
    /// Rows b -> G(a c b) with a middle of one pile c.
    Rows {
        /// Default bound of a and c.
        max_pile: Pile,
        /// Default bound of b.
        bound: u32,
    },
    /// Whole numbers from 1 to a bound.
    Numbers {
        /// The name of the numbers, such as "n".
        what: String,
        default: u32,
        most: u32,
    },
    /// The text printed in the paper, independent of any range. Its positions have this size.
    Printed(Option<Size>),
    /// Positions; a user need give neither the lengths nor the largest pile.
    Usual { lengths: Option<(usize, usize)>, max_pile: Option<Pile> },
}

/// Default sizes for claims about every length. They take a few seconds for the three games
/// together.
pub(crate) const ANY_LENGTH: &[Size] = &[
    Size { max_pile: 64, length: 4 },
    Size { max_pile: 32, length: 5 },
    Size { max_pile: 16, length: 6 },
    Size { max_pile: 8, length: 8 },
    Size { max_pile: 4, length: 11 },
    Size { max_pile: 3, length: 14 },
    Size { max_pile: 2, length: 20 },
];

/// The extent of a check, which is of the same kind as the domain of its claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extent {
    Sizes(Vec<Size>),
    /// Left and middle piles up to `max_pile`, and columns up to `bound`.
    Rows {
        max_pile: Pile,
        bound: u32,
    },
    Numbers {
        what: String,
        to: u32,
    },
    Printed,
}

/// Each method below accepts only extents of one kind. A wrong kind is a defect of a claim, which
/// tests find, because they run every claim.
impl Extent {
    pub(crate) fn sizes(&self) -> &[Size] {
        let Extent::Sizes(sizes) = self else {
            unreachable!("a check of positions was given {self:?}")
        };
        sizes
    }

    pub(crate) fn bound(&self) -> u32 {
        let Extent::Numbers { to, .. } = *self else {
            unreachable!("a check of numbers was given {self:?}")
        };
        to
    }

    pub(crate) fn rows(&self) -> (Pile, u32) {
        let Extent::Rows { max_pile, bound } = *self else {
            unreachable!("a check of rows was given {self:?}")
        };
        (max_pile, bound)
    }
}

/// Returns the maximum length for each largest pile.
pub(crate) fn longest(sizes: &[Size]) -> BTreeMap<Pile, usize> {
    let mut longest = BTreeMap::new();
    for &Size { max_pile, length } in sizes {
        let known = longest.entry(max_pile).or_insert(length);
        *known = length.max(*known);
    }
    longest
}
