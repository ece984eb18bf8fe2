//! A small pack, spoilt in every way.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use grundy_pack::{
    About, Fault, MOST_FILES, Pack, PackError, PackManifest, PublicKey, Release, SIGNATURE_FILE,
    Signer, first_file, write,
};
use grundy_shard::manifest::{ShardEntry, TableEntry, hex, shard_path};
use grundy_shard::{Codec, Description, Encoder, cut};

/// Two tables of one shard, by hand, in a database folder.
fn database(folder: &Path) -> BTreeMap<String, TableEntry> {
    let mut tables = BTreeMap::new();
    for (table, tiles) in [("some-game/n2/k3", 3_u64), ("other-game/n2/k2", 1)] {
        let (tiles_per_frame, tiles_per_shard) = cut(4);
        let description = Description {
            table: table.to_owned(),
            value_bytes: 1,
            tile_rows: 2,
            tile_cols: 2,
            tiles_per_frame: tiles_per_frame as u32,
            first_tile: 0,
            tiles,
            shard: 0,
            shards: 1,
            codec: Codec::Raw,
        };
        let mut encoder = Encoder::new(1);
        encoder.begin(description).unwrap();
        let values: Vec<u8> = (0..4 * tiles).map(|value| value as u8).collect();
        encoder.push_frame(&values).unwrap();
        let encoded = encoder.finish().unwrap();
        let path = folder.join(shard_path(table, 0));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &encoded.bytes).unwrap();
        let shard = ShardEntry { bytes: encoded.bytes.len() as u64, blake3: hex(&encoded.digest) };
        let entry = TableEntry {
            value_bytes: 1,
            tile_rows: 2,
            tile_cols: 2,
            tiles,
            tiles_per_frame: tiles_per_frame as u32,
            tiles_per_shard,
            codec: "raw".to_owned(),
            shards: vec![shard],
        };
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
                author: "Nobody".to_owned(),
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

/// Whether nothing is wrong.
fn is_sound(path: &Path, key: Option<&PublicKey>) -> bool {
    Pack::open(path, key)
        .is_ok_and(|pack| pack.check(u64::MAX, &|_| true).unwrap().faults.is_empty())
}

fn no_password() -> std::io::Result<String> {
    panic!("there is none")
}

fn signer() -> Signer {
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    Signer::of_text(&pair.sk.to_box(None).unwrap().into_string(), &mut no_password).unwrap()
}

#[test]
fn what_is_packed_is_read() {
    let fixture = Fixture::new();
    for name in ["pack", "pack.tar"] {
        let path = fixture.write(name, None).unwrap();
        let pack = Pack::open(&path, None).unwrap();
        let checked = pack.check(u64::MAX, &|_| true).unwrap();
        assert!(checked.faults.is_empty(), "{:?}", checked.faults);
        assert_eq!((checked.tables, checked.shards, checked.values), (2, 2, 16));
        for (table, entry) in &fixture.tables {
            assert_eq!(pack.manifest().tables[table].entry, *entry);
            let bytes = fs::read(fixture.path("db").join(shard_path(table, 0))).unwrap();
            assert_eq!(pack.shard(&checked, table, 0).unwrap(), bytes);
        }
        assert!(matches!(fixture.write(name, None), Err(PackError::Exists(_))));
    }
}

/// Every file is read once; of those that are not listed, which are read when it is opened, nobody is told.
#[test]
fn what_is_read_is_counted() {
    let fixture = Fixture::new();
    let folder = fixture.write("pack", None).unwrap();
    let pack = Pack::open(&folder, None).unwrap();
    let told = std::sync::atomic::AtomicU64::new(0);
    let tell = |bytes| {
        told.fetch_add(bytes, std::sync::atomic::Ordering::Relaxed);
        true
    };
    let checked = pack.check(u64::MAX, &tell).unwrap();
    let bytes = |name: &str| fs::metadata(folder.join(name)).unwrap().len();
    let listed: u64 = pack.manifest().files.keys().map(|name| bytes(name)).sum();
    let all = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().metadata().unwrap().len());
    assert_eq!((told.into_inner(), checked.bytes), (listed, all.sum()));

    assert_eq!(pack.text("README.md").unwrap().unwrap(), b"Read me.\n");
    assert_eq!(pack.text("NOTES.md").unwrap(), None);
    fs::write(folder.join("README.md"), b"Read it.\n").unwrap();
    let pack = Pack::open(&folder, None).unwrap();
    assert!(matches!(pack.text("README.md"), Err(PackError::Damaged { .. })));
}

