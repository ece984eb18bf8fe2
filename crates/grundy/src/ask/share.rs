//! A question asked share by share, in different processes.
//!
//! ```text
//! ask.pieces()        one piece a length, cut as a walk that computes it can be
//! ask.check_share()   some parts of them ──► CheckedShare, which is written and read with serde
//! ask.merge_checked() all shares ──► what ask.check() says of all positions
//!
//! ask.find_pieces()   one piece a length, a part for each first pile
//! ask.find_share()    shows what some parts of them have, in order
//! ```
//!
//! How a level is cut depends on the level alone, not on what is stored, how much memory there is, or
//! how many threads. So a share computes its level from the rules, whatever the database has; a
//! database is asked for the values of other positions, and for rows that are listed and do not fit
//! into memory. A level that is filled as a whole before it can be asked about (of multisets, of
//! sets of moves, of a game of one's own) is one part: each of several would fill it again.
//!
//! Positions are listed by length and then as words are ordered, so those of some first piles stand
//! together in the list: what shares list, one after another, is the list of one run.

use std::ops::{Range, RangeInclusive};

use grundy_questions::Prepared;
use grundy_rules::{Game, Numbering, Pile, Position, Remembers, Table};
use grundy_solvers::{follows_from_ends, solver};
use grundy_sweep::cost::LadderSize;
use grundy_sweep::{Control, Ladder, MergeError, Piece};
use serde::{Deserialize, Serialize};

use super::gathered::Gathered;
use super::question::{Ask, AskError, Checked};
use crate::clock::Stopwatch;
use crate::walk::source;
use crate::{Error, Level, Progress};

/// The version of what a share says, and who says it: others may have counted otherwise.
const WRITTEN_BY: &str = concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION"), ", 1");

/// What a thread works with beside levels and look-ups, about.
const WORKING_BYTES: u64 = 16 << 20;

/// What came of asking about some parts of some levels. It is written and read with serde; what it
/// says is believed only when it is merged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedShare {
    /// A digest of question and range, and of who wrote it.
    question: String,
    pieces: Vec<CheckedPiece>,
}

/// What came of some parts of one level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckedPiece {
    piece: usize,
    parts: Range<u64>,
    seconds: f64,
    cells: u64,
    checked: u64,
    premise: u64,
    failures: u64,
    /// Positions as they are typed: they are read when it is known of which game they are.
    least: Vec<(String, u32)>,
}

/// How a level is cut: into parts of the walk that computes it, or not at all.
enum Cut {
    Parts(u64),
    Whole,
}

impl Cut {
    /// For a check.
    fn of_walk(table: &Table) -> Cut {
        let game = table.game();
        if follows_from_ends(game) {
            Cut::Parts(grundy_sweep::parts(table))
        } else if has_records(table) {
            Cut::Parts(table.max_pile().into())
        } else if solver(game).has_thresholds() {
            Cut::Parts(source::made_units(table))
        } else {
            Cut::Whole
        }
    }

    /// For a list: by first piles.
    fn of_list(table: &Table) -> Cut {
        let game = table.game();
        let is_fast =
            follows_from_ends(game) || has_records(table) || solver(game).has_thresholds();
        match game.remembers() {
            Remembers::Moves => Cut::Whole,
            _ if is_fast => Cut::Parts(table.max_pile().into()),
            _ => Cut::Whole,
        }
    }

    fn parts(&self) -> u64 {
        match self {
            Cut::Parts(parts) => *parts,
            Cut::Whole => 1,
        }
    }
}

/// Whether the level is spread out from records of single piles.
fn has_records(table: &Table) -> bool {
    table.numbering() == Numbering::Records
}

