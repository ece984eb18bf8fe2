//! The work of a plan, share by share.
//!
//! ```text
//! plan.pieces()     end-nim/n24/k6: 0 ... 39      end-nim/n24/k7: 0 ... 479      an.period-pow2: 0
//!                   └────────┬────────┘└────────────┬─────────┘└─────┬──────────────────────────┘
//! plan.run_share()        a share               a share           a share     in any process, anywhere
//!                            │                      │                │
//!                      CoveredShare           CoveredShare      CoveredShare    as JSON, say
//!                            └──────────────────────┼────────────────┘
//! plan.merge()                            the verdicts of one run
//! ```
//!
//! A table that is walked has as many parts as its walk from the rules can be cut into
//! ([`grundy_sweep::parts`]); a check is one part. So the cut depends on the plan alone, not on who
//! works, with how many threads, or on what is stored: shares are computed from the rules
//! ([`Recompute`]).
//!
//! What a share covered has gone through files and networks when it is merged. Its parts are
//! counted, and it is asked whether such a table can have such numbers: all positions of a table
//! were checked in the end, no more, and a counterexample stands in it. That guards against mistakes and
//! damage. Nothing here could tell a share that was forged with care.

use std::convert::Infallible;
use std::ops::Range;
use std::time::Instant;

use grundy_rules::Table;
use grundy_sweep::{Control, MergeError, Piece};
use serde::{Deserialize, Serialize};

use crate::claim::{Claim, Rule};
use crate::conclude::{Checked, Walked, in_words};
use crate::estimate::Means;
use crate::job::Examined;
use crate::plan::{Plan, PlannedCheck, PlannedSweep};
use crate::run::{RunError, examine, fold};
use crate::source::Recompute;
use crate::tally::Tally;
use crate::tile_check::TileCheck;
use crate::verdict::Verdict;
use crate::words::Origin;

/// The version of what a share says, and who says it: others may have counted otherwise.
const WRITTEN_BY: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"), ", 1");

/// What was gathered from some parts of the work of a plan. It is written and read with serde;
/// what it says is believed only when it is merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoveredShare {
    /// A digest of the plan in words, and of who wrote it.
    plan: String,
    pieces: Vec<CoveredPiece>,
}

/// What was gathered from some parts of one piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CoveredPiece {
    piece: usize,
    parts: Range<u64>,
    seconds: f64,
    found: Found,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Found {
    /// Of a table: its cells, a tally for each claim about it, and zeros by largest pile.
    Table { cells: u64, tallies: Vec<Tally>, zeros: Vec<u64> },
    /// Of a check.
    Check(Examined),
}

/// Why a share is not covered.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// The plan has no such parts.
    #[error("the plan has no parts {} to {} of piece {piece}", parts.start, parts.end)]
    NoSuchPart {
        /// The place of the piece.
        piece: usize,
        /// What was asked for.
        parts: Range<u64>,
    },
    /// The run ended.
    #[error(transparent)]
    Run(#[from] RunError<Infallible>),
}

