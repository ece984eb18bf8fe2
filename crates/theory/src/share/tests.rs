//! Tests that merged shares give the same verdict on every claim as one run without shares.

use super::*;
use crate::cases::cases;
use crate::range::Range as Sizes;
use crate::statement::Statement;
use crate::testing::iff;
use crate::words::Conclusion;
use grundy_kernels::Isa;
use grundy_rules::games;
use grundy_sweep::{MemoryLimit, cut};
use serde_json::Value;

/// Returns the means of the machine with this number. Different machines have different means.
fn means(machine: usize) -> Means<'static> {
    let isa = if machine.is_multiple_of(3) { Isa::best() } else { Isa::Portable };
    let memory = [1 << 28, 1 << 22][machine % 2];
    Means {
        isa,
        memory: MemoryLimit::new(memory),
        threads: 1 + machine % 3,
        certificate: None,
        keeper: None,
    }
}

/// Returns a source that keeps as many levels in memory as fit, or few levels if memory is short.
fn source(means: &Means<'_>) -> Recompute {
    let memory =
        if means.memory > MemoryLimit::new(1 << 22) { means.memory } else { MemoryLimit::new(0) };
    Recompute::new(means.isa, memory)
}

fn plan<'a>(claims: &[&'a Claim], max_pile: u32, length: usize) -> Plan<'a> {
    let range = Sizes { max_pile: Some(max_pile), length: Some(length), to: Some(6) };
    Plan::new(claims, &[], &range).unwrap()
}

fn whole(plan: &Plan<'_>) -> Vec<Verdict> {
    plan.run(&mut source(&means(0)), &means(0), &Control::new()).unwrap()
}

fn cover(plan: &Plan<'_>, machine: usize, share: &[Parts]) -> String {
    let means = means(machine);
    let covered = plan.run_share(share, &mut source(&means), &means, &Control::new());
    serde_json::to_string(&covered.unwrap().unwrap()).unwrap()
}

fn without_time(verdicts: Vec<Verdict>) -> Vec<Verdict> {
    verdicts.into_iter().map(|verdict| Verdict { seconds: 0.0, ..verdict }).collect()
}

fn shares_are_one_run(plan: &Plan<'_>, all_shares: &[u64]) -> Vec<Verdict> {
    let expected = without_time(whole(plan));
    for &shares in all_shares {
        let cut = cut(&plan.pieces(&means(0)), shares);
        let texts = cut.iter().enumerate().rev().map(|(at, share)| cover(plan, at, share));
        let covered = texts.map(|text| serde_json::from_str::<CoveredShare>(&text).unwrap());
        let merged = without_time(plan.merge(covered).unwrap());
        assert_eq!(merged, expected, "{shares} shares");
    }
    expected
}

#[test]
fn shares_of_every_claim_of_tables_merge_to_one_run() {
    let of_tables = |claim: &&Claim| !matches!(claim.rule, Rule::Check(_));
    let claims: Vec<&Claim> = Claim::all().filter(of_tables).collect();
    let plan = plan(&claims, 5, 6);
    assert!(plan.pieces(&means(0)).iter().any(|piece| piece.parts > 7));
    let verdicts = shares_are_one_run(&plan, &[1, 2, 7, 64]);
    assert_eq!(verdicts.len(), claims.len());
    let some = |of: fn(&Verdict) -> bool| verdicts.iter().any(of);
    assert!(some(|verdict| verdict.premise.is_some_and(|premise| premise > 0)));
    assert!(some(|verdict| verdict.unit == crate::Unit::Counts && verdict.checked > 0));
}

/// A check has only one part, so a share contains only whole checks.
#[test]
fn shares_of_every_check_merge_to_one_run() {
    let is_check = |claim: &&Claim| matches!(claim.rule, Rule::Check(_));
    let claims: Vec<&Claim> = Claim::all().filter(is_check).collect();
    let verdicts = shares_are_one_run(&plan(&claims, 3, 3), &[2, 64]);
    assert_eq!(verdicts.len(), claims.len());
    for verdict in &verdicts {
        assert!(verdict.complete && verdict.origin == Origin::Computed, "{verdict:?}");
    }
    let some = |of: fn(&Verdict) -> bool| verdicts.iter().any(of);
    assert!(some(|verdict| verdict.verdict == Conclusion::Fails && verdict.first.is_some()));
    assert!(some(|verdict| verdict.undecided > 0) && some(|verdict| verdict.certificate.is_some()));
}

