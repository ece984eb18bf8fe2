//! Tables that travel: packed, checked, unpacked, spoilt, killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use assert_cmd::cargo::cargo_bin;

fn grundy(folder: &Path, line: &str) -> Output {
    Command::new(cargo_bin("grundy"))
        .current_dir(folder)
        .env("SOURCE_DATE_EPOCH", "1700000000")
        .args(line.split(' '))
        .output()
        .expect("the program starts")
}

fn fine(folder: &Path, line: &str) -> String {
    let output = grundy(folder, line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The one line that a refused command says.
fn refused(folder: &Path, line: &str, code: i32) -> String {
    let output = grundy(folder, line);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{line}: {text}");
    assert_eq!(text.lines().count(), 1, "{line}: {text}");
    text
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("a file").path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let bytes = fs::read(&path).expect("readable");
                    all.insert(path.strip_prefix(folder).expect("below").to_owned(), bytes);
                }
            }
        }
    }
    all
}

fn database() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fine(folder.path(), "build --max-pile 6 --length 3 --heap 200");
    folder
}

#[test]
fn what_is_packed_is_unpacked() {
    let folder = database();
    let at = folder.path();
    fine(at, "pack -o all.tar");
    fine(at, "pack -o all");
    assert!(fs::read_dir(at.join("all")).expect("a folder").count() <= 90);
    for source in ["./all", "all.tar"] {
        let said = fine(at, &format!("verify {source}"));
        assert!(said.ends_with("; no problems\n"), "{said}");
        fine(at, &format!("unpack {source} --db copy"));
        assert!(files(&at.join("db")) == files(&at.join("copy")), "{source}");
        assert!(fine(at, &format!("unpack {source} --db copy")).starts_with("nothing to unpack"));
        fs::remove_dir_all(at.join("copy")).expect("removed");
    }
    fine(at, "pack -o again.tar");
    assert!(fs::read(at.join("all.tar")).unwrap() == fs::read(at.join("again.tar")).unwrap());
    fs::write(at.join("digests.json"), fine(at, "status --digests")).unwrap();
    fine(at, "verify all.tar --against digests.json");
    fine(at, "verify --against digests.json");
}

#[test]
fn packs_merge_and_what_differs_is_refused() {
    let folder = database();
    let at = folder.path();
    fine(at, "pack end-nim -o one.tar");
    fine(at, "pack nim misere-nim/n6/k2 -o two.tar");
    fine(at, "unpack one.tar --db copy");
    fine(at, "unpack two.tar --db copy");
    let listed = fine(at, "status --digests --db copy");
    assert!(listed.contains("end-nim/n6/k3") && listed.contains("misere-nim/n6/k2"), "{listed}");
    assert!(!listed.contains("misere-nim/n6/k3"), "{listed}");
    fine(at, "verify --full --db copy");

    // A shard that nobody listed, and that is another.
    let shard = at.join("other/end-nim/n6/k2/end-nim-n6-k2-00000.zst");
    fs::create_dir_all(shard.parent().unwrap()).unwrap();
    fs::write(&shard, "not a shard").unwrap();
    let text = refused(at, "unpack one.tar --db other", 2);
    assert!(text.contains("is not the same"), "{text}");
    assert_eq!(fs::read(&shard).unwrap(), b"not a shard");
    assert!(!at.join("other/manifest.json").exists());
}

/// What writes a database, and what would leave a file in one, keeps out of a pack.
#[test]
fn a_pack_is_no_place_to_write() {
    let folder = database();
    let at = folder.path();
    fine(at, "pack -o one.tar");
    fine(at, "pack -o pack");
    let before = files(&at.join("pack"));
    let task = fine(at, "tasks build --max-pile 4 --length 2 --parts 1 --db other");
    fs::write(at.join("tasks"), task).unwrap();
    for db in ["pack", "one.tar"] {
        for command in [
            "build --max-pile 4 --length 2",
            "plan --max-pile 4 --length 2",
            "unpack one.tar",
            "task --file tasks --index 0",
            "finish --file tasks",
            "pack -o two.tar",
        ] {
            let text = refused(at, &format!("{command} --db {db}"), 2);
            assert!(text.contains(&format!("`grundy unpack {db} --db DIR`")), "{command}: {text}");
        }
        // A certificate stays in memory unless it is asked for.
        fine(at, &format!("diff lgn.conj34 --to 3 --db {db}"));
        assert!(fine(at, &format!("query end-nim 1,2,3 --db {db}")).ends_with('\n'));
    }
    refused(at, "diff lgn.conj34 --to 3 --certificate pack/x --db pack", 2);
    assert!(files(&at.join("pack")) == before);
    fine(at, "verify ./pack");
}

