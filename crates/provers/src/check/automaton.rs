//! Checks an automaton: that all that occurs after a middle obeys the rules, and that no state is too
//! many.

use std::collections::{BTreeSet, HashMap};

use grundy_rules::{Pile, Position};
use serde::Deserialize;
use serde_json::Value;

use super::{CheckError, Checked, Rules, read};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u32,
    game: String,
    convention: Option<String>,
    rules: Option<String>,
    piles: Pile,
    of: String,
    states: usize,
    tuples: usize,
    outputs: Vec<Value>,
    transitions: Vec<Vec<usize>>,
}

pub(super) fn check(certificate: &Value, memory: u64) -> Result<Checked, CheckError> {
    let text: Text = read(certificate, 11)?;
    let (convention, rules) = (text.convention.as_deref(), text.rules.as_deref());
    let rules = Rules::named(&text.game, convention, rules, (text.piles, &text.of))?;
    let piles = text.piles as usize;
    let states = text.transitions.len();
    if text.states != states || text.outputs.len() != states || states == 0 {
        return Err(CheckError::Field { field: "states" });
    }
    let is_state = |next: &Vec<usize>| next.len() == piles && next.iter().all(|&to| to < states);
    if !text.transitions.iter().all(is_state) {
        return Err(CheckError::Field { field: "transitions" });
    }
    let after = |state: usize, row: &[Pile]| {
        row.iter().try_fold(state, |state, &pile| {
            text.transitions[state].get((pile as usize).checked_sub(1)?).copied()
        })
    };

    // The rules at one row, if the outputs of its options are right.
    let obeys = |row: &[Pile]| {
        let said = |row: &[Pile]| Some(&text.outputs[after(0, row)?]);
        let by_rules = rules.decide(row, |option| rules.cell(said(option)?))?.text();
        match said(row) {
            Some(said) if *said == by_rules => Ok(()),
            said => Err(CheckError::Row {
                row: Position::row(row),
                by_rules: by_rules.to_string(),
                said: said.map_or(String::new(), Value::to_string),
            }),
        }
    };
    obeys(&[])?;
    for pile in 1..=text.piles {
        obeys(&[pile])?;
    }
    // States after m, 1 m, ..., N m, each with the shortest m that leads there.
    let begin: Vec<usize> =
        (0..=piles).map(|pile| if pile == 0 { 0 } else { text.transitions[0][pile - 1] }).collect();
    let mut met = BTreeSet::from([begin.clone()]);
    let mut open = vec![(Vec::<Pile>::new(), begin)];
    while !open.is_empty() {
        let mut next = Vec::new();
        for (middle, tuple) in open {
            for a in 1..=text.piles {
                for b in 1..=text.piles {
                    obeys(&[&[a], &middle[..], &[b]].concat())?;
                }
            }
            for pile in 1..=text.piles {
                let step = |&state: &usize| text.transitions[state][pile as usize - 1];
                let tuple: Vec<usize> = tuple.iter().map(step).collect();
                if met.insert(tuple.clone()) {
                    next.push(([&middle[..], &[pile]].concat(), tuple));
                }
            }
            if met.len() > text.tuples {
                return Err(CheckError::Field { field: "tuples" });
            }
            if met.len() as u64 * (piles as u64 + 8) * 16 > memory {
                return Err(CheckError::Memory);
            }
        }
        open = next;
    }
    if met.len() != text.tuples {
        return Err(CheckError::Field { field: "tuples" });
    }
    is_least(&text)?;
    let (what, game) = rules.words();
    Ok(Checked {
        statement: format!(
            "the {what} of {game} with piles of at most {piles} are those of a finite automaton of \
             {states} states, for rows of all lengths, and of none with fewer states"
        ),
        game: text.game,
    })
}

/// Checks that every state is reached, and that some row tells each two of them apart.
fn is_least(text: &Text) -> Result<(), CheckError> {
    let mut reached = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        open.extend(text.transitions[state].iter().filter(|&&next| reached.insert(next)));
    }
    if let Some(state) = (0..text.states).find(|state| !reached.contains(state)) {
        return Err(CheckError::Unreached(state));
    }
    // Classes of states that no row of so many piles tells apart.
    let mut class: Vec<usize> = Vec::new();
    let mut names = HashMap::new();
    for output in &text.outputs {
        let next = names.len();
        class.push(*names.entry(output.to_string()).or_insert(next));
    }
    let mut count = names.len();
    loop {
        let mut names = HashMap::new();
        let mut finer = Vec::new();
        for (state, next) in text.transitions.iter().enumerate() {
            let seen: Vec<usize> = next.iter().map(|&to| class[to]).collect();
            let number = names.len();
            finer.push(*names.entry((class[state], seen)).or_insert(number));
        }
        let more = names.len();
        class = finer;
        if more == count {
            break;
        }
        count = more;
    }
    for (state, &of) in class.iter().enumerate() {
        if let Some(same) = class[..state].iter().position(|&other| other == of) {
            return Err(CheckError::Same(same, state));
        }
    }
    Ok(())
}
