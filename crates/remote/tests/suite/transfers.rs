//! Tests transfers from a server on loopback, which follows or breaks the rules of HTTP.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use grundy_remote::{
    Address, Remote, RemoteError, RemoteFile, RemotePart, Settings, download, set_deadline,
};
use grundy_shard::Source as _;
use grundy_testing::server::{How, Server};

/// Returns bytes without an obvious pattern, computed from squares.
fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at * at / 7) as u8).collect()
}

fn settings() -> Settings {
    Settings {
        patience: Duration::from_secs(5),
        pause: Duration::from_millis(5),
        ..Settings::default()
    }
}

/// Returns a short timeout for tests of timeouts, and otherwise a long timeout for slow machines.
fn patience(how: &How) -> Duration {
    match how {
        How::Silent => Duration::from_secs(1),
        _ => settings().patience,
    }
}

fn remote(settings: Settings) -> Arc<Remote> {
    set_deadline(f64::INFINITY);
    Arc::new(Remote::new(settings).unwrap())
}

/// Starts a server with one file; also returns the bytes of the file.
fn server(count: usize) -> (Server, Vec<u8>) {
    let bytes = bytes(count);
    (Server::of(BTreeMap::from([("/file".to_owned(), bytes.clone())])), bytes)
}

fn file(remote: &Arc<Remote>, server: &Server, length: usize) -> RemoteFile {
    let address: Address = server.at("/file").parse().unwrap();
    RemoteFile::new(Arc::clone(remote), address, length as u64)
}

fn long(settings: Settings) -> (RemoteFile, Server, Vec<u8>) {
    let (server, bytes) = server(LENGTH);
    (file(&remote(settings), &server, LENGTH), server, bytes)
}

fn read(file: &RemoteFile, at: u64, count: usize) -> Result<Vec<u8>, String> {
    let mut room = Vec::new();
    file.range(at, count, &mut room).map(<[u8]>::to_vec).map_err(|error| error.to_string())
}

const LENGTH: usize = 20 << 20;

#[test]
fn ranges_are_read_and_kept() {
    let (server, bytes) = server(LENGTH);
    let remote = remote(settings());
    let file = file(&remote, &server, LENGTH);
    for (at, count) in [(0, 10), (5_000_000, 77), (LENGTH - 3, 3), (2, 5), (5_000_010, 60), (9, 0)]
    {
        assert_eq!(read(&file, at as u64, count).unwrap(), &bytes[at..at + count]);
    }
    // Bytes of a cached extent are not requested again.
    assert_eq!(server.requests().len(), 3);
    assert!(read(&file, LENGTH as u64 - 3, 4).is_err() && read(&file, u64::MAX, 1).is_err());
    let counts = remote.counts();
    assert_eq!((counts.requests, counts.bytes), (3, 90));
}

#[test]
fn wanted_ranges_are_fetched_together() {
    let (file, server, bytes) = long(settings());
    let wanted: Vec<_> = (0..1000).map(|at| 9_000 * at..9_000 * at + 100).collect();
    file.want(&wanted).unwrap();
    let requests = server.requests();
    assert!((9..=10).contains(&requests.len()), "{}", requests.len());
    for range in wanted {
        let (at, end) = (range.start as usize, range.end as usize);
        assert_eq!(read(&file, range.start, 100).unwrap(), &bytes[at..end]);
    }
    assert!(server.requests().is_empty());
    // Invalid ranges are ignored; reading them fails.
    file.want(&[0..10, 5..5, LENGTH as u64..LENGTH as u64 + 1]).unwrap();
    assert!(server.requests().is_empty());
}

#[test]
fn a_sequential_read_is_prefetched() {
    let (file, server, bytes) = long(settings());
    for at in (0..LENGTH as u64).step_by(4000) {
        let count = 4000.min(LENGTH - at as usize);
        assert_eq!(read(&file, at, count).unwrap(), &bytes[at as usize..at as usize + count]);
    }
    assert!(server.requests().len() < 40, "{}", server.requests().len());
}

