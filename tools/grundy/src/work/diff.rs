//! A diff in shares: a task is parts of tables, walked from the rules, and checks as a whole.

use std::path::Path;

use anyhow::{Context, bail};
use grundy_kernels::Isa;
use grundy_sweep::Control;
use grundy_tasks::{Piece, Share};
use grundy_theory::{Claim, CoveredShare, Means, Plan, Recompute};
use serde_json::value::RawValue;

use super::Work;
use crate::End;
use crate::args::{self, Common, games};
use crate::commands::{diff, own};
use crate::output::Out;

/// Bytes of memory that pieces are weighed by: as much as any may want.
const PLENTY: u64 = 1 << 40;

pub(super) struct Diff<'a> {
    common: &'a Common,
    claims: Vec<&'static Claim>,
    plan: Plan<'static>,
}

impl<'a> Diff<'a> {
    pub(super) fn new(common: &'a Common, wanted: &args::Diff) -> anyhow::Result<Diff<'a>> {
        if wanted.checkpoint.is_some() || wanted.certificate.is_some() {
            bail!(
                "results take the place of files on the way; leave out --checkpoint and --certificate"
            );
        }
        if wanted.own.folder != Path::new(own::USUAL_FOLDER) {
            bail!("a claim of your own is cut by `grundy tasks check`; leave out --claims");
        }
        let games = games(&wanted.games)?;
        let claims = diff::chosen(&wanted.claims, &games)?;
        let plan = diff::plan(&claims, &games, wanted)?;
        Ok(Diff { common, claims, plan })
    }

    fn means(&self) -> Means<'static> {
        let Common { isa, memory, threads, .. } = *self.common;
        Means { isa, memory, threads, certificate: None, keeper: None }
    }
}

impl Work for Diff<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let ideal = Means { isa: Isa::Portable, memory: PLENTY, threads: 1, ..self.means() };
        let both = self.plan.pieces(&ideal).into_iter().zip(self.plan.pieces(&self.means()));
        Ok(both
            .map(|(anywhere, here)| Piece {
                name: anywhere.name,
                parts: anywhere.parts,
                seconds: anywhere.seconds,
                memory: here.memory,
                bytes: 0,
            })
            .collect())
    }

    fn run(&self, share: &Share, control: &Control) -> anyhow::Result<Option<String>> {
        let mut source = Recompute::new(self.common.isa, self.common.memory);
        let covered = self.plan.run_share(share, &mut source, &self.means(), control)?;
        Ok(covered.map(|covered| serde_json::to_string(&covered)).transpose()?)
    }

    fn finish(
        &self,
        results: &[Box<RawValue>],
        control: &Control,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        let shares = results.iter().map(|result| serde_json::from_str(result.get()));
        let shares: Vec<CoveredShare> = shares
            .collect::<Result<_, _>>()
            .context("the result of a task of a diff is not one")?;
        let verdicts = self.plan.merge(shares)?;
        if let Some(file) = diff::usual_certificate(self.common, &self.claims) {
            diff::keep_proof(&file, &verdicts)?;
        }
        diff::report(&verdicts, &(Vec::new(), false), control, out)
    }
}
