//! Processes numbered units of work, which threads claim one by one.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Control, Stopped};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swept<A> {
    pub acc: A,
    pub cells: u64,
    /// True if all units were done; false if the control stopped the threads.
    pub complete: bool,
}

impl<A> Swept<A> {
    /// Returns the result of all units, or an error if the control stopped the threads.
    pub fn finished(self) -> Result<A, Stopped> {
        if self.complete { Ok(self.acc) } else { Err(Stopped) }
    }
}

/// Folds over units on all threads of the caller's rayon pool. Each thread calls `room` once for
/// its working memory, and `start` once for its result. `each` processes a unit, and returns the
/// number of its cells.
///
/// # Errors
/// The first error that `each` returns. This error ends the work of all threads.
pub fn try_fold_units<R, A: Send, E: Send>(
    units: Range<u64>,
    control: &Control,
    room: impl Fn() -> R + Sync,
    start: impl Fn() -> A + Sync,
    each: impl Fn(&mut R, &mut A, u64) -> Result<u64, E> + Sync,
    merge: impl Fn(A, A) -> A,
) -> Result<Swept<A>, E> {
    let (next, end) = (AtomicU64::new(units.start), units.end);
    let nothing = || Swept { acc: start(), cells: 0, complete: true };
    let parts = rayon::broadcast(|_| {
        let (mut room, mut part) = (room(), nothing());
        while !control.is_stopped() {
            let unit = next.fetch_add(1, Ordering::Relaxed);
            if unit >= end {
                return Ok(part);
            }
            let cells = each(&mut room, &mut part.acc, unit)
                .inspect_err(|_| next.store(end, Ordering::Relaxed))?;
            part.cells += cells;
            control.advance(cells);
        }
        Ok(Swept { complete: false, ..part })
    });
    parts.into_iter().try_fold(nothing(), |left, right| {
        let right = right?;
        Ok(Swept {
            acc: merge(left.acc, right.acc),
            cells: left.cells + right.cells,
            complete: left.complete && right.complete,
        })
    })
}

/// Does the same as [`try_fold_units`], for work without errors.
pub fn fold_units<R, A: Send>(
    units: Range<u64>,
    control: &Control,
    room: impl Fn() -> R + Sync,
    start: impl Fn() -> A + Sync,
    each: impl Fn(&mut R, &mut A, u64) -> u64 + Sync,
    merge: impl Fn(A, A) -> A,
) -> Swept<A> {
    let each = |room: &mut R, acc: &mut A, unit| Ok::<_, Infallible>(each(room, acc, unit));
    let Ok(swept) = try_fold_units(units, control, room, start, each, merge);
    swept
}
