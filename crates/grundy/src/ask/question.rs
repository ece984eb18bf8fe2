//! Questions in the language of docs/LANGUAGE.md, their settings, estimates and errors.

use std::io;

use grundy_kernels::Isa;
use grundy_query::QueryError;
use grundy_questions::{LookupRange, Prepared};
pub use grundy_questions::{Problem, Quantity, Question, Span, Undefined};
use grundy_rules::{
    Game, IN_BROWSER, Numbering, Order, Pile, Position, Remembers, Table, outcome_form,
};
use grundy_solvers::{Means, Production, fills_without_values, follows_from_ends, solver};
use grundy_sweep::cost::{ladder_bytes, price};
use grundy_sweep::{Control, MergeError, NoSuchPart, Number, Seconds};
use grundy_theory::{Conclusion, DistinctRows, Origin};

use super::lookups::{AHEAD_BYTES, LONGEST_LOOK, Lookups, Wanted};
use crate::walk::{Domain, Kept, WalkOptions, with_walk_options};
use crate::{Database, Error, Level, Measure};

/// The range from the least to the greatest number of piles.
pub type Lengths = std::ops::RangeInclusive<usize>;

/// A question with its settings: the source of values, and the limits.
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
#[derive(Clone, Debug)]
pub struct Ask<'a> {
    pub(crate) question: &'a Question,
    pub(crate) options: WalkOptions<'a>,
    pub(crate) seconds: f64,
    pub(crate) isa: Isa,
    pub(crate) show: usize,
    pub(crate) most: u64,
    /// True if a list needs the values of its positions.
    pub(crate) values: bool,
    pub(crate) fast: Option<DistinctRows>,
    /// True if a check counts the positions that satisfy the statement by their largest pile.
    pub(crate) counted: bool,
    /// The filled tables that the levels of this question share.
    pub(crate) kept: Kept,
}

/// The result of checking a question.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckReport {
    /// The number of positions checked.
    pub checked: u64,
    /// The number of positions at which the premises of an implication are true.
    pub premise: u64,
    /// The number of counterexamples.
    pub failures: u64,
    /// The least counterexamples, in order of coins and then of piles, up to the number set by
    /// [`Ask::show`]. Each position is followed by its value, or by the index of its class.
    pub least: Vec<(Position, u32)>,
    /// True if all positions were checked; false if the check was stopped.
    pub complete: bool,
    /// True if values were read from stored tables.
    pub read: bool,
    /// True if values were computed.
    pub computed: bool,
    /// The wall time in seconds, without the time before the checkpoint.
    pub seconds: f64,
    /// The number of positions checked in `seconds`.
    pub fresh: u64,
}

impl CheckReport {
    /// Returns the verdict: holds, fails or stopped.
    pub fn verdict(&self) -> Conclusion {
        Conclusion::of(self.failures, self.complete)
    }

    /// Returns the source of the values: table, computed or mixed.
    pub fn source(&self) -> Origin {
        Origin::of(self.read, self.computed)
    }

    /// True if the check is complete and found no counterexample.
    pub fn holds(&self) -> bool {
        self.verdict() == Conclusion::Holds
    }
}

