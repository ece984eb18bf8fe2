//! Keeps the lowest levels in memory, and computes tiles of any level from them.

use grundy_kernels::{Borders, Cell, Isa, Kernel, Scratch};
use grundy_rules::{Family, Game, Pile, Table, lex_word};
use rayon::prelude::*;

use crate::{Control, Level, MemoryLimit, Stopped};

/// The number of cells that one call of the kernel fills.
const BATCH_CELLS: usize = 1 << 16;

/// Levels 1, 2, ..., top of one game and largest pile, complete in memory.
#[derive(Clone, Debug)]
pub struct Ladder<T> {
    game: Game,
    kernel: Kernel,
    levels: Vec<Level<T>>,
}

impl<T: Cell> Ladder<T> {
    /// Returns a ladder with only the seed row.
    ///
    /// # Panics
    /// If the cell is too narrow for the largest pile, or if the values of the game do not follow
    /// from moves at the two ends ([`Family::Ends`]).
    pub fn new(game: Game, max_pile: Pile, isa: Isa) -> Ladder<T> {
        let n = max_pile as usize;
        assert!(n <= T::MAX_PILE);
        assert!(game.family() == Family::Ends, "{game} has no ladder");
        let seed = Level::seed(&game.single_piles(max_pile), n);
        Ladder { game, kernel: Kernel::new(isa, n), levels: vec![seed] }
    }

    /// Returns the bytes of a ladder up to `top`, or `None` on overflow.
    pub fn bytes(max_pile: Pile, top: usize) -> Option<u64> {
        (1..=top as u32).try_fold(0u64, |sum, length| {
            sum.checked_add(u64::from(max_pile).checked_pow(length)?.checked_mul(T::BYTES as u64)?)
        })
    }

    /// Returns the highest level, up to `wanted`, of a ladder of at most `memory` bytes. Levels 1
    /// and 2 are always kept.
    pub fn top_within(max_pile: Pile, wanted: usize, memory: MemoryLimit) -> usize {
        (3..=wanted)
            .take_while(|&top| {
                Self::bytes(max_pile, top).is_some_and(|bytes| memory.check(bytes).is_ok())
            })
            .last()
            .unwrap_or(wanted.min(2))
            .max(1)
    }

    pub fn game(&self) -> Game {
        self.game
    }

    pub fn max_pile(&self) -> usize {
        self.kernel.max_pile()
    }

    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    pub fn top(&self) -> usize {
        self.levels.len()
    }

    pub fn level(&self, length: usize) -> Option<&Level<T>> {
        self.levels.get(length.checked_sub(1)?)
    }

    pub fn into_levels(self) -> impl Iterator<Item = Vec<T>> {
        self.levels.into_iter().map(Level::into_values)
    }

    /// Adds levels until level `top` exists.
    ///
    /// # Errors
    /// [`Stopped`] if the control requests a stop; completed levels stay.
    pub fn extend(&mut self, top: usize, control: &Control) -> Result<(), Stopped> {
        while self.top() < top {
            let level = self.next_level(control)?;
            self.levels.push(level);
        }
        Ok(())
    }

    fn next_level(&self, control: &Control) -> Result<Level<T>, Stopped> {
        let (n, length) = (self.max_pile(), self.top() + 1);
        let tile = n * n;
        let tiles_per_batch = (BATCH_CELLS / tile).max(8);
        let mut values = vec![T::default(); n.pow(length as u32)];
        values.par_chunks_mut(tiles_per_batch * tile).enumerate().try_for_each_init(
            || Filler::new(self),
            |filler, (batch, out)| {
                control.check()?;
                let first = (batch * tiles_per_batch) as u64;
                let tiles = out.len() / tile;
                filler.set_words(length - 2, tiles, |at, word| {
                    lex_word(first + at as u64, n as u64, word);
                });
                filler.fill(out);
                Ok(())
            },
        )?;
        Ok(Level::from_values(n, length, values))
    }
}

/// Fills tiles of any level from a ladder. Contains the working memory of one thread. Callers first
/// set the middles, then pass the output.
#[derive(Debug)]
pub struct Filler<'a, T> {
    ladder: &'a Ladder<T>,
    scratch: Scratch,
    /// The middles to fill, each of `middle_length` piles.
    middles: Vec<Pile>,
    middle_length: usize,
    count: usize,
    /// The filler of the level below, if that level is not in the ladder.
    below: Option<Box<Filler<'a, T>>>,
    below_tiles: Vec<T>,
}

