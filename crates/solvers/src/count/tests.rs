use grundy_rules::games;

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
    Count { table, stored: None, memory, isa: Isa::best(), control }
}

/// By hand: there are 2^37 rows of 37 piles of one or two coins, which is the limit.
#[test]
fn too_many_positions_are_refused() {
    let control = Control::new();
    let rows = |length| Table::new(games::END_NIM, 2, length).unwrap();
    let most = rows(37);
    assert_eq!(most.positions(), 137_438_953_472);
    let count = of(&most, 10, &control);
    count.check(Some(10)).unwrap();
    assert!(matches!(count.check(Some(11)), Err(SolveError::CountMemory { needed: 11, .. })));
    assert!(matches!(count.check(None), Err(SolveError::CountMemory { needed: u64::MAX, .. })));
    let more = rows(38);
    match of(&more, 10, &control).check(Some(0)) {
        Err(SolveError::TooManyPositions { table, positions }) => {
            assert_eq!((table, positions), (more.to_string(), 2 * 137_438_953_472));
        }
        other => panic!("{other:?}"),
    }
    // Positions that are not counted one by one: those of records, a row at a time.
    let records = Table::new(games::SHORT_GLOBAL_NIM, 1_000_000, 1).unwrap();
    assert!(records.positions() > 137_438_953_472);
    of(&records, 10, &control).check(Some(10)).unwrap();
}

/// By hand: one of eight parts of 2^40 rows is the limit, and one of four is twice that.
#[test]
fn parts_with_too_many_positions_are_refused() {
    let (table, control) = (Table::new(games::END_NIM, 2, 40).unwrap(), Control::new());
    let count = of(&table, 10, &control);
    for parts in [0..1, 3..4, 7..8, 5..5] {
        count.check_parts(&parts, 8, Some(10)).unwrap();
        let memory = count.check_parts(&parts, 8, Some(11));
        assert!(matches!(memory, Err(SolveError::CountMemory { needed: 11, allowed: 10, .. })));
    }
    for (parts, all) in [(0..1, 4), (3..4, 4), (6..8, 8)] {
        match count.check_parts(&parts, all, Some(0)) {
            Err(SolveError::TooManyPositions { positions, .. }) => assert_eq!(positions, 1 << 38),
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(count.check_parts(&(0..1), 8, None), Err(SolveError::CountMemory { .. })));
    // Nothing of nothing.
    count.check_parts(&(0..0), 0, Some(0)).unwrap();
}
