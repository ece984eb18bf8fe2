//! Fills levels of games of rule files with kernels.
//!
//! A level of rows holds all words over 0, ..., N. As in the kernels, words with a 0 represent
//! shorter positions. If moves change only the end piles, the longest level is not kept in memory.
//! Any thread can fill tiles of that level from the levels with one and two piles fewer.

use std::ops::Range;

use grundy_kernels::cells::write_cells;
use grundy_kernels::shapes::{
    Bits, Grid, Guide, LANES, LARGEST_VALUE, LimitError, Move, Open, Shape,
};
use grundy_kernels::{Compiler, Isa};
use grundy_language::Evaluator;
use grundy_rules::law::{At, Law};
use grundy_rules::{Game, Multisets, Pile, Table, TableError};
use grundy_sweep::{Bytes, Control, Stopped};
use rayon::prelude::*;

use super::in_order::{Kernel, OutcomeRun};
use super::recognise::{Shapes, shapes};
use super::{Way, closes_up, grid_of, heaps_of, law, way};
use crate::fill::{FillError, InOrder, Job, Maker, Making, Needs, Worker};
use crate::generic::Levels;
use crate::multisets::multisets;

/// The bytes of memory that filling a table needs for its cells and for sets of options' values.
pub(super) struct Amounts {
    cells: u64,
    /// The bytes of cells and sets, if a box is divided as finely as possible.
    pub(super) least: u64,
    /// The bytes of cells and sets, if no box is divided and sets grow while they are filled.
    pub(super) most: u64,
}

pub(super) fn amounts(table: &Table, way: &Way) -> Amounts {
    let (game, max_pile, length) = (table.game(), table.max_pile(), table.length());
    let law = law(game);
    let side = u64::from(max_pile) + 1;
    let words = |length: usize| (0..length).fold(2u64, |all, _| all.saturating_mul(side));
    let below = |length: usize| (1..length).map(words).fold(0, u64::saturating_add);
    let sets = |found: &Shapes, length| grid_of(law, found, max_pile, length).sets();
    // Each length of rows has its own sets, but only one length is filled at a time.
    let sets_of_rows = || {
        let of = |length| match (
            &*super::way(game, max_pile, length),
            shapes(law, length, max_pile as usize),
        ) {
            (Way::Tiles(_), _) | (_, Err(_)) => (0, 0),
            (_, Ok(found)) => sets(&found, length),
        };
        (1..=length).map(of).fold((0, 0), |most, here| (most.0.max(here.0), most.1.max(here.1)))
    };
    let (cells, (least, most)) = match way {
        // While a level is assembled from tiles, the tiles are in memory, too.
        Way::Tiles(_) => (below(length).saturating_mul(2), sets_of_rows()),
        Way::Grid(_) if closes_up(law) => {
            (words(length).saturating_add(below(length)), sets_of_rows())
        }
        Way::Grid(found) => (words(length), sets(found, length)),
        Way::Heaps(moves) => heaps_of(law, moves, max_pile, length)
            .map_or((u64::MAX, (0, 0)), |heaps| {
                ((heaps.cells() as u64).saturating_mul(2), (heaps.sets(), heaps.sets()))
            }),
        // The values in both directions, a list of piles, and the rows of bits of a large set.
        Way::Sum(splits, _) => {
            let bytes = if splits.leaving.len() > 16 { 37 } else { 5 };
            (bytes * side + (1 << 20), (0, 0))
        }
        Way::OneByOne => (0, (0, 0)),
    };
    let largest = match way {
        // No value exceeds the number of moves to the end.
        Way::Heaps(moves) => {
            let taken = moves.iter().map(|made| made.shape.least_taken() as u64).min();
            let coins = u64::from(max_pile).saturating_mul(length as u64);
            table.largest_value().min(coins / taken.unwrap_or(1))
        }
        _ => table.largest_value(),
    };
    let bytes = (largest / 8 + 1).next_power_of_two().max(8);
    // An outcome takes one bit, and the set of its options' outcomes takes one bit, too.
    let (cells, bits) = match game.outcomes_of() {
        Some(_) => (cells / 16, 1),
        None => (cells, 8 * bytes),
    };
    let with = |sets: u64| cells.saturating_add(sets.saturating_mul(bits).div_ceil(8));
    Amounts { cells, least: with(least), most: with(most + most / 2) }
}

