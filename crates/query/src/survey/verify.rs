//! Checks that every byte is intact, and that values follow the rules.
//!
//! The file of each shard must be readable and match the manifest. The checksum of every frame
//! and the digest of all values must be right. Then the checker of the game's family (see
//! `grundy_solvers`) derives values again from the rules. The checker reads the values of options
//! from the tables, with its own code for reading (`uncached`). It shares no code with the kernels
//! that made the tables. If no table has an option, the reference evaluates it. By default the
//! checker derives the last frame and one of every sixteen others. It chooses these at random, so
//! that a forger cannot avoid them. `full` derives all frames.
//!
//! In single piles of short global nim, each row depends on all rows before it. So one checker goes
//! through the shards of such a table in order, as far as memory allows. In other tables each shard
//! has its own checker. The report counts the values that were left out. The bytes of all shards
//! are checked, in any order, even if another shard is damaged.

use std::collections::{BTreeMap, HashSet};
use std::hash::{BuildHasher, RandomState};

use grundy_shard::manifest::NumberingEntry;
use grundy_solvers::{
    Checker, Checking, Derived, SolveError, Stored, Tables as _, TileRun, read_cells, solver,
};
use grundy_sweep::{Control, MemoryLimit};
use rayon::prelude::*;

use super::uncached::{self, UncachedTables};
use crate::{Database, Problem, QueryError, StoredTable};

/// The number of bytes of memory for a cell of the frame that is being checked. They contain the
/// stored cell, the cell in 32 bits, and the value of an outcome.
const CELL_BYTES: u64 = 9;

/// The checker derives one of every `SAMPLED_FRAMES` frames again, unless it derives all.
const SAMPLED_FRAMES: u64 = 16;

/// The largest number of positions to visit for the examples in the stored rules of a table.
const MOST_POSITIONS: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Checks only tables that a name in this list matches ([`is_named`]); all if it is empty.
    pub tables: Vec<String>,
    /// Derives every value again, and not only a sample.
    pub full: bool,
    /// A pair (n, t). The check divides the shards into t parts and checks only the n-th part.
    pub part: Option<(u32, u32)>,
    /// The memory limit.
    pub memory: MemoryLimit,
    /// The expected digests of tables, by id, in hexadecimal.
    pub expected: BTreeMap<String, String>,
}

impl Verification {
    /// Returns a check of a sample of the values of all tables, which uses at most 4 GiB.
    pub const fn sampled() -> Verification {
        Verification {
            tables: Vec::new(),
            full: false,
            part: None,
            memory: MemoryLimit::new(4 << 30),
            expected: BTreeMap::new(),
        }
    }

    /// Returns a check of every value of all tables, which uses at most 4 GiB.
    pub const fn full() -> Verification {
        let mut all = Verification::sampled();
        all.full = true;
        all
    }

    /// True if this check includes the table with this id.
    pub fn wants(&self, id: &str) -> bool {
        self.tables.is_empty() || self.tables.iter().any(|name| is_named(id, name))
    }
}

/// True if `name` is the table id `id`, or consists of its first parts. The name of a rule file,
/// such as `end3`, also matches `end3-` and eight hexadecimal digits.
pub fn is_named(id: &str, name: &str) -> bool {
    let name = name.trim_end_matches('/');
    let Some(rest) = id.strip_prefix(name).filter(|_| !name.is_empty()) else { return false };
    let rest = match rest.strip_prefix('-').and_then(|rest| rest.split_at_checked(8)) {
        Some((digits, rest)) if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => rest,
        _ => rest,
    };
    rest.is_empty() || rest.starts_with('/')
}

/// The results of a check, and the problems that it found.
#[derive(Debug, Default)]
pub struct VerifyReport {
    pub tables: u64,
    pub shards: u64,
    pub bytes: u64,
    /// The number of values in shards whose checksums are right.
    pub values: u64,
    pub derived: u64,
    /// The number of values left out for lack of memory, by table id.
    pub left_out: BTreeMap<String, u64>,
    /// The number of tables with the expected digest. A table's digest is computed from the digests
    /// of its shards in the manifest. If the bytes of a shard have another digest, `problems` lists
    /// it.
    pub as_expected: u64,
    /// The number of expected tables that the database does not have.
    pub not_there: u64,
    pub problems: Vec<Problem>,
    pub stopped: bool,
}

