//! Runs the steps of a program on columns of numbers of one width.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use grundy_kernels::{Compiled, Compiler, with_cells};
use grundy_language::fault::Fault;
use grundy_rules::{Game, Memory, Pile};

use crate::lane::{Col, Lane, any, apply_one, apply_two, count, exact, select};
use crate::lines::{LookupLines, widen};
use crate::program::{Arg, CHUNK, Input, OptionSide, Program, Rate, Step};
use crate::section::{Moved, Section, sections};
use crate::values::{Cells, Dense, Lines, Values};

/// The positions of the lanes of a column.
pub(crate) trait Lanes {
    /// Writes the piles of the position of a lane into `piles`, and returns its memory.
    fn position(&self, lane: usize, piles: &mut Vec<Pile>) -> Memory;

    /// Returns the largest pile of the position of a lane.
    fn largest(&self, lane: usize) -> Pile;

    /// Returns the tile that contains the lanes. `None` if lowering an end pile of a position may
    /// lead to a position outside the tile.
    fn tile(&self) -> Option<Lines<'_>> {
        None
    }

    /// Returns a lower bound on the coins of every position of the column.
    fn least_coins(&self) -> u64 {
        0
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// The number of lanes in which the statement is true.
    pub(crate) holds: u64,
    /// The number of lanes in which the premise of the statement is true.
    pub(crate) premise: u64,
    /// The number of marked lanes, if the lanes belong to a band.
    pub(crate) marked: u64,
}

/// A run of cells on a diagonal of a tile: the row and column of its first cell, counted from 0,
/// and the number of cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiagonalRun {
    pub(crate) row: usize,
    pub(crate) col: usize,
    pub(crate) count: usize,
}

/// The marked cells of tiles.
#[derive(Clone, Copy)]
pub(crate) struct Marks<'a> {
    /// For each row of each tile the bits of the marked cells, in `words` words.
    pub(crate) masks: &'a [u64],
    pub(crate) words: usize,
    pub(crate) tiles: usize,
    /// The diagonals on which the lanes of a tile are.
    pub(crate) runs: &'a [DiagonalRun],
}

/// The values of the lanes of a column.
#[derive(Clone, Copy)]
pub(crate) enum Given<'a> {
    /// The cells of a table, and the index of the first.
    Cells(Cells<'a>, usize),
    Marks(Marks<'a>),
}

pub(crate) trait Machine: Send {
    /// Fills an input of the rate Tile. The pile of each tile is `step` behind that of the last.
    fn set_tiles(&mut self, input: Input, piles: &[Pile], step: usize);
    /// Fills an input of the rate Table with a number for each cell of the tiles.
    fn set_table(&mut self, input: Input, column: &mut dyn Iterator<Item = Pile>);
    fn set_cells(&mut self, input: Input, column: &mut dyn Iterator<Item = i128>);
    /// Fills an input with every pile whose index is a multiple of `step`.
    fn set_piles(&mut self, input: Input, piles: &[Pile], step: usize);
    /// Runs the steps of the rate Table, for `cells` cells.
    fn run_table(&mut self, cells: usize, around: &Around<'_>) -> Result<(), (usize, Fault)>;
    /// Runs the steps of the rate Tile, for a number of tiles.
    fn run_tiles(&mut self, tiles: usize, around: &Around<'_>) -> Result<(), (usize, Fault)>;
    /// Runs the steps of the rate Cell on a column. The first cell of the column has the index
    /// `from` in the tiles, or in the bands of tiles.
    fn run_cells(
        &mut self,
        from: usize,
        lanes: usize,
        values: Given<'_>,
        around: &Around<'_>,
    ) -> Result<Counts, (usize, Fault)>;
    /// Sets the bits of the lanes in which the statement is true, for the last column.
    fn holds(&self, from: usize, lanes: usize, compiler: Compiler, bits: &mut [u64; CHUNK / 64]);
}

/// All data that steps read, except registers.
pub(crate) struct Around<'a> {
    pub(crate) game: Game,
    pub(crate) values: &'a dyn Values,
    /// The values of other games at the positions of the tile, with the strides of its piles.
    pub(crate) beside: &'a [(Game, Dense<'a>)],
    pub(crate) lanes: &'a dyn Lanes,
    pub(crate) compiler: Compiler,
}

