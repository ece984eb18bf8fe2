//! Questions in the language of docs/LANGUAGE.md: statements checked on every position up to a
//! size, and the positions that satisfy them.

use std::collections::BTreeSet;
use std::io;
use std::ops::RangeInclusive;
use std::time::Instant;

use grundy_kernels::Isa;
use grundy_questions::{Cells, Column, Prepared, Tile, Worker};
pub use grundy_questions::{Problem, Question, Span, Undefined};
use grundy_rules::{Game, Memory, Pile, Position, Table};
use grundy_solvers::{Means, solver};
use grundy_sweep::Control;

use crate::block::{Places, Values as BlockValues};
use crate::checkpoint::{Checkpoint, Covered};
use crate::level::{Hook, Progress, has_ladder};
use crate::lookups::Lookups;
use crate::{Block, Database, Error, Level};

/// Cells walked from one checkpoint to the next: a second or so.
const CELLS_OF_A_STRETCH: u64 = 1 << 32;

/// How a question is asked: of which positions, and within what.
///
/// ```
/// use grundy::{Ask, Question, games};
///
/// let question = Question::parse(games::END_NIM, "g == 1 -> abs(first - last) <= 1")?;
/// let checked = Ask::new(&question).check(3..=3, 64)?;
/// assert_eq!((checked.checked, checked.premise, checked.failures), (262_144, 3_971, 62));
/// assert_eq!(checked.least[0].0.to_string(), "1,3,3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Ask<'a> {
    question: &'a Question,
    database: Option<&'a Database>,
    pub(crate) memory: u64,
    seconds: f64,
    isa: Isa,
    show: usize,
    control: Option<&'a Control>,
    hook: Option<Hook<'a>>,
}

impl std::fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask").field("question", &self.question.text()).finish_non_exhaustive()
    }
}

/// What came of checking a question on positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// Positions looked at.
    pub checked: u64,
    /// Those of an implication of which its premises are true.
    pub premise: u64,
    /// Those of which the statement is false.
    pub failures: u64,
    /// The least of those, by coins and then by piles, with their values (or the places of their
    /// classes); no more than were wanted.
    pub least: Vec<(Position, u32)>,
    /// Whether all positions were looked at, or it was stopped.
    pub complete: bool,
    /// Whether values were read from stored tables.
    pub read: bool,
    /// Whether values were computed.
    pub computed: bool,
    /// Wall time, without what a checkpoint had covered before.
    pub seconds: f64,
    /// Positions looked at in that time.
    pub fresh: u64,
}

impl Checked {
    /// Whether it holds for all positions: there is no counterexample, and none was left out.
    pub fn holds(&self) -> bool {
        self.failures == 0 && self.complete
    }
}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The statement cannot be worked out for positions of this size.
    #[error("{0}")]
    Problem(Problem),
    /// It has no value at some position.
    #[error("{0}")]
    Undefined(Undefined),
    /// There is no such level, or it takes too much.
    #[error(transparent)]
    Level(#[from] Error),
    /// It would take too long.
    #[error(
        "that takes about {needed:.0} seconds for {positions} positions, and the limit is {allowed}"
    )]
    Seconds {
        /// Seconds, as estimated.
        needed: f64,
        /// How many positions that is.
        positions: u64,
        /// Seconds allowed.
        allowed: f64,
    },
    /// The checkpoint is of another question.
    #[error("the checkpoint is of another question, or of other positions")]
    OtherCheckpoint,
    /// The checkpoint could not be kept.
    #[error("the checkpoint cannot be written")]
    Save(#[source] io::Error),
}

impl From<Problem> for AskError {
    fn from(problem: Problem) -> AskError {
        AskError::Problem(problem)
    }
}

impl<'a> Ask<'a> {
    /// A question, to be asked of computed positions within 4 GiB and any time.
    pub fn new(question: &'a Question) -> Ask<'a> {
        Ask {
            question,
            database: None,
            memory: 4 << 30,
            seconds: f64::INFINITY,
            isa: Isa::best(),
            show: 1,
            control: None,
            hook: None,
        }
    }

    /// Takes values from a database where it has them.
    pub fn database(self, database: &'a Database) -> Ask<'a> {
        Ask { database: Some(database), ..self }
    }

    /// Stays within so many bytes of memory.
    pub fn memory(self, bytes: u64) -> Ask<'a> {
        Ask { memory: bytes, ..self }
    }

    /// Refuses what would take longer, as estimated.
    pub fn seconds(self, seconds: f64) -> Ask<'a> {
        Ask { seconds, ..self }
    }

