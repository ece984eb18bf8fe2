//! Computes and visits all tiles of a table.

use std::ops::Range;

use grundy_kernels::{Borders, Cell};
use grundy_rules::{Middles, Pile, Table};

use crate::{Batch, Control, Filler, Fold, Ladder, Swept, Tile, fold_units};

/// The number of cells in one call of the kernel, few enough for the cache of one core.
const BATCH_CELLS: usize = 1 << 16;

/// Visits the tiles of `table` and folds over them in parallel. Computes each tile from the ladder.
/// For a middle and its reversal, visits only one tile (see [`Tile::weight`]). Tables may store the
/// other one.
///
/// # Panics
/// If the max piles of the ladder and the table differ.
pub fn sweep<T: Cell, F: Fold<T>>(
    ladder: &Ladder<T>,
    table: &Table,
    control: &Control,
    fold: &F,
) -> Swept<F::Acc> {
    sweep_part(ladder, table, 0..parts(table), control, fold)
}

/// Returns the number of parts of a walk over a table. There is a part for each canonical inner
/// word (a position without its first two and last two piles). Tables of fewer than five piles are
/// one part.
pub fn parts(table: &Table) -> u64 {
    inner_words(table).map_or(1, |inner| inner.count())
}

fn inner_words(table: &Table) -> Option<Middles> {
    table.length().checked_sub(4).and_then(|m| Middles::new(table.max_pile(), m))
}

/// Visits only a range of the parts of a table; [`sweep()`] visits all parts. The parts do not
/// depend on the height of the ladder, so another ladder can resume a walk.
///
/// # Panics
/// If the max piles of the ladder and the table differ.
pub fn sweep_part<T: Cell, F: Fold<T>>(
    ladder: &Ladder<T>,
    table: &Table,
    part: Range<u64>,
    control: &Control,
    fold: &F,
) -> Swept<F::Acc> {
    assert_eq!(ladder.max_pile(), table.max_pile() as usize);
    let blocks = Blocks::new(ladder, table);
    let end = part.end.min(parts(table)) * blocks.cuts;
    let units = part.start * blocks.cuts..end;
    let room = || Walker::new(ladder, table);
    let visit =
        |walker: &mut Walker<'_, T>, acc: &mut _, block| walker.visit(&blocks, block, fold, acc);
    fold_units(units, control, room, || fold.start(), visit, |left, right| fold.merge(left, right))
}

/// The division of the tiles of a table into blocks of work.
///
/// From length 4 on, a block contains all middles x u y with the same canonical inner word u. If
/// the rows that the block needs are in the ladder, the block is divided further, by x. Shorter
/// tables have at most N tiles, and are divided into runs of tiles that the kernel fills together.
struct Blocks {
    inner: Option<Middles>,
    /// The number of blocks for an inner word: N (one for each x), or 1 if the rows must be
    /// computed. For a shorter table, the number of its runs.
    cuts: u64,
    max_pile: Pile,
}

/// Returns the number of tiles in a block of a table of at most three piles: as many as the kernel
/// fills together, or one large tile.
fn short_run(table: &Table) -> u64 {
    if table.max_pile() <= 255 { 8 } else { 1 }
}

impl Blocks {
    fn new<T: Cell>(ladder: &Ladder<T>, table: &Table) -> Blocks {
        let max_pile = table.max_pile();
        let inner = inner_words(table);
        let resident = table.length() <= ladder.top() + 1;
        let cuts = match inner {
            None => table.tiles().div_ceil(short_run(table)),
            Some(_) if resident => u64::from(max_pile),
            Some(_) => 1,
        };
        Blocks { inner, cuts, max_pile }
    }

    fn first_ends(&self, block: u64) -> Range<Pile> {
        if self.cuts == 1 {
            1..self.max_pile + 1
        } else {
            let x = (block % self.cuts) as Pile + 1;
            x..x + 1
        }
    }
}

struct Walker<'a, T> {
    ladder: &'a Ladder<T>,
    table: &'a Table,
    filler: Filler<'a, T>,
    /// The tiles of (u, y) and of (rev(u), x), if the ladder lacks them.
    ring: Vec<T>,
    out: Vec<T>,
    middles: Vec<Pile>,
}