#[test]
fn bad_answers_are_refused() {
    for (how, said) in [
        (How::Whole, "serves no ranges"),
        (How::WholeUnsaid, "serves no ranges"),
        (How::Status(404, ""), "is not there (the server answers 404)"),
        (How::Status(403, ""), "is forbidden or missing (the server answers 403)"),
        (How::Status(400, ""), "answers 400"),
        (How::Status(500, ""), "answers 500"),
        (How::Status(503, "1000"), "answers 503"),
        (How::Status(304, ""), "answers 304"),
        (How::Cut(0), "was cut after 0 bytes"),
        (How::OtherRange, "sent bytes 1001-1100/20971520 instead of bytes 1000-1099"),
        (How::NoRange, "sent an unnamed range instead of bytes 1000-1099"),
        (How::OtherLength, "has 20971521 bytes, expected 20971520"),
        (How::Endless, "sends more than the maximum of 100"),
        (How::EndlessHead, "header"),
        (How::ShortLength, "was cut after"),
        (How::Silent, "took too long"),
        (How::Redirect(String::new()), "redirects more than 5 times"),
        (How::Redirect("file:///etc/hostname".to_owned()), "or to neither http nor https"),
        (How::Encoded, "encoded as gzip"),
        (How::Noise, "HTTP"),
    ] {
        let (file, server, _) = long(Settings { tries: 2, patience: patience(&how), ..settings() });
        server.always(how.clone());
        let error = read(&file, 1000, 100).unwrap_err();
        assert!(error.contains(said), "{how:?}: {error}");
        assert!(error.contains("127.0.0.1"), "{how:?}: {error}");
    }
}

#[test]
fn temporary_failures_are_retried() {
    for how in [
        How::Status(500, ""),
        How::Status(503, "0"),
        How::Status(429, "0"),
        How::Cut(60),
        How::Silent,
        How::Noise,
    ] {
        // With a short timeout, a slow machine may be too late even for correct answers.
        let (patience, tries) = (patience(&how), 10);
        let (file, server, bytes) = long(Settings { patience, tries, ..settings() });
        let chosen = how.clone();
        server.answers(move |request| if request.number < 2 { chosen.clone() } else { How::Right });
        assert_eq!(read(&file, 1000, 200).unwrap(), &bytes[1000..1200], "{how:?}");
        let requests = server.requests();
        assert!(requests.len() == 3 || how == How::Silent && requests.len() > 3, "{how:?}");
        // Bytes that have arrived are not requested again.
        let first = if matches!(how, How::Cut(_)) { 1120 } else { 1000 };
        assert_eq!(requests[2].range, Some((first, 1199)), "{how:?}");
    }
}

/// A server that often sends nothing is given up after three times the patience, also if quick
/// answers arrive in between.
#[test]
fn silence_is_bounded() {
    let patience = Duration::from_millis(200);
    let (file, server, _) = long(Settings { patience, tries: 10, ..settings() });
    server.answers(|request| if request.number % 2 == 0 { How::Silent } else { How::Right });
    let start = Instant::now();
    let error = (0..20).find_map(|at| read(&file, at << 20, 10).err()).unwrap();
    assert!(error.contains("took too long"), "{error}");
    // Each of the three silences is followed by at most one answer.
    assert!((3..=6).contains(&server.requests().len()));
    assert!(start.elapsed() > 3 * patience);
}

#[test]
fn a_short_file_is_fetched_whole() {
    for how in [How::Whole, How::WholeUnsaid] {
        let (server, bytes) = server(100_000);
        server.always(how.clone());
        let file = file(&remote(settings()), &server, 100_000);
        assert_eq!(read(&file, 1000, 200).unwrap(), &bytes[1000..1200]);
        assert_eq!(read(&file, 99_000, 1000).unwrap(), &bytes[99_000..]);
        assert_eq!(server.requests().len(), 1, "{how:?}");
    }
    let (server, _) = server(100_000);
    server.always(How::WholeUnsaid);
    let remote = remote(Settings { tries: 1, ..settings() });
    assert!(read(&file(&remote, &server, 99_999), 0, 10).unwrap_err().contains("more than"));
    assert!(read(&file(&remote, &server, 100_001), 0, 10).unwrap_err().contains("was cut"));
}

