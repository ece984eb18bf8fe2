use anyhow::bail;
use grundy::tables::{Problem, Verification, VerifyReport, chosen, is_named, verify};
use grundy::{Bytes, Database, Number, QueryError, StoredTable, with_causes};
use grundy_shard::manifest::UNSEALED_VERSION;
use serde_json::json;

use crate::End;
use crate::advice::with_advice;
use crate::args::{Common, Verify};
use crate::commands::{certificate, verify_pack};
use crate::inputs::{digests, report_differences};
use crate::output::{Out, count_of, grouped, tell};
use crate::watch::{end_of_stopped, stop_after, stop_on_interrupt, with_progress};

pub(crate) fn run(common: &Common, wanted: &Verify, out: &mut Out) -> anyhow::Result<End> {
    if let Some(file) = &wanted.certificate {
        return certificate::run(common, file, out);
    }
    if wanted.tables.iter().any(|word| verify_pack::is_source(word)) {
        return verify_pack::run(common, wanted, out);
    }
    if wanted.pubkey.is_some() {
        bail!("--pubkey is for packs, but no pack is given");
    }
    let check = Inspection::of(common, wanted)?;
    common.start_threads()?;
    let control = stop_on_interrupt()?;
    stop_after(&control, wanted.seconds.unwrap_or(f64::INFINITY), "");
    let total = chosen(&check.database, &check.how).map(|stored| stored.entry().cells()).sum();
    let checked = with_progress(&control, total, || verify(&check.database, &check.how, &control));
    check.report(&checked, out)
}

/// Returns true if the shard could not be read because the process lacked memory, file descriptors
/// or permissions. The shard itself may be sound.
fn is_unread(problem: &Problem) -> bool {
    const ENOMEM: i32 = 12;
    const EACCES: i32 = 13;
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    let Problem::Shard(QueryError::Open { source, .. }) = problem else { return false };
    cfg!(unix) && matches!(source.raw_os_error(), Some(ENOMEM | EACCES | ENFILE | EMFILE))
}

struct Inspection<'a> {
    common: &'a Common,
    wanted: &'a Verify,
    database: Database,
    how: Verification,
}

impl<'a> Inspection<'a> {
    fn of(common: &'a Common, wanted: &'a Verify) -> anyhow::Result<Inspection<'a>> {
        let database = common.open(f64::INFINITY)?;
        if !database.exists() {
            bail!("there is no database in {}: it has no manifest", common.db.display());
        }
        let how = Verification {
            tables: wanted.tables.clone(),
            full: wanted.full,
            part: wanted.sample,
            memory: common.memory,
            expected: wanted.against.as_deref().map(digests).transpose()?.unwrap_or_default(),
        };
        let check = Inspection { common, wanted, database, how };
        if let Some(lost) =
            check.how.tables.iter().find(|begin| !check.ids().any(|id| is_named(&id, begin)))
        {
            bail!(
                "no table of {} begins with '{lost}'; `grundy status` lists its tables",
                common.db.display()
            );
        }
        for stored in chosen(&check.database, &check.how) {
            if let Err(shortage) = common.memory.check(stored.frame_memory(common.threads)) {
                let table = stored.table();
                bail!("{table}: {shortage}; raise --memory, or choose fewer threads");
            }
        }
        if let Some(file) = &wanted.against
            && !check.ids().any(|id| check.is_expected(&id))
        {
            bail!("{} lists none of these tables", file.display());
        }
        Ok(check)
    }

    fn ids(&self) -> impl Iterator<Item = String> {
        let known = self.database.tables().iter().map(|stored| stored.table().to_string());
        known.chain(self.database.unknown().iter().cloned())
    }

    fn is_expected(&self, id: &str) -> bool {
        self.how.wants(id) && self.how.expected.contains_key(id)
    }

    fn report(&self, checked: &VerifyReport, out: &mut Out) -> anyhow::Result<End> {
        let Inspection { common, wanted, database, .. } = self;
        let problems = &checked.problems;
        for problem in problems {
            tell(format_args!("grundy: {}", with_advice(problem)));
        }
        if database.manifest_version() == Some(UNSEALED_VERSION) {
            tell(old_manifest(common));
        }
        for (table, values) in &checked.left_out {
            tell(format_args!(
                "grundy: {} values of {table} were not derived again, because that needs more than \
                 {}; raise --memory",
                grouped(*values),
                common.memory,
            ));
        }
        if let Some(file) = &wanted.against {
            let is_listed = |stored: &&StoredTable| self.is_expected(&stored.table().to_string());
            let listed = database.tables().iter().filter(is_listed).count() as u64;
            let unlisted = checked.tables - listed;
            report_differences(file, &common.db, "", unlisted, checked.not_there);
        }
        if out.is_json() {
            out.object(&json!({
                "tables": checked.tables,
                "shards": checked.shards,
                "bytes": checked.bytes,
                "values": checked.values,
                "derived": checked.derived,
                "notices_one_forged_value": checked.notices_one_forged_value(),
                "left_out": checked.left_out,
                "as_expected": checked.as_expected,
                "not_there": checked.not_there,
                "problems": problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "complete": !checked.stopped,
            }))?;
        } else {
            out.line(format!(
                "{}, {}, {}: {} values have the right checksums, {} of them were derived again \
                 from the rules{}; {}",
                Number(checked.tables, "table"),
                Number(checked.shards, "shard"),
                Bytes(checked.bytes),
                grouped(checked.values),
                grouped(checked.derived),
                match wanted.against {
                    Some(_) => format!("; {} as expected", Number(checked.as_expected, "digest")),
                    None => String::new(),
                },
                match checked.stopped {
                    true => format!("stopped: {} so far", count_of(problems.len(), "problem")),
                    false => count_of(problems.len(), "problem"),
                },
            ))?;
            let probability = checked.notices_one_forged_value();
            if problems.is_empty() && !checked.stopped && !wanted.full && probability < 0.999 {
                out.flush()?;
                tell(format_args!(
                    "grundy: this finds any damage. It finds one forged value with valid checksums \
                     only with a probability of {:.1} %; --full derives every value again, and \
                     --against compares digests",
                    100.0 * probability
                ));
            }
        }
        if let Some(unread) = problems.first().filter(|_| problems.iter().all(is_unread)) {
            bail!("a shard was not checked, because it cannot be read: {}", with_causes(unread));
        }
        Ok(if !problems.is_empty() {
            End::Mismatch
        } else if checked.stopped {
            end_of_stopped()
        } else {
            End::Fine
        })
    }
}

pub(crate) fn old_manifest(common: &Common) -> String {
    format!(
        "grundy: the manifest of {} is of version 1, which has no digest of its own text; the next \
         build replaces it",
        common.db.display()
    )
}
