//! The results of a question. Each thread gathers results; at the end all results are merged.

use std::collections::BTreeSet;
use std::ops::Range;

use grundy_questions::{Column, Prepared, Tile, Undefined, Worker};
use grundy_rules::{Memory, Pile, Position, coins, lex_index, lex_word};
use grundy_sweep::{Control, Swept};
use grundy_theory::DistinctRows;

use super::lookups::Lookups;
use super::question::{Ask, AskError, CheckReport};
use crate::walk::{Places, position_of};
use crate::{Block, Level, Walk};

#[derive(Clone, Debug)]
pub(crate) struct QuestionTally {
    pub(crate) checked: u64,
    pub(crate) premise: u64,
    pub(crate) failures: u64,
    /// The least counterexamples, in order of coins, then of piles and memory.
    pub(crate) least: BTreeSet<(u64, Position, u32)>,
    pub(crate) show: usize,
    /// The first positions that satisfy the statement, if they are wanted.
    pub(crate) firsts: Option<Firsts>,
    /// For each largest pile, the number of positions that satisfy the statement, if it is wanted.
    pub(crate) counts: Option<Vec<u64>>,
}

/// The first words after a given word that satisfy the statement, with their values. A word is
/// stored as its index in the order of words.
#[derive(Clone, Debug)]
pub(crate) struct Firsts {
    pub(crate) max_pile: Pile,
    wanted: Range<u64>,
    most: usize,
    found: Vec<(u64, u32)>,
}

impl Firsts {
    /// Returns an empty list that can hold the first `most` words (at least one) after `word`.
    pub(crate) fn behind(word: &[Pile], max_pile: Pile, most: usize) -> Firsts {
        let firsts = Firsts { max_pile, wanted: 0..u64::MAX, most: most.max(1), found: Vec::new() };
        Firsts { wanted: firsts.place(word) + 1..u64::MAX, ..firsts }
    }

    fn place(&self, word: &[Pile]) -> u64 {
        lex_index(word, self.max_pile.into())
    }

    fn take(&mut self, piles: &[Pile], cell: u32) {
        let place = self.place(piles);
        if self.wanted.contains(&place) {
            self.found.push((place, cell));
            if self.found.len() >= 2 * self.most {
                self.cut();
            }
        }
    }

    fn cut(&mut self) {
        if self.found.len() > self.most {
            self.found.select_nth_unstable(self.most - 1);
            self.found.truncate(self.most);
            self.wanted.end = self.found[self.most - 1].0;
        }
    }

    fn merge(&mut self, other: Firsts) {
        self.found.extend(other.found);
        self.wanted.end = self.wanted.end.min(other.wanted.end);
        self.cut();
    }

    /// Returns the gathered words in order, and true if no later word satisfies the statement.
    pub(crate) fn shown(mut self, length: usize) -> (impl Iterator<Item = (Vec<Pile>, u32)>, bool) {
        self.cut();
        self.found.sort_unstable();
        let (n, is_all) = (u64::from(self.max_pile), self.found.len() < self.most);
        let word = move |place: u64| {
            let mut piles = vec![1; length];
            lex_word(place, n, &mut piles);
            piles
        };
        (self.found.into_iter().map(move |(place, cell)| (word(place), cell)), is_all)
    }
}

impl QuestionTally {
    pub(crate) fn new(show: usize) -> QuestionTally {
        let least = BTreeSet::new();
        QuestionTally {
            checked: 0,
            premise: 0,
            failures: 0,
            least,
            show,
            firsts: None,
            counts: None,
        }
    }

    pub(crate) fn take(&mut self, piles: &[Pile], memory: &Memory, cell: u32) {
        let coins = coins(piles);
        let is_full = self.least.len() >= self.show;
        if is_full && self.least.last().is_none_or(|(most, ..)| coins > *most) {
            return;
        }
        self.least.insert((coins, position_of(piles, memory), cell));
        if self.least.len() > self.show {
            self.least.pop_last();
        }
    }

    fn column(&mut self, column: &Column<'_>) {
        self.checked += column.positions();
        self.premise += column.premise();
        let failures = column.positions() - column.holds();
        self.failures += failures;
        if let Some(counts) = &mut self.counts {
            return column.count_by_largest_pile(counts);
        }
        if let Some(firsts) = &mut self.firsts {
            return column.each(true, |piles, _, cell| firsts.take(piles, cell));
        }
        // There may be billions of counterexamples, so skip columns that contain none of the least.
        let is_full = self.least.len() >= self.show;
        let most = self.least.last().map_or(0, |(most, ..)| *most);
        if failures > 0 && !(is_full && column.least_coins() > most) {
            column.each(false, |piles, memory, cell| self.take(piles, memory, cell));
        }
    }

    /// Adds the results of a level to the report on earlier levels.
    pub(crate) fn add_to(self, found: &mut CheckReport, is_read: bool) {
        if self.checked > 0 {
            found.read |= is_read;
            found.computed |= !is_read;
        }
        found.checked += self.checked;
        found.premise += self.premise;
        found.failures += self.failures;
        let mut least = QuestionTally { least: self.least, ..QuestionTally::new(self.show) };
        for (position, cell) in std::mem::take(&mut found.least) {
            least.take(position.piles(), position.memory(), cell);
        }
        found.least = least.least.into_iter().map(|(_, position, cell)| (position, cell)).collect();
    }

    pub(crate) fn merge(&mut self, other: QuestionTally) {
        self.checked += other.checked;
        self.premise += other.premise;
        self.failures += other.failures;
        if let (Some(firsts), Some(others)) = (&mut self.firsts, other.firsts) {
            firsts.merge(others);
        }
        if let (Some(counts), Some(others)) = (&mut self.counts, other.counts) {
            counts.iter_mut().zip(others).for_each(|(count, more)| *count += more);
        }
        self.least.extend(other.least);
        while self.least.len() > self.show {
            self.least.pop_last();
        }
    }
}

