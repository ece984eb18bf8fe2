//! Solves any game by its rules.
//!
//! * **Filling** visits positions by increasing number of coins, or in the order of a list
//!   `falls`. A move lowers the position in this order, so every option is filled before it is
//!   read. Positions of the same rank are independent, so threads share them. Levels of fewer piles
//!   stay in memory.
//! * **Answering** searches all positions below a position, with a memo, tables and limits.
//! * **Checking** compares each value with the mex of the stored values of the options.
//!
//! Families with faster methods have their own files. In partizan games, a cell is the index of an
//! outcome class in [`Outcome::ALL`].

mod runs;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use grundy_kernels::Isa;
use grundy_kernels::cells::{write_bits, write_cells};
use grundy_rules::law::{CHOICES_PER_LOOK, Kind};
use grundy_rules::{
    Family, Game, IN_BROWSER, Move, Outcome, Pile, Player, Position, RULE_FILES, Table,
};
use grundy_sweep::cost::price::OPTION;
use grundy_sweep::{Control, MemoryLimit, Stopped};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::answer::{
    Answer, Answers, Effort, Env, Limit, Moves, Reply, SolveError, Source, Watched, named,
};
use crate::check::{Checker, Checking};
use crate::fill::{FillError, Job, Maker, Making, Means, Needs, Worker, each_run};
use crate::lines::Lines;
use crate::move_checker::MoveChecker;
use crate::order::{CHUNK, EXCLUDED, SAMPLED_POSITIONS, mean_options, ranks};
use crate::solver::{Solver, Surveyor, is_sum, moves_by};
use crate::tables::read_cells;

/// The solver for any game whose tables have one value in a cell.
#[derive(Debug)]
pub struct AnyGame;

/// The bytes of a cell while its level is filled: its value, its rank, and its place in the order.
const BYTES_PER_CELL: u64 = 4 + 4 + 8;

/// The additional bytes of a cell for the numbers of the line `falls`.
const BYTES_PER_FALL: u64 = 96;

impl Solver for AnyGame {
    fn has_kernel(&self, _table: &Table) -> bool {
        false
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs {
        let level = |length| {
            let shorter = Table::new(table.game(), table.max_pile(), length);
            shorter.map_or(0, |shorter| shorter.cells())
        };
        let below: u64 =
            lengths_below(table.game(), table.length()).map(level).fold(0, u64::saturating_add);
        let cells = table.cells();
        let falls = if table.game().has_falls() { BYTES_PER_FALL } else { 0 };
        let each = cells.saturating_mul(BYTES_PER_CELL + falls);
        Needs {
            memory: below.saturating_mul(4).saturating_add(each),
            seconds: cells as f64 * seconds_of(table) / means.threads as f64,
            bits_per_cell: 8.0 * table.value_bytes() as f64,
            level: table.length().saturating_sub(1),
            making: Making::Together,
        }
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        Box::new(Levels::new(job.game, job.max_pile))
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        Memo::new(game, env).answer(position)
    }

    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        let mut memo = Memo::new(game, env);
        moves_by(game, position, |at| memo.answer(at))
    }

    fn row(&self, game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let mut memo = Memo::new(game, env);
        let of = |b| [word, &[b]].concat();
        memo.answer_first((1..=last).rev().map(of))?;
        game.each_admitted((game.order().least_pile()..=last).map(of), |at| memo.answer(at))
    }

    fn tile(&self, game: Game, middle: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let mut memo = Memo::new(game, env);
        let of = |(a, b)| [&[a], middle, &[b]].concat();
        memo.answer_first((1..=last).rev().map(|b| of((last, b))))?;
        let piles = game.order().least_pile()..=last;
        let places = piles.clone().flat_map(|a| piles.clone().map(move |b| (a, b)));
        game.each_admitted(places.map(of), |at| memo.answer(at))
    }
}

impl Surveyor for AnyGame {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        Ok(Box::new(MoveChecker::new(of, false)))
    }
}

