//! The theorems of docs/PROOFS.md, and that they say what the rules say.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::{Command, Stdio};

use grundy_provers::{FamilyWords, Of, Proof, ProverError, WordError, check, prove, prove_family};
use grundy_rules::law::RuleFile;
use grundy_rules::reference::{Outcomes, Reference};
use grundy_rules::{Game, Position, games, misere_form};
use serde_json::to_value;

use crate::{automaton, family, game, up_to};

const MEMORY: u64 = 1 << 30;

/// States and tuples; 5N + 2 states for the P-positions.
const AUTOMATA: [(&str, u32, Of, usize, usize); 13] = [
    ("end-nim", 1, Of::Values, 2, 2),
    ("end-nim", 2, Of::Values, 18, 22),
    ("misere-end-nim", 2, Of::Values, 21, 25),
    ("loop-end-nim", 2, Of::Values, 45, 56),
    ("end-nim", 2, Of::Outcomes, 12, 14),
    ("end-nim", 3, Of::Outcomes, 17, 23),
    ("end-nim", 4, Of::Outcomes, 22, 34),
    ("end-nim", 5, Of::Outcomes, 27, 47),
    ("end-nim", 6, Of::Outcomes, 32, 62),
    ("misere-end-nim", 3, Of::Outcomes, 17, 23),
    ("loop-end-nim", 3, Of::Outcomes, 17, 23),
    ("end-wythoff", 2, Of::Outcomes, 3, 3),
    ("partizan-end-nim", 1, Of::Outcomes, 2, 2),
];

/// The game and the words; the step, the start, the tiles, and the values whose rows are no regular set.
type Facts = (&'static str, &'static str, [usize; 2], usize, usize, &'static str);

const FAMILIES: [Facts; 7] = [
    ("end-nim", "3* 1 3*", [2, 2], 3, 26, "1 2 4"),
    ("misere-end-nim", "3* 2,2 3*", [2, 2], 1, 17, "1 2 4"),
    ("loop-end-nim", "3* 2 2 3*", [2, 2], 2, 20, "1 2 4"),
    ("end-nim", "(3,2,1)* 3,1 3*", [1, 2], 1, 11, "1 2"),
    ("end-nim", "2* 1 2*", [2, 2], 1, 7, ""),
    ("end-nim", "3* 1 2*", [2, 2], 3, 12, ""),
    ("partizan-end-nim", "2* 1 2*", [1, 1], 2, 6, "L P R"),
];

#[test]
fn automata_are_proved_and_checked() {
    for (name, piles, of, states, tuples) in AUTOMATA {
        let found = automaton(name, piles, of);
        assert_eq!((found.states, found.tuples), (states, tuples), "{name} {piles}");
        let checked = check(&to_value(&found).unwrap(), MEMORY).unwrap();
        assert!(checked.statement.contains(&format!("of {states} states")), "{checked:?}");
        assert_eq!(found.dot().matches(" [label=\"").count() - states, {
            let kinds =
                |next: &Vec<usize>| next.iter().collect::<std::collections::HashSet<_>>().len();
            found.transitions.iter().map(kinds).sum::<usize>()
        });
    }
}

#[test]
fn families_are_proved_and_checked() {
    for (name, words, step, start, tiles, nonregular) in FAMILIES {
        let found = family(name, words);
        assert_eq!((found.step, found.start, found.tiles), (step, start, tiles), "{name} {words}");
        let shown: Vec<String> = found.nonregular.iter().map(|(x, ..)| x.to_string()).collect();
        assert_eq!(shown.join(" "), nonregular, "{name} {words}");
        check(&to_value(&found).unwrap(), MEMORY)
            .unwrap_or_else(|error| panic!("{words}: {error}"));
        // By the rules, also beyond what is listed.
        let words: FamilyWords = words.parse().unwrap();
        let game = game(name);
        let mut values = game.is_impartial().then(|| Reference::new(game));
        let mut classes = Outcomes::new(game);
        for (i, j) in (0..17).flat_map(|i| (0..17).map(move |j| (i, j))) {
            let row = Position::row(&words.row(i, j));
            let by_rules = match &mut values {
                Some(values) => values.value(&row).to_string(),
                None => classes.outcome(&row).to_string(),
            };
            assert_eq!(found.value(i, j).to_string(), by_rules, "{name} {row}");
        }
    }
}

#[test]
fn a_formula_is_written_in_a_few_lines() {
    let said = family("end-nim", "3* 1 3*").formula();
    let text = "for i, j >= 3, with d = j - i
  i even: d <= -2: 0, 1 and so on; d = -1 to 1: 2, 0, 4; d >= 2: 0, 1 and so on
  i odd: d <= -2: 0, 1 and so on; d = -1 to 1: 4, 0, 2; d >= 2: 0, 1 and so on";
    assert_eq!(said, text);
    let said = family("end-nim", "(3,2,1)* 3,1 3*").formula();
    assert!(
        said.ends_with("d = j - 2i\n  d <= 1: 0, 1 and so on; d = 2: 2; d >= 3: 0, 1 and so on")
    );
}

#[test]
fn a_program_of_its_own_proves_them_again() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/all_lengths.py");
    let mut python = Command::new("python3")
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 runs");
    let mut lines = String::new();
    for (name, piles, of, ..) in AUTOMATA {
        lines += &format!("{}\n", to_value(automaton(name, piles, of)).unwrap());
    }
    for (name, words, ..) in FAMILIES {
        lines += &format!("{}\n", to_value(family(name, words)).unwrap());
    }
    python.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = python.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(said.lines().count(), AUTOMATA.len() + FAMILIES.len(), "{said}");
    assert!(said.contains("loop-end-nim 45 states, 56 tuples\n"), "{said}");
}

