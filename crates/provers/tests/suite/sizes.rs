//! Theorems for all pile sizes: the classes of moves, statements, and least boxes. The tables are
//! filled by the reference.

use grundy_language::parser::parse;
use grundy_language::resolve::resolve;
use grundy_language::{Expr, Setting};
use grundy_provers::check;
use grundy_provers::sizes::{Certificate, Decided, Found, Moves, Table, formula, least_box};
use grundy_rules::games::END_NIM;
use grundy_rules::{Game, Pile};

use crate::cases::cases;
use crate::trust;

const CASES: &str = include_str!("sizes.txt");

fn game(name: &str) -> Game {
    name.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the table of the values up to `largest`, by the reference.
fn table(game: Game, length: usize, most: Pile, largest: u32) -> Table {
    trust::table(game, length, most, largest).unwrap()
}

fn resolved(text: &str) -> Expr {
    let resolved = parse(text).and_then(|tree| resolve(&tree, Setting::of_rows("end-nim")));
    resolved.unwrap_or_else(|problem| panic!("{text}: {problem}"))
}

fn decided(text: &str, length: usize) -> Result<Decided, String> {
    let moves = Moves::of(END_NIM, length).unwrap();
    Decided::of(&resolved(text), length, &[END_NIM], &moves).map_err(|refusal| refusal.to_string())
}

#[test]
fn classes_of_moves_are_read_from_the_rules() {
    for (line, [name, length, expected]) in cases(CASES, "classes of moves") {
        let moves = Moves::of(game(name), length.parse().unwrap());
        let moves = moves.unwrap_or_else(|refusal| panic!("line {line}: {refusal}"));
        let found = format!("{} {} {}", moves.cap, moves.modulus, moves.box_of(2, 2));
        assert_eq!(found, expected, "line {line}: {name}");
    }
    for (line, [name, length, reason]) in cases(CASES, "other moves") {
        let refused = Moves::of(game(name), length.parse().unwrap()).unwrap_err().to_string();
        assert!(refused.contains(reason), "line {line}: {refused}");
    }
}

#[test]
fn statements_are_decided_with_their_cap_and_modulus() {
    for (line, [length, text, expected]) in cases(CASES, "statements") {
        let found = decided(text, length.parse().unwrap());
        let found = found.unwrap_or_else(|refusal| panic!("line {line}: {refusal}"));
        let (cap, modulus) = found.with(1, 1);
        let found = format!("{cap} {modulus} {}", found.box_of(1, 1));
        assert_eq!(found, expected, "line {line}: {text}");
    }
}

#[test]
fn other_statements_are_refused_with_the_reason() {
    for (line, [text, reason]) in cases(CASES, "look safe and are not") {
        let refused = decided(text, 3).map(|_| ()).unwrap_err();
        assert!(refused.contains(reason), "line {line}: {refused}");
    }
}

/// Returns the least box for the values up to `largest`, within tables up to `most`.
pub(crate) fn least(game: Game, length: usize, most: Pile, largest: u32) -> Option<Found> {
    let moves = Moves::of(game, length).unwrap();
    let tables: Vec<Table> =
        moves.lengths.iter().map(|&length| table(game, length, most, largest)).collect();
    let own = (moves.cap, moves.modulus);
    least_box(&tables, own, |cap, modulus| moves.box_of(cap, modulus), || true).ok()
}

#[test]
fn least_boxes_are_found() {
    for (line, [name, length, largest, expected]) in cases(CASES, "boxes") {
        let length = length.parse().unwrap();
        let most: Pile = expected.parse().unwrap();
        let found = least(game(name), length, most, largest.parse().unwrap());
        let found = found.unwrap_or_else(|| panic!("line {line}: nothing found"));
        assert_eq!(found.most, i128::from(most), "line {line}: {name} {found:?}");
        let smaller = least(game(name), length, most - 1, largest.parse().unwrap());
        assert_eq!(smaller, None, "line {line}");
    }
}

#[test]
fn classes_are_written_as_formulas() {
    for (line, [name, length, value, most, expected]) in cases(CASES, "formulas") {
        let (length, value) = (length.parse().unwrap(), value.parse::<u8>().unwrap());
        let game = game(name);
        let found = least(game, length, most.parse().unwrap(), value.into()).unwrap();
        let table = table(game, length, found.most as Pile, value.into());
        assert_eq!(formula(&table, found, value), expected, "line {line}: {name}");
    }
}

/// Returns what the checker says of the classes of the tables, and of a statement.
fn certified(
    game: Game,
    all: &[Table],
    largest: u32,
    text: Option<&str>,
) -> Result<grundy_provers::Checked, grundy_provers::CheckError> {
    let length = all[all.len() - 1].length;
    let moves = Moves::of(game, length).unwrap();
    let own = (moves.cap, moves.modulus);
    let mut found =
        least_box(all, own, |cap, modulus| moves.box_of(cap, modulus), || true).unwrap();
    if let Some(text) = text {
        let decided = Decided::of(&resolved(text), length, &[game], &moves).unwrap();
        found.most = found.most.max(decided.box_of(found.cap, found.modulus));
    }
    let certificate = Certificate::new(game, all, largest, found, text);
    check(&serde_json::to_value(&certificate).unwrap(), 1 << 30)
}

/// The checker reads the rules and the statements in another way than the prover, and accepts what
/// the prover proves.
#[test]
fn the_checker_accepts_what_is_proved() {
    for (line, [name, length, largest, most]) in cases(CASES, "boxes") {
        let (game, largest) = (game(name), largest.parse().unwrap());
        let lengths = Moves::of(game, length.parse().unwrap()).unwrap().lengths;
        let all: Vec<Table> = lengths
            .iter()
            .map(|&length| table(game, length, most.parse().unwrap(), largest))
            .collect();
        let checked = certified(game, &all, largest, None);
        checked.unwrap_or_else(|error| panic!("line {line}: {name}: {error}"));
    }
    // Some of the statements are false; then the checker names a counterexample.
    let all: Vec<Table> = (1..=3).map(|length| table(END_NIM, length, 48, 1)).collect();
    let mut tried = 0;
    for (line, [length, text, _]) in cases(CASES, "statements") {
        let decided = decided(text, length.parse().unwrap()).unwrap();
        if decided.values().any(|(_, value, _)| value > 1) || decided.box_of(3, 2) > 48 {
            continue;
        }
        tried += 1;
        if let Err(error) = certified(END_NIM, &all, 1, Some(text)) {
            let error = error.to_string();
            assert!(error.contains("fails at"), "line {line}: {text}: {error}");
        }
    }
    assert!(tried > 15, "{tried}");
}
