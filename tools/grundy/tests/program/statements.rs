//! Compares `check` with the papers' claims, and `guess` with `check`. `cases/laws.md` has the
//! output of these commands, and `cases/refusals.md` the messages for invalid statements.

use std::path::Path;

use grundy_testing::program::Folder;

/// Returns the rows of the table of claims in docs/LANGUAGE.md.
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
    let folder = Folder::new();
    let rows = rows();
    assert!(rows.len() >= 10);
    for row in rows {
        let [claim, game, lengths, piles, statement] = &row[..] else { panic!("{row:?}") };
        let longest = lengths.split("..").last().expect("a length");
        let diff = format!("diff {claim} --games {game} --length {longest} --max-pile {piles}");
        let check = format!("check {game} '{statement}' --length {lengths} --max-pile {piles}");
        let (diff, check) = (&folder.json(&diff)[0], &folder.json(&check)[0]);
        for field in ["verdict", "checked", "failures", "complete", "source"] {
            assert_eq!(diff[field], check[field], "{claim} in {game}, {field}: {diff} {check}");
        }
        if diff["premise"].is_u64() {
            assert_eq!(diff["premise"], check["premise"], "{claim}");
        }
    }
}

/// `check` confirms the laws that `guess` finds.
#[test]
fn guesses_hold() {
    let folder = Folder::new();
    let size = "misere-end-nim --length 3 --max-pile 24";
    let laws = folder.json(&format!("guess {size}"));
    assert!(laws.len() > 5);
    for law in laws {
        let statement = law["statement"].as_str().expect("a statement");
        folder.text(&format!("check {size} '{statement}'"));
    }
}
