//! Compares sizes with sizes calculated by hand, and tests properties of all estimates.

use super::*;
use crate::cases::cases;
use crate::testing::{look, means, sizes, up_to};
use grundy_rules::games;
use grundy_sweep::MemoryLimit;

const CASES: &str = include_str!("tests.txt");

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
/// does not increase the time. A limit just below the estimate is refused.
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

#[test]
fn as_many_cells_are_computed_as_are_estimated() {
    let is_counted =
        |claim: &&Claim| claim.domain != Domain::Printed && matches!(claim.rule, Rule::Check(_));
    for claim in Claim::all().filter(is_counted) {
        let range = ranges(claim)[1];
        let plan = Plan::new(&[claim], &[], &range).unwrap();
        let done = look(claim.id, range, &[]).done;
        let cells = plan.estimate(&means(1 << 20, 1)).cells;
        // The progress of a run does not count words of one pile.
        assert!(done <= 8 * cells && cells <= 8 * done + 64, "{claim:?}: {done}, {cells}");
    }
}

/// If the work exceeds the range of the counters, the estimate is finite, and the work is refused.
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

/// Each length of a claim is checked once, with the largest piles. Claims about counts are checked
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

/// If only the length is given, the max pile is at most 2000, with at most 2^24 words. If only the
/// max pile is given, there are at most 2^31 words of eight piles, or 2^24 multisets of four.
#[test]
fn missing_sizes_get_defaults() {
    for (line, [of, max_pile, length, expected]) in cases(CASES, "defaults") {
        let (max_pile, length) = (max_pile.parse().ok(), length.parse().ok());
        let found = match of {
            "any game" => default_max_pile(length.unwrap()).to_string(),
            _ if of.contains('.') => keys(of, max_pile, length),
            game => longest_by_default(game.parse().unwrap(), max_pile.unwrap()).to_string(),
        };
        assert_eq!(found, expected, "line {line}");
    }
}

fn keys(id: &str, max_pile: Option<Pile>, length: Option<usize>) -> String {
    let range = Range { max_pile, length, to: None };
    let plan = Plan::new(&Claim::find(id).unwrap(), &[games::END_NIM], &range).unwrap();
    let keys = plan.sweeps.keys().map(|(_, max_pile, length)| format!("{max_pile}x{length}"));
    keys.collect::<Vec<_>>().join(" ")
}

#[test]
fn impossible_bounds_are_refused() {
    for (line, [id, max_pile, length, to, said]) in cases(CASES, "refused") {
        let (max_pile, length) = (max_pile.parse().ok(), length.parse().ok());
        let range = Range { max_pile, length, to: to.parse().ok() };
        let plan = Plan::new(&Claim::find(id).unwrap(), &[], &range);
        let found = plan.err().map_or("-".to_owned(), |error| error.to_string());
        assert!(found.starts_with(said), "line {line}: {found}");
    }
    let large = Plan::new(&Claim::find("an.thm2").unwrap(), &[], &sizes(64, 40));
    assert!(matches!(large, Err(PlanError::Table(_))));
    let games = [games::NIM, games::LOOP_END_NIM];
    let error = Plan::new(&Claim::find("ch.two-pile").unwrap(), &games, &sizes(9, 2));
    let error = error.err().unwrap();
    assert_eq!(
        error.to_string(),
        "ch.two-pile is not about nim, loop-end-nim; it is about end-nim, misere-end-nim"
    );
}

/// Tests the messages about parts of the range that no claim uses, and about lengths that a claim
/// does not cover.
#[test]
fn unused_parts_of_a_range_are_named() {
    for (line, [id, max_pile, length, to, expected]) in cases(CASES, "unused") {
        let (max_pile, length) = (max_pile.parse().ok(), length.parse().ok());
        let range = Range { max_pile, length, to: to.parse().ok() };
        let unused = range.unused(&Claim::find(id).unwrap()).unwrap_or("-");
        assert_eq!(unused, expected, "line {line}");
    }
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
