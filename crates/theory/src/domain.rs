//! What a claim speaks about, and how far it is to be checked.

use std::collections::BTreeMap;

use grundy_rules::Pile;

/// Positions of at most this length, with piles of at most this size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Size {
    /// The largest pile.
    pub max_pile: Pile,
    /// The number of piles.
    pub length: usize,
}

/// What a claim speaks about, and how far it is checked when nobody says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Positions of `from` to `to` piles (no end if `None`). Each of `defaults`
    /// stands for all lengths from `from` to its own.
    Positions {
        /// The least number of piles.
        from: usize,
        /// The greatest, if there is one.
        to: Option<usize>,
        /// The sizes checked by default.
        defaults: &'static [Size],
    },
    /// Rows b -> G(a c b) with a middle of one pile c.
    Rows {
        /// a and c go to this by default.
        max_pile: Pile,
        /// b goes to this by default.
        bound: u32,
    },
    /// Whole numbers from 1 to a bound.
    Numbers {
        /// What they are, as in "n".
        what: &'static str,
        /// The bound when nobody says.
        default: u32,
        /// The largest bound.
        most: u32,
    },
    /// What the paper prints, whatever the range.
    Printed,
}

/// Every length; some seconds for the three games together.
pub(crate) const ANY_LENGTH: &[Size] = &[
    Size { max_pile: 64, length: 4 },
    Size { max_pile: 32, length: 5 },
    Size { max_pile: 16, length: 6 },
    Size { max_pile: 8, length: 8 },
    Size { max_pile: 4, length: 11 },
    Size { max_pile: 3, length: 14 },
    Size { max_pile: 2, length: 20 },
];

/// How far a claim is to be checked. A claim's domain and extent are of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Sizes(Vec<Size>),
    /// Left piles and middle piles up to `max_pile`, columns up to `bound`.
    Rows {
        max_pile: Pile,
        bound: u32,
    },
    /// Numbers, called so, from 1 to a bound.
    Numbers {
        what: &'static str,
        to: u32,
    },
    Printed,
}

/// Which kind of extent a check works on is settled where its claim is written, and each
/// claim is run by a test; so there is nothing to answer for another kind.
impl Extent {
    pub(crate) fn sizes(&self) -> &[Size] {
        let Extent::Sizes(sizes) = self else {
            unreachable!("a check of positions was given {self:?}")
        };
        sizes
    }

    pub(crate) fn bound(&self) -> u32 {
        let &Extent::Numbers { to, .. } = self else {
            unreachable!("a check of numbers was given {self:?}")
        };
        to
    }

    /// The largest left and middle pile, and the last column, of a claim about rows.
    pub(crate) fn rows(&self) -> (Pile, u32) {
        let &Extent::Rows { max_pile, bound } = self else {
            unreachable!("a check of rows was given {self:?}")
        };
        (max_pile, bound)
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
