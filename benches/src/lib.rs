//! What the measurements share: the tiles to measure on, and medians.
#![forbid(unsafe_code)]

use std::time::Instant;

use grundy_kernels::{Cell, Isa};
use grundy_rules::{Game, Pile, Table};
use grundy_sweep::{Control, Filler, Ladder};

/// The median of some figures.
///
/// # Panics
/// If there are none.
pub fn median(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Median seconds of `runs` runs after one that is not counted.
pub fn median_seconds(runs: usize, mut job: impl FnMut()) -> f64 {
    job();
    let time = |()| {
        let start = Instant::now();
        job();
        start.elapsed().as_secs_f64()
    };
    median(std::iter::repeat_n((), runs).map(time).collect())
}

/// A ladder to stand on, up to one level below `length`.
pub fn ladder<T: Cell>(game: Game, max_pile: Pile, length: usize, isa: Isa) -> Ladder<T> {
    let mut ladder = Ladder::new(game, max_pile, isa);
    // Nobody else has the control, so nobody can stop it.
    let _ = ladder.extend((length - 1).max(1), &Control::new());
    ladder
}

/// Stored tiles from `first` on.
pub fn tiles<T: Cell>(ladder: &Ladder<T>, table: &Table, first: u64, count: u64) -> Vec<T> {
    let count = count.min(table.tiles() - first);
    let mut out = vec![T::default(); count as usize * table.tile_cells()];
    Filler::new(ladder).fill_stored(table, first, &mut out);
    out
}
