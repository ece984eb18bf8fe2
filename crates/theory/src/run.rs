//! Runs a plan: sweeps and checks, and a verdict for each claim.
//!
//! ```text
//! for each table of the plan   source.fold ── tiles ──► TileCheck ──► a tally for each claim
//! for each check               Reader ── stored values ──► the check ──► its tally
//! ```
//!
//! What a run was stopped in counts as far as it came. Its claims are *stopped*, not decided,
//! unless a counterexample was met.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Instant;

use grundy_rules::{Game, Pile};
use grundy_sweep::{Control, Swept};

use crate::checkpoint::Checkpoint;
use crate::claim::{Claim, Rule};
use crate::domain::Extent;
use crate::estimate::Means;
use crate::job::{Examined, Job};
use crate::plan::{Plan, PlanError, PlannedCheck, PlannedSweep, list};
use crate::range::Range;
use crate::source::{Recompute, Source};
use crate::stored::{Reader, Unreadable};
use crate::tally::Tally;
use crate::tile_check::{Gathered, TileCheck};
use crate::verdict::Verdict;
use crate::words::Origin;
use crate::zeros;

/// Why a run ended without verdicts.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// The source could not show a table.
    #[error(transparent)]
    Source(E),
    /// The source showed values that such a table cannot have.
    #[error("what is stored as {table} cannot be that table: {what}")]
    Impossible {
        /// The table's id.
        table: String,
        /// What is wrong, and where.
        what: String,
    },
    /// The checkpoint is of other claims or another range.
    #[error("the checkpoint is of another diff: of other claims, games or sizes")]
    OtherPlan,
    /// The checkpoint could not be kept.
    #[error("the checkpoint cannot be written")]
    Save(#[source] io::Error),
}

impl<E: std::error::Error + 'static> From<Unreadable<E>> for RunError<E> {
    fn from(failure: Unreadable<E>) -> RunError<E> {
        match failure {
            Unreadable::Source(error) => RunError::Source(error),
            Unreadable::Impossible { table, what } => RunError::Impossible { table, what },
        }
    }
}

/// Cells swept from one checkpoint to the next: a second or so.
const CELLS_OF_A_STRETCH: u64 = 1 << 33;

