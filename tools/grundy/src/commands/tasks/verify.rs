//! A verification in shares: a task checks some shards.

use std::collections::BTreeMap;

use anyhow::bail;
use grundy::tables::{VerifyReport, chosen, conclude, verify_share};
use grundy::{Control, Parts, Piece};
use serde::{Deserialize, Serialize};

use crate::End;
use crate::args::{self, Common};
use crate::commands::verify::{Inspection, ProblemText};
use crate::output::Out;
use crate::tasks::{Divisible, Said, each, to_json};

/// Values compared by checksums, and values derived again, that a core handles in a second. Both
/// are round figures of whole databases.
const CHECKED_A_SECOND: f64 = 1e9;
const DERIVED_A_SECOND: f64 = 5e7;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VerifyResult {
    shards: u64,
    bytes: u64,
    values: u64,
    derived: u64,
    left_out: BTreeMap<String, u64>,
    problems: Vec<ProblemText>,
}

pub(super) struct Verify<'a> {
    asked: Inspection<'a>,
}

impl<'a> Verify<'a> {
    pub(super) fn new(common: &'a Common, wanted: &'a args::Verify) -> anyhow::Result<Verify<'a>> {
        if wanted.certificate.is_some() {
            bail!("a certificate is checked at once; leave out --certificate");
        }
        if wanted.sample.is_some() {
            bail!("tasks are samples; leave out --sample, and do some of the tasks");
        }
        Ok(Verify { asked: Inspection::of(common, wanted)? })
    }
}

impl Divisible for Verify<'_> {
    /// Returns the tables of the verification with their digests.
    fn ground(&self) -> String {
        let tables = chosen(&self.asked.database, &self.asked.how);
        let each = tables.iter().map(|table| {
            let stored = table.stored;
            format!("{} {}", stored.table(), stored.entry().digest())
        });
        each.collect::<Vec<_>>().join("\n")
    }

    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let derived = if self.asked.how.full { 1.0 } else { 1.0 / 16.0 };
        let each = chosen(&self.asked.database, &self.asked.how).into_iter().map(|table| {
            let cells = table.stored.entry().cells() as f64;
            Piece {
                name: table.stored.table().to_string(),
                parts: table.parts,
                seconds: cells / CHECKED_A_SECOND + cells * derived / DERIVED_A_SECOND,
                memory: self.asked.how.memory.bytes(),
            }
        });
        Ok(each.collect())
    }

    fn sizes(&self) -> Vec<(u64, u64)> {
        let tables = chosen(&self.asked.database, &self.asked.how).into_iter();
        tables.map(|table| (table.stored.entry().cells(), table.parts)).collect()
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        let checked = verify_share(&self.asked.database, &self.asked.how, share, control);
        if checked.stopped {
            return Ok(None);
        }
        let problems = checked.problems.iter().map(ProblemText::of).collect();
        let VerifyReport { shards, bytes, values, derived, left_out, .. } = checked;
        to_json(Some(VerifyResult { shards, bytes, values, derived, left_out, problems }))
    }

    fn finish(&self, results: Option<Said<'_>>, _: &Control, out: &mut Out) -> anyhow::Result<End> {
        let Inspection { database, how, .. } = &self.asked;
        let (mut all, mut found) = (VerifyReport::default(), Vec::new());
        for result in each(results, "verify") {
            let VerifyResult { shards, bytes, values, derived, left_out, problems } = result?.1;
            all = all.and(VerifyReport {
                shards,
                bytes,
                values,
                derived,
                left_out,
                ..VerifyReport::default()
            });
            found.extend(problems);
        }
        let tables = chosen(database, how);
        let shards: usize = tables.iter().map(|table| table.stored.entry().shards.len()).sum();
        if found.is_empty() && all.shards != shards as u64 {
            bail!("the results speak of {} shards, and the tables have {shards}", all.shards);
        }
        let whole = conclude(database, how, all);
        let mut problems: Vec<ProblemText> = whole.problems.iter().map(ProblemText::of).collect();
        // Unknown tables come before problems in shards, and wrong digests after them.
        let unknown = database.unknown().iter().filter(|id| how.wants(id)).count();
        problems.splice(unknown..unknown, found);
        self.asked.report(&whole, &problems, out)
    }
}
