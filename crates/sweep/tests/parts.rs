//! Results of parts and of the whole, compared with theorems, counts by hand and the definition.

use grundy_kernels::thresholds::of_word;
use grundy_kernels::{Cell, Isa};
use grundy_rules::{Pile, Table, class_of_thresholds, games, lex_word};
use grundy_sweep::outcomes::{OutcomeCount, OutcomeLevels, count_outcomes};
use grundy_sweep::records::{RecordCounts, count_records};
use grundy_sweep::{Batch, Control, Fold, Histogram, Ladder, Tile, sweep};

/// A tile filled alone equals the same tile filled with others.
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

/// P-positions of three piles are a, b, a with b other than a (Albert and Nowakowski 2001); those
/// of two piles are a, a.
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

#[test]
fn rows_are_counted() {
    let mut counts = RecordCounts::new();
    for (value, exceptions) in [(1, 0), (1, 2), (2, 2), (2, 1)] {
        counts.take(value, exceptions);
    }
    assert_eq!((counts.rows, counts.exceptions), (4, 5));
    assert_eq!((counts.most_exceptions, counts.maximum), ((2, 2), (2, 3)));
    assert_eq!(counts.values, [(1, 0), (2, 1), (2, 3)]);
    // Progress is reported every 2^14 rows.
    let control = Control::new();
    assert_eq!(count_records(40_000, &control).rows, 40_000);
    assert_eq!(control.done(), 2 << 14);
    control.stop();
    assert_eq!(count_records(40_000, &control).rows, 0);
}

/// Rows of two words of bits, for each class, compared with the thresholds of each word.
#[test]
fn outcomes_of_wide_rows() {
    for length in 1..=3 {
        let (mut expected, mut piles) = ([0u64; 4], vec![0; length]);
        for number in 0..66u64.pow(length as u32) {
            lex_word(number, 66, &mut piles);
            let (left, right) = of_word(&piles);
            expected[class_of_thresholds(left, right) as usize] += 1;
        }
        let found = count_outcomes(66, length, &Control::new()).unwrap();
        assert_eq!(found[length - 1], expected);
    }
}

/// By hand: a row takes one word of bits up to 64 coins and two above, for Left and for Right.
/// Length 1 has one row; longer lengths have one for each word without its last pile.
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
