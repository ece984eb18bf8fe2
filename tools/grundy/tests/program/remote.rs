//! Tables that are asked before they have arrived: from a server on loopback that does what it should,
//! or anything else. A wrong server gives an error, and never a value.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use assert_cmd::cargo::cargo_bin;
use grundy_testing::server::{How, Received, Server};
use tempfile::TempDir;

fn command(folder: &Path, line: &str) -> Command {
    let mut command = Command::new(cargo_bin("grundy"));
    command.current_dir(folder).args(line.split(' '));
    command.env("SOURCE_DATE_EPOCH", "1700000000");
    for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "SSL_CERT_FILE"] {
        command.env_remove(name);
    }
    command
}

fn grundy(folder: &Path, line: &str) -> Output {
    command(folder, line).output().expect("the program starts")
}

fn fine(folder: &Path, line: &str) -> String {
    let output = grundy(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// What a refused command says; it prints no value.
fn refused(folder: &Path, line: &str) -> String {
    let output = grundy(folder, line);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{line}: {text}");
    assert!(output.stdout.is_empty(), "{line}: {}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(text.lines().count(), 1, "{line}: {text}");
    text
}

/// A database `db`, its packs `all` and `all.tar`.
static RELEASE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    fine(folder.path(), "build --games end-nim,nim --max-pile 16 --length 3");
    fine(folder.path(), "build --games end-nim --max-pile 24 --length 4");
    fine(folder.path(), "pack -o all.tar");
    fine(folder.path(), "pack -o all");
    folder
});

/// Where the same tables are, in three ways.
const PLACES: [&str; 3] = ["/db", "/all", "/all.tar"];

/// A server of the release, and a folder to work in.
fn start() -> (Server, TempDir) {
    (Server::of_folder(RELEASE.path()), tempfile::tempdir().expect("a folder"))
}

fn holds_data(asked: &Received) -> bool {
    asked.path.ends_with(".zst") || asked.path.ends_with(".tar")
}

/// Of 20,1,24,3 and 7,7: by hand no more than that 7,7 is a P-position; the values by the local database.
const ASKED: &str = "query end-nim 20,1,24,3 7,7 3,1,3 --json";

#[test]
fn answers_are_those_of_the_database() {
    let local = fine(RELEASE.path(), ASKED);
    let expected = local.replace("\"source\"", "\"remote\":true,\"source\"");
    assert_eq!(expected.matches("\"remote\":true,\"source\":\"table\"").count(), 3, "{expected}");
    for place in PLACES {
        let (server, folder) = start();
        let line = format!("{ASKED} --db {}", server.at(place));
        assert_eq!(fine(folder.path(), &line), expected);
        let first = server.asked();
        assert!(first.len() < 12, "{place}: {}", first.len());
        // Nothing is kept beside the command.
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        // Without tags too, where only checksums tell.
        server.forgets_tags();
        assert_eq!(fine(folder.path(), &line), expected);
        assert_eq!(fine(folder.path(), &format!("{line} --memory 1M")), expected);
    }
    for place in PLACES {
        let line = format!("{ASKED} --db .{place}");
        assert_eq!(fine(RELEASE.path(), &line), local, "{place}");
    }
}

#[test]
fn other_commands_read_the_same() {
    let (server, folder) = start();
    for command in [
        "status --digests",
        "stats end-nim --max-pile 16 --length 3",
        "export end-nim --max-pile 16 --length 3 --format csv",
        "find end-nim P --max-pile 16 --length 3 --count",
        "moves end-nim 20,1,24,3",
        "cite end-nim/n24/k4",
        "verify",
    ] {
        let expected = fine(RELEASE.path(), command);
        for place in PLACES {
            let line = format!("{command} --db {}", server.at(place));
            assert_eq!(fine(folder.path(), &line), expected, "{line}");
        }
    }
}

#[test]
fn many_positions_are_fetched_together() {
    let (server, folder) = start();
    let lines: String = (0..5000_u32)
        .map(|at| format!("{},{},{},{}\n", at % 24 + 1, at % 23 + 1, at % 22 + 1, at % 19 + 1))
        .collect();
    fs::write(folder.path().join("positions"), lines).expect("written");
    let ask = |db: &str| {
        let positions = fs::File::open(folder.path().join("positions")).expect("positions");
        let output = command(folder.path(), &format!("query end-nim - --db {db}"))
            .stdin(Stdio::from(positions))
            .output()
            .expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let expected = ask(RELEASE.path().join("db").to_str().expect("a name"));
    for place in PLACES {
        server.asked();
        assert!(ask(&server.at(place)) == expected, "{place}");
        assert!(server.asked().len() < 12, "{place}");
    }
}

/// What a server can do wrong is tried in the library; here it is told in a line, and no value is printed.
#[test]
fn a_bad_server_gives_no_value() {
    for how in [How::Status(500, ""), How::WrongBytes, How::OtherBytes, How::Noise] {
        for place in PLACES {
            for is_data_alone in [true, false] {
                let (server, folder) = start();
                let chosen = how.clone();
                server.answers(move |asked| match holds_data(asked) || !is_data_alone {
                    true => chosen.clone(),
                    false => How::Right,
                });
                let line = format!("query end-nim 20,1,24,3 --seconds 2 --db {}", server.at(place));
                let said = refused(folder.path(), &line);
                assert!(said.contains("127.0.0.1"), "{place} {how:?}: {said}");
            }
        }
    }
    let (server, folder) = start();
    let said = refused(folder.path(), &format!("query nim 1 --db {}", server.at("/nothing")));
    assert!(said.contains("neither a pack (pack.json) nor a database (manifest.json)"), "{said}");
    // A list that says of a table what cannot be, and is sealed.
    for place in ["/db/manifest.json", "/all/pack.json"] {
        let (server, folder) = start();
        server.change(place, |bytes| {
            let text = String::from_utf8(bytes.clone()).expect("text");
            let lies = text.replace("\"tiles\": 16,", "\"tiles\": 16000000000000,");
            assert_ne!(text, lies);
            let (before, _) = lies.rsplit_once(",\n  \"blake3\": \"").expect("a seal");
            let before = format!("{before},\n  \"blake3\": \"");
            let seal = blake3::hash(before.as_bytes()).to_hex();
            *bytes = format!("{before}{seal}\"\n}}\n").into_bytes();
        });
        let at = place.rsplit_once('/').expect("a folder").0;
        refused(folder.path(), &format!("query end-nim 3,1,4 --db {}", server.at(at)));
    }
}

/// A table is replaced by another of the same shape, under another manifest or under the old one, before
/// and between requests.
#[test]
fn a_change_gives_no_value_of_two_files() {
    let path = "/db/end-nim/n24/k4/end-nim-n24-k4-00000.zst";
    let ask = |server: &Server| format!("query end-nim 20,1,24,3 --db {}", server.at("/db"));
    let (server, folder) = start();
    let expected = fine(RELEASE.path(), "query end-nim 20,1,24,3");
    assert_eq!(fine(folder.path(), &ask(&server)), expected);
    server.change(path, |bytes| bytes.iter_mut().skip(2000).for_each(|byte| *byte ^= 0x5a));
    let said = refused(folder.path(), &ask(&server));
    assert!(said.contains("k4-00000.zst is damaged"), "{said}");
    let other = fs::read(RELEASE.path().join("db/end-nim/n16/k3/end-nim-n16-k3-00000.zst"));
    server.put(path, other.expect("a shard"));
    let said = refused(folder.path(), &ask(&server));
    assert!(said.contains("bytes, should have"), "{said}");
}

#[test]
fn waiting_has_an_end() {
    for how in [How::Silent, How::Dripping] {
        let (server, folder) = start();
        server.answers(move |_| how.clone());
        let start = Instant::now();
        let line = format!("query end-nim 20,1,24,3 --seconds 1 --db {}", server.at("/all"));
        let said = refused(folder.path(), &line);
        assert!(said.contains("the time is up; allow more with --seconds"), "{said}");
        // Far from what a server may take that is waited for without a limit.
        assert!(start.elapsed() < Duration::from_secs(15));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_transfer() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::os::unix::process::ExitStatusExt as _;

    // One that catches no signal ends by it. Not by SIGINT, which may be ignored where the tests were
    // started in the background.
    let ends =
        [("query end-nim 3,1,4 --db", Signal::TERM, None), ("unpack", Signal::INT, Some(130))];
    for (line, signal, code) in ends {
        let (server, folder) = start();
        server.answers(|_| How::Silent);
        let line = format!("{line} {}", server.at("/all"));
        let mut child = command(folder.path(), &line)
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        while server.asked().is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
        kill_process(Pid::from_child(&child), signal).expect("a signal");
        let status = child.wait().expect("an end");
        let by_signal = code.is_none().then_some(signal.as_raw());
        assert_eq!((status.code(), status.signal()), (code, by_signal), "{line}");
    }
}

#[test]
fn what_writes_refuses_an_address() {
    let (server, folder) = start();
    let at = server.at("/all");
    for line in [
        "build --max-pile 3".to_owned(),
        "plan --max-pile 3".to_owned(),
        "pack -o new.tar".to_owned(),
        "tasks build --max-pile 3".to_owned(),
        format!("unpack {at}"),
    ] {
        let said = refused(folder.path(), &format!("{line} --db {at}"));
        assert!(
            said.contains("is on a server, and this needs a database folder"),
            "{line}: {said}"
        );
    }
    assert!(server.asked().is_empty());
    for address in ["ftp://host/x", "http://", "https://me:secret@host/x", "http://host/x#y"] {
        let said = refused(folder.path(), &format!("query nim 1 --db {address}"));
        assert!(said.contains("is no address") && !said.contains("secret"), "{said}");
    }
}

#[test]
fn packs_on_servers_are_verified() {
    for place in ["/all", "/all.tar"] {
        let (server, folder) = start();
        let said = fine(folder.path(), &format!("verify {}", server.at(place)));
        assert!(said.ends_with("; no problems\n"), "{said}");
        if place == "/all" {
            let (server, folder) = start();
            server.change("/all/pack.json", |bytes| bytes[100] ^= 1);
            let output = grundy(folder.path(), &format!("verify {}", server.at(place)));
            assert_eq!(
                output.status.code(),
                Some(1),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let file = if place == "/all" { "/all/end-nim-n24-k4.zst" } else { place };
        let middle = RELEASE.path().join(&file[1..]).metadata().expect("a file").len() / 2;
        server.change(file, |bytes| bytes[middle as usize] ^= 1);
        let output = grundy(folder.path(), &format!("verify {}", server.at(place)));
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn packs_on_servers_are_unpacked() {
    for place in ["/all", "/all.tar"] {
        let (server, folder) = start();
        let at = server.at(place);
        // What says what is there arrives, and the data does not.
        server.answers(move |asked| match asked.range {
            Some((0, last)) if last > 20_000 => How::Status(400, ""),
            _ => How::Right,
        });
        refused_with_two_lines(folder.path(), &format!("unpack {at} --db copy"));
        assert!(!folder.path().join("copy/manifest.json").exists());
        server.answers(|_| How::Right);
        fine(folder.path(), &format!("unpack {at} --db copy"));
        let same = |name: &str| {
            fs::read(folder.path().join("copy").join(name)).ok()
                == fs::read(RELEASE.path().join("db").join(name)).ok()
        };
        assert!(same("manifest.json") && same("end-nim/n24/k4/end-nim-n24-k4-00000.zst"));
        assert_eq!(fine(folder.path(), "verify --db copy"), fine(RELEASE.path(), "verify"),);
        // Nothing is left of what was fetched.
        let left = fs::read_dir(folder.path().join("copy")).expect("a folder").flatten();
        let left: Vec<_> = left.map(|entry| entry.file_name()).collect();
        assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("fetched")), "{left:?}");
        // A pack that arrived damaged is not published, and fetched anew.
        let (server, folder) = start();
        let file = if place == "/all" { "/all/end-nim-n24-k4.zst" } else { place };
        server.change(file, |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        });
        refused(folder.path(), &format!("unpack {} --db copy", server.at(place)));
        assert!(!folder.path().join("copy/manifest.json").exists());
        server.change(file, |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
        });
        fine(folder.path(), &format!("unpack {} --db copy", server.at(place)));
    }
}

fn refused_with_two_lines(folder: &Path, line: &str) {
    let output = grundy(folder, line);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{line}: {text}");
    assert!(text.contains("the same command goes on from there"), "{line}: {text}");
}
