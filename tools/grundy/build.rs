//! Puts the commit, its date, the compiler and `Cargo.lock` into the program. Commit and date come
//! from GRUNDY_COMMIT and GRUNDY_DATE, or else from git. Without git they are `unknown` and 0.

use std::env;
use std::path::Path;
use std::process::Command;

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

/// Writes the list of the explorer's files, which the compiler includes.
fn embed() {
    println!("cargo::rerun-if-env-changed=GRUNDY_EXPLORER");
    let mut list = String::from("&[\n");
    if env::var_os("CARGO_FEATURE_EXPLORE").is_some() {
        let target = env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "../../target".to_owned());
        let folder = env::var("GRUNDY_EXPLORER").unwrap_or_else(|_| format!("{target}/explorer"));
        let Ok(folder) = Path::new(&folder).canonicalize() else {
            panic!("'{folder}' contains no explorer; run `make explorer` first");
        };
        println!("cargo::rerun-if-changed={}", folder.display());
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut files: Vec<_> =
            files.map(|file| file.path()).filter(|path| path.is_file()).collect();
        files.sort();
        for path in files {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            list += &format!("({name:?}, include_bytes!({path:?})),\n");
        }
    }
    list.push(']');
    write("explorer.rs", list.as_bytes());
}

/// Writes a file that the compiler includes.
fn write(name: &str, bytes: &[u8]) {
    let path = Path::new(&env::var("OUT_DIR").unwrap_or_default()).join(name);
    if let Err(error) = std::fs::write(&path, bytes) {
        panic!("cannot write {}: {error}", path.display());
    }
}

fn main() {
    embed();
    for name in ["GRUNDY_COMMIT", "GRUNDY_DATE"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    // Do not use the commit of another repository that contains this package.
    let is_ours = Path::new("../../crates/rules").is_dir();
    let git = |arguments: &[&str]| is_ours.then(|| output("git", arguments)).flatten();
    for name in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", name])
            && Path::new(&path).exists()
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let unknown = || "unknown".to_owned();
    // If files have changed since the commit, mark the version as changed.
    let changes =
        git(&["status", "--porcelain", "--untracked-files=no"]).map_or("", |_| "-changed");
    let head = git(&["rev-parse", "HEAD"]).map(|commit| commit + changes);
    let commit = env::var("GRUNDY_COMMIT").ok().or(head);
    let date = env::var("GRUNDY_DATE").ok().or_else(|| git(&["log", "-1", "--format=%ct"]));
    if let Some(wrong) = date.as_ref().filter(|date| date.parse::<u64>().is_err()) {
        panic!("GRUNDY_DATE is '{wrong}', not a number of seconds since 1970");
    }
    let rustc = output(&env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned()), &["--version"]);
    let lock = ["../../Cargo.lock", "Cargo.lock"].into_iter().find(|path| Path::new(path).exists());
    let lock = lock.and_then(|path| {
        println!("cargo::rerun-if-changed={path}");
        std::fs::read(path).ok()
    });
    write("Cargo.lock", &lock.unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=GRUNDY_COMMIT={}", commit.unwrap_or_else(unknown));
    println!("cargo::rustc-env=GRUNDY_DATE={}", date.unwrap_or_else(|| "0".to_owned()));
    println!("cargo::rustc-env=GRUNDY_RUSTC={}", rustc.unwrap_or_else(unknown));
}