impl<'a, T: Cell> Filler<'a, T> {
    pub fn new(ladder: &'a Ladder<T>) -> Filler<'a, T> {
        Filler {
            ladder,
            scratch: Scratch::default(),
            middles: Vec::new(),
            middle_length: 0,
            count: 0,
            below: None,
            below_tiles: Vec::new(),
        }
    }

    /// Sets the next middles: `count` words of `length` piles. `write` writes the i-th word.
    pub fn set_words(
        &mut self,
        length: usize,
        count: usize,
        mut write: impl FnMut(usize, &mut [Pile]),
    ) {
        self.middle_length = length;
        self.count = count;
        self.middles.resize(length * count, 0);
        for at in 0..count {
            write(at, &mut self.middles[at * length..(at + 1) * length]);
        }
    }

    pub fn middle(&self, at: usize) -> &[Pile] {
        &self.middles[at * self.middle_length..(at + 1) * self.middle_length]
    }

    /// Fills the tiles of the middles that were set, one after another.
    ///
    /// # Panics
    /// If `out` is not as long as all tiles together.
    pub fn fill(&mut self, out: &mut [T]) {
        let n = self.ladder.max_pile();
        assert_eq!(out.len(), self.count * n * n);
        if self.middle_length < self.ladder.top() {
            self.fill_from_ladder(out);
        } else {
            self.fill_from_below(out);
        }
    }

    /// Fills tiles whose borders are rows of a level in memory.
    fn fill_from_ladder(&mut self, out: &mut [T]) {
        let level = &self.ladder.levels[self.middle_length];
        let mut reversed = vec![0; self.middle_length];
        let borders: Vec<Borders<'_, T>> = (0..self.count)
            .map(|at| {
                let middle = self.middle(at);
                reversed.copy_from_slice(middle);
                reversed.reverse();
                Borders { row: level.row(middle), col: level.row(&reversed) }
            })
            .collect();
        self.ladder.kernel.fill(&mut self.scratch, &borders, out);
    }

    /// Fills tiles whose borders are rows of other tiles, which are filled first. For w = x u y,
    /// R_w is row x of the tile of (u, y), and R_rev(w) is row y of the tile of (rev(u), x).
    fn fill_from_below(&mut self, out: &mut [T]) {
        let n = self.ladder.max_pile();
        let (length, count) = (self.middle_length, self.count);
        let mut below = self.below.take().unwrap_or_else(|| Box::new(Filler::new(self.ladder)));
        below.set_words(length - 1, 2 * count, |at, word| {
            let middle = self.middle(at / 2);
            if at % 2 == 0 {
                word.copy_from_slice(&middle[1..]);
            } else {
                word.copy_from_slice(&middle[..length - 1]);
                word.reverse();
            }
        });
        let mut tiles = std::mem::take(&mut self.below_tiles);
        tiles.resize(2 * count * n * n, T::default());
        below.fill(&mut tiles);
        let row = |tile: usize, pile: Pile| {
            let start = tile * n * n + (pile as usize - 1) * n;
            &tiles[start..start + n]
        };
        let borders: Vec<Borders<'_, T>> = (0..count)
            .map(|at| {
                let middle = self.middle(at);
                Borders { row: row(2 * at, middle[0]), col: row(2 * at + 1, middle[length - 1]) }
            })
            .collect();
        self.ladder.kernel.fill(&mut self.scratch, &borders, out);
        drop(borders);
        self.below_tiles = tiles;
        self.below = Some(below);
    }

    /// Fills tiles of a table in stored order, from `first` on. Length 1 is the seed row.
    ///
    /// # Panics
    /// If `out` does not consist of whole tiles, or exceeds the table.
    pub fn fill_stored(&mut self, table: &Table, first: u64, out: &mut [T]) {
        debug_assert_eq!(table.max_pile() as usize, self.ladder.max_pile());
        if table.length() == 1 {
            out.copy_from_slice(self.ladder.levels[0].values());
            return;
        }
        let tiles = out.len() / table.tile_cells();
        let mut middle = Vec::new();
        self.set_words(table.length() - 2, tiles, |at, word| {
            table.tile_word(first + at as u64, &mut middle);
            word.copy_from_slice(&middle);
        });
        self.fill(out);
    }

    /// Returns the working memory of the kernel, for callers that have the borders.
    pub(crate) fn scratch(&mut self) -> &mut Scratch {
        &mut self.scratch
    }
}
