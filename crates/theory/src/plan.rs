//! Plans: the sweeps and checks that a set of claims needs. Making a plan computes no values, so a
//! user can see the cost before the run.
//!
//! All claims about one table share its sweep. A claim about any length is checked at every length
//! up to the requested length, because short lengths take almost no time. If one size of a claim
//! contains another size, only the larger size is used. But claims about counts need every length
//! of each max pile.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::{Game, Pile, Table, TableError};
use grundy_sweep::cost::WalkCost;
use grundy_sweep::cost::price::MASK;

use crate::claim::{Check, Claim, Rule};
use crate::domain::{Domain, Extent, Size};
use crate::estimate::{Estimate, Means};
use crate::range::Range;
use crate::words::Unit;

/// An error in the claims, games or range of a plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    #[error("{claim} is not about {}; it is about {}", list(.requested), list(.games))]
    OtherGame { claim: &'static str, requested: Vec<Game>, games: &'static [Game] },
    #[error("{claim} is about positions of at least {from} piles, not of length {requested}")]
    TooShort { claim: &'static str, requested: usize, from: usize },
    #[error(transparent)]
    Table(#[from] TableError),
    #[error("{claim} is checked for {what} from 1 to a bound of at most {most}, not {to}")]
    Bound { claim: &'static str, what: &'static str, to: u32, most: u32 },
}

pub(crate) fn list(games: &[Game]) -> String {
    games.iter().map(|game| game.id()).collect::<Vec<_>>().join(", ")
}

/// The sweeps and other checks that a set of claims needs.
pub struct Plan<'a> {
    pub(crate) claims: Vec<&'a Claim>,
    pub(crate) sweeps: BTreeMap<(Game, Pile, usize), PlannedSweep>,
    pub(crate) checks: Vec<PlannedCheck>,
}

pub(crate) struct PlannedSweep {
    pub(crate) table: Table,
    /// Indices of the claims that use the sweep.
    pub(crate) claims: BTreeSet<usize>,
}

pub(crate) struct PlannedCheck {
    pub(crate) claim: usize,
    pub(crate) check: Check,
    pub(crate) games: Vec<Game>,
    pub(crate) extent: Extent,
}

const WORDS_BY_DEFAULT: u64 = 1 << 24;

