//! What a claim is.
//!
//! A claim is a statement of a paper in a form that can be checked: whom it
//! is by, what it says in plain words, which games and positions it speaks
//! about, and a rule that compares it with values. The *expected* verdict stands
//! beside it, taken from what was known when it was entered; it is never
//! consulted when the verdict is computed, so a surprise shows.
//!
//! The rule of a claim is of one of three kinds:
//!
//! ```text
//! Positions   each position by itself        one sweep serves all of them, tile by tile
//! Zeros       how many zeros a table has     the same sweep counts them
//! Check       anything else                  a function of its own (see `checks`), which
//!                                            reads stored tables and computes the rest
//! ```
//!
//! # What is counted
//!
//! A claim names the [`Unit`] of what it is checked for one by one, and its verdict counts
//! in that: how many were checked, and how many of them fail. An implication names its
//! *premise* too. Where that is false the implication says nothing, so how often it was true is
//! part of the verdict: "if the position is P, then ..." on a range without P-positions holds, and
//! is worth nothing. A condition that decides whom the claim speaks about ("two unequal
//! piles") is no premise: cases without it are not counted at all.

use grundy_rules::{Game, Pile};

use crate::domain::{Domain, Extent};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::statement::Statement;
use crate::words::{Flaw, Status, Truth, Unit};

/// A paper, or ourselves.
#[derive(Debug, PartialEq, Eq)]
pub struct Paper {
    /// What the ids of its claims begin with, without the dot.
    pub prefix: &'static str,
    /// What it is called in a table.
    pub short: &'static str,
    /// Authors, title, where it appeared.
    pub reference: &'static str,
    /// What the tables say about it beyond its claims, as Markdown.
    pub notes: &'static str,
}

pub(crate) enum Rule {
    /// About each position by itself.
    Positions(fn(Game) -> Statement),
    /// The number of zeros among the words of `length` piles of at most n, given
    /// the numbers for all shorter lengths (`below[k - 1]` for k piles). `None`:
    /// nothing is said about this length.
    Zeros(fn(Game, n: u64, length: usize, below: &[u64]) -> Option<i128>),
    /// Anything else.
    Check(Check),
}

#[derive(Clone, Copy)]
pub(crate) struct Check {
    pub(crate) run: fn(&Job<'_>) -> Examination,
    pub(crate) cost: Cost,
    pub(crate) unit: Unit,
}

pub(crate) const fn counting(unit: Unit, run: fn(&Job<'_>) -> Examination, cost: Cost) -> Rule {
    Rule::Check(Check { run, cost, unit })
}

/// What a check would take, if nothing is stored.
pub(crate) type Cost = fn(&[Game], &Extent, &Means<'_>) -> Estimate;

/// A statement of a paper, as something to check.
pub struct Claim {
    /// What it is called: the paper's prefix, a dot, the statement.
    pub id: &'static str,
    /// Where it stands.
    pub paper: &'static Paper,
    /// Its number there, as in "Theorem 5.1".
    pub number: &'static str,
    /// What it says, in plain words.
    pub statement: &'static str,
    /// How it was read, where the print leaves a choice or says something else.
    pub reading: Option<&'static str>,
    /// The games it speaks about.
    pub games: &'static [Game],
    /// The positions it speaks about.
    pub domain: Domain,
    /// The premise, if it is an implication whose premise can be false.
    pub premise: Option<&'static str>,
    /// How sure the source is.
    pub status: Status,
    /// The flaw, if it is known to fail.
    pub flaw: Option<Flaw>,
    pub(crate) rule: Rule,
}

pub(crate) struct About {
    pub(crate) paper: &'static Paper,
    pub(crate) games: &'static [Game],
}

impl About {
    /// A claim that is read as it stands and expected to hold.
    pub(crate) const fn claim(
        &self,
        id: &'static str,
        number: &'static str,
        statement: &'static str,
        status: Status,
        domain: Domain,
        rule: Rule,
    ) -> Claim {
        Claim {
            id,
            paper: self.paper,
            number,
            statement,
            reading: None,
            games: self.games,
            domain,
            premise: None,
            status,
            flaw: None,
            rule,
        }
    }
}

impl std::fmt::Debug for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Claim({})", self.id)
    }
}

impl Claim {
    /// Returns the verdict that is expected.
    pub fn expected(&self) -> Truth {
        if self.flaw.is_some() { Truth::Fails } else { Truth::Holds }
    }

