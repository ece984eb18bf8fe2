//! The requested range of a check.

use grundy_rules::Pile;

use crate::claim::Claim;
use crate::domain::Domain;

/// The range of a check. Missing values are replaced by the defaults of each claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    pub max_pile: Option<Pile>,
    /// The number of piles. Claims about any length are checked for all lengths up to this number.
    pub length: Option<usize>,
    /// The last column for claims about rows, or the bound for claims about numbers.
    pub to: Option<u32>,
}

impl Range {
    /// Returns the name of a part of the range that no claim uses: `max_pile`, `length` or `to`.
    pub fn unused(&self, claims: &[&Claim]) -> Option<&'static str> {
        let used = |of: fn(&Domain) -> bool| claims.iter().any(|claim| of(&claim.domain));
        let of_piles =
            |domain: &Domain| matches!(domain, Domain::Positions { .. } | Domain::Rows { .. });
        let of_length = |domain: &Domain| matches!(domain, Domain::Positions { .. });
        let of_bound =
            |domain: &Domain| matches!(domain, Domain::Rows { .. } | Domain::Numbers { .. });
        match self {
            Range { max_pile: Some(_), .. } if !used(of_piles) => Some("max_pile"),
            Range { length: Some(_), .. } if !used(of_length) => Some("length"),
            Range { to: Some(_), .. } if !used(of_bound) => Some("to"),
            _ => None,
        }
    }

    /// Returns the claims that cover only shorter positions than requested, each with its largest
    /// length. A claim is checked up to that length.
    pub fn shorter<'a>(&self, claims: &[&'a Claim]) -> Vec<(&'a Claim, usize)> {
        let Some(requested) = self.length else { return Vec::new() };
        let shorter = claims.iter().filter_map(|&claim| match claim.domain {
            Domain::Positions { to: Some(to), .. } if to < requested => Some((claim, to)),
            _ => None,
        });
        shorter.collect()
    }
}
