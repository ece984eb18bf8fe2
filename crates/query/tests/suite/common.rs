//! What the tests of several games share.

use std::path::Path;

use grundy_query::Database;
use grundy_rules::Table;
use grundy_shard::manifest::{Manifest, hex};
use grundy_shard::{Decoder, Encoder, Shard};

/// Changes a byte among the values of the first shard of a table to one that `change` makes of
/// it, so that the shard is sound and listed as it is now, and opens the database again.
pub(crate) fn spoil(
    folder: &Path,
    table: &Table,
    byte: usize,
    change: impl Fn(u8) -> u8,
) -> Database {
    let path = folder.join(format!("{table}/{}-00000.zst", table.to_string().replace('/', "-")));
    let bytes = std::fs::read(&path).unwrap();
    let shard = Shard::open(&bytes).unwrap();
    let mut encoder = Encoder::new(1);
    encoder.begin(shard.description().clone()).unwrap();
    let mut first = 0;
    for frame in 0..shard.description().frames() {
        let mut values = vec![0; shard.description().frame_len(frame)];
        shard.decode_frame(frame, &mut Decoder::new(), &mut values).unwrap();
        if let Some(value) = byte.checked_sub(first).and_then(|at| values.get_mut(at)) {
            *value = change(*value);
        }
        first += values.len();
        encoder.push_frame(&values).unwrap();
    }
    let spoilt = encoder.finish().unwrap();
    std::fs::write(&path, &spoilt.bytes).unwrap();
    let mut listed = Manifest::read(folder).unwrap().unwrap();
    let entry = listed.tables.get_mut(&table.to_string()).unwrap();
    entry.shards[0].blake3 = hex(&spoilt.digest);
    entry.shards[0].bytes = spoilt.bytes.len() as u64;
    listed.publish(folder).unwrap();
    Database::open(folder).unwrap()
}
