//! Compares tables in packs and on a local server with the same tables in a folder.

use std::collections::BTreeMap;
use std::error::Error as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use grundy_builder::Request;
use grundy_pack::{About, Release, write};
use grundy_query::{Access, Database, Limits, QueryError, Source};
use grundy_remote::{Address, Remote, Settings};
use grundy_rules::{Game, Position, games};
use grundy_shard::manifest::Manifest;
use grundy_testing::database::build;
use grundy_testing::server::{How, Server};
use tempfile::TempDir;

use crate::common::{QUICK, damaged, only, sound, table};

fn add(folder: &Path, games: &[Game], max_pile: u32, length: usize) {
    build(folder, Request { length: Some(length), ..Request::new(games.to_vec(), max_pile) });
}

fn pack(db: &Path, to: &Path) {
    let about = About {
        name: "Tables".to_owned(),
        description: "Some tables.".to_owned(),
        authors: vec!["A. Tester".to_owned()],
        licenses: vec!["CC0-1.0".to_owned()],
        program: ("a test".to_owned(), "1".to_owned()),
    };
    let tables = Manifest::read(db).unwrap().unwrap().tables;
    let (date, memory) = (1_700_000_000, 1 << 30);
    let texts = BTreeMap::new();
    let release = Release { db, tables, texts, about, date, signer: None, memory };
    write(&release, to, &|_| true).unwrap();
}

/// The folder that contains a database, `db`, and its packs, `all` and `all.tar`.
static RELEASE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let at = |name| folder.path().join(name);
    add(&at("db"), &games::END_NIM_GAMES, 9, 3);
    // This file has about 300 KiB, so it is read in parts. Files below 128 KiB are fetched whole.
    add(&at("db"), &[games::END_NIM], 40, 4);
    pack(&at("db"), &at("all"));
    pack(&at("db"), &at("all.tar"));
    folder
});

fn local(name: &str) -> PathBuf {
    RELEASE.path().join(name)
}

/// The paths of the same tables: as a database, as a folder and as a tar.
const PLACES: [&str; 3] = ["/db", "/all", "/all.tar"];

fn remote() -> Arc<Remote> {
    let pause = Duration::from_millis(5);
    Arc::new(Remote::new(Settings { tries: 2, pause, ..Settings::default() }).unwrap())
}

fn open(server: &Server, path: &str) -> Result<Database, QueryError> {
    let address: Address = server.at(path).parse().unwrap();
    Database::open_address(&remote(), &address, Limits::default())
}

fn refused(server: &Server, path: &str) -> QueryError {
    match open(server, path) {
        Ok(_) => panic!("{path} was opened"),
        Err(error) => error,
    }
}

fn serve() -> Server {
    Server::of_folder(RELEASE.path())
}

fn ids(db: &Database) -> Vec<String> {
    db.tables().iter().map(|stored| stored.table().to_string()).collect()
}

/// As in the papers, the value of two piles must be their nim-sum, and the value of a, b, a must be
/// 0. Four piles must have the same values as in the folder.
fn agrees(db: &Database) {
    let near = Database::open(local("db")).unwrap();
    assert_eq!(ids(db), ids(&near));
    assert!(ids(db).len() > 10 && db.exists());
    let value = |db: &Database, piles: &[u32]| {
        let answer = db.answer(games::END_NIM, Position::row(piles)).unwrap();
        assert_eq!(answer.source, Source::Table);
        answer.value
    };
    assert_eq!((value(db, &[5, 9]), value(db, &[3, 1, 3])), (Some(5 ^ 9), Some(0)));
    for piles in [[20, 1, 24, 3], [1, 1, 1, 1], [24, 24, 24, 24], [13, 2, 7, 11]] {
        assert_eq!(value(db, &piles), value(&near, &piles), "{piles:?}");
    }
    assert_eq!(sound(db, &QUICK).shards, ids(db).len() as u64);
}

