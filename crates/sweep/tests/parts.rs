//! Compares results for single tiles, and sizes in memory, with expected ones.

use grundy_kernels::{Cell, Isa};
use grundy_rules::{Table, games};
use grundy_sweep::outcomes::{OutcomeCount, OutcomeLevels};
use grundy_sweep::{Batch, Control, Fold, Ladder, Tile, sweep};

/// A tile that is filled alone equals the same tile filled together with others.
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

/// A row takes one word of bits up to 64 coins, and two words above, for Left and for Right. Length
/// 1 has one row; longer lengths have one row for each word of one pile less.
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
