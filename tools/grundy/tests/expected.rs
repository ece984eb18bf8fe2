//! Tables built now have the digests that db/expected has, which are those of tables
//! derived again in full from the rules.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

fn digests(max_pile: &str, length: &str) -> Vec<(String, Value)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |args: &[&str]| {
        let mut command = Command::new(cargo_bin("grundy"));
        let output = command.arg("--db").arg(folder.path()).args(args).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    run(&["build", "--max-pile", max_pile, "--length", length]);
    let status = run(&["status", "--json"]);
    let tables = status.lines().map(|line| {
        let table: Value = serde_json::from_str(line).expect("JSON");
        let game = table["game"].as_str().expect("a game");
        let id = format!("{game}/n{}/k{}", table["max_pile"], table["length"]);
        (id, table["blake3"].clone())
    });
    tables.collect()
}

#[test]
fn known_tables_have_the_expected_digests() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../db/expected/digests.json");
    let text = std::fs::read_to_string(path).expect("the expected digests");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    for (max_pile, length) in [("16", "6"), ("64", "5"), ("130", "3")] {
        for (table, digest) in digests(max_pile, length) {
            assert_eq!(expected[&table], digest, "{table}");
        }
    }
}
