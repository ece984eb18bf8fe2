//! Tables of several piles of a sum. Each value is the nim-sum of the values of its piles, so only
//! the row of single piles is filled.

use grundy_kernels::cells::write_cells;
use grundy_rules::{Multisets, Pile, Table};
use grundy_sweep::{Control, ValueCounts, nim_sums};

use super::RuleGames;
use super::levels::Compiled;
use crate::answer::Reply;
use crate::count::{Count, Counted};
use crate::fill::{FillError, Job, Maker, Means, Needs, Worker, each_run};
use crate::multisets::multisets;
use crate::solver::Solver;
use crate::tables::read_cells;

/// Returns the table of single piles from which the values of a table follow, if it has several
/// piles of a sum.
pub(super) fn single(table: &Table) -> Option<Table> {
    let of = table.game().outcomes_of().unwrap_or(table.game());
    match of.is_sum() && table.length() > 1 {
        true => Table::new(of, table.max_pile(), 1).ok(),
        false => None,
    }
}

/// Returns the bytes of the numbers of piles that number the positions of a table.
pub(super) fn index_bytes(table: &Table) -> u64 {
    (8 * u64::from(table.max_pile())).saturating_mul(table.length() as u64)
}

/// Fills the tables of a sum.
pub(super) struct Sums {
    single: Compiled,
    /// The values of the piles 1, 2, ..., if the prepared table has several piles.
    values: Vec<u32>,
}

impl Sums {
    pub(super) fn new(job: Job) -> Sums {
        Sums { single: Compiled::new(job), values: Vec::new() }
    }
}

impl Maker for Sums {
    fn prepare(
        &mut self,
        table: &Table,
        needs: &Needs,
        control: &Control,
    ) -> Result<(), FillError> {
        let Some(single) = single(table) else {
            return self.single.prepare(table, needs, control);
        };
        self.single.prepare(&single, needs, control)?;
        self.values.clear();
        each_run(&self.single, &single, control, |_, bytes| {
            read_cells(single.value_bytes(), bytes, &mut self.values);
        })
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        match single(table) {
            None => self.single.worker(table),
            Some(_) => Box::new(SumWorker {
                values: &self.values,
                multisets: multisets(table),
                width: table.value_bytes(),
                bytes: Vec::new(),
            }),
        }
    }
}

struct SumWorker<'a> {
    values: &'a [u32],
    multisets: Multisets,
    width: usize,
    bytes: Vec<u8>,
}

impl Worker for SumWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        let SumWorker { values, multisets, width, bytes } = self;
        bytes.clear();
        multisets.each_run(first..first + count, |piles, run| {
            let at = |pile: Pile| pile as usize - 1;
            let others = piles[1..].iter().fold(0, |sum, &pile| sum ^ values[at(pile)]);
            let run = &values[at(piles[0])..][..run];
            write_cells(*width, run.iter().map(|value| value ^ others), bytes);
        });
        bytes
    }
}

/// Counts the values of a table of several piles.
pub(super) fn count(count: &Count<'_>, single: &Table) -> Reply<Option<Counted>> {
    let Count { table, memory, isa, control, .. } = *count;
    let needs = RuleGames.needs(single, &Means::one_thread(memory));
    count.check_memory(needs.memory)?;
    let mut maker = Sums::new(Job { game: single.game(), max_pile: single.max_pile(), isa });
    match maker.prepare(table, &needs, control) {
        Err(FillError::Stopped(_)) => return Ok(None),
        made => made?,
    }
    let sums = nim_sums::count_of_sums(&maker.values) as u64;
    count.check_memory(needs.memory.saturating_add(32 * sums * (table.length() as u64 + 1)))?;
    let mut values = nim_sums::counts(&maker.values, table.length());
    while values.last() == Some(&0) {
        values.pop();
    }
    let largest = values.len() as u32 - 1;
    let first =
        nim_sums::least(&maker.values, table.length(), |v| v == largest, || !control.is_stopped());
    let first_maximum = first.map(|(piles, _)| table.game().position(&piles));
    let counts = ValueCounts { values, first_maximum };
    Ok((!control.is_stopped()).then_some(Counted::Values(counts)))
}
