//! Tests `tasks`, `task` and `finish`. Any processes may run the tasks, in any order and any number
//! of times. `finish` gives the same result as one run of the undivided command.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use grundy::Game;
use grundy_testing::cases::cases;
use grundy_testing::database::shard;
#[cfg(unix)]
use grundy_testing::database::spoil;
use grundy_testing::files::{files, sealed};
use grundy_testing::program::{Folder, text};
use serde_json::Value;

const BUILD: &str = "build --max-pile 8 --length 5 --heap 100";
const FINISH: &str = "finish --file TASKS";

/// Returns the output of a command that must end with this code.
fn prints(folder: &Folder, line: &str, code: i32) -> String {
    let output = folder.run(line);
    assert_eq!(output.status.code(), Some(code), "{line}: {}", text(&output.stderr));
    text(&output.stdout)
}

/// Returns the one-line message of a command that ends with code 2.
fn refuses(folder: &Folder, line: &str) -> String {
    let said = folder.refused(line, 2);
    assert_eq!(said.lines().count(), 1, "{line}: {said}");
    said
}

/// Writes the lines of a plan into TASKS; returns their number.
fn plan(folder: &Folder, command: &str, parts: u32) -> usize {
    let lines = folder.text(&format!("tasks --parts {parts} {command}"));
    folder.write("TASKS", &lines);
    lines.lines().count()
}

fn do_all(folder: &Folder, tasks: usize) {
    for index in (0..tasks).rev() {
        let threads = 1 + index % 3;
        folder.text(&format!("task --file TASKS --index {index} --threads {threads}"));
    }
}

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

fn published(folder: &Folder, db: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = files(&folder.at(db));
    all.remove(Path::new("lock"));
    all
}

fn flip_in_the_middle(path: &Path) {
    let mut bytes = fs::read(path).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(path, bytes).expect("written");
}

#[test]
fn a_build_by_tasks_is_a_build() {
    let folder = Folder::after(&format!("{BUILD} --db whole"));
    let whole = published(&folder, "whole");
    for parts in [1, 2, 7, 64] {
        let tasks = plan(&folder, BUILD, parts);
        assert_eq!(tasks, parts as usize);
        let lines = text(&folder.read("TASKS"));
        // An empty task writes no shard, so nothing of it is left to do.
        let (empty, full): (Vec<&str>, Vec<&str>) =
            lines.split_inclusive('\n').partition(|line| line.contains("\"writes\":[]"));
        assert!(!full.is_empty() && (parts < 64 || !empty.is_empty()));
        assert_eq!(folder.text("finish --file TASKS --left"), full.concat());
        do_all(&folder, tasks);
        assert!(!folder.at("db/manifest.json").exists());
        assert_eq!(folder.text("finish --file TASKS --left"), "");
        folder.text(FINISH);
        assert!(published(&folder, "db") == whole);
        // A finished task is not run again.
        assert!(folder.text("task --file TASKS --index 0").starts_with("was done"));
        assert!(folder.text(FINISH).starts_with("nothing to publish"));
        // Spot checks choose and count only the tasks that build something.
        let told = &folder.json(&format!("{FINISH} --recheck 64 --seed 7"))[0]["recheck"];
        let full = Value::from(full.len());
        assert_eq!((&told["tasks"], &told["rechecked"]), (&full, &full));
        let tasks = lines.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut writes: Vec<PathBuf> = tasks
            .flat_map(|task| task["writes"].as_array().expect("a list").clone())
            .map(|path| path.as_str().expect("a path").into())
            .collect();
        writes.sort();
        let shards = whole.keys().filter(|path| path.extension().is_some_and(|end| end == "zst"));
        assert!(shards.eq(&writes));
        fs::remove_dir_all(folder.at("db")).expect("removed");
    }
}

/// In a shared folder another user may replace a result by a link. The next result replaces the
/// link, not its target. `finish` refuses a sound shard that no task built.
#[test]
#[cfg(unix)]
fn shared_folders_are_safe() {
    let folder = Folder::new();
    let tasks = plan(&folder, "build --max-pile 9 --length 2 --games end-nim", 1);
    assert_eq!(tasks, 1);
    let task = "task --file TASKS --index 0 --results results";
    folder.text(task);
    let result = files(&folder.at("results")).into_keys().next().expect("a result");
    let result = folder.at("results").join(result);
    let said = fs::read(&result).expect("a result");
    fs::remove_file(&result).expect("removed");
    folder.write("precious", "");
    std::os::unix::fs::symlink("../precious", &result).expect("a link");
    fs::remove_dir_all(folder.at("db")).expect("removed");
    folder.text(task);
    assert!(!result.is_symlink() && folder.read("precious").is_empty());
    assert!(fs::read(&result).expect("a result") == said);

    folder.text(FINISH);
    let _ = spoil(&folder.at("db"), "end-nim/n9/k2", 0, |value| value + 1);
    fs::remove_file(folder.at("db/manifest.json")).expect("removed");
    assert!(refuses(&folder, FINISH).contains("differs from the shard that its task built"));
    assert!(!folder.at("db/manifest.json").exists());
}

