//! Files that are none, output that nobody takes, rows that are too long: told in a line, with exit
//! code 2 or without a stop, within a second or so and the memory given.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use rustix::process::{Pid, Signal, kill_process};

/// Some small tables.
const BUILD: [&str; 7] =
    ["build", "--max-pile", "8", "--length", "3", "--games", "nim,end-nim,partizan-end-nim"];

fn grundy(db: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(cargo_bin("grundy"));
    command.arg("--db").arg(db).args(args);
    command
}

/// Runs a command that is to end by itself; one that does not is killed, and fails the test.
fn ended(mut command: Command, input: &[u8]) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // What was refused early does not read it all.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let process = Pid::from_child(&child);
    let (sender, ends) = std::sync::mpsc::channel();
    let watcher = std::thread::spawn(move || {
        // Generous, for a busy machine: most take milliseconds.
        if ends.recv_timeout(Duration::from_secs(600)).is_err() {
            let _ = kill_process(process, Signal::KILL);
        }
    });
    let output = child.wait_with_output().expect("it ends");
    let _ = sender.send(());
    watcher.join().expect("the watcher");
    feeder.join().expect("the feeder");
    output
}

fn refused(command: Command, input: &[u8], message: &str) {
    let output = ended(command, input);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains(message), "{text}");
    assert!(text.len() < 2000 && text.lines().count() <= 2, "{text}");
    assert!(output.stdout.is_empty());
}

fn small_database() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let built = grundy(folder.path(), &BUILD);
    let built = ended(built, b"");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    folder
}

fn pipe(path: &Path) {
    drop(fs::remove_file(path));
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, path, kind, mode, 0).expect("a pipe");
}

/// A row has as many intervals as pairs of piles: more than there is memory for.
#[test]
fn long_rows_are_refused_with_the_estimate() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let query =
        |game: &str, more: &[&str]| grundy(folder.path(), &[&["query", game, "-"], more].concat());
    let sevens = "7,".repeat(1_000_000 - 1) + "7\n";
    let start = Instant::now();
    refused(query("end-nim", &[]), sevens.as_bytes(), "Raise --memory");
    let ones = "1 ".repeat(20_000);
    let little = ["--memory", "50M", "--seconds", "1"];
    refused(query("end-nim", &little), ones.as_bytes(), "Raise --memory");
    refused(query("end-nim", &["--seconds", "0.1"]), ones.as_bytes(), "Raise --seconds");
    refused(
        query("misere-nim", &[]),
        "3,".repeat(100_000).trim_end_matches(',').as_bytes(),
        "Raise",
    );
    refused(query("end-wythoff", &["--memory", "50M"]), ones.as_bytes(), "Raise --memory");
    // Generous, for a busy machine: they take milliseconds each.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn what_is_no_regular_file_is_refused() {
    let db = small_database();
    let shard = db.path().join("end-nim/n8/k2/end-nim-n8-k2-00000.zst");
    assert!(shard.is_file());
    pipe(&shard);
    refused(grundy(db.path(), &["query", "end-nim", "3,4"]), b"", "not a regular file");
    // A build makes it again.
    let built = ended(grundy(db.path(), &BUILD), b"");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(fs::metadata(&shard).expect("it is there").is_file());

    let checkpoint = db.path().join("checkpoint");
    pipe(&checkpoint);
    let name = checkpoint.to_str().expect("a path");
    let diff = ["diff", "ch.thm2.1", "--max-pile", "8", "--length", "3", "--checkpoint", name];
    refused(grundy(db.path(), &diff), b"", "not a regular file");
    let certificate = ["verify", "--certificate", name];
    refused(grundy(db.path(), &certificate), b"", "not a regular file");

    pipe(&db.path().join("lock"));
    refused(grundy(db.path(), &BUILD), b"", "not a regular file");
    drop(fs::remove_file(db.path().join("lock")));
    pipe(&db.path().join("manifest.json"));
    for command in [&["status"][..], &BUILD[..], &["query", "nim", "1"]] {
        refused(grundy(db.path(), command), b"", "not a regular file");
    }
}