/// A manifest with a right seal that says what is not so.
#[test]
fn impossible_tables_are_not_packed() {
    use grundy_shard::manifest::{Manifest, ShardEntry, TableEntry};

    let folder = database();
    let at = folder.path();
    let sound = Manifest::read(&at.join("db")).unwrap().unwrap();
    let entry = TableEntry {
        value_bytes: 1,
        tile_rows: u32::MAX,
        tile_cols: u32::MAX,
        tiles: u64::MAX,
        tiles_per_frame: 1,
        tiles_per_shard: 1,
        codec: "raw".to_owned(),
        shards: vec![ShardEntry { bytes: 1 << 63, blake3: "0".repeat(64) }],
    };
    let list = |entry: &TableEntry| {
        let mut manifest = sound.clone();
        for id in ["zug/n6/k2", "zug/n6/k3"] {
            manifest.tables.insert(id.to_owned(), entry.clone());
        }
        manifest.publish(&at.join("db")).unwrap();
    };
    list(&entry);
    let text = refused(at, "pack -o x.tar", 2);
    assert!(text.contains("manifest of db says of zug/n6/k2 cannot be; pack others"), "{text}");
    fine(at, "pack end-nim -o end-nim.tar");
    // Cut as the format says, and together longer than 64 bits hold.
    list(&TableEntry { tiles: 1, tile_cols: 1 << 31, ..entry });
    for to in ["x.tar", "x"] {
        refused(at, &format!("pack -o {to}"), 2);
        assert!(!at.join(to).exists());
    }
}

#[test]
fn spoilt_packs_are_noticed() {
    let folder = database();
    let at = folder.path();
    fine(at, "pack end-nim -o sound.tar");
    let sound = fs::read(at.join("sound.tar")).unwrap();
    for place in (0..sound.len()).step_by(sound.len() / 40) {
        let mut bytes = sound.clone();
        bytes[place] ^= 4;
        fs::write(at.join("bad.tar"), bytes).unwrap();
        assert_eq!(grundy(at, "verify bad.tar").status.code(), Some(1), "byte {place}");
        refused(at, "unpack bad.tar --db copy", 2);
        assert!(!at.join("copy").exists());
    }
    fs::write(at.join("bad.tar"), &sound[..sound.len() - 600]).unwrap();
    refused(at, "verify bad.tar", 1);
    refused(at, "unpack bad.tar --db copy", 2);
    refused(at, "pack -o sound.tar", 2);
    refused(at, "pack no-such-game -o x.tar", 2);
    refused(at, "pack --games nim --length 9 -o x.tar", 2);
    refused(at, "pack --sign sound.tar -o x.tar", 2);
    refused(at, "verify http://127.0.0.1:1/x.tar", 2);
    refused(at, "verify sound.tar --full", 2);
    assert!(!at.join("x.tar").exists());
}