/// Estimates the seconds for a cell of a table that is filled option by option.
pub(crate) fn seconds_of(table: &Table) -> f64 {
    let in_runs = if RULE_FILES { runs::seconds_in_runs(table) } else { None };
    in_runs.unwrap_or_else(|| options_of(table) * OPTION)
}

/// Estimates the mean number of options of a position of a table.
fn options_of(table: &Table) -> f64 {
    // Outcomes have no bound that says how many options there are.
    let of_values = |game| Table::new(game, table.max_pile(), table.length()).ok();
    let values = table.game().outcomes_of().and_then(of_values);
    let table = values.as_ref().unwrap_or(table);
    let game = table.game();
    let bound = table.largest_value() as f64 / 2.0;
    if RULE_FILES && !game.only_takes() {
        let some =
            (1..=SAMPLED_POSITIONS).map(|part| table.cells() * part / (SAMPLED_POSITIONS + 1));
        let table = table.with_all_lengths();
        return mean_options(game, some.filter_map(|number| table.position(number)));
    }
    if IN_BROWSER || !is_sum(game) {
        return bound;
    }
    // Without a known bound, extrapolate from small piles. A choice that a condition rejects takes
    // as much time as an option.
    let few = table.max_pile().clamp(2, 400);
    let count = |pile| {
        let mut most = 1;
        let moves = game.moves_while(&game.position(&[pile]), &mut || {
            most += CHOICES_PER_LOOK;
            true
        });
        moves.map_or(bound, |moves| most.max(moves.map_or(0, |all| all.len() as u64)) as f64)
    };
    let (half, whole) = (count(few / 2), count(few));
    whole * (f64::from(table.max_pile()) / f64::from(few)).powf((whole / half).log2())
}

/// Returns the lengths of the shorter tables that filling a table of `length` piles needs.
fn lengths_below(game: Game, length: usize) -> Range<usize> {
    match game.law() {
        Some(law) if law.kind == Kind::Places || game.stored_length(length) == 0 => length..length,
        // The values of several piles of a sum are nim-sums of values of single piles.
        Some(law) if law.kind == Kind::Sum => 1..length.min(2),
        Some(law) => (*law.lengths.start()).min(length)..length,
        None => 1..length,
    }
}

/// Computes the cell of a position from the cells of its options: a value, or the index of a class.
fn judge(game: Game, moves: &[Move], cells: &[u32]) -> u32 {
    if game.is_impartial() {
        return game.value_of(cells);
    }
    let blocks = game.blocks();
    let wins = |other: Player, loses: fn(Outcome) -> bool| {
        let options = moves.iter().zip(cells).filter(|(m, _)| m.player != other);
        let lost = options.filter(|(_, cell)| class_of(**cell).is_some_and(loses));
        let mut lost = lost.map(|(m, _)| &m.option);
        if blocks == 0 { lost.next().is_some() } else { has_more(lost, blocks) }
    };
    // A player who moves first wins iff the opponent, moving first, loses in some option.
    let left = wins(Player::Right, |o| matches!(o, Outcome::L | Outcome::P));
    let right = wins(Player::Left, |o| matches!(o, Outcome::R | Outcome::P));
    Outcome::of_first_moves(left, right) as u32
}

/// Computes the cell of a position from its moves and the cells of its options, which `cell` gives.
/// Uses `found` as a buffer.
///
/// # Errors
/// [`FillError::LeadsOut`] if an option has no cell.
pub(crate) fn by_moves(
    game: Game,
    position: &Position,
    found: &mut Vec<u32>,
    control: &Control,
    cell: impl Fn(&Position) -> Option<u32>,
) -> Result<u32, FillError> {
    let moves = game.moves_while(position, &mut || !control.is_stopped())?.ok_or(Stopped)?;
    found.clear();
    for made in &moves {
        found.push(cell(&made.option).ok_or_else(|| FillError::LeadsOut {
            game,
            position: position.to_string(),
            option: made.option.to_string(),
        })?);
    }
    Ok(judge(game, &moves, found))
}

/// True if more than `most` of the options are distinct.
fn has_more<T: PartialEq>(options: impl Iterator<Item = T>, most: usize) -> bool {
    let mut found: Vec<T> = Vec::new();
    for option in options {
        if !found.contains(&option) {
            found.push(option);
        }
        if found.len() > most {
            return true;
        }
    }
    false
}

