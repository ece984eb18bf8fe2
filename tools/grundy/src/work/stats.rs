//! Counts in shares: a task counts parts of a table, computed from the rules.

use anyhow::{Context, bail};
use grundy_query::{CountedShare, Database, Limits};
use grundy_rules::Table;
use grundy_sweep::Control;
use grundy_tasks::{Piece, Share};

use super::{Said, Work, unwritten};
use crate::End;
use crate::args::{self, Common};
use crate::commands::stats;
use crate::output::Out;

pub(super) struct Stats<'a> {
    common: &'a Common,
    table: Table,
    database: Database,
}

impl<'a> Stats<'a> {
    pub(super) fn new(common: &'a Common, wanted: &args::Stats) -> anyhow::Result<Stats<'a>> {
        let (Some(max_pile), Some(length)) = (wanted.max_pile, wanted.length) else {
            bail!("whoever does a task may have other tables; say --max-pile and --length");
        };
        let table = Table::new(wanted.game.game()?, max_pile, length)?;
        let limits = Limits { memory: common.memory, seconds: f64::INFINITY };
        Ok(Stats { common, table, database: Database::empty(limits) })
    }
}

impl Work for Stats<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let anywhere = Database::empty(Limits::default());
        Ok(vec![unwritten(anywhere.count_piece(&self.table))])
    }

    fn values(&self, share: &Share) -> u64 {
        let all = self.database.count_piece(&self.table).parts.max(1);
        let parts: u64 = share.iter().map(|(_, parts)| parts.end - parts.start).sum();
        self.table.cells().div_ceil(all).saturating_mul(parts)
    }

    fn run(&self, share: &Share, control: &Control) -> anyhow::Result<Option<String>> {
        let mut counted = Vec::new();
        for (_, parts) in share {
            let isa = self.common.isa;
            let Some(found) =
                self.database.count_share(&self.table, parts.clone(), isa, control)?
            else {
                return Ok(None);
            };
            counted.push(found);
        }
        Ok(Some(serde_json::to_string(&counted)?))
    }

    fn finish(&self, results: Option<Said<'_>>, _: &Control, out: &mut Out) -> anyhow::Result<End> {
        let mut shares: Vec<CountedShare> = Vec::new();
        for result in results.into_iter().flatten() {
            let counted: Vec<CountedShare> = serde_json::from_str(result?.1.get())
                .context("the result of a task of counts is not one")?;
            shares.extend(counted);
        }
        let counted = self.database.merge_counted(&self.table, shares)?;
        stats::tell(&self.table, false, &counted, out)
    }
}