/// Returns the bytes of memory that filling a table in order takes; `None` if it is filled as a
/// whole.
pub(super) fn in_order_bytes(table: &Table, way: &Way) -> Option<u64> {
    let own = Kernel::new(table, way)?.bytes();
    // A shorter length that the rules do not allow has no table.
    let below = below(table, way).ok()?.map_or(0, |below| below.least);
    Some(own.saturating_add(below)).filter(|&bytes| bytes < u64::MAX)
}

/// Returns the amounts for the levels of shorter positions that filling a table in order reads, if
/// it reads any.
fn below(table: &Table, way: &Way) -> Result<Option<Amounts>, TableError> {
    let is_above = matches!(way, Way::Grid(_)) && closes_up(law(table.game()));
    if !is_above || table.length() == 1 {
        return Ok(None);
    }
    let below = Table::new(table.game(), table.max_pile(), table.length() - 1)?;
    Ok(Some(amounts(&below, way)))
}

/// The cells of a level: either values, or outcomes as bits. The field of the unused kind is empty.
#[derive(Clone, Default)]
struct Level {
    values: Vec<u16>,
    bits: Bits,
}

impl Level {
    fn count(&self) -> usize {
        self.values.len() + self.bits.count()
    }

    /// Replaces all cells by `count` cells that are 0.
    fn reset(&mut self, has_bits: bool, count: usize) {
        self.values.clear();
        self.values.resize(if has_bits { 0 } else { count }, 0);
        self.bits.reset(if has_bits { count } else { 0 });
    }

    fn value(&self, at: usize) -> u16 {
        self.values.get(at).copied().unwrap_or_else(|| self.bits.has(at).into())
    }

    /// Copies a range of `from` to the cells from `at` on. These cells must still be 0.
    fn copy(&mut self, at: usize, from: &Level, range: Range<usize>) {
        if from.values.is_empty() {
            return self.bits.copy(at, &from.bits, range);
        }
        self.values[at..at + range.len()].copy_from_slice(&from.values[range]);
    }

    /// Appends a range of cells to `bytes`, in the form in which a table stores cells.
    fn write(&self, range: Range<usize>, width: usize, bytes: &mut Vec<u8>) {
        if self.values.is_empty() {
            return self.bits.write(range, bytes);
        }
        let values = &self.values[range];
        // If the rules' bound were wrong, a value could be truncated. So check that all values fit.
        let fits = width > 1 || values.iter().all(|&value| value <= u16::from(u8::MAX));
        assert!(fits, "a value above the largest that the rules allow");
        write_cells(width, values.iter().copied().map(u32::from), bytes);
    }
}

pub(super) struct Compiled {
    game: Game,
    max_pile: Pile,
    isa: Isa,
    /// Level i holds positions of i + 1 piles: all words or all multisets over 0..=N, or a table of
    /// places.
    levels: Vec<Level>,
    /// The kernel of the prepared table, if its tiles are computed in order.
    in_order: Option<Kernel>,
    /// The tables that are filled option by option.
    others: Levels,
}

impl Compiled {
    pub(super) fn new(job: Job) -> Compiled {
        let Job { game, max_pile, isa } = job;
        let others = Levels::new(game, max_pile);
        Compiled { game, max_pile, isa, levels: Vec::new(), in_order: None, others }
    }

    fn side(&self) -> usize {
        self.max_pile as usize + 1
    }

    fn has_bits(&self) -> bool {
        self.game.outcomes_of().is_some()
    }

    /// Returns the value of the position without piles.
    fn empty(&self) -> u16 {
        law(self.game).misere.into()
    }

    /// Returns the shapes of rows of a length. If a table has shapes, so does every shorter table.
    fn shapes(&self, length: usize) -> Result<Shapes, FillError> {
        let found = shapes(law(self.game), length, self.max_pile as usize);
        found.map_err(|_| FillError::NotValues { table: self.name(length) })
    }