/// The registers and the steps of a program, with lanes of one width.
#[derive(Clone)]
pub(crate) struct Registers<L> {
    steps: [Arc<[Step]>; 3],
    /// For each step of the rate Cell the section that begins there.
    pub(crate) sections: Arc<[Option<Section>]>,
    pub(crate) moved: Moved<L>,
    /// The registers of the rates Tile, Table and Cell. A register of the rate Tile has a lane for
    /// each tile. If there are several tiles, the last bank repeats these lanes for each cell.
    banks: [Vec<Vec<L>>; 4],
    /// The registers of the rate Tile that are repeated.
    repeated: Vec<u32>,
    /// The number of cells of a tile, and the number of tiles in a column.
    tile_cells: usize,
    together: usize,
    /// True while steps of the rate Cell run, and afterwards.
    in_cells: bool,
    inputs: Vec<(Input, Arg)>,
    value: Option<Arg>,
    mark: Option<Arg>,
    result: Arg,
    premise: Option<Arg>,
    pub(crate) whose: Vec<OptionSide>,
    /// The sets of option values as bits, for each slot. The set of a lane takes `words` words.
    pub(crate) options: Vec<Vec<u64>>,
    pub(crate) words: usize,
    pub(crate) places: Vec<u32>,
    pub(crate) outside: Vec<bool>,
    /// The lines of look-ups, by step, first lane and number of lanes.
    pub(crate) lines: HashMap<(usize, usize, usize), Option<LookupLines>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Tile,
    Table,
    Cells,
    /// Some steps of the rate Cell, on lanes that were moved together.
    Section(Range<usize>),
}

impl<L: Lane> Registers<L> {
    /// Returns the registers for columns of `together` tiles, or bands of tiles, with `tile_cells`
    /// cells each. A large tile has its own columns.
    pub(crate) fn new(program: &Program, tile_cells: usize, together: usize) -> Registers<L> {
        let bank = |count: u32, lanes: usize| vec![vec![L::default(); lanes]; count as usize];
        let [tile, table, cells] = program.registers;
        let repeated = if together == 1 { Vec::new() } else { program.tile_registers_in_cells() };
        let mut repetitions = bank(tile, 0);
        repeated.iter().for_each(|&at| repetitions[at as usize].resize(CHUNK, L::default()));
        let kept = tile_cells * together;
        let words = program.option_words;
        let inputs = &program.inputs;
        let of = |wanted| inputs.iter().find(|(input, _)| *input == wanted).map(|(_, at)| *at);
        Registers {
            steps: [&program.per_tile, &program.per_table, &program.per_cell]
                .map(|steps| Arc::from(&steps[..])),
            sections: sections(program).into(),
            moved: Moved::default(),
            banks: [bank(tile, together), bank(table, kept), bank(cells, CHUNK), repetitions],
            repeated,
            tile_cells,
            together,
            in_cells: false,
            inputs: inputs.clone(),
            value: of(Input::Value),
            mark: of(Input::Mark),
            result: program.result,
            premise: program.premise,
            whose: program.options.clone(),
            options: vec![vec![0; words * CHUNK]; program.options.len()],
            words,
            places: vec![0; CHUNK],
            outside: vec![false; CHUNK],
            lines: HashMap::new(),
        }
    }

    /// True if lanes have the same piles of the rate Table in each column that begins at the same
    /// cell, and their other piles are equal.
    pub(crate) fn has_whole_columns(&self) -> bool {
        self.together == 1 && self.in_cells && !self.moved.is_used
    }

    /// Returns the register of an input, if the register has this rate.
    fn input(&mut self, wanted: Input, rate: Rate) -> Option<&mut Vec<L>> {
        let (_, at) = self.inputs.iter().find(|(input, _)| *input == wanted)?;
        match *at {
            Arg::Tile(at) if rate == Rate::Tile => Some(&mut self.banks[0][at as usize]),
            Arg::Table(at) if rate == Rate::Table => Some(&mut self.banks[1][at as usize]),
            Arg::Cell(at) if rate == Rate::Cell => Some(&mut self.banks[2][at as usize]),
            _ => None,
        }
    }