/// An error of a question.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The statement cannot be compiled for positions of this size.
    #[error(transparent)]
    Problem(#[from] Problem),
    /// The statement has no value at some position.
    #[error("{0}")]
    Undefined(Undefined),
    #[error(transparent)]
    Level(#[from] Error),
    #[error(
        "this takes about {} for {}, but the limit is {}",
        Seconds(*needed), Number(*positions, "position"), Seconds(*allowed)
    )]
    Seconds { needed: f64, positions: u64, allowed: f64 },
    #[error("the checkpoint belongs to another question, other positions or another version")]
    OtherCheckpoint,
    #[error("the checkpoint is invalid at {level}: {what}")]
    Checkpoint { level: String, what: String },
    #[error("the stored table {table} is invalid: {what}")]
    Impossible { table: String, what: String },
    #[error("tables of {game} hold positions with at most N coins; count them by total")]
    ByTotal { game: Game },
    #[error("the sum has more than 127 binary digits; choose a smaller range")]
    Sum,
    #[error("cannot write the checkpoint")]
    Save(#[source] io::Error),
    #[error(transparent)]
    NoSuchPart(#[from] NoSuchPart),
    #[error(transparent)]
    Merge(#[from] MergeError),
}

impl From<QueryError> for AskError {
    fn from(error: QueryError) -> AskError {
        AskError::Level(error.into())
    }
}

impl<'a> Ask<'a> {
    with_walk_options!('a);

    /// Returns the question with its default settings: no database, 4 GiB of memory, no time limit.
    pub fn new(question: &'a Question) -> Ask<'a> {
        let (options, isa) = (WalkOptions::default(), Isa::best());
        Ask {
            question,
            options,
            seconds: f64::INFINITY,
            isa,
            show: 1,
            most: u64::MAX,
            values: true,
            fast: None,
            counted: false,
            kept: Kept::default(),
        }
    }

    /// Sets the time limit. Work whose estimated time is longer returns an error.
    pub fn seconds(self, seconds: f64) -> Ask<'a> {
        Ask { seconds, ..self }
    }

    /// Uses this instruction set.
    pub fn isa(self, isa: Isa) -> Ask<'a> {
        Ask { isa, ..self }
    }

    /// Keeps this many of the least counterexamples. The default is 1.
    pub fn show(self, count: usize) -> Ask<'a> {
        Ask { show: count, ..self }
    }

    /// Limits [`Ask::find`] to the first `most` positions.
    pub fn first(self, most: u64) -> Ask<'a> {
        Ask { most, ..self }
    }

    /// Lets a list use stored outcomes if no values are stored. N-positions then have the value 1.
    pub fn without_values(self) -> Ask<'a> {
        Ask { values: false, ..self }
    }

    /// Counts the positions that satisfy the statement by their largest pile, and shows none.
    pub(crate) fn counted(self, counted: bool) -> Ask<'a> {
        Ask { counted, show: if counted { 0 } else { self.show }, ..self }
    }

    /// Shares filled tables with other questions.
    pub(crate) fn sharing(self, kept: &Kept) -> Ask<'a> {
        Ask { kept: kept.clone(), ..self }
    }

    /// Uses a fast form of the statement.
    pub(crate) fn fast(self, fast: Option<DistinctRows>) -> Ask<'a> {
        Ask { fast, ..self }
    }

    pub(crate) fn game(&self) -> Game {
        self.question.game()
    }

    pub(crate) fn level(&self, length: usize, max_pile: Pile) -> Result<Level<'a>, Error> {
        let (level, options) = (self.level_of_values(length, max_pile)?, self.options);
        // Outcomes suffice for a statement about outcomes, if they are stored or filled as bits.
        if !IN_BROWSER
            && level.stored().is_none()
            && self.question.asks_outcomes()
            && let Ok(form) = outcome_form(self.game())
        {
            let options = WalkOptions { control: None, hook: None, ..options };
            let outcomes = Level::new(form, length, max_pile)?.with(options).sharing(&self.kept);
            if outcomes.stored().is_some() || fills_without_values(outcomes.table()) {
                return Ok(outcomes);
            }
        }
        Ok(level)
    }

    /// Returns the level whose positions are listed. Stored outcomes suffice if all listed values
    /// are 0 or not shown.
    pub(crate) fn listed(&self, length: usize, max_pile: Pile) -> Result<Level<'a>, Error> {
        match self.values && !self.question.holds_only_at_p() {
            true => self.level_of_values(length, max_pile),
            false => self.level(length, max_pile),
        }
    }

    pub(crate) fn level_of_values(
        &self,
        length: usize,
        max_pile: Pile,
    ) -> Result<Level<'a>, Error> {
        let options = WalkOptions { control: None, hook: None, ..self.options };
        options.domain.check(self.game())?;
        if self.game().is_sum() && length > 1 {
            // The positions are numbered by tables of 64-bit numbers for each pile.
            let bytes = (8 * u64::from(max_pile)).saturating_mul(length as u64);
            options.memory.check(bytes).map_err(|shortage| {
                let game = self.game();
                let table = format!("the list of {length} piles of at most {max_pile} in {game}");
                Error::Memory { table, measure: Measure::of(self.game()), shortage }
            })?;
        }
        Ok(Level::new(self.game(), length, max_pile)?.with(options).sharing(&self.kept))
    }

    /// Returns a position's value; `None` if the look-up fails or takes too long, because a
    /// counterexample holds without its value.
    pub(crate) fn value_of(&self, position: &Position) -> Option<u32> {
        let database = self.options.database.map_or_else(Database::empty, Clone::clone);
        Some(database.answer(self.game(), position).ok()?.cell())
    }

    pub(crate) fn prepare(&self, level: &Level<'_>) -> Result<Prepared<'a>, Problem> {
        let table = level.table();
        let places = match table.numbering() {
            Numbering::Middles => Some(grundy_questions::Places::Between),
            Numbering::Words => Some(grundy_questions::Places::Behind),
            Numbering::Multisets
            | Numbering::LastMoves
            | Numbering::Records
            | Numbering::Sets
            | Numbering::SetRows
            | Numbering::Places
            | Numbering::PlaceMoves => None,
        };
        let tiles = places.map(|places| (places, table.tile_cells()));
        self.question.prepare(table.length(), table.max_pile(), tiles, self.isa)
    }

    /// Returns the number of positions of these lengths, and the approximate seconds to check them.
    /// If a table holds all lengths, all its positions count.
    pub fn estimate(&self, lengths: Lengths, max_pile: Pile) -> Result<(u64, f64), AskError> {
        let (mut positions, mut seconds) = (0u64, 0.0);
        // The games whose tables of all lengths are filled once.
        let mut filled = Vec::new();
        for length in lengths {
            let level = self.level(length, max_pile)?;
            let threads = rayon::current_num_threads() as u64;
            positions = positions.saturating_add(level.visited());
            if self.is_by_value(&level) {
                seconds += self.seconds_by_value(&level, threads)?;
                continue;
            }
            seconds += self.seconds_to_ask(&level)? / threads as f64;
            seconds += self.seconds_to_fill(&level, threads, &mut filled);
            seconds += self.seconds_to_hold(&level, threads, &mut filled)?;
        }
        Ok((positions, seconds))
    }

    /// Returns the approximate seconds for one thread to evaluate the question on a level.
    pub(crate) fn seconds_to_ask(&self, level: &Level<'_>) -> Result<f64, AskError> {
        if self.fast.is_some() {
            return Ok(level.positions() as f64 * price::INJECTIVE);
        }
        let prepared = self.prepare(level)?;
        let is_row = matches!(level.table().numbering(), Numbering::Middles | Numbering::Words);
        let (max_pile, own_length) = (level.table().max_pile(), level.table().length());
        let wanted = self.wanted(&prepared, max_pile);
        let room = Lookups::room(&wanted, self.options.memory);
        let mut own = wanted.iter().filter(|wanted| wanted.game == self.game());
        let held = own.clone().map(|own| u64::from(own.max_pile)).max().unwrap_or(0);
        let is_held =
            level.stored().is_some() || own.all(|own| own_length <= own.longest_within(room));
        let others: f64 = prepared
            .lookups()
            .map(|LookupRange { game, length, max_pile: largest_pile, .. }| match length {
                0 => 0.0,
                _ if game == self.game() && length == own_length && !is_held => {
                    let mean = vec![max_pile.div_ceil(2); length];
                    Database::empty().without_theorems().seconds_alone(game, &mean)
                }
                _ if game == self.game() && largest_pile > held => {
                    let seconds = self.seconds_to_look(length, largest_pile);
                    // A longer look-up counts as no time, because it is refused with an error.
                    if seconds > LONGEST_LOOK { 0.0 } else { seconds }
                }
                _ if game == self.game() || self.is_in_rows(game) => price::ASKED_OTHERS,
                _ => price::LOOK,
            })
            .sum();
        let options = f64::from(level.table().max_pile()) * price::ASKED_OPTIONS;
        let each = price::ASKED
            + price::step(prepared.bits()) * prepared.steps() as f64
            + others
            + if prepared.asks_options() { options } else { 0.0 }
            + if is_row { 0.0 } else { price::ASKED_ALONE };
        Ok(level.positions() as f64 * each)
    }

    /// Returns the approximate seconds to look up one position of the question's own game.
    fn seconds_to_look(&self, length: usize, largest_pile: u64) -> f64 {
        let database = self.options.database.map_or_else(Database::empty, Clone::clone);
        let piles = vec![Pile::try_from(largest_pile).unwrap_or(Pile::MAX); length];
        database.without_theorems().seconds_alone(self.game(), &piles)
    }

    /// True if the levels of this other game are held with the piles in every order.
    fn is_in_rows(&self, game: Game) -> bool {
        let is_row = |game: Game| game.order() == Order::Row;
        game.remembers() == Remembers::Nothing && (is_row(game) || is_row(self.game()))
    }

    /// Returns the approximate seconds to fill the levels for look-ups. A table that holds all
    /// lengths is filled once, and `filled` lists its game.
    pub(crate) fn seconds_to_hold(
        &self,
        level: &Level<'_>,
        threads: u64,
        filled: &mut Vec<Game>,
    ) -> Result<f64, AskError> {
        let mut seconds = 0.0;
        let prepared = self.prepare(level)?;
        let all = self.wanted(&prepared, level.table().max_pile());
        let room = Lookups::room(&all, self.options.memory);
        for wanted in all {
            if filled.contains(&wanted.game) || wanted.is_beside {
                continue;
            }
            if wanted.longest > 0 && wanted.game.stored_length(wanted.longest) == 0 {
                filled.push(wanted.game);
            }
            // Levels that do not fit into memory are not held.
            let longest = wanted.longest_within(room);
            seconds += self.seconds_to_make(&Wanted { longest, ..wanted }, threads);
        }
        Ok(seconds)
    }

    fn seconds_to_make(&self, wanted: &Wanted, threads: u64) -> f64 {
        let Wanted { game, longest, max_pile, .. } = *wanted;
        // One table may hold all lengths. Some lengths have no table.
        let is_one = longest > 0 && game.stored_length(longest) == 0;
        let lengths = if is_one { 0..=0 } else { 1..=longest };
        let tables = lengths.filter_map(|length| Table::new(game, max_pile, length).ok());
        let seconds = tables.map(|table| match is_fast(game) {
            true => table.positions() as f64 * price::FILL,
            false => solver(game).needs(&table, &self.means(threads)).seconds,
        });
        seconds.sum()
    }

    /// True if the levels up to the largest pile that is looked up should be held: the piles are
    /// hardly larger than those of the range, or the levels fit into memory and cost less time than
    /// a look-up at each position of the range.
    fn is_worth_holding(&self, beyond: &Wanted, prepared: &Prepared<'_>, max_pile: Pile) -> bool {
        let near = u64::from(max_pile) + u64::from(max_pile) / 4 + 16;
        if u64::from(beyond.max_pile) <= near {
            return true;
        }
        let room = self.options.memory.share(2).share(prepared.lookups().count() as u64);
        let fits = || beyond.bytes().is_ok_and(|bytes| bytes <= room.bytes());
        let positions = Table::new(self.game(), max_pile, prepared.length())
            .map_or(0, |table| table.positions()) as f64;
        let each = || self.seconds_to_look(beyond.longest, beyond.max_pile.into());
        fits() && self.seconds_to_make(beyond, 1) < positions * each()
    }

    /// Returns the approximate seconds to fill a level before it is evaluated. A table that holds
    /// all lengths is filled once, and `filled` lists its game.
    pub(crate) fn seconds_to_fill(
        &self,
        level: &Level<'_>,
        threads: u64,
        filled: &mut Vec<Game>,
    ) -> f64 {
        let game = level.table().game();
        if is_fast(self.game()) || filled.contains(&game) {
            return 0.0;
        }
        filled.extend(level.table().holds_all_lengths().then_some(game));
        solver(game).needs(level.table(), &self.means(threads)).seconds
    }

    pub(crate) fn means(&self, threads: u64) -> Means {
        Means { memory: self.options.memory, threads, frame_bytes: 1 << 16, in_order: false }
    }

    /// Returns an error if the estimated time exceeds the limit.
    pub fn check_seconds(&self, lengths: Lengths, max_pile: Pile) -> Result<(), AskError> {
        let ((positions, needed), allowed) = (self.estimate(lengths, max_pile)?, self.seconds);
        match needed > allowed {
            true => Err(AskError::Seconds { needed, positions, allowed }),
            false => Ok(()),
        }
    }

    /// Returns the levels to hold in memory for look-ups in a range with this max pile.
    pub(crate) fn wanted(&self, prepared: &Prepared<'_>, max_pile: Pile) -> Vec<Wanted> {
        let mut wanted = Vec::new();
        for LookupRange { game, length, max_pile: largest_pile, is_here } in prepared.lookups() {
            let is_own = game == self.game();
            let largest = Pile::try_from(largest_pile).unwrap_or(Pile::MAX).max(1);
            let in_all_orders = !is_own && game.is_unordered() && self.is_in_rows(game);
            let is_beside = is_here && !is_own && self.has_same_tiles(game, max_pile, length);
            let mut levels =
                Wanted { game, longest: length, max_pile: largest, in_all_orders, is_beside };
            if is_own {
                let is_held = self.is_worth_holding(&levels, prepared, max_pile);
                levels.max_pile = if is_held { largest.max(max_pile) } else { max_pile };
            }
            wanted.push(levels);
        }
        if prepared.asks_options() {
            let (game, length) = (self.game(), prepared.length());
            match wanted.iter_mut().find(|wanted| wanted.game == game) {
                Some(own) => own.longest = own.longest.max(length),
                None => {
                    let (in_all_orders, is_beside) = (false, false);
                    wanted.push(Wanted {
                        game,
                        longest: length,
                        max_pile,
                        in_all_orders,
                        is_beside,
                    });
                }
            }
        }
        wanted
    }

    /// True if the tables of both games have the same tiles, and are filled tile by tile.
    fn has_same_tiles(&self, other: Game, max_pile: Pile, length: usize) -> bool {
        let table = |game| {
            let table = Table::new(game, max_pile, length).ok();
            table.filter(|table| matches!(Production::of(table), Production::Ladder))
        };
        let (Some(own), Some(other)) = (table(self.game()), table(other)) else { return false };
        let tiles = |table: &Table| (table.numbering(), table.tiles(), table.tile_cells());
        let is_small = other.tile_cells() * ladder_bytes(max_pile) <= AHEAD_BYTES;
        self.options.domain == Domain::All && tiles(&own) == tiles(&other) && is_small
    }

    /// Returns an error if the levels for look-ups in other games do not fit into memory, because
    /// single look-ups would take too long.
    pub(crate) fn check_wanted(
        &self,
        prepared: &Prepared<'_>,
        level: &Level<'_>,
    ) -> Result<(), AskError> {
        let wanted = self.wanted(prepared, level.table().max_pile());
        let room = Lookups::room(&wanted, self.options.memory);
        for other in wanted.iter().filter(|wanted| wanted.game != self.game()) {
            let Wanted { game, longest, max_pile, .. } = other;
            room.check(other.bytes()?).map_err(|shortage| {
                let parts = 2 * wanted.len();
                let size = match game.is_within_total() {
                    true => format!("a total of at most {max_pile}"),
                    false => format!("up to {longest} piles of at most {max_pile}"),
                };
                let table =
                    format!("the look-up of {size} in {game}, with 1/{parts} of the memory");
                Error::Memory { table, measure: Measure::of(self.game()), shortage }
            })?;
        }
        Ok(())
    }

    pub(crate) fn lookups(
        &self,
        prepared: &Prepared<'_>,
        max_pile: Pile,
        control: &Control,
    ) -> Result<Lookups, AskError> {
        let WalkOptions { database, memory, .. } = self.options;
        let wanted = self.wanted(prepared, max_pile);
        Ok(Lookups::of_games(&wanted, database, memory, &self.kept, control)?)
    }

    /// Returns the parts of the statement, each with its value at a position.
    pub fn parts(&self, position: &Position, cell: u32) -> Vec<(String, String)> {
        let control = Control::new();
        let WalkOptions { database, memory, .. } = self.options;
        match Lookups::new(self.game(), 0..=0, 1, database, memory, &control) {
            Ok(lookups) => self.question.parts(position.piles(), position.memory(), cell, &lookups),
            Err(_) => Vec::new(),
        }
    }
}

