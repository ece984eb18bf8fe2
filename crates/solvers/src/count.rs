//! Counting a table: how often each value occurs, in the shape that fits the game.

use std::cmp::Ordering;
use std::ops::Range;

use grundy_kernels::Isa;
use grundy_rules::{Pile, Position, Table};
use grundy_sweep::Control;
use grundy_sweep::outcomes::OutcomeCounts;
use grundy_sweep::records::RecordCounts;
use grundy_sweep::subsets::SetCounts;

use crate::answer::SolveError;
use crate::tables::Stored;

/// In a browser levels are walked, and tables are neither counted, nor listed, nor checked: what that
/// takes would be half of what it downloads.
pub(crate) const IN_BROWSER: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// The refusal there.
pub(crate) fn not_here(table: &Table) -> SolveError {
    SolveError::TooManyPositions { table: table.to_string(), positions: table.positions() }
}

/// How often each value occurs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    /// `values[v]` = the number of positions of value v.
    pub values: Vec<u64>,
    /// Where the largest value occurs first.
    pub first_maximum: Option<Position>,
    /// With the last moves from 0 to this one, in a game that remembers it.
    pub last_moves: Option<Pile>,
}

impl ValueCounts {
    /// The number of positions counted.
    pub fn positions(&self) -> u64 {
        self.values.iter().sum()
    }

    /// The number of P-positions.
    pub fn p_positions(&self) -> u64 {
        self.values.first().copied().unwrap_or(0)
    }

    /// The largest value.
    pub fn maximum(&self) -> u32 {
        self.values.len().saturating_sub(1) as u32
    }

    /// Takes in a position that stands for `weight` of them. `position` is asked for if its
    /// value is the largest so far; the first one with it is that of fewest coins, then the
    /// lexicographically smallest.
    pub fn take(&mut self, value: u32, weight: u64, position: impl FnOnce() -> Option<Position>) {
        if value as usize >= self.values.len() {
            self.values.resize(value as usize + 1, 0);
            self.first_maximum = None;
        }
        self.values[value as usize] += weight;
        if value == self.maximum()
            && let Some(found) = position()
        {
            let key = |position: &Position| (position.coins(), position.piles().to_vec());
            if self.first_maximum.as_ref().is_none_or(|first| key(&found) < key(first)) {
                self.first_maximum = Some(found);
            }
        }
    }
}

impl ValueCounts {
    /// Both together, if that is less than can be counted and they are of one kind.
    fn merge(self, other: ValueCounts) -> Option<ValueCounts> {
        let last_moves = self.last_moves;
        if last_moves != other.last_moves {
            return None;
        }
        let key = |position: &Position| (position.coins(), position.piles().to_vec());
        let first_maximum = match self.values.len().cmp(&other.values.len()) {
            Ordering::Less => other.first_maximum,
            Ordering::Greater => self.first_maximum,
            Ordering::Equal => match (self.first_maximum, other.first_maximum) {
                (Some(left), Some(right)) if key(&right) < key(&left) => Some(right),
                (left, right) => left.or(right),
            },
        };
        let (mut values, short) = match self.values.len() >= other.values.len() {
            true => (self.values, other.values),
            false => (other.values, self.values),
        };
        for (sum, more) in values.iter_mut().zip(short) {
            *sum = sum.checked_add(more)?;
        }
        Some(ValueCounts { values, first_maximum, last_moves })
    }
}

/// What was counted of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// How often each value occurs among its positions.
    Values(ValueCounts),
    /// How often each outcome class occurs, by the number of piles: of the table, and of
    /// shorter ones that were counted on the way.
    Classes(Vec<(usize, OutcomeCounts)>),
    /// What the records of single piles show.
    Records {
        /// What they show together.
        counts: RecordCounts,
        /// Whether the exceptions are among it, or the values g(n) alone.
        exceptions: bool,
    },
    /// How often each value occurs, by largest pile, among positions with every set of moves.
    Sets {
        /// By largest pile.
        counts: SetCounts,
        /// Where the largest value occurs first.
        first_maximum: Option<Position>,
    },
}

impl Counted {
    /// What two shares counted, together. `None` if nobody can have counted both: they are of
    /// different kinds, of a kind that is counted as a whole, or more than there can be.
    pub fn merge(self, other: Counted) -> Option<Counted> {
        match (self, other) {
            (Counted::Values(left), Counted::Values(right)) => {
                left.merge(right).map(Counted::Values)
            }
            (Counted::Classes(mut left), Counted::Classes(right)) => {
                if left.len() != right.len() {
                    return None;
                }
                for ((length, sums), (other, more)) in left.iter_mut().zip(right) {
                    for (sum, more) in sums.iter_mut().zip(more) {
                        *sum = sum.checked_add(more).filter(|_| *length == other)?;
                    }
                }
                Some(Counted::Classes(left))
            }
            _ => None,
        }
    }
}

/// A table to count, or to list.
#[derive(Clone, Copy)]
pub struct Count<'a> {
    /// Which.
    pub table: &'a Table,
    /// Its cells, if it is stored. What is not is computed.
    pub stored: Option<&'a dyn Stored>,
    /// Bytes of memory to stay within.
    pub memory: u64,
    /// The instruction set of the kernels.
    pub isa: Isa,
    /// Counts cells, and may stop it.
    pub control: &'a Control,
}

/// Positions beyond which counts are not computed unless they are stored: about a minute.
const MOST_COMPUTED: u64 = 1 << 37;

impl Count<'_> {
    /// Refuses to compute what takes too long, or `needed` bytes of memory if that is too much.
    pub(crate) fn check(&self, needed: Option<u64>) -> Result<(), SolveError> {
        let (table, positions) = (self.table.to_string(), self.table.positions());
        if positions > MOST_COMPUTED && self.table.index().is_plain() {
            return Err(SolveError::TooManyPositions { table, positions });
        }
        self.check_memory(needed.unwrap_or(u64::MAX))
    }

    /// The same for some of its parts.
    pub(crate) fn check_parts(
        &self,
        parts: &Range<u64>,
        all: u64,
        needed: Option<u64>,
    ) -> Result<(), SolveError> {
        let portion = parts.end.saturating_sub(parts.start) as f64 / all.max(1) as f64;
        let positions = (self.table.positions() as f64 * portion) as u64;
        if positions > MOST_COMPUTED {
            let table = self.table.to_string();
            return Err(SolveError::TooManyPositions { table, positions });
        }
        self.check_memory(needed.unwrap_or(u64::MAX))
    }

    /// Refuses what takes so many bytes of memory if that is too much.
    pub(crate) fn check_memory(&self, needed: u64) -> Result<(), SolveError> {
        if needed > self.memory {
            let (table, allowed) = (self.table.to_string(), self.memory);
            return Err(SolveError::CountMemory { table, needed, allowed });
        }
        Ok(())
    }

    /// Counts stored cells, each the value of so many positions as `weight` says of its number.
    pub(crate) fn stored_values(
        &self,
        stored: &dyn Stored,
        weight: impl Fn(u64) -> u64,
    ) -> Result<ValueCounts, SolveError> {
        let mut counts = ValueCounts::default();
        stored.each_frame(|first, cells| {
            for (number, &value) in (first..).zip(cells) {
                counts.take(value, weight(number), || self.table.position(number));
            }
            self.control.advance(cells.len() as u64);
            !self.control.is_stopped()
        })?;
        Ok(counts)
    }

    /// What was counted, unless it was stopped.
    pub(crate) fn unless_stopped(&self, counted: Counted) -> Option<Counted> {
        (!self.control.is_stopped()).then_some(counted)
    }
}

#[cfg(test)]
mod tests;
