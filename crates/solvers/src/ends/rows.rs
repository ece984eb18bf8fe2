//! Computes the rows of all words of a level, tile by tile.
//!
//! The tile of a middle w has the rows of the words 1 w, 2 w, ..., N w. In lexicographic order
//! these rows are far apart, because rows with the same first pile a are in the order of their
//! middles:
//!
//! ```text
//!  middles   w  w+1  w+2 ...       one thread fills the tiles of a run of middles and hands
//!  a = 1     ───────────►          out N runs, one for each a
//!  a = 2     ───────────►
//! ```
//!
//! The tile of the reversed middle is filled, too, which is faster than transposing the tile.

use std::ops::Range;

use bytemuck::NoUninit;
use grundy_kernels::Cell;
use grundy_rules::{Table, lex_word};
use grundy_sweep::{Control, Filler, Ladder};
use rayon::prelude::*;

use crate::answer::Reply;
use crate::fill::{FillError, stored_bytes};
use crate::rows::{Put, RowShape, Rows, words};

/// The bytes of the runs that a thread passes on at once, and of the tiles that it fills at once.
const GATHER_BYTES: usize = 1 << 19;
const TILE_BYTES: usize = 1 << 17;

/// Returns the number of middles in a run, if a tile has `tile_bytes` bytes.
fn run_of(tile_bytes: usize) -> usize {
    (GATHER_BYTES / tile_bytes).max(1)
}

/// Returns the number of cells from the run of one first pile to the run of the next first pile. An
/// additional cache line keeps the rows of a tile from mapping to the same cache set.
fn stride_of(run: usize, n: usize) -> usize {
    run * n + 64
}

fn together_of(tile_bytes: usize) -> usize {
    (TILE_BYTES / tile_bytes).clamp(8, 64)
}

/// The rows of a level above a ladder, or of the lowest level of the ladder.
pub(super) struct LadderRows<'a, T> {
    pub(super) ladder: Ladder<T>,
    pub(super) table: &'a Table,
    pub(super) seconds: f64,
}

impl<T: Cell> LadderRows<'_, T> {
    /// Returns the number of piles of a middle, and the number of middles.
    fn middles(&self) -> (usize, u64) {
        let length = self.table.length().saturating_sub(2);
        (length, words(self.table.max_pile(), length))
    }
}

impl<T: Cell + NoUninit> Rows for LadderRows<'_, T> {
    fn shape(&self) -> RowShape {
        let (n, length) = (self.table.max_pile(), self.table.length());
        RowShape {
            rows: words(n, length - 1),
            cells: n as usize,
            width: T::BYTES,
            together: self.middles().1,
            seconds: self.seconds,
        }
    }

    fn each_run(&self, rows: Range<u64>, control: &Control, put: Put<'_>) -> Reply<()> {
        if rows.is_empty() {
            return Ok(());
        }
        if self.table.length() == 1 {
            let Some(seeds) = self.ladder.level(1) else { return Ok(()) };
            control.check().map_err(FillError::from)?;
            control.advance(seeds.values().len() as u64);
            return Ok(put(0, stored_bytes(&mut seeds.values().to_vec()))?);
        }
        let n = self.ladder.max_pile();
        let (length, middles) = self.middles();
        // A row has the number (a - 1) · middles + w, where a counts from 1 and w from 0.
        let lefts = rows.start / middles..rows.end.div_ceil(middles);
        let wanted = match lefts.end - lefts.start {
            1 => rows.start - lefts.start * middles..rows.end - lefts.start * middles,
            _ => 0..middles,
        };
        let tile_bytes = n * n * T::BYTES;
        let run = run_of(tile_bytes) as u64;
        let stride = stride_of(run as usize, n);
        let starts: Vec<u64> = wanted.clone().step_by(run as usize).collect();
        let room = || (Filler::new(&self.ladder), Vec::new(), Vec::new());
        starts.into_par_iter().try_for_each_init(room, |(filler, tiles, gathered), first| {
            control.check().map_err(FillError::from)?;
            let count = (wanted.end - first).min(run) as usize;
            gathered.resize(n * stride, T::default());
            let together = together_of(tile_bytes);
            for at in (0..count).step_by(together) {
                let here = together.min(count - at);
                filler.set_words(length, here, |tile, word| {
                    lex_word(first + (at + tile) as u64, n as u64, word);
                });
                tiles.resize(here * n * n, T::default());
                filler.fill(tiles);
                for (tile, values) in tiles.chunks_exact(n * n).enumerate() {
                    let lefts = lefts.start as usize..lefts.end as usize;
                    for (a, row) in lefts.clone().zip(values[lefts.start * n..].chunks_exact(n)) {
                        let place = a * stride + (at + tile) * n;
                        gathered[place..place + n].copy_from_slice(row);
                    }
                }
            }
            let mut cells = 0;
            for a in lefts.clone() {
                let runs = a * middles + first..a * middles + first + count as u64;
                let (from, to) = (runs.start.max(rows.start), runs.end.min(rows.end));
                if from < to {
                    let start = a as usize * stride + (from - runs.start) as usize * n;
                    let values = &mut gathered[start..start + (to - from) as usize * n];
                    cells += values.len() as u64;
                    put(from, stored_bytes(values))?;
                }
            }
            control.advance(cells);
            Ok(())
        })
    }
}
