//! Solves long global nim. Tables have a value for every set of available moves. A search with a
//! memo computes positions beyond the tables, within the memory limit.

mod checker;

use std::cell::RefCell;
use std::ops::ControlFlow;

use grundy_kernels::subsets::{Block, Search, SearchError, SetRowValues, SubsetTables};
use grundy_rules::index::SETS_PER_CELL;
use grundy_rules::set_rows::set_of_index;
use grundy_rules::{Game, IN_BROWSER, MoveSet, Pile, Position, SetRows, Table, TableError};
use grundy_sweep::cost::price::{SET, SET_OF_SEVERAL};
use grundy_sweep::subsets::{SetCounts, SetRowCounts, count_sets};
use grundy_sweep::{Control, Stopped, try_fold_units};
use grundy_triangular::{Limits, MAX_BOUND, Progress, Verdict, level, prove};

use crate::answer::{
    Answer, Effort, Env, Limit, Moves, Reply, SHOW_EVERY, SolveError, Source, Watched,
};
use crate::check::{Checker, Checking};
use crate::count::{Count, Counted};
use crate::fill::{
    FillError, Job, Maker, Making, Means, Needs, TableRequest, Worker, tables_up_to,
};
use crate::solver::{Solver, Surveyor, moves_by};
use crate::tables::{StoreError, Stored, read_cells};
use checker::{SetChecker, SetRowChecker};

#[derive(Debug)]
pub(crate) struct LongGlobal;

/// The length of the longest table built by default.
const MOST_PILES: usize = 4;

/// The largest piles of the default tables of one to six piles, and of the default tables of more
/// piles. These piles are small, because a pile of n coins has 2^n sets of moves.
const MOST_COINS: [Pile; 6] = [28, 16, 11, 9, 8, 7];
const MOST_COINS_OF_MORE: Pile = 6;

thread_local! {
    /// The last search of this thread, with its memory limit. Later searches reuse its results.
    static SEARCH: RefCell<Option<(u64, Search)>> = const { RefCell::new(None) };
}

fn rows_of(table: &Table) -> SetRows {
    match SetRows::new(table.max_pile(), table.length()) {
        Some(rows) => rows,
        None => unreachable!("there is no table of more positions than can be numbered"),
    }
}

fn several_bytes(table: &Table) -> u64 {
    SetRowValues::bytes(table.length() as u32, table.max_pile())
}

impl Solver for LongGlobal {
    fn tables(&self, game: Game, wanted: &TableRequest) -> Result<Vec<Table>, TableError> {
        let max_pile = |length: usize| match wanted.literally {
            true => wanted.max_pile,
            false => {
                let most = MOST_COINS.get(length.max(1) - 1);
                wanted.max_pile.min(*most.unwrap_or(&MOST_COINS_OF_MORE))
            }
        };
        tables_up_to(game, wanted, max_pile, MOST_PILES, |_| true)
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs {
        let (memory, seconds) = match table.length() {
            1 => {
                let seconds = table.values() as f64 * SET / means.threads as f64;
                // The level of the largest pile is not kept in memory.
                (SubsetTables::bytes(table.max_pile() - 1), seconds)
            }
            _ => (several_bytes(table), table.cells() as f64 * SET_OF_SEVERAL),
        };
        // In a table of one pile, a cell contains sixteen sets, so a set takes 0.04 bits.
        Needs { memory, seconds, bits_per_cell: 0.6, level: 0, making: Making::Together }
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        Box::new(SetMaker { one_pile: SubsetTables::new(job.isa), several: None })
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        answer_since(game, position, env, (env.clock)())
    }

    /// One time limit applies to the searches of all options together.
    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        let start = (env.clock)();
        moves_by(game, position, |at| answer_since(game, at, env, start))
    }
}

impl Surveyor for LongGlobal {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        Ok(match of.stored.table().length() {
            1 => Box::new(SetChecker(of.stored)),
            _ => Box::new(SetRowChecker::new(of)),
        })
    }

    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>> {
        let Some(counts) = count_table(count)? else { return Ok(None) };
        let (_, number) = counts.maximum;
        let first_maximum = count.table.position(number);
        Ok(count.unless_nothing(Counted::Sets { counts, first_maximum }))
    }
}

