//! Certificates: written ones are accepted, and whatever is changed in one is refused, also with a
//! seal of its own.

use grundy_provers::{CheckError, Of, check};
use grundy_shard::seal::{from_sealed, to_sealed};
use serde_json::{Value, json, to_value};

use crate::{automaton, family};

const MEMORY: u64 = 1 << 22;

fn certificates() -> Vec<Value> {
    vec![
        to_value(automaton("end-nim", 2, Of::Values)).unwrap(),
        to_value(automaton("misere-end-nim", 2, Of::Outcomes)).unwrap(),
        to_value(automaton("loop-end-nim", 2, Of::Values)).unwrap(),
        to_value(family("end-nim", "3* 1 3*")).unwrap(),
        to_value(family("loop-end-nim", "3* 2 2 3*")).unwrap(),
        to_value(family("end-nim", "(3,2,1)* 3,1 3*")).unwrap(),
        to_value(family("partizan-end-nim", "2* 1 2*")).unwrap(),
    ]
}

/// Everything that one change makes of a value.
fn changed(value: &Value) -> Vec<Value> {
    let mut all = vec![Value::Null, json!("x"), json!(0), json!([]), json!({})];
    match value {
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            let others = [number + 1, number.saturating_sub(1), number * 2, number ^ 4, 1 << 40];
            all.extend(others.map(Value::from));
        }
        Value::String(text) => {
            let names =
                ["P", "N", "L", "R", "values", "outcomes", "end-nim", "misere-end-nim", "nim"];
            all.extend(names.map(Value::from));
            all.push(json!(format!("{text} ")));
        }
        Value::Null => all.extend([json!("misere"), json!("name: x")]),
        Value::Array(list) => {
            for (at, inner) in list.iter().enumerate() {
                let with =
                    |others: &[Value]| Value::from([&list[..at], others, &list[at + 1..]].concat());
                all.extend(changed(inner).into_iter().map(|other| with(&[other])));
                all.push(with(&[]));
                all.push(with(&[inner.clone(), inner.clone()]));
                if let Some(next) = list.get(at + 1) {
                    let mut swapped = list.clone();
                    (swapped[at], swapped[at + 1]) = (next.clone(), inner.clone());
                    all.push(swapped.into());
                }
            }
        }
        Value::Object(members) => {
            for (name, inner) in members {
                let with = |other: Option<Value>| {
                    let mut members = members.clone();
                    match other {
                        Some(other) => members.insert(name.clone(), other),
                        None => members.remove(name),
                    };
                    Value::from(members)
                };
                all.extend(changed(inner).into_iter().map(|other| with(Some(other))));
                all.push(with(None));
            }
            let mut more = members.clone();
            more.insert("more".to_owned(), json!(1));
            all.push(more.into());
        }
        Value::Bool(_) => {}
    }
    all.retain(|other| other != value);
    all
}

#[test]
fn whatever_is_changed_is_refused() {
    let mut refused = 0;
    for certificate in certificates() {
        check(&certificate, MEMORY).unwrap();
        for other in changed(&certificate) {
            let sealed = to_sealed(&other).unwrap();
            // A seal stands in the whole object, never in its parts.
            let other = match other.is_object() && other != json!({}) {
                true => from_sealed(sealed.into_bytes()).unwrap(),
                false => other,
            };
            if let Ok(checked) = check(&other, MEMORY) {
                panic!("{} is accepted: {other}", checked.statement);
            }
            refused += 1;
        }
    }
    println!("{refused} spoilt certificates were refused");
    assert!(refused > 5000);
}

/// The seal alone refuses every changed byte.
#[test]
fn a_changed_byte_breaks_the_seal() {
    let text = to_sealed(&certificates()[0]).unwrap().into_bytes();
    for at in 0..text.len() {
        let mut text = text.clone();
        text[at] ^= 1;
        assert!(from_sealed::<Value>(text).is_err(), "byte {at}");
    }
}

#[test]
fn a_refusal_says_what_is_wrong() {
    let mut wrong = certificates().swap_remove(0);
    wrong["outputs"][3] = json!(7);
    let said = check(&wrong, MEMORY).unwrap_err().to_string();
    assert!(said.starts_with("for the row ") && said.contains(" the rules give "), "{said}");
    let mut other = certificates().swap_remove(0);
    other["game"] = json!("misere-end-nim");
    assert!(matches!(check(&other, MEMORY), Err(CheckError::Row { .. })));
    other["game"] = json!("nim");
    assert!(matches!(check(&other, MEMORY), Err(CheckError::Ends(_))));
    other["game"] = json!("unheard-of");
    assert!(matches!(check(&other, MEMORY), Err(CheckError::Game(_))));
    for certificate in certificates() {
        assert!(matches!(check(&certificate, 100), Err(CheckError::Memory)));
    }
    assert!(matches!(check(&json!(7), MEMORY), Err(CheckError::Kind)));
}
