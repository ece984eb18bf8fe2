//! The kernels.
//!
//! - Every instruction set of this machine fills a tile as the definition does: cell by cell, the
//!   least value that stands neither to its left nor above it, borders included. The definition is
//!   written out beside the tests of `kernels` and shares no code with them.
//! - This holds for one tile or many at once, for values of one byte and of two, and after any
//!   earlier use of the working memory.
//! - The edge of a rectangle is the last row and column of the whole rectangle.
//! - The count of each value is the number of its cells.
//! - The mask of a value has a bit for each cell that has the value, and no other bit.
//!
//! Borders are mostly like those of a game: distinct values, none above twice the largest pile.
//! Some have equal values, like the seed row of Loop-End-Nim.

use arbitrary::Unstructured;
use grundy_kernels::{Cell, Edge, Isa, Scratch};

use definition::{Tile, by_definition, edge_holds, tiles_hold};

// Shares the definition with the tests of `kernels`.
#[path = "../../crates/kernels/tests/suite/definition.rs"]
mod definition;

/// Panics if one of the statements above is false for the sizes and borders chosen by these bytes.
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
            tiles_hold::<u8>(isa, &mut scratch, &pairs, &expected);
        }
        tiles_hold::<u16>(isa, &mut scratch, &pairs, &expected);
    }
    let rectangles: Vec<[usize; 2]> = pairs
        .iter()
        .map(|_| Ok([input.int_in_range(1..=n)?, input.int_in_range(1..=n)?]))
        .collect::<arbitrary::Result<_>>()?;
    for isa in Isa::available() {
        let mut edge = Edge::new(isa);
        for (([row, col], tile), &[rows, cols]) in pairs.iter().zip(&expected).zip(&rectangles) {
            edge_holds(&mut edge, &row[..cols], &col[..rows], tile, isa);
        }
    }
    Ok(())
}

/// Returns a border of n values.
fn border(input: &mut Unstructured<'_>, n: usize) -> arbitrary::Result<Vec<u32>> {
    let largest = n as u32 + input.int_in_range(0..=n as u32)?;
    let kind = input.int_in_range(0..=9)?;
    if kind == 9 {
        return (0..n).map(|_| input.int_in_range(0..=largest)).collect();
    }
    // The first values in another order: the input chooses the next one.
    let mut left: Vec<u32> = (0..=largest).collect();
    (0..n)
        .map(|_| {
            let next = input.int_in_range(0..=left.len() - 1)?;
            // Nearly ascending borders, like the real ones, or any at all.
            Ok(if kind < 5 { left.remove(next.min(kind)) } else { left.swap_remove(next) })
        })
        .collect()
}