/// Answers a position. The search time is measured from `start`.
fn answer_since(game: Game, position: &Position, env: &Env<'_>, start: f64) -> Reply<Answer> {
    if let Some(answer) = env.stored(game, position)? {
        return Ok(answer);
    }
    match proved(position, env, start) {
        Some(answer) => Ok(answer),
        None => searched(position, env, start),
    }
}

/// Returns the value of one pile with all moves available, if the search for families proves it in
/// time (docs/PROOFS.md, section 7). For small piles a search of positions is faster.
fn proved(position: &Position, env: &Env<'_>, start: f64) -> Option<Answer> {
    let &[n @ 500..=MAX_BOUND] = position.piles() else { return None };
    if IN_BROWSER || !env.theorems || position.available() != MoveSet::up_to(n) {
        return None;
    }
    let limits = Limits { memory: env.limits.memory.bytes() };
    let watched = Watched::started(env, start);
    let mut go_on = |_: Progress| match watched.look(&[n]) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    };
    let (proof, _) = prove(n, &limits, &mut go_on).ok()?;
    (proof.verdict(n)? == Verdict::Proved).then(|| Answer::of_value(level(n), Source::Theorem))
}

fn searched(position: &Position, env: &Env<'_>, start: f64) -> Reply<Answer> {
    let (piles, limits) = (position.piles(), env.limits);
    // Searches in parallel share the memory.
    let asked_together = rayon::current_thread_index().map_or(1, |_| rayon::current_num_threads());
    let memory = limits.memory.share(asked_together as u64).bytes();
    let (mut shown, is_stopped) = (start, std::cell::Cell::new(false));
    let mut stop = |search: &Search| {
        let now = (env.clock)();
        let seconds = now - start;
        if let Some(watch) = env.watch
            && now - shown > SHOW_EVERY
        {
            shown = now;
            let work = Effort { cells: search.states() as f64, seconds, memory: search.bytes() };
            is_stopped.set(!watch(&work));
        }
        is_stopped.get() || seconds > limits.seconds
    };
    SEARCH.with_borrow_mut(|kept| {
        if kept.as_ref().is_none_or(|(before, _)| *before != memory) {
            *kept = None;
        }
        let (_, search) = kept.get_or_insert_with(|| (memory, Search::new(memory)));
        match search.value(piles, position.available().iter(), &mut stop) {
            Ok(value) => Ok(Answer::of_value(value.into(), Source::Computed)),
            Err(error) => {
                let (states, memory) = (search.states(), search.bytes());
                let seconds = (env.clock)() - start;
                search.forget();
                let position = position.to_string();
                if is_stopped.get() {
                    return Err(SolveError::Stopped { position });
                }
                let limit = match error {
                    SearchError::Size { .. } => {
                        return Err(SolveError::BeyondSearch { position, source: error });
                    }
                    SearchError::Memory { .. } => Limit::Memory,
                    SearchError::Stopped { .. } => Limit::Seconds,
                };
                Err(SolveError::Unfinished { position, states, seconds, memory, limit })
            }
        }
    })
}

/// The data of the kernel: sets of all single piles except the largest, or sets of several piles.
struct SetMaker {
    one_pile: SubsetTables,
    several: Option<(SetRows, SetRowValues)>,
}

impl Maker for SetMaker {
    fn prepare(
        &mut self,
        table: &Table,
        needs: &Needs,
        control: &Control,
    ) -> Result<(), FillError> {
        if table.length() == 1 {
            let last = table.max_pile() - 1;
            return Ok(grundy_sweep::subsets::extend(&mut self.one_pile, last, control)?);
        }
        // Drop the previous table first, because the estimate includes only one table.
        self.several = None;
        let (piles, max_pile) = (table.length() as u32, table.max_pile());
        let mut go_on = || !control.is_stopped();
        let isa = self.one_pile.isa();
        let several = SetRowValues::watched(isa, piles, max_pile, needs.memory, &mut go_on);
        self.several = match several {
            Ok(several) => Some((rows_of(table), several)),
            Err(_) if control.is_stopped() => return Err(Stopped.into()),
            Err(_) => return Err(FillError::Memory { table: table.to_string() }),
        };
        Ok(())
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        match &self.several {
            Some((rows, values)) if table.length() > 1 => {
                Box::new(SetRowsWorker { rows, values, bytes: Vec::new() })
            }
            _ => Box::new(SetsWorker {
                tables: &self.one_pile,
                piece: BLOCK_CELLS * SubsetTables::grain(table.max_pile()) as u64,
                end: table.tiles(),
                scratch: Vec::new(),
                bytes: Vec::new(),
            }),
        }
    }
}