#[test]
fn a_short_part_is_fetched_whole() {
    let (file, server, bytes) = long(settings());
    let file = Arc::new(file);
    let part = RemotePart::new(Arc::clone(&file), 1_000_000, 50_000).unwrap();
    let mut room = Vec::new();
    for at in [49_000, 7, 0] {
        let from = 1_000_000 + at;
        assert_eq!(part.range(at as u64, 10, &mut room).unwrap(), &bytes[from..from + 10]);
    }
    assert_eq!(server.requests()[0].range, Some((1_000_000, 1_049_999)));
    assert!(part.range(49_991, 10, &mut room).is_err());
    assert_eq!(part.read(10, 5).unwrap(), &bytes[1_000_010..1_000_015]);
    assert!(part.read(49_999, 2).is_err());
    assert!(RemotePart::new(file, 1, LENGTH as u64).is_none());
}

/// Between two requests, another file of the same length replaces the file, with or without tags.
#[test]
fn a_file_that_changes_is_noticed() {
    let (file, server, _) = long(settings());
    read(&file, 0, 10).unwrap();
    server.change("/file", |bytes| bytes[5_000_000] ^= 1);
    assert!(read(&file, 9_000_000, 10).unwrap_err().ends_with("changed while it was read"));
    assert!(server.requests()[1].headers.contains_key("if-range"));
    file.forget();
    read(&file, 9_000_000, 10).unwrap();
    server.change("/file", |bytes| bytes.truncate(100));
    assert!(read(&file, 5_000, 10).unwrap_err().ends_with("changed while it was read"));
    file.forget();
    assert!(read(&file, 5_000, 10).unwrap_err().ends_with("changed while it was read"));
    assert!(read(&file, 90, 5).unwrap_err().contains("has 100 bytes, expected"));
}

#[test]
fn waiting_ends_with_the_deadline() {
    for how in [How::Silent, How::Dripping, How::Status(503, "29")] {
        let patient = Settings { patience: Duration::from_secs(30), ..settings() };
        let (file, server, _) = long(patient);
        server.always(how.clone());
        let start = Instant::now();
        set_deadline(0.3);
        assert!(read(&file, 0, 1000).is_err(), "{how:?}");
        // The deadline also applies to helper threads.
        assert!(file.want(&[0..10, 5_000_000..5_000_100]).is_err());
        assert!(start.elapsed() < Duration::from_secs(20), "{how:?}");
        set_deadline(f64::INFINITY);
    }
}

/// Helper threads fetch distant ranges in parallel. As with Ctrl-C in an interpreter, only one
/// thread sees the stop signal. The other threads must stop too, even if a server sends nothing.
#[test]
fn parallel_fetches_stop_together() {
    let (server, _) = server(3 * LENGTH);
    server.always(How::Silent);
    let (began, reader) = (Instant::now(), std::thread::current().id());
    let is_heard = move || {
        std::thread::current().id() == reader && began.elapsed() > Duration::from_millis(100)
    };
    let remote = remote(Settings {
        patience: Duration::from_secs(3600),
        stop: Some(Box::new(is_heard)),
        ..settings()
    });
    let file = file(&remote, &server, 3 * LENGTH);
    let far = LENGTH as u64;
    let error = file.want(&[0..10, far..far + 10, 2 * far..2 * far + 10]).unwrap_err();
    assert!(matches!(error, RemoteError::Stopped), "{error:?}");
}

