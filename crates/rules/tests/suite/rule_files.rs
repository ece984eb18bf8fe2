//! Tests that compare rule files with an independent program and with the built-in games.

use std::collections::HashSet;
use std::process::Command;

use grundy_rules::law::{Checked, RuleFile};
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::rulesets::RULESETS;
use grundy_rules::{Game, Position, Table};

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
enum Rules {
    Values(Reference),
    Classes(Outcomes),
}

impl Rules {
    fn of(game: Game) -> Rules {
        match game.is_impartial() {
            true => Rules::Values(Reference::new(game)),
            false => Rules::Classes(Outcomes::new(game)),
        }
    }

    fn found(&mut self, position: &Position) -> Result<String, String> {
        let all = &mut || true;
        match self {
            Rules::Values(of) => of.value_while(position, all).map(|v| v.unwrap().to_string()),
            Rules::Classes(of) => of.outcome_while(position, all).map(|o| o.unwrap().to_string()),
        }
        .map_err(|error| error.to_string())
    }
}

#[test]
fn rulesets_are_read_and_have_three_right_examples() {
    let built_in = RULESETS.iter().filter(|(name, _)| Game::all().any(|game| game.id() == *name));
    let (own, built_in) = (RULESETS.len() - built_in.clone().count(), built_in.count());
    let said =
        format!("{} rule files that come with the program: {own} more games", RULESETS.len());
    let changelog = include_str!("../../../../CHANGELOG.md");
    assert!(changelog.contains(&format!("{said}, and {built_in} built-in ones")), "{said}");
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

/// Rulesets have the values that `rulesets.py` computes. That program does not read the rule files.
#[test]
fn rulesets_have_the_values_of_a_program_of_their_own() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rulesets.py");
    let output = Command::new("python3").arg(script).output().expect("python3 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names = HashSet::new();
    let mut of: Option<(Game, Rules)> = None;
    for line in String::from_utf8(output.stdout).unwrap().lines() {
        let [name, position, expected] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        if names.insert(name.to_owned()) {
            let game = ruleset(name);
            of = Some((game, Rules::of(game)));
        }
        let Some((game, rules)) = &mut of else { unreachable!() };
        let position = game.parse(position).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert_eq!(rules.found(&position).as_deref(), Ok(expected), "{line}");
    }
    assert_eq!(names.len(), RULESETS.len());
}

#[test]
fn built_in_games_have_the_values_of_their_files() {
    for (name, max_pile, longest) in [
        ("nim", 6, 3),
        ("misere-nim", 6, 3),
        ("end-nim", 5, 4),
        ("misere-end-nim", 5, 4),
        ("loop-end-nim", 5, 4),
        ("partizan-end-nim", 4, 4),
        ("end-wythoff", 5, 4),
        ("short-global-nim", 5, 3),
    ] {
        let (built_in, file): (Game, Game) = (name.parse().unwrap(), ruleset(name));
        assert_eq!(built_in.is_symmetric(), file.is_symmetric(), "{name}");
        let (mut by_rules, mut by_file) = (Rules::of(built_in), Rules::of(file));
        for length in 1..=longest {
            let table = Table::new(file, max_pile, length).unwrap();
            for number in 0..table.values() {
                let position = table.position(number).unwrap();
                // A last move larger than every pile forbids nothing; the built-in game drops it.
                let same = match built_in.parse(&position.to_string()) {
                    Ok(same) => same,
                    Err(error) => panic!("{error}"),
                };
                assert_eq!(by_file.found(&position), by_rules.found(&same), "{name} {position}");
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
    assert_eq!(files.len(), 12);
    for text in files {
        let file = read(text);
        let game = file.clone().game().unwrap();
        let checked = file.check(game, &mut || true).unwrap_or_else(|error| panic!("{error}"));
        assert!(checked.right >= 1);
        // This file defines the same game as the file in the folder `games`.
        assert_eq!(game.id(), ruleset(&file.name).id());
    }
}

/// Some parts of a file change the identity of the game, and others do not.
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
    ];
    assert_eq!(of(same[0]), of(same[1]));
    let all: HashSet<String> = others.into_iter().chain([same[0]]).map(of).collect();
    assert_eq!(all.len(), 5);
    assert!(of(same[0]).starts_with("toy-") && of(same[0]).len() == "toy-".len() + 8);
    // The order of two lines does not matter.
    let (a, b) = ("move: first -= 1", "move: if first > 1: first -= 2");
    assert_eq!(of(&format!("{a}\n{b}")), of(&format!("{b}\n{a}")));
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    let good = heaps("move: i in 1..k, t in 1..piles[i]: piles[i] -= t");
    let line = |line: &str| heaps(line);
    let cases: &[(String, &str)] = &[
        (good.replace("title", "titel"), "there is no key `titel`"),
        (good.replace("title: Toy\n", ""), "the key `title` is missing"),
        (good.clone() + "piles: row\n", "the key `piles` occurs twice"),
        (good.replace("heaps", "hoops"), "`piles` must be one of: row, heaps, places, sum"),
        (good.replace("toy", "../toy"), "a name has at most"),
        (good.replace("toy", "Toy"), "a name has at most"),
        (good.clone() + "no key\n", "a line of a rule file must be `key: value`"),
        (format!(" x\n{good}"), "there is no line to continue"),
        (good.clone() + "length: 0..2\n", "this is not a number of piles"),
        (good.clone() + "remembers: all\n", "`remembers` must be one of: last move"),
        (heaps(""), "a game needs a `move`, or `left` and `right`"),
        (line("left: first -= 1"), "a game needs either `move`, or both `left` and `right`"),
        (line("move: t in 1..first if g == 0: first -= t"), "rules cannot use values"),
        (line("move: t in 1..first if P: first -= t"), "rules cannot use values"),
        (line("move: t in 1..s, s in 1..2: first -= t"), "`s` is used before it is bound"),
        (line("move: t in 1..frist: first -= t"), "there is no name `frist`"),
        (line("move: t in 1..2, t in 1..3: first -= t"), "`t` is bound twice"),
        (line("move: t in 1..2: first -= t, p1 -= t"), "two effects change the same pile"),
        (line("move: t in 1..2: total -= t"), "this is not a pile"),
        (line("move: t in 1..2: first = t"), "a pile must be followed by `-=` or `:=`"),
        (line("move: t in 1..2: first := [t]"), "only in a sum can a pile become a list of piles"),
        (line("move: t in 1..2 first -= t"), "an operator is missing"),
        (line("move: t in 1..2 if t == last_move: first -= t"), "does not remember the last move"),
        (line("move: t in 1..2 if t: first -= t"), "the condition of a move must be true or false"),
        (line("move: t in 5: first -= t"), "`in` must be followed by a range or a set"),
        (line("move: H in subsets(1..k): first -= 1"), "`,` is missing after the range"),
        (
            line(&format!("move: t in 1..{}1{}: first -= t", "(".repeat(900), ")".repeat(900))),
            "nested too deeply",
        ),
        (line("code: 0.77"), "only a sum has an octal code"),
        ("x".repeat(1 << 17), "a rule file has at most 65536 bytes; this one has more"),
        (good.replace("title: Toy", "title: T\u{1b}[2Joy"), "the character U+001B is not allowed"),
        (good.replace("title: Toy", "title: T\u{202e}oy"), "the character U+202E is not allowed"),
        (good.replace("title: Toy", "title: T\roy"), "the character U+000D is not allowed"),
        (line("move: t in 1..u: first -= t"), "the names are p1, p2, ..., "),
    ];
    for (text, expected) in cases {
        let problem = RuleFile::from_text(text).expect_err(expected).to_string();
        assert!(problem.contains(expected), "{expected}:\n{problem}");
    }
    // A byte order mark is no error, and neither are line ends of Windows.
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
        assert!(Rules::of(game).found(&position).is_err(), "line {line}");
    }
}

#[test]
fn a_wrong_example_is_an_error_with_the_options() {
    let lines = "move: i in 1..k, t in 1..piles[i]: piles[i] -= t\nexample: g(1,2) = 3\nexample: ";
    for (example, expected) in [
        ("g(1,2) = 2", "by the rules 1,2 has the value 3"),
        ("P(1,2)", "its options are 2  1,1  1, with the values 2, 0, 1"),
        ("L(1,2)", "wrong example"),
        ("g(1,x) = 2", "which is not a whole number of coins"),
        ("g 1,2", "an example must be a value or a class of a position"),
        ("P(1,2) = 0", "an example must be a value or a class of a position"),
    ] {
        let file = read(&heaps(&format!("{lines}{example}")));
        let game = file.clone().game().unwrap();
        let problem = file.check(game, &mut || true).expect_err(example).to_string();
        assert!(problem.contains(expected), "{problem}");
    }
    let two = read(&heaps("left: t in 1..first: first -= t\nright: first -= 1\nexample: g(1) = 1"));
    let problem = two.clone().check(two.game().unwrap(), &mut || true).unwrap_err().to_string();
    assert!(problem.contains("positions of a partizan game have outcome classes and no values"));
    // Examples that are not evaluated in time are left out.
    let file = read(&heaps(lines.trim_end_matches("\nexample: ")));
    let game = file.clone().game().unwrap();
    let checked = file.check(game, &mut || false).unwrap();
    assert_eq!(checked, Checked { right: 0, left_out: 1 });
    // Examples are also left out if their options alone take too long.
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
    for (name, position, expected) in [
        ("circular-nim-4-2", "0,1,0,1", "take 1 from pile 2 = 0,0,0,1"),
        ("end-wythoff", "1,3,2", "take 1 from pile 1 and 1 from pile 3 = 3,1"),
        ("kayles", "5", "turn a pile of 5 into 1,3 = 1,3"),
        ("kayles", "2", "remove a pile of 2 = ()"),
        ("delete-nim", "2,0", "take 1 from pile 1 = 1,0"),
        ("delete-nim", "2,0", "take 2 from pile 1 and change pile 2 from 0 to 1 = 0,1"),
        ("moore-nim-2", "1,1", "take 1 from pile 1 and 1 from pile 2 = ()"),
    ] {
        let game = ruleset(name);
        let moves = game.moves(&game.parse(position).unwrap());
        let said: Vec<String> =
            moves.iter().map(|m| format!("{} = {}", m.in_words(), m.option)).collect();
        assert!(said.iter().any(|one| one == expected), "{said:?}");
    }
}
