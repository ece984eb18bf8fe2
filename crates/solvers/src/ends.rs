//! Solves games whose moves take any number of coins from the two ends of a row: End-Nim and its
//! relatives. These games differ only in the values of single piles ([`Singles`]).
//!
//! Tables are filled tile by tile, from the lowest levels, which are in memory ([`Ladder`]). The
//! module `interval` computes positions beyond the tables interval by interval, from rows of stored
//! tables if possible.

pub(crate) mod checker;
mod interval;
mod rows;

use std::cell::RefCell;

use bytemuck::NoUninit;
use grundy_kernels::cells::write_cells;
use grundy_kernels::{Borders, Cell, Isa, Kernel, Scratch, with_cell};
use grundy_rules::{Game, Move, Pick, Pile, Position, Table, coins, is_lost_by_ends};
use grundy_sweep::cost::{HANDY_BYTES, LadderSize, ladder_bytes, price};
use grundy_sweep::period::{self, Row, Words};
use grundy_sweep::{Control, Filler, Histogram, Ladder, Stopped, sweep};

use crate::answer::{
    Answer, Answers, Effort, Env, Limits, Moves, Reply, SolveError, Source, Watched, check_moves,
};
use crate::check::{Checker, Checking};
use crate::count::{Count, Counted};
use crate::fill::{FillError, Job, Maker, Making, Means, Needs, Worker, stored_bytes};
use crate::move_checker::MoveChecker;
use crate::rows::Rows;
use crate::solver::{Solver, Surveyor, moves_by, tile_by_rows};
use crate::tables::Stored;
use checker::TileChecker;
use interval::{Evaluated, Known, Lowered, Workspace};

#[derive(Debug)]
pub(crate) struct EndGames;

impl Solver for EndGames {
    fn most(&self) -> (u64, usize) {
        (1 << 31, 8)
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs {
        let wanted = (table.length() - 1).max(1);
        let ladder = LadderSize::within(table, wanted, means.memory);
        // The levels between the ladder and the table are computed again for each tile.
        let missing = wanted - ladder.top;
        let again = buffers_above(means.frame_bytes, missing).saturating_mul(means.threads);
        let fill = price::FILL * ((1u64 << (missing + 1).min(60)) - 2) as f64;
        // Bits per cell, rounded from docs/FORMAT.md. Two-byte values need about double the bits.
        let bits = match table.length() {
            1 => 8.0,
            2 => 1.0,
            3 => 3.6,
            4 => 2.5,
            5 => 1.2,
            _ => 0.5,
        };
        Needs {
            memory: ladder.bytes.saturating_add(again),
            seconds: table.cells() as f64 * fill / means.threads as f64,
            bits_per_cell: bits * table.value_bytes() as f64,
            level: ladder.top,
            making: Making::Apart,
        }
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        with_cell!(ladder_bytes(job.max_pile), T => {
            Box::new(Ladder::<T>::new(job.game, job.max_pile, job.isa))
        })
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        let piles = position.piles();
        if let Some(stored) = holder(game, piles, env)
            && let Some(value) = stored.cell_of(position)?
        {
            return Ok(Answer::of_value(value, Source::Table));
        }
        if let Some(proved) = env.theorem(game, position).or_else(|| by_period(game, piles, env)) {
            return Ok(proved);
        }
        match piles {
            [] => Ok(Answer::of_value(game.terminal_value(), Source::Computed)),
            &[pile] => {
                let value = env.single_piles(game, piles)?.value(pile);
                Ok(Answer::of_value(value, Source::Computed))
            }
            _ => match evaluate(game, piles, env, |found, _| found.answer()) {
                // A theorem identifies P-positions quickly, but gives no other values.
                Err(SolveError::TooLarge { .. })
                    if env.theorems
                        && game.single_piles(1).is_nim(&[])
                        && is_lost_by_ends(piles, 0) =>
                {
                    Ok(Answer::of_value(0, Source::Theorem))
                }
                answer => answer,
            },
        }
    }

    fn seconds_alone(&self, game: Game, piles: &[Pile], env: &Env<'_>) -> f64 {
        let by_period = PeriodSearch::new(game, piles, env).map(|search| 2.0 * search.seconds);
        by_period.unwrap_or_else(|| seconds_to_compute(game, piles, env))
    }

    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        check_moves(position)?;
        let moves = game.moves(position);
        let held = holder(game, position.piles(), env).is_some();
        if position.length() < 2 || !held && env.theorem(game, position).is_some() {
            return moves_by(game, position, |at| self.answer(game, at, env));
        }
        evaluate(game, position.piles(), env, |found, lowered| {
            let source = if held { Source::Table } else { found.source() };
            // A move of a rule file names the changed pile by its number.
            let is_first =
                |m: &Move| m.pick == Pick::Left || m.changes.iter().any(|one| one.pile == 1);
            let value_of = |m: &Move| match (is_first(m), m.to) {
                (true, 0) => found.without_first,
                (true, to) => lowered.col[to as usize - 1],
                (false, 0) => found.without_last,
                (false, to) => lowered.row[to as usize - 1],
            };
            let moves = moves.into_iter().map(|m| {
                let found = Answer::of_value(value_of(&m), found.source());
                (m, found)
            });
            Moves { answer: Answer { source, ..found.answer() }, moves: moves.collect() }
        })
    }

