//! Arranges positions and their values in columns, and evaluates statements on the columns.

use grundy_kernels::cells::CellVec;
use grundy_kernels::{Compiler, EqualMask, Isa};
use grundy_language::Problem;
use grundy_language::fault::{Fault, Undefined};
use grundy_language::mirror::is_symmetric;
use grundy_rules::{Game, Memory, MoveSet, Pile};

use crate::band::Band;
use crate::lower::{lower, lower_band};
use crate::machine::{Around, Counts, DiagonalRun, Given, Lanes, Machine, Marks, Registers};
use crate::positions::{InTile, Listed, Places, Tile, layout};
use crate::program::{CHUNK, Input, Layout, LookupRange, Program, Width};
use crate::question::Question;
use crate::steps::Shape;
use crate::values::{Cells, Dense, Tiles, Values};

/// A statement compiled for all positions of one length.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    question: &'a Question,
    length: usize,
    tile_cells: usize,
    /// The program for single positions.
    list: Program,
    /// The program for tiles, and the program for the reversals of their positions, unless the
    /// reversals have the same results.
    tile: Option<Program>,
    back: Option<Program>,
    /// The programs for the bands of tiles, and of reversed positions, if they have bands.
    bands: [Option<(Program, Band)>; 2],
    /// True if the columns of a tile may be read beside the tiles of other games.
    has_tiles_beside: bool,
    isa: Isa,
}

impl Question {
    /// Compiles the statement for positions of `length` piles of at most `max_pile`. `tiles` gives
    /// the arrangement of the piles in tiles, and the number of cells of a tile.
    pub fn prepare(
        &self,
        length: usize,
        max_pile: Pile,
        tiles: Option<(Places, usize)>,
        isa: Isa,
    ) -> Result<Prepared<'_>, Problem> {
        let tile_cells = tiles.map_or(0, |(_, cells)| cells);
        let cells = tile_cells * together(tile_cells);
        let shape =
            Shape { length, max_pile, layout: Layout::List, tile_cells: cells, is_band: false };
        let compiled = |layout| {
            let found = lower(self.expr(), self.games(), Shape { layout, ..shape });
            found.map_err(|problem| problem.of(self.text()))
        };
        let list = compiled(Layout::List)?;
        let (mut tile, mut back, mut bands) = (None, None, [None, None]);
        // A band must be much smaller than the tile.
        let band = |layout| {
            let found = lower_band(self.expr(), self.games(), Shape { layout, ..shape });
            found.filter(|(_, band)| 3 * (2 * band.distance + 1) <= max_pile as usize)
        };
        if let Some((places, _)) = tiles {
            let layout = match places {
                Places::Between => Layout::Between,
                Places::Behind => Layout::Behind,
            };
            tile = Some(compiled(layout)?);
            if places == Places::Between && !is_symmetric(self.expr(), length) {
                back = Some(compiled(Layout::Backwards)?);
            }
            if places == Places::Between && length > 1 && together(tile_cells) == 1 {
                let reversed = back.as_ref().and_then(|_| band(Layout::Backwards));
                bands = [band(Layout::Between), reversed];
            }
        }
        let is_between = tiles.is_some_and(|(places, _)| places == Places::Between);
        let has_tiles_beside = is_between
            && length > 1
            && together(tile_cells) == 1
            && bands.iter().all(Option::is_none);
        let question = self;
        Ok(Prepared {
            question,
            length,
            tile_cells,
            list,
            tile,
            back,
            bands,
            has_tiles_beside,
            isa,
        })
    }
}

