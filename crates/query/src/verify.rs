//! Is every byte what it should be, and every value what the rules say?
//!
//! For each shard: its file opens, is the one that the manifest lists, every frame's
//! checksum is right and so is the digest over all values. Then values are derived again
//! from the rules: a tile's cells must be the mex of the cells above, to the left and on
//! the borders, the borders being rows of the table one pile shorter, and those of length
//! 1 the seed row; the value of a multiset must be the mex of its options' values; a
//! threshold must be what the moves make of those of the words next to it. The deriving is
//! `rules::reference`, which shares no code with the kernels that made the tables; options
//! come from tables, and only where there is none are they computed, of Nim as nim-sums and
//! of long global nim by a search. By default one frame in sixteen is derived
//! again; `full` derives all.
//!
//! A row of one pile of short global nim takes a look at every shorter pile, so of records the
//! first thousand rows (30,000 if `full`) and one of each frame that is derived again are; of a
//! table of g(n) alone the first thousand, or 30,000.

use std::path::PathBuf;

use grundy_rules::reference::StoredRows;
use grundy_rules::table::{self, SETS_PER_CELL};
use grundy_rules::{Game, Layout, Multisets, Pile, Position, SetRows, Table, end_nim, reference};
use grundy_sweep::Control;
use rayon::prelude::*;

use crate::short_global::Rows;
use crate::{Database, QueryError, StoredTable};

/// Frames of which one is derived again from the rules, unless all are.
const SAMPLED_FRAMES: u64 = 16;

/// How thorough to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verification {
    /// Derive every value again, not only a sample.
    pub full: bool,
    /// Look at the n-th of t parts of the shards only: (n, t), n from 1.
    pub part: Option<(u32, u32)>,
}

/// What was checked, and what was found wrong.
#[derive(Debug, Default)]
pub struct Checked {
    /// Tables looked at.
    pub tables: u64,
    /// Shards read to the last byte.
    pub shards: u64,
    /// Bytes of their files.
    pub bytes: u64,
    /// Values of which the checksum was compared.
    pub values: u64,
    /// Values derived again from the rules.
    pub derived: u64,
    /// What is wrong, shard by shard.
    pub problems: Vec<Problem>,
    /// Whether it was stopped before the end.
    pub stopped: bool,
}

/// Something wrong in one shard.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
    /// The file is missing, damaged, or another one.
    #[error(transparent)]
    Shard(#[from] QueryError),
    /// A value contradicts the rules.
    #[error("{path}: the value of {position} is {found}, which is not what its options make it")]
    Value {
        /// The file.
        path: PathBuf,
        /// The position.
        position: String,
        /// The stored value.
        found: u32,
    },
}

impl Checked {
    fn and(mut self, mut other: Checked) -> Checked {
        self.tables += other.tables;
        self.shards += other.shards;
        self.bytes += other.bytes;
        self.values += other.values;
        self.derived += other.derived;
        self.problems.append(&mut other.problems);
        self.stopped |= other.stopped;
        self
    }
}

/// Checks a database, in the rayon pool of the caller. The control counts values.
pub fn verify(database: &Database, how: Verification, control: &Control) -> Checked {
    let mut all = Checked { tables: database.tables().len() as u64, ..Checked::default() };
    let mut number = 0u64;
    let mut jobs = Vec::new();
    for stored in database.tables() {
        for shard in 0..stored.entry().shards.len() {
            let chosen = how.part.is_none_or(|(n, t)| number % u64::from(t) == u64::from(n - 1));
            number += 1;
            if chosen {
                jobs.push((stored, shard));
            }
        }
    }
    let checked = jobs
        .into_par_iter()
        .map(|(stored, shard)| check_shard(database, stored, shard, how.full, control))
        .reduce(Checked::default, Checked::and);
    all = all.and(checked);
    all
}