    /// The claim, known to fail.
    pub(crate) const fn with_flaw(self, flaw: Flaw) -> Claim {
        Claim { flaw: Some(flaw), ..self }
    }

    /// The claim, read in some way.
    pub(crate) const fn with_reading(self, reading: &'static str) -> Claim {
        Claim { reading: Some(reading), ..self }
    }

    /// The claim, which says something only if its premise is true.
    pub(crate) const fn with_premise(self, premise: &'static str) -> Claim {
        Claim { premise: Some(premise), ..self }
    }

    /// What is counted of it.
    pub fn unit(&self) -> Unit {
        match &self.rule {
            Rule::Positions(_) => Unit::Positions,
            Rule::Zeros(_) => Unit::Counts,
            Rule::Check(check) => check.unit,
        }
    }

    /// Whether it says anything about a game.
    pub fn speaks_of(&self, game: Game) -> bool {
        self.games.contains(&game)
    }

    /// The lengths of the positions it speaks about, up to `length`. Empty if it
    /// is about none of them; a claim about rows or print has no lengths.
    pub fn lengths_to(&self, length: usize) -> std::ops::Range<usize> {
        match self.domain {
            Domain::Positions { from, to, .. } => {
                from..to.map_or(length, |to| to.min(length)).max(from - 1) + 1
            }
            Domain::Rows { .. } | Domain::Numbers { .. } | Domain::Printed => 0..0,
        }
    }

    /// Whether the claim allows a position of this game to have this value. The
    /// slow form, straight from the paper. `None` if the claim is not about the
    /// value of each position by itself, or not about this game or length.
    pub fn allows(&self, game: Game, piles: &[Pile], value: u32) -> Option<bool> {
        let Rule::Positions(statement) = self.rule else {
            return None;
        };
        let covered = self.speaks_of(game) && self.lengths_to(piles.len()).contains(&piles.len());
        covered.then(|| statement(game).allows(piles, value))?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games;

    fn claim(id: &str) -> &'static Claim {
        Claim::find(id).unwrap()[0]
    }

    #[test]
    fn lengths_are_those_of_the_domain() {
        let lengths = |id: &str, length| claim(id).lengths_to(length).collect::<Vec<_>>();
        assert_eq!(lengths("an.thm2", 3), [1, 2, 3]);
        assert_eq!(lengths("an.prop1", 3), [2, 3]);
        assert_eq!(lengths("an.prop1", 1), [0; 0]);
        assert_eq!(lengths("an.prop1", 0), [0; 0]);
        assert_eq!(lengths("ch.thm5.1", 2), [0; 0]);
        assert_eq!(lengths("ch.thm5.1", 3), [3]);
        assert_eq!(lengths("ch.thm5.1", 9), [3]);
        assert_eq!(lengths("gn.thm2", 9), [0; 0]);
        assert_eq!(lengths("an.period", 9), [0; 0]);
    }

    /// (2,2) is P in End-Nim, by Albert and Nowakowski.
    #[test]
    fn a_value_is_allowed_where_the_claim_speaks() {
        let (theorem, game) = (claim("an.thm2"), games::END_NIM);
        assert_eq!(theorem.allows(game, &[2, 2], 0), Some(true));
        assert_eq!(theorem.allows(game, &[2, 2], 1), Some(false));
        assert_eq!(theorem.allows(games::LOOP_END_NIM, &[2, 2], 0), None);
        assert_eq!(claim("ch.thm5.1").allows(game, &[1, 1], 1), None);
        assert_eq!(claim("ch.thm5.1").allows(game, &[1, 1, 1], 1), Some(true));
        assert_eq!(claim("end.p-count").allows(game, &[2, 2], 0), None);
        assert_eq!(claim("end.rows").allows(game, &[2, 2], 0), None);
        assert_eq!(format!("{theorem:?}"), "Claim(an.thm2)");
    }
}