/// A pipe, a link to one and standard output stay what they are; a link to a file leads to it.
#[test]
fn what_is_written_replaces_regular_files_alone() {
    use std::os::unix::fs::{FileTypeExt, symlink};

    let folder = tempfile::tempdir().expect("a temporary folder");
    let at = |name: &str| folder.path().join(name);
    let plain = |path: &Path| path.to_str().expect("a plain path").to_owned();
    pipe(&at("pipe"));
    symlink("pipe", at("to-pipe.png")).expect("a link");
    symlink("/proc/self/fd/1", at("out")).expect("a link");
    let export = ["export", "end-nim", "--max-pile", "3", "--format"];
    let said = |how: &[&str], name: &str, message: &str| {
        refused(grundy(&at("db"), &[how, &[&plain(&at(name))]].concat()), b"", message);
    };
    for name in ["pipe", "to-pipe.png", "out"] {
        for format in ["npy", "csv", "bfile"] {
            let how = [&export[..], &[format, "-o"]].concat();
            said(&how, name, "it is a pipe, not a regular file; name another (without -o");
        }
    }
    said(&["plot", "end-nim", "--max-pile", "3"], "to-pipe.png", "it is a pipe, not a regular");
    let diff = ["diff", "lgn.conj34", "--to", "3", "--certificate"];
    said(&diff, "pipe", "it is a pipe, not a regular file");
    assert!(fs::metadata(at("to-pipe.png")).expect("a pipe").file_type().is_fifo());
    assert!(at("to-pipe.png").is_symlink() && at("out").is_symlink());

    let done = |args: &[&str]| {
        let output = ended(grundy(&at("db"), args), b"");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    symlink("end", at("link")).expect("a link");
    let link = plain(&at("link"));
    let mut before = Vec::new();
    // As a stream, and as a whole.
    for format in ["csv", "latex"] {
        done(&[&export[..], &[format, "-o", &link]].concat());
        let now = fs::read(at("end")).expect("a file");
        assert!(at("link").is_symlink() && !now.is_empty() && now != before);
        before = now;
    }
    fs::remove_file(at("end")).expect("the file");
    let claim = ["diff", "ch.thm2.1", "--max-pile", "4", "--length", "3", "--checkpoint", &link];
    done(&claim);
    assert!(at("link").is_symlink() && at("end").is_file());
}

/// A full disk under standard output, and a checkpoint that has no place, are named.
#[test]
fn what_cannot_be_written_is_named() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let folder = tempfile::tempdir().expect("a temporary folder");
    for args in [&["--help"][..], &["--version"], &["help", "build"], &["query", "nim", "1"]] {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let output = grundy(folder.path(), args).stdout(full).output().expect("it starts");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.starts_with("grundy: cannot write to standard output: No space"), "{text}");
        // A reader who left has seen enough.
        let (ours, theirs) = UnixStream::pair().expect("two ends");
        drop(ours);
        let output = grundy(folder.path(), args).stdout(OwnedFd::from(theirs)).output();
        let output = output.expect("it starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{args:?}");
    }
    let checkpoint = folder.path().join("missing/checkpoint");
    let name = checkpoint.to_str().expect("a plain path");
    let sizes = ["--max-pile", "4", "--length", "3", "--checkpoint", name];
    for what in [&["diff", "ch.thm2.1"][..], &["check", "end-nim", "g >= 0"]] {
        let message = format!("the checkpoint cannot be written: {name}: No such file");
        refused(grundy(folder.path(), &[what, &sizes].concat()), b"", &message);
    }
}

/// Pages are whole, whatever stands at their places, and on a full disk there is none.
#[test]
fn manual_pages_are_published() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let pages = folder.path().join("deep/pages");
    let name = pages.to_str().expect("a plain path");
    let program = cargo_bin("grundy");
    // A limit on the length of files fails writes as a full disk does.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec {} man {name}", program.display());
    let output = Command::new("bash").args(["-c", &script]).output().expect("a shell");
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    // None is as short as that.
    assert_eq!(fs::read_dir(&pages).expect("the folder").count(), 0);
    let query = pages.join("grundy-query.1");
    pipe(&query);
    refused(grundy(folder.path(), &["man", name]), b"", "grundy-query.1: it is a pipe");
    fs::remove_file(&query).expect("the pipe");
    let made = ended(grundy(folder.path(), &["man", name]), b"");
    assert!(made.status.success() && fs::metadata(&query).expect("a page").len() > 1024);
}