impl<'a> Prepared<'a> {
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the statement prepared for positions that come one by one instead of in tiles.
    #[must_use]
    pub fn for_single_positions(self) -> Prepared<'a> {
        Prepared { has_tiles_beside: false, ..self }
    }

    /// Returns the ranges of the positions that the statement looks up. Leaves out the options.
    pub fn lookups(&self) -> impl Iterator<Item = LookupRange> {
        let lookups = self.list.lookups.iter();
        lookups.map(|&one| LookupRange { is_here: one.is_here && self.has_tiles_beside, ..one })
    }

    /// True if the statement needs the options of each position.
    pub fn asks_options(&self) -> bool {
        !self.list.options.is_empty()
    }

    /// Returns the approximate number of steps for each cell, to estimate the time.
    pub fn steps(&self) -> usize {
        let of = |program: &Program, band: &Option<(Program, Band)>| match band {
            Some((program, band)) => {
                let lanes = (2 * band.distance + 1) * self.tile_cells.isqrt();
                program.per_cell.len() * lanes / self.tile_cells + 1
            }
            None => program.per_cell.len() + 1,
        };
        let back = self.back.as_ref().map_or(0, |program| of(program, &self.bands[1]));
        of(self.tile.as_ref().unwrap_or(&self.list), &self.bands[0]) + back
    }

    pub fn bits(&self) -> u32 {
        match self.tile.as_ref().unwrap_or(&self.list).width {
            Width::Two => 16,
            Width::Four => 32,
            Width::Eight => 64,
            Width::Sixteen => 128,
        }
    }

    pub fn worker<'b>(&'b self, values: &'b dyn Values) -> Worker<'b> {
        let programs = [&self.tile, &self.back].into_iter().zip(&self.bands);
        let reading = |(program, band): (&Option<Program>, &Option<(Program, Band)>)| {
            let band = band.as_ref();
            let together = together(self.tile_cells);
            let program = program.as_ref()?;
            let machine = machine(program, self.tile_cells, together);
            let equals = program.equals();
            let band = band.map(|(program, band)| Banded::new(program, *band, self.tile_cells));
            let batch = band.as_ref().map_or(together, |band| band.together);
            let (is_filled, waiting) = (false, Default::default());
            Some(Reading { machine, band, equals, batch, is_filled, waiting })
        };
        let here = self.lookups().filter(|one| one.is_here);
        let beside = here.filter_map(|one| Some((one.game, values.beside(one.game)?)));
        Worker {
            beside: beside.collect(),
            question: self.question,
            length: self.length,
            tile_cells: self.tile_cells,
            values,
            compiler: Compiler::new(self.isa),
            list: machine(&self.list, self.tile_cells, 1),
            readings: programs.filter_map(reading).collect(),
            isa: self.isa,
            masks: Vec::new(),
            listed: Listed { length: self.length, ..Listed::default() },
        }
    }
}

/// Returns the number of tiles in a column. A large tile has its own columns.
fn together(tile_cells: usize) -> usize {
    (CHUNK / tile_cells.max(1)).max(1)
}

fn machine(program: &Program, tile_cells: usize, together: usize) -> Box<dyn Machine> {
    match program.width {
        Width::Two => Box::new(Registers::<i16>::new(program, tile_cells, together)),
        Width::Four => Box::new(Registers::<i32>::new(program, tile_cells, together)),
        Width::Eight => Box::new(Registers::<i64>::new(program, tile_cells, together)),
        Width::Sixteen => Box::new(Registers::<i128>::new(program, tile_cells, together)),
    }
}

/// Evaluates a statement on one thread.
pub struct Worker<'a> {
    question: &'a Question,
    length: usize,
    tile_cells: usize,
    values: &'a dyn Values,
    /// The tiles of other games that belong to the current tile.
    beside: Vec<(Game, Tiles<'a>)>,
    compiler: Compiler,
    list: Box<dyn Machine>,
    /// The evaluation of tiles, and of the reversals of their positions if these differ.
    readings: Vec<Reading>,
    isa: Isa,
    /// For each row of a tile, the bits of its marked cells.
    masks: Vec<u64>,
    /// The single positions that were added and not yet evaluated.
    listed: Listed,
}

/// Evaluates a statement on tiles, or on the reversals of their positions.
struct Reading {
    machine: Box<dyn Machine>,
    band: Option<Banded>,
    /// The value of the positions at which the statement is true, if it says no more.
    equals: Option<u32>,
    /// The number of tiles that are evaluated together.
    batch: usize,
    /// True if the results that all tiles share are already computed.
    is_filled: bool,
    /// The tiles that were added and not yet evaluated, by weight: 1 and 2.
    waiting: [Waiting; 2],
}

/// Tiles that are evaluated together.
#[derive(Default)]
struct Waiting {
    words: Vec<Pile>,
    cells: Option<CellVec>,
    like: Option<(Places, usize)>,
}

impl std::fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Worker").field("question", &self.question.text()).finish_non_exhaustive()
    }
}

/// Positions at which a statement was evaluated.
pub struct Column<'a> {
    lanes: usize,
    weight: u64,
    counts: Counts,
    cells: (Cells<'a>, usize),
    truth: Truth<'a>,
    places: &'a dyn Lanes,
}