impl Plan<'_> {
    /// Runs it: one verdict per claim, in the order in which they were given. If
    /// the control stops it, the verdicts say what was covered so far.
    ///
    /// # Errors
    /// What the source says when it cannot show a table, or [`RunError::Impossible`].
    pub fn run<S: Source>(
        &self,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
    ) -> Result<Vec<Verdict>, RunError<S::Error>> {
        self.run_from(source, means, control, &mut Checkpoint::default(), |_| Ok(()))
    }

    /// As [`Plan::run`], but what the checkpoint knows to be covered is not covered
    /// again, and `save` is shown the checkpoint after each stretch of work.
    ///
    /// # Errors
    /// What the source or `save` says, or that the checkpoint is of another plan.
    pub fn run_from<S: Source>(
        &self,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
        checkpoint: &mut Checkpoint,
        save: impl FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<Vec<Verdict>, RunError<S::Error>> {
        self.run_stretches(source, means, control, checkpoint, save, CELLS_OF_A_STRETCH)
    }

    fn run_stretches<S: Source>(
        &self,
        source: &mut S,
        means: &Means<'_>,
        control: &Control,
        checkpoint: &mut Checkpoint,
        save: impl FnMut(&Checkpoint) -> io::Result<()>,
        cells_of_a_stretch: u64,
    ) -> Result<Vec<Verdict>, RunError<S::Error>> {
        let words = self.in_words();
        if !checkpoint.is_of(&words) {
            return Err(RunError::OtherPlan);
        }
        checkpoint.plan = words;
        let mut progress: Vec<Progress> = self.claims.iter().map(|_| Progress::default()).collect();
        let mut sweeping = Sweeping { means, control, checkpoint, save, cells_of_a_stretch };
        self.sweep(source, &mut sweeping, &mut progress)?;
        for planned in &self.checks {
            let progress = &mut progress[planned.claim];
            *progress = examine(planned, source, means, control)?;
            progress.range = in_words(&planned.games, &planned.extent);
        }
        let verdicts = self.claims.iter().zip(progress).map(|(claim, done)| {
            let range = match done.examined.remark {
                Some(remark) => format!("{}; {remark}", done.range),
                None => done.range,
            };
            Verdict {
                undecided: done.examined.undecided,
                origin: Origin::of(done.read, done.computed),
                seconds: done.seconds,
                certificate: done.examined.certificate,
                ..Verdict::new(claim, done.examined.tally, !done.examined.stopped, range)
            }
        });
        Ok(verdicts.collect())
    }

    /// Walks the tables of the plan, and counts zeros at the end.
    fn sweep<S: Source>(
        &self,
        source: &mut S,
        sweeping: &mut Sweeping<'_, impl FnMut(&Checkpoint) -> io::Result<()>>,
        progress: &mut [Progress],
    ) -> Result<(), RunError<S::Error>> {
        let stored = source.tables();
        let mut zeros = zeros::Zeros::default();
        let mut covered: Vec<Vec<(Game, Pile, usize)>> = vec![Vec::new(); self.claims.len()];
        for (&key, planned) in &self.sweeps {
            let is_stored = stored.contains(&planned.table);
            let swept = self.sweep_table(source, planned, is_stored, sweeping)?;
            for (tally, &number) in swept.tallies.into_iter().zip(&planned.claims) {
                let progress = &mut progress[number];
                progress.add(tally, swept.seconds, swept.complete);
                if swept.cells > 0 {
                    covered[number].push(key);
                    progress.read |= is_stored;
                    progress.computed |= !is_stored;
                }
            }
            if swept.complete {
                zeros.insert(&planned.table, swept.zeros);
            }
        }
        for ((claim, covered), progress) in self.claims.iter().zip(covered).zip(progress) {
            if let Rule::Zeros(rule) = claim.rule {
                progress.add(zeros.check(&covered, rule), 0.0, true);
            }
            progress.range = covered_in_words(covered);
        }
        Ok(())
    }

    /// Walks one table from where the checkpoint stands, a stretch at a time.
    fn sweep_table<S: Source>(
        &self,
        source: &mut S,
        PlannedSweep { table, claims }: &PlannedSweep,
        is_stored: bool,
        sweeping: &mut Sweeping<'_, impl FnMut(&Checkpoint) -> io::Result<()>>,
    ) -> Result<SweptTable, RunError<S::Error>> {
        let Sweeping { means, control, checkpoint, save, cells_of_a_stretch } = sweeping;
        let claims: Vec<&Claim> = claims.iter().map(|&number| self.claims[number]).collect();
        let check = TileCheck::new(table.game(), table.length(), means.isa, &claims);
        let parts = source.parts(table);
        let stretches = (table.cells() / *cells_of_a_stretch).clamp(1, parts);
        let stretch = parts.div_ceil(stretches);
        let mut covered = checkpoint.get(table, is_stored, parts);
        control.advance(covered.cells);
        let mut complete = true;
        while covered.done < parts && complete {
            let start = Instant::now();
            let next = covered.done..(covered.done + stretch).min(parts);
            let end = next.end;
            let swept = match table.value_bytes() {
                1 => source.fold::<u8, _>(table, next, control, &check),
                _ => source.fold::<u16, _>(table, next, control, &check),
            };
            let Swept { acc, cells, complete: to_the_end }: Swept<Gathered> =
                swept.map_err(RunError::Source)?;
            complete = to_the_end;
            covered.seconds += start.elapsed().as_secs_f64();
            covered.add(acc, cells);
            // What a stretch that was stopped midway has gathered is told, not kept.
            if complete {
                covered.done = end;
                checkpoint.put(table, covered.clone());
                save(checkpoint).map_err(RunError::Save)?;
            }
        }
        Ok(SweptTable {
            tallies: covered.tallies,
            zeros: covered.zeros,
            cells: covered.cells,
            seconds: covered.seconds,
            complete,
        })
    }
}

/// What walking tables needs, whichever they are.
struct Sweeping<'a, F> {
    means: &'a Means<'a>,
    control: &'a Control,
    checkpoint: &'a mut Checkpoint,
    save: F,
    cells_of_a_stretch: u64,
}

