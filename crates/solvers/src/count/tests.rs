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
