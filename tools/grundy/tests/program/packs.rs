//! Damages packs, and kills writers of packs. `cases/packs.md` shows sound packs.

use std::fs;

use grundy_shard::manifest::{Manifest, ShardEntry, TableEntry};
#[cfg(target_os = "linux")]
use grundy_testing::files::files;
use grundy_testing::program::Folder;

const BUILD: &str = "build --max-pile 6 --length 3 --heap 200";

/// Manifests with a valid seal and false contents.
#[test]
fn impossible_tables_are_not_packed() {
    let folder = Folder::after(BUILD);
    let db = folder.at("db");
    let sound = Manifest::read(&db).unwrap().unwrap();
    let entry = TableEntry {
        value_bytes: 1,
        tile_rows: u32::MAX,
        tile_cols: u32::MAX,
        tiles: u64::MAX,
        tiles_per_frame: 1,
        tiles_per_shard: 1,
        codec: "raw".to_owned(),
        rules: None,
        shards: vec![ShardEntry { bytes: 1 << 63, blake3: "0".repeat(64) }],
    };
    let list = |entry: &TableEntry| {
        let mut manifest = sound.clone();
        for id in ["zug/n6/k2", "zug/n6/k3"] {
            manifest.tables.insert(id.to_owned(), entry.clone());
        }
        manifest.publish(&db).unwrap();
    };
    list(&entry);
    let text = folder.refused("pack -o x.tar", 2);
    assert!(text.contains("manifest of db says of zug/n6/k2 cannot be; pack others"), "{text}");
    folder.text("pack end-nim -o end-nim.tar");
    // The entry follows the format's division, but the total length does not fit into 64 bits.
    list(&TableEntry { tiles: 1, tile_cols: 1 << 31, ..entry });
    for to in ["x.tar", "x"] {
        folder.refused(&format!("pack -o {to}"), 2);
        assert!(!folder.at(to).exists());
    }
}

#[test]
fn spoilt_packs_are_noticed() {
    let folder = Folder::after(BUILD);
    folder.text("pack end-nim -o sound.tar");
    let sound = folder.read("sound.tar");
    for place in (0..sound.len()).step_by(sound.len() / 40) {
        let mut bytes = sound.clone();
        bytes[place] ^= 4;
        folder.write("bad.tar", bytes);
        assert_eq!(folder.run("verify bad.tar").status.code(), Some(1), "byte {place}");
        folder.refused("unpack bad.tar --db copy", 2);
        assert!(!folder.at("copy").exists());
    }
}

/// Whenever the writer is killed, existing files stay whole, and the same command then succeeds.
#[cfg(target_os = "linux")]
#[test]
fn packs_are_whole_whenever_their_writer_is_killed() {
    use std::time::{Duration, Instant};

    let folder = Folder::after(BUILD);
    let begun = Instant::now();
    folder.text("pack -o all.tar");
    let takes = begun.elapsed();
    let whole = folder.read("all.tar");
    let killed = |line: &str, after: Duration| {
        let mut child = folder.start(line);
        std::thread::sleep(after);
        child.kill().expect("killed");
        child.wait().expect("it ends");
    };
    for part in 0..12 {
        killed("pack -o killed.tar", takes * part / 10);
        if let Ok(bytes) = fs::read(folder.at("killed.tar")) {
            assert!(bytes == whole);
            fs::remove_file(folder.at("killed.tar")).unwrap();
        }
        killed("unpack all.tar --db copy", takes * part / 5);
        if folder.at("copy/manifest.json").exists() {
            folder.text("verify --db copy");
        }
    }
    folder.text("pack -o killed.tar");
    let is_leftover = |entry: fs::DirEntry| entry.file_name().to_string_lossy().contains(".tmp-");
    assert!(!fs::read_dir(folder.path()).unwrap().flatten().any(is_leftover));
    folder.text("unpack all.tar --db copy");
    assert!(files(&folder.at("db")) == files(&folder.at("copy")));
}

/// Each source has its own JSON object. A pack only claims a signature until a key checks it.
#[test]
fn signatures_and_problems_are_told_of_each_pack() {
    let folder = Folder::after(BUILD);
    let pair = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    folder.write("key.sec", pair.sk.to_box(None).unwrap().to_string());
    folder.write("key.pub", pair.pk.to_box().unwrap().to_string());
    folder.text("pack nim -o sound.tar --sign key.sec");
    let mut bytes = folder.read("sound.tar");
    *bytes.last_mut().unwrap() = 1;
    folder.write("bad.tar", bytes);
    assert_eq!(folder.run("verify bad.tar sound.tar").status.code(), Some(1));
    let seen = folder.json("verify bad.tar sound.tar");
    let problems = seen.iter().map(|seen| seen["problems"].as_array().unwrap().len());
    assert_eq!(problems.collect::<Vec<_>>(), [1, 0]);
    assert_eq!(seen[1]["signature"], "claimed");
    let seen = folder.json("verify sound.tar --pubkey key.pub");
    assert_eq!(seen[0]["signature"], "checked");
    let other = minisign::KeyPair::generate_unencrypted_keypair().unwrap();
    folder.write("other.pub", other.pk.to_box().unwrap().to_string());
    folder.refused("verify sound.tar --pubkey other.pub", 1);
    folder.refused("unpack sound.tar --db copy --pubkey other.pub", 2);
    folder.text("unpack sound.tar --db copy --pubkey key.pub");
}

/// A certificate with a gap proves nothing, so it is not packed.
#[test]
fn a_proof_with_a_gap_stays_at_home() {
    let folder = Folder::after(BUILD);
    let mut bytes: Vec<u8> = b"GRUNDYT\n".to_vec();
    // The numbers are version 1, bound 5, and no families: see the table in docs/FORMAT.md.
    for number in [1_u32, 5, 0, 0, 0, 0] {
        bytes.extend(number.to_le_bytes());
    }
    // No n from 0 to 5 has a family.
    bytes.extend(zstd::encode_all(&[0_u8; 6][..], 3).unwrap());
    let digest = blake3::hash(&bytes);
    bytes.extend(digest.as_bytes());
    folder.write("gap.cert", bytes);
    assert_eq!(folder.run("verify --certificate gap.cert").status.code(), Some(1));
    let text = folder.refused("pack nim -o gap.tar --certificate gap.cert", 2);
    assert!(text.contains("does not prove"), "{text}");
    assert!(!folder.at("gap.tar").exists());
}

/// A pack contains the documents of this source tree, whatever its line ends, and its version.
#[test]
fn a_pack_has_the_texts_of_the_tree() {
    let folder = Folder::after(BUILD);
    folder.text("pack nim -o one");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (name, from) in [("FORMAT.md", "docs"), ("read_shard.py", "tools/grundy/texts")] {
        assert!(
            folder.read(&format!("one/{name}")) == fs::read(root.join(from).join(name)).unwrap()
        );
    }
    let cff = fs::read_to_string(root.join("CITATION.cff")).unwrap();
    assert!(cff.contains(concat!("\nversion: \"", env!("CARGO_PKG_VERSION"), "\"\n")), "{cff}");
}
