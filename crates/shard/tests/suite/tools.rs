//! Foreign programs read our shards: the zstd command, and a Python program written from
//! docs/FORMAT.md.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use grundy_shard::Codec;
use grundy_testing::database::encoded;
use tempfile::TempDir;

use crate::end_nim;

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
        fs::write(&path, encoded(&description, &values).bytes).unwrap();
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

/// A Python program, written from the document, that reads shards.
struct Reader {
    python: OsString,
    folder: TempDir,
}

impl Reader {
    /// Returns `None` if there is no Python with the package `zstandard`.
    fn new() -> Option<Reader> {
        let python = grundy_testing::program::python("zstandard")?;
        Some(Reader { python, folder: tempfile::tempdir().unwrap() })
    }

    /// Returns the program's output for some positions of a shard; `None` if it refuses.
    fn read(&self, shard: &[u8], positions: &[String]) -> Option<String> {
        let path = self.folder.path().join("shard.zst");
        fs::write(&path, shard).unwrap();
        let program =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/grundy/texts/read_shard.py");
        let output =
            Command::new(&self.python).arg(program).arg(path).args(positions).output().unwrap();
        let printed = String::from_utf8(output.stdout).unwrap().replace('\r', "");
        output.status.success().then_some(printed)
    }
}

#[test]
fn python_reads_the_seed_row_and_wide_values() {
    let Some(reader) = Reader::new() else { return };
    for codec in Codec::ALL {
        let (mut description, _) = end_nim::table(2, 2, 2, codec);
        description.table = "end-nim/n300/k1".to_owned();
        (description.tile_rows, description.tile_cols, description.tiles) = (1, 300, 1);
        let values: Vec<u8> = (1..=300_u16).flat_map(u16::to_le_bytes).collect();
        let positions = ["1".to_owned(), "300".to_owned()];
        let found = reader.read(&encoded(&description, &values).bytes, &positions);
        assert_eq!(found.as_deref(), Some("1 1\n300 300\n"));
    }
}

#[test]
fn python_refuses_a_damaged_shard() {
    let Some(reader) = Reader::new() else { return };
    let (description, values) = end_nim::table(4, 3, 1, Codec::NimSum);
    let bytes = encoded(&description, &values).bytes;
    for at in [30, 120, bytes.len() - 30] {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert_eq!(reader.read(&bytes, &[]), None, "byte {at}");
    }
}
