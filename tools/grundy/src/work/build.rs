//! A build in shares: a task is some shards.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, bail};
use grundy_builder::{Plan, Report, build_share, find_share, finish, finish_from, shards};
use grundy_kernels::Isa;
use grundy_shard::manifest::{Manifest, ShardEntry};
use grundy_sweep::Control;
use grundy_tasks::{Piece, Share};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Said, Work};
use crate::End;
use crate::args::{Common, Tables};
use crate::commands::build;
use crate::output::{Out, bytes, grouped};
use crate::watch::with_progress;

pub(super) struct Build<'a> {
    common: &'a Common,
    /// What is done here, with what this node has.
    plan: Plan,
    /// What it costs whoever does it.
    anywhere: Plan,
}

impl<'a> Build<'a> {
    pub(super) fn new(common: &'a Common, wanted: &Tables) -> anyhow::Result<Build<'a>> {
        let request = wanted.request(common)?;
        let mut ideal = request.clone();
        (ideal.memory, ideal.threads, ideal.isa) = (u64::MAX, 1, Isa::Portable);
        let plan = |request| Plan::new(request, &Manifest::default());
        Ok(Build { common, plan: plan(request)?, anywhere: plan(ideal)? })
    }
}

impl Work for Build<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let both = self.anywhere.tables.iter().zip(&self.plan.tables);
        Ok(both
            .map(|(anywhere, here)| Piece {
                name: anywhere.table.to_string(),
                parts: anywhere.parts(),
                seconds: anywhere.seconds,
                memory: here.memory,
                bytes: anywhere.bytes,
            })
            .collect())
    }

    fn leaves_files(&self) -> bool {
        true
    }

    fn writes(&self, share: &Share) -> Vec<String> {
        shards(&self.plan, share).iter().map(|path| path.display().to_string()).collect()
    }

    fn values(&self, share: &Share) -> u64 {
        let each = share.iter().map(|(number, parts)| {
            let planned = &self.plan.tables[*number];
            planned.table.cells().div_ceil(planned.parts()).saturating_mul(parts.end - parts.start)
        });
        each.fold(0, u64::saturating_add)
    }

    fn run(&self, share: &Share, control: &Control) -> anyhow::Result<Option<String>> {
        let made = match build_share(&self.plan, share, &self.common.db, control) {
            Err(grundy_builder::BuildError::Stopped) => return Ok(None),
            made => made?,
        };
        let described = made.iter().map(|shard| {
            let path = shard.path.display().to_string();
            json!({ "path": path, "bytes": shard.entry.bytes, "blake3": shard.entry.blake3 })
        });
        let described: Vec<Value> = described.collect();
        Ok(Some(json!({ "shards": described }).to_string()))
    }

    fn is_done(&self, share: &Share, control: &Control) -> Option<bool> {
        let found = find_share(&self.plan, share, &self.common.db, control);
        Some(found.iter().all(Option::is_some))
    }

    fn finish(
        &self,
        results: Option<Said<'_>>,
        control: &Control,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        let db = &self.common.db;
        let report = match results {
            None => {
                let total = self.plan.tables.iter().map(|planned| planned.table.cells()).sum();
                with_progress(control, total, || finish(&self.plan, db, control))
            }
            Some(results) => {
                let mut entries = BTreeMap::new();
                for result in results {
                    let (share, result) = result?;
                    let said = entries_of(&result)?;
                    if !said.iter().map(|(path, _)| path).eq(&shards(&self.plan, share)) {
                        bail!(
                            "the result of a task of a build lists other shards than those it built"
                        );
                    }
                    entries.extend(said);
                }
                finish_from(&self.plan, db, control, &entries)
            }
        };
        let report = match report {
            Ok(report) => report,
            Err(error) => return build::stopped(error),
        };
        if out.is_json() {
            build::describe_all(&report, out)?;
        } else {
            out.line(summary(&report, &db.display().to_string()))?;
        }
        Ok(End::Fine)
    }
}

/// What was published, for people.
fn summary(report: &Report, db: &str) -> String {
    if report.tables.is_empty() {
        return format!("nothing to publish: {db} has all of it");
    }
    let positions: u64 = report.tables.iter().map(|built| built.table.positions()).sum();
    let shards: u32 = report.tables.iter().map(|built| built.kept_shards).sum();
    let size: u64 = report.tables.iter().map(|built| built.bytes).sum();
    format!(
        "published {} tables in {db}: {} positions in {} shards, {}",
        report.tables.len(),
        grouped(positions),
        grouped(shards.into()),
        bytes(size),
    )
}

/// What a result says of shards.
fn entries_of(result: &RawValue) -> anyhow::Result<Vec<(PathBuf, ShardEntry)>> {
    let said: Value = serde_json::from_str(result.get())?;
    let read = || -> Option<Vec<(PathBuf, ShardEntry)>> {
        let shards = said["shards"].as_array()?;
        let each = shards.iter().map(|shard| {
            let (bytes, blake3) = (shard["bytes"].as_u64()?, shard["blake3"].as_str()?.to_owned());
            Some((PathBuf::from(shard["path"].as_str()?), ShardEntry { bytes, blake3 }))
        });
        each.collect()
    };
    read().context("the result of a task of a build does not list shards")
}
