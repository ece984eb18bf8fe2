//! Helpers for tests. They compare claims with the reference evaluator, without kernels, tables or
//! databases.

use grundy_sweep::MemoryLimit;
use std::ops::{Range, RangeInclusive};

use grundy_kernels::{EqualMask, Isa};
use grundy_rules::{Game, Middles, Pile, Position, Table, games, lex_word, reference::Reference};
use grundy_sweep::{Control, Fold, Swept, Tile};

use crate::claim::Claim;
use crate::estimate::Means;
use crate::job::{Examination, Job};
use crate::plan::{Plan, PlannedCheck};
use crate::source::TileSource;
use crate::statement::{Shape, Statement};
use crate::stored::{Reader, RunError};
use crate::tally::Tally;
use crate::tile_check::{TableTally, TileCheck};
use crate::verdict::Verdict;
use crate::words::Origin;

/// Returns the statement "the value is v iff the predicate holds". The predicate may hold anywhere.
pub(crate) fn iff(value: u32, holds: fn(&[Pile]) -> bool) -> Statement {
    Statement::Iff { value, holds, shape: Shape::Anywhere }
}

/// A source of tiles that the reference evaluator computes.
pub(crate) struct FromReference;

impl TileSource for FromReference {
    type Error = std::convert::Infallible;

    fn parts(&self, table: &Table) -> u64 {
        table.tiles()
    }

    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        parts: Range<u64>,
        control: &Control,
        fold: &F,
    ) -> Result<Swept<F::Acc>, Self::Error> {
        // Alternate between two accumulators, to test merging.
        let mut halves = [fold.start(), fold.start()];
        let mut cells = 0;
        each_tile::<T>(table, |at, tile| {
            if parts.contains(&(at as u64)) {
                cells += tile.values.len() as u64;
                fold.tile(&mut halves[at % 2], tile);
            }
        });
        let [left, right] = halves;
        control.advance(cells);
        Ok(Swept { acc: fold.merge(left, right), cells, complete: !control.is_stopped() })
    }
}

/// Calls `show` for every tile of a table, with values from the reference evaluator. For every
/// second tile, shows the equivalent tile of the reversed middle instead.
pub(crate) fn each_tile<T: EqualMask>(table: &Table, mut show: impl FnMut(usize, Tile<'_, T>)) {
    let mut reference = Reference::new(table.game());
    let mut middle = Vec::new();
    let n = table.max_pile();
    for at in 0..table.tiles() {
        table.tile_word(at, &mut middle);
        if at % 2 == 1 {
            middle.reverse();
        }
        let mut values = Vec::new();
        for a in 1..=table.tile_rows() as Pile {
            for b in 1..=n {
                let mut piles = middle.clone();
                piles.push(b);
                if table.length() > 1 {
                    piles.insert(0, a);
                }
                values.push(T::from_value(reference.value(&Position::new(piles).unwrap())));
            }
        }
        let (length, rows) = (table.length(), table.tile_rows());
        show(at as usize, Tile { length, middle: &middle, rows, values: &values });
    }
}

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
    pub(crate) done: u64,
}

impl Looked {
    pub(crate) fn counts(self) -> (u64, u64, Option<Vec<Pile>>) {
        let tally = self.examined.tally;
        (tally.checked, tally.failures, tally.first.map(|first| first.piles))
    }
}

pub(crate) fn look(id: &str, range: crate::Range, stored: &[(Table, Vec<u32>)]) -> Looked {
    for (table, values) in stored {
        assert_eq!(values.len() as u64, table.cells(), "{table}");
    }
    let plan = Plan::new(&Claim::find(id).unwrap(), &[], &range).unwrap();
    let PlannedCheck { check, games, extent, .. } = &plan.checks[0];
    let control = Control::new();
    let mut source = StoredValues(stored);
    let reader = Reader::new(&mut source);
    let job = Job {
        games,
        extent,
        isa: Isa::Portable,
        memory: MemoryLimit::new(1 << 30),
        certificate: None,
        keeper: None,
        control: &control,
        stored: &reader,
    };
    let examined = (check.run)(&job);
    Looked { examined, origin: reader.finish().ok(), done: control.done() }
}

