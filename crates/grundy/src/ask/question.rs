//! Questions in the language of docs/LANGUAGE.md: statements checked on every position up to a
//! size, and the positions that satisfy them.

use std::io;
use std::ops::{Range, RangeInclusive};

use grundy_kernels::Isa;
use grundy_query::QueryError;
use grundy_questions::{Column, Prepared};
pub use grundy_questions::{Problem, Question, Span, Undefined};
use grundy_rules::{Game, Memory, Numbering, Pile, Position, Table};
use grundy_solvers::{Means, follows_from_ends, solver};
use grundy_sweep::cost::nanoseconds as cost;
use grundy_sweep::{Control, Covered, MemoryLimit, MergeError, NoSuchPart, Swept, Work as _};

use super::gathered::{QuestionTally, ThreadTally};
use super::lookups::Lookups;
use super::share::{Checkpoint, Cut, Levels};
use crate::clock::Stopwatch;
use crate::{Database, Error, Hook, Level, Progress, Walk};

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
    pub(crate) question: &'a Question,
    pub(crate) database: Option<&'a Database>,
    pub(crate) memory: MemoryLimit,
    pub(crate) seconds: f64,
    pub(crate) isa: Isa,
    pub(crate) show: usize,
    pub(crate) control: Option<&'a Control>,
    pub(crate) hook: Option<Hook<'a>>,
}

impl std::fmt::Debug for Ask<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ask").field("question", &self.question.text()).finish_non_exhaustive()
    }
}

/// What came of checking a question on positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckReport {
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

