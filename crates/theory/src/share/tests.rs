//! Shares of every claim against one run, and shares that are none.

use super::*;
use crate::range::Range as Sizes;
use crate::statement::Statement;
use crate::testing::iff;
use crate::words::Conclusion;
use grundy_kernels::Isa;
use grundy_rules::games;
use serde_json::{Value, json};

/// Means that differ from share to share, as those of different machines do.
fn means(machine: usize) -> Means<'static> {
    let isa = if machine.is_multiple_of(3) { Isa::best() } else { Isa::Portable };
    let memory = [1 << 28, 1 << 22][machine % 2];
    Means { isa, memory, threads: 1 + machine % 3, certificate: None, keeper: None }
}

/// Levels kept in memory, or as few of them as there may be.
fn source(means: &Means<'_>) -> Recompute {
    let memory = if means.memory > 1 << 22 { means.memory } else { 0 };
    Recompute::new(means.isa, memory)
}

fn plan<'a>(claims: &[&'a Claim], max_pile: u32, length: usize) -> Plan<'a> {
    let range = Sizes { max_pile: Some(max_pile), length: Some(length), to: Some(6) };
    Plan::new(claims, &[], &range).unwrap()
}

fn whole(plan: &Plan<'_>) -> Vec<Verdict> {
    plan.run(&mut source(&means(0)), &means(0), &Control::new()).unwrap()
}

/// The parts of all pieces, cut into so many shares of about as many parts.
fn cut(plan: &Plan<'_>, shares: usize) -> Vec<Vec<(usize, Range<u64>)>> {
    let parts = plan.pieces(&means(0)).into_iter().map(|piece| piece.parts).enumerate();
    let all: Vec<(usize, u64)> =
        parts.flat_map(|(piece, parts)| (0..parts).map(move |part| (piece, part))).collect();
    let bounds: Vec<usize> = (0..=shares).map(|share| share * all.len() / shares).collect();
    let share = |bound: &[usize]| {
        let mut share: Vec<(usize, Range<u64>)> = Vec::new();
        for &(piece, part) in &all[bound[0]..bound[1]] {
            match share.last_mut().filter(|(last, parts)| (*last, parts.end) == (piece, part)) {
                Some((_, parts)) => parts.end += 1,
                None => share.push((piece, part..part + 1)),
            }
        }
        share
    };
    bounds.windows(2).map(share).collect()
}

/// What a share covered, as text.
fn cover(plan: &Plan<'_>, machine: usize, share: &[(usize, Range<u64>)]) -> String {
    let means = means(machine);
    let covered = plan.run_share(share, &mut source(&means), &means, &Control::new());
    serde_json::to_string(&covered.unwrap().unwrap()).unwrap()
}

fn without_time(verdicts: Vec<Verdict>) -> Vec<Verdict> {
    verdicts.into_iter().map(|verdict| Verdict { seconds: 0.0, ..verdict }).collect()
}

/// Another order of numbers below `count`: every seventh, then the next.
fn shuffled(count: usize) -> impl Iterator<Item = usize> {
    (0..7).rev().flat_map(move |first| (first..count).step_by(7))
}

