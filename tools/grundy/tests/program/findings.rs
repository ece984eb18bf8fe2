//! The committed findings are what the checks find, on ranges of a second.

use std::collections::HashSet;
use std::path::Path;
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process};

fn grundy(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(cargo_bin("grundy"));
    command.arg("--db").arg(folder.join("db")).args(args);
    command.output().expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A row of the table of claims without the column that says how far; any other line as it is.
fn without_range(line: &str) -> String {
    match line.split(" | ").collect::<Vec<_>>()[..] {
        [claim, source, verdict, _, ref first @ ..] => {
            [&[claim, source, verdict], first].concat().join(" | ")
        }
        _ => line.to_owned(),
    }
}

/// Of a claim and a game, how many cases were checked.
#[derive(Debug)]
struct Run {
    claim: String,
    game: String,
    checked: u64,
}

/// The runs of a page: lines like `- nim, end-nim: piles <= 9, length 2: 1,620 positions checked`, below the
/// heading of their claim. What is checked in several games together is shared out alike.
fn runs_of(page: &str) -> Vec<Run> {
    let (mut claim, mut runs) = (String::new(), Vec::new());
    for line in page.lines() {
        if let Some(heading) = line.strip_prefix("### `") {
            claim = heading.split('`').next().unwrap_or_default().to_owned();
        }
        let Some((games, rest)) = line.strip_prefix("- ").and_then(|run| run.split_once(": "))
        else {
            continue;
        };
        let Some((before, _)) = rest.split_once(" checked") else { continue };
        let count = before.rsplit(": ").next().unwrap_or_default();
        let count = count.split(' ').next().unwrap_or_default().replace(',', "");
        let checked = count.parse::<u64>().unwrap_or_else(|_| panic!("no count: {line}"));
        let games: Vec<&str> = games.split(", ").collect();
        for game in &games {
            let checked = checked / games.len() as u64;
            runs.push(Run { claim: claim.clone(), game: (*game).to_owned(), checked });
        }
    }
    runs
}

#[test]
fn the_findings_are_what_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let diff = grundy(folder.path(), &["diff", "--json"]);
    assert_eq!(diff.status.code(), Some(0), "{}", text(&diff.stderr));
    let runs = folder.path().join("runs.jsonl");
    std::fs::write(&runs, &diff.stdout).expect("written");
    let made = grundy(folder.path(), &["findings", runs.to_str().expect("a path")]);
    assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/FINDINGS.md");
    let committed = std::fs::read_to_string(path).expect("the findings");
    // The committed page has more runs. One that lies in another is left out, so of a run of a second
    // there is that line, or one of as many cases at least; else there is every line of this page, but
    // for the ranges in the table.
    let made = text(&made.stdout);
    let known: HashSet<String> = committed.lines().map(without_range).collect();
    let known_runs = runs_of(&committed);
    for line in made.lines().filter(|line| !line.starts_with("- ")) {
        assert!(
            known.contains(&without_range(line)),
            "`make diff` would write, and docs/FINDINGS.md lacks: {line}"
        );
    }
    let found = runs_of(&made);
    for claim in made.lines().filter_map(|line| line.strip_prefix("### `")) {
        let claim = claim.split('`').next().unwrap_or_default();
        assert!(found.iter().any(|run| run.claim == claim), "no run of {claim} was read");
    }
    for Run { claim, game, checked } in &found {
        assert!(
            known_runs
                .iter()
                .any(|run| run.claim == *claim && run.game == *game && run.checked >= *checked),
            "of {claim} in {game} `make diff` would check {checked}, and docs/FINDINGS.md has less"
        );
    }
    assert!(!committed.contains("not checked"));
}

