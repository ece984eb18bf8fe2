//! A level that is ready to be walked, as a whole or part by part.
//!
//! A walk is divided into *parts*. The threads of the current rayon pool claim the parts one by
//! one, and each thread reuses its working memory. At the end the results of the threads are
//! merged. Each block is in exactly one part. So a caller can save the results of finished parts,
//! stop a long walk, and continue it later.

use std::ops::Range;

use grundy_kernels::Isa;
use grundy_solvers::Production;
use grundy_sweep::cost::LadderSize;
use grundy_sweep::{AnyLadder, Control, Swept, try_fold_units};

use super::gather::{Gather, ThreadState};
use super::source::{self, Reader, ValueSource};
use crate::{Block, Error, Level, Merge};

impl<'a> Level<'a> {
    /// Calls `ask` with every block and merges the results. The result does not depend on the
    /// threads, because merging does not depend on the order ([`Merge`]).
    ///
    /// # Errors
    /// [`Error::Stopped`] if the walk was stopped; [`Error::Memory`] if it takes too much
    /// memory; [`Error::Query`] if a stored value cannot be read.
    pub fn sweep<R: Merge>(&self, ask: impl Fn(&Block<'_>) -> R + Sync) -> Result<R, Error> {
        let each = |found: &mut R, block: &Block<'_>| found.merge(ask(block));
        let merge = |mut left: R, right| {
            left.merge(right);
            left
        };
        let swept = self.fold(R::default, each, merge)?;
        if swept.complete { Ok(swept.acc) } else { Err(Error::Stopped) }
    }

    /// Folds over all blocks. Each thread begins with `start` and adds each of its blocks with
    /// `each`. `merge` joins the results of two threads; it must not depend on their order. A
    /// stopped walk returns the partial result, marked as incomplete.
    ///
    /// # Errors
    /// The errors of [`Level::sweep`], except [`Error::Stopped`].
    pub fn fold<A: Send>(
        &self,
        start: impl Fn() -> A + Sync,
        each: impl Fn(&mut A, &Block<'_>) + Sync,
        merge: impl Fn(A, A) -> A + Sync,
    ) -> Result<Swept<A>, Error> {
        let idle = Control::new();
        let control = self.lookout(&idle).control;
        match self.walk(control) {
            Ok(walk) => walk.fold_parts(0..walk.parts(), control, start, each, merge),
            Err(Error::Stopped) => Ok(Swept { acc: start(), cells: 0, complete: false }),
            Err(error) => Err(error),
        }
    }

    /// Shows the blocks on this thread, in the order of the table, until `show` returns false.
    ///
    /// ```
    /// use grundy::{Level, games};
    ///
    /// let mut values = Vec::new();
    /// Level::new(games::END_NIM, 2, 3)?.each(|block| {
    ///     block.each_position(|at| values.push(at.value));
    ///     true
    /// })?;
    /// // Two piles of End-Nim are Nim. The order is 1,1 1,2 1,3 2,1 and so on.
    /// assert_eq!(values, [0, 3, 2, 3, 0, 1, 2, 1, 0]);
    /// # Ok::<(), grundy::Error>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Level::sweep`].
    pub fn each(&self, show: impl FnMut(&Block<'_>) -> bool) -> Result<(), Error> {
        self.each_of_units(|units| 0..units, show)
    }

    /// Shows the blocks of the units that `choose` selects. `choose` gets the number of units.
    pub(crate) fn each_of_units(
        &self,
        choose: impl FnOnce(u64) -> std::ops::Range<u64>,
        mut show: impl FnMut(&Block<'_>) -> bool,
    ) -> Result<(), Error> {
        let idle = Control::new();
        let lookout = self.lookout(&idle);
        let source = self.source(lookout.control)?;
        let mut reader = Reader::new(self.table(), self.options().domain, &source);
        let mut go_on = true;
        for unit in choose(source.units(self.table())) {
            let cells = reader.read(unit, &mut |block| go_on = go_on && show(block))?;
            if !go_on {
                break;
            }
            lookout.control.advance(cells);
            if !lookout.look() {
                return Err(Error::Stopped);
            }
        }
        Ok(())
    }

    /// Prepares a walk over the level, as a whole or part by part.
    pub fn walk(&self, control: &Control) -> Result<Walk<'a>, Error> {
        Ok(Walk { level: self.clone(), source: self.source(control)? })
    }

    fn source(&self, control: &Control) -> Result<ValueSource<'a>, Error> {
        let table = self.table();
        self.options().domain.check(table.game())?;
        match (Production::of(table), self.read()) {
            (Production::Records(records), _) => source::records(records, table, self.options()),
            // Computing thresholds is faster than reading them.
            (Production::Thresholds, _) => Ok(ValueSource::Thresholds),
            (Production::Ladder | Production::Made, Some(stored)) => {
                Ok(ValueSource::Stored(stored))
            }
            (Production::Ladder, None) => {
                let LadderSize { top, bytes } = self.ladder_size();
                self.check_memory(bytes)?;
                let ladder = AnyLadder::new(table, top, Isa::best(), control);
                ladder.map(ValueSource::Ladder).map_err(|_| Error::Stopped)
            }
            (Production::Made, None) => source::made(self, control),
        }
    }
}

/// A level that is ready for a walk: see [`Level::walk`].
pub struct Walk<'a> {
    level: Level<'a>,
    source: ValueSource<'a>,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("level", &self.level).finish_non_exhaustive()
    }
}

