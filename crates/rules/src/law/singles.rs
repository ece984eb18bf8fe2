//! The values of single piles, in games whose longer positions follow from them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::{Move, Pile, Position};

/// The moves of single piles.
#[derive(Clone, Debug)]
pub(super) enum Single {
    /// Some numbers of coins.
    Takes(Vec<Takes>),
    /// Other moves, which the rules list.
    Other,
}

/// A move that takes from `least` to `most` coins, and leaves at least `leave` coins. The pile must
/// have at least `from` coins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Takes {
    pub(super) least: Pile,
    pub(super) most: Option<Pile>,
    pub(super) leave: Pile,
    pub(super) from: Pile,
}

impl Takes {
    /// Returns the sizes that the move leaves of a pile.
    fn options(&self, pile: Pile) -> Range<usize> {
        let start = pile.saturating_sub(self.most.unwrap_or(pile)).max(self.leave);
        let end = (pile + 1).saturating_sub(self.least);
        if pile < self.from || start >= end { 0..0 } else { start as usize..end as usize }
    }
}

/// A period of a row: v(b + period) = v(b) + saltus for all b > preperiod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeats {
    /// The last pile before the row repeats.
    pub preperiod: usize,
    /// The number of piles after which the row repeats.
    pub period: usize,
    /// The number that a period adds to the values.
    pub saltus: u32,
}

/// The values of the single piles 1, 2, 3, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Singles {
    values: Vec<u32>,
    repeats: Option<Repeats>,
}

/// The number of piles in which a period is searched, and whose values are kept; and the largest
/// move for which a period is searched.
const SEARCHED: usize = 1 << 12;
const LARGEST_MOVE: Pile = 1 << 6;

impl Singles {
    /// Returns the value of a pile of at least 1.
    ///
    /// # Panics
    /// If the value was not computed and does not follow from the period.
    pub fn value(&self, pile: Pile) -> u32 {
        let place = pile as usize - 1;
        match self.repeats {
            Some(Repeats { preperiod, period, saltus }) if place >= self.values.len() => {
                let turns = (place - preperiod) / period;
                self.values[place - turns * period] + turns as u32 * saltus
            }
            _ => self.values[place],
        }
    }

    /// Returns the values of the piles 1, ..., `most`.
    pub fn up_to(&self, most: Pile) -> impl Iterator<Item = u32> + '_ {
        let known = self.values.len().min(most as usize);
        let rest = known as Pile + 1..=most;
        self.values[..known].iter().copied().chain(rest.map(|pile| self.value(pile)))
    }

    /// Returns the period of the row, if it is proved.
    pub fn repeats(&self) -> Option<Repeats> {
        self.repeats
    }

    /// True if the value of a pile is its number of coins, except that `first` are the values of
    /// the smallest piles.
    pub fn is_nim(&self, first: &[u32]) -> bool {
        let Some(Repeats { preperiod, period: 1, saltus: 1 }) = self.repeats else { return false };
        let is_first = first.iter().zip(1..).all(|(&value, pile)| self.value(pile) == value);
        is_first && preperiod <= first.len() && self.value(9) == 9
    }

    /// True if every value is 0.
    pub(crate) fn is_zero(&self) -> bool {
        let constant = Some(Repeats { preperiod: 0, period: 1, saltus: 0 });
        self.repeats == constant && self.values[0] == 0
    }

    /// Computes the values from the moves of each position, with a value for a position without
    /// moves.
    pub(crate) fn by_moves(
        of: impl Fn(&Position) -> Vec<Move>,
        terminal: u32,
        most: Pile,
    ) -> Singles {
        let mut values = vec![terminal];
        for pile in 1..=most {
            let moves = of(&Position::row(&[pile]));
            let option = |piles: &[Pile]| values[piles.first().map_or(0, |&pile| pile as usize)];
            let found = moves.iter().map(|made| option(made.option.piles()));
            let value = if moves.is_empty() { terminal } else { crate::mex(found) };
            values.push(value);
        }
        values.remove(0);
        Singles { values, repeats: None }
    }

    /// Computes the values of piles of which a move takes any number of coins, and leaves at least
    /// `leaves`. If it is `None`, there are no moves.
    pub(crate) fn leaving(leaves: Option<Pile>, terminal: u32) -> Singles {
        let line = leaves.map(|leave| Takes { least: 1, most: None, leave, from: 1 });
        Singles::of_moves(line.as_slice(), terminal, 0)
    }

    /// Computes the values of piles that have these moves, and their period if it can be proved.
    pub(super) fn of_moves(lines: &[Takes], terminal: u32, most: Pile) -> Singles {
        if let Some(Repeats { preperiod, period, saltus }) = repeats(lines, terminal) {
            let values = row(lines, terminal, SEARCHED.max(preperiod + 2 * period));
            let repeat = |at: &usize| values[at - 1] + saltus == values[at - 1 + period];
            let preperiod =
                (1..=preperiod).rev().take_while(repeat).last().map_or(preperiod, |at| at - 1);
            let repeats = Some(Repeats { preperiod, period, saltus });
            return Singles { values, repeats };
        }
        Singles { values: row(lines, terminal, most as usize), repeats: None }
    }

    /// True if the value of a pile is known.
    pub(super) fn has(&self, pile: Pile) -> bool {
        self.repeats.is_some() || self.values.len() >= pile as usize
    }
}

