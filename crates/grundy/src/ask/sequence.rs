//! Integer sequences: the numbers of positions of each size that satisfy a statement.

use grundy_query::{Answer, Answers, Database, QueryError};
use grundy_rules::{Game, IN_BROWSER, IntoPosition, Pile, Position};
use grundy_sweep::Control;

use super::totals::AllTotals;
use crate::walk::choose;
use crate::{Ask, AskError, Error, Lengths, Measure, Question, has_records};

/// The measure of a position's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// The largest pile.
    LargestPile,
    /// The number of coins.
    Total,
}

impl Count {
    /// Returns the N of the table of this game and length with the positions of size `to`: the
    /// largest pile that they can have, or their total.
    fn largest(self, game: Game, to: Pile, length: usize) -> Pile {
        let others = u64::from(game.order().least_pile()) * (length as u64).saturating_sub(1);
        match self {
            Count::LargestPile => to,
            Count::Total if game.is_within_total() && length <= to as usize => to,
            Count::Total => u64::from(to).saturating_sub(others) as Pile,
        }
    }

    /// Returns the least size of a position of this game with this length.
    pub fn least(self, game: Game, length: usize) -> usize {
        let piles = if self == Count::Total { length } else { 1 };
        piles * game.order().least_pile() as usize
    }
}

/// Returns the default length of counts: the largest pile number in the statement. Without such a
/// number, it is the length nearest to two that the game allows.
pub fn usual_lengths(question: &Question) -> Lengths {
    match question.least_length() {
        1 => question.game().lengths_near(2..=2),
        piles => piles..=piles,
    }
}

/// Returns n and the values of the positions (w, n), (w, n + 1), ..., (w, `to`), where n is the
/// least size for which the game has the position. A value is `None` if the rules exclude the
/// position. Gives up early if `more` returns false; the last values are then missing.
///
/// # Errors
/// [`QueryError`], for example if the positions have no values.
pub fn row_values(
    database: &Database,
    game: Game,
    word: &[Pile],
    to: Pile,
    more: &mut dyn FnMut() -> bool,
) -> Result<(u64, Vec<Option<u32>>), QueryError> {
    if word.is_empty() && has_records(game) {
        // The sequence begins with the empty pile, of value 0.
        let mut values = vec![Some(0)];
        database.each_record(game, to, |value, _| {
            values.push(Some(value));
            more()
        })?;
        return Ok((0, values));
    }
    let value = |answer: &Option<Answer>| match answer {
        None => Ok(None),
        Some(at) => at.value.map(Some).ok_or(QueryError::NoValue { game }),
    };
    let row = row_in_portions(database, game, word, to, more)?;
    let mut values = row.iter().map(value).collect::<Result<Vec<_>, _>>()?;
    if game.order().least_pile() == 0 {
        return Ok((0, values));
    }
    // Without its last pile the position is w, if the game knows w.
    match word.into_position(game) {
        Ok(position) => {
            values.insert(0, database.answer(game, &position)?.value);
            Ok((0, values))
        }
        Err(_) => Ok((1, values)),
    }
}

/// The first portion of a row of a sum that takes long, and the growth of the next portions. All
/// portions before the last one take a small part of its time.
const FIRST_PORTION: Pile = 1 << 10;
const GROWTH: Pile = 4;

/// Returns the answers of a row. If the row of a sum takes long, it is computed in portions, so
/// that some of them are known when `more` returns false.
fn row_in_portions(
    database: &Database,
    game: Game,
    word: &[Pile],
    to: Pile,
    more: &mut dyn FnMut() -> bool,
) -> Result<Answers, QueryError> {
    let seconds = if game.is_sum() { database.seconds_alone(game, &[to]) } else { 0.0 };
    // A row that takes longer than the limit is refused before the work.
    let in_portions = (1.0..=database.limits().seconds).contains(&seconds);
    let first = if in_portions { FIRST_PORTION } else { to };
    let portion = |last| database.row(game, word, last);
    growing((first, GROWTH, to), portion, |_| more())
}

/// Returns the last of the portions of a row that `portion` computes: up to `first`, then each
/// `growth` times as long, then up to `to`. If `more` returns false after a portion, there is no
/// further one. It gets the error of a portion, and returns false to keep the portion before it.
pub(crate) fn growing<T, E>(
    (first, growth, to): (Pile, Pile, Pile),
    mut portion: impl FnMut(Pile) -> Result<T, E>,
    mut more: impl FnMut(Option<&E>) -> bool,
) -> Result<T, E> {
    let mut last = first.min(to);
    let mut row = portion(last)?;
    while last < to && more(None) {
        last = last.saturating_mul(growth).min(to);
        match portion(last) {
            Ok(longer) => row = longer,
            Err(error) if more(Some(&error)) => return Err(error),
            Err(_) => break,
        }
    }
    Ok(row)
}

