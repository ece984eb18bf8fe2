//! Answers about positions, with their sources, limits and errors.

use grundy_sweep::cost::price;
use grundy_sweep::{Bytes, MemoryLimit, MemoryShortage, Number, Seconds};
use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use grundy_kernels::Isa;
use grundy_kernels::subsets::SearchError;
use grundy_rules::{
    Game, Memory, Move, Outcome, Pile, Player, Position, Singles, Undefined, class_of_thresholds,
};

use crate::tables::{StoreError, Stored, Tables};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Table,
    TableAndComputed,
    /// Computed only from the rules.
    Computed,
    Theorem,
    /// Computed from the proved period of the position's row.
    Period,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Table => "table",
            Source::TableAndComputed => "table+computed",
            Source::Computed => "computed",
            Source::Theorem => "theorem",
            Source::Period => "period",
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The Grundy value; `None` in a partizan game.
    pub value: Option<u32>,
    pub outcome: Outcome,
    /// The thresholds (l, r) that determine the class, in a game that has them (see `theorems.rs`
    /// in
    /// `grundy_rules`).
    pub thresholds: Option<(u64, u64)>,
    pub source: Source,
}

impl Answer {
    pub fn of_value(value: u32, source: Source) -> Answer {
        let outcome = Outcome::of_value(value);
        Answer { value: Some(value), outcome, thresholds: None, source }
    }

    pub fn of_class(outcome: Outcome, source: Source) -> Answer {
        Answer { value: None, outcome, thresholds: None, source }
    }

    /// Returns the answer with the outcome class that these thresholds determine.
    pub fn of_thresholds(left: u64, right: u64, source: Source) -> Answer {
        let outcome = class_of_thresholds(left, right);
        Answer { value: None, outcome, thresholds: Some((left, right)), source }
    }

    /// Returns the value, or in a partizan game the index of the class in [`Outcome::ALL`].
    pub fn cell(&self) -> u32 {
        self.value.unwrap_or(self.outcome as u32)
    }

    /// Returns the answer as one number: the value, the threshold l, or the index of the class.
    pub fn number(&self) -> u64 {
        match (self.value, self.thresholds) {
            (Some(value), _) => value.into(),
            (None, Some((left, _))) => left,
            (None, None) => self.outcome as u64,
        }
    }
}

impl fmt::Display for Answer {
    /// Writes the value, or else the outcome class.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            Some(value) => value.fmt(f),
            None => self.outcome.fmt(f),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Moves {
    pub answer: Answer,
    /// Every move, with the answer about its option.
    pub moves: Vec<(Move, Answer)>,
}

/// True if a move by `player` to an option of this class wins.
pub fn is_winning(player: Player, option: Outcome) -> bool {
    match player {
        Player::Left => matches!(option, Outcome::L | Outcome::P),
        Player::Right => matches!(option, Outcome::R | Outcome::P),
        Player::Either => option == Outcome::P,
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    pub memory: MemoryLimit,
    /// The time limit in seconds. If the solver cannot estimate the time, it measures the time.
    pub seconds: f64,
}

impl Default for Limits {
    /// Returns limits of 4 GiB and one minute.
    fn default() -> Limits {
        Limits { memory: MemoryLimit::default(), seconds: 60.0 }
    }
}

/// The limit that was too low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Memory,
    Seconds,
}

/// The effort of an answer: an estimate, or a measurement of a running search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// The number of cells to compute, or the number of positions found so far.
    pub cells: f64,
    /// The time in seconds that one thread needs.
    pub seconds: f64,
    /// Bytes of memory.
    pub memory: u64,
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Effort { cells, seconds, memory } = *self;
        write!(f, "about {cells:.1e} cells")?;
        // Without a clock or an estimate, the time is unknown.
        if seconds > 0.0 {
            write!(f, ", {}", Seconds(seconds))?;
        }
        write!(f, " and {}", Bytes(memory))
    }
}

