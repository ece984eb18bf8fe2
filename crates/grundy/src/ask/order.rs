//! Positions in the order in which they are listed: by piles as words are ordered, and by what the
//! game remembers.
//!
//! A level is walked in an order that suits its tiles, which is another one. Here its values are
//! held in memory and read in the order of the words; a level that does not fit is looked up row
//! by row. Positions with some first piles only, which stand together in that order, are shown
//! without those before and behind them. (Sets of moves are always shown all.)

use std::ops::RangeInclusive;

use grundy_questions::{Undefined, Values};
use grundy_rules::{Game, Memory, Numbering, Pile, Remembers, Table};
use grundy_sweep::Control;

use super::lookups::Lookups;
use super::question::{Ask, AskError};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Question;
    use grundy_rules::{Position, games};

    type Shown = (Vec<Pile>, Memory, u32);

    /// What is shown of a level, until so many were; whether it came to the end, and how far the
    /// control counts. If `stop` says so, the first position shown stops the control.
    fn shown(order: &Order<'_>, most: usize, stop: bool) -> (Vec<Shown>, bool, u64) {
        let control = Control::new();
        let (mut all, mut ends) = (Vec::new(), 0);
        let went = order.each(&control, &mut |piles, memory, cell| {
            match piles {
                Some(piles) => all.push((piles.to_vec(), memory.clone(), cell)),
                None => ends += 1,
            }
            if stop {
                control.stop();
            }
            Ok(all.len() < most)
        });
        assert_eq!(ends, 1, "the end is told once");
        (all, went.unwrap(), control.done())
    }

    fn of(
        game: Game,
        length: usize,
        max_pile: Pile,
        firsts: RangeInclusive<Pile>,
        memory: u64,
    ) -> Order<'static> {
        let question = Box::leak(Box::new(Question::parse(game, "true").unwrap()));
        let database: &'static Database = Box::leak(Box::new(Database::empty()));
        let ask = Ask::new(question).memory(memory).database(database);
        let level = Level::new(game, length, max_pile).unwrap();
        Order::new(&ask, &level, firsts, &Control::new()).unwrap()
    }

    fn piles(order: &Order<'_>) -> Vec<Vec<Pile>> {
        shown(order, usize::MAX, false).0.into_iter().map(|(piles, ..)| piles).collect()
    }

    /// By hand.
    #[test]
    fn words_come_in_order_from_first_piles_on() {
        assert_eq!(piles(&of(games::NIM, 2, 3, 2..=3, 1 << 20)), [[2, 2], [2, 3], [3, 3]]);
        assert_eq!(piles(&of(games::NIM, 2, 3, 1..=1, 1 << 20)), [[1, 1], [1, 2], [1, 3]]);
        assert_eq!(piles(&of(games::END_NIM, 2, 3, 2..=2, 1 << 20)), [[2, 1], [2, 2], [2, 3]]);
        assert_eq!(piles(&of(games::END_NIM, 1, 9, 4..=6, 1 << 20)), [[4], [5], [6]]);
        let three = [[2, 1, 1], [2, 1, 2], [2, 2, 1], [2, 2, 2]];
        assert_eq!(piles(&of(games::END_NIM, 3, 2, 2..=2, 1 << 20)), three);
    }

    /// By hand: single piles with the last moves up to the pile, several with those up to the largest.
    #[test]
    fn last_moves_come_with_their_piles() {
        let moves = |length, firsts: RangeInclusive<Pile>| {
            let order = of(games::SHORT_GLOBAL_NIM, length, 2, firsts, 1 << 20);
            let all = shown(&order, usize::MAX, false).0;
            let said = all.into_iter().map(|(piles, memory, _)| match memory {
                Memory::LastMove(taken) => (piles, taken),
                other => panic!("{other:?}"),
            });
            said.collect::<Vec<_>>()
        };
        let single = |pile: Pile| (0..=pile).map(move |taken| (vec![pile], taken));
        assert_eq!(moves(1, 1..=2), single(1).chain(single(2)).collect::<Vec<_>>());
        assert_eq!(moves(1, 2..=2), single(2).collect::<Vec<_>>());
        let pair = |a: Pile, b: Pile| (0..=2).map(move |taken| (vec![a, b], taken));
        let all = pair(1, 1).chain(pair(1, 2)).chain(pair(2, 2));
        assert_eq!(moves(2, 1..=2), all.collect::<Vec<_>>());
    }

    /// A level that does not fit into memory is the same list. Rows of words without a memory are
    /// looked up as a whole, and counted one by one; the others by 64.
    #[test]
    fn what_is_not_held_is_the_same_list() {
        for (game, length, max_pile, count) in [
            (games::END_NIM, 3, 5, 125),
            (games::LOOP_END_NIM, 4, 3, 81),
            (games::PARTIZAN_END_NIM, 3, 5, 125),
            (games::NIM, 3, 6, 56),
            (games::NIM, 2, 12, 78),
            (games::END_WYTHOFF, 2, 9, 81),
            (games::SHORT_GLOBAL_NIM, 2, 5, 90),
            (games::SHORT_GLOBAL_NIM, 1, 12, 90),
        ] {
            let (held, not) = (
                of(game, length, max_pile, 1..=max_pile, 1 << 30),
                of(game, length, max_pile, 1..=max_pile, 1),
            );
            assert!(held.held.holds(length), "{game}");
            let (all, went, done) = shown(&held, usize::MAX, false);
            assert_eq!((all.len(), went, done), (count, true, count as u64 / 64 * 64), "{game}");
            // Two levels of a game of two ends are always held.
            let is_row = game.order() == grundy_rules::Order::Row && !not.held.holds(length);
            let (again, went, done) = shown(&not, usize::MAX, false);
            assert!(went && again == all, "{game}");
            let expected = if is_row { count } else { count / 64 * 64 };
            assert_eq!(done, expected as u64, "{game}");
            // Until so many were shown.
            for order in [&held, &not] {
                let (some, went, _) = shown(order, 7, false);
                assert_eq!((&some[..], went), (&all[..7], false), "{game}");
            }
            // Stopped: rows stop at once, and words are too few to see it.
            let (some, went, _) = shown(&not, usize::MAX, true);
            assert_eq!(
                (some.len(), went),
                if is_row { (1, false) } else { (count, true) },
                "{game}"
            );
        }
        // Rows with some first piles.
        let (held, not) =
            (of(games::END_NIM, 3, 5, 2..=3, 1 << 30), of(games::END_NIM, 3, 5, 2..=3, 1));
        assert!(piles(&held) == piles(&not) && piles(&held).len() == 50);
    }

    /// Words look at the control at every 4096th.
    #[test]
    fn words_stop_when_they_look() {
        let order = of(games::END_NIM, 3, 20, 1..=20, 1 << 30);
        let (all, went, done) = shown(&order, usize::MAX, true);
        assert_eq!((all.len(), went, done), (4096, false, 4032));
        // Just as many are not gone on from.
        let order = of(games::END_NIM, 2, 64, 1..=64, 1 << 30);
        let (all, went, _) = shown(&order, usize::MAX, true);
        assert_eq!((all.len(), went), (4096, false));
        let (_, went, done) = shown(&order, usize::MAX, false);
        assert!(went && done == 4096);
    }

    /// Sets of moves come by their numbers, whatever first piles are wanted, and are counted one by one.
    #[test]
    fn sets_of_moves_come_by_number() {
        for (length, max_pile) in [(1, 12), (2, 9)] {
            let order = of(games::LONG_GLOBAL_NIM, length, max_pile, 3..=3, 1 << 30);
            let table = Table::new(games::LONG_GLOBAL_NIM, max_pile, length).unwrap();
            let numbered =
                (0..table.values()).filter_map(|number| Some((number, table.position(number)?)));
            let expected: Vec<(u64, Position)> =
                numbered.filter(|(_, p)| p.length() == length).collect();
            let (all, went, done) = shown(&order, usize::MAX, false);
            assert!(went && done == expected.len() as u64, "{done}");
            for ((piles, memory, _), (_, position)) in all.iter().zip(&expected) {
                assert_eq!((&piles[..], memory), (position.piles(), position.memory()));
            }
            assert_eq!(all.len(), expected.len());
            // It looks at every number that is a multiple of 4096.
            let until = expected.iter().position(|(number, _)| number.is_multiple_of(4096));
            let (some, went, _) = shown(&order, usize::MAX, true);
            match until {
                Some(until) => assert_eq!((some.len(), went), (until + 1, false)),
                None => assert!(went && length == 2),
            }
            let (some, went, done) = shown(&order, 7, false);
            assert_eq!((some.len(), went, done), (7, false, 6));
        }
    }
}
