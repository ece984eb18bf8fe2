//! Positions in the order of lists: lexicographic by piles, then by the game's memory.
//!
//! A walk shows a level in another order, that of its tiles. So a list holds the values in memory
//! and reads them in the order of the words. If a level does not fit, its rows are looked up one by
//! one. Positions with the same first pile are next to each other in this order, so a list can
//! begin with any first pile. (Levels of sets of moves are always shown as a whole.)

use std::ops::RangeInclusive;

use grundy_questions::{Undefined, Values};
use grundy_rules::{Game, Memory, Numbering, Pile, Remembers, Table, coins};
use grundy_sweep::Control;

use super::lookups::Lookups;
use super::question::{Ask, AskError};
use crate::walk::{Domain, WalkOptions, position_of};
use crate::{Error, Level};

/// A level in the order of lists.
pub(crate) struct Order {
    game: Game,
    table: Table,
    /// The first piles of the positions to show.
    firsts: RangeInclusive<Pile>,
    domain: Domain,
    held: Lookups,
    /// The largest number of coins of a position to show.
    coins: u64,
}

/// A function that receives each position: its piles, memory and value. At the end it receives
/// `None` instead of piles. It returns false to stop.
type Show<'a> = &'a mut dyn FnMut(Option<&[Pile]>, &Memory, u32) -> Result<bool, Undefined>;

impl Order {
    /// Returns the order of a level. Looks up each row if the level does not fit into memory.
    pub(crate) fn new(
        ask: &Ask<'_>,
        level: &Level<'_>,
        firsts: RangeInclusive<Pile>,
        control: &Control,
    ) -> Result<Order, AskError> {
        let WalkOptions { database, memory, domain, .. } = ask.options;
        if level.table().numbering() == Numbering::Records && domain != Domain::All {
            return Ok(Order { firsts, ..Order::by_rows(ask, level, control)? });
        }
        let (table, read) = (level.table(), (database, memory));
        let held = Lookups::of_level(table, firsts.clone(), read, &ask.kept, control)?;
        Ok(Order { held, firsts, ..Order::by_rows(ask, level, control)? })
    }

    /// Returns the order of a level whose rows are looked up one by one.
    pub(crate) fn by_rows(
        ask: &Ask<'_>,
        level: &Level<'_>,
        control: &Control,
    ) -> Result<Order, AskError> {
        let (table, game) = (level.table().clone(), level.table().game());
        let firsts = table.least_pile()..=table.max_pile();
        let WalkOptions { database, memory, domain, .. } = ask.options;
        let held = Lookups::new(game, 0..=0, 1, database, memory, control)?;
        let coins = if game.is_within_total() { table.max_pile().into() } else { u64::MAX };
        Ok(Order { game, table, firsts, domain, held, coins })
    }

    /// Returns the order of the positions with at most `coins` coins, or of all positions.
    pub(crate) fn of_coins(
        ask: &Ask<'_>,
        level: &Level<'_>,
        coins: Option<Pile>,
        control: &Control,
    ) -> Result<Order, AskError> {
        let all = level.table().least_pile()..=level.table().max_pile();
        let order = Order::new(ask, level, all, control)?;
        Ok(Order { coins: coins.map_or(order.coins, u64::from), ..order })
    }

    pub(crate) fn each(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        let length = self.table.length();
        let went = match self.game.remembers() {
            _ if self.table.numbering() == Numbering::Records && self.domain != Domain::All => {
                self.records(control, show)?
            }
            Remembers::Moves => self.numbers(control, show)?,
            _ if self.held.holds(self.game, length) => self.words(control, show)?,
            _ => self.rows(control, show)?,
        };
        show(None, &Memory::Nothing, 0).map_err(AskError::Undefined)?;
        Ok(went)
    }

    /// Returns the first word of this length, in which every pile is as small as possible.
    fn first(&self, length: usize) -> Vec<Pile> {
        let first = *self.firsts.start();
        let rest = if self.game.is_unordered() { first } else { self.table.least_pile() };
        let mut piles = vec![rest; length];
        piles.iter_mut().take(1).for_each(|pile| *pile = first);
        piles
    }

    /// Advances to the next word, or to the next ascending word if the order of piles does not
    /// matter. Returns false if there is no further word to show.
    fn step(&self, piles: &mut [Pile]) -> bool {
        for at in (0..piles.len()).rev() {
            let next = piles[at] + 1;
            let rest = if self.game.is_unordered() { next } else { self.table.least_pile() };
            let behind = (piles.len() - at - 1) as u64 * u64::from(rest);
            let fits = || coins(&piles[..at]) + u64::from(next) + behind <= self.coins;
            if next <= self.table.max_pile() && (self.coins == u64::MAX || fits()) {
                piles[at] = next;
                piles[at + 1..].fill(rest);
                return at > 0 || self.firsts.contains(&next);
            }
        }
        false
    }