/// A link to a device that never ends, and a file of gigabytes, at a shard's place.
#[test]
fn what_cannot_be_a_shard_is_made_again_unread() {
    let db = small_database();
    let manifest = db.path().join("manifest.json");
    let shard = db.path().join("end-nim/n8/k3/end-nim-n8-k3-00000.zst");
    let right = fs::read(&shard).expect("the shard");
    for endless in [true, false] {
        // Without the manifest every shard is looked at.
        fs::remove_file(&manifest).expect("the manifest");
        fs::remove_file(&shard).expect("the shard");
        match endless {
            true => std::os::unix::fs::symlink("/dev/zero", &shard).expect("a link"),
            false => File::create(&shard).and_then(|file| file.set_len(4 << 30)).expect("a file"),
        }
        let build = [&BUILD[..], &["--memory", "100M"]].concat();
        let built = ended(grundy(db.path(), &build), b"");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        assert!(fs::read(&shard).expect("the shard") == right);
    }
}

#[test]
fn nobody_reading_messages_stops_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let full = || File::options().write(true).open("/dev/full").expect("a full device");
    let status = grundy(folder.path(), &BUILD).stderr(full()).stdout(Stdio::null()).status();
    assert_eq!(status.expect("it starts").code(), Some(0));
    let status = grundy(folder.path(), &["query", "end-nin", "1"]).stderr(full()).status();
    assert_eq!(status.expect("it starts").code(), Some(2));
}

/// A build removes what a killed build left, and nothing that only looks like it.
#[test]
fn a_build_leaves_files_of_others_alone() {
    let db = small_database();
    let table = db.path().join("end-nim/n8/k3");
    let leftovers =
        [db.path().join("manifest.json.tmp-1-2"), table.join("end-nim-n8-k3-00000.zst.tmp-1-2")];
    let others = [db.path().join("notes.tmp-1-2"), table.join("mine.zst.tmp-1-2")];
    for file in leftovers.iter().chain(&others) {
        fs::write(file, b"x").expect("written");
    }
    fs::create_dir(table.join("checkpoint.tmp-3-4")).expect("a folder");
    fs::remove_file(table.join("end-nim-n8-k3-00000.zst")).expect("the shard");
    let built = ended(grundy(db.path(), &BUILD), b"");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(leftovers.iter().all(|file| !file.exists()));
    assert!(others.iter().all(|file| file.exists()));
    assert!(table.join("checkpoint.tmp-3-4").is_dir());
}

/// A line that no position is, and threads that no machine has.
#[test]
fn what_is_beyond_measure_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut endless = b"1,2\n".to_vec();
    endless.resize(40 << 20, b'7');
    let query = grundy(folder.path(), &["query", "end-nim", "-", "--memory", "50M"]);
    refused(query, &endless, "line 2 of standard input is longer");
    let many = ["query", "end-nim", "1,2", "--threads", "10000"];
    refused(grundy(folder.path(), &many), b"", "is more than 1024");
}

/// One law alone would take minutes to check, and a listing hours.
#[test]
fn walks_end_when_they_are_told_to() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let laws = ["guess", "end-nim", "--length", "8", "--max-pile", "64", "--seconds", "1"];
    let output = ended(grundy(folder.path(), &laws), b"");
    let (said, told) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(told.contains("the time is up"), "{told}");
    assert!(!said.contains("no statement holds"), "{said}");

    let mut listing =
        grundy(folder.path(), &["find", "end-nim", "g == 0", "--length", "6", "--max-pile", "64"]);
    let mut child =
        listing.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    // What it lists it has begun, and hears signals by then.
    lines.read_line(&mut String::new()).expect("a position");
    kill_process(Pid::from_child(&child), Signal::INT).expect("the process is there");
    lines.read_to_end(&mut Vec::new()).expect("the rest");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}

/// Pictures keep to the seconds that are allowed, as answers do.
#[test]
fn pictures_have_limits() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("out.png");
    let file = file.to_str().expect("a plain path");
    let plot = |more: &[&str]| grundy(folder.path(), &[&["plot"], more, &[file]].concat());
    refused(
        plot(&["long-global-nim", "--max-pile", "256", "--seconds", "1"]),
        b"",
        "Raise --seconds",
    );
    refused(plot(&["end-wythoff", "--max-pile", "900", "--seconds", "1"]), b"", "Raise --seconds");
    let large = ["end-nim", "--max-pile", "4096", "--seconds", "0.1"];
    refused(plot(&large), b"", "Raise --seconds");
    let wide = ["end-nim", "--max-pile", "4096", "--memory", "10M"];
    refused(plot(&wide), b"", "Raise --memory");
    assert!(!Path::new(file).exists());
    // Filled at once, between its borders.
    let drawn = ended(plot(&["end-nim", "--max-pile", "512", "--middle", "4"]), b"");
    assert!(drawn.status.success(), "{}", String::from_utf8_lossy(&drawn.stderr));
}