/// A small disk that is full: nothing half-published, and the same command goes on.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = database();
    let at = folder.path();
    fine(at, "pack -o all.tar");
    // A limit on the length of files fails writes as a full disk does.
    let limited = |line: &str| {
        let program = cargo_bin("grundy");
        let script = format!("trap '' XFSZ; ulimit -f 1; exec {} {line}", program.display());
        Command::new("bash").current_dir(at).args(["-c", &script]).output().expect("a shell")
    };
    let output = limited("unpack all.tar --db copy");
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("too large"), "{text}");
    fine(at, "unpack all.tar --db copy");
    assert!(files(&at.join("db")) == files(&at.join("copy")));
    assert_eq!(limited("pack -o small.tar").status.code(), Some(2));
    assert!(!at.join("small.tar").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn killed_at_any_moment() {
    use std::time::{Duration, Instant};

    let folder = database();
    let at = folder.path();
    let begun = Instant::now();
    fine(at, "pack -o all.tar");
    let takes = begun.elapsed();
    let whole = fs::read(at.join("all.tar")).unwrap();
    let killed = |line: &str, after: Duration| {
        let mut child = Command::new(cargo_bin("grundy"))
            .current_dir(at)
            .env("SOURCE_DATE_EPOCH", "1700000000")
            .args(line.split(' '))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(after);
        child.kill().expect("killed");
        child.wait().expect("it ends");
    };
    for part in 0..12 {
        killed("pack -o killed.tar", takes * part / 10);
        if let Ok(bytes) = fs::read(at.join("killed.tar")) {
            assert!(bytes == whole);
            fs::remove_file(at.join("killed.tar")).unwrap();
        }
        killed("unpack all.tar --db copy", takes * part / 5);
        if at.join("copy/manifest.json").exists() {
            fine(at, "verify --db copy");
        }
    }
    fine(at, "pack -o killed.tar");
    assert!(
        !fs::read_dir(at)
            .unwrap()
            .any(|entry| { entry.unwrap().file_name().to_string_lossy().contains(".tmp-") })
    );
    fine(at, "unpack all.tar --db copy");
    assert!(files(&at.join("db")) == files(&at.join("copy")));
}

#[test]
fn what_to_cite() {
    let folder = database();
    let at = folder.path();
    let said = fine(at, "cite --db nowhere");
    assert!(said.contains("@misc{grundy,") && said.contains("commit "), "{said}");
    let said = fine(at, "cite end-nim/n6/k3");
    let digest = fine(at, "status --digests");
    let digest = digest.lines().find(|line| line.contains("\"end-nim/n6/k3\"")).unwrap();
    let digest = digest.split('"').nth(3).unwrap();
    assert!(said.contains(digest) && said.contains("Albert and Nowakowski"), "{said}");
    refused(at, "cite end-nim/n6/k4", 2);
    let said = fine(at, "--version");
    assert!(said.contains("commit ") && said.contains("shards of version 1"), "{said}");
}

#[test]
fn a_proof_travels_along() {
    let folder = database();
    let at = folder.path();
    fine(at, "diff lgn.conj34 --to 60 --certificate short.cert");
    fine(at, "diff lgn.conj34 --to 70 --certificate long.cert");
    fine(at, "pack nim -o with.tar --certificate short.cert");
    let said = fine(at, "verify with.tar");
    assert!(said.contains("it proves the conjecture for n = 1 to 60; no problems"), "{said}");
    fine(at, "unpack with.tar --db copy");
    let there = || fs::read(at.join("copy/conj34.cert")).unwrap();
    assert_eq!(there(), fs::read(at.join("short.cert")).unwrap());
    fine(at, "verify --certificate copy/conj34.cert");
    // One that proves more is not lost.
    fs::copy(at.join("long.cert"), at.join("copy/conj34.cert")).unwrap();
    let output = grundy(at, "unpack with.tar --db copy");
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("is another; it stays"), "{said}");
    assert_eq!(there(), fs::read(at.join("long.cert")).unwrap());
    // What proves nothing is not packed.
    let mut spoilt = fs::read(at.join("short.cert")).unwrap();
    let middle = spoilt.len() / 2;
    spoilt[middle] ^= 1;
    fs::write(at.join("spoilt.cert"), spoilt).unwrap();
    let text = refused(at, "pack nim -o bad.tar --certificate spoilt.cert", 2);
    assert!(text.contains("spoilt.cert proves nothing"), "{text}");
    assert!(!at.join("bad.tar").exists());
}

/// Neither a pack in a database, nor a database in a pack.
#[test]
fn nothing_lies_in_anything_else() {
    let folder = database();
    let at = folder.path();
    for to in ["db/x.tar", "db/end-nim/n6/k4", "./db/../db/y"] {
        let text = refused(at, &format!("pack -o {to}"), 2);
        assert!(text.contains("would lie in the database"), "{text}");
    }
    fine(at, "pack -o all");
    let before = files(&at.join("all"));
    for (db, message) in [
        ("all", "is a pack"),
        ("all/db", "would lie in the pack"),
        ("./all/../all", "is a pack"),
        ("./all/../all/db", "would lie in the pack"),
    ] {
        let text = refused(at, &format!("unpack ./all --db {db}"), 2);
        assert!(text.contains(message), "{text}");
    }
    assert!(files(&at.join("all")) == before);
    fine(at, "verify ./all");
}

