//! The reader in Python, written from docs/FORMAT.md alone, reads what the program builds.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use grundy_rules::{Game, lex_word};

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

#[test]
fn python_reads_every_kind_of_table() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let grundy = |args: &[&str]| {
        let mut command = Command::new(cargo_bin("grundy"));
        command.arg("--db").arg(folder.path()).args(args);
        text(command.output().expect("the program starts"))
    };
    for (n, length) in [(300u64, 1), (130, 2), (4, 4)] {
        let (max_pile, longest) = (n.to_string(), length.to_string());
        grundy(&["build", "--max-pile", &max_pile, "--length", &longest, "--heap", &max_pile]);
        for game in Game::ALL {
            let positions: Vec<String> = (0..n.pow(length as u32))
                .step_by(37)
                .map(|index| {
                    let mut piles = vec![0; length];
                    lex_word(index, n, &mut piles);
                    piles.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
                })
                .collect();
            let table = format!("{game}/n{n}/k{length}");
            let shard = format!("{table}/{}-00000.zst", table.replace('/', "-"));
            let mut command = Command::new(&python);
            command.arg(workspace().join("docs/read_shard.py")).arg(folder.path().join(shard));
            let read = text(command.args(&positions).output().expect("python starts"));
            let mut query = vec!["query", game.id(), "--json"];
            query.extend(positions.iter().map(String::as_str));
            for (line, answer) in read.lines().zip(grundy(&query).lines()) {
                let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
                let stored = match game {
                    Game::PartizanEndNim => &answer["left_threshold"],
                    _ => &answer["grundy"],
                };
                let (_, value) = line.split_once(' ').expect("a value");
                assert_eq!(value, stored.to_string(), "{game} {line}");
                assert_eq!(answer["source"], "table");
            }
            assert_eq!(read.lines().count(), positions.len());
        }
    }
}
