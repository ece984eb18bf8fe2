//! Theorems about rows of all lengths: automata and families, their certificates and a checker.
//!
//! A search has limits of memory and time. The checker shares no code with the search.

use std::ops::ControlFlow;

pub use grundy_provers::{
    Automaton, CheckError, Checked, Family, FamilyWords, Of, Output, Progress, ProverError,
    WordError, check,
};
use grundy_provers::{Proof, prove as prove_automaton, prove_family};
use grundy_query::seal::to_sealed;
use grundy_rules::{Game, Pile};
use grundy_sweep::{Control, Number};
use serde::Serialize;

use crate::Limit;
use crate::clock::Stopwatch;

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub struct Within<'a> {
    /// The memory, in bytes.
    pub memory: u64,
    /// The time, in seconds.
    pub seconds: f64,
    /// The control that can stop the search.
    pub control: &'a Control,
}

/// A theorem that was proved and checked.
#[derive(Debug)]
pub struct Theorem<T> {
    /// The automaton or the family.
    pub found: T,
    /// The theorem in words.
    pub statement: String,
    /// The text of its certificate, with a seal.
    pub certificate: String,
}

/// The reason why no theorem was proved.
#[derive(Debug, thiserror::Error)]
pub enum TheoremError {
    #[error(transparent)]
    Refused(#[from] ProverError),
    #[error(transparent)]
    Words(#[from] WordError),
    /// `limit` is the limit that ended the search; `None` if the control stopped it. `size` is the
    /// number of states or copies so far.
    #[error(
        "the search ended before a proof was found: {far}; this does not show that none exists"
    )]
    Unfinished { limit: Option<Limit>, size: usize, far: String },
    #[error("the checker rejects the proof, which is an error of this program; please report it")]
    Rejected(#[from] CheckError),
}

/// Proves an automaton for all rows of piles up to `piles`. Calls `watch` with the progress.
pub fn prove(
    game: Game,
    piles: Pile,
    of: Of,
    within: &Within<'_>,
    watch: impl FnMut(Progress),
) -> Result<Theorem<Automaton>, TheoremError> {
    let far = |states| {
        format!("an automaton for these rows would have at least {}", Number(states, "state"))
    };
    search(within, watch, far, |look| prove_automaton(game, piles, of, look))
}

/// Proves the pattern of the values of a family of rows. Calls `watch` with the progress.
pub fn families(
    game: Game,
    words: &FamilyWords,
    of: Of,
    within: &Within<'_>,
    watch: impl FnMut(Progress),
) -> Result<Theorem<Family>, TheoremError> {
    let far = |copies| {
        format!("no pattern was found before rows with {} of each word", Number(copies, "copy"))
    };
    search(within, watch, far, |look| prove_family(game, words, of, look))
}

fn search<T: Serialize>(
    within: &Within<'_>,
    mut watch: impl FnMut(Progress),
    far: fn(u64) -> String,
    prove: impl FnOnce(grundy_provers::Watch<'_>) -> Result<Proof<T>, ProverError>,
) -> Result<Theorem<T>, TheoremError> {
    let (begun, mut asked, mut limit) = (Stopwatch::start(), 0_u32, None);
    let proof = prove(&mut |at: Progress| {
        asked = asked.wrapping_add(1);
        // Reading the clock takes longer than a step, so read the clock only every 64 steps.
        let looks = asked % 64 == 1;
        let late = looks && begun.elapsed().as_secs_f64() > within.seconds;
        limit = match () {
            () if within.control.is_stopped() => None,
            () if at.bytes > within.memory => Some(Limit::Memory),
            () if late => Some(Limit::Seconds),
            () => {
                if looks {
                    watch(at);
                }
                return ControlFlow::Continue(());
            }
        };
        ControlFlow::Break(())
    })?;
    let found = match proof {
        Proof::Proved(found) => found,
        Proof::Stopped(at) => {
            return Err(TheoremError::Unfinished {
                limit,
                size: at.size,
                far: far(at.size as u64),
            });
        }
    };
    let plain = serde_json::to_value(&found).map_err(CheckError::from)?;
    let statement = check(&plain, within.memory)?.statement;
    let certificate = to_sealed(&found).map_err(CheckError::from)?;
    Ok(Theorem { found, statement, certificate })
}
