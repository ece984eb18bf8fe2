//! Derives tiles again, by the definition of mex, without the kernels.

use grundy_rules::reference::Reference;
use grundy_rules::{Middles, Pile, Position};

use crate::answer::Reply;
use crate::check::{Checker, Checking, Derived, TileRun, derived};
use crate::tables::Stored;

/// Derives tiles again. Every cell is the mex of the values above it, to its left, and on the
/// borders. The borders are rows of the table with one pile fewer. If that table is not stored, its
/// rows are derived in the same way.
pub(super) struct TileChecker<'a>(pub(super) Checking<'a>);

impl TileChecker<'_> {
    /// Replaces the contents of `row` by the values G(w b), b = 1, 2, ..., of a word w. The
    /// positions w b have fewer piles than those of the table.
    fn row(&self, word: &[Pile], row: &mut Vec<u32>) -> Reply<()> {
        let table = self.0.stored.table();
        let (game, n) = (table.game(), table.max_pile());
        let wanted = |found: &dyn Stored| found.table().max_pile() >= n;
        if let Some(shorter) = self.0.tables.find(game, word.len() + 1, &wanted) {
            return read_row(shorter, word, n, row);
        }
        row.clear();
        let Some((&first, middle)) = word.split_first() else {
            let mut single = Reference::new(game);
            row.extend((1..=n).map(|b| single.value(&Position::row(&[b]))));
            return Ok(());
        };
        // Derive the row as a part of the tile of the word's middle.
        let (mut above, mut beside) = (Vec::new(), Vec::new());
        self.row(middle, &mut above)?;
        let backwards: Vec<Pile> = middle.iter().rev().copied().collect();
        self.row(&backwards, &mut beside)?;
        beside.truncate(first as usize);
        let tile = tile_between(&above, &beside);
        row.extend_from_slice(&tile[(first as usize - 1) * n as usize..]);
        Ok(())
    }
}

/// Reads the row of a word from a stored table: a row of the tile of its middle (the word without
/// its first pile), or a column of the tile of the reversed middle, if the reversal is smaller.
pub(crate) fn read_row(
    stored: &dyn Stored,
    word: &[Pile],
    n: Pile,
    row: &mut Vec<u32>,
) -> Reply<()> {
    let width = u64::from(stored.table().max_pile());
    let (first, middle) = match word {
        [] => return Ok(stored.cells(0, 1, n as usize, row)?),
        [first, middle @ ..] => (u64::from(*first) - 1, middle),
    };
    let Some(middles) = Middles::new(stored.table().max_pile(), middle.len()) else {
        unreachable!("the table has these middles");
    };
    let backwards: Vec<Pile> = middle.iter().rev().copied().collect();
    let (start, step) = if middle <= &backwards[..] {
        (middles.rank(middle) * width * width + first * width, 1)
    } else {
        (middles.rank(&backwards) * width * width + first, width)
    };
    Ok(stored.cells(start, step, n as usize, row)?)
}

impl Checker for TileChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let table = self.0.stored.table();
        let (mut middle, mut row, mut col) = (Vec::new(), Vec::new(), Vec::new());
        for (at, values) in run.cells.chunks_exact(table.tile_cells()).enumerate() {
            table.tile_word(run.first + at as u64, &mut middle);
            self.row(&middle, &mut row)?;
            middle.reverse();
            self.row(&middle, &mut col)?;
            if let Some((a, b)) = first_wrong_cell(&row, &col, values) {
                let at = at * table.tile_cells() + a * table.tile_cols() + b;
                return Ok(derived(table, run, Some(at)));
            }
        }
        Ok(derived(table, run, None))
    }
}

