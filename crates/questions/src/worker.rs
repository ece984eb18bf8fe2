//! Arranges positions and their values in columns, and evaluates statements on the columns.

use grundy_kernels::{Compiler, EqualMask, Isa};
use grundy_language::Problem;
use grundy_language::fault::{Fault, Undefined};
use grundy_language::mirror::is_symmetric;
use grundy_rules::{Game, Memory, MoveSet, Pile};

use crate::band::Band;
use crate::lower::{lower, lower_band};
use crate::machine::{Around, Counts, DiagonalRun, Given, Lanes, Machine, Registers};
use crate::program::{CHUNK, Input, Layout, Program, Width};
use crate::question::Question;
use crate::steps::Shape;
use crate::values::{Cells, Lines, Values};

/// The least number of cells of a tile that has its own columns. Smaller tiles share columns.
const SMALLEST_TILE: usize = 256;

/// The arrangement of the piles in the positions of a tile. All positions share the piles w. The
/// pile a gives the row, and the pile b gives the column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// The positions are a w b; for single piles they are b alone.
    Between,
    /// The positions are w a b.
    Behind,
}

/// A tile: all positions with the same piles w, for a and b from 1 on.
#[derive(Clone, Copy, Debug)]
pub struct Tile<'a> {
    /// The shared piles, w.
    pub word: &'a [Pile],
    pub places: Places,
    /// The number of columns. The number of rows follows from the number of values.
    pub cols: usize,
    pub cells: Cells<'a>,
    /// The number of positions for which each cell stands: 2 if it also stands for the reversed
    /// position, otherwise 1.
    pub weight: u64,
}

/// A statement compiled for all positions of one length.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    question: &'a Question,
    length: usize,
    tile_cells: usize,
    /// The program for single positions.
    list: Program,
    /// The program for large tiles, and the program for the reversals of their positions. `None`
    /// for small tiles, or if the reversals have the same results.
    tile: Option<Program>,
    back: Option<Program>,
    /// The programs for the bands of tiles, and of reversed positions, if they have bands.
    bands: [Option<(Program, Band)>; 2],
    isa: Isa,
}

/// The positions of a game that a compiled statement may look up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupRange {
    pub game: Game,
    pub length: usize,
    pub max_pile: u64,
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
        let shape = Shape { length, max_pile, layout: Layout::List, tile_cells, is_band: false };
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
        if let Some((places, _)) = tiles.filter(|_| tile_cells >= SMALLEST_TILE) {
            let layout = match places {
                Places::Between => Layout::Between,
                Places::Behind => Layout::Behind,
            };
            tile = Some(compiled(layout)?);
            if places == Places::Between && !is_symmetric(self.expr(), length) {
                back = Some(compiled(Layout::Backwards)?);
            }
            if places == Places::Between && length > 1 {
                let reversed = back.as_ref().and_then(|_| band(Layout::Backwards));
                bands = [band(Layout::Between), reversed];
            }
        }
        Ok(Prepared { question: self, length, tile_cells, list, tile, back, bands, isa })
    }
}

impl<'a> Prepared<'a> {
    pub fn length(&self) -> usize {
        self.length
    }

    /// Returns the ranges of the positions that the statement looks up. Leaves out the options.
    pub fn lookups(&self) -> impl Iterator<Item = LookupRange> {
        self.list.lookups.iter().map(|&(game, length, largest)| {
            let max_pile = u64::try_from(largest.max(0)).unwrap_or(u64::MAX);
            LookupRange { game, length, max_pile }
        })
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
        let machine = |program: &Program| machine(program, self.tile_cells);
        Worker {
            question: self.question,
            length: self.length,
            values,
            compiler: Compiler::new(self.isa),
            list: machine(&self.list),
            tile: self.tile.as_ref().map(machine),
            back: self.back.as_ref().map(machine),
            bands: self.bands.each_ref().map(|band| {
                band.as_ref().map(|(program, band)| Banded::new(program, *band, self.tile_cells))
            }),
            isa: self.isa,
            masks: Vec::new(),
            is_filled: false,
            waiting: Listed::new(self.length),
        }
    }
}

fn machine(program: &Program, tile_cells: usize) -> Box<dyn Machine> {
    match program.width {
        Width::Two => Box::new(Registers::<i16>::new(program, tile_cells)),
        Width::Four => Box::new(Registers::<i32>::new(program, tile_cells)),
        Width::Eight => Box::new(Registers::<i64>::new(program, tile_cells)),
        Width::Sixteen => Box::new(Registers::<i128>::new(program, tile_cells)),
    }
}