/// Each node builds into its own folder. The manifest comes from the results alone.
#[test]
fn shards_may_be_stored_elsewhere() {
    let folder = Folder::after(&format!("{BUILD} --db whole"));
    let tasks = plan(&folder, BUILD, 7);
    assert!(refuses(&folder, "finish --file TASKS --from-results").contains("are not done"));
    for index in 0..tasks {
        let db = format!("node-{index}");
        let task = format!("task --file TASKS --index {index} --results results --db {db}");
        let said = &folder.json(&task)[0];
        assert_eq!(said["kept"], false);
        for shard in said["shards"].as_array().expect("a list") {
            let path = folder.at(&db).join(shard["path"].as_str().expect("a path"));
            assert_eq!(fs::metadata(path).expect("there").len(), shard["bytes"]);
        }
    }
    folder.text("finish --file TASKS --from-results");
    assert!(folder.read("db/manifest.json") == folder.read("whole/manifest.json"));
    let here = refuses(&folder, "finish --file TASKS --db empty");
    assert!(here.contains("is missing or damaged"), "{here}");
}

#[test]
fn combined_results_are_those_of_one_run() {
    let listed = cases(include_str!("tasks.txt"), "divided").into_iter();
    let listed = listed.map(|(_, [code, command])| (code.parse().expect("a code"), command.into()));
    let each =
        Game::all().map(|game| (0, format!("check {game} 'P -> k == 2' --max-pile 9 --length 2")));
    let folder = Folder::new();
    for (code, command) in listed.chain(each) {
        let whole = without_time(&prints(&folder, &format!("{command} --json"), code));
        for parts in [1, 2, 7, 64] {
            let tasks = plan(&folder, &command, parts);
            assert!(tasks <= parts as usize);
            do_all(&folder, tasks);
            let said = prints(&folder, &format!("{FINISH} --db none --json"), code);
            assert_eq!(without_time(&said), whole, "{command} in {parts}");
        }
    }
}

/// Task lines contain the rules, so the nodes and `finish` need no rule file.
#[test]
fn tasks_contain_rule_files() {
    let folder = Folder::new();
    folder.text("game --new own");
    for command in [
        "check own.game 'g < 99' --length 1..3 --max-pile 9",
        "build --games ./own.game,nim --max-pile 8 --length 2",
    ] {
        let is_build = command.starts_with("build");
        let db = if is_build { "--db whole" } else { "" };
        let whole = without_time(&prints(&folder, &format!("{command} --json {db}"), 0));
        let tasks = plan(&folder, command, 3);
        fs::rename(folder.at("own.game"), folder.at("aside")).expect("renamed");
        do_all(&folder, tasks);
        let said = without_time(&prints(&folder, &format!("{FINISH} --json"), 0));
        assert!(is_build || said == whole, "{said}");
        let lines = text(&folder.read("TASKS")).replace("your name", "my name");
        folder.write("TASKS", &lines);
        assert!(refuses(&folder, FINISH).contains("its plan differs"));
        fs::rename(folder.at("aside"), folder.at("own.game")).expect("renamed");
    }
    assert!(published(&folder, "db") == published(&folder, "whole"));
}

/// The shards of a published build are checked again.
#[test]
fn a_published_shard_that_was_damaged_is_built_again() {
    let folder = Folder::after(BUILD);
    let shard = shard(&folder.at("db"), "nim/n8/k2");
    let sound = fs::read(&shard).expect("read");
    flip_in_the_middle(&shard);
    let tasks = plan(&folder, BUILD, 3);
    let said = refuses(&folder, FINISH);
    assert!(said.contains("nim-n8-k2-00000.zst is missing"), "{said}");
    do_all(&folder, tasks);
    folder.text(FINISH);
    assert!(fs::read(&shard).expect("read") == sound);
}

