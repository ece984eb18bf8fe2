//! Which sweeps a set of claims needs: made before anything is computed, so that
//! it can be shown, and refused.
//!
//! All claims that speak of one table share its sweep. A claim that speaks of
//! any length asks for every length up to the one wanted; small ones cost
//! nothing. Where two of a claim's sizes overlap, the larger one serves, except
//! for counts, which need every length of each max pile.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile, Table, TableError, table};
use grundy_sweep::{Control, Ladder, Swept};

use crate::claim::{Claim, Domain, Rule, Size};
use crate::inspect::{Inspected, Inspection};
use crate::source::{Source, ladder_top};
use crate::tally::Tally;
use crate::verdict::Verdict;
use crate::whole::{Extent, Job};
use crate::{counts, period};

/// How far to check; what is left out is the claim's default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The largest pile.
    pub max_pile: Option<Pile>,
    /// The number of piles; claims about any length are checked for all up to it.
    pub length: Option<usize>,
    /// The last column of rows, for claims about rows.
    pub to: Option<u32>,
}

/// What the machine gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// The instruction set.
    pub isa: Isa,
    /// Bytes that the lowest levels may take.
    pub memory: u64,
    /// Threads that will work.
    pub threads: usize,
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
    /// The lowest levels alone need more memory than there may be.
    #[error(
        "this needs {needed} bytes of memory, and {memory} are allowed; choose a smaller range or \
         allow more"
    )]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        memory: u64,
    },
    /// It would take longer than allowed.
    #[error("this would take about {seconds:.0} s, and {allowed:.0} are allowed; choose a smaller range or allow more")]
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

    /// What it would take.
    pub fn estimate(&self, means: &Means) -> Estimate {
        let mut total = Estimate::default();
        for (&(game, max_pile, length), claims) in &self.sweeps {
            let Ok(table) = Table::new(game, max_pile, length) else { continue };
            let (_, cost) = size_cost(&table, means);
            total.positions += table.positions();
            total.cells += table.cells();
            let checks: f64 =
                claims.iter().map(|&number| check_cost(&self.claims[number].rule)).sum();
            total.seconds +=
                table.cells() as f64 * (cost + checks) * 1e-9 / means.threads.max(1) as f64;
            total.memory = total.memory.max(size_cost(&table, means).0);
        }
        for (_, games, extent) in &self.wholes {
            match extent {
                Extent::Printed => total.positions += 256,
                Extent::Rows { max_pile, bound } => {
                    let side = u64::from(*max_pile);
                    // Each middle c has c rows above it before its own.
                    let cells: u64 = (1..=*max_pile)
                        .map(|c| period::cells(*max_pile, &[c], *bound as usize))
                        .sum::<u64>()
                        * games.len() as u64;
                    total.positions += side * side * games.len() as u64;
                    total.cells += side * side * u64::from(*bound) * games.len() as u64;
                    // The cost of a cell grows with the number of rows above it.
                    total.seconds +=
                        cells as f64 * (8.0 + f64::from(*max_pile)) * 1e-9 / means.threads as f64;
                    let strip = period::cells(*max_pile, &[*max_pile], *bound as usize);
                    total.memory = total.memory.max(16 * strip * means.threads as u64);
                }
                Extent::Sizes(sizes) => {
                    for &Size { max_pile, length } in sizes {
                        let Ok(table) = Table::new(games[0], max_pile, length) else { continue };
                        let (memory, cost) = size_cost(&table, means);
                        total.positions += table.positions();
                        total.cells += 3 * table.cells();
                        total.seconds += 3.0 * table.cells() as f64 * (cost + 1.0) * 1e-9
                            / means.threads.max(1) as f64;
                        total.memory = total.memory.max(3 * memory);
                    }
                }
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
        means: &Means,
        control: &Control,
    ) -> Result<Vec<Verdict>, S::Error> {
        let mut progress: Vec<Progress> = vec![Progress::default(); self.claims.len()];
        let mut zeros = counts::Zeros::default();
        for (&(game, max_pile, length), numbers) in &self.sweeps {
            let Ok(table) = Table::new(game, max_pile, length) else { continue };
            let numbers: Vec<usize> = numbers.iter().copied().collect();
            let claims: Vec<&Claim> = numbers.iter().map(|&number| self.claims[number]).collect();
            let start = Instant::now();
            let inspection = Inspection::new(game, length, means.isa, &claims);
            let swept = inspect(source, &table, control, &inspection)?;
            let seconds = start.elapsed().as_secs_f64();
            if swept.complete {
                zeros.insert(&table, swept.acc.zeros);
            }
            for (tally, &number) in swept.acc.tallies.into_iter().zip(&numbers) {
                let progress = &mut progress[number];
                progress.add(tally, seconds, swept.complete);
                if swept.cells > 0 {
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
            if let Rule::Whole(rule) = self.claims[*number].rule {
                let examined =
                    rule(&Job { games, extent, isa: means.isa, memory: means.memory, control });
                let progress = &mut progress[*number];
                progress.add(examined.tally, start.elapsed().as_secs_f64(), !examined.stopped);
                progress.undecided = examined.undecided;
            }
        }
        let verdicts = self.claims.iter().zip(progress).enumerate().map(|(number, (claim, done))| {
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
                Some((_, games, Extent::Printed)) => format!("{}: all of the print", list(games)),
                None => in_words(done.covered),
            };
            Verdict {
                seconds: done.seconds,
                complete: !done.stopped,
                undecided: done.undecided,
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
    means: &Means,
    control: &Control,
) -> Result<Vec<Verdict>, PlanError> {
    let plan = Plan::new(claims, games, range)?;
    let mut source = crate::Recompute::new(means.isa, means.memory);
    match plan.run(&mut source, means, control) {
        Ok(verdicts) => Ok(verdicts),
        Err(never) => match never {},
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
}

impl Progress {
    fn add(&mut self, tally: Tally, seconds: f64, complete: bool) {
        self.tally = std::mem::take(&mut self.tally).merge(tally);
        self.seconds += seconds;
        self.stopped |= !complete;
    }
}

/// Folds over a table with cells of its width.
fn inspect<S: Source>(
    source: &mut S,
    table: &Table,
    control: &Control,
    inspection: &Inspection,
) -> Result<Swept<Inspected>, S::Error> {
    match table.value_bytes() {
        1 => source.fold::<u8, _>(table, control, inspection),
        _ => source.fold::<u16, _>(table, control, inspection),
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
            let length = length.or(to).unwrap_or_else(|| table::default_length(max_pile));
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
            let covered = sizes
                .iter()
                .any(|other| other.max_pile > size.max_pile && other.length >= length);
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

/// Bytes that a sweep of this table takes, and nanoseconds per cell without any
/// claim.
fn size_cost(table: &Table, means: &Means) -> (u64, f64) {
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
    // Measured (see the essay of `inspect`); the order of magnitude is what
    // matters here.
    let cell = match (bytes, means.isa) {
        (1, Isa::Avx512) => 0.2 + 0.003 * f64::from(n),
        (1, Isa::Avx2) => 0.5 + 0.008 * f64::from(n),
        (1, Isa::Portable) => 1.0 + 0.015 * f64::from(n),
        _ => 4.0 + 0.01 * f64::from(n),
    };
    if length <= 3 {
        // One thread, one tile at a time.
        return (ladder.unwrap_or(u64::MAX).saturating_add(bytes * table.tile_cells() as u64), cell);
    }
    // Levels between the ladder and the table's own are computed on the way:
    // 2 N tiles, each from two below it, for every N^2 tiles.
    let between = (length.saturating_sub(1 + top)) as u32;
    let ring = (2 * side) << between.min(40);
    let per_thread = bytes * ((ring + 8) * side * side + (1 << 16));
    let extra = 1.0 + f64::from(between * (between + 1)) / f64::from(n);
    let working = per_thread * means.threads.max(1) as u64;
    (ladder.unwrap_or(u64::MAX).saturating_add(working), cell * extra)
}

/// Nanoseconds per cell that checking a claim adds.
fn check_cost(rule: &Rule) -> f64 {
    match rule {
        Rule::Positions(statement) => statement(Game::EndNim).cost(),
        Rule::Zeros(_) => 0.03,
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
