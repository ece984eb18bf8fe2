//! Which sweeps a set of claims needs: made before anything is computed, so that
//! it can be shown, and refused.
//!
//! All claims that speak of one table share its sweep. A claim that speaks of
//! any length asks for every length up to the one wanted; small ones cost
//! nothing. Where two of a claim's sizes overlap, the larger one serves, except
//! for counts, which need every length of each max pile.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Instant;

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile, Table, TableError, table};
use grundy_sweep::{Control, Ladder, Swept};

use grundy_triangular::Checked;

use crate::checkpoint::Checkpoint;
use crate::claim::{Claim, Domain, Rule};
use crate::counts;
use crate::inspect::{Inspected, Inspection};
use crate::job::{Examined, Extent, Job, Size};
use crate::source::{Source, ladder_top};
use crate::tally::Tally;
use crate::verdict::Verdict;

/// How far to check; what is left out is the claim's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The largest pile.
    pub max_pile: Option<Pile>,
    /// The number of piles; claims about any length are checked for all up to it.
    pub length: Option<usize>,
    /// The last column, for claims about rows, or the bound, for those about numbers.
    pub to: Option<u32>,
}

impl Range {
    /// What is set here that none of the claims looks at: `max_pile`, `length` or `to`.
    pub fn unused(&self, claims: &[&Claim]) -> Option<&'static str> {
        let used = |of: fn(&Domain) -> bool| claims.iter().any(|claim| of(&claim.domain));
        let of_piles =
            |domain: &Domain| matches!(domain, Domain::Positions { .. } | Domain::Rows { .. });
        let of_length = |domain: &Domain| matches!(domain, Domain::Positions { .. });
        let of_bound =
            |domain: &Domain| matches!(domain, Domain::Rows { .. } | Domain::Numbers { .. });
        match self {
            Range { max_pile: Some(_), .. } if !used(of_piles) => Some("max_pile"),
            Range { length: Some(_), .. } if !used(of_length) => Some("length"),
            Range { to: Some(_), .. } if !used(of_bound) => Some("to"),
            _ => None,
        }
    }
}

/// What the machine gives.
#[derive(Clone, Copy, Debug)]
pub struct Means<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Bytes that the lowest levels may take; what the threads work with comes
    /// on top ([`Plan::estimate`] says how much that is together).
    pub memory: u64,
    /// Threads that will work.
    pub threads: usize,
    /// A certificate that the search of `lgn.conj34` goes on from
    /// ([`crate::conjecture::check_file`]).
    pub certificate: Option<&'a Checked>,
}

/// Why there is no such plan.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The claim says nothing about any of the games asked for.
    #[error("{claim} does not speak about {}; it speaks about {}", list(.asked), list(.games))]
    OtherGame {
        /// The claim's id.
        claim: &'static str,
        /// The games asked for.
        asked: Vec<Game>,
        /// The games it speaks about.
        games: &'static [Game],
    },
    /// The claim says nothing about positions as short as asked for.
    #[error("{claim} speaks about positions of at least {from} piles; length {asked} has none")]
    TooShort {
        /// The claim's id.
        claim: &'static str,
        /// The length asked for.
        asked: usize,
        /// The least length it speaks about.
        from: usize,
    },
    /// There is no table of that size.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A bound that the claim cannot be checked to.
    #[error("{claim} is checked for {what} from 1 to a bound of at most {most}, and --to is {to}")]
    Bound {
        /// The claim's id.
        claim: &'static str,
        /// What goes up to the bound.
        what: &'static str,
        /// What was asked for.
        to: u32,
        /// The largest there is.
        most: u32,
    },
    /// The lowest levels alone need more memory than there may be.
    #[error(
        "this needs about {} MiB of memory, and {} are allowed; choose a smaller range or allow \
         more",
        needed.div_ceil(1 << 20),
        memory >> 20
    )]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        memory: u64,
    },
    /// It would take longer than allowed.
    #[error(
        "this would take about {seconds:.0} s, and {allowed:.0} are allowed; choose a smaller range or allow more"
    )]
    Seconds {
        /// About how long.
        seconds: f64,
        /// How long is allowed.
        allowed: f64,
    },
}

