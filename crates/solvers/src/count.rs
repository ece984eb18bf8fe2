//! Counts how often each value occurs in a table, in a form that fits the game.

use grundy_kernels::Isa;
use grundy_rules::{Middles, Numbering, Position, Table};
use grundy_sweep::outcomes::OutcomeCounts;
use grundy_sweep::records::RecordCounts;
use grundy_sweep::subsets::SetCounts;
use grundy_sweep::{Control, MemoryLimit, ValueCounts};

use crate::answer::{Reply, SolveError};
use crate::fill::{FillError, Job, Maker, Means, Needs, each_run};
use crate::tables::{Stored, read_cells};

/// The counts of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counted {
    /// The frequency of each value among the positions of the table.
    Values(ValueCounts),
    /// The frequency of each outcome class, by length. Each count includes the shorter lengths.
    Classes(Vec<(usize, OutcomeCounts)>),
    /// Counts of the records of single piles.
    Records {
        counts: RecordCounts,
        /// True if the counts include the exceptions, false if they cover only the values g(n).
        exceptions: bool,
    },
    /// The frequency of each value, by largest pile. Each set of moves counts as its own position.
    Sets { counts: SetCounts, first_maximum: Option<Position> },
}

impl Counted {
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

    pub(crate) fn check_memory(&self, needed: u64) -> Reply<()> {
        let table = || self.table.to_string();
        self.memory
            .check(needed)
            .map_err(|shortage| SolveError::CountMemory { table: table(), shortage })
    }

    /// Calls `show` with the number of the first cell and the cells of some tiles, in order. The
    /// cells come from the stored table or from the solver. If the control stops the work, the last
    /// cells are missing.
    pub(crate) fn each_run(
        &self,
        needs: impl FnOnce(&Means) -> Needs,
        maker: impl FnOnce(Job) -> Box<dyn Maker>,
        mut show: impl FnMut(u64, &[u32]),
    ) -> Reply<()> {
        let Count { table, memory, isa, control, .. } = *self;
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

    /// Counts the cells of any table of values or classes.
    pub(crate) fn by_cells(
        &self,
        needs: impl FnOnce(&Means) -> Needs,
        maker: impl FnOnce(Job) -> Box<dyn Maker>,
    ) -> Reply<Option<Counted>> {
        let (table, game) = (self.table, self.table.game());
        // If a tile also represents the reversed rows, each of its cells counts twice.
        let reverses = table.numbering() == Numbering::Middles;
        let has_gaps = game.excludes() || game.is_symmetric() && !reverses;
        let (tile_cells, mut word) = (table.tile_cells(), Vec::new());
        let mut counts = ValueCounts::default();
        self.each_run(needs, maker, |first, cells| {
            let tiles = (first..).step_by(tile_cells).zip(cells.chunks_exact(tile_cells));
            for (first, cells) in tiles {
                table.tile_word(first / tile_cells as u64, &mut word);
                let weight = if reverses && !Middles::is_palindrome(&word) { 2 } else { 1 };
                for (number, &cell) in (first..).zip(cells) {
                    if !has_gaps || table.position(number).is_some() {
                        counts.take(cell, weight, || table.least_position(number));
                    }
                }
            }
        })?;
        let counted = if game.is_impartial() {
            Counted::Values(counts)
        } else {
            let count = |class| counts.values.get(class).copied().unwrap_or(0);
            Counted::Classes(vec![(table.length(), std::array::from_fn(count))])
        };
        Ok(self.unless_nothing(counted))
    }

    /// Returns the counts, or `None` if the control stopped the work before the first position.
    pub(crate) fn unless_nothing(&self, counted: Counted) -> Option<Counted> {
        (!self.control.is_stopped() || counted.positions() > 0).then_some(counted)
    }
}
