//! Tests that a fold visits every unit once, until an error or the control ends it.

use grundy_sweep::{Control, Stopped, fold_units, try_fold_units};

fn merged(mut left: Vec<u64>, right: Vec<u64>) -> Vec<u64> {
    left.extend(right);
    left
}

#[test]
fn every_unit_is_done_once() {
    for units in [0..0, 3..4, 5..1000] {
        let control = Control::new();
        let each = |room: &mut u64, done: &mut Vec<u64>, unit| {
            *room += 1;
            done.push(unit);
            unit
        };
        let mut swept = fold_units(units.clone(), &control, || 0, Vec::new, each, merged);
        swept.acc.sort_unstable();
        assert!(swept.complete && swept.acc.into_iter().eq(units.clone()));
        assert_eq!(swept.cells, units.sum());
    }
}

#[test]
fn an_error_or_the_control_ends_the_units() {
    let control = Control::new();
    let each = |(): &mut (), (): &mut (), unit| if unit == 7 { Err(unit) } else { Ok(1) };
    assert_eq!(try_fold_units(0..1 << 60, &control, || (), || (), each, |(), ()| ()), Err(7));
    let each = |(): &mut (), (): &mut (), unit| {
        if unit == 7 {
            control.stop();
        }
        1
    };
    let swept = fold_units(0..1 << 60, &control, || (), || (), each, |(), ()| ());
    assert!(!swept.complete && swept.cells >= 8);
    assert!(matches!(control.check(), Err(Stopped)));
}
