//! Plans: the levels and checks that a set of claims needs. Making a plan computes no values, so a
//! user can see the cost before the run. All statements about one level share its walk.

use std::collections::BTreeMap;

use grundy_query::Database;
use grundy_questions::Question;
use grundy_rules::{Game, Pile, Table};
use grundy_sweep::Control;
use grundy_theory::{
    Check, CheckResult, Claim, Domain, Estimate, Extent, Means, PlanError, Range, ReadError,
    RustCheck, Size, Tables,
};

use crate::Error;
use crate::ask::{Ask, AskError, Asked, Levels, usual_range};

/// The levels and other checks that a set of claims needs.
pub struct Plan<'a> {
    pub(super) claims: Vec<&'a Claim>,
    /// The requested games of each claim, and the extent of its check.
    pub(super) extents: Vec<(Vec<Game>, Extent)>,
    /// The statements about each level.
    pub(super) levels: BTreeMap<LevelKey, Vec<Planned<'a>>>,
    pub(super) checks: Vec<PlannedCheck>,
}

/// The game, the largest pile, the number of piles, and the domain of a level: true if only
/// positions at the beginning of play belong to it, and the number of moves of its sets.
pub(super) type LevelKey = (Game, Pile, usize, (bool, Option<u32>));

/// A statement about one level.
pub(super) struct Planned<'a> {
    /// One claim, or several that need the numbers of positions that satisfy the statement.
    pub(super) claims: Vec<usize>,
    pub(super) question: &'a Question,
    pub(super) role: Role,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Statement,
    /// The statement selects the cases of the claim.
    Cases,
    /// The statement corrects the claim.
    Correction,
    /// The claim is about the numbers of positions that satisfy the statement.
    Counted,
}

#[derive(Clone, Copy)]
pub(super) struct PlannedCheck {
    pub(super) claim: usize,
    pub(super) check: RustCheck,
}

impl<'a> Plan<'a> {
    /// Plans the check of `claims` over `range`. Each claim is checked for the games in `games`
    /// that it covers, or for all games that it covers if `games` is empty.
    ///
    /// # Errors
    /// [`PlanError`] if a claim covers none of the games, or no position in the range, or if a
    /// table would be too large.
    pub fn new(claims: &[&'a Claim], games: &[Game], range: &Range) -> Result<Plan<'a>, PlanError> {
        let mut plan = Plan {
            claims: claims.to_vec(),
            extents: Vec::new(),
            levels: BTreeMap::new(),
            checks: Vec::new(),
        };
        for (number, claim) in claims.iter().enumerate() {
            let wanted = claim.wanted(games)?;
            let extent = claim.extent(&wanted, range, || usual_sizes(claim, range))?;
            match claim.rust_check() {
                Some(check) => plan.checks.push(PlannedCheck { claim: number, check }),
                None => plan.ask(number, claim, &wanted, &sizes_of(claim, &extent))?,
            }
            plan.extents.push((wanted, extent));
        }
        Ok(plan)
    }

    fn ask(
        &mut self,
        claim: usize,
        of: &'a Claim,
        games: &[Game],
        sizes: &[Size],
    ) -> Result<(), PlanError> {
        let mut ask = |questions: &'a [Question], role| {
            for question in questions.iter().filter(|question| games.contains(&question.game())) {
                for &Size { max_pile, length } in sizes {
                    Table::new(question.game(), max_pile, length)?;
                    let domain = (of.at_beginning, of.sets);
                    let key = (question.game(), max_pile, length, domain);
                    let planned = self.levels.entry(key).or_default();
                    let is_same = |one: &&mut Planned<'a>| {
                        let is_counted = (one.role, role) == (Role::Counted, Role::Counted);
                        is_counted && one.question.text() == question.text()
                    };
                    match planned.iter_mut().find(is_same) {
                        Some(one) => one.claims.push(claim),
                        None => planned.push(Planned { claims: vec![claim], question, role }),
                    }
                }
            }
            Ok::<(), PlanError>(())
        };
        for Check { questions, cases, .. } in &of.checks {
            ask(questions, Role::Statement)?;
            ask(cases, Role::Cases)?;
        }
        of.counted.iter().try_for_each(|check| ask(&check.questions, Role::Counted))?;
        of.correction.iter().try_for_each(|check| ask(&check.questions, Role::Correction))
    }