/// Returns the class at an index in [`Outcome::ALL`].
fn class_of(cell: u32) -> Option<Outcome> {
    Outcome::ALL.get(cell as usize).copied()
}

/// The levels of one game with one largest pile, which are filled in the order in which moves fall.
pub(crate) struct Levels {
    game: Game,
    max_pile: Pile,
    /// The levels by length.
    levels: BTreeMap<usize, Level>,
    /// The cell of the position without piles, which no table contains.
    empty: u32,
    is_sum: bool,
}

struct Level {
    table: Table,
    cells: Vec<u32>,
}

impl Levels {
    pub(crate) fn new(game: Game, max_pile: Pile) -> Levels {
        let empty = judge(game, &[], &[]);
        Levels { game, max_pile, levels: BTreeMap::new(), empty, is_sum: is_sum(game) }
    }

    /// Adds levels until the longest level has `length` piles.
    pub(crate) fn extend(&mut self, length: usize, control: &Control) -> Result<(), FillError> {
        let length = self.game.stored_length(length);
        let needed = lengths_below(self.game, length).chain([length]);
        for longer in needed {
            if self.levels.contains_key(&longer) {
                continue;
            }
            let table = Table::new(self.game, self.max_pile, longer)?;
            if !table.numbering().is_plain() {
                return Err(FillError::NotValues { table: table.to_string() });
            }
            let mut lines: BTreeMap<usize, Lines> = BTreeMap::new();
            // A browser without rule files needs none of this code.
            if RULE_FILES && let Some(law) = self.game.law() {
                let lengths = match longer {
                    0 => 1..=self.max_pile as usize,
                    _ => longer..=longer,
                };
                let of = |length| Some((length, Lines::new(law, length)?));
                lines.extend(lengths.filter_map(of));
            }
            let cells = self.fill(&table, &lines, control)?;
            self.levels.insert(longer, Level { table, cells });
        }
        Ok(())
    }

