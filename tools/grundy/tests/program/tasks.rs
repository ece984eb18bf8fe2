//! The contract of `tasks`, `task` and `finish`: whoever does the tasks, in whatever order, and however
//! often, what `finish` publishes or prints is what one run of the command would have.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use assert_cmd::cargo::cargo_bin;
use grundy::Game;
use serde_json::Value;

fn grundy(folder: &Path, words: &[&str]) -> Output {
    Command::new(cargo_bin("grundy"))
        .current_dir(folder)
        .args(words)
        .stdin(Stdio::null())
        .output()
        .expect("the program starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What a command prints, which is to end with this code.
fn prints(folder: &Path, words: &[&str], code: i32) -> String {
    let output = grundy(folder, words);
    assert_eq!(output.status.code(), Some(code), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// The one line in which a command says why it ends with code 2.
fn refuses(folder: &Path, words: &[&str]) -> String {
    let output = grundy(folder, words);
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{words:?}: {said}");
    assert!(output.stdout.is_empty(), "{words:?}");
    said
}

/// Writes the lines of a plan into TASKS; how many there are.
fn plan(folder: &Path, command: &[&str], parts: u32) -> usize {
    let parts = parts.to_string();
    let lines = prints(folder, &[&["tasks"], command, &["--parts", &parts]].concat(), 0);
    fs::write(folder.join("TASKS"), &lines).expect("written");
    lines.lines().count()
}

/// Does all tasks of TASKS, the last one first.
fn do_all(folder: &Path, tasks: usize) {
    for index in (0..tasks).rev() {
        let (index, threads) = (index.to_string(), (1 + index % 3).to_string());
        prints(folder, &["task", "--file", "TASKS", "--index", &index, "--threads", &threads], 0);
    }
}

/// What is printed, without how long it took.
fn without_time(said: &str) -> String {
    let lines = said.lines().map(|line| {
        let Ok(mut value) = serde_json::from_str::<Value>(line) else { return line.to_owned() };
        for name in ["seconds", "rate"] {
            if let Some(time) = value.get_mut(name) {
                *time = Value::Null;
            }
        }
        value.to_string()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for file in fs::read_dir(next).expect("a folder") {
            let path = file.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
            } else if !path.ends_with("lock") {
                let name = path.strip_prefix(folder).expect("below").to_owned();
                all.insert(name, fs::read(&path).expect("read"));
            }
        }
    }
    all
}

const BUILD: [&str; 5] = ["build", "--max-pile", "8", "--heap", "100"];

#[test]
fn a_build_by_tasks_is_a_build() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    prints(folder, &[&["--db", "whole"], &BUILD[..]].concat(), 0);
    let whole = files(&folder.join("whole"));
    for parts in [1, 2, 7, 64] {
        let tasks = plan(folder, &BUILD, parts);
        assert!(0 < tasks && tasks <= parts as usize);
        let lines = fs::read_to_string(folder.join("TASKS")).expect("read");
        assert_eq!(prints(folder, &["finish", "--file", "TASKS", "--left"], 0), lines);
        do_all(folder, tasks);
        assert!(!folder.join("db/manifest.json").exists());
        assert_eq!(prints(folder, &["finish", "--file", "TASKS", "--left"], 0), "");
        prints(folder, &["finish", "--file", "TASKS"], 0);
        assert!(files(&folder.join("db")) == whole);
        // Done is done.
        let again = prints(folder, &["task", "--file", "TASKS", "--index", "0"], 0);
        assert!(again.starts_with("was done"), "{again}");
        let again = prints(folder, &["finish", "--file", "TASKS"], 0);
        assert!(again.starts_with("nothing to publish"), "{again}");
        let writes: Vec<String> = lines
            .lines()
            .flat_map(|line| {
                let task: Value = serde_json::from_str(line).expect("JSON");
                task["writes"].as_array().expect("a list").clone()
            })
            .map(|path| path.as_str().expect("a path").to_owned())
            .collect();
        let shards = whole.keys().filter(|path| path.extension().is_some_and(|end| end == "zst"));
        let mut shards: Vec<String> = shards.map(|path| path.display().to_string()).collect();
        let mut sorted = writes.clone();
        sorted.sort();
        shards.sort();
        assert_eq!(sorted, shards);
        fs::remove_dir_all(folder.join("db")).expect("removed");
    }
}

/// Each node builds into a folder of its own; the manifest comes from what they report.
#[test]
fn shards_may_lie_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    prints(folder, &[&["--db", "whole"], &BUILD[..]].concat(), 0);
    let tasks = plan(folder, &BUILD, 7);
    let lacking = refuses(folder, &["finish", "--file", "TASKS", "--from-results"]);
    assert!(lacking.contains("are not done"), "{lacking}");
    for index in 0..tasks {
        let (index, db) = (index.to_string(), format!("node-{index}"));
        let words =
            ["task", "--file", "TASKS", "--index", &index, "--results", "results", "--json"];
        let said = prints(folder, &[&words[..], &["--db", &db]].concat(), 0);
        let said: Value = serde_json::from_str(&said).expect("JSON");
        assert_eq!(said["kept"], false);
        for shard in said["shards"].as_array().expect("a list") {
            let path = folder.join(&db).join(shard["path"].as_str().expect("a path"));
            assert_eq!(fs::metadata(path).expect("there").len(), shard["bytes"]);
        }
    }
    prints(folder, &["finish", "--file", "TASKS", "--from-results"], 0);
    let manifest = |db: &str| fs::read(folder.join(db).join("manifest.json")).expect("read");
    assert!(manifest("db") == manifest("whole"));
    let here = refuses(folder, &["--db", "empty", "finish", "--file", "TASKS"]);
    assert!(here.contains("is missing, or not what it should be"), "{here}");
}

/// Results put together say what one run says, for one to many tasks.
fn assert_merges(folder: &Path, command: &[&str], code: i32) {
    let empty = ["--db", "none"];
    let whole =
        |more: &[&str]| without_time(&prints(folder, &[&empty, command, more].concat(), code));
    for parts in [1, 2, 7, 64] {
        let tasks = plan(folder, command, parts);
        assert!(tasks <= parts as usize);
        do_all(folder, tasks);
        let said = prints(folder, &["--db", "none", "finish", "--file", "TASKS", "--json"], code);
        assert_eq!(without_time(&said), whole(&["--json"]), "{command:?} in {parts}");
    }
}

#[test]
fn a_diff_by_tasks_is_a_diff() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    assert_merges(
        folder,
        &["diff", "--max-pile", "6", "--length", "5", "ch.", "end.", "an.prop1"],
        0,
    );
    assert_merges(folder, &["diff", "partizan.", "bouton.", "--max-pile", "5", "--length", "4"], 0);
    assert_merges(folder, &["diff", "gn.thm2", "gn.prop19", "gn.cor21", "--to", "60"], 0);
}

#[test]
fn questions_by_tasks_are_questions() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let fails = ["check", "end-nim", "g == 1 -> first == last", "--max-pile", "9", "--show", "5"];
    assert_merges(folder, &[&fails[..], &["--length", "1..5"]].concat(), 1);
    let looks_up = ["check", "loop-end-nim", "P -> g(p1 + 1, p2, p3) > 0", "--max-pile", "16"];
    assert_merges(folder, &looks_up, 0);
    let partizan = ["check", "partizan-end-nim", "k % 2 == 0 -> not N", "--length", "1..5"];
    assert_merges(folder, &[&partizan[..], &["--max-pile", "6"]].concat(), 0);
    assert_merges(
        folder,
        &["check", "nim", "g == xor(piles)", "--length", "1..3", "--max-pile", "9"],
        0,
    );
    let find = ["find", "end-nim", "P and first > 1", "--length", "1..4", "--max-pile", "9"];
    assert_merges(folder, &find, 0);
    assert_merges(folder, &[&find[..], &["--first", "17"]].concat(), 0);
    assert_merges(folder, &[&find[..], &["--count"]].concat(), 0);
    assert_merges(folder, &["find", "long-global-nim", "P", "--length", "1", "--max-pile", "6"], 0);
    assert_merges(
        folder,
        &["find", "nim", "P", "--length", "3", "--max-pile", "9", "--convention", "misere"],
        0,
    );
}

