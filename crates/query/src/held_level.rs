//! A level in memory, for look-ups.

use grundy_kernels::cells::CellVec;
use grundy_rules::{Memory, Multisets, Pile, Table};

/// The values of a level, or of a part of it.
#[derive(Debug)]
pub struct HeldLevel {
    pub values: CellVec,
    /// The index of the first of these values in the whole level.
    pub from: usize,
    pub layout: Layout,
    pub max_pile: Pile,
}

/// The order of the values in a level.
#[derive(Debug)]
pub enum Layout {
    /// Rows, with a stride for each pile.
    Rows(Vec<usize>),
    Multisets(Multisets),
    /// Single piles n with the last moves 0, ..., n.
    Triangle,
    /// The order of the position numbers, which the table defines. The second field is the number
    /// of the first value.
    Numbers(Table, u64),
}

impl Layout {
    /// Returns the layout of all words, in lexicographic order.
    pub fn words(max_pile: Pile, length: usize) -> Layout {
        Layout::Rows((0..length).rev().map(|at| (max_pile as usize).pow(at as u32)).collect())
    }
}

impl HeldLevel {
    /// Returns the value of a position of the level's length, or the index of its class.
    pub fn cell(&self, piles: &[Pile], memory: &Memory) -> Option<u32> {
        if piles.iter().any(|&pile| pile > self.max_pile) {
            return None;
        }
        let place = match (&self.layout, memory) {
            (Layout::Rows(strides), _) => {
                piles.iter().zip(strides).map(|(&pile, stride)| (pile as usize - 1) * stride).sum()
            }
            (Layout::Multisets(multisets), _) => multisets.rank(piles) as usize,
            (Layout::Triangle, Memory::Numbers(taken, _)) => {
                // A last move larger than the pile forbids nothing, so it counts as no last move.
                let n = piles[0] as usize;
                let taken = if *taken as usize > n { 0 } else { *taken as usize };
                (n - 1) * (n + 2) / 2 + taken
            }
            (Layout::Numbers(table, first), _) => {
                let number = table.number_of(table.locate_written(piles, memory)?);
                usize::try_from(number.checked_sub(*first)?).ok()?
            }
            _ => return None,
        };
        let (place, cells) = (place.checked_sub(self.from)?, self.values.cells());
        (place < cells.count()).then(|| cells.get(place))
    }

    /// Returns the size of the values in bytes.
    pub fn bytes(&self) -> u64 {
        let cells = self.values.cells();
        (cells.count() * cells.width()) as u64
    }
}
