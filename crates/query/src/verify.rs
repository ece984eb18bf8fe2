//! Is every byte what it should be, and every value what the rules say?
//!
//! For each shard: its file opens, is the one that the manifest lists, every frame's
//! checksum is right and so is the digest over all values. Then values are derived again
//! from the rules, by the checker of the game's family (see `grundy_solvers`): it reads the
//! options' values from the tables, over a path of its own (`fresh`), and shares no code with
//! the kernels that made them; where an option is in no table, the reference evaluates it. By
//! default one frame in sixteen is derived again; `full` derives all.
//!
//! A row of one pile of short global nim takes a look at every shorter pile, so of records the
//! first thousand rows (30,000 if `full`) and one of each frame that is derived again are; of a
//! table of g(n) alone the first thousand, or 30,000.

use std::path::PathBuf;

use grundy_solvers::{Checker, Piece, read_cells, solver};
use grundy_sweep::Control;
use rayon::prelude::*;

use crate::fresh::{self, FreshTables};
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
    let fresh = FreshTables::of(database);
    let mut number = 0u64;
    let mut jobs = Vec::new();
    for (at, stored) in database.tables().iter().enumerate() {
        for shard in 0..stored.entry().shards.len() {
            let chosen = how.part.is_none_or(|(n, t)| number % u64::from(t) == u64::from(n - 1));
            number += 1;
            if chosen {
                jobs.push((at, shard));
            }
        }
    }
    let checked = jobs
        .into_par_iter()
        .map(|(at, shard)| {
            let checked = check_shard(database, &fresh, at, shard, how.full, control);
            fresh::forget();
            checked
        })
        .reduce(Checked::default, Checked::and);
    all = all.and(checked);
    all
}

fn check_shard(
    database: &Database,
    fresh: &FreshTables<'_>,
    at: usize,
    index: usize,
    full: bool,
    control: &Control,
) -> Checked {
    let stored = &database.tables()[at];
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
        Ok(cells) => {
            checked.shards = 1;
            checked.bytes = stored.entry().shards[index].bytes;
            checked.values = cells * stored.table().values_per_cell();
        }
        Err(error) => {
            checked.problems.push(error.into());
            return checked;
        }
    }
    let game = stored.table().game();
    let mut checker = match solver(game).checker(fresh.table(at), fresh) {
        Ok(checker) => checker,
        Err(error) => {
            checked.problems.push(QueryError::from(error).into());
            return checked;
        }
    };
    let step = if full { 1 } else { SAMPLED_FRAMES };
    for frame in stored.shard_frames(index) {
        let (_, tiles) = stored.frame_tiles(frame);
        // The last frame too: it is the odd one.
        if frame % step == 0 || frame + 1 == stored.frames() {
            if control.is_stopped() {
                checked.stopped = true;
                return checked;
            }
            match check_frame(stored, frame, full, &mut *checker) {
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
    stored: &StoredTable,
    frame: u64,
    full: bool,
    checker: &mut dyn Checker,
) -> Result<u64, Problem> {
    let (mut bytes, mut cells) = (Vec::new(), Vec::new());
    stored.decode(frame, &mut bytes)?;
    read_cells(stored.table().value_bytes(), &bytes, &mut cells);
    let (first, _) = stored.frame_tiles(frame);
    let derived = checker.check(Piece { first, cells: &cells, full }).map_err(QueryError::from)?;
    match derived.wrong {
        None => Ok(derived.values),
        Some(wrong) => Err(Problem::Value {
            path: stored.shard_path(stored.shard_of_frame(frame)),
            position: wrong.position,
            found: wrong.found,
        }),
    }
}