/// The claims are false in each of their tables. However the work is divided, the shares together
/// count all counterexamples and find the least one.
#[test]
fn counterexamples_of_many_shares_are_merged() {
    let wrong = |rule: Rule, games: &'static [grundy_rules::Game]| Claim {
        games,
        rule,
        premise: Some("the value is v"),
        flaw: Some(crate::Flaw::False),
        ..*Claim::find("end.rows").unwrap()[0]
    };
    let claims = [
        wrong(
            Rule::Positions(|_| Statement::Near { value: 1, distance: 0 }),
            &[games::END_NIM, games::MISERE_END_NIM],
        ),
        wrong(Rule::Positions(|_| Statement::Near { value: 0, distance: 0 }), &[games::END_NIM]),
        wrong(
            Rule::Positions(|_| iff(2, |piles| piles[0] == 1 && piles.len() > 5)),
            &[games::LOOP_END_NIM],
        ),
    ];
    let claims: Vec<&Claim> = claims.iter().collect();
    let verdicts = shares_are_one_run(&plan(&claims, 5, 7), &[1, 2, 7, 64]);
    assert!(verdicts.iter().all(|verdict| verdict.failures > 100), "{verdicts:?}");
}

#[test]
fn the_pieces_are_the_same_on_any_machine() {
    let claims = [Claim::find("an.").unwrap(), Claim::find("ch.").unwrap()].concat();
    let plan = plan(&claims, 4, 6);
    let pieces = plan.pieces(&means(0));
    assert_eq!(pieces, plan.pieces(&means(0)));
    for threads in [1, 64] {
        let others = plan.pieces(&Means { threads, ..means(0) });
        for (piece, other) in pieces.iter().zip(&others) {
            assert_eq!((&piece.name, piece.parts), (&other.name, other.parts));
            assert!((piece.seconds - other.seconds).abs() < 1e-12, "{piece:?}");
            assert!(piece.seconds.is_finite() && piece.seconds >= 0.0);
        }
    }
    // There are (16 + 4) / 2 middles of two piles up to four: a word and its reversal count once.
    let piece = pieces.iter().find(|piece| piece.name == "end-nim/n4/k6").unwrap();
    assert_eq!(piece.parts, 10);
    let estimate = plan.estimate(&Means { threads: 1, ..means(0) });
    let seconds: f64 = pieces.iter().map(|piece| piece.seconds).sum();
    assert!((estimate.seconds - seconds).abs() < 1e-9);
}

/// Returns a small plan and a share that covers it, for tests that damage the share. The plan has
/// tables of piles up to 3, and a check.
fn small() -> (Plan<'static>, Value) {
    let claims = ["ch.thm2.1", "end.zeros", "end.p-count", "an.period-pow2"];
    let claims: Vec<&Claim> = claims.iter().flat_map(|id| Claim::find(id).unwrap()).collect();
    let plan = plan(&claims, 3, 6);
    let share = cut(&plan.pieces(&means(0)), 1).remove(0);
    let share = serde_json::from_str(&cover(&plan, 0, &share)).unwrap();
    (plan, share)
}

#[test]
fn impossible_findings_are_refused() {
    let (plan, share) = small();
    let merge = |share: Value| -> Result<Vec<Verdict>, String> {
        let share: CoveredShare =
            serde_json::from_value(share).map_err(|error| error.to_string())?;
        plan.merge([share]).map_err(|error| error.to_string())
    };
    assert_eq!(without_time(merge(share.clone()).unwrap()), without_time(whole(&plan)));
    let pieces = plan.pieces(&means(0));
    let at = |name: &str| pieces.iter().position(|piece| piece.name == name).unwrap();
    let (table, check) = (at("end-nim/n3/k2"), at("an.period-pow2"));
    let listed = cases(include_str!("findings.txt"), "impossible").into_iter();
    let listed = listed.map(|(_, [piece, place, spoilt, said])| {
        let piece = if piece == "table" { table } else { check };
        (piece, place, serde_json::from_str(spoilt).unwrap(), said)
    });
    let found = |piece: usize| share["pieces"][piece]["found"].clone();
    let exchanged = [
        (check, "check", found(table)["table"].clone(), "unknown field"),
        (table, "", found(check), "it is a table instead of a check"),
        (check, "", found(table), "it is a check instead of a table"),
    ];
    for (piece, place, spoilt, said) in listed.chain(exchanged) {
        let mut share = share.clone();
        let mut value = &mut share["pieces"][piece]["found"];
        for name in place.split('/').filter(|name| !name.is_empty()) {
            value = match name.parse::<usize>() {
                Ok(number) => &mut value[number],
                Err(_) => &mut value[name],
            };
        }
        *value = spoilt.clone();
        let error = merge(share).unwrap_err();
        assert!(error.contains(said), "{place} {spoilt}: {error}");
    }
}

#[test]
fn shares_of_another_plan_are_refused() {
    let (plan, share) = small();
    let sizes = |max_pile, length, to| Sizes { max_pile: Some(max_pile), length: Some(length), to };
    for range in [sizes(3, 5, Some(6)), sizes(4, 6, Some(6)), sizes(3, 6, Some(7))] {
        let other = Plan::new(&plan.claims, &[], &range).unwrap();
        let share: CoveredShare = serde_json::from_value(share.clone()).unwrap();
        assert_eq!(other.merge([share]), Err(MergeError::OtherWork));
    }
}
