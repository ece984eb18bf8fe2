//! The papers' claims as docs/LANGUAGE.md writes them, beside the built-in ones; claims of one's
//! own; and what is wrong with statements.

use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
use serde_json::Value;

fn grundy(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("grundy"));
    command.current_dir(folder).args(args);
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
        panic!("no line of JSON: {}{}", text(&output.stdout), text(&output.stderr))
    })
}

/// The rows of the last table of the page.
fn rows() -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/LANGUAGE.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (_, table) = page.split_once("| claim | game |").expect("the table");
    let rows = table.lines().skip(2).filter(|line| line.starts_with('|'));
    let cell = |cell: &str| cell.trim().trim_matches('`').to_owned();
    rows.map(|row| row.trim_matches('|').splitn(5, " | ").map(cell).collect()).collect()
}

#[test]
fn claims_of_papers_have_the_same_verdicts_and_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = rows();
    assert!(rows.len() >= 10);
    for row in rows {
        let [claim, game, lengths, piles, statement] = &row[..] else { panic!("{row:?}") };
        let longest = lengths.split("..").last().expect("a length");
        let sizes = ["--length", longest, "--max-pile", piles];
        let diff = grundy(
            folder.path(),
            &[&["diff", claim, "--games", game, "--json"], &sizes[..]].concat(),
        );
        let sizes = ["--length", lengths, "--max-pile", piles];
        let check =
            grundy(folder.path(), &[&["check", game, statement, "--json"], &sizes[..]].concat());
        let (diff, check) = (json(&diff), json(&check));
        for field in ["verdict", "checked", "failures", "complete", "source"] {
            assert_eq!(diff[field], check[field], "{claim} in {game}, {field}: {diff} {check}");
        }
        if diff["premise"].is_u64() {
            assert_eq!(diff["premise"], check["premise"], "{claim}");
        }
    }
}

#[test]
fn claims_of_ones_own_are_checked_and_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let claims = folder.path().join("claims");
    std::fs::create_dir(&claims).expect("a folder");
    let file = "name: own.ends\ngame: end-nim\nstatement: g == 1 -> abs(first - last) <= 1\n\
                source: a talk\nstatus: conjecture\nexpected: fails\nlength: 3\nmax-pile: 64\n";
    std::fs::write(claims.join("a.claim"), file).expect("written");
    let diff = grundy(folder.path(), &["diff", "own.ends"]);
    assert_eq!(diff.status.code(), Some(0), "{}", text(&diff.stderr));
    // Counted by another program: see the head of docs/LANGUAGE.md.
    assert!(text(&diff.stdout).contains("own.ends    fails  as known  262,144        62"));
    let with_papers = grundy(folder.path(), &["diff", "own.", "ch.thm5.4", "--json"]);
    let lines = text(&with_papers.stdout);
    assert_eq!(lines.lines().count(), 2, "{lines}");
    std::fs::write(folder.path().join("runs"), &lines).expect("written");
    let findings = text(&grundy(folder.path(), &["findings", "runs"]).stdout);
    assert!(findings.contains("## Claims of one's own"), "{findings}");
    assert!(findings.contains("**fails** (a talk; conjecture)."), "{findings}");
    assert!(text(&grundy(folder.path(), &["claims"]).stdout).contains("own.ends"));
    // Another verdict than expected is a mismatch; a name of a paper, and nonsense, are refused.
    std::fs::write(claims.join("a.claim"), file.replace("fails", "holds")).expect("written");
    assert_eq!(grundy(folder.path(), &["diff", "own.ends"]).status.code(), Some(1));
    for bad in [file.replace("own.ends", "ch.thm5.4"), file.replace("first", "frist")] {
        std::fs::write(claims.join("a.claim"), bad).expect("written");
        let diff = grundy(folder.path(), &["diff", "own.ends"]);
        assert_eq!(diff.status.code(), Some(2));
        assert!(text(&diff.stderr).contains("a.claim"), "{}", text(&diff.stderr));
    }
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let long = "1 + ".repeat(25_000) + "1 == g";
    let deep = "(".repeat(9_000) + "g";
    for (statement, said) in [
        ("frist == 1", "did you mean `first`?"),
        ("g + P == 1", "`+` takes numbers"),
        ("(g == 1", "`)` is missing"),
        ("g = 1", "`==`"),
        ("", "the statement is empty"),
        ("first // (last - 1) > 0", "division by zero at the position"),
        ("1 << (200 * first) > 0", "a shift by less than 0 or more than 127 places"),
        ("2 ** (100 * first) > 0", "a number beyond 127 bits"),
        ("g(10 ** 8, 10 ** 8, 10 ** 8) == 0", "at the position"),
        (&long, "a statement has at most"),
        (&deep, "nested too deeply"),
        ("all(i in 1..10 ** 6: i > 0)", "a range may have up to"),
        ("last_move == 0", "does not remember the last move"),
    ] {
        let check = grundy(folder.path(), &["check", "end-nim", statement, "--length", "2"]);
        let error = text(&check.stderr);
        assert_eq!(check.status.code(), Some(2), "{error}");
        assert!(error.contains(said), "{said}: {error}");
        assert!(error.len() < 1000 && !error.contains("panicked"), "{error}");
    }
    // Too long for a command line: a megabyte, in a file.
    std::fs::create_dir(folder.path().join("claims")).expect("a folder");
    let claim = format!(
        "name: own.a\ngame: end-nim\nexpected: holds\nstatement: {}g == 1\n",
        "1 + ".repeat(250_000)
    );
    std::fs::write(folder.path().join("claims/a.claim"), claim).expect("written");
    let diff = grundy(folder.path(), &["diff", "own.a"]);
    let error = text(&diff.stderr);
    assert_eq!(diff.status.code(), Some(2));
    assert!(error.contains("a statement has at most") && error.len() < 1000, "{error}");
    let check = ["check", "end-nim", "true", "--length", "6", "--max-pile", "64", "--seconds", "1"];
    let error = text(&grundy(folder.path(), &check).stderr);
    assert!(error.contains("--seconds"), "{error}");
}