    fn name(&self, length: usize) -> String {
        let table = Table::new(self.game, self.max_pile, length);
        table.map_or_else(|why| why.to_string(), |table| table.to_string())
    }

    fn refused(&self, why: LimitError, length: usize) -> FillError {
        match why {
            LimitError::Stopped => FillError::Stopped(Stopped),
            LimitError::Memory { needed } => FillError::Memory {
                table: format!("{} ({} of sets)", self.name(length), Bytes(needed)),
            },
            LimitError::Value => self.too_wide(LARGEST_VALUE as u32, length),
        }
    }

    fn too_wide(&self, value: u32, length: usize) -> FillError {
        FillError::TooWide { game: self.game, position: self.name(length), value }
    }

    fn fill_grid(
        &self,
        found: &Shapes,
        length: usize,
        memory: u64,
        control: &Control,
    ) -> Result<Level, FillError> {
        let law = law(self.game);
        let grid = grid_of(law, found, self.max_pile, length);
        let guide = LawGuide { made: self, law, found, control };
        let mut cells = Level::default();
        let done = if self.has_bits() {
            grid.outcomes(memory, &guide, 0).map(|bits| cells.bits = bits)
        } else {
            cells.reset(false, grid.cells());
            grid.fill(Compiler::new(self.isa), memory, &guide, 1, &mut cells.values)
        };
        done.map_err(|why| self.refused(why, length))?;
        Ok(cells)
    }

    /// Adds levels of rows up to `length`.
    fn extend(&mut self, length: usize, memory: u64, control: &Control) -> Result<(), FillError> {
        // Levels of shorter heaps may have been filled as multisets, with fewer cells.
        let is_box =
            |(at, level): &(usize, &Level)| level.count() == self.side().pow(*at as u32 + 1);
        let boxes = self.levels.iter().enumerate().take_while(is_box).count();
        self.levels.truncate(boxes);
        while self.levels.len() < length {
            let longer = self.levels.len() + 1;
            let found = self.shapes(longer)?;
            let level = match *way(self.game, self.max_pile, longer) {
                Way::Tiles(_) => self.all_tiles(&found, longer, control)?,
                _ => self.fill_grid(&found, longer, memory, control)?,
            };
            self.levels.push(level);
        }
        Ok(())
    }

    /// Fills a level of rows tile by tile, if moves change only the ends.
    fn all_tiles(
        &self,
        found: &Shapes,
        length: usize,
        control: &Control,
    ) -> Result<Level, FillError> {
        let side = self.side();
        let tiles = Tiles::new(self, found, length);
        let middles = side.pow(length as u32 - 2);
        let mut level = Level::default();
        level.reset(self.has_bits(), middles * side * side);
        // The words that begin with the pile a form a slab. Each tile has one row in each slab. A
        // run has many cells, so the rest of its memory is relatively small.
        let lot = LANES * usize::div_ceil(1 << 12, side * side);
        let runs: Vec<(Vec<usize>, Level)> = (0..middles.div_ceil(lot))
            .into_par_iter()
            .map_init(Level::default, |cells, run| {
                control.check()?;
                let run = run * lot..middles.min((run + 1) * lot);
                let run: Vec<usize> = run.filter(|&middle| tiles.is_full(middle)).collect();
                tiles.fill(&run, cells);
                Ok((run, cells.clone()))
            })
            .collect::<Result<_, FillError>>()?;
        for (run, cells) in runs {
            for (tile, middle) in run.into_iter().enumerate() {
                for a in 0..side {
                    let from = (tile * side + a) * side;
                    level.copy((a * middles + middle) * side, &cells, from..from + side);
                }
            }
        }
        Ok(level)
    }

