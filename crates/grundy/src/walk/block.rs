//! Blocks of positions, the units of a walk.
//!
//! The values of a block are in one array, so a question about values reads some billions of
//! numbers per second. Positions are computed only on demand. The table determines their order:
//!
//! ```text
//! rows of piles        a w b, or w a b, for a word w and all piles a and b
//! piles in any order   multisets, one after another
//! with a last move     the last moves 0, 1, 2, ... of some piles
//! anything else        as the game numbers its positions
//! ```
//!
//! # Reversals
//!
//! In most row games a position and its reversal have the same value. So the block of the positions
//! a w b also represents their reversals, which no other block shows. Such a block has the
//! [`weight`](Block::weight) 2. [`each_position`](Block::each_position) shows both positions, and
//! [`count`](Block::count) counts both. [`values`](Block::values) and
//! [`each_cell`](Block::each_cell) leave the weight to the caller.

use grundy_kernels::cells::Cells;
use grundy_kernels::with_cells;
use grundy_rules::{Game, Memory, Outcome, Pile, Position, Table, coins};

/// Some positions of a level, with their values.
///
/// ```
/// use grundy::{games, sweep};
///
/// // Counts P-positions by their values, and positions of even piles by their piles.
/// let (p_positions, even) = sweep(games::END_NIM, 3, 9, |block| {
///     let mut even = 0_u64;
///     block.each_position(|at| even += u64::from(at.piles.iter().all(|pile| pile % 2 == 0)));
///     (block.count(|value| value == 0), even)
/// })?;
/// // Three piles are a P-position iff they read a, b, a with b other than a.
/// assert_eq!((p_positions, even), (9 * 8, 4 * 4 * 4));
/// # Ok::<(), grundy::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    table: &'a Table,
    values: Cells<'a>,
    places: Places<&'a [Pile]>,
    weight: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Places<W> {
    /// All positions a w b, or w a b, in rows of `cols` values. For length 1 there is one row.
    Tile {
        word: W,
        between: bool,
        cols: usize,
    },
    Multisets {
        first: u64,
    },
    LastMoves {
        piles: W,
    },
    Numbers {
        first: u64,
    },
}

impl<W> Places<W> {
    fn with<'a, V>(&'a self, of: impl FnOnce(&'a W) -> V) -> Places<V> {
        match self {
            Places::Tile { word, between, cols } => {
                Places::Tile { word: of(word), between: *between, cols: *cols }
            }
            Places::Multisets { first } => Places::Multisets { first: *first },
            Places::LastMoves { piles } => Places::LastMoves { piles: of(piles) },
            Places::Numbers { first } => Places::Numbers { first: *first },
        }
    }
}

/// The positions of a block without their values: see [`Block::kept`].
#[derive(Clone, Debug)]
pub struct BlockPlaces {
    places: Places<Box<[Pile]>>,
    weight: u64,
}

impl BlockPlaces {
    /// Shows the block again with these values. `table` must be the table of the block's level.
    pub fn show(&self, table: &Table, values: Cells<'_>, look: impl FnOnce(&Block<'_>)) {
        look(&Block::new(table, values, self.places.with(|piles| &**piles), self.weight));
    }
}

pub(crate) fn multiset(table: &Table, number: u64, piles: &mut Vec<Pile>) {
    match table.multisets() {
        Some(multisets) => {
            piles.resize(multisets.length(), 1);
            multisets.unrank(number, piles);
        }
        None => unreachable!("{table} has no multisets"),
    }
}

/// A position during a walk. Unlike a [`Position`] it borrows its piles and memory.
#[derive(Clone, Copy, Debug)]
pub struct PositionView<'a> {
    /// The game.
    pub game: Game,
    /// The piles, from left to right, or in ascending order if their order does not matter.
    pub piles: &'a [Pile],
    /// The memory of the game.
    pub memory: &'a Memory,
    /// The Grundy value, or the index of the outcome class in [`Outcome::ALL`].
    pub value: u32,
}