fn shares_are_one_run(plan: &Plan<'_>, all_shares: &[usize]) -> Vec<Verdict> {
    let expected = without_time(whole(plan));
    for &shares in all_shares {
        let cut = cut(plan, shares);
        assert_eq!(cut.len(), shares);
        let texts = shuffled(shares).map(|share| cover(plan, share, &cut[share]));
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

/// A check is one part, so 64 shares say no more of it than 7.
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

/// Claims of positions that are false in each of their tables: all counterexamples are counted, and
/// the least is found, wherever it is cut.
#[test]
fn counterexamples_of_many_shares_are_merged() {
    const fn wrong(rule: Rule, games: &'static [grundy_rules::Game]) -> Claim {
        Claim {
            id: "end.wrong",
            paper: &crate::own_facts::PAPER,
            number: "",
            statement: "",
            reading: None,
            games,
            domain: crate::Domain::Positions { from: 2, to: None, defaults: &[] },
            premise: Some("the value is v"),
            status: crate::Status::Remark,
            expected: crate::Truth::Fails,
            rule,
        }
    }
    static CLAIMS: [Claim; 3] = [
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
    let claims: Vec<&Claim> = CLAIMS.iter().collect();
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
    // Inner words of two piles up to four, each with its reversal: (16 + 4) / 2.
    let piece = pieces.iter().find(|piece| piece.name == "end-nim/n4/k6").unwrap();
    assert_eq!(piece.parts, 10);
    let estimate = plan.estimate(&Means { threads: 1, ..means(0) });
    let seconds: f64 = pieces.iter().map(|piece| piece.seconds).sum();
    assert!((estimate.seconds - seconds).abs() < 1e-9);
}

/// The whole of a small plan as two shares, to be spoilt.
fn two_shares() -> (Plan<'static>, Vec<Value>) {
    let claims = ["ch.thm2.1", "end.zeros", "end.p-count", "ch.cor2.4", "an.period-pow2"];
    let claims: Vec<&Claim> = claims.iter().flat_map(|id| Claim::find(id).unwrap()).collect();
    let plan = plan(&claims, 3, 6);
    let shares = cut(&plan, 2).into_iter();
    let shares = shares.map(|share| serde_json::from_str(&cover(&plan, 0, &share)).unwrap());
    let shares = shares.collect();
    (plan, shares)
}

/// Merges shares that may be spoilt; one that cannot be read is an error too.
fn merge(plan: &Plan<'_>, shares: &[Value]) -> Result<Vec<Verdict>, String> {
    let read = |share: &Value| serde_json::from_str::<CoveredShare>(&share.to_string());
    let read: Result<Vec<CoveredShare>, _> = shares.iter().map(read).collect();
    plan.merge(read.map_err(|error| error.to_string())?).map_err(|error| error.to_string())
}

#[test]
fn what_is_missing_or_there_twice_is_named() {
    let (plan, shares) = two_shares();
    merge(&plan, &shares).unwrap();
    let pieces = plan.pieces(&means(0));
    let first = &pieces[0].name;
    assert_eq!(merge(&plan, &[]).unwrap_err(), format!("no share covers part 0 of {first}"));
    let twice = [&shares[..], &shares[..1]].concat();
    let error = merge(&plan, &twice).unwrap_err();
    assert_eq!(error, format!("more than one share covers part 0 of {first}"));
    let typed = |shares: &[&[(usize, Range<u64>)]]| {
        let covered = shares
            .iter()
            .map(|share| serde_json::from_str::<CoveredShare>(&cover(&plan, 0, share)).unwrap());
        plan.merge(covered).unwrap_err()
    };
    // Of pieces with more than one part, the first: all before it is there.
    let cut_up = pieces.iter().position(|piece| piece.parts > 1).unwrap();
    let (name, parts) = (&pieces[cut_up].name, pieces[cut_up].parts);
    let before: Vec<(usize, Range<u64>)> = (0..cut_up).map(|piece| (piece, 0..1)).collect();
    let missing = typed(&[&before, &[(cut_up, 0..1)]]);
    assert_eq!(missing, MergeError::Missing { piece: name.clone(), parts: 1..parts });
    let again = typed(&[&before, &[(cut_up, 0..2), (cut_up, 1..parts)]]);
    assert_eq!(again, MergeError::Twice { piece: name.clone(), parts: 1..2 });
}

#[test]
fn shares_of_another_plan_are_refused() {
    let (plan, mut shares) = two_shares();
    for (max_pile, length) in [(3, 5), (4, 6)] {
        let claims: Vec<&Claim> = plan.claims.clone();
        let other = self::plan(&claims, max_pile, length);
        let error = merge(&other, &shares).unwrap_err();
        assert_eq!(error, MergeError::OtherWork.to_string());
    }
    let range = Sizes { max_pile: Some(3), length: Some(6), to: Some(7) };
    let other = Plan::new(&plan.claims, &[], &range).unwrap();
    assert!(merge(&other, &shares).unwrap_err().contains("other work"));
    shares[1]["plan"] = json!("0".repeat(64));
    assert!(merge(&plan, &shares).unwrap_err().contains("another version"));
}

#[test]
fn a_share_that_there_cannot_be_is_not_worked_on() {
    let (plan, _) = two_shares();
    for share in [(99, 0..1), (0, 0..2), (0, 1..1), (usize::MAX, 0..1)] {
        let refused = plan.run_share(&[share], &mut source(&means(0)), &means(0), &Control::new());
        assert!(matches!(refused, Err(ShareError::NoSuchPart { .. })));
    }
    let control = Control::new();
    control.stop();
    for share in cut(&plan, plan.pieces(&means(0)).len()) {
        let stopped = plan.run_share(&share, &mut source(&means(0)), &means(0), &control);
        assert_eq!(stopped.unwrap(), None);
    }
}

/// Every number, text and list of a share, spoilt in every way: an error or the same verdicts, but
/// for what no reader could know better.
#[test]
fn a_spoilt_share_is_an_error_and_never_a_panic() {
    let (plan, shares) = two_shares();
    let mut places = Vec::new();
    for (at, share) in shares.iter().enumerate() {
        pointers(share, &format!("/{at}"), &mut places);
    }
    let all = Value::Array(shares);
    let spoils = [json!(0), json!(u64::MAX), json!(-1), json!(1e300), json!("x"), json!(null)];
    let more = [json!([]), json!({}), json!("0,0"), json!(u64::MAX / 2), json!(i64::MAX)];
    let expected = without_time(whole(&plan));
    let mut refused = 0;
    for place in &places {
        for spoilt in spoils.iter().chain(&more) {
            let mut all = all.clone();
            *all.pointer_mut(place).unwrap() = spoilt.clone();
            let merged = merge(&plan, all.as_array().unwrap());
            refused += u32::from(merged.is_err());
            let is_table = place.contains("/table/");
            let counted = ["checked", "cells", "start", "end", "piece", "plan", "game", "parts"];
            let matters = counted.iter().any(|&name| place.ends_with(name));
            if let Ok(merged) = merged
                && matters
                && (is_table || !place.contains("/check/"))
            {
                assert_eq!(without_time(merged), expected, "{place} {spoilt}");
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

/// The place of every value within a value.
fn pointers(value: &Value, at: &str, places: &mut Vec<String>) {
    places.push(at.to_owned());
    match value {
        Value::Array(values) => {
            for (number, value) in values.iter().enumerate() {
                pointers(value, &format!("{at}/{number}"), places);
            }
        }
        Value::Object(fields) => {
            for (name, value) in fields {
                pointers(value, &format!("{at}/{name}"), places);
            }
        }
        _ => {}
    }
}

#[test]
fn a_check_keeps_its_certificate_as_it_is() {
    let claims = Claim::find("lgn.conj34").unwrap();
    let plan = plan(&claims, 1, 1);
    let text = cover(&plan, 0, &[(0, 0..1)]);
    let expected = whole(&plan).remove(0).certificate;
    assert!(expected.as_ref().is_some_and(|bytes| bytes.len() > 10));
    let share: CoveredShare = serde_json::from_str(&text).unwrap();
    assert_eq!(plan.merge([share]).unwrap().remove(0).certificate, expected);
    for spoilt in ["\"certificate\":\"g0", "\"certificate\":\"0", "\"certificate\":\"é"] {
        let text = text.replacen("\"certificate\":\"", spoilt, 1);
        assert!(serde_json::from_str::<CoveredShare>(&text).is_err(), "{spoilt}");
    }
}

/// Of seconds a text may say anything; those of the pieces that a claim takes part in add up.
#[test]
fn seconds_add_up() {
    let texts = [2.5, 0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    assert_eq!(texts.map(time), [2.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let (plan, mut shares) = two_shares();
    let mut of_end_nim = 0.0;
    let pieces = plan.pieces(&means(0));
    for share in &mut shares {
        for piece in share["pieces"].as_array_mut().unwrap() {
            piece["seconds"] = json!(2.0);
            let at = piece["piece"].as_u64().unwrap() as usize;
            if pieces[at].name.starts_with("end-nim/") {
                of_end_nim += 2.0;
            }
        }
    }
    assert!(of_end_nim >= 12.0);
    for verdict in merge(&plan, &shares).unwrap() {
        match verdict.claim {
            // A check is one piece.
            "ch.cor2.4" | "an.period-pow2" => assert_eq!(verdict.seconds, 2.0),
            "ch.thm2.1" => assert_eq!(verdict.seconds, of_end_nim),
            _ => assert!(verdict.seconds > of_end_nim),
        }
    }
}

/// No more can be premises or fail than were checked, and what fails has a counterexample.
#[test]
fn numbers_go_together() {
    let tally = |checked, premise, failures, has_first: bool| {
        let mut tally = Tally::default();
        tally.fail(games::NIM, &[1], None, String::new);
        let first = tally.first.filter(|_| has_first);
        possible(&Tally { checked, premise, failures, first })
    };
    assert!(tally(0, 0, 0, false) && tally(5, 5, 5, true) && tally(5, 0, 1, true));
    assert!(!tally(5, 6, 0, false) && !tally(5, 0, 6, true));
    assert!(!tally(5, 0, 0, true) && !tally(5, 0, 1, false));
}

#[test]
fn parts_are_those_of_the_piece() {
    let (plan, _) = two_shares();
    let pieces = plan.pieces(&means(0));
    let at = pieces.iter().position(|piece| piece.parts > 2).unwrap();
    let (work, all) = (plan.work(at).unwrap(), pieces[at].parts);
    assert!(work.has(&(0..1)) && work.has(&(0..all)) && work.has(&(all - 1..all)));
    assert!(!work.has(&(0..all + 1)) && !work.has(&(1..1)) && !work.has(&(all..all + 1)));
    assert!(!work.has(&Range { start: 2, end: 1 }));
    assert!(plan.work(pieces.len()).is_none());
    assert_eq!(plan.name(pieces.len()), format!("piece {}", pieces.len()));
}
