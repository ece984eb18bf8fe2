//! Builds small databases, and forges tables with valid checksums.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use grundy_builder::{Plan, Request};
use grundy_shard::manifest::{Manifest, hex, shard_path};
use grundy_shard::{Decoder, Description, EncodedShard, Encoder, Shard, ShardError};
use grundy_sweep::Control;
use tempfile::TempDir;

/// Builds the requested tables in a folder. Keeps existing tables.
pub fn build(folder: &Path, request: Request) {
    let there = grundy_builder::manifest(folder).expect("a manifest, or none");
    let plan = Plan::new(request, &there).expect("a plan");
    grundy_builder::build(&plan, folder, &Control::new(), |_| ()).expect("a database");
}

#[must_use]
pub fn built(request: Request) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    build(folder.path(), request);
    folder
}

#[must_use]
pub fn shard(folder: &Path, table: impl Display) -> PathBuf {
    folder.join(shard_path(&table.to_string(), 0))
}

#[must_use]
pub fn encoded(description: &Description, values: &[u8]) -> EncodedShard {
    let mut encoder = Encoder::new(1);
    encoder.begin(description.clone()).expect("a description");
    for frame in values.chunks(description.frame_bytes()) {
        encoder.push_frame(frame).expect("a frame");
    }
    encoder.finish().expect("a shard")
}

/// Decodes all values of a shard, or returns the first error.
pub fn decoded(bytes: &[u8]) -> Result<Vec<u8>, ShardError> {
    let shard = Shard::open(bytes)?;
    let mut decoder = Decoder::new();
    let mut all = Vec::new();
    for frame in 0..shard.frames() {
        let mut values = vec![0; shard.description().frame_len(frame)];
        shard.decode_frame(frame, &mut decoder, &mut values)?;
        all.extend(values);
    }
    Ok(all)
}

/// Replaces the first shard of a table, and updates the manifest.
pub fn forge(folder: &Path, table: impl Display, forged: &EncodedShard) {
    let table = table.to_string();
    fs::write(shard(folder, &table), &forged.bytes).expect("written");
    let mut listed = Manifest::read(folder).expect("a manifest").expect("a manifest");
    let entry = listed.tables.get_mut(&table).expect("a table");
    entry.shards[0].blake3 = hex(&forged.digest);
    entry.shards[0].bytes = forged.bytes.len() as u64;
    listed.publish(folder).expect("published");
}

/// Copies of a table's files that were made before the table was changed.
#[derive(Debug)]
pub struct Sound {
    files: [(PathBuf, Vec<u8>); 2],
}

impl Sound {
    pub fn restore(self) {
        for (path, bytes) in self.files {
            fs::write(path, bytes).expect("written");
        }
    }
}

/// Applies `change` to one byte of the values in a table's first shard. Updates checksums and
/// manifest, so that only the values are wrong.
pub fn spoil(folder: &Path, table: impl Display, byte: usize, change: impl Fn(u8) -> u8) -> Sound {
    let table = table.to_string();
    let before = [shard(folder, &table), folder.join("manifest.json")];
    let before = before.map(|path| (path.clone(), fs::read(path).expect("a file")));
    let mut values = decoded(&before[0].1).expect("a sound shard");
    let before_it = values[byte];
    values[byte] = change(before_it);
    assert_ne!(values[byte], before_it, "{table} has that value");
    let shard = Shard::open(&before[0].1).expect("a sound shard");
    forge(folder, &table, &encoded(shard.description(), &values));
    Sound { files: before }
}
