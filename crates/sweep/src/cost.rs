//! The cost of computing positions: measured times, and the memory and cells of a walk.
//!
//! Estimates for plans, lookups, counts and questions use these numbers. The times are rounded, and
//! were measured with one thread on one machine (benches/record). Only the magnitude matters.

use grundy_kernels::{Cell, Isa, with_cell};
use grundy_rules::{Pile, Table};

use crate::{Ladder, MemoryLimit};

/// The seconds that one thread takes for a unit of work. Callers estimate the number of units. If
/// units have different costs, the price is fitted to measurements.
pub mod price {
    const NS: f64 = 1e-9;

    // Prices for tables and lookups, as measured by `make bench` (benches/record).

    /// Filling a value of a tile, if the level below is not in memory.
    pub const FILL: f64 = 0.5 * NS;
    /// Filling a value of a large tile, which does not stay in the cache.
    pub const LARGE_TILE: f64 = 20.0 * NS;
    /// Starting a rectangle.
    pub const RECTANGLE: f64 = 150.0 * NS;
    /// Filling a value of a rectangle, and searching one word of the row's bits for a value.
    pub const RECTANGLE_CELL: f64 = 2.5 * NS;
    pub const RECTANGLE_WORD: f64 = 0.02 * NS;
    /// Moving to the next row of a rectangle, a tile of outcomes, a simplex, or an interval.
    pub const ROW: f64 = 10.0 * NS;
    /// Filling a value of a strip, and comparing it with a row above.
    pub const STRIP_CELL: f64 = 4.0 * NS;
    pub const STRIP_ROW: f64 = 1.0 * NS;
    /// Filling a multiset of Nim: the time for each of its piles.
    pub const MULTISET_PILE: f64 = 5.0 * NS;
    /// Visiting a word of bits that stands for options of a position of Nim.
    pub const NIM_WORD: f64 = 0.3 * NS;
    /// Visiting an option of a position that has several piles and a last move.
    pub const LAST_MOVE: f64 = 4.0 * NS;
    /// Computing the row of a single pile in a game with last moves.
    pub const RECORD: f64 = 1000.0 * NS;
    /// Filling the value of a set of moves for a single pile.
    pub const SET: f64 = 0.1 * NS;
    /// Filling the value of a set of moves for several piles.
    pub const SET_OF_SEVERAL: f64 = 6.0 * NS;
    /// A step of the recursion for thresholds. Each pair of piles takes a step.
    pub const THRESHOLD: f64 = 2.0 * NS;
    /// Writing the outcome class of a cell. The classes of a row are runs.
    pub const CLASS: f64 = 1.0 * NS;
    /// Visiting an option by the rules, without a table.
    pub const OPTION: f64 = 90.0 * NS;
    /// Filling a cell from runs of options, without the runs; numbering the options of a run; and
    /// visiting one of them, without and with a condition that must be tested for it.
    pub const RUN_POSITION: f64 = 300.0 * NS;
    pub const RUN: f64 = 50.0 * NS;
    pub const RUN_OPTION: f64 = 3.5 * NS;
    pub const TESTED_OPTION: f64 = 60.0 * NS;
    /// Visiting a position in a search, and storing it in a memo.
    pub const MEMO: f64 = 200.0 * NS;
    /// Looking up a cell by its position.
    pub const LOOK: f64 = 40.0 * NS;

    // Prices for cells of rule files, as measured by `cargo run -p grundy-benches --bin shapes`.

    /// Filling a cell, without the time to visit its moves.
    pub const RULE_CELL: f64 = 3.0 * NS;
    /// The time to fill an outcome of a rule file, as a fraction of the estimate for a value.
    /// Measured fractions lie between 1 (single options) and 1/18 (boxes).
    pub const RULE_OUTCOME: f64 = 0.5;
    /// Visiting a single option, all options on a line, and a dimension of a box.
    pub const RULE_POINT: f64 = 0.7 * NS;
    pub const RULE_LINE: f64 = 2.0 * NS;
    pub const RULE_SIDE: f64 = 1.0 * NS;
    /// Testing a condition of a move.
    pub const RULE_GUARD: f64 = 60.0 * NS;
    /// Filling a multiset, and visiting a move of a multiset.
    pub const RULE_HEAPS: f64 = 10.0 * NS;
    pub const RULE_HEAP_MOVE: f64 = 35.0 * NS;
    /// Filling a pile of a sum, visiting one new pile, and comparing two new piles with a value.
    pub const RULE_PILE: f64 = 20.0 * NS;
    pub const RULE_LEFT: f64 = 1.0 * NS;
    pub const RULE_PAIR: f64 = 0.08 * NS;

    // Prices for files, as measured on whole databases.

