//! The kernels.
//!
//! - Every instruction set that this machine has fills a tile as the definition does:
//!   cell by cell, the least value that stands neither to its left nor above it, borders
//!   included. That is written out below and shares nothing with the kernels.
//! - So for one tile or many at once, for values of one byte and of two, whatever the
//!   working memory was used for before.
//! - The edge of a rectangle is the last row and column of the whole of it.
//! - The mask of a value has a bit for each cell that has the value, and no other bit.
//!
//! Borders are mostly like those that a game has: distinct values, none above twice the
//! largest pile. Some have equal values, as the seed row of Loop-End-Nim.

use arbitrary::Unstructured;
use grundy_kernels::{Borders, Cell, Edge, EqualMask, Isa, Kernel, Scratch};

/// Panics if one of the statements above is false for the sizes and borders that these
/// bytes choose.
pub fn run(data: &[u8]) {
    // The input can run out only where a choice has no candidates, and all have some.
    let _ = try_run(&mut Unstructured::new(data));
}

/// Every size around the ends of machine words, with ascending and with mixed borders.
pub fn seeds() -> Vec<Vec<u8>> {
    let mixed: Vec<u8> = (0..600_u32).map(|at| (at * at * 37 + at * 11) as u8).collect();
    (0..SIZES.len() as u8)
        .flat_map(|size| {
            let with = |tail: &[u8]| [&[size, 3, 0], tail].concat();
            [with(&[]), with(&mixed), with(&[0xFF; 600])]
        })
        .collect()
}

/// Sizes to choose from, as ranges of N.
const SIZES: [(usize, usize); 9] = [
    (1, 4),
    (5, 24),
    (31, 33),
    (60, 66),
    (100, 126),
    (127, 127),
    (128, 130),
    (191, 193),
    (254, 257),
];

fn try_run(input: &mut Unstructured<'_>) -> arbitrary::Result<()> {
    let (least, most) = *input.choose(&SIZES)?;
    // Eight tiles go side by side: one, a full group, and a group with some left over.
    let tiles = input.int_in_range(1..=10)?;
    let n = input.int_in_range(least..=most)?;
    let tiles = match n {
        0..=66 => tiles,
        67..=130 => tiles.min(2),
        _ => 1,
    };
    let pairs: Vec<[Vec<u32>; 2]> = (0..tiles)
        .map(|_| Ok([border(input, n)?, border(input, n)?]))
        .collect::<arbitrary::Result<_>>()?;
    let expected: Vec<Tile> = pairs.iter().map(|[row, col]| by_definition(row, col)).collect();
    let mut scratch = Scratch::default();
    for isa in Isa::available() {
        if n <= u8::MAX_PILE {
            fill::<u8>(isa, n, &mut scratch, &pairs, &expected);
        }
        fill::<u16>(isa, n, &mut scratch, &pairs, &expected);
    }
    let rectangles: Vec<[usize; 2]> = pairs
        .iter()
        .map(|_| Ok([input.int_in_range(1..=n)?, input.int_in_range(1..=n)?]))
        .collect::<arbitrary::Result<_>>()?;
    for isa in Isa::available() {
        let mut edge = Edge::new(isa);
        for (([row, col], tile), &[rows, cols]) in pairs.iter().zip(&expected).zip(&rectangles) {
            compare_edge(isa, &mut edge, &row[..cols], &col[..rows], tile);
        }
    }
    Ok(())
}

/// Rows of values.
type Tile = Vec<Vec<u32>>;

/// A border of n values.
fn border(input: &mut Unstructured<'_>, n: usize) -> arbitrary::Result<Vec<u32>> {
    let largest = n as u32 + input.int_in_range(0..=n as u32)?;
    let kind = input.int_in_range(0..=9)?;
    if kind == 9 {
        return (0..n).map(|_| input.int_in_range(0..=largest)).collect();
    }
    // The first values, in another order: the input says which of those left comes next.
    let mut left: Vec<u32> = (0..=largest).collect();
    (0..n)
        .map(|_| {
            let next = input.int_in_range(0..=left.len() - 1)?;
            // Nearly ascending borders, as the real ones are, or any at all.
            Ok(if kind < 5 { left.remove(next.min(kind)) } else { left.swap_remove(next) })
        })
        .collect()
}

