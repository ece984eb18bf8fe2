//! Reads stored tables: all frames, single cells, and some of the frames.

use grundy_rules::{Table, games};
use grundy_solvers::{Stored, read_cells};
use grundy_sweep::{Control, Histogram};

use crate::common::{Held, tables_of};

/// Tests that cells are little-endian, and that incomplete cells are ignored.
#[test]
fn cells_are_little_endian() {
    let read = |width, bytes: &[u8]| {
        let mut cells = vec![9];
        read_cells(width, bytes, &mut cells);
        cells
    };
    assert_eq!(read(1, &[1, 255]), [9, 1, 255]);
    assert_eq!(read(2, &[1, 2, 0, 255, 7]), [9, 0x201, 0xff00]);
    assert_eq!(read(4, &[1, 2, 3, 4, 0, 0, 0, 255]), [9, 0x0403_0201, 0xff00_0000]);
}

/// Counts each value in the given tiles. A tile that also represents its reversal counts twice.
fn histogram(held: &Held, tiles: std::ops::Range<u64>) -> Vec<u64> {
    let (table, cells) = (&held.table, held.table.tile_cells());
    let mut counts = Vec::new();
    let mut middle = Vec::new();
    for tile in tiles {
        table.tile_word(tile, &mut middle);
        let weight = if middle.iter().eq(middle.iter().rev()) { 1 } else { 2 };
        for &value in &held.cells[tile as usize * cells..][..cells] {
            counts.resize(counts.len().max(value as usize + 1), 0);
            counts[value as usize] += weight;
        }
    }
    counts
}

/// Tests that any number of threads reads each given frame once, and reads no other frame.
#[test]
fn only_the_given_frames_are_scanned() {
    for (max_pile, length) in [(4, 4), (3, 5), (130, 3)] {
        let table = Table::new(games::END_NIM, max_pile, length).unwrap();
        let shelf = tables_of(games::END_NIM, max_pile, length).unwrap();
        let held = shelf.of_length(length);
        let (frames, tiles) = (held.frames(), table.tiles());
        let stored: &dyn Stored = held;
        for some in [0..frames, 0..1, 1..2, 1..frames, frames - 1..frames, 0..frames + 7, 1..1] {
            let control = Control::new();
            let swept = match table.value_bytes() {
                1 => stored.scan::<u8, _>(some.clone(), &control, &Histogram).unwrap(),
                _ => stored.scan::<u16, _>(some.clone(), &control, &Histogram).unwrap(),
            };
            // As in all tables of these tests, a frame has five tiles.
            let tiles = (5 * some.start).min(tiles)..(5 * some.end).min(tiles);
            let cells = (tiles.end - tiles.start) * table.tile_cells() as u64;
            assert_eq!(
                (swept.cells, control.done(), swept.complete),
                (cells, cells, true),
                "{table}"
            );
            let mut found = swept.acc.values;
            found.truncate(found.iter().rposition(|&count| count > 0).map_or(0, |at| at + 1));
            assert_eq!(found, histogram(held, tiles), "{table} {some:?}");
        }
        if table.value_bytes() == 1 {
            let control = Control::new();
            control.stop();
            let swept = stored.scan::<u8, _>(0..frames, &control, &Histogram).unwrap();
            assert_eq!((swept.complete, swept.cells), (false, 0));
        }
    }
}
