//! Sequences and guesses, as the command line gives them.

use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use grundy::reference::Reference;
use grundy::{Game, Pile, Position, games};
use serde_json::Value;

fn run(args: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("grundy"));
    command.args(["--db", "no-such-folder"]).args(args).output().expect("the program starts")
}

fn lines(args: &[&str]) -> Vec<String> {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(str::to_owned).collect()
}

/// The terms of a b-file, with their n; and its comments.
fn b_file(args: &[&str]) -> (Vec<(u64, u64)>, Vec<String>) {
    let (comments, terms): (Vec<String>, Vec<String>) =
        lines(args).into_iter().partition(|line| line.starts_with('#'));
    let term = |line: &String| {
        let (n, term) = line.split_once(' ').expect("n and a(n)");
        (n.parse().expect("a number"), term.parse().expect("a number"))
    };
    (terms.iter().map(term).collect(), comments)
}

/// How many positions of two piles of each size have a value, by the reference.
fn counted(game: Game, value: u32, to: Pile, size: fn(Pile, Pile) -> Pile) -> Vec<u64> {
    let mut reference = Reference::new(game);
    let mut counts = vec![0; to as usize + 1];
    for a in 1..=to {
        for b in 1..=to {
            let n = size(a, b) as usize;
            if n < counts.len() && reference.value(&Position::row(&[a, b])) == value {
                counts[n] += 1;
            }
        }
    }
    counts
}

#[test]
fn sequences_count_positions_of_each_size() {
    let game = ["sequence", "misere-end-nim", "g == 2", "--length", "2", "--to", "20"];
    let by_max = counted(games::MISERE_END_NIM, 2, 20, Pile::max);
    let (terms, comments) = b_file(&game);
    assert_eq!(terms, (1..=20).map(|n| (n, by_max[n as usize])).collect::<Vec<_>>());
    assert!(
        comments[0].contains("number of positions of misere-end-nim with 2 piles of which the")
    );
    assert!(comments[1].contains("'g == 2' --length 2"), "{comments:?}");
    let total = counted(games::MISERE_END_NIM, 2, 20, |a, b| a + b);
    let (terms, comments) = b_file(&[&game[..], &["--by", "total"]].concat());
    assert_eq!(terms, (2..=20).map(|n| (n, total[n as usize])).collect::<Vec<_>>());
    assert!(comments[0].contains("the number of coins is n"), "{comments:?}");
    let (terms, comments) = b_file(&[&game[..], &["--cumulative"]].concat());
    let sums: Vec<(u64, u64)> = (1..=20).map(|n| (n, by_max[..=n as usize].iter().sum())).collect();
    assert_eq!(terms, sums);
    assert!(comments[0].contains("is at most n"), "{comments:?}");
}

/// P-positions of Nim with three piles are the triples of nim-sum 0. Counted by hand: of 6 coins
/// 1,2,3; of 10 1,4,5; of 12 2,4,6; of 14 1,6,7 and 2,5,7 and 3,4,7 and 3,5,6; of others up to there
/// none.
#[test]
fn multisets_are_counted_once() {
    let nim = ["sequence", "nim", "P", "--length", "3", "--by", "total", "--to", "14", "--list"];
    assert_eq!(lines(&nim), ["0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 4"]);
}

#[test]
fn rows_and_single_piles_are_sequences() {
    // a xor b (Cairns and Ho, section 4).
    assert_eq!(
        lines(&["sequence", "end-nim", "--row", "3", "--to", "6", "--list"]),
        ["2, 1, 0, 7, 6, 5"]
    );
    let (terms, comments) = b_file(&["sequence", "short-global-nim", "--to", "9"]);
    let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
    let mut expected = vec![(0, 0)];
    expected.extend((1..=9).map(|n| (u64::from(n), reference.value(&Position::row(&[n])).into())));
    assert_eq!(terms, expected);
    assert!(comments[0].contains("g(n) of a pile of n coins"));
    let object: Value = serde_json::from_str(
        &lines(&["sequence", "end-nim", "--row", "1", "--to", "3", "--json"])[0],
    )
    .expect("JSON");
    assert_eq!((&object["offset"], &object["terms"][0]), (&1.into(), &0.into()));
}

