//! Lists the values of all positions of a table for other programs, row by row:
//!
//! ```text
//! row 0    G(1..1 1 b)   b = 1, 2, ..., N
//! row 1    G(1..1 2 b)
//! ...      a row G(w b) for each word w of one pile less, in lexicographic order
//! ```
//!
//! A table has another order, because it stores only one of a word and its reversal, and only one
//! order of a multiset. A program that writes rows to a file can request as many rows as fit into
//! its memory ([`Rows::fill`]). It can also receive runs of rows in any order, and write each run
//! at its place ([`Rows::each_run`]).
//!
//! This module produces the rows of any game, from stored or computed cells. For games with tiles,
//! [`ends`](crate::ends) computes the rows tile by tile.

use std::ops::Range;
use std::sync::{Mutex, OnceLock};

use grundy_kernels::cells::{cell_values, write_cells};
use grundy_rules::{Numbering, Pile, Table, lex_word};
use grundy_sweep::Control;
use grundy_sweep::cost::price::LOOK;
use rayon::prelude::*;

use crate::answer::{Reply, SolveError};
use crate::count::Count;
use crate::fill::{FillError, Job, Maker, Means, Needs, each_run, with_bytes};
use crate::tables::{Reading, Stored};

/// A callback that receives the first row number and all cells of a run, on any thread.
pub type Put<'a> = &'a (dyn Fn(u64, &[u8]) -> Reading<()> + Sync);

/// The rows of a table, by number.
pub trait Rows: Sync {
    /// Returns the number, size and cost of the rows.
    fn shape(&self) -> RowShape;

    /// Passes all cells of the given rows to `put`, in any order and from any thread.
    fn each_run(&self, rows: Range<u64>, control: &Control, put: Put<'_>) -> Reply<()>;

    /// Fills `out` with the rows from `first` on, as little-endian cells of the shape's width.
    fn fill(&self, first: u64, out: &mut [u8], control: &Control) -> Reply<()> {
        let row = self.shape().row_bytes();
        let rows = first..first + (out.len() / row) as u64;
        // Each part has its own lock, so threads can write in parallel.
        let parts: Vec<Mutex<&mut [u8]>> = out.chunks_mut(LOCKED_BYTES).map(Mutex::new).collect();
        self.each_run(rows, control, &|at, mut cells| {
            let mut start = (at - first) as usize * row;
            while !cells.is_empty() {
                let within = start % LOCKED_BYTES;
                let (here, rest) = cells.split_at(cells.len().min(LOCKED_BYTES - within));
                // Even if the lock is poisoned, the data is valid.
                let part = parts[start / LOCKED_BYTES].lock();
                let mut part = part.unwrap_or_else(std::sync::PoisonError::into_inner);
                part[within..within + here.len()].copy_from_slice(here);
                start += here.len();
                cells = rest;
            }
            Ok(())
        })
    }
}

/// The form of a list of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listing {
    /// Words of piles, ascending if the order does not matter.
    Words,
    /// Words of piles, combined with each last move.
    LastMoves,
    /// Positions in the order of the table.
    Numbers,
    /// Rows of single piles: see [`Records`](crate::Records).
    Records,
}

impl Listing {
    /// Returns the form in which the positions of a table are listed.
    pub fn of(table: &Table) -> Listing {
        match table.numbering() {
            Numbering::Middles | Numbering::Words | Numbering::Multisets => Listing::Words,
            Numbering::LastMoves => Listing::LastMoves,
            Numbering::Sets | Numbering::SetRows | Numbering::Places | Numbering::PlaceMoves => {
                Listing::Numbers
            }
            Numbering::Records => Listing::Records,
        }
    }
}

/// The number of bytes of a part that has its own lock.
const LOCKED_BYTES: usize = 1 << 20;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowShape {
    pub rows: u64,
    /// The number of cells in a row: one for each last pile b, or one for each b and last move.
    pub cells: usize,
    /// The number of bytes of a cell.
    pub width: usize,
    /// The number of rows computed together. Requests for multiples of this number are fastest.
    pub together: u64,
    /// The estimated seconds to compute all rows once.
    pub seconds: f64,
}

impl RowShape {
    pub fn row_bytes(&self) -> usize {
        self.cells * self.width
    }

    pub fn bytes(&self) -> Option<u64> {
        self.rows.checked_mul(self.row_bytes() as u64)
    }
}

