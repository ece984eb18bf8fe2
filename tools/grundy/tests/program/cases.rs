//! Runs the commands in the README, in five documents and in the files of `tests/cases`. Each
//! command must print the documented output. `TRYCMD=overwrite` updates `tests/cases`.

use std::path::{Path, PathBuf};
use std::{env, fs};

use assert_cmd::cargo::cargo_bin;
use grundy::Game;
use grundy_testing::oracle::Oracle;
use grundy_testing::program::{Folder, python};

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");

/// Copies a document, and creates the folder for its commands with the rule files that it shows.
/// The commands run in order in this folder, so later commands read the files of earlier commands.
fn copy(document: &Path, to: &Path) -> PathBuf {
    let copy = to.join(document.file_name().expect("a name"));
    let folder = copy.with_extension("in");
    let text = fs::read_to_string(document).expect("the document");
    fs::write(&copy, &text).expect("a copy");
    fs::create_dir(&folder).expect("a folder");
    for rest in text.split("```game\n").skip(1) {
        let rules = rest.split("```").next().expect("rules");
        let name = rules.lines().find_map(|line| line.strip_prefix("name: ")).expect("a name");
        fs::write(folder.join(name).with_extension("game"), rules).expect("a rule file");
    }
    copy
}

/// Runs the commands `grundy` and `sh` in documents. trycmd skips all other commands.
fn run(documents: &[PathBuf]) {
    let program = cargo_bin("grundy");
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders =
        program.parent().map(Path::to_owned).into_iter().chain(env::split_paths(&folders));
    let cases = trycmd::TestCases::new();
    cases
        .default_bin_name("grundy")
        .register_bin("sh", Path::new("/bin/sh"))
        .env("PATH", env::join_paths(folders).expect("folders").to_string_lossy())
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .env("GRUNDY_DB", "")
        .timeout(std::time::Duration::from_secs(1200));
    for document in documents {
        cases.case(document);
    }
    cases.run();
}

/// The documents with commands. The last two build or need tables of their own.
const DOCUMENTS: [&str; 6] = [
    "README.md",
    "docs/LANGUAGE.md",
    "docs/RULES.md",
    "docs/PROVING.md",
    "docs/COMMANDS.md",
    "docs/SHIPPING.md",
];

/// Copies documents. Each block `sh` becomes a script, which is one of the commands to run.
fn copies(documents: &[&str], to: &Path) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let copies: Vec<PathBuf> =
        documents.iter().map(|document| copy(&root.join(document), to)).collect();
    for copy in &copies {
        let mut text = fs::read_to_string(copy).expect("the copy");
        for number in 1.. {
            let Some((before, rest)) = text.split_once("```sh\n") else { break };
            let (block, after) = rest.split_once("```\n").expect("the end of a block");
            let script: String = block
                .lines()
                .filter_map(as_run)
                .fold("set -e\n".to_owned(), |script, line| script + &line + "\n");
            let name = format!("block-{number}.sh");
            fs::write(copy.with_extension("in").join(&name), script).expect("a script");
            text = format!("{before}```console\n$ sh {name}\n...\n\n```\n{after}");
        }
        // trycmd writes the separators of paths in outputs as slashes before it compares them.
        let line = |line: &str| match line.starts_with("$\\") {
            true => line.replace('\\', "/"),
            false => line.to_owned(),
        };
        let text: Vec<String> = text.split('\n').map(line).collect();
        fs::write(copy, text.join("\n")).expect("a copy");
    }
    copies
}

/// Returns a line of a script as the tests run it. `None` for a line that compiles, asks the
/// network, waits, or makes a key, and for a line that needs a package of Python that is missing.
fn as_run(line: &str) -> Option<String> {
    let others = ["make ", "pip ", "minisign ", "grundy explore "];
    if others.iter().any(|other| line.starts_with(other)) || line.contains("https://") {
        return None;
    }
    let Some(rest) = line.strip_prefix("python3 ") else { return Some(line.to_owned()) };
    // The `python3` of the system may lack the package. The script runs in another folder.
    let mut python = PathBuf::from(python("zstandard")?);
    if python.components().count() > 1 {
        python = std::path::absolute(python).expect("a path");
    }
    let python = shlex::try_quote(python.to_str().expect("text")).expect("no NUL");
    Some(format!("{python} {rest}"))
}

