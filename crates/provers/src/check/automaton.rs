//! Checks an automaton: the outputs obey the rules around each middle, and every state is needed.

use std::collections::{BTreeMap, BTreeSet};

use grundy_rules::{Pile, Position};
use serde::Deserialize;
use serde_json::Value;

use super::{CheckError, Checked, Rules, read};

const MEMBERS: &str =
    "convention format game of outputs piles rules states transitions tuples version";

#[derive(Deserialize)]
struct Text {
    game: String,
    states: usize,
    tuples: usize,
    outputs: Vec<Value>,
    transitions: Vec<Vec<usize>>,
}

pub(super) fn check(certificate: &Value, memory: u64) -> Result<Checked, CheckError> {
    let text: Text = read(certificate, MEMBERS)?;
    let rules = Rules::named(certificate)?;
    let (states, piles) = (text.states, rules.piles);
    let field = |field| Err(CheckError::Field { field });
    if text.transitions.len() != states || text.outputs.len() != states || states == 0 {
        return field("states");
    }
    let mut all = text.transitions.iter();
    if !all.all(|next| next.len() == piles as usize && next.iter().all(|&to| to < states)) {
        return field("transitions");
    }
    // Maps each tuple (the states after the rows m, 1 m, ..., N m) to the shortest such m.
    let step = |state: usize, pile: Pile| text.transitions[state][pile as usize - 1];
    let begin: Vec<usize> = [0].into_iter().chain(text.transitions[0].clone()).collect();
    let mut met = BTreeMap::from([(begin.clone(), Vec::new())]);
    let mut open = vec![begin];
    let (mut at, mut kept) = (0, 0);
    while let Some(tuple) = open.get(at).cloned() {
        at += 1;
        let middle: Vec<Pile> = met[&tuple].clone();
        if middle.is_empty() {
            obeys(&text, &rules, &[])?;
            (1..=piles).try_for_each(|pile| obeys(&text, &rules, &[pile]))?;
        }
        for (a, b) in (1..=piles).flat_map(|a| (1..=piles).map(move |b| (a, b))) {
            obeys(&text, &rules, &[&[a], &middle[..], &[b]].concat())?;
        }
        for pile in 1..=piles {
            let tuple: Vec<usize> = tuple.iter().map(|&state| step(state, pile)).collect();
            if !met.contains_key(&tuple) {
                kept += (u64::from(piles) + 8) * 16 + 4 * middle.len() as u64;
                met.insert(tuple.clone(), [&middle[..], &[pile]].concat());
                open.push(tuple);
            }
        }
        if met.len() > text.tuples {
            return field("tuples");
        }
        if kept > memory {
            return Err(CheckError::Memory);
        }
    }
    if met.len() != text.tuples {
        return field("tuples");
    }
    let reached: BTreeSet<usize> = met.keys().map(|tuple| tuple[0]).collect();
    if let Some(state) = (0..states).find(|state| !reached.contains(state)) {
        return Err(CheckError::Unreached(state));
    }
    all_differ(&text)?;
    let (what, game) = rules.words();
    Ok(Checked {
        statement: format!(
            "a finite automaton of {states} states gives the {what} of {game} with piles of at most \
             {piles}, for rows of all lengths; no automaton with fewer states does"
        ),
        game: text.game,
    })
}

/// Checks that the output of one row follows by the rules from the outputs of its options.
fn obeys(text: &Text, rules: &Rules, row: &[Pile]) -> Result<(), CheckError> {
    let said = |row: &[Pile]| {
        let step = |state: usize, &pile: &Pile| {
            text.transitions[state].get((pile as usize).checked_sub(1)?).copied()
        };
        Some(&text.outputs[row.iter().try_fold(0, step)?])
    };
    let cell = |option: &[Pile]| {
        let said = said(option)?;
        let number = said.as_u64().and_then(|value| u32::try_from(value).ok());
        if rules.values { number } else { (0..4).find(|&wins| rules.text(Some(wins)) == *said) }
    };
    let by_rules = rules.text(rules.decide(row, cell)?);
    match said(row) {
        Some(said) if *said == by_rules => Ok(()),
        said => Err(CheckError::Row {
            row: Position::row(row),
            by_rules: by_rules.to_string(),
            said: said.map_or(String::new(), Value::to_string),
        }),
    }
}

/// Checks that any two states lead to different outputs after some sequence of further piles.
fn all_differ(text: &Text) -> Result<(), CheckError> {
    // After round k, two states are in the same class if their outputs agree after every word of
    // fewer than k further piles.
    let (mut class, mut count) = (vec![0; text.states], 0);
    loop {
        let mut names = BTreeMap::new();
        let mut finer = Vec::new();
        for (next, output) in text.transitions.iter().zip(&text.outputs) {
            let seen: Vec<usize> = next.iter().map(|&to| class[to]).collect();
            let number = names.len();
            finer.push(*names.entry((output.to_string(), seen)).or_insert(number));
        }
        class = finer;
        if names.len() == text.states {
            return Ok(());
        }
        if names.len() == count {
            break;
        }
        count = names.len();
    }
    let same = (0..text.states).find_map(|state| {
        Some((class[..state].iter().position(|&other| other == class[state])?, state))
    });
    let (one, other) = same.unwrap_or_default();
    Err(CheckError::Same(one, other))
}
