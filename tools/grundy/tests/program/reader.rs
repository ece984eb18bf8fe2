//! The reader in Python, written from docs/FORMAT.md alone, reads what the program builds.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use grundy::{Game, games, lex_word};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A Python with the package `zstandard`, if there is one; on CI there must be.
fn python() -> Option<OsString> {
    let own = workspace().join(".venv/bin/python3");
    let python = env::var_os("GRUNDY_PYTHON")
        .unwrap_or_else(|| if own.exists() { own.into() } else { "python3".into() });
    let import = Command::new(&python).args(["-c", "import zstandard"]).output();
    if import.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(env::var_os("CI").is_none(), "{python:?} has no package zstandard");
    println!("skipped: {python:?} has no package zstandard");
    None
}

fn text(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text").replace('\r', "")
}

/// Holds what the reader says of positions of a table against what the program answers.
fn agree(python: &OsString, db: &Path, table: &str, positions: &[String]) {
    let (game, _) = table.split_once('/').expect("a table's id");
    let shard = format!("{table}/{}-00000.zst", table.replace('/', "-"));
    let mut command = Command::new(python);
    command.arg(workspace().join("docs/read_shard.py")).arg(db.join(shard));
    let read = text(command.args(positions).output().expect("python starts"));
    let mut query = vec!["query", game, "--json"];
    query.extend(positions.iter().map(String::as_str));
    for (line, answer) in read.lines().zip(grundy(db, &query).lines()) {
        let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
        let stored = match game {
            "partizan-end-nim" => &answer["left_threshold"],
            _ => &answer["grundy"],
        };
        let (_, value) = line.split_once(' ').expect("a value");
        assert_eq!(value, stored.to_string(), "{game} {line}");
        assert_eq!(answer["source"], "table");
    }
    assert_eq!(read.lines().count(), positions.len());
}

fn grundy(db: &Path, args: &[&str]) -> String {
    let mut command = Command::new(cargo_bin("grundy"));
    text(command.arg("--db").arg(db).args(args).output().expect("the program starts"))
}

#[test]
fn python_reads_every_kind_of_table() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let games = games::GAMES.into_iter().filter(|&game| game != games::LONG_GLOBAL_NIM);
    let names: Vec<&str> = games.clone().map(Game::id).collect();
    for (n, length) in [(300u64, 1), (130, 2), (4, 4)] {
        let (max_pile, longest) = (n.to_string(), length.to_string());
        let size = ["--max-pile", &max_pile, "--length", &longest, "--heap", &max_pile];
        let games_built = names.join(",");
        grundy(folder.path(), &[&["build", "--games", &games_built], &size[..]].concat());
        for game in games.clone() {
            let positions: Vec<String> = (0..n.pow(length as u32))
                .step_by(37)
                .map(|index| {
                    let mut piles = vec![0; length];
                    lex_word(index, n, &mut piles);
                    piles.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
                })
                .collect();
            agree(&python, folder.path(), &format!("{game}/n{n}/k{length}"), &positions);
        }
    }
}

#[test]
fn python_reads_every_set_of_moves() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let game = games::LONG_GLOBAL_NIM.id();
    let size = ["build", "--games", game, "--max-pile", "9", "--length", "3"];
    grundy(folder.path(), &size);
    for (length, pile_sets) in [(1, vec!["1", "2", "4", "8", "9"]), (3, vec!["9,4,4", "1,2,8"])] {
        let mut positions = Vec::new();
        for piles in pile_sets {
            let largest: u32 =
                piles.split(',').filter_map(|pile| pile.parse().ok()).max().unwrap_or(0);
            positions.push(piles.to_owned());
            positions.push(format!("{piles}{{1..{largest}}}"));
            for set in (0..1u32 << largest).step_by(3) {
                let moves = (1..=largest).filter(|s| set >> (s - 1) & 1 == 1);
                let moves: Vec<String> = moves.map(|s| s.to_string()).collect();
                positions.push(format!("{piles}{{{}}}", moves.join(",")));
            }
        }
        agree(&python, folder.path(), &format!("{game}/n9/k{length}"), &positions);
    }
}

#[test]
fn python_reads_a_table_of_a_pack() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    // The table of six piles has several shards in its file.
    let size = ["build", "--games", "end-nim", "--max-pile", "24", "--length", "6"];
    grundy(folder.path(), &size);
    let outside = tempfile::tempdir().expect("a temporary folder");
    let pack = outside.path().join("pack");
    grundy(folder.path(), &["pack", "-o", pack.to_str().expect("a name")]);
    for (table, positions) in [
        ("end-nim/n24/k3", ["3,1,4", "24,24,24", "1,1,1"]),
        ("end-nim/n24/k6", ["1,1,1,1,1,1", "24,23,22,21,20,19", "24,24,24,24,24,24"]),
    ] {
        let mut command = Command::new(&python);
        command.arg(workspace().join("docs/read_shard.py")).arg(pack.join("pack.json"));
        let read = text(command.arg(table).args(positions).output().expect("python starts"));
        let answers = grundy(folder.path(), &[&["query", "end-nim"], &positions[..]].concat());
        for ((line, answer), position) in read.lines().zip(answers.lines()).zip(positions) {
            assert_eq!(line, format!("{position} {answer}"));
        }
        assert_eq!(read.lines().count(), positions.len());
    }
}