    #[inline(always)]
    pub(crate) fn col(&self, arg: Arg, from: usize, lanes: usize) -> Col<'_, L> {
        match arg {
            Arg::Fixed(number) => Col::All(L::of(number)),
            Arg::Tile(at) if self.together == 1 => Col::All(self.banks[0][at as usize][0]),
            Arg::Tile(at) => {
                let bank = if self.in_cells { 3 } else { 0 };
                Col::Each(&self.banks[bank][at as usize][..lanes])
            }
            Arg::Table(at) => Col::Each(&self.banks[1][at as usize][from..from + lanes]),
            Arg::Cell(at) => Col::Each(&self.banks[2][at as usize][..lanes]),
        }
    }

    /// Returns the register that steps of the rate Cell read, if it has a number for each lane.
    pub(crate) fn column_in_cells(&mut self, arg: Arg) -> Option<&mut Vec<L>> {
        match arg {
            Arg::Fixed(_) => None,
            Arg::Tile(_) if self.together == 1 => None,
            Arg::Tile(at) => Some(&mut self.banks[3][at as usize]),
            Arg::Table(at) => Some(&mut self.banks[1][at as usize]),
            Arg::Cell(at) => Some(&mut self.banks[2][at as usize]),
        }
    }

    /// Takes the register of a step's result out of its bank. Returns the register and the range of
    /// lanes. [`Registers::put`] puts the register back.
    #[inline(always)]
    fn take(&mut self, out: Arg, from: usize, lanes: usize) -> (Vec<L>, Range<usize>) {
        let (bank, at, range) = match out {
            Arg::Fixed(_) => return (Vec::new(), 0..0),
            Arg::Tile(at) => (0, at, 0..lanes),
            Arg::Table(at) => (1, at, from..from + lanes),
            Arg::Cell(at) => (2, at, 0..lanes),
        };
        (std::mem::take(&mut self.banks[bank][at as usize]), range)
    }

    #[inline(always)]
    fn put(&mut self, out: Arg, column: Vec<L>) {
        match out {
            Arg::Fixed(_) => {}
            Arg::Tile(at) => self.banks[0][at as usize] = column,
            Arg::Table(at) => self.banks[1][at as usize] = column,
            Arg::Cell(at) => self.banks[2][at as usize] = column,
        }
    }

    /// Calls `work` with the lanes of the register that a step writes. The compiler may fail to
    /// inline the closure into the vectorized function. So frequent steps call [`Registers::take`]
    /// and [`Registers::put`] directly.
    #[inline(always)]
    pub(crate) fn write<T>(
        &mut self,
        out: Arg,
        from: usize,
        lanes: usize,
        work: impl FnOnce(&mut Self, &mut [L]) -> T,
    ) -> T {
        let (mut column, range) = self.take(out, from, lanes);
        let found = work(self, &mut column[range]);
        self.put(out, column);
        found
    }

    /// Runs steps on a range of lanes. Steps of the rate Tile have a lane for each tile.
    #[inline(always)]
    fn run(
        &mut self,
        part: Phase,
        from: usize,
        lanes: usize,
        around: &Around<'_>,
    ) -> Result<(), (usize, Fault)> {
        let (steps, some) = match part {
            Phase::Tile => (0, 0..usize::MAX),
            Phase::Table => (1, 0..usize::MAX),
            Phase::Cells => (2, 0..usize::MAX),
            Phase::Section(some) => (2, some),
        };
        self.in_cells = steps == 2;
        let steps = Arc::clone(&self.steps[steps]);
        let steps = &steps[..some.end.min(steps.len())];
        let mut next = some.start;
        while let Some(step) = steps.get(next) {
            next += 1;
            match step {
                &Step::One { op, a, out } => {
                    let (mut column, range) = self.take(out, from, lanes);
                    apply_one(op, &mut column[range], self.col(a, from, lanes));
                    self.put(out, column);
                }
                &Step::Two { op, a, b, out } => {
                    let (mut column, range) = self.take(out, from, lanes);
                    let (a, b) = (self.col(a, from, lanes), self.col(b, from, lanes));
                    apply_two(op, &mut column[range], a, b);
                    self.put(out, column);
                }
                &Step::Select { condition, then, other, out } => {
                    let (mut column, range) = self.take(out, from, lanes);
                    let condition = self.col(condition, from, lanes);
                    let (then, other) = (self.col(then, from, lanes), self.col(other, from, lanes));
                    select(&mut column[range], condition, then, other);
                    self.put(out, column);
                }
                &Step::Skip { mask, to } => {
                    let column = self.col(mask, from, lanes);
                    if self.moved.is_used || !self.in_cells || self.sections[next - 1].is_none() {
                        if !any(column) {
                            next = to;
                        }
                        continue;
                    }
                    let marked = count(column, lanes) as usize;
                    if marked == 0 || self.run_moved(next - 1, mask, marked, from, lanes, around)? {
                        next = to;
                    }
                }
                Step::Other(look_up) => {
                    let (mut column, range) = self.take(look_up.out, from, lanes);
                    let found = self.other(next - 1, look_up, from, &mut column[range], around);
                    self.put(look_up.out, column);
                    found?;
                }
                rare => self.rare(rare, from, lanes, around)?,
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn rare(
        &mut self,
        step: &Step,
        from: usize,
        lanes: usize,
        around: &Around<'_>,
    ) -> Result<(), (usize, Fault)> {
        match step {
            &Step::Checked { op, a, b, mask, span, out } => {
                self.write(out, from, lanes, |this, column| {
                    let (a, b) = (this.col(a, from, lanes), b.map(|b| this.col(b, from, lanes)));
                    let mask = this.col(mask, from, lanes);
                    for (lane, to) in column.iter_mut().enumerate() {
                        *to = L::default();
                        if mask.at(lane) == L::default() {
                            continue;
                        }
                        let b = b.map_or(0, |b| b.at(lane).wide());
                        let found = exact(op, a.at(lane).wide(), b);
                        *to = L::of(found.map_err(|cause| (lane, Fault { span, cause }))?);
                    }
                    Ok(())
                })
            }
            Step::Fail { mask, fault } => {
                let mask = self.col(*mask, from, lanes);
                match (0..lanes).find(|&lane| mask.at(lane) != L::default()) {
                    Some(lane) => Err((lane, fault.clone())),
                    None => Ok(()),
                }
            }
            &Step::Options { slot, mask, span } => {
                self.gather(slot, mask, span, from, lanes, around)
            }
            &Step::HasOption { slot, a, out } => {
                self.has_option(slot, a, out, from, lanes);
                Ok(())
            }
            &Step::MexOptions { slot, out } => {
                self.of_options(slot, out, from, lanes, |bits| {
                    let full = bits.iter().take_while(|word| **word == u64::MAX).count();
                    64 * full as u32 + bits.get(full).map_or(0, |word| word.trailing_ones())
                });
                Ok(())
            }
            &Step::CountOptions { slot, out } => {
                let count = |bits: &[u64]| bits.iter().map(|word| word.count_ones()).sum();
                self.of_options(slot, out, from, lanes, count);
                Ok(())
            }
            _ => unreachable!("other steps are run elsewhere"),
        }
    }
}

/// The arguments for running steps. The code that runs steps is compiled for each instruction set.
pub(crate) struct Run<'a, 'b, L> {
    pub(crate) registers: &'a mut Registers<L>,
    pub(crate) part: Phase,
    pub(crate) from: usize,
    pub(crate) lanes: usize,
    pub(crate) around: &'a Around<'b>,
    pub(crate) given: Option<Given<'a>>,
}

impl<L: Lane> Compiled for Run<'_, '_, L> {
    type Out = Result<Counts, (usize, Fault)>;

    #[inline(always)]
    fn run(self) -> Self::Out {
        let Run { registers, part, from, lanes, around, given } = self;
        let input = match given {
            Some(Given::Cells(..)) => registers.value,
            Some(Given::Marks(..)) => registers.mark,
            None => None,
        };
        if let (Some(given), Some(input)) = (given, input) {
            let (mut column, range) = registers.take(input, from, lanes);
            match given {
                Given::Cells(cells, at) => load(cells, at, &mut column[range]),
                Given::Marks(Marks { masks, words, tiles, runs }) => {
                    let rows = masks.len() / tiles;
                    let lanes = range.len() / tiles;
                    let out = column[range].chunks_exact_mut(lanes);
                    for (masks, out) in masks.chunks_exact(rows).zip(out) {
                        mark(masks, words, runs, out);
                    }
                }
            }
            registers.put(input, column);
        }
        let is_whole = part == Phase::Cells;
        registers.run(part, from, lanes, around)?;
        if !is_whole {
            return Ok(Counts::default());
        }
        let holds = count(registers.col(registers.result, from, lanes), lanes);
        let premise = match registers.premise {
            Some(premise) => count(registers.col(premise, from, lanes), lanes),
            None => 0,
        };
        let marked = match (given, registers.mark) {
            (Some(Given::Marks(..)), Some(mark)) => count(registers.col(mark, from, lanes), lanes),
            _ => 0,
        };
        Ok(Counts { holds, premise, marked })
    }
}

/// Sets the bits of the lanes that are not 0.
struct Holds<'a, L> {
    result: Col<'a, L>,
    bits: &'a mut [u64; CHUNK / 64],
}

impl<L: Lane> Compiled for Holds<'_, L> {
    type Out = ();

    #[inline(always)]
    fn run(self) {
        match self.result {
            Col::All(number) if number == L::default() => self.bits.fill(0),
            Col::All(_) => self.bits.fill(u64::MAX),
            Col::Each(column) => {
                self.bits.fill(0);
                for (word, lanes) in self.bits.iter_mut().zip(column.chunks(64)) {
                    for (bit, &lane) in lanes.iter().enumerate() {
                        *word |= u64::from(lane != L::default()) << bit;
                    }
                }
            }
        }
    }
}

