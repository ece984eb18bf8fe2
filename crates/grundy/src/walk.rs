//! A level made ready to be walked, as a whole or part by part.
//!
//! A long walk is cut into *parts*, which cover all blocks once, so that it can be stopped and taken
//! up again: what was gathered from the parts before is kept by whoever walks.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_kernels::Cell;
use grundy_sweep::{Control, Ladder, Swept};

use crate::level::{Folding, Gather, Part, Tiles, Width};
use crate::source::{Reader, Source};
use crate::{Block, Error, Level};

/// A level, with what it takes to walk it: see [`Level::walk`].
pub struct Walk<'a> {
    pub(crate) level: Level<'a>,
    pub(crate) ground: Ground<'a>,
}

/// What a walk stands on.
pub(crate) enum Ground<'a> {
    /// Tiles are computed as they are met.
    Narrow(Ladder<u8>),
    /// The same with wider values.
    Wide(Ladder<u16>),
    /// Units of a source.
    Units(Source<'a>),
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("level", &self.level).finish_non_exhaustive()
    }
}

impl Walk<'_> {
    /// Into how many parts it is cut.
    pub fn parts(&self) -> u64 {
        match &self.ground {
            Ground::Narrow(_) | Ground::Wide(_) => grundy_sweep::parts(self.level.table()),
            Ground::Units(source) => source.units(self.level.table()),
        }
    }

    /// Whether the values are read from a stored table.
    pub fn is_read(&self) -> bool {
        matches!(self.ground, Ground::Units(Source::Stored(_)))
    }

    /// Folds over the blocks of some parts, as [`Level::fold`] does over all.
    ///
    /// # Errors
    /// As [`Level::fold`].
    pub fn fold_parts<A: Send>(
        &self,
        parts: Range<u64>,
        control: &Control,
        start: impl Fn() -> A + Sync,
        each: impl Fn(&mut A, &Block<'_>) + Sync,
        merge: impl Fn(A, A) -> A + Sync,
    ) -> Result<Swept<A>, Error> {
        let lookout = self.level.lookout(control);
        let folding = Folding { table: self.level.table(), lookout: &lookout, start, each, merge };
        match &self.ground {
            Ground::Narrow(ladder) => Ok(self.climb(ladder, parts, &folding)),
            Ground::Wide(ladder) => Ok(self.climb(ladder, parts, &folding)),
            Ground::Units(source) => self.share_out(source, parts, &folding),
        }
    }

    /// The walk of `grundy_sweep`, over tiles computed as they are met.
    fn climb<T: Cell + Width, G: Gather>(
        &self,
        ladder: &Ladder<T>,
        parts: Range<u64>,
        gather: &G,
    ) -> Swept<G::Acc> {
        let (control, table) = (gather.lookout().control, self.level.table());
        let swept = grundy_sweep::sweep_part(ladder, table, parts, control, &Tiles { gather });
        let Swept { acc: Part { acc, .. }, cells, complete } = swept;
        Swept { acc, cells, complete }
    }

    /// The units of a source, claimed one by one.
    fn share_out<G: Gather>(
        &self,
        source: &Source<'_>,
        units: Range<u64>,
        gather: &G,
    ) -> Result<Swept<G::Acc>, Error> {
        let (lookout, table) = (gather.lookout(), self.level.table());
        let (next, units) = (AtomicU64::new(units.start), units.end);
        let parts = rayon::broadcast(|_| {
            let mut reader = Reader::new(table, source);
            let mut part = Swept { acc: Part::new(gather), cells: 0, complete: true };
            while !lookout.control.is_stopped() {
                let unit = next.fetch_add(1, Ordering::Relaxed);
                if unit >= units {
                    return Ok(part);
                }
                let cells = reader.read(unit, &mut |block| gather.each(&mut part.acc.acc, block));
                // One thread's failure ends the others too.
                let cells = cells.inspect_err(|_| next.store(units, Ordering::Relaxed))?;
                part.cells += cells;
                lookout.advance(cells);
                part.acc.look(lookout, cells);
            }
            Ok(Swept { complete: false, ..part })
        });
        let none = Swept { acc: gather.start(), cells: 0, complete: true };
        parts.into_iter().try_fold(none, |left, right: Result<Swept<Part<G::Acc>>, Error>| {
            let right = right?;
            Ok(Swept {
                acc: gather.merge(left.acc, right.acc.acc),
                cells: left.cells + right.cells,
                complete: left.complete && right.complete,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grundy_rules::games::{END_NIM, LOOP_END_NIM, NIM, PARTIZAN_END_NIM};

    /// By hand: canonical inner words of a row, units of 2^16 cells of what is filled otherwise.
    #[test]
    fn walks_are_cut_by_what_they_stand_on() {
        let control = Control::new();
        let parts = |game, length, max_pile| {
            let walk = Level::new(game, length, max_pile).unwrap().walk(&control).unwrap();
            assert!(!walk.is_read());
            assert!(format!("{walk:?}").contains("level"), "{walk:?}");
            walk.parts()
        };
        assert_eq!(parts(END_NIM, 6, 4), 10);
        assert_eq!(parts(LOOP_END_NIM, 4, 4), 1);
        assert_eq!(parts(END_NIM, 3, 200), 1);
        assert_eq!(parts(NIM, 3, 90), 2);
        assert_eq!(parts(PARTIZAN_END_NIM, 4, 20), 3);
    }

    /// 90 · 91 · 92 / 6 multisets, 65536 in the first unit.
    #[test]
    fn parts_are_walked_by_themselves_until_it_is_stopped() {
        let level = Level::new(NIM, 3, 90).unwrap();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let walked = |parts: Range<u64>, stop: bool| {
                let control = Control::new();
                let walk = level.walk(&control).unwrap();
                let before = control.done();
                let each = |count: &mut u64, block: &Block<'_>| {
                    *count += block.positions();
                    if stop {
                        control.stop();
                    }
                };
                let add = |left: u64, right: u64| left + right;
                let swept = pool.install(|| walk.fold_parts(parts, &control, || 0, each, add));
                let swept = swept.unwrap();
                assert_eq!((swept.acc, control.done() - before), (swept.cells, swept.cells));
                (swept.cells, swept.complete)
            };
            assert_eq!(walked(0..2, false), (125_580, true));
            assert_eq!(walked(0..1, false), (65_536, true));
            assert_eq!(walked(1..2, false), (60_044, true));
            assert_eq!(walked(1..1, false), (0, true));
            if threads == 1 {
                assert_eq!(walked(0..2, true), (65_536, false));
            }
            assert!(!walked(0..2, true).1);
        }
        // Stopped before it begins.
        let control = Control::new();
        control.stop();
        let swept =
            level.control(&control).fold(|| 7, |_, _| (), |left, right| left + right).unwrap();
        assert_eq!((swept.acc, swept.cells, swept.complete), (7, 0, false));
    }
}
