//! What comes of asking a question of positions, as each thread gathers it and as it is merged.

use std::collections::BTreeSet;

use grundy_questions::{Cells, Column, Prepared, Tile, Undefined, Worker};
use grundy_rules::{Memory, Pile, Position};
use grundy_sweep::Control;

use crate::block::{Places, Values as BlockValues};
use crate::checkpoint::Covered;
use crate::lookups::Lookups;
use crate::{Block, Checked};

/// What was gathered from columns.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) checked: u64,
    pub(crate) premise: u64,
    pub(crate) failures: u64,
    /// The least counterexamples by coins, then by piles and what is remembered.
    pub(crate) least: BTreeSet<(u64, Position, u32)>,
    pub(crate) show: usize,
}

impl Gathered {
    pub(crate) fn new(show: usize) -> Gathered {
        Gathered { checked: 0, premise: 0, failures: 0, least: BTreeSet::new(), show }
    }

    pub(crate) fn of(covered: &Covered, show: usize) -> Gathered {
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

    pub(crate) fn write(&self, covered: &mut Covered) {
        covered.checked = self.checked;
        covered.premise = self.premise;
        covered.failures = self.failures;
        let least = self.least.iter();
        covered.least = least.map(|(_, position, cell)| (position.clone(), *cell)).collect();
    }

    pub(crate) fn take(&mut self, piles: &[Pile], memory: &Memory, cell: u32) {
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

    /// Adds what was gathered of a level to what came of the levels before.
    pub(crate) fn add_to(self, found: &mut Checked, is_read: bool) {
        if self.checked > 0 {
            found.read |= is_read;
            found.computed |= !is_read;
        }
        found.checked += self.checked;
        found.premise += self.premise;
        found.failures += self.failures;
        let mut least = Gathered { least: self.least, ..Gathered::new(self.show) };
        for (position, cell) in std::mem::take(&mut found.least) {
            least.take(position.piles(), position.memory(), cell);
        }
        found.least = least.least.into_iter().map(|(_, position, cell)| (position, cell)).collect();
    }

    pub(crate) fn merge(&mut self, other: Gathered) {
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
pub(crate) struct Part<'b> {
    worker: Option<Worker<'b>>,
    gathered: Gathered,
    wrong: Option<Undefined>,
}

impl<'b> Part<'b> {
    pub(crate) fn new(show: usize) -> Part<'b> {
        Part { worker: None, gathered: Gathered::new(show), wrong: None }
    }

    pub(crate) fn take(
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

    /// What was gathered, or where the statement has no value.
    pub(crate) fn gathered(self) -> Result<Gathered, Undefined> {
        let part = self.finished();
        match part.wrong {
            Some(wrong) => Err(wrong),
            None => Ok(part.gathered),
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

    pub(crate) fn with(self, other: Part<'b>) -> Part<'b> {
        let (mut left, right) = (self.finished(), other.finished());
        left.gathered.merge(right.gathered);
        left.wrong = left.wrong.or(right.wrong);
        left
    }
}