    /// Computes the row once for all b.
    fn row(&self, game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let piles = [word, &[last]].concat();
        let is_proved = || holder(game, &piles, env).is_none();
        let corner = Position::row(&piles);
        if word.is_empty() || last == 0 || is_proved() && env.theorem(game, &corner).is_some() {
            let of = |b| Position::row(&[word, &[b]].concat());
            return (1..=last).map(|b| self.answer(game, &of(b), env).map(Some)).collect();
        }
        let of = |source, row: &[u32]| -> Answers {
            row.iter().map(|&v| Some(Answer::of_value(v, source))).collect()
        };
        match holder(game, &piles, env) {
            Some(stored) => {
                let mut row = Vec::new();
                lowered_line(stored, &piles, true, &mut row)?;
                Ok(of(Source::Table, &row))
            }
            None => evaluate(game, &piles, env, |found, lowered| of(found.source(), &lowered.row)),
        }
    }

    /// Fills the whole tile at once. The rows of the middle and of its reversal border the tile.
    fn tile(&self, game: Game, middle: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let corner = [&[last], middle, &[last]].concat();
        let side = last as usize;
        let is_known = || {
            let proved = env.theorem(game, &Position::row(&corner));
            proved.is_some() || holder(game, &corner, env).is_some()
        };
        if side == 0 || side > u16::MAX_PILE || is_known() {
            return tile_by_rows(self, game, middle, last, env);
        }
        let cells = (side * side) as f64;
        let bytes = cells * (size_of::<Answer>() + size_of::<u16>()) as f64;
        let seconds = cells * price::LARGE_TILE;
        Effort { cells, seconds, memory: bytes as u64 }.check(&corner, env.limits)?;
        // The borders: G(middle, b) above the tile, and G(a, middle) = G(reversed, a) to its left.
        let reversed: Vec<Pile> = middle.iter().rev().copied().collect();
        let above = self.row(game, middle, last, env)?;
        let left = self.row(game, &reversed, last, env)?;
        let source =
            match above.iter().chain(&left).flatten().any(|found| found.source != Source::Computed)
            {
                true => Source::TableAndComputed,
                false => Source::Computed,
            };
        // Values of the tile are at most twice its side, so they fit into two bytes. Larger border
        // values do not affect the mex, so replace them by the maximum.
        let most = 2 * last;
        let values = |row: &Answers| -> Vec<u16> {
            row.iter()
                .flatten()
                .map(|found| found.value.unwrap_or_default().min(most) as u16)
                .collect()
        };
        let (row, col) = (values(&above), values(&left));
        let mut tile = vec![0u16; side * side];
        let kernel = Kernel::new(env.isa, side);
        kernel.fill(&mut Scratch::default(), &[Borders { row: &row, col: &col }], &mut tile);
        Ok(tile.into_iter().map(|value| Some(Answer::of_value(value.into(), source))).collect())
    }
}