impl VerifyReport {
    /// Returns the probability that the sample contains a given forged value. The probability is
    /// the same for several values in one frame.
    pub fn notices_one_forged_value(&self) -> f64 {
        (self.derived as f64 / self.values.max(1) as f64).min(1.0)
    }
}

impl VerifyReport {
    fn of_problem(problem: impl Into<Problem>) -> VerifyReport {
        VerifyReport { problems: vec![problem.into()], ..VerifyReport::default() }
    }

    /// Adds the counts of another report, and appends its problems.
    #[must_use]
    pub fn and(mut self, other: VerifyReport) -> VerifyReport {
        self.tables += other.tables;
        self.shards += other.shards;
        self.bytes += other.bytes;
        self.values += other.values;
        self.derived += other.derived;
        self.as_expected += other.as_expected;
        self.not_there += other.not_there;
        for (table, values) in other.left_out {
            *self.left_out.entry(table).or_default() += values;
        }
        self.problems.extend(other.problems);
        self.stopped |= other.stopped;
        self
    }
}

impl StoredTable {
    /// Returns the bytes of memory for the frames that `threads` threads of a check hold at a time.
    /// Returns 0 if a cell is not a bit, because the frames are then small.
    pub fn frame_memory(&self, threads: usize) -> u64 {
        let table = self.table();
        let bytes = if table.has_bits() { CELL_BYTES } else { 0 };
        let frame_tiles = self.frame_tiles(0).1.max(1);
        let frames = table.tiles().div_ceil(frame_tiles).min(threads as u64);
        (frames * frame_tiles * bytes).saturating_mul(table.tile_cells() as u64)
    }
}

/// Returns the tables to check, in order.
pub fn chosen<'a>(
    database: &'a Database,
    how: &Verification,
) -> impl Iterator<Item = &'a StoredTable> {
    numbered(database, how).map(|(_, stored)| stored)
}

fn numbered<'a>(
    database: &'a Database,
    how: &Verification,
) -> impl Iterator<Item = (usize, &'a StoredTable)> {
    let tables = database.tables().iter().enumerate();
    tables.filter(|(_, stored)| how.wants(&stored.table().to_string()))
}

/// Checks a database, in the rayon pool of the caller. The control counts cells.
pub fn verify(database: &Database, how: &Verification, control: &Control) -> VerifyReport {
    let threads = rayon::current_num_threads().max(1) as u64;
    // Each thread has a frame in memory. Half of the remaining memory is for the cached frames of
    // all threads, and the other half for their checkers.
    let frame = chosen(database, how).map(|stored| stored.frame_memory(1)).max();
    let frames = frame.unwrap_or(0).saturating_mul(threads);
    let memory = how.memory.minus(frames).share(2 * threads);
    let tables = UncachedTables::of(database, memory);
    let random = RandomState::new();
    let mut met = 0u64;
    let mut jobs = Vec::new();
    for (at, stored) in numbered(database, how) {
        let mut meant = Vec::new();
        for shard in 0..stored.entry().shards.len() {
            if how.part.is_none_or(|(n, t)| met % u64::from(t) == u64::from(n - 1)) {
                meant.push(shard);
            }
            met += 1;
        }
        let (tables, random, full) = (&tables, &random, how.full);
        let job = |shards, task| ShardRun {
            tables,
            stored,
            at,
            shards,
            task,
            memory,
            full,
            random,
            control,
        };
        if solver(stored.table().game()).checks_in_order(stored.table()) {
            jobs.push(job(meant.clone(), Task::Values));
            jobs.extend(meant.into_iter().map(|shard| job(vec![shard], Task::Bytes)));
        } else {
            jobs.extend(meant.into_iter().map(|shard| job(vec![shard], Task::Both)));
        }
    }
    let done: Vec<_> = jobs.into_par_iter().map(|job| job.run()).collect();
    conclude(
        database,
        how,
        control,
        done.into_iter().fold(VerifyReport::default(), VerifyReport::and),
    )
}

