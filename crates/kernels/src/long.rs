//! Tiles of N > 255, one at a time.

use crate::Borders;
use crate::rows::{self, place_all};
use crate::vector::{AnyVector, Present, Work};

/// Reusable memory of the tile kernel for long rows.
#[derive(Debug, Default)]
pub(crate) struct Scratch(rows::Scratch);

/// A tile to be filled.
struct Fill<'a, 'b> {
    n: usize,
    scratch: &'a mut Scratch,
    borders: &'a Borders<'b, u16>,
    tile: &'a mut [u16],
}

impl Work for Fill<'_, '_> {
    // SAFETY: the promise of the trait is not needed here.
    #[inline(always)]
    unsafe fn run<V: AnyVector>(self) {
        let Fill { n, scratch, borders, tile } = self;
        place_all(
            &mut scratch.0,
            borders.row,
            borders.col,
            |_| true,
            |row, col, value| {
                tile[row * n + col] = value as u16;
            },
        );
    }
}

/// Fills one tile.
pub(crate) fn fill(
    isa: Present,
    n: usize,
    scratch: &mut Scratch,
    borders: &Borders<'_, u16>,
    tile: &mut [u16],
) {
    // The search goes word by word: what helps is BMI.
    isa.up_to_avx2().run(Fill { n, scratch, borders, tile });
}
