//! Compares the tiles of the kernels with tiles filled by the definition of mex. The definition
//! uses no code of the kernels.

use grundy_kernels::{Borders, Edge, EqualMask, Isa, Kernel, Scratch, Tally};

/// Rows of values.
pub(crate) type Tile = Vec<Vec<u32>>;

/// Fills a tile: each cell gets the least value that is not to its left, above it, or in a border.
pub(crate) fn by_definition(row: &[u32], col: &[u32]) -> Tile {
    // For each column, the values above the current row. Values beyond the list have no effect.
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

/// Fills and counts the tiles of pairs of borders. Searches the first tile for values.
pub(crate) fn tiles_hold<T: EqualMask>(
    isa: Isa,
    scratch: &mut Scratch,
    pairs: &[[Vec<u32>; 2]],
    expected: &[Tile],
) {
    let n = pairs[0][0].len();
    let cells = |border: &Vec<u32>| border.iter().map(|&value| T::from_value(value)).collect();
    let cells: Vec<[Vec<T>; 2]> = pairs.iter().map(|pair| pair.each_ref().map(cells)).collect();
    let borders: Vec<Borders<'_, T>> =
        cells.iter().map(|[row, col]| Borders { row, col }).collect();
    let kernel = Kernel::new(isa, n);
    let mut out = vec![T::default(); n * n * pairs.len()];
    kernel.fill(scratch, &borders, &mut out);
    let (mut tally, weights) = (Tally::default(), (1..=pairs.len() as u64).collect::<Vec<_>>());
    kernel.tally(scratch, &borders, &weights, &mut tally);
    let found: Vec<u32> = out.iter().map(|&cell| cell.into()).collect();
    let mut counts: Vec<u64> = Vec::new();
    for (at, (found, expected)) in found.chunks(n * n).zip(expected).enumerate() {
        let expected = expected.concat();
        let what = || format!("{isa}, N = {n}, {} bytes, tile {at}: {:?}", T::BYTES, pairs[at]);
        assert!(found == expected, "{}", what());
        assert_eq!(Some(&tally.largest[at]), expected.iter().max(), "{}", what());
        for &value in &expected {
            counts.resize(counts.len().max(value as usize + 1), 0);
            counts[value as usize] += weights[at];
        }
    }
    assert_eq!(tally.values, counts, "{isa}, N = {n}");
    masks_hold(isa, &out[..n * n], &expected[0]);
}

/// Compares masks with the cells of a tile, for each value in the tile and one missing value.
fn masks_hold<T: EqualMask>(isa: Isa, cells: &[T], tile: &Tile) {
    let n = tile.len();
    let words = n.div_ceil(64);
    let mut masks = vec![u64::MAX; words * n];
    let largest = tile.iter().flatten().copied().max().unwrap_or(0);
    for value in [0, 1, tile[n - 1][n - 1], largest, 2 * n as u32] {
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

/// Compares an edge with the last row and column of a rectangle within a tile.
pub(crate) fn edge_holds(edge: &mut Edge, row: &[u32], col: &[u32], tile: &Tile, by: Isa) {
    let (rows, cols) = (col.len(), row.len());
    let column: Vec<u32> = tile[..rows].iter().map(|line| line[cols - 1]).collect();
    edge.compute(row, col);
    assert_eq!(edge.row, tile[rows - 1][..cols], "{by}, row of {rows} x {cols}");
    assert_eq!(edge.col, column, "{by}, column of {rows} x {cols}");
    assert_eq!(edge.corner(), tile[rows - 1][cols - 1], "{by}, {rows} x {cols}");
}