/// Writes 1 in the lanes whose cells are marked, and 0 in all other lanes.
#[inline(always)]
fn mark<L: Lane>(masks: &[u64], words: usize, runs: &[DiagonalRun], out: &mut [L]) {
    let mut left = out;
    for &DiagonalRun { row, col, count } in runs {
        let (here, rest) = left.split_at_mut(count);
        left = rest;
        if words == 1 {
            for (at, (to, mask)) in here.iter_mut().zip(&masks[row..]).enumerate() {
                *to = L::of_cell((mask >> (col + at)) as u32 & 1);
            }
            continue;
        }
        for (at, to) in here.iter_mut().enumerate() {
            let mask = masks[(row + at) * words + (col + at) / 64];
            *to = L::of_cell((mask >> ((col + at) % 64)) as u32 & 1);
        }
    }
}

/// Fills an input with every pile whose index is a multiple of `step`.
fn fill<L: Lane>(input: Option<&mut Vec<L>>, piles: &[Pile], step: usize) {
    if let Some(to) = input {
        to.iter_mut().zip(piles.iter().step_by(step)).for_each(|(to, &x)| *to = L::of_cell(x));
    }
}

#[inline(always)]
fn load<L: Lane>(cells: Cells<'_>, at: usize, out: &mut [L]) {
    let end = at + out.len();
    with_cells!(cells, cells => widen(&cells[at..end], out));
}

