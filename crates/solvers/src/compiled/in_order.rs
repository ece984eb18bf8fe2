//! Fills tables of outcomes row by row, without the whole table in memory.
//!
//! If the kernel visits the positions in the order in which the table stores them, the table is
//! handed out while it is filled. What remains in memory is what a later row reads: the sets of the
//! moves, the cells that single options lead to, and the levels of shorter positions.
//!
//! ```text
//!   places, rows that differ from their reversals    the first pile grows slowest
//!   heaps, as multisets                              the largest heap grows slowest
//!   heaps, as words over 0..=N                       the words in descending order are stored
//! ```
//!
//! The table of rows that equal their reversals has another order, and is filled as a whole.

use std::io::{self, Read, Write};
use std::ops::Range;

use grundy_kernels::shapes::{Bits, Grid, Guide, Heaps, LimitError, OutcomeRows};
use grundy_rules::Table;
use grundy_rules::law::Kind;

use super::recognise::Shapes;
use super::{Way, closes_up, grid_of, heaps_of, law};
use crate::fill::{FillError, InOrder};

/// A kernel whose order is that of the table.
pub(super) enum Kernel {
    Grid(Grid, Shapes),
    Heaps(Heaps),
}

impl Kernel {
    /// Returns the kernel of a table of outcomes; `None` if its order is another one.
    pub(super) fn new(table: &Table, way: &Way) -> Option<Kernel> {
        let (game, max_pile, length) = (table.game(), table.max_pile(), table.length());
        game.outcomes_of()?;
        let law = law(game);
        match way {
            Way::Grid(_) if law.kind == Kind::Row && game.is_symmetric() => None,
            Way::Grid(found) => {
                Some(Kernel::Grid(grid_of(law, found, max_pile, length), found.clone()))
            }
            Way::Heaps(moves) => heaps_of(law, moves, max_pile, length).map(Kernel::Heaps),
            _ => None,
        }
    }

    /// Returns the bytes of memory, without the levels of shorter positions.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Kernel::Grid(grid, _) => grid.bytes_in_order(),
            Kernel::Heaps(heaps) => heaps.bytes_in_order(),
        }
    }
}

/// The part of a row that the table stores.
#[derive(Clone, Copy)]
enum Stores {
    All,
    /// Positions without empty piles.
    Full,
    /// Positions without empty piles whose piles descend.
    Descending,
}

impl Stores {
    /// Returns the stored columns of a row.
    fn columns(self, outer: &[u32], columns: usize) -> Range<usize> {
        match self {
            Stores::All => 0..columns,
            _ if outer.contains(&0) => 0..0,
            Stores::Full => 1..columns,
            Stores::Descending if !outer.is_sorted_by(|left, right| left >= right) => 0..0,
            Stores::Descending => 1..outer.last().map_or(columns, |&last| last as usize + 1),
        }
    }
}

pub(super) struct OutcomeRun<'a> {
    table: &'a Table,
    /// Returns the error of a kernel that refused a row.
    refused: Box<dyn Fn(LimitError) -> FillError + 'a>,
    rows: OutcomeRows<'a>,
    stores: Stores,
    /// The columns of the current row that are still to be handed out.
    left: Range<usize>,
    out: Bits,
}

impl<'a> OutcomeRun<'a> {
    /// Returns the run of a kernel, with the guide of its kind; `None` if it needs too many sets.
    pub(super) fn new(
        kernel: &'a Kernel,
        guide: Box<dyn Guide + 'a>,
        table: &'a Table,
        refused: Box<dyn Fn(LimitError) -> FillError + 'a>,
    ) -> Option<OutcomeRun<'a>> {
        let law = law(table.game());
        let (rows, stores) = match kernel {
            Kernel::Grid(grid, _) => {
                let stores = match law.kind {
                    Kind::Heaps => Stores::Descending,
                    _ if closes_up(law) => Stores::Full,
                    _ => Stores::All,
                };
                (grid.outcome_rows(guide), stores)
            }
            Kernel::Heaps(heaps) => (heaps.outcome_rows(guide)?, Stores::Full),
        };
        Some(OutcomeRun { table, refused, rows, stores, left: 0..0, out: Bits::default() })
    }
}

impl InOrder for OutcomeRun<'_> {
    fn next(&mut self, count: u64, bytes: &mut Vec<u8>) -> Result<(), FillError> {
        let OutcomeRun { table, refused, rows, stores, left, out } = self;
        let cells = count as usize * table.tile_cells();
        out.reset(cells);
        let mut done = 0;
        while done < cells {
            if left.start >= left.end {
                if !rows.fill_next().map_err(&**refused)? {
                    return Err(FillError::Ended { table: table.to_string() });
                }
                *left = stores.columns(rows.outer(), rows.columns());
                continue;
            }
            let run = left.len().min(cells - done);
            rows.copy(left.start..left.start + run, out, done);
            left.start += run;
            done += run;
        }
        out.write(0..cells, bytes);
        Ok(())
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        for column in [self.left.start, self.left.end] {
            out.write_all(&(column as u32).to_le_bytes())?;
        }
        self.rows.save(out)
    }

    fn load(&mut self, from: &mut dyn Read) -> io::Result<bool> {
        let [mut start, mut end] = [[0; 4]; 2];
        from.read_exact(&mut start)?;
        from.read_exact(&mut end)?;
        let [start, end] = [start, end].map(|column| u32::from_le_bytes(column) as usize);
        self.left = start..end;
        Ok(self.rows.load(from)? && start <= end && end <= self.rows.columns())
    }
}