#[test]
fn counts_by_tasks_are_counts() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let sizes = |game, max_pile, length| {
        assert_merges(folder, &["stats", game, "--max-pile", max_pile, "--length", length], 0);
    };
    sizes("end-nim", "9", "6");
    sizes("partizan-end-nim", "7", "5");
    for game in Game::all() {
        sizes(game.id(), "9", "2");
    }
    sizes("short-global-nim", "50", "1");
    assert_merges(
        folder,
        &["stats", "nim", "--max-pile", "9", "--length", "3", "--convention", "misere"],
        0,
    );
}

#[test]
fn a_verification_by_tasks_is_a_verification() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    prints(folder, &BUILD, 0);
    let verify = |code: i32| {
        let run = |words: &[&str]| {
            let output = grundy(folder, words);
            assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
            (without_time(&text(&output.stdout)), text(&output.stderr))
        };
        let whole = run(&["verify", "--full", "--json"]);
        for parts in [1, 7] {
            let tasks = plan(folder, &["verify", "--full"], parts);
            do_all(folder, tasks);
            assert_eq!(run(&["finish", "--file", "TASKS", "--json"]), whole, "in {parts}");
        }
        fs::remove_dir_all(folder.join("results")).expect("removed");
    };
    verify(0);
    for game in ["nim", "end-nim", "short-global-nim"] {
        let id = format!("{game}/n8/k2");
        let shard = folder.join("db").join(&id).join(format!("{}-00000.zst", id.replace('/', "-")));
        let mut bytes = fs::read(&shard).expect("read");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&shard, bytes).expect("written");
    }
    verify(1);
}