impl Plan<'_> {
    /// The work of the plan: its tables, then its checks, in an order that is the same for equal
    /// plans. For equal means the estimates are the same on any machine.
    pub fn pieces(&self, means: &Means<'_>) -> Vec<Piece> {
        let one = Means { threads: 1, ..*means };
        let tables = self.sweeps.values().map(|sweep| {
            let estimate = self.estimate_sweep(sweep, means);
            Piece {
                name: sweep.table.to_string(),
                parts: grundy_sweep::parts(&sweep.table),
                seconds: estimate.seconds,
                memory: estimate.memory,
            }
        });
        let checks = self.checks.iter().map(|PlannedCheck { claim, check, games, extent }| Piece {
            name: self.claims[*claim].id.to_owned(),
            parts: 1,
            seconds: (check.cost)(games, extent, &one).seconds,
            memory: (check.cost)(games, extent, means).memory,
        });
        tables.chain(checks).collect()
    }

    /// Does some of the work: parts of pieces, by their places in [`Plan::pieces`]. `None` if the
    /// control stopped it.
    ///
    /// # Errors
    /// [`ShareError`] if there are no such parts, or what the run says.
    pub fn run_share(
        &self,
        share: &[(usize, Range<u64>)],
        source: &mut Recompute,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<Option<CoveredShare>, ShareError> {
        let mut pieces = Vec::with_capacity(share.len());
        for (piece, parts) in share {
            let Some(work) = self.work(*piece).filter(|work| work.has(parts)) else {
                return Err(ShareError::NoSuchPart { piece: *piece, parts: parts.clone() });
            };
            let covered = match work {
                Work::Table(sweep) => self.cover(sweep, parts, source, means, control),
                Work::Check(check) => {
                    let Checked { examined, seconds, .. } = examine(check, source, means, control)?;
                    // A search that has no more memory ends early too, and says so.
                    let is_stopped = examined.stopped && control.is_stopped();
                    (!is_stopped).then_some((Found::Check(examined), seconds))
                }
            };
            let Some((found, seconds)) = covered else { return Ok(None) };
            pieces.push(CoveredPiece { piece: *piece, parts: parts.clone(), seconds, found });
        }
        Ok(Some(CoveredShare { plan: self.digest(), pieces }))
    }

    /// Walks some parts of a table; `None` if it was stopped.
    fn cover(
        &self,
        PlannedSweep { table, claims }: &PlannedSweep,
        parts: &Range<u64>,
        source: &mut Recompute,
        means: &Means<'_>,
        control: &Control,
    ) -> Option<(Found, f64)> {
        let start = Instant::now();
        let claims: Vec<&Claim> = claims.iter().map(|&number| self.claims[number]).collect();
        let check = TileCheck::new(table.game(), table.length(), means.isa, &claims);
        let Ok(swept) = fold(source, table, parts.clone(), control, &check);
        let (tallies, zeros) = (swept.acc.tallies, swept.acc.zeros);
        let found = Found::Table { cells: swept.cells, tallies, zeros };
        swept.complete.then(|| (found, start.elapsed().as_secs_f64()))
    }

    /// The verdicts, as one run gives them, from shares that cover every part once.
    ///
    /// # Errors
    /// [`MergeError`], with the piece and its parts.
    pub fn merge(
        &self,
        shares: impl IntoIterator<Item = CoveredShare>,
    ) -> Result<Vec<Verdict>, MergeError> {
        let digest = self.digest();
        let mut covered: Vec<Vec<CoveredPiece>> = Vec::new();
        covered.resize_with(self.sweeps.len() + self.checks.len(), Vec::new);
        for CoveredShare { plan, pieces } in shares {
            if plan != digest {
                return Err(MergeError::OtherWork);
            }
            for found in pieces {
                match covered.get_mut(found.piece) {
                    Some(covered) => covered.push(found),
                    None => {
                        return Err(self.impossible(&found, "there is no such piece".to_owned()));
                    }
                }
            }
        }
        for (piece, covered) in covered.iter().enumerate() {
            let all = self.work(piece).map_or(0, Work::parts);
            let parts = covered.iter().map(|covered| &covered.parts);
            MergeError::unless_each_once(&self.name(piece), parts, all)?;
        }
        let (mut walked, mut checks) = (Vec::new(), Vec::new());
        for (piece, covered) in covered.into_iter().enumerate() {
            match self.work(piece) {
                Some(Work::Table(sweep)) => walked.push(self.join_tables(sweep, covered)?),
                Some(Work::Check(check)) => checks.push(self.take_check(check, covered)?),
                None => {}
            }
        }
        Ok(self.conclude(walked, checks))
    }

    /// What was gathered from all parts of a table.
    fn join_tables(
        &self,
        sweep: &PlannedSweep,
        covered: Vec<CoveredPiece>,
    ) -> Result<Walked, MergeError> {
        let claims: Vec<&Claim> = sweep.claims.iter().map(|&number| self.claims[number]).collect();
        let counts_zeros = claims.iter().any(|claim| matches!(claim.rule, Rule::Zeros(_)));
        let table = &sweep.table;
        let mut all = Walked {
            tallies: vec![Tally::default(); claims.len()],
            zeros: if counts_zeros { vec![0; table.max_pile() as usize + 1] } else { Vec::new() },
            cells: 0,
            seconds: 0.0,
            is_stored: false,
            complete: true,
        };
        let mut last = None;
        for covered in covered {
            join(&mut all, table, &covered).map_err(|what| self.impossible(&covered, what))?;
            last = Some(covered);
        }
        let whole = claims.iter().zip(&all.tallies).all(|(claim, tally)| {
            let speaks = matches!(claim.rule, Rule::Positions(_));
            tally.checked == if speaks { table.positions() } else { 0 }
        });
        match last {
            Some(last) if !whole || all.cells != table.cells() => {
                let parts = 0..last.parts.end;
                let what = "together they are not all positions of the table".to_owned();
                Err(self.impossible(&CoveredPiece { parts, ..last }, what))
            }
            _ => Ok(all),
        }
    }

    /// What came of a check, which is one part.
    fn take_check(
        &self,
        check: &PlannedCheck,
        covered: Vec<CoveredPiece>,
    ) -> Result<Checked, MergeError> {
        let mut last = None;
        for covered in covered {
            let wrong = |what: &str| Err(self.impossible(&covered, what.to_owned()));
            let Found::Check(examined) = &covered.found else {
                return wrong("it is a check, and no table");
            };
            let tally = &examined.tally;
            if !possible(tally) || self.claims[check.claim].premise.is_none() && tally.premise > 0 {
                return wrong("its numbers do not go together");
            }
            if tally.first.as_ref().is_some_and(|first| !check.games.contains(&first.game)) {
                return wrong("its counterexample is of another game");
            }
            let (examined, seconds) = (examined.clone(), time(covered.seconds));
            last = Some(Checked { examined, seconds, origin: Origin::Computed });
        }
        match last {
            Some(checked) => Ok(checked),
            None => unreachable!("every part is covered"),
        }
    }

    /// The table or the check of a piece.
    fn work(&self, piece: usize) -> Option<Work<'_>> {
        let check = || self.checks.get(piece.checked_sub(self.sweeps.len())?).map(Work::Check);
        self.sweeps.values().nth(piece).map(Work::Table).or_else(check)
    }

    /// What a piece is called.
    fn name(&self, piece: usize) -> String {
        match self.work(piece) {
            Some(Work::Table(sweep)) => sweep.table.to_string(),
            Some(Work::Check(check)) => self.claims[check.claim].id.to_owned(),
            None => format!("piece {piece}"),
        }
    }

    fn impossible(&self, covered: &CoveredPiece, what: String) -> MergeError {
        let (piece, parts) = (self.name(covered.piece), covered.parts.clone());
        MergeError::Impossible { piece, parts, what }
    }

    /// A digest of all that decides what the pieces are and what is gathered from them.
    fn digest(&self) -> String {
        let ids: Vec<&str> = self.claims.iter().map(|claim| claim.id).collect();
        let checks = self.checks.iter().map(|check| {
            let id = self.claims[check.claim].id;
            format!("{id}: {}", in_words(&check.games, &check.extent))
        });
        let checks = checks.collect::<Vec<_>>().join("; ");
        let words = format!("{WRITTEN_BY}\n{}\n{}\n{checks}", ids.join(", "), self.in_words());
        blake3::hash(words.as_bytes()).to_hex().to_string()
    }
}

