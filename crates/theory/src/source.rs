//! Where values come from.
//!
//! The claims do not care. A [`Source`] does two things:
//!
//! ```text
//! fold         the tiles of an End-Nim table, stored or not, in any order and in parallel
//! each_block   the values of a stored table of any game, in order, a block at a time
//! ```
//!
//! Here is the source that needs no database: it computes every tile and has no table
//! stored, and then checks compute what they would have read. A program that has stored
//! tables brings another.

use std::any::Any;
use std::convert::Infallible;
use std::ops::Range;

use grundy_kernels::{Cell, EqualMask, Isa};
use grundy_rules::{Game, Pile, Table};
use grundy_sweep::{Control, Fold, Ladder, Swept, parts, sweep_part};

/// Something that can show every tile of a table, up to reversal of the middle.
pub trait Source {
    /// Why it may fail to.
    type Error: std::error::Error + 'static;

    /// The tables that are stored, in any order. [`Source::each_block`] shows these and no
    /// others, and [`Source::fold`] reads them.
    fn tables(&self) -> Vec<Table>;

    /// Shows the values of a stored table in their order, a block at a time, until `show` says
    /// no: the offset of the first value, and the values. A block is a whole number of tiles,
    /// and together they are all of the table.
    ///
    /// # Errors
    /// If the table cannot be read.
    fn each_block(
        &mut self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Self::Error>;

    /// Into how many parts this source can cut a table.
    fn parts(&self, table: &Table) -> u64;

    /// Folds over the tiles of some parts of the table, in any order, each once. All
    /// parts together are all tiles. The cell has the width that
    /// [`Table::value_bytes`] says.
    ///
    /// # Errors
    /// If the source cannot show them. Having been stopped is no error: the
    /// answer says that it is not complete.
    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        parts: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Result<Swept<F::Acc>, Self::Error>;
}

/// Computes all tiles from the rules, keeping the lowest levels in memory.
#[derive(Debug)]
pub struct Recompute {
    isa: Isa,
    memory: u64,
    /// The ladder of the last table, which the next one most often needs too.
    ladder: Option<Box<dyn Any + Send>>,
}

/// A ladder is grown to the level below the one asked for, so that all borders
/// are at hand and the work splits finely, as long as that level is no larger
/// than this. Beyond, the level is computed while it is walked.
const HANDY_BYTES: u64 = 64 << 20;

/// The highest level to keep for tables of this length, within `memory` bytes.
pub(crate) fn ladder_top<T: Cell>(max_pile: Pile, length: usize, memory: u64) -> usize {
    let below = length.saturating_sub(1).max(1);
    let handy = Ladder::<T>::bytes(max_pile, below).is_some_and(|bytes| bytes <= HANDY_BYTES);
    let wanted = if handy { below } else { below.saturating_sub(1).max(2) };
    Ladder::<T>::top_within(max_pile, wanted, memory)
}

impl Recompute {
    /// Ladders take at most `memory` bytes (levels 1 and 2 whatever they take).
    pub fn new(isa: Isa, memory: u64) -> Recompute {
        Recompute { isa, memory, ladder: None }
    }

    /// The ladder of this game and max pile, kept from before or new.
    fn ladder<T: Cell>(&mut self, game: Game, max_pile: Pile) -> Box<Ladder<T>> {
        self.ladder
            .take()
            .and_then(|kept| kept.downcast::<Ladder<T>>().ok())
            .filter(|kept| kept.game() == game && kept.max_pile() == max_pile as usize)
            .unwrap_or_else(|| Box::new(Ladder::new(game, max_pile, self.isa)))
    }
}

impl Source for Recompute {
    type Error = Infallible;

    fn tables(&self) -> Vec<Table> {
        Vec::new()
    }

    fn each_block(
        &mut self,
        table: &Table,
        _: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Infallible> {
        unreachable!("{table} was asked for, and nothing is stored")
    }

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
        let top = ladder_top::<T>(table.max_pile(), table.length(), self.memory);
        let mut ladder = self.ladder::<T>(table.game(), table.max_pile());
        let swept = match ladder.extend(top, control) {
            Ok(()) => sweep_part(&ladder, table, parts, control, fold),
            Err(_) => Swept { acc: fold.start(), cells: 0, complete: false },
        };
        self.ladder = Some(ladder);
        Ok(swept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the levels below a length as many as are handy, up to 64 MiB, else one fewer; and those for
    /// which there is memory, two at least. 64 + 64^2 + 64^3 + 64^4 bytes are 17 million, and 64^5
    /// more are a GiB more.
    #[test]
    fn the_highest_level_is_chosen() {
        let gib = 1 << 30;
        let levels = [(1, 1), (2, 1), (3, 2), (4, 3), (5, 4), (6, 4), (7, 4)];
        for (length, top) in levels {
            assert_eq!(ladder_top::<u8>(64, length, gib), top, "{length}");
        }
        assert_eq!(ladder_top::<u8>(64, 7, 2 * gib), 5);
        assert_eq!(ladder_top::<u8>(64, 6, 2 * gib), 4);
        let four = 64 + 64 * 64 + 64 * 64 * 64 + 64 * 64 * 64 * 64;
        assert_eq!(ladder_top::<u8>(64, 5, four), 4);
        assert_eq!(ladder_top::<u8>(64, 5, four - 1), 3);
        assert_eq!(ladder_top::<u8>(64, 5, 0), 2);
        // 90^4 bytes are 66 million, more than the 64 MiB of 67 million with what is below only if
        // each takes two.
        assert_eq!(ladder_top::<u8>(90, 5, gib), 4);
        assert_eq!(ladder_top::<u16>(90, 5, gib), 3);
    }
}