impl Surveyor for EndGames {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        Ok(match of.stored.table().length() {
            1 => Box::new(MoveChecker::new(of, false)),
            _ => Box::new(TileChecker(of)),
        })
    }

    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>> {
        let table = count.table;
        let Some(stored) = count.stored else {
            count.check(Some(0))?;
            return with_cell!(ladder_bytes(table.max_pile()), T => count_computed::<T>(count));
        };
        let swept = with_cell!(table.value_bytes(), T => {
            stored.scan::<T, _>(0..stored.frames(), count.control, &Histogram)?
        });
        Ok(count.unless_nothing(Counted::Values(swept.acc)))
    }

    /// Computes the rows, which is faster than reading them.
    fn rows<'a>(&self, of: Count<'a>) -> Reply<Box<dyn Rows + 'a>> {
        let bytes = ladder_bytes(of.table.max_pile());
        with_cell!(bytes, T => Ok(Box::new(ladder_rows::<T>(self, of)?)))
    }
}

/// Returns the rows of a level, computed from a ladder that is as high as the memory allows.
fn ladder_rows<'a, T: Cell>(solver: &EndGames, of: Count<'a>) -> Reply<rows::LadderRows<'a, T>> {
    let table = of.table;
    let threads = rayon::current_num_threads() as u64;
    let means =
        Means { memory: of.memory.share(2), threads, frame_bytes: 1 << 16, in_order: false };
    let needs = solver.needs(table, &means);
    of.check_memory(needs.memory)?;
    let mut ladder = Ladder::<T>::new(table.game(), table.max_pile(), of.isa);
    ladder.extend(needs.level.max(table.length().min(2)), of.control).map_err(FillError::from)?;
    // The time doubles, because the tile of the reversed middle is also computed for each middle.
    Ok(rows::LadderRows { ladder, table, seconds: 2.0 * needs.seconds })
}

/// Returns the bytes of the tiles that a thread computes between the ladder and the table.
fn buffers_above(frame_bytes: u64, missing: usize) -> u64 {
    frame_bytes.saturating_mul((1u64 << (missing + 1).min(40)) - 2)
}

/// Computes tiles from the lowest levels, which are kept in memory.
impl<T: Cell + NoUninit> Maker for Ladder<T> {
    fn prepare(&mut self, _: &Table, needs: &Needs, control: &Control) -> Result<(), FillError> {
        Ok(self.extend(needs.level, control)?)
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        let (filler, bytes) = (Filler::new(self), Vec::new());
        Box::new(TileWorker { table, filler, values: Vec::new(), bytes })
    }
}

struct TileWorker<'a, T> {
    table: &'a Table,
    filler: Filler<'a, T>,
    values: Vec<T>,
    /// The stored bytes, if the cells of the table have another width than those of the ladder.
    bytes: Vec<u8>,
}

impl<T: Cell + NoUninit> Worker for TileWorker<'_, T> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        self.values.resize(count as usize * self.table.tile_cells(), T::default());
        self.filler.fill_stored(self.table, first, &mut self.values);
        let width = self.table.value_bytes();
        if width == T::BYTES {
            return stored_bytes(&mut self.values);
        }
        self.bytes.clear();
        write_cells(width, self.values.iter().map(|&value| value.into()), &mut self.bytes);
        &self.bytes
    }
}

