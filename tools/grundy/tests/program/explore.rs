//! Tests the files, the answers, the clients and the end of `grundy explore`.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

use grundy_testing::cases::cases;
use grundy_testing::program::Folder;
use serde_json::{Value, json};

const CASES: &str = include_str!("explore.txt");

/// A server with a page of a few files. The server ends when `Served` is dropped.
struct Served {
    child: Child,
    port: u16,
    _folder: Folder,
}

impl Served {
    fn new(more: &str) -> Served {
        Served::with(&format!("--assets page {more}"))
    }

    fn with(options: &str) -> Served {
        let folder = Folder::new();
        fs::create_dir(folder.at("page")).unwrap();
        folder.write("page/index.html", "<!doctype html><title>x</title>");
        for name in ["main.js", "style.css", "findings.md", "grundy.wasm", "icon.svg"] {
            folder.write(&format!("page/{name}"), "");
        }
        // The file exceeds the system's buffers, so the server waits if a client does not read.
        folder.write("page/large.js", vec![b' '; 12 << 20]);
        folder.write("secret", "secret");
        let mut child = folder.start(&format!("explore --port 0 --json {options}"));
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let reply: Value = serde_json::from_str(&line).unwrap();
        let address = reply["address"].as_str().unwrap();
        let port = address.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
        Served { child, port, _folder: folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends bytes unchanged. Returns the status, the head and the body of the answer. If there is
    /// no answer, the status is 0, and head and body are empty.
    fn send(&self, bytes: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = self.connect();
        // Ignore a failure, because a server that refuses early need not read the whole request.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        if answer.is_empty() {
            return (0, String::new(), answer);
        }
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(answer[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, head, answer[end + 4..].to_vec())
    }

    fn get(&self, path: &str) -> (u16, Value) {
        let (status, _, body) =
            self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
        (status, serde_json::from_slice(&body).unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// docs/COMMANDS.md has the same values: 6 for 12,10 in End-Nim; 5 for 2,3,4, where 2,3,2 wins.
#[test]
fn programs_get_values_and_moves() {
    let served = Served::new("");
    let (status, found) = served.get("/api/value?game=end-nim&position=12%2C10");
    assert_eq!((status, &found["grundy"], &found["source"]), (200, &json!(6), &json!("theorem")));
    let (status, found) = served.get("/api/moves?game=end-nim&position=2,3,4");
    assert_eq!((status, &found["grundy"]), (200, &json!(5)));
    let moves = found["moves"].as_array().unwrap();
    let winning: Vec<&Value> =
        moves.iter().filter(|one| one["winning"] == true).map(|one| &one["option"]).collect();
    assert_eq!((moves.len(), winning), (6, vec![&json!("2,3,2")]));
}

#[test]
fn an_error_is_a_sentence() {
    let served = Served::new("--seconds 1");
    for (_, [path, status, word]) in cases(CASES, "errors") {
        let (found, answer) = served.get(path);
        let error = answer["error"].as_str().unwrap();
        assert_eq!(found.to_string(), status, "{path}: {error}");
        assert!(error.contains(word), "{path}: {error}");
    }
    // These requests are invalid by RFC 9112. All get an answer, except empty lines.
    let head = |line: &str| format!("GET / HTTP/1.1\r\nHost: localhost\r\n{line}\r\n\r\n1");
    let long = format!("x: {}", "a".repeat(17 << 10));
    let unfold = |text: &str| text.replace("\\r\\n", "\r\n");
    let heads = cases(CASES, "heads").into_iter();
    let heads = heads.map(|(_, [line, status])| (head(&unfold(line)), status.parse().unwrap()));
    let requests = [
        ("".to_owned(), 0),
        ("GET".to_owned(), 400),
        ("\r\n\r\n\r\n".to_owned(), 0),
        ("GET / HTTP/1.1\r\nHost:".to_owned(), 400),
        ("\x16\x03\x01\x02\0".to_owned(), 400),
        ("\0\0\0\r\n\r\n".to_owned(), 400),
        ("a".repeat(40_000), 431),
        (head(&long), 431),
    ];
    for (request, expected) in requests.into_iter().chain(heads) {
        let (status, answered, body) = served.send(request.as_bytes());
        let reply = String::from_utf8_lossy(&body);
        assert_eq!(status, expected, "{request:.80} {reply}");
        assert_eq!(reply.starts_with("{\"error\":"), status > 0, "{request:.80} {reply}");
        assert_eq!(answered.contains("Content-Security-Policy"), status > 0, "{answered}");
        assert!(!request.contains("host: l") || reply.contains("more than once"), "{reply}");
    }
    assert_eq!(served.get("/api/value?game=nim&position=5").0, 200);
}

/// A browser that can read zstd gets fewer bytes, and a browser that has the file gets none.
#[test]
fn files_are_compressed_and_sent_once() {
    let served = Served::new("");
    let get = |more: &str| {
        served.send(format!("GET /large.js HTTP/1.1\r\nHost: localhost\r\n{more}\r\n").as_bytes())
    };
    let (_, plain, body) = get("");
    assert_eq!(body.len(), 12 << 20);
    assert!(!plain.to_lowercase().contains("content-encoding"), "{plain}");
    let (status, head, packed) = get("Accept-Encoding: gzip, br, zstd\r\n");
    assert!(head.to_lowercase().contains("content-encoding: zstd"), "{head}");
    assert!(status == 200 && packed.len() < 12 << 10);
    assert_eq!(zstd::decode_all(&*packed).unwrap(), body);
    let tag =
        head.lines().find_map(|line| line.strip_prefix("Etag: ").or(line.strip_prefix("ETag: ")));
    let (status, head, body) = get(&format!("If-None-Match: \"x\", {}\r\n", tag.unwrap()));
    assert_eq!((status, body.len()), (304, 0), "{head}");
}

/// Answers contain the security policy of the page. A request to any other host name is refused.
#[test]
fn only_requests_to_a_local_name_are_answered() {
    let served = Served::new("");
    let (status, head, body) = served.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:8017\r\n\r\n");
    assert_eq!((status, &body[..9]), (200, &b"<!doctype"[..]));
    assert!(head.contains("Content-Security-Policy: default-src 'none'"), "{head}");
    assert!(head.contains("Content-Type: text/html"), "{head}");
    assert!(!head.contains("Access-Control-Allow"), "{head}");
    for path in ["/main%2Ejs", "/%6dain.js", "/api%2fvalue?game=nim&position=5"] {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!(served.send(request.as_bytes()).0, 200, "{path}");
    }
    for (name, kind) in [
        ("main.js", "text/javascript"),
        ("style.css", "text/css"),
        ("findings.md", "text/markdown"),
        ("grundy.wasm", "application/wasm"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let request = format!("HEAD /{name} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let (_, head, body) = served.send(request.as_bytes());
        assert!(head.contains(kind) && body.is_empty(), "{head}");
    }
    for request in [
        &b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n"[..],
        b"GET /api/value HTTP/1.1\r\nHost: example.org:8017\r\n\r\n",
        b"GET / HTTP/1.0\r\n\r\n",
    ] {
        assert_eq!(served.send(request).0, 403);
    }
}

/// A request from a page of another site is refused, but a link on another site may open the page.
/// Browsers send these headers by the Fetch standard and by Fetch Metadata.
#[test]
fn pages_of_others_are_not_answered() {
    let served = Served::new("");
    for (_, [start, headers, answer]) in cases(CASES, "pages") {
        let (headers, is_refused) = (headers.replace("\\r\\n", "\r\n"), answer == "refused");
        let request = format!("{start} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        let (found, _, body) = served.send(request.as_bytes());
        let reply = String::from_utf8_lossy(&body).contains("pages of other");
        assert_eq!((found == 403, reply), (is_refused, is_refused), "{start} {headers} {found}");
    }
}

/// If an address does not allow a method, the refusal lists the methods that it allows (RFC 9110).
#[test]
fn a_refused_method_lists_the_allowed_ones() {
    let served = Served::new("");
    for (_, [start, allow]) in cases(CASES, "methods") {
        let (status, head, _) =
            served.send(format!("{start} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes());
        assert_eq!(status, 405, "{start}");
        assert!(head.lines().any(|line| line == format!("Allow: {allow}")), "{start}: {head}");
    }
}

/// A client beyond the limit gets an error. When earlier clients have left, it gets an answer.
#[test]
fn too_many_clients_get_an_error() {
    // With this memory limit the server accepts eight clients at a time.
    let served = Served::new("--memory 128M");
    let waiting: Vec<TcpStream> = (0..8).map(|_| served.connect()).collect();
    let request = format!(
        "POST /api/value HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n{}",
        "x".repeat(100_000)
    );
    let (status, _, body) = served.send(request.as_bytes());
    assert_eq!(status, 503);
    let reply: Value = serde_json::from_slice(&body).unwrap();
    assert!(reply["error"].as_str().unwrap().contains("too many"), "{reply}");
    drop(waiting);
    let answered = (0..1000).any(|_| {
        std::thread::sleep(Duration::from_millis(10));
        served.get("/api/value?game=nim&position=5").0 == 200
    });
    assert!(answered, "none of the permits came back");
}

/// The file `cases/refusals.md` tests other error messages of `explore`.
#[test]
fn a_used_port_is_an_error() {
    let folder = Folder::new();
    folder.write("index.html", "");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let said = folder.refused(&format!("explore --assets . --port {port}"), 2);
    assert!(said.contains("another with --port"), "{said}");
}

#[cfg(not(feature = "explore"))]
#[test]
fn without_the_page_other_programs_are_answered() {
    let served = Served::with("");
    assert_eq!(served.get("/api/value?game=nim&position=5").1["grundy"], 5);
    let page = served.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").2;
    assert!(String::from_utf8_lossy(&page).contains("make explorer"));
}

/// Ctrl-C ends the server even if a client has sent nothing, or has read only part of an answer.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_server() {
    let mut served = Served::new("");
    let mut slow = served.connect();
    slow.write_all(b"GET /large.js HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    let mut first = [0; 64];
    slow.read_exact(&mut first).unwrap();
    let _silent = served.connect();
    let pid = rustix::process::Pid::from_child(&served.child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    assert_eq!(served.child.wait().unwrap().code(), Some(130));
    // The server ended before the slow reader had the whole answer.
    let mut rest = Vec::new();
    let _ = slow.read_to_end(&mut rest);
    assert!(rest.len() < 12 << 20, "{}", rest.len());
}
