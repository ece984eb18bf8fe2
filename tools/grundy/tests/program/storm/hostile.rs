//! Runs the invalid commands in commands.txt, in a folder with their files. Each command must fail
//! with a message of one line and without results, and take little time and memory.

use std::ffi::OsString;
use std::fs::File;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use assert_cmd::cargo::cargo_bin;
use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};

use super::each_on_all_processors;
use super::sandbox::Sandbox;
use grundy_testing::files::files;

const COMMANDS: &str = include_str!("commands.txt");

/// The limit of processor time for a command, in seconds. Most commands take a hundredth of it.
const SECONDS: u64 = 10;
/// The limit of private memory for a command, in bytes.
const MEMORY: u64 = 256 << 20;
/// The time after which the test ends a waiting command; long enough for a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

struct Line {
    text: &'static str,
    code: i32,
    arguments: Vec<OsString>,
    stdin: Option<String>,
    is_full: bool,
}

/// Returns the long text with this name, within the system's limit of 128 KiB for an argument.
fn long(name: &str) -> String {
    match name {
        "digits" => "9".repeat(60_000),
        "letters" => "a".repeat(100_000),
        "commas" => ",".repeat(100_000),
        "piles" => format!("{}1", "1,".repeat(50_000)),
        "braces" => format!("8{}", "{".repeat(100_000)),
        "moves" => (1..20_000).map(|n| n.to_string()).collect::<Vec<_>>().join(","),
        "runs" => {
            let runs = (1..6_000).map(|n| format!("{}..{}", 9 * n, 9 * n + 3));
            runs.collect::<Vec<_>>().join(",")
        }
        "spaces" => " ".repeat(100_000),
        "slashes" => "4/".repeat(50_000),
        other => panic!("no text is called {other}"),
    }
}

/// Returns the bytes of the argument that a word in commands.txt describes.
fn spelt(word: &str) -> Vec<u8> {
    let named: Vec<String> = word
        .split('%')
        .enumerate()
        .map(|(at, part)| if at % 2 == 1 { long(part) } else { part.to_owned() })
        .collect();
    let named = named.concat();
    let mut bytes = Vec::new();
    let mut characters = named.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, true) => match characters.next() {
                Some('n') => bytes.push(b'\n'),
                Some('t') => bytes.push(b'\t'),
                Some('e') => bytes.push(0x1B),
                Some('x') => bytes.push(0xFF),
                Some('u') => bytes.extend("\u{1D7D9}".bytes()),
                other => panic!("no escape is called {other:?}"),
            },
            _ => bytes.extend(character.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
    bytes
}