/// Calls `cell` with the place (a, b) and the value of every cell of a tile. The value is the mex
/// of the cells above it and to its left, and of the borders `row` (G(w b)) and `col` (G(a w)).
/// Stops if `cell` returns false. A caller must stop at the first wrong cell, because later values
/// are derived from the mex and not from the wrong value.
fn each_mex(row: &[u32], col: &[u32], mut cell: impl FnMut(usize, usize, u32) -> bool) {
    // Sets of values as bits. Border values that exceed the sets do not affect the mex.
    let words = (row.len() + col.len()) / 64 + 1;
    let insert = |set: &mut [u64], value: u32| {
        if let Some(word) = set.get_mut(value as usize / 64) {
            *word |= 1 << (value % 64);
        }
    };
    let mut above = vec![0u64; words * row.len()];
    for (set, &value) in above.chunks_exact_mut(words).zip(row) {
        insert(set, value);
    }
    let mut left = vec![0u64; words];
    for (a, &border) in col.iter().enumerate() {
        left.fill(0);
        insert(&mut left, border);
        for (b, above) in above.chunks_exact_mut(words).enumerate() {
            let full = above.iter().zip(&left).take_while(|&(x, y)| x | y == u64::MAX).count();
            // The sets have more bits than a cell has options, so at least one word is not full.
            let mex = 64 * full as u32 + (above[full] | left[full]).trailing_ones();
            if !cell(a, b, mex) {
                return;
            }
            insert(above, mex);
            insert(&mut left, mex);
        }
    }
}

/// Returns the first cell of a tile, as (row, column) from 0, that contradicts the definition.
fn first_wrong_cell(row: &[u32], col: &[u32], tile: &[u32]) -> Option<(usize, usize)> {
    let mut wrong = None;
    each_mex(row, col, |a, b, mex| {
        wrong = (tile[a * row.len() + b] != mex).then_some((a, b));
        wrong.is_none()
    });
    wrong
}

/// Computes a tile by the definition, if its level is not stored.
fn tile_between(row: &[u32], col: &[u32]) -> Vec<u32> {
    let mut tile = Vec::with_capacity(row.len() * col.len());
    each_mex(row, col, |_, _, mex| {
        tile.push(mex);
        true
    });
    tile
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::mex;

    /// Tests tiles whose values exceed one word of bits. Bouton's theorem gives the values for Nim,
    /// and the definition of mex gives them for arbitrary borders.
    #[test]
    fn every_wrong_cell_of_a_large_tile_is_found() {
        for n in [9u32, 64, 70] {
            let border: Vec<u32> = (1..=n).collect();
            let tile: Vec<u32> = (1..=n).flat_map(|a| (1..=n).map(move |b| a ^ b)).collect();
            assert_eq!(tile_between(&border, &border), tile);
            assert_eq!(first_wrong_cell(&border, &border, &tile), None);
            for at in [0, 1, tile.len() / 2, tile.len() - 1] {
                for wrong in [tile[at] + 64, tile[at] ^ 1, tile[at] + 1000] {
                    let mut tile = tile.clone();
                    tile[at] = wrong;
                    let cell = (at / n as usize, at % n as usize);
                    assert_eq!(first_wrong_cell(&border, &border, &tile), Some(cell));
                }
            }
        }
        let mut state = 1u32;
        let mut below = |most: u32| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) % most
        };
        for (rows, cols) in [(1, 1), (1, 130), (130, 1), (3, 64), (70, 70)] {
            for most in [2, 40, 400] {
                let row: Vec<u32> = (0..cols).map(|_| below(most)).collect();
                let col: Vec<u32> = (0..rows).map(|_| below(most)).collect();
                let tile = tile_between(&row, &col);
                for (at, &value) in tile.iter().enumerate() {
                    let (a, b) = (at / cols, at % cols);
                    let left = (0..b).map(|b| tile[a * cols + b]).chain([col[a]]);
                    let above = (0..a).map(|a| tile[a * cols + b]).chain([row[b]]);
                    assert_eq!(value, mex(left.chain(above)), "{rows} {cols} {most}");
                }
            }
        }
    }
}