    fn memories(&self, piles: &[Pile]) -> RangeInclusive<Pile> {
        match self.game.remembers() {
            _ if self.domain != Domain::All => 0..=0,
            // In a table of records, the last move from a single pile is at most the pile.
            Remembers::Numbers if self.table.numbering() == Numbering::Records => 0..=piles[0],
            Remembers::Numbers => 0..=self.table.largest_state(),
            _ => 0..=0,
        }
    }

    fn words(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        let excludes = self.game.excludes();
        let mut piles = self.first(self.table.length());
        if coins(&piles) > self.coins {
            return Ok(true);
        }
        let mut count = 0u64;
        loop {
            for state in self.memories(&piles) {
                let memory = self.game.memory(state);
                if excludes && !self.game.keeps(&position_of(&piles, &memory)) {
                    continue;
                }
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

    /// Shows the rows (word, b) for b = 1, ..., N. Each row is looked up as a whole.
    fn rows(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        let is_row = self.game.order() == grundy_rules::Order::Row;
        if !is_row || self.game.remembers() != Remembers::Nothing || self.game.excludes() {
            return self.words(control, show);
        }
        let (n, length) = (self.table.max_pile(), self.table.length());
        let mut word = self.first(length - 1);
        let mut piles = vec![1; length];
        loop {
            let n = u64::from(n).min(self.coins.saturating_sub(coins(&word))) as Pile;
            let row = match n {
                0 => Vec::new(),
                _ => self.held.database().row(self.game, &word, n)?,
            };
            piles[..length - 1].copy_from_slice(&word);
            for (b, answer) in (1..).zip(row.into_iter().flatten()) {
                piles[length - 1] = b;
                if !self.firsts.contains(&piles[0]) {
                    continue;
                }
                let cell = answer.cell();
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

    /// Shows single piles at the beginning of play, whose values need no records in memory.
    fn records(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        let (mut pile, mut went) = (0, Ok(true));
        let last = u64::from(*self.firsts.end()).min(self.coins) as Pile;
        self.held.database().each_record(self.game, last, |value, _| {
            pile += 1;
            if self.firsts.contains(&pile) {
                went = show(Some(&[pile]), &self.game.memory(0), value);
                control.advance(1);
            }
            matches!(went, Ok(true)) && !control.is_stopped()
        })?;
        went.map(|went| went && !control.is_stopped()).map_err(AskError::Undefined)
    }

    /// Shows positions in the order of the table. For sets of moves there is no other order.
    fn numbers(&self, control: &Control, show: Show<'_>) -> Result<bool, AskError> {
        let mut next = 0;
        while let Some(number) = self.domain.next(&self.table, next) {
            next = number + 1;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Database, Question};
    use grundy_rules::games;

    type Shown = (Vec<Pile>, Memory, u32);

    /// Returns the first `most` positions of a level, and true if these are all.
    fn shown(order: &Order, most: usize) -> (Vec<Shown>, bool) {
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
    ) -> Order {
        let question = Box::leak(Box::new(Question::parse(game, "true").unwrap()));
        let database: &'static Database = Box::leak(Box::new(Database::empty()));
        let ask = Ask::new(question).memory(memory).database(database);
        let level = Level::new(game, length, max_pile).unwrap();
        Order::new(&ask, &level, firsts, &Control::new()).unwrap()
    }

    #[test]
    fn a_level_beyond_the_memory_gives_the_same_list() {
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
            assert!(held.held.holds(game, length), "{game}");
            let (all, went) = shown(&held, usize::MAX);
            assert_eq!((all.len(), went), (count, true), "{game}");
            assert!(shown(&not, usize::MAX) == (all.clone(), true), "{game}");
            for order in [&held, &not] {
                assert!(shown(order, 7) == (all[..7].to_vec(), false), "{game}");
            }
        }
        // Only the rows with the first pile 2 or 3 are listed.
        let [held, not] = [1 << 30, 1].map(|memory| of((games::END_NIM, 3, 5), 2..=3, memory));
        let all = shown(&held, usize::MAX).0;
        assert!(all.len() == 50 && all == shown(&not, usize::MAX).0);
    }
}