/// Links the files of a folder into another folder. The program never writes into a file that it
/// has published.
fn link(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry").path();
        let at = to.join(entry.file_name().expect("a name"));
        if entry.is_dir() {
            link(&entry, &at);
        } else {
            fs::hard_link(&entry, &at).expect("a link");
        }
    }
}

#[test]
fn documents_show_the_actual_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run(&copies(&DOCUMENTS[..4], folder.path()));
}

/// The commands print the same if `make build-db` has built its tables before.
#[test]
fn documents_show_the_same_output_with_tables() {
    let tables = Folder::new();
    tables.text("build --max-pile 64");
    tables.text("pack end-nim/n64 --length 3 -o grundy-tables-n64.tar");
    let folder = tempfile::tempdir_in(tables.path()).expect("a temporary folder");
    let documents = copies(&DOCUMENTS, folder.path());
    for document in &documents {
        link(&tables.at("db"), &document.with_extension("in").join("db"));
    }
    // `make release` makes a larger pack of this name.
    let pack = "grundy-tables-n64.tar";
    fs::copy(tables.at(pack), folder.path().join("SHIPPING.in").join(pack)).expect("a copy");
    run(&documents);
}

/// Each promise of the README names a test, and the file that has the test.
#[test]
fn the_readme_promises_what_tests_hold() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let (_, promises) = readme.split_once("## What the program guarantees").expect("a section");
    let promises = promises.split("\n## ").next().expect("its text");
    let tests: Vec<(&str, &str)> = promises
        .split("[`")
        .skip(1)
        .map(|link| link.split(')').next().and_then(|link| link.split_once("`](")).expect("a link"))
        .collect();
    assert_eq!(tests.len(), 10);
    for (test, file) in tests {
        let text = fs::read_to_string(root.join(file)).expect(file);
        assert!(text.contains(&format!("\nfn {test}() {{")), "{file} has no test {test}");
    }
}

/// The README has a table of the built-in games, in the order of the registry (games.rs).
#[test]
fn the_readme_lists_every_game() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(readme).expect("the README");
    let rows = readme.lines().map(|line| line.split(" | ").collect::<Vec<_>>());
    let listed: Vec<String> = rows
        .filter(|row| row.len() == 3 && row[0].starts_with("| `"))
        .map(|row| row[0].trim_matches(['|', ' ', '`']).to_owned())
        .collect();
    let games: Vec<&str> = Game::all().map(Game::id).collect();
    assert_eq!(listed, games, "the table of games in the README");
}

/// Compares expected values with those of the rules, if the rules are fast enough. Without this
/// check a case could repeat a wrong output of the program.
#[test]
fn values_in_the_cases_are_those_of_the_rules() {
    let mut compared = 0;
    for case in fs::read_dir(CASES).expect("the cases") {
        let text = fs::read_to_string(case.expect("a case").path()).expect("text");
        for query in text.split("$ grundy query ").skip(1) {
            let (line, printed) = query.split_once('\n').expect("a line");
            let words = shlex::split(line).expect("words");
            let (Some(game), false) = (
                words.first().and_then(|id| Game::all().find(|game| game.id() == id)),
                line.contains(" +") || line.contains(" -") || printed.starts_with('?'),
            ) else {
                continue;
            };
            let mut oracle = Oracle::new(game);
            for (word, printed) in words[1..].iter().zip(printed.lines()) {
                let position = game.parse(word).expect("a position");
                if position.piles().iter().sum::<u32>() < 40 {
                    assert_eq!(printed, oracle.text(&position), "{game} {position}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 20, "{compared}");
}

/// Some cases need a full device or a limit on files, which only Linux has.
#[cfg(target_os = "linux")]
#[test]
fn commands_print_the_documented_output() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut copies = Vec::new();
    for case in fs::read_dir(CASES).expect("the cases") {
        let case = case.expect("a case").path();
        let text = fs::read_to_string(&case).expect("text");
        let strange = |line: &&str| {
            line.starts_with("$ ") && !line.starts_with("$ grundy ") && !line.starts_with("$ sh ")
        };
        assert_eq!(text.lines().find(strange), None, "in {}", case.display());
        copies.push(copy(&case, folder.path()));
    }
    run(&copies);
    if env::var("TRYCMD").is_ok_and(|mode| mode == "overwrite") {
        for copy in copies {
            let case = Path::new(CASES).join(copy.file_name().expect("a name"));
            fs::copy(copy, case).expect("overwritten");
        }
    }
}
