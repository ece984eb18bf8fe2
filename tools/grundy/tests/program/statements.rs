//! Compares statements, sequences and guesses with the reference, the papers' claims and each
//! other. `cases/laws.md` has their output, and `cases/refusals.md` the messages for invalid ones.

use std::path::Path;

use grundy::reference::Reference;
use grundy::{Game, Pile, Position, games};
use grundy_testing::program::Folder;

/// Returns the rows of the last table of the page.
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

/// Returns the terms of a b-file as pairs of n and the term.
fn terms(line: &str) -> Vec<(u64, u64)> {
    let text = Folder::new().text(line);
    let term = |line: &str| {
        let (n, term) = line.split_once(' ').expect("n and a(n)");
        (n.parse().expect("a number"), term.parse().expect("a number"))
    };
    text.lines().filter(|line| !line.starts_with('#')).map(term).collect()
}

/// Counts the positions of two piles of each size that have a value, by the reference.
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
    let sequence = "sequence misere-end-nim 'g == 2' --length 2 --to 20";
    let by_max = counted(games::MISERE_END_NIM, 2, 20, Pile::max);
    assert_eq!(terms(sequence), (1..=20).map(|n| (n, by_max[n as usize])).collect::<Vec<_>>());
    let total = counted(games::MISERE_END_NIM, 2, 20, |a, b| a + b);
    let expected: Vec<(u64, u64)> = (2..=20).map(|n| (n, total[n as usize])).collect();
    assert_eq!(terms(&format!("{sequence} --by total")), expected);
    let sums: Vec<(u64, u64)> = (1..=20).map(|n| (n, by_max[..=n as usize].iter().sum())).collect();
    assert_eq!(terms(&format!("{sequence} --cumulative")), sums);
    let mut reference = Reference::new(games::SHORT_GLOBAL_NIM);
    let mut expected = vec![(0, 0)];
    expected.extend((1..=9).map(|n| (u64::from(n), reference.value(&Position::row(&[n])).into())));
    assert_eq!(terms("sequence short-global-nim --to 9"), expected);
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