/// The lanes in which a statement is true.
#[derive(Clone, Copy)]
enum Truth<'a> {
    All,
    /// The bits of each row of tiles with `cols` columns.
    Rows {
        masks: &'a [u64],
        cols: usize,
    },
    /// The machine has evaluated the statement from this cell on.
    Machine {
        machine: &'a dyn Machine,
        from: usize,
        compiler: Compiler,
    },
}

impl Column<'_> {
    pub fn positions(&self) -> u64 {
        self.weight * self.lanes as u64
    }

    /// Returns the number of positions at which the statement is true.
    pub fn holds(&self) -> u64 {
        self.weight * self.counts.holds
    }

    /// Returns the number of positions at which the premise of the statement is true.
    pub fn premise(&self) -> u64 {
        self.weight * self.counts.premise
    }

    /// Returns a lower bound on the coins of each position.
    pub fn least_coins(&self) -> u64 {
        self.places.least_coins()
    }

    /// Calls `show` with each position at which the statement has the truth value `wanted`.
    pub fn each(&self, wanted: bool, mut show: impl FnMut(&[Pile], &Memory, u32)) {
        let mut piles = Vec::new();
        self.each_lane(wanted, |lane| {
            let memory = self.places.position(lane, &mut piles);
            let cell = self.cells.0.get(self.cells.1 + lane);
            show(&piles, &memory, cell);
            if self.weight == 2 {
                piles.reverse();
                show(&piles, &memory, cell);
            }
        });
    }

    /// Adds the positions at which the statement is true to the counts of their largest piles.
    pub fn count_by_largest_pile(&self, counts: &mut [u64]) {
        self.each_lane(true, |lane| counts[self.places.largest(lane) as usize] += self.weight);
    }

    fn each_lane(&self, wanted: bool, mut show: impl FnMut(usize)) {
        let found = if wanted { self.counts.holds } else { self.lanes as u64 - self.counts.holds };
        if found == 0 {
            return;
        }
        let mut bits = [0; CHUNK / 64];
        let (words, cols) = match self.truth {
            Truth::All => return (0..self.lanes).for_each(show),
            Truth::Rows { masks, cols } => (masks, cols),
            Truth::Machine { machine, from, compiler } => {
                machine.holds(from, self.lanes, compiler, &mut bits);
                (&bits[..self.lanes.div_ceil(64)], self.lanes)
            }
        };
        for (row, words) in words.chunks(cols.div_ceil(64)).enumerate() {
            for (at, word) in words.iter().enumerate() {
                let mut word = if wanted { *word } else { !word };
                while word != 0 {
                    let col = 64 * at + word.trailing_zeros() as usize;
                    word &= word - 1;
                    if col >= cols {
                        break;
                    }
                    show(row * cols + col);
                }
            }
        }
    }
}

impl std::fmt::Debug for Column<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Column").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}

