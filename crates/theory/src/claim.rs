//! Claims: statements of papers in a form that can be checked.
//!
//! A claim has a paper, a statement in plain words, the games and positions that it covers, and a
//! rule that compares it with values. The *expected* verdict records what was known when the claim
//! was written. It does not affect the computed verdict, so an unexpected result is noticed.
//!
//! There are three kinds of rules:
//!
//! ```text
//! Positions   each position by itself        one sweep serves all of them, tile by tile
//! Zeros       how many zeros a table has     the same sweep counts them
//! Check       anything else                  a function of its own (see `checks`), which
//!                                            reads stored tables and computes the rest
//! ```
//!
//! # Units
//!
//! A claim names the [`Unit`] in which its verdict counts the checked cases and the failures. An
//! implication also names its *premise*. An implication with a false premise is vacuously true, so
//! the verdict includes the number of true premises. For example, "if the position is P, then ..."
//! holds on a range without P-positions, but shows nothing. A condition that restricts the claim's
//! subject ("two unequal piles") is not a premise: cases that do not satisfy it are not counted.

use grundy_rules::{Game, Pile};

use crate::domain::{Domain, Extent};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::statement::Statement;
use crate::words::{Flaw, Status, Truth, Unit};

/// A paper, or this project.
#[derive(Debug, PartialEq, Eq)]
pub struct Paper {
    /// The prefix of the ids of this paper's claims, without the dot.
    pub prefix: &'static str,
    /// The name in tables.
    pub short: &'static str,
    /// Authors, title and publication.
    pub reference: &'static str,
    /// Further findings from the tables, as Markdown.
    pub notes: &'static str,
}

#[derive(Clone, Copy)]
pub(crate) enum Rule {
    Positions(fn(Game) -> Statement),
    /// The claimed number of zeros among the words of `length` piles of at most n, given the
    /// numbers for all shorter lengths (`below[k - 1]` for k piles). `None` if the claim does not
    /// cover this length.
    Zeros(fn(Game, n: u64, length: usize, below: &[u64]) -> Option<i128>),
    Check(Check),
}

#[derive(Clone, Copy)]
pub(crate) struct Check {
    pub(crate) run: fn(&Job<'_>) -> Examination,
    pub(crate) cost: Cost,
}

/// Returns the rule of a claim that has its own check function.
pub(crate) const fn check(run: fn(&Job<'_>) -> Examination, cost: Cost) -> Rule {
    Rule::Check(Check { run, cost })
}

/// Estimates the cost of a check without stored tables.
pub(crate) type Cost = fn(&[Game], &Extent, &Means<'_>) -> Estimate;

/// A statement of a paper, with a rule that checks it. The texts are in `claims/*.txt`.
#[derive(Clone, Copy)]
pub struct Claim {
    /// The id of the claim: the paper's prefix, a dot, and a name.
    pub id: &'static str,
    pub paper: &'static Paper,
    /// The number in the paper, such as "Theorem 5.1".
    pub number: &'static str,
    pub statement: &'static str,
    /// The interpretation, if the text is ambiguous or is not followed literally.
    pub reading: Option<&'static str>,
    pub games: &'static [Game],
    pub domain: Domain,
    /// The premise, if the claim is an implication whose premise can be false.
    pub premise: Option<&'static str>,
    /// The certainty of the claim according to its source.
    pub status: Status,
    pub flaw: Option<Flaw>,
    pub(crate) unit: Unit,
    pub(crate) rule: Rule,
}

impl std::fmt::Debug for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Claim({})", self.id)
    }
}

impl Claim {
    pub fn expected(&self) -> Truth {
        if self.flaw.is_some() { Truth::Fails } else { Truth::Holds }
    }

    pub fn unit(&self) -> Unit {
        self.unit
    }

    pub fn covers(&self, game: Game) -> bool {
        self.games.contains(&game)
    }

    /// Returns the lengths of positions that the claim covers, up to `length`. The range is empty
    /// for claims about other things, such as rows or printed text.
    pub fn lengths_to(&self, length: usize) -> std::ops::Range<usize> {
        match self.domain {
            Domain::Positions { from, to, .. } => {
                from..to.map_or(length, |to| to.min(length)).max(from - 1) + 1
            }
            Domain::Rows { .. } | Domain::Numbers { .. } | Domain::Printed => 0..0,
        }
    }

    /// True if the claim allows a position of this game to have this value. Uses the slow form of
    /// the statement, as in the paper. Returns `None` if the claim does not cover this game or
    /// length, or if it does not determine the value of each position by itself.
    pub fn allows(&self, game: Game, piles: &[Pile], value: u32) -> Option<bool> {
        let Rule::Positions(statement) = self.rule else {
            return None;
        };
        let covered = self.covers(game) && self.lengths_to(piles.len()).contains(&piles.len());
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

    /// (2,2) is P in End-Nim, according to Albert and Nowakowski.
    #[test]
    fn a_claim_allows_only_its_values() {
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
