//! Packs with false contents, signatures and proofs. `cases/packs.md` shows sound packs.

use std::fs;

use grundy_shard::manifest::{Manifest, ShardEntry, TableEntry};
use grundy_testing::program::Folder;

const BUILD: &str = "build --max-pile 6 --length 3 --heap 200";

/// The test writes manifests with a valid seal and false contents.
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
        numbering: None,
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
    assert!(text.contains("zug/n6/k2 in the manifest of db is invalid; pack other"), "{text}");
    folder.text("pack end-nim -o end-nim.tar");
    // The entry has a valid division of the table, but its total length exceeds 64 bits.
    list(&TableEntry { tiles: 1, tile_cols: 1 << 31, ..entry });
    for to in ["x.tar", "x"] {
        folder.refused(&format!("pack -o {to}"), 2);
        assert!(!folder.at(to).exists());
    }
}

/// The output has a JSON object for each pack. If the user gives no key, a signature is `claimed`.
#[test]
fn each_pack_reports_its_signature_and_problems() {
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
    folder.text("pack nim -o plain.tar");
    let said = folder.refused("verify plain.tar --pubkey key.pub", 1);
    assert!(said.contains("is not a signed pack: it has no signature"), "{said}");
}

#[test]
fn a_certificate_with_a_gap_is_not_packed() {
    let folder = Folder::after(BUILD);
    let mut bytes: Vec<u8> = b"GRUNDYT\n".to_vec();
    // The numbers mean version 1, bound 5, and no families; see the table in docs/FORMAT.md.
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
    assert!(text.contains("leaves out"), "{text}");
    assert!(!folder.at("gap.tar").exists());
}

/// A pack contains the documents and the version of this source tree. Line ends may differ.
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
