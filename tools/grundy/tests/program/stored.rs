//! Claims have the same results on stored and computed values. A wrong value makes a claim fail.

use std::collections::BTreeSet;

use grundy_builder::Lock;
use grundy_testing::cases::cases;
use grundy_testing::database::spoil;
use grundy_testing::files::{files, sealed};
use grundy_testing::program::Folder;
use serde_json::Value;

/// Small tables of every game.
const BUILD: &str = "build --max-pile 16 --length 3 --heap 60 --threads 2";

const CASES: &str = include_str!("stored.txt");

#[test]
fn a_claim_says_the_same_of_tables_and_of_what_is_computed() {
    let folder = Folder::after(BUILD);
    std::fs::create_dir(folder.path().join("none")).expect("a folder");
    let mut met = BTreeSet::new();
    let listed = |heading| cases(CASES, heading).into_iter().map(|(_, [text])| text).collect();
    let [ranges, computed_only, mixed]: [Vec<&str>; 3] =
        ["ranges", "computed", "mixed"].map(listed);
    for range in ranges {
        let read = folder.json(&format!("diff {range}"));
        let computed = folder.json(&format!("diff {range} --db none"));
        assert_eq!(read.len(), computed.len());
        for (mut read, mut computed) in read.into_iter().zip(computed) {
            let claim = read["claim"].as_str().expect("an id").to_owned();
            let expected = match claim.as_str() {
                claim if computed_only.contains(&claim) => "computed",
                claim if mixed.contains(&claim) => "mixed",
                _ => "table",
            };
            assert_eq!((&read["source"], &claim), (&expected.into(), &claim));
            assert_eq!(computed["source"], "computed", "{claim}");
            for verdict in [&mut read, &mut computed] {
                verdict["seconds"] = 0.into();
                verdict["source"] = Value::Null;
            }
            assert_eq!(read, computed);
            met.insert(claim);
        }
    }
    for claim in folder.json("claims") {
        assert!(met.contains(claim["claim"].as_str().expect("an id")), "{claim}");
    }
}

/// Each case is a valid shard with one wrong value, and a claim that fails because of this value.
#[test]
fn a_wrong_value_in_a_table_is_a_counterexample() {
    let folder = Folder::after(BUILD);
    let kinds = ["nim", "rows", "thresholds", "records", "sets"];
    let all = kinds.iter().flat_map(|kind| cases(CASES, &format!("wrong {kind}")));
    for (_, [table, byte, change, claim, first]) in all {
        // A change sets a byte, or flips some of its bits.
        let number: u8 = change[1..].parse().expect("a number");
        let change = |byte| if change.starts_with('^') { byte ^ number } else { number };
        let byte = byte.parse().expect("a number");
        let claim = format!("diff {claim}");
        let sound = spoil(&folder.at("db"), table, byte, change);
        assert_eq!(folder.run(&claim).status.code(), Some(1), "{table}");
        let verdict = &folder.json(&claim)[0];
        assert_eq!(verdict["verdict"], "fails", "{table}");
        assert_eq!(verdict["first"]["position"], first, "{table}");
        sound.restore();
        assert_eq!(folder.json(&claim)[0]["verdict"], "holds", "{table} has not changed");
    }
}