/// Edits a file and renews its seal.
fn forge(folder: &Folder, path: &str, edit: impl Fn(&str) -> String) {
    folder.write(path, sealed(&edit(&text(&folder.read(path)))));
}

/// Returns a text with every field of this name set to a value.
fn with(said: &str, field: &str, value: &str) -> String {
    let field = format!("\"{field}\":");
    let mut pieces = said.split(&field);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |before, piece| {
        let behind = piece.find([',', '\n', '}']).expect("more");
        format!("{before}{field}{value}{}", &piece[behind..])
    })
}

/// Sums of seconds stay finite, even if the seconds in a file are huge. Any other wrong number
/// makes a checkpoint invalid, and the error names the table.
#[test]
fn seconds_stay_finite_and_a_wrong_checkpoint_is_named() {
    for (command, table) in [
        ("check end-nim 'g >= 0' --length 6 --max-pile 4", "end-nim/n4/k6"),
        ("diff ch.thm2.1 --games end-nim --length 6 --max-pile 4", "end-nim/n4/k1"),
    ] {
        let folder = Folder::new();
        let tasks = plan(&folder, command, 2);
        assert_eq!(tasks, 2, "{command}");
        do_all(&folder, tasks);
        for name in files(&folder.at("results")).keys() {
            let path = format!("results/{}", name.display());
            forge(&folder, &path, |said| with(said, "seconds", "1e308"));
        }
        folder.text(FINISH);
        assert!(folder.json(FINISH)[0]["seconds"].as_f64() > Some(1e9), "{command}");
        let kept = format!("{command} --checkpoint kept");
        folder.text(&kept);
        for _ in 0..2 {
            forge(&folder, "kept", |said| with(said, "seconds", "1e308"));
            folder.text(&kept);
        }
        forge(&folder, "kept", |said| with(said, "checked", &u64::MAX.to_string()));
        let said = refuses(&folder, &kept);
        let wrong = format!("grundy: the checkpoint is invalid at {table}: ");
        assert!(said.starts_with(&wrong) && said.contains("; delete it"), "{said}");
    }
}

/// The test writes results with a valid digest and false contents.
#[test]
fn forged_results_are_refused() {
    let folder = Folder::new();
    folder.text("build --max-pile 3 --length 1 --games nim");
    for (_, [command, from, to]) in cases(include_str!("tasks.txt"), "forged") {
        plan(&folder, command, 1);
        let (db, more) = match command.starts_with("build") {
            true => ("elsewhere", "--from-results"),
            false => ("db", ""),
        };
        folder.text(&format!("task --file TASKS --index 0 --db {db} --results forged"));
        let task: Value = serde_json::from_slice(&folder.read("TASKS")).expect("a task");
        let path = format!("forged/{}.json", task["id"].as_str().expect("a name"));
        forge(&folder, &path, |said| {
            assert!(said.contains(from), "{command}: {said}");
            said.replacen(from, to, 1)
        });
        refuses(&folder, &format!("{FINISH} --results forged --db {db} {more}"));
        fs::remove_dir_all(folder.at("forged")).expect("removed");
    }
    assert!(!folder.at("elsewhere/manifest.json").exists());
}

