//! Folding over a stored table.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use grundy_kernels::Cell;
use grundy_rules::Layout;
use grundy_sweep::{Control, Fold, Swept, Tile};

use crate::{QueryError, StoredTable};

/// Reads every tile of some frames of a stored table of End-Nim once and folds over them in
/// parallel, in the rayon pool of the caller: what `grundy_sweep::sweep_part` does with
/// computed tiles. All frames of the table are `0..stored.frames()`.
///
/// # Errors
/// [`QueryError`] at the first damaged frame.
///
/// # Panics
/// If `T` is not the table's width, or the table's tiles are not those of middles.
pub fn scan<T: Cell, F: Fold<T>>(
    stored: &StoredTable,
    frames: Range<u64>,
    control: &Control,
    fold: &F,
) -> Result<Swept<F::Acc>, QueryError> {
    assert_eq!(usize::from(stored.entry().value_bytes), T::BYTES);
    let table = stored.table();
    assert!(matches!(table.layout(), Layout::Middles(_)), "{table} has no middles");
    let (cells, rows, length) = (table.tile_cells(), table.tile_rows(), table.length());
    let next = AtomicU64::new(frames.start);
    let end = frames.end.min(stored.frames());
    let parts = rayon::broadcast(|_| {
        let mut part = Swept { acc: fold.start(), cells: 0, complete: true };
        let (mut bytes, mut values) = (Vec::new(), Vec::<T>::new());
        let mut middle = Vec::new();
        while !control.is_stopped() {
            let frame = next.fetch_add(1, Ordering::Relaxed);
            if frame >= end {
                return Ok(part);
            }
            stored.decode(frame, &mut bytes)?;
            values.clear();
            values.extend(bytes.chunks_exact(T::BYTES).map(|cell| match *cell {
                [low, high] => T::from_value(u32::from(u16::from_le_bytes([low, high]))),
                _ => T::from_value(u32::from(cell[0])),
            }));
            let (first, _) = stored.frame_tiles(frame);
            for (tile, values) in (first..).zip(values.chunks_exact(cells)) {
                table.tile_word(tile, &mut middle);
                fold.tile(&mut part.acc, Tile { length, middle: &middle, rows, values });
            }
            part.cells += values.len() as u64;
            control.advance(values.len() as u64);
        }
        Ok(Swept { complete: false, ..part })
    });
    let none = Swept { acc: fold.start(), cells: 0, complete: true };
    parts.into_iter().try_fold(none, |left, right: Result<_, QueryError>| {
        let right = right?;
        Ok(Swept {
            acc: fold.merge(left.acc, right.acc),
            cells: left.cells + right.cells,
            complete: left.complete && right.complete,
        })
    })
}
