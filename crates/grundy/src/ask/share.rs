//! Questions divided among processes.
//!
//! ```text
//! ask.pieces()        one piece for each length, divided into the parts of a walk
//! ask.check_share()   some parts of pieces ──► CheckedShare, which serde writes and reads
//! ask.merge_checked() all shares ──► the result of ask.check() for all positions
//!
//! ask.find_pieces()   one piece for each length, divided by the first piles
//! ask.find_share()    lists the positions of some parts, in order
//! ```
//!
//! The division of a level depends only on the level, not on stored tables, memory or threads. So a
//! share computes its level from the rules. It uses a database only for other positions, and for
//! listed rows that do not fit into memory. Some levels must be filled as a whole (multisets, sets
//! of moves, your own games). Such a level is one part.
//!
//! Lists are in the order of lengths, then of words, so positions with the same first pile are next
//! to each other. The concatenated lists of the shares are the list of one run.

use std::ops::Range;

use grundy_questions::Prepared;
use grundy_rules::{Pile, Position, Remembers, Table};
use grundy_solvers::{Production, solver};
use grundy_sweep::cost::LadderSize;
use grundy_sweep::{Control, NoSuchPart, Parts, Piece, Share, Work, named_seconds};
use serde::{Deserialize, Serialize};

use super::gathered::QuestionTally;
use super::lookups::Lookups;
use super::order::all_firsts;
use super::question::{Ask, AskError, CheckReport, Lengths};
use crate::clock::Stopwatch;
use crate::walk::{shifted, source};
use crate::{Error, Level};

const WORKING_BYTES: u64 = 16 << 20;

/// The results of a question on parts of one or more levels. Serde writes and reads shares; merging
/// checks their contents.
pub type CheckedShare = Share<CheckedPart>;

/// The saved state of a long check, from which the check can continue.
pub type Checkpoint = grundy_sweep::Checkpoint<CheckedPart>;

/// The results of a question on parts of one level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedPart {
    seconds: f64,
    cells: u64,
    checked: u64,
    premise: u64,
    failures: u64,
    /// The least counterexamples, as texts, so that a share can be read without the game.
    least: Vec<(String, u32)>,
}

pub(crate) struct CheckedLevel {
    pub(crate) gathered: QuestionTally,
    pub(crate) cells: u64,
    pub(crate) seconds: f64,
}

impl CheckedLevel {
    pub(crate) fn part(&self) -> CheckedPart {
        let CheckedLevel { ref gathered, cells, seconds } = *self;
        let &QuestionTally { checked, premise, failures, ref least, .. } = gathered;
        let least = least.iter().map(|(_, position, cell)| (position.to_string(), *cell)).collect();
        CheckedPart { seconds, cells, checked, premise, failures, least }
    }
}

pub(crate) enum Cut {
    Parts(u64),
    Whole,
}

impl Cut {
    pub(crate) fn of_walk(table: &Table) -> Cut {
        match Production::of(table) {
            Production::Ladder => Cut::Parts(grundy_sweep::parts(table)),
            Production::Records(_) => Cut::Parts(table.max_pile().into()),
            Production::Thresholds => Cut::Parts(source::made_units(table)),
            Production::Made => Cut::Whole,
        }
    }

    /// Returns the division of a list: one part for each first pile, or a single part.
    fn of_list(table: &Table) -> Cut {
        match (table.game().remembers(), Production::of(table)) {
            (Remembers::Moves, _) | (_, Production::Made) => Cut::Whole,
            _ => Cut::Parts(table.max_pile().into()),
        }
    }

    fn parts(&self) -> u64 {
        match self {
            Cut::Parts(parts) => *parts,
            Cut::Whole => 1,
        }
    }
}

