//! Tests plans and runs, and compares each fast form with its slow form.

use super::*;
use crate::TileCheck;
use crate::claim::Rule;
use crate::statement::{Shape, Statement};
use crate::testing::{FromReference, painted, sizes, words};
use crate::words::{Conclusion, Origin};
use grundy_kernels::Isa;
use grundy_rules::{Pile, games};
use grundy_sweep::{Fold, MemoryLimit, Swept, Tile};
use proptest::prelude::*;

fn means() -> Means<'static> {
    Means {
        isa: Isa::best(),
        memory: MemoryLimit::new(1 << 28),
        threads: 2,
        certificate: None,
        keeper: None,
    }
}

fn all() -> Vec<&'static Claim> {
    Claim::all().collect()
}

fn run<S: TileSource<Error = std::convert::Infallible>>(
    claims: &[&Claim],
    range: Range,
    source: &mut S,
) -> Vec<Verdict> {
    Plan::new(claims, &[], &range).unwrap().run(source, &means(), &Control::new()).unwrap()
}

/// All claims about positions give the same verdicts on computed tiles and on tiles of the
/// reference evaluator, and count every word.
#[test]
fn the_sweep_and_the_reference_agree() {
    let claims: Vec<&Claim> =
        Claim::all().filter(|claim| !matches!(claim.rule, Rule::Check(_))).collect();
    for (max_pile, length) in [(6, 4), (3, 6), (1, 5), (9, 3), (5, 5), (2, 8), (22, 3)] {
        let range = sizes(max_pile, length);
        let mut recompute = Recompute::new(Isa::best(), MemoryLimit::new(0));
        let computed = run(&claims, range, &mut recompute);
        let referred = run(&claims, range, &mut FromReference);
        for (mut left, mut right) in computed.into_iter().zip(referred) {
            (left.seconds, right.seconds) = (0.0, 0.0);
            assert_eq!(left, right);
            assert!(left.complete && !left.is_surprise(), "{left:?}");
        }
    }
    let count = |from: u32, to: u32| (from..=to).map(|k| 6u64.pow(k)).sum::<u64>();
    let range = sizes(6, 5);
    for (id, expected) in [
        ("an.thm2", count(1, 5)),
        ("an.prop1", 3 * count(2, 5)),
        ("ch.thm5.4", count(3, 3)),
        ("ch.cor2.4", count(1, 5)),
        ("end.rows", 3 * count(2, 5)),
        ("end.p-count", 3 * 5 * 6),
        ("end.zeros", 3 * 4 * 6),
        ("partizan.odd-n", 2),
    ] {
        let claims = Claim::find(id).unwrap();
        let verdict =
            run(&claims, range, &mut Recompute::new(Isa::best(), MemoryLimit::new(1 << 20)))
                .remove(0);
        assert_eq!(verdict.checked, expected, "{id}");
    }
}

/// All default ranges take a few seconds together, and give the expected verdicts.
#[test]
fn the_default_ranges_give_the_expected_verdicts() {
    let claims = all();
    let plan = Plan::new(&claims, &[], &Range::default()).unwrap();
    let estimate = plan.estimate(&means());
    estimate.within(MemoryLimit::new(2 << 30), 120.0).unwrap();
    let control = Control::new();
    let mut source = Recompute::new(Isa::best(), MemoryLimit::new(1 << 28));
    let verdicts = plan.run(&mut source, &means(), &control).unwrap();
    for (verdict, claim) in verdicts.iter().zip(&claims) {
        assert!(verdict.complete && !verdict.is_surprise(), "{verdict:?}");
        assert!(verdict.checked > 0 && verdict.failures <= verdict.checked, "{verdict:?}");
        // A premise must be true in some cases and false in others.
        assert_eq!(verdict.premise.is_some(), claim.premise.is_some(), "{verdict:?}");
        let between = |premise| verdict.failures <= premise && premise < verdict.checked;
        assert!(verdict.premise.is_none_or(|p| p > 0 && between(p)), "{verdict:?}");
        assert_eq!(verdict.origin, Origin::Computed, "nothing is stored");
    }
}