/// A length that a claim has nothing to say about is not passed over in silence.
#[test]
fn a_length_beyond_a_claim_is_told() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let diff =
        |more: &[&str]| grundy(folder.path(), &[&["diff", "--max-pile", "6"], more].concat());
    let both = ended(diff(&["ch.two-pile", "ch.thm2.1", "--length", "5"]), b"");
    assert_eq!(both.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&both.stderr).contains("ch.two-pile (2)"));
    refused(diff(&["ch.two-pile", "--length", "5"]), b"", "at most 2 piles");
}

/// Tables by the beginning of their ids, and digests by a list.
#[test]
fn verify_looks_at_what_is_asked_for() {
    let db = small_database();
    let line = |more: &[&str]| {
        let output = ended(grundy(db.path(), &[&["verify"], more].concat()), b"");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        (output.status.code(), text, String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, all, _) = line(&[]);
    assert!(code == Some(0) && all.starts_with("9 tables"), "{all}");
    assert!(line(&["nim"]).1.starts_with("3 tables"));
    assert!(line(&["nim", "end-nim/n8/k2"]).1.starts_with("4 tables"));
    refused(grundy(db.path(), &["verify", "chess"]), b"", "no table of");

    let status = ended(grundy(db.path(), &["status", "--json"]), b"");
    let digests = String::from_utf8_lossy(&status.stdout).into_owned();
    let listed = digests.lines().map(|line| {
        let table: serde_json::Value = serde_json::from_str(line).expect("JSON");
        (table["table"].as_str().expect("an id").to_owned(), table["blake3"].clone())
    });
    let mut listed: serde_json::Map<String, serde_json::Value> = listed.collect();
    let file = db.path().join("digests");
    let name = file.to_str().expect("a plain path");
    let mut write = |change: fn(&mut serde_json::Map<String, serde_json::Value>)| {
        change(&mut listed);
        fs::write(&file, serde_json::to_vec(&listed).expect("JSON")).expect("written");
    };
    write(|_| ());
    let (code, text, _) = line(&["--against", name]);
    assert!(code == Some(0) && text.contains("9 digests are those expected"), "{text}");
    write(|listed| drop(listed.remove("nim/n8/k1")));
    let (code, _, told) = line(&["--against", name]);
    assert!(code == Some(0) && told.contains("lists no digest of 1 tables"), "{told}");
    write(|listed| drop(listed.insert("nim/n8/k7".into(), "7".repeat(64).into())));
    let (code, _, told) = line(&["--against", name]);
    assert!(code == Some(0) && told.contains("lacks 1 tables"), "{told}");
    write(|listed| drop(listed.insert("nim/n8/k2".into(), "7".repeat(64).into())));
    let (code, _, told) = line(&["--against", name]);
    assert!(code == Some(1) && told.contains("nim/n8/k2 has the digest"), "{told}");
    assert_eq!(line(&["--against", name, "end-nim"]).0, Some(0));
    refused(grundy(db.path(), &["verify", "nim/n8/k1", "--against", name]), b"", "none of the");
    write(|listed| drop(listed.insert("nim/n8/k2".into(), "7".into())));
    refused(grundy(db.path(), &["verify", "--against", name]), b"", "is no digest");
    fs::write(&file, "[]").expect("written");
    refused(grundy(db.path(), &["verify", "--against", name]), b"", "not a list of digests");
}

/// Records take as much memory as is given, and what was left out is said.
#[test]
fn verify_stays_within_its_memory() {
    let db = tempfile::tempdir().expect("a temporary folder");
    let built = ended(grundy(db.path(), &["build", "--heap", "60000"]), b"");
    assert!(built.status.success());
    let full = ["verify", "--full", "--threads", "1"];
    let little = ended(grundy(db.path(), &[&full[..], &["--memory", "4M"]].concat()), b"");
    assert_eq!(little.status.code(), Some(0));
    let told = String::from_utf8_lossy(&little.stderr).into_owned();
    assert!(told.contains("were not derived again") && told.contains("--memory"), "{told}");
    let all = ended(grundy(db.path(), &full), b"");
    let text = String::from_utf8_lossy(&all.stdout).into_owned();
    assert!(text.contains("3,840,000 of them were derived again"), "{text}");
    assert!(all.stderr.is_empty());
}