    /// Prepares to compute the tiles of a table in order.
    fn prepare_in_order(
        &mut self,
        table: &Table,
        way: &Way,
        memory: u64,
        control: &Control,
    ) -> Result<(), FillError> {
        let length = table.length();
        let Some(kernel) = Kernel::new(table, way) else {
            return Err(FillError::NotValues { table: table.to_string() });
        };
        let needed = in_order_bytes(table, way).unwrap_or(u64::MAX);
        if needed > memory {
            return Err(self.refused(LimitError::Memory { needed }, length));
        }
        match below(table, way)? {
            Some(below) => {
                let sets = memory.saturating_sub(kernel.bytes().saturating_add(below.cells));
                self.extend(length - 1, sets, control)?;
            }
            None => self.levels.clear(),
        }
        self.in_order = Some(kernel);
        Ok(())
    }

    fn rank(&self, word: impl Iterator<Item = Pile>) -> usize {
        word.fold(0, |rank, pile| rank * self.side() + pile as usize)
    }
}

impl Maker for Compiled {
    fn prepare(
        &mut self,
        table: &Table,
        needs: &Needs,
        control: &Control,
    ) -> Result<(), FillError> {
        let length = table.length();
        let way = way(self.game, self.max_pile, length);
        self.in_order = None;
        if needs.making == Making::Chained {
            return self.prepare_in_order(table, &way, needs.memory, control);
        }
        let memory = needs.memory.saturating_sub(amounts(table, &way).cells);
        match &*way {
            Way::Tiles(_) => self.extend(length - 1, memory, control),
            Way::Grid(_) if closes_up(law(self.game)) => self.extend(length, memory, control),
            Way::Grid(found) => {
                let level = self.fill_grid(found, length, memory, control)?;
                self.levels.resize(length, Level::default());
                self.levels[length - 1] = level;
                Ok(())
            }
            Way::Heaps(moves) => {
                let Some(heaps) = heaps_of(law(self.game), moves, self.max_pile, length) else {
                    return Err(self.refused(LimitError::Memory { needed: u64::MAX }, length));
                };
                let (mut cells, watch) = (Level::default(), Watch(control));
                let done = if self.has_bits() {
                    heaps.outcomes(memory, &watch).map(|bits| cells.bits = bits)
                } else {
                    cells.reset(false, heaps.cells());
                    heaps.fill(Compiler::new(self.isa), memory, &watch, &mut cells.values)
                };
                done.map_err(|why| self.refused(why, length))?;
                self.levels.resize(length, Level::default());
                self.levels[length - 1] = cells;
                Ok(())
            }
            Way::Sum(splits, _) => {
                let (compiler, last) = (Compiler::new(self.isa), self.max_pile as usize);
                let mut values = splits.values(compiler, last, |_| !control.is_stopped());
                control.check()?;
                if values.len() <= last {
                    return Err(self.too_wide(1 << 16, length));
                }
                values.remove(0);
                self.levels = vec![Level { values, ..Level::default() }];
                Ok(())
            }
            Way::OneByOne => self.others.prepare(table, needs, control),
        }
    }

    fn in_order<'a>(
        &'a self,
        table: &'a Table,
        control: &'a Control,
    ) -> Option<Box<dyn InOrder + 'a>> {
        let kernel = self.in_order.as_ref()?;
        let guide: Box<dyn Guide + 'a> = match kernel {
            Kernel::Grid(_, found) => {
                Box::new(LawGuide { made: self, law: law(self.game), found, control })
            }
            Kernel::Heaps(_) => Box::new(Watch(control)),
        };
        let refused = move |why| self.refused(why, table.length());
        Some(Box::new(OutcomeRun::new(kernel, guide, table, Box::new(refused))?))
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        match &*way(self.game, self.max_pile, table.length()) {
            Way::OneByOne => self.others.worker(table),
            way => {
                let tiles = match way {
                    Way::Tiles(found) => Some(Tiles::new(self, found, table.length())),
                    _ => None,
                };
                let heaps = match way {
                    Way::Heaps(_) => Multisets::new(self.max_pile + 1, table.length()),
                    _ => None,
                };
                let ([cells, out], bytes) = (<[Level; 2]>::default(), Vec::new());
                Box::new(LevelWorker { made: self, table, tiles, heaps, cells, out, bytes })
            }
        }
    }
}

