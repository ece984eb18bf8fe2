//! Tests that the theorems of docs/PROOFS.md obey the rules, and that changed theorems are refused.

#[path = "../../../testing/src/cases.rs"]
pub mod cases;
mod certificates;
mod changed;
mod shown;
mod sizes;
mod trust;

use std::io::Write;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use grundy_provers::{FamilyWords, Of, Progress, Proof, ProverError, check, prove, prove_family};
use grundy_rules::law::RuleFile;
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Pile, Position, misere_form};
use serde_json::{Value, to_value};

use crate::cases::cases;

const MEMORY: u64 = 1 << 30;

/// The theorems and other cases. The games are built in or are rule files of `games/`. The automata
/// for P-positions of the three End-Nim games have 5N + 2 states.
const CASES: &str = include_str!("theorems.txt");

fn game_and_quantity(name: &str) -> (Game, Of) {
    let (name, of) = match name.strip_suffix(" outcomes") {
        Some(name) => (name, Of::Outcomes),
        None => (name, Of::Values),
    };
    let game = match name.strip_suffix(", misere") {
        Some(name) => misere_form(name.parse().unwrap()).unwrap(),
        None if name.ends_with(".game") => {
            let path = format!("{}/../../games/{name}", env!("CARGO_MANIFEST_DIR"));
            RuleFile::from_bytes(&std::fs::read(path).unwrap()).unwrap().game().unwrap()
        }
        None => name.parse().unwrap(),
    };
    (game, of)
}

fn proved<T>(found: Result<Proof<T>, ProverError>) -> T {
    match found {
        Ok(Proof::Proved(found)) => found,
        Ok(Proof::Stopped(progress)) => panic!("{progress:?}"),
        Err(error) => panic!("{error}"),
    }
}

/// Returns the certificate of a theorem, and its outputs for many rows.
fn theorem(game: Game, of: Of, about: &str) -> (Value, Vec<(Vec<Pile>, String)>) {
    let mut up_to_200 = |at: Progress| match at.size > 200 {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    if let Ok(words) = about.parse::<FamilyWords>() {
        let found = proved(prove_family(game, &words, of, &mut up_to_200));
        let all = (0..17).flat_map(|i| (0..17).map(move |j| (i, j)));
        let said = all.map(|(i, j)| (words.row(i, j), found.value(i, j).to_string())).collect();
        return (to_value(found).unwrap(), said);
    }
    let piles: Pile = about.parse().unwrap();
    let found = proved(prove(game, piles, of, &mut up_to_200));
    let rows = (1..1000_u32).map(|number| {
        let digits =
            (0..=number.ilog(piles + 1)).map(|at| number / (piles + 1).pow(at) % (piles + 1));
        digits.filter(|&pile| pile > 0).collect::<Vec<Pile>>()
    });
    let said = rows.map(|row| (row.clone(), found.output(&row).to_string())).collect();
    (to_value(found).unwrap(), said)
}

fn words(certificate: &Value) -> String {
    let of = |name: &str| certificate[name].to_string();
    match certificate["nonregular"].as_array() {
        None => format!("{} states, {} tuples", of("states"), of("tuples")),
        Some(cells) => {
            let cells: String = cells.iter().map(|cell| format!(" {}", cell[0])).collect();
            let cells = cells.replace('"', "");
            format!(
                "step {} from {}, {} tiles, no regular set:{cells}",
                of("step"),
                of("start"),
                of("tiles")
            )
        }
    }
}

/// The provers, the checker and the rules agree. For built-in games, a Python program with its own
/// code for the rules agrees too.
#[test]
fn theorems_are_proved_and_checked() {
    let (mut lines, mut expected) = (String::new(), String::new());
    for (_, [name, about, proves]) in cases(CASES, "theorems") {
        let (game, of) = game_and_quantity(name);
        let (certificate, said) = theorem(game, of, about);
        assert_eq!(words(&certificate), proves, "{name} {about}");
        check(&certificate, MEMORY).unwrap_or_else(|error| panic!("{name} {about}: {error}"));
        let mut classes = Outcomes::new(game);
        let mut values = (of == Of::Values).then(|| Reference::new(game));
        for (row, said) in said {
            let row = Position::row(&row);
            let by_rules = match &mut values {
                Some(values) => values.value(&row).to_string(),
                None => classes.outcome(&row).to_string(),
            };
            assert_eq!(said, by_rules, "{name} {row}");
        }
        if !name.contains(['.', ',']) {
            lines += &format!("{certificate}\n");
            expected += &format!("{proves}\n");
        }
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all_lengths.py");
    let mut python = Command::new("python3");
    let mut python =
        python.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    python.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}

/// A rule file has theorems iff its moves read only the end piles. They may also test whether the
/// row has at least two piles.
#[test]
fn rules_of_the_ends_have_theorems() {
    let of =
        |heading, is_on_ends| cases(CASES, heading).into_iter().map(move |it| (it.1, is_on_ends));
    for ([rules], is_on_ends) in of("of the ends", true).chain(of("not of the ends", false)) {
        let rules = rules.replace("\\n", "\n");
        let text =
            format!("name: own\ntitle: Own\nsource: own\nrule: own\npiles: row\nmove: {rules}\n");
        let game = RuleFile::from_text(&text)
            .and_then(RuleFile::game)
            .unwrap_or_else(|p| panic!("{rules}: {p}"));
        match prove(game, 2, Of::Outcomes, &mut |_| ControlFlow::Continue(())) {
            Ok(Proof::Proved(found)) => {
                check(&to_value(&found).unwrap(), MEMORY).unwrap();
                assert!(is_on_ends, "{rules}");
            }
            other => {
                let said = other.unwrap_err().to_string();
                assert!(!is_on_ends && said.contains("end piles"), "{rules}: {said}");
            }
        }
    }
}

#[test]
fn words_of_families_are_read() {
    for (_, [text, read]) in cases(CASES, "words") {
        let words = text.parse::<FamilyWords>();
        let said = words.map_or_else(|error| error.to_string(), |words| words.to_string());
        assert!(said.contains(read), "{text}: {said}");
    }
}
