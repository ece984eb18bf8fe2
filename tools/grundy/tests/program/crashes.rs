//! Builds that are interrupted, crowded or starved of disk, as processes. The storms (`storm`) kill
//! them.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use rustix::process::{Pid, Signal, kill_process};

/// A build of some seconds in a test: shards of several tables, several of one.
const BUILD: [&str; 7] =
    ["build", "--max-pile", "24", "--length", "6", "--games", "end-nim,misere-end-nim"];

fn start(db: &Path) -> Child {
    Command::new(cargo_bin("grundy"))
        .arg("--db")
        .arg(db)
        .args(BUILD)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

fn finish(db: &Path) -> (Option<i32>, String) {
    let output = start(db).wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Shards and temporary files below a folder.
fn count(folder: &Path) -> usize {
    let mut total = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for file in fs::read_dir(next).into_iter().flatten().flatten() {
            match file.path() {
                path if path.is_dir() => folders.push(path),
                path => total += usize::from(path.to_string_lossy().contains(".zst")),
            }
        }
    }
    total
}

fn send(child: &Child, signal: Signal) {
    let process = Pid::from_child(child);
    kill_process(process, signal).expect("the process is there");
}

/// Waits until the program has its handlers: until then a signal ends it like any other.
fn hears_signals(child: &mut Child) {
    let tasks = format!("/proc/{}/task", child.id());
    if !Path::new(&tasks).exists() {
        // Where the system does not tell the names of threads.
        std::thread::sleep(Duration::from_secs(5));
    }
    let is_there = || {
        fs::read_dir(&tasks).into_iter().flatten().flatten().any(|task| {
            fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.trim() == "signals")
        })
    };
    while Path::new(&tasks).exists() && !is_there() {
        assert!(child.try_wait().expect("a status").is_none(), "it has ended");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupted_build_says_how_to_go_on() {
    let db = tempfile::tempdir().expect("a temporary folder");
    let mut child = start(db.path());
    while count(db.path()) < 5 && child.try_wait().expect("a status").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    send(&child, Signal::INT);
    let output = child.wait_with_output().expect("it ends");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{message}");
    assert!(message.contains("the same command goes on from there"), "{message}");
    assert_eq!(finish(db.path()).0, Some(0));
}

#[test]
fn two_builders_at_once_are_one_too_many() {
    let db = tempfile::tempdir().expect("a temporary folder");
    let mut first = start(db.path());
    while count(db.path()) < 3 && first.try_wait().expect("a status").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    // However long the second takes to begin, the first is at work.
    send(&first, Signal::STOP);
    let (code, message) = finish(db.path());
    send(&first, Signal::CONT);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("another build, or tasks of one, are at work"), "{message}");
    assert_eq!(first.wait().expect("it ends").code(), Some(0));
}

/// A file system of a mebibyte, where this test may make one.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).expect("a folder");
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(&disk)
        .stderr(Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        println!("skipped: this user may not mount a small file system");
        return;
    }
    let result = std::panic::catch_unwind(|| {
        let refused = finish(&disk.join("db"));
        // Most of the disk is taken behind the plan's back, so the build runs into it.
        let message = |size: usize| {
            let db = disk.join("db");
            fs::write(disk.join("ballast"), vec![1; size]).expect("ballast");
            let output = Command::new(cargo_bin("grundy"))
                .arg("--db")
                .arg(&db)
                .args(["build", "--max-pile", "8", "--length", "4", "--games"])
                .arg("end-nim,misere-end-nim,loop-end-nim")
                .output()
                .expect("the program starts");
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        let full = message(1000 * 1024);
        fs::remove_file(disk.join("ballast")).expect("removed");
        let resumed = message(0);
        (refused, full, resumed)
    });
    let unmounted = Command::new("umount").arg(&disk).status();
    let (refused, full, resumed) = result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert_eq!(refused.0, Some(2));
    assert!(refused.1.contains("the disk has"), "{}", refused.1);
    assert_eq!(full.0, Some(2), "{}", full.1);
    assert!(full.1.contains("No space left"), "{}", full.1);
    assert_eq!(resumed.0, Some(0), "{}", resumed.1);
}

/// The first signal lets a job stop where it is safe; the second one ends the process, whatever it
/// is doing.
#[test]
fn a_second_signal_ends_it_at_once() {
    for signal in [Signal::INT, Signal::TERM] {
        let db = tempfile::tempdir().expect("a temporary folder");
        // Minutes, in a program that was compiled for tests.
        let mut command = Command::new(cargo_bin("grundy"));
        command.args(["periods", "end-nim", "--left", "40", "--middle", "61,62"]);
        command.args(["--to", "2000000", "--all", "--db"]).arg(db.path());
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut told = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        hears_signals(&mut child);
        send(&child, signal);
        let line = told.next().expect("a line").expect("text");
        assert!(line.contains("once more to end at once"), "{line}");
        // It may have ended by itself meanwhile.
        let _ = kill_process(Pid::from_child(&child), signal);
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
    }
}

/// A search of minutes that is killed has left its certificate, and it verifies.
#[test]
fn a_killed_search_leaves_its_certificate() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let certificate = folder.path().join("conj34.cert");
    let grundy = |args: &[&str]| {
        let mut command = Command::new(cargo_bin("grundy"));
        command.arg("--db").arg(folder.path().join("db")).args(args);
        command.arg("--certificate").arg(&certificate).stderr(Stdio::null());
        command
    };
    let search = ["diff", "lgn.conj34", "--to", "3000", "--seconds", "inf", "--memory", "64G"];
    let mut child = grundy(&search).stdout(Stdio::null()).spawn().expect("it starts");
    while !certificate.exists() {
        assert!(child.try_wait().expect("it runs").is_none(), "it ended without a certificate");
        std::thread::sleep(Duration::from_millis(50));
    }
    send(&child, Signal::KILL);
    assert_eq!(child.wait().expect("it ends").code(), None);
    let verified = grundy(&["--json", "verify"]).output().expect("it runs");
    let checked: serde_json::Value = serde_json::from_slice(&verified.stdout).expect("a line");
    let bound = checked["bound"].as_u64().expect("a bound");
    assert!(bound > 100 && verified.status.code() == Some(0), "{checked}");
    // And it is gone on from.
    let to = (bound + 1).to_string();
    let more = grundy(&["diff", "lgn.conj34", "--to", &to]).output().expect("it runs");
    assert_eq!(more.status.code(), Some(0));
    let verified = grundy(&["--json", "verify"]).output().expect("it runs");
    let checked: serde_json::Value = serde_json::from_slice(&verified.stdout).expect("a line");
    assert_eq!(checked["bound"], bound + 1);
}