impl CheckReport {
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
    #[error("the checkpoint is of another question, of other positions, or of another version")]
    OtherCheckpoint,
    /// The checkpoint could not be kept.
    #[error("the checkpoint cannot be written")]
    Save(#[source] io::Error),
    /// There are no such parts to be a share.
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
    /// Shares do not make a whole, or nobody can have found what a checkpoint says.
    #[error(transparent)]
    Merge(#[from] MergeError),
}

impl From<Problem> for AskError {
    fn from(problem: Problem) -> AskError {
        AskError::Problem(problem)
    }
}

impl From<QueryError> for AskError {
    fn from(error: QueryError) -> AskError {
        AskError::Level(error.into())
    }
}

impl<'a> Ask<'a> {
    /// A question, to be asked of computed positions within 4 GiB and any time.
    pub fn new(question: &'a Question) -> Ask<'a> {
        Ask {
            question,
            database: None,
            memory: MemoryLimit::default(),
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
    pub fn memory(self, limit: impl Into<MemoryLimit>) -> Ask<'a> {
        Ask { memory: limit.into(), ..self }
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

    pub(crate) fn game(&self) -> Game {
        self.question.game()
    }

    pub(crate) fn level(&self, length: usize, max_pile: Pile) -> Result<Level<'a>, Error> {
        let mut level: Level<'a> = Level::new(self.game(), length, max_pile)?.memory(self.memory);
        if let Some(database) = self.database {
            level = level.database(database);
        }
        Ok(level)
    }

    /// The statement compiled for a level.
    pub(crate) fn prepare(&self, level: &Level<'_>) -> Result<Prepared<'a>, Problem> {
        let table = level.table();
        let places = match table.numbering() {
            Numbering::Middles => Some(grundy_questions::Places::Between),
            Numbering::Words => Some(grundy_questions::Places::Behind),
            Numbering::Multisets
            | Numbering::LastMoves
            | Numbering::Records
            | Numbering::Sets
            | Numbering::SetRows => None,
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
            let threads = rayon::current_num_threads() as u64;
            positions = positions.saturating_add(level.positions());
            seconds += self.seconds_to_ask(&level)? / threads as f64;
            seconds += self.seconds_to_fill(&level, threads);
        }
        Ok((positions, seconds))
    }

    /// About the seconds that one thread asks about the positions of a level.
    pub(crate) fn seconds_to_ask(&self, level: &Level<'_>) -> Result<f64, AskError> {
        let prepared = self.prepare(level)?;
        let is_row = matches!(level.table().numbering(), Numbering::Middles | Numbering::Words);
        let asks = prepared.asks();
        let options = f64::from(level.table().max_pile()) * cost::ASKED_OPTIONS;
        let each = cost::ASKED
            + cost::step(prepared.bits()) * prepared.steps() as f64
            + if asks.length > 0 { cost::ASKED_OTHERS } else { 0.0 }
            + if asks.options { options } else { 0.0 }
            + if is_row { 0.0 } else { cost::ASKED_ALONE };
        Ok(level.positions() as f64 * each * 1e-9)
    }

    /// About the seconds that so many threads fill a level before it is asked about.
    pub(crate) fn seconds_to_fill(&self, level: &Level<'_>, threads: u64) -> f64 {
        if is_fast(self.game()) {
            return 0.0;
        }
        solver(self.game()).needs(level.table(), &self.means(threads)).seconds
    }

    /// What filling a level may take.
    pub(crate) fn means(&self, threads: u64) -> Means {
        Means { memory: self.memory, threads, frame_bytes: 1 << 16 }
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
    ) -> Result<CheckReport, AskError> {
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
    ) -> Result<CheckReport, AskError> {
        let begun = Stopwatch::start();
        let idle = Control::new();
        let control = self.control.unwrap_or(&idle);
        // All sizes first: what cannot be is known before anything is walked.
        let levels = Levels::new(self, lengths.clone(), max_pile, Cut::of_walk)?;
        if !checkpoint.is_of(&levels) {
            return Err(AskError::OtherCheckpoint);
        }
        self.check_seconds(lengths, max_pile)?;
        let total = levels.each.iter().map(Level::values).fold(0, u64::saturating_add);
        let mut found = CheckReport { complete: true, ..CheckReport::default() };
        let mut before = 0;
        for (piece, level) in levels.each.iter().enumerate() {
            let shifted = |progress: Progress| match self.hook {
                Some(hook) => hook(Progress { done: before + progress.done, total }),
                None => true,
            };
            let watched = level.clone().watched(&shifted);
            let at = (&levels, piece);
            let went =
                self.check_level(&watched, at, control, &mut found, checkpoint, &mut save)?;
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
        (levels, piece): (&Levels<'_, '_>, usize),
        control: &Control,
        found: &mut CheckReport,
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
        let name = level.table().to_string();
        let Covered { is_read, parts, mut done, found: known } =
            checkpoint.get(&name, walk.is_read(), walk.parts());
        let mut all = levels.begin(piece);
        levels.add(piece, &mut all, known).map_err(|what| {
            let (piece, parts) = (name.clone(), 0..done);
            MergeError::Impossible { piece, parts, what }
        })?;
        control.advance(all.cells);
        let stretch = parts_of_a_stretch(level.values(), parts);
        let mut complete = true;
        let before = all.gathered.checked;
        while done < parts && complete {
            let next = done..(done + stretch).min(parts);
            done = next.end;
            let swept = self.ask_parts(&walk, next, &prepared, &lookups, control)?;
            complete = swept.complete;
            all.gathered.merge(swept.acc);
            all.cells += swept.cells;
            // What a stretch that was stopped midway has gathered is told, not kept.
            if complete {
                checkpoint.put(&name, Covered { is_read, parts, done, found: all.part() });
                save(checkpoint).map_err(AskError::Save)?;
            }
        }
        let gathered = all.gathered;
        found.fresh += gathered.checked - before;
        gathered.add_to(found, is_read);
        Ok(complete)
    }

    /// Asks about the positions of some parts of a walk.
    pub(crate) fn ask_parts<'b>(
        &self,
        walk: &Walk<'_>,
        parts: Range<u64>,
        prepared: &'b Prepared<'b>,
        lookups: &'b Lookups<'b>,
        control: &Control,
    ) -> Result<Swept<QuestionTally>, AskError> {
        let start = || ThreadTally::new(self.show);
        let swept = walk.fold_parts(
            parts,
            control,
            start,
            |part: &mut ThreadTally<'b>, block| part.take(block, prepared, lookups, control),
            ThreadTally::with,
        )?;
        let acc = swept.acc.gathered().map_err(AskError::Undefined)?;
        Ok(Swept { acc, cells: swept.cells, complete: swept.complete })
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
    pub(crate) fn held(
        &self,
        table: &Table,
        firsts: RangeInclusive<Pile>,
        control: &Control,
    ) -> Result<Lookups<'a>, AskError> {
        let (database, memory, seconds) = (self.database, self.memory, 60.0);
        Ok(Lookups::of_level(table, firsts, database, memory, seconds, control)?)
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
            let went = self.find_in(&level, 1..=max_pile, control, &mut show)?;
            if !went {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Shows what there is of a level, of positions with these first piles.
    pub(crate) fn find_in<E: From<AskError>>(
        &self,
        level: &Level<'_>,
        firsts: RangeInclusive<Pile>,
        control: &Control,
        show: &mut dyn FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let prepared = self.prepare(level).map_err(AskError::from)?;
        let lookups = self.lookups(&prepared, level.table().max_pile(), control)?;
        let mut worker = prepared.worker(&lookups);
        let mut answer: Result<bool, E> = Ok(true);
        let order = super::order::Order::new(self, level, firsts, control)?;
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

/// How many of the parts of a walk over so many cells are walked from one checkpoint to the next.
fn parts_of_a_stretch(cells: u64, parts: u64) -> u64 {
    let stretches = (cells / CELLS_OF_A_STRETCH).clamp(1, parts);
    parts.div_ceil(stretches)
}

pub(crate) fn as_position(game: Game, piles: &[Pile], memory: &Memory) -> Position {
    match memory {
        Memory::Nothing => game.position(piles),
        Memory::LastMove(taken) => Position::after(piles.to_vec(), *taken),
        Memory::Available(set) => Position::with_available(piles.to_vec(), set),
    }
}

/// Whether values are computed as they are walked, by the billion.
fn is_fast(game: Game) -> bool {
    follows_from_ends(game) || solver(game).has_thresholds()
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

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games::{END_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM};

    fn question(game: Game, text: &str) -> Question {
        Question::parse(game, text).unwrap_or_else(|problem| panic!("{text}: {problem}"))
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, not {expected}");
    }

    #[test]
    fn what_is_said_is_kept() {
        let question = question(END_NIM, "P");
        let (database, control) = (Database::empty(), Control::new());
        let hook = |_: Progress| true;
        let plain = Ask::new(&question);
        assert_eq!(
            (plain.memory, plain.seconds, plain.show),
            (MemoryLimit::default(), f64::INFINITY, 1)
        );
        assert!(plain.base().is_none() && plain.control.is_none() && plain.hook.is_none());
        assert_eq!((plain.game(), plain.isa), (END_NIM, Isa::best()));
        let ask = plain
            .database(&database)
            .memory(12)
            .seconds(3.5)
            .isa(Isa::Portable)
            .show(7)
            .control(&control)
            .watched(&hook);
        assert_eq!(
            (ask.memory, ask.seconds, ask.show, ask.isa),
            (12.into(), 3.5, 7, Isa::Portable)
        );
        assert!(std::ptr::eq(ask.base().unwrap(), &database));
        assert!(std::ptr::eq(ask.control.unwrap(), &control) && ask.hook.is_some());
        let means = ask.means(5);
        assert_eq!((means.memory, means.threads, means.frame_bytes), (12.into(), 5, 65_536));
        assert!(format!("{ask:?}").contains("\"P\""), "{ask:?}");
        let level = ask.level(3, 9).unwrap();
        assert!(std::ptr::eq(level.from().unwrap(), &database));
        assert!(level.check_memory(12).is_ok() && level.check_memory(13).is_err());
    }

    /// The wider the numbers and the more is asked, the longer a position takes; and the more positions
    /// there are.
    #[test]
    fn seconds_grow_with_what_is_asked() {
        let seconds = |game, length, max_pile, text: &str| {
            let question = question(game, text);
            let ask = Ask::new(&question);
            let level = ask.level(length, max_pile).unwrap();
            (ask.prepare(&level).unwrap().bits(), ask.seconds_to_ask(&level).unwrap())
        };
        let texts = ["P", "g * 500 > total", "g * 2 ** 40 > total", "g * 2 ** 80 > total"];
        let found = texts.map(|text| seconds(END_NIM, 3, 64, text));
        assert_eq!(found.map(|(bits, _)| bits), [16, 32, 64, 128]);
        assert!(found.is_sorted_by(|(_, one), (_, next)| one < next), "{found:?}");
        let of = |text| seconds(END_NIM, 3, 64, text).1;
        assert!(of("P") < of("g == g(first, last)"));
        assert!(of("g == g(first, last)") < of("all options: option != g"));
        // Words are rows, and multisets stand alone: 9 * 10 * 11 / 6 of them, and 9^3 words.
        let (row, alone) = (seconds(PARTIZAN_END_NIM, 3, 9, "P").1, seconds(NIM, 3, 9, "P").1);
        assert!(row / 729.0 < alone / 165.0, "{row} {alone}");
        assert!(row < seconds(PARTIZAN_END_NIM, 3, 10, "P").1);
        assert!(row < seconds(PARTIZAN_END_NIM, 4, 9, "P").1);
    }

    /// Of two levels, on two threads; what is filled as a whole comes on top of it.
    #[test]
    fn an_estimate_is_that_of_all_levels() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            for (game, positions) in [(END_NIM, 9 + 81), (NIM, 9 + 45)] {
                let question = question(game, "P");
                let ask = Ask::new(&question);
                let (mut asking, mut filling) = (0.0, 0.0);
                for length in 1..=2 {
                    let level = ask.level(length, 9).unwrap();
                    asking += ask.seconds_to_ask(&level).unwrap();
                    let fill = ask.seconds_to_fill(&level, 2);
                    if game == NIM {
                        let needs = solver(game).needs(level.table(), &ask.means(2));
                        assert_near(fill, needs.seconds);
                        assert!(fill > 0.0);
                    } else {
                        assert_eq!(fill, 0.0);
                    }
                    filling += fill;
                }
                let (found, seconds) = ask.estimate(1..=2, 9).unwrap();
                assert_eq!(found, positions);
                assert_near(seconds, asking / 2.0 + filling);
                // Just as long is allowed.
                ask.clone().seconds(seconds).check_seconds(1..=2, 9).unwrap();
                let refused = ask.clone().seconds(0.9 * seconds).check(1..=2, 9).unwrap_err();
                match refused {
                    AskError::Seconds { needed, positions: found, allowed } => {
                        assert_eq!((needed, found, allowed), (seconds, positions, 0.9 * seconds));
                    }
                    other => panic!("{other}"),
                }
            }
        });
        let says = AskError::Seconds { needed: 12.6, positions: 34, allowed: 5.0 }.to_string();
        assert_eq!(says, "that takes about 13 seconds for 34 positions, and the limit is 5");
    }

    /// 2^32 cells of a stretch: by hand.
    #[test]
    fn a_walk_is_cut_into_stretches() {
        let cells = 1 << 32;
        assert_eq!(parts_of_a_stretch(1, 10), 10);
        assert_eq!(parts_of_a_stretch(2 * cells - 1, 10), 10);
        assert_eq!(parts_of_a_stretch(2 * cells, 10), 5);
        assert_eq!(parts_of_a_stretch(3 * cells, 10), 4);
        assert_eq!(parts_of_a_stretch(100 * cells, 10), 1);
    }

    /// Largest N with N^5 = 2^25 for rows, with N (N+1) ... (N+4) / 120 up to 2^20 for multisets.
    #[test]
    fn usual_ranges_are_a_moments_work() {
        let usual = |game, text: &str, lengths| usual_range(&question(game, text), lengths);
        assert_eq!(usual(END_NIM, "P", None), (1..=4, 64));
        assert_eq!(usual(END_NIM, "P", Some(5..=5)), (5..=5, 32));
        // 31 + ... + 31^5 = 29583455, and with 32 it is more than 2^25.
        assert_eq!(usual(END_NIM, "P", Some(1..=5)), (1..=5, 31));
        assert_eq!(usual(PARTIZAN_END_NIM, "P", Some(5..=5)), (5..=5, 32));
        assert_eq!(usual(END_NIM, "p5 > 1 -> g > 0", None), (5..=5, 32));
        // 962598 multisets, and of 40 there are 1086008.
        assert_eq!(usual(NIM, "P", Some(5..=5)), (5..=5, 39));
        assert_eq!(usual(END_NIM, "P", Some(100..=100)), (100..=100, 1));
        assert!(is_fast(END_NIM) && is_fast(PARTIZAN_END_NIM));
        assert!(!is_fast(NIM) && !is_fast(SHORT_GLOBAL_NIM));
    }

    /// By hand: 1,3,3 is no counterexample if the ends are equal.
    #[test]
    fn the_parts_of_a_statement_are_told() {
        let question = question(END_NIM, "g == 1 -> first == g(first, last)");
        let position = END_NIM.parse("1,3,3").unwrap();
        let parts = Ask::new(&question).parts(&position, 1);
        let said: Vec<(&str, &str)> = parts.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        // Two piles are Nim.
        assert_eq!(said, [("g", "1"), ("first", "1"), ("g(first, last)", "2")]);
    }

    #[test]
    fn positions_keep_what_is_remembered() {
        assert_eq!(as_position(NIM, &[3, 1], &Memory::Nothing).to_string(), "1,3");
        assert_eq!(as_position(END_NIM, &[3, 1], &Memory::Nothing).to_string(), "3,1");
        let moved = as_position(SHORT_GLOBAL_NIM, &[2, 5], &Memory::LastMove(2));
        assert_eq!(moved.to_string(), "2,5/2");
    }

    #[test]
    fn only_what_was_looked_at_as_a_whole_holds() {
        let found =
            |failures, complete| CheckReport { failures, complete, ..CheckReport::default() };
        assert!(found(0, true).holds());
        assert!(!found(0, false).holds() && !found(1, true).holds() && !found(1, false).holds());
    }

    /// Each question is asked in its own way: rows as tiles, other positions one by one.
    #[test]
    fn what_cannot_be_asked_is_said() {
        let long = question(END_NIM, "g == 1");
        let refused = Ask::new(&long).check(0..=1, 9);
        assert!(matches!(refused, Err(AskError::Level(Error::Table(_)))), "{refused:?}");
        let found: Result<bool, AskError> = Ask::new(&long).find(0..=1, 9, |_, _| Ok(true));
        assert!(matches!(found, Err(AskError::Level(Error::Table(_)))));
        assert!(
            Ask::new(&long).estimate(0..=1, 9).is_err()
                && Ask::new(&long).pieces(0..=1, 9).is_err()
        );
        let small = Ask::new(&long).memory(1).check(4..=4, 9);
        assert!(matches!(small, Err(AskError::Level(Error::Memory { .. }))), "{small:?}");
        // By hand: 1, 2 and 3 of nine single piles, until one is found.
        let asked = question(END_NIM, "g < 4");
        for most in [1, 2, 3, 4] {
            let mut all = Vec::new();
            let went: Result<bool, AskError> =
                Ask::new(&asked).find(1..=1, 9, |position, value| {
                    all.push((position.to_string(), value));
                    Ok(all.len() < most)
                });
            let expected =
                [("1", 1), ("2", 2), ("3", 3)].map(|(text, value)| (text.to_owned(), value));
            assert_eq!(all, expected[..most.min(3)]);
            assert_eq!(went.unwrap(), most == 4);
        }
        let failed: Result<bool, AskError> =
            Ask::new(&asked).find(1..=1, 9, |_, _| Err(AskError::OtherCheckpoint));
        assert!(matches!(failed, Err(AskError::OtherCheckpoint)));
    }
}