/// Returns the smallest table that holds a position of these piles, if reading is faster than
/// computing. Decoding a frame takes tens of microseconds. Computing a value one or two levels
/// above a resident table takes some microseconds.
fn holder<'a>(game: Game, piles: &[Pile], env: &Env<'a>) -> Option<&'a dyn Stored> {
    let found = env.holder(game, piles)?;
    if !found.is_asked_at_random() {
        return Some(found);
    }
    let largest = piles.iter().copied().max().unwrap_or_default();
    let below = |shorter: usize| {
        let length = piles.len().checked_sub(shorter).filter(|&length| length > 0)?;
        env.tables.find(game, length, &|stored| {
            stored.is_resident() && stored.table().max_pile() >= largest
        })
    };
    if below(1).or_else(|| below(2)).is_some() { None } else { Some(found) }
}

/// The maximum number of piles for which [`seconds_to_compute`] returns an estimate.
const MOST_PILES: usize = 1 << 10;

/// Estimates the seconds to compute a position from stored positions.
fn seconds_to_compute(game: Game, piles: &[Pile], env: &Env<'_>) -> f64 {
    if piles.len() > MOST_PILES {
        return f64::INFINITY;
    }
    let needs = Workspace::new(env.isa).find_needs(piles, &TableRows { game, env }, &|| Ok(()));
    needs.map_or(0.0, |(work, _)| work.seconds)
}

/// The maximum number of cells that a search for a period computes. The search starts only if the
/// position has at least `LARGE_CELLS` cells.
const PERIOD_CELLS: u64 = 1 << 24;
const LARGE_CELLS: u64 = 1 << 22;

/// The maximum number of coins beside the large end pile. With more, periods are too long to find.
const PERIOD_COINS: u64 = 128;

/// A search for the period of the row of a position with one very large end pile. It takes at most
/// as long as computing the position, and usually less.
struct PeriodSearch {
    game: Game,
    word: Vec<Pile>,
    large: Pile,
    /// The number of columns to search.
    bound: usize,
    seconds: f64,
}

impl PeriodSearch {
    fn new(game: Game, piles: &[Pile], env: &Env<'_>) -> Option<PeriodSearch> {
        let (first, last) = (*piles.first()?, *piles.last()?);
        let mut word: Vec<Pile> = piles.to_vec();
        if first > last {
            // A row and its reversal have the same value.
            word.reverse();
        }
        let large = word.pop().filter(|_| env.theorems && !word.is_empty())?;
        // The search computes one row for each coin of the word.
        let rows = coins(&word);
        if rows > PERIOD_COINS || rows * u64::from(large) < LARGE_CELLS {
            return None;
        }
        let Limits { memory, seconds: allowed } = env.limits;
        let each = period::seconds(1, rows);
        let cells = (seconds_to_compute(game, piles, env).min(allowed) / each) as u64;
        let cells = cells.min(PERIOD_CELLS).min(memory.bytes() / period::CELL_BYTES);
        let bound = (cells / rows) as usize;
        let seconds = cells as f64 * each;
        (bound > 0).then_some(PeriodSearch { game, word, large, bound, seconds })
    }

    /// Returns the value, if the period is found and proved.
    fn value(&self) -> Option<u32> {
        thread_local! {
            /// The last search. Consecutive requests are often for positions of one row.
            static LAST: RefCell<Option<(PeriodSearch, Row)>> = const { RefCell::new(None) };
        }
        let PeriodSearch { game, ref word, large, bound, .. } = *self;
        LAST.with_borrow_mut(|last| {
            let is_done = last.as_ref().is_some_and(|(of, row)| {
                let is_same = (of.game, &of.word) == (game, word);
                is_same && (row.found.is_some_and(|found| found.proved) || of.bound >= bound)
            });
            if !is_done {
                let words = Words::of_ends(game);
                let rows = words.strip(word[0], &word[1..], bound, &Control::new()).ok();
                *last = Some((PeriodSearch { word: word.clone(), ..*self }, rows?.pop()?));
            }
            let (_, row) = last.as_ref()?;
            row.found.filter(|found| found.proved)?;
            row.value(large as usize)
        })
    }
}

/// Returns the value of a position with one very large end pile, from the period of its row.
fn by_period(game: Game, piles: &[Pile], env: &Env<'_>) -> Option<Answer> {
    let value = PeriodSearch::new(game, piles, env)?.value()?;
    Some(Answer::of_value(value, Source::Period))
}

