//! Positions in the order in which they are listed: by piles as words are ordered, and by what the
//! game remembers.
//!
//! A level is walked in an order that suits its tiles, which is another one. Here its values are
//! held in memory and read in the order of the words; a level that does not fit is looked up row
//! by row. Positions with some first piles only, which stand together in that order, are shown
//! without those before and behind them. (Sets of moves are always shown all.)

use std::ops::RangeInclusive;

use grundy_questions::{Column, Undefined, Values};
use grundy_rules::{Game, Memory, Numbering, Pile, Position, Remembers, Table};
use grundy_sweep::Control;

use super::lookups::Lookups;
use super::question::{Ask, AskError, Lengths};
use crate::walk::{WalkOptions, position_of};
use crate::{Database, Error, Level};

struct Order<'a> {
    game: Game,
    table: Table,
    /// The first piles of the positions to be shown.
    firsts: RangeInclusive<Pile>,
    held: Lookups<'a>,
    database: Option<&'a Database>,
}

/// Who is shown positions: their piles, what is remembered and the value; at the end no piles.
/// It says whether to go on.
type Show<'a> = &'a mut dyn FnMut(Option<&[Pile]>, &Memory, u32) -> Result<bool, Undefined>;

impl<'a> Order<'a> {
    fn new(
        ask: &Ask<'a>,
        level: &Level<'_>,
        firsts: RangeInclusive<Pile>,
        control: &Control,
    ) -> Result<Order<'a>, AskError> {
        let table = level.table().clone();
        let WalkOptions { database, memory, .. } = ask.options;
        let held = Lookups::of_level(&table, firsts.clone(), database, memory, control)?;
        Ok(Order { game: table.game(), table, firsts, held, database })
    }

    fn each(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
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
        let rest = if self.game.is_unordered() { first } else { self.table.least_pile() };
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
                let rest = if self.game.is_unordered() { next } else { self.table.least_pile() };
                piles[at] = next;
                piles[at + 1..].fill(rest);
                return at > 0 || self.firsts.contains(&next);
            }
        }
        false
    }

    fn memories(&self, piles: &[Pile]) -> RangeInclusive<Pile> {
        match self.game.remembers() {
            // Of a single pile the last moves up to the pile, where its level is one of records.
            Remembers::LastMove if self.table.numbering() == Numbering::Records => 0..=piles[0],
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
                if count.is_multiple_of(64) {
                    control.advance(64);
                }
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

impl<'a> Ask<'a> {
    /// Shows the positions that satisfy the statement, in order: by length, by piles as words are
    /// ordered, and by what the game remembers; until `show` says no. Whether it came to the end.
    pub fn find<E: From<AskError>>(
        &self,
        lengths: Lengths,
        max_pile: Pile,
        mut show: impl FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let idle = Control::new();
        let control = self.options.control.unwrap_or(&idle);
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
        let order = Order::new(self, level, firsts, control)?;
        let mut found = Vec::new();
        let ended = order.each(control, &mut |piles, memory, cell| {
            let mut take = |column: &Column<'_>| {
                column.each(true, |piles, memory, cell| {
                    debug_assert!(!self.game().is_unordered() || piles.is_sorted(), "{piles:?}");
                    found.push((position_of(piles, memory), cell));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Question;
    use grundy_rules::games;

    type Shown = (Vec<Pile>, Memory, u32);

    /// The first so many positions of a level, and whether it came to the end.
    fn shown(order: &Order<'_>, most: usize) -> (Vec<Shown>, bool) {
        let mut all = Vec::new();
        let went = order.each(&Control::new(), &mut |piles, memory, cell| {
            all.extend(piles.map(|piles| (piles.to_vec(), memory.clone(), cell)));
            Ok(all.len() < most)
        });
        (all, went.unwrap())
    }

    fn of(
        (game, length, max_pile): (Game, usize, Pile),
        firsts: RangeInclusive<Pile>,
        memory: u64,
    ) -> Order<'static> {
        let question = Box::leak(Box::new(Question::parse(game, "true").unwrap()));
        let database: &'static Database = Box::leak(Box::new(Database::empty()));
        let ask = Ask::new(question).memory(memory).database(database);
        let level = Level::new(game, length, max_pile).unwrap();
        Order::new(&ask, &level, firsts, &Control::new()).unwrap()
    }

    /// A level that does not fit into memory is the same list, to its end and to its seventh position.
    #[test]
    fn what_is_not_held_is_the_same_list() {
        for (game, length, max_pile, count) in [
            (games::END_NIM, 3, 5, 125),
            (games::LOOP_END_NIM, 4, 3, 81),
            (games::PARTIZAN_END_NIM, 3, 5, 125),
            (games::NIM, 3, 6, 56),
            (games::END_WYTHOFF, 2, 9, 81),
            (games::SHORT_GLOBAL_NIM, 2, 5, 90),
            (games::SHORT_GLOBAL_NIM, 1, 12, 90),
        ] {
            let [held, not] =
                [1 << 30, 1].map(|memory| of((game, length, max_pile), 1..=max_pile, memory));
            assert!(held.held.holds(length), "{game}");
            let (all, went) = shown(&held, usize::MAX);
            assert_eq!((all.len(), went), (count, true), "{game}");
            assert!(shown(&not, usize::MAX) == (all.clone(), true), "{game}");
            for order in [&held, &not] {
                assert!(shown(order, 7) == (all[..7].to_vec(), false), "{game}");
            }
        }
        // Rows with some first piles.
        let [held, not] = [1 << 30, 1].map(|memory| of((games::END_NIM, 3, 5), 2..=3, memory));
        let all = shown(&held, usize::MAX).0;
        assert!(all.len() == 50 && all == shown(&not, usize::MAX).0);
    }
}
