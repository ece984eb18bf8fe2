//! Divides counts into tasks. A task counts the values in parts of a table, which it computes from
//! the rules.

use anyhow::bail;
use grundy::tables::CountedShare;
use grundy::{Control, Database, Limits, Parts, Piece, Table};

use crate::End;
use crate::args::{self, Common};
use crate::commands::stats;
use crate::tasks::{Divisible, Ending, all, to_json};

pub(super) struct Stats<'a> {
    common: &'a Common,
    table: Table,
    database: Database,
}

impl<'a> Stats<'a> {
    pub(super) fn new(common: &'a Common, wanted: &args::Stats) -> anyhow::Result<Stats<'a>> {
        let game = wanted.game.game()?;
        let only = game.only_length().map(|length| length..=length);
        let (Some(max_pile), Some(lengths)) = (wanted.max_pile, wanted.length.clone().or(only))
        else {
            bail!(
                "the default sizes depend on the tables of a machine; give --max-pile and --length"
            );
        };
        if lengths.start() != lengths.end() {
            bail!("`tasks stats` takes only one length; use --length {}", lengths.end());
        }
        let table = Table::new(game, max_pile, *lengths.end())?;
        let limits = Limits { memory: common.memory, seconds: f64::INFINITY };
        Ok(Stats { common, table, database: Database::empty_within(limits) })
    }
}

impl Divisible for Stats<'_> {
    fn pieces(&self) -> anyhow::Result<Vec<Piece>> {
        let anywhere = Database::empty();
        Ok(vec![anywhere.count_piece(&self.table)])
    }

    fn sizes(&self) -> Vec<(u64, u64)> {
        vec![(self.table.cells(), self.database.count_piece(&self.table).parts)]
    }

    fn run(&self, share: &[Parts], control: &Control) -> anyhow::Result<Option<String>> {
        let isa = self.common.isa;
        to_json(self.database.count_share(&self.table, share, isa, control)?)
    }

    fn finish(&self, Ending { results, out, .. }: Ending<'_>) -> anyhow::Result<End> {
        let shares = all::<CountedShare>(results, "stats")?;
        let counted = self.database.merge_counted(&self.table, shares)?;
        stats::tell(&self.table, false, &counted, true, out)
    }
}