impl Ask<'_> {
    /// Returns the work of a check: a piece for each length. The order and the parts are the same
    /// on every machine. The estimates depend on the memory limit and the instruction set.
    pub fn pieces(&self, lengths: Lengths, max_pile: Pile) -> Result<Vec<Piece>, AskError> {
        self.cut_into(&Levels::new(self, lengths, max_pile, Cut::of_walk)?)
    }

    /// Returns the work of a list, as [`Ask::pieces`] does for a check.
    pub fn find_pieces(&self, lengths: Lengths, max_pile: Pile) -> Result<Vec<Piece>, AskError> {
        self.cut_into(&Levels::listed(self, lengths, max_pile)?)
    }

    fn cut_into(&self, levels: &Levels<'_, '_>) -> Result<Vec<Piece>, AskError> {
        let pieces = levels.each.iter().zip(levels.outline()).map(|(level, (name, parts))| {
            let filled = self.seconds_to_fill(level, 1) + self.seconds_to_hold(level, 1)?;
            let seconds = self.seconds_to_ask(level)? + filled;
            let memory = self.memory_to_ask(level, &self.prepare(level)?);
            Ok(Piece { name, parts, seconds, memory })
        });
        pieces.collect()
    }

    /// Returns the approximate memory for evaluating a level, in bytes.
    fn memory_to_ask(&self, level: &Level<'_>, prepared: &Prepared<'_>) -> u64 {
        let (table, memory) = (level.table(), self.options.memory);
        let wanted = self.wanted(prepared, table.max_pile());
        let room = Lookups::room(&wanted, memory);
        let others = wanted.iter().map(|wanted| wanted.bytes_within(room));
        let others = others.fold(0, u64::saturating_add);
        let level = match Production::of(table) {
            Production::Ladder => {
                let below = (table.length() - 1).max(1);
                LadderSize::up_to(table, below).bytes.min(memory.bytes())
            }
            Production::Thresholds | Production::Records(_) | Production::Made => {
                solver(self.game()).needs(table, &self.means(1)).memory
            }
        };
        level.saturating_add(others).saturating_add(WORKING_BYTES)
    }

    /// Checks the statement on the parts that the share names. They are parts of [`Ask::pieces`]
    /// for the same lengths and max pile. `None` if the control stopped the check.
    pub fn check_share(
        &self,
        share: &[Parts],
        lengths: Lengths,
        max_pile: Pile,
    ) -> Result<Option<CheckedShare>, AskError> {
        let idle = Control::new();
        let control = self.options.control.unwrap_or(&idle);
        let levels = Levels::new(self, lengths, max_pile, Cut::of_walk)?;
        levels.allow(share)?;
        // The parts are not exactly equal, so this number of values is approximate.
        let values = |(piece, parts): &Parts| {
            let values = levels.each[*piece].values() as f64;
            (levels.portion(*piece, parts) * values) as u64
        };
        let total = share.iter().map(values).fold(0, u64::saturating_add);
        let mut before = 0u64;
        Share::done(&levels, share, |piece, parts| {
            let start = Stopwatch::start();
            let shifted = shifted(self.options.hook, before, total);
            let watched = levels.each[piece].clone().computed().watched(&shifted);
            let found = self.check_parts(&watched, parts.clone(), control)?;
            Ok(found.map(|(gathered, cells)| {
                before = before.saturating_add(cells);
                let seconds = start.elapsed().as_secs_f64();
                CheckedLevel { gathered, cells, seconds }.part()
            }))
        })
    }

    /// Evaluates parts of a level whose values are computed. `None` if the work was stopped.
    fn check_parts(
        &self,
        level: &Level<'_>,
        parts: Range<u64>,
        control: &Control,
    ) -> Result<Option<(QuestionTally, u64)>, AskError> {
        let prepared = self.prepare(level)?;
        let ready = level.walk(control).map_err(AskError::from).and_then(|walk| {
            let lookups = self.lookups(&prepared, level.table().max_pile(), control)?;
            Ok((walk, lookups))
        });
        let (walk, lookups) = match ready {
            Ok(ready) => ready,
            Err(AskError::Level(Error::Stopped)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let parts = match Cut::of_walk(level.table()) {
            Cut::Parts(_) => parts,
            Cut::Whole => 0..walk.parts(),
        };
        let swept = self.ask_parts((&walk, parts), &prepared, &lookups, None, control)?;
        Ok(swept.complete.then_some((swept.acc, swept.cells)))
    }

    /// Merges shares into the result of a check, and adds up their seconds.
    ///
    /// # Errors
    /// [`AskError::Merge`] if the shares do not cover every part exactly once, or are inconsistent,
    /// and the errors of [`Ask::pieces`].
    pub fn merge_checked(
        &self,
        shares: impl IntoIterator<Item = CheckedShare>,
        lengths: Lengths,
        max_pile: Pile,
    ) -> Result<CheckReport, AskError> {
        let levels = Levels::new(self, lengths, max_pile, Cut::of_walk)?;
        let mut found = CheckReport { complete: true, ..CheckReport::default() };
        for CheckedLevel { gathered, seconds, .. } in Share::merge(&levels, shares)? {
            found.seconds += seconds;
            found.fresh += gathered.checked;
            gathered.add_to(&mut found, false);
        }
        Ok(found)
    }

    /// Lists the positions of some parts of the levels, in the order of the share, as [`Ask::find`]
    /// does for all parts. The share names parts of [`Ask::find_pieces`] for the same lengths and
    /// max pile. Part p of a piece contains the positions with the first pile p + 1.
    pub fn find_share<E: From<AskError>>(
        &self,
        share: &[Parts],
        lengths: Lengths,
        max_pile: Pile,
        mut show: impl FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let idle = Control::new();
        let control = self.options.control.unwrap_or(&idle);
        let levels = Levels::listed(self, lengths, max_pile)?;
        levels.allow(share)?;
        for (piece, parts) in share {
            let level = &levels.each[*piece];
            let firsts = match Cut::of_list(level.table()) {
                // There are at most as many parts as first piles, so the casts are exact.
                Cut::Parts(_) => parts.start as Pile + 1..=parts.end as Pile,
                Cut::Whole => all_firsts(level.table()),
            };
            if !self.find_in(level, firsts, control, &mut show)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The levels of a question in order of length. Each level is a piece.
pub(crate) struct Levels<'a, 'b> {
    ask: &'b Ask<'a>,
    pub(crate) each: Vec<Level<'a>>,
    max_pile: Pile,
    cut: fn(&Table) -> Cut,
}

impl<'a, 'b> Levels<'a, 'b> {
    pub(crate) fn new(
        ask: &'b Ask<'a>,
        lengths: Lengths,
        max_pile: Pile,
        cut: fn(&Table) -> Cut,
    ) -> Result<Levels<'a, 'b>, AskError> {
        let each = lengths.map(|length| ask.level(length, max_pile));
        Levels::of(ask, each.collect::<Result<Vec<_>, Error>>()?, max_pile, cut)
    }

    pub(crate) fn listed(
        ask: &'b Ask<'a>,
        lengths: Lengths,
        max_pile: Pile,
    ) -> Result<Levels<'a, 'b>, AskError> {
        let each = lengths.map(|length| ask.listed(length, max_pile));
        Levels::of(ask, each.collect::<Result<Vec<_>, Error>>()?, max_pile, Cut::of_list)
    }

    fn of(
        ask: &'b Ask<'a>,
        each: Vec<Level<'a>>,
        max_pile: Pile,
        cut: fn(&Table) -> Cut,
    ) -> Result<Levels<'a, 'b>, AskError> {
        each.iter().try_for_each(|level| ask.check_wanted(level))?;
        Ok(Levels { ask, each, max_pile, cut })
    }

    /// Returns the size of a range of parts as a fraction of their level.
    fn portion(&self, piece: usize, parts: &Range<u64>) -> f64 {
        (parts.end - parts.start) as f64 / (self.cut)(self.each[piece].table()).parts() as f64
    }

    /// Returns an error if a part does not exist, or if the parts take too long.
    fn allow(&self, share: &[Parts]) -> Result<(), AskError> {
        NoSuchPart::unless_in(&self.outline(), share)?;
        let (ask, threads) = (self.ask, rayon::current_num_threads());
        let (mut positions, mut needed) = (0.0, 0.0);
        for (piece, parts) in share {
            let (level, portion) = (&self.each[*piece], self.portion(*piece, parts));
            positions += portion * level.positions() as f64;
            needed += portion * ask.seconds_to_ask(level)? / threads as f64;
            needed += ask.seconds_to_fill(level, threads as u64);
            needed += ask.seconds_to_hold(level, threads as u64)?;
        }
        if needed > ask.seconds {
            let (positions, allowed) = (positions as u64, ask.seconds);
            return Err(AskError::Seconds { needed, positions, allowed });
        }
        Ok(())
    }
}

impl Work for Levels<'_, '_> {
    type Finding = CheckedPart;
    type Whole = CheckedLevel;

    fn words(&self) -> String {
        let lengths: Vec<usize> = self.each.iter().map(|level| level.table().length()).collect();
        let Levels { ask, max_pile, .. } = self;
        let (game, show, text) = (ask.game(), ask.show, ask.question.text());
        // The text of the question names other games. Their ids show if a rule file has changed.
        let others = ask.question.other_games().iter().map(|game| format!(", {game}"));
        let game = format!("{game}{}", others.collect::<String>());
        let domain = ask.options.domain;
        format!("{game}\n{lengths:?} piles up to {max_pile}{domain}, {show} shown\n{text}")
    }

    fn outline(&self) -> Vec<(String, u64)> {
        let tables = self.each.iter().map(Level::table);
        tables.map(|table| (table.to_string(), (self.cut)(table).parts())).collect()
    }

    fn begin(&self, _: usize) -> CheckedLevel {
        CheckedLevel { gathered: QuestionTally::new(self.ask.show), cells: 0, seconds: 0.0 }
    }

    fn add(&self, piece: usize, all: &mut CheckedLevel, part: CheckedPart) -> Result<(), String> {
        let (level, show, game) = (&self.each[piece], self.ask.show, self.ask.game());
        let CheckedPart { seconds, cells, checked, premise, failures, least } = part;
        if checked > level.positions() - all.gathered.checked {
            return Err("its count exceeds the number of positions".to_owned());
        }
        let shown = least.len();
        let is_shown = shown <= show && (show == 0 || (shown > 0) == (failures > 0));
        if premise > checked || failures > checked || shown as u64 > failures || !is_shown {
            return Err("its counts contradict each other".to_owned());
        }
        let table = level.table();
        let (n, length) = (table.max_pile(), table.length());
        let largest = if game.is_impartial() { table.largest_value() } else { 3 };
        let mut gathered = QuestionTally { checked, premise, failures, ..QuestionTally::new(show) };
        for (text, cell) in &least {
            let position = game.parse(text).ok().filter(|position| {
                let piles = position.piles();
                let is_there = piles.len() == length && piles.iter().all(|&pile| pile <= n);
                is_there && u64::from(*cell) <= largest
            });
            let Some(position) = position else {
                return Err("a counterexample is not a position of this size".to_owned());
            };
            gathered.take(position.piles(), position.memory(), *cell);
        }
        all.gathered.merge(gathered);
        all.cells = all.cells.saturating_add(cells);
        all.seconds += named_seconds(seconds);
        Ok(())
    }

    fn is_whole(&self, piece: usize, all: &CheckedLevel) -> bool {
        let level = &self.each[piece];
        let (found, whole) =
            ((all.gathered.checked, all.cells), (level.positions(), level.values()));
        // A check skips excluded positions.
        match self.ask.game().excludes() {
            true => found.0 <= whole.0 && found.1 <= whole.1,
            false => found == whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Question;
    use grundy_rules::Game;
    use grundy_rules::games::{END_NIM, LONG_GLOBAL_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM};
    use grundy_testing::cases::cases;

    fn question(game: Game, text: &str) -> Question {
        Question::parse(game, text).unwrap_or_else(|problem| panic!("{text}: {problem}"))
    }

    /// A walk has a part for each inner word, unit of thresholds, or pile with a record. A list has
    /// a part for each first pile. The expected numbers are counted by hand.
    #[test]
    fn levels_are_divided_by_their_kind() {
        let parts = |game, length, max_pile| {
            let table = Table::new(game, max_pile, length).unwrap();
            (Cut::of_walk(&table).parts(), Cut::of_list(&table).parts())
        };
        assert_eq!(parts(END_NIM, 3, 4), (1, 4));
        assert_eq!(parts(END_NIM, 6, 4), (10, 4));
        assert_eq!(parts(PARTIZAN_END_NIM, 3, 64), (4, 64));
        assert_eq!(parts(SHORT_GLOBAL_NIM, 1, 9), (9, 9));
        assert_eq!(parts(SHORT_GLOBAL_NIM, 2, 9), (1, 1));
        assert_eq!(parts(NIM, 1, 9), (1, 1));
        assert_eq!(parts(LONG_GLOBAL_NIM, 1, 9), (1, 1));
    }

    /// Each number is tested at its limit, and at its limit plus one.
    #[test]
    fn impossible_counts_are_refused() {
        // The largest value of three piles of up to 3 is 6, and there are four outcome classes.
        for (_, [game, numbers, least, show, said]) in cases(include_str!("share.txt"), "counts") {
            let number = |text: &str| text.parse::<u64>().unwrap();
            let numbers: Vec<u64> = numbers.split(' ').map(number).collect();
            let least = least.split_whitespace().map(|one| one.split_once('=').unwrap());
            let least: Vec<_> =
                least.map(|(text, cell)| (text.to_owned(), number(cell) as u32)).collect();
            let (game, show) = (game.parse().unwrap(), number(show) as usize);
            let question = question(game, "P");
            let ask = Ask::new(&question).show(show);
            let levels = Levels::new(&ask, 3..=3, 3, Cut::of_walk).unwrap();
            let [checked, premise, failures] = numbers[..] else { unreachable!() };
            let part = CheckedPart { checked, premise, failures, least, seconds: -1.0, cells: 5 };
            let mut all = levels.begin(0);
            let added = levels.add(0, &mut all, part.clone());
            assert_eq!(added.err().unwrap_or_default(), said, "{show} {part:?}");
            if said.is_empty() {
                assert_eq!(all.part(), CheckedPart { seconds: 0.0, ..part });
                assert!(!levels.is_whole(0, &all));
                // A part with more than half of the positions cannot be added twice.
                let again = all.part();
                assert_eq!(levels.add(0, &mut all, again).is_ok(), checked <= 13);
            }
        }
    }
}
