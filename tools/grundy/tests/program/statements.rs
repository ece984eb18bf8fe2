//! Compares `check` with the papers' claims, and `guess` with `check`. `cases/laws.md` has the
//! output of these commands, and `cases/refusals.md` the messages for invalid statements.

use std::fs::File;
use std::process::Command;

use grundy_testing::program::{Folder, text};

/// `diff` and `check` count the same cases of a statement without a premise.
#[test]
fn claims_of_papers_have_the_same_verdicts_and_counts() {
    let folder = Folder::new();
    let claims = folder.json("claims end.rows end.bound an. ch.thm2.1 ch.two-pile ch.thm5.1");
    let mut compared = 0;
    for claim in &claims {
        let name = claim["claim"].as_str().expect("a name");
        for check in claim["checks"].as_array().expect("statements") {
            let statement = check["statement"].as_str().expect("a statement");
            let game = check["games"][0].as_str().expect("a game");
            let diff = format!("diff {name} --games {game} --max-pile 6");
            let diff = &folder.json(&diff)[0];
            let range = diff["range"].as_str().expect("a range");
            let lengths = range.rsplit(' ').next().expect("a length");
            let from = if range.contains(" to ") { range.rsplit(' ').nth(2) } else { None };
            let lengths = format!("{}..{lengths}", from.unwrap_or(lengths));
            let check = format!("check {game} '{statement}' --length {lengths} --max-pile 6");
            let check = &folder.json(&check)[0];
            for field in ["verdict", "checked", "failures", "complete", "source"] {
                assert_eq!(diff[field], check[field], "{name} in {game}, {field}: {diff} {check}");
            }
            compared += 1;
        }
    }
    assert!(compared >= 7, "{compared}");
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

/// A file of claims names a game by the id under which the database has its rules. `--games`
/// chooses among the games of a claim.
#[test]
fn own_claims_are_about_games_of_the_database_and_about_the_chosen_ones() {
    let folder = Folder::new();
    folder.text("game --new own");
    folder.text("build --games ./own.game --max-pile 6 --length 2");
    let names = std::fs::read_dir(folder.at("db")).expect("a folder").flatten();
    let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let id = names.into_iter().find(|name| name.starts_with("own-")).expect("a game");
    let claim = format!(
        "name: me.both\ngames: {id} nim\nstatement: g >= 0\nexpected: holds\nlength: 1..2\n\
         max-pile: 6\n"
    );
    folder.write("both.claim", claim);
    let checked = |line: &str| folder.json(line)[0]["checked"].as_u64().expect("a number");
    let diff = "diff me. --claims both.claim";
    let alone = [&*id, "nim"].map(|game| checked(&format!("{diff} --games {game}")));
    assert_eq!(checked(diff), alone[0] + alone[1]);
    assert!(alone[0] > 0 && alone[1] > 0);
    assert!(folder.text("claims me. --claims both.claim").contains(&id));
    let said = folder.refused(&format!("{diff} --db elsewhere"), 2);
    assert!(said.contains("does not exist"), "{said}");
    folder.text("build --games nim --max-pile 3 --length 1 --db other");
    let said = folder.refused(&format!("{diff} --db other"), 2);
    assert!(said.contains(&format!("unknown game '{id}'")), "{said}");
}

/// The P-positions of Circular Nim compare sums of piles, which no box decides. The first two
/// statements are theorems of Dufour and Heubach; the others leave out a condition.
#[test]
fn solvers_decide_linear_statements() {
    const CASES: [(&str, usize, &str, &str); 4] = [
        ("circular-nim-5-2", 5, "A and C", "holds"),
        ("circular-nim-6-3", 6, "p1 + p2 == p4 + p5 and p2 + p3 == p5 + p6", "holds"),
        ("circular-nim-5-2", 5, "A", "fails"),
        ("circular-nim-6-3", 6, "p1 + p2 == p4 + p5", "fails"),
    ];
    let runs = |solver: &&str| Command::new(solver).arg("--version").output().is_ok();
    if !["z3", "cvc5"].iter().any(runs) {
        return println!("skipped: neither z3 nor cvc5 is installed");
    }
    let folder = Folder::new();
    let pile = |by: usize| format!("piles[(i + {by}) % 5 + 1]");
    let [one, two, three, four, five] = [4, 0, 1, 2, 3].map(pile);
    let sums = format!("{two} == {five} and {three} + {four} == {one} + {two}");
    for (game, length, condition, verdict) in CASES {
        let condition = condition.replace('A', &sums);
        let condition = condition.replace('C', &format!("{one} >= max({three}, {four})"));
        let condition = match length {
            5 => format!("any(i in 1..5: {condition})"),
            _ => condition,
        };
        let line = format!(
            "check {game} 'P <-> {condition}' --length {length} --max-pile 4 --all-sizes --smt q \
             --solver any --json"
        );
        let said: serde_json::Value =
            serde_json::from_str(&text(&folder.run(&line).stdout)).expect("an object");
        assert_eq!((&said["verdict"], &said["proved"]), (&verdict.into(), &false.into()), "{said}");
    }
}

/// All threads that answer lines may wait for the same table; another thread fills it.
#[test]
fn many_lines_about_a_sum_are_answered() {
    let folder = Folder::new();
    folder.write("lines", "1025\n".repeat(1025));
    let lines = File::open(folder.at("lines")).expect("a file");
    let mut query = folder.command("query mark - --threads 1");
    let output = query.stdin(lines).output().expect("the program runs");
    assert_eq!(text(&output.stdout), "2\n".repeat(1025));
}
