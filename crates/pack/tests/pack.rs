//! Tests that a small pack is refused after any kind of damage.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy_pack::{
    About, Fault, MOST_FILES, Pack, PackError, PackManifest, PublicKey, Release, SIGNATURE_FILE,
    Signer, write,
};
use grundy_shard::manifest::{ShardEntry, TableEntry, hex};
use grundy_shard::{Codec, cut};
use grundy_testing::database::{encoded, shard};
use grundy_testing::files::{files, flip};

/// Creates a database folder with two tables of one shard each, without using the builder.
fn database(folder: &Path) -> BTreeMap<String, TableEntry> {
    let mut tables = BTreeMap::new();
    for (table, tiles) in [("some-game/n2/k3", 3_u64), ("other-game/n2/k2", 1)] {
        let (tiles_per_frame, tiles_per_shard) = cut(4, 1);
        let mut entry = TableEntry {
            value_bytes: 1,
            tile_rows: 2,
            tile_cols: 2,
            tiles,
            tiles_per_frame: tiles_per_frame as u32,
            tiles_per_shard,
            codec: "raw".to_owned(),
            rules: None,
            numbering: None,
            shards: vec![ShardEntry { bytes: 0, blake3: String::new() }],
        };
        let values: Vec<u8> = (0..4 * tiles).map(|value| value as u8).collect();
        let made = encoded(&entry.description(table, 0, Codec::Raw), &values);
        let path = shard(folder, table);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &made.bytes).unwrap();
        let bytes = made.bytes.len() as u64;
        entry.shards[0] = ShardEntry { bytes, blake3: hex(&made.digest) };
        tables.insert(table.to_owned(), entry);
    }
    tables
}

struct Fixture {
    folder: tempfile::TempDir,
    db: PathBuf,
    tables: BTreeMap<String, TableEntry>,
}

impl Fixture {
    fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let db = folder.path().join("db");
        let tables = database(&db);
        Fixture { folder, db, tables }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn release<'a>(&'a self, signer: Option<&'a Signer>) -> Release<'a> {
        Release {
            db: &self.db,
            tables: self.tables.clone(),
            texts: [("README.md".to_owned(), b"Read me.\n".to_vec())].into(),
            about: About {
                name: "Tables".to_owned(),
                description: "Some.".to_owned(),
                authors: vec!["Nobody".to_owned()],
                licenses: vec!["CC0-1.0".to_owned()],
                program: ("none".to_owned(), "0".to_owned()),
            },
            date: 1_700_000_000,
            signer,
            memory: u64::MAX,
        }
    }

    fn write(&self, name: &str, signer: Option<&Signer>) -> Result<PathBuf, PackError> {
        let to = self.path(name);
        write(&self.release(signer), &to, &|_| true).map(|_| to)
    }
}

fn is_sound(path: &Path, key: Option<&PublicKey>) -> bool {
    is_whole(Pack::open(path, key))
}

fn is_whole(pack: Result<Pack, PackError>) -> bool {
    pack.is_ok_and(|pack| pack.check(u64::MAX, &|_| true).unwrap().faults.is_empty())
}

fn is_sound_tar(bytes: &[u8]) -> bool {
    is_whole(Pack::open_tar("some.tar".as_ref(), Arc::new(bytes.to_vec()), None))
}

fn no_password() -> std::io::Result<String> {
    panic!("there is none")
}

fn signer() -> Signer {
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    Signer::of_text(&pair.sk.to_box(None).unwrap().into_string(), &mut no_password).unwrap()
}

#[test]
fn a_written_pack_is_read_back() {
    let fixture = Fixture::new();
    for name in ["pack", "pack.tar"] {
        let path = fixture.write(name, None).unwrap();
        let pack = Pack::open(&path, None).unwrap();
        let checked = pack.check(u64::MAX, &|_| true).unwrap();
        assert!(checked.faults.is_empty(), "{:?}", checked.faults);
        assert_eq!((checked.tables, checked.shards, checked.values), (2, 2, 16));
        for (table, entry) in &fixture.tables {
            assert_eq!(pack.manifest().tables[table].entry, *entry);
            let bytes = fs::read(shard(&fixture.db, table)).unwrap();
            assert_eq!(pack.shard(&checked, table, 0).unwrap(), bytes);
        }
        assert!(matches!(fixture.write(name, None), Err(PackError::Exists(_))));
    }
}

