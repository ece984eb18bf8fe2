//! Stored cells, which a solver reads by number. The code that opens files implements the two
//! traits of this module, so solvers do not depend on that code.

use std::error::Error;
use std::ops::Range;

use bytemuck::Pod;
use grundy_kernels::Cell;
use grundy_kernels::cells::cell_value;
pub use grundy_kernels::cells::read_cells;
use grundy_rules::{Game, Position, Table};
use grundy_sweep::{Control, Fold, Swept, Tile, try_fold_units};

use crate::fill::swap_stored;

/// The failure to read a stored cell, as the code that opens the files reports it.
pub type StoreError = Box<dyn Error + Send + Sync>;

pub type Reading<T> = Result<T, StoreError>;

/// A filter for tables to read.
pub type Wanted<'a> = &'a dyn Fn(&dyn Stored) -> bool;

pub trait Tables: Sync {
    /// Returns the table with the least max pile that `wanted` accepts, for a game and a length.
    fn find(&self, game: Game, length: usize, wanted: Wanted<'_>) -> Option<&dyn Stored>;
}

#[derive(Clone, Copy, Debug)]
pub struct NoTables;

impl Tables for NoTables {
    fn find(&self, _: Game, _: usize, _: Wanted<'_>) -> Option<&dyn Stored> {
        None
    }
}

pub trait Stored: Sync {
    fn table(&self) -> &Table;

    fn cell(&self, cell: u64) -> Reading<u32>;

    /// Replaces the contents of `out` by `count` cells: `first`, `first + step`, and so on.
    fn cells(&self, first: u64, step: u64, count: usize, out: &mut Vec<u32>) -> Reading<()>;

    /// Returns the number of frames. A frame is always read as a whole.
    fn frames(&self) -> u64;

    /// Returns the number of bytes in the files of the table.
    fn file_bytes(&self) -> u64;

    /// Returns the number of the frame that contains a tile.
    fn frame_of(&self, tile: u64) -> u64;

    /// Reads a frame. Returns its range of tiles, and replaces the contents of `out` by their
    /// bytes. Cells are little-endian and have [`Table::value_bytes`] bytes.
    fn frame(&self, frame: u64, out: &mut Vec<u8>) -> Reading<Range<u64>>;

    /// True if a cell stays in memory after it is read.
    fn is_resident(&self) -> bool;

    /// True if most look-ups decode a whole frame, because the table is not resident and recent
    /// look-ups were at random places.
    fn is_asked_at_random(&self) -> bool;
}

impl dyn Stored + '_ {
    /// Returns the value of a position, or the index of its class; `None` if the table does not
    /// hold the position.
    pub fn cell_of(&self, position: &Position) -> Reading<Option<u32>> {
        let table = self.table();
        let Some(place) = table.locate(position) else { return Ok(None) };
        let cell = self.cell(table.number_of(place) / table.values_per_cell())?;
        Ok(Some(match table.values_per_cell() {
            1 => cell,
            _ => cell_value(cell, place.within).into(),
        }))
    }

    /// Calls `show` for all frames in order, with the number of the first cell, and the cells.
    /// Stops if `show` returns false.
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

    pub fn all_cells(&self) -> Reading<Vec<u32>> {
        // Do not reserve memory, because a manifest may state a wrong number of cells.
        let mut all = Vec::new();
        self.each_frame(|_, cells| {
            all.extend_from_slice(cells);
            true
        })?;
        Ok(all)
    }

    /// Folds the tiles of these frames in parallel, in the rayon pool of the caller. The table must
    /// be numbered by middles. Reads each frame once. `grundy_sweep::sweep_part` does the same for
    /// computed tiles.
    ///
    /// # Panics
    /// Panics if `T` does not have the width of the table's cells.
    pub fn scan<T: Cell + Pod, F: Fold<T>>(
        &self,
        frames: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Reading<Swept<F::Acc>> {
        let table = self.table();
        assert_eq!(table.value_bytes(), T::BYTES);
        let (cells, rows, length) = (table.tile_cells(), table.tile_rows(), table.length());
        let frames = frames.start..frames.end.min(self.frames());
        let room = || (Vec::new(), Vec::<T>::new(), Vec::new());
        let read = |(bytes, values, middle): &mut (_, Vec<T>, _), acc: &mut F::Acc, frame| {
            let tiles = self.frame(frame, bytes)?;
            values.resize(bytes.len() / T::BYTES, T::default());
            bytemuck::cast_slice_mut(values).copy_from_slice(bytes);
            swap_stored(values);
            for (tile, values) in tiles.zip(values.chunks_exact(cells)) {
                table.tile_word(tile, middle);
                fold.tile(acc, Tile { length, middle, rows, values });
            }
            Ok(values.len() as u64)
        };
        let merge = |left, right| fold.merge(left, right);
        try_fold_units(frames, control, room, || fold.start(), read, merge)
    }
}