pub type Show<'a> = &'a mut dyn FnMut(&Column<'_>);

impl Worker<'_> {
    /// Evaluates a tile. Tiles that are evaluated together wait for the others, or for
    /// [`Worker::flush`].
    pub fn tile(&mut self, tile: Tile<'_>, show: Show<'_>) -> Result<(), Undefined> {
        let is_twice = tile.weight == 2 && self.readings.len() == 2;
        let weight = if is_twice { 1 } else { tile.weight };
        for at in 0..if is_twice { 2 } else { 1 } {
            let Reading { band, batch, waiting, .. } = &mut self.readings[at];
            // A band decides all its tiles or none, so keep the tiles that it excludes apart.
            if *batch == 1 || (band.is_some() && is_excluded(tile.word)) {
                self.run(at, Tile { weight, ..tile }, show)?;
                continue;
            }
            let waiting = &mut waiting[weight as usize - 1];
            waiting.words.extend_from_slice(tile.word);
            let most = *batch * self.tile_cells;
            let new = || CellVec::with_capacity(tile.cells.width(), most);
            let cells = waiting.cells.get_or_insert_with(new);
            cells.extend(tile.cells);
            waiting.like = Some((tile.places, tile.cols));
            if cells.cells().count() == most {
                self.run_waiting(at, weight, show)?;
            }
        }
        Ok(())
    }

    fn run_waiting(&mut self, at: usize, weight: u64, show: Show<'_>) -> Result<(), Undefined> {
        let mut waiting = std::mem::take(&mut self.readings[at].waiting[weight as usize - 1]);
        if let (Some((places, cols)), Some(cells)) = (waiting.like.take(), &mut waiting.cells) {
            let (word, values) = (&waiting.words[..], cells.cells());
            self.run(at, Tile { word, places, cols, cells: values, weight }, show)?;
            waiting.words.clear();
            cells.clear();
        }
        self.readings[at].waiting[weight as usize - 1] = waiting;
        Ok(())
    }

    /// Evaluates tiles by a mask or in the band, or in all cells if these do not decide them.
    fn run(&mut self, at: usize, tile: Tile<'_>, show: Show<'_>) -> Result<(), Undefined> {
        let Worker { question, values, compiler, tile_cells, length, .. } = *self;
        let Tile { cells, weight, word, .. } = tile;
        let (count, shared) = (cells.count(), length.saturating_sub(2));
        if let Some(value) = self.readings[at].equals
            && mark_all(self.isa, cells, tile.cols, value, &mut self.masks)
        {
            let holds = self.masks.iter().map(|mask| u64::from(mask.count_ones())).sum();
            let counts = Counts { holds, premise: 0, marked: 0 };
            let lanes = InTile::new(&tile, layout(at, tile.places), length, tile_cells);
            let truth = Truth::Rows { masks: &self.masks, cols: tile.cols };
            let (cells, places) = ((cells, 0), &lanes);
            show(&Column { lanes: count, weight, counts, cells, truth, places });
            return Ok(());
        }
        if let Some(band) = &mut self.readings[at].band {
            let lanes = InTile::new(&tile, layout(at, tile.places), length, tile_cells);
            let game = question.game();
            let around = Around { game, values, beside: &[], lanes: &lanes, compiler };
            if let Some(premise) = band.premise(&lanes, self.isa, &mut self.masks, &around) {
                let counts = Counts { holds: count as u64, premise, marked: 0 };
                let (cells, places) = ((cells, 0), &lanes);
                let (lanes, truth) = (count, Truth::All);
                show(&Column { lanes, weight, counts, cells, truth, places });
                return Ok(());
            }
        }
        let (tiles, together) = (count / tile_cells, together(tile_cells));
        for first in (0..tiles).step_by(together) {
            let end = tiles.min(first + together);
            let word = &word[first * shared..end * shared];
            let cells = cells.part(first * tile_cells..end * tile_cells);
            self.run_all_cells(at, Tile { word, cells, ..tile }, show)?;
        }
        Ok(())
    }

    /// Evaluates all cells of a large tile, or of several small ones.
    fn run_all_cells(
        &mut self,
        at: usize,
        tile: Tile<'_>,
        show: Show<'_>,
    ) -> Result<(), Undefined> {
        let Worker { question, values, compiler, tile_cells, .. } = *self;
        let Tile { cells, weight, .. } = tile;
        let count = cells.count();
        let mut lanes = InTile::new(&tile, layout(at, tile.places), self.length, tile_cells);
        for (_, tiles) in &mut self.beside {
            (tiles.fill)(tile.word, &mut tiles.cells);
        }
        let strides = lanes.strides();
        let max_pile = tile.cols as Pile;
        let beside = self.beside.iter();
        let beside = beside.map(|(game, tiles)| {
            let cells = tiles.cells.cells();
            (*game, Dense { cells, strides: &strides, max_pile })
        });
        let beside: Vec<_> = beside.collect();
        let Reading { machine, is_filled, .. } = &mut self.readings[at];
        let game = question.game();
        let around = Around { game, values, beside: &beside, lanes: &lanes, compiler };
        if !*is_filled {
            let all = together(tile_cells) * tile_cells;
            let (row, col) = lanes.ends();
            let mut rows = (0..all).map(|at| (at % tile_cells / tile.cols) as Pile + 1);
            let mut columns = (0..all).map(|at| (at % tile.cols) as Pile + 1);
            if let Some(row) = row {
                machine.set_table(Input::Pile(row), &mut rows);
            }
            machine.set_table(Input::Pile(col), &mut columns);
            machine.run_table(all, &around).map_err(|f| undefined(question, &lanes, f))?;
            *is_filled = true;
        }
        lanes.fill_word(machine.as_mut());
        let tiles = count / tile_cells;
        machine.run_tiles(tiles, &around).map_err(|f| undefined(question, &lanes, f))?;
        for from in (0..count).step_by(CHUNK) {
            let here = CHUNK.min(count - from);
            lanes.from = from;
            lanes.fill_ends(machine.as_mut(), here);
            let around = Around { game, values, beside: &beside, lanes: &lanes, compiler };
            let counts = machine
                .run_cells(from, here, Given::Cells(cells, from), &around)
                .map_err(|f| undefined(question, &lanes, f))?;
            show(&Column {
                lanes: here,
                weight,
                counts,
                cells: (cells, from),
                truth: Truth::Machine { machine: machine.as_ref(), from, compiler },
                places: &lanes,
            });
        }
        Ok(())
    }

    /// Adds a position. Positions are evaluated when a column is full, or by [`Worker::flush`].
    pub fn push(
        &mut self,
        piles: &[Pile],
        memory: &Memory,
        cell: u32,
        show: Show<'_>,
    ) -> Result<(), Undefined> {
        self.listed.push(piles, memory, cell);
        if self.listed.cells.len() == CHUNK { self.run_listed(show) } else { Ok(()) }
    }

    /// Evaluates the positions and tiles that were added.
    pub fn flush(&mut self, show: Show<'_>) -> Result<(), Undefined> {
        for at in 0..self.readings.len() {
            self.run_waiting(at, 1, show)?;
            self.run_waiting(at, 2, show)?;
        }
        self.run_listed(show)
    }

    fn run_listed(&mut self, show: Show<'_>) -> Result<(), Undefined> {
        let listed = &self.listed;
        let count = listed.cells.len();
        if count == 0 {
            return Ok(());
        }
        for at in 0..self.length {
            self.list.set_piles(Input::Pile(at), &listed.piles[at..], self.length);
        }
        let mut states = listed.memories.iter().map(|memory| i128::from(memory.state()));
        self.list.set_cells(Input::State, &mut states);
        let mut moves = listed.memories.iter().map(|memory| match memory {
            Memory::Available(set) => mask(set),
            _ => 0,
        });
        self.list.set_cells(Input::Moves, &mut moves);
        let (question, values, compiler) = (self.question, self.values, self.compiler);
        let game = question.game();
        let around = Around { game, values, beside: &[], lanes: listed, compiler };
        let cells = (Cells::Longs(&listed.cells), 0);
        let counts = self
            .list
            .run_cells(0, count, Given::Cells(cells.0, cells.1), &around)
            .map_err(|fault| undefined(question, listed, fault))?;
        show(&Column {
            lanes: count,
            weight: 1,
            counts,
            cells,
            truth: Truth::Machine { machine: self.list.as_ref(), from: 0, compiler },
            places: listed,
        });
        self.listed.clear();
        Ok(())
    }
}