/// The number of cells of a block of 512 sets.
const BLOCK_CELLS: u64 = 512 / SETS_PER_CELL;

struct SetsWorker<'a> {
    tables: &'a SubsetTables,
    /// The number of cells that the kernel fills together.
    piece: u64,
    end: u64,
    scratch: Vec<Block>,
    bytes: Vec<u8>,
}

impl Worker for SetsWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        // The kernel fills whole pieces; cells beyond the tiles are ignored.
        let from = first / self.piece * self.piece;
        let to = (first + count).next_multiple_of(self.piece).min(self.end);
        self.bytes.resize(4 * (to - from) as usize, 0);
        self.tables.pack_cells(from, &mut self.bytes, &mut self.scratch);
        let before = 4 * (first - from) as usize;
        &self.bytes[before..before + 4 * count as usize]
    }
}

struct SetRowsWorker<'a> {
    rows: &'a SetRows,
    values: &'a SetRowValues,
    bytes: Vec<u8>,
}

impl Worker for SetRowsWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        self.bytes.clear();
        let multisets = self.rows.multisets();
        let mut piles = vec![0; multisets.length()];
        self.rows.position(first, &mut piles);
        let (mut at, end) = (first, first + count);
        while at < end {
            // The kernel orders sets by mask, and a file orders them by index.
            let (start, sets) = self.rows.row(&piles);
            let Some(row) = self.values.sets(&piles) else {
                unreachable!("the kernel has every multiset of the table");
            };
            let indices = at - start..sets.min(end - start);
            at += indices.end - indices.start;
            let pile = sets.trailing_zeros();
            let masks = indices.map(|index| set_of_index(pile, index) as usize);
            self.bytes.extend(masks.map(|mask| row[mask]));
            multisets.step(&mut piles);
        }
        &self.bytes
    }
}

/// Counts a table, from stored values if possible. `None` if the computation was stopped.
fn count_table(count: Count<'_>) -> Reply<Option<SetCounts>> {
    let Count { table, control, .. } = count;
    if table.length() > 1 {
        let rows = rows_of(table);
        let mut several = SetRowCounts::new(&rows);
        let needs = |means: &Means| LongGlobal.needs(table, means);
        count.each_run(
            needs,
            |job| LongGlobal.maker(job),
            |_, cells| cells.iter().for_each(|&value| several.take(value as u8)),
        )?;
        return Ok(Some(several.finish()));
    }
    if let Some(stored) = count.stored {
        return count_stored_sets(stored, control);
    }
    count.check(Some(SubsetTables::bytes(table.max_pile() - 1)))?;
    let mut tables = SubsetTables::new(count.isa);
    Ok(count_sets(&mut tables, table.max_pile(), control).ok())
}

/// Counts the stored sets of single piles, frame by frame on all threads.
fn count_stored_sets(stored: &dyn Stored, control: &Control) -> Reply<Option<SetCounts>> {
    let (max_pile, width) = (stored.table().max_pile(), stored.table().value_bytes());
    let take = |(bytes, cells): &mut (_, Vec<u32>), counts: &mut SetCounts, frame| {
        let tiles = stored.frame(frame, bytes)?;
        cells.clear();
        read_cells(width, bytes, cells);
        counts.take_cells(max_pile, tiles.start, cells);
        Ok::<_, StoreError>(cells.len() as u64)
    };
    let merge = |mut left: SetCounts, right| {
        left.merge(right);
        left
    };
    let room = || (Vec::new(), Vec::new());
    let frames = 0..stored.frames();
    let swept = try_fold_units(frames, control, room, SetCounts::default, take, merge)?;
    Ok(Some(swept.acc))
}
