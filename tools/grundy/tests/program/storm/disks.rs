//! Runs each command that writes files where the disk is full, the length of files is limited, or
//! the name of the file cannot be used.
//!
//! The command ends with a message and exit code 2. It leaves whole files or none, and the same
//! command then succeeds with the same files as on a good disk.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use grundy_testing::cases::cases;
use grundy_testing::program::{Folder, text};

use super::kills::{CASES, INPUTS, workplace};
use super::written;

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The commands that write files, with the names of these files.
fn writers() -> impl Iterator<Item = [&'static str; 2]> {
    let lists = ["writers", "writers of progress"].into_iter();
    lists.flat_map(|list| cases(CASES, list)).map(|(_, case)| case)
}

/// A folder on a file system of two mebibytes, with links to the inputs of the commands.
struct Disk {
    folder: Folder,
}

impl Disk {
    fn new() -> Option<Disk> {
        let folder = workplace();
        let disk = folder.at("disk");
        fs::create_dir(&disk).expect("a folder");
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"]).arg(&disk).stderr(Stdio::null());
        if !mount.status().is_ok_and(|status| status.success()) {
            println!("skipped: this user may not mount a small file system");
            return None;
        }
        for name in INPUTS {
            symlink(folder.at(name), disk.join(name)).expect("a link");
        }
        Some(Disk { folder })
    }

    fn run(&self, line: &str) -> Output {
        self.folder.command(line).current_dir(self.folder.at("disk")).output().expect("it starts")
    }

    fn written(&self, name: &str) -> Files {
        written(&self.folder, &format!("disk/{name}"))
    }

    fn remove(&self, name: &str) {
        remove(&self.folder.at("disk").join(name));
    }

    /// Fills the disk except for this number of bytes.
    fn leave(&self, bytes: usize) {
        self.free();
        let ballast = vec![1; (2 << 20) - (4096 * 16) - bytes];
        // The disk may have less space than this.
        let _ = fs::write(self.folder.at("disk/ballast"), ballast);
    }

    fn free(&self) {
        let _ = fs::remove_file(self.folder.at("disk/ballast"));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.folder.at("disk")).status();
    }
}

fn remove(place: &Path) {
    let _ = if place.is_dir() { fs::remove_dir_all(place) } else { fs::remove_file(place) };
}

/// Returns the unfinished files below a folder.
fn unfinished(folder: &Path) -> Vec<String> {
    let all = grundy_testing::files::files(folder);
    let names = all.keys().map(|path| path.to_string_lossy().into_owned());
    names.filter(|name| name.contains(".tmp")).collect()
}

/// Returns what is wrong with the end of a command, if anything is.
fn fault(output: &Output) -> Option<String> {
    let said = text(&output.stderr);
    let is_told = said.lines().last().is_some_and(|line| line.starts_with("grundy: "));
    match output.status.code() {
        Some(0) => None,
        Some(2) if is_told && !said.contains("panicked") => None,
        code => Some(format!("{code:?}, signal {:?}: {said}", output.status.signal())),
    }
}

/// The counts of a campaign.
#[derive(Default)]
struct Tally {
    refused: usize,
    done: usize,
    faults: Vec<String>,
}

impl Tally {
    fn count(&mut self, what: &str, output: &Output) {
        match fault(output) {
            Some(fault) => self.faults.push(format!("{what}: {fault}")),
            None if output.status.success() => self.done += 1,
            None => self.refused += 1,
        }
    }

    /// Compares what a refused command left with the files of a good run. The manifest of a
    /// database grows with each table, and a file of progress differs by the time that it took.
    fn compare(&mut self, what: &str, left: &Files, whole: &Files) {
        for (path, bytes) in left {
            let grows = path.ends_with("manifest.json") || path.ends_with("progress");
            if !grows && whole.get(path) != Some(bytes) {
                self.faults.push(format!("{what}: {} is no whole file", path.display()));
            }
        }
    }

    fn end(self, campaign: &str) {
        let Tally { refused, done, faults } = self;
        println!("{campaign}: {} cases, {refused} refused, {done} done", refused + done);
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
        assert!(refused > 0, "{campaign} refused nothing");
    }
}

/// Runs each command with a growing amount of space, `steps` amounts in all, and again with enough.
fn fill(steps: usize) {
    let Some(disk) = Disk::new() else { return };
    let mut tally = Tally::default();
    for [line, name] in writers() {
        let good = disk.run(line);
        assert!(good.status.success(), "{line}: {}", text(&good.stderr));
        let whole = disk.written(name);
        let bytes: usize = whole.values().map(|file| file.len().next_multiple_of(4096)).sum();
        disk.remove(name);
        for step in 0..steps {
            let what = format!("{line}: step {step} of {steps}");
            disk.leave((bytes + (128 << 10)) * step / steps);
            let output = disk.run(line);
            tally.count(&what, &output);
            disk.free();
            let left = disk.written(name);
            tally.compare(&what, &left, &whole);
            let dregs = unfinished(&disk.folder.at("disk"));
            if !dregs.is_empty() {
                tally.faults.push(format!("{what}: left {dregs:?}"));
            }
            if !output.status.success() {
                let again = disk.run(line);
                if !again.status.success() {
                    tally.faults.push(format!("{what}: then {}", text(&again.stderr)));
                }
            }
            let found = disk.written(name);
            if !found.keys().eq(whole.keys()) {
                tally.faults.push(format!("{what}: other files"));
            }
            tally.compare(&what, &found, &whole);
            disk.remove(name);
        }
    }
    tally.end("full disks");
}