/// A folder with the manifest of a database is a database, even if it contains other files. A
/// folder with only `pack.json` is a pack, and so is an existing tar.
#[test]
fn a_local_place_is_a_database_or_a_pack() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let open = |path: &Path| Database::open_local(path, Limits::default(), Access::Mapped);
    for name in ["db", "all", "all.tar"] {
        let db = open(&local(name)).unwrap();
        assert_eq!((db.folder(), db.exists(), db.is_remote()), (&*local(name), true, false));
        agrees(&db);
        if name != "db" {
            let named = format!("{} (shard 0 of end-nim/n9/k3)", local(name).display());
            assert_eq!(table(&db, "end-nim/n9/k3").shard_path(0), PathBuf::from(named));
        }
    }
    let error = Database::open_pack(&local("db"), Limits::default()).unwrap_err();
    assert!(matches!(error, QueryError::Pack(_)), "{error}");
    assert!(!open(&at("nothing")).unwrap().exists());
    assert!(!open(&at("nothing.tar")).unwrap().exists(), "not there");
    // A tar with another extension is not a pack, and a folder named like a tar is not a tar.
    fs::copy(local("all.tar"), at("all.zip")).unwrap();
    assert!(open(&at("all.zip")).is_err_and(|error| matches!(error, QueryError::Manifest(_))));
    fs::create_dir(at("folder.tar")).unwrap();
    assert!(!open(&at("folder.tar")).unwrap().exists());
    // With `pack.json` the folder is a pack; with both manifests it is a database.
    fs::copy(local("all").join("pack.json"), at("folder.tar").join("pack.json")).unwrap();
    assert!(matches!(open(&at("folder.tar")), Err(QueryError::Pack(_))));
    let text = Manifest::default().to_text().unwrap();
    fs::write(at("folder.tar").join("manifest.json"), text).unwrap();
    let db = open(&at("folder.tar")).unwrap();
    assert_eq!((db.exists(), db.tables().len()), (true, 0));
}

#[test]
fn tables_at_addresses_are_databases() {
    let server = serve();
    for path in PLACES {
        let db = open(&server, path).unwrap();
        assert!(db.is_remote());
        assert_eq!(db.folder(), Path::new(&server.at(path)));
        agrees(&db);
        server.requests();
    }
    // The address of a manifest opens its folder, and no other manifest is requested.
    for (list, path) in [("/db/manifest.json", "/db"), ("/all/pack.json", "/all")] {
        let db = open(&server, list).unwrap();
        assert_eq!(db.folder(), Path::new(&server.at(path)));
        let requests: Vec<String> = server.requests().into_iter().map(|got| got.path).collect();
        assert_eq!(requests, [list]);
    }
    // In a folder the client first looks for a pack.
    open(&server, "/db").unwrap();
    let requests: Vec<String> = server.requests().into_iter().map(|request| request.path).collect();
    assert_eq!(requests, ["/db/pack.json", "/db/manifest.json"]);
}

#[test]
fn shards_are_named_by_their_addresses() {
    let server = serve();
    let name = |path: &str, shard| {
        let db = open(&server, path).unwrap();
        table(&db, "end-nim/n9/k3").shard_path(shard).to_str().unwrap().to_owned()
    };
    let folder = "/db/end-nim/n9/k3/end-nim-n9-k3-00000.zst";
    assert_eq!(name("/db", 0), server.at(folder));
    let of = " (shard 0 of end-nim/n9/k3)";
    assert_eq!(name("/all.tar", 0), format!("{}{of}", server.at("/all.tar")));
    let packed = name("/all", 0);
    let file = packed.strip_suffix(of).unwrap();
    assert!(file.starts_with(&server.at("/all/")), "{packed}");
    assert_eq!(name("/all", 7), format!("{} (shard 7 of end-nim/n9/k3)", server.at("/all")));
}

/// There are so many tables that `pack.json` does not fit into the first read of 32 KiB.
#[test]
fn a_long_list_is_read_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name| folder.path().join(name);
    for max_pile in 2..=9 {
        add(&at("db"), &games::END_NIM_GAMES, max_pile, 4);
    }
    pack(&at("db"), &at("many.tar"));
    let server = Server::of_folder(folder.path());
    let db = open(&server, "/many.tar").unwrap();
    assert_eq!(ids(&db), ids(&Database::open(at("db")).unwrap()));
    assert_eq!(server.requests().len(), 2);
    // A short `pack.json` takes one request.
    let server = serve();
    open(&server, "/all.tar").unwrap();
    assert_eq!(server.requests().len(), 1);
}