impl Walk<'_> {
    /// Returns the number of parts.
    pub fn parts(&self) -> u64 {
        match &self.source {
            ValueSource::Ladder(_) => grundy_sweep::parts(self.level.table()),
            source => source.units(self.level.table()),
        }
    }

    /// True if the values are read from a stored table.
    pub fn is_read(&self) -> bool {
        matches!(self.source, ValueSource::Stored(_) | ValueSource::Records { is_read: true, .. })
    }

    /// Folds over the blocks of a range of parts, as [`Level::fold`] does over all blocks.
    pub fn fold_parts<A: Send>(
        &self,
        parts: Range<u64>,
        control: &Control,
        start: impl Fn() -> A + Sync,
        each: impl Fn(&mut A, &Block<'_>) + Sync,
        merge: impl Fn(A, A) -> A + Sync,
    ) -> Result<Swept<A>, Error> {
        let (table, lookout) = (self.level.table(), &self.level.lookout(control));
        let domain = self.level.options().domain;
        let gather = Gather { table, domain, lookout, start: &start, each: &each, merge: &merge };
        match &self.source {
            ValueSource::Ladder(ladder) => {
                let swept = ladder.sweep_part(table, parts, lookout.control, &gather);
                let Swept { acc: ThreadState { acc, .. }, cells, complete } = swept;
                Ok(Swept { acc, cells, complete })
            }
            source => share_out(source, parts, &gather),
        }
    }
}

/// Folds over the units of a source. Threads claim the units one by one.
fn share_out<A: Send>(
    source: &ValueSource<'_>,
    units: Range<u64>,
    gather: &Gather<'_, A>,
) -> Result<Swept<A>, Error> {
    let &Gather { table, domain, lookout, start, each, merge } = gather;
    let read = |reader: &mut Reader<'_>, part: &mut ThreadState<A>, unit| {
        let cells = reader.read(unit, &mut |block| each(&mut part.acc, block))?;
        part.look(lookout, cells);
        Ok::<_, Error>(cells)
    };
    let room = || Reader::new(table, domain, source);
    let start = || ThreadState::new(start());
    let merge =
        |left: ThreadState<A>, right: ThreadState<A>| ThreadState::new(merge(left.acc, right.acc));
    let swept = try_fold_units(units, lookout.control, room, start, read, merge)?;
    let Swept { acc: ThreadState { acc, .. }, cells, complete } = swept;
    Ok(Swept { acc, cells, complete })
}