pub(crate) fn is_fast(game: Game) -> bool {
    follows_from_ends(game) || game.has_thresholds()
}

/// The numbers of positions that take about a second, for slow and for fast games.
const USUAL_POSITIONS: [u64; 2] = [1 << 20, 1 << 25];

/// Returns the default lengths and max pile: the largest pile up to 64 for which all lengths
/// together take about a second. The lengths are 1 to 4; if the statement names piles by number,
/// there is only one length, the largest of these numbers.
pub fn usual_range(question: &Question, lengths: Option<Lengths>) -> (Lengths, Pile) {
    let game = question.game();
    let most = USUAL_POSITIONS[usize::from(is_fast(game))];
    let lengths = lengths.unwrap_or_else(|| match question.least_length() {
        1 => game.lengths_near(1..=4),
        length => length..=length,
    });
    let fits = |max_pile: &Pile| {
        let positions = lengths.clone().map(|length| {
            Level::new(game, length, *max_pile)
                .map_or(u64::MAX, |level| level.table().most_numbers())
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

    /// The expected N is the largest for which the range has at most 2^25 rows or 2^20 multisets.
    #[test]
    fn default_ranges_are_quick_to_check() {
        let usual = |game, text: &str, lengths| usual_range(&question(game, text), lengths);
        assert_eq!(usual(END_NIM, "P", None), (1..=4, 64));
        assert_eq!(usual(END_NIM, "P", Some(5..=5)), (5..=5, 32));
        // 31 + ... + 31^5 = 29583455, but 32 + ... + 32^5 is more than 2^25.
        assert_eq!(usual(END_NIM, "P", Some(1..=5)), (1..=5, 31));
        assert_eq!(usual(PARTIZAN_END_NIM, "P", Some(5..=5)), (5..=5, 32));
        assert_eq!(usual(END_NIM, "p5 > 1 -> g > 0", None), (5..=5, 32));
        // There are 962598 multisets for N = 39, and 1086008 for N = 40.
        assert_eq!(usual(NIM, "P", Some(5..=5)), (5..=5, 39));
        assert_eq!(usual(END_NIM, "P", Some(100..=100)), (100..=100, 1));
        assert!(is_fast(END_NIM) && is_fast(PARTIZAN_END_NIM));
        assert!(!is_fast(NIM) && !is_fast(SHORT_GLOBAL_NIM));
    }

    /// Calculated by hand: 1,3,3 has the value 1, and its two ends alone have the value 2.
    #[test]
    fn the_parts_of_a_counterexample_are_shown() {
        let question = question(END_NIM, "g == 1 -> first == g(first, last)");
        let position = END_NIM.parse("1,3,3").unwrap();
        let parts = Ask::new(&question).parts(&position, 1);
        let said: Vec<(&str, &str)> = parts.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
        // With two piles End-Nim is Nim.
        assert_eq!(said, [("g", "1"), ("first", "1"), ("g(first, last)", "2")]);
    }

    /// Invalid lengths give an error in every operation.
    #[test]
    fn invalid_lengths_are_refused() {
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
        // The piles 1, 2 and 3 satisfy the statement.
        let below_four = question(END_NIM, "g < 4");
        for most in [1, 2, 3, 4] {
            let mut all = Vec::new();
            let went: Result<bool, AskError> =
                Ask::new(&below_four).find(1..=1, 9, |position, value| {
                    all.push((position.to_string(), value));
                    Ok(all.len() < most)
                });
            let expected =
                [("1", 1), ("2", 2), ("3", 3)].map(|(text, value)| (text.to_owned(), value));
            assert_eq!(all, expected[..most.min(3)]);
            assert_eq!(went.unwrap(), most == 4);
        }
        let failed: Result<bool, AskError> =
            Ask::new(&below_four).find(1..=1, 9, |_, _| Err(AskError::OtherCheckpoint));
        assert!(matches!(failed, Err(AskError::OtherCheckpoint)));
    }
}
