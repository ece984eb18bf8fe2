//! A diff in shares: a task is parts of tables, walked from the rules, and checks as a whole.

use std::path::Path;

use anyhow::{Context, bail};
use grundy_kernels::Isa;
use grundy_sweep::Control;
use grundy_tasks::{Piece, Share};
use grundy_theory::{Claim, CoveredShare, Means, Plan, Recompute};

use super::{Said, Weighed, Work};
use crate::End;
use crate::args::{self, Common, games};
use crate::commands::{diff, own};
use crate::output::Out;

/// Bytes of memory that pieces are weighed by.
const USUAL: u64 = 4 << 30;

pub(super) struct Diff<'a> {
    common: &'a Common,
    claims: Vec<&'static Claim>,
    plan: Plan<'static>,
    seconds: f64,
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
        Ok(Diff { common, claims, plan, seconds: wanted.seconds })
    }

    fn means(&self) -> Means<'static> {
        let Common { isa, memory, threads, .. } = *self.common;
        Means { isa, memory, threads, certificate: None, keeper: None }
    }
}

impl Work for Diff<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let anywhere = Means { isa: Isa::Portable, memory: USUAL, threads: 1, ..self.means() };
        let (anywhere, here) = (self.plan.pieces(&anywhere), self.plan.pieces(&self.means()));
        Ok(Weighed { anywhere, here }.pieces())
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn run(&self, share: &Share, control: &Control) -> anyhow::Result<Option<String>> {
        let mut source = Recompute::new(self.common.isa, self.common.memory);
        let covered = self.plan.run_share(share, &mut source, &self.means(), control)?;
        Ok(covered.map(|covered| serde_json::to_string(&covered)).transpose()?)
    }

    fn finish(
        &self,
        results: Option<Said<'_>>,
        control: &Control,
        out: &mut Out,
    ) -> anyhow::Result<End> {
        let shares = results.into_iter().flatten().map(|result| {
            serde_json::from_str(result?.get()).context("the result of a task of a diff is not one")
        });
        let shares: Vec<CoveredShare> = shares.collect::<anyhow::Result<_>>()?;
        let verdicts = self.plan.merge(shares)?;
        if let Some(file) = diff::usual_certificate(self.common, &self.claims) {
            diff::keep_proof(&file, &verdicts)?;
        }
        diff::report(&verdicts, &(Vec::new(), false), control, out)
    }
}