impl<L: Lane> Machine for Registers<L> {
    fn set_tiles(&mut self, input: Input, piles: &[Pile], step: usize) {
        fill(self.input(input, Rate::Tile), piles, step);
    }

    fn set_table(&mut self, input: Input, column: &mut dyn Iterator<Item = Pile>) {
        if let Some(to) = self.input(input, Rate::Table) {
            to.iter_mut().zip(column).for_each(|(to, pile)| *to = L::of_cell(pile));
        }
    }

    fn set_cells(&mut self, input: Input, column: &mut dyn Iterator<Item = i128>) {
        if let Some(to) = self.input(input, Rate::Cell) {
            to.iter_mut().zip(column).for_each(|(to, number)| *to = L::of(number));
        }
    }

    fn set_piles(&mut self, input: Input, piles: &[Pile], step: usize) {
        fill(self.input(input, Rate::Cell), piles, step);
    }

    fn run_table(&mut self, cells: usize, around: &Around<'_>) -> Result<(), (usize, Fault)> {
        self.lines.clear();
        if self.steps[1].is_empty() {
            return Ok(());
        }
        for from in (0..cells).step_by(CHUNK) {
            let lanes = CHUNK.min(cells - from);
            let registers = &mut *self;
            let part = Phase::Table;
            around.compiler.run(Run { registers, part, from, lanes, around, given: None })?;
        }
        Ok(())
    }

    fn run_tiles(&mut self, tiles: usize, around: &Around<'_>) -> Result<(), (usize, Fault)> {
        if !self.steps[0].is_empty() {
            let (registers, part) = (&mut *self, Phase::Tile);
            let run = Run { registers, part, from: 0, lanes: tiles, around, given: None };
            let found = around.compiler.run(run);
            found.map_err(|(tile, fault)| (tile * self.tile_cells, fault))?;
        }
        let [of_tiles, .., repetitions] = &mut self.banks;
        for &at in &self.repeated {
            let cells = repetitions[at as usize].chunks_exact_mut(self.tile_cells);
            cells.zip(&of_tiles[at as usize][..tiles]).for_each(|(cells, &lane)| cells.fill(lane));
        }
        Ok(())
    }

    fn run_cells(
        &mut self,
        from: usize,
        lanes: usize,
        values: Given<'_>,
        around: &Around<'_>,
    ) -> Result<Counts, (usize, Fault)> {
        let (registers, part) = (self, Phase::Cells);
        around.compiler.run(Run { registers, part, from, lanes, around, given: Some(values) })
    }

    fn holds(&self, from: usize, lanes: usize, compiler: Compiler, bits: &mut [u64; CHUNK / 64]) {
        compiler.run(Holds { result: self.col(self.result, from, lanes), bits });
    }
}
