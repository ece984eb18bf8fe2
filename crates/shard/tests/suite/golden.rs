//! Golden files are shards that were written once. They ensure that old shards stay readable.
//!
//! For a new version of the format, add files and keep the old ones. The program must still read
//! the old files, or reject them because of their version.

use std::fs;
use std::path::{Path, PathBuf};

use grundy_shard::{Codec, Description, Shard};
use grundy_testing::database::encoded;

use crate::common::decode;
use crate::end_nim;

pub(crate) fn path(codec: Codec) -> PathBuf {
    named(&format!("v1-{}", codec.name()))
}

fn named(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.zst"))
}

/// Returns the name, the description and the values of each golden file.
fn all() -> Vec<(String, Description, Vec<u8>)> {
    let of = |codec: Codec| {
        let (description, values) = content(codec);
        (format!("v1-{}", codec.name()), description, values)
    };
    let (description, values) = bits();
    let bits = ("v2-bits".to_owned(), description, values);
    Codec::ALL.map(of).into_iter().chain([bits]).collect()
}

/// Returns the outcomes of four piles of up to 5 coins in End-Nim, in two frames of 8 and 7 tiles.
fn bits() -> (Description, Vec<u8>) {
    let (description, values) = end_nim::table(5, 4, 1, Codec::Raw);
    let table = "end-nim-outcomes/n5/k4".to_owned();
    let mut bits = vec![0; values.len().div_ceil(8)];
    for (at, &value) in values.iter().enumerate() {
        bits[at / 8] |= u8::from(value > 0) << (at % 8);
    }
    (Description { table, value_bytes: 0, tiles_per_frame: 8, ..description }, bits)
}

/// Returns End-Nim's table of four piles of up to 5 coins. The codec determines the value width.
pub(crate) fn content(codec: Codec) -> (Description, Vec<u8>) {
    let width = match codec {
        Codec::Raw | Codec::NimSum => 1,
        Codec::NimSumPlanes => 2,
        Codec::DeltaPlanes => 4,
    };
    end_nim::table(5, 4, width, codec)
}

const DIGESTS: [&str; 5] = [
    "c40f508e4109470455465af822ad0cff4e386ad362d693216ea3e2eb62990f22",
    "c40f508e4109470455465af822ad0cff4e386ad362d693216ea3e2eb62990f22",
    "354243df86d1b95c52ae0e40379e469abf77148a98ed790b7cc955008f684dc6",
    "3e1f3488980c251f255723d7d922598c9aad7e57ff757ff25000ce5c91b6b998",
    "63638d045556d1a20bded8155c16c51e2e0d8c35520bd3bcd2297aed453c8087",
];

#[test]
fn golden_files_are_read() {
    for ((name, description, values), digest) in all().into_iter().zip(DIGESTS) {
        let bytes = fs::read(named(&name)).unwrap();
        let shard = Shard::open(&bytes).unwrap();
        assert_eq!(shard.description(), &description);
        assert_eq!(blake3::Hash::from_bytes(*shard.digest()).to_hex().as_str(), digest);
        assert_eq!(decode(&bytes).unwrap(), values);
        shard.verify().unwrap();
    }
}

/// A different version of zstd may compress differently. Header and values must stay the same.
#[test]
fn golden_files_are_written() {
    for (name, description, values) in all() {
        let golden = fs::read(named(&name)).unwrap();
        let encoded = encoded(&description, &values);
        let (old, new) = (Shard::open(&golden).unwrap(), Shard::open(&encoded.bytes).unwrap());
        assert_eq!(new.description(), old.description());
        assert_eq!(new.digest(), old.digest());
        assert_eq!(decode(&encoded.bytes).unwrap(), decode(&golden).unwrap());
        let header_len = 8 + u32::from_le_bytes(*golden[4..].first_chunk().unwrap()) as usize;
        assert_eq!(encoded.bytes[..header_len], golden[..header_len]);
    }
}

/// The worked example in docs/FORMAT.md is the beginning of a golden file.
#[test]
fn the_documents_example_is_true() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/FORMAT.md");
    let document = fs::read_to_string(document).unwrap();
    let golden = fs::read(path(Codec::NimSum)).unwrap();
    let mut lines = 0;
    for line in document.lines() {
        // A line has the form `00000010  xx xx ... xx  |text|`.
        let Some((at, rest)) = line.split_once("  ") else {
            continue;
        };
        let (Ok(at), true) = (usize::from_str_radix(at, 16), at.len() == 8) else {
            continue;
        };
        let bytes: Vec<u8> = rest
            .split('|')
            .next()
            .unwrap()
            .split_whitespace()
            .map(|byte| u8::from_str_radix(byte, 16).unwrap())
            .collect();
        assert_eq!(bytes, golden[at..at + bytes.len()], "{line}");
        lines += 1;
    }
    assert!(lines > 5, "the example was not found");
}

/// Writes missing files. Only a new version or a new codec needs new files.
#[test]
#[ignore = "writes the golden files of a new version or codec"]
fn write_golden() {
    for (name, description, values) in all() {
        if !named(&name).exists() {
            fs::write(named(&name), encoded(&description, &values).bytes).unwrap();
        }
        println!("{name} {}", blake3::hash(&values).to_hex());
    }
}
