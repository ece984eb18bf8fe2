use std::collections::BTreeMap;

use grundy_shard::manifest::UNSEALED_VERSION;
use serde_json::json;

use crate::End;
use crate::args::{Common, Status};
use crate::commands::verify::old_manifest;
use crate::output::{Out, describe as describe_table, grouped, tell};
use grundy::{Bytes, Number, StoredTable};

pub(crate) fn run(common: &Common, wanted: &Status, out: &mut Out) -> anyhow::Result<End> {
    let database = common.open(60.0)?;
    if database.manifest_version().is_some_and(|version| version == UNSEALED_VERSION) {
        tell(old_manifest(common));
    }
    for id in database.unknown() {
        let db = common.db.display();
        tell(format_args!(
            "grundy: the manifest of {db} lists '{id}', a table that this program does not know"
        ));
    }
    if wanted.digests {
        let all: BTreeMap<String, String> = (database.tables().iter())
            .map(|stored| (stored.table().to_string(), stored.entry().digest()))
            .collect();
        out.line(format!("{:#}", json!(all)))?;
        return Ok(End::Fine);
    }
    if out.is_json() {
        for stored in database.tables() {
            out.object(&describe(stored))?;
        }
        return Ok(End::Fine);
    }
    if database.tables().is_empty() {
        out.line(format!(
            "{} holds no tables; `grundy build --max-pile 64` builds some",
            common.db.display()
        ))?;
        return Ok(End::Fine);
    }
    let header = ["table", "positions", "bytes", "bits/value", "shards"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    for stored in database.tables() {
        rows.push(vec![
            stored.table().to_string(),
            grouped(stored.table().positions()),
            Bytes(stored.entry().bytes()).to_string(),
            format!("{:.2}", bits_per_value(stored)),
            stored.entry().shards.len().to_string(),
        ]);
    }
    out.table(&rows)?;
    let tables = Number(database.tables().len() as u64, "table");
    let bytes = database.tables().iter().map(|stored| stored.entry().bytes()).sum();
    out.line(format!("{tables} in {}: {}", common.db.display(), Bytes(bytes)))?;
    Ok(End::Fine)
}

fn bits_per_value(stored: &StoredTable) -> f64 {
    8.0 * stored.entry().bytes() as f64 / stored.table().values() as f64
}

fn describe(stored: &StoredTable) -> serde_json::Value {
    let entry = stored.entry();
    let more = json!({
        "bytes": entry.bytes(),
        "shards": entry.shards.len(),
        "codec": entry.codec,
        "blake3": entry.digest(),
    });
    describe_table(stored.table(), more)
}