impl<'a> Plan<'a> {
    /// Plans the check of `claims` over `range`. Each claim is checked for the games in `games`
    /// that it covers, or for all games that it covers if `games` is empty.
    ///
    /// # Errors
    /// [`PlanError`] if a claim covers none of the games, or no position in the range, or if a
    /// table would be too large.
    pub fn new(claims: &[&'a Claim], games: &[Game], range: &Range) -> Result<Plan<'a>, PlanError> {
        let mut plan =
            Plan { claims: claims.to_vec(), sweeps: BTreeMap::new(), checks: Vec::new() };
        for (number, claim) in claims.iter().enumerate() {
            let wanted: Vec<Game> = claim
                .games
                .iter()
                .copied()
                .filter(|game| games.is_empty() || games.contains(game))
                .collect();
            if wanted.is_empty() {
                let (claim, games, requested) = (claim.id, claim.games, games.to_vec());
                return Err(PlanError::OtherGame { claim, requested, games });
            }
            plan.add(number, claim, wanted, range)?;
        }
        Ok(plan)
    }

    fn add(
        &mut self,
        number: usize,
        claim: &Claim,
        games: Vec<Game>,
        range: &Range,
    ) -> Result<(), PlanError> {
        let extent = match claim.domain {
            Domain::Printed => Extent::Printed,
            Domain::Rows { max_pile, bound } => {
                let max_pile = range.max_pile.unwrap_or(max_pile);
                let bound = range.to.unwrap_or(bound);
                let largest = if bound == 0 { ("b", bound) } else { ("a", max_pile) };
                if let (what, to @ 0) = largest {
                    return Err(PlanError::Bound { claim: claim.id, what, to, most: Pile::MAX });
                }
                Extent::Rows { max_pile, bound }
            }
            Domain::Positions { from, to, defaults } => {
                Extent::Sizes(exact_sizes(claim, from, to, defaults, range)?)
            }
            Domain::Numbers { what, default, most } => {
                let to = range.to.unwrap_or(default);
                if !(1..=most).contains(&to) {
                    return Err(PlanError::Bound { claim: claim.id, what, to, most });
                }
                Extent::Numbers { what, to }
            }
        };
        let mut tables = Vec::new();
        if let Extent::Sizes(sizes) = &extent {
            // Create the tables for checks too. Then an invalid size is an error here, and the
            // checks need not test sizes.
            for &game in &games {
                for &Size { max_pile, length } in sizes {
                    tables.push(Table::new(game, max_pile, length)?);
                }
            }
        }
        match &claim.rule {
            Rule::Positions(_) | Rule::Zeros(_) => {
                for table in tables {
                    let key = (table.game(), table.max_pile(), table.length());
                    let fresh = || PlannedSweep { table, claims: BTreeSet::new() };
                    self.sweeps.entry(key).or_insert_with(fresh).claims.insert(number);
                }
            }
            &Rule::Check(check) => {
                self.checks.push(PlannedCheck { claim: number, check, games, extent });
            }
        }
        Ok(())
    }

    /// True if the plan has sweeps. A checkpoint contains only partial results of sweeps.
    pub fn has_sweeps(&self) -> bool {
        !self.sweeps.is_empty()
    }

    /// Returns a text that identifies the plan. Equal plans have equal texts.
    pub(crate) fn in_words(&self) -> String {
        let sweeps = self.sweeps.values().map(|PlannedSweep { table, claims }| {
            let ids: Vec<&str> = claims.iter().map(|&number| self.claims[number].id).collect();
            format!("{table}: {}", ids.join(", "))
        });
        sweeps.collect::<Vec<_>>().join("; ")
    }

    /// Estimates the cost without stored tables.
    pub fn estimate(&self, means: &Means<'_>) -> Estimate {
        let threads = means.threads.max(1) as f64;
        let sweeps = self.sweeps.values().map(|sweep| {
            let estimate = self.estimate_sweep(sweep, means);
            Estimate { seconds: estimate.seconds / threads, ..estimate }
        });
        let checks = self.checks.iter();
        let checks = checks.map(|of| (of.check.cost)(&of.games, &of.extent, means));
        sweeps.chain(checks).sum()
    }

    /// Estimates the cost of walking through one table, in seconds of one thread.
    pub(crate) fn estimate_sweep(&self, sweep: &PlannedSweep, means: &Means<'_>) -> Estimate {
        let PlannedSweep { table, claims } = sweep;
        let cost = WalkCost::of(table, means.isa, means.memory, means.threads);
        let checks: f64 = claims.iter().map(|&number| seconds(self.claims[number])).sum();
        let cells = table.cells();
        Estimate {
            positions: table.positions(),
            cells,
            seconds: cells as f64 * (cost.cell * cost.walk + checks),
            memory: cost.memory,
        }
    }
}

/// Returns the seconds per cell that a claim adds to a sweep.
fn seconds(claim: &Claim) -> f64 {
    match &claim.rule {
        Rule::Positions(statement) => statement(claim.games[0]).cost(),
        Rule::Zeros(_) => MASK,
        Rule::Check(_) => 0.0,
    }
}

fn exact_sizes(
    claim: &Claim,
    from: usize,
    to: Option<usize>,
    defaults: &[Size],
    range: &Range,
) -> Result<Vec<Size>, PlanError> {
    if let Some(requested) = range.length.filter(|&length| length < from) {
        return Err(PlanError::TooShort { claim: claim.id, requested, from });
    }
    let requested = match (range.max_pile, range.length) {
        (None, None) => None,
        (Some(max_pile), length) => {
            let length =
                length.or(to).unwrap_or_else(|| longest_by_default(claim.games[0], max_pile));
            Some(Size { max_pile, length: length.max(from) })
        }
        (None, Some(length)) => {
            let length = to.map_or(length, |to| length.min(to));
            Some(Size { max_pile: default_max_pile(length), length })
        }
    };
    let sizes: &[Size] = requested.as_ref().map_or(defaults, std::slice::from_ref);
    let counts = claim.unit() == Unit::Counts;
    let mut exact = BTreeSet::new();
    for size in sizes {
        let last = to.map_or(size.length, |to| size.length.min(to));
        // Refuse an invalid size before computing all shorter lengths.
        Table::new(claim.games[0], size.max_pile, last)?;
        let first = if counts { 1 } else { from };
        for length in first..=last {
            let covered =
                sizes.iter().any(|other| other.max_pile > size.max_pile && other.length >= length);
            if counts || !covered {
                exact.insert(Size { max_pile: size.max_pile, length });
            }
        }
    }
    Ok(exact.into_iter().collect())
}

/// Returns the default max pile for a length, which is at least 1.
fn default_max_pile(length: usize) -> Pile {
    let few = |n: Pile| {
        u64::from(n).checked_pow(length as u32).is_some_and(|words| words <= WORDS_BY_DEFAULT)
    };
    (1..2000).take_while(|&n| few(n + 1)).fold(1, |_, n| n + 1)
}

/// Returns the default length for a max pile, for claims about any length. A check takes seconds.
fn longest_by_default(game: Game, max_pile: Pile) -> usize {
    let (most, piles) = if game.is_unordered() { (1 << 24, 4) } else { (1 << 31, 8) };
    let fits = |&length: &usize| {
        Table::new(game, max_pile, length).is_ok_and(|table| table.positions() <= most)
    };
    (1..=piles).take_while(fits).last().unwrap_or(1)
}

#[cfg(test)]
mod tests;
