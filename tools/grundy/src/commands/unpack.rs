use std::collections::BTreeMap;

use anyhow::bail;
use grundy_builder::{import, known};
use grundy_pack::PackError;
use grundy_shard::manifest::TableEntry;

use crate::End;
use crate::args::{Common, Unpack};
use crate::commands::build::{describe_all, stopped};
use crate::commands::certificate;
use crate::inputs::lies_in;
use crate::output::{Out, available_space, tell};
use crate::source::{arrive, check};
use crate::watch::stop_on_interrupt;
use grundy::{Bytes, Number, Seconds};

pub(crate) fn run(common: &Common, wanted: &Unpack, out: &mut Out) -> anyhow::Result<End> {
    let folder = common.folder()?;
    if lies_in(folder, &wanted.source) {
        let (db, source) = (folder.display(), wanted.source.display());
        bail!("the database {db} would lie inside the pack {source}; choose another place (--db)");
    }
    let control = stop_on_interrupt()?;
    let arrived = arrive(common, &wanted.source, wanted.pubkey.as_deref(), &control)?;
    let pack = &arrived.pack;
    let tables: BTreeMap<String, TableEntry> = pack
        .manifest()
        .tables
        .iter()
        .map(|(id, packed)| (id.clone(), packed.entry.clone()))
        .collect();
    // First check the sizes of the tables, because a small file can decode to a huge table.
    for (id, entry) in &tables {
        known(id, entry)?;
    }
    common.start_threads()?;
    let mut checked = match check(common, pack, &control) {
        Err(PackError::Stopped) => {
            tell("grundy: stopped; nothing was written");
            return Ok(End::Interrupted);
        }
        checked => checked?,
    };
    if !checked.faults.is_empty() {
        arrived.clear();
        let source = checked.faults.swap_remove(0);
        return Err(
            PackError::Damaged { path: wanted.source.clone(), source: Box::new(source) }.into()
        );
    }
    let proof = certificate::of_pack(common, pack)?;
    let there = grundy_builder::manifest(folder)?.tables;
    let needed: u64 = (tables.iter().filter(|(id, _)| !there.contains_key(*id)))
        .map(|(_, entry)| entry.bytes())
        .sum();
    // Check the free space only for a new folder, because an existing folder may contain some of
    // the files already, from a killed run.
    if let Some(free) = available_space(&common.db)
        && free < needed
        && !common.db.exists()
    {
        let db = common.db.display();
        bail!("{db} would need {} of disk space, but only {} are free", Bytes(needed), Bytes(free));
    }
    let fetch = |table: &str, shard: usize| Ok(pack.shard(&checked, table, shard)?);
    let report = match import(&tables, &common.db, &control, &fetch) {
        Ok(report) => report,
        Err(error) => return stopped(error),
    };
    if let Some((_, bytes)) = &proof {
        certificate::unpack(common, bytes, out)?;
    }
    arrived.clear();
    if out.is_json() {
        describe_all(&report, out)?;
        return Ok(End::Fine);
    }
    let db = common.db.display();
    if report.tables.is_empty() {
        out.line(format!("nothing to unpack: {db} has all its tables"))?;
    } else {
        let size = report.tables.iter().map(|table| table.bytes).sum();
        let (tables, took) = (Number(report.tables.len() as u64, "table"), Seconds(report.seconds));
        out.line(format!("unpacked {tables} into {db}: {} in {took}", Bytes(size)))?;
    }
    Ok(End::Fine)
}