impl Effort {
    pub fn check(self, piles: &[Pile], limits: Limits) -> Reply<()> {
        if limits.memory.check(self.memory).is_err() {
            Err(self.refused(piles, Limit::Memory))
        } else if self.seconds > limits.seconds {
            Err(self.refused(piles, Limit::Seconds))
        } else {
            Ok(())
        }
    }

    pub fn refused(self, piles: &[Pile], limit: Limit) -> SolveError {
        SolveError::TooLarge { position: named(piles), work: self, limit }
    }
}

/// Returns piles as text for a message. The text of a long row contains only the two end piles.
pub(crate) fn named(piles: &[Pile]) -> String {
    match piles {
        [first, .., last] if piles.len() > 12 => {
            format!("the row {first},...,{last} of {} piles", piles.len())
        }
        // A pile of 0 is an empty place, which the text shows as 0.
        _ => Position::written(piles, &Memory::Nothing).to_string(),
    }
}

/// A callback that long computations call regularly with their effort so far. A computation that
/// counts no positions reports 0 cells. The callback returns false to stop the computation.
pub type Watch = fn(&Effort) -> bool;

/// The tables, limits and callbacks of a solver.
#[derive(Clone, Copy)]
pub struct Env<'a> {
    pub tables: &'a dyn Tables,
    pub limits: Limits,
    pub isa: Isa,
    /// The clock of the solvers, which returns the seconds since a fixed moment.
    pub clock: fn() -> f64,
    pub watch: Option<Watch>,
    /// True if a theorem may answer a position that no table holds.
    pub theorems: bool,
}

impl fmt::Debug for Env<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Env").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl<'a> Env<'a> {
    /// Returns an environment with default limits, a stopped clock and no theorems.
    pub fn with_nothing(tables: &'a dyn Tables) -> Env<'a> {
        let limits = Limits::default();
        Env { tables, limits, isa: Isa::best(), clock: || 0.0, watch: None, theorems: false }
    }

    pub(crate) fn theorem(&self, game: Game, position: &Position) -> Option<Answer> {
        let value = self.theorems.then(|| game.theorem(position)).flatten()?;
        Some(Answer::of_value(value, Source::Theorem))
    }

    /// Returns the values of the single piles up to the largest of some piles, within the limits.
    pub(crate) fn single_piles(&self, game: Game, piles: &[Pile]) -> Reply<Cow<'static, Singles>> {
        let largest = piles.iter().copied().max().unwrap_or(1);
        // If the values repeat, few of them are computed. Otherwise each takes some time.
        if largest > FEW_SINGLES && game.single_piles(1).repeats().is_none() {
            let cells = f64::from(largest);
            let work = Effort { cells, seconds: 0.0, memory: 8 * u64::from(largest) };
            work.check(piles, self.limits)?;
            let moves = game.try_moves(&game.position(&[largest]))?.len() as f64;
            let seconds = cells * moves / 2.0 * price::OPTION;
            Effort { seconds, ..work }.check(piles, self.limits)?;
        }
        Ok(game.single_piles(largest))
    }

    /// Returns the smallest table that holds positions with these piles.
    pub(crate) fn holder(&self, game: Game, piles: &[Pile]) -> Option<&'a dyn Stored> {
        self.tables.find(game, piles.len(), &|stored| stored.table().holds(piles))
    }

    /// Answers a position from the smallest table that holds it.
    pub(crate) fn stored(&self, game: Game, position: &Position) -> Reply<Option<Answer>> {
        let Some(stored) = self.holder(game, position.piles()) else { return Ok(None) };
        Ok(stored.cell_of(position)?.map(|value| Answer::of_value(value, Source::Table)))
    }
}

/// The number of single piles whose values take too little time to be estimated.
const FEW_SINGLES: Pile = 1 << 10;

pub(crate) const SHOW_EVERY: f64 = 0.1;

