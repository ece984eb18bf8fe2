//! The results of a question. Each thread gathers results; at the end all results are merged.

use std::collections::BTreeSet;
use std::ops::Range;

use grundy_questions::{Column, Prepared, Tile, Undefined, Worker};
use grundy_rules::{Memory, Pile, Position};
use grundy_sweep::{Control, Swept};

use super::lookups::Lookups;
use super::question::{Ask, AskError, CheckReport};
use crate::walk::{Places, position_of};
use crate::{Block, Walk};

#[derive(Debug)]
pub(crate) struct QuestionTally {
    pub(crate) checked: u64,
    pub(crate) premise: u64,
    pub(crate) failures: u64,
    /// The least counterexamples, in order of coins, then of piles and memory.
    pub(crate) least: BTreeSet<(u64, Position, u32)>,
    pub(crate) show: usize,
    /// The first positions that satisfy the statement, if they are wanted.
    pub(crate) firsts: Option<Firsts>,
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
        let n = u64::from(self.max_pile);
        word.iter().fold(0, |place, &pile| place * n + u64::from(pile) - 1)
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
            let mut rest = place;
            let mut piles = vec![1; length];
            for pile in piles.iter_mut().rev() {
                *pile = (rest % n) as Pile + 1;
                rest /= n;
            }
            piles
        };
        (self.found.into_iter().map(move |(place, cell)| (word(place), cell)), is_all)
    }
}

impl QuestionTally {
    pub(crate) fn new(show: usize) -> QuestionTally {
        let least = BTreeSet::new();
        QuestionTally { checked: 0, premise: 0, failures: 0, least, show, firsts: None }
    }

    pub(crate) fn take(&mut self, piles: &[Pile], memory: &Memory, cell: u32) {
        let coins = piles.iter().map(|&pile| u64::from(pile)).sum();
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
        self.least.extend(other.least);
        while self.least.len() > self.show {
            self.least.pop_last();
        }
    }
}

struct ThreadTally<'b> {
    worker: Option<Worker<'b>>,
    gathered: QuestionTally,
    wrong: Option<Undefined>,
    /// True if the walk was stopped, so that some positions are missing.
    is_cut: bool,
}

impl<'b> ThreadTally<'b> {
    fn new(show: usize, firsts: Option<Firsts>) -> ThreadTally<'b> {
        let gathered = QuestionTally { firsts, ..QuestionTally::new(show) };
        ThreadTally { worker: None, gathered, wrong: None, is_cut: false }
    }

    fn take(
        &mut self,
        block: &Block<'_>,
        prepared: &'b Prepared<'b>,
        lookups: &'b Lookups,
        control: &Control,
    ) {
        if self.wrong.is_some() || self.is_cut {
            return;
        }
        let worker = self.worker.get_or_insert_with(|| prepared.worker(lookups));
        let gathered = &mut self.gathered;
        let mut show = |column: &Column<'_>| gathered.column(column);
        let taken = match block.places() {
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
        };
        match taken {
            Ok(()) => {}
            // Look-ups fail because the search was stopped; this is not an error.
            Err(_) if control.is_stopped() => self.is_cut = true,
            Err(wrong) => self.wrong = Some(wrong),
        }
    }

    fn finished(mut self, control: &Control) -> ThreadTally<'b> {
        if let (Some(worker), None, false) = (&mut self.worker, &self.wrong, self.is_cut) {
            let gathered = &mut self.gathered;
            let mut show = |column: &Column<'_>| gathered.column(column);
            match worker.flush(&mut show) {
                Err(_) if control.is_stopped() => self.is_cut = true,
                flushed => self.wrong = flushed.err(),
            }
        }
        self
    }

    fn with(self, other: ThreadTally<'b>, control: &Control) -> ThreadTally<'b> {
        let (mut left, right) = (self.finished(control), other.finished(control));
        left.is_cut |= right.is_cut;
        left.gathered.merge(right.gathered);
        left.wrong = left.wrong.or(right.wrong);
        left
    }
}

/// The result of each question, or the position at which it has no value.
pub(crate) type Answers = Vec<Result<QuestionTally, Undefined>>;

/// A question that is ready to be asked on a level.
pub(crate) struct ReadyAsk<'b> {
    /// The number of counterexamples to keep.
    pub(crate) show: usize,
    pub(crate) prepared: &'b Prepared<'b>,
    pub(crate) lookups: &'b Lookups,
}

/// Evaluates questions on a range of a walk's parts. Gathers the least counterexamples to each, or
/// the first positions that satisfy it. A question without a value at some position has an error,
/// and the walk ends when all questions have one.
pub(crate) fn ask_together<'b>(
    asked: &[ReadyAsk<'b>],
    (walk, parts): (&Walk<'_>, Range<u64>),
    firsts: Option<&Firsts>,
    control: &Control,
) -> Result<Swept<Answers>, AskError> {
    let start = || asked.iter().map(|one| ThreadTally::new(one.show, firsts.cloned())).collect();
    let swept = walk.fold_parts(
        parts,
        control,
        start,
        |all: &mut Vec<ThreadTally<'b>>, block| {
            for (one, ReadyAsk { prepared, lookups, .. }) in all.iter_mut().zip(asked) {
                one.take(block, prepared, lookups, control);
            }
            if all.iter().all(|one| one.wrong.is_some()) {
                control.stop();
            }
        },
        |left, right| {
            left.into_iter().zip(right).map(|(one, two)| one.with(two, control)).collect()
        },
    )?;
    let all = swept.acc.into_iter().map(|one| one.finished(control)).collect::<Vec<_>>();
    let is_cut = all.iter().any(|one| one.is_cut);
    let acc = all.into_iter().map(|one| one.wrong.map_or(Ok(one.gathered), Err)).collect();
    Ok(Swept { acc, cells: swept.cells, complete: swept.complete && !is_cut })
}

impl Ask<'_> {
    /// Evaluates the question on a range of a walk's parts, as [`ask_together`] does.
    pub(crate) fn ask_parts<'b>(
        &self,
        parts: (&Walk<'_>, Range<u64>),
        prepared: &'b Prepared<'b>,
        lookups: &'b Lookups,
        firsts: Option<&Firsts>,
        control: &Control,
    ) -> Result<Swept<QuestionTally>, AskError> {
        let asked = [ReadyAsk { show: self.show, prepared, lookups }];
        let Swept { acc, cells, complete } = ask_together(&asked, parts, firsts, control)?;
        let mut all = acc.into_iter();
        match all.next() {
            Some(Ok(acc)) => Ok(Swept { acc, cells, complete }),
            Some(Err(wrong)) => Err(AskError::Undefined(wrong)),
            None => unreachable!("one question has one result"),
        }
    }
}