/// From the tables alone: G(a,b) = a xor b, Proposition 4.1, the three-pile P-positions, the cases
/// and parities of Theorem 5.1, and who wins partizan End-Nim with three piles.
#[test]
fn theorems_are_rediscovered() {
    let guessed = |game: &str, length: &str, max_pile: &str| {
        lines(&["guess", game, "--length", length, "--max-pile", max_pile])
    };
    let has = |lines: &[String], law: &str| {
        assert!(lines.iter().any(|line| line == law), "{law}: {lines:#?}");
    };
    let two = guessed("end-nim", "2", "200");
    has(&two, "g == xor(piles)");
    has(&guessed("loop-end-nim", "2", "200"), "g == ((first - 1) ^ (last - 1)) + 1");
    let three = guessed("end-nim", "3", "48");
    has(&three, "g == 0 <-> first == last and p2 != last");
    has(&three, "g == g(reverse)");
    let ones = three.iter().find(|line| line.contains("g == 1 <->")).expect("where the ones are");
    assert!(ones.contains("first % 2 == 0") && ones.contains("first % 2 == 1"), "{ones}");
    has(&guessed("loop-end-nim", "3", "48"), "g == 0 <-> first == last");
    let partizan = guessed("partizan-end-nim", "3", "48");
    has(&partizan, "outcome == P <-> first == last and p2 <= last and p2 != last");
    assert!(three.last().expect("a line").contains("110,592 positions"), "{three:?}");
}

/// What is guessed is what `check` says of it.
#[test]
fn guesses_hold() {
    let text = lines(&["guess", "misere-end-nim", "--length", "3", "--max-pile", "24", "--json"]);
    assert!(text.len() > 5);
    for line in text {
        let law: Value = serde_json::from_str(&line).expect("JSON");
        let statement = law["statement"].as_str().expect("a statement");
        let check = ["check", "misere-end-nim", statement, "--length", "3", "--max-pile", "24"];
        assert_eq!(run(&check).status.code(), Some(0), "{statement}");
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for args in [
        &["sequence", "end-nim", "g =="][..],
        &["sequence", "end-nim", "P", "--row", "3"],
        &["sequence", "partizan-end-nim"],
        &["sequence", "end-nim", "--cumulative"],
        &["guess", "end-nim", "--length", "0"],
        &["guess", "end-nim", "--length", "2", "--max-pile", "0"],
        &["guess", "end-nim", "--length", "60", "--max-pile", "5"],
    ] {
        let output = run(args);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(output.stdout.is_empty() && text.lines().count() <= 8, "{args:?}: {text}");
    }
}

/// Of a misère form all commands speak of the same positions, and a checkpoint is gone on from.
#[test]
fn misere_forms_are_one_game_everywhere() {
    for (game, length) in [("short-global-nim", "1"), ("short-global-nim", "2"), ("end-nim", "2")] {
        let size = ["--length", length, "--max-pile", "6", "--convention", "misere"];
        let found = lines(&[&["find", game, "P"], &size[..]].concat()).len();
        let count = lines(&[&["find", game, "P", "--count"], &size[..]].concat());
        assert_eq!(count, [found.to_string()], "{game} {length}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("checkpoint");
    let file = file.to_str().expect("a plain path");
    let check = ["check", "end-nim", "g >= 0", "--length", "2", "--max-pile", "8"];
    let check = [&check[..], &["--convention", "misere", "--checkpoint", file]].concat();
    assert_eq!(lines(&check)[0], lines(&check)[0]);
    // A statement that would be written out for hours is refused.
    let long = "count(a in 1..4096: count(b in 1..4096: a * b == 0) > 0) == 0";
    let output = run(&["check", "end-nim", long, "--to", "2", "--seconds", "1"]);
    assert_eq!(output.status.code(), Some(2));
    // One may begin with a minus.
    assert_eq!(lines(&["check", "end-nim", "-1 < g", "--to", "3"])[0], "holds at 3 positions");
}