    /// True if the plan has levels. A checkpoint contains only partial results of levels.
    pub fn has_levels(&self) -> bool {
        !self.levels.is_empty()
    }

    /// Returns the levels with the settings of a run.
    pub(super) fn asked(
        &self,
        database: Option<&'a Database>,
        means: &Means<'_>,
    ) -> Result<Levels<'a>, AskError> {
        let ask = |planned: &Planned<'a>, domain| {
            let fast = match planned.role {
                Role::Statement => self.claims[planned.claims[0]].fast(),
                Role::Cases | Role::Correction | Role::Counted => None,
            };
            let ask = Ask::new(planned.question)
                .memory(means.memory)
                .isa(means.isa)
                .fast(fast)
                .counted(planned.role == Role::Counted)
                .domain(domain);
            match database {
                Some(database) => ask.database(database),
                None => ask,
            }
        };
        let levels = self.levels.iter().map(|(&(_, max_pile, length, (first, sets)), planned)| {
            let domain = crate::Domain::of(first.then_some(crate::Domain::BEGINNING), sets)?;
            let asks = planned.iter().map(|planned| ask(planned, domain));
            Asked::new(asks.collect(), length, max_pile)
        });
        Levels::walked(levels.collect::<Result<_, Error>>()?)
    }

    /// Estimates the cost without stored tables.
    pub fn estimate(&self, means: &Means<'_>) -> Result<Estimate, AskError> {
        let threads = means.threads.max(1) as f64;
        let levels = self.asked(None, means)?;
        let levels = levels.each.iter().map(|asked| {
            Ok(Estimate {
                positions: asked.level.positions(),
                cells: asked.level.values(),
                seconds: asked.seconds()?.iter().sum::<f64>() / threads,
                memory: asked.memory()?,
            })
        });
        let checks = self.checks.iter().map(|&PlannedCheck { claim, check }| {
            let (games, extent) = &self.extents[claim];
            Ok(check.cost(games, extent, means))
        });
        levels.chain(checks).sum()
    }

    pub(super) fn examine<S: Tables>(
        &self,
        PlannedCheck { claim, check }: PlannedCheck,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<CheckResult, ReadError<S::Error>> {
        let (games, extent) = &self.extents[claim];
        check.examine(games, extent, source, means, control)
    }
}

impl std::fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plan").field("claims", &self.claims).finish_non_exhaustive()
    }
}

/// Returns the sizes of the levels that the statements of a claim are about.
fn sizes_of(claim: &Claim, extent: &Extent) -> Vec<Size> {
    match (extent, &claim.domain) {
        (Extent::Sizes(sizes), _) => sizes.clone(),
        (&Extent::Numbers { to, .. }, _) => vec![Size { max_pile: to, length: 1 }],
        (Extent::Printed, Domain::Printed(size)) => Vec::from_iter(*size),
        _ => Vec::new(),
    }
}

/// Returns the sizes of a user's claim: its own sizes, or those of a check that takes a second.
fn usual_sizes(claim: &Claim, range: &Range) -> Vec<Size> {
    let (Some(question), &Domain::Usual { lengths: given, max_pile }) =
        (claim.checks.first().and_then(|check| check.questions.first()), &claim.domain)
    else {
        return Vec::new();
    };
    let (mut lengths, usual) = usual_range(question, given.map(|(first, last)| first..=last));
    if let Some(longest) = range.length {
        // A claim about one length keeps its length.
        if lengths.start() < lengths.end() || given.is_none() {
            lengths = (*lengths.start()).min(longest)..=longest;
        }
    }
    let max_pile = range.max_pile.or(max_pile).unwrap_or(usual);
    lengths.map(|length| Size { max_pile, length }).collect()
}
