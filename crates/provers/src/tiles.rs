//! Cells of rows of any length, tile by tile.
//!
//! The tile of a middle w has the cells of all rows a·w·b with 0 <= a, b <= N (0 means no pile).
//! It follows from the tiles of w without its first pile and of w without its last pile:
//!
//! ```text
//!   w = x m y      cell(0, b) = the row m y b with x in front = tile of m y, at (x, b)
//!                  cell(a, 0) = the row a x m with y behind   = tile of x m, at (a, y)
//!                  all others by the moves, which stay inside the tile
//! ```
//!
//! There are finitely many tiles for each N, and every tile is computed once.

use std::collections::HashMap;

use grundy_rules::Pile;

use crate::ends::EndMoves;

#[derive(Debug)]
pub(crate) struct Tiles {
    pub(crate) moves: EndMoves,
    cells: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, u32>,
    made: HashMap<(u32, u32, Pile, Pile), u32>,
}

pub(crate) const EMPTY: u32 = 0;

impl Tiles {
    pub(crate) fn new(moves: EndMoves) -> Tiles {
        let (cells, numbers, made) = (Vec::new(), HashMap::new(), HashMap::new());
        let mut tiles = Tiles { moves, cells, numbers, made };
        tiles.fill(0, vec![0; tiles.side() * tiles.side()].into());
        tiles
    }

    fn side(&self) -> usize {
        self.moves.piles as usize + 1
    }

    /// Fills the cells whose ends are at least `least`, in order of the number of coins. Returns
    /// the tile's number.
    fn fill(&mut self, least: usize, mut cells: Box<[u32]>) -> u32 {
        let side = self.side();
        for coins in 0..2 * side - 1 {
            for a in least.max((coins + 1).saturating_sub(side))..side.min(coins + 1 - least) {
                let said = |a: Pile, b: Pile| cells[a as usize * side + b as usize];
                cells[a * side + coins - a] =
                    self.moves.solve(a as Pile, (coins - a) as Pile, said);
            }
        }
        let next = self.cells.len() as u32;
        let number = *self.numbers.entry(cells.clone()).or_insert(next);
        if number == next {
            self.cells.push(cells);
        }
        number
    }

    /// Returns the tile of a middle that begins with x and ends with y. This tile follows from
    /// `tail` and `init`, the tiles of the middle without its first pile and without its last pile.
    pub(crate) fn make(&mut self, tail: u32, init: u32, x: Pile, y: Pile) -> u32 {
        if let Some(&known) = self.made.get(&(tail, init, x, y)) {
            return known;
        }
        let side = self.side();
        let mut cells = vec![0; side * side].into_boxed_slice();
        for end in 0..side {
            cells[end] = self.cell(tail, x, end as Pile);
            cells[end * side] = self.cell(init, end as Pile, y);
        }
        let number = self.fill(1, cells);
        self.made.insert((tail, init, x, y), number);
        number
    }

    pub(crate) fn cell(&self, tile: u32, a: Pile, b: Pile) -> u32 {
        self.cells[tile as usize][a as usize * self.side() + b as usize]
    }

    /// Returns the cells of a tile for the rows with two ends.
    pub(crate) fn with_two_ends(&self, tile: u32) -> Vec<u32> {
        let lines = self.cells[tile as usize].chunks(self.side());
        lines.skip(1).flat_map(|line| line[1..].to_vec()).collect()
    }

    pub(crate) fn cell_of(&mut self, row: &[Pile]) -> u32 {
        // The tiles of all words that end at this pile, from the longest word to the empty word.
        let mut ending = vec![EMPTY];
        for (at, &last) in row.iter().enumerate() {
            ending.push(EMPTY);
            for from in (0..=at).rev() {
                ending[from] = self.make(ending[from + 1], ending[from], row[from], last);
            }
        }
        self.cell(ending[0], 0, 0)
    }

    pub(crate) fn bytes(&self) -> u64 {
        let side = self.side();
        (self.cells.len() * (side * side * 8 + 64) + self.made.len() * 40) as u64
    }
}