/// What was gathered from one table.
struct SweptTable {
    /// One per claim of the sweep.
    tallies: Vec<Tally>,
    zeros: Vec<u64>,
    cells: u64,
    seconds: f64,
    complete: bool,
}

/// What a claim has gathered so far.
#[derive(Default)]
struct Progress {
    examined: Examined,
    seconds: f64,
    /// What was covered, in words.
    range: String,
    read: bool,
    computed: bool,
}

impl Progress {
    fn add(&mut self, tally: Tally, seconds: f64, complete: bool) {
        self.examined.tally = std::mem::take(&mut self.examined.tally).merge(tally);
        self.examined.stopped |= !complete;
        self.seconds += seconds;
    }
}

/// Makes the check of one claim.
fn examine<S: Source>(
    PlannedCheck { check, games, extent, .. }: &PlannedCheck,
    source: &mut S,
    means: &Means<'_>,
    control: &Control,
) -> Result<Progress, RunError<S::Error>> {
    let start = Instant::now();
    let &Means { isa, memory, certificate, keeper, .. } = means;
    let reader = Reader::new(source);
    let stored = &reader;
    let job = Job { games, extent, isa, memory, certificate, keeper, control, stored };
    let examined = match control.is_stopped() {
        true => Examined { stopped: true, ..Examined::default() },
        false => (check.run)(&job),
    };
    let origin = reader.finish()?;
    Ok(Progress {
        examined,
        seconds: start.elapsed().as_secs_f64(),
        range: String::new(),
        read: origin != Origin::Computed,
        computed: origin != Origin::Table,
    })
}

/// Plans and runs: the claims, for the games asked for (none: all they speak
/// about), over the range.
///
/// # Errors
/// [`PlanError`] as [`Plan::new`] says. The source computes everything.
pub fn diff(
    claims: &[&Claim],
    games: &[Game],
    range: &Range,
    means: &Means<'_>,
    control: &Control,
) -> Result<Vec<Verdict>, PlanError> {
    let plan = Plan::new(claims, games, range)?;
    let mut source = Recompute::new(means.isa, means.memory);
    match plan.run(&mut source, means, control) {
        Ok(verdicts) => Ok(verdicts),
        Err(RunError::Source(never)) => match never {},
        Err(RunError::Impossible { .. } | RunError::OtherPlan | RunError::Save(_)) => {
            unreachable!("nothing is read, an empty checkpoint is of any plan, and none is saved")
        }
    }
}

/// What a check goes over.
fn in_words(games: &[Game], extent: &Extent) -> String {
    let games_in_words = list(games);
    match extent {
        Extent::Sizes(sizes) => {
            let all = games
                .iter()
                .flat_map(|&game| sizes.iter().map(move |size| (game, size.max_pile, size.length)));
            covered_in_words(all.collect())
        }
        Extent::Rows { max_pile, bound } => format!(
            "{games_in_words}: rows b -> G(a c b), a and c up to {max_pile}, b up to {bound}"
        ),
        Extent::Numbers { what, to } => format!("{games_in_words}: {what} up to {to}"),
        Extent::Printed => format!("{games_in_words}: all of the print"),
    }
}

/// "end-nim, loop-end-nim: piles <= 64, lengths 1 to 4; piles <= 16, length 5".
fn covered_in_words(covered: Vec<(Game, Pile, usize)>) -> String {
    let games: BTreeSet<Game> = covered.iter().map(|&(game, ..)| game).collect();
    let mut lengths: BTreeMap<std::cmp::Reverse<Pile>, BTreeSet<usize>> = BTreeMap::new();
    for (_, max_pile, length) in covered {
        lengths.entry(std::cmp::Reverse(max_pile)).or_default().insert(length);
    }
    let sizes: Vec<String> = lengths
        .iter()
        .filter_map(|(max_pile, lengths)| {
            let (first, last) = (lengths.first()?, lengths.last()?);
            let lengths = if first == last {
                format!("length {first}")
            } else {
                format!("lengths {first} to {last}")
            };
            Some(format!("piles <= {}, {lengths}", max_pile.0))
        })
        .collect();
    if sizes.is_empty() {
        return "nothing".to_owned();
    }
    let games: Vec<Game> = games.into_iter().collect();
    format!("{}: {}", list(&games), sizes.join("; "))
}

#[cfg(test)]
mod tests;
