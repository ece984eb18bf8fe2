//! Questions divided among processes.
//!
//! ```text
//! ask.pieces()        one piece for each length, divided into the parts of a walk
//! ask.check_share()   some parts of pieces ──► CheckedShare, which serde writes and reads
//! ask.merge_checked() all shares ──► the result of ask.check() for all positions
//! ```
//!
//! The division of a level depends only on the level, not on stored tables, memory or threads. So a
//! share computes its level from the rules. It uses a database only for other positions. Some
//! levels are filled as a whole (multisets, sets of moves, your own games), and so are the levels
//! that a statement looks up. Every share of such a level begins with that.

use std::ops::Range;

use grundy_rules::{Pile, Table};
use grundy_solvers::{Production, solver};
use grundy_sweep::{Control, NoSuchPart, Parts, Piece, Share, Swept, Work, named_seconds};
use serde::{Deserialize, Serialize};

use super::gathered::{QuestionTally, ask_parts};
use super::lookups::Lookups;
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

/// The results of questions on parts of one level.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedPart {
    seconds: f64,
    cells: u64,
    found: Vec<Found>,
}

/// The results of one question.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Found {
    checked: u64,
    premise: u64,
    failures: u64,
    /// The least counterexamples, as texts, so that a share can be read without the game.
    least: Vec<(String, u32)>,
    /// The numbers of positions that satisfy the statement, by their largest pile, if wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    counts: Option<Vec<u64>>,
}

pub(crate) struct CheckedLevel {
    /// The results of each question.
    pub(crate) gathered: Vec<QuestionTally>,
    pub(crate) cells: u64,
    pub(crate) seconds: f64,
}

impl CheckedLevel {
    pub(crate) fn part(&self) -> CheckedPart {
        let &CheckedLevel { ref gathered, cells, seconds } = self;
        let found = gathered.iter().map(|gathered| {
            let &QuestionTally { checked, premise, failures, ref least, ref counts, .. } = gathered;
            let least = least.iter();
            let least = least.map(|(_, position, cell)| (position.to_string(), *cell)).collect();
            Found { checked, premise, failures, least, counts: counts.clone() }
        });
        CheckedPart { seconds, cells, found: found.collect() }
    }
}

/// Returns the number of parts into which a walk over a table is divided.
fn parts_of(table: &Table) -> u64 {
    match Production::of(table) {
        Production::Ladder => grundy_sweep::parts(table),
        Production::Records(_) => table.max_pile().into(),
        Production::Thresholds | Production::Made => source::made_units(table),
    }
}

impl Ask<'_> {
    /// Returns the work of a check: a piece for each length. The order and the parts are the same
    /// on every machine. The estimates depend on the memory limit and the instruction set.
    pub fn pieces(&self, lengths: Lengths, max_pile: Pile) -> Result<Vec<Piece>, AskError> {
        Levels::new(self, lengths, max_pile)?.pieces()
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
        // A statement without a value ends the check, but not the caller's job.
        let control = &self.options.control.unwrap_or(&idle).counted_part();
        let levels = Levels::new(self, lengths, max_pile)?;
        levels.allow(share)?;
        let mut before = 0;
        Share::done(&levels, share, |piece, parts| {
            levels.check_parts(
                piece,
                parts.clone(),
                (&mut before, levels.values_in(share)),
                control,
            )
        })
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
        let levels = Levels::new(self, lengths, max_pile)?;
        let mut found = CheckReport { complete: true, ..CheckReport::default() };
        for CheckedLevel { gathered, seconds, .. } in Share::merge(&levels, shares)? {
            found.seconds += seconds;
            for gathered in gathered {
                found.fresh += gathered.checked;
                gathered.add_to(&mut found, false);
            }
        }
        Ok(found)
    }
}

/// A level, and the questions that one walk over it answers.
#[derive(Clone)]
pub(crate) struct Asked<'a> {
    pub(crate) level: Level<'a>,
    pub(crate) asks: Vec<Ask<'a>>,
}

impl<'a> Asked<'a> {
    /// Returns the level of a size. Stored outcomes suffice if all questions are about outcomes.
    pub(crate) fn new(
        asks: Vec<Ask<'a>>,
        length: usize,
        max_pile: Pile,
    ) -> Result<Asked<'a>, Error> {
        let level = match asks.iter().all(|ask| ask.question.asks_outcomes()) {
            true => asks[0].level(length, max_pile),
            false => asks[0].level_of_values(length, max_pile),
        };
        Ok(Asked { level: level?, asks })
    }

    /// Returns the name of the level, with its domain.
    pub(crate) fn name(&self) -> String {
        format!("{}{}", self.level.table(), self.level.options().domain)
    }

    /// Returns the approximate seconds of one thread for filling the levels, and for evaluating
    /// the questions on this level.
    pub(crate) fn seconds(&self) -> Result<[f64; 2], AskError> {
        let filled = &mut Vec::new();
        let mut begin = self.asks[0].seconds_to_fill(&self.level, 1, filled);
        let mut inside = 0.0;
        for ask in &self.asks {
            begin += ask.seconds_to_hold(&self.level, 1, filled)?;
            inside += ask.seconds_to_ask(&self.level)?;
        }
        Ok([begin, inside])
    }

    /// Returns the approximate memory for evaluating the level, in bytes.
    pub(crate) fn memory(&self) -> Result<u64, AskError> {
        let (table, first) = (self.level.table(), &self.asks[0]);
        let memory = first.options.memory;
        let level = match Production::of(table) {
            Production::Ladder => self.level.ladder_size().bytes,
            Production::Thresholds | Production::Records(_) | Production::Made => {
                solver(first.game()).needs(table, &first.means(1)).memory
            }
        };
        let mut all = level.saturating_add(WORKING_BYTES);
        for ask in &self.asks {
            let wanted = ask.wanted(&ask.prepare(&self.level)?, table.max_pile());
            let room = Lookups::room(&wanted, memory);
            let others = wanted.iter().map(|wanted| wanted.bytes_within(room));
            all = others.fold(all, u64::saturating_add);
        }
        Ok(all)
    }
}