    fn fill(
        &self,
        table: &Table,
        lines: &BTreeMap<usize, Lines>,
        control: &Control,
    ) -> Result<Vec<u32>, FillError> {
        let widest = u32::MAX >> (32 - 8 * table.value_bytes().min(4));
        let cells: Vec<AtomicU32> = (0..table.cells()).map(|_| AtomicU32::new(0)).collect();
        // The ranks tell which positions the rules exclude.
        let position = |number: u64| table.position_if_admitted(number);
        let ranks = ranks(self.game, 0..table.cells(), &position, control)?;
        let mut order: Vec<u64> = (0..table.cells()).collect();
        // Sort in place, because a stable sort takes twice the memory.
        order.par_sort_unstable_by_key(|&number| (ranks[number as usize], number));
        for same in order.chunk_by(|&a, &b| ranks[a as usize] == ranks[b as usize]) {
            same.par_chunks(CHUNK).try_for_each_init(
                Vec::new,
                |found: &mut Vec<u32>, numbers| {
                    for &number in numbers.iter().filter(|&&at| ranks[at as usize] != EXCLUDED) {
                        control.check()?;
                        let Some(position) = position(number) else { continue };
                        let lines = lines.get(&position.length()).filter(|_| RULE_FILES);
                        let quick = lines.and_then(|lines| {
                            self.by_lines(lines, table, (&cells, &ranks), &position, found)
                        });
                        let cell = match quick {
                            Some(cell) => cell,
                            None => by_moves(self.game, &position, found, control, |option| {
                                self.option(table, &cells, option)
                            })?,
                        };
                        if cell > widest {
                            let (game, position) = (self.game, position.to_string());
                            return Err(FillError::TooWide { game, position, value: cell });
                        }
                        cells[number as usize].store(cell, Ordering::Relaxed);
                    }
                    Ok(())
                },
            )?;
        }
        Ok(cells.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// Returns the value of a single pile of a sum.
    fn single(&self, table: &Table, cells: &[AtomicU32], pile: Pile) -> Option<u32> {
        if let Some(level) = self.levels.get(&1) {
            return Some(level.cells[level.table.locate_piles(&[pile])?.col]);
        }
        Some(cells[table.locate_piles(&[pile])?.col].load(Ordering::Relaxed))
    }

    /// Returns the cell of an option, from the table that is being filled or from a shorter table.
    /// `None` if no table holds the option. In a sum, the cell of several piles is a nim-sum.
    fn option(&self, table: &Table, cells: &[AtomicU32], option: &Position) -> Option<u32> {
        if self.is_sum {
            return option
                .piles()
                .iter()
                .try_fold(0, |sum, &pile| Some(sum ^ self.single(table, cells, pile)?));
        }
        if table.has_length(option.length()) {
            let number = table.number(option)?;
            return Some(cells[number as usize].load(Ordering::Relaxed));
        }
        if option.piles().is_empty() {
            return Some(self.empty);
        }
        let level = self.levels.get(&option.length())?;
        Some(level.cells[level.table.number(option)? as usize])
    }
}

impl Maker for Levels {
    fn prepare(&mut self, table: &Table, _: &Needs, control: &Control) -> Result<(), FillError> {
        self.extend(table.length(), control)
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        let length = self.game.stored_length(table.length());
        Box::new(LevelWorker::new(&self.levels[&length].cells, table))
    }
}

/// Reads tiles of a level in memory.
pub(crate) struct LevelWorker<'a, T> {
    values: &'a [T],
    /// The number of bytes in a cell, and the number of cells in a tile.
    width: usize,
    cells: usize,
    bytes: Vec<u8>,
    /// The cells as bits, if the table stores bits.
    bits: Option<Vec<u8>>,
}

impl<'a, T> LevelWorker<'a, T> {
    pub(crate) fn new(values: &'a [T], table: &Table) -> LevelWorker<'a, T> {
        let (width, cells) = (table.value_bytes(), table.tile_cells());
        let bits = table.has_bits().then(Vec::new);
        LevelWorker { values, width, cells, bytes: Vec::new(), bits }
    }
}

impl<T: Copy + Into<u32>> Worker for LevelWorker<'_, T> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        let (first, count) = (first as usize * self.cells, count as usize * self.cells);
        let values = self.values[first..first + count].iter().map(|&value| -> u32 { value.into() });
        self.bytes.clear();
        write_cells(self.width, values, &mut self.bytes);
        let Some(bits) = &mut self.bits else { return &self.bytes };
        write_bits(&self.bytes, bits);
        bits
    }
}

/// The bytes of a position in the memo, and the bytes for each coin of a position whose options are
/// visited. Neither number includes the bytes of the piles.
const MEMO_BYTES: u64 = 160;
const OPTION_BYTES: u64 = 320;

/// Returns the bytes of the piles of a position, and of the positions that moves lead to.
fn pile_bytes(game: Game, position: &Position) -> u64 {
    let may_split = game.is_within_total() && game.is_unordered();
    let piles = if may_split { position.coins() } else { position.length() as u64 };
    piles.saturating_mul(size_of::<Pile>() as u64)
}

/// The number of positions between two checks of the limits.
const LOOK_EVERY: u64 = 1 << 8;

/// If there are more than `MANY` options, the time is first estimated from `SAMPLED` options.
const MANY: usize = 1 << 12;
const SAMPLED: usize = 8;

/// A table, and its cells.
type Filled = Arc<(Table, Vec<u32>)>;

/// The tables that answers have filled, for later answers. They are global, because an `Env` lives
/// only for one question.
static KEPT: Mutex<Vec<Filled>> = Mutex::new(Vec::new());

/// The largest number of cells of all kept tables.
const MOST_KEPT: usize = 1 << 24;

/// Keeps a table, in place of an earlier table of the same game and length, if it takes at most an
/// eighth of the memory.
fn keep(made: &Filled, memory: MemoryLimit) {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |of: &Filled| (of.0.game(), of.0.length()) == (made.0.game(), made.0.length());
    kept.retain(|of| !is_same(of));
    let cells = kept.iter().map(|of| of.1.len()).sum::<usize>() + made.1.len();
    if cells > MOST_KEPT {
        kept.clear();
    }
    if made.1.len() <= MOST_KEPT && memory.share(8).check(4 * made.1.len() as u64).is_ok() {
        kept.push(made.clone());
    }
}