/// A stopped run reports its results. A claim with a counterexample fails; all others are
/// undecided.
#[test]
fn a_run_that_is_stopped_halfway_decides_nothing_but_what_fails() {
    struct Half<'a>(&'a Control);
    impl TileSource for Half<'_> {
        type Error = std::convert::Infallible;
        fn parts(&self, table: &grundy_rules::Table) -> u64 {
            FromReference.parts(table)
        }
        fn fold<T: grundy_kernels::EqualMask, F: Fold<T>>(
            &mut self,
            table: &grundy_rules::Table,
            parts: std::ops::Range<u64>,
            control: &Control,
            fold: &F,
        ) -> Result<Swept<F::Acc>, Self::Error> {
            let half = parts.start..parts.start.midpoint(parts.end);
            let swept = FromReference.fold::<T, F>(table, half, control, fold)?;
            self.0.stop();
            Ok(Swept { complete: false, ..swept })
        }
    }
    let near = |rule| Claim {
        games: &[games::END_NIM],
        domain: crate::Domain::Positions { from: 4, to: Some(4), defaults: &[] },
        rule: Rule::Positions(rule),
        premise: None,
        ..*Claim::find("an.prop1").unwrap()[0]
    };
    let claims = [
        near(|_| Statement::Near { value: 0, distance: 0 }),
        near(|_| Statement::Near { value: 0, distance: 1 }),
    ];
    let range = sizes(4, 4);
    let claims: Vec<&Claim> = claims.iter().collect();
    let control = Control::new();
    let plan = Plan::new(&claims, &[], &range).unwrap();
    let verdicts = plan.run(&mut Half(&control), &means(), &control).unwrap();
    let found: Vec<_> = verdicts.iter().map(|v| (v.verdict, v.complete)).collect();
    assert_eq!(found, [(Conclusion::Fails, false), (Conclusion::Stopped, false)]);
    assert!(verdicts.iter().all(|verdict| (1..256).contains(&verdict.checked)));
    let line = serde_json::to_value(&verdicts[1]).unwrap();
    assert_eq!((&line["verdict"], &line["source"]), (&"stopped".into(), &"computed".into()));
    assert_eq!((&line["unit"], &line["premise"]), (&"positions".into(), &None::<u64>.into()));
}

/// A run that is stopped after every third checkpoint, and resumed from the checkpoint's text,
/// gives the same verdicts and counterexamples as an uninterrupted run.
#[test]
fn a_stopped_run_can_be_continued() {
    // The second claim is false for most games, so there are failures to collect.
    let claims: Vec<&Claim> = ["ch.thm2.1", "end.p-count", "end.zeros", "ch.cor2.4", "end.rows"]
        .iter()
        .flat_map(|id| Claim::find(id).unwrap())
        .collect();
    let range = sizes(4, 6);
    let plan = Plan::new(&claims, &[], &range).unwrap();
    let whole = plan.run(
        &mut Recompute::new(Isa::best(), MemoryLimit::new(1 << 20)),
        &means(),
        &Control::new(),
    );
    let mut kept = String::new();
    let mut stops = 0;
    let taken_up = loop {
        let mut checkpoint: Checkpoint = if kept.is_empty() {
            Checkpoint::default()
        } else {
            serde_json::from_str(&kept).unwrap()
        };
        let control = Control::new();
        let mut saves = 0;
        let save = |checkpoint: &Checkpoint| {
            kept = serde_json::to_string(checkpoint).unwrap();
            saves += 1;
            if saves == 3 {
                control.stop();
            }
            Ok(())
        };
        let mut source = Recompute::new(Isa::best(), MemoryLimit::new(1 << 20));
        let verdicts = plan
            .run_stretches(&mut source, &means(), &control, &mut checkpoint, save, 300)
            .unwrap();
        if verdicts.iter().all(|verdict| verdict.complete) {
            break verdicts;
        }
        stops += 1;
    };
    assert!(stops > 3, "{stops}");
    for (mut left, mut right) in whole.unwrap().into_iter().zip(taken_up) {
        (left.seconds, right.seconds) = (0.0, 0.0);
        assert_eq!(left, right);
    }
    let other = Plan::new(&claims[1..], &[], &range).unwrap();
    let mut checkpoint: Checkpoint = serde_json::from_str(&kept).unwrap();
    let refused = other.run_from(
        &mut Recompute::new(Isa::best(), MemoryLimit::new(1 << 20)),
        &means(),
        &Control::new(),
        &mut checkpoint,
        |_| Ok(()),
    );
    assert!(matches!(refused, Err(RunError::OtherPlan)));
}

