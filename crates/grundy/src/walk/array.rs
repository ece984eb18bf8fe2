//! A level as an array: one value for each position, at an index given by its piles.

use grundy_kernels::Isa;
use grundy_rules::Numbering;
use grundy_solvers::Listing;
use grundy_sweep::Control;

use crate::{Cells, Database, Error, Level};

/// The entry of an array for a position that the rules exclude. As a signed number it is -1.
pub const EXCLUDED: u32 = u32::MAX;

/// The values of a level: a position with piles a, b, ... has the index \[a - 1\]\[b - 1\]...
///
/// Positions that the rules exclude have the value [`EXCLUDED`]. If the order of piles does not
/// matter, there is an entry for each order. If a last move is remembered, the last axis is the
/// last move, from 0; but single piles of short global nim have only the value at the beginning of
/// play. Levels of sets of moves, or of places, have one axis: the indices of the positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// The length of each axis.
    pub axes: Vec<usize>,
    /// The width of a value in bytes. In a game of outcome classes the value is the index of the
    /// class in [`Outcome::ALL`](crate::Outcome::ALL).
    pub width: usize,
    /// The values as little-endian numbers. The last axis varies fastest.
    pub bytes: Vec<u8>,
}

impl Level<'_> {
    /// Returns the values of the whole level.
    ///
    /// ```
    /// use grundy::{Level, games};
    ///
    /// let array = Level::new(games::END_NIM, 3, 4)?.array()?;
    /// assert_eq!((&array.axes[..], array.width), (&[4, 4, 4][..], 1));
    /// // 2,1,3 is the third of the row a = 2, b = 1.
    /// assert_eq!(array.bytes[1 * 16 + 0 * 4 + 2], 1);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Memory`] if the array does not fit, and the errors of [`Level::sweep`].
    pub fn array(&self) -> Result<Array, Error> {
        let (axes, width) = (self.axes(), self.array_width());
        self.check_memory(self.array_bytes())?;
        let mut bytes = vec![0; self.array_bytes() as usize];
        self.write_array(&mut bytes)?;
        Ok(Array { axes, width, bytes })
    }

    /// Writes the values of [`Level::array`] into a given buffer.
    ///
    /// # Panics
    /// Panics if `out` does not have [`Level::array_bytes`] bytes.
    pub fn write_array(&self, out: &mut [u8]) -> Result<(), Error> {
        assert_eq!(out.len() as u64, self.array_bytes(), "the bytes of {self:?}");
        let idle = Control::new();
        let control = self.lookout(&idle).control;
        let nothing = Database::empty();
        let database = self.options().database.unwrap_or(&nothing);
        let found = self.write_by(database, out, control);
        if control.is_stopped() { Err(Error::Stopped) } else { found }
    }

    fn write_by(
        &self,
        database: &Database,
        out: &mut [u8],
        control: &Control,
    ) -> Result<(), Error> {
        let (table, n) = (self.table(), self.table().max_pile());
        if Listing::of(table) == Listing::Records {
            let mut cells = out.chunks_exact_mut(4);
            database.each_record(table.game(), n, |value, _| match cells.next() {
                Some(cell) => {
                    cell.copy_from_slice(&value.to_le_bytes());
                    !control.is_stopped()
                }
                None => false,
            })?;
            return Ok(());
        }
        if table.game().has_thresholds() {
            return self.write_classes(out);
        }
        let rows = database.rows(table, Isa::best(), control)?;
        if !table.game().excludes() {
            return Ok(rows.fill(0, out, control)?);
        }
        // Read the cells into the end of the array. Then widen them, from the first to the last.
        let (entries, width) = (out.len() / 4, rows.shape().width);
        let from = out.len() - entries * width;
        rows.fill(0, &mut out[from..], control)?;
        for number in 0..entries {
            let mut cell = [0; 4];
            cell[..width].copy_from_slice(&out[from + number * width..][..width]);
            if table.position(number as u64).is_none() {
                cell = EXCLUDED.to_le_bytes();
            }
            out[4 * number..][..4].copy_from_slice(&cell);
        }
        Ok(())
    }

    fn write_classes(&self, out: &mut [u8]) -> Result<(), Error> {
        let mut left = out;
        self.each(|block| {
            if let Cells::Bytes(values) = block.values() {
                let (here, rest) = std::mem::take(&mut left).split_at_mut(values.len());
                here.copy_from_slice(values);
                left = rest;
            }
            true
        })
    }

    /// Returns the width of a value of [`Level::array`] in bytes.
    pub fn array_width(&self) -> usize {
        let table = self.table();
        match Listing::of(table) {
            Listing::Records => 4,
            _ if table.game().excludes() => 4,
            // Tables of sets pack sixteen values in a cell, but an array has a byte for each value.
            _ if table.numbering() == Numbering::Sets || table.game().has_thresholds() => 1,
            _ => table.value_bytes(),
        }
    }

    /// Returns the size of [`Level::array`] in bytes, or `u64::MAX` if it is larger.
    pub fn array_bytes(&self) -> u64 {
        let axes = self.axes().into_iter();
        axes.fold(self.array_width() as u64, |bytes, axis| bytes.saturating_mul(axis as u64))
    }

    /// Returns the length of each axis of [`Level::array`].
    pub fn axes(&self) -> Vec<usize> {
        let table = self.table();
        let n = table.max_pile() as usize;
        match Listing::of(table) {
            Listing::Numbers => vec![table.numbers().end as usize],
            Listing::LastMoves => [vec![n; table.length()], vec![table.tile_cols()]].concat(),
            _ => vec![n; table.length()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::Game;
    use grundy_rules::games::{END_NIM, LONG_GLOBAL_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM};

    /// The expected sizes were calculated by hand.
    #[test]
    fn an_array_has_its_axes_and_width_before_it_is_computed() {
        let shape = |game: Game, length, max_pile| {
            let level = Level::new(game, length, max_pile).unwrap();
            (level.axes(), level.array_width(), level.array_bytes())
        };
        assert_eq!(shape(END_NIM, 3, 4), (vec![4; 3], 1, 64));
        assert_eq!(shape(END_NIM, 3, 130), (vec![130; 3], 2, 2 * 130 * 130 * 130));
        assert_eq!(shape(NIM, 2, 7), (vec![7; 2], 1, 49));
        assert_eq!(shape(PARTIZAN_END_NIM, 2, 300), (vec![300; 2], 1, 90_000));
        assert_eq!(shape(SHORT_GLOBAL_NIM, 1, 9), (vec![9], 4, 36));
        assert_eq!(shape(SHORT_GLOBAL_NIM, 2, 4), (vec![4, 4, 5], 1, 80));
        // Two unused entries come before the 2 + 4 + ... + 512 sets of moves of piles up to 9.
        assert_eq!(shape(LONG_GLOBAL_NIM, 1, 9), (vec![1024], 1, 1024));
    }

    #[test]
    fn an_array_beyond_the_memory_is_refused() {
        for game in [END_NIM, NIM, PARTIZAN_END_NIM, SHORT_GLOBAL_NIM] {
            for length in [1, 2] {
                let level = Level::new(game, length, 9).unwrap();
                let bytes = level.array_bytes();
                let exact = level.clone().memory(bytes).array().unwrap();
                assert_eq!(exact.bytes.len() as u64, bytes);
                let small = level.clone().memory(bytes - 1).array();
                assert!(
                    matches!(small, Err(Error::Memory { shortage, .. }) if shortage.needed == bytes)
                );
                let control = Control::new();
                control.stop();
                let stopped = level.control(&control).array();
                assert!(matches!(stopped, Err(Error::Stopped)), "{game}: {stopped:?}");
            }
        }
        let level = Level::new(END_NIM, 2, 9).unwrap();
        let write = || level.write_array(&mut [0; 80]);
        let wrong = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write));
        assert!(wrong.is_err());
    }
}
