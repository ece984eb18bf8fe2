//! Tests that compare rule files with an independent program and with the built-in games.

use std::collections::HashSet;
use std::process::Command;

use grundy_rules::law::{Checked, RuleFile};
use grundy_rules::reference::ByRules;
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Game, Outcome, Position, Table};

use crate::cases::cases;

const CASES: &str = include_str!("rule_files.txt");

fn read(text: &str) -> RuleFile {
    RuleFile::from_text(text).unwrap_or_else(|problem| panic!("{problem}"))
}

fn ruleset(name: &str) -> Game {
    let (_, text) = RULESETS.iter().find(|(known, _)| *known == name).expect(name);
    read(text).game().unwrap()
}

/// Returns a rule file of heaps with these lines.
fn heaps(lines: &str) -> String {
    format!("name: toy\ntitle: Toy\nsource: nobody\npiles: heaps\n{lines}\n")
}

/// Computes the value or the class of a position by the rules.
fn found(rules: &mut ByRules, position: &Position) -> Result<String, String> {
    let cell = rules.cell_while(position, &mut || true).map_err(|error| error.to_string())?;
    Ok(match rules {
        ByRules::Values(_) => cell.unwrap().to_string(),
        ByRules::Classes(_) => Outcome::ALL[cell.unwrap() as usize].to_string(),
    })
}

#[test]
fn rulesets_are_read_and_have_three_right_examples() {
    for (name, text) in RULESETS {
        let file = read(text);
        assert_eq!(file.name, *name);
        let game = file.clone().game().unwrap();
        assert_eq!((game.title(), game.paper()), (&*file.title, &*file.source));
        let checked = file.check(game, &mut || true).unwrap_or_else(|error| panic!("{error}"));
        assert!(checked.right >= 3 && checked.left_out == 0, "{name}");
        // A game that is not built in can also be parsed from its name.
        let by_name: Game = name.parse().unwrap();
        assert!(by_name == game || by_name.id() == *name, "{name}");
    }
}

/// Compares rulesets with `rulesets.py`, which does not read the rule files.
#[test]
fn rulesets_have_the_values_of_a_program_of_their_own() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rulesets.py");
    let output = Command::new("python3").arg(script).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names = HashSet::new();
    let mut of: Option<(Game, ByRules)> = None;
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let [name, position, expected] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        if names.insert(name.to_owned()) {
            let game = ruleset(name);
            of = Some((game, ByRules::new(game)));
        }
        let Some((game, rules)) = &mut of else { unreachable!() };
        let position = game.parse(position).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(found(rules, &position).as_deref(), Ok(expected), "{line}");
    }
    assert_eq!(names.len(), RULESETS.len());
}

#[test]
fn built_in_games_have_the_values_of_their_files() {
    for (_, [name, max_pile, longest]) in cases(CASES, "built in") {
        let (max_pile, longest) = (max_pile.parse().unwrap(), longest.parse().unwrap());
        let (built_in, file): (Game, Game) = (name.parse().unwrap(), ruleset(name));
        assert_eq!(built_in.is_symmetric(), file.is_symmetric(), "{name}");
        let (mut by_rules, mut by_file) = (ByRules::new(built_in), ByRules::new(file));
        for length in 1..=longest {
            let table = Table::new(file, max_pile, length).unwrap();
            for number in 0..table.values() {
                let position = table.position(number).unwrap();
                // The built-in game leaves out a last move that is larger than every pile.
                let same = match built_in.parse(&position.to_string()) {
                    Ok(same) => same,
                    Err(error) => panic!("{error}"),
                };
                assert_eq!(
                    found(&mut by_file, &position),
                    found(&mut by_rules, &same),
                    "{name} {position}"
                );
            }
        }
    }
}