/// Returns the values of the piles 1, ..., `count`. Each set of options moves upwards as the pile
/// grows, so it is kept as a set of values with their numbers of occurrences.
fn row(lines: &[Takes], terminal: u32, count: usize) -> Vec<u32> {
    let mut values = vec![terminal];
    let mut held: Vec<Range<usize>> = vec![0..0; lines.len()];
    let mut seen = vec![0u32; terminal as usize + 2];
    let mut mex = 0;
    for pile in 1..=count {
        for (line, held) in lines.iter().zip(&mut held) {
            let wanted = line.options(pile as Pile);
            for &value in
                &values[held.end.max(wanted.start)..wanted.end.max(held.end.max(wanted.start))]
            {
                seen[value as usize] += 1;
            }
            for &value in &values[held.start..wanted.start.clamp(held.start, held.end)] {
                seen[value as usize] -= 1;
                if seen[value as usize] == 0 {
                    mex = mex.min(value);
                }
            }
            *held = wanted;
        }
        while seen[mex as usize] > 0 {
            mex += 1;
        }
        let value = if held.iter().all(Range::is_empty) { terminal } else { mex };
        values.push(value);
        if seen.len() < value as usize + 2 {
            seen.resize(value as usize + 2, 0);
        }
    }
    values.remove(0);
    values
}

/// Proves a period of the values of single piles.
///
/// If a move may take any number of coins and leave as little as any other move, the options of a
/// pile b are all smaller piles from some pile on. So the values grow by 1. If every move takes a
/// few coins, a value depends on the values of a few piles before it.
fn repeats(lines: &[Takes], terminal: u32) -> Option<Repeats> {
    let leave = lines.iter().map(|line| line.leave).min().unwrap_or(0);
    let is_any = |line: &Takes| line.least == 1 && line.most.is_none();
    let is_lowest = |line: &&Takes| is_any(line) && line.leave == leave && line.from <= leave + 1;
    if lines.is_empty() {
        return Some(Repeats { preperiod: 0, period: 1, saltus: 0 });
    }
    if lines.iter().any(|line| is_lowest(&line)) {
        return Some(Repeats { preperiod: leave as usize + 2, period: 1, saltus: 1 });
    }
    let most = lines.iter().map(|line| line.most).collect::<Option<Vec<_>>>()?;
    let most = most.into_iter().max().filter(|&most| most <= LARGEST_MOVE)?;
    let settled = lines.iter().map(|line| line.from.max(line.leave.saturating_add(most))).max()?;
    let from = (settled as usize).max(1) + most as usize;
    let values = row(lines, terminal, from.checked_add(SEARCHED)?);
    let mut known = HashMap::new();
    for end in from..values.len() {
        let window = &values[end - most as usize..end];
        if let Some(before) = known.insert(window, end) {
            return Some(Repeats { preperiod: before, period: end - before, saltus: 0 });
        }
    }
    None
}

/// The values of single piles that a game keeps, for each value of a position without moves. If
/// they have no period, there is a row for each power of two.
#[derive(Debug)]
pub(super) struct Kept([[OnceLock<Singles>; 33]; 2]);

impl Kept {
    pub(super) fn new() -> Kept {
        Kept([const { [const { OnceLock::new() }; 33] }; 2])
    }

    /// Returns values for all piles up to `most`.
    pub(super) fn get(
        &self,
        terminal: u32,
        most: Pile,
        make: impl Fn(Pile) -> Singles,
    ) -> Cow<'_, Singles> {
        let rows = &self.0[usize::from(terminal > 0)];
        let first = rows[0].get_or_init(|| make(64));
        if first.has(most) {
            return Cow::Borrowed(first);
        }
        let bits = most.checked_next_power_of_two().unwrap_or(Pile::MAX);
        Cow::Borrowed(rows[bits.ilog2() as usize + 1].get_or_init(|| make(bits)))
    }
}
