//! Claims: statements of papers and of users in a form that can be checked.
//!
//! A claim has a paper, a statement in plain words, the games and positions that it covers, and
//! checks that compare it with values. The *expected* verdict records what was known when the claim
//! was written. It does not affect the computed verdict, so an unexpected result is noticed.
//!
//! ```text
//! check   a statement in the language, evaluated at each position; the claim may name a fast form,
//!         which passes whole tiles
//! count   a statement that selects positions; the claim names a rule for their numbers
//! by      a function in Rust (see `checks`), which reads stored tables and computes the rest
//! ```
//!
//! If a claim has both, the function is a faster form of the statements, and tests compare the two.
//!
//! # Units
//!
//! A claim names the [`Unit`] in which its verdict counts the checked cases and the failures. An
//! implication also names its *premise*. An implication with a false premise is vacuously true, so
//! the verdict includes the number of true premises. For example, "if the position is P, then ..."
//! holds on a range without P-positions, but shows nothing. A condition that restricts the claim's
//! subject ("two unequal piles") is not a premise: cases that do not satisfy it are not counted. In
//! the language both are implications; without a named premise, the condition selects the cases.

use std::sync::Arc;

use grundy_questions::Question;
use grundy_rules::Game;

use crate::checks::counts::CountRule;
use crate::domain::{Domain, Extent};
use crate::estimate::{Estimate, Means};
use crate::fast::DistinctRows;
use crate::job::{Examination, Job};
use crate::words::{Flaw, Status, Truth, Unit};

/// A paper, or another source of claims.
#[derive(Debug, PartialEq, Eq)]
pub struct Paper {
    /// The prefix of the ids of this paper's claims, without the dot.
    pub prefix: String,
    /// The name in tables.
    pub short: String,
    /// Authors, title and publication.
    pub reference: String,
    /// Further findings from the tables, as Markdown.
    pub notes: String,
}

/// A statement in the language of docs/LANGUAGE.md, resolved for each game that it is about.
#[derive(Clone, Debug)]
pub struct Check {
    pub text: String,
    pub questions: Vec<Question>,
    /// If the claim has a premise, a statement `A -> (B -> C)` selects its cases by the condition
    /// A: these conditions, one for each question, or none.
    pub cases: Vec<Question>,
}

/// A name in Rust: a check, the fast form of a statement, or the numbers of positions that satisfy
/// a statement.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Check(RustCheck),
    DistinctRows,
    Counts(CountRule),
}

#[derive(Clone, Copy)]
pub struct RustCheck {
    pub(crate) run: fn(&Job<'_>) -> Examination,
    pub(crate) cost: Cost,
}

/// Returns a check that is written in Rust.
pub(crate) const fn check(run: fn(&Job<'_>) -> Examination, cost: Cost) -> By {
    By::Check(RustCheck { run, cost })
}

/// Estimates the cost of a check without stored tables.
pub(crate) type Cost = fn(&[Game], &Extent, &Means<'_>) -> Estimate;

/// A statement of a paper or of a user, with its checks. The texts are in files of claims.
#[derive(Clone)]
pub struct Claim {
    /// The id of the claim: the paper's prefix, a dot, and a name.
    pub id: String,
    pub paper: Arc<Paper>,
    /// The number in the paper, such as "Theorem 5.1".
    pub number: Option<String>,
    /// The statement in words or, in a short claim of a user, in the language.
    pub statement: String,
    /// The interpretation, if the text is ambiguous or is not followed literally.
    pub reading: Option<String>,
    pub games: Vec<Game>,
    pub domain: Domain,
    /// True if the statements are only about positions at the beginning of play.
    pub at_beginning: bool,
    /// True if the claim is about piles of all sizes, and its range is only where a check begins.
    pub all_sizes: bool,
    /// The number of moves, if the statements are only about sets of so many moves.
    pub sets: Option<u32>,
    /// The premise, if the claim is an implication whose premise can be false.
    pub premise: Option<String>,
    /// True if the statement is in the language. Then its premises are those of the claim.
    pub is_short: bool,
    /// The certainty of the claim according to its source.
    pub status: Status,
    pub flaw: Option<Flaw>,
    /// The corrected statement of a misprint.
    pub corrected: Option<String>,
    /// The corrected statement in the language, if it can be checked.
    pub correction: Option<Check>,
    pub unit: Unit,
    pub checks: Vec<Check>,
    /// A statement that selects positions, if the claim is about their numbers.
    pub counted: Option<Check>,
    pub(crate) by: Option<By>,
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

    pub fn covers(&self, game: Game) -> bool {
        self.games.contains(&game)
    }

    /// True if the verdict counts the cases with a true premise.
    pub fn has_premise(&self) -> bool {
        let is_implication = |check: &Check| check.questions.iter().any(Question::has_premise);
        self.premise.is_some() || self.is_short && self.checks.iter().any(is_implication)
    }

    /// True if a condition in the statement selects the cases of the claim.
    pub fn has_cases(&self, question: &Question) -> bool {
        self.premise.is_some() && question.cases().is_some()
    }

    /// Returns the claim without its check in Rust and its fast form.
    pub fn by_statements(&self) -> Claim {
        Claim { by: None, ..self.clone() }
    }

    /// Returns the check in Rust, if the claim has one.
    pub fn rust_check(&self) -> Option<RustCheck> {
        match self.by {
            Some(By::Check(check)) => Some(check),
            _ => None,
        }
    }

    /// Returns the rule for the numbers of the counted positions, if the claim has one.
    pub fn count_rule(&self) -> Option<CountRule> {
        match self.by {
            Some(By::Counts(rule)) => Some(rule),
            _ => None,
        }
    }

    /// Returns the fast form of the statements, if there is one.
    pub fn fast(&self) -> Option<DistinctRows> {
        matches!(self.by, Some(By::DistinctRows)).then(DistinctRows::default)
    }
}