/// True for two or more equal inner piles and no other, which [`Lower`](crate::steps::Lower)
/// excludes from bands.
fn is_excluded(word: &[Pile]) -> bool {
    matches!(word, [first, _, ..] if word.iter().all(|pile| pile == first))
}

/// Evaluates a statement in the bands of several tiles.
struct Banded {
    machine: Box<dyn Machine>,
    band: Band,
    /// The number of tiles whose bands fill a column.
    together: usize,
    /// The cells of the band, in chunks: the index of the first cell, and the number of cells.
    chunks: Vec<(usize, usize, Vec<DiagonalRun>)>,
    is_filled: bool,
}

impl Banded {
    fn new(program: &Program, band: Band, tile_cells: usize) -> Banded {
        let (n, distance) = (tile_cells.isqrt(), band.distance);
        let lower = (0..=distance).map(|by| DiagonalRun { row: by, col: 0, count: n - by });
        let upper = (1..=distance).map(|by| DiagonalRun { row: 0, col: by, count: n - by });
        let mut chunks: Vec<(usize, usize, Vec<DiagonalRun>)> = vec![(0, 0, Vec::new())];
        for DiagonalRun { row, col, count } in lower.chain(upper) {
            let mut done = 0;
            while done < count {
                let last = chunks.len() - 1;
                let (from, lanes, runs) = &mut chunks[last];
                let here = (CHUNK - *lanes).min(count - done);
                if here == 0 {
                    let next = (*from + *lanes, 0, Vec::new());
                    chunks.push(next);
                    continue;
                }
                runs.push(DiagonalRun { row: row + done, col: col + done, count: here });
                *lanes += here;
                done += here;
            }
        }
        let lanes = chunks.iter().map(|(_, lanes, _)| lanes).sum();
        let together = together(lanes);
        let machine = machine(program, lanes, together);
        Banded { machine, band, together, chunks, is_filled: false }
    }

