//! Checks stored cells: derives each value again from the stored values of the options. Checkers
//! share no code with the solvers that fill tables. A family can have its own checker.

use grundy_rules::reference::Reference;
use grundy_rules::{Pile, Position, Table};
use grundy_sweep::{Control, MemoryLimit};

use crate::answer::{Reply, SolveError};
use crate::tables::{Stored, Tables};

#[derive(Clone, Copy, Debug)]
pub struct TileRun<'a> {
    pub first: u64,
    pub cells: &'a [u32],
    /// True if every value is derived, even if the check takes long.
    pub full: bool,
}

/// A stored table to check, with the tables and limits of the checker.
#[derive(Clone, Copy)]
pub struct Checking<'a> {
    pub stored: &'a dyn Stored,
    /// The tables from which options are read.
    pub tables: &'a dyn Tables,
    pub memory: MemoryLimit,
    /// The control, which can stop the check. A stopped check covers only a part of the cells.
    pub control: &'a Control,
}

impl Checking<'_> {
    /// Returns an error that names the position, if the check should stop.
    pub(crate) fn stop_at(&self, position: &Position) -> Reply<()> {
        match self.control.is_stopped() {
            true => Err(SolveError::Stopped { position: position.to_string() }),
            false => Ok(()),
        }
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Derived {
    /// The number of values derived again.
    pub values: u64,
    /// The number of requested values that were not derived, because the memory did not suffice.
    pub left_out: u64,
    pub wrong: Option<WrongCell>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCell {
    /// The position; empty if the wrong cell has no position.
    pub position: String,
    pub found: u32,
}

/// A checker that derives the cells of one table again. It may keep the cells that it has read.
pub trait Checker {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived>;
}

/// Reads the stored values of options, in games that remember a last move or a set of moves. The
/// checked table and the tables of fewer piles hold the options.
pub(crate) struct Options<'a, N> {
    pub(crate) stored: &'a dyn Stored,
    pub(crate) numbering: N,
    /// The table at index i has i + 1 piles. `N` assigns numbers to the positions of tables in
    /// which a cell is a value.
    shorter: Vec<Option<(&'a dyn Stored, Option<N>)>>,
    /// Evaluates options that no table has.
    below: Option<Reference>,
}

impl<'a, N> Options<'a, N> {
    /// Chooses those tables with fewer piles that `wanted` accepts, to read options from them.
    pub(crate) fn new(
        of: Checking<'a>,
        wanted: impl Fn(&Table) -> bool,
        numbering: impl Fn(&Table) -> N,
    ) -> Options<'a, N> {
        let Checking { stored, tables, .. } = of;
        let table = stored.table();
        let wanted = |found: &dyn Stored| {
            found.table().max_pile() >= table.max_pile() && wanted(found.table())
        };
        let shorter = (1..table.length()).map(|length| {
            let found = tables.find(table.game(), length, &wanted)?;
            let is_plain = found.table().numbering().is_plain();
            Some((found, is_plain.then(|| numbering(found.table()))))
        });
        let shorter = shorter.collect();
        Options { stored, numbering: numbering(table), shorter, below: None }
    }

    /// Returns the value of an option with these piles. `number` returns its number in a table, and
    /// `single` reads a table of single piles. If no table has the option, evaluates `position()`.
    pub(crate) fn value(
        &mut self,
        piles: &[Pile],
        number: impl Fn(&N, &Table) -> u64,
        single: impl FnOnce(&dyn Stored) -> Reply<u32>,
        position: impl FnOnce() -> Position,
    ) -> Reply<u32> {
        let Some(fewer) = piles.len().checked_sub(1) else { return Ok(0) };
        let (stored, numbering) = match self.shorter.get(fewer) {
            None => (self.stored, &self.numbering),
            Some(Some((found, Some(numbering)))) => (*found, numbering),
            Some(Some((found, None))) => return single(*found),
            Some(None) => {
                let game = self.stored.table().game();
                let below = self.below.get_or_insert_with(|| Reference::new(game));
                return Ok(below.value(&position()));
            }
        };
        Ok(stored.cell(number(numbering, stored.table()))?)
    }
}

pub(crate) fn wrong_at(table: &Table, run: TileRun<'_>, at: usize) -> WrongCell {
    let cell = run.first * table.tile_cells() as u64 + at as u64;
    let position = table.position(cell * table.values_per_cell());
    WrongCell {
        position: position.map_or_else(String::new, |found| found.to_string()),
        found: run.cells[at],
    }
}

/// Returns the result of a run in which every cell holds one value.
pub(crate) fn derived(table: &Table, run: TileRun<'_>, wrong: Option<usize>) -> Derived {
    let wrong = wrong.map(|at| wrong_at(table, run, at));
    Derived { values: run.cells.len() as u64, left_out: 0, wrong }
}
