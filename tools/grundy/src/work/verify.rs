//! A verification in shares: a task looks at some shards.

use anyhow::{Context, bail};
use grundy_query::{Checked, chosen, conclude, verify_share};
use grundy_sweep::Control;
use grundy_tasks::{Piece, Share};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Said, Work};
use crate::End;
use crate::args::{self, Common};
use crate::commands::verify::{Asked, Found};
use crate::output::Out;

/// Values of which the checksums are compared, and values that are derived again, in a second of a
/// core: round figures of whole databases.
const CHECKED_A_SECOND: f64 = 1e9;
const DERIVED_A_SECOND: f64 = 5e7;

pub(super) struct Verify<'a> {
    asked: Asked<'a>,
}

impl<'a> Verify<'a> {
    pub(super) fn new(common: &'a Common, wanted: &'a args::Verify) -> anyhow::Result<Verify<'a>> {
        if wanted.certificate.is_some() {
            bail!("a certificate is checked at once; leave out --certificate");
        }
        if wanted.sample.is_some() {
            bail!("tasks are samples; leave out --sample, and do some of the tasks");
        }
        Ok(Verify { asked: Asked::of(common, wanted)? })
    }
}

impl Work for Verify<'_> {
    /// Which tables are meant, and what they should hold.
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
                memory: self.asked.how.memory,
                bytes: 0,
            }
        });
        Ok(each.collect())
    }

    fn values(&self, share: &Share) -> u64 {
        let tables = chosen(&self.asked.database, &self.asked.how);
        let each = share.iter().map(|(number, parts)| {
            let table = &tables[*number];
            let cells = table.stored.entry().cells().div_ceil(table.parts.max(1));
            cells.saturating_mul(parts.end - parts.start)
        });
        each.fold(0, u64::saturating_add)
    }

    fn run(&self, share: &Share, control: &Control) -> anyhow::Result<Option<String>> {
        let checked = verify_share(&self.asked.database, &self.asked.how, share, control);
        if checked.stopped {
            return Ok(None);
        }
        let problems = checked.problems.iter().map(Found::of);
        let problems: Vec<Value> =
            problems.map(|found| json!({ "what": found.what, "advice": found.advice })).collect();
        Ok(Some(
            json!({
                "shards": checked.shards,
                "bytes": checked.bytes,
                "values": checked.values,
                "derived": checked.derived,
                "left_out": checked.left_out,
                "problems": problems,
            })
            .to_string(),
        ))
    }

    fn finish(&self, results: Option<Said<'_>>, _: &Control, out: &mut Out) -> anyhow::Result<End> {
        let Asked { database, how, .. } = &self.asked;
        let (mut all, mut found) = (Checked::default(), Vec::new());
        for result in results.into_iter().flatten() {
            let (_, result) = result?;
            let (checked, problems) = read(&result)
                .with_context(|| "the result of a task of a verification is not one".to_owned())?;
            all = all.and(checked);
            found.extend(problems);
        }
        let tables = chosen(database, how);
        let shards: usize = tables.iter().map(|table| table.stored.entry().shards.len()).sum();
        if found.is_empty() && all.shards != shards as u64 {
            bail!("the results speak of {} shards, and the tables have {shards}", all.shards);
        }
        let whole = conclude(database, how, all);
        let mut problems: Vec<Found> = whole.problems.iter().map(Found::of).collect();
        // What is unknown stands in front of what is in the shards, and digests behind.
        let unknown = database.unknown().iter().filter(|id| how.wants(id)).count();
        problems.splice(unknown..unknown, found);
        self.asked.report(&whole, &problems, out)
    }
}

/// What a result says.
fn read(result: &RawValue) -> Option<(Checked, Vec<Found>)> {
    let said: Value = serde_json::from_str(result.get()).ok()?;
    let number = |name: &str| said[name].as_u64();
    let left_out = said["left_out"].as_object()?.iter();
    let left_out = left_out.map(|(id, values)| Some((id.clone(), values.as_u64()?)));
    let text = |problem: &Value, name: &str| problem[name].as_str().map(str::to_owned);
    let problems = said["problems"].as_array()?.iter();
    let problems = problems.map(|problem| {
        Some(Found { what: text(problem, "what")?, advice: text(problem, "advice")? })
    });
    let checked = Checked {
        shards: number("shards")?,
        bytes: number("bytes")?,
        values: number("values")?,
        derived: number("derived")?,
        left_out: left_out.collect::<Option<_>>()?,
        ..Checked::default()
    };
    Some((checked, problems.collect::<Option<_>>()?))
}
