//! Claims about short global nim with several piles, checked at every multiset and every last move.
//! The values are from stored tables, or from tables that are filled during the check.

use grundy_kernels::last_move::LastMoves;
use grundy_rules::{Game, Multisets, Pile, Table, games};
use grundy_sweep::cost::price::{LAST_MOVE, PREDICATE};

use super::dense::Dense;
use crate::domain::{Extent, Size, longest};
use crate::estimate::{Estimate, Means};
use crate::job::{Examination, Job};
use crate::stored::Halt;
use crate::tally::Tally;

const GAME: Game = games::SHORT_GLOBAL_NIM;

pub(crate) fn cost(_: &[Game], extent: &Extent, _: &Means<'_>) -> Estimate {
    let each = |(max_pile, length)| {
        let multisets = multisets(Size { max_pile, length });
        let cells = multisets.count().saturating_mul(u64::from(max_pile) + 1);
        let seconds = LastMoves::work(&multisets) * LAST_MOVE + cells as f64 * PREDICATE;
        let memory = LastMoves::bytes(&multisets).saturating_mul(2);
        Estimate { positions: cells, cells, seconds, memory }
    };
    longest(extent.sizes()).into_iter().map(each).sum()
}

/// Returns the multisets of a size; the plan has checked that their number is valid.
fn multisets(size: Size) -> Multisets {
    let Some(multisets) = Multisets::new(size.max_pile, size.length) else {
        unreachable!("the plan has no such table: {size:?}")
    };
    multisets
}

/// Calls `look` for the multisets of the wanted sizes, in order. The last argument of `look` has
/// the values for the last moves 0, 1, ..., N.
fn each_row(
    job: &Job<'_>,
    mut look: impl FnMut(&mut Tally, &Multisets, &[Pile], &[u32]),
) -> Examination {
    Examination::by(|tally| {
        for (max_pile, longest) in longest(job.sizes()) {
            // The previous level, from which the next level is filled if it is not stored.
            let mut level = LastMoves::empty(max_pile);
            for length in 1..=longest {
                let size = Size { max_pile, length };
                if job.sizes().contains(&size) {
                    each_row_of(job, size, &mut level, |multisets, piles, row| {
                        look(tally, multisets, piles, row);
                    })?;
                }
            }
        }
        Ok(())
    })
}

fn each_row_of(
    job: &Job<'_>,
    size: Size,
    level: &mut LastMoves,
    mut show: impl FnMut(&Multisets, &[Pile], &[u32]),
) -> Result<(), Halt> {
    let Size { max_pile, length } = size;
    let multisets = multisets(size);
    let count = multisets.count();
    let width = max_pile as usize + 1;
    let mut piles = vec![1; length];
    let mut next = |row: &[u32]| {
        show(&multisets, &piles, row);
        multisets.step(&mut piles);
    };
    if length == 1 {
        // Single piles are stored as records. There are few records, so unpack all of them.
        let dense = Dense::of(job, max_pile)?;
        for n in 1..=dense.last() {
            let row: Vec<u32> = (0..width).map(|k| dense.value(n, k)).collect();
            next(&row);
        }
    } else if let Some(held) = holder(job, size) {
        // A table with a larger max pile begins with the same multisets, but has more last moves.
        let mut shown = 0;
        job.read(&held, |_, values| {
            for row in values.chunks_exact(held.tile_cells()) {
                if shown == count {
                    return Ok(false);
                }
                next(&row[..width]);
                shown += 1;
            }
            Ok(shown < count)
        })?;
    } else {
        job.stored.computed();
        while level.multisets().length() < length {
            *level = level.with_another_pile(|_| !job.control.is_stopped()).ok_or(Halt)?;
        }
        let mut row = Vec::with_capacity(width);
        for values in level.values().chunks_exact(width) {
            row.clear();
            row.extend(values.iter().map(|&value| u32::from(value)));
            next(&row);
        }
    }
    job.control.advance(count * width as u64);
    Ok(())
}

fn holder(job: &Job<'_>, Size { max_pile, length }: Size) -> Option<Table> {
    job.holder(&Table::new(GAME, max_pile, length).ok()?)
}

/// Compares outcomes with a claim about a multiset and a last move k = 0, 1, ..., N. `said` returns
/// true for P, false for N, and `None` if the claim is not about this case.
fn who_wins(job: &Job<'_>, said: impl Fn(&[Pile], Pile) -> Option<bool>) -> Examination {
    each_row(job, |tally, _, piles, row| {
        for (k, &value) in (0..).zip(row) {
            let Some(is_p) = said(piles, k) else { continue };
            tally.checked += 1;
            if is_p != (value == 0) {
                tally.fail(GAME, piles, Some(value), || {
                    format!("last move {k}: value {value}, which contradicts the claim")
                });
            }
        }
    })
}

pub(crate) fn unequal(job: &Job<'_>) -> Examination {
    who_wins(job, |piles, k| matches!(*piles, [m, n] if m != n).then_some(k == 1))
}

pub(crate) fn one_and_more(job: &Job<'_>) -> Examination {
    who_wins(job, |piles, k| matches!(*piles, [1, _]).then_some(k == 1))
}

pub(crate) fn equal(job: &Job<'_>) -> Examination {
    who_wins(job, |piles, k| match *piles {
        [m, n] if m == n && k == 1 => Some(n == 1 || n.trailing_zeros() % 2 == 1),
        _ => None,
    })
}
