//! Divides a diff into tasks. A task checks parts of tables, which it computes from the rules.
//! Other checks are not divided.

use std::path::Path;

use anyhow::bail;
use grundy::papers::{CoveredShare, Means, Plan};
use grundy::{Control, Isa, MemoryLimit, Parts, Piece};

use crate::End;
use crate::args::{self, Common, OPENING, games};
use crate::commands::diff;
use crate::tasks::{Divisible, Ending, all, to_json};

pub(super) struct Diff<'a> {
    common: &'a Common,
    plan: Plan<'static>,
    seconds: f64,
}

impl<'a> Diff<'a> {
    pub(super) fn new(common: &'a Common, wanted: &args::Diff) -> anyhow::Result<Diff<'a>> {
        if wanted.checkpoint.is_some() || wanted.certificate.is_some() {
            bail!("tasks write results instead; leave out --checkpoint and --certificate");
        }
        if wanted.own.folder != Path::new(args::USUAL_FOLDER) {
            bail!(
                "to divide the check of your own claim, use `grundy tasks check`; leave out \
                 --claims"
            );
        }
        let games = games(common, &wanted.games, wanted.within.seconds.min(OPENING))?;
        let claims = diff::chosen(&wanted.claims, &games, 0)?;
        let plan = diff::plan(&claims, &games, wanted)?;
        Ok(Diff { common, plan, seconds: wanted.within.seconds })
    }
}

impl Divisible for Diff<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let anywhere = Means {
            isa: Isa::Portable,
            memory: MemoryLimit::default(),
            threads: 1,
            ..self.common.means()
        };
        Ok(self.plan.pieces(&anywhere)?)
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        let means = self.common.means();
        let pieces = self.plan.pieces(&means)?;
        let needed = share.iter().map(|(number, _)| pieces[*number].memory).max().unwrap_or(0);
        if let Err(shortage) = self.common.memory.check(needed) {
            bail!("cannot start the task: {shortage}; raise --memory");
        }
        let covered = self.plan.run_share(share, &means, control)?;
        to_json(covered)
    }

    fn finish(&self, Ending { results, control, out }: Ending<'_>) -> anyhow::Result<End> {
        let verdicts =
            self.plan.merge(all::<CoveredShare>(results, "diff")?, &self.common.means())?;
        diff::report(&verdicts, &(Vec::new(), false), control, out)
    }
}
