//! Tests of sizes, with expected sizes calculated by hand, and of properties of all estimates.

use super::*;
use crate::testing::{look, means, sizes, up_to};
use grundy_rules::games;
use grundy_sweep::MemoryLimit;

/// Returns a small range of a claim, and a larger range.
fn ranges(claim: &Claim) -> [Range; 2] {
    let rows = |max_pile| Range { max_pile: Some(max_pile), ..Range::default() };
    match claim.domain {
        Domain::Numbers { .. } => [up_to(6), up_to(9)],
        Domain::Positions { from, .. } => [sizes(3, from), sizes(5, from + 1)],
        Domain::Rows { .. } => [rows(2), rows(4)],
        Domain::Printed => [Range::default(); 2],
    }
}

/// For every claim, a larger range needs at least as much of each resource, and a second thread
/// does not increase the time. Limits just below the estimate are refused.
#[test]
fn estimates_grow_with_the_range_and_bound_what_is_allowed() {
    for claim in Claim::all() {
        let estimate = |range: &Range, threads| {
            Plan::new(&[claim], &[], range).unwrap().estimate(&means(1 << 20, threads))
        };
        let [small, large] = ranges(claim).map(|range| estimate(&range, 1));
        assert!(small.positions <= large.positions && small.cells <= large.cells, "{claim:?}");
        assert!(small.seconds <= large.seconds && small.memory <= large.memory, "{claim:?}");
        assert!(estimate(&ranges(claim)[1], 2).seconds <= large.seconds, "{claim:?}");
        let Estimate { seconds, memory, .. } = large;
        assert_eq!(large.within(MemoryLimit::new(memory), seconds), Ok(()), "{claim:?}");
        assert!(
            memory == 0 || large.within(MemoryLimit::new(memory - 1), seconds).is_err(),
            "{claim:?}"
        );
        assert!(
            seconds == 0.0 || large.within(MemoryLimit::new(memory), seconds * 0.99).is_err(),
            "{claim:?}"
        );
    }
}

/// Estimated cells roughly agree with the progress of a run.
#[test]
fn as_many_cells_are_computed_as_are_estimated() {
    let is_counted =
        |claim: &&Claim| claim.domain != Domain::Printed && matches!(claim.rule, Rule::Check(_));
    for claim in Claim::all().filter(is_counted) {
        let range = ranges(claim)[1];
        let plan = Plan::new(&[claim], &[], &range).unwrap();
        let done = look(claim.id, range, &[]).done;
        let cells = plan.estimate(&means(1 << 20, 1)).cells;
        // Progress does not count words of one pile.
        assert!(done <= 8 * cells && cells <= 8 * done + 64, "{claim:?}: {done}, {cells}");
    }
}

/// Work that exceeds the range of the counters has a finite estimate, and is refused.
#[test]
fn hopeless_work_has_a_finite_estimate() {
    for (id, to) in [("gn.prop13", 1_000_000), ("bouton.chance", 31)] {
        let plan = Plan::new(&Claim::find(id).unwrap(), &[], &up_to(to)).unwrap();
        let found = plan.estimate(&means(0, 1));
        assert!(
            found.seconds.is_finite() && found.within(MemoryLimit::new(u64::MAX), 1e9).is_err(),
            "{id}"
        );
    }
}

/// Claims run one after another, so their estimates are added up. But the memory is the maximum.
#[test]
fn estimates_of_several_claims_add_up() {
    let claims = ["gn.prop7", "lgn.prop29"].map(|id| Claim::find(id).unwrap()[0]);
    let plan = Plan::new(&claims, &[], &up_to(10)).unwrap();
    assert!(!plan.has_sweeps());
    let some = plan.estimate(&means(0, 1));
    assert_eq!((some.positions, some.cells, some.memory), (60, 60, 1 << 30));
    assert!((some.seconds - (2e-4 + 2e-6)).abs() <= 1e-12, "{some:?}");
    some.within(MemoryLimit::new(1 << 30), some.seconds).unwrap();
    let text = |memory, seconds| some.within(memory, seconds).unwrap_err().to_string();
    let memory = text(MemoryLimit::new((1 << 30) - 1), 1.0);
    assert_eq!(memory, "1073741824 bytes of memory is needed, but the limit is 1073741823 bytes");
    assert_eq!(
        text(MemoryLimit::new(1 << 30), 1e-4),
        "this would take about 0.01 seconds, but the limit is 0.01 seconds"
    );
}