impl Line {
    fn parse(text: &'static str) -> Line {
        let (code, command) = match text.split_once(" | ") {
            Some((code, command)) => (code.trim().parse().expect("an exit code"), command),
            None => (2, text),
        };
        let mut words = Vec::new();
        let mut rest = command.trim_start();
        while !rest.is_empty() {
            let (word, behind) = match rest.strip_prefix('\'') {
                Some(quoted) => {
                    let (word, behind) = quoted.split_once('\'').expect("a closing quote");
                    let more = behind.find(' ').unwrap_or(behind.len());
                    (format!("{word}{}", &behind[..more]), &behind[more..])
                }
                None => {
                    let end = rest.find(' ').unwrap_or(rest.len());
                    (rest[..end].to_owned(), &rest[end..])
                }
            };
            words.push(word);
            rest = behind.trim_start();
        }
        let mut line = Line { text, code, arguments: Vec::new(), stdin: None, is_full: false };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            match &word[..] {
                "<" => line.stdin = words.next(),
                ">" => line.is_full = words.next().as_deref() == Some("full"),
                _ => line.arguments.push(OsString::from_vec(spelt(&word))),
            }
        }
        line
    }

    fn run(&self, folder: &Path) -> Output {
        let stdin = self.stdin.as_ref().map_or_else(Stdio::null, |name| {
            File::open(folder.join(name)).expect("a file of the sandbox").into()
        });
        let stdout = match self.is_full {
            true => File::options().write(true).open("/dev/full").expect("a full device").into(),
            false => Stdio::piped(),
        };
        let mut command = Command::new(cargo_bin("grundy"));
        if !self.text.contains("--memory") {
            command.args(["--memory", "200M"]);
        }
        if !self.text.contains("--threads") {
            // Limit the threads: every thread has a stack, and there may be hundreds of processors.
            command.args(["--threads", "2"]);
        }
        let child = command
            .current_dir(folder)
            .args(&self.arguments)
            .stdin(stdin)
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        limited(child)
    }

    /// Returns the fault in the output of this command, if any.
    fn fault(&self, output: &Output) -> Option<String> {
        let message = String::from_utf8_lossy(&output.stderr);
        let shown: String = message.chars().take(400).collect();
        if output.status.code() != Some(self.code) {
            let signal = output.status.signal();
            return Some(format!(
                "exit code {:?}, signal {signal:?}: {shown}",
                output.status.code()
            ));
        }
        // A message of clap has a few lines: the error, perhaps a tip, and the usage.
        let is_usage = message.starts_with("error: ") || message.contains("\n\nUsage: ");
        let lines = message.lines().count();
        // A message about a statement has a caret below the error, and a hint.
        let has_caret = lines <= 8 && message.lines().any(|line| line.trim_start() == "|");
        let is_short = lines == 1 || has_caret || self.code == 1;
        if !(is_usage || message.starts_with("grundy: ") && is_short) {
            return Some(format!("{lines} lines on standard error: {shown}"));
        }
        if is_usage && lines > 48 || message.len() > 4000 {
            return Some(format!("{} bytes on standard error: {shown}", message.len()));
        }
        // Control characters in a message could move the cursor of a terminal.
        if message.chars().any(|c| c.is_control() && c != '\n') {
            return Some(format!("control characters in the message: {shown:?}"));
        }
        if message.contains("panicked") || self.code == 2 && !output.stdout.is_empty() {
            return Some(format!("{} bytes of results: {shown}", output.stdout.len()));
        }
        None
    }
}

/// Limits the time and the memory of a process, and waits for its end.
pub(super) fn limited(child: Child) -> Output {
    let process = Pid::from_child(&child);
    let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
    // The process may have ended already.
    let _ = prlimit(Some(process), Resource::Cpu, limit(SECONDS));
    let _ = prlimit(Some(process), Resource::Data, limit(MEMORY));
    let (sender, ended) = mpsc::channel();
    let watcher = std::thread::spawn(move || {
        if ended.recv_timeout(PATIENCE).is_err() {
            let _ = kill_process(process, Signal::KILL);
        }
    });
    let output = child.wait_with_output().expect("it ends");
    let _ = sender.send(());
    watcher.join().expect("the watcher");
    output
}

#[test]
fn hostile_commands_are_refused_in_one_line() {
    let sandbox = Sandbox::new();
    let before = files(&sandbox.path().join("db"));
    let lines: Vec<Line> = COMMANDS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(Line::parse)
        .collect();
    assert!(lines.len() > 300);
    let faults = Mutex::new(Vec::new());
    each_on_all_processors(
        lines.len(),
        || (),
        |(), at| {
            let line = &lines[at];
            let start = std::time::Instant::now();
            let output = line.run(sandbox.path());
            if start.elapsed() > Duration::from_secs(1) {
                println!("{:.1?}: {}", start.elapsed(), line.text);
            }
            if let Some(fault) = line.fault(&output) {
                faults.lock().expect("no panic").push(format!("{}\n    {fault}", line.text));
            }
        },
    );
    let faults = faults.into_inner().expect("no panic");
    println!("{} commands, {} failed the test", lines.len(), faults.len());
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), lines.len(), faults.join("\n"));
    // The database is unchanged, and the command left no temporary files.
    assert!(files(&sandbox.path().join("db")) == before, "the database has changed");
    let left: Vec<_> = files_named(sandbox.path(), ".tmp-");
    assert!(left.is_empty(), "{left:?}");
}

fn files_named(folder: &Path, part: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for file in std::fs::read_dir(next).into_iter().flatten().flatten() {
            let kind = file.file_type().expect("a kind");
            let name = file.file_name().to_string_lossy().into_owned();
            if kind.is_dir() {
                folders.push(file.path());
            } else if name.contains(part) {
                found.push(name);
            }
        }
    }
    found
}
