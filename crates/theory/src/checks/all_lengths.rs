//! Theorems of this project about rows of all lengths. Each check proves its theorem again with
//! `grundy_provers`, and then checks the certificate. docs/PROOFS.md has the inductions.

use std::ops::ControlFlow;

use grundy_provers::{
    Automaton, Family, FamilyWords, Of, Output, Progress, Proof, ProverError, prove, prove_family,
};
use grundy_rules::{Game, Pile, games};
use grundy_sweep::cost::price::MEMO;
use serde::Serialize;

use crate::domain::Extent;
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

/// Estimates the cost of the automata of P-positions, from measurements for N = 6 and N = 8.
pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let bound = u64::from(extent.bound());
    Estimate {
        positions: bound.pow(3),
        seconds: 4.0 * bound.pow(5) as f64 * MEMO,
        ..Estimate::NOTHING
    }
}

/// Counts the cases of a proof. Counts a failure if the proof proves another statement, or if its
/// certificate is refused.
fn count<T: Serialize>(
    job: &Job<'_>,
    tally: &mut Tally,
    game: Game,
    found: Result<Proof<T>, ProverError>,
    is_so: impl FnOnce(&T) -> (usize, bool),
) -> Result<(), Halt> {
    let Ok(Proof::Proved(found)) = found else { return Err(Halt) };
    let certificate = serde_json::to_value(&found).unwrap_or_default();
    let checked = grundy_provers::check(&certificate, job.memory.bytes());
    let (cases, is_so) = is_so(&found);
    tally.checked += cases as u64;
    if !is_so || checked.is_err() {
        tally.fail(game, &[], None, || match checked {
            Ok(checked) => checked.statement,
            Err(error) => error.to_string(),
        });
    }
    Ok(())
}

fn watch<'a>(job: &'a Job<'_>) -> impl FnMut(Progress) -> ControlFlow<()> + 'a {
    |at| match job.control.is_stopped() || at.bytes > job.memory.bytes() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

fn automaton(
    job: &Job<'_>,
    tally: &mut Tally,
    (game, piles, of): (Game, Pile, Of),
    states: usize,
) -> Result<(), Halt> {
    let found = prove(game, piles, of, &mut watch(job));
    count(job, tally, game, found, |found: &Automaton| (found.tuples, found.states == states))
}

fn not_regular(
    job: &Job<'_>,
    tally: &mut Tally,
    (game, words, of): (Game, &str, Of),
    value: Output,
) -> Result<(), Halt> {
    let Ok(words) = words.parse::<FamilyWords>() else { unreachable!("{words} is a family") };
    let found = prove_family(game, &words, of, &mut watch(job));
    count(job, tally, game, found, |found: &Family| {
        (found.tiles, found.nonregular.iter().any(|&(known, ..)| known == value))
    })
}

pub(crate) fn values(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        job.games.iter().try_for_each(|&game| {
            let states = match game {
                _ if game == games::END_NIM => 18,
                _ if game == games::MISERE_END_NIM => 21,
                _ => 45,
            };
            automaton(job, tally, (game, 2, Of::Values), states)
        })
    })
}

pub(crate) fn no_values(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        job.games.iter().try_for_each(|&game| {
            let words = if game == games::END_NIM { "3* 1 3*" } else { "3* 2,2 3*" };
            not_regular(job, tally, (game, words, Of::Values), Output::Value(1))
        })
    })
}

pub(crate) fn p_positions(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        let mut all = job.games.iter().flat_map(|&game| (2..=job.bound()).map(move |n| (game, n)));
        all.try_for_each(|(game, n)| {
            automaton(job, tally, (game, n, Of::Outcomes), 5 * n as usize + 2)
        })
    })
}

pub(crate) fn partizan(job: &Job<'_>) -> Examination {
    Examination::by(|tally| {
        job.games.iter().try_for_each(|&game| {
            automaton(job, tally, (game, 1, Of::Outcomes), 2)?;
            not_regular(job, tally, (game, "2* 1 2*", Of::Outcomes), Output::Class("P"))
        })
    })
}
