//! Lists the positions that satisfy a statement, in order.

use grundy_questions::Column;
use grundy_rules::{IN_BROWSER, Memory, Pile, Position};
use grundy_sweep::Control;

use super::gathered::{Firsts, ask_parts};
use super::lookups::Lookups;
use super::order::Order;
use super::question::{Ask, AskError, Lengths, Quantity, is_fast};
use crate::walk::{WalkOptions, position_of};
use crate::{Error, Level};

/// The number of positions to search in order before all threads search the rest of a level.
const LOOKED_AT_FIRST: u64 = 1 << 20;

/// The sum and the maximum of a number over the positions that satisfy a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of positions.
    pub count: u64,
    pub sum: i128,
    /// The largest number, and the first position that has it.
    pub largest: Option<(i128, Position)>,
    /// True if no position is missing.
    pub complete: bool,
}

impl Ask<'_> {
    /// Adds up a number over the positions that satisfy the statement.
    ///
    /// ```
    /// use grundy::{Ask, Quantity, Question, games};
    ///
    /// let question = Question::parse(games::NIM, "P")?;
    /// let coins = Quantity::parse(games::NIM, "total")?;
    /// // The P-positions of two piles are 1,1 2,2 3,3.
    /// let totals = Ask::new(&question).totals(&coins, 2..=2, 3)?;
    /// assert_eq!((totals.count, totals.sum), (3, 12));
    /// let (most, position) = totals.largest.unwrap();
    /// assert_eq!((most, position.to_string()), (6, "3,3".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Ask::find`], and an error if the number has no value at a position.
    pub fn totals(
        &self,
        quantity: &Quantity,
        lengths: Lengths,
        max_pile: Pile,
    ) -> Result<Totals, AskError> {
        let mut totals = Totals::default();
        let complete = self.numbers(quantity, lengths, max_pile, |position, number| {
            totals.count += 1;
            totals.sum = totals.sum.checked_add(number).ok_or(AskError::Sum)?;
            if totals.largest.as_ref().is_none_or(|(most, _)| number > *most) {
                totals.largest = Some((number, position.clone()));
            }
            Ok::<bool, AskError>(true)
        })?;
        Ok(Totals { complete, ..totals })
    }

    /// Shows a number for each position that satisfies the statement, in the order of
    /// [`Ask::find`], until `show` returns false. Returns true after the last position.
    ///
    /// # Errors
    /// The errors of [`Ask::find`], and an error if the number has no value at a position.
    pub fn numbers<E: From<AskError>>(
        &self,
        quantity: &Quantity,
        lengths: Lengths,
        max_pile: Pile,
        mut show: impl FnMut(&Position, i128) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let idle = Control::new();
        let WalkOptions { database, memory, control, .. } = self.options;
        let control = control.unwrap_or(&idle);
        let lookups = Lookups::new(self.game(), 0..=0, 1, database, memory, control);
        let lookups = lookups.map_err(AskError::from)?;
        self.find(lengths, max_pile, |position, cell| {
            let number = quantity.at(position.piles(), position.memory(), cell, &lookups);
            show(position, number.map_err(AskError::Undefined)?)
        })
    }

    /// True if the position without piles exists and satisfies the statement. False if the
    /// statement has no value there.
    pub fn holds_without_piles(&self) -> Result<bool, AskError> {
        let (game, idle) = (self.game(), Control::new());
        if !game.has_empty_position() {
            return Ok(false);
        }
        let WalkOptions { database, memory, .. } = self.options;
        let lookups = Lookups::new(game, 0..=0, 1, database, memory, &idle)?;
        let cell = lookups.database().answer(game, game.position(&[]))?.cell();
        Ok(self.question.holds(&[], &Memory::Nothing, cell, &lookups).unwrap_or(false))
    }

    /// Shows the positions that satisfy the statement, until `show` returns false. Shorter
    /// positions come first; positions of the same length are in lexicographic order of their
    /// piles, then in the order of the game's memory. Returns true after the last position.
    pub fn find<E: From<AskError>>(
        &self,
        lengths: Lengths,
        max_pile: Pile,
        mut show: impl FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let idle = Control::new();
        let control = self.options.control.unwrap_or(&idle);
        let levels = lengths.map(|length| self.listed(length, max_pile));
        let levels = levels.collect::<Result<Vec<_>, Error>>().map_err(AskError::from)?;
        levels.iter().try_for_each(|level| {
            let prepared = self.prepare(level)?.for_single_positions();
            self.check_wanted(&prepared, level)
        })?;
        for level in levels {
            if !self.find_fast(&level, control, &mut show)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lists the positions of a level. If the level is large and its values are computed fast, the
    /// search has three steps. First, a search in order soon finds positions if they are frequent.
    /// Then a walk on all threads finds as many of the next positions as fit into memory. If more
    /// remain, they are frequent, and another search in order lists them.
    fn find_fast<E: From<AskError>>(
        &self,
        level: &Level<'_>,
        control: &Control,
        show: &mut dyn FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        let (n, length) = (level.table().max_pile(), level.table().length());
        // A browser has only one thread.
        if IN_BROWSER || !is_fast(self.game()) || level.positions() < 4 * LOOKED_AT_FIRST {
            return self.find_in(level, None, control, show);
        }
        let (mut seen, mut shown, mut last) = (0, 0u64, Vec::new());
        let mut goes_on = true;
        let mut count = |position: &Position, cell: u32| -> Result<bool, E> {
            shown += 1;
            goes_on = show(position, cell)?;
            Ok(goes_on)
        };
        // Only the walk below counts its progress, because it visits all positions.
        let uncounted = control.part();
        let order = Order::by_rows(self, level, &uncounted)?;
        let went = self.find_by(level, &order, &uncounted, &mut count, &mut |piles| {
            seen += 1;
            last.clear();
            last.extend_from_slice(piles);
            seen < LOOKED_AT_FIRST
        })?;
        if seen < LOOKED_AT_FIRST || control.is_stopped() || !goes_on || shown >= self.most {
            return Ok(went && goes_on);
        }
        let room = self.options.memory.share(4).bytes() / 32 / rayon::current_num_threads() as u64;
        let firsts = Firsts::behind(&last, n, room.min(self.most - shown) as usize);
        match self.first_behind(level, &firsts, control) {
            Ok(None) => return Ok(false),
            Ok(Some(found)) => {
                let (found, is_all) = found.shown(length);
                for (piles, cell) in found {
                    shown += 1;
                    if !show(&self.game().position(&piles), cell)? || control.is_stopped() {
                        return Ok(false);
                    }
                    last = piles;
                }
                if is_all || shown >= self.most {
                    return Ok(is_all);
                }
            }
            // The statement has no value at some position; list the positions before it.
            Err(AskError::Undefined(_)) => {}
            Err(error) => return Err(error.into()),
        }
        let order = unless_stopped(Order::new(self, level, last[0]..=n, &uncounted))?;
        let Some(order) = order else { return Ok(false) };
        let mut show_rest = |position: &Position, cell: u32| match position.piles() > &last[..] {
            true => show(position, cell),
            false => Ok(true),
        };
        self.find_by(level, &order, &uncounted, &mut show_rest, &mut |_| true)
    }

    /// Gathers the next positions that satisfy the statement, by a walk. `None` if it was stopped.
    fn first_behind(
        &self,
        level: &Level<'_>,
        firsts: &Firsts,
        control: &Control,
    ) -> Result<Option<Firsts>, AskError> {
        // A position at which the statement has no value stops this walk, but not the whole search.
        let control = &control.counted_part();
        let ready = unless_stopped(self.ready(level, control))?;
        let walk = unless_stopped(level.walk(control).map_err(AskError::from))?;
        let (Some(ready), Some(walk)) = (ready, walk) else { return Ok(None) };
        let asked = [ready];
        let mut swept = ask_parts((&walk, 0..walk.parts()), &asked, Some(firsts), control)?;
        Ok(swept.acc.remove(0).firsts.filter(|_| swept.complete))
    }

    /// Lists the positions with at most `coins` coins, or all.
    pub(crate) fn find_in<E: From<AskError>>(
        &self,
        level: &Level<'_>,
        coins: Option<Pile>,
        control: &Control,
        show: &mut dyn FnMut(&Position, u32) -> Result<bool, E>,
    ) -> Result<bool, E> {
        match unless_stopped(Order::of_coins(self, level, coins, control))? {
            Some(order) => self.find_by(level, &order, control, show, &mut |_| true),
            None => Ok(false),
        }
    }

    /// Shows in order the positions that satisfy the statement, while `look` returns true.
    fn find_by<E: From<AskError>>(
        &self,
        level: &Level<'_>,
        order: &Order,
        control: &Control,
        show: &mut dyn FnMut(&Position, u32) -> Result<bool, E>,
        look: &mut dyn FnMut(&[Pile]) -> bool,
    ) -> Result<bool, E> {
        let prepared = self.prepare(level).map_err(AskError::from)?.for_single_positions();
        let lookups = self.lookups(&prepared, level.table().max_pile(), control);
        let Some(lookups) = unless_stopped(lookups)? else { return Ok(false) };
        let mut worker = prepared.worker(&lookups);
        let mut answer: Result<bool, E> = Ok(true);
        let mut found = Vec::new();
        let ended = order.each(control, &mut |piles, memory, cell| {
            let mut take = |column: &Column<'_>| {
                column.each(true, |piles, memory, cell| {
                    debug_assert!(!self.game().is_unordered() || piles.is_sorted(), "{piles:?}");
                    found.push((position_of(piles, memory), cell));
                });
            };
            let goes_on = piles.is_none_or(&mut *look);
            match piles {
                Some(piles) => worker.push(piles, memory, cell, &mut take)?,
                None => worker.flush(&mut take)?,
            }
            for (position, cell) in found.drain(..) {
                if matches!(answer, Ok(true)) {
                    answer = show(&position, cell);
                }
            }
            Ok(goes_on && matches!(answer, Ok(true)))
        });
        match ended {
            // Look-ups fail because the search was stopped; this is not an error.
            Err(AskError::Undefined(_)) if control.is_stopped() => answer.map(|_| false),
            ended => Ok(answer? && ended?),
        }
    }
}

/// Returns `None` instead of the error of a stopped search.
fn unless_stopped<T>(made: Result<T, AskError>) -> Result<Option<T>, AskError> {
    match made {
        Err(AskError::Level(Error::Stopped)) => Ok(None),
        made => made.map(Some),
    }
}