/// Checks the time limit and calls the watcher, for work that counts no positions.
pub(crate) struct Watched<'a> {
    env: &'a Env<'a>,
    /// The time at the first call of [`Watched::look`].
    start: Cell<Option<f64>>,
    shown: Cell<f64>,
}

impl<'a> Watched<'a> {
    /// Measures time from the first call of `look`, because the work before that call is short.
    pub(crate) fn new(env: &'a Env<'a>) -> Watched<'a> {
        Watched { env, start: Cell::new(None), shown: Cell::new(0.0) }
    }

    /// Measures time from `now`.
    pub(crate) fn started(env: &'a Env<'a>, now: f64) -> Watched<'a> {
        Watched { env, start: Cell::new(Some(now)), shown: Cell::new(now) }
    }

    /// Returns an error if the watcher stops the work, or the time limit has passed.
    pub(crate) fn look(&self, piles: &[Pile]) -> Reply<()> {
        let now = (self.env.clock)();
        let Some(start) = self.start.get() else {
            self.start.set(Some(now));
            self.shown.set(now);
            return Ok(());
        };
        let seconds = now - start;
        if now - self.shown.get() > SHOW_EVERY {
            self.shown.set(now);
            let work = Effort { seconds, ..Effort::default() };
            if self.env.watch.is_some_and(|watch| !watch(&work)) {
                return Err(SolveError::Stopped { position: named(piles) });
            }
        }
        match seconds > self.env.limits.seconds {
            true => Err(SolveError::TimeUp { position: named(piles), seconds }),
            false => Ok(()),
        }
    }
}

pub type Reply<T> = Result<T, SolveError>;

/// The answers for the positions of a row or tile; `None` for positions that the rules exclude.
pub type Answers = Vec<Option<Answer>>;

#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// A failure to read a stored cell.
    #[error(transparent)]
    Store(StoreError),
    #[error("the record of {pile} in {table} is invalid")]
    Record { pile: Pile, table: String },
    #[error("the entry of {position} in {table} is not an outcome class")]
    NoClass { position: String, table: String },
    #[error("{position} is too large for a search")]
    BeyondSearch { position: String, source: SearchError },
    #[error("{position} has too many moves to list: {coins} coins; the limit is {limit}")]
    TooManyMoves { position: String, coins: u64, limit: u64 },
    #[error(
        "{position} is too large to search here: {}, {} and {} did not suffice",
        Number(*states, "position"), Seconds(*seconds), Bytes(*memory)
    )]
    Unfinished { position: String, states: u64, seconds: f64, memory: u64, limit: Limit },
    #[error("out of time at {position}, after {}", Seconds(*seconds))]
    TimeUp { position: String, seconds: f64 },
    #[error("the search for {position} was stopped")]
    Stopped { position: String },
    #[error("{position} is too large to compute here: {work}")]
    TooLarge { position: String, work: Effort, limit: Limit },
    #[error("{table} has {}, too many to enumerate here", Number(*positions, "position"))]
    TooManyPositions { table: String, positions: u64 },
    /// The moves of a rule file are undefined at a position.
    #[error(transparent)]
    Rules(#[from] Undefined),
    #[error("{table}: {shortage}")]
    CountMemory { table: String, shortage: MemoryShortage },
}

impl From<StoreError> for SolveError {
    fn from(error: StoreError) -> SolveError {
        // A store that computes answers reports a solver error. Return this error unchanged.
        match error.downcast::<SolveError>() {
            Ok(error) => *error,
            Err(error) => SolveError::Store(error),
        }
    }
}

/// The largest number of coins in a position whose moves are listed. Each move takes one line.
const MOST_COINS: u64 = 10_000_000;

pub(crate) fn check_moves(position: &Position) -> Reply<()> {
    let coins = position.coins();
    if coins <= MOST_COINS {
        return Ok(());
    }
    Err(SolveError::TooManyMoves { position: named(position.piles()), coins, limit: MOST_COINS })
}

#[cfg(test)]
mod tests;