/// `pack.json` is the first file of a tar, behind one block of 512 bytes.
#[test]
fn the_first_file_of_a_tar_is_found() {
    let fixture = Fixture::new();
    let tar = fs::read(fixture.write("pack.tar", None).unwrap()).unwrap();
    let text = Pack::open(&fixture.path("pack.tar"), None).unwrap().manifest().to_text();
    let found = first_file(&tar[..512]).unwrap();
    assert_eq!((found.start, found.end), (512, 512 + text.len() as u64));
    assert_eq!(&tar[512..found.end as usize], text.as_bytes());
    assert_eq!(first_file(&tar[..511]), None);
    assert_eq!(first_file(&tar[512..]), None);
}

/// The same bytes again, and the same in a tar and in a folder: as `tar` unpacks it.
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
    let files = |folder: &Path| -> BTreeMap<_, _> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect()
    };
    assert!(files(&folder) == files(&at.join("grundy-tables")));
}

#[test]
fn every_bit_and_every_end_of_a_tar_counts() {
    let fixture = Fixture::new();
    let signer = signer();
    let path = fixture.write("pack.tar", Some(&signer)).unwrap();
    assert!(is_sound(&path, None) && is_sound(&path, Some(signer.public())));
    let bytes = fs::read(&path).unwrap();
    let spoilt = fixture.path("spoilt.tar");
    let mut changed = bytes.clone();
    for at in 0..bytes.len() {
        // Two bits of each byte: the lowest, and one that moves on.
        for bit in [0, 1 + at % 7] {
            changed[at] ^= 1 << bit;
            fs::write(&spoilt, &changed).unwrap();
            assert!(!is_sound(&spoilt, None), "bit {bit} of byte {at}");
            changed[at] ^= 1 << bit;
        }
    }
    for length in (0..bytes.len()).step_by(61).chain([bytes.len() - 1, bytes.len() - 512]) {
        fs::write(&spoilt, &bytes[..length]).unwrap();
        assert!(!is_sound(&spoilt, None), "{length} bytes");
    }
    for more in [1, 512, 10_240] {
        fs::write(&spoilt, [&bytes[..], &vec![0; more]].concat()).unwrap();
        assert!(!is_sound(&spoilt, None), "{more} bytes more");
    }
    // Another key is not the one it was signed by.
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
        for changed in [&bytes[1..], &[&bytes[..], b"\n"].concat(), b""] {
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

/// Names and lengths of tars that nobody here has written.
#[test]
fn hostile_tars() {
    let fixture = Fixture::new();
    let path = fixture.write("pack.tar", None).unwrap();
    let bytes = fs::read(&path).unwrap();
    let spoilt = fixture.path("spoilt.tar");
    let try_header = |spoil: &dyn Fn(&mut [u8])| {
        let mut changed = bytes.clone();
        spoil(&mut changed[..512]);
        // With a checksum that any tar believes.
        changed[148..156].fill(b' ');
        let sum: u32 = changed[..512].iter().map(|&byte| u32::from(byte)).sum();
        changed[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        fs::write(&spoilt, &changed).unwrap();
        let error = Pack::open(&spoilt, None).expect_err("a hostile tar");
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
    // A file twice.
    let first = 512
        + usize::from_str_radix(std::str::from_utf8(&bytes[124..135]).unwrap(), 8)
            .unwrap()
            .next_multiple_of(512);
    fs::write(&spoilt, [&bytes[..first], &bytes[..]].concat()).unwrap();
    assert!(!is_sound(&spoilt, None));
}

/// A manifest with a right seal that says what is not so.
#[test]
fn sealed_lies() {
    let fixture = Fixture::new();
    let path = fixture.write("pack", None).unwrap();
    let manifest = Pack::open(&path, None).unwrap().manifest().clone();
    let table = "some-game/n2/k3";
    fn entry<'a>(lie: &'a mut PackManifest, table: &str) -> &'a mut grundy_pack::PackedTable {
        lie.tables.get_mut(table).unwrap()
    }
    type Lie = fn(&mut PackManifest, &str);
    // Of the text alone, so that nothing else can be what is noticed.
    let fault = |tell: Lie| {
        let mut lie = manifest.clone();
        tell(&mut lie, table);
        PackManifest::of_text(lie.to_text().as_bytes()).unwrap_err()
    };
    let of_the_table: [Lie; 7] = [
        |lie, table| entry(lie, table).offsets[0] = 1,
        |lie, table| entry(lie, table).offsets[0] = u64::MAX,
        |lie, table| entry(lie, table).offsets.push(0),
        |lie, table| entry(lie, table).entry.tiles = u64::MAX,
        |lie, table| entry(lie, table).entry.codec = "none".to_owned(),
        |lie, table| entry(lie, table).file = "../x".to_owned(),
        |lie, table| entry(lie, table).entry.shards[0].blake3 = "0".repeat(63),
    ];
    for (number, tell) in of_the_table.into_iter().enumerate() {
        assert!(matches!(fault(tell), Fault::Entry(id) if id == table), "lie {number}");
    }
    let of_lengths: [Lie; 2] = [
        |lie, table| entry(lie, table).entry.shards[0].bytes += 1,
        |lie, _| lie.files.values_mut().for_each(|file| file.bytes = 1 << 60),
    ];
    for tell in of_lengths {
        let found = fault(tell);
        assert!(matches!(found, Fault::Length { .. }), "{found}");
    }
    assert!(matches!(fault(|lie, _| lie.tables.clear()), Fault::Empty));
    // One digest of a file that is none, whichever it is.
    let digests: [Lie; 2] = [
        |lie, _| lie.files.get_mut("README.md").unwrap().blake3.push('0'),
        |lie, _| lie.files.get_mut("README.md").unwrap().sha256.push('0'),
    ];
    for tell in digests {
        assert!(matches!(fault(tell), Fault::Syntax));
    }
    // Beside those listed there are four at most: as many as there may be, and one more.
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
    // Only those of the data files follow from the tables.
    let endless: Lie = |lie, _| lie.files.get_mut("README.md").unwrap().bytes = u64::MAX;
    assert!(matches!(fault(endless), Fault::Syntax));
    for id in ["a".repeat(1000), "..".to_owned(), "/a".to_owned(), "a//b".to_owned()] {
        let mut lie = manifest.clone();
        let moved = lie.tables.remove(table).unwrap();
        lie.tables.insert(id, moved);
        let found = PackManifest::of_text(lie.to_text().as_bytes()).unwrap_err();
        assert!(matches!(found, Fault::Entry(id) if id.len() <= 80));
    }
    let text = manifest.to_text();
    let unknown = text.replacen("{\n", "{\n  \"more\": 1,\n", 1);
    assert!(matches!(PackManifest::of_text(unknown.as_bytes()), Err(Fault::Seal)));
    assert_eq!(PackManifest::of_text(text.as_bytes()).unwrap(), manifest);
}

/// Against Debian's program, both ways.
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
    // One with a password, as the library writes it and reads it again.
    let pair = minisign::KeyPair::generate_encrypted_keypair(Some("secret".to_owned())).unwrap();
    let locked = pair.sk.to_box(None).unwrap().into_string();
    let signer = Signer::of_text(&locked, &mut || Ok("secret".to_owned())).unwrap();
    let path = fixture.write("locked", Some(&signer)).unwrap();
    assert!(is_sound(&path, Some(signer.public())));
    assert!(Signer::of_text(&locked, &mut || Ok("other".to_owned())).is_err());
    let path = fixture.path("theirs");
    // Without the key nobody can say.
    assert!(!is_sound(&path, None));
}

/// What a killed one left is begun anew; what anybody else has there stays.
#[test]
fn leftovers() {
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

/// Of two writers the second is refused, and what appears under the name meanwhile stays.
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
    let hidden = fs::read_dir(fixture.folder.path()).unwrap();
    let hidden = hidden
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with('.'));
    assert_eq!(hidden.count(), 0);
}

/// As many shards at once as memory has room for, and none that it has no room for.
#[test]
fn memory_is_held() {
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
    let shard = fixture.path("db").join(shard_path("some-game/n2/k3", 0));
    let mut bytes = fs::read(&shard).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&shard, bytes).unwrap();
    for name in ["pack", "pack.tar"] {
        assert!(matches!(fixture.write(name, None), Err(PackError::Shard { .. })));
        assert!(!fixture.path(name).exists());
    }
    // Only the database is left.
    assert_eq!(fs::read_dir(fixture.folder.path()).unwrap().count(), 1);
}