/// Digests that are compared with nothing, or with others, are no success.
#[test]
fn packs_against_digests() {
    let folder = database();
    let at = folder.path();
    fine(at, "pack nim -o nim.tar");
    fs::write(at.join("none.json"), "{}").unwrap();
    let text = refused(at, "verify nim.tar --against none.json", 2);
    assert!(text.contains("lists none of the tables"), "{text}");
    let digests = fine(at, "status --digests");
    fs::write(at.join("all.json"), &digests).unwrap();
    let output = grundy(at, "verify nim.tar --against all.json --json");
    let seen: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&seen["as_expected"], &seen["complete"]), (&3.into(), &true.into()));
    assert!(seen["not_there"].as_u64().unwrap() > 10, "{seen}");
    let nim: serde_json::Value = serde_json::from_str(&digests).unwrap();
    let other = nim["nim/n6/k1"].as_str().unwrap();
    let swapped = format!("{{\"nim/n6/k2\": \"{other}\"}}");
    fs::write(at.join("other.json"), swapped).unwrap();
    assert_eq!(grundy(at, "verify nim.tar --against other.json").status.code(), Some(1));
}

/// Each source has its object, whatever it is; and a signature says whose it is.
#[test]
fn what_verify_says_of_packs() {
    let folder = database();
    let at = folder.path();
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    fs::write(at.join("key.sec"), pair.sk.to_box(None).unwrap().to_string()).unwrap();
    fs::write(at.join("key.pub"), pair.pk.to_box().unwrap().to_string()).unwrap();
    fine(at, "pack nim -o sound.tar --sign key.sec");
    let mut bytes = fs::read(at.join("sound.tar")).unwrap();
    let end = bytes.len() - 1;
    bytes[end] = 1;
    fs::write(at.join("bad.tar"), bytes).unwrap();
    let output = grundy(at, "verify bad.tar sound.tar --json");
    assert_eq!(output.status.code(), Some(1));
    let seen: Vec<serde_json::Value> = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0]["problems"].as_array().unwrap().len(), 1);
    assert_eq!(seen[1]["problems"].as_array().unwrap().len(), 0);
    assert_eq!(seen[1]["signature"], "claimed");
    let said = fine(at, "verify sound.tar --pubkey key.pub --json");
    assert!(said.contains("\"signature\":\"checked\""), "{said}");
    let other = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    fs::write(at.join("other.pub"), other.pk.to_box().unwrap().to_string()).unwrap();
    assert_eq!(grundy(at, "verify sound.tar --pubkey other.pub").status.code(), Some(1));
    refused(at, "unpack sound.tar --db copy --pubkey other.pub", 2);
    fine(at, "unpack sound.tar --db copy --pubkey key.pub");
}

/// A certificate that leaves something open is no proof to travel.
#[test]
fn a_proof_with_a_gap_stays_at_home() {
    let folder = database();
    let at = folder.path();
    let mut bytes: Vec<u8> = b"GRUNDYT\n".to_vec();
    // Version 1, bound 5, no n has a family, no families: by the table in docs/FORMAT.md.
    for number in [1_u32, 5, 0, 0, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    // For each n from 0 to 5 no family.
    bytes.extend(zstd::encode_all(&[0_u8; 6][..], 3).unwrap());
    let digest = blake3::hash(&bytes);
    bytes.extend(digest.as_bytes());
    fs::write(at.join("gap.cert"), bytes).unwrap();
    assert_eq!(grundy(at, "verify --certificate gap.cert").status.code(), Some(1));
    let text = refused(at, "pack nim -o gap.tar --certificate gap.cert", 2);
    assert!(text.contains("does not prove"), "{text}");
    assert!(!at.join("gap.tar").exists());
}

/// A pack has the texts of this very tree, whatever it was checked out with; the same selection,
/// however it is said, and any number of threads make the same bytes.
#[test]
fn texts_and_words_and_threads() {
    let folder = database();
    let at = folder.path();
    fine(at, "pack nim end-nim -o one --threads 1");
    fine(at, "pack end-nim/ nim nim -o two --threads 3");
    assert!(files(&at.join("one")) == files(&at.join("two")));
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for name in ["FORMAT.md", "read_shard.py"] {
        assert!(fs::read(at.join("one").join(name)).unwrap() == fs::read(docs.join(name)).unwrap());
    }
    let cff = fs::read_to_string(docs.join("../CITATION.cff")).unwrap();
    let version = concat!("\nversion: \"", env!("CARGO_PKG_VERSION"), "\"\n");
    assert!(cff.contains(version), "{cff}");
    for odd in ["yesterday", "-1", "253402300800"] {
        let output = Command::new(cargo_bin("grundy"))
            .current_dir(at)
            .env("SOURCE_DATE_EPOCH", odd)
            .args(["pack", "-o", "odd.tar"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{odd}");
    }
}
