//! Tests interrupts, competition for the lock, and lack of disk space. The tests in `storm` kill
//! commands.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use grundy_testing::files::files;
use grundy_testing::program::{Folder, text};
use rustix::process::{Pid, Signal, kill_process};

/// A build of several tables, which takes some seconds. One of the tables has several shards.
const BUILD: &str = "build --max-pile 24 --length 6 --games end-nim,misere-end-nim";

/// Waits until this many shards and temporary files exist.
fn wait_for_shards(folder: &Folder, child: &mut Child, number: usize) {
    let there = || {
        let db = folder.at("db");
        let names = if db.exists() { files(&db) } else { Default::default() };
        names.keys().filter(|path| path.to_string_lossy().contains(".zst")).count()
    };
    wait(child, || there() >= number);
}

/// Waits until a condition is true or the program has ended.
fn wait(child: &mut Child, is_so: impl Fn() -> bool) {
    while !is_so() && child.try_wait().expect("a status").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn send(child: &Child, signal: Signal) {
    let process = Pid::from_child(child);
    kill_process(process, signal).expect("the process is there");
}

/// Waits until the program has set its signal handlers, because an earlier signal would kill it.
fn wait_for_signal_handlers(child: &mut Child) {
    let tasks = format!("/proc/{}/task", child.id());
    if !Path::new(&tasks).exists() {
        // This system does not show the names of threads, so wait for a fixed time.
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

/// Batch systems limit the length of files, the number of open files, and the address space. If a
/// command reaches such a limit, it ends with a message, not with a signal, and damages nothing.
/// The default of `--memory` fits into the address space, because the threads share an arena.
#[test]
fn limits_of_the_system_are_named() {
    let folder = Folder::after("build --max-pile 8 --length 3 --db whole");
    for (limit, line, code, words) in [
        ("-f 8", "build --max-pile 40 --length 3 --games end-nim", 2, "File too large"),
        ("-n 5", "verify --db whole", 2, "ulimit -n"),
        ("-v 150000", "verify --db whole", 0, "this finds any damage"),
        ("-v 150000", "build --max-pile 80 --length 5 --games nim", 2, "the limit is 14.6 MiB"),
    ] {
        let ours = folder.command(line);
        let mut shell = Command::new("sh");
        // Close files that this process has inherited, because they count against the limit.
        shell.args(["-c", &format!("exec 3>&- 4>&-; ulimit {limit}; exec \"$0\" \"$@\"")]);
        shell.arg(ours.get_program()).args(ours.get_args()).current_dir(folder.path());
        let output = shell.output().expect("a shell");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{limit}: {message}");
        assert!(message.contains(words), "{limit}: {message}");
    }
}

/// Starts a command, and interrupts it when `ready` returns. Returns its output and its message.
fn interrupted(folder: &Folder, line: &str, ready: impl FnOnce(&mut Child)) -> (String, String) {
    let mut child = folder.start(line);
    ready(&mut child);
    send(&child, Signal::INT);
    let output = child.wait_with_output().expect("it ends");
    let (said, message) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{line}: {message}");
    (said, message)
}

#[test]
fn interrupted_commands_say_what_they_have() {
    let folder = Folder::new();
    let json = format!("{BUILD} --json");
    let (said, message) = interrupted(&folder, &json, |child| wait_for_shards(&folder, child, 5));
    assert!(message.contains("the same command continues from there"), "{message}");
    assert!(said.contains("\"table\":\"end-nim/n24/k3\""), "the finished tables: {said}");
    folder.text(BUILD);

    // The program prints only after it has set its signal handlers.
    let listing = "find end-nim 'g == 0' --length 6 --max-pile 64";
    let (_, message) = interrupted(&folder, listing, |child| {
        child.stdout.as_mut().expect("a pipe").read_exact(&mut [0]).expect("a position");
    });
    assert!(message.contains("grundy: stopped after "), "{message}");

    // Without the interrupt, this count and each check below would take at least half a minute.
    let count = "stats end-nim --max-pile 64 --length 6 --threads 1 --isa portable";
    let (said, message) = interrupted(&folder, count, |child| {
        wait_for_signal_handlers(child);
        std::thread::sleep(Duration::from_secs(2));
    });
    match message.contains("before any position") {
        true => assert_eq!(said, ""),
        false => assert!(said.starts_with("stopped before the end: this covers only "), "{said}"),
    }

    // An interrupted check without a counterexample decides nothing. Interrupt it only after it has
    // written a checkpoint, because an earlier signal may kill the program.
    let written = || fs::metadata(folder.at("kept")).and_then(|file| file.modified()).ok();
    let checked = |line: &str| {
        let before = written();
        let long = "--length 6 --max-pile 64 --threads 1 --isa portable --checkpoint kept";
        interrupted(&folder, &format!("{line} {long}"), |child| {
            wait(child, || written() != before);
        })
    };
    let (said, message) = checked("check end-nim 'g != 500' --seconds inf");
    assert!(message.contains("; kept keeps "), "{message}");
    assert!(message.contains("; the same command continues from there"), "{message}");
    assert!(said.starts_with("stopped: no counterexample among "), "{said}");
    fs::remove_file(folder.at("kept")).expect("removed");
    let (table, _) = checked("diff ch.thm2.1");
    assert!(table.contains("stopped: no failure in ") && !table.contains("holds"), "{table}");
    let (line, _) = checked("diff ch.thm2.1 --json");
    let verdict: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!((&verdict["verdict"], &verdict["complete"]), (&"stopped".into(), &false.into()));
    assert_eq!((&verdict["failures"], &verdict["expected"]), (&0.into(), &"holds".into()));
}

#[test]
fn a_second_builder_is_refused() {
    let folder = Folder::new();
    let mut first = folder.start(BUILD);
    wait_for_shards(&folder, &mut first, 3);
    // Pause the first build, so that it still holds the lock when the second build begins.
    send(&first, Signal::STOP);
    let message = folder.refused(BUILD, 2);
    send(&first, Signal::CONT);
    assert!(message.contains("another build or one of its tasks is running"), "{message}");
    assert_eq!(first.wait().expect("it ends").code(), Some(0));
}

/// Uses a file system of one mebibyte. The test is skipped if the user may not mount it.
#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new();
    fs::create_dir(folder.at("disk")).expect("a folder");
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(folder.at("disk"))
        .stderr(Stdio::null())
        .status();
    if !mount.is_ok_and(|status| status.success()) {
        println!("skipped: this user may not mount a small file system");
        return;
    }
    let build =
        "build --db disk/db --max-pile 8 --length 4 --games end-nim,misere-end-nim,loop-end-nim";
    let refused = folder.run(&format!("{BUILD} --db disk/db"));
    // Fill most of the disk after the plan, so that the build runs out of space.
    let taken = fs::write(folder.at("disk/ballast"), vec![1; 1000 * 1024]);
    let full = folder.run(build);
    let removed = fs::remove_file(folder.at("disk/ballast"));
    let resumed = folder.run(build);
    let unmounted = Command::new("umount").arg(folder.at("disk")).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert!(taken.is_ok() && removed.is_ok());
    for (output, code, said) in
        [(refused, 2, "the disk has"), (full, 2, "No space left"), (resumed, 0, "")]
    {
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{message}");
        assert!(message.contains(said), "{message}");
    }
}

/// The first signal stops a job at a safe point, and the second signal ends the process.
#[test]
fn a_second_signal_ends_it_at_once() {
    for signal in [Signal::INT, Signal::TERM] {
        // A program that was compiled for debugging needs minutes for this command.
        let periods = "periods end-nim --left 40 --middle 61,62 --to 2000000 --all";
        let mut child = Folder::new().start(periods);
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        wait_for_signal_handlers(&mut child);
        send(&child, signal);
        let line = lines.next().expect("a line").expect("text");
        assert!(line.contains("press Ctrl-C again to quit"), "{line}");
        // Ignore a failure, because the process may have ended by itself.
        let _ = kill_process(Pid::from_child(&child), signal);
        assert_eq!(child.wait().expect("it ends").code(), Some(130));
    }
}

#[test]
fn a_killed_search_leaves_its_certificate() {
    let folder = Folder::new();
    let mut child = folder
        .start("diff lgn.conj34 --to 3000 --seconds inf --memory 64G --certificate conj34.cert");
    while !folder.at("conj34.cert").exists() {
        assert!(child.try_wait().expect("it runs").is_none(), "it ended without a certificate");
        std::thread::sleep(Duration::from_millis(50));
    }
    send(&child, Signal::KILL);
    assert_eq!(child.wait().expect("it ends").code(), None);
    let bound = || folder.json("verify --certificate conj34.cert")[0]["bound"].as_u64();
    let proved = bound().expect("a bound");
    assert!(proved > 100);
    folder.text(&format!("diff lgn.conj34 --to {} --certificate conj34.cert", proved + 1));
    assert_eq!(bound(), Some(proved + 1));
}