/// Returns the number of words of `length` piles, or `u64::MAX` on overflow.
pub(crate) fn words(max_pile: Pile, length: usize) -> u64 {
    u64::from(max_pile).saturating_pow(length as u32)
}

/// Returns the rows of any table. Cells that are not stored are computed with the first rows.
pub(crate) fn of_any<'a>(
    of: Count<'a>,
    needs: impl Fn(&Means) -> Needs,
    maker: impl Fn(Job) -> Box<dyn Maker> + Sync + 'a,
) -> Reply<Box<dyn Rows + 'a>> {
    let table = of.table;
    let listing = Listing::of(table);
    let needs = of.stored.is_none().then(|| needs(&Means::one_thread(of.memory)));
    if let Some(needs) = &needs {
        let bytes = match listing {
            Listing::Numbers => 0,
            _ => table.cells().saturating_mul(table.value_bytes() as u64),
        };
        of.check(Some(needs.memory.saturating_add(bytes)))?;
    }
    let n = u64::from(table.max_pile());
    let (rows, cells_a_row) = match listing {
        Listing::Numbers => (table.numbers().end, 1),
        Listing::LastMoves => {
            let moves = table.tile_cols() as u64;
            (words(table.max_pile(), table.length() - 1), n * moves)
        }
        _ => (words(table.max_pile(), table.length() - 1), n),
    };
    // In a table of sets, a cell packs sixteen values; a row has one byte for each value.
    let width = if table.numbering() == Numbering::Sets { 1 } else { table.value_bytes() };
    let seconds =
        needs.as_ref().map_or(0.0, |needs| needs.seconds) + rows as f64 * cells_a_row as f64 * LOOK;
    let shape = RowShape { rows, cells: cells_a_row as usize, width, together: 1, seconds };
    Ok(Box::new(AnyRows {
        of,
        needs,
        maker: Box::new(maker),
        listing,
        cells: OnceLock::new(),
        shape,
    }))
}

impl From<FillError> for SolveError {
    fn from(error: FillError) -> SolveError {
        SolveError::Store(error.into())
    }
}

enum Cells<'a> {
    Stored(&'a dyn Stored),
    /// Bytes in memory, in the order of the table.
    Made(Vec<u8>),
    /// A maker, which computes one run of tiles after another.
    Maker(Box<dyn Maker>),
}

struct AnyRows<'a> {
    of: Count<'a>,
    /// The needs of the cells that are not stored.
    needs: Option<Needs>,
    maker: Box<dyn Fn(Job) -> Box<dyn Maker> + Sync + 'a>,
    listing: Listing,
    cells: OnceLock<Cells<'a>>,
    shape: RowShape,
}

/// The approximate number of bytes of a run.
const RUN_BYTES: usize = 1 << 16;

impl Rows for AnyRows<'_> {
    fn shape(&self) -> RowShape {
        self.shape
    }

    fn each_run(&self, rows: Range<u64>, control: &Control, put: Put<'_>) -> Reply<()> {
        self.cells()?;
        let run = (RUN_BYTES / self.shape.row_bytes()).max(1) as u64;
        let starts: Vec<u64> = rows.clone().step_by(run as usize).collect();
        starts.into_par_iter().try_for_each_init(Room::default, |room, first| -> Reply<()> {
            control.check().map_err(FillError::from)?;
            let here = first..(first + run).min(rows.end);
            room.out.clear();
            match self.listing {
                Listing::Numbers => self.numbers(here.clone(), room)?,
                _ => here.clone().try_for_each(|row| self.row(row, room))?,
            }
            put(first, &room.out)?;
            control.advance((here.end - first) * self.shape.cells as u64);
            Ok(())
        })
    }
}

/// The working memory of one thread.
#[derive(Default)]
struct Room {
    out: Vec<u8>,
    piles: Vec<Pile>,
    cells: Vec<u32>,
    bytes: Vec<u8>,
}