    /// Writing a value, or checking a value by checksums.
    pub const STORE: f64 = 1.0 * NS;
    /// Reading a byte of a shard, including its expansion to values.
    pub const READ_BYTE: f64 = 4.0 * NS;
    /// Writing a byte of a shard, including its digest and compression.
    pub const SHARD_BYTE: f64 = 1.9 * NS;
    /// Compressing a byte of a state between two parts of a table, and reading it again.
    pub const STATE_BYTE: f64 = 5.0 * NS;
    /// Formatting a value as a line of text, or as a row of columns.
    pub const FORMAT: f64 = 50.0 * NS;

    // Prices for claims, as measured by the processor time of `grundy diff`.

    /// Comparing a cell with its neighbours.
    pub const INJECTIVE: f64 = 1.1 * NS;
    /// Evaluating the predicate of a claim.
    pub const PREDICATE: f64 = 5.0 * NS;
    /// Searching families up to n = 2000 for the triangular-number conjecture. The time grows with
    /// n^14, as measured at 2500 (11 s), 3000 (four minutes) and 3300 (20 minutes).
    pub const FAMILIES: f64 = 1.0;

    // Prices for questions, as measured by `cargo run -p grundy-benches --bin questions`.

    /// The minimum time to evaluate a question at a position.
    pub const ASKED: f64 = 0.3 * NS;
    /// Looking up the other positions that a question at a position names.
    pub const ASKED_OTHERS: f64 = 5.0 * NS;
    /// Visiting the options of a position to evaluate a question, per coin of the largest pile.
    pub const ASKED_OPTIONS: f64 = 50.0 * NS;
    /// Evaluating a question at a single position outside a row.
    pub const ASKED_ALONE: f64 = 20.0 * NS;

    /// Returns the time of one step of evaluating a question, for numbers of `bits` bits.
    pub fn step(bits: u32) -> f64 {
        NS * match bits {
            16 => 0.05,
            32 => 0.1,
            64 => 0.25,
            _ => 1.5,
        }
    }

    /// Returns the time to fill a value of `bytes` bytes in a walk, for the largest pile n.
    pub(crate) fn walked(bytes: u64, isa: grundy_kernels::Isa, n: f64) -> f64 {
        use grundy_kernels::Isa;
        NS * match (bytes, isa) {
            (1, Isa::Avx512) => 0.2 + 0.003 * n,
            (1, Isa::Avx2) => 0.5 + 0.008 * n,
            // The time for NEON is estimated from its instructions, not measured.
            (1, Isa::Portable | Isa::Neon) => 1.0 + 0.015 * n,
            _ => 4.0 + 0.01 * n,
        }
    }
}

/// A walk keeps all levels below its table in memory if they take at most this many bytes.
/// Otherwise it keeps one level fewer.
pub const HANDY_BYTES: u64 = 64 << 20;

/// Returns the bytes of a cell of a ladder: enough for the number of coins in two piles. A rule
/// file may have tables with other cells.
pub fn ladder_bytes(max_pile: Pile) -> usize {
    1 + usize::from(max_pile as usize > u8::MAX_PILE)
}

/// The size of the levels in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LadderSize {
    /// The highest level in memory.
    pub top: usize,
    pub bytes: u64,
}

impl LadderSize {
    /// Returns the size of all levels up to `top`, for the game and largest pile of a table.
    pub fn up_to(table: &Table, top: usize) -> LadderSize {
        let n = table.max_pile();
        let bytes = with_cell!(ladder_bytes(n), T => Ladder::<T>::bytes(n, top));
        LadderSize { top, bytes: bytes.unwrap_or(u64::MAX) }
    }

    /// Returns the size of the levels up to `wanted` that fit into `memory`; at least two levels.
    pub fn within(table: &Table, wanted: usize, memory: MemoryLimit) -> LadderSize {
        let n = table.max_pile();
        let top = with_cell!(ladder_bytes(n), T => Ladder::<T>::top_within(n, wanted, memory));
        LadderSize::up_to(table, top)
    }
}

/// Returns the highest level to keep within `memory`, for a walk over positions of `length` piles.
pub fn ladder_top<T: Cell>(max_pile: Pile, length: usize, memory: MemoryLimit) -> usize {
    let below = length.saturating_sub(1).max(1);
    let handy = Ladder::<T>::bytes(max_pile, below).is_some_and(|bytes| bytes <= HANDY_BYTES);
    let wanted = if handy { below } else { below.saturating_sub(1).max(2) };
    Ladder::<T>::top_within(max_pile, wanted, memory)
}

/// The cost of a walk over a table, without the cost of its fold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WalkCost {
    /// The bytes of the ladder and of the working memory of all threads.
    pub memory: u64,
    /// Seconds per cell.
    pub cell: f64,
    /// The number of levels between the ladder and the table.
    pub between: u32,
    /// The number of cells that are computed for each cell of the table.
    pub walk: f64,
}