/// The cells that a search has found, and the tables that it has filled.
struct Memo<'a> {
    game: Game,
    env: &'a Env<'a>,
    found: HashMap<Position, u32>,
    /// The tables filled for this answer or kept, by length; `None` if filling failed.
    filled: BTreeMap<usize, Option<Filled>>,
    start: f64,
    watched: Watched<'a>,
    /// The seconds from the start to the first check of the limits in the current search.
    begun: Option<f64>,
    /// True if some cells were read from stored tables.
    read: bool,
    looked: u64,
}

/// The pause between two checks of a table that another thread fills.
const PAUSE: Duration = Duration::from_millis(1);

/// Fills a table, and returns all its cells in the order of the table.
pub fn all_cells(
    solver: &dyn Solver,
    table: &Table,
    needs: &Needs,
    isa: Isa,
    control: &Control,
) -> Result<Vec<u32>, FillError> {
    let mut maker = solver.maker(Job { game: table.game(), max_pile: table.max_pile(), isa });
    maker.prepare(table, needs, control)?;
    let mut cells = Vec::new();
    each_run(&*maker, table, control, |_, bytes| {
        read_cells(table.value_bytes(), bytes, &mut cells);
    })?;
    Ok(cells)
}

/// Does the same for one answer. The watcher and the limit `seconds` can stop the work.
pub(crate) fn cells_of(
    solver: &dyn Solver,
    table: &Table,
    needs: &Needs,
    env: &Env<'_>,
    seconds: f64,
) -> Result<Vec<u32>, FillError> {
    let control = Control::new();
    let fill = || all_cells(solver, table, needs, env.isa, &control);
    if IN_BROWSER {
        return fill();
    }
    // All workers of a pool may wait for tables, so that none is left to fill them. If no thread
    // can be had for that, then none can be had for the scope below, which panics.
    let is_worker = rayon::current_thread_index().is_some();
    let alone = is_worker.then(|| ThreadPoolBuilder::new().num_threads(1).build());
    let fill = || match &alone {
        Some(Ok(alone)) => alone.install(fill),
        _ => fill(),
    };
    let begun = (env.clock)();
    thread::scope(|scope| {
        let filling = scope.spawn(fill);
        while !filling.is_finished() {
            thread::sleep(PAUSE);
            let spent = (env.clock)() - begun;
            let work = Effort { cells: 0.0, seconds: spent, memory: needs.memory };
            if spent > seconds || env.watch.is_some_and(|watch| !watch(&work)) {
                control.stop();
            }
        }
        filling.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

impl Memo<'_> {
    fn new<'a>(game: Game, env: &'a Env<'a>) -> Memo<'a> {
        let start = (env.clock)();
        let (found, mut filled) = (HashMap::new(), BTreeMap::new());
        // Without rule files no table is filled or kept.
        if RULE_FILES {
            let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
            for made in kept.iter().filter(|made| made.0.game() == game) {
                filled.insert(made.0.length(), Some(made.clone()));
            }
        }
        let watched = Watched::started(env, start);
        Memo { game, env, found, filled, start, watched, begun: None, read: false, looked: 0 }
    }

    /// Answers the first of these positions that the rules admit. The last position of a list needs
    /// the most work, which may be refused, or may answer the others.
    fn answer_first(&mut self, places: impl Iterator<Item = Vec<Pile>>) -> Reply<()> {
        let mut places = places.map(|piles| self.game.position(&piles));
        let first = places.find(|at| self.game.keeps(at));
        first.map_or(Ok(()), |at| self.answer(&at).map(drop))
    }

    fn answer(&mut self, position: &Position) -> Reply<Answer> {
        let (cell, source) = match self.stored(position)? {
            Some(cell) => (cell, Source::Table),
            None => {
                let cell = match self.filled(position) {
                    Some(cell) => cell,
                    None => self.search(position)?,
                };
                (cell, if self.read { Source::TableAndComputed } else { Source::Computed })
            }
        };
        if let Some(of) = self.game.remoteness_of() {
            // The parity of a remoteness determines the outcome class.
            let outcome = Outcome::of_value((cell % 2) ^ of.terminal_value());
            return Ok(Answer { outcome, ..Answer::of_value(cell, source) });
        }
        if self.game.is_impartial() {
            return Ok(Answer::of_value(cell, source));
        }
        match class_of(cell) {
            Some(class) => Ok(Answer::of_class(class, source)),
            None => {
                unreachable!("every cell is a class: stored cells were checked when they were read")
            }
        }
    }

    /// Returns the cell of a position in a table that was filled.
    fn filled(&self, position: &Position) -> Option<u32> {
        let (table, cells) = &**self.filled.get(&position.length())?.as_ref()?;
        Some(cells[table.number(position)? as usize])
    }

    fn known(&mut self, position: &Position) -> Reply<Option<u32>> {
        Ok(self.stored(position)?.or_else(|| self.filled(position)))
    }

    /// Fills the table of a position if memory and time suffice, and the estimated time is less
    /// than eight times `seconds`, the time of the search so far.
    fn fill(&mut self, position: &Position, seconds: f64) {
        let (game, limits) = (self.game, self.env.limits);
        let length = position.length();
        let Ok(largest) = Pile::try_from(game.size_of(position)) else { return };
        let is_tried = match self.filled.get(&length) {
            Some(Some(made)) => made.0.max_pile() >= largest,
            Some(None) => true,
            None => false,
        };
        let is_lasting = game.remoteness_of().is_some();
        let has_shapes = game.family() == Family::Lines;
        let is_filled = is_lasting || has_shapes && game.is_impartial();
        if !RULE_FILES || is_tried || !is_filled {
            return;
        }
        let table = Table::new(game, largest, length).ok();
        let Some(table) = table.filter(|table| table.numbering().is_plain()) else { return };
        let of_game = crate::solver(game);
        // Without a kernel, an estimate is useful only in comparison with the time of a search.
        if seconds == f64::INFINITY && !of_game.has_kernel(&table) {
            return;
        }
        // The new table replaces a smaller table of this length.
        self.filled.remove(&length);
        let held = self.filled.values().flatten().map(|made| 4 * made.1.len() as u64);
        let held = held.sum::<u64>()
            + self.found.len() as u64 * (MEMO_BYTES + pile_bytes(self.game, position));
        let needs = of_game.needs(&table, &Means::one_thread(limits.memory));
        let cells = table.cells().saturating_mul(4);
        let memory = needs.memory.saturating_add(cells).saturating_add(held);
        let left = limits.seconds - ((self.env.clock)() - self.start);
        let fits = limits.memory.check(memory).is_ok() && needs.seconds < left;
        if fits && needs.seconds < 8.0 * seconds {
            // If the rules are undefined elsewhere in the table, continue the search.
            let made = cells_of(of_game, &table, &needs, self.env, left).ok();
            let made = made.map(|cells| Arc::new((table, cells)));
            if let Some(made) = &made {
                keep(made, limits.memory);
            }
            self.filled.insert(length, made);
        }
    }

    /// Returns the cell of a position that a table holds.
    fn stored(&mut self, position: &Position) -> Reply<Option<u32>> {
        let Some(stored) = self.env.holder(self.game, position.piles()) else { return Ok(None) };
        let cell = stored.cell_of(position)?;
        self.read |= cell.is_some();
        match cell {
            Some(cell) if !self.game.is_impartial() && class_of(cell).is_none() => {
                let (position, table) = (position.to_string(), stored.table().to_string());
                Err(SolveError::NoClass { position, table })
            }
            cell => Ok(cell),
        }
    }

    /// Searches with an explicit stack, because the depth can be the number of coins. If the
    /// options of a position exceed the memory, refuses it before listing them.
    fn search(&mut self, position: &Position) -> Reply<u32> {
        let coins = position.coins();
        let memory = coins.saturating_mul(OPTION_BYTES + pile_bytes(self.game, position));
        let work = Effort { cells: coins as f64, seconds: 0.0, memory };
        work.check(position.piles(), self.env.limits)?;
        self.begun = None;
        let mut stack = vec![position.clone()];
        while let Some(top) = stack.last() {
            if self.found.contains_key(top) {
                stack.pop();
                continue;
            }
            self.look(position, stack.len())?;
            if let Some(cell) = self.filled(position) {
                return Ok(cell);
            }
            let Some(top) = stack.last() else { break };
            let moves = self.moves(top)?;
            self.looked += 1 + moves.len() as u64 / 64;
            if stack.len() == 1 && moves.len() > MANY {
                self.check_estimate(position, &moves)?;
            }
            let mut cells = Vec::with_capacity(moves.len());
            let mut unknown = Vec::new();
            for made in &moves {
                if let Some(&cell) = self.found.get(&made.option) {
                    cells.push(cell);
                } else if let Some(cell) = self.known(&made.option)? {
                    self.found.insert(made.option.clone(), cell);
                    cells.push(cell);
                } else {
                    unknown.push(made.option.clone());
                }
            }
            if unknown.is_empty() {
                let cell = judge(self.game, &moves, &cells);
                if let Some(done) = stack.pop() {
                    self.found.insert(done, cell);
                }
            } else {
                stack.extend(unknown);
            }
        }
        Ok(self.found[position])
    }

    /// Returns the moves of a position, within the limits. There may be millions of moves.
    fn moves(&self, position: &Position) -> Reply<Vec<Move>> {
        let mut looked = Ok(());
        let moves = self.game.moves_while(position, &mut || {
            looked = self.watched.look(position.piles());
            looked.is_ok()
        })?;
        looked.map(|()| moves.unwrap_or_default())
    }

    /// Refuses a position if listing the moves of all its options would take too long, as estimated
    /// from a few options. Accepts the position if a kernel can fill its table instead; without a
    /// kernel, the time to fill a table is too uncertain.
    fn check_estimate(&mut self, position: &Position, moves: &[Move]) -> Reply<()> {
        let begun = (self.env.clock)();
        let (mut some, mut found) = (0, 0);
        for made in moves.iter().step_by(moves.len().div_ceil(SAMPLED)) {
            some += 1;
            if !self.found.contains_key(&made.option) && self.known(&made.option)?.is_none() {
                found += self.moves(&made.option)?.len();
            }
        }
        let each = moves.len() as f64 / f64::from(some);
        let seconds = ((self.env.clock)() - begun) * each;
        let memory = moves.len() as u64 * (MEMO_BYTES + pile_bytes(self.game, position));
        let work = Effort { cells: found as f64 * each, seconds, memory };
        let checked = work.check(position.piles(), self.env.limits);
        if checked.is_err() {
            self.fill(position, f64::INFINITY);
        }
        if self.filled(position).is_some() { Ok(()) } else { checked }
    }

    /// Calls the watcher, stops a search that exceeds a limit, and may fill a table for the search.
    fn look(&mut self, position: &Position, waiting: usize) -> Reply<()> {
        let states = self.found.len() as u64;
        let memory = (states + waiting as u64) * (MEMO_BYTES + pile_bytes(self.game, position));
        let over_memory = self.env.limits.memory.check(memory).is_err();
        if !over_memory && self.looked < LOOK_EVERY {
            return Ok(());
        }
        self.looked = 0;
        let seconds = (self.env.clock)() - self.start;
        if let Some(watch) = self.env.watch
            && !watch(&Effort { cells: states as f64, seconds, memory })
        {
            return Err(SolveError::Stopped { position: named(position.piles()) });
        }
        let limit = match (over_memory, seconds > self.env.limits.seconds) {
            (true, _) => Limit::Memory,
            (_, true) => Limit::Seconds,
            _ => {
                let begun = *self.begun.get_or_insert(seconds);
                self.fill(position, seconds - begun);
                return Ok(());
            }
        };
        let position = named(position.piles());
        Err(SolveError::Unfinished { position, states, seconds, memory, limit })
    }
}
