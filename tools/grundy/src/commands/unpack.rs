//! `grundy unpack`: tables that arrived, into a database. And `grundy verify` of a pack.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::bail;
use grundy_builder::import;
use grundy_pack::{Checked, Pack, PackError};
use grundy_shard::manifest::TableEntry;
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Unpack, Verify};
use crate::commands::build::{describe_all, stopped};
use crate::commands::certificate;
use crate::commands::verify::digests;
use crate::output::{Out, available_space, bytes, grouped, tell};
use crate::source::{arrive, open};
use crate::watch::{stop_on_interrupt, with_progress};

/// Whether a word of `verify` means a pack, and not a table.
pub(crate) fn is_source(word: &str) -> bool {
    word.ends_with(".tar") || word.contains("://") || word.starts_with(['/', '.'])
}

pub(crate) fn run(common: &Common, wanted: &Unpack, out: &mut Out) -> anyhow::Result<End> {
    let folder = common.folder()?;
    let control = stop_on_interrupt()?;
    let arrived = arrive(common, &wanted.source, wanted.pubkey.as_deref(), &control)?;
    let pack = &arrived.pack;
    let tables: BTreeMap<String, TableEntry> = pack
        .manifest()
        .tables
        .iter()
        .map(|(id, packed)| (id.clone(), packed.entry.clone()))
        .collect();
    common.start_threads()?;
    let total: u64 = pack.manifest().files.values().map(|file| file.bytes).sum();
    let watch = |bytes| {
        control.advance(bytes);
        !control.is_stopped()
    };
    let checked = with_progress(&control, total, || pack.check(&watch));
    let mut checked = match checked {
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
    let proof = certificate::of_pack(common, &pack)?;
    let there = grundy_builder::manifest(folder)?.tables;
    let needed: u64 = (tables.iter().filter(|(id, _)| !there.contains_key(*id)))
        .map(|(_, entry)| entry.bytes())
        .sum();
    // What a killed one has left of them counts twice; so only what can never fit is refused.
    if let Some(free) = available_space(&common.db)
        && free < needed
        && !common.db.exists()
    {
        let db = common.db.display();
        bail!("{db} would take {}, and {} are free there", bytes(needed), bytes(free));
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
        out.line(format!("nothing to unpack: {db} has all of it"))?;
    } else {
        let size = report.tables.iter().map(|table| table.bytes).sum();
        let (count, size, seconds) = (report.tables.len(), bytes(size), report.seconds);
        out.line(format!("unpacked {count} tables into {db}: {size} in {seconds:.1} s"))?;
    }
    Ok(End::Fine)
}

/// Checks packs where they lie.
pub(crate) fn verify(common: &Common, wanted: &Verify, out: &mut Out) -> anyhow::Result<End> {
    if let Some(table) = wanted.tables.iter().find(|word| !is_source(word)) {
        bail!(
            "'{table}' is a table, and packs are checked by themselves; say ./{table} for a pack"
        );
    }
    if wanted.full || wanted.sample.is_some() {
        bail!("--full and --sample are for databases; unpack it, and verify that");
    }
    let expected = wanted.against.as_deref().map(digests).transpose()?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    let mut end = End::Fine;
    for source in &wanted.tables {
        let opened = open(common, Path::new(source), wanted.pubkey.as_deref());
        let pack = match opened {
            Ok(pack) => pack,
            Err(error) => match error.downcast_ref::<PackError>() {
                Some(error @ PackError::Damaged { .. }) => {
                    tell(format_args!("grundy: {}", with_advice(error)));
                    end = End::Mismatch;
                    continue;
                }
                _ => return Err(error),
            },
        };
        let total = pack.manifest().files.values().map(|file| file.bytes).sum();
        let watch = |bytes| {
            control.advance(bytes);
            !control.is_stopped()
        };
        let checked = match with_progress(&control, total, || pack.check(&watch)) {
            Err(PackError::Stopped) => return Ok(End::Interrupted),
            checked => checked?,
        };
        let mut problems: Vec<String> =
            checked.faults.iter().map(|fault| with_advice(fault)).collect();
        let proof = match problems.is_empty().then(|| certificate::of_pack(common, &pack)) {
            None | Some(Ok(None)) => None,
            Some(Ok(Some((proof, _)))) => Some(certificate::sentence(&proof)),
            Some(Err(error)) => {
                problems.push(format!("{}: {error:#}", certificate::FILE));
                None
            }
        };
        let mut as_expected = 0_u64;
        if let Some(expected) = &expected {
            for (id, packed) in &pack.manifest().tables {
                match expected.get(id) {
                    Some(digest) if *digest == packed.entry.digest() => as_expected += 1,
                    Some(_) => problems.push(format!("{id} has another digest than is expected")),
                    None => tell(format_args!("grundy: no digest of {id} is listed")),
                }
            }
        }
        for problem in &problems {
            tell(format_args!("grundy: {source}: {problem}"));
        }
        if !problems.is_empty() {
            end = End::Mismatch;
        }
        tell_checked(
            source,
            &pack,
            &checked,
            expected.as_ref().map(|_| as_expected),
            proof.as_deref(),
            &problems,
            out,
        )?;
    }
    Ok(end)
}

fn tell_checked(
    source: &str,
    pack: &Pack,
    checked: &Checked,
    as_expected: Option<u64>,
    proof: Option<&str>,
    problems: &[String],
    out: &mut Out,
) -> anyhow::Result<()> {
    let signer = pack.manifest().signer.as_deref();
    if out.is_json() {
        out.object(&json!({
            "pack": source,
            "tables": checked.tables,
            "shards": checked.shards,
            "bytes": checked.bytes,
            "values": checked.values,
            "signer": signer,
            "as_expected": as_expected,
            "certificate": proof,
            "problems": problems,
        }))?;
        return Ok(());
    }
    out.line(format!(
        "{source}: {} tables, {} shards, {}: {} values have the right checksums{}{}{}; {}",
        checked.tables,
        checked.shards,
        bytes(checked.bytes),
        grouped(checked.values),
        signer.map_or(String::new(), |key| format!("; signed by {key}")),
        as_expected.map_or(String::new(), |count| format!("; {count} digests are those expected")),
        proof.map_or(String::new(), |proof| format!("; {}: {proof}", certificate::FILE)),
        match problems.len() {
            0 => "no problems".to_owned(),
            1 => "1 problem".to_owned(),
            count => format!("{count} problems"),
        },
    ))?;
    Ok(())
}
