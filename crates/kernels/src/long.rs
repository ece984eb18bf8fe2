//! Tiles of N > 255, one at a time.

use crate::rows::{self, place_all};
use crate::{Borders, Isa};

/// Reusable memory of the tile kernel for long rows.
#[derive(Debug, Default)]
pub(crate) struct Scratch(rows::Scratch);

/// Fills one tile with the implementation for `isa`.
pub(crate) fn fill(
    isa: Isa,
    n: usize,
    scratch: &mut Scratch,
    borders: &Borders<'_, u16>,
    tile: &mut [u16],
) {
    match isa {
        // SAFETY: a Kernel is only made for an instruction set the machine has.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 | Isa::Avx2 => unsafe { fill_avx2(n, scratch, borders, tile) },
        _ => fill_portable(n, scratch, borders, tile),
    }
}

#[inline(always)]
fn fill_portable(n: usize, scratch: &mut Scratch, borders: &Borders<'_, u16>, tile: &mut [u16]) {
    place_all(&mut scratch.0, borders.row, borders.col, |row, col, value| {
        tile[row * n + col] = value as u16;
    });
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1")]
fn fill_avx2(n: usize, scratch: &mut Scratch, borders: &Borders<'_, u16>, tile: &mut [u16]) {
    fill_portable(n, scratch, borders, tile);
}
