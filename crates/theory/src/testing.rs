//! Helpers for tests of checks: stored tables with correct and with random values.

use std::convert::Infallible;

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile, Table, games, reference::Reference};
use grundy_sweep::Control;

use crate::claim::Claim;
use crate::domain::Extent;
use crate::estimate::Means;
use crate::examine::CheckResult;
use crate::job::{Examination, Job};
use crate::stored::{ReadError, Reader, Tables};
use crate::words::Origin;

pub(crate) fn means(memory: u64, threads: usize) -> Means<'static> {
    let memory = memory.into();
    Means { isa: Isa::Portable, memory, threads, certificate: None, keeper: None }
}

pub(crate) fn up_to(to: u32) -> crate::Range {
    crate::Range { to: Some(to), ..Default::default() }
}

pub(crate) fn sizes(max_pile: Pile, length: usize) -> crate::Range {
    crate::Range { max_pile: Some(max_pile), length: Some(length), to: None }
}

pub(crate) struct Looked {
    pub(crate) examined: Examination,
    /// The origin of the values; `None` if the stored values are refused.
    pub(crate) origin: Option<Origin>,
}

impl Looked {
    pub(crate) fn counts(self) -> (u64, u64, Option<Vec<Pile>>) {
        let tally = self.examined.tally;
        (tally.checked, tally.failures, tally.first.map(|first| first.piles))
    }
}

fn extent(id: &str, range: &crate::Range) -> (&'static Claim, Extent) {
    let claim = Claim::find(id).unwrap()[0];
    (claim, claim.extent(&claim.games, range, Vec::new).unwrap())
}

pub(crate) fn look(id: &str, range: crate::Range, stored: &[(Table, Vec<u32>)]) -> Looked {
    let (claim, extent) = extent(id, &range);
    let control = &Control::new();
    let Means { isa, memory, certificate, keeper, .. } = means(1 << 30, 1);
    let mut source = StoredValues(stored);
    let reader = Reader::new(&mut source);
    let (games, extent, stored) = (&claim.games[..], &extent, &reader);
    let job = Job { games, extent, isa, memory, certificate, keeper, control, stored };
    let examined = (claim.rust_check().unwrap().run)(&job);
    Looked { examined, origin: reader.finish().ok() }
}

/// Runs the check of a claim, as a plan does.
pub(crate) fn looked(
    id: &str,
    range: crate::Range,
    stored: &[(Table, Vec<u32>)],
) -> Result<CheckResult, ReadError<Infallible>> {
    looked_with(id, range, stored, &means(1 << 30, 1))
}

pub(crate) fn looked_with(
    id: &str,
    range: crate::Range,
    stored: &[(Table, Vec<u32>)],
    means: &Means<'_>,
) -> Result<CheckResult, ReadError<Infallible>> {
    let (claim, extent) = extent(id, &range);
    let (check, mut source) = (claim.rust_check().unwrap(), StoredValues(stored));
    check.examine(&claim.games, &extent, &mut source, means, &Control::new())
}

/// A source of stored tables that shows three tiles at a time.
struct StoredValues<'a>(&'a [(Table, Vec<u32>)]);

impl Tables for StoredValues<'_> {
    type Error = Infallible;

    fn tables(&self) -> Vec<Table> {
        self.0.iter().map(|(table, _)| table.clone()).collect()
    }

    fn each_block(
        &mut self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Infallible> {
        let (_, values) = self.0.iter().find(|(known, _)| known == table).unwrap();
        let block = 3 * table.tile_cells();
        for (at, values) in values.chunks(block).enumerate() {
            if !show((at * block) as u64, values) {
                break;
            }
        }
        Ok(())
    }
}

pub(crate) fn stored(
    game: Game,
    max_pile: Pile,
    length: usize,
    cell: impl FnMut(u64) -> u32,
) -> (Table, Vec<u32>) {
    let table = Table::new(game, max_pile, length).unwrap();
    let values = (0..table.cells()).map(cell).collect();
    (table, values)
}

pub(crate) fn referred(game: Game, max_pile: Pile, length: usize) -> (Table, Vec<u32>) {
    let table = Table::new(game, max_pile, length).unwrap();
    let mut reference = Reference::new(game);
    stored(game, max_pile, length, |number| {
        table.position(number).map_or(0, |position| reference.value(&position))
    })
}

/// Returns random records of single piles of short global nim. The value for k is g(n). For random
/// k it is the value after taking k instead, if that value is less.
pub(crate) fn noisy_records(seed: u64, to: usize) -> (Table, Vec<u32>) {
    noisy_rows(seed, to).0
}

/// Returns random records, and for each n the values for k = 0 to n.
pub(crate) fn noisy_rows(seed: u64, to: usize) -> ((Table, Vec<u32>), Vec<Vec<u32>>) {
    let table = Table::new(games::SHORT_GLOBAL_NIM, to as Pile, 1).unwrap();
    let mut next = noise(seed);
    let (mut values, mut dense) = (Vec::new(), vec![vec![0]]);
    for n in 1..=to {
        let g = next(if seed.is_multiple_of(2) { n + 1 } else { n / 2 + 2 } as u32);
        let mut row = vec![g; n + 1];
        let mut record = vec![g, 0];
        for m in 0..n {
            // The value for a last move larger than m is g(m).
            let left = dense[m].get(n - m).copied().unwrap_or(dense[m][0]);
            if left < g && next(3) == 0 {
                row[n - m] = left;
                record.push(m as u32);
            }
        }
        record[1] = record.len() as u32 - 2;
        record.resize(table.tile_cells(), 0);
        values.extend(record);
        dense.push(row);
    }
    ((table, values), dense)
}

/// Returns the number of cases, the number of wrong cases, and the least wrong case: the fewest
/// coins, then the lexicographically first.
pub(crate) fn count(
    cases: impl IntoIterator<Item = (Vec<Pile>, bool)>,
) -> (u64, u64, Option<Vec<Pile>>) {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (piles, is_wrong) in cases {
        checked += 1;
        if is_wrong {
            wrong.push((piles.iter().map(|&pile| u64::from(pile)).sum::<u64>(), piles));
        }
    }
    (checked, wrong.len() as u64, wrong.into_iter().min().map(|(_, piles)| piles))
}

/// Returns pseudo-random numbers below a bound, the same in each run (Marsaglia's xorshift).
pub(crate) fn noise(seed: u64) -> impl FnMut(u32) -> u32 {
    let mut state = seed << 1 | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as u32 % below
    }
}