/// Compares the examples in the stored rules of a table with the rules. Returns the first
/// contradiction.
fn wrong_rules(stored: &StoredTable, control: &Control) -> Option<Problem> {
    let table = stored.table();
    let game = table.game().outcomes_of().unwrap_or(table.game());
    // A computation that would take long is left out, as when the rules were read for the build.
    let mut positions = MOST_POSITIONS;
    let mut more = || {
        positions = positions.saturating_sub(1);
        positions > 0 && !control.is_stopped()
    };
    if let Some(listed) = &stored.entry().numbering {
        let expected = table.arrangement().map(|arrangement| {
            NumberingEntry::new(arrangement, &table.remembered(), table.max_pile())
        });
        if expected.as_ref() != Some(listed) {
            let what = "they do not give the listed numbering".to_owned();
            return Some(Problem::Rules { table: table.to_string(), what });
        }
    }
    let wrong = game.rule_file()?.check(game, &mut more).err()?;
    Some(Problem::Rules { table: table.to_string(), what: wrong.what })
}

/// Adds the checks of the database as a whole to the report about its shards.
fn conclude(
    database: &Database,
    how: &Verification,
    control: &Control,
    checked: VerifyReport,
) -> VerifyReport {
    let folder = database.folder();
    let unknown = database
        .unknown()
        .iter()
        .filter(|id| how.wants(id))
        .map(|id| Problem::Unknown { folder: folder.to_owned(), table: id.clone() });
    let tables = chosen(database, how).count() as u64;
    let rules = chosen(database, how).filter_map(|stored| wrong_rules(stored, control));
    let problems = unknown.chain(rules).collect();
    let before = VerifyReport { tables, problems, ..VerifyReport::default() };
    let mut all = before.and(checked);
    for (id, expected) in how.expected.iter().filter(|(id, _)| how.wants(id)) {
        let of = |stored: &&StoredTable| stored.table().to_string() == *id;
        let Some(stored) = database.tables().iter().find(of) else {
            all.not_there += 1;
            continue;
        };
        let found = stored.entry().digest();
        if *expected == found {
            all.as_expected += 1;
        } else {
            let (table, expected) = (id.clone(), expected.clone());
            all.problems.push(Problem::Digest { table, found, expected });
        }
    }
    // Several shards may report the same damage of one file. Keep only one report.
    let mut seen = HashSet::new();
    all.problems.retain(|problem| seen.insert(problem.to_string()));
    all
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Task {
    Both,
    Bytes,
    Values,
}

/// Shards of a table that one checker checks, in order.
struct ShardRun<'a> {
    tables: &'a UncachedTables<'a>,
    stored: &'a StoredTable,
    at: usize,
    shards: Vec<usize>,
    task: Task,
    memory: MemoryLimit,
    full: bool,
    random: &'a RandomState,
    control: &'a Control,
}

