use grundy_rules::games;
use grundy_sweep::MemoryLimit;

use super::*;

fn counts(values: &[u64], first: Option<Position>) -> ValueCounts {
    ValueCounts { values: values.to_vec(), first_maximum: first, last_moves: None }
}

#[test]
fn only_what_can_be_parts_of_one_is_merged() {
    let values = || Counted::Values(counts(&[1, 2], None));
    let classes = |of: &[(usize, OutcomeCounts)]| Counted::Classes(of.to_vec());
    let sets = || Counted::Sets { counts: SetCounts::default(), first_maximum: None };
    let records = || Counted::Records { counts: RecordCounts::new(), exceptions: true };
    assert_eq!(values().merge(values()), Some(Counted::Values(counts(&[2, 4], None))));
    let (one, two) = (classes(&[(1, [1, 2, 3, 4])]), classes(&[(1, [5, 6, 7, 8])]));
    assert_eq!(one.clone().merge(two.clone()), Some(classes(&[(1, [6, 8, 10, 12])])));
    let longer = classes(&[(1, [1, 2, 3, 4]), (2, [0, 0, 0, 1])]);
    assert_eq!(one.clone().merge(longer.clone()), None);
    assert_eq!(longer.clone().merge(one.clone()), None);
    let twice = classes(&[(1, [2, 4, 6, 8]), (2, [0, 0, 0, 2])]);
    assert_eq!(longer.clone().merge(longer), Some(twice));
    assert_eq!(one.clone().merge(classes(&[(2, [5, 6, 7, 8])])), None);
    assert_eq!(one.clone().merge(classes(&[(1, [0, 0, 0, u64::MAX])])), None);
    for other in [values(), sets(), records()] {
        assert_eq!(one.clone().merge(other.clone()), None);
        assert_eq!(other.merge(one.clone()), None);
    }
    assert_eq!(sets().merge(sets()), None);
    assert_eq!(records().merge(records()), None);
}

fn of<'a>(table: &'a Table, memory: u64, control: &'a Control) -> Count<'a> {
    Count { table, stored: None, memory: MemoryLimit::new(memory), isa: Isa::best(), control }
}

/// By hand: there are 2^37 rows of 37 piles of one or two coins, which is the limit. One of eight
/// parts of 2^40 rows has 2^37 rows, and one of four parts has twice as many. Records count by row.
#[test]
fn what_takes_too_much_is_refused() {
    let control = Control::new();
    let rows = |length| Table::new(games::END_NIM, 2, length).unwrap();
    let (most, more, parts) = (rows(37), rows(38), rows(40));
    let records = Table::new(games::SHORT_GLOBAL_NIM, 1_000_000, 1).unwrap();
    assert!(records.positions() > most.positions());
    for table in [&most, &records] {
        let count = of(table, 10, &control);
        count.check(Some(10)).unwrap();
        assert!(matches!(count.check(Some(11)), Err(SolveError::CountMemory { .. })));
        assert!(matches!(count.check(None), Err(SolveError::CountMemory { .. })));
    }
    let too_many = of(&more, 10, &control).check(Some(0));
    assert!(matches!(too_many, Err(SolveError::TooManyPositions { .. })));
    let count = of(&parts, 10, &control);
    let cases = [
        (0..1, 8, true),
        (7..8, 8, true),
        (5..5, 8, true),
        (0..0, 0, true),
        (0..1, 4, false),
        (6..8, 8, false),
    ];
    for (some, all, is_within) in cases {
        assert_eq!(count.check_parts(&some, all, Some(10)).is_ok(), is_within, "{some:?}");
        assert!(count.check_parts(&some, all, Some(11)).is_err());
    }
}
