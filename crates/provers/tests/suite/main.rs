//! Tests with the theorems of docs/PROOFS.md. They agree with the rules; changed ones are refused.

mod certificates;

use std::io::Write;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use grundy_provers::{FamilyWords, Of, Progress, Proof, ProverError, check, prove, prove_family};
use grundy_rules::law::RuleFile;
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Pile, Position, misere_form};
use serde_json::{Value, to_value};

const MEMORY: u64 = 1 << 30;

/// For each theorem the game, the largest pile or the words of a family, and the result. The games
/// are built in, or rule files of `games/`. The P-positions of the three End-Nim games take 5N + 2
/// states.
const THEOREMS: [(&str, &str, &str); 27] = [
    ("end-nim", "1", "2 states, 2 tuples"),
    ("end-nim", "2", "18 states, 22 tuples"),
    ("end-nim.game", "2", "18 states, 22 tuples"),
    ("end-nim, misere", "2", "18 states, 22 tuples"),
    ("misere-end-nim", "2", "21 states, 25 tuples"),
    ("misere-end-nim.game", "2", "21 states, 25 tuples"),
    ("loop-end-nim", "2", "45 states, 56 tuples"),
    ("loop-end-nim.game", "2", "45 states, 56 tuples"),
    ("end-nim outcomes", "2", "12 states, 14 tuples"),
    ("end-nim outcomes", "3", "17 states, 23 tuples"),
    ("end-nim outcomes", "4", "22 states, 34 tuples"),
    ("end-nim outcomes", "5", "27 states, 47 tuples"),
    ("end-nim outcomes", "6", "32 states, 62 tuples"),
    ("misere-end-nim outcomes", "2", "12 states, 14 tuples"),
    ("misere-end-nim outcomes", "3", "17 states, 23 tuples"),
    ("loop-end-nim outcomes", "3", "17 states, 23 tuples"),
    ("end-wythoff outcomes", "2", "3 states, 3 tuples"),
    ("end-wythoff.game outcomes", "2", "3 states, 3 tuples"),
    ("partizan-end-nim outcomes", "1", "2 states, 2 tuples"),
    ("end-nim", "3* 1 3*", "step [2,2] from 3, 26 tiles, no regular set: 1 2 4"),
    ("misere-end-nim", "3* 2,2 3*", "step [2,2] from 1, 17 tiles, no regular set: 1 2 4"),
    ("loop-end-nim", "3* 2 2 3*", "step [2,2] from 2, 20 tiles, no regular set: 1 2 4"),
    ("end-nim", "(3,2,1)* 3,1 3*", "step [1,2] from 1, 11 tiles, no regular set: 1 2"),
    ("end-nim", "2* 1 2*", "step [2,2] from 1, 7 tiles, no regular set:"),
    ("end-nim", "3* 1 2*", "step [2,2] from 3, 12 tiles, no regular set:"),
    ("misere-end-nim.game", "2* 1 2*", "step [2,2] from 1, 8 tiles, no regular set:"),
    ("partizan-end-nim outcomes", "2* 1 2*", "step [1,1] from 2, 6 tiles, no regular set: L P R"),
];

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

/// The provers, the checker and the rules agree. A Python program with its own code for the rules
/// agrees too, on the theorems about built-in games.
#[test]
fn theorems_are_proved_and_checked() {
    let (mut lines, mut expected) = (String::new(), String::new());
    for (name, about, proves) in THEOREMS {
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

/// Rules have theorems only if they depend on the end piles alone, and on whether there are two.
#[test]
fn rules_of_the_ends_have_theorems() {
    for (rules, is_on_ends) in [
        ("t in 1..first: first -= t", true),
        ("t in 1..first if k == 1: first -= t", true),
        ("t in 1..last if 3 > t: last -= t\nplay: misere", true),
        ("t in 1..first if t < total: first -= t", true),
        ("t in 1..last if k >= 2 and total > t: last -= t", true),
        ("t in 1..first if t + 1 < total: first -= t", false),
        ("t in 1..first if first < total: first -= t", false),
        ("t in 1..first if k >= 3: first -= t", false),
        ("t in 1..first if k % 2 == 0: first -= t", false),
        ("t in 1..total if t < first: first -= t", false),
        ("t in 1..p2 if k >= 2: p2 -= t", false),
        ("i in 1..k, t in 1..piles[i]: piles[i] -= t", false),
        ("t in 1..first: first -= t\nlength: 2..9", false),
        ("t in 1..first: first -= t\nwhere: first < 9", false),
    ] {
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
    for (text, read) in [
        ("3* 1 3*", "3* 1 3*"),
        (" 3*,2,2,3* ", "3* 2,2 3*"),
        ("(3,2,1)*31 (4 4)*", "(3,2,1)* 31 (4,4)*"),
        ("1* 2*", "1* 2*"),
        ("* 1 3*", "repeats an empty word"),
        ("(1,2)* 1 (2,1)*", "ambiguous: 1,2,1,2,1 can"),
        ("1* (1,1)*", "ambiguous: 1,1 can"),
        ("", "invalid family"),
        ("3", "invalid family"),
        ("3* 1", "invalid family"),
        ("1 3*", "invalid family"),
        ("3* (1 2) 3*", "invalid family"),
        ("(3 1 3*", "invalid family"),
        ("a* 1 b*", "invalid family"),
        ("3 3* 1*", "invalid family"),
    ] {
        let words = text.parse::<FamilyWords>();
        let said = words.map_or_else(|error| error.to_string(), |words| words.to_string());
        assert!(said.contains(read), "{text}: {said}");
    }
}