pub(crate) fn verdict(
    id: &str,
    range: crate::Range,
    stored: &[(Table, Vec<u32>)],
) -> Result<Verdict, RunError<std::convert::Infallible>> {
    let plan = Plan::new(&Claim::find(id).unwrap(), &[], &range).unwrap();
    Ok(plan.run(&mut StoredValues(stored), &means(1 << 30, 1), &Control::new())?.remove(0))
}

/// A source of stored tables that shows three tiles at a time.
struct StoredValues<'a>(&'a [(Table, Vec<u32>)]);

impl TileSource for StoredValues<'_> {
    type Error = std::convert::Infallible;

    fn tables(&self) -> Vec<Table> {
        self.0.iter().map(|(table, _)| table.clone()).collect()
    }

    fn each_block(
        &mut self,
        table: &Table,
        show: &mut dyn FnMut(u64, &[u32]) -> bool,
    ) -> Result<(), Self::Error> {
        let (_, values) = self.0.iter().find(|(known, _)| known == table).unwrap();
        let block = 3 * table.tile_cells();
        for (at, values) in values.chunks(block).enumerate() {
            if !show((at * block) as u64, values) {
                break;
            }
        }
        Ok(())
    }

    fn parts(&self, table: &Table) -> u64 {
        unreachable!("{table} has no tiles of End-Nim")
    }

    fn fold<T: EqualMask, F: Fold<T>>(
        &mut self,
        table: &Table,
        _: Range<u64>,
        _: &Control,
        _: &F,
    ) -> Result<Swept<F::Acc>, Self::Error> {
        unreachable!("{table} has no tiles of End-Nim")
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

pub(crate) fn words(max_pile: Pile, length: usize) -> impl Iterator<Item = Vec<Pile>> {
    (0..u64::from(max_pile).pow(length as u32)).map(move |number| {
        let mut word = vec![0; length];
        lex_word(number, max_pile.into(), &mut word);
        word
    })
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

pub(crate) fn check(
    statement: &Statement,
    game: Game,
    max_pile: Pile,
    lengths: RangeInclusive<usize>,
) -> Tally {
    lengths.fold(Tally::default(), |sum, length| {
        let check = TileCheck::of(game, Isa::Portable, vec![Some(*statement)], false);
        let table = Table::new(game, max_pile, length).unwrap();
        let mut acc = Fold::<u8>::start(&check);
        each_tile::<u8>(&table, |_, tile| check.tile(&mut acc, tile));
        let TableTally { mut tallies, .. } = acc;
        sum.merge(tallies.remove(0))
    })
}

/// Asserts that a statement fails, and that this position is the least counterexample. A loop over
/// all words must give the same position and the same number of failures.
pub(crate) fn fails_first_at(
    statement: &Statement,
    game: Game,
    (max_pile, lengths): (Pile, RangeInclusive<usize>),
    first: &[Pile],
) {
    let found = check(statement, game, max_pile, lengths.clone());
    let counterexample = found.first.unwrap();
    assert_eq!(counterexample.piles, first, "{}", counterexample.found);
    if matches!(statement, Statement::Injective) {
        return;
    }
    let mut reference = Reference::new(game);
    let cases = lengths.flat_map(|length| words(max_pile, length)).map(|piles| {
        let value = reference.value(&Position::new(piles.clone()).unwrap());
        let is_wrong = statement.allows(&piles, value) == Some(false);
        (piles, is_wrong)
    });
    assert_eq!((found.checked, found.failures, Some(first.to_vec())), count(cases));
}

/// Returns the tile of a middle. A cell of it has `value` if and only if the predicate holds.
pub(crate) fn painted<T: EqualMask>(
    value: u32,
    holds: impl Fn(&[Pile]) -> bool,
    middle: &[Pile],
    n: Pile,
) -> Vec<T> {
    let mut cells = Vec::new();
    for a in 1..=n {
        for b in 1..=n {
            let piles = [&[a], middle, &[b]].concat();
            cells.push(T::from_value(if holds(&piles) { value } else { value + 1 }));
        }
    }
    debug_assert!(Middles::new(n, middle.len()).is_some());
    cells
}