/// Guides a kernel through rows and places.
struct LawGuide<'a> {
    made: &'a Compiled,
    law: &'static Law,
    found: &'a Shapes,
    control: &'a Control,
}

impl Guide for LawGuide<'_> {
    fn given(&self, _: usize, outer: &[u32], row: &mut [u16]) -> usize {
        if !closes_up(self.law) {
            return 0;
        }
        let level = |length: usize| self.made.levels.get(length.wrapping_sub(1));
        let others: Vec<Pile> = outer.iter().copied().filter(|&pile| pile > 0).collect();
        let at = self.made.rank(others.iter().copied());
        if others.len() == outer.len() {
            // A row with an empty last pile represents a shorter position.
            row[0] = level(outer.len()).map_or(self.made.empty(), |level| level.value(at));
            return 1;
        }
        if let Some(level) = level(others.len() + 1) {
            let from = at * row.len();
            row.iter_mut().zip(from..).for_each(|(cell, at)| *cell = level.value(at));
        }
        row.len()
    }

    fn open(&self, guard: usize, outer: &[u32], columns: &mut [bool]) -> Open {
        let guard = &self.found.guards[guard];
        let mut open = Open::Always;
        columns[self.law.least_pile() as usize..].fill(true);
        for table in &guard.tables {
            match table.close(outer, columns) {
                Open::Never => return Open::Never,
                Open::Some => open = Open::Some,
                Open::Always => {}
            }
        }
        if guard.texts.is_empty() {
            return open;
        }
        let mut piles = [outer, &[0]].concat();
        for (column, open) in (0..).zip(columns).filter(|(_, open)| **open) {
            piles[outer.len()] = column;
            let here = At::new(&piles);
            let mut evaluator = Evaluator::new(&here);
            *open = guard.texts.iter().all(|condition| match evaluator.truth(condition) {
                Ok(truth) => truth,
                Err(fault) => unreachable!("a guard has a value everywhere: {fault:?}"),
            });
        }
        Open::Some
    }

    fn goes_on(&self, _: u64) -> bool {
        !self.control.is_stopped()
    }
}

/// Guides a kernel through heaps.
struct Watch<'a>(&'a Control);

impl Guide for Watch<'_> {
    fn goes_on(&self, _: u64) -> bool {
        !self.0.is_stopped()
    }
}

/// The tiles of a level of rows whose moves change only the ends.
struct Tiles<'a> {
    made: &'a Compiled,
    grid: Grid,
    length: usize,
}

/// Converts a move on the two ends of a row to a move on two places.
fn on_ends(made: &Move, length: usize) -> Move {
    let ends = |vector: &[usize]| vec![vector[0], vector[length - 1]];
    let shape = match &made.shape {
        Shape::Ray { first, step } => Shape::Ray { first: ends(first), step: ends(step) },
        Shape::Box { piles, all } => {
            let piles = piles.iter().map(|&pile| usize::from(pile > 0)).collect();
            Shape::Box { piles, all: *all }
        }
    };
    Move { shape, guard: None }
}

impl Tiles<'_> {
    fn new<'a>(made: &'a Compiled, found: &Shapes, length: usize) -> Tiles<'a> {
        let moves: Vec<Move> = found.moves.iter().map(|made| on_ends(made, length)).collect();
        let side = made.side();
        Tiles { made, grid: Grid::new(&[side, side], &moves, made.empty()), length }
    }

    /// True if no pile of a middle is empty.
    fn is_full(&self, mut middle: usize) -> bool {
        (2..self.length).all(|_| {
            let pile = middle % self.made.side();
            middle /= self.made.side();
            pile > 0
        })
    }

    /// Fills the tiles of `middles` (words over 0..=N), with the rows and columns for ends of 0.
    fn fill(&self, middles: &[usize], cells: &mut Level) {
        let (size, has_bits) = (self.grid.cells(), self.made.has_bits());
        cells.reset(has_bits, middles.len() * size);
        // The kernel for values fills either `LANES` tiles or one tile at a time.
        let whole = if has_bits { 0 } else { middles.len() / LANES * LANES };
        let (together, single) = middles.split_at(whole);
        let mut at = 0;
        for run in together.chunks(LANES).chain(single.chunks(1)) {
            let borders = Borders { tiles: self, middles: run };
            let done = if has_bits {
                let tile = self.grid.outcomes(u64::MAX, &borders, 0);
                tile.map(|tile| cells.bits.copy(at, &tile, 0..size))
            } else {
                let cells = &mut cells.values[at..at + run.len() * size];
                self.grid.fill(Compiler::new(self.made.isa), u64::MAX, &borders, run.len(), cells)
            };
            at += run.len() * size;
            if let Err(why) = done {
                // The bound on values grows with the length, and it was checked for whole rows.
                unreachable!("a tile that cannot be filled: {why:?}");
            }
        }
    }
}