fn check_shard(
    database: &Database,
    stored: &StoredTable,
    index: usize,
    full: bool,
    control: &Control,
) -> Checked {
    let mut checked = Checked::default();
    if control.is_stopped() {
        checked.stopped = true;
        return checked;
    }
    let path = stored.shard_path(index);
    let result = stored.shard(index).and_then(|shard| {
        shard.verify().map_err(|source| QueryError::Damaged { path: path.clone(), source })?;
        Ok(shard.description().value_len() / u64::from(stored.entry().value_bytes))
    });
    match result {
        Ok(values) => {
            checked.shards = 1;
            checked.bytes = stored.entry().shards[index].bytes;
            checked.values = values * stored.table().values() / stored.table().cells();
        }
        Err(error) => {
            checked.problems.push(error.into());
            return checked;
        }
    }
    let mut bytes = Vec::new();
    let mut levels = None;
    let step = if full { 1 } else { SAMPLED_FRAMES };
    for frame in stored.shard_frames(index) {
        let (_, tiles) = stored.frame_tiles(frame);
        // The last frame too: it is the odd one.
        if frame % step == 0 || frame + 1 == stored.frames() {
            if control.is_stopped() {
                checked.stopped = true;
                return checked;
            }
            match check_frame(database, stored, frame, full, &mut bytes, &mut levels) {
                Ok(derived) => checked.derived += derived,
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

/// Derives the values of a frame again; returns how many.
fn check_frame(
    database: &Database,
    stored: &StoredTable,
    frame: u64,
    full: bool,
    bytes: &mut Vec<u8>,
    levels: &mut Option<Levels>,
) -> Result<u64, Problem> {
    let table = stored.table();
    stored.decode(frame, bytes)?;
    let mut values = Vec::new();
    stored.append_values(bytes, &mut values);
    let (first, _) = stored.frame_tiles(frame);
    let mut derived = values.len() as u64;
    let found = match table.layout() {
        Layout::Middles(_) => wrong_in_tiles(database, table, first, &values)?,
        Layout::Words(_) => wrong_threshold(database, table, first, &values)?,
        Layout::Multisets(multisets) => {
            let levels = match levels {
                Some(levels) => levels,
                none => none.insert(Levels::read(database, stored)?),
            };
            let Levels { here, below, .. } = levels;
            reference::first_wrong_multiset(table.game(), multisets, first, &values, here, below)
        }
        Layout::LastMoves(multisets) => {
            wrong_last_move(database, stored, multisets, first, &values)?
        }
        Layout::Sets => {
            // Each cell stands for sixteen values.
            let (found, sets) = wrong_set(stored, frame)?;
            derived = sets;
            if let Some((position, found)) = found {
                let path = stored.shard_path(stored.shard_of_frame(frame));
                return Err(Problem::Value { path, position, found });
            }
            None
        }
        Layout::SetRows(rows) => wrong_in_set_rows(database, stored, rows, first, &values)?,
        Layout::Heaps { .. } => {
            let levels = match levels {
                Some(levels) => levels,
                none => none.insert(Levels::of_rows(Rows::read(stored)?)),
            };
            let (found, rows) = wrong_record(&levels.rows, table, (frame, first), &values, full);
            derived = rows;
            found
        }
    };
    if let Some(at) = found {
        let offset = first * table.tile_cells() as u64 + at as u64;
        return Err(Problem::Value {
            path: stored.shard_path(stored.shard_of_frame(frame)),
            position: table.position_at(offset).map_or_else(String::new, |found| found.to_string()),
            found: values[at],
        });
    }
    Ok(derived)
}

/// Rows of one pile that are always derived again, and those that are if all is.
const FIRST_ROWS: u64 = 1000;
const FULL_ROWS: u64 = 30_000;

/// The first wrong value among the records from number `first` on, and how many were derived
/// again.
fn wrong_record(
    rows: &Rows,
    table: &Table,
    (frame, first): (u64, u64),
    values: &[u32],
    full: bool,
) -> (Option<usize>, u64) {
    let columns = table.tile_cols();
    let count = (values.len() / columns) as u64;
    // A different place in each frame.
    let chosen = first + frame.wrapping_mul(0x9E37_79B9_7F4A_7C15) % count.max(1);
    let mut derived = 0;
    let of_frame = first..first + count;
    let all_up_to = if full { FULL_ROWS } else { FIRST_ROWS };
    let is_chosen = |row: u64| row < all_up_to || columns > 1 && row == chosen;
    let last = all_up_to.min(u64::from(table.max_pile()));
    let small = Dense::new(if columns > 1 || first >= last { 0 } else { last as Pile });
    // Behind a record that cannot be one there is nothing to derive from.
    let damaged = rows.count();
    if of_frame.contains(&damaged) {
        return (Some((damaged - first) as usize * columns), derived);
    }
    for row in of_frame.filter(|&row| is_chosen(row) && row < damaged) {
        derived += 1;
        let start = (row - first) as usize * columns;
        let record = &values[start..start + columns];
        let pile = row as Pile + 1;
        let (g, exceptions) = match columns {
            1 => (small.rows[pile as usize].0, Vec::new()),
            _ => reference::stored_row(rows, pile),
        };
        let mut expected = vec![g];
        if columns > 1 {
            expected.push(exceptions.len() as u32);
            expected.extend(exceptions);
        }
        expected.resize(columns.max(expected.len()), 0);
        if let Some(at) = record.iter().zip(&expected).position(|(found, right)| found != right) {
            return (Some(start + at), derived);
        }
    }
    (None, derived)
}

/// The first rows by definition, for tables that lack what it takes to derive them.
struct Dense {
    rows: Vec<(u32, Vec<Pile>)>,
}

impl Dense {
    fn new(last: Pile) -> Dense {
        let mut dense = Dense { rows: vec![(0, Vec::new())] };
        for n in 1..=last {
            let row = reference::stored_row(&dense, n);
            dense.rows.push(row);
        }
        dense
    }
}

impl StoredRows for Dense {
    fn value(&self, pile: Pile) -> u32 {
        self.rows[pile as usize].0
    }

    fn exceptions(&self, pile: Pile) -> &[Pile] {
        &self.rows[pile as usize].1
    }
}

/// The first wrong value among the multisets of short global nim from number `first` on.
fn wrong_last_move(
    database: &Database,
    stored: &StoredTable,
    multisets: &Multisets,
    first: u64,
    values: &[u32],
) -> Result<Option<usize>, Problem> {
    let columns = stored.table().tile_cols();
    let mut piles = vec![0; multisets.length()];
    for (at, row) in values.chunks_exact(columns).enumerate() {
        multisets.unrank(first + at as u64, &mut piles);
        let wrong = reference::first_wrong_last_move(&piles, row, |piles, k| {
            if piles.len() == multisets.length() {
                return stored.value_after(piles, k);
            }
            let option = Position::after(piles.to_vec(), k).unwrap_or_default();
            Ok(database.value(Game::ShortGlobalNim, &option)?.value)
        });
        if let Some(k) = wrong.map_err(|error: QueryError| Problem::Shard(error))? {
            return Ok(Some(at * columns + k));
        }
    }
    Ok(None)
}

/// The first wrong value among the sets of one pile of long global nim in a frame, with its
/// position, and how many were derived again.
fn wrong_set(stored: &StoredTable, frame: u64) -> Result<(Option<(String, u32)>, u64), QueryError> {
    let (first, cells) = stored.frame_tiles(frame);
    let (mut number, end) = (first * SETS_PER_CELL, (first + cells) * SETS_PER_CELL);
    // The number 0 is no set, and 1 the one of no coins.
    let mut derived = 0;
    while number < end {
        let wrong = |at: u64, found: u8| {
            let position = table::position_of_number(at);
            Some((position.map_or_else(String::new, |found| found.to_string()), found.into()))
        };
        if number < 2 {
            let nothing = stored.sets(0, 0, 1)?[0];
            if nothing != 0 {
                return Ok((wrong(1, nothing), derived));
            }
            (number, derived) = (2, 1);
            continue;
        }
        let pile = number.ilog2();
        if pile > stored.table().max_pile() {
            // What is behind the last pile in a small table's only cell is 0.
            let padding = stored.sets(pile, 0, (end - number) as usize)?;
            let found = padding.iter().position(|&value| value != 0);
            return Ok((found.and_then(|at| wrong(number + at as u64, padding[at])), derived));
        }
        let index = number - (1 << pile);
        // As many as there are, in runs of 2^k at a multiple of that: all, if frames begin where
        // they should.
        let aligned = 1u64 << index.trailing_zeros().min(pile);
        let count = aligned.min(1 << (end - number).ilog2());
        let values = stored.sets(pile, index, count as usize)?;
        let found = reference::first_wrong_set(pile, index, &values, |pile, index, count| {
            stored.sets(pile, index, count)
        })?;
        if let Some(at) = found {
            return Ok((wrong(number + at as u64, values[at]), derived));
        }
        number += count;
        derived += count;
    }
    Ok((None, derived))
}

/// The first wrong value among the positions of long global nim with several piles from number
/// `first` on.
fn wrong_in_set_rows(
    database: &Database,
    stored: &StoredTable,
    rows: &SetRows,
    first: u64,
    values: &[u32],
) -> Result<Option<usize>, QueryError> {
    let mut piles = vec![0; stored.table().length()];
    for (at, &value) in values.iter().enumerate() {
        let set = rows.position(first + at as u64, &mut piles);
        let is_right = reference::is_right_with_set(&piles, set, value, |option, set| {
            let here =
                if option.len() == piles.len() { stored.set_value(option, set)? } else { None };
            here.map_or_else(|| database.set_value(option, set), Ok)
        })?;
        if !is_right {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// The first wrong value in the tiles of an End-Nim table from number `first` on.
fn wrong_in_tiles(
    database: &Database,
    table: &Table,
    first: u64,
    values: &[u32],
) -> Result<Option<usize>, Problem> {
    let cells = table.tile_cells();
    let mut middle = Vec::new();
    for (at, values) in values.chunks_exact(cells).enumerate() {
        let found = if table.length() == 1 {
            let seeds = (1..).map(|pile| end_nim::seed(table.game(), pile));
            values.iter().zip(seeds).position(|(&value, seed)| value != seed)
        } else {
            table.tile_word(first + at as u64, &mut middle);
            let row = database.full_row(table, &middle)?;
            middle.reverse();
            let col = database.full_row(table, &middle)?;
            reference::first_wrong_cell(&row, &col, values)
                .map(|(row, col)| row * table.tile_cols() + col)
        };
        if let Some(found) = found {
            return Ok(Some(at * cells + found));
        }
    }
    Ok(None)
}

/// The first wrong threshold in the tiles from number `first` on.
fn wrong_threshold(
    database: &Database,
    table: &Table,
    first: u64,
    values: &[u32],
) -> Result<Option<usize>, Problem> {
    let cols = table.tile_cols();
    let mut word = Vec::new();
    let mut row = Vec::new();
    for (at, values) in values.chunks_exact(cols).enumerate() {
        table.tile_word(first + (at / table.tile_rows()) as u64, &mut word);
        if table.length() > 1 {
            word.push((at % table.tile_rows()) as Pile + 1);
        }
        let (left, right) = match Position::new(word.clone()) {
            Ok(position) if !word.is_empty() => {
                let found = database.thresholds(&position)?;
                (found.left, found.right)
            }
            _ => (0, 0),
        };
        row.clear();
        row.extend(values.iter().map(|&value| u64::from(value)));
        if let Some(b) = reference::first_wrong_threshold(left, right, &row) {
            return Ok(Some(at * cols + b - 1));
        }
    }
    Ok(None)
}

/// What the values of multisets are derived from: all values of their table and of that of
/// one pile less.
#[derive(Default)]
struct Levels {
    here: Vec<u32>,
    below: Vec<u32>,
    /// Of single piles of short global nim.
    rows: Rows,
}

impl Levels {
    fn of_rows(rows: Rows) -> Levels {
        Levels { rows, ..Levels::default() }
    }

    fn read(database: &Database, stored: &StoredTable) -> Result<Levels, Problem> {
        let table = stored.table();
        let below = match Table::new(table.game(), table.max_pile(), table.length() - 1) {
            Ok(below) => match database.table(&below) {
                Some(stored) => stored.values()?,
                None => computed(database, &below)?,
            },
            Err(_) => Vec::new(),
        };
        Ok(Levels { here: stored.values()?, below, rows: Rows::default() })
    }
}

/// All values of a table that is not stored.
fn computed(database: &Database, table: &Table) -> Result<Vec<u32>, Problem> {
    let positions = (0..table.cells()).map_while(|offset| table.position_at(offset));
    let values = positions.map(|position| Ok(database.value(table.game(), &position)?.value));
    values.collect()
}
