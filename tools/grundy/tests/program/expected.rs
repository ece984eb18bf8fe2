//! Builds tables and compares their digests with db/expected. Every value in the tables with
//! these digests was also derived from the rules.

use std::path::Path;

use grundy_testing::program::Folder;
use serde_json::Value;

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
        ("12", "4", "nim,misere-nim,end-nim,misere-end-nim,loop-end-nim,end-wythoff --outcomes"),
    ];
    for (max_pile, length, games) in sizes {
        let size = format!("--max-pile {max_pile} --length {length} --games {games}");
        let folder = Folder::after(&format!("build {size}"));
        for table in folder.json("status") {
            let (id, game) = (table["table"].as_str(), table["game"].as_str());
            let id = id.expect("an id");
            assert!(id.starts_with(game.expect("a game")), "{id}");
            assert_eq!(expected[id], table["blake3"], "{id}");
        }
    }
}
