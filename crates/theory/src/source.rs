//! Sources of values.
//!
//! Claims accept any source. A [`TileSource`] does two things:
//!
//! ```text
//! fold         the tiles of an End-Nim table, stored or not, in any order and in parallel
//! each_block   the values of a stored table of any game, in order, a block at a time
//! ```
//!
//! [`Recompute`] needs no database: it computes every tile. It has no stored tables, so checks
//! compute their values too. A program with stored tables provides its own source.

use std::any::Any;
use std::convert::Infallible;
use std::ops::Range;

use grundy_kernels::{Cell, EqualMask, Isa};
use grundy_rules::{Game, Pile, Table};
use grundy_sweep::{Control, Fold, Ladder, MemoryLimit, Swept, cost, parts, sweep_part};

/// A source that shows the tiles of a table. It shows one tile for a middle and its reversal.
pub trait TileSource {
    type Error: std::error::Error + 'static;

    /// Returns the stored tables in any order; none by default. [`TileSource::each_block`] shows
    /// these tables only, and [`TileSource::fold`] reads them.
    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    /// Calls `show` with the values of a stored table in order, a block at a time, until `show`
    /// returns false. The arguments of `show` are the offset of the first value, and the values.
    /// Each block has whole tiles, and the blocks together are the whole table.
    fn each_block(
        &mut self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Self::Error> {
        let _ = show;
        unreachable!("{table} is not stored")
    }

    /// Returns the number of parts into which this source divides a table.
    fn parts(&self, table: &Table) -> u64;

    /// Folds over the tiles of the given parts of the table, each tile once, in any order. All
    /// parts together contain all tiles. [`Table::value_bytes`] is the width of a cell `T`.
    ///
    /// # Errors
    /// An error of the source if it cannot show the tiles. A stop is not an error: the result is
    /// then marked as incomplete.
    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        parts: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Result<Swept<F::Acc>, Self::Error>;
}

/// Computes all tiles from the rules, and keeps the lowest levels in memory.
#[derive(Debug)]
pub struct Recompute {
    isa: Isa,
    memory: MemoryLimit,
    /// The lowest levels of the last table. The next table usually needs them too.
    ladder: Option<Box<dyn Any + Send>>,
}

impl Recompute {
    /// Creates a source that keeps levels in at most `memory` bytes, but always levels 1 and 2.
    pub fn new(isa: Isa, memory: MemoryLimit) -> Recompute {
        Recompute { isa, memory, ladder: None }
    }

    fn ladder<T: Cell>(&mut self, game: Game, max_pile: Pile) -> Box<Ladder<T>> {
        self.ladder
            .take()
            .and_then(|kept| kept.downcast::<Ladder<T>>().ok())
            .filter(|kept| kept.game() == game && kept.max_pile() == max_pile as usize)
            .unwrap_or_else(|| Box::new(Ladder::new(game, max_pile, self.isa)))
    }
}

impl TileSource for Recompute {
    type Error = Infallible;

    fn parts(&self, table: &Table) -> u64 {
        parts(table)
    }

    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        parts: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Result<Swept<F::Acc>, Infallible> {
        let top = cost::ladder_top::<T>(table.max_pile(), table.length(), self.memory);
        let mut ladder = self.ladder::<T>(table.game(), table.max_pile());
        let swept = match ladder.extend(top, control) {
            Ok(()) => sweep_part(&ladder, table, parts, control, fold),
            Err(_) => Swept { acc: fold.start(), cells: 0, complete: false },
        };
        self.ladder = Some(ladder);
        Ok(swept)
    }
}