impl ShardRun<'_> {
    fn run(&self) -> VerifyReport {
        let mut all = VerifyReport::default();
        let game = self.stored.table().game();
        let (stored, tables) = (self.tables.table(self.at), self.tables);
        let (memory, control) = (self.memory, self.control);
        let checker = solver(game).checker(Checking { stored, tables, memory, control });
        let mut checker = match checker {
            Ok(checker) => checker,
            Err(error) => return VerifyReport::of_problem(QueryError::from(error)),
        };
        for &shard in &self.shards {
            let mut sound = true;
            if self.task != Task::Values {
                let checked = self.bytes(shard);
                sound = checked.problems.is_empty() && !checked.stopped;
                all = all.and(checked);
            }
            if self.task != Task::Bytes && sound {
                let checked = self.values(shard, &mut *checker);
                sound = checked.problems.is_empty() && !checked.stopped;
                all = all.and(checked);
            }
            // No values can be derived from damaged shards.
            if !sound {
                break;
            }
        }
        uncached::forget();
        all
    }

    fn bytes(&self, index: usize) -> VerifyReport {
        let stored = self.stored;
        if self.control.is_stopped() {
            return VerifyReport { stopped: true, ..VerifyReport::default() };
        }
        let fetched = stored.fetch_shard(index);
        let result = fetched.and_then(|()| stored.shard(index)).and_then(|shard| {
            shard.verify().map_err(|source| stored.damaged(index, source))?;
            Ok(shard.description().cells())
        });
        match result {
            Ok(cells) => VerifyReport {
                shards: 1,
                bytes: stored.entry().shards[index].bytes,
                values: cells * stored.table().values_per_cell(),
                ..VerifyReport::default()
            },
            // A transfer that fails after a request to stop counts as stopped.
            Err(_) if self.control.is_stopped() => {
                VerifyReport { stopped: true, ..VerifyReport::default() }
            }
            Err(error) => VerifyReport::of_problem(error),
        }
    }

    fn values(&self, index: usize, checker: &mut dyn Checker) -> VerifyReport {
        let ShardRun { stored, control, task, .. } = *self;
        let mut checked = VerifyReport::default();
        for frame in stored.shard_frames(index) {
            let (_, tiles) = stored.frame_tiles(frame);
            if self.full || self.samples(frame) {
                if control.is_stopped() {
                    checked.stopped = true;
                    return checked;
                }
                match self.frame(frame, checker) {
                    Ok(found) => {
                        checked.derived += found.values;
                        if found.left_out > 0 {
                            let id = stored.table().to_string();
                            *checked.left_out.entry(id).or_default() += found.left_out;
                        }
                    }
                    Err(_) if control.is_stopped() => {
                        checked.stopped = true;
                        return checked;
                    }
                    // The check of the bytes already reports this damage, with more detail.
                    Err(Problem::Shard(_)) if task == Task::Values => return checked,
                    Err(problem) => {
                        checked.problems.push(problem);
                        return checked;
                    }
                }
            }
            control.advance(tiles * stored.table().tile_cells() as u64);
        }
        checked
    }

    /// True for the last frame, whose length may differ, and for one of every sixteen frames before
    /// it.
    fn samples(&self, frame: u64) -> bool {
        let last = self.stored.frames() - 1;
        let first = frame - frame % SAMPLED_FRAMES;
        let choices = SAMPLED_FRAMES.min(last.saturating_sub(first)).max(1);
        frame == last || frame - first == self.random.hash_one((self.at, first)) % choices
    }

    /// Derives the values of a frame from the rules, and compares them with the stored values.
    fn frame(&self, frame: u64, checker: &mut dyn Checker) -> Result<Derived, Problem> {
        let (stored, table) = (self.stored, self.stored.table());
        let (mut bytes, mut cells) = (Vec::new(), Vec::new());
        let fresh = self.tables.table(self.at);
        fresh
            .frame(frame, &mut bytes)
            .map_err(|error| QueryError::from(SolveError::from(error)))?;
        read_cells(table.value_bytes(), &bytes, &mut cells);
        let (first, _) = stored.frame_tiles(frame);
        let path = || stored.shard_path(stored.shard_of_frame(frame));
        // A position has the same number in the table of values and in this table of outcomes.
        if let Some(of) = table.game().outcomes_of()
            && let Some(values) = self
                .tables
                .find(of, table.length(), &|found| found.table().max_pile() == table.max_pile())
        {
            let (start, mut all) = (first * table.tile_cells() as u64, Vec::new());
            let read = values.cells(start, 1, cells.len(), &mut all);
            read.map_err(|error| QueryError::from(SolveError::from(error)))?;
            let differ = |(&value, &outcome): (&u32, &u32)| value.min(1) != outcome;
            if let Some(at) = all.iter().zip(&cells).position(differ) {
                let position = table.position(start + at as u64);
                let position = position.map_or_else(String::new, |found| found.to_string());
                return Err(Problem::Outcome {
                    path: path(),
                    position,
                    table: values.table().to_string(),
                });
            }
        }
        let piece = TileRun { first, cells: &cells, full: self.full };
        let mut derived = checker.check(piece).map_err(QueryError::from)?;
        match derived.wrong.take() {
            None => Ok(derived),
            Some(wrong) => {
                Err(Problem::Value { path: path(), position: wrong.position, found: wrong.found })
            }
        }
    }
}