/// Runs each command under a growing limit of the length of files, and again without it.
fn shorten(steps: usize) {
    let folder = workplace();
    let mut tally = Tally::default();
    for [line, name] in writers() {
        folder.text(line);
        let whole = written(&folder, name);
        let longest = whole.values().map(Vec::len).max().expect("a file");
        remove(&folder.at(name));
        for step in 0..steps {
            // The shell counts blocks of 512 bytes.
            let blocks = (longest + 4096) / 512 * step / steps;
            let what = format!("{line}: files of {blocks} blocks");
            let output = limited(&folder, line, &format!("-f {blocks}"), None);
            tally.count(&what, &output);
            tally.compare(&what, &written(&folder, name), &whole);
            if !output.status.success() {
                let again = folder.run(line);
                if !again.status.success() {
                    tally.faults.push(format!("{what}: then {}", text(&again.stderr)));
                }
            }
            tally.compare(&what, &written(&folder, name), &whole);
            remove(&folder.at(name));
        }
    }
    tally.end("short files");
}

/// A user without rights, if the tests run as root, whom the system refuses nothing.
const NOBODY: u32 = 65_534;

/// Runs a command under a limit of the shell, perhaps as another user.
fn limited(folder: &Folder, line: &str, limit: &str, user: Option<u32>) -> Output {
    let ours = folder.command(line);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("ulimit {limit}; exec \"$0\" \"$@\"")]).arg(ours.get_program());
    shell.args(ours.get_args()).current_dir(folder.path()).stdin(Stdio::null());
    shell.env("SOURCE_DATE_EPOCH", "1700000000");
    if let Some(user) = user {
        shell.uid(user);
    }
    shell.output().expect("a shell")
}

/// Gives each command output names that cannot be used. Each is refused, and nothing changes.
#[test]
fn names_that_cannot_be_used_are_refused() {
    let folder = workplace();
    let is_root = rustix::process::geteuid().is_root();
    let open = |name: &str, mode| {
        fs::set_permissions(folder.at(name), fs::Permissions::from_mode(mode)).expect("changed");
    };
    open("", 0o755);
    fs::create_dir(folder.at("locked")).expect("a folder");
    open("locked", 0o555);
    fs::create_dir(folder.at("taken")).expect("a folder");
    folder.write("taken/precious", "precious");
    symlink(folder.at("nowhere/file"), folder.at("dangling")).expect("a link");
    symlink("loop", folder.at("loop")).expect("a link");
    let before = grundy_testing::files::files(folder.path());
    let long = "x".repeat(300);
    let mut tally = Tally::default();
    for [line, name] in writers() {
        let start = line.strip_suffix(name).expect("the name is last");
        for (place, is_refused) in [
            ("taken", true),
            ("given.tar/file", true),
            ("no/such/folder/file", !line.contains("--db") && !line.contains("--out")),
            ("locked/file", true),
            ("loop/file", true),
            (&long, true),
            ("dangling", !line.contains("--db")),
            ("/dev/full", true),
            ("/proc/file", true),
        ] {
            // Commands that write a folder of their own name may use an existing folder.
            if place == "taken" && line.contains("--db") {
                continue;
            }
            let what = format!("{start}{place}");
            let user = (is_root && place == "locked/file").then_some(NOBODY);
            let mut command = folder.command(&what);
            if let Some(user) = user {
                command.uid(user);
            }
            let Ok(output) = command.output() else { continue };
            tally.count(&what, &output);
            if output.status.success() && is_refused {
                tally.faults.push(format!("{what}: not refused"));
            }
            if !output.status.success() {
                let after = grundy_testing::files::files(folder.path());
                let lost = before.iter().filter(|file| after.get(file.0) != Some(file.1));
                let lost: Vec<_> = lost.map(|(path, _)| path).collect();
                if !lost.is_empty() {
                    tally.faults.push(format!("{what}: changed {lost:?}"));
                }
            }
            let dregs = unfinished(folder.path());
            if !dregs.is_empty() {
                tally.faults.push(format!("{what}: left {dregs:?}"));
            }
            remove(&folder.at("no"));
        }
    }
    tally.end("names");
}

/// Runs commands under limits of open files, of processes and of the address space.
fn confine(step: usize) {
    let folder = workplace();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("changed");
    let user = rustix::process::geteuid().is_root().then_some(NOBODY);
    let mut tally = Tally::default();
    let readers = cases(CASES, "readers").into_iter().map(|(_, [line])| [line, ""]);
    let numbers = |from: usize, to: usize, by: usize| (from..to).step_by(by * step);
    let limits = numbers(4, 24, 1).map(|n| format!("-n {n}"));
    let limits = limits.chain(numbers(0, 12, 1).map(|n| format!("-u {n}")));
    let limits = limits.chain(numbers(40_000, 400_000, 20_000).map(|n| format!("-v {n}")));
    let limits: Vec<String> = limits.collect();
    for [line, name] in readers.chain(writers()) {
        for limit in &limits {
            let what = format!("ulimit {limit}: {line}");
            let user = user.filter(|_| limit.starts_with("-u") && name.is_empty());
            tally.count(&what, &limited(&folder, line, limit, user));
            if !name.is_empty() {
                remove(&folder.at(name));
            }
        }
    }
    tally.end("limits");
}

#[test]
fn full_disks_leave_whole_files_or_none() {
    fill(3);
}

#[test]
fn limited_files_are_whole_or_absent() {
    shorten(3);
}

#[test]
fn limits_end_in_a_message() {
    confine(6);
}

#[test]
#[ignore = "minutes: make door-storm"]
fn every_size_of_a_full_disk() {
    fill(40);
}

#[test]
#[ignore = "minutes: make door-storm"]
fn every_limit_of_files() {
    shorten(40);
}

#[test]
#[ignore = "minutes: make door-storm"]
fn every_limit() {
    confine(1);
}
