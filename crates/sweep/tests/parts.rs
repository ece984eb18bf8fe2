//! Compares single tiles, sizes in memory and counts with expected values.

use grundy_kernels::{Cell, Isa};
use grundy_rules::reference::Outcomes;
use grundy_rules::{Outcome, Position, Table, games};
use grundy_sweep::outcomes::{OutcomeCount, OutcomeLevels, count_outcomes};
use grundy_sweep::{Batch, Control, Fold, Histogram, Ladder, Tile, sweep};

/// A tile that is filled alone equals the same tile filled together with other tiles.
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

/// A row takes two words of bits, one for Left and one for Right; above 64 coins it takes four.
/// Length 1 has one row. Longer lengths have one row for each word with one pile less.
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

/// Rows of more than 64 coins take two words of bits or more.
#[test]
fn wide_rows_of_outcomes_are_counted() {
    for max_pile in [66, 129] {
        let (mut outcomes, mut expected) = (Outcomes::new(games::PARTIZAN_END_NIM), [0; 4]);
        for (a, b) in (1..=max_pile).flat_map(|a| (1..=max_pile).map(move |b| (a, b))) {
            let outcome = outcomes.outcome(&Position::row(&[a, b]));
            expected[Outcome::ALL.iter().position(|&one| one == outcome).unwrap()] += 1;
        }
        assert_eq!(count_outcomes(max_pile, 2, &Control::new()).acc[1], expected);
    }
}

/// The 200 tiles of three piles up to 200 have values of two bytes. By Cairns and Ho 2011, the
/// P-positions are a, b, a with b different from a.
#[test]
fn tiles_of_wide_values_are_counted() {
    let (control, mut ladder) =
        (Control::new(), Ladder::<u16>::new(games::END_NIM, 200, Isa::best()));
    ladder.extend(2, &control).unwrap();
    let table = Table::new(games::END_NIM, 200, 3).unwrap();
    let counts = sweep(&ladder, &table, &control, &Histogram).acc;
    assert_eq!((counts.positions(), counts.p_positions()), (200 * 200 * 200, 200 * 199));
}
