//! Processes that meet: two builders and readers on one database, and rule files that somebody
//! edits while commands read them.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{scope, sleep};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use grundy_testing::cases::cases;
use grundy_testing::files::files;
use grundy_testing::program::{Folder, text};
use grundy_testing::random::Random;

use super::kills::CASES;

/// Returns the files of a database without its lock.
fn published(folder: &Folder) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = files(&folder.at("db"));
    all.retain(|path, _| !path.to_string_lossy().contains(".tmp-"));
    all.remove(&PathBuf::from("lock"));
    all
}

/// Starts two writers of one database at a time, `rounds` times, while readers look up and verify.
/// Sometimes a writer is killed. A writer that finds another one says so. In the end the database
/// equals the one that the same writers made one after another.
fn contend(rounds: usize) {
    let writers: Vec<&str> = cases(CASES, "rivals").into_iter().map(|(_, [line])| line).collect();
    let prepared = || {
        let folder = super::kills::workplace();
        fs::remove_dir_all(folder.at("db")).expect("removed");
        folder
    };
    let alone = prepared();
    writers.iter().for_each(|line| drop(alone.text(line)));
    let whole = published(&alone);
    let mut random = Random(1902);
    let (mut refused, mut done, mut killed) = (0, 0, 0);
    let read = AtomicUsize::new(0);
    for _ in 0..rounds {
        let (folder, is_over) = (prepared(), AtomicBool::new(false));
        scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    assert_eq!(folder.text("query end-nim 3,1,4 5,4,5"), "7\n0\n");
                    if folder.at("db/manifest.json").exists() {
                        folder.text("verify");
                        folder.text("status");
                    }
                    read.fetch_add(1, Ordering::Relaxed);
                }
            });
            for _ in 0..12 {
                let mut pick = || writers[random.number() as usize % writers.len()];
                let pair = [pick(), pick()];
                let begun = pair.map(|line| (line, folder.start(line)));
                if random.number().is_multiple_of(3) {
                    sleep(Duration::from_micros(random.number() % 60_000));
                    let _ = kill_process(Pid::from_child(&begun[0].1), Signal::KILL);
                }
                for (line, child) in begun {
                    let output = child.wait_with_output().expect("it ends");
                    let said = text(&output.stderr);
                    match output.status.code() {
                        Some(0) => done += 1,
                        Some(2) if said.contains("another ") => refused += 1,
                        None => killed += 1,
                        code => {
                            is_over.store(true, Ordering::Relaxed);
                            panic!("{line}: {code:?}: {said}");
                        }
                    }
                }
            }
            is_over.store(true, Ordering::Relaxed);
        });
        writers.iter().for_each(|line| drop(folder.text(line)));
        let found = published(&folder);
        let differing = whole.iter().filter(|file| found.get(file.0) != Some(file.1));
        let differing: Vec<_> = differing.map(|(path, _)| path).collect();
        assert!(differing.is_empty() && found.len() == whole.len(), "{differing:?}");
    }
    println!("{rounds} rounds: {done} done, {refused} refused, {killed} killed; none differs");
    println!("{} rounds of look-ups meanwhile, none wrong", read.into_inner());
}

/// The versions of a rule file. The last two are no rules.
const VERSIONS: [&str; 5] = [
    "name: own\ntitle: Own\npiles: heaps\nmove: i in 1..k, t in 1..min(2, piles[i]): piles[i] -= t\n",
    "name: own\ntitle: Own\npiles: heaps\nmove: i in 1..k, t in 1..min(3, piles[i]): piles[i] -= t\n",
    "name: own\ntitle: Own\npiles: row\nmove: i in 1..k, t in 1..min(2, piles[i]): piles[i] -= t\n",
    "name: own\ntitle: Own\npiles: heaps\nmove: i in 1..k, t in 1..",
    "",
];

/// Edits a rule file while commands of every kind read it. A table always has the rules of one
/// version, under the id of these rules, and every table of the database stays right.
fn edit(rounds: usize) {
    let lines = cases(CASES, "own rules").into_iter();
    let lines: Vec<&str> = lines.map(|(_, [line])| line).collect();
    let mut random = Random(1936);
    let (mut done, mut refused) = (0, 0);
    for _ in 0..rounds {
        let (folder, is_over) = (Folder::new(), AtomicBool::new(false));
        folder.write("own.game", VERSIONS[0]);
        let mut pick = |count: usize| random.number() as usize % count;
        let tries: Vec<(usize, usize)> =
            (0..16).map(|_| (pick(lines.len()), pick(30_000))).collect();
        scope(|scope| {
            // An editor that writes in place shows a half-written file, too.
            scope.spawn(|| {
                for version in VERSIONS.iter().cycle() {
                    fs::write(folder.at("own.game"), version).expect("written");
                    sleep(Duration::from_millis(3));
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
            for (kind, wait) in tries {
                let line = lines[kind];
                sleep(Duration::from_micros(wait as u64));
                let mut command = folder.command(line);
                // A task that was printed earlier has the rules of that time.
                if line.contains("TASKS") && !folder.at("TASKS").exists() {
                    continue;
                }
                let output = command.stdin(Stdio::null()).output().expect("it ends");
                let said = text(&output.stderr);
                match output.status.code() {
                    Some(0) => done += 1,
                    Some(1 | 2) if !said.contains("panicked") && said.len() > 20 => refused += 1,
                    code => {
                        is_over.store(true, Ordering::Relaxed);
                        panic!("{line}: {code:?}: {said}");
                    }
                }
                if line.starts_with("tasks") && output.status.success() {
                    folder.write("TASKS", &output.stdout);
                }
            }
            is_over.store(true, Ordering::Relaxed);
        });
        if folder.at("db/manifest.json").exists() {
            folder.text("verify --full");
        }
        for version in &VERSIONS[..3] {
            folder.write("own.game", version);
            let line = "build --games ./own.game --max-pile 12 --length 3";
            folder.text(line);
            let alone = Folder::new();
            alone.write("own.game", version);
            alone.text(line);
            let (all, expected) = (published(&folder), published(&alone));
            for (path, bytes) in expected.iter().filter(|(path, _)| path.extension().is_some()) {
                let is_list = path.ends_with("manifest.json");
                assert!(is_list || all.get(path) == Some(bytes), "{} differs", path.display());
            }
        }
        folder.text("verify --full");
    }
    println!("{rounds} rounds: {done} commands done, {refused} refused; no table differs");
}

#[test]
fn two_builders_and_a_reader_share_a_database() {
    contend(1);
}

#[test]
fn edited_rules_give_tables_of_one_version() {
    edit(1);
}

#[test]
#[ignore = "minutes: make door-storm"]
fn many_builders_and_readers() {
    contend(40);
}

#[test]
#[ignore = "minutes: make door-storm"]
fn many_edits() {
    edit(60);
}
