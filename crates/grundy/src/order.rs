//! Positions in the order in which they are listed: by piles as words are ordered, and by what the
//! game remembers.
//!
//! A level is walked in an order that suits its tiles, which is another one. Here its values are
//! held in memory and read in the order of the words; a level that does not fit is looked up row
//! by row. Positions with some first piles only, which stand together in that order, are shown
//! without those before and behind them. (Sets of moves are always shown all.)

use std::ops::RangeInclusive;

use grundy_questions::{Undefined, Values};
use grundy_rules::{Game, Memory, Pile, Remembers, Table};
use grundy_sweep::Control;

use crate::lookups::Lookups;
use crate::question::{Ask, AskError};
use crate::{Database, Error, Level};

/// A level in order.
pub(crate) struct Order<'a> {
    game: Game,
    table: Table,
    /// The first piles of the positions to be shown.
    firsts: RangeInclusive<Pile>,
    held: Lookups<'a>,
    database: Option<&'a Database>,
}

/// Who is shown positions: their piles, what is remembered and the value; at the end no piles.
/// It says whether to go on.
pub(crate) type Show<'a> =
    &'a mut dyn FnMut(Option<&[Pile]>, &Memory, u32) -> Result<bool, Undefined>;

impl<'a> Order<'a> {
    pub(crate) fn new(
        ask: &Ask<'a>,
        level: &Level<'_>,
        firsts: RangeInclusive<Pile>,
        control: &Control,
    ) -> Result<Order<'a>, AskError> {
        let table = level.table().clone();
        let held = ask.held(&table, firsts.clone(), control)?;
        Ok(Order { game: table.game(), table, firsts, held, database: ask.base() })
    }

    /// Shows every position; whether it came to the end.
    pub(crate) fn each(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        let length = self.table.length();
        let went = match self.game.remembers() {
            Remembers::Moves => self.numbers(control, show)?,
            _ if self.held.holds(length) => self.words(control, show)?,
            _ => self.rows(control, show)?,
        };
        show(None, &Memory::Nothing, 0).map_err(AskError::Undefined)?;
        Ok(went)
    }

    /// The first word of so many piles: all as low as they may be.
    fn first(&self, length: usize) -> Vec<Pile> {
        let first = *self.firsts.start();
        let rest = if self.game.is_unordered() { first } else { 1 };
        let mut piles = vec![rest; length];
        piles.iter_mut().take(1).for_each(|pile| *pile = first);
        piles
    }

    /// The word behind a word, if its first pile is one to be shown: the next in which the piles
    /// ascend, where their order does not matter.
    fn step(&self, piles: &mut [Pile]) -> bool {
        for at in (0..piles.len()).rev() {
            if piles[at] < self.table.max_pile() {
                let next = piles[at] + 1;
                let rest = if self.game.is_unordered() { next } else { 1 };
                piles[at] = next;
                piles[at + 1..].fill(rest);
                return at > 0 || self.firsts.contains(&next);
            }
        }
        false
    }

    /// What may be remembered at some piles.
    fn memories(&self, piles: &[Pile]) -> RangeInclusive<Pile> {
        match self.game.remembers() {
            // Of a single pile the last moves up to the pile, where its level is one of records.
            Remembers::LastMove if self.table.index().name() == "records" => 0..=piles[0],
            Remembers::LastMove => 0..=self.table.max_pile(),
            _ => 0..=0,
        }
    }

    fn words(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        let remembers = self.game.remembers() == Remembers::LastMove;
        let mut piles = self.first(self.table.length());
        let mut count = 0u64;
        loop {
            for taken in self.memories(&piles) {
                let memory = if remembers { Memory::LastMove(taken) } else { Memory::Nothing };
                let cell = self.cell(&piles, &memory)?;
                count += 1;
                let go_on = show(Some(&piles), &memory, cell).map_err(AskError::Undefined)?;
                if !go_on || count.is_multiple_of(1 << 12) && control.is_stopped() {
                    return Ok(false);
                }
            }
            if count.is_multiple_of(64) {
                control.advance(64);
            }
            if !self.step(&mut piles) {
                return Ok(true);
            }
        }
    }

    fn cell(&self, piles: &[Pile], memory: &Memory) -> Result<u32, AskError> {
        self.held
            .cell(self.game, piles, memory)
            .map_err(|error| AskError::Level(Error::Value { what: error.to_string() }))
    }

    /// Rows (word, b) for b = 1, ..., N, each looked up as a whole.
    fn rows(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        if self.game.remembers() != Remembers::Nothing || self.game.is_unordered() {
            return self.words(control, show);
        }
        let empty = Database::empty();
        let database = self.database.unwrap_or(&empty);
        let (n, length) = (self.table.max_pile(), self.table.length());
        let mut word = self.first(length - 1);
        let mut piles = vec![1; length];
        loop {
            let row = database.row(self.game, &word, n)?;
            piles[..length - 1].copy_from_slice(&word);
            for (b, answer) in (1..).zip(row) {
                piles[length - 1] = b;
                if !self.firsts.contains(&piles[0]) {
                    continue;
                }
                let cell = answer.value.unwrap_or(answer.outcome as u32);
                let go_on = show(Some(&piles), &Memory::Nothing, cell);
                if !go_on.map_err(AskError::Undefined)? || control.is_stopped() {
                    return Ok(false);
                }
            }
            control.advance(n.into());
            if !self.step(&mut word) {
                return Ok(true);
            }
        }
    }

    /// In the order of the table: sets of moves have no other.
    fn numbers(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        for number in 0..self.table.values() {
            let position = self.table.position(number);
            let Some(position) = position.filter(|p| p.length() == self.table.length()) else {
                continue;
            };
            let cell = self.cell(position.piles(), position.memory())?;
            let go_on = show(Some(position.piles()), position.memory(), cell);
            let stops = number.is_multiple_of(1 << 12) && control.is_stopped();
            if !go_on.map_err(AskError::Undefined)? || stops {
                return Ok(false);
            }
            control.advance(1);
        }
        Ok(true)
    }
}