/// Reads the values of the positions in which the last or the first pile is lowered or unchanged,
/// from a row or a column of a stored tile. If the table stores the tile of the reversed middle,
/// rows and columns are exchanged.
fn lowered_line(
    stored: &dyn Stored,
    piles: &[Pile],
    lower_last: bool,
    out: &mut Vec<u32>,
) -> Reply<()> {
    let table = stored.table();
    out.clear();
    let Some(place) = table.locate_piles(piles) else { return Ok(()) };
    let lowered = if lower_last { piles.last() } else { piles.first() };
    let count = lowered.map_or(0, |&pile| pile as usize);
    // A single pile is both ends. The row of single piles contains the values of all smaller piles.
    let along_row = lower_last != place.reversed || table.length() == 1;
    let n = table.tile_cols();
    let (first, step) = if along_row { (place.row * n, 1) } else { (place.col, n) };
    let first = place.tile * table.tile_cells() as u64 + first as u64;
    Ok(stored.cells(first, step as u64, count, out)?)
}

/// Evaluates a position of at least two piles, and passes the result and the edge to `take`.
fn evaluate<R>(
    game: Game,
    piles: &[Pile],
    env: &Env<'_>,
    take: impl FnOnce(Evaluated, &Lowered) -> R,
) -> Reply<R> {
    thread_local! {
        static WORKSPACE: RefCell<Option<(Isa, Workspace)>> = const { RefCell::new(None) };
    }
    let (rows, watched) = (TableRows { game, env }, Watched::new(env));
    WORKSPACE.with_borrow_mut(|workspace| {
        if workspace.as_ref().is_none_or(|(isa, _)| *isa != env.isa) {
            *workspace = None;
        }
        let fresh = || (env.isa, Workspace::new(env.isa));
        let (_, workspace) = workspace.get_or_insert_with(fresh);
        let look = || watched.look(piles);
        let singles = env.single_piles(game, piles)?;
        let found = workspace.evaluate(&singles, piles, &rows, env.limits, &look)?;
        let nothing = Lowered::default();
        Ok(take(found, workspace.lowered().unwrap_or(&nothing)))
    })
}

impl Evaluated {
    fn source(self) -> Source {
        if self.used_tables { Source::TableAndComputed } else { Source::Computed }
    }

    fn answer(self) -> Answer {
        Answer::of_value(self.value, self.source())
    }
}

struct TableRows<'a> {
    game: Game,
    env: &'a Env<'a>,
}

impl TableRows<'_> {
    fn read(&self, piles: &[Pile], last: bool, out: &mut Vec<u32>) -> Reply<()> {
        match holder(self.game, piles, self.env) {
            Some(stored) => lowered_line(stored, piles, last, out),
            None => Ok(()),
        }
    }
}

impl Known for TableRows<'_> {
    fn holds(&self, piles: &[Pile]) -> bool {
        holder(self.game, piles, self.env).is_some()
    }

    fn last_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()> {
        self.read(piles, true, out)
    }

    fn first_lowered(&self, piles: &[Pile], out: &mut Vec<u32>) -> Reply<()> {
        self.read(piles, false, out)
    }
}

fn count_computed<T: Cell>(count: Count<'_>) -> Reply<Option<Counted>> {
    let table = count.table;
    // The work can be divided finely only if the level below is in memory.
    let wanted = table.length().saturating_sub(1).max(2);
    let memory = count.memory.at_most(HANDY_BYTES);
    let top = Ladder::<T>::top_within(table.max_pile(), wanted, memory);
    let mut ladder = Ladder::<T>::new(table.game(), table.max_pile(), count.isa);
    match ladder.extend(top, count.control) {
        Ok(()) => {
            let swept = sweep(&ladder, table, count.control, &Histogram);
            Ok(count.unless_nothing(Counted::Values(swept.acc)))
        }
        Err(Stopped) => Ok(None),
    }
}
