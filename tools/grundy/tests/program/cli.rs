//! The command line as other programs meet it: output, exit codes, bad input.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;
use grundy::{games, reference::Reference};
use serde_json::Value;
use tempfile::TempDir;

fn grundy(db: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("grundy"));
    command.arg("--db").arg(db).args(args);
    command
}

fn run(db: &Path, args: &[&str]) -> Output {
    grundy(db, args).output().expect("the program starts")
}

fn stdout(db: &Path, args: &[&str]) -> String {
    let output = run(db, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(db: &Path, args: &[&str]) -> Vec<Value> {
    let text = stdout(db, &[args, &["--json"]].concat());
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The message and the exit code of a command that must fail; nothing on stdout.
fn failure(db: &Path, args: &[&str]) -> String {
    let output = run(db, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?} printed a result");
    String::from_utf8(output.stderr).expect("text")
}

fn small_database() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    stdout(folder.path(), &["build", "--max-pile", "8", "--length", "4", "--heap", "500"]);
    folder
}

#[test]
fn query_prints_one_value_a_line() {
    let db = small_database();
    assert_eq!(stdout(db.path(), &["query", "end-nim", "12,10", "3 1 3", "5,4,5"]), "6\n0\n0\n");
    let objects = json(db.path(), &["query", "loop-end-nim", "4,1,3", "9,9,9,9,9"]);
    assert_eq!(objects[0]["game"], "loop-end-nim");
    assert_eq!(objects[0]["position"], "4,1,3");
    assert_eq!(objects[0]["source"], "table");
    assert_eq!(objects[1]["grundy"], 0);
    assert_eq!(objects[1]["outcome"], "P");
    assert_eq!(objects[1]["source"], "computed");
    let misere = json(db.path(), &["query", "misere-end-nim", "1", "1,1"]);
    assert_eq!((&misere[0]["grundy"], &misere[0]["misere_grundy"]), (&0.into(), &0.into()));
    assert_eq!((&misere[1]["grundy"], &misere[1]["misere_grundy"]), (&1.into(), &1.into()));
}

#[test]
fn bulk_queries_answer_in_order() {
    let db = small_database();
    let mut reference = Reference::new(games::END_NIM);
    let (mut input, mut expected) = (String::new(), String::new());
    for a in 1..=9 {
        for b in 1..=3 {
            let text = format!("{a},{b},5,{a}");
            let position = games::END_NIM.parse(&text).expect("a position");
            expected.push_str(&format!("{}\n\n\n", reference.value(&position)));
            input.push_str(&format!("({text})\n\n# a remark\n"));
        }
    }
    let (output, code) = feed(db.path(), &["query", "end-nim", "-"], &input);
    assert_eq!((output.as_str(), code), (expected.as_str(), Some(0)));
    // What is right before a mistake is printed; the mistake is named by its line.
    let mut child = grundy(db.path(), &["query", "end-nim", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("stdin").write_all(b"1,2\n3,0\n1,3\n").expect("written");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stdout, b"3\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2: pile 2 of '3,0' is 0"));
}

#[test]
fn a_bad_line_can_be_passed_over() {
    let db = small_database();
    let input = "1,2\n\n3,0\n# 9\n()\nx\n2,5\n";
    let bulk = ["query", "end-nim", "-", "--keep-going"];
    let (output, code) = feed(db.path(), &bulk, input);
    assert_eq!((output.as_str(), code), ("3\n\n?\n\n0\n?\n7\n", Some(2)));
    let (output, _) = feed(db.path(), &[&bulk[..], &["--json"]].concat(), input);
    let third: Value = serde_json::from_str(output.lines().nth(2).expect("a line")).expect("JSON");
    assert_eq!(third["line"], 3);
    assert!(third["error"].as_str().is_some_and(|error| error.contains("pile 2 of '3,0' is 0")));
    let (output, code) = feed(db.path(), &bulk, "1,2\n2,5");
    assert_eq!((output.as_str(), code), ("3\n7\n", Some(0)));
    // The same on the command line, also where it is the limits that say no.
    let far = "900000000,1,900000000";
    let output = run(db.path(), &["query", "end-nim", "1,2", "(3,0)", far, "2", "--keep-going"]);
    assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b"3\n?\n?\n2\n"[..]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("2 of the positions"));
    let json = ["query", "end-nim", far, "--keep-going", "--json"];
    let output = run(db.path(), &json);
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(found["error"].as_str().is_some_and(|error| error.contains("--memory")), "{found}");
    // What is no text is no position.
    let mut child = grundy(db.path(), &bulk)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("stdin").write_all(b"1,2\n\xff\xfe\n2\n").expect("written");
    assert_eq!(child.wait_with_output().expect("it ends").stdout, b"3\n?\n2\n");
}

#[test]
fn sums_have_the_nim_sum_of_the_values() {
    let db = small_database();
    // 3,1,3 is a P-position; 12,10 has value 6, and 5 coins of short global nim 3 (Table 1).
    let sum = ["query", "end-nim", "12,10", "+", "short-global-nim", "5"];
    assert_eq!(stdout(db.path(), &sum), "5\n");
    let sum = ["query", "end-nim", "3,1,3", "+", "nim", "6", "+", "end-nim", "12,10"];
    let found = &json(db.path(), &sum)[0];
    assert_eq!((&found["grundy"], &found["outcome"]), (&0.into(), &"P".into()));
    assert_eq!(found["sum"][2]["grundy"], 6);
    let refused = |args: &[&str], part: &str| {
        let message = failure(db.path(), args);
        assert!(message.contains(part), "{message}");
    };
    refused(&["query", "end-nim", "3", "+", "partizan-end-nim", "3"], "no values");
    refused(&["query", "end-nim", "3", "+", "4"], "as in end-nim 3,1,4 + short-global-nim 5");
    refused(&["query", "end-nim", "3", "+"], "as in end-nim");
    refused(&["query", "end-nim", "3", "+", "nym", "4"], "did you mean 'nim'?");
    refused(&["query", "nim", "3", "+", "nim", "4", "--convention", "misere"], "does not follow");
    refused(&["query", "partizan-end-nim", "3", "--convention", "misere"], "no misère values");
}

fn feed(db: &Path, args: &[&str], input: &str) -> (String, Option<i32>) {
    let mut child = grundy(db, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("stdin").write_all(input.as_bytes()).expect("written");
    let output = child.wait_with_output().expect("it ends");
    (String::from_utf8(output.stdout).expect("text"), output.status.code())
}

#[test]
fn moves_mark_the_winning_ones() {
    let db = small_database();
    let found = &json(db.path(), &["moves", "end-nim", "2,3,4"])[0];
    let winning: Vec<&str> = found["moves"]
        .as_array()
        .expect("a list")
        .iter()
        .filter(|m| m["winning"] == true)
        .map(|m| m["option"].as_str().expect("a position"))
        .collect();
    assert_eq!(winning, ["2,3,2"]);
    let text = stdout(db.path(), &["moves", "end-nim", "2,3,4", "--winning"]);
    assert_eq!(text, "2,3,4 in end-nim: value 5, N\nright  4 to 2  2,3,2  0  wins\n");
    let text = stdout(db.path(), &["moves", "end-nim", "3,1,3", "--winning"]);
    assert!(text.ends_with("\nno move wins\n"), "{text}");
    let text = stdout(db.path(), &["moves", "loop-end-nim", "7"]);
    assert!(text.contains("no moves"), "{text}");
    assert!(stdout(db.path(), &["moves", "end-nim", "1"]).contains("()"));
}

#[test]
fn stats_count_p_positions() {
    let db = small_database();
    // (n^L + (-1)^L n) / (n + 1), stored and computed.
    let stored = &json(db.path(), &["stats", "end-nim", "--length", "3"])[0];
    assert_eq!((&stored["p_positions"], &stored["source"]), (&56.into(), &"table".into()));
    let args = ["stats", "end-nim", "--max-pile", "6", "--length", "5"];
    let computed = &json(db.path(), &args)[0];
    assert_eq!(computed["p_positions"], (7776 - 6) / 7);
    assert_eq!(computed["source"], "computed");
    assert_eq!(computed["positions"], 7776);
    assert!(failure(db.path(), &["stats", "end-nim", "--max-pile", "9"]).contains("--length"));
}

#[test]
fn status_and_plan_tell_what_is_there() {
    let db = small_database();
    let tables = 4 * games::GAMES.len();
    assert_eq!(json(db.path(), &["status"]).len(), tables);
    let plan = json(db.path(), &["plan", "--max-pile", "8", "--length", "5", "--heap", "500"]);
    let finished = plan.iter().filter(|table| table["finished"] == true).count();
    assert_eq!((plan.len(), finished), (5 * games::GAMES.len(), tables));
    let again = ["build", "--max-pile", "8", "--length", "4", "--heap", "500"];
    let text = stdout(db.path(), &again);
    assert!(text.starts_with("nothing to build"), "{text}");
    let nowhere = db.path().join("nowhere");
    assert!(stdout(&nowhere, &["status"]).contains("holds no tables"));
    assert!(!nowhere.exists(), "reading made a folder");
    stdout(&nowhere, &["plan", "--max-pile", "8"]);
    assert!(!nowhere.exists(), "planning made a folder");
}

#[test]
fn bad_input_is_told_plainly() {
    let db = small_database();
    let says = |args: &[&str], part: &str| {
        let message = failure(db.path(), args);
        assert!(message.contains(part), "{args:?}: {message}");
    };
    says(&["query", "end-nim", "3,0,4"], "pile 2 of '3,0,4' is 0");
    says(&["query", "end-nim", "3,-1"], "pile 2 of '3,-1' is '-1'");
    says(&["query", "end-nim", "a,b"], "pile 1 of 'a,b' is 'a'");
    says(&["query", "end-nim", ""], "no piles given");
    says(&["query", "end-nin", "3"], "did you mean 'end-nim'?");
    says(&["moves", "loop", "3"], "did you mean 'loop-end-nim'?");
    says(&["query", "misere-end-nim", "()"], "not a position of misere-end-nim");
    says(&["query", "end-nim", "900000000,1,900000000"], "too large to compute");
    says(&["query", "end-nim", "9,9,9,9,9", "--memory", "10"], "--memory");
    says(&["build", "--max-pile", "0"], "max pile 0 is out of range");
    says(&["build", "--max-pile", "100000", "--length", "6"], "1.4e27 positions");
    let end_nim = ["build", "--max-pile", "100000", "--length", "6", "--games", "end-nim"];
    says(&end_nim, "1.0e30 positions");
    says(&["build", "--max-pile", "64", "--length", "8", "--games", "end-nim"], "MiB free");
    says(&["build", "--max-pile", "64", "--memory", "1M"], "--memory");
    says(&["build", "--max-pile", "8", "--games", "end-nim,nym"], "unknown game 'nym'");
    says(&["build"], "--max-pile");
    says(&["build", "--max-pile", "8", "--length", "0"], "length 0 is out of range");
    says(&["status", "--threads", "0"], "--threads 0");
    says(&["status", "--isa", "mmx"], "unknown instruction set 'mmx'");
    says(&["status", "--memory", "much"], "not a size");
    says(&["verify", "--sample", "3/2"], "not a part");
}

#[test]
fn damage_is_found_and_named() {
    let db = small_database();
    let shard = db.path().join("end-nim/n8/k4/end-nim-n8-k4-00000.zst");
    let good = fs::read(&shard).expect("a shard");
    let spoil = |bytes: &[u8]| {
        fs::remove_file(&shard).expect("removed");
        fs::write(&shard, bytes).expect("written");
    };
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 4;
    spoil(&flipped);
    let message = failure(db.path(), &["query", "end-nim", "1,2,3,4"]);
    assert!(message.contains("end-nim-n8-k4-00000.zst is damaged"), "{message}");
    assert!(message.contains("frame 0"), "{message}");
    let output = run(db.path(), &["verify"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("end-nim-n8-k4-00000.zst"));
    // The other tables still answer.
    assert_eq!(stdout(db.path(), &["query", "end-nim", "1,2,1"]), "0\n");
    spoil(&good[..good.len() / 2]);
    assert!(failure(db.path(), &["query", "end-nim", "1,2,3,4"]).contains("is damaged"));
    // A build makes it again.
    stdout(db.path(), &["build", "--max-pile", "8", "--length", "4"]);
    assert_eq!(fs::read(&shard).expect("a shard"), good);
    stdout(db.path(), &["verify", "--full"]);

    let manifest = db.path().join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("a manifest");
    let refused = |text: &str, why: &str| {
        fs::write(&manifest, text).expect("written");
        for args in [&["query", "end-nim", "1"][..], &["build", "--max-pile", "4"], &["verify"]] {
            assert!(failure(db.path(), args).contains(why), "{args:?}");
        }
    };
    refused(&text.replace("\"format\": 2", "\"format\": 3"), "is damaged");
    refused("{\"format\": 3}", "manifest version 3");
    // The first version had no digest of its own text. It is read, and the next build replaces it.
    let (old, _) = text.split_once(",\n  \"blake3\"").expect("the seal");
    let old = format!("{old}\n}}").replace("\"format\": 2", "\"format\": 1");
    fs::write(&manifest, &old).expect("written");
    for args in [&["verify"][..], &["status"]] {
        let output = run(db.path(), args);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stderr).contains("of version 1"), "{args:?}");
    }
    stdout(db.path(), &["build", "--max-pile", "8", "--length", "4"]);
    assert_eq!(fs::read_to_string(&manifest).expect("a manifest"), text);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let db = small_database();
    let mut child = grundy(db.path(), &["query", "end-nim", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("stdin");
    let feeder = std::thread::spawn(move || {
        // Far more than a pipe holds; the program may end while we write.
        for _ in 0..200_000 {
            if stdin.write_all(b"1,2,3\n").is_err() {
                break;
            }
        }
    });
    let mut message = String::new();
    child.stderr.take().expect("stderr").read_to_string(&mut message).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{message}");
    assert_eq!(message, "");
    feeder.join().expect("the feeder ends");
}

#[test]
fn documents_for_packagers() {
    let db = tempfile::tempdir().expect("a temporary folder");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(stdout(db.path(), &["completions", shell]).contains("max-pile"), "{shell}");
    }
    // Where a shell can have it, games and claims are offered.
    for shell in ["bash", "zsh"] {
        let script = stdout(db.path(), &["completions", shell]);
        assert!(script.contains("loop-end-nim") && script.contains("ch.thm5.4"), "{shell}");
    }
    assert!(stdout(db.path(), &["man"]).contains("grundy"));
    let pages = db.path().join("man");
    stdout(db.path(), &["man", pages.to_str().expect("a path")]);
    assert!(pages.join("grundy-query.1").exists());
    for command in ["plan", "build", "status", "query", "moves", "verify", "stats"] {
        assert!(stdout(db.path(), &["help", command]).contains("Usage"), "{command}");
    }
}

#[test]
fn nim_and_partizan_end_nim() {
    let db = small_database();
    assert_eq!(stdout(db.path(), &["query", "nim", "4,1,3", "0 9,0", "()"]), "6\n9\n0\n");
    let misere = json(db.path(), &["query", "misere-nim", "1,1", "2,2", "7,9,12"]);
    let field = |at: usize, name: &str| misere[at][name].clone();
    assert_eq!((field(0, "grundy"), field(0, "misere_grundy")), (1.into(), 1.into()));
    assert_eq!((field(1, "outcome"), field(1, "source")), ("P".into(), "table".into()));
    assert_eq!((field(2, "position"), field(2, "source")), ("7,9,12".into(), "computed".into()));
    let classes = stdout(db.path(), &["query", "partizan-end-nim", "3,1,4", "3", "1,1", "4,1"]);
    assert_eq!(classes, "R\nN\nP\nL\n");
    let class = &json(db.path(), &["query", "partizan-end-nim", "3,1,4"])[0];
    assert_eq!((&class["grundy"], &class["source"]), (&Value::Null, &"table".into()));
    let moves = &json(db.path(), &["moves", "partizan-end-nim", "3,1,2"])[0]["moves"];
    let winning: Vec<&Value> =
        moves.as_array().expect("moves").iter().filter(|m| m["winning"] == true).collect();
    assert_eq!(winning.len(), 1);
    assert_eq!((&winning[0]["player"], &winning[0]["option"]), (&"Left".into(), &"2,1,2".into()));
    let moves = stdout(db.path(), &["moves", "nim", "1,2,4"]);
    assert!(moves.contains("pile  4 to 3  1,2,3  0  wins"), "{moves}");

    let stats = json(db.path(), &["stats", "partizan-end-nim", "--max-pile", "8", "--length", "3"]);
    let counted = |class: &str| stats[2][class].as_u64().expect("a count");
    assert_eq!(["L", "R", "N", "P"].map(counted).iter().sum::<u64>(), 512);
    let stats = &json(db.path(), &["stats", "nim"])[0];
    assert_eq!((&stats["positions"], &stats["source"]), (&330.into(), &"table".into()));
    assert_eq!(stats["histogram"].as_array().map(Vec::len), Some(16));

    assert!(failure(db.path(), &["query", "misere-nim", "0"]).contains("not a position"));
    assert!(failure(db.path(), &["query", "nim", "3,x"]).contains("not a whole number"));
    let refused = failure(db.path(), &["query", "misere-nim", "9000,9000,9000"]);
    assert!(refused.contains("too large to compute here"), "{refused}");
    assert!(
        failure(db.path(), &["periods", "partizan-end-nim", "--left", "3"]).contains("rows of")
    );
    let error = failure(db.path(), &["periods", "nim", "--left", "3", "--middle", "2"]);
    assert!(error.contains("two piles"), "{error}");
}

#[test]
fn short_global_nim() {
    let db = small_database();
    let values = stdout(db.path(), &["query", "short-global-nim", "34", "9/9", "3,1/1", "700"]);
    assert_eq!(values, "16\n0\n0\n328\n");
    let found = &json(db.path(), &["query", "short-global-nim", "8,8/3"])[0];
    assert_eq!((&found["position"], &found["source"]), (&"8,8/3".into(), &"table".into()));
    let moves = stdout(db.path(), &["moves", "short-global-nim", "2,3/2"]);
    assert!(moves.contains("pile  2 to 1  1,3/1  0  wins"), "{moves}");
    let stats = &json(db.path(), &["stats", "short-global-nim", "--length", "1"])[0];
    assert_eq!((&stats["rows"], &stats["source"]), (&500.into(), &"table".into()));
    let args = ["stats", "short-global-nim", "--max-pile", "5", "--length", "2"];
    assert_eq!(json(db.path(), &args)[0]["positions"], 15 * 6);
    assert!(failure(db.path(), &["query", "short-global-nim", "8/x"]).contains("last move"));
    assert!(failure(db.path(), &["query", "nim", "8/3"]).contains("does not remember"));
    assert!(failure(db.path(), &["build", "--heap", "0"]).contains("out of range"));
    assert!(failure(db.path(), &["build", "--heap", "9", "--games", "nim"]).contains("--max-pile"));
    assert!(stdout(db.path(), &["build", "--heap", "90", "--values-only"]).contains("1 tables"));
    assert!(stdout(db.path(), &["status"]).contains("short-global-nim/n90/g"));
}

#[test]
fn long_global_nim() {
    let db = small_database();
    let ask = ["query", "long-global-nim", "8{1,3,4}", "8", "3,5{1..5}", "30{1..7,28..30}", "8{9}"];
    assert_eq!(stdout(db.path(), &ask), "1\n3\n1\n3\n0\n");
    let found = json(db.path(), &["query", "long-global-nim", "8 4{4,1}", "9"]);
    assert_eq!((&found[0]["position"], &found[0]["source"]), (&"4,8{1,4}".into(), &"table".into()));
    assert_eq!(
        (&found[1]["position"], &found[1]["source"]),
        (&"9{1..9}".into(), &"computed".into())
    );
    let moves = stdout(db.path(), &["moves", "long-global-nim", "8{1,3,4}"]);
    assert!(moves.contains("pile  8 to 4  4{1,3}  0  wins"), "{moves}");
    let stats = &json(db.path(), &["stats", "long-global-nim", "--length", "1"])[0];
    assert_eq!((&stats["positions"], &stats["source"]), (&510.into(), &"table".into()));
    assert_eq!(stats["histogram_by_largest_pile"][2], serde_json::json!([2, 5, 1]));
    let computed =
        &json(db.path(), &["stats", "long-global-nim", "--max-pile", "10", "--length", "2"])[0];
    assert_eq!((&computed["positions"], &computed["source"]), (&18_434.into(), &"computed".into()));
    let refused = |position: &str| failure(db.path(), &["query", "long-global-nim", position]);
    for wrong in ["8{0}", "8{1,1}", "8{", "8{3..1}", "8}", "8{x}", "8{1}2", "8{1}/2"] {
        assert!(
            refused(wrong).contains("set of moves") || refused(wrong).contains("'8}'"),
            "{wrong}"
        );
    }
    assert!(refused("100000").contains("beyond what can be searched"));
    assert!(failure(db.path(), &["query", "nim", "8{1}"]).contains("does not remember"));
    let large = ["build", "--games", "long-global-nim", "--length", "1", "--max-pile"];
    assert!(
        failure(db.path(), &[&large[..], &["36"]].concat())
            .contains("a max pile of 1 to one of 35")
    );
    assert!(failure(db.path(), &[&large[..], &["35"]].concat()).contains("MiB of memory"));
    let plan = json(db.path(), &["plan", "--games", "long-global-nim", "--max-pile", "64"]);
    let sizes: Vec<&Value> = plan.iter().map(|table| &table["max_pile"]).collect();
    assert_eq!(sizes, [28, 16, 11, 9]);
    let csv = ["export", "long-global-nim", "--max-pile", "4", "--length", "1", "--format", "csv"];
    let csv = stdout(db.path(), &csv);
    assert_eq!((csv.lines().count(), csv.lines().nth(3)), (31, Some("2,,0")));
    assert_eq!(csv.lines().next(), Some("a,moves,g"));
    let bfile =
        ["export", "long-global-nim", "--max-pile", "40", "--length", "1", "--format", "bfile"];
    assert!(stdout(db.path(), &bfile).ends_with("35 7\n36 8\n37 8\n38 8\n39 8\n40 8\n"));
}

#[test]
fn the_conjecture_is_proved_and_checked_again() {
    let db = small_database();
    let found = &json(db.path(), &["diff", "lgn.conj34", "--to", "120"])[0];
    assert_eq!((&found["verdict"], &found["checked"]), (&"holds".into(), &120.into()));
    assert!(
        found["range"].as_str().is_some_and(|range| range.ends_with("holds to 120 (certified)"))
    );
    let file = db.path().join("conj34.cert");
    let path = file.to_str().expect("a path");
    let first = fs::read(&file).expect("a certificate");
    let checked = stdout(db.path(), &["verify", "--certificate", path]);
    assert!(checked.contains("proves the conjecture for n = 1 to 120"), "{checked}");
    // Further from there, and the same from nothing.
    stdout(db.path(), &["diff", "lgn.conj34", "--to", "200"]);
    let further = json(db.path(), &["verify", "--certificate", path]);
    assert_eq!((&further[0]["bound"], &further[0]["first_gap"]), (&200.into(), &Value::Null));
    let other = db.path().join("other.cert");
    let other_path = other.to_str().expect("a path");
    stdout(db.path(), &["diff", "lgn.conj34", "--to", "120", "--certificate", other_path]);
    assert_eq!(fs::read(&other).expect("a certificate"), first);
    // A damaged one is neither believed nor gone on from.
    let mut bytes = first.clone();
    bytes[40] ^= 1;
    fs::write(&other, &bytes).expect("written");
    assert!(
        failure(db.path(), &["verify", "--certificate", other_path]).contains("proves nothing")
    );
    let again = ["diff", "lgn.conj34", "--to", "130", "--certificate", other_path];
    assert!(failure(db.path(), &again).contains("delete it"));
    assert!(failure(db.path(), &["verify", "--certificate", "nowhere"]).contains("nowhere"));
    let far = failure(db.path(), &["diff", "lgn.conj34", "--to", "400000", "--seconds", "inf"]);
    assert!(far.contains("at most 60000"), "{far}");
    let none = failure(db.path(), &["diff", "lgn.thm24", "--to", "0"]);
    assert!(none.contains("from 1 to"), "{none}");
    let other = failure(db.path(), &["diff", "lgn.thm24", "--max-pile", "9"]);
    assert!(other.contains("--max-pile"), "{other}");
    let small = ["--memory", "1K", "verify", "--certificate", path];
    assert!(failure(db.path(), &small).contains("memory"));
    let not_there = ["diff", "lgn.thm24", "--certificate", other_path];
    assert!(failure(db.path(), &not_there).contains("not among the claims"));
}

#[test]
fn exports_and_pictures() {
    let db = small_database();
    let export = |args: &[&str]| stdout(db.path(), &[&["export"], args].concat());
    let csv = export(&["end-nim", "--max-pile", "3", "--length", "2", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 10);
    assert!(csv.starts_with("a,b,g\n1,1,0\n1,2,3\n"), "{csv}");
    let text = ["end-nim", "--max-pile", "3", "--length", "2", "--format", "csv", "--text"];
    let text = export(&text);
    assert!(text.starts_with("position,g\n\"1,1\",0\n\"1,2\",3\n"), "{text}");
    let csv = export(&["nim", "--max-pile", "3", "--length", "2", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 7);
    let csv = export(&["partizan-end-nim", "--max-pile", "2", "--length", "2", "--format", "csv"]);
    assert!(csv.starts_with("a,b,outcome\n") && csv.contains("1,2,R\n2,1,L\n"), "{csv}");
    let heap = ["short-global-nim", "--max-pile", "5", "--length", "1", "--format"];
    assert!(export(&[&heap[..], &["csv"]].concat()).ends_with("4,3,1 4\n5,3,5\n"));
    assert_eq!(export(&[&heap[..], &["bfile"]].concat()), "0 0\n1 1\n2 1\n3 2\n4 3\n5 3\n");
    let bfile = export(&["end-nim", "--max-pile", "2", "--format", "bfile"]);
    assert_eq!(bfile, "1 0\n2 3\n3 3\n");
    let latex = export(&["end-nim", "--max-pile", "2", "--middle", "4", "--format", "latex"]);
    assert!(latex.contains("2 & 1 & 0 \\\\"), "{latex}");
    let file = db.path().join("values.npy");
    let path = file.to_str().expect("a path");
    export(&["end-nim", "--max-pile", "4", "--length", "3", "--format", "npy", "-o", path]);
    let bytes = fs::read(&file).expect("written");
    assert_eq!(bytes.len(), 128 + 64);
    assert!(bytes.starts_with(b"\x93NUMPY\x01\x00") && bytes[127] == b'\n');
    // 1,2,3 has value 2: index (0, 1, 2).
    assert_eq!(bytes[128 + 4 + 2], 2);
    let picture = db.path().join("picture.png");
    let path = picture.to_str().expect("a path");
    stdout(db.path(), &["plot", "short-global-nim", "--to", "300", path]);
    assert!(fs::read(&picture).expect("written").starts_with(b"\x89PNG"));
    let tile = ["plot", "end-nim", "--middle", "4", "--max-pile", "20", "--differences", path];
    stdout(db.path(), &tile);
    export(&["nim", "--max-pile", "9", "--format", "png", "-o", path]);
    let refused = |args: &[&str], part: &str| {
        let message = failure(db.path(), args);
        assert!(message.contains(part), "{message}");
    };
    refused(&["plot", "partizan-end-nim", path], "no values to draw");
    refused(&["plot", "nim", "--middle", "3", path], "leave --middle out");
    refused(
        &["export", "end-nim", "--max-pile", "9", "--length", "4", "--format", "bfile"],
        "b-file",
    );
    refused(&["export", "end-nim", "--max-pile", "99", "--format", "latex"], "1 to 64");
    refused(&["plot", "end-nim", "tile.gif"], ".png or .svg");
    let svg = db.path().join("tile.svg");
    let path = svg.to_str().expect("a path");
    stdout(db.path(), &["plot", "end-nim", "--middle", "4", "--max-pile", "20", path]);
    let drawn = fs::read_to_string(&svg).expect("text");
    assert!(drawn.starts_with("<svg") && drawn.contains("end-nim: G(a,4,b)</text>"), "{drawn}");
    assert!(drawn.contains("href=\"data:image/png;base64,iVBOR"));
    refused(
        &["export", "end-nim", "--max-pile", "400", "--length", "5", "--format", "csv"],
        "too many",
    );
}
