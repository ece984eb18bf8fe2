//! Reads remote tables from a local server, with and without faults. A fault of the server causes
//! an error, never a wrong value.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use grundy_testing::program::{Folder, text};
use grundy_testing::server::{How, Server};

/// Runs a command that must fail without output, and returns its message, which must be one line.
fn refused(folder: &Folder, line: &str) -> String {
    let text = folder.refused(line, 2);
    assert_eq!(text.lines().count(), 1, "{line}: {text}");
    text
}

/// A folder with a database `db`, and with the packs `all` and `all.tar` of its tables.
static RELEASE: LazyLock<Folder> = LazyLock::new(|| {
    let folder = Folder::after("build --games end-nim,nim --max-pile 16 --length 3");
    folder.text("build --games end-nim --max-pile 24 --length 4");
    folder.text("pack -o all.tar");
    folder.text("pack -o all");
    folder
});

/// The same tables as a database, as a pack in a folder, and as a tar.
const PLACES: [&str; 3] = ["/db", "/all", "/all.tar"];

/// Starts a server for RELEASE, and creates a working folder.
fn start() -> (Server, Folder) {
    (Server::of_folder(RELEASE.path()), Folder::new())
}

/// The expected values come from the local database. Two equal piles such as 7,7 are a P-position.
const ASKED: &str = "query end-nim 20,1,24,3 7,7 3,1,3 --json";

#[test]
fn answers_are_those_of_the_database() {
    let local = RELEASE.text(ASKED);
    let expected = local.replace("\"source\"", "\"remote\":true,\"source\"");
    assert_eq!(expected.matches("\"remote\":true,\"source\":\"table\"").count(), 3, "{expected}");
    for place in PLACES {
        let (server, folder) = start();
        let line = format!("{ASKED} --db {}", server.at(place));
        assert_eq!(folder.text(&line), expected);
        let first = server.requests();
        assert!(first.len() < 12, "{place}: {}", first.len());
        // The command leaves no files in the folder.
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
        assert_eq!(folder.text(&format!("{line} --memory 1M")), expected);
    }
    for place in PLACES {
        let line = format!("{ASKED} --db .{place}");
        assert_eq!(RELEASE.text(&line), local, "{place}");
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
        let expected = RELEASE.text(command);
        for place in PLACES {
            let line = format!("{command} --db {}", server.at(place));
            assert_eq!(folder.text(&line), expected, "{line}");
        }
    }
}

#[test]
fn waiting_for_a_server_ends_at_the_time_limit() {
    for how in [How::Silent, How::Dripping] {
        let (server, folder) = start();
        server.answers(move |_| how.clone());
        let start = Instant::now();
        let line = format!("query end-nim 20,1,24,3 --seconds 1 --db {}", server.at("/all"));
        let said = refused(&folder, &line);
        assert!(said.contains("out of time; raise --seconds"), "{said}");
        // Without the limit the command would wait much longer.
        assert!(start.elapsed() < Duration::from_secs(15));
    }
}

/// The id of a rule file's game is unknown only if the database was read and lacks the game.
#[test]
fn an_id_is_unknown_only_where_the_database_was_read() {
    let commands = [
        "query own-7e103afd 3,1,4 --seconds 1",
        "query nim 1 + own-7e103afd 3,1,4 --seconds 1",
        "find own-7e103afd P --length 2 --max-pile 3 --seconds 1",
        "check nim 'g == g[own-7e103afd]' --length 2 --max-pile 3 --seconds 1",
    ];
    for (how, said) in [
        (How::Right, "unknown game 'own-7e103afd'"),
        (How::Status(500, ""), "the server answers 500"),
        (How::Status(400, ""), "the server answers 400"),
        (How::Silent, "out of time; raise --seconds"),
        (How::Dripping, "out of time; raise --seconds"),
    ] {
        let (server, folder) = start();
        server.always(how.clone());
        for command in commands {
            let start = Instant::now();
            let found = folder.refused(&format!("{command} --db {}", server.at("/all")), 2);
            assert!(found.contains(said), "{how:?}: {command}: {found}");
            assert!(start.elapsed() < Duration::from_secs(15), "{how:?}: {command}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_transfer() {
    use rustix::process::{Pid, Signal, kill_process};
    use std::os::unix::process::ExitStatusExt as _;

    // The first command has no signal handlers. Send it SIGTERM, because processes may inherit an
    // ignored SIGINT if the tests run in the background.
    let ends =
        [("query end-nim 3,1,4 --db", Signal::TERM, None), ("unpack", Signal::INT, Some(130))];
    for (line, signal, code) in ends {
        let (server, folder) = start();
        server.answers(|_| How::Silent);
        let line = format!("{line} {}", server.at("/all"));
        let mut child = folder
            .command(&line)
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        while server.requests().is_empty() {
            std::thread::sleep(Duration::from_millis(10));
        }
        kill_process(Pid::from_child(&child), signal).expect("a signal");
        let status = child.wait().expect("an end");
        let by_signal = code.is_none().then_some(signal.as_raw());
        assert_eq!((status.code(), status.signal()), (code, by_signal), "{line}");
    }
}

fn flip(bytes: &mut [u8]) {
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
}

/// Returns the path of a file in this place that contains values.
fn data_of(place: &str) -> &str {
    if place == "/all" { "/all/end-nim-n24-k4.zst" } else { place }
}

#[test]
fn packs_on_servers_are_verified() {
    for place in ["/all", "/all.tar"] {
        let (server, folder) = start();
        let verify = format!("verify {}", server.at(place));
        let said = folder.text(&verify);
        assert!(said.ends_with("; no problems\n"), "{said}");
        let list = (place == "/all").then_some("/all/pack.json");
        for file in [data_of(place)].into_iter().chain(list) {
            server.change(file, |bytes| flip(bytes));
            let output = folder.run(&verify);
            assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
            server.change(file, |bytes| flip(bytes));
        }
    }
}

#[test]
fn packs_on_servers_are_unpacked() {
    for place in ["/all", "/all.tar"] {
        let (server, folder) = start();
        let unpack = format!("unpack {} --db copy", server.at(place));
        // The server sends the manifest, but not the data.
        server.answers(move |request| match request.range {
            Some((0, last)) if last > 20_000 => How::Status(400, ""),
            _ => How::Right,
        });
        let said = folder.refused(&unpack, 2);
        assert!(said.contains("the same command continues from there"), "{said}");
        assert!(!folder.at("copy/manifest.json").exists());
        server.answers(|_| How::Right);
        folder.text(&unpack);
        for name in ["manifest.json", "end-nim/n24/k4/end-nim-n24-k4-00000.zst"] {
            assert!(folder.read(&format!("copy/{name}")) == RELEASE.read(&format!("db/{name}")));
        }
        assert_eq!(folder.text("verify --db copy"), RELEASE.text("verify"));
        // The command has removed its temporary files.
        let mut left = fs::read_dir(folder.at("copy")).expect("a folder").flatten();
        assert!(!left.any(|entry| entry.file_name().to_string_lossy().starts_with("fetched")));
        // Tables of a damaged pack are not published, and the next run fetches the pack again.
        let folder = Folder::new();
        server.change(data_of(place), |bytes| flip(bytes));
        refused(&folder, &unpack);
        assert!(!folder.at("copy/manifest.json").exists());
        server.change(data_of(place), |bytes| flip(bytes));
        folder.text(&unpack);
    }
}
