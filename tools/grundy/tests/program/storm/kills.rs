//! Kills builds of every kind at random moments, resumes them, and kills them again, while other
//! processes read.
//!
//! The final files equal those of an undisturbed build in every byte. Look-ups and verifications
//! before, between and after the kills are always right, because builds do not affect readers.

use std::collections::BTreeMap;
use std::fs::{remove_dir_all, remove_file};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use grundy_testing::cases::cases;
use grundy_testing::files::files;
use grundy_testing::program::{Folder, text};
use grundy_testing::random::Random;

use super::written;

/// A list of builds, and of positions to look up.
pub(super) const CASES: &str = include_str!("kills.txt");

/// The inputs of the commands in the list of writers.
pub(super) const INPUTS: [&str; 5] = ["db", "given.tar", "own.game", "TASKS", "done"];

/// Returns a folder with the inputs of the writers.
pub(super) fn workplace() -> Folder {
    let folder = Folder::after("build --max-pile 24 --length 4 --games end-nim,nim");
    folder.text("pack -o given.tar");
    folder.text("game --new own");
    let tasks =
        folder.text("tasks build --parts 3 --games ./own.game,nim --max-pile 12 --length 3");
    folder.write("TASKS", &tasks);
    for index in 0..tasks.lines().count() {
        let task = format!("task --file TASKS --index {index} --results done --db elsewhere");
        folder.text(&task);
    }
    folder
}

fn builds(heading: &str) -> Vec<&'static str> {
    cases(CASES, heading).into_iter().map(|(_, [build])| build).collect()
}

fn part_of(whole: Duration, random: &mut Random) -> Duration {
    whole.mul_f64((random.number() % 10_000) as f64 / 10_000.0)
}

/// The files and the duration of an undisturbed build.
struct Undisturbed {
    build: &'static str,
    files: BTreeMap<PathBuf, Vec<u8>>,
    takes: Duration,
}

impl Undisturbed {
    fn new(build: &'static str) -> Undisturbed {
        let begun = Instant::now();
        let folder = Folder::after(&format!("build {build}"));
        Undisturbed { build, files: files(&folder.at("db")), takes: begun.elapsed() }
    }
}

#[derive(Default)]
struct Done {
    kills: u64,
    builds: u64,
    bytes: u64,
    lookups: AtomicU64,
    verified: AtomicU64,
}

fn look_up(folder: &Folder, [game, positions]: [&str; 2]) -> String {
    folder.text(&format!("query {game} {positions}"))
}

/// Looks up values and verifies the tables, again and again, until `is_over` is true.
fn read(folder: &Folder, values: &[String], is_over: &AtomicBool, done: &Done) {
    while !is_over.load(Ordering::Relaxed) {
        for ((_, positions), expected) in cases(CASES, "positions").into_iter().zip(values) {
            assert_eq!(look_up(folder, positions), *expected, "{positions:?}");
            done.lookups.fetch_add(expected.lines().count() as u64, Ordering::Relaxed);
        }
        if folder.at("db/manifest.json").exists() {
            folder.text("verify");
            done.verified.fetch_add(1, Ordering::Relaxed);
        }
        // Leave processor time for the builds.
        sleep(Duration::from_millis(20));
    }
}

/// Kills `kills` builds of one kind, several in each database, and resumes each build.
fn kill(
    undisturbed: &Undisturbed,
    kills: u64,
    random: &mut Random,
    values: &[String],
    done: &mut Done,
) {
    let until = done.kills + kills;
    while done.kills < until {
        let folder = Folder::new();
        let build = format!("build {}", undisturbed.build);
        let is_over = AtomicBool::new(false);
        let (mut killed, mut builds) = (0, 0);
        std::thread::scope(|scope| {
            scope.spawn(|| read(&folder, values, &is_over, done));
            // Use a database for only a few kills, because each resumed build has less to do.
            for _ in 0..(until - done.kills).min(8) {
                let child = folder.start(&build);
                let process = Pid::from_child(&child);
                sleep(part_of(undisturbed.takes.mul_f64(1.2), random));
                if random.number().is_multiple_of(4) {
                    // The build may be writing its last shards when it is killed.
                    let _ = kill_process(process, Signal::INT);
                    sleep(part_of(Duration::from_millis(20), random));
                }
                let _ = kill_process(process, Signal::KILL);
                let output = child.wait_with_output().expect("it ends");
                builds += 1;
                match output.status.code() {
                    None => killed += 1,
                    // The build ended by itself, or stopped before the kill.
                    Some(0 | 130) => {}
                    Some(code) => {
                        is_over.store(true, Ordering::Relaxed);
                        panic!("exit code {code}: {}", text(&output.stderr));
                    }
                }
            }
            is_over.store(true, Ordering::Relaxed);
        });
        folder.text(&build);
        let found = files(&folder.at("db"));
        assert!(found.keys().eq(undisturbed.files.keys()), "{:?}", found.keys());
        for (name, bytes) in &found {
            assert!(undisturbed.files[name] == *bytes, "{} differs", name.display());
            done.bytes += bytes.len() as u64;
        }
        done.kills += killed;
        done.builds += builds + 1;
        // If no build was killed, choose earlier or later moments, because the test must not loop
        // for ever.
        if killed == 0 {
            random.0 ^= 0x5DEE_CE66;
        }
    }
}

