//! What is gathered in parts is what the whole gives, and what each part says of itself: held against
//! theorems, counts by hand and the definition written out.

use grundy_kernels::{Cell, Isa};
use grundy_rules::{Multisets, Outcome, Pile, Table, games, nim_sum};
use grundy_sweep::outcomes::{OutcomeCount, OutcomeLevels, count_outcomes};
use grundy_sweep::records::{RecordCounts, count_records};
use grundy_sweep::{Batch, Control, Fold, Histogram, Ladder, MultisetLevels, Stopped, Tile, sweep};

/// A tile that is filled alone is the one that is filled with others.
#[test]
fn one_tile_of_a_batch() {
    struct Alone;
    impl<T: Cell> Fold<T> for Alone {
        type Acc = u64;
        fn start(&self) -> u64 {
            0
        }
        fn tile(&self, _: &mut u64, _: Tile<'_, T>) {}
        fn batch(&self, acc: &mut u64, mut batch: Batch<'_, '_, T>) {
            let mut all = Vec::new();
            batch.each(|tile| all.push((tile.middle.to_vec(), tile.values.to_vec())));
            for (at, (middle, values)) in all.iter().enumerate() {
                assert_eq!(batch.middle(at), middle);
                batch.one(at, |tile| {
                    assert_eq!((tile.middle, tile.length), (&middle[..], middle.len() + 2));
                    assert!(tile.values == values);
                });
                *acc += 1;
            }
        }
        fn merge(&self, left: u64, right: u64) -> u64 {
            left + right
        }
    }
    let control = Control::new();
    let mut ladder = Ladder::<u8>::new(games::END_NIM, 6, Isa::best());
    ladder.extend(2, &control).unwrap();
    for length in [4, 5] {
        let table = Table::new(games::END_NIM, 6, length).unwrap();
        let swept = sweep(&ladder, &table, &control, &Alone);
        assert!(swept.complete && swept.acc > 10, "{}", swept.acc);
    }
}

/// P-positions of three piles are a, b, a with b other than a (Albert and Nowakowski 2001), of two
/// piles a, a.
#[test]
fn short_tables_of_many_tiles() {
    let control = Control::new();
    for n in [100u32, 200] {
        let mut ladder = Ladder::<u16>::new(games::END_NIM, n, Isa::best());
        ladder.extend(2, &control).unwrap();
        let n = u64::from(n);
        for (length, zeros) in [(2, n), (3, n * (n - 1))] {
            let table = Table::new(games::END_NIM, n as Pile, length).unwrap();
            let found = sweep(&ladder, &table, &control, &Histogram).acc;
            assert_eq!((found.positions(), found.p_positions()), (n.pow(length as u32), zeros));
        }
    }
}

/// By Bouton's theorem.
#[test]
fn levels_of_nim_are_nim_sums() {
    let mut levels = MultisetLevels::new(games::NIM, 9);
    levels.extend(3, &Control::new()).unwrap();
    assert!(levels.level(0).is_none() && levels.level(4).is_none());
    for length in 1..=3 {
        let multisets = Multisets::new(9, length).unwrap();
        let level = levels.level(length).unwrap();
        assert_eq!(level.len() as u64, multisets.count());
        let mut piles = vec![1; length];
        for &value in level {
            assert_eq!(Pile::from(value), nim_sum(&piles), "{piles:?}");
            multisets.step(&mut piles);
        }
    }
}

/// By hand.
#[test]
fn rows_are_counted() {
    let mut counts = RecordCounts::new();
    for (value, exceptions) in [(1, 0), (1, 2), (2, 2), (2, 1)] {
        counts.take(value, exceptions);
    }
    assert_eq!((counts.rows, counts.exceptions), (4, 5));
    assert_eq!((counts.most_exceptions, counts.maximum), ((2, 2), (2, 3)));
    assert_eq!(counts.values, [(1, 0), (2, 1), (2, 3)]);
    // Progress is told every 2^14 rows.
    let control = Control::new();
    count_records(40_000, &control).unwrap();
    assert_eq!(control.done(), 2 << 14);
    control.stop();
    assert_eq!(count_records(40_000, &control), Err(Stopped));
}

/// Rows of two words of bits, for each class, by the definition: who moves first wins if some move
/// leads to where the other, moving first, loses. Of 66^3 words and the 66^2 below.
#[test]
fn outcomes_of_wide_rows() {
    const N: usize = 66;
    let at = |a: usize, b: usize, c: usize| (a * (N + 1) + b) * (N + 1) + c;
    // The word a, b, c, where piles of 0 are none; both players, Left's share first.
    let mut wins = vec![(false, false); (N + 1).pow(3)];
    let mut expected = [[0u64; 4]; 3];
    for a in 0..=N {
        for b in 0..=N {
            for c in 0..=N {
                let piles: Vec<usize> = [a, b, c].into_iter().filter(|&pile| pile > 0).collect();
                // Each word is numbered once, with its empty piles in front.
                let word = |piles: &[usize]| match *piles {
                    [] => at(0, 0, 0),
                    [c] => at(0, 0, c),
                    [b, c] => at(0, b, c),
                    [a, b, c] => at(a, b, c),
                    _ => unreachable!("three piles"),
                };
                if word(&piles) != at(a, b, c) || piles.is_empty() {
                    continue;
                }
                let lowered = |place: usize, to: usize| {
                    let mut left = piles.clone();
                    left[place] = to;
                    left.retain(|&pile| pile > 0);
                    wins[word(&left)]
                };
                let last = piles.len() - 1;
                let left = (0..piles[0]).any(|to| !lowered(0, to).1);
                let right = (0..piles[last]).any(|to| !lowered(last, to).0);
                wins[at(a, b, c)] = (left, right);
                let class = match (left, right) {
                    (true, false) => Outcome::L,
                    (false, true) => Outcome::R,
                    (true, true) => Outcome::N,
                    (false, false) => Outcome::P,
                };
                expected[last][class as usize] += 1;
            }
        }
    }
    assert_eq!(count_outcomes(N as Pile, 3, &Control::new()).unwrap(), expected);
}

/// By hand: rows of one word of bits up to 64 coins and of two above, for Left and for Right; one
/// row of length 1, and one for each word without its last pile.
#[test]
fn outcomes_take_memory_and_can_be_stopped() {
    assert_eq!(OutcomeLevels::bytes(3, 2), Some(16 + 3 * 16));
    assert_eq!(OutcomeLevels::bytes(66, 3), Some(32 + 66 * 32 + 66 * 66 * 32));
    assert_eq!(OutcomeLevels::bytes(4_000_000_000, 63), None);
    let control = Control::new();
    let mut levels = OutcomeLevels::new(8);
    levels.extend(3, &control).unwrap();
    let whole = levels.sweep(&control, &OutcomeCount);
    assert_eq!((whole.complete, whole.cells), (true, 8 * 8 * 8 * 8));
    control.stop();
    assert!(!levels.sweep(&control, &OutcomeCount).complete);
}