impl<'a, T: Cell> Walker<'a, T> {
    fn new(ladder: &'a Ladder<T>, table: &'a Table) -> Walker<'a, T> {
        let filler = Filler::new(ladder);
        Walker { ladder, table, filler, ring: Vec::new(), out: Vec::new(), middles: Vec::new() }
    }

    /// Folds over the tiles of a block; returns the number of cells.
    fn visit<F: Fold<T>>(
        &mut self,
        blocks: &Blocks,
        block: u64,
        fold: &F,
        acc: &mut F::Acc,
    ) -> u64 {
        let Some(inner) = &blocks.inner else {
            return self.visit_short(block, fold, acc);
        };
        let n = self.ladder.max_pile();
        let mut word = vec![0; inner.length()];
        inner.unrank(block / blocks.cuts, &mut word);
        let reversed: Vec<Pile> = word.iter().rev().copied().collect();
        let mut ring = std::mem::take(&mut self.ring);
        let (after, after_reversed) = match self.ladder.level(word.len() + 3) {
            Some(level) => (level.tiles_after(&word), level.tiles_after(&reversed)),
            None => {
                let half = n * n * n;
                ring.resize(2 * half, T::default());
                self.filler.set_words(word.len() + 1, 2 * n, |at, middle| {
                    let source = if at < n { &word } else { &reversed };
                    middle[..word.len()].copy_from_slice(source);
                    middle[word.len()] = (at % n) as Pile + 1;
                });
                self.filler.fill(&mut ring);
                ring.split_at(half)
            }
        };
        // Returns the range of row `row` in the tile of (word, last).
        let row = |last: Pile, row: Pile| -> Range<usize> {
            let start = ((last as usize - 1) * n + row as usize - 1) * n;
            start..start + n
        };
        let palindrome = Middles::is_palindrome(&word);
        let batch = (BATCH_CELLS / (n * n)).max(8);
        let mut cells = 0;
        let mut borders: Vec<Borders<'_, T>> = Vec::with_capacity(batch);
        self.middles.clear();
        for x in blocks.first_ends(block) {
            for y in if palindrome { x } else { 1 }..=n as Pile {
                self.middles.push(x);
                self.middles.extend_from_slice(&word);
                self.middles.push(y);
                borders.push(Borders { row: &after[row(y, x)], col: &after_reversed[row(x, y)] });
                if borders.len() == batch {
                    cells += self.flush(&mut borders, fold, acc);
                }
            }
        }
        cells += self.flush(&mut borders, fold, acc);
        drop(borders);
        self.ring = ring;
        cells
    }

    fn flush<F: Fold<T>>(
        &mut self,
        borders: &mut Vec<Borders<'_, T>>,
        fold: &F,
        acc: &mut F::Acc,
    ) -> u64 {
        let n = self.ladder.max_pile();
        let cells = borders.len() * n * n;
        let length = self.table.length();
        fold.batch(
            acc,
            Batch {
                length,
                kernel: self.ladder.kernel(),
                borders,
                middles: &self.middles,
                scratch: self.filler.scratch(),
                out: &mut self.out,
            },
        );
        borders.clear();
        self.middles.clear();
        cells as u64
    }

    /// Folds over a run of tiles of a table of one to three piles.
    fn visit_short<F: Fold<T>>(&mut self, block: u64, fold: &F, acc: &mut F::Acc) -> u64 {
        let table = self.table;
        let (length, rows, cells) = (table.length(), table.tile_rows(), table.tile_cells());
        let run = short_run(table);
        let first = block * run;
        let tiles = first..(first + run).min(table.tiles());
        let mut middle = Vec::new();
        let values = (tiles.end - first) as usize * cells;
        if self.out.len() < values {
            self.out.resize(values, T::default());
        }
        let out = &mut self.out[..values];
        self.filler.fill_stored(table, first, out);
        for (tile, values) in tiles.zip(out.chunks_exact(cells)) {
            table.tile_word(tile, &mut middle);
            fold.tile(acc, Tile { length, middle: &middle, rows, values });
        }
        values as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Stopped;
    use crate::testing::ladder_games;
    use grundy_kernels::Isa;
    use grundy_rules::{Game, Position, reference::Reference};
    use std::collections::HashMap;

    /// Collects every word with its value.
    struct Gather;

    impl Fold<u8> for Gather {
        type Acc = HashMap<Vec<Pile>, u32>;

        fn start(&self) -> Self::Acc {
            HashMap::new()
        }

        fn tile(&self, acc: &mut Self::Acc, tile: Tile<'_, u8>) {
            let mut piles = Vec::new();
            for (row, line) in tile.lines().enumerate() {
                for (col, &value) in line.iter().enumerate() {
                    tile.piles(row, col, &mut piles);
                    assert_eq!(acc.insert(piles.clone(), u32::from(value)), None);
                    if tile.weight() == 2 {
                        let back = piles.iter().rev().copied().collect();
                        assert_eq!(acc.insert(back, u32::from(value)), None);
                    }
                }
            }
        }

        fn merge(&self, mut left: Self::Acc, right: Self::Acc) -> Self::Acc {
            left.extend(right);
            left
        }
    }

    fn first_game() -> Game {
        ladder_games().next().expect("there is one")
    }

    #[test]
    fn every_word_is_visited_once_and_rightly() {
        for game in ladder_games() {
            let mut reference = Reference::new(game);
            for (n, longest) in [(1, 6), (2, 8), (4, 6)] {
                for length in 1..=longest {
                    for top in 1..=length {
                        let table = Table::new(game, n, length).unwrap();
                        let control = Control::new();
                        let mut ladder = Ladder::<u8>::new(game, n, Isa::best());
                        ladder.extend(top, &control).unwrap();
                        let seen = sweep(&ladder, &table, &control, &Gather);
                        assert!(seen.complete && seen.cells == table.cells());
                        let seen = seen.acc;
                        assert_eq!(seen.len() as u64, table.positions());
                        assert_eq!(control.done(), table.cells());
                        for (piles, value) in seen {
                            let position = Position::new(piles).unwrap();
                            assert_eq!(value, reference.value(&position), "{game} {position}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_stopped_sweep_says_so() {
        let game = first_game();
        let table = Table::new(game, 8, 5).unwrap();
        let control = Control::new();
        let mut ladder = Ladder::<u8>::new(game, 8, Isa::best());
        ladder.extend(3, &control).unwrap();
        control.stop();
        assert!(!sweep(&ladder, &table, &control, &Gather).complete);
        assert_eq!(ladder.extend(4, &control), Err(Stopped));
    }
}