impl WalkCost {
    /// Estimates a walk over a table on `threads` threads, with a ladder that fits into `memory`.
    pub fn of(table: &Table, isa: Isa, memory: MemoryLimit, threads: usize) -> WalkCost {
        let (n, length) = (table.max_pile(), table.length());
        let (side, bytes) = (u64::from(n), table.value_bytes() as u64);
        let top = with_cell!(bytes, T => ladder_top::<T>(n, length, memory));
        let ladder = LadderSize::up_to(table, top).bytes;
        let cell = price::walked(bytes, isa, f64::from(n));
        if length <= 3 {
            // One thread needs memory for a tile.
            let memory = ladder.saturating_add(bytes * table.tile_cells() as u64);
            return WalkCost { memory, cell, between: 0, walk: 1.0 };
        }
        // The walk computes the levels above the ladder. N^2 tiles need 2 N tiles of the level
        // below, and each of these tiles needs two tiles of the next lower level.
        let between = length.saturating_sub(1 + top) as u32;
        let ring = (2 * side) << between.min(40);
        let working =
            bytes.saturating_mul((ring + 8).saturating_mul(side * side).saturating_add(1 << 16));
        let memory = ladder.saturating_add(working.saturating_mul(threads.max(1) as u64));
        let walk = 1.0 + f64::from(between * (between + 1)) / f64::from(n);
        WalkCost { memory, cell, between, walk }
    }
}

#[cfg(test)]
mod tests {
    use grundy_rules::games;

    use super::*;

    /// A walk keeps all levels below a length if they take at most 64 MiB; otherwise it keeps one
    /// level fewer. The levels must fit into the memory, but at least two are kept. 64 + 64^2 +
    /// 64^3 + 64^4 bytes are 17 million, and 64^5 further bytes are a GiB.
    #[test]
    fn the_highest_level_is_chosen() {
        let gib = 1 << 30;
        let levels = [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 4), (7, 4)];
        for (length, top) in levels {
            assert_eq!(ladder_top::<u8>(64, length, MemoryLimit::new(gib)), top, "{length}");
        }
        assert_eq!(ladder_top::<u8>(64, 7, MemoryLimit::new(2 * gib)), 5);
        assert_eq!(ladder_top::<u8>(64, 6, MemoryLimit::new(2 * gib)), 4);
        let four = 64 + 64 * 64 + 64 * 64 * 64 + 64 * 64 * 64 * 64;
        assert_eq!(ladder_top::<u8>(64, 5, MemoryLimit::new(four)), 4);
        assert_eq!(ladder_top::<u8>(64, 5, MemoryLimit::new(four - 1)), 3);
        assert_eq!(ladder_top::<u8>(64, 5, MemoryLimit::new(0)), 2);
        // 90^4 bytes are 66 million. Together with the lower levels they exceed 64 MiB (67 million
        // bytes) only if a value takes two bytes.
        assert_eq!(ladder_top::<u8>(90, 5, MemoryLimit::new(gib)), 4);
        assert_eq!(ladder_top::<u16>(90, 5, MemoryLimit::new(gib)), 3);
    }

    /// For five piles of at most 10 coins, all lower levels are in memory, or the walk fills two of
    /// them. In that case it fills 1 + 2 x 3 / 10 cells for each cell of the table. Less memory, or
    /// a smaller instruction set, never makes a walk faster.
    #[test]
    fn walks_with_less_memory_take_longer() {
        for (max_pile, length) in [(10, 1), (10, 3), (10, 5), (10, 7), (140, 3), (140, 5)] {
            let table = Table::new(games::END_NIM, max_pile, length).unwrap();
            let cost = |bytes, isa| WalkCost::of(&table, isa, MemoryLimit::new(bytes), 3);
            let (rich, poor) = (cost(1 << 30, Isa::Avx512), cost(0, Isa::Portable));
            assert!(rich.memory > 0 && rich.cell > 0.0 && rich.cell <= poor.cell, "{table}");
            assert!(rich.between <= poor.between && rich.walk <= poor.walk, "{table}");
            let memory = |threads| {
                WalkCost::of(&table, Isa::Avx2, MemoryLimit::new(1 << 30), threads).memory
            };
            let kept = memory(2) - 2 * (memory(2) - memory(1));
            let is_shared = length > 3;
            assert!(!is_shared || memory(1) > kept && memory(5) == kept + 5 * (memory(1) - kept));
            if (max_pile, length) == (10, 5) {
                assert_eq!(
                    [(rich.between, rich.walk), (poor.between, poor.walk)],
                    [(0, 1.0), (2, 1.6)]
                );
            }
        }
    }
}
