//! Compares the results of the search with values computed by the rules.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use grundy_triangular::{
    Ended, Limits, Progress, Proof, ProveError, Verdict, exact_value, level, prove, triangular,
};
use proptest::prelude::*;

const PLENTY: Limits = Limits { memory: 1 << 32 };

/// A proof up to n = 1000. From n = 58 on, the search needs families that avoid particular moves.
/// Exact values of such n take too long. The tests evaluate the small piles of these families.
static FAR: LazyLock<Proof> = LazyLock::new(|| prove(1000, &PLENTY, &mut go_on).unwrap().0);

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Returns the Grundy value of [pile, moves] by its definition. The moves are in ascending order.
fn mex(pile: u32, moves: &[u32], memo: &mut HashMap<(u32, Vec<u32>), u32>) -> u32 {
    let moves: Vec<u32> = moves.iter().copied().filter(|&s| s <= pile).collect();
    if let Some(&value) = memo.get(&(pile, moves.clone())) {
        return value;
    }
    let mut values = Vec::new();
    for &s in &moves {
        let left: Vec<u32> = moves.iter().copied().filter(|&x| x != s).collect();
        values.push(mex(pile - s, &left, memo));
    }
    let value = (0..).find(|v| !values.contains(v)).unwrap();
    memo.insert((pile, moves), value);
    value
}

#[test]
fn the_conjecture_holds_where_the_rules_can_be_followed() {
    let (proof, ended) = prove(32, &PLENTY, &mut go_on).unwrap();
    assert_eq!(ended, Ended::Finished);
    let mut memo = HashMap::new();
    for n in 0..=32 {
        assert_eq!(proof.verdict(n), Some(Verdict::Proved));
        let all: Vec<u32> = (1..=n).collect();
        if n <= 24 {
            assert_eq!(mex(n, &all, &mut memo), level(n));
        }
        assert_eq!(exact_value(n, u64::MAX), Some(level(n)));
    }
    assert_eq!(proof.verdict(33), None);
}

#[test]
fn the_exact_evaluation_follows_the_rules() {
    let mut memo = HashMap::new();
    for n in 0..=11 {
        for moves in 0..1_u64 << n {
            let list: Vec<u32> = (1..=n).filter(|s| moves >> (s - 1) & 1 == 1).collect();
            assert_eq!(exact_value(n, moves << 1), Some(mex(n, &list, &mut memo)));
        }
    }
    // In the paper's example [8,{1,3,4}] the longest play has three moves, but the value is 1.
    assert_eq!(exact_value(8, 0b11010), Some(1));
    assert_eq!(exact_value(64, 0), None);
}

/// Returns a position: the pile n - T(j), and the moves of a family above j with some extra moves.
fn member(n: u32, j: u32, used: &[u32], extra: u64) -> (u32, u64) {
    let pile = n - triangular(j);
    let mut moves = extra & (u64::MAX << (j + 1));
    for &x in used {
        if x > j {
            moves |= 1 << x;
        }
    }
    (pile, moves)
}

#[test]
fn every_position_of_every_small_family_has_the_value_it_should() {
    for n in 0..=44 {
        assert!(n < 3 || FAR.families_of(n).next().is_some(), "{n}");
        for used in FAR.families_of(n) {
            for j in 0..=level(n) {
                for extra in [0, u64::MAX] {
                    let (pile, moves) = member(n, j, &used, extra);
                    assert_eq!(exact_value(pile, moves), Some(level(n) - j), "{n} {j} {used:?}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_set_with_the_used_moves_is_accepted(
        n in 1_u32..=38, family in 0_usize..50, j in 0_u32..8, extra: u64,
    ) {
        let families: Vec<Vec<u32>> = FAR.families_of(n).collect();
        let used = &families[family % families.len()];
        let j = j % (level(n) + 1);
        let (pile, moves) = member(n, j, used, extra);
        prop_assert_eq!(exact_value(pile, moves), Some(level(n) - j));
    }
}

#[test]
fn a_stopped_proof_is_kept_and_continued() {
    let mut whole = Vec::new();
    let (proof, _) = prove(300, &PLENTY, &mut go_on).unwrap();
    proof.write_to(&mut whole).unwrap();

    let mut stop = |p: Progress| match p.n {
        150 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    let (mut proof, ended) = prove(300, &PLENTY, &mut stop).unwrap();
    assert_eq!((ended, proof.decided()), (Ended::Stopped, 150));
    assert!((0..150).all(|n| proof.verdict(n) == Some(Verdict::Proved)));
    assert_eq!(proof.verdict(150), None);

    let small = Limits { memory: proof.bytes() + 30_000 };
    let ended = proof.extend(300, &small, &mut go_on).unwrap();
    assert_eq!(ended, Ended::Memory);
    assert!(proof.decided() > 150 && proof.decided() < 300, "{}", proof.decided());

    assert_eq!(proof.extend(300, &PLENTY, &mut go_on).unwrap(), Ended::Finished);
    let mut resumed = Vec::new();
    proof.write_to(&mut resumed).unwrap();
    assert_eq!(whole, resumed);
}

#[test]
fn progress_is_reported_for_each_n_in_order() {
    let mut seen = Vec::new();
    let mut watch = |p: Progress| {
        assert!(p.to == 80 && p.tried >= p.families);
        seen.push(p.n);
        ControlFlow::Continue(())
    };
    prove(80, &PLENTY, &mut watch).unwrap();
    seen.dedup();
    assert_eq!(seen, (0..=80).collect::<Vec<u32>>());
}

#[test]
fn too_large_a_bound_is_refused() {
    let mut proof = Proof::new();
    assert!(matches!(proof.extend(60_001, &PLENTY, &mut go_on), Err(ProveError::Bound(60_001))));
}