/// `watch` gets the bytes of each listed file once. The files that `open` reads are not listed.
#[test]
fn every_listed_file_is_counted_once() {
    let fixture = Fixture::new();
    let folder = fixture.write("pack", None).unwrap();
    let pack = Pack::open(&folder, None).unwrap();
    let told = std::sync::atomic::AtomicU64::new(0);
    let tell = |bytes| {
        told.fetch_add(bytes, std::sync::atomic::Ordering::Relaxed);
        true
    };
    let checked = pack.check(u64::MAX, &tell).unwrap();
    let lengths: BTreeMap<_, _> =
        files(&folder).into_iter().map(|(name, bytes)| (name, bytes.len() as u64)).collect();
    let listed = pack.manifest().files.keys().map(|name| lengths[Path::new(name)]);
    assert_eq!((told.into_inner(), checked.bytes), (listed.sum(), lengths.values().sum()));

    assert_eq!(pack.text("README.md").unwrap().unwrap(), b"Read me.\n");
    assert_eq!(pack.text("NOTES.md").unwrap(), None);
    fs::write(folder.join("README.md"), b"Read it.\n").unwrap();
    let pack = Pack::open(&folder, None).unwrap();
    assert!(matches!(pack.text("README.md"), Err(PackError::Damaged { .. })));
}

/// Packing twice gives the same bytes. A folder has the same files as the unpacked tar.
#[test]
fn a_pack_is_a_function_of_its_content() {
    let fixture = Fixture::new();
    let first = fs::read(fixture.write("first.tar", None).unwrap()).unwrap();
    let second = fs::read(fixture.write("second.tar", None).unwrap()).unwrap();
    assert!(first == second);
    let folder = fixture.write("folder", None).unwrap();
    let at = fixture.path("unpacked");
    fs::create_dir(&at).unwrap();
    let tar = std::process::Command::new("tar")
        .arg("-xf")
        .arg(fixture.path("first.tar"))
        .arg("-C")
        .arg(&at)
        .status();
    let Ok(status) = tar else { return println!("skipped: there is no tar") };
    assert!(status.success());
    assert!(files(&folder) == files(&at.join("grundy-tables")));
}

#[test]
fn every_bit_and_every_end_of_a_tar_counts() {
    let fixture = Fixture::new();
    let signer = signer();
    let path = fixture.write("pack.tar", Some(&signer)).unwrap();
    assert!(is_sound(&path, None) && is_sound(&path, Some(signer.public())));
    let bytes = fs::read(&path).unwrap();
    assert!(is_sound_tar(&bytes));
    let mut changed = bytes.clone();
    for at in 0..bytes.len() {
        // Flip two bits of each byte: the lowest bit, and a bit that varies.
        for bit in [0, 1 + at % 7] {
            changed[at] ^= 1 << bit;
            assert!(!is_sound_tar(&changed), "bit {bit} of byte {at}");
            changed[at] ^= 1 << bit;
        }
    }
    for length in (0..bytes.len()).step_by(61).chain([bytes.len() - 1, bytes.len() - 512]) {
        assert!(!is_sound_tar(&bytes[..length]), "{length} bytes");
    }
    for more in [1, 512, 10_240] {
        assert!(!is_sound_tar(&[&bytes[..], &vec![0; more]].concat()), "{more} bytes more");
    }
    // The pack is refused with the public key of another signer.
    assert!(!is_sound(&path, Some(self::signer().public())));
}

