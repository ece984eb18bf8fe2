//! Divides a build into tasks. Each task builds some shards.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::bail;
use grundy::{Bytes, Control, Isa, MemoryLimit, Number, Parts, Piece};
use grundy_builder::{
    BuildError, Plan, Report, SharedShard, begins, build_share, find_share, finish, finish_from,
    is_share_done, rebuild_share, shards,
};
use grundy_shard::manifest::{Manifest, ShardEntry};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::End;
use crate::args::{Common, Tables};
use crate::commands::build;
use crate::output::Out;
use crate::tasks::{Divisible, Ending, Found, each, to_json};
use crate::watch::with_progress;

#[derive(Serialize, Deserialize)]
struct BuildResult {
    shards: Vec<ShardResult>,
}

#[derive(Serialize, Deserialize)]
struct ShardResult {
    path: PathBuf,
    #[serde(flatten)]
    entry: ShardEntry,
}

pub(super) struct Build<'a> {
    common: &'a Common,
    plan: Plan,
    anywhere: Plan,
}

impl<'a> Build<'a> {
    pub(super) fn new(common: &'a Common, wanted: &Tables) -> anyhow::Result<Build<'a>> {
        let request = wanted.request(common)?;
        let mut ideal = request.clone();
        (ideal.memory, ideal.threads, ideal.isa) = (MemoryLimit::NONE, 1, Isa::Portable);
        let plan = |request| Plan::new(request, &Manifest::default());
        let (plan, anywhere) = (plan(request)?, plan(ideal)?);
        for (here, anywhere) in plan.tables.iter().zip(&anywhere.tables) {
            if anywhere.is_chained() && !here.is_chained() {
                bail!(
                    "the tasks of {} need about {} of memory, more than {}; raise --memory",
                    here.table,
                    Bytes(anywhere.memory),
                    Bytes(common.memory.bytes())
                );
            }
        }
        Ok(Build { common, plan, anywhere })
    }
}

impl Divisible for Build<'_> {
    /// Returns the codecs of the tables. Versions that choose different codecs refuse each other's
    /// tasks.
    fn ground(&self) -> String {
        let codecs = self.anywhere.tables.iter().map(|planned| planned.geometry.codec().name());
        codecs.collect::<Vec<_>>().join(" ")
    }

    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let both = self.anywhere.tables.iter().zip(&self.plan.tables);
        Ok(both
            .map(|(anywhere, here)| {
                let begin = anywhere.seconds_to_begin();
                Piece {
                    name: anywhere.table.to_string(),
                    parts: anywhere.parts(),
                    seconds: anywhere.seconds + begin,
                    begin,
                    memory: here.memory,
                }
            })
            .collect())
    }

    fn is_chained(&self, piece: usize) -> bool {
        self.anywhere.tables[piece].is_chained()
    }

    fn leaves_files(&self) -> bool {
        true
    }

    fn writes(&self, share: &[Parts]) -> Option<Vec<String>> {
        Some(shards(&self.plan, share).iter().map(|path| path.display().to_string()).collect())
    }

    fn begins(&self, share: &[Parts]) -> Vec<String> {
        begins(&self.plan, share).iter().map(|path| path.display().to_string()).collect()
    }

    fn bytes(&self, share: &[Parts]) -> u64 {
        let each = share.iter().map(|(number, parts)| {
            let planned = &self.anywhere.tables[*number];
            planned.bytes as f64 * (parts.end - parts.start) as f64 / planned.parts() as f64
        });
        each.sum::<f64>() as u64
    }

    fn values(&self, share: &[Parts]) -> u64 {
        let each = share.iter().map(|(number, parts)| {
            let planned = &self.plan.tables[*number];
            planned.table.cells().div_ceil(planned.parts()) * (parts.end - parts.start)
        });
        each.sum()
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        let made = match build_share(&self.plan, share, &self.common.db, control) {
            Err(BuildError::Stopped) => return Ok(None),
            made => made?,
        };
        let shards = made.into_iter().map(|shard| {
            let SharedShard { path, entry, .. } = shard;
            ShardResult { path, entry }
        });
        to_json(Some(BuildResult { shards: shards.collect() }))
    }

    fn is_done(&self, share: &[Parts], control: &Control) -> Option<bool> {
        Some(is_share_done(&self.plan, share, &self.common.db, control))
    }

    fn agrees(
        &self,
        share: &[Parts],
        result: Option<&RawValue>,
        control: &Control,
    ) -> anyhow::Result<Option<bool>> {
        let named: Vec<Option<ShardEntry>> = match result {
            Some(result) => {
                let built: BuildResult = serde_json::from_str(result.get())?;
                built.shards.into_iter().map(|shard| Some(shard.entry)).collect()
            }
            None => find_share(&self.plan, share, &self.common.db, control),
        };
        match rebuild_share(&self.plan, share, &self.common.db, control) {
            Err(BuildError::Stopped) => Ok(None),
            again => Ok(Some(again?.into_iter().map(|shard| Some(shard.entry)).eq(named))),
        }
    }

    fn finish_files(&self, Ending { results, control, out }: Ending<'_>) -> anyhow::Result<End> {
        let entries = self.entries(results)?;
        let total = self.plan.tables.iter().map(|planned| planned.table.cells()).sum();
        let finish = || finish(&self.plan, &self.common.db, control, &entries);
        self.report(with_progress(control, total, finish), out)
    }

    fn finish(&self, Ending { results, control, out }: Ending<'_>) -> anyhow::Result<End> {
        let entries = self.entries(results)?;
        self.report(finish_from(&self.plan, &self.common.db, control, &entries), out)
    }
}

impl Build<'_> {
    /// Returns the entries of the shards that the results list, by the paths of the shards.
    fn entries(&self, results: Option<Found<'_>>) -> anyhow::Result<BTreeMap<PathBuf, ShardEntry>> {
        let mut entries = BTreeMap::new();
        for result in each::<BuildResult>(results, "build") {
            let (share, BuildResult { shards: built }) = result?;
            if !built.iter().map(|shard| &shard.path).eq(&shards(&self.plan, share)) {
                bail!("the result of a build task does not list the shards that it built");
            }
            entries.extend(built.into_iter().map(|shard| (shard.path, shard.entry)));
        }
        Ok(entries)
    }

    fn report(&self, made: Result<Report, BuildError>, out: &mut Out) -> anyhow::Result<End> {
        let report = match made {
            Ok(report) => report,
            Err(error) => return build::stopped(error),
        };
        if out.is_json() {
            build::describe_all(&report, out)?;
        } else {
            out.line(summary(&report, &self.common.db.display().to_string()))?;
        }
        Ok(End::Fine)
    }
}

fn summary(report: &Report, db: &str) -> String {
    if report.tables.is_empty() {
        return format!("nothing to publish: {db} already has all these tables");
    }
    let positions: u64 = report.tables.iter().map(|built| built.table.positions()).sum();
    let shards: u32 = report.tables.iter().map(|built| built.kept_shards).sum();
    let size: u64 = report.tables.iter().map(|built| built.bytes).sum();
    format!(
        "published {} in {db}: {} in {}, {}",
        Number(report.tables.len() as u64, "table"),
        Number(positions, "position"),
        Number(shards.into(), "shard"),
        Bytes(size),
    )
}