/// What was found of bytes once says nothing of what they are now.
#[test]
fn a_verification_is_of_its_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    prints(folder, &BUILD, 0);
    let verify = |code: i32| {
        let tasks = plan(folder, &["verify", "nim"], 3);
        do_all(folder, tasks);
        prints(folder, &["finish", "--file", "TASKS"], code);
    };
    verify(0);
    let shard = folder.join("db/nim/n8/k2/nim-n8-k2-00000.zst");
    let sound = fs::read(&shard).expect("read");
    let mut bytes = sound.clone();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&shard, bytes).expect("written");
    verify(1);
    // A build that was published is looked at again, too.
    let tasks = plan(folder, &BUILD, 3);
    let said = refuses(folder, &["finish", "--file", "TASKS"]);
    assert!(said.contains("nim-n8-k2-00000.zst is missing"), "{said}");
    do_all(folder, tasks);
    prints(folder, &["finish", "--file", "TASKS"], 0);
    assert!(fs::read(&shard).expect("read") == sound);
    verify(0);
}

/// Results whose digest is right, because whoever made them made that, too.
#[test]
fn what_cannot_be_is_not_believed() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let forged = |command: &[&str], finish: &[&str], from: &str, to: &str| {
        plan(folder, command, 1);
        let done = [&["task", "--file", "TASKS", "--index", "0"], finish].concat();
        prints(folder, &[&done[..], &["--results", "forged"]].concat(), 0);
        let line = fs::read_to_string(folder.join("TASKS")).expect("read");
        let task: Value = serde_json::from_str(&line).expect("a task");
        let id = task["id"].as_str().expect("a name");
        let path = folder.join("forged").join(format!("{id}.json"));
        let whole = fs::read_to_string(&path).expect("read");
        let (said, _) = whole.rsplit_once("\n  \"blake3\": ").expect("a seal");
        assert!(said.contains(from), "{command:?}: {said}");
        let said = said.replacen(from, to, 1) + "\n  \"blake3\": \"";
        let digest = blake3::hash(said.as_bytes()).to_hex();
        fs::write(&path, format!("{said}{digest}\"\n}}\n")).expect("written");
        let more: &[&str] = if command[0] == "build" { &["--from-results"] } else { &[] };
        let words = ["finish", "--file", "TASKS", "--results", "forged"];
        refuses(folder, &[&words[..], finish, more].concat());
        fs::remove_dir_all(folder.join("forged")).expect("removed");
    };
    let build = ["build", "--max-pile", "3", "--length", "1", "--games", "nim"];
    let elsewhere = ["--db", "elsewhere"];
    forged(&build, &elsewhere, "\"blake3\":\"", "\"blake3\":\"x");
    forged(&build, &elsewhere, "\"bytes\":", "\"bytes\":0,\"more\":");
    forged(&build, &elsewhere, "-00000.zst", "-00001.zst");
    assert!(!folder.join("elsewhere/manifest.json").exists());
    let find = ["find", "end-nim", "P", "--length", "3", "--max-pile", "4"];
    forged(&find, &[], "[\"1,2,1\"", "[\"1,2,9\"");
    forged(&find, &[], "[\"1,2,1\"", "[\"1,2\"");
    let stats = ["stats", "end-nim", "--max-pile", "4", "--length", "3"];
    forged(&stats, &[], "\"values\":[", "\"values\":[1,");
    forged(&stats, &[], "\"first_maximum\":\"", "\"first_maximum\":\"9,");
    let sets = ["stats", "long-global-nim", "--max-pile", "4", "--length", "1"];
    forged(&sets, &[], "\"piles\":[", "\"piles\":[[18446744073709551615],");
    prints(folder, &build, 0);
    forged(&["verify"], &[], "\"shards\":1", "\"shards\":0");
    forged(&["verify"], &[], "\"shards\":1", "\"shards\":18446744073709551615");
}