/// Returns the tar header (POSIX ustar) of a `pack.json` of this length. The header has the length
/// in octal digits, and a checksum: the sum of all bytes if the checksum is replaced by spaces.
fn header(tar: &[u8], bytes: u64) -> Vec<u8> {
    let mut header = tar[..512].to_vec();
    header[124..135].copy_from_slice(format!("{bytes:011o}").as_bytes());
    header[148..156].fill(b' ');
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// A `pack.json` of more than 8 MiB is invalid, and is not requested. If it ends within the first
/// read, no second read is needed. Opening a truncated `pack.json` is an error.
#[test]
fn a_pack_list_may_have_any_length_up_to_8_mib() {
    const FIRST: u64 = 32 << 10;
    let tar = fs::read(local("all.tar")).unwrap();
    let opened = |bytes: u64, file: u64| {
        let mut text = header(&tar, bytes);
        text.resize(file as usize, b' ');
        let server = Server::of(BTreeMap::from([("/a.tar".to_owned(), text)]));
        let QueryError::Pack(error) = refused(&server, "/a.tar") else { panic!("no pack") };
        let ranges = server.requests().into_iter().map(|request| request.range.unwrap());
        (ranges.collect::<Vec<_>>(), error.source().unwrap().to_string())
    };
    let most = 8 << 20;
    let first = (0, FIRST - 1);
    let (requests, too_long) = opened(most + 1, 9 << 20);
    assert_eq!(requests, [first]);
    // Send a `pack.json` of this length that consists of spaces.
    let (requests, spaces) = opened(most, 9 << 20);
    assert_eq!(requests, [first, (0, most + 511)]);
    assert!(too_long.ends_with("is not the manifest of a pack"), "{too_long}");
    assert!(spaces.contains("does not match the digest"), "{spaces}");
    let (requests, _) = opened(FIRST - 512, 9 << 20);
    assert_eq!(requests, [first]);
    let (requests, _) = opened(FIRST - 511, 9 << 20);
    assert_eq!(requests, [first, (0, FIRST)]);
    let (requests, cut) = opened(FIRST, 40_000 - 20_000);
    assert_eq!(requests, [first, (0, FIRST + 511)]);
    assert!(cut != spaces && cut.contains("pack.json"), "{cut}");
    let server = Server::of(BTreeMap::from([("/a.tar".to_owned(), vec![7; 2000])]));
    assert!(matches!(refused(&server, "/a.tar"), QueryError::Pack(_)));
}

#[test]
fn a_missing_place_is_an_error() {
    let server = serve();
    let error = refused(&server, "/nothing");
    let text = " is neither a pack (pack.json) nor a database (manifest.json)";
    assert_eq!(error.to_string(), format!("{}{text}", server.at("/nothing")));
    // If a tar or a manifest is missing, no other addresses are tried.
    for path in ["/nothing.tar", "/all/manifest.json", "/db/pack.json"] {
        let error = refused(&server, path);
        assert!(matches!(error, QueryError::Fetch(_)), "{path}: {error}");
        assert_eq!(server.requests().len(), if path == "/nothing.tar" { 3 } else { 1 }, "{path}");
    }
    // An error of a server does not count as a missing file.
    for list in ["pack.json", "manifest.json"] {
        server.answers(move |request| match request.path.ends_with(list) {
            true => How::Status(500, ""),
            false => How::Right,
        });
        let error = refused(&server, "/db");
        assert!(matches!(error, QueryError::Fetch(_)), "{list}: {error}");
    }
}

#[test]
fn damage_never_gives_a_value() {
    let server = serve();
    let spoil = |path: &str| server.change(path, |bytes| bytes[700] ^= 1);
    spoil("/all/pack.json");
    assert!(matches!(refused(&server, "/all"), QueryError::Pack(_)));
    spoil("/db/manifest.json");
    assert!(matches!(refused(&server, "/db"), QueryError::Manifest(_)));
    spoil("/all.tar");
    assert!(matches!(refused(&server, "/all.tar"), QueryError::Pack(_)));

    let server = serve();
    let path = "/db/end-nim/n40/k4/end-nim-n40-k4-00000.zst";
    let db = open(&server, "/db").unwrap();
    server.change(path, |bytes| {
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
    });
    damaged(&db, &only("end-nim/n40/k4"), Path::new(&server.at(path)));
}

/// A server may send wrong tables or manifests; the answer is right, or there is an error.
#[test]
fn a_bad_server_gives_no_value() {
    let position = Position::row(&[20, 1, 24, 3]);
    let near = Database::open(local("db")).unwrap();
    let expected = near.answer(games::END_NIM, &position).unwrap();
    for path in PLACES {
        let server = serve();
        for how in [
            How::Status(404, ""),
            How::Status(403, ""),
            How::Status(500, ""),
            How::Status(503, "600"),
            How::Cut(3),
            How::OtherRange,
            How::NoRange,
            How::OtherLength,
            How::WrongBytes,
            How::OtherBytes,
            How::Endless,
            How::Redirect(String::new()),
            How::Encoded,
            How::Noise,
        ] {
            server.always(How::Right);
            let db = open(&server, path).unwrap();
            server.always(how.clone());
            let error = db.answer(games::END_NIM, &position).unwrap_err();
            assert!(error.to_string().contains("127.0.0.1"), "{path} {how:?}: {error}");
            // A manifest is fetched whole, so a request for it has no range.
            if ![How::OtherRange, How::NoRange, How::OtherLength].contains(&how) {
                refused(&server, path);
            }
            // No wrong bytes were cached.
            server.always(How::Right);
            assert_eq!(db.answer(games::END_NIM, &position).unwrap(), expected, "{path} {how:?}");
        }
    }
}