/// Levels in order of length. Each level is a piece.
pub(crate) struct Levels<'a> {
    pub(crate) each: Vec<Asked<'a>>,
}

impl<'a> Levels<'a> {
    pub(crate) fn new(
        ask: &Ask<'a>,
        lengths: Lengths,
        max_pile: Pile,
    ) -> Result<Levels<'a>, AskError> {
        let each = lengths.map(|length| Asked::new(vec![ask.clone()], length, max_pile));
        Levels::walked(each.collect::<Result<_, Error>>()?)
    }

    /// Returns these levels as the pieces of a walk.
    pub(crate) fn walked(each: Vec<Asked<'a>>) -> Result<Levels<'a>, AskError> {
        for Asked { level, asks } in &each {
            asks.iter().try_for_each(|ask| ask.check_wanted(&ask.prepare(level)?, level))?;
        }
        Ok(Levels { each })
    }

    pub(crate) fn pieces(&self) -> Result<Vec<Piece>, AskError> {
        let pieces = self.each.iter().zip(self.outline()).map(|(asked, (name, parts))| {
            let [begin, inside] = asked.seconds()?;
            Ok(Piece { name, parts, seconds: begin + inside, begin, memory: asked.memory()? })
        });
        pieces.collect()
    }

    /// Returns the size of a range of parts as a fraction of their level.
    fn portion(&self, piece: usize, parts: &Range<u64>) -> f64 {
        let table = self.each[piece].level.table();
        (parts.end - parts.start) as f64 / parts_of(table) as f64
    }

    /// Returns the number of values in the parts of levels; approximate, because the parts are not
    /// exactly equal.
    pub(crate) fn values_in(&self, share: &[Parts]) -> u64 {
        let levels = share.iter().filter(|(piece, _)| *piece < self.each.len());
        let values = levels.map(|(piece, parts)| {
            (self.portion(*piece, parts) * self.each[*piece].level.values() as f64) as u64
        });
        values.fold(0, u64::saturating_add)
    }

    /// Evaluates parts of a level whose values are computed. `None` if the work was stopped. The
    /// progress is the number of values before these parts, and of all values.
    pub(crate) fn check_parts(
        &self,
        piece: usize,
        parts: Range<u64>,
        (before, total): (&mut u64, u64),
        control: &Control,
    ) -> Result<Option<CheckedPart>, AskError> {
        let start = Stopwatch::start();
        let Asked { level, asks } = &self.each[piece];
        let shifted = shifted(asks[0].options.hook, *before, total);
        let level = level.clone().computed().watched(&shifted);
        let ready = level.walk(control).map_err(AskError::from).and_then(|walk| {
            let asked = asks.iter().map(|ask| ask.ready(&level, control));
            Ok((walk, asked.collect::<Result<Vec<_>, _>>()?))
        });
        let (walk, asked) = match ready {
            Ok(ready) => ready,
            Err(AskError::Level(Error::Stopped)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Swept { acc: gathered, cells, complete } =
            ask_parts((&walk, parts), &asked, None, control)?;
        *before = before.saturating_add(cells);
        let seconds = start.elapsed().as_secs_f64();
        Ok(complete.then(|| CheckedLevel { gathered, cells, seconds }.part()))
    }

    /// Returns an error if a part does not exist, or if the parts take too long.
    fn allow(&self, share: &[Parts]) -> Result<(), AskError> {
        NoSuchPart::unless_in(&self.outline(), share)?;
        let threads = rayon::current_num_threads();
        let (mut positions, mut needed, mut allowed) = (0.0, 0.0, f64::INFINITY);
        let mut filled = Vec::new();
        for (piece, parts) in share {
            let (Asked { level, asks }, portion) =
                (&self.each[*piece], self.portion(*piece, parts));
            positions += portion * level.visited() as f64;
            needed += asks[0].seconds_to_fill(level, threads as u64, &mut filled);
            for ask in asks {
                needed += portion * ask.seconds_to_ask(level)? / threads as f64;
                needed += ask.seconds_to_hold(level, threads as u64, &mut filled)?;
                allowed = ask.seconds;
            }
        }
        if needed > allowed {
            let positions = positions as u64;
            return Err(AskError::Seconds { needed, positions, allowed });
        }
        Ok(())
    }
}

impl Work for Levels<'_> {
    type Finding = CheckedPart;
    type Whole = CheckedLevel;

    fn words(&self) -> String {
        let each = self.each.iter().map(|asked| {
            let asks = asked.asks.iter().map(|ask| {
                // The text of the question names other games. Their ids show if a rule file has
                // changed.
                let others = ask.question.other_games().iter().map(|game| format!("{game}, "));
                let (others, counted) =
                    (others.collect::<String>(), if ask.counted { ", counted" } else { "" });
                format!("{others}{} shown{counted}\n{}", ask.show, ask.question.text())
            });
            format!("{}\n{}", asked.name(), asks.collect::<Vec<_>>().join("\n"))
        });
        each.collect::<Vec<_>>().join("\n")
    }

    fn outline(&self) -> Vec<(String, u64)> {
        let each = self.each.iter();
        each.map(|asked| (asked.name(), parts_of(asked.level.table()))).collect()
    }

    fn begin(&self, piece: usize) -> CheckedLevel {
        let Asked { level, asks } = &self.each[piece];
        let gathered = asks.iter().map(|ask| ask.no_results(level));
        CheckedLevel { gathered: gathered.collect(), cells: 0, seconds: 0.0 }
    }

    fn add(&self, piece: usize, all: &mut CheckedLevel, part: CheckedPart) -> Result<(), String> {
        let Asked { level, asks } = &self.each[piece];
        let CheckedPart { seconds, cells, found } = part;
        if found.len() != asks.len() {
            return Err("it belongs to other questions".to_owned());
        }
        for ((all, found), ask) in all.gathered.iter_mut().zip(found).zip(asks) {
            add_found(all, found, ask, level)?;
        }
        all.cells = all.cells.saturating_add(cells);
        all.seconds += named_seconds(seconds);
        Ok(())
    }

    fn is_whole(&self, piece: usize, all: &CheckedLevel) -> bool {
        let Asked { level, asks } = &self.each[piece];
        let whole = (level.positions(), level.values());
        // A check skips excluded positions.
        all.gathered.iter().zip(asks).all(|(gathered, ask)| match ask.game().excludes() {
            true => gathered.checked <= whole.0 && all.cells <= whole.1,
            false => (gathered.checked, all.cells) == whole,
        })
    }
}

/// Adds results of a question. If they are invalid, returns the reason.
fn add_found(
    all: &mut QuestionTally,
    found: Found,
    ask: &Ask<'_>,
    level: &Level<'_>,
) -> Result<(), String> {
    let (show, game) = (ask.show, ask.game());
    let Found { checked, premise, failures, least, counts } = found;
    if checked > level.positions() - all.checked {
        return Err("its count exceeds the number of positions".to_owned());
    }
    let shown = least.len();
    let is_shown = shown <= show && (show == 0 || (shown > 0) == (failures > 0));
    if premise > checked || failures > checked || shown as u64 > failures || !is_shown {
        return Err("its counts contradict each other".to_owned());
    }
    let no_results = ask.no_results(level);
    let counted = |counts: &Vec<u64>| (counts.len(), counts.iter().sum::<u64>());
    let expected = no_results.counts.as_ref().map(|empty| (empty.len(), checked - failures));
    if counts.as_ref().map(counted) != expected {
        return Err("its numbers of positions contradict each other".to_owned());
    }
    let table = level.table();
    let (n, length) = (table.max_pile(), table.length());
    let largest = if game.is_impartial() { table.largest_value() } else { 3 };
    let mut gathered = QuestionTally { checked, premise, failures, counts, ..no_results };
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
    all.merge(gathered);
    Ok(())
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

    /// A walk has a part for each inner word, unit of thresholds, or pile with a record. The
    /// expected numbers are counted by hand.
    #[test]
    fn levels_are_divided_by_their_kind() {
        let parts = |game, length, max_pile| {
            let table = Table::new(game, max_pile, length).unwrap();
            parts_of(&table)
        };
        assert_eq!(parts(END_NIM, 3, 4), 1);
        assert_eq!(parts(END_NIM, 6, 4), 10);
        assert_eq!(parts(PARTIZAN_END_NIM, 3, 64), 4);
        assert_eq!(parts(SHORT_GLOBAL_NIM, 1, 9), 9);
        assert_eq!(parts(SHORT_GLOBAL_NIM, 2, 9), 1);
        assert_eq!(parts(NIM, 1, 9), 1);
        assert_eq!(parts(NIM, 5, 64), 160);
        assert_eq!(parts(LONG_GLOBAL_NIM, 1, 9), 1);
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
            let levels = Levels::new(&ask, 3..=3, 3).unwrap();
            let [checked, premise, failures] = numbers[..] else { unreachable!() };
            let found = vec![Found { checked, premise, failures, least, counts: None }];
            let part = CheckedPart { found, seconds: -1.0, cells: 5 };
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
