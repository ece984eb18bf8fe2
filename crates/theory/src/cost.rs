//! What computing a table tile by tile takes.

use grundy_kernels::Isa;
use grundy_rules::Table;
use grundy_sweep::Ladder;

use crate::estimate::Means;
use crate::source::ladder_top;

/// What the sweep of a table takes, without any claim.
pub(crate) struct SizeCost {
    /// Bytes of the ladder and of what the threads work with.
    pub(crate) memory: u64,
    /// Nanoseconds for a cell.
    pub(crate) cell: f64,
    /// Levels between the top of the ladder and those whose rows border the
    /// table's tiles.
    pub(crate) between: u32,
    /// How many cells the sweep computes for each that it shows.
    pub(crate) walk: f64,
}

pub(crate) fn size_cost(table: &Table, means: &Means<'_>) -> SizeCost {
    let (n, length) = (table.max_pile(), table.length());
    let side = u64::from(n);
    let bytes = table.value_bytes() as u64;
    let (top, ladder) = match bytes {
        1 => {
            let top = ladder_top::<u8>(n, length, means.memory);
            (top, Ladder::<u8>::bytes(n, top))
        }
        _ => {
            let top = ladder_top::<u16>(n, length, means.memory);
            (top, Ladder::<u16>::bytes(n, top))
        }
    };
    let ladder = ladder.unwrap_or(u64::MAX);
    // Measured on one machine (examples/cost.rs); what matters is the order of
    // magnitude.
    let cell = match (bytes, means.isa) {
        (1, Isa::Avx512) => 0.2 + 0.003 * f64::from(n),
        (1, Isa::Avx2) => 0.5 + 0.008 * f64::from(n),
        // NEON by its instructions: it was measured on no machine.
        (1, Isa::Portable | Isa::Neon) => 1.0 + 0.015 * f64::from(n),
        _ => 4.0 + 0.01 * f64::from(n),
    };
    if length <= 3 {
        // One thread, one tile at a time.
        let memory = ladder.saturating_add(bytes * table.tile_cells() as u64);
        return SizeCost { memory, cell, between: 0, walk: 1.0 };
    }
    // Levels between are computed on the way: for every N^2 tiles 2 N of the
    // level below, each from two of the level below that.
    let between = length.saturating_sub(1 + top) as u32;
    let ring = (2 * side) << between.min(40);
    let working =
        bytes.saturating_mul((ring + 8).saturating_mul(side * side).saturating_add(1 << 16));
    let memory = ladder.saturating_add(working.saturating_mul(means.threads.max(1) as u64));
    let walk = 1.0 + f64::from(between * (between + 1)) / f64::from(n);
    SizeCost { memory, cell, between, walk }
}