/// Evaluates a statement on one thread.
pub struct Worker<'a> {
    question: &'a Question,
    length: usize,
    values: &'a dyn Values,
    compiler: Compiler,
    list: Box<dyn Machine>,
    tile: Option<Box<dyn Machine>>,
    back: Option<Box<dyn Machine>>,
    bands: [Option<Banded>; 2],
    isa: Isa,
    /// For each row of a tile, the bits of its marked cells.
    masks: Vec<u64>,
    /// True if the results that all tiles share are already computed.
    is_filled: bool,
    waiting: Listed,
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
    /// `None` if the statement is true in all lanes.
    machine: Option<&'a dyn Machine>,
    from: usize,
    places: &'a dyn Lanes,
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
        let found = if wanted { self.counts.holds } else { self.lanes as u64 - self.counts.holds };
        if found == 0 {
            return;
        }
        let mut bits = [u64::MAX; CHUNK / 64];
        if let Some(machine) = self.machine {
            machine.holds(self.from, self.lanes, &mut bits);
        }
        let mut piles = Vec::new();
        for at in 0..self.lanes.div_ceil(64) {
            let word = bits[at % bits.len()];
            let mut word = if wanted { word } else { !word };
            while word != 0 {
                let lane = 64 * at + word.trailing_zeros() as usize;
                word &= word - 1;
                if lane >= self.lanes {
                    return;
                }
                let memory = self.places.position(lane, &mut piles);
                let cell = self.cells.0.get(self.cells.1 + lane);
                show(&piles, &memory, cell);
                if self.weight == 2 {
                    piles.reverse();
                    show(&piles, &memory, cell);
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
    pub fn tile(&mut self, tile: Tile<'_>, show: Show<'_>) -> Result<(), Undefined> {
        if self.tile.is_none() {
            return self.tile_by_positions(tile, show);
        }
        if !self.is_filled {
            self.fill(&tile)?;
            self.is_filled = true;
        }
        let is_twice = tile.weight == 2 && self.back.is_some();
        let weight = if is_twice { 1 } else { tile.weight };
        let (question, values, compiler) = (self.question, self.values, self.compiler);
        let layout = match tile.places {
            Places::Between => Layout::Between,
            Places::Behind => Layout::Behind,
        };
        let [band, back_band] = &mut self.bands;
        let readings = [
            (self.tile.as_mut(), layout, band),
            (self.back.as_mut(), Layout::Backwards, back_band),
        ];
        for (machine, layout, band) in readings.into_iter().take(if is_twice { 2 } else { 1 }) {
            let Some(machine) = machine else { continue };
            let mut lanes = InTile::new(&tile, layout, self.length);
            let count = tile.cells.count();
            let around = Around { game: question.game(), values, lanes: &lanes, compiler };
            if let Some(band) = band
                && let Some(premise) = band.premise(&lanes, self.isa, &mut self.masks, &around)
            {
                let counts = Counts { holds: count as u64, premise, marked: 0 };
                let (cells, places) = ((tile.cells, 0), &lanes);
                show(&Column {
                    lanes: count,
                    weight,
                    counts,
                    cells,
                    machine: None,
                    from: 0,
                    places,
                });
                continue;
            }
            lanes.fill_word(machine.as_mut());
            machine.run_tile(&around).map_err(|f| undefined(question, &lanes, f))?;
            for from in (0..count).step_by(CHUNK) {
                let here = CHUNK.min(count - from);
                lanes.from = from;
                if count > CHUNK {
                    lanes.fill_ends(machine.as_mut(), here);
                }
                let around = Around { game: question.game(), values, lanes: &lanes, compiler };
                let counts = machine
                    .run_cells(from, here, Given::Cells(tile.cells, from), &around)
                    .map_err(|f| undefined(question, &lanes, f))?;
                show(&Column {
                    lanes: here,
                    weight,
                    counts,
                    cells: (tile.cells, from),
                    machine: Some(machine.as_ref()),
                    from,
                    places: &lanes,
                });
            }
        }
        Ok(())
    }

    fn fill(&mut self, tile: &Tile<'_>) -> Result<(), Undefined> {
        let (cols, count) = (tile.cols, tile.cells.count());
        let (question, values, compiler) = (self.question, self.values, self.compiler);
        let forward = if tile.places == Places::Behind { Layout::Behind } else { Layout::Between };
        let machines = [(self.tile.as_mut(), forward), (self.back.as_mut(), Layout::Backwards)];
        for (machine, layout) in machines {
            let Some(machine) = machine else { continue };
            let lanes = InTile::new(tile, layout, self.length);
            let (row, col) = lanes.ends();
            let mut rows = (0..count).map(|at| (at / cols) as Pile + 1);
            let mut columns = (0..count).map(|at| (at % cols) as Pile + 1);
            if let Some(row) = row {
                machine.set_table(Input::Pile(row), &mut rows);
            }
            machine.set_table(Input::Pile(col), &mut columns);
            let around = Around { game: question.game(), values, lanes: &lanes, compiler };
            machine.run_table(count, &around).map_err(|f| undefined(question, &lanes, f))?;
        }
        Ok(())
    }

    /// Evaluates a tile that is too small for its own columns.
    fn tile_by_positions(&mut self, tile: Tile<'_>, show: Show<'_>) -> Result<(), Undefined> {
        let layout = match tile.places {
            Places::Between => Layout::Between,
            Places::Behind => Layout::Behind,
        };
        let lanes = InTile::new(&tile, layout, self.length);
        let mut piles = Vec::new();
        for at in 0..tile.cells.count() {
            let memory = lanes.position(at, &mut piles);
            self.push(&piles, &memory, tile.cells.get(at), show)?;
            if tile.weight == 2 {
                piles.reverse();
                self.push(&piles, &memory, tile.cells.get(at), show)?;
            }
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
        self.waiting.push(piles, memory, cell);
        if self.waiting.cells.len() == CHUNK { self.flush(show) } else { Ok(()) }
    }

    /// Evaluates the positions that were added.
    pub fn flush(&mut self, show: Show<'_>) -> Result<(), Undefined> {
        let waiting = &self.waiting;
        let count = waiting.cells.len();
        if count == 0 {
            return Ok(());
        }
        for (at, column) in waiting.piles.iter().enumerate() {
            let mut column = column.iter().map(|&pile| i128::from(pile));
            self.list.set_cells(Input::Pile(at), &mut column);
        }
        let mut taken = waiting.memories.iter().map(|memory| match memory {
            Memory::LastMove(taken) => i128::from(*taken),
            _ => 0,
        });
        self.list.set_cells(Input::LastMove, &mut taken);
        let mut moves = waiting.memories.iter().map(|memory| match memory {
            Memory::Available(set) => mask(set),
            _ => 0,
        });
        self.list.set_cells(Input::Moves, &mut moves);
        let (question, values, compiler) = (self.question, self.values, self.compiler);
        let around = Around { game: question.game(), values, lanes: waiting, compiler };
        let cells = (Cells::Longs(&waiting.cells), 0);
        let counts = self
            .list
            .run_cells(0, count, Given::Cells(cells.0, cells.1), &around)
            .map_err(|fault| undefined(question, waiting, fault))?;
        show(&Column {
            lanes: count,
            weight: 1,
            counts,
            cells,
            machine: Some(self.list.as_ref()),
            from: 0,
            places: waiting,
        });
        self.waiting.clear();
        Ok(())
    }
}

/// Evaluates a statement in the band of a tile.
struct Banded {
    machine: Box<dyn Machine>,
    band: Band,
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
        Banded { machine: machine(program, lanes), band, chunks, is_filled: false }
    }

    /// Returns the number of cells of a tile at which the premise is true, if the statement is true
    /// at all cells. `None` if it is false at some cell, or has no value there, and for the few
    /// tiles with two or more equal inner piles and no other, which [`Lower`](crate::steps::Lower)
    /// excludes.
    fn premise(
        &mut self,
        tile: &InTile<'_>,
        isa: Isa,
        masks: &mut Vec<u64>,
        around: &Around<'_>,
    ) -> Option<u64> {
        let Banded { machine, band, chunks, is_filled } = self;
        if matches!(tile.word, [first, _, ..] if tile.word.iter().all(|pile| pile == first)) {
            return None;
        }
        let (cols, cells) = (tile.cols, tile.cells.count());
        let words = cols.div_ceil(64);
        masks.resize(cells / cols * words, 0);
        match tile.cells {
            Cells::Bytes(cells) => mark(isa, cells, cols, band.value, masks),
            Cells::Words(cells) => mark(isa, cells, cols, band.value, masks),
            Cells::Longs(_) => return None,
        }
        if !*is_filled {
            let runs = || chunks.iter().flat_map(|(_, _, runs)| runs);
            let (row, col) = tile.ends();
            let mut rows =
                runs().flat_map(|run| (run.row..run.row + run.count).map(|at| at as Pile + 1));
            let mut columns =
                runs().flat_map(|run| (run.col..run.col + run.count).map(|at| at as Pile + 1));
            machine.set_table(Input::Pile(row?), &mut rows);
            machine.set_table(Input::Pile(col), &mut columns);
            let lanes = chunks.iter().map(|(_, lanes, _)| lanes).sum();
            machine.run_table(lanes, around).ok()?;
            *is_filled = true;
        }
        tile.fill_word(machine.as_mut());
        machine.run_tile(around).ok()?;
        let all: u32 = masks.iter().map(|mask| mask.count_ones()).sum();
        let (mut lanes, mut inside) = (0, Counts::default());
        for (from, here, runs) in chunks {
            let marks = Given::Marks(masks, words, runs);
            let Counts { holds, premise, marked } =
                machine.run_cells(*from, *here, marks, around).ok()?;
            if holds < *here as u64 {
                return None;
            }
            lanes += *here as u64;
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

/// The positions of a tile, beginning with the cell `from`.
struct InTile<'a> {
    word: &'a [Pile],
    layout: Layout,
    cols: usize,
    cells: Cells<'a>,
    from: usize,
    length: usize,
}

impl<'a> InTile<'a> {
    fn new(tile: &Tile<'a>, layout: Layout, length: usize) -> InTile<'a> {
        let &Tile { word, cols, cells, .. } = tile;
        InTile { word, layout, cols, cells, from: 0, length }
    }

    /// Returns the indices of a and b among the piles; a may be missing.
    fn ends(&self) -> (Option<usize>, usize) {
        let last = self.length - 1;
        match self.layout {
            _ if self.length == 1 => (None, 0),
            Layout::Backwards => (Some(last), 0),
            Layout::Behind => (Some(last - 1), last),
            _ => (Some(0), last),
        }
    }

    /// Fills the inputs for the piles that all cells of the tile share.
    fn fill_word(&self, machine: &mut dyn Machine) {
        let between = self.length.saturating_sub(self.word.len());
        for (at, &pile) in self.word.iter().enumerate() {
            let place = match self.layout {
                Layout::Between => at + between - 1,
                Layout::Backwards => self.word.len() - 1 - at + between - 1,
                _ => at,
            };
            machine.set_tile(Input::Pile(place), pile);
        }
    }

    /// Fills the inputs for the end piles, which have the rate Cell in large tiles.
    fn fill_ends(&self, machine: &mut dyn Machine, lanes: usize) {
        let (row, col) = self.ends();
        let cells = self.from..self.from + lanes;
        if let Some(row) = row {
            let mut rows = cells.clone().map(|at| (at / self.cols) as i128 + 1);
            machine.set_cells(Input::Pile(row), &mut rows);
        }
        machine.set_cells(Input::Pile(col), &mut cells.map(|at| (at % self.cols) as i128 + 1));
    }
}

impl Lanes for InTile<'_> {
    fn position(&self, lane: usize, piles: &mut Vec<Pile>) -> Memory {
        let cell = self.from + lane;
        let (a, b) = ((cell / self.cols) as Pile + 1, (cell % self.cols) as Pile + 1);
        piles.clear();
        let a = (self.length > 1).then_some(a);
        match self.layout {
            Layout::Backwards => {
                piles.push(b);
                piles.extend(self.word.iter().rev());
                piles.extend(a);
            }
            Layout::Behind => {
                piles.extend_from_slice(self.word);
                piles.extend(a);
                piles.push(b);
            }
            _ => {
                piles.extend(a);
                piles.extend_from_slice(self.word);
                piles.push(b);
            }
        }
        Memory::Nothing
    }

    fn tile(&self) -> Option<Lines<'_>> {
        let steps = match self.layout {
            Layout::Between => [self.cols, 1],
            Layout::Backwards => [1, self.cols],
            _ if self.length == 2 => [self.cols, 1],
            _ => return None,
        };
        (self.length > 1).then_some(Lines { cells: self.cells, from: self.from, steps })
    }

    fn least_coins(&self) -> u64 {
        let word: u64 = self.word.iter().map(|&pile| u64::from(pile)).sum();
        let first_row = if self.length > 1 { (self.from / self.cols) as u64 + 1 } else { 0 };
        word + first_row + 1
    }
}

/// Positions that are given one by one.
#[derive(Clone)]
struct Listed {
    /// The piles. The i-th column contains the i-th pile of each position.
    piles: Vec<Vec<Pile>>,
    memories: Vec<Memory>,
    cells: Vec<u32>,
}

impl Listed {
    fn new(length: usize) -> Listed {
        Listed { piles: vec![Vec::new(); length], memories: Vec::new(), cells: Vec::new() }
    }

    fn push(&mut self, piles: &[Pile], memory: &Memory, cell: u32) {
        self.piles.iter_mut().zip(piles).for_each(|(column, &pile)| column.push(pile));
        self.memories.push(memory.clone());
        self.cells.push(cell);
    }

    fn clear(&mut self) {
        self.piles.iter_mut().for_each(Vec::clear);
        self.memories.clear();
        self.cells.clear();
    }
}

impl Lanes for Listed {
    fn position(&self, lane: usize, piles: &mut Vec<Pile>) -> Memory {
        piles.clear();
        piles.extend(self.piles.iter().map(|column| column[lane]));
        self.memories[lane].clone()
    }
}