    /// Uses this instruction set.
    pub fn isa(self, isa: Isa) -> Ask<'a> {
        Ask { isa, ..self }
    }

    /// Keeps so many of the least counterexamples; 1 if nothing is said.
    pub fn show(self, count: usize) -> Ask<'a> {
        Ask { show: count, ..self }
    }

    /// Counts values on a control, by which others can watch and stop it. A statement that has no
    /// value somewhere stops it too.
    pub fn control(self, control: &'a Control) -> Ask<'a> {
        Ask { control: Some(control), ..self }
    }

    /// Tells a hook how far it is; it ends when the hook says `false`.
    pub fn watched(self, hook: Hook<'a>) -> Ask<'a> {
        Ask { hook: Some(hook), ..self }
    }

    fn game(&self) -> Game {
        self.question.game()
    }

    fn level(&self, length: usize, max_pile: Pile) -> Result<Level<'a>, Error> {
        let mut level: Level<'a> = Level::new(self.game(), length, max_pile)?.memory(self.memory);
        if let Some(database) = self.database {
            level = level.database(database);
        }
        Ok(level)
    }

    /// The statement compiled for a level.
    fn prepare(&self, level: &Level<'_>) -> Result<Prepared<'a>, Problem> {
        let table = level.table();
        let places = match table.index().name() {
            "middles" => Some(grundy_questions::Places::Between),
            "words" => Some(grundy_questions::Places::Behind),
            _ => None,
        };
        let tiles = places.map(|places| (places, table.tile_cells()));
        self.question.prepare(table.length(), table.max_pile(), tiles, self.isa)
    }

    /// The positions of all these lengths, and about the seconds to check them.
    ///
    /// # Errors
    /// As [`Ask::check`].
    pub fn estimate(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
    ) -> Result<(u64, f64), AskError> {
        let (mut positions, mut seconds) = (0u64, 0.0);
        for length in lengths {
            let level = self.level(length, max_pile)?;
            let prepared = self.prepare(&level)?;
            let here = level.positions();
            positions = positions.saturating_add(here);
            let is_row = matches!(level.table().index().name(), "middles" | "words");
            // Nanoseconds of a step by its width; of a look-up; of options; of a position that
            // stands alone.
            let step = match prepared.bits() {
                16 => 0.05,
                32 => 0.1,
                64 => 0.25,
                _ => 1.5,
            };
            let mut each = 0.3 + step * prepared.steps() as f64;
            each += if prepared.asks().length > 0 { 5.0 } else { 0.0 };
            each += if prepared.asks().options { 50.0 * f64::from(max_pile) } else { 0.0 };
            each += if is_row { 0.0 } else { 20.0 };
            let threads = rayon::current_num_threads() as u64;
            seconds += here as f64 * each * 1e-9 / threads as f64;
            if !is_fast(self.game()) {
                let means = Means { memory: self.memory, threads, frame_bytes: 1 << 16 };
                seconds += solver(self.game()).needs(level.table(), &means).seconds;
            }
        }
        Ok((positions, seconds))
    }

    /// Refuses what would take longer than allowed, as estimated.
    pub(crate) fn check_seconds(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
    ) -> Result<(), AskError> {
        let (positions, needed) = self.estimate(lengths, max_pile)?;
        let allowed = self.seconds;
        if needed > allowed {
            return Err(AskError::Seconds { needed, positions, allowed });
        }
        Ok(())
    }

    /// Checks the statement on all positions of these lengths with piles of at most `max_pile`
    /// coins. Lengths begin at 1.
    ///
    /// # Errors
    /// [`AskError`] if there is no such level, or the statement has no value somewhere; being
    /// stopped is none.
    pub fn check(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
    ) -> Result<Checked, AskError> {
        self.check_from(lengths, max_pile, &mut Checkpoint::default(), |_| Ok(()))
    }

    /// As [`Ask::check`], but what the checkpoint knows to be covered is not covered again, and
    /// `save` is shown the checkpoint after each stretch of work.
    ///
    /// # Errors
    /// As [`Ask::check`], and what `save` says, or that the checkpoint is of another question.
    pub fn check_from(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        checkpoint: &mut Checkpoint,
        mut save: impl FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<Checked, AskError> {
        let begun = Instant::now();
        let idle = Control::new();
        let control = self.control.unwrap_or(&idle);
        if !checkpoint.is_of(self.question, &lengths, max_pile, self.show) {
            return Err(AskError::OtherCheckpoint);
        }
        // All sizes first: what cannot be is known before anything is walked.
        let mut levels = Vec::new();
        for length in lengths.clone() {
            levels.push(self.level(length, max_pile)?);
        }
        self.check_seconds(lengths, max_pile)?;
        let total = levels.iter().map(Level::values).fold(0, u64::saturating_add);
        let mut found = Checked { complete: true, ..Checked::default() };
        let mut before = 0;
        for level in &levels {
            let shifted = |progress: Progress| match self.hook {
                Some(hook) => hook(Progress { done: before + progress.done, total }),
                None => true,
            };
            let watched = level.clone().watched(&shifted);
            let went = self.check_level(&watched, control, &mut found, checkpoint, &mut save)?;
            before += level.values();
            if !went {
                found.complete = false;
                break;
            }
        }
        found.seconds = begun.elapsed().as_secs_f64();
        Ok(found)
    }

    /// Checks one level from where the checkpoint stands; whether it came to the end.
    fn check_level(
        &self,
        level: &Level<'_>,
        control: &Control,
        found: &mut Checked,
        checkpoint: &mut Checkpoint,
        save: &mut dyn FnMut(&Checkpoint) -> io::Result<()>,
    ) -> Result<bool, AskError> {
        let prepared = self.prepare(level)?;
        let walk = match level.walk(control) {
            Ok(walk) => walk,
            Err(Error::Stopped) => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        let lookups = match self.lookups(&prepared, level.table().max_pile(), control) {
            Ok(lookups) => lookups,
            Err(AskError::Level(Error::Stopped)) => return Ok(false),
            Err(error) => return Err(error),
        };
        let parts = walk.parts();
        let mut covered = checkpoint.get(level.table().length(), walk.is_read(), parts);
        control.advance(covered.cells);
        let stretches = (level.values() / CELLS_OF_A_STRETCH).clamp(1, parts);
        let stretch = parts.div_ceil(stretches);
        let mut complete = true;
        let mut gathered = Gathered::of(&covered, self.show);
        let before = gathered.checked;
        while covered.done < parts && complete {
            let next = covered.done..(covered.done + stretch).min(parts);
            covered.done = next.end;
            let start = || Part { worker: None, gathered: Gathered::new(self.show), wrong: None };
            let swept = walk.fold_parts(
                next,
                control,
                start,
                |part: &mut Part<'_>, block| part.take(block, &prepared, &lookups, control),
                Part::with,
            )?;
            complete = swept.complete;
            let part = swept.acc.finished();
            if let Some(wrong) = part.wrong {
                return Err(AskError::Undefined(wrong));
            }
            gathered.merge(part.gathered);
            covered.cells += swept.cells;
            // What a stretch that was stopped midway has gathered is told, not kept.
            if complete {
                gathered.write(&mut covered);
                checkpoint.put(level.table().length(), covered.clone());
                save(checkpoint).map_err(AskError::Save)?;
            }
        }
        if gathered.checked > 0 {
            found.read |= walk.is_read();
            found.computed |= !walk.is_read();
        }
        found.checked += gathered.checked;
        found.fresh += gathered.checked - before;
        found.premise += gathered.premise;
        found.failures += gathered.failures;
        let mut least = Gathered { least: gathered.least, ..Gathered::new(self.show) };
        for (position, cell) in std::mem::take(&mut found.least) {
            least.take(position.piles(), position.memory(), cell);
        }
        found.least = least.least.into_iter().map(|(_, position, cell)| (position, cell)).collect();
        Ok(complete)
    }

    /// Who answers about other positions.
    pub(crate) fn lookups(
        &self,
        prepared: &Prepared<'_>,
        max_pile: Pile,
        control: &Control,
    ) -> Result<Lookups<'a>, AskError> {
        let asks = prepared.asks();
        let longest = match asks.options {
            true => asks.length.max(prepared.length()),
            false => asks.length,
        };
        // A little beyond the range is held, too; what is far beyond is looked up.
        let most = u64::from(max_pile) + u64::from(max_pile) / 4 + 16;
        let largest = match u32::try_from(asks.max_pile) {
            Ok(largest) if u64::from(largest) <= most => largest.max(max_pile),
            _ => max_pile,
        };
        let lengths = if longest == 0 { 0..=0 } else { 1..=longest };
        let (database, memory, seconds) = (self.database, self.memory, 60.0);
        Ok(Lookups::new(self.game(), lengths, largest, database, memory, seconds, control)?)
    }

    /// The values of one level, to be listed in order: in memory if they fit.
    pub(crate) fn held(&self, table: &Table, control: &Control) -> Result<Lookups<'a>, AskError> {
        let lengths = table.length()..=table.length();
        let (database, memory, seconds) = (self.database, self.memory, 60.0);
        let (game, max_pile) = (self.game(), table.max_pile());
        Ok(Lookups::new(game, lengths, max_pile, database, memory, seconds, control)?)
    }

    pub(crate) fn base(&self) -> Option<&'a Database> {
        self.database
    }

    /// What the parts of the statement come to at a position.
    pub fn parts(&self, position: &Position, cell: u32) -> Vec<(String, String)> {
        let control = Control::new();
        let (game, memory) = (self.game(), self.memory);
        match Lookups::new(game, 0..=0, 1, self.database, memory, 60.0, &control) {
            Ok(lookups) => self.question.parts(position.piles(), position.memory(), cell, &lookups),
            Err(_) => Vec::new(),
        }
    }

    /// Shows the positions that satisfy the statement, in order: by length, by piles as words are
    /// ordered, and by what the game remembers; until `show` says no. Whether it came to the end.
    ///
    /// # Errors
    /// As [`Ask::check`], and what `show` says.
    pub fn find<E: From<AskError>>(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        mut show: impl FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let idle = Control::new();
        let control = self.control.unwrap_or(&idle);
        let mut levels = Vec::new();
        for length in lengths {
            levels.push(self.level(length, max_pile).map_err(AskError::from)?);
        }
        for level in levels {
            let went = self.find_in(&level, control, &mut show)?;
            if !went {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn find_in<E: From<AskError>>(
        &self,
        level: &Level<'_>,
        control: &Control,
        show: &mut dyn FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let prepared = self.prepare(level).map_err(AskError::from)?;
        let lookups = self.lookups(&prepared, level.table().max_pile(), control)?;
        let mut worker = prepared.worker(&lookups);
        let mut answer: Result<bool, E> = Ok(true);
        let order = crate::order::Order::new(self, level, control)?;
        let mut found = Vec::new();
        let game = self.game();
        let ended = order.each(control, &mut |piles, memory, cell| {
            let mut take = |column: &Column<'_>| {
                column.each(true, |piles, memory, cell| {
                    found.push((as_position(game, piles, memory), cell));
                });
            };
            match piles {
                Some(piles) => worker.push(piles, memory, cell, &mut take)?,
                None => worker.flush(&mut take)?,
            }
            for (position, cell) in found.drain(..) {
                if matches!(answer, Ok(true)) {
                    answer = show(&position, cell);
                }
            }
            Ok(matches!(answer, Ok(true)))
        });
        let ended = ended?;
        Ok(answer? && ended)
    }
}

pub(crate) fn as_position(game: Game, piles: &[Pile], memory: &Memory) -> Position {
    match memory {
        Memory::Nothing => game.position(piles),
        Memory::LastMove(taken) => Position::after(piles.to_vec(), *taken),
        Memory::Available(set) => Position::with_available(piles.to_vec(), set),
    }
}

/// What was gathered from columns.
#[derive(Debug)]
pub(crate) struct Gathered {
    checked: u64,
    premise: u64,
    failures: u64,
    /// The least counterexamples by coins, then by piles and what is remembered.
    least: BTreeSet<(u64, Position, u32)>,
    show: usize,
}

impl Gathered {
    fn new(show: usize) -> Gathered {
        Gathered { checked: 0, premise: 0, failures: 0, least: BTreeSet::new(), show }
    }

    fn of(covered: &Covered, show: usize) -> Gathered {
        let mut gathered = Gathered {
            checked: covered.checked,
            premise: covered.premise,
            failures: covered.failures,
            ..Gathered::new(show)
        };
        for (position, cell) in &covered.least {
            gathered.take(position.piles(), position.memory(), *cell);
        }
        gathered
    }

    fn write(&self, covered: &mut Covered) {
        covered.checked = self.checked;
        covered.premise = self.premise;
        covered.failures = self.failures;
        let least = self.least.iter();
        covered.least = least.map(|(_, position, cell)| (position.clone(), *cell)).collect();
    }

    fn take(&mut self, piles: &[Pile], memory: &Memory, cell: u32) {
        let coins = piles.iter().map(|&pile| u64::from(pile)).sum();
        let is_full = self.least.len() >= self.show;
        if is_full && self.least.last().is_none_or(|(most, ..)| coins > *most) {
            return;
        }
        let position = match memory {
            Memory::Nothing => Position::row(piles),
            Memory::LastMove(taken) => Position::after(piles.to_vec(), *taken),
            Memory::Available(set) => Position::with_available(piles.to_vec(), set),
        };
        self.least.insert((coins, position, cell));
        if self.least.len() > self.show {
            self.least.pop_last();
        }
    }

    fn column(&mut self, column: &Column<'_>) {
        self.checked += column.positions();
        self.premise += column.premise();
        let failures = column.positions() - column.holds();
        self.failures += failures;
        // Of counterexamples there may be billions, and most columns have none of the least.
        let is_full = self.least.len() >= self.show;
        let most = self.least.last().map_or(0, |(most, ..)| *most);
        if failures > 0 && !(is_full && column.least_coins() > most) {
            column.each(false, |piles, memory, cell| self.take(piles, memory, cell));
        }
    }

    fn merge(&mut self, other: Gathered) {
        self.checked += other.checked;
        self.premise += other.premise;
        self.failures += other.failures;
        self.least.extend(other.least);
        while self.least.len() > self.show {
            self.least.pop_last();
        }
    }
}

/// One thread's part.
struct Part<'b> {
    worker: Option<Worker<'b>>,
    gathered: Gathered,
    wrong: Option<Undefined>,
}

impl<'b> Part<'b> {
    fn take(
        &mut self,
        block: &Block<'_>,
        prepared: &'b Prepared<'b>,
        lookups: &'b Lookups<'b>,
        control: &Control,
    ) {
        if self.wrong.is_some() {
            return;
        }
        let worker = self.worker.get_or_insert_with(|| prepared.worker(lookups));
        let gathered = &mut self.gathered;
        let mut show = |column: &Column<'_>| gathered.column(column);
        let taken = match block.places() {
            Places::Tile { word, between, cols } => {
                let cells = match block.values() {
                    BlockValues::Bytes(cells) => Cells::Bytes(cells),
                    BlockValues::Words(cells) => Cells::Words(cells),
                    BlockValues::Longs(cells) => Cells::Longs(cells),
                };
                let places = match between {
                    true => grundy_questions::Places::Between,
                    false => grundy_questions::Places::Behind,
                };
                let weight = block.weight();
                worker.tile(Tile { word, places, cols, cells, weight }, &mut show)
            }
            _ => {
                let mut taken = Ok(());
                block.each_position(|seen| {
                    if taken.is_ok() {
                        taken = worker.push(seen.piles, seen.memory, seen.value, &mut show);
                    }
                });
                taken
            }
        };
        if let Err(wrong) = taken {
            self.wrong = Some(wrong);
            control.stop();
        }
    }

    /// Works out what waits.
    fn finished(mut self) -> Part<'b> {
        if let (Some(worker), None) = (&mut self.worker, &self.wrong) {
            let gathered = &mut self.gathered;
            let mut show = |column: &Column<'_>| gathered.column(column);
            self.wrong = worker.flush(&mut show).err();
        }
        self
    }

    fn with(self, other: Part<'b>) -> Part<'b> {
        let (mut left, right) = (self.finished(), other.finished());
        left.gathered.merge(right.gathered);
        left.wrong = left.wrong.or(right.wrong);
        left
    }
}

/// Whether values are computed as they are walked, by the billion.
fn is_fast(game: Game) -> bool {
    has_ladder(game) || solver(game).has_thresholds()
}

/// Positions that are asked about if nobody says how many: a moment's.
const USUAL_POSITIONS: [u64; 2] = [1 << 20, 1 << 25];

/// Lengths and max pile for a question of which nobody says how far it is to be asked: the largest
/// pile up to 64 for which all lengths together are a moment's work. Lengths are 1 to 4, or that of
/// the piles which the question names.
pub fn usual_range(
    question: &Question,
    lengths: Option<RangeInclusive<usize>>,
) -> (RangeInclusive<usize>, Pile) {
    let game = question.game();
    let most = USUAL_POSITIONS[usize::from(is_fast(game))];
    let lengths = lengths.unwrap_or_else(|| match question.least_length() {
        1 => 1..=4,
        length => length..=length,
    });
    let fits = |max_pile: &Pile| {
        let positions = lengths.clone().map(|length| {
            Level::new(game, length, *max_pile).map_or(u64::MAX, |level| level.positions())
        });
        positions.fold(0, u64::saturating_add) <= most
    };
    let max_pile = (1..=64).rev().find(fits).unwrap_or(1);
    (lengths, max_pile)
}
