//! Golden files are shards that were written once and must stay readable for ever.
//!
//! A new version of the format adds files. The old files stay; the new version either reads them or
//! refuses them by their version.

use std::fs;
use std::path::{Path, PathBuf};

use grundy_shard::{Codec, Description, Shard};
use grundy_testing::database::encoded;

use crate::common::decode;
use crate::end_nim;

pub(crate) fn path(codec: Codec) -> PathBuf {
    let name = format!("tests/golden/v1-{}.zst", codec.name());
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Returns the table of End-Nim with four piles up to 5. The width of a value depends on the codec.
pub(crate) fn content(codec: Codec) -> (Description, Vec<u8>) {
    let width = match codec {
        Codec::Raw | Codec::NimSum => 1,
        Codec::NimSumPlanes => 2,
        Codec::DeltaPlanes => 4,
    };
    end_nim::table(5, 4, width, codec)
}

const DIGESTS: [(Codec, &str); 4] = [
    (Codec::Raw, "c40f508e4109470455465af822ad0cff4e386ad362d693216ea3e2eb62990f22"),
    (Codec::NimSum, "c40f508e4109470455465af822ad0cff4e386ad362d693216ea3e2eb62990f22"),
    (Codec::NimSumPlanes, "354243df86d1b95c52ae0e40379e469abf77148a98ed790b7cc955008f684dc6"),
    (Codec::DeltaPlanes, "3e1f3488980c251f255723d7d922598c9aad7e57ff757ff25000ce5c91b6b998"),
];

#[test]
fn golden_files_are_read() {
    assert_eq!(DIGESTS.map(|(codec, _)| codec), Codec::ALL, "a golden file for each codec");
    for (codec, digest) in DIGESTS {
        let (description, values) = content(codec);
        let bytes = fs::read(path(codec)).unwrap();
        let shard = Shard::open(&bytes).unwrap();
        assert_eq!(shard.description(), &description);
        assert_eq!(blake3::Hash::from_bytes(*shard.digest()).to_hex().as_str(), digest);
        assert_eq!(decode(&bytes).unwrap(), values);
        shard.verify().unwrap();
    }
}

/// Another version of zstd may compress differently; everything else is fixed.
#[test]
fn golden_files_are_written() {
    for codec in Codec::ALL {
        let (description, values) = content(codec);
        let golden = fs::read(path(codec)).unwrap();
        let encoded = encoded(&description, &values);
        let (old, new) = (Shard::open(&golden).unwrap(), Shard::open(&encoded.bytes).unwrap());
        assert_eq!(new.description(), old.description());
        assert_eq!(new.digest(), old.digest());
        assert_eq!(decode(&encoded.bytes).unwrap(), decode(&golden).unwrap());
        let header_len = 8 + u32::from_le_bytes(*golden[4..].first_chunk().unwrap()) as usize;
        assert_eq!(encoded.bytes[..header_len], golden[..header_len]);
    }
}

/// The worked example in docs/FORMAT.md is the start of a golden file.
#[test]
fn the_documents_example_is_true() {
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/FORMAT.md");
    let document = fs::read_to_string(document).unwrap();
    let golden = fs::read(path(Codec::NimSum)).unwrap();
    let mut lines = 0;
    for line in document.lines() {
        // `00000010  xx xx ... xx  |text|`
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

/// Writes missing files. Version 1 already has all its files.
#[test]
#[ignore = "writes the golden files of a new version or codec"]
fn write_golden() {
    for codec in Codec::ALL {
        let (description, values) = content(codec);
        if !path(codec).exists() {
            fs::write(path(codec), encoded(&description, &values).bytes).unwrap();
        }
        println!("{codec:?} {}", blake3::hash(&values).to_hex());
    }
}