impl PositionView<'_> {
    /// Returns the number of coins.
    pub fn coins(&self) -> u64 {
        coins(self.piles)
    }

    /// Returns the outcome class.
    pub fn outcome(&self) -> Outcome {
        self.game.class_of(self.value)
    }

    /// Returns the last move: 0 at the beginning, and in a game that does not remember it.
    pub fn last_move(&self) -> Pile {
        self.memory.taken()
    }

    /// Returns the position as an owned value.
    pub fn position(&self) -> Position {
        debug_assert!(!self.game.is_unordered() || self.piles.is_sorted(), "{:?}", self.piles);
        position_of(self.piles, self.memory)
    }
}

/// Returns the position of these piles, which must already be in the order of the game.
pub(crate) fn position_of(piles: &[Pile], memory: &Memory) -> Position {
    match memory {
        Memory::Nothing | Memory::Numbers(..) => Position::written(piles, memory),
        Memory::Available(set) => Position::with_available(piles.to_vec(), set),
    }
}

impl<'a> Block<'a> {
    pub(crate) fn new(
        table: &'a Table,
        values: Cells<'a>,
        places: Places<&'a [Pile]>,
        weight: u64,
    ) -> Block<'a> {
        Block { table, values, places, weight }
    }

    pub(crate) fn places(&self) -> Places<&'a [Pile]> {
        self.places
    }

    /// Returns the table index of the first position, if the block has consecutive table indices.
    pub(crate) fn first_number(&self) -> Option<u64> {
        match self.places {
            Places::Numbers { first } => Some(first),
            _ => None,
        }
    }

    /// Returns the positions of the block without their values.
    ///
    /// ```
    /// use grundy::{Level, games};
    ///
    /// let level = Level::new(games::END_NIM, 3, 2)?;
    /// let mut kept = Vec::new();
    /// level.each(|block| {
    ///     kept.push(block.kept());
    ///     true
    /// })?;
    /// // The positions 1,1,1 and 1,1,2 and so on, with any values.
    /// let mut seen = Vec::new();
    /// let values = grundy::Cells::Bytes(&[0; 4]);
    /// kept[0].show(level.table(), values, |block| {
    ///     block.each_position(|at| seen.push(at.piles.to_vec()));
    /// });
    /// assert_eq!(seen[1], [1, 1, 2]);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    pub fn kept(&self) -> BlockPlaces {
        BlockPlaces { places: self.places.with(|&piles| piles.into()), weight: self.weight }
    }

    /// Returns the game.
    pub fn game(&self) -> Game {
        self.table.game()
    }

    /// Returns the number of values.
    pub fn cells(&self) -> u64 {
        self.values.count() as u64
    }

    /// Returns the number of positions for each value: 2 if the block also represents reversals,
    /// otherwise 1.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// Returns the number of positions, reversals included.
    pub fn positions(&self) -> u64 {
        self.weight * self.cells()
    }

    /// Returns the values. Each value occurs once, even if the weight is 2.
    pub fn values(&self) -> Cells<'a> {
        self.values
    }

    /// Appends the values to a list, each once, even if the weight is 2.
    pub(crate) fn append_to(&self, list: &mut Vec<u32>) {
        with_cells!(self.values, values => append(values, list));
    }

    /// Returns the number of positions whose value satisfies `wanted`, reversals included.
    pub fn count(&self, wanted: impl Fn(u32) -> bool) -> u64 {
        self.weight * with_cells!(self.values, values => count(values, wanted))
    }

    /// Returns the largest value; 0 for an empty block.
    pub fn largest(&self) -> u32 {
        with_cells!(self.values, values => largest(values))
    }

    /// Returns a list whose entry v is the number of positions of value v, reversals included.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.largest() as usize + 1];
        with_cells!(self.values, values => tally(values, self.weight, &mut counts));
        counts
    }

    /// Shows every position, including reversals.
    pub fn each_position(&self, mut show: impl FnMut(&PositionView<'_>)) {
        self.each::<true>(|seen, _| show(seen));
    }

    /// Shows one position for each value, with the [`weight`](Block::weight) of the block.
    pub fn each_cell(&self, show: impl FnMut(&PositionView<'_>, u64)) {
        self.each::<false>(show);
    }

    /// Shows each position with the block's weight. If `BOTH` is true and the weight is 2, also
    /// shows the reversal.
    fn each<const BOTH: bool>(&self, show: impl FnMut(&PositionView<'_>, u64)) {
        with_cells!(self.values, values => self.each_of::<BOTH, _>(values, show));
    }

    fn each_of<const BOTH: bool, T: Copy + Into<u32>>(
        &self,
        values: &[T],
        mut show: impl FnMut(&PositionView<'_>, u64),
    ) {
        let (game, weight) = (self.game(), self.weight);
        let mut show = |piles: &[Pile], memory: &Memory, value: T| {
            show(&PositionView { game, piles, memory, value: value.into() }, weight);
        };
        match self.places {
            Places::Tile { word, between, cols } => {
                let mut piles = word.to_vec();
                let first = if between { 0 } else { word.len() };
                if self.table.length() > 1 {
                    piles.insert(first, 0);
                }
                piles.push(0);
                let last = piles.len() - 1;
                // Only a tile can have the weight 2. Then its middle is not a palindrome.
                let mut back: Vec<Pile> = piles.iter().rev().copied().collect();
                for (row, line) in (1..).zip(values.chunks_exact(cols)) {
                    piles[first] = row;
                    back[last] = row;
                    for (col, &value) in (1..).zip(line) {
                        piles[last] = col;
                        show(&piles, &Memory::Nothing, value);
                        if BOTH && weight == 2 {
                            back[0] = col;
                            show(&back, &Memory::Nothing, value);
                        }
                    }
                }
            }
            Places::Multisets { first } => {
                let Some(multisets) = self.table.multisets().filter(|_| !values.is_empty()) else {
                    return;
                };
                let mut piles = vec![1; multisets.length()];
                multisets.unrank(first, &mut piles);
                for &value in values {
                    show(&piles, &Memory::Nothing, value);
                    multisets.step(&mut piles);
                }
            }
            Places::LastMoves { piles } => {
                let mut memory = self.table.game().memory(0);
                for (next, &value) in (0..).zip(values) {
                    if let Memory::Numbers(state, _) = &mut memory {
                        *state = next;
                    }
                    show(piles, &memory, value);
                }
            }
            Places::Numbers { first } => {
                let mut last = None;
                for (number, &value) in (first..).zip(values) {
                    if !last.as_mut().is_some_and(|last| self.table.step(last)) {
                        last = self.table.position(number);
                    }
                    match &last {
                        Some(position) => show(position.piles(), position.memory(), value),
                        None => unreachable!("numbers without a position are not shown"),
                    }
                }
            }
        }
    }
}

/// Counts 128 values at a time in a byte, which cannot overflow. So the loop can be vectorized.
fn count<T: Copy + Into<u32>>(values: &[T], wanted: impl Fn(u32) -> bool) -> u64 {
    let few = |some: &[T]| some.iter().map(|&value| u8::from(wanted(value.into()))).sum::<u8>();
    values.chunks(128).map(|some| u64::from(few(some))).sum()
}

fn append<T: Copy + Into<u32>>(values: &[T], list: &mut Vec<u32>) {
    list.extend(values.iter().map(|&value| value.into()));
}

fn largest<T: Copy + Ord + Into<u32>>(values: &[T]) -> u32 {
    values.iter().max().map_or(0, |&value| value.into())
}

fn tally<T: Copy + Into<u32>>(values: &[T], weight: u64, counts: &mut [u64]) {
    for &value in values {
        counts[Into::<u32>::into(value) as usize] += weight;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_counted_in_runs_of_any_length() {
        for length in [0usize, 1, 127, 128, 129, 1000] {
            let values: Vec<u8> = (0..length).map(|at| (at % 7) as u8).collect();
            let expected = values.iter().filter(|&&value| value < 3).count() as u64;
            assert_eq!(count(&values, |value| value < 3), expected);
            assert_eq!(count(&values, |_| true), length as u64);
        }
    }
}