#[test]
fn the_files_of_the_documentation_are_right() {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/RULES.md");
    let text = std::fs::read_to_string(document).unwrap();
    let files: Vec<&str> =
        text.split("```game\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert_eq!(files.len(), 16);
    for text in files {
        let file = read(text);
        let game = file.clone().game().unwrap();
        let checked = file.check(game, &mut || true).unwrap_or_else(|error| panic!("{error}"));
        assert!(checked.right >= 1);
        assert_eq!(game.id(), ruleset(&file.name).id());
    }
}

/// Stored tables and citations contain these ids, so no change of the language may change them.
#[test]
fn the_ids_of_the_rulesets_stay() {
    let known: Vec<&str> =
        cases(include_str!("identities.txt"), "rulesets").into_iter().map(|(_, [id])| id).collect();
    let found: Vec<String> = RULESETS.iter().map(|(_, text)| read(text).id).collect();
    for id in &known {
        assert!(found.iter().any(|found| found == id), "{id} is lost");
    }
    let new: Vec<&String> = found.iter().filter(|id| !known.contains(&&***id)).collect();
    assert!(new.is_empty(), "list these ids too: {new:?}");
}

/// The identity of a game depends on moves, play, lengths and conditions, not names or comments.
#[test]
fn the_identity_of_a_game_depends_on_its_rules_alone() {
    let of = |lines: &str| read(&heaps(lines)).id;
    let same = [
        "move: i in 1..k, t in 1..piles[i] if t != 2 and k < 9: piles[i] -= t",
        "# words\nmove: j in 1..k,\n  s in 1..piles[j] # more\n if s != 2 and k < 9:piles[j]-=s\nrule: x",
    ];
    let others = [
        "move: i in 1..k, t in 1..piles[i] if t != 3 and k < 9: piles[i] -= t",
        "play: misere\nmove: i in 1..k, t in 1..piles[i] if t != 2 and k < 9: piles[i] -= t",
        "length: 1..4\nmove: i in 1..k, t in 1..piles[i] if t != 2 and k < 9: piles[i] -= t",
        "where: k < 9\nmove: i in 1..k, t in 1..piles[i] if t != 2 and k < 9: piles[i] -= t",
        "falls: total, k\nmove: i in 1..k, t in 1..piles[i] if t != 2 and k < 9: piles[i] -= t",
        "within: total\nmove: i in 1..k, t in 1..piles[i] if t != 2 and k < 9: piles[i] -= t",
    ];
    assert_eq!(of(same[0]), of(same[1]));
    // A default value does not matter.
    assert_eq!(of(same[0]), of(&format!("{}\nfalls: total\nwithin: largest pile", same[0])));
    let all: HashSet<String> = others.into_iter().chain([same[0]]).map(of).collect();
    assert_eq!(all.len(), 7);
    assert!(of(same[0]).starts_with("toy-") && of(same[0]).len() == "toy-".len() + 8);
    // The numbers in a set matter, and its name and the rule that lists them do not.
    let squares = ["{1, 4, 9}", "few", "{each i in 1..3: i * i}"];
    let lines = ["set few: {9, 4, 1}", "set few: {each i in 1..3: i * i}", "set few: {4} | {1, 9}"];
    let with = |line: &str, set: &str| {
        of(&format!("{line}\nmove: t in {set} if t <= first: first -= t").replace("few", "few_1"))
    };
    let all: HashSet<String> =
        lines.iter().flat_map(|line| squares.map(|set| with(line, set))).collect();
    assert_eq!(all.len(), 1);
    assert_ne!(with("set few: {1, 4}", "few"), with(lines[0], "few"));
    // The range of a remembered number matters, and its name does not.
    let with = |line: &str, name: &str| {
        of(&format!("{line}\nmove: t in 1..first if t != N: first -= t, N := t").replace('N', name))
    };
    let (few, more) = ("remembers: N in 0..9", "remembers: N in 0..10");
    assert_eq!(with(few, "a"), with(few, "last_one"));
    assert_ne!(with(few, "a"), with(more, "a"));
    // The order of two lines does not matter.
    let (a, b) = ("move: first -= 1", "move: if first > 1: first -= 2");
    assert_eq!(of(&format!("{a}\n{b}")), of(&format!("{b}\n{a}")));
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let good = heaps("move: i in 1..k, t in 1..piles[i]: piles[i] -= t");
    let refuses = |text: &str, expected: &str| {
        let problem = RuleFile::from_text(text).expect_err(expected).to_string();
        assert!(problem.contains(expected), "{expected}:\n{problem}");
    };
    for (_, [part, new, expected]) in cases(CASES, "refused") {
        let new = &new.replace("\\n", "\n");
        let text = match part {
            "move" => heaps(new),
            "end" => format!("{good}{new}\n"),
            _ => good.replace(&part.replace("\\n", "\n"), new),
        };
        refuses(&text, expected);
    }
    let deep = format!("move: t in 1..{}1{}: first -= t", "(".repeat(900), ")".repeat(900));
    refuses(&heaps(&deep), "nested too deeply");
    refuses(&format!(" x\n{good}"), "there is no line to continue");
    refuses(&"x".repeat(1 << 17), "a rule file has at most 65536 bytes; this one has more");
    for character in ['\u{1b}', '\u{61c}', '\u{200e}', '\u{200f}', '\u{202e}', '\r'] {
        let code = format!("the character U+{:04X} is not allowed", u32::from(character));
        refuses(&good.replace("title: Toy", &format!("title: T{character}oy")), &code);
    }
    // A byte order mark and the line ends of Windows are allowed.
    assert!(RuleFile::from_text(&format!("\u{feff}{}", good.replace('\n', "\r\n"))).is_ok());
    let problem = RuleFile::from_bytes(b"name: \xff").unwrap_err().to_string();
    assert!(problem.contains("invalid UTF-8"), "{problem}");
}

/// An error at a position names the move and the position.
#[test]
fn a_move_that_the_rules_forbid_is_an_error() {
    for (line, [lines, position, expected]) in cases(CASES, "forbidden") {
        let game = read(&heaps(&lines.replace("\\n", "\n"))).game().unwrap();
        let position = game.parse(position).unwrap();
        let error = game.try_moves(&position).expect_err(lines).to_string();
        assert!(error.contains(expected), "line {line}: {error}");
        assert!(error.contains(&format!("at the position {position}")), "line {line}: {error}");
        assert!(found(&mut ByRules::new(game), &position).is_err(), "line {line}");
    }
}

#[test]
fn a_wrong_example_is_an_error_with_the_options() {
    let lines = "move: i in 1..k, t in 1..piles[i]: piles[i] -= t\nexample: g(1,2) = 3\nexample: ";
    for (_, [example, expected]) in cases(CASES, "examples") {
        let file = read(&heaps(&format!("{lines}{example}")));
        let game = file.clone().game().unwrap();
        let problem = file.check(game, &mut || true).expect_err(example).to_string();
        assert!(problem.contains(expected), "{problem}");
    }
    let two = read(&heaps("left: t in 1..first: first -= t\nright: first -= 1\nexample: g(1) = 1"));
    let problem = two.clone().check(two.game().unwrap(), &mut || true).unwrap_err().to_string();
    assert!(problem.contains("positions of this game have outcome classes and no values"));
    let file = read(&heaps(lines.trim_end_matches("\nexample: ")));
    let game = file.clone().game().unwrap();
    let checked = file.check(game, &mut || false).unwrap();
    assert_eq!(checked, Checked { right: 0, left_out: 1 });
    // An example is also left out if listing its options takes too long.
    let file = read(&heaps(&lines.replace("g(1,2) = 3\nexample: ", "g(100000,200000) = 1")));
    let mut left = 9;
    let checked = file.check(file.clone().game().unwrap(), &mut || {
        left -= 1;
        left > 0
    });
    assert_eq!(checked.unwrap(), Checked { right: 0, left_out: 1 });
}

/// Moves are described in words. Options keep empty piles in places, but not in rows.
#[test]
fn moves_are_said_in_words() {
    for (_, [name, position, expected]) in cases(CASES, "words") {
        let game = ruleset(name);
        let moves = game.moves(&game.parse(position).unwrap());
        let said: Vec<String> =
            moves.iter().map(|m| format!("{} = {}", m.in_words(), m.option)).collect();
        assert!(said.iter().any(|one| one == expected), "{said:?}");
    }
}