impl Ask<'_> {
    /// The work of a check: a piece for each length, in an order and with parts that are the same on
    /// any machine. So are the estimates, for the same memory and instruction set.
    ///
    /// # Errors
    /// As [`Ask::check`].
    pub fn pieces(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
    ) -> Result<Vec<Piece>, AskError> {
        self.cut_into(lengths, max_pile, Cut::of_walk)
    }

    /// The work of a list, as [`Ask::pieces`] says that of a check.
    ///
    /// # Errors
    /// As [`Ask::find`].
    pub fn find_pieces(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
    ) -> Result<Vec<Piece>, AskError> {
        self.cut_into(lengths, max_pile, Cut::of_list)
    }

    fn cut_into(
        &self,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        cut: fn(&Table) -> Cut,
    ) -> Result<Vec<Piece>, AskError> {
        let piece = |length| {
            let level = self.level(length, max_pile)?;
            let seconds = self.seconds_to_ask(&level)? + self.seconds_to_fill(&level, 1);
            let memory = self.memory_to_ask(&level, &self.prepare(&level)?);
            let parts = cut(level.table()).parts();
            Ok(Piece { name: level.table().to_string(), parts, seconds, memory })
        };
        lengths.map(piece).collect()
    }

    /// About the bytes that asking about a level takes.
    fn memory_to_ask(&self, level: &Level<'_>, prepared: &Prepared<'_>) -> u64 {
        let (table, game) = (level.table(), self.game());
        let (n, length) = (table.max_pile(), table.length());
        let asks = prepared.asks();
        let longest = if asks.options { asks.length.max(length) } else { asks.length };
        let room = self.memory / 2;
        let (level, others) = if follows_from_ends(game) {
            let top = Ladder::<u16>::top_within(n, longest.max(1), room);
            let others = if longest == 0 { 0 } else { LadderSize::up_to(table, top).bytes };
            (LadderSize::up_to(table, (length - 1).max(1)).bytes.min(self.memory), others)
        } else {
            let positions = |length| Table::new(game, n, length).map_or(0, |t| t.positions());
            let others = (1..=longest).map(positions).fold(0, u64::saturating_add);
            let means = self.means(1);
            (solver(game).needs(table, &means).memory, others.saturating_mul(4).min(room))
        };
        level.saturating_add(others).saturating_add(WORKING_BYTES)
    }

    /// Checks the statement on some parts of the levels, by their places in [`Ask::pieces`] for the
    /// same lengths and max pile. `None` if the control stopped it.
    ///
    /// # Errors
    /// As [`Ask::check`], or that there are no such parts.
    pub fn check_share(
        &self,
        share: &[(usize, Range<u64>)],
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
    ) -> Result<Option<CheckedShare>, AskError> {
        let idle = Control::new();
        let control = self.control.unwrap_or(&idle);
        let question = self.digest(&lengths, max_pile);
        let levels = self.levels_of(share, lengths, max_pile, Cut::of_walk)?;
        // Parts are not quite equal, so this is how far it is, about.
        let values = |(level, (_, parts)): (&Level<'_>, &(usize, Range<u64>))| {
            let portion =
                (parts.end - parts.start) as f64 / Cut::of_walk(level.table()).parts() as f64;
            (portion * level.values() as f64) as u64
        };
        let total = levels.iter().zip(share).map(values).fold(0, u64::saturating_add);
        let mut before = 0u64;
        let mut pieces = Vec::with_capacity(share.len());
        for ((piece, parts), level) in share.iter().zip(levels) {
            let start = Stopwatch::start();
            let shifted = |progress: Progress| match self.hook {
                Some(hook) => {
                    let done = before.saturating_add(progress.done).min(total);
                    hook(Progress { done, total })
                }
                None => true,
            };
            let watched = level.computed().watched(&shifted);
            let Some((gathered, cells)) = self.check_parts(&watched, parts.clone(), control)?
            else {
                return Ok(None);
            };
            before = before.saturating_add(cells);
            let Gathered { checked, premise, failures, .. } = gathered;
            let least = gathered.least.iter();
            pieces.push(CheckedPiece {
                piece: *piece,
                parts: parts.clone(),
                seconds: start.elapsed().as_secs_f64(),
                cells,
                checked,
                premise,
                failures,
                least: least.map(|(_, position, cell)| (position.to_string(), *cell)).collect(),
            });
        }
        Ok(Some(CheckedShare { question, pieces }))
    }

    /// Asks about some parts of a level that is computed; `None` if it was stopped.
    fn check_parts(
        &self,
        level: &Level<'_>,
        parts: Range<u64>,
        control: &Control,
    ) -> Result<Option<(Gathered, u64)>, AskError> {
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
        let swept = self.ask_parts(&walk, parts, &prepared, &lookups, control)?;
        Ok(swept.complete.then_some((swept.acc, swept.cells)))
    }

    /// The levels of a share, if it has such parts and does not take too long.
    fn levels_of(
        &self,
        share: &[(usize, Range<u64>)],
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        cut: fn(&Table) -> Cut,
    ) -> Result<Vec<Level<'_>>, AskError> {
        let (mut positions, mut needed) = (0.0, 0.0);
        let mut levels = Vec::with_capacity(share.len());
        for (piece, parts) in share {
            let length = lengths.start().checked_add(*piece).filter(|k| lengths.contains(k));
            let no_such = || AskError::NoSuchPart { piece: *piece, parts: parts.clone() };
            let level = self.level(length.ok_or_else(no_such)?, max_pile)?;
            let all = cut(level.table()).parts();
            if parts.start >= parts.end || parts.end > all {
                return Err(no_such());
            }
            let portion = (parts.end - parts.start) as f64 / all as f64;
            positions += portion * level.positions() as f64;
            needed += portion * self.seconds_to_ask(&level)? / rayon::current_num_threads() as f64;
            needed += self.seconds_to_fill(&level, rayon::current_num_threads() as u64);
            levels.push(level);
        }
        if needed > self.seconds {
            let (positions, allowed) = (positions as u64, self.seconds);
            return Err(AskError::Seconds { needed, positions, allowed });
        }
        Ok(levels)
    }

    /// What a check of all positions comes to, from shares that cover every part once. The seconds
    /// are those of all shares together.
    ///
    /// # Errors
    /// [`AskError::Merge`] if they do not, or cannot be right; else as [`Ask::pieces`].
    pub fn merge_checked(
        &self,
        shares: impl IntoIterator<Item = CheckedShare>,
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
    ) -> Result<Checked, AskError> {
        let digest = self.digest(&lengths, max_pile);
        let levels = lengths.map(|length| self.level(length, max_pile));
        let levels = levels.collect::<Result<Vec<Level<'_>>, Error>>()?;
        let mut covered: Vec<Vec<CheckedPiece>> = levels.iter().map(|_| Vec::new()).collect();
        for share in shares {
            if share.question != digest {
                return Err(MergeError::OtherWork.into());
            }
            for found in share.pieces {
                match covered.get_mut(found.piece) {
                    Some(covered) => covered.push(found),
                    None => {
                        let name = format!("piece {}", found.piece);
                        return Err(found.impossible(name, "there is no such piece").into());
                    }
                }
            }
        }
        let mut found = Checked { complete: true, ..Checked::default() };
        for (level, covered) in levels.iter().zip(covered) {
            let table = level.table();
            let (name, all) = (table.to_string(), Cut::of_walk(table).parts());
            MergeError::unless_each_once(&name, covered.iter().map(|c| &c.parts), all)?;
            let mut gathered = Gathered::new(self.show);
            let mut cells = 0u64;
            for part in &covered {
                let most = level.positions() - gathered.checked;
                let taken = part.gathered(self.game(), table, self.show, most);
                gathered.merge(taken.map_err(|what| part.impossible(name.clone(), what))?);
                cells = cells.saturating_add(part.cells);
                if part.seconds.is_finite() {
                    found.seconds += part.seconds.max(0.0);
                }
            }
            if gathered.checked != level.positions() || cells != level.values() {
                let what = "together they are not all positions".to_owned();
                let parts = 0..all;
                return Err(MergeError::Impossible { piece: name, parts, what }.into());
            }
            found.fresh += gathered.checked;
            gathered.add_to(&mut found, false);
        }
        Ok(found)
    }

    /// As [`Ask::find`], but of some parts of the levels, by their places in [`Ask::find_pieces`] for
    /// the same lengths and max pile, in the order of the share. Part p of a piece is first pile p + 1.
    ///
    /// # Errors
    /// As [`Ask::find`], or that there are no such parts.
    pub fn find_share<E: From<AskError>>(
        &self,
        share: &[(usize, Range<u64>)],
        lengths: RangeInclusive<usize>,
        max_pile: Pile,
        mut show: impl FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let idle = Control::new();
        let control = self.control.unwrap_or(&idle);
        let levels = self.levels_of(share, lengths, max_pile, Cut::of_list)?;
        for ((_, parts), level) in share.iter().zip(levels) {
            let firsts = match Cut::of_list(level.table()) {
                // Parts are at most as many as piles are high.
                Cut::Parts(_) => parts.start as Pile + 1..=parts.end as Pile,
                Cut::Whole => 1..=max_pile,
            };
            if !self.find_in(&level, firsts, control, &mut show)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A digest of all that decides what the pieces are and what is gathered from them.
    fn digest(&self, lengths: &RangeInclusive<usize>, max_pile: Pile) -> String {
        let (game, first, last) = (self.game(), lengths.start(), lengths.end());
        let words = format!(
            "{WRITTEN_BY}\n{game}\n{first} to {last} piles up to {max_pile}, {} shown\n{}",
            self.show,
            self.question.text()
        );
        blake3::hash(words.as_bytes()).to_hex().to_string()
    }
}

impl CheckedPiece {
    fn impossible(&self, piece: String, what: &str) -> MergeError {
        MergeError::Impossible { piece, parts: self.parts.clone(), what: what.to_owned() }
    }

    /// What was gathered, if it can be: at most `most` positions of a table.
    fn gathered(
        &self,
        game: Game,
        table: &Table,
        show: usize,
        most: u64,
    ) -> Result<Gathered, &'static str> {
        let &CheckedPiece { checked, premise, failures, .. } = self;
        if checked > most {
            return Err("it counts more positions than there are");
        }
        let shown = self.least.len();
        let is_shown = shown <= show && (show == 0 || (shown > 0) == (failures > 0));
        if premise > checked || failures > checked || shown as u64 > failures || !is_shown {
            return Err("its numbers do not go together");
        }
        let (n, length) = (table.max_pile(), table.length());
        let largest = if game.is_impartial() { table.largest_value() } else { 3 };
        let mut gathered = Gathered { checked, premise, failures, ..Gathered::new(show) };
        for (text, cell) in &self.least {
            let position = game.parse(text).ok().filter(|position| {
                let piles = position.piles();
                let is_there = piles.len() == length && piles.iter().all(|&pile| pile <= n);
                is_there && u64::from(*cell) <= largest
            });
            match position {
                Some(position) => gathered.take(position.piles(), position.memory(), *cell),
                None => return Err("a counterexample is none of the level's positions"),
            }
        }
        Ok(gathered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Question;
    use grundy_rules::games::{END_NIM, LONG_GLOBAL_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM};

    const MIB_16: u64 = 16_777_216;

    fn question(game: Game, text: &str) -> Question {
        Question::parse(game, text).unwrap_or_else(|problem| panic!("{text}: {problem}"))
    }

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found}, not {expected}");
    }

    /// By hand: inner words of a walk, units of thresholds, piles of records; first piles of a list.
    #[test]
    fn levels_are_cut_by_their_kind() {
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

    /// By hand: 10 + 100 + 1000 bytes of a level of four piles to walk, 10 + 100 of pairs to look up,
    /// and 16 MiB.
    #[test]
    fn memory_is_that_of_the_level_and_of_look_ups() {
        let memory = |game, length, max_pile, text: &str, memory| {
            let question = question(game, text);
            let ask = Ask::new(&question).memory(memory);
            ask.pieces(length..=length, max_pile).unwrap()[0].memory - MIB_16
        };
        assert_eq!(memory(END_NIM, 4, 10, "P", 1 << 30), 1110);
        assert_eq!(memory(END_NIM, 1, 10, "P", 1 << 30), 10);
        assert_eq!(memory(END_NIM, 4, 10, "P", 1000), 1000);
        assert_eq!(memory(END_NIM, 4, 10, "g == g(first, last)", 1 << 30), 1110 + 110);
        assert_eq!(memory(END_NIM, 4, 10, "g == g(last)", 1 << 30), 1110 + 10);
        // Three piles take 2220 bytes as two-byte values, of half the memory.
        assert_eq!(memory(END_NIM, 3, 10, "g == g(p1, p2, p3)", 4440), 110 + 1110);
        assert_eq!(memory(END_NIM, 3, 10, "g == g(p1, p2, p3)", 4439), 110 + 110);
        // Options have up to as many piles.
        let options = "all options: option != g";
        assert_eq!(memory(END_NIM, 3, 10, options, 1 << 30), 110 + 1110);
        assert_eq!(memory(END_NIM, 2, 10, options, 1 << 30), 10 + 110);
        // Values up to 255 and beyond.
        assert_eq!(memory(END_NIM, 3, 200, "P", 1 << 30), 2 * (200 + 40_000));
        // Multisets: 10, 55 and 220 of them, four bytes each.
        let level = |length| {
            let table = Table::new(NIM, 10, length).unwrap();
            let question = question(NIM, "P");
            solver(NIM).needs(&table, &Ask::new(&question).means(1)).memory
        };
        assert_eq!(memory(NIM, 3, 10, "P", 1 << 30), level(3));
        assert_eq!(memory(NIM, 3, 10, "g == g(1, last)", 1 << 30), level(3) + 4 * 65);
        assert_eq!(memory(NIM, 3, 10, options, 1 << 30), level(3) + 4 * 285);
        assert_eq!(memory(NIM, 3, 10, options, 800), level(3) + 400);
    }

    #[test]
    fn a_piece_takes_as_long_as_one_thread() {
        for game in [END_NIM, NIM] {
            let question = question(game, "P");
            let ask = Ask::new(&question);
            let pieces = ask.pieces(1..=3, 9).unwrap();
            assert_eq!(
                pieces,
                ask.find_pieces(1..=3, 9)
                    .unwrap()
                    .into_iter()
                    .zip(&pieces)
                    .map(|(list, walk)| Piece { parts: walk.parts, ..list })
                    .collect::<Vec<_>>()
            );
            for (length, piece) in (1..).zip(pieces) {
                let level = ask.level(length, 9).unwrap();
                assert_eq!(piece.name, format!("{game}/n9/k{length}"));
                let fill = ask.seconds_to_fill(&level, 1);
                assert_near(piece.seconds, ask.seconds_to_ask(&level).unwrap() + fill);
            }
        }
    }

    /// By hand: of 4 parts of the 1024 positions of five piles two, of 10 of the 4096 of six piles one.
    #[test]
    fn a_share_takes_as_long_as_its_parts() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            let question = question(END_NIM, "P");
            let ask = Ask::new(&question).seconds(0.0);
            let share = [(0, 1..3), (1, 9..10)];
            let refused = ask.check_share(&share, 5..=6, 4);
            let Err(AskError::Seconds { needed, positions, allowed }) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!((positions, allowed), (512 + 409, 0.0));
            let seconds = |length| ask.seconds_to_ask(&ask.level(length, 4).unwrap()).unwrap();
            assert_near(needed, (0.5 * seconds(5) + 0.1 * seconds(6)) / 2.0);
            // Just as long is allowed.
            let found = ask.clone().seconds(needed).check_share(&share, 5..=6, 4).unwrap();
            let parts: Vec<_> =
                found.unwrap().pieces.into_iter().map(|p| (p.piece, p.parts)).collect();
            assert_eq!(parts, share);
            // What is filled as a whole is filled by each share.
            let question = self::question(NIM, "P");
            let ask = Ask::new(&question).seconds(0.0);
            let refused = ask.check_share(&[(0, 0..1)], 3..=3, 9);
            let Err(AskError::Seconds { needed, positions, .. }) = refused else {
                panic!("{refused:?}")
            };
            let level = ask.level(3, 9).unwrap();
            let fill = ask.seconds_to_fill(&level, 2);
            assert!(fill > 0.0 && positions == 165);
            assert_near(needed, ask.seconds_to_ask(&level).unwrap() / 2.0 + fill);
        });
    }

    #[test]
    fn only_parts_that_are_there_are_a_share() {
        let question = question(END_NIM, "P");
        let ask = Ask::new(&question);
        let levels = |piece, parts| {
            ask.levels_of(&[(piece, parts)], 4..=5, 5, Cut::of_walk).map(|levels| levels.len())
        };
        for (piece, parts) in [(0, 0..1), (1, 0..5), (1, 4..5)] {
            assert_eq!(levels(piece, parts).unwrap(), 1);
        }
        for (piece, parts) in
            [(0, 0..2), (1, 0..6), (1, 5..6), (1, 3..3), (2, 0..1), (usize::MAX, 0..1)]
        {
            let said =
                format!("there are no parts {} to {} of piece {piece}", parts.start, parts.end);
            assert_eq!(levels(piece, parts).unwrap_err().to_string(), said);
        }
    }

    #[test]
    fn a_digest_is_of_the_question_and_the_range() {
        let (one, other) = (question(END_NIM, "P"), question(END_NIM, "N"));
        let ask = Ask::new(&one);
        let digest = ask.digest(&(1..=3), 9);
        assert_eq!(digest.len(), 64);
        assert_eq!(digest, Ask::new(&one).memory(5).digest(&(1..=3), 9));
        let nim = question(NIM, "P");
        for (ask, lengths, max_pile) in [
            (Ask::new(&other), 1..=3, 9),
            (Ask::new(&nim), 1..=3, 9),
            (ask.clone().show(2), 1..=3, 9),
            (ask.clone(), 2..=3, 9),
            (ask.clone(), 1..=4, 9),
            (ask.clone(), 1..=3, 8),
        ] {
            assert_ne!(digest, ask.digest(&lengths, max_pile));
        }
    }

    fn piece(numbers: [u64; 3], least: &[(&str, u32)]) -> CheckedPiece {
        let [checked, premise, failures] = numbers;
        let least = least.iter().map(|&(text, cell)| (text.to_owned(), cell)).collect();
        let (piece, parts) = (0, 0..1);
        CheckedPiece { piece, parts, seconds: 0.0, cells: 0, checked, premise, failures, least }
    }

    /// Every number at the last place where it can be right, and one beyond.
    #[test]
    fn what_cannot_be_is_not_believed() {
        let table = Table::new(END_NIM, 3, 3).unwrap();
        let of = |numbers, least: &[(&str, u32)], show, most| {
            piece(numbers, least).gathered(END_NIM, &table, show, most).map(|found| {
                assert_eq!([found.checked, found.premise, found.failures], numbers);
                assert_eq!(found.show, show);
                found.least.len()
            })
        };
        let more = "it counts more positions than there are";
        assert_eq!(of([27, 0, 0], &[], 1, 27), Ok(0));
        assert_eq!(of([27, 0, 0], &[], 1, 26), Err(more));
        let apart = "its numbers do not go together";
        assert_eq!(of([9, 9, 0], &[], 1, 27), Ok(0));
        assert_eq!(of([9, 10, 0], &[], 1, 27), Err(apart));
        let (one, other) = (("1,3,3", 1), ("1,2,3", 2));
        assert_eq!(of([9, 0, 9], &[one], 1, 27), Ok(1));
        assert_eq!(of([9, 0, 10], &[one], 1, 27), Err(apart));
        assert_eq!(of([9, 0, 1], &[], 1, 27), Err(apart));
        assert_eq!(of([9, 0, 1], &[], 0, 27), Ok(0));
        assert_eq!(of([9, 0, 0], &[one], 1, 27), Err(apart));
        assert_eq!(of([9, 0, 2], &[one, other], 2, 27), Ok(2));
        assert_eq!(of([9, 0, 2], &[one, other], 1, 27), Err(apart));
        assert_eq!(of([9, 0, 1], &[one, other], 2, 27), Err(apart));
        assert_eq!(of([9, 0, 1], &[one], 0, 27), Err(apart));
        let none = "a counterexample is none of the level's positions";
        let largest = table.largest_value() as u32;
        assert_eq!(of([9, 0, 1], &[("3,3,3", largest)], 1, 27), Ok(1));
        for wrong in [("3,3,3", largest + 1), ("1,3,4", 1), ("1,3", 1), ("1,1,1,1", 1), ("x", 1)] {
            assert_eq!(of([9, 0, 1], &[wrong], 1, 27), Err(none), "{wrong:?}");
        }
        // There are four outcome classes.
        let table = Table::new(PARTIZAN_END_NIM, 3, 3).unwrap();
        let class = |cell| {
            piece([9, 0, 1], &[("1,3,3", cell)]).gathered(PARTIZAN_END_NIM, &table, 1, 27).is_ok()
        };
        assert!(class(3) && !class(4));
    }

    /// Shares of four parts of five piles up to 4, made up.
    #[test]
    fn a_merge_says_what_is_wrong() {
        let question = question(END_NIM, "P");
        let ask = Ask::new(&question).show(0);
        let merged = |change: &dyn Fn(&mut Vec<CheckedPiece>)| {
            let whole = ask.check_share(&[(0, 0..1), (0, 1..4)], 5..=5, 4).unwrap().unwrap();
            let CheckedShare { question, mut pieces } = whole;
            pieces[0].seconds = 1.5;
            pieces[1].seconds = 0.25;
            change(&mut pieces);
            let found = ask.merge_checked([CheckedShare { question, pieces }], 5..=5, 4);
            found.map_err(|error| error.to_string())
        };
        let found = merged(&|_| ()).unwrap();
        assert_eq!((found.checked, found.fresh, found.seconds), (1024, 1024, 1.75));
        assert!(found.complete && found.computed && !found.read);
        let seconds = |seconds| merged(&|pieces| pieces[0].seconds = seconds).unwrap().seconds;
        assert_eq!([seconds(-3.0), seconds(f64::INFINITY), seconds(f64::NAN)], [0.25; 3]);
        let wrong = |change: &dyn Fn(&mut Vec<CheckedPiece>)| merged(change).unwrap_err();
        let few = wrong(&|pieces| {
            pieces[1].checked -= 1;
            pieces[1].failures = 0;
            pieces[1].premise = 0;
        });
        assert!(few.contains("together they are not all positions"), "{few}");
        let cells = wrong(&|pieces| pieces[1].cells += 1);
        assert!(cells.contains("together they are not all positions"), "{cells}");
        let many = wrong(&|pieces| pieces[1].checked += 1);
        assert!(many.contains("it counts more positions than there are"), "{many}");
        let other = wrong(&|pieces| pieces[1].piece = 1);
        assert!(other.contains("there is no such piece") && other.contains("piece 1"), "{other}");
        assert!(wrong(&|pieces| pieces[1].parts = 2..4).contains("no share covers"));
    }
}