/// Each length of a claim is checked once, with its largest piles. Claims about counts are checked
/// at each size, because they need the counts of shorter rows.
#[test]
fn larger_sizes_serve() {
    let keys = |id: &str| -> Vec<(Pile, usize)> {
        let plan = Plan::new(&Claim::find(id).unwrap(), &[games::END_NIM], &Range::default());
        plan.unwrap().sweeps.keys().map(|&(_, max_pile, length)| (max_pile, length)).collect()
    };
    let served = [(2, 15..=20), (3, 12..=14), (4, 9..=11), (8, 7..=8), (16, 6..=6), (32, 5..=5)];
    let served = |from| {
        let served = served.iter().cloned().chain([(64, from..=4)]);
        let all = served.flat_map(|(n, lengths)| lengths.map(move |length| (n, length)));
        all.collect::<Vec<(Pile, usize)>>()
    };
    assert_eq!(keys("an.thm2"), served(1));
    assert_eq!(keys("an.prop1"), served(2));
    let all: Vec<(Pile, usize)> = [(2, 20), (3, 14), (4, 11), (8, 8), (16, 6), (32, 5), (64, 4)]
        .into_iter()
        .flat_map(|(n, longest)| (1..=longest).map(move |length| (n, length)))
        .collect();
    assert_eq!(keys("end.zeros"), all);
    assert_eq!(keys("ch.thm5.1"), [(127, 3)]);
}

/// If only the length is given, there are at most 2^24 words, and piles of at most 2000. If only
/// the max pile is given, there are at most 2^31 words of eight piles, or 2^24 multisets of four.
#[test]
fn missing_sizes_get_defaults() {
    let of_length = [(1, 2000), (2, 2000), (3, 256), (4, 64), (6, 16), (24, 2), (25, 1), (60, 1)];
    for (length, max_pile) in of_length {
        assert_eq!(default_max_pile(length), max_pile, "{length}");
    }
    for (game, max_pile, length) in [
        (games::END_NIM, 1, 8),
        (games::END_NIM, 4, 8),
        (games::END_NIM, 16, 7),
        (games::END_NIM, 64, 5),
        (games::END_NIM, 1290, 3),
        (games::END_NIM, 1291, 2),
        (games::NIM, 4, 4),
        (games::NIM, 140, 4),
        (games::NIM, 142, 3),
        (games::NIM, 1000, 2),
    ] {
        assert_eq!(longest_by_default(game, max_pile), length, "{game} {max_pile}");
    }
    let keys = |id: &str, max_pile, length| -> Vec<(Pile, usize)> {
        let range = Range { max_pile, length, to: None };
        let plan = Plan::new(&Claim::find(id).unwrap(), &[games::END_NIM], &range).unwrap();
        plan.sweeps.keys().map(|&(_, max_pile, length)| (max_pile, length)).collect()
    };
    assert_eq!(keys("an.thm2", None, Some(3)), [(256, 1), (256, 2), (256, 3)]);
    assert_eq!(keys("an.prop1", Some(1290), None), [(1290, 2), (1290, 3)]);
    assert_eq!(keys("ch.thm5.1", Some(9), None), [(9, 3)]);
    assert_eq!(keys("ch.thm5.1", Some(9), Some(8)), [(9, 3)]);
    assert_eq!(keys("ch.thm5.1", None, Some(8)), [(256, 3)]);
    // The default length for this max pile would be too short, but the range has a length.
    assert_eq!(keys("ch.thm5.1", Some(2000), Some(3)), [(2000, 3)]);
}