struct Borders<'a> {
    tiles: &'a Tiles<'a>,
    middles: &'a [usize],
}

impl Guide for Borders<'_> {
    fn given(&self, lane: usize, outer: &[u32], row: &mut [u16]) -> usize {
        let Tiles { made, length, .. } = self.tiles;
        let (middle, side) = (self.middles[lane], made.side());
        let level = |length: usize| made.levels.get(length.wrapping_sub(1));
        if outer[0] == 0 {
            if let Some(level) = level(length - 1) {
                row.iter_mut().zip(middle * side..).for_each(|(cell, at)| *cell = level.value(at));
            }
            row[0] = level(length - 2).map_or(made.empty(), |level| level.value(middle));
            return row.len();
        }
        let middles = side.pow(*length as u32 - 2);
        let at = outer[0] as usize * middles + middle;
        row[0] = level(length - 1).map_or(0, |level| level.value(at));
        1
    }
}

struct LevelWorker<'a> {
    made: &'a Compiled,
    table: &'a Table,
    /// The tiles, if they are filled on demand.
    tiles: Option<Tiles<'a>>,
    /// The multisets of a level of heaps. A heap of h coins is a pile of h + 1.
    heaps: Option<Multisets>,
    /// Filled tiles with rows and columns for 0, and the same cells without these rows and columns.
    cells: Level,
    out: Level,
    bytes: Vec<u8>,
}

impl Worker for LevelWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        let LevelWorker { made, table, tiles, heaps, cells, out, bytes } = self;
        let (side, cols, width) = (made.side(), table.tile_cols(), table.value_bytes());
        let [first_cell, end] =
            [first, first + count].map(|tile| tile as usize * table.tile_cells());
        bytes.clear();
        out.reset(table.has_bits(), end - first_cell);
        if let Some(tiles) = tiles {
            let mut word = Vec::new();
            let middle = |tile| {
                table.tile_word(tile, &mut word);
                made.rank(word.iter().copied())
            };
            let middles: Vec<usize> = (first..first + count).map(middle).collect();
            let mut at = 0;
            for run in middles.chunks(LANES) {
                tiles.fill(run, cells);
                for row in (0..run.len() * side).filter(|row| row % side > 0) {
                    out.copy(at, cells, row * side + 1..(row + 1) * side);
                    at += cols;
                }
            }
        } else if let Some(heaps) = heaps {
            let (level, mut at) = (&made.levels[table.length() - 1], 0);
            multisets(table).each_run(first..first + count, |piles, run| {
                let heap = piles.iter().enumerate();
                let from = heap.map(|(place, &pile)| heaps.term(place, pile + 1)).sum::<u64>();
                out.copy(at, level, from as usize..from as usize + run);
                at += run;
            });
        } else {
            let level = &made.levels[table.length() - 1];
            if level.count() == table.cells() as usize {
                level.write(first_cell..end, width, bytes);
                return bytes;
            }
            // Otherwise the level holds all words over 0..=N.
            for number in (first_cell..end).step_by(cols) {
                let Some(position) = table.position(number as u64) else { continue };
                let at = made.rank(position.piles().iter().copied());
                out.copy(number - first_cell, level, at..at + cols);
            }
        }
        out.write(0..out.count(), width, bytes);
        bytes
    }
}
