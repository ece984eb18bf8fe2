//! Tables built now have the digests that db/expected has, which are those of tables
//! derived again in full from the rules.

use std::path::Path;
use std::process::Command;

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

/// All games, or those named.
fn digests(max_pile: &str, length: &str, games: &str) -> Vec<(String, Value)> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |args: &[&str]| {
        let mut command = Command::new(cargo_bin("grundy"));
        let output = command.arg("--db").arg(folder.path()).args(args).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    run(&["build", "--max-pile", max_pile, "--length", length, "--games", games]);
    let status = run(&["status", "--json"]);
    let tables = status.lines().map(|line| {
        let table: Value = serde_json::from_str(line).expect("JSON");
        let game = table["game"].as_str().expect("a game");
        let id = table["table"].as_str().unwrap_or_default().to_owned();
        assert!(id.starts_with(game), "{id}");
        (id, table["blake3"].clone())
    });
    tables.collect()
}

#[test]
fn known_tables_have_the_expected_digests() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../db/expected/digests.json");
    let text = std::fs::read_to_string(path).expect("the expected digests");
    let expected: Value = serde_json::from_str(&text).expect("JSON");
    const SHORT: &str = "nim,misere-nim,end-nim,misere-end-nim,loop-end-nim,partizan-end-nim";
    let sizes = [
        ("16", "6", SHORT),
        ("64", "5", SHORT),
        ("130", "3", SHORT),
        ("64", "3", "short-global-nim"),
        ("260", "2", "short-global-nim"),
        ("22", "1", "long-global-nim"),
        ("11", "3", "long-global-nim"),
        ("64", "3", "end-wythoff"),
        ("12", "5", "end-wythoff"),
    ];
    for (max_pile, length, games) in sizes {
        for (table, digest) in digests(max_pile, length, games) {
            assert_eq!(expected[&table], digest, "{table}");
        }
    }
}