/// A sample of all tasks finds any false result under a right digest; a smaller sample finds it
/// with the stated probability, and each seed chooses the same tasks again.
#[test]
fn tasks_that_are_computed_again_find_forged_results() {
    for (_, [command, from, to]) in cases(include_str!("tasks.txt"), "false but possible") {
        let folder = Folder::new();
        let is_build = command.starts_with("build");
        let tasks = plan(&folder, command, 8);
        let lines = text(&folder.read("TASKS"));
        let full = lines.lines().filter(|line| !line.contains("\"what\":\"nothing: ")).count();
        assert!(full > 4, "{command}");
        for index in 0..tasks {
            folder.text(&format!("task --file TASKS --index {index} --results results"));
        }
        let finish = match is_build {
            true => "finish --file TASKS --results results --from-results --db elsewhere",
            false => FINISH,
        };
        let sound = folder.run(&format!("{finish} --recheck 100%"));
        let (code, said) = (sound.status.code(), text(&sound.stderr));
        assert!(said.contains(&format!("computed {full} of {full} tasks again")), "{said}");
        let told = folder.json(&format!("{finish} --recheck 2 --seed 7"));
        let told = &told[0]["recheck"];
        assert_eq!((&told["rechecked"], &told["seed"]), (&2.into(), &7.into()));
        assert_eq!(told["finds_one"].as_f64(), Some(2.0 / full as f64));
        if is_build {
            fs::remove_file(folder.at("elsewhere/manifest.json")).expect("removed");
        }
        let task: Value =
            serde_json::from_str(lines.lines().nth(3).expect("a line")).expect("JSON");
        forge(&folder, &format!("results/{}.json", task["id"].as_str().expect("text")), |said| {
            assert!(said.contains(from), "{command}: {said}");
            said.replacen(from, to, 1)
        });
        let half = full.div_ceil(2);
        let found = (0..16).filter(|seed| {
            let output = folder.run(&format!("{finish} --recheck 50% --seed {seed}"));
            let again = folder.run(&format!("{finish} --recheck {half} --seed {seed}"));
            assert_eq!(output.status.code(), again.status.code(), "{command}");
            let said = text(&output.stderr);
            let is_found = said.contains(&format!("1 of {half} tasks that were computed again"))
                && said.contains(task["id"].as_str().expect("text"));
            assert_eq!(output.status.code(), if is_found { Some(2) } else { code }, "{said}");
            if is_build && !is_found {
                fs::remove_file(folder.at("elsewhere/manifest.json")).expect("removed");
            }
            is_found
        });
        // A sample of half of the tasks has the forged task for about every second seed.
        assert!((1..=16).contains(&found.count()), "{command}");
        let said = refuses(&folder, &format!("{finish} --recheck 100%"));
        assert!(said.contains("publishes nothing"), "{said}");
        assert!(!folder.at("elsewhere/manifest.json").exists());
        assert!(!folder.at("elsewhere/again.tmp").exists());
    }
}

/// The test edits tasks and results. It also uses tasks and results of another plan.
#[test]
fn edited_or_foreign_tasks_are_refused() {
    let folder = Folder::new();
    let tasks = plan(&folder, "diff ch.thm2.1 --max-pile 6 --length 5", 3);
    let lines = text(&folder.read("TASKS"));
    let first = lines.lines().next().expect("a line");
    let task: Value = serde_json::from_str(first).expect("JSON");
    for (_, [field, value, said]) in cases(include_str!("tasks.txt"), "edited") {
        let mut task = task.clone();
        task[field] = serde_json::from_str(value).expect("JSON");
        folder.write("EDITED", task.to_string());
        let id = task["id"].as_str().unwrap_or_default();
        for line in [&format!("task --file EDITED --id '{id}'"), "finish --file EDITED"] {
            let found = refuses(&folder, line);
            assert!(found.contains(said), "{task}: {found}");
        }
        assert!(!folder.at("results").exists());
    }

    do_all(&folder, tasks);
    let whole = without_time(&folder.text("finish --file TASKS --json"));
    let path = format!("results/{}.json", task["id"].as_str().expect("text"));
    let sound = text(&folder.read(&path));
    let results = files(&folder.at("results"));
    let other = results.iter().find(|(name, _)| !path.ends_with(&*name.to_string_lossy()));
    let other = text(other.expect("another").1);
    let id = other.split('"').find(|word| word.starts_with("diff-")).expect("an id");
    let spoilt = [
        (sound.replace("\"cells\":", "\"cells\":1"), "its content does not match its digest"),
        (sound[..sound.len() - 1].to_owned(), "it has no digest at its end"),
        (String::new(), "it has no digest at its end"),
        ("[".repeat(100_000), "it has no digest at its end"),
        (other.clone(), &format!("it is the result of {id} instead of ")),
    ];
    for (spoilt, said) in spoilt {
        folder.write(&path, spoilt);
        let found = refuses(&folder, FINISH);
        assert!(found.contains("are not done") && found.contains(said), "{said}: {found}");
        assert_eq!(folder.text("finish --file TASKS --left"), format!("{first}\n"));
        // Running the task again repairs the result.
        folder.text("task --file TASKS --index 0");
        assert_eq!(without_time(&folder.text("finish --file TASKS --json")), whole);
    }

    // The file TWO has the tasks of two plans. The file ONE has only some tasks of one plan.
    plan(&folder, "diff ch.thm2.1 --max-pile 7 --length 5", 3);
    folder.write("TWO", lines.clone() + &text(&folder.read("TASKS")));
    folder.write("ONE", first);
    for (line, said) in [
        ("finish --file TWO", "tasks of two plans".to_owned()),
        ("task --file TWO --index 0", "choose one with --id".to_owned()),
        ("finish --file ONE", format!("has 1 of the {tasks} tasks of its plan")),
    ] {
        let found = refuses(&folder, line);
        assert!(found.contains(&said), "{found}");
    }
}
