//! Runs the commands of docs/SEQUENCES.md, and compares what they print with the terms of the OEIS.

use std::collections::HashMap;
use std::path::Path;

use grundy_testing::program::Folder;

/// Returns the spans of code in a cell of the table.
fn spans(cell: &str) -> Vec<&str> {
    cell.split('`').skip(1).step_by(2).collect()
}

#[test]
fn sequences_of_the_oeis_have_the_published_terms() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let document = std::fs::read_to_string(root.join("docs/SEQUENCES.md")).expect("a text");
    let folder = Folder::new();
    let mut count = 0;
    for line in document.lines().filter(|line| line.starts_with("| [A")) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [number, game, command, places, terms] = cells[..] else { panic!("{line}") };
        let command = spans(command)[0].strip_prefix("grundy ").expect("a command");
        if command.contains("own.game") {
            folder
                .write("own.game", format!("name: own\ntitle: own\n{}\n", spans(game).join("\n")));
        } else {
            assert_eq!(command.split(' ').nth(1), Some(spans(game)[0]), "{number}");
        }
        let printed = folder.text(command);
        let pairs = printed.lines().filter(|line| !line.starts_with('#'));
        let pairs = pairs.map(|line| line.split_once(' ').expect("n and a(n)"));
        let printed: HashMap<usize, &str> =
            pairs.map(|(n, term)| (n.parse().expect("n"), term)).collect();
        let mut places = places.split(", ").map_while(|n| n.parse().ok());
        let (first, second): (usize, usize) =
            (places.next().expect("n"), places.next().expect("n"));
        let terms: Vec<&str> = terms.split(", ").collect();
        let found: Vec<Option<&str>> = (first..)
            .step_by(second - first)
            .zip(&terms)
            .map(|(n, _)| printed.get(&n).copied())
            .collect();
        assert_eq!(found, terms.into_iter().map(Some).collect::<Vec<_>>(), "{number}: {command}");
        count += 1;
    }
    assert_eq!(count, 57);
}
