//! Counts how often each value occurs in a table, in a form that fits the game.

use std::ops::Range;

use grundy_kernels::Isa;
use grundy_rules::{Position, Table};
use grundy_sweep::outcomes::OutcomeCounts;
use grundy_sweep::records::RecordCounts;
use grundy_sweep::subsets::SetCounts;
use grundy_sweep::{Control, MemoryLimit, ValueCounts};
use serde::{Deserialize, Serialize};

use crate::answer::{Reply, SolveError};
use crate::fill::{FillError, Job, Maker, Means, Needs, each_run};
use crate::tables::{Stored, read_cells};

/// The counts of a table. Stored counts represent positions as text (`Counted<String>`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "snake_case")]
pub enum Counted<P = Position> {
    /// The frequency of each value among the positions of the table.
    Values(ValueCounts<P>),
    /// The frequency of each outcome class, by length. Each count includes the shorter lengths.
    Classes(Vec<(usize, OutcomeCounts)>),
    /// Counts of the records of single piles.
    Records {
        counts: RecordCounts,
        /// True if the counts include the exceptions, false if they cover only the values g(n).
        exceptions: bool,
    },
    /// The frequency of each value, by largest pile. Each set of moves counts as its own position.
    Sets { counts: SetCounts, first_maximum: Option<P> },
}

impl<P> Counted<P> {
    /// Converts the position in the counts with `place`. Returns `None` if `place` returns `None`.
    pub fn with_place<Q>(self, place: impl FnOnce(P) -> Option<Q>) -> Option<Counted<Q>> {
        let place = |position: Option<P>| match position {
            None => Some(None),
            Some(position) => place(position).map(Some),
        };
        Some(match self {
            Counted::Values(ValueCounts { values, first_maximum, last_moves }) => {
                let first_maximum = place(first_maximum)?;
                Counted::Values(ValueCounts { values, first_maximum, last_moves })
            }
            Counted::Classes(classes) => Counted::Classes(classes),
            Counted::Records { counts, exceptions } => Counted::Records { counts, exceptions },
            Counted::Sets { counts, first_maximum } => {
                Counted::Sets { counts, first_maximum: place(first_maximum)? }
            }
        })
    }
}

impl<P> Counted<P> {
    /// Returns the number of counted positions. For records, returns the number of counted rows.
    pub fn positions(&self) -> u64 {
        match self {
            Counted::Values(counts) => counts.values.iter().sum(),
            Counted::Classes(classes) => classes.iter().flat_map(|(_, counts)| counts).sum(),
            Counted::Records { counts, .. } => counts.rows,
            Counted::Sets { counts, .. } => counts.piles.iter().flatten().sum(),
        }
    }
}

impl Counted {
    /// Adds the counts of two parts of a table. Returns `None` if the kinds of the counts differ,
    /// if this kind cannot be divided into parts, or if a count overflows.
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

/// A table to count or to list, with the resources for this work.
#[derive(Clone, Copy)]
pub struct Count<'a> {
    pub table: &'a Table,
    /// The cells, if the table is stored; otherwise they are computed.
    pub stored: Option<&'a dyn Stored>,
    pub memory: MemoryLimit,
    pub isa: Isa,
    /// The control that counts cells and may stop the work.
    pub control: &'a Control,
}

/// The maximum number of positions to count without stored cells. Counting them takes a minute.
const MOST_COMPUTED: u64 = 1 << 37;

impl Count<'_> {
    pub(crate) fn check(&self, needed: Option<u64>) -> Reply<()> {
        let (table, positions) = (self.table.to_string(), self.table.positions());
        if positions > MOST_COMPUTED && self.table.numbering().is_plain() {
            return Err(SolveError::TooManyPositions { table, positions });
        }
        self.check_memory(needed.unwrap_or(u64::MAX))
    }

    /// Returns an error if computing these parts of the table takes too long or too much memory.
    pub(crate) fn check_parts(
        &self,
        parts: &Range<u64>,
        all: u64,
        needed: Option<u64>,
    ) -> Reply<()> {
        let portion = parts.end.saturating_sub(parts.start) as f64 / all.max(1) as f64;
        let positions = (self.table.positions() as f64 * portion) as u64;
        if positions > MOST_COMPUTED {
            let table = self.table.to_string();
            return Err(SolveError::TooManyPositions { table, positions });
        }
        self.check_memory(needed.unwrap_or(u64::MAX))
    }

    pub(crate) fn check_memory(&self, needed: u64) -> Reply<()> {
        let table = || self.table.to_string();
        self.memory
            .check(needed)
            .map_err(|shortage| SolveError::CountMemory { table: table(), shortage })
    }

    /// Calls `show` with the number and the content of every cell, in order. The cells come from
    /// the stored table or from a maker. If the control stops the work, the last cells are missing.
    pub(crate) fn each_cell(
        &self,
        needs: impl FnOnce(&Means) -> Needs,
        maker: impl FnOnce(Job) -> Box<dyn Maker>,
        mut show: impl FnMut(u64, u32),
    ) -> Reply<()> {
        let Count { table, memory, isa, control, .. } = *self;
        let mut show = |first: u64, cells: &[u32]| {
            (first..).zip(cells).for_each(|(number, &cell)| show(number, cell));
        };
        if let Some(stored) = self.stored {
            return Ok(stored.each_frame(|first, cells| {
                show(first, cells);
                control.advance(cells.len() as u64);
                !control.is_stopped()
            })?);
        }
        let needs = needs(&Means::one_thread(memory));
        self.check(Some(needs.memory))?;
        let job = Job { game: table.game(), max_pile: table.max_pile(), isa };
        let (mut maker, mut cells) = (maker(job), Vec::new());
        let made = maker.prepare(table, &needs, control).and_then(|()| {
            each_run(&*maker, table, control, |first, bytes| {
                cells.clear();
                read_cells(table.value_bytes(), bytes, &mut cells);
                show(first, &cells);
            })
        });
        match made {
            Ok(()) | Err(FillError::Stopped(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the counts, or `None` if the control stopped the work before the first position.
    pub(crate) fn unless_nothing(&self, counted: Counted) -> Option<Counted> {
        (!self.control.is_stopped() || counted.positions() > 0).then_some(counted)
    }
}

#[cfg(test)]
mod tests;