/// A rule file has the theorem of the built-in game, and misère values have one too.
#[test]
fn rule_files_and_misere_values_have_theorems() {
    let file = |name: &str| {
        let path = format!("{}/../../games/{name}.game", env!("CARGO_MANIFEST_DIR"));
        RuleFile::from_bytes(&std::fs::read(path).unwrap()).unwrap().game().unwrap()
    };
    let proved = |game: Game, piles| match prove(game, piles, Of::Values, &mut up_to(200)) {
        Ok(Proof::Proved(found)) => found,
        other => panic!("{game}: {other:?}"),
    };
    for name in ["end-nim", "loop-end-nim"] {
        let (found, same) = (proved(file(name), 2), automaton(name, 2, Of::Values));
        check(&to_value(&found).unwrap(), MEMORY).unwrap();
        assert_eq!((found.transitions.len(), found.tuples), (same.states, same.tuples), "{name}");
    }
    let misere = misere_form(games::END_NIM).unwrap();
    let found = proved(misere, 2);
    check(&to_value(&found).unwrap(), MEMORY).unwrap();
    let mut reference = Reference::new(misere);
    for number in 0..1_u32 << 9 {
        let row: Vec<u32> = (0..9).map(|at| 1 + (number >> at & 1)).collect();
        let by_rules = reference.value(&Position::row(&row)).to_string();
        assert_eq!(found.output(&row).to_string(), by_rules, "{row:?}");
    }
}

#[test]
fn what_has_no_theorem_is_refused() {
    let refused = |game: Game, piles, of| prove(game, piles, of, &mut up_to(9)).unwrap_err();
    for (name, of, word) in [
        ("nim", Of::Values, "two end piles"),
        ("kayles", Of::Values, "two end piles"),
        ("short-global-nim", Of::Values, "two end piles"),
        ("partizan-end-nim", Of::Values, "outcome classes"),
    ] {
        let said = refused(game(name), 2, of).to_string();
        assert!(said.contains(word), "{name}: {said}");
    }
    for piles in [0, 65] {
        assert!(matches!(refused(games::END_NIM, piles, Of::Values), ProverError::Piles { .. }));
    }
    // Rules that read more than the ends, or more than whether there are two.
    for (rules, is_on_ends) in [
        ("move: t in 1..first: first -= t", true),
        ("move: t in 1..first if k == 1: first -= t", true),
        ("move: t in 1..last if 3 > t: last -= t\nplay: misere", true),
        ("move: t in 1..first if k >= 3: first -= t", false),
        ("move: t in 1..first if k % 2 == 0: first -= t", false),
        ("move: t in 1..first if t < total: first -= t", false),
        ("move: t in 1..p2 if k >= 2: p2 -= t", false),
        ("move: i in 1..k, t in 1..piles[i]: piles[i] -= t", false),
        ("length: 2..9\nmove: t in 1..first: first -= t", false),
        ("where: first < 9\nmove: t in 1..first: first -= t", false),
    ] {
        let text = format!("name: own\ntitle: Own\nsource: own\nrule: own\npiles: row\n{rules}\n");
        let game = RuleFile::from_text(&text).unwrap_or_else(|p| panic!("{rules}: {p}"));
        let proved = prove(game.game().unwrap(), 2, Of::Outcomes, &mut up_to(50));
        match proved {
            Ok(Proof::Proved(found)) => {
                check(&to_value(&found).unwrap(), MEMORY).unwrap();
                assert!(is_on_ends, "{rules}");
            }
            Ok(Proof::Stopped(_)) => panic!("{rules}"),
            Err(error) => {
                assert!(!is_on_ends && error.to_string().contains("end piles"), "{rules}");
            }
        }
    }
}

/// A search that finds nothing ends when it is stopped, and reports its progress.
#[test]
fn a_search_that_goes_on_is_stopped() {
    match prove(games::END_NIM, 3, Of::Values, &mut up_to(60)).unwrap() {
        Proof::Stopped(progress) => assert!(progress.size > 60 && progress.bytes > 0),
        Proof::Proved(found) => panic!("{} states", found.states),
    }
    let words = "3* 1 3*".parse().unwrap();
    let stop = &mut |_| ControlFlow::Break(());
    let found = prove_family(games::END_NIM, &words, Of::Values, stop).unwrap();
    assert!(matches!(found, Proof::Stopped(_)));
}

#[test]
fn words_of_families_are_read() {
    for (text, shown) in [
        ("3* 1 3*", "3* 1 3*"),
        (" 3*,2,2,3* ", "3* 2,2 3*"),
        ("(3,2,1)*31 (4 4)*", "(3,2,1)* 31 (4,4)*"),
        ("1* 2*", "1* 2*"),
    ] {
        assert_eq!(text.parse::<FamilyWords>().unwrap().to_string(), shown);
    }
    for text in ["", "3", "3* 1", "1 3*", "3* 1* 3*", "3* (1 2) 3*", "(3 1 3*", "a* 1 b*", "* 1 3*"]
    {
        let error = text.parse::<FamilyWords>().unwrap_err();
        assert!(
            matches!(error, WordError::Form { .. } | WordError::Empty { .. }),
            "{text}: {error}"
        );
    }
    assert!(matches!("()* 1 3*".parse::<FamilyWords>(), Err(WordError::Empty { .. })));
    assert!(matches!("3* 0 3*".parse::<FamilyWords>(), Err(WordError::Zero { .. })));
    for text in ["3* 3*", "3* 3,3 3*", "(1,2)* 1 (2,1)*", "1* (1,1)*"] {
        let error = text.parse::<FamilyWords>().unwrap_err();
        assert!(matches!(error, WordError::Ambiguous { .. }), "{text}: {error}");
    }
}