/// Kills builds of each kind. `builds` gives the number of kills for each kind.
fn storm(builds: &[(&'static str, u64)]) {
    let nowhere = Folder::new();
    let positions = cases(CASES, "positions").into_iter();
    let values: Vec<String> = positions.map(|(_, at)| look_up(&nowhere, at)).collect();
    let mut random = Random(2008);
    let mut done = Done::default();
    for &(build, kills) in builds {
        let undisturbed = Undisturbed::new(build);
        let before = done.kills;
        kill(&undisturbed, kills, &mut random, &values, &mut done);
        println!("{build}: {} kills, a build takes {:.2?}", done.kills - before, undisturbed.takes);
    }
    println!(
        "{} kills, {} builds, {} bytes compared, none differs; {} values looked up meanwhile, \
         none wrong; {} times verified, no problem",
        done.kills,
        done.builds,
        done.bytes,
        done.lookups.into_inner(),
        done.verified.into_inner()
    );
}

fn remove(folder: &Folder, name: &str) {
    let place = folder.at(name);
    let removed = if place.is_dir() { remove_dir_all(place) } else { remove_file(place) };
    removed.expect("removed");
}

/// Kills each command that writes files, `kills` times. A file under its final name is always the
/// file of an undisturbed run, and the same command then ends with exactly these files.
fn kill_writers(kills: u64) {
    let folder = workplace();
    let mut random = Random(1901);
    for (_, [line, name]) in cases(CASES, "writers") {
        let begun = Instant::now();
        folder.text(line);
        let (takes, whole) = (begun.elapsed().mul_f64(1.2), written(&folder, name));
        remove(&folder, name);
        let (mut killed, mut runs) = (0, 0);
        while killed < kills {
            let child = folder.start(line);
            sleep(part_of(takes, &mut random));
            // The command may have ended before.
            let _ = kill_process(Pid::from_child(&child), Signal::KILL);
            let is_killed = child.wait_with_output().expect("it ends").status.code().is_none();
            (killed, runs) = (killed + u64::from(is_killed), runs + 1);
            for (file, bytes) in written(&folder, name) {
                // The manifest of a database grows with each published table.
                let grows = file.ends_with("manifest.json");
                let same = whole.get(&file).is_none_or(|expected| *expected == bytes);
                assert!(same || grows, "{line}: {} differs after a kill", file.display());
                // With --from-results the shards are elsewhere.
                if grows && !line.contains("--from-results") {
                    folder.text(&format!("verify --db {name}"));
                }
            }
            let again = folder.run(line);
            let said = text(&again.stderr);
            // A command that had ended before the kill refuses to replace its files.
            let ended = ["exists", "is not empty"].iter().any(|word| said.contains(word));
            assert!(again.status.success() || ended, "{line}: {said}");
            assert!(written(&folder, name) == whole, "{line}: other files after a kill");
            let place = folder.at(name);
            let all = if place.is_dir() { files(&place) } else { BTreeMap::new() };
            let is_left = |path: &&PathBuf| path.to_string_lossy().contains(".tmp-");
            assert_eq!(all.keys().find(is_left), None, "{line}: left after a kill");
            remove(&folder, name);
        }
        println!("{line}: {killed} kills in {runs} runs, no file differs");
    }
}

#[test]
fn killed_commands_leave_whole_files_or_none() {
    kill_writers(3);
}

#[test]
#[ignore = "minutes: make crash-storm"]
fn commands_of_every_kind_are_killed() {
    kill_writers(100);
}

#[test]
fn killed_builds_resume_to_the_same_bytes_while_others_read() {
    let (small, large) = (builds("small"), builds("large"));
    storm(&[(small[0], 8), (small[1], 2), (large[0], 2)]);
}

#[test]
#[ignore = "minutes: make crash-storm"]
fn builds_of_every_kind_are_killed() {
    let small = builds("small").into_iter().zip([250, 100, 60]);
    let large = builds("large").into_iter().map(|build| (build, 15));
    storm(&small.chain(large).collect::<Vec<_>>());
}
