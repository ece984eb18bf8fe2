//! Compares every implementation that this machine can run with a naive mex.

use grundy_kernels::{Borders, Edge, EqualMask, Isa, Kernel, Scratch, Tally};
use proptest::prelude::*;

use crate::definition::{Tile, by_definition, edge_holds, tiles_hold};
use crate::random::Random;

/// Returns a border. Most borders look like those of End-Nim: distinct values (rows are injective),
/// at most twice the largest pile, nearly ascending or in any order. Some borders have equal
/// values, like the seed row of Loop-End-Nim.
fn border(n: usize, seed: u64) -> Vec<u32> {
    let mut state = Random(seed);
    let mut random = |below: usize| state.number() as usize % below;
    let mut left: Vec<u32> = (0..=(n + random(n + 1)) as u32).collect();
    let next = |_| match seed % 10 {
        9 => left[random(left.len())],
        near @ 0..5 => left.remove(random(left.len()).min(near as usize)),
        _ => left.swap_remove(random(left.len())),
    };
    (0..n).map(next).collect()
}

/// Compares every instruction set with the definition.
fn check<T: EqualMask>(n: usize, seeds: &[u64]) {
    let pair = |&seed: &u64| [border(n, 2 * seed), border(n, 2 * seed + 1)];
    let pairs: Vec<[Vec<u32>; 2]> = seeds.iter().map(pair).collect();
    let expected: Vec<Tile> = pairs.iter().map(|[row, col]| by_definition(row, col)).collect();
    let mut scratch = Scratch::default();
    Isa::available().for_each(|isa| tiles_hold::<T>(isa, &mut scratch, &pairs, &expected));
}

#[test]
fn bytes_every_size() {
    for n in (1..=70).chain([96, 126, 127]) {
        // One tile, a full group of lanes, and a group with a remainder.
        for tiles in [1, 8, 11] {
            let seeds: Vec<u64> = (0..tiles).map(|i| i * 1001 + n as u64).collect();
            check::<u8>(n, &seeds);
        }
    }
}

#[test]
fn two_bytes_around_the_boundaries() {
    for n in (1..=70).chain([127, 128, 129, 191, 192, 193, 255, 256, 257]) {
        check::<u16>(n, &[n as u64, 7, 1, 2, 3, 4, 5, 6, 8]);
    }
}

fn check_edge(isa: Isa, row: &[u32], col: &[u32]) {
    check_edge_of(&mut Edge::new(isa), row, col, isa);
}

fn check_edge_of(edge: &mut Edge, row: &[u32], col: &[u32], isa: Isa) {
    let expected = by_definition(row, col);
    // Compute twice, because the second run reuses the memory of the first.
    (0..2).for_each(|_| edge_holds(edge, row, col, &expected, isa));
}

#[test]
fn edges_of_rectangles() {
    for isa in Isa::available() {
        for (a, b) in [(1, 1), (1, 9), (9, 1), (5, 64), (64, 64), (65, 64), (63, 130), (130, 200)] {
            check_edge(isa, &border(b, a as u64), &border(a, b as u64));
        }
        for n in 1..=70 {
            check_edge(isa, &border(n, 3), &border(71 - n, 5));
        }
        // Sizes near those at which the edge kernel begins to work row by row, and larger sizes.
        for (a, b) in [(63, 7), (65, 8), (72, 9), (73, 9), (10, 81), (700, 3), (1, 300), (520, 64)]
        {
            check_edge(isa, &border(b, 11), &border(a, 13));
        }
    }
}

/// In Nim the value of (a, b) is the nim-sum, so the test can check a long strip. The test would
/// take hours if the cost of a row grew with the number of rows above it.
#[test]
fn a_long_strip_costs_what_its_cells_cost() {
    for wide in [5u32, 90] {
        let (row, col) = ((1..=wide).collect::<Vec<u32>>(), (1..=1 << 20).collect::<Vec<u32>>());
        let mut edge = Edge::new(Isa::best());
        edge.compute(&row, &col);
        assert!(edge.row.iter().zip(1..).all(|(&value, b)| value == b ^ 1 << 20));
        assert!(edge.col.iter().zip(1..).all(|(&value, a)| value == a ^ wide));
    }
}

