//! The positions of the lanes of a column: cells of tiles, or positions that are given one by one.

use grundy_rules::{Memory, Pile, coins};

use crate::machine::{Lanes, Machine};
use crate::program::{Input, Layout};
use crate::values::{Cells, Lines};

/// The arrangement of the piles in the positions of a tile. All positions share the piles w. The
/// pile a gives the row, and the pile b gives the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// The positions are a w b; for single piles they are b alone.
    Between,
    /// The positions are w a b.
    Behind,
}

/// A tile: all positions with the same piles w, for a and b from 1 on.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// The shared piles, w. (In a column of several tiles, the shared piles of each tile.)
    pub word: &'a [Pile],
    pub places: Places,
    /// The number of columns. The number of rows follows from the number of values.
    pub cols: usize,
    pub cells: Cells<'a>,
    /// The number of positions for which each cell stands: 2 if it also stands for the reversed
    /// position, otherwise 1.
    pub weight: u64,
}

/// Returns the layout of the positions that a reading evaluates.
pub(crate) fn layout(at: usize, places: Places) -> Layout {
    match places {
        _ if at == 1 => Layout::Backwards,
        Places::Between => Layout::Between,
        Places::Behind => Layout::Behind,
    }
}

/// The positions of a tile, or of several tiles, beginning with the cell `from`.
pub(crate) struct InTile<'a> {
    pub(crate) word: &'a [Pile],
    layout: Layout,
    pub(crate) cols: usize,
    pub(crate) cells: Cells<'a>,
    /// The number of cells of a tile.
    pub(crate) each: usize,
    pub(crate) from: usize,
    pub(crate) length: usize,
}

impl<'a> InTile<'a> {
    pub(crate) fn new(tile: &Tile<'a>, layout: Layout, length: usize, each: usize) -> InTile<'a> {
        let &Tile { word, cols, cells, .. } = tile;
        InTile { word, layout, cols, cells, each, from: 0, length }
    }

    /// Returns the number of piles that the positions of a tile share.
    fn shared(&self) -> usize {
        self.length.saturating_sub(2)
    }

    /// Returns the indices of a and b among the piles; a may be missing.
    pub(crate) fn ends(&self) -> (Option<usize>, usize) {
        let last = self.length - 1;
        match self.layout {
            _ if self.length == 1 => (None, 0),
            Layout::Backwards => (Some(last), 0),
            Layout::Behind => (Some(last - 1), last),
            _ => (Some(0), last),
        }
    }

    /// Returns for each pile the distance between the cells of positions that differ by one coin
    /// in it; 0 for the piles that all cells share.
    pub(crate) fn strides(&self) -> Vec<usize> {
        let mut strides = vec![0; self.length];
        let (row, col) = self.ends();
        strides[col] = 1;
        row.into_iter().for_each(|row| strides[row] = self.cols);
        strides
    }

    /// Fills the inputs for the piles that all cells of a tile share.
    pub(crate) fn fill_word(&self, machine: &mut dyn Machine) {
        let shared = self.shared();
        for at in 0..shared {
            let place = match self.layout {
                Layout::Between => at + 1,
                Layout::Backwards => shared - at,
                _ => at,
            };
            machine.set_tiles(Input::Pile(place), &self.word[at..], shared);
        }
    }

    /// Fills the inputs for the end piles, which have the rate Cell in large tiles.
    pub(crate) fn fill_ends(&self, machine: &mut dyn Machine, lanes: usize) {
        let (row, col) = self.ends();
        let cells = self.from..self.from + lanes;
        if let Some(row) = row {
            let mut rows = cells.clone().map(|at| (at / self.cols) as i128 + 1);
            machine.set_cells(Input::Pile(row), &mut rows);
        }
        machine.set_cells(Input::Pile(col), &mut cells.map(|at| (at % self.cols) as i128 + 1));
    }
}

impl Lanes for InTile<'_> {
    fn position(&self, lane: usize, piles: &mut Vec<Pile>) -> Memory {
        let (tile, cell) = ((self.from + lane) / self.each, (self.from + lane) % self.each);
        let (a, b) = ((cell / self.cols) as Pile + 1, (cell % self.cols) as Pile + 1);
        let word = &self.word[tile * self.shared()..][..self.shared()];
        piles.clear();
        let a = (self.length > 1).then_some(a);
        match self.layout {
            Layout::Backwards => {
                piles.push(b);
                piles.extend(word.iter().rev());
                piles.extend(a);
            }
            Layout::Behind => {
                piles.extend_from_slice(word);
                piles.extend(a);
                piles.push(b);
            }
            _ => {
                piles.extend(a);
                piles.extend_from_slice(word);
                piles.push(b);
            }
        }
        Memory::Nothing
    }

    fn tile(&self) -> Option<Lines<'_>> {
        let steps = match self.layout {
            Layout::Between => [self.cols, 1],
            Layout::Backwards => [1, self.cols],
            _ if self.length == 2 => [self.cols, 1],
            _ => return None,
        };
        (self.length > 1).then_some(Lines { cells: self.cells, from: self.from, steps })
    }

    fn largest(&self, lane: usize) -> Pile {
        let (tile, cell) = ((self.from + lane) / self.each, (self.from + lane) % self.each);
        let word = &self.word[tile * self.shared()..][..self.shared()];
        let a = if self.length > 1 { cell / self.cols + 1 } else { 0 };
        let ends = a.max(cell % self.cols + 1) as Pile;
        word.iter().fold(ends, |largest, &pile| largest.max(pile))
    }

    fn least_coins(&self) -> u64 {
        let words = self.word.chunks(self.shared().max(1));
        let coins = words.map(coins);
        let first_row = if self.length > 1 { (self.from / self.cols) as u64 + 1 } else { 0 };
        coins.min().unwrap_or(0) + first_row + 1
    }
}

/// Positions that are given one by one.
#[derive(Clone, Default)]
pub(crate) struct Listed {
    /// The piles of all positions, one position after another.
    pub(crate) piles: Vec<Pile>,
    /// The number of piles of a position.
    pub(crate) length: usize,
    pub(crate) memories: Vec<Memory>,
    pub(crate) cells: Vec<u32>,
}

impl Listed {
    pub(crate) fn push(&mut self, piles: &[Pile], memory: &Memory, cell: u32) {
        self.piles.extend_from_slice(piles);
        self.memories.push(memory.clone());
        self.cells.push(cell);
    }

    pub(crate) fn clear(&mut self) {
        self.piles.clear();
        self.memories.clear();
        self.cells.clear();
    }
}

impl Lanes for Listed {
    fn position(&self, lane: usize, piles: &mut Vec<Pile>) -> Memory {
        piles.clear();
        piles.extend_from_slice(&self.piles[lane * self.length..][..self.length]);
        self.memories[lane].clone()
    }

    fn largest(&self, lane: usize) -> Pile {
        let piles = &self.piles[lane * self.length..][..self.length];
        piles.iter().copied().max().unwrap_or(0)
    }
}
