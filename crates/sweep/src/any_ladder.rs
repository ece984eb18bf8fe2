//! A ladder whose cells take one or two bytes, as its table requires.

use std::ops::Range;

use grundy_kernels::cells::CellVec;
use grundy_kernels::{Cell, Isa, with_cell};
use grundy_rules::{Pile, Table};

use crate::cost::ladder_bytes;
use crate::{Control, Filler, Fold, Ladder, Stopped, Swept, sweep_part};

#[derive(Clone, Debug)]
pub enum AnyLadder {
    Narrow(Ladder<u8>),
    Wide(Ladder<u16>),
}

/// Evaluates an expression with the ladder, for cells of either width.
macro_rules! either {
    ($ladder:expr, $of:ident => $do:expr) => {
        match $ladder {
            AnyLadder::Narrow($of) => $do,
            AnyLadder::Wide($of) => $do,
        }
    };
}

impl From<Ladder<u8>> for AnyLadder {
    fn from(ladder: Ladder<u8>) -> AnyLadder {
        AnyLadder::Narrow(ladder)
    }
}

impl From<Ladder<u16>> for AnyLadder {
    fn from(ladder: Ladder<u16>) -> AnyLadder {
        AnyLadder::Wide(ladder)
    }
}

/// Fills the cells of a number of tiles, the first with these shared piles.
pub type FillTiles<'a> = Box<dyn FnMut(&[Pile], usize, &mut CellVec) + Send + 'a>;

impl AnyLadder {
    /// Builds the levels up to `top` for a table.
    ///
    /// # Panics
    /// The same as for [`Ladder::new`].
    pub fn new(
        table: &Table,
        top: usize,
        isa: Isa,
        control: &Control,
    ) -> Result<AnyLadder, Stopped> {
        with_cell!(ladder_bytes(table.max_pile()), T => {
            let mut ladder = Ladder::<T>::new(table.game(), table.max_pile(), isa);
            ladder.extend(top, control)?;
            Ok(ladder.into())
        })
    }

    pub fn into_levels(self) -> Vec<CellVec> {
        match self {
            AnyLadder::Narrow(ladder) => ladder.into_levels().map(CellVec::Bytes).collect(),
            AnyLadder::Wide(ladder) => ladder.into_levels().map(CellVec::Words).collect(),
        }
    }

    /// Returns a function that fills tiles: that of a middle, and those of the next middles, whose
    /// last pile is larger by one each. Four tiles take little more time than one.
    pub fn filler(&self) -> FillTiles<'_> {
        either!(self, ladder => {
            let (mut filler, mut out) = (Filler::new(ladder), Vec::new());
            Box::new(move |middle, count, cells| {
                filler.set_words(middle.len(), count, |at, word| {
                    word.copy_from_slice(middle);
                    word.last_mut().into_iter().for_each(|last| *last += at as Pile);
                });
                out.resize(count * ladder.max_pile().pow(2), Default::default());
                filler.fill(&mut out);
                cells.clear();
                cells.extend(Cell::cells(&out));
            })
        })
    }

    /// Returns the value of a position, or `None` if its level is not in memory.
    pub fn value(&self, piles: &[Pile]) -> Option<u32> {
        either!(self, ladder => ladder.level(piles.len()).map(|level| level.value(piles)))
    }

    /// Visits a range of the parts of a table, as [`sweep_part`] does.
    ///
    /// # Panics
    /// The same as for [`sweep_part`].
    pub fn sweep_part<A, F>(
        &self,
        table: &Table,
        part: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Swept<A>
    where
        A: Send,
        F: Fold<u8, Acc = A> + Fold<u16, Acc = A>,
    {
        either!(self, ladder => sweep_part(ladder, table, part, control, fold))
    }
}
