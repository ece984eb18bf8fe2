//! Divides a verification into tasks. Each task checks some shards.

use std::collections::HashSet;
use std::mem;

use anyhow::bail;
use grundy::shares::{Share, Work, price};
use grundy::tables::{TableChoice, VerifyReport, chosen, conclude, verify_share};
use grundy::{Control, NoSuchPart, Parts, Piece};

use crate::End;
use crate::args::{self, Common};
use crate::commands::verify::{Inspection, ProblemText};
use crate::tasks::{Divisible, Ending, all, to_json};

/// The report on a part of a verification, and the problems that this part found.
type Finding = (VerifyReport, Vec<ProblemText>);

pub(super) struct Verify<'a> {
    check: Inspection<'a>,
}

impl<'a> Verify<'a> {
    pub(super) fn new(common: &'a Common, wanted: &'a args::Verify) -> anyhow::Result<Verify<'a>> {
        if wanted.certificate.is_some() {
            bail!("the check of a certificate cannot be divided; leave out --certificate");
        }
        if wanted.sample.is_some() {
            bail!(
                "a task already checks a part of the shards; leave out --sample, and run only some \
                 of the tasks"
            );
        }
        Ok(Verify { check: Inspection::of(common, wanted)? })
    }

    fn chosen(&self) -> Vec<TableChoice<'_>> {
        chosen(&self.check.database, &self.check.how)
    }
}

impl Work for Verify<'_> {
    type Finding = Finding;
    type Whole = Finding;

    fn words(&self) -> String {
        format!("{}\nfull: {}", self.ground(), self.check.how.full)
    }

    fn outline(&self) -> Vec<(String, u64)> {
        let tables = self.chosen().into_iter();
        tables.map(|table| (table.stored.table().to_string(), table.parts)).collect()
    }

    fn begin(&self, _: usize) -> Finding {
        Finding::default()
    }

    fn add(&self, _: usize, whole: &mut Finding, found: Finding) -> Result<(), String> {
        whole.0 = mem::take(&mut whole.0).and(found.0);
        whole.1.extend(found.1);
        Ok(())
    }

    /// Returns true if the report covers all shards, or has problems that may have ended the check.
    fn is_whole(&self, piece: usize, (all, problems): &Finding) -> bool {
        let shards = self.chosen()[piece].stored.entry().shards.len();
        !problems.is_empty() || all.shards == shards as u64
    }
}

impl Divisible for Verify<'_> {
    /// Returns the tables to verify, with their digests.
    fn ground(&self) -> String {
        let tables = self.chosen();
        let each = tables.iter().map(|table| {
            let stored = table.stored;
            format!("{} {}", stored.table(), stored.entry().digest())
        });
        each.collect::<Vec<_>>().join("\n")
    }

    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let derived = if self.check.how.full { 1.0 } else { 1.0 / 16.0 };
        let each = self.chosen().into_iter().map(|table| {
            let cells = table.stored.entry().cells() as f64;
            Piece {
                name: table.stored.table().to_string(),
                parts: table.parts,
                seconds: cells * (price::STORE + derived * price::DERIVE),
                memory: self.check.how.memory.bytes(),
            }
        });
        Ok(each.collect())
    }

    fn sizes(&self) -> Vec<(u64, u64)> {
        let tables = self.chosen().into_iter();
        tables.map(|table| (table.stored.entry().cells(), table.parts)).collect()
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        let checked = verify_share(&self.check.database, &self.check.how, share, control);
        let mut each = checked.into_iter();
        to_json(Share::done(self, share, |_, _| {
            // The closure runs once for each range of parts, in the order of the reports.
            let ended = each.next().filter(|report| !report.stopped);
            Ok::<_, NoSuchPart>(ended.map(|report| {
                let problems = report.problems.iter().map(ProblemText::of).collect();
                (report, problems)
            }))
        })?)
    }

    fn finish(&self, Ending { results, out, .. }: Ending<'_>) -> anyhow::Result<End> {
        let Inspection { database, how, .. } = &self.check;
        let (mut whole, mut found) = Finding::default();
        for (report, problems) in Share::merge(self, all(results, "verify")?)? {
            whole = whole.and(report);
            found.extend(problems);
        }
        let mut seen = HashSet::new();
        found.retain(|problem| seen.insert(problem.what.clone()));
        let whole = conclude(database, how, whole);
        let mut problems: Vec<ProblemText> = whole.problems.iter().map(ProblemText::of).collect();
        // The list of problems begins with the unknown tables. Then come the problems of shards,
        // and last the wrong digests.
        let unknown = database.unknown().iter().filter(|id| how.wants(id)).count();
        problems.splice(unknown..unknown, found);
        self.check.report(&whole, &problems, out)
    }
}