/// Claims of one's own are not passed over in silence.
#[test]
fn claims_of_ones_own_are_not_cut_by_diff() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::create_dir(folder.join("claims")).expect("made");
    let claim =
        "name: own.ends\ngame: end-nim\nstatement: g == 0 -> first == last\nexpected: fails\n";
    fs::write(folder.join("claims/a.claim"), claim).expect("written");
    for command in [&["tasks", "diff"][..], &["tasks", "diff", "own.ends"]] {
        let said = refuses(folder, command);
        assert!(said.contains("claims of your own are cut by"), "{said}");
    }
}

/// What nobody but somebody's mistake, or worse, would hand in.
#[test]
fn what_is_not_ours_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let tasks = plan(folder, &["diff", "ch.thm2.1", "--max-pile", "6", "--length", "5"], 3);
    let lines = fs::read_to_string(folder.join("TASKS")).expect("read");
    let task: Value = serde_json::from_str(lines.lines().next().expect("a line")).expect("JSON");
    let with = |change: &dyn Fn(&mut Value)| {
        let mut task = task.clone();
        change(&mut task);
        fs::write(folder.join("EDITED"), task.to_string()).expect("written");
        let id = task["id"].as_str().unwrap_or_default().to_owned();
        let said = refuses(folder, &["task", "--file", "EDITED", "--id", &id]);
        let finish = refuses(folder, &["finish", "--file", "EDITED"]);
        assert!(!folder.join("results").exists());
        (said, finish)
    };
    let set = |name: &'static str, value: Value| {
        with(&move |task: &mut Value| task[name] = value.clone())
    };
    let not_its = |(said, finish): (String, String), what: &str| {
        assert!(said.contains(what) && finish.contains(what), "{said}{finish}");
    };
    not_its(set("id", "../../x".into()), "its id is not the one");
    not_its(set("id", "diff-0123456789abcdef-00000".into()), "its id is not the one");
    not_its(set("index", 1.into()), "its id is not the one");
    not_its(set("index", 99.into()), "its index is not the one");
    not_its(set("tasks", 9.into()), "its number of tasks is not the one");
    not_its(set("parts", 9.into()), "its plan is not the one");
    not_its(set("plan", "0".into()), "its plan is not the one");
    not_its(set("program", "grundy 0.0.9".into()), "was printed by grundy 0.0.9");
    not_its(set("format", 2.into()), "in format 2");
    not_its(set("more", 2.into()), "line 1 is not a task");
    not_its(set("kind", "build".into()), "its kind is not the one");
    not_its(set("what", "x".into()), "its description is not the one");
    not_its(set("writes", ["../../etc"].into_iter().collect()), "its list of files is not the one");
    not_its(set("run", "rm -r /".into()), "its line for doing it by hand is not the one");
    let json = ["diff", "--max-pile", "6", "--length", "5", "ch.thm2.1", "--json"];
    not_its(set("command", json.into_iter().collect()), "its command is not the one");
    let command = |words: &[&str]| set("command", words.iter().copied().collect());
    not_its(command(&["diff", "ch.thm2.2", "--max-pile", "6", "--length", "5"]), "its plan is not");
    not_its(command(&["status"]), "cannot be cut");
    not_its(command(&[]), "cannot be cut");
    not_its(command(&["diff", "--checkpoint", "../x"]), "leave out --checkpoint");
    not_its(command(&["build", "--max-pile", "4", "--db", "../x"]), "its plan is not the one");
    not_its(command(&["diff", "--frobnicate"]), "cannot be cut");

    do_all(folder, tasks);
    let whole = without_time(&prints(folder, &["finish", "--file", "TASKS", "--json"], 0));
    let path = folder.join("results").join(format!("{}.json", task["id"].as_str().expect("text")));
    let sound = fs::read_to_string(&path).expect("read");
    let other = fs::read_dir(folder.join("results"))
        .expect("a folder")
        .map(|file| file.expect("a file").path());
    let other = other.into_iter().find(|other| *other != path).expect("another");
    let spoilt = [
        sound.replace("\"cells\":", "\"cells\":1"),
        sound[..sound.len() - 1].to_owned(),
        String::new(),
        "[".repeat(100_000),
        fs::read_to_string(other).expect("read"),
    ];
    for spoilt in spoilt {
        fs::write(&path, spoilt).expect("written");
        let said = refuses(folder, &["finish", "--file", "TASKS"]);
        assert!(said.contains("are not done"), "{said}");
        let left = prints(folder, &["finish", "--file", "TASKS", "--left"], 0);
        assert_eq!(left, format!("{}\n", lines.lines().next().expect("a line")));
        // Doing it again mends it.
        prints(folder, &["task", "--file", "TASKS", "--index", "0"], 0);
        let finished = prints(folder, &["finish", "--file", "TASKS", "--json"], 0);
        assert_eq!(without_time(&finished), whole);
    }

    // Two plans in one file, and parts of one.
    let first = lines.lines().next().expect("a line");
    plan(folder, &["diff", "ch.thm2.1", "--max-pile", "7", "--length", "5"], 3);
    let theirs = fs::read_to_string(folder.join("TASKS")).expect("read");
    fs::write(folder.join("TWO"), format!("{lines}{theirs}")).expect("written");
    let said = refuses(folder, &["finish", "--file", "TWO"]);
    assert!(said.contains("tasks of two plans"), "{said}");
    let said = refuses(folder, &["task", "--file", "TWO", "--index", "0"]);
    assert!(said.contains("name one by --id"), "{said}");
    fs::write(folder.join("ONE"), first).expect("written");
    let said = refuses(folder, &["finish", "--file", "ONE"]);
    assert!(said.contains(&format!("has 1 of the {tasks} tasks of its plan")), "{said}");
}

/// Every game can be cut, whatever its tables are, and what is no map is one task a table.
#[test]
fn every_game_can_be_cut() {
    let folder = tempfile::tempdir().expect("a folder");
    for game in Game::all() {
        let command = ["build", "--max-pile", "9", "--length", "3", "--games", game.id()];
        let tasks = plan(folder.path(), &command, 1_000_000);
        assert!(tasks >= 3, "{game}: {tasks}");
    }
}
