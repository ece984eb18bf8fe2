//! Tests that changed certificates are refused, even if their seals are valid.

use grundy_provers::{CheckError, check};
use grundy_shard::seal::{from_sealed, to_sealed};
use serde_json::{Value, json};

use crate::{game_and_quantity, theorem};

const MEMORY: u64 = 1 << 22;

const CHANGED: [(&str, &str); 6] = [
    ("end-nim", "2"),
    ("misere-end-nim outcomes", "2"),
    ("end-nim", "3* 1 3*"),
    ("loop-end-nim", "3* 2 2 3*"),
    ("end-nim", "(3,2,1)* 3,1 3*"),
    ("partizan-end-nim outcomes", "2* 1 2*"),
];

fn certificate((name, about): (&str, &str)) -> Value {
    let (game, of) = game_and_quantity(name);
    theorem(game, of, about).0
}

/// Returns all values that differ from a JSON value by one change.
fn changed(value: &Value) -> Vec<Value> {
    let mut all = vec![Value::Null, json!(0), json!([]), json!({}), json!(1_u64 << 40)];
    all.extend(
        ["P", "N", "L", "R", "outcomes", "misere-end-nim", "nim", "misere"].map(Value::from),
    );
    match value {
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            all.extend([number + 1, number.saturating_sub(1), number * 2].map(Value::from));
        }
        Value::String(text) => all.push(json!(format!("{text} "))),
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                let with =
                    |others: &[Value]| Value::from([&list[..at], others, &list[at + 1..]].concat());
                all.extend(changed(inner).into_iter().map(|other| with(&[other])));
                all.extend([with(&[]), with(&[inner.clone(), inner.clone()])]);
                let mut swapped = list.clone();
                swapped.swap(at, (at + 1) % list.len());
                all.push(swapped.into());
            }
        }
        Value::Object(members) => {
            let with = |name: &str, other: Option<Value>| {
                let mut members = members.clone();
                members.remove(name);
                members.extend(other.map(|other| (name.to_owned(), other)));
                Value::from(members)
            };
            for (name, inner) in members {
                all.extend(changed(inner).into_iter().map(|other| with(name, Some(other))));
                all.push(with(name, None));
            }
            all.push(with("more", Some(json!(1))));
        }
        _ => {}
    }
    all.retain(|other| other != value);
    all
}

/// True if a changed certificate proves the same statement about another game. A family can have
/// the same values in two games.
fn is_proved_too(certificate: &Value, about: &str) -> bool {
    let (game, of) = (certificate["game"].as_str().unwrap(), certificate["of"].as_str().unwrap());
    let misere = if certificate["convention"].is_null() { "" } else { ", misere" };
    let name = format!("{game}{misere}{}", if of == "outcomes" { " outcomes" } else { "" });
    let (game, of) = game_and_quantity(&name);
    theorem(game, of, about).0 == *certificate
}

#[test]
fn every_changed_certificate_is_refused() {
    let mut refused = 0;
    for case in CHANGED {
        let certificate = certificate(case);
        check(&certificate, MEMORY).unwrap();
        assert!(matches!(check(&certificate, 100), Err(CheckError::Memory)));
        for other in changed(&certificate) {
            // Renew the seal of a whole certificate; a part of a certificate has no seal.
            let other = match other.is_object() && other != json!({}) {
                true => from_sealed(to_sealed(&other).unwrap().into_bytes()).unwrap(),
                false => other,
            };
            match check(&other, MEMORY) {
                Err(_) => refused += 1,
                Ok(_) => assert!(is_proved_too(&other, case.1), "{other} is accepted"),
            }
        }
    }
    println!("{refused} spoilt certificates were refused");
    assert!(refused > 4000);
}

#[test]
fn a_refusal_names_the_fault() {
    let [automaton, family] = [0, 2].map(|case| certificate(CHANGED[case]));
    for (of, member, other, said) in [
        (&family, "left", json!([]), "'piles' contradicts the rules"),
        (&family, "right", json!([]), "'piles' contradicts the rules"),
        (&family, "middle", json!([1, 0]), "'piles' contradicts the rules"),
        (&automaton, "outputs", json!([7]), "'states' contradicts the rules"),
        (
            &automaton,
            "game",
            json!("misere-end-nim"),
            "the row () has null by the rules, but 0 in the certificate",
        ),
        (&automaton, "game", json!("nim"), "the moves of nim read or change more"),
        (&automaton, "game", json!("unheard-of"), "the unknown game 'unheard-of'"),
        (&automaton, "more", json!(7), "a member is missing or unknown"),
        (&automaton, "format", json!(7), "it is not a certificate"),
    ] {
        let mut wrong = of.clone();
        wrong[member] = other;
        let error = check(&wrong, MEMORY).unwrap_err().to_string();
        assert!(error.contains(said), "{member}: {error}");
    }
}