    /// Returns the number of cells of the tiles at which the premise is true, if the statement is
    /// true at all cells. `None` if it is false at some cell, or has no value there, and for the
    /// few tiles that [`is_excluded`] names.
    fn premise(
        &mut self,
        tile: &InTile<'_>,
        isa: Isa,
        masks: &mut Vec<u64>,
        around: &Around<'_>,
    ) -> Option<u64> {
        let Banded { machine, band, together, chunks, is_filled } = self;
        let (cols, cells) = (tile.cols, tile.cells.count());
        let tiles = cells / tile.each;
        if tiles == 1 && is_excluded(tile.word) {
            return None;
        }
        let words = cols.div_ceil(64);
        if !mark_all(isa, tile.cells, cols, band.value, masks) {
            return None;
        }
        if !*is_filled {
            let each = || chunks.iter().flat_map(|(_, _, runs)| runs);
            let runs = || (0..*together).flat_map(|_| each());
            let (row, col) = tile.ends();
            let mut rows =
                runs().flat_map(|run| (run.row..run.row + run.count).map(|at| at as Pile + 1));
            let mut columns =
                runs().flat_map(|run| (run.col..run.col + run.count).map(|at| at as Pile + 1));
            machine.set_table(Input::Pile(row?), &mut rows);
            machine.set_table(Input::Pile(col), &mut columns);
            let lanes: usize = chunks.iter().map(|(_, lanes, _)| lanes).sum();
            machine.run_table(*together * lanes, around).ok()?;
            *is_filled = true;
        }
        tile.fill_word(machine.as_mut());
        machine.run_tiles(tiles, around).ok()?;
        let all: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
        let (mut lanes, mut inside) = (0, Counts::default());
        for (from, here, runs) in chunks {
            // The bands of several tiles fit into one column, so they have one chunk.
            let here = tiles * *here;
            let marks = Given::Marks(Marks { masks, words, tiles, runs });
            let Counts { holds, premise, marked } =
                machine.run_cells(*from, here, marks, around).ok()?;
            if holds < here as u64 {
                return None;
            }
            lanes += here as u64;
            inside.premise += premise;
            inside.marked += marked;
        }
        let marked = u64::from(all) - inside.marked;
        if marked > 0 && !band.allows_marks {
            return None;
        }
        let [unmarked_premise, marked_premise] = band.premise.map(u64::from);
        let unmarked = cells as u64 - lanes - marked;
        Some(inside.premise + unmarked_premise * unmarked + marked_premise * marked)
    }
}

/// Sets the bits of the cells with a value, row by row. False if the cells are too wide.
fn mark_all(isa: Isa, cells: Cells<'_>, cols: usize, value: u32, masks: &mut Vec<u64>) -> bool {
    masks.resize(cells.count() / cols * cols.div_ceil(64), 0);
    match cells {
        Cells::Bytes(cells) => mark(isa, cells, cols, value, masks),
        Cells::Words(cells) => mark(isa, cells, cols, value, masks),
        Cells::Longs(_) => return false,
    }
    true
}

/// Sets the bits of the cells with a value, row by row.
fn mark<T: EqualMask>(isa: Isa, cells: &[T], cols: usize, value: u32, masks: &mut [u64]) {
    // A larger value than a cell can have marks no cell.
    match u64::from(value) >> (8 * T::BYTES) {
        0 => T::equal_mask(isa, cells, cols, T::from_value(value), masks),
        _ => masks.fill(0),
    }
}

/// Returns a set of moves as bits. No table has moves above 126.
fn mask(set: &MoveSet) -> i128 {
    set.iter().take_while(|&s| s <= 126).fold(0, |mask, s| mask | 1 << (s - 1))
}

fn undefined(question: &Question, lanes: &dyn Lanes, (lane, fault): (usize, Fault)) -> Undefined {
    let mut piles = Vec::new();
    let memory = lanes.position(lane, &mut piles);
    Undefined::new(
        fault,
        question.game().position_with(&piles, &memory).to_string(),
        question.text(),
    )
}