#[test]
fn impossible_bounds_are_refused() {
    let plan = |id: &str, max_pile, to| {
        let range = Range { max_pile, length: None, to };
        let plan = Plan::new(&Claim::find(id).unwrap(), &[], &range);
        plan.map(|_| ()).map_err(|error| error.to_string())
    };
    let largest = grundy_rules::index::LARGEST_RECORD;
    plan("gn.thm2", None, Some(largest)).unwrap();
    for to in [0, largest + 1] {
        let said =
            format!("gn.thm2 is checked for n from 1 to a bound of at most {largest}, not {to}");
        assert_eq!(plan("gn.thm2", None, Some(to)).unwrap_err(), said);
    }
    plan("an.period", Some(1), Some(1)).unwrap();
    let zero = |error: String, what: &str| {
        let said = format!("an.period is checked for {what} from 1 to a bound of at most ");
        assert!(error.starts_with(&said) && error.ends_with(", not 0"), "{error}");
    };
    zero(plan("an.period", Some(5), Some(0)).unwrap_err(), "b");
    zero(plan("an.period", Some(0), Some(5)).unwrap_err(), "a");
    let short = Range { length: Some(2), ..Range::default() };
    let error = Plan::new(&Claim::find("ch.thm5.1").unwrap(), &[], &short).err().unwrap();
    let said = "ch.thm5.1 is about positions of at least 3 piles, not of length 2";
    assert_eq!(error.to_string(), said);
    let large = Plan::new(&Claim::find("an.thm2").unwrap(), &[], &sizes(64, 40));
    assert!(matches!(large, Err(PlanError::Table(_))));
    let games = [games::NIM, games::LOOP_END_NIM];
    let error = Plan::new(&Claim::find("ch.two-pile").unwrap(), &games, &short).err().unwrap();
    assert_eq!(
        error.to_string(),
        "ch.two-pile is not about nim, loop-end-nim; it is about end-nim, misere-end-nim"
    );
}

/// Tests the messages about values that no claim uses, and lengths that a claim does not cover.
#[test]
fn unused_parts_of_a_range_are_named() {
    let unused = |id: &str, max_pile, length, to| {
        Range { max_pile, length, to }.unused(&Claim::find(id).unwrap())
    };
    assert_eq!(unused("gn.thm2", Some(3), None, None), Some("max_pile"));
    assert_eq!(unused("an.period", Some(3), None, None), None);
    assert_eq!(unused("an.period", Some(3), Some(2), None), Some("length"));
    assert_eq!(unused("an.thm2", Some(3), Some(2), None), None);
    assert_eq!(unused("an.thm2", Some(3), Some(2), Some(1)), Some("to"));
    assert_eq!(unused("an.period", None, None, Some(1)), None);
    assert_eq!(unused("gn.thm2", None, None, Some(1)), None);
    let claims = Claim::find("an.").unwrap();
    assert_eq!(Range { max_pile: Some(1), length: Some(1), to: Some(1) }.unused(&claims), None);
    let claims: Vec<&Claim> = ["ch.two-pile", "ch.thm5.1", "an.thm2", "gn.thm2"]
        .map(|id| Claim::find(id).unwrap()[0])
        .to_vec();
    let shorter = |length| {
        let range = Range { length, ..Range::default() };
        let shorter = range.shorter(&claims).into_iter();
        shorter.map(|(claim, length)| (claim.id, length)).collect::<Vec<_>>()
    };
    assert_eq!(shorter(None), []);
    assert_eq!(shorter(Some(2)), []);
    assert_eq!(shorter(Some(3)), [("ch.two-pile", 2)]);
    assert_eq!(shorter(Some(4)), [("ch.two-pile", 2), ("ch.thm5.1", 3)]);
}