fn list(games: &[Game]) -> String {
    games.iter().map(|game| game.id()).collect::<Vec<_>>().join(", ")
}

/// What a plan would take.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// Positions that are looked at, each once, however many claims look.
    pub positions: u64,
    /// Cells to be computed, which is what [`Control::done`] counts up to.
    pub cells: u64,
    /// About how long.
    pub seconds: f64,
    /// About how much memory, in bytes.
    pub memory: u64,
}

impl Estimate {
    /// Adds what is done after this.
    pub(crate) fn add(&mut self, next: Estimate) {
        self.positions += next.positions;
        self.cells += next.cells;
        self.seconds += next.seconds;
        self.memory = self.memory.max(next.memory);
    }

    /// Refuses what takes too much memory or time.
    ///
    /// # Errors
    /// [`PlanError::Memory`] or [`PlanError::Seconds`].
    pub fn within(&self, memory: u64, seconds: f64) -> Result<(), PlanError> {
        if self.memory > memory {
            return Err(PlanError::Memory { needed: self.memory, memory });
        }
        if self.seconds > seconds {
            return Err(PlanError::Seconds { seconds: self.seconds, allowed: seconds });
        }
        Ok(())
    }
}

/// The sweeps and other jobs that check a set of claims.
pub struct Plan<'a> {
    claims: Vec<&'a Claim>,
    /// By table; the numbers of the claims that take part.
    sweeps: BTreeMap<(Game, Pile, usize), BTreeSet<usize>>,
    /// The number of the claim, its games, how far.
    wholes: Vec<(usize, Vec<Game>, Extent)>,
}

/// Why a run ended without verdicts.
#[derive(Debug, thiserror::Error)]
pub enum RunError<E: std::error::Error + 'static> {
    /// The source could not show a table.
    #[error(transparent)]
    Source(E),
    /// The checkpoint is of other claims or another range.
    #[error(
        "the checkpoint is of another diff: of other claims, games or sizes; say the same as when it was begun, or name a new file"
    )]
    OtherPlan,
    /// The checkpoint could not be kept.
    #[error("the checkpoint cannot be written")]
    Save(#[source] io::Error),
}

/// Cells swept from one checkpoint to the next: a second or so.
const CELLS_OF_A_STRETCH: u64 = 1 << 33;

/// Words that a length chosen for the user goes up to.
const WORDS_BY_DEFAULT: u64 = 1 << 24;