/// Deriving these values again takes seconds.
#[test]
fn a_verification_ends_in_time() {
    let folder = Folder::after("build --games end-nim --max-pile 64 --length 4");
    let stopped = folder.run("verify --full --seconds 0.01");
    let [said, error] =
        [stopped.stdout, stopped.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(said.ends_with("stopped: no problems so far\n"), "{said}");
    assert!(error.contains("--seconds passed before the end"), "{error}");
    assert_eq!(stopped.status.code(), Some(2));
}

/// A command refuses a table with impossible values.
#[test]
fn an_impossible_table_is_refused() {
    let folder = Folder::after(BUILD);
    // The record of the pile 1 begins with g(1) and the number of its exceptional last moves.
    let sound = spoil(&folder.at("db"), "short-global-nim/n60/k1", 4, |_| 200);
    let error = folder.refused("diff gn.thm17 --to 60", 2);
    assert!(error.contains("the stored table short-global-nim/n60/k1 is invalid"));
    sound.restore();
    let verdict = &folder.json("diff gn.thm17 --to 60")[0];
    assert_eq!((&verdict["verdict"], &verdict["source"]), (&"holds".into(), &"table".into()));
}

/// A manifest with a valid seal has rules whose example contradicts them.
#[test]
fn stored_rules_with_a_false_example_are_a_problem() {
    let folder = Folder::after("game --new own");
    folder.text("build --games own.game --max-pile 5 --length 2");
    let manifest = String::from_utf8(folder.read("db/manifest.json")).expect("text");
    let (true_one, false_one) = ("example: g(5) = 1", "example: g(5) = 2");
    assert!(manifest.contains(true_one), "{manifest}");
    folder.write("db/manifest.json", sealed(&manifest.replace(true_one, false_one)));
    for line in ["verify", "verify --full"] {
        let output = folder.run(line);
        let said = grundy_testing::program::text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{said}");
        let expected = "contradict themselves: wrong example: by the rules 5 has the value 1";
        assert!(said.contains(expected), "{said}");
    }
}

/// Adds a member to an object in a JSON text, before its first member, and renews the seal.
fn with_twice(text: &str, member: &str) -> String {
    let at = text.find(&format!("\"{member}\":")).expect("a member");
    let twice = format!("{}\"{member}\": 7, {}", &text[..at], &text[at..]);
    if twice.contains("\n  \"blake3\": ") { sealed(&twice) } else { twice }
}

/// A member that is written twice means one thing to this program and another to other readers.
/// Each case is a file, a member of an object in it, and a command that reads the file.
#[test]
fn a_member_is_written_once_in_every_file() {
    let folder = Folder::after("build --games end-nim --max-pile 5 --length 2");
    folder.write("DIGESTS", folder.text("status --digests"));
    folder.write("LINES", folder.text("diff ch.thm2.1 --max-pile 4 --length 2 --json"));
    folder.write("TASKS", folder.text("tasks check nim 'g >= 0' --length 2 --max-pile 3"));
    folder.text("task --file TASKS --index 0");
    folder.text("prove end-nim --piles 1 --certificate CERTIFICATE");
    folder.text("check nim 'g >= 0' --length 2 --max-pile 3 --checkpoint CHECKPOINT");
    folder.text("pack -o pack");
    let result = files(&folder.at("results")).into_keys().next().expect("a result");
    let result = format!("results/{}", result.display());
    for (_, [file, member, command]) in cases(CASES, "twice") {
        let file = if file == "RESULT" { &result } else { file };
        let sound = folder.read(file);
        folder.text(command);
        folder.write(file, with_twice(&String::from_utf8(sound.clone()).expect("text"), member));
        let said = folder.refused(command, 2);
        assert_eq!(said.lines().count(), 1, "{command}: {said}");
        folder.write(file, sound);
    }
}

/// A command needs the lock of the database folder only if it writes into that folder.
#[test]
fn a_certificate_waits_for_no_lock() {
    let folder = Folder::new();
    let lock = Lock::take(&folder.at("db")).expect("the lock");
    let error = folder.refused("diff lgn.conj34 --to 20", 2);
    assert!(error.contains("while another process") && error.contains("--certificate"));
    folder.refused("diff lgn.conj34 --to 20 --certificate db/other.cert", 2);
    assert!(!folder.at("db/conj34.cert").exists() && !folder.at("db/other.cert").exists());
    folder.text("diff lgn.conj34 --to 20 --certificate conj34.cert");
    drop(lock);
    folder.text("diff lgn.conj34 --to 20");
    assert!(folder.at("db/conj34.cert").exists());
}
