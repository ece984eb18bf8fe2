//! Tests that every example of a question in a help text or document has a meaningful answer: a
//! premise is sometimes true, a list is not empty, and the words are positions, not single piles.
//! `args` tests that all other examples parse, and `cases` compares documented output.

use std::path::{Path, PathBuf};

use grundy_testing::program::{Folder, text};
use serde_json::Value;

const ASKS: [&str; 8] =
    ["check", "query", "moves", "find", "guess", "sequence", "periods", "claims"];

/// Returns the words of the examples in a text, without shell operators and explanations.
fn examples(text: &str) -> Vec<Vec<String>> {
    let line = |line: &str| {
        let command = line.trim_start().strip_prefix("grundy ")?.split("  ").next()?;
        let words = shlex::split(command)?.into_iter();
        let is_own = |word: &String| !matches!(word.as_str(), "<" | ">" | "|" | "\\" | "&&");
        let mut words: Vec<String> = words.take_while(is_own).collect();
        if words.first().is_some_and(|first| first == "tasks") {
            words.remove(0);
            if let Some(at) = words.iter().position(|word| word == "--parts") {
                words.drain(at..(at + 2).min(words.len()));
            }
        }
        let asks = words.first().is_some_and(|first| ASKS.contains(&first.as_str()));
        // Skip examples with placeholders, or with files that the test does not have.
        let is_name = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
        let is_elsewhere =
            |word: &String| word == "-" || word.contains("://") || word.len() > 1 && is_name(word);
        let is_left_open = |two: &[String]| two[0].starts_with("--") && is_name(&two[1]);
        let is_whole = !words.iter().any(is_elsewhere) && !words.windows(2).any(is_left_open);
        (asks && is_whole).then_some(words)
    };
    text.lines().filter_map(line).collect()
}

/// Returns false if the words of a look-up seem to be the piles of one position: the words 3 1 4
/// mean three positions of one pile.
fn means_positions(words: &[String]) -> bool {
    let positions: Vec<&String> =
        words[2..].iter().take_while(|word| !word.starts_with("--")).collect();
    let is_alone = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
    words[1].contains("global") || positions.len() < 2 || !positions.iter().all(is_alone)
}

fn answers(folder: &Folder, words: &[String]) {
    let line = words.join(" ");
    // If an example names a rule file, make this file from the template.
    for own in words.iter().filter_map(|word| Path::new(word.strip_suffix(".game")?).file_name()) {
        if !folder.at(&format!("{}.game", own.display())).exists() {
            folder.text(&format!("game --new {}", own.display()));
        }
    }
    let is_check = words[0] == "check";
    let output = folder.command("").args(words).args(is_check.then_some("--json")).output();
    let output = output.expect("output");
    let (said, complaint) = (text(&output.stdout), text(&output.stderr));
    assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {complaint}");
    assert!(!matches!(said.trim(), "" | "0"), "{line} says nothing");
    match words[0].as_str() {
        "check" => {
            let said: Value = serde_json::from_str(&said).expect("JSON");
            assert!(said["checked"].as_u64() > Some(0), "{line}: {said}");
            assert_ne!(said["premise"], 0, "the premise of {line} is never true");
        }
        "query" => assert!(means_positions(words), "the positions of {line} are single piles"),
        "guess" => assert!(!said.starts_with("no statement"), "{line}: {said}"),
        "sequence" => {
            let terms = said.lines().filter(|line| !line.starts_with(['#', '%']));
            let is_some = |line: &str| line.split_whitespace().skip(1).any(|term| term != "0");
            assert!(said.starts_with("%") || terms.into_iter().any(is_some), "{line}: {said}");
        }
        _ => {}
    }
}

#[test]
fn examples_of_help_texts_say_something() {
    let folder = Folder::new();
    let help = folder.text("--help");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    // The description of a command may continue on indented lines.
    let commands = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands = commands.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    let mut all = examples(&help);
    for command in commands.filter(|command| command != "help") {
        all.extend(examples(&folder.text(&format!("{command} --help"))));
    }
    assert!(all.len() > 30, "{all:?}");
    all.iter().for_each(|words| answers(&folder, words));
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["", "docs", "tools/python", "tools/cluster", "benches", "db"];
    let files = folders.iter().flat_map(|folder| {
        std::fs::read_dir(root.join(folder))
            .expect("a folder")
            .map(|file| file.expect("a file").path())
    });
    files.filter(|file| file.extension().is_some_and(|end| end == "md")).collect()
}

#[test]
fn examples_of_documents_say_something() {
    let folder = Folder::new();
    let mut count = 0;
    for file in documents() {
        let document = std::fs::read_to_string(&file).expect("a text");
        // Collect examples in code blocks and within sentences.
        let spans = document.split('`').skip(1).step_by(2).filter(|span| !span.contains('\n'));
        let mut all = examples(&document);
        all.extend(spans.flat_map(examples));
        // Leave out names of commands without arguments, and `periods`, which takes minutes.
        all.retain(|words| words.len() > 2 && words[0] != "periods");
        count += all.len();
        all.iter().for_each(|words| answers(&folder, words));
    }
    assert!(count > 0, "{count}");
}

/// The claim file in docs/LANGUAGE.md is valid and has the documented flaw.
#[test]
fn the_claim_in_the_language_is_checked() {
    let folder = Folder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let language = std::fs::read_to_string(root.join("docs/LANGUAGE.md")).expect("a text");
    let blocks = language.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    let claim = blocks.into_iter().find(|block| block.starts_with("name: ")).expect("a claim");
    std::fs::create_dir(folder.path().join("claims")).expect("a folder");
    folder.write("claims/own.claim", claim);
    let said = folder.text("diff own.ends");
    assert!(said.contains("1 claim: 1 fails (1 misprint)"), "{said}");
    let corrected = claim.lines().find_map(|line| line.strip_prefix("corrected: ")).expect("it");
    folder.text(&format!("check end-nim '{corrected}' --length 2..3 --max-pile 32"));
}
