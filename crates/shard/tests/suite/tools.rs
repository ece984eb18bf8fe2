//! Other people's programs read our shards: the zstd command, and a Python program
//! written from docs/FORMAT.md.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use grundy_shard::Codec;

use crate::common::encode;
use crate::end_nim::{self, EndNim};

#[test]
fn zstd_decompresses_to_the_transformed_values() {
    if Command::new("zstd").arg("--version").output().is_err() {
        println!("skipped: there is no zstd command here");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (codec, width) in Codec::ALL.into_iter().flat_map(|codec| [(codec, 1), (codec, 2)]) {
        let (description, values) = end_nim::table(6, 4, width, codec);
        let path = folder.path().join("shard.zst");
        std::fs::write(&path, encode(&description, &values).bytes).unwrap();
        let output = Command::new("zstd").arg("-dc").arg(&path).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let mut expected = Vec::new();
        for frame in values.chunks(description.frame_bytes()) {
            let mut transformed = Vec::new();
            codec.encode(&description, frame, &mut transformed);
            expected.extend(transformed);
        }
        assert!(output.stdout == expected, "{codec:?}, {width} bytes");
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `GRUNDY_PYTHON`, or the workspace's own Python, or the system's.
fn python() -> OsString {
    let own = workspace().join(".venv/bin/python3");
    env::var_os("GRUNDY_PYTHON")
        .unwrap_or_else(|| if own.exists() { own.into() } else { "python3".into() })
}

/// A Python with the package `zstandard`, if there is one; on CI there must be.
fn python_with_zstandard() -> Option<OsString> {
    let python = python();
    let import = Command::new(&python).args(["-c", "import zstandard"]).output();
    if import.is_ok_and(|output| output.status.success()) {
        return Some(python);
    }
    assert!(env::var_os("CI").is_none(), "{python:?} has no package zstandard");
    println!("skipped: {python:?} has no package zstandard");
    None
}

fn read_shard(python: &OsString, shard: &Path, positions: &[String]) -> Output {
    let program = workspace().join("docs/read_shard.py");
    Command::new(python).arg(program).arg(shard).args(positions).output().unwrap()
}

#[test]
fn python_looks_up_positions_by_the_document() {
    let Some(python) = python_with_zstandard() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shard.zst");
    let mut game = EndNim::default();
    for (max, length) in [(9, 2), (7, 3), (5, 4), (3, 5), (2, 7)] {
        for codec in Codec::ALL {
            let (description, values) = end_nim::table(max, length, 1, codec);
            std::fs::write(&path, encode(&description, &values).bytes).unwrap();
            let positions = end_nim::words(max, length);
            let write =
                |piles: &Vec<u32>| piles.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let names: Vec<_> = positions.iter().map(write).collect();
            let output = read_shard(&python, &path, &names);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let lines = String::from_utf8(output.stdout).unwrap();
            let expected: String = positions
                .iter()
                .zip(&names)
                .map(|(piles, name)| format!("{name} {}\n", game.value(piles)))
                .collect();
            assert_eq!(lines.replace('\r', ""), expected);
        }
    }
}

#[test]
fn python_reads_the_seed_row_and_wide_values() {
    let Some(python) = python_with_zstandard() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shard.zst");
    for codec in Codec::ALL {
        let (mut description, _) = end_nim::table(2, 2, 2, codec);
        description.table = "end-nim/n300/k1".to_owned();
        (description.tile_rows, description.tile_cols, description.tiles) = (1, 300, 1);
        let values: Vec<u8> = (1..=300_u16).flat_map(u16::to_le_bytes).collect();
        std::fs::write(&path, encode(&description, &values).bytes).unwrap();
        let output = read_shard(&python, &path, &["1".to_owned(), "300".to_owned()]);
        assert_eq!(String::from_utf8_lossy(&output.stdout).replace('\r', ""), "1 1\n300 300\n");
    }
}

#[test]
fn python_refuses_a_damaged_shard() {
    let Some(python) = python_with_zstandard() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shard.zst");
    let (description, values) = end_nim::table(4, 3, 1, Codec::NimSum);
    let bytes = encode(&description, &values).bytes;
    for at in [30, 120, bytes.len() - 30] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).unwrap();
        assert!(!read_shard(&python, &path, &[]).status.success(), "byte {at}");
    }
}