impl<'a> AnyRows<'a> {
    fn cells(&self) -> Reply<&Cells<'a>> {
        if let Some(cells) = self.cells.get() {
            return Ok(cells);
        }
        let Count { table, stored, isa, control, .. } = self.of;
        let cells = match (stored, &self.needs) {
            (Some(stored), _) => Cells::Stored(stored),
            (None, None) => unreachable!("the needs of {table} are known"),
            (None, Some(needs)) => {
                let (game, max_pile) = (table.game(), table.max_pile());
                let mut maker = (self.maker)(Job { game, max_pile, isa });
                maker.prepare(table, needs, control)?;
                match self.listing {
                    Listing::Numbers => Cells::Maker(maker),
                    _ => {
                        let mut made = Vec::new();
                        let take = |_, bytes: &[u8]| made.extend_from_slice(bytes);
                        each_run(&*maker, table, control, take)?;
                        Cells::Made(made)
                    }
                }
            }
        };
        Ok(self.cells.get_or_init(|| cells))
    }

    fn row(&self, row: u64, room: &mut Room) -> Reply<()> {
        let (table, n) = (self.of.table, self.of.table.max_pile());
        room.piles.clear();
        room.piles.resize(table.length(), 1);
        let last = table.length() - 1;
        lex_word(row, u64::from(n), &mut room.piles[..last]);
        if self.listing == Listing::Words && !table.game().is_unordered() {
            // The cells of the row are at equal distances, in a row or a column of a tile.
            let first = self.number(&room.piles);
            room.piles[last] = 2.min(n);
            let step = self.number(&room.piles) - first;
            return self.append(first, step.max(1), n as usize, room);
        }
        let moves = self.shape.cells / n as usize;
        for b in 1..=n {
            room.piles[last] = b;
            let first = self.number(&room.piles);
            self.append(first, 1, moves, room)?;
        }
        Ok(())
    }

    fn number(&self, piles: &[Pile]) -> u64 {
        match self.of.table.locate_piles(piles) {
            Some(place) => self.of.table.number_of(place),
            None => unreachable!("the table has all words up to its largest pile"),
        }
    }

    /// Appends the cells `first`, `first + step`, and so on.
    fn append(&self, first: u64, step: u64, count: usize, room: &mut Room) -> Reply<()> {
        let width = self.shape.width;
        match self.cells()? {
            Cells::Made(bytes) => {
                let (start, step) = (first as usize * width, step as usize * width);
                for at in (0..count).map(|at| start + at * step) {
                    room.out.extend_from_slice(&bytes[at..at + width]);
                }
            }
            Cells::Stored(stored) => {
                stored.cells(first, step, count, &mut room.cells)?;
                write_cells(width, room.cells.iter().copied(), &mut room.out);
            }
            Cells::Maker(_) => {
                unreachable!("a table whose cells are computed on demand is listed by number")
            }
        }
        Ok(())
    }

    /// Appends the values of the positions with these numbers.
    fn numbers(&self, numbers: Range<u64>, room: &mut Room) -> Reply<()> {
        let (table, each) = (self.of.table, self.of.table.values_per_cell());
        let cells = numbers.start / each..numbers.end.div_ceil(each);
        let count = (cells.end - cells.start) as usize;
        let width = table.value_bytes();
        match self.cells()? {
            Cells::Stored(stored) => {
                stored.cells(cells.start, 1, count, &mut room.cells)?;
            }
            Cells::Maker(maker) => {
                let tile = table.tile_cells() as u64;
                let tiles = cells.start / tile..cells.end.div_ceil(tile);
                let mut worker = maker.worker(table);
                let run = tiles.end - tiles.start;
                let made = with_bytes(table, run, worker.tiles(tiles.start, run), &mut room.bytes);
                let skipped = (cells.start - tiles.start * tile) as usize * width;
                room.cells.clear();
                crate::tables::read_cells(
                    width,
                    &made[skipped..skipped + count * width],
                    &mut room.cells,
                );
            }
            Cells::Made(_) => {
                unreachable!("a table of numbered positions is never held in memory whole")
            }
        }
        if each == 1 {
            let width = self.shape.width;
            write_cells(width, room.cells.iter().copied(), &mut room.out);
            return Ok(());
        }
        room.bytes.clear();
        room.bytes.extend(room.cells.iter().flat_map(|&cell| cell_values(cell)));
        let skipped = (numbers.start - cells.start * each) as usize;
        let values = (numbers.end - numbers.start) as usize;
        room.out.extend_from_slice(&room.bytes[skipped..skipped + values]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_words_saturates() {
        assert_eq!((words(10, 0), words(10, 3), words(1, 9)), (1, 1000, 1));
        assert_eq!((words(2, 63), words(2, 64), words(2, 1000)), (1 << 63, u64::MAX, u64::MAX));
    }
}
