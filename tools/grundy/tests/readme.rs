//! Every command of the README and of the documents gives the output printed there.

use std::fs;
use std::path::Path;

/// Commands run in a folder of their own, in order, so that what one builds the next
/// one finds.
#[test]
fn the_readme_says_what_happens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let readme = folder.path().join("README.md");
    fs::copy(root.join("README.md"), &readme).expect("the README");
    let language = folder.path().join("LANGUAGE.md");
    fs::copy(root.join("docs/LANGUAGE.md"), &language).expect("the language");
    std::env::set_current_dir(folder.path()).expect("the temporary folder");
    trycmd::TestCases::new()
        .default_bin_name("grundy")
        .case(&readme)
        .case(&language)
        .timeout(std::time::Duration::from_secs(1200));
}

/// In the order of the registry, each with who published it.
#[test]
fn the_readme_lists_every_game() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    let rows = readme.lines().map(|line| line.split(" | ").collect::<Vec<_>>());
    let listed: Vec<String> = rows
        .filter(|row| row.len() == 3 && row[0].starts_with("| `"))
        .map(|row| row[0].trim_matches(['|', ' ', '`']).to_owned())
        .collect();
    let games: Vec<&str> = grundy::Game::all().map(grundy::Game::id).collect();
    assert_eq!(listed, games, "the table of games in the README");
}
