//! What is stored, as a solver sees it: cells by their number. How they got there is not its
//! business; whoever holds the files implements these two traits.

use std::error::Error;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_kernels::Cell;
use grundy_rules::{Game, Position, Table};
use grundy_sweep::{Control, Fold, Swept, Tile};

/// Why a stored cell cannot be read: what the holder of the files says.
pub type StoreError = Box<dyn Error + Send + Sync>;

/// Something read of a stored table.
pub type Reading<T> = Result<T, StoreError>;

/// Says of a table whether it is one to read.
pub type Wanted<'a> = &'a dyn Fn(&dyn Stored) -> bool;

/// The stored tables.
pub trait Tables: Sync {
    /// The first table of a game and length, by increasing max pile, that is wanted.
    fn find(&self, game: Game, length: usize, wanted: Wanted<'_>) -> Option<&dyn Stored>;
}

/// No tables at all.
#[derive(Clone, Copy, Debug)]
pub struct NoTables;

impl Tables for NoTables {
    fn find(&self, _: Game, _: usize, _: Wanted<'_>) -> Option<&dyn Stored> {
        None
    }
}

/// One stored table.
pub trait Stored: Sync {
    /// Which it is.
    fn table(&self) -> &Table;

    /// The cell with this number.
    fn cell(&self, cell: u64) -> Reading<u32>;

    /// The cells `first`, `first + step`, ..., `count` of them, in place of what `out` held.
    fn cells(&self, first: u64, step: u64, count: usize, out: &mut Vec<u32>) -> Reading<()>;

    /// The number of frames, the pieces that are read at once.
    fn frames(&self) -> u64;

    /// Reads a frame: its tiles, and their bytes in place of what `out` held. Cells are
    /// little-endian, of [`Table::value_bytes`] bytes.
    fn frame(&self, frame: u64, out: &mut Vec<u8>) -> Reading<Range<u64>>;

    /// Whether what was once read stays in memory.
    fn is_resident(&self) -> bool;

    /// Whether it is not resident and lookups have been jumping about in it, so that a lookup
    /// most often pays for a whole frame.
    fn is_asked_at_random(&self) -> bool;
}

impl dyn Stored + '_ {
    /// The cell of a position; `None` if the table does not hold it.
    pub fn cell_of(&self, position: &Position) -> Reading<Option<u32>> {
        let table = self.table();
        match table.locate(position) {
            Some(place) => self.cell(table.number_of(place) / table.values_per_cell()).map(Some),
            None => Ok(None),
        }
    }

    /// Shows all cells in order, a frame at a time, as the number of the first one and the
    /// cells, until `show` says no.
    ///
    /// # Errors
    /// [`StoreError`] at the first frame that cannot be read.
    pub fn each_frame(&self, mut show: impl FnMut(u64, &[u32]) -> bool) -> Reading<()> {
        let (mut bytes, mut cells) = (Vec::new(), Vec::new());
        let tile_cells = self.table().tile_cells() as u64;
        for frame in 0..self.frames() {
            let tiles = self.frame(frame, &mut bytes)?;
            cells.clear();
            read_cells(self.table().value_bytes(), &bytes, &mut cells);
            if !show(tiles.start * tile_cells, &cells) {
                break;
            }
        }
        Ok(())
    }

    /// All cells, in order.
    ///
    /// # Errors
    /// [`StoreError`] at the first frame that cannot be read.
    pub fn all_cells(&self) -> Reading<Vec<u32>> {
        // Not reserved: a manifest alone says how many there are.
        let mut all = Vec::new();
        self.each_frame(|_, cells| {
            all.extend_from_slice(cells);
            true
        })?;
        Ok(all)
    }

    /// Reads every tile of some frames of a table of middles once and folds over them in
    /// parallel, in the rayon pool of the caller: what `grundy_sweep::sweep_part` does with
    /// computed tiles. All frames of the table are `0..frames()`.
    ///
    /// # Errors
    /// [`StoreError`] at the first frame that cannot be read.
    ///
    /// # Panics
    /// If `T` is not the table's width.
    pub fn scan<T: Cell, F: Fold<T>>(
        &self,
        frames: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Reading<Swept<F::Acc>> {
        let table = self.table();
        assert_eq!(table.value_bytes(), T::BYTES);
        let (cells, rows, length) = (table.tile_cells(), table.tile_rows(), table.length());
        let next = AtomicU64::new(frames.start);
        let end = frames.end.min(self.frames());
        let parts = rayon::broadcast(|_| {
            let mut part = Swept { acc: fold.start(), cells: 0, complete: true };
            let (mut bytes, mut values) = (Vec::new(), Vec::<T>::new());
            let mut middle = Vec::new();
            while !control.is_stopped() {
                let frame = next.fetch_add(1, Ordering::Relaxed);
                if frame >= end {
                    return Ok(part);
                }
                let tiles = self.frame(frame, &mut bytes)?;
                values.clear();
                values.extend(bytes.chunks_exact(T::BYTES).map(|cell| match *cell {
                    [low, high] => T::from_value(u32::from(u16::from_le_bytes([low, high]))),
                    _ => T::from_value(u32::from(cell[0])),
                }));
                for (tile, values) in tiles.zip(values.chunks_exact(cells)) {
                    table.tile_word(tile, &mut middle);
                    fold.tile(&mut part.acc, Tile { length, middle: &middle, rows, values });
                }
                part.cells += values.len() as u64;
                control.advance(values.len() as u64);
            }
            Ok(Swept { complete: false, ..part })
        });
        let none = Swept { acc: fold.start(), cells: 0, complete: true };
        parts.into_iter().try_fold(none, |left, right: Reading<_>| {
            let right = right?;
            Ok(Swept {
                acc: fold.merge(left.acc, right.acc),
                cells: left.cells + right.cells,
                complete: left.complete && right.complete,
            })
        })
    }
}

/// Appends the cells of `width` bytes each that stand in `bytes`.
pub fn read_cells(width: usize, bytes: &[u8], cells: &mut Vec<u32>) {
    match width {
        1 => cells.extend(bytes.iter().map(|&cell| u32::from(cell))),
        2 => cells.extend(
            bytes.as_chunks::<2>().0.iter().map(|&cell| u32::from(u16::from_le_bytes(cell))),
        ),
        _ => cells.extend(bytes.as_chunks::<4>().0.iter().map(|&cell| u32::from_le_bytes(cell))),
    }
}
