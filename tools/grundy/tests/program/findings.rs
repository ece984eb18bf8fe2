//! The committed findings agree with checks on small ranges. These checks take about a second.

use std::collections::HashSet;
use std::path::Path;

use grundy_testing::program::Folder;

/// Removes the column of ranges from a row of the table of claims; returns other lines unchanged.
fn without_range(line: &str) -> String {
    match line.split(" | ").collect::<Vec<_>>()[..] {
        [claim, source, verdict, _, ref first @ ..] => {
            [&[claim, source, verdict], first].concat().join(" | ")
        }
        _ => line.to_owned(),
    }
}

/// The number of cases that were checked for a claim and a game.
#[derive(Debug)]
struct Run {
    claim: String,
    game: String,
    checked: u64,
}

/// Reads the runs of a page, which are lines such as `- nim, end-nim: piles <= 9, length 2: 1,620
/// positions checked` below the heading of a claim. Divides the count equally among the games.
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
    let folder = Folder::new();
    folder.write("runs.jsonl", folder.text("diff --json"));
    let made = folder.text("findings runs.jsonl");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/FINDINGS.md");
    let committed = std::fs::read_to_string(path).expect("the findings");
    // The committed page has larger runs, and omits runs that larger runs contain. So for each run
    // of this test the page must have a run with at least as many cases. The committed page must
    // also have all other lines of this test's page, except for the column of ranges.
    let known: HashSet<String> = committed.lines().map(without_range).collect();
    let known_runs = runs_of(&committed);
    for line in made.lines().filter(|line| !line.starts_with("- ")) {
        assert!(
            known.contains(&without_range(line)),
            "docs/FINDINGS.md lacks a line that `make diff` writes: {line}"
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
            "docs/FINDINGS.md has fewer than {checked} checked cases of {claim} in {game}"
        );
    }
    assert!(!committed.contains("not checked"));
}
