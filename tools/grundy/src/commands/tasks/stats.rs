//! Counts in shares: a task counts parts of a table, computed from the rules.

use anyhow::bail;
use grundy::tables::CountedShare;
use grundy::{Control, Database, Limits, Parts, Piece, Table};

use crate::End;
use crate::args::{self, Common};
use crate::commands::stats;
use crate::output::Out;
use crate::tasks::{Divisible, Said, each};

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
        Ok(Stats { common, table, database: Database::empty_within(limits) })
    }
}

impl Divisible for Stats<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let anywhere = Database::empty();
        Ok(vec![anywhere.count_piece(&self.table)])
    }

    fn values(&self, share: &[Parts]) -> u64 {
        let all = self.database.count_piece(&self.table).parts.max(1);
        let parts: u64 = share.iter().map(|(_, parts)| parts.end - parts.start).sum();
        self.table.cells().div_ceil(all).saturating_mul(parts)
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        let isa = self.common.isa;
        let counted = self.database.count_share(&self.table, share, isa, control)?;
        Ok(counted.map(|counted| serde_json::to_string(&counted)).transpose()?)
    }

    fn finish(&self, results: Option<Said<'_>>, _: &Control, out: &mut Out) -> anyhow::Result<End> {
        let shares = each(results, "stats").map(|result| Ok(result?.1));
        let shares: Vec<CountedShare> = shares.collect::<anyhow::Result<_>>()?;
        let counted = self.database.merge_counted(&self.table, shares)?;
        stats::tell(&self.table, false, &counted, out)
    }
}
