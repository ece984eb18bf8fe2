//! Every example of a help text that asks something is answered, and says something: no premise that is
//! never true, no empty list, no piles that are typed as positions. (That all others are read, `args` tests.)

use std::path::Path;

use grundy_testing::program::{Folder, text};
use serde_json::Value;

/// The words of the examples in a text, without what a shell does with them and what is said of them.
fn examples(text: &str) -> Vec<Vec<String>> {
    let line = |line: &str| {
        let line = line.trim_start().trim_start_matches("$ ");
        let command = line.strip_prefix("grundy ")?.split("  ").next()?;
        let words = shlex::split(command)?.into_iter();
        let is_own = |word: &String| !matches!(word.as_str(), "<" | ">" | "|" | "\\" | "&&");
        Some(words.take_while(is_own).collect())
    };
    text.lines().filter_map(line).collect()
}

/// Whether a look-up means positions: in games of rows and of several piles 3 1 4 are three of one pile.
fn means_positions(words: &[String]) -> bool {
    let positions: Vec<&String> =
        words[2..].iter().take_while(|word| !word.starts_with("--")).collect();
    let is_alone = |word: &&String| word.chars().all(|letter| letter.is_ascii_digit());
    words[1].contains("global")
        || positions.len() < 2
        || !positions.into_iter().all(|p| is_alone(&p))
}

#[test]
fn every_example_that_asks_is_answered() {
    let folder = Folder::new();
    let help = folder.text("--help");
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    // What is said of a command may go on, farther in.
    let commands = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let commands = commands.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
    let mut all = examples(&help);
    for command in commands.filter(|command| command != "help") {
        all.extend(examples(&folder.text(&format!("{command} --help"))));
    }
    let mut asked = 0;
    for words in all {
        let line = words.join(" ");
        let is_elsewhere = words.iter().any(|word| word == "-" || word == "FILE");
        if is_elsewhere || line.contains("https://") {
            continue;
        }
        let asks = ["check", "query", "moves", "find", "guess", "sequence", "periods", "claims"];
        if !asks.contains(&words[0].as_str()) {
            continue;
        }
        asked += 1;
        let is_check = words[0] == "check";
        let output = folder.command("").args(&words).args(is_check.then_some("--json")).output();
        let output = output.expect("output");
        let (said, complaint) = (text(&output.stdout), text(&output.stderr));
        assert!(matches!(output.status.code(), Some(0 | 1)), "{line}: {complaint}");
        assert!(!matches!(said.trim(), "" | "0"), "{line} says nothing");
        if is_check {
            let said: Value = serde_json::from_str(&said).expect("JSON");
            assert!(said["checked"].as_u64() > Some(0), "{line}: {said}");
            assert_ne!(said["premise"], 0, "the premise of {line} is never true");
        } else if words[0] == "query" {
            assert!(means_positions(&words), "{line} is of single piles");
        }
    }
    assert!(asked > 20, "{asked}");
}

#[test]
fn documents_look_positions_up() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = vec![root.join("README.md"), root.join("tools/python/README.md")];
    let docs = std::fs::read_dir(root.join("docs")).expect("documents");
    files.extend(docs.map(|file| file.expect("a file").path()));
    for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "md")) {
        for words in examples(&std::fs::read_to_string(file).expect("a text")) {
            if words.len() > 2 && words[0] == "query" {
                assert!(means_positions(&words), "{words:?}, in {}", file.display());
            }
        }
    }
}