/// Returns the number of positions that [`counts`] visits, and the approximate seconds.
pub fn estimate_counts(
    ask: &Ask<'_>,
    lengths: Lengths,
    by: Count,
    to: Pile,
) -> Result<(u64, f64), AskError> {
    let game = ask.game();
    if by == Count::LargestPile && game.is_within_total() {
        return Err(AskError::ByTotal { game });
    }
    if let Some(totals) = all_totals(ask, &lengths, by, to)? {
        return totals.estimate(ask);
    }
    let (mut positions, mut needed) = (0u64, 0.0);
    // The number of rows with at most `to` coins. To count the rows, choose the last coin of each
    // pile in a line of coins. If piles may be empty, add one coin to each pile.
    let ends = |length: usize| {
        let empty = (1 - u64::from(game.order().least_pile())) * length as u64;
        choose(u64::from(to) + empty, length)
    };
    for length in lengths.filter(|&length| by.largest(game, to, length) > 0) {
        let (all, seconds) = ask.estimate(length..=length, by.largest(game, to, length))?;
        let has_others = by == Count::Total && !game.is_within_total();
        let some = if has_others { all.min(ends(length)) } else { all };
        positions = positions.saturating_add(some);
        needed += seconds * some as f64 / all.max(1) as f64;
        // The sequence is refused now, and the estimates of many lengths take long.
        if needed > ask.seconds {
            break;
        }
    }
    Ok((positions, needed))
}

/// Returns the walk over the positions by their numbers of coins, if it visits fewer positions than
/// tables have whose piles are at most `to`.
fn all_totals<'a>(
    ask: &Ask<'a>,
    lengths: &Lengths,
    by: Count,
    to: Pile,
) -> Result<Option<AllTotals<'a>>, AskError> {
    // The page in the browser does not count positions by coins.
    if by == Count::LargestPile || IN_BROWSER {
        return Ok(None);
    }
    let of_length = |length| match by.largest(ask.game(), to, length) {
        0 => 0,
        largest => ask.level(length, largest).map_or(u64::MAX, |level| level.positions()),
    };
    let tables = lengths.clone().map(of_length).fold(0, u64::saturating_add);
    let totals = AllTotals::new(ask, lengths, to)?;
    Ok(totals.filter(|totals| totals.positions() < tables))
}

/// Returns, for each size 0, 1, ..., `to`, the number of positions that satisfy the statement of
/// `ask`. Adds up all lengths, and counts each multiset once. `None` if the work was stopped.
pub fn counts(
    ask: &Ask<'_>,
    lengths: Lengths,
    by: Count,
    to: Pile,
) -> Result<Option<Vec<u64>>, AskError> {
    // No table has only empty piles.
    if to == 0 {
        let counted = counts(ask, lengths, by, 1)?;
        return Ok(counted.map(|counts| counts[..1].to_vec()));
    }
    let (positions, needed) = estimate_counts(ask, lengths.clone(), by, to)?;
    let allowed = ask.seconds;
    if needed > allowed {
        return Err(AskError::Seconds { needed, positions, allowed });
    }
    let shortage = |shortage| {
        let (table, measure) = (format!("the sequence to {to}"), Measure::of(ask.game()));
        Error::Memory { table, measure, shortage }
    };
    ask.options.memory.check(8 * (u64::from(to) + 1)).map_err(shortage)?;
    let idle = Control::new();
    let control = ask.options.control.unwrap_or(&idle);
    if let Some(totals) = all_totals(ask, &lengths, by, to)? {
        return totals.count(ask, control);
    }
    let mut counts = vec![0u64; to as usize + 1];
    for length in lengths {
        let max_pile = by.largest(ask.game(), to, length);
        if max_pile == 0 {
            continue;
        }
        if by == Count::LargestPile {
            let Some(found) = ask.counts_by_largest_pile(length, max_pile)? else {
                return Ok(None);
            };
            counts.iter_mut().zip(found).for_each(|(count, more)| *count += more);
            continue;
        }
        let mut count = |position: &Position, _| {
            if let Some(count) = counts.get_mut(position.coins() as usize) {
                *count += 1;
            }
            Ok::<bool, AskError>(true)
        };
        let level = ask.level(length, max_pile)?;
        if !ask.find_in(&level, Some(to), control, &mut count)? {
            return Ok(None);
        }
    }
    Ok(Some(counts))
}