fn by_definition(row: &[u32], col: &[u32]) -> Tile {
    // Which values stand above, in each column; larger ones than these forbid nothing.
    let values = row.len() + col.len() + 1;
    let mut above = vec![vec![false; values]; row.len()];
    for (above, &top) in above.iter_mut().zip(row) {
        mark(above, top);
    }
    let mut tile = Tile::new();
    for &border in col {
        let mut left = vec![false; values];
        mark(&mut left, border);
        let mut line = Vec::new();
        for above in &mut above {
            let free = left.iter().zip(&*above).position(|(&left, &above)| !left && !above);
            let mex = free.expect("fewer values than places") as u32;
            mark(&mut left, mex);
            mark(above, mex);
            line.push(mex);
        }
        tile.push(line);
    }
    tile
}

fn mark(seen: &mut [bool], value: u32) {
    if let Some(seen) = seen.get_mut(value as usize) {
        *seen = true;
    }
}

fn fill<T: EqualMask>(
    isa: Isa,
    n: usize,
    scratch: &mut Scratch,
    pairs: &[[Vec<u32>; 2]],
    expected: &[Tile],
) {
    let cells: Vec<[Vec<T>; 2]> = pairs
        .iter()
        .map(|pair| {
            pair.each_ref().map(|border| border.iter().map(|&value| T::from_value(value)).collect())
        })
        .collect();
    let borders: Vec<Borders<'_, T>> =
        cells.iter().map(|[row, col]| Borders { row, col }).collect();
    let mut out = vec![T::default(); n * n * pairs.len()];
    Kernel::new(isa, n).fill(scratch, &borders, &mut out);
    let found: Vec<u32> = out.iter().map(|&cell| cell.into()).collect();
    for (number, (found, expected)) in found.chunks(n * n).zip(expected).enumerate() {
        assert!(
            found == expected.concat(),
            "{isa}, N = {n}, {} bytes, tile {number} of {}, borders {:?}",
            T::BYTES,
            pairs.len(),
            pairs[number]
        );
    }
    compare_masks(isa, n, &out[..n * n], &expected[0]);
}

/// A rectangle of a tile is the tile of its part of the borders.
fn compare_edge(isa: Isa, edge: &mut Edge, row: &[u32], col: &[u32], tile: &Tile) {
    edge.compute(row, col);
    let (rows, cols) = (col.len(), row.len());
    assert_eq!(edge.row, tile[rows - 1][..cols], "{isa}, row of {rows} x {cols}");
    let column: Vec<u32> = tile[..rows].iter().map(|line| line[cols - 1]).collect();
    assert_eq!(edge.col, column, "{isa}, column of {rows} x {cols}");
    assert_eq!(edge.corner(), tile[rows - 1][cols - 1], "{isa}, {rows} x {cols}");
}

/// Where `value` stands, for values that a tile has and one that it has not.
fn compare_masks<T: EqualMask>(isa: Isa, n: usize, cells: &[T], tile: &Tile) {
    let words = n.div_ceil(64);
    let mut masks = vec![u64::MAX; words * n];
    for value in [0, 1, tile[n - 1][n - 1], 2 * n as u32] {
        T::equal_mask(isa, cells, n, T::from_value(value), &mut masks);
        for (line, masks) in tile.iter().zip(masks.chunks(words)) {
            for (word, cells) in masks.iter().zip(line.chunks(64)) {
                let bit = |(at, &cell): (usize, &u32)| u64::from(cell == value) << at;
                let expected: u64 = cells.iter().enumerate().map(bit).sum();
                assert_eq!(*word, expected, "{isa}, N = {n}, value {value}");
            }
        }
    }
}