#[test]
fn the_computation_of_an_edge_can_be_stopped() {
    let (row, col) = (border(100, 3), border(1000, 5));
    let mut edge = Edge::new(Isa::best());
    let mut calls = 0;
    let mut thrice = || {
        calls += 1;
        calls < 3
    };
    assert!(!edge.compute_while(&row, &col, &mut thrice));
    assert_eq!(calls, 3);
    // The first complete computation after an interruption gives the right result.
    check_edge_of(&mut edge, &row, &col, Isa::best());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn random_tiles(n in 1usize..=127, wide in 1usize..=300, seeds in prop::collection::vec(0..u64::MAX / 4, 1..12)) {
        check::<u8>(n, &seeds);
        check::<u16>(wide, &seeds[..1]);
    }

    #[test]
    fn random_edges(a in 1usize..=80, b in 1usize..=80, seed in any::<u64>()) {
        for isa in Isa::available() {
            // The same `Edge` computes rectangles of many sizes.
            let mut edge = Edge::new(isa);
            for (a, b) in [(a, b), (b, a), (a.div_ceil(2), b.div_ceil(3))] {
                check_edge_of(&mut edge, &border(b, seed), &border(a, !seed), isa);
            }
        }
    }
}

/// Borders and outputs of a wrong size cause a panic, and so do two-byte values for one-byte cells.
#[test]
fn borders_and_outputs_of_a_wrong_size_are_refused() {
    let refuses = |n: usize, row: usize, col: usize, out: usize, weights: &[u64]| {
        let (row, col) = (vec![0u8; row], vec![0u8; col]);
        let borders = [Borders { row: &row[..], col: &col[..] }];
        let mut tile = vec![0; out];
        let (kernel, scratch) = (Kernel::new(Isa::best(), n), &mut Scratch::default());
        let filled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            kernel.fill(scratch, &borders, &mut tile);
        }));
        let counted = std::panic::catch_unwind(|| {
            let mut tally = Tally::default();
            kernel.tally(&mut Scratch::default(), &borders, weights, &mut tally);
        });
        (filled.is_err(), counted.is_err())
    };
    assert_eq!(refuses(4, 4, 4, 16, &[1]), (false, false));
    assert_eq!(refuses(127, 127, 127, 127 * 127, &[1]), (false, false));
    assert_eq!(refuses(128, 128, 128, 128 * 128, &[1]), (true, true));
    assert_eq!(refuses(4, 3, 4, 16, &[1]), (true, true));
    assert_eq!(refuses(4, 4, 3, 16, &[1]), (true, true));
    assert_eq!(refuses(4, 4, 4, 15, &[1]), (true, false));
    assert_eq!(refuses(4, 4, 4, 32, &[1, 1]), (true, true));
    assert!(std::panic::catch_unwind(|| Kernel::new(Isa::best(), 0)).is_err());
    for (row, col) in [(&[][..], &[1][..]), (&[1], &[])] {
        assert!(std::panic::catch_unwind(|| Edge::new(Isa::best()).compute(row, col)).is_err());
    }
    assert_eq!(Edge::new(Isa::best()).corner(), 0, "of nothing");
}

/// A tally accumulates until it is cleared.
#[test]
fn tallies_add_up() {
    let cells = |values: Vec<u32>| values.into_iter().map(|value| value as u16).collect::<Vec<_>>();
    for n in [3, 65, 260] {
        let (row, col) = (cells(border(n, 1)), cells(border(n, 2)));
        let borders = [Borders { row: &row[..], col: &col[..] }];
        let kernel = Kernel::new(Isa::best(), n);
        let mut tally = Tally::default();
        let count = |tally: &mut Tally, weight| {
            kernel.tally(&mut Scratch::default(), &borders, &[weight], tally);
        };
        count(&mut tally, 2);
        let once = tally.clone();
        assert_eq!(once.values.iter().sum::<u64>(), 2 * (n * n) as u64);
        count(&mut tally, 3);
        // The counts have the same ratio as the weights.
        let expected: Vec<u64> = once.values.iter().map(|count| count / 2 * 5).collect();
        assert_eq!((&tally.values, tally.largest.len()), (&expected, 2), "{n}");
        tally.clear();
        assert_eq!(tally, Tally::default());
    }
}