/// What a piece is.
#[derive(Clone, Copy)]
enum Work<'a> {
    Table(&'a PlannedSweep),
    Check(&'a PlannedCheck),
}

impl Work<'_> {
    fn parts(self) -> u64 {
        match self {
            Work::Table(sweep) => grundy_sweep::parts(&sweep.table),
            Work::Check(_) => 1,
        }
    }

    /// Whether these are some of its parts.
    fn has(self, parts: &Range<u64>) -> bool {
        parts.start < parts.end && parts.end <= self.parts()
    }
}

/// Takes in what was gathered from some parts of a table, or says what is wrong with it.
fn join(all: &mut Walked, table: &Table, covered: &CoveredPiece) -> Result<(), String> {
    let Found::Table { cells, tallies, zeros } = &covered.found else {
        return Err("it is a table, and no check".to_owned());
    };
    if (tallies.len(), zeros.len()) != (all.tallies.len(), all.zeros.len()) {
        return Err("it is of other claims".to_owned());
    }
    let most = table.positions();
    // Nothing grows beyond the number of positions, so nothing overflows.
    let add = |sum: &mut u64, more: u64| match sum.checked_add(more).filter(|&sum| sum <= most) {
        Some(all) => {
            *sum = all;
            Ok(())
        }
        None => Err(format!("it counts more than the {most} positions of the table")),
    };
    add(&mut all.cells, *cells)?;
    for (sum, tally) in all.tallies.iter_mut().zip(tallies) {
        if !possible(tally) {
            return Err("its numbers do not go together".to_owned());
        }
        if tally.first.as_ref().is_some_and(|first| {
            let inside = |pile: &u32| (1..=table.max_pile()).contains(pile);
            let is_word = first.piles.len() == table.length() && first.piles.iter().all(inside);
            first.game != table.game() || !is_word
        }) {
            return Err("its counterexample is none of the table's positions".to_owned());
        }
        add(&mut sum.checked.clone(), tally.checked)?;
        *sum = std::mem::take(sum).merge(tally.clone());
    }
    let mut counted = all.zeros.iter().sum();
    for (sum, &more) in all.zeros.iter_mut().zip(zeros) {
        add(&mut counted, more)?;
        *sum += more;
    }
    all.seconds += time(covered.seconds);
    Ok(())
}

/// Whether such a tally can be.
fn possible(tally: &Tally) -> bool {
    let Tally { checked, premise, failures, first } = tally;
    premise <= checked && failures <= checked && first.is_some() == (*failures > 0)
}

/// Seconds, of which a text may say anything.
fn time(seconds: f64) -> f64 {
    if seconds.is_finite() { seconds.max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests;