#[test]
fn a_diff_tells_what_it_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |args: &[&str]| grundy(folder.path(), args);
    let out = run(&["diff", "ch.thm5.4", "an.period-pow2", "--json"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let lines: Vec<serde_json::Value> =
        text(&out.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&lines[0]["claim"], &lines[0]["verdict"]), (&"ch.thm5.4".into(), &"holds".into()));
    assert_eq!((&lines[0]["unit"], &lines[0]["source"]), (&"positions".into(), &"computed".into()));
    for field in ["expected", "checked", "premise", "failures", "undecided", "first", "range"] {
        assert!(lines[1].get(field).is_some(), "{field}");
    }
    for field in ["seconds", "complete", "status"] {
        assert!(lines[1].get(field).is_some(), "{field}");
    }
    // Known to fail, and fails: no surprise. On a range too small to fail: a surprise.
    assert_eq!(lines[1]["first"]["position"], "5,4");
    let out = run(&["diff", "an.period-pow2", "--max-pile", "3"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(text(&out.stdout).contains("UNEXPECTED"));

    let refused = |args: &[&str], part: &str| {
        let out = run(args);
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(text(&out.stderr).contains(part), "{args:?}: {}", text(&out.stderr));
    };
    refused(&["diff", "ch.thm51"], "did you mean 'ch.thm5.1'?");
    refused(&["diff", "ch.thm5.1", "--games", "loop-end-nim"], "does not speak about loop-end-nim");
    refused(&["diff", "ch.thm2.1", "--max-pile", "64", "--length", "8"], "s, and 600 are allowed");
    refused(&["diff", "ch.thm2.1", "--max-pile", "64", "--memory", "1000"], "memory");
    refused(&["periods", "end-nim", "--left", "0"], "--left");
    refused(&["findings", "Cargo.lock"], "Cargo.lock");
}

#[test]
fn a_diff_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("checkpoint.json");
    let file = file.to_str().expect("a path");
    let args = ["diff", "ch.thm2.1", "--max-pile", "20", "--length", "5", "--checkpoint", file];
    let first = grundy(folder.path(), &args);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    // Everything is covered: the same verdict, in the seconds of the first run.
    assert_eq!(text(&grundy(folder.path(), &args).stdout), text(&first.stdout));
    let other = grundy(folder.path(), &["diff", "ch.thm2.2", "--checkpoint", file]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("of another diff"));
    std::fs::write(file, "no checkpoint").expect("written");
    let broken = grundy(folder.path(), &args);
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken.stderr).contains("it is not a checkpoint"));
}

/// Interrupted without a counterexample, nothing is decided.
#[cfg(unix)]
#[test]
fn an_interrupted_diff_does_not_hold() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("checkpoint.json");
    let start = |json: &[&str]| {
        // Half a minute of work at least.
        Command::new(cargo_bin("grundy"))
            .arg("--db")
            .arg(folder.path().join("db"))
            .args(["diff", "ch.thm2.1", "--max-pile", "64", "--length", "6", "--threads", "1"])
            .args(["--isa", "portable"])
            .arg("--checkpoint")
            .arg(&file)
            .args(json)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("the program starts")
    };
    let interrupted = |json: &[&str]| {
        let written = || std::fs::metadata(&file).and_then(|found| found.modified()).ok();
        let before = written();
        let mut child = start(json);
        // The first lengths are covered at once. Until it has written, it may not hear a signal.
        while written() == before && child.try_wait().expect("a status").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        kill_process(Pid::from_child(&child), Signal::INT).expect("the process is there");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(130));
        text(&output.stdout)
    };
    let table = interrupted(&[]);
    assert!(table.contains("stopped: no failure in ") && !table.contains("holds"), "{table}");
    let line = interrupted(&["--json"]);
    let verdict: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!((&verdict["verdict"], &verdict["complete"]), (&"stopped".into(), &false.into()));
    assert_eq!((&verdict["failures"], &verdict["expected"]), (&0.into(), &"holds".into()));
}

#[test]
fn claims_are_listed_and_periods_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = grundy(folder.path(), &["claims", "ch."]);
    assert!(text(&out.stdout).contains("ch.thm5.1  Theorem 5.1 (theorem; expected: holds"));
    let out = grundy(folder.path(), &["claims", "bouton.misere-literal", "gn.cor10"]);
    assert!(text(&out.stdout).contains("section 6 (our reading; expected: fails"));
    assert!(text(&out.stdout).contains("Counted in pairs; premise: *(n,k) != g(n)"));
    let out =
        grundy(folder.path(), &["periods", "end-nim", "--left", "5", "--middle", "4", "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&out.stdout).expect("JSON");
    assert_eq!((&found["preperiod"], &found["period"]), (&7.into(), &12.into()));
    assert_eq!((&found["saltus"], &found["proved"]), (&12.into(), &true.into()));
}