#[test]
fn every_file_of_a_folder_counts() {
    let fixture = Fixture::new();
    let signer = signer();
    let path = fixture.write("pack", Some(&signer)).unwrap();
    let names: Vec<_> =
        fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 8);
    for name in &names {
        let file = path.join(name);
        let bytes = fs::read(&file).unwrap();
        fs::rename(&file, path.join("renamed")).unwrap();
        assert!(!is_sound(&path, None), "{name:?} renamed");
        fs::rename(path.join("renamed"), fixture.path("away")).unwrap();
        assert!(!is_sound(&path, None), "{name:?} missing");
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(fixture.path("away"), &file).unwrap();
            assert!(!is_sound(&path, None), "{name:?} a link");
            fs::remove_file(&file).unwrap();
        }
        // Cut 24 letters off the last line of a signature. The rest is still valid Base64.
        let cut = &bytes[..bytes.len().saturating_sub(25)];
        for changed in [&bytes[1..], &[&bytes[..], b"\n"].concat(), b"", cut] {
            fs::write(&file, changed).unwrap();
            assert!(!is_sound(&path, None), "{name:?} changed");
        }
        fs::write(&file, bytes).unwrap();
        assert!(is_sound(&path, None), "{name:?}");
    }
    for name in ["added", ".hidden", "two words"] {
        fs::write(path.join(name), "").unwrap();
        assert!(!is_sound(&path, None), "{name}");
        fs::remove_file(path.join(name)).unwrap();
    }
    fs::create_dir(path.join("folder")).unwrap();
    assert!(!is_sound(&path, None));
}