impl<'a> Plan<'a> {
    /// Checks `claims` for those of `games` that each speaks about (no games
    /// given: all it speaks about), over `range`.
    ///
    /// # Errors
    /// [`PlanError`] if a claim speaks of none of the games, or of no position in
    /// range, or if there is no table that large.
    pub fn new(claims: &[&'a Claim], games: &[Game], range: &Range) -> Result<Plan<'a>, PlanError> {
        let mut plan =
            Plan { claims: claims.to_vec(), sweeps: BTreeMap::new(), wholes: Vec::new() };
        for (number, claim) in claims.iter().enumerate() {
            let wanted: Vec<Game> = claim
                .games
                .iter()
                .copied()
                .filter(|game| games.is_empty() || games.contains(game))
                .collect();
            if wanted.is_empty() {
                let (claim, games, asked) = (claim.id, claim.games, games.to_vec());
                return Err(PlanError::OtherGame { claim, asked, games });
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
            Domain::Rows { max_pile, bound } => Extent::Rows {
                max_pile: range.max_pile.unwrap_or(max_pile),
                bound: range.to.unwrap_or(bound),
            },
            Domain::Positions { from, to, defaults } => {
                let sizes = exact_sizes(claim, from, to, defaults, range)?;
                for &Size { max_pile, length } in &sizes {
                    Table::new(games[0], max_pile, length)?;
                }
                Extent::Sizes(sizes)
            }
            Domain::Numbers { what, default, most } => {
                let to = range.to.unwrap_or(default);
                if !(1..=most).contains(&to) {
                    return Err(PlanError::Bound { claim: claim.id, what, to, most });
                }
                Extent::Numbers { what, to }
            }
        };
        match (&claim.rule, extent) {
            (Rule::Positions(_) | Rule::Zeros(_), Extent::Sizes(sizes)) => {
                for &game in &games {
                    for &Size { max_pile, length } in &sizes {
                        let sweep = self.sweeps.entry((game, max_pile, length)).or_default();
                        sweep.insert(number);
                    }
                }
            }
            (_, extent) => self.wholes.push((number, games, extent)),
        }
        Ok(())
    }

    /// Whether anything in it is swept part by part, so that a checkpoint can keep it.
    pub fn has_sweeps(&self) -> bool {
        !self.sweeps.is_empty()
    }

    /// The plan in words: equal plans have equal ones.
    fn in_words(&self) -> String {
        let table =
            |(&(game, max_pile, length), claims): (&(Game, Pile, usize), &BTreeSet<usize>)| {
                let ids: Vec<&str> = claims.iter().map(|&number| self.claims[number].id).collect();
                format!("{game}/n{max_pile}/k{length}: {}", ids.join(", "))
            };
        self.sweeps.iter().map(table).collect::<Vec<_>>().join("; ")
    }

    /// What it would take.
    pub fn estimate(&self, means: &Means<'_>) -> Estimate {
        let mut total = Estimate::default();
        let threads = means.threads.max(1) as f64;
        for (&(game, max_pile, length), claims) in &self.sweeps {
            let Ok(table) = Table::new(game, max_pile, length) else { continue };
            let cost = size_cost(&table, means);
            let checks: f64 =
                claims.iter().map(|&number| check_cost(&self.claims[number].rule)).sum();
            let cells = table.cells();
            total.add(Estimate {
                positions: table.positions(),
                cells,
                seconds: cells as f64 * (cost.cell * cost.walk + checks) * 1e-9 / threads,
                memory: cost.memory,
            });
        }
        for (number, games, extent) in &self.wholes {
            if let Rule::Whole(whole) = &self.claims[*number].rule {
                total.add((whole.cost)(games, extent, means));
            }
        }
        total
    }

    /// Runs it: one verdict per claim, in the order in which they were given. If
    /// the control stops it, the verdicts say what was covered so far.
    ///
    /// # Errors
    /// What the source says when it cannot show a table.
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
        mut save: impl FnMut(&Checkpoint) -> io::Result<()>,
        cells_of_a_stretch: u64,
    ) -> Result<Vec<Verdict>, RunError<S::Error>> {
        let words = self.in_words();
        if !checkpoint.is_of(&words) {
            return Err(RunError::OtherPlan);
        }
        checkpoint.plan = words;
        let mut progress: Vec<Progress> = vec![Progress::default(); self.claims.len()];
        let mut zeros = counts::Zeros::default();
        for (&(game, max_pile, length), numbers) in &self.sweeps {
            let Ok(table) = Table::new(game, max_pile, length) else { continue };
            let numbers: Vec<usize> = numbers.iter().copied().collect();
            let claims: Vec<&Claim> = numbers.iter().map(|&number| self.claims[number]).collect();
            let inspection = Inspection::new(game, length, means.isa, &claims);
            let parts = source.parts(&table);
            let stretches = (table.cells() / cells_of_a_stretch).clamp(1, parts);
            let stretch = parts.div_ceil(stretches);
            let mut covered = checkpoint.take(&table, parts);
            control.advance(covered.cells);
            let mut complete = true;
            // What a stretch that was stopped midway has gathered is told, not kept.
            let mut rest: Option<Swept<Inspected>> = None;
            while covered.done < parts && complete {
                let start = Instant::now();
                let next = covered.done..(covered.done + stretch).min(parts);
                let end = next.end;
                let swept = inspect(source, &table, next, control, &inspection)
                    .map_err(RunError::Source)?;
                complete = swept.complete;
                covered.seconds += start.elapsed().as_secs_f64();
                if complete {
                    covered.add(swept.acc, swept.cells);
                    covered.done = end;
                    checkpoint.put(&table, covered.clone());
                    save(checkpoint).map_err(RunError::Save)?;
                } else {
                    rest = Some(swept);
                }
            }
            if let Some(rest) = rest {
                covered.add(rest.acc, rest.cells);
            }
            if complete {
                zeros.insert(&table, covered.zeros);
            }
            for (tally, &number) in covered.tallies.into_iter().zip(&numbers) {
                let progress = &mut progress[number];
                progress.add(tally, covered.seconds, complete);
                if covered.cells > 0 {
                    progress.covered.push((game, max_pile, length));
                }
            }
        }
        for (number, claim) in self.claims.iter().enumerate() {
            if let Rule::Zeros(rule) = claim.rule {
                let tally = zeros.check(&progress[number].covered, rule);
                progress[number].add(tally, 0.0, true);
            }
        }
        for (number, games, extent) in &self.wholes {
            let start = Instant::now();
            if let Rule::Whole(whole) = &self.claims[*number].rule {
                let &Means { isa, memory, certificate, .. } = means;
                let job = Job { games, extent, isa, memory, certificate, control };
                let examined = match control.is_stopped() {
                    true => Examined { stopped: true, ..Examined::default() },
                    false => (whole.check)(&job),
                };
                let progress = &mut progress[*number];
                progress.add(examined.tally, start.elapsed().as_secs_f64(), !examined.stopped);
                progress.undecided = examined.undecided;
                progress.remark = examined.remark;
                progress.certificate = examined.certificate;
            }
        }
        let verdicts =
            self.claims.iter().zip(progress).enumerate().map(|(number, (claim, done))| {
                let whole = self.wholes.iter().find(|(at, ..)| *at == number);
                let range = match whole {
                    Some((_, games, Extent::Sizes(sizes))) => {
                        let all = games.iter().flat_map(|&game| {
                            sizes.iter().map(move |size| (game, size.max_pile, size.length))
                        });
                        in_words(all.collect())
                    }
                    Some((_, games, Extent::Rows { max_pile, bound })) => format!(
                        "{}: rows b -> G(a c b), a and c up to {max_pile}, b up to {bound}",
                        list(games)
                    ),
                    Some((_, games, Extent::Numbers { what, to })) => {
                        format!("{}: {what} up to {to}", list(games))
                    }
                    Some((_, games, Extent::Printed)) => {
                        format!("{}: all of the print", list(games))
                    }
                    None => in_words(done.covered),
                };
                let range = match done.remark {
                    Some(remark) => format!("{range}; {remark}"),
                    None => range,
                };
                Verdict {
                    seconds: done.seconds,
                    complete: !done.stopped,
                    undecided: done.undecided,
                    certificate: done.certificate,
                    ..Verdict::new(claim, done.tally, range)
                }
            });
        Ok(verdicts.collect())
    }
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
    let mut source = crate::Recompute::new(means.isa, means.memory);
    match plan.run(&mut source, means, control) {
        Ok(verdicts) => Ok(verdicts),
        Err(RunError::Source(never)) => match never {},
        Err(RunError::OtherPlan | RunError::Save(_)) => {
            unreachable!("an empty checkpoint is of any plan, and nothing is saved")
        }
    }
}

/// What a claim has gathered so far.
#[derive(Clone, Default)]
struct Progress {
    tally: Tally,
    seconds: f64,
    undecided: u64,
    stopped: bool,
    covered: Vec<(Game, Pile, usize)>,
    remark: Option<String>,
    certificate: Option<Vec<u8>>,
}

impl Progress {
    fn add(&mut self, tally: Tally, seconds: f64, complete: bool) {
        self.tally = std::mem::take(&mut self.tally).merge(tally);
        self.seconds += seconds;
        self.stopped |= !complete;
    }
}

/// Folds over some parts of a table with cells of its width.
fn inspect<S: Source>(
    source: &mut S,
    table: &Table,
    parts: std::ops::Range<u64>,
    control: &Control,
    inspection: &Inspection,
) -> Result<Swept<Inspected>, S::Error> {
    match table.value_bytes() {
        1 => source.fold::<u8, _>(table, parts, control, inspection),
        _ => source.fold::<u16, _>(table, parts, control, inspection),
    }
}

/// Every single size at which a claim is to be checked.
fn exact_sizes(
    claim: &Claim,
    from: usize,
    to: Option<usize>,
    defaults: &[Size],
    range: &Range,
) -> Result<Vec<Size>, PlanError> {
    if let Some(asked) = range.length.filter(|&length| length < from) {
        return Err(PlanError::TooShort { claim: claim.id, asked, from });
    }
    let asked = match (range.max_pile, range.length) {
        (None, None) => None,
        (Some(max_pile), length) => {
            let length =
                length.or(to).unwrap_or_else(|| table::default_length(claim.games[0], max_pile));
            Some(Size { max_pile, length: length.max(from) })
        }
        (None, Some(length)) => {
            let length = to.map_or(length, |to| length.min(to));
            Some(Size { max_pile: default_max_pile(length), length })
        }
    };
    let sizes: &[Size] = asked.as_ref().map_or(defaults, std::slice::from_ref);
    let counts = matches!(claim.rule, Rule::Zeros(_));
    let mut exact = BTreeSet::new();
    for size in sizes {
        let last = to.map_or(size.length, |to| size.length.min(to));
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

/// The max pile for a length that comes without one.
fn default_max_pile(length: usize) -> Pile {
    (1..=2000u32)
        .take_while(|&n| u64::from(n).checked_pow(length as u32) <= Some(WORDS_BY_DEFAULT))
        .take_while(|&n| u64::from(n).checked_pow(length as u32).is_some())
        .last()
        .unwrap_or(1)
}

/// What the sweep of a table takes, without any claim.
pub(crate) struct SizeCost {
    /// Bytes of the ladder and of what the threads work with.
    pub(crate) memory: u64,
    /// Nanoseconds for a cell.
    pub(crate) cell: f64,
    /// Levels between the top of the ladder and those whose rows border the
    /// table's tiles.
    pub(crate) between: u32,
    /// How many cells the sweep computes for each that it shows.
    walk: f64,
}

pub(crate) fn size_cost(table: &Table, means: &Means<'_>) -> SizeCost {
    let (n, length) = (table.max_pile(), table.length());
    let side = u64::from(n);
    let bytes = table.value_bytes() as u64;
    let (top, ladder) = match bytes {
        1 => {
            let top = ladder_top::<u8>(n, length, means.memory);
            (top, Ladder::<u8>::bytes(n, top))
        }
        _ => {
            let top = ladder_top::<u16>(n, length, means.memory);
            (top, Ladder::<u16>::bytes(n, top))
        }
    };
    let ladder = ladder.unwrap_or(u64::MAX);
    // Measured on one machine (examples/cost.rs); what matters is the order of
    // magnitude.
    let cell = match (bytes, means.isa) {
        (1, Isa::Avx512) => 0.2 + 0.003 * f64::from(n),
        (1, Isa::Avx2) => 0.5 + 0.008 * f64::from(n),
        (1, Isa::Portable) => 1.0 + 0.015 * f64::from(n),
        _ => 4.0 + 0.01 * f64::from(n),
    };
    if length <= 3 {
        // One thread, one tile at a time.
        let memory = ladder.saturating_add(bytes * table.tile_cells() as u64);
        return SizeCost { memory, cell, between: 0, walk: 1.0 };
    }
    // Levels between are computed on the way: for every N^2 tiles 2 N of the
    // level below, each from two of the level below that.
    let between = length.saturating_sub(1 + top) as u32;
    let ring = (2 * side) << between.min(40);
    let working =
        bytes.saturating_mul((ring + 8).saturating_mul(side * side).saturating_add(1 << 16));
    let memory = ladder.saturating_add(working.saturating_mul(means.threads.max(1) as u64));
    let walk = 1.0 + f64::from(between * (between + 1)) / f64::from(n);
    SizeCost { memory, cell, between, walk }
}

/// Nanoseconds per cell that checking a claim adds.
fn check_cost(rule: &Rule) -> f64 {
    match rule {
        Rule::Positions(statement) => statement(Game::EndNim).cost(),
        Rule::Zeros(_) => 0.06,
        Rule::Whole(_) => 0.0,
    }
}

/// "end-nim, loop-end-nim: piles <= 64, lengths 1 to 4; piles <= 16, length 5".
fn in_words(covered: Vec<(Game, Pile, usize)>) -> String {
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