/// A question that is ready for the positions of a level.
pub(crate) struct Ready<'b> {
    prepared: Prepared<'b>,
    lookups: Lookups,
    /// The results before the first position.
    empty: QuestionTally,
    fast: Option<DistinctRows>,
}

impl Ready<'_> {
    pub(crate) fn worker(&self) -> Worker<'_> {
        self.prepared.worker(&self.lookups)
    }
}

/// The work of a thread on one question.
struct Reader<'b> {
    ready: &'b Ready<'b>,
    worker: Option<Worker<'b>>,
    fast: Option<DistinctRows>,
    gathered: QuestionTally,
}

impl<'b> Reader<'b> {
    fn new(ready: &'b Ready<'b>, firsts: Option<&Firsts>) -> Reader<'b> {
        let gathered = QuestionTally { firsts: firsts.cloned(), ..ready.empty.clone() };
        let fast = ready.fast.clone();
        Reader { ready, worker: None, fast, gathered }
    }

    fn take(&mut self, block: &Block<'_>) -> Result<(), Undefined> {
        let places = block.places();
        if let (Some(fast), Places::Tile { between: true, cols, .. }) = (&mut self.fast, places)
            && fast.passes(cols, block.values())
        {
            self.gathered.checked += block.positions();
            return Ok(());
        }
        let worker = self.worker.get_or_insert_with(|| self.ready.worker());
        let gathered = &mut self.gathered;
        let mut show = |column: &Column<'_>| gathered.column(column);
        match places {
            Places::Tile { word, between, cols } => {
                let places = match between {
                    true => grundy_questions::Places::Between,
                    false => grundy_questions::Places::Behind,
                };
                let (cells, weight) = (block.values(), block.weight());
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
        }
    }

    fn flush(&mut self) -> Result<(), Undefined> {
        let gathered = &mut self.gathered;
        let mut show = |column: &Column<'_>| gathered.column(column);
        self.worker.as_mut().map_or(Ok(()), |worker| worker.flush(&mut show))
    }
}

struct ThreadTally<'b> {
    each: Vec<Reader<'b>>,
    wrong: Option<Undefined>,
    /// True if the walk was stopped, so that some positions are missing.
    is_cut: bool,
}

impl<'b> ThreadTally<'b> {
    fn new(asked: &'b [Ready<'b>], firsts: Option<&Firsts>) -> ThreadTally<'b> {
        let each = asked.iter().map(|ready| Reader::new(ready, firsts)).collect();
        ThreadTally { each, wrong: None, is_cut: false }
    }

    fn try_each(
        &mut self,
        control: &Control,
        step: impl FnMut(&mut Reader<'b>) -> Result<(), Undefined>,
    ) {
        if self.wrong.is_some() || self.is_cut {
            return;
        }
        match self.each.iter_mut().try_for_each(step) {
            Ok(()) => {}
            // Look-ups fail because the search was stopped; this is not an error.
            Err(_) if control.is_stopped() => self.is_cut = true,
            Err(wrong) => {
                self.wrong = Some(wrong);
                control.stop();
            }
        }
    }

    fn finished(mut self, control: &Control) -> ThreadTally<'b> {
        self.try_each(control, Reader::flush);
        self
    }

    fn with(self, other: ThreadTally<'b>, control: &Control) -> ThreadTally<'b> {
        let (mut left, right) = (self.finished(control), other.finished(control));
        left.is_cut |= right.is_cut;
        for (left, right) in left.each.iter_mut().zip(right.each) {
            left.gathered.merge(right.gathered);
        }
        left.wrong = left.wrong.or(right.wrong);
        left
    }
}

impl Ask<'_> {
    /// Returns the results on a level before its first position.
    pub(crate) fn no_results(&self, level: &Level<'_>) -> QuestionTally {
        let counts = self.counted.then(|| vec![0; level.table().max_pile() as usize + 1]);
        QuestionTally { counts, ..QuestionTally::new(self.show) }
    }

    /// Prepares the question for a level.
    pub(crate) fn ready<'b>(
        &'b self,
        level: &Level<'_>,
        control: &Control,
    ) -> Result<Ready<'b>, AskError> {
        let prepared = self.prepare(level)?;
        let lookups = self.lookups(&prepared, level.table().max_pile(), control)?;
        Ok(Ready { prepared, lookups, empty: self.no_results(level), fast: self.fast.clone() })
    }
}

/// Evaluates questions on a range of a walk's parts. Gathers the least counterexamples of each
/// question, or the first positions that satisfy it.
pub(crate) fn ask_parts<'b>(
    (walk, parts): (&Walk<'_>, Range<u64>),
    asked: &'b [Ready<'b>],
    firsts: Option<&Firsts>,
    control: &Control,
) -> Result<Swept<Vec<QuestionTally>>, AskError> {
    let swept = walk.fold_parts(
        parts,
        control,
        || ThreadTally::new(asked, firsts),
        |part: &mut ThreadTally<'b>, block| part.try_each(control, |reader| reader.take(block)),
        |left, right| left.with(right, control),
    )?;
    let ThreadTally { each, wrong, is_cut } = swept.acc.finished(control);
    let acc = each.into_iter().map(|reader| reader.gathered).collect();
    match wrong {
        Some(wrong) => Err(AskError::Undefined(wrong)),
        None => Ok(Swept { acc, cells: swept.cells, complete: swept.complete && !is_cut }),
    }
}