#[test]
fn hostile_tars() {
    let fixture = Fixture::new();
    let path = fixture.write("pack.tar", None).unwrap();
    let bytes = fs::read(&path).unwrap();
    let try_header = |spoil: &dyn Fn(&mut [u8])| {
        let mut changed = bytes.clone();
        spoil(&mut changed[..512]);
        // Write the right checksum, so that any tar program accepts the header.
        changed[148..156].fill(b' ');
        let sum: u32 = changed[..512].iter().map(|&byte| u32::from(byte)).sum();
        changed[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        let opened = Pack::open_tar("some.tar".as_ref(), Arc::new(changed), None);
        let error = opened.expect_err("a hostile tar");
        assert!(matches!(error, PackError::Damaged { .. }), "{error}");
    };
    for name in
        ["/etc/passwd", "../pack.json", "grundy-tables/../x", "grundy-tables/", "grundy-tables/a/b"]
    {
        try_header(&|header| {
            header[..100].fill(0);
            header[..name.len()].copy_from_slice(name.as_bytes());
        });
    }
    for kind in b"1234567xgLK" {
        try_header(&|header| header[156] = *kind);
    }
    for size in
        [&b"77777777777\0"[..], b"-0000000001\0", b"\x80\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"]
    {
        try_header(&|header| header[124..136].copy_from_slice(size));
    }
    // Repeat the first file of the tar.
    let first = 512
        + usize::from_str_radix(std::str::from_utf8(&bytes[124..135]).unwrap(), 8)
            .unwrap()
            .next_multiple_of(512);
    assert!(!is_sound_tar(&[&bytes[..first], &bytes[..]].concat()));
}

#[test]
fn sealed_manifests_with_false_contents_are_refused() {
    let fixture = Fixture::new();
    let path = fixture.write("pack", None).unwrap();
    let manifest = Pack::open(&path, None).unwrap().manifest().clone();
    fn entry(lie: &mut PackManifest) -> &mut grundy_pack::PackedTable {
        lie.tables.get_mut("some-game/n2/k3").unwrap()
    }
    fn text(lie: &mut PackManifest) -> &mut grundy_pack::FileEntry {
        lie.files.get_mut("README.md").unwrap()
    }
    // Change only `pack.json`. Then no other file can cause the error.
    let fault = |tell: &dyn Fn(&mut PackManifest)| {
        let mut lie = manifest.clone();
        tell(&mut lie);
        PackManifest::of_text(lie.to_text().as_bytes()).unwrap_err()
    };
    type Lie = fn(&mut PackManifest);
    let lies: [(&str, &[Lie]); 4] = [
        (
            "the entry of some-game/n2/k3 in pack.json is invalid",
            &[
                |lie| entry(lie).offsets[0] = 1,
                |lie| entry(lie).offsets[0] = u64::MAX,
                |lie| entry(lie).offsets.push(0),
                |lie| entry(lie).entry.tiles = u64::MAX,
                |lie| entry(lie).entry.codec = "none".to_owned(),
                |lie| entry(lie).file = "../x".to_owned(),
                |lie| entry(lie).entry.shards[0].blake3 = "0".repeat(63),
            ],
        ),
        (
            " bytes instead of ",
            &[
                |lie| entry(lie).entry.shards[0].bytes += 1,
                |lie| lie.files.values_mut().for_each(|file| file.bytes = 1 << 60),
            ],
        ),
        ("it has no tables", &[|lie| lie.tables.clear()]),
        (
            "pack.json is not the manifest of a pack",
            &[
                |lie| text(lie).blake3.push('0'),
                |lie| text(lie).sha256.push('0'),
                // The tables determine the lengths of data files only, so a document can have any
                // length.
                |lie| text(lie).bytes = u64::MAX,
            ],
        ),
    ];
    for (said, lies) in lies {
        for (number, tell) in lies.iter().enumerate() {
            let found = fault(tell).to_string();
            assert!(found.contains(said), "lie {number}: {found}");
        }
    }
    // A pack has up to four unlisted files. Try the largest allowed number of files, and more.
    let listed = |count: usize| {
        let mut lie = manifest.clone();
        let file = lie.files["README.md"].clone();
        for number in lie.files.len()..count - 4 {
            lie.files.insert(format!("{number}.txt"), file.clone());
        }
        PackManifest::of_text(lie.to_text().as_bytes())
    };
    assert_eq!(listed(MOST_FILES).unwrap().files.len() + 4, MOST_FILES);
    assert!(matches!(listed(MOST_FILES + 1), Err(Fault::TooMany(MOST_FILES))));
    assert!(matches!(listed(MOST_FILES + 9), Err(Fault::TooMany(MOST_FILES))));
    for id in ["a".repeat(1000), "..".to_owned(), "/a".to_owned(), "a//b".to_owned()] {
        let found = fault(&|lie| {
            let moved = lie.tables.remove("some-game/n2/k3").unwrap();
            lie.tables.insert(id.clone(), moved);
        });
        assert!(matches!(found, Fault::Entry(id) if id.len() <= 80));
    }
    let text = manifest.to_text();
    let unknown = text.replacen("{\n", "{\n  \"more\": 1,\n", 1);
    assert!(matches!(PackManifest::of_text(unknown.as_bytes()), Err(Fault::Seal)));
    assert_eq!(PackManifest::of_text(text.as_bytes()).unwrap(), manifest);
}

/// Debian's minisign accepts our signatures, and we accept its signatures.
#[test]
fn minisign_signs_and_checks_the_same() {
    let run = |fixture: &Fixture, arguments: &[&str]| {
        std::process::Command::new("minisign")
            .current_dir(fixture.folder.path())
            .args(arguments)
            .output()
    };
    let fixture = Fixture::new();
    let keys = run(&fixture, &["-G", "-W", "-p", "key.pub", "-s", "key.sec"]);
    let Ok(keys) = keys else {
        assert!(std::env::var_os("CI").is_none(), "there is no minisign");
        return println!("skipped: there is no minisign");
    };
    assert!(keys.status.success(), "{}", String::from_utf8_lossy(&keys.stderr));
    let text = |name: &str| fs::read_to_string(fixture.path(name)).unwrap();
    let signer = Signer::of_text(&text("key.sec"), &mut no_password).unwrap();
    let key = PublicKey::of_text(&text("key.pub")).unwrap();
    fixture.write("ours", Some(&signer)).unwrap();
    let checked = run(&fixture, &["-V", "-p", "key.pub", "-m", "ours/pack.json"]).unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    let path = fixture.write("theirs", None).unwrap();
    let signed = run(&fixture, &["-S", "-s", "key.sec", "-m", "theirs/pack.json"]).unwrap();
    assert!(signed.status.success(), "{}", String::from_utf8_lossy(&signed.stderr));
    assert!(path.join(SIGNATURE_FILE).exists());
    assert!(is_sound(&path, Some(&key)));
    // The library wrote this key, which has a password.
    let pair = minisign::KeyPair::generate_encrypted_keypair(Some("secret".to_owned())).unwrap();
    let locked = pair.sk.to_box(None).unwrap().into_string();
    let signer = Signer::of_text(&locked, &mut || Ok("secret".to_owned())).unwrap();
    let path = fixture.write("locked", Some(&signer)).unwrap();
    assert!(is_sound(&path, Some(signer.public())));
    assert!(Signer::of_text(&locked, &mut || Ok("other".to_owned())).is_err());
    let path = fixture.path("theirs");
    // The pack is refused, because its manifest names no key for the signature.
    assert!(!is_sound(&path, None));
}

#[test]
fn files_of_a_killed_writer_are_overwritten() {
    let fixture = Fixture::new();
    fs::create_dir(fixture.path(".pack.packing")).unwrap();
    fs::write(fixture.path(".pack.packing/README.md"), "half").unwrap();
    fs::write(fixture.path(".pack.tar.packing"), "half").unwrap();
    fs::create_dir(fixture.path("pack.tmp-2026-11")).unwrap();
    fs::write(fixture.path("pack.tmp-2026-11/thesis.tex"), "").unwrap();
    for name in ["pack", "pack.tar"] {
        let path = fixture.write(name, None).unwrap();
        assert!(is_sound(&path, None));
        assert!(!fixture.path(&format!(".{name}.packing")).exists());
    }
    assert!(!fixture.path(".pack.packing-lock").exists());
    assert!(fixture.path("pack.tmp-2026-11/thesis.tex").exists());
}

/// The second of two writers is refused. A file that already has the final name is not replaced.
#[test]
fn one_writer_at_a_time() {
    let fixture = Fixture::new();
    for (name, hidden) in [("pack", ".pack.packing-lock"), ("pack.tar", ".pack.tar.packing")] {
        let held = fs::File::create(fixture.path(hidden)).unwrap();
        held.lock().unwrap();
        assert!(matches!(fixture.write(name, None), Err(PackError::Busy(_))));
        drop(held);
        let appears = |_| {
            fs::write(fixture.path(name), "mine").unwrap();
            true
        };
        let error = write(&fixture.release(None), &fixture.path(name), &appears);
        assert!(matches!(error, Err(PackError::Exists(_))));
        assert_eq!(fs::read(fixture.path(name)).unwrap(), b"mine");
        fs::remove_file(fixture.path(name)).unwrap();
        fixture.write(name, None).unwrap();
    }
    assert!(files(fixture.folder.path()).keys().all(|name| !name.starts_with(".")));
}

/// The memory limit also limits how many shards are checked in parallel. Larger shards are refused.
#[test]
fn checks_stay_within_the_memory() {
    let fixture = Fixture::new();
    let path = fixture.write("pack", None).unwrap();
    let pack = Pack::open(&path, None).unwrap();
    let longest = fixture.tables.values().map(TableEntry::bytes).max().unwrap();
    assert!(pack.check(longest, &|_| true).unwrap().faults.is_empty());
    let refused = pack.check(longest - 1, &|_| true).unwrap_err();
    assert!(matches!(refused, PackError::Memory { needed } if needed == longest));
    let release = Release { memory: longest - 1, ..fixture.release(None) };
    let refused = write(&release, &fixture.path("other"), &|_| true).unwrap_err();
    assert!(matches!(refused, PackError::Memory { needed } if needed == longest));
    assert!(!fixture.path("other").exists());
}

#[test]
fn a_damaged_database_is_not_packed() {
    let fixture = Fixture::new();
    flip(&shard(&fixture.db, "some-game/n2/k3"));
    for name in ["pack", "pack.tar"] {
        assert!(matches!(fixture.write(name, None), Err(PackError::Shard { .. })));
        assert!(!fixture.path(name).exists());
    }
    assert_eq!(fs::read_dir(fixture.folder.path()).unwrap().count(), 1);
}