#[test]
fn more_than_the_memory_is_not_asked_for() {
    let (file, server, _) = long(Settings { memory: 1000, ..settings() });
    assert!(read(&file, 0, 1001).unwrap_err().contains("memory"));
    read(&file, 0, 1000).unwrap();
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn texts_are_fetched_again_each_time() {
    let (server, bytes) = server(50_000);
    let address: Address = server.at("/file").parse().unwrap();
    for first in [None, Some(1000), Some(100_000)] {
        let remote = remote(settings());
        let get = || match first {
            None => remote.text(&address, 100_000).unwrap(),
            Some(count) => remote.beginning(&address, count).unwrap(),
        };
        let expected = &bytes[..first.unwrap_or(50_000).min(50_000) as usize];
        assert_eq!((&get().bytes[..], get().length), (expected, 50_000));
        server.change("/file", |bytes| bytes[0] ^= 1);
        assert_ne!(get().bytes, expected);
        server.change("/file", |bytes| bytes[0] ^= 1);
        assert_eq!(remote.counts().requests, 3);
    }
    let remote = remote(Settings { tries: 1, ..settings() });
    let refused = |how: How| {
        server.always(how);
        remote.text(&address, 60_000).unwrap_err().to_string()
    };
    assert!(refused(How::Endless).contains("sends more than the maximum of 60000"));
    assert!(refused(How::Cut(77)).contains("was cut"));
    assert!(refused(How::Status(404, "")).contains("is not there"));
    server.always(How::Right);
    assert!(matches!(remote.text(&address, 100), Err(RemoteError::TooLong { .. })));
    // A server without ranges can send the beginning of a file, if it states the total length.
    server.always(How::Whole);
    assert_eq!(remote.beginning(&address, 10).unwrap().bytes, &bytes[..10]);
    server.always(How::WholeUnsaid);
    assert!(matches!(remote.beginning(&address, 10), Err(RemoteError::NoRanges { .. })));
}

#[test]
fn a_download_continues_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let (server, bytes) = server(LENGTH);
    let path = folder.path().join("file");
    let address: Address = server.at("/file").parse().unwrap();
    server.answers(|request| match request.range {
        Some((first, _)) if first > 8_000_000 => How::Status(400, ""),
        _ => How::Right,
    });
    let remote = remote(settings());
    let fetch = || download(&remote, &address, LENGTH as u64, &path, &|_| {});
    fetch().unwrap_err();
    assert_eq!(std::fs::read(&path).unwrap(), &bytes[..8 << 20]);
    server.requests();
    server.always(How::Right);
    fetch().unwrap();
    assert!(std::fs::read(&path).unwrap() == bytes);
    assert_eq!(server.requests()[0].range.unwrap().0, 8 << 20);
    fetch().unwrap();
    assert!(server.requests().is_empty());
    // A longer file counts as a changed file.
    std::fs::write(&path, vec![7; LENGTH + 1]).unwrap();
    fetch().unwrap();
    assert!(std::fs::read(&path).unwrap() == bytes);
}

#[test]
fn redirects_lead_to_the_file() {
    let (server, bytes) = server(LENGTH);
    let to = server.at("/file");
    server.answers(move |request| match request.path.as_str() {
        "/file" => How::Right,
        _ => How::Redirect(to.clone()),
    });
    let address: Address = server.at("/lasting/name").parse().unwrap();
    let file = RemoteFile::new(remote(settings()), address, LENGTH as u64);
    assert_eq!(read(&file, 5000, 10).unwrap(), &bytes[5000..5010]);
    // A scheme without slashes is the beginning of a path on the same server.
    server.answers(|request| match request.path.as_str() {
        "/lasting/name" => How::Redirect("file:/etc/hostname".to_owned()),
        _ => How::Status(404, ""),
    });
    let error = read(&file, 9000, 10).unwrap_err();
    let to =
        format!("which redirects to {}, is not there", server.at("/lasting/file:/etc/hostname"));
    assert!(error.contains(&to), "{error}");
}

#[test]
fn an_absent_server_is_an_error_after_retries() {
    // No test server uses this port.
    let address: Address = "http://127.0.0.1:1/x".parse().unwrap();
    let remote = remote(Settings { tries: 2, ..settings() });
    let error = remote.text(&address, 10).unwrap_err();
    assert!(matches!(error, RemoteError::Broken { .. }), "{error:?}");
    assert_eq!(remote.counts().requests, 2);
    // After three failures, each request gets only one try.
    for _ in 0..5 {
        remote.text(&address, 10).unwrap_err();
    }
    assert_eq!(remote.counts().requests, 2 + 2 * 2 + 3);
}
