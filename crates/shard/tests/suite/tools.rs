//! Tests that the zstd command reads our shards. (A Python program, written from docs/FORMAT.md,
//! reads them in the tests of the command line.)

use std::fs;
use std::process::Command;

use grundy_shard::Codec;
use grundy_testing::database::encoded;

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