#[test]
fn a_stopped_run_says_what_it_covered() {
    let control = Control::new();
    control.stop();
    let range = Range::default();
    for verdict in diff(&all(), &[], &range, &means(), &control).unwrap() {
        assert!(!verdict.complete && !verdict.is_surprise(), "{verdict:?}");
        assert_eq!((verdict.verdict, verdict.failures), (Conclusion::Stopped, 0));
    }
}

/// The fast form finds no failure in a tile whose cells follow the slow form. After a change of one
/// cell it counts exactly one failure for each word that the cell represents.
fn fast_is_slow<T: grundy_kernels::EqualMask>(claim: &Claim, game: Game, middle: &[Pile], n: Pile) {
    let Rule::Positions(statement) = claim.rule else { return };
    let Statement::Iff { value, holds, shape } = statement(game) else { return };
    assert!(!matches!(shape, Shape::Anywhere));
    let length = middle.len() + 2;
    if !claim.lengths_to(length).contains(&length) {
        return;
    }
    let check = TileCheck::new(game, length, means().isa, &[claim]);
    let mut values = painted::<T>(value, holds, middle, n);
    let failures = |values: &[T]| {
        let mut acc = Fold::<T>::start(&check);
        check.tile(&mut acc, Tile { length, middle, rows: n as usize, values });
        acc.tallies.remove(0)
    };
    let tally = failures(&values);
    assert_eq!(tally.first, None, "{claim:?} {middle:?}");
    let at = values.len() / 2 + middle.iter().sum::<Pile>() as usize % (values.len() / 2 + 1);
    let at = at.min(values.len() - 1);
    let was: u32 = values[at].into();
    values[at] = T::from_value(if was == value { value + 1 } else { value });
    let tally = failures(&values);
    let weight = if grundy_rules::Middles::is_palindrome(middle) { 1 } else { 2 };
    assert_eq!(tally.failures, weight, "{claim:?} {middle:?}");
}

#[test]
fn fast_forms_are_slow_forms_on_all_small_words() {
    for claim in Claim::all() {
        for &game in claim.games {
            for (n, longest) in [(2, 6), (4, 4), (7, 2), (66, 1)] {
                for length in 0..=longest {
                    for middle in words(n, length) {
                        fast_is_slow::<u8>(claim, game, &middle, n);
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn fast_forms_are_slow_forms_on_large_middles(
        n in 1u32..=127,
        // There are only three different values, so runs of equal piles are long.
        raw in prop::collection::vec(0usize..3, 1..9),
        values in prop::array::uniform3(0u32..127),
    ) {
        let middle: Vec<Pile> = raw.iter().map(|&at| values[at] % n + 1).collect();
        for id in ["an.thm2", "ch.thm2.1", "ch.thm2.2", "ch.thm2.3", "ch.thm5.4"] {
            let claim = Claim::find(id).unwrap()[0];
            fast_is_slow::<u8>(claim, claim.games[0], &middle, n);
            fast_is_slow::<u16>(claim, claim.games[0], &middle, n + 70);
        }
    }

    #[test]
    fn statements_read_the_same_backwards(
        piles in prop::collection::vec(1u32..9, 1..9), value in 0u32..6
    ) {
        let reversed: Vec<Pile> = piles.iter().rev().copied().collect();
        for claim in Claim::all() {
            for &game in claim.games {
                let forwards = claim.allows(game, &piles, value);
                prop_assert_eq!(forwards, claim.allows(game, &reversed, value));
            }
        }
    }
}
