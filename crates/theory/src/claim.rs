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
//! Whole       anything else                  computes what it needs by itself
//! ```

use grundy_rules::{Game, Pile};
use serde::Serialize;

use crate::job::{Examined, Extent, Job, Size};
use crate::plan::{Estimate, Means};
use crate::statement::Statement;

/// A paper, or ourselves.
#[derive(Debug, PartialEq, Eq)]
pub struct Paper {
    /// What the ids of its claims begin with, without the dot.
    pub prefix: &'static str,
    /// Authors, title, where it appeared.
    pub reference: &'static str,
}

/// How sure the source is of what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Stated with a proof, or with a proof left to the reader.
    Theorem,
    /// Said in passing.
    Remark,
    /// Believed.
    Conjecture,
    /// Read off computed values.
    Observation,
}

/// Whether a statement is true on a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Truth {
    /// No counterexample.
    Holds,
    /// At least one counterexample.
    Fails,
}

impl std::fmt::Display for Truth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Truth::Holds => "holds",
            Truth::Fails => "fails",
        })
    }
}

impl std::fmt::Display for Status {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Status::Theorem => "theorem",
            Status::Remark => "remark",
            Status::Conjecture => "conjecture",
            Status::Observation => "observation",
        })
    }
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

/// How a claim is compared with values.
pub(crate) enum Rule {
    /// About each position by itself.
    Positions(fn(Game) -> Statement),
    /// The number of zeros among the words of `length` piles of at most n, given
    /// the numbers for all shorter lengths (`below[k - 1]` for k piles). `None`:
    /// nothing is said about this length.
    Zeros(fn(Game, n: u64, length: usize, below: &[u64]) -> Option<i128>),
    /// Anything else.
    Whole(Whole),
}

/// A check that a claim makes by itself.
pub(crate) struct Whole {
    pub(crate) check: Check,
    /// What it would take for these games.
    pub(crate) cost: Cost,
}

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
    /// How sure the source is.
    pub status: Status,
    /// What the verdict is expected to be.
    pub expected: Truth,
    pub(crate) rule: Rule,
}

type Check = fn(&Job<'_>) -> Examined;
type Cost = fn(&[Game], &Extent, &Means<'_>) -> Estimate;

/// What the claims of a paper on some games share.
pub(crate) struct About {
    pub(crate) paper: &'static Paper,
    pub(crate) games: &'static [Game],
}

impl About {
    /// A claim with a check of its own, read as it stands and expected to hold.
    pub(crate) const fn claim(
        &self,
        id: &'static str,
        number: &'static str,
        statement: &'static str,
        status: Status,
        domain: Domain,
        (check, cost): (Check, Cost),
    ) -> Claim {
        Claim {
            id,
            paper: self.paper,
            number,
            statement,
            reading: None,
            games: self.games,
            domain,
            status,
            expected: Truth::Holds,
            rule: Rule::Whole(Whole { check, cost }),
        }
    }
}

/// A claim that is known to be false.
pub(crate) const fn fails(claim: Claim) -> Claim {
    Claim { expected: Truth::Fails, ..claim }
}

/// A claim that was read in some way.
pub(crate) const fn read(reading: &'static str, claim: Claim) -> Claim {
    Claim { reading: Some(reading), ..claim }
}

impl std::fmt::Debug for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Claim({})", self.id)
    }
}

impl Claim {
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
