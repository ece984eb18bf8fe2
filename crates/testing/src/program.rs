//! Runs the program as a process, in a separate folder.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder in which commands run. Its subfolder `db` is the default database.
#[derive(Debug)]
pub struct Folder {
    folder: TempDir,
}

impl Default for Folder {
    fn default() -> Folder {
        Folder::new()
    }
}

impl Folder {
    #[must_use]
    pub fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a temporary folder") }
    }

    /// Creates a folder and runs a command that must succeed, usually a build.
    #[must_use]
    pub fn after(line: &str) -> Folder {
        let folder = Folder::new();
        folder.text(line);
        folder
    }

    #[must_use]
    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    #[must_use]
    pub fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.at(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.at(name), bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    }

    /// Returns a command of the program. Splits the line into words as a shell does. The command
    /// has no input, and its output is captured.
    #[must_use]
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("grundy"));
        command.current_dir(self.path()).env("SOURCE_DATE_EPOCH", "1700000000");
        for name in
            ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "SSL_CERT_FILE", "GRUNDY_DB"]
        {
            command.env_remove(name);
        }
        command.args(shlex::split(line).expect("words"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn run(&self, line: &str) -> Output {
        self.command(line).output().expect("the program starts")
    }

    pub fn start(&self, line: &str) -> Child {
        self.command(line).spawn().expect("the program starts")
    }

    /// Returns the output of a command that must succeed.
    pub fn text(&self, line: &str) -> String {
        let output = self.run(line);
        assert!(output.status.success(), "{line}: {}", text(&output.stderr));
        text(&output.stdout).replace('\r', "")
    }

    /// Returns the JSON lines of a command, whether it succeeds or not.
    pub fn json(&self, line: &str) -> Vec<Value> {
        let output = self.run(&format!("{line} --json"));
        let lines = text(&output.stdout);
        assert!(!lines.is_empty(), "{line}: {}", text(&output.stderr));
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Runs a command that must fail with this code and print no result. Returns its message.
    pub fn refused(&self, line: &str, code: i32) -> String {
        let output = self.run(line);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {message}");
        assert!(output.stdout.is_empty(), "{line} printed a result");
        message
    }
}

/// Returns the Python that `GRUNDY_PYTHON` names, or else the Python of `make test` or the system.
/// If that Python lacks the package, returns `None`, or panics in CI.
#[must_use]
pub fn python(package: &str) -> Option<OsString> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python3");
    let python = env::var_os("GRUNDY_PYTHON")
        .unwrap_or_else(|| if own.exists() { own.into() } else { "python3".into() });
    let import = Command::new(&python).arg("-c").arg(format!("import {package}")).output();
    if import.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(env::var_os("CI").is_none(), "{python:?} has no package {package}");
    println!("skipped: {python:?} has no package {package}");
    None
}

#[must_use]
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
