//! Solves partizan End-Nim, whose outcome classes follow from thresholds, and rule files with the
//! same rules.
//!
//! A built-in table holds the threshold l(w) of every word: Left, moving first, wins a w iff a >
//! l(w). The thresholds of a position and of its reversal determine its class. The kernel computes
//! thresholds from the word alone, without tables. A table of a rule file holds the classes.

use std::ops::Range;

use grundy_kernels::cells::write_cells;
use grundy_kernels::thresholds::{self, Prefix, fill_row};
use grundy_rules::{Game, Pile, Position, Table, class_of_thresholds, lex_index};
use grundy_sweep::Control;
use grundy_sweep::cost::price::{self, THRESHOLD};
use grundy_sweep::outcomes::{OutcomeLevels, count_outcomes};

use crate::answer::{Answer, Effort, Env, Reply, Source};
use crate::check::{Checker, Checking, Derived, TileRun, derived};
use crate::count::{Count, Counted};
use crate::fill::{FillError, Job, Maker, Making, Means, Needs, Worker, stored_bytes};
use crate::generic::AnyGame;
use crate::solver::{Solver, Surveyor};
use crate::tables::Stored;

#[derive(Debug)]
pub(crate) struct PartizanGames;

impl Solver for PartizanGames {
    fn most(&self) -> (u64, usize) {
        (1 << 31, 8)
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs {
        // Storing thresholds takes longer than computing them.
        let seconds = match table.game().has_thresholds() {
            true => 0.0,
            false => table.cells() as f64 * price::CLASS / means.threads as f64,
        };
        Needs { memory: 0, seconds, bits_per_cell: 0.4, level: 0, making: Making::Apart }
    }

    fn maker(&self, _: Job) -> Box<dyn Maker> {
        Box::new(FromNothing)
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        let piles = position.piles();
        // Skip tables that would decode a frame, because computing a threshold is faster.
        let stored = env.holder(game, piles).filter(|stored| !stored.is_asked_at_random());
        if !game.has_thresholds() && stored.is_some() {
            return AnyGame.answer(game, position, env);
        }
        if let Some(stored) = stored
            && let Some(left) = stored.cell_of(position)?
            && let Some(right) = stored.cell_of(&position.reversed())?
        {
            return Ok(Answer::of_thresholds(left.into(), right.into(), Source::Table));
        }
        let pairs = (piles.len() as f64).powi(2);
        let memory = 32 * piles.len() as u64;
        Effort { cells: pairs, seconds: pairs * THRESHOLD, memory }.check(piles, env.limits)?;
        let (left, right) = thresholds::of_word(piles);
        let found = Answer::of_thresholds(left, right, Source::Computed);
        // Only tables of thresholds have them to compare.
        Ok(Answer { thresholds: found.thresholds.filter(|_| game.has_thresholds()), ..found })
    }
}

impl Surveyor for PartizanGames {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        match of.stored.table().game().has_thresholds() {
            true => Ok(Box::new(ThresholdChecker(of))),
            false => AnyGame.checker(of),
        }
    }

    /// Computes the classes level by level, which is faster than reading stored thresholds.
    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>> {
        count.check(level_bytes(count.table))?;
        let (max_pile, length) = (count.table.max_pile(), count.table.length());
        let counts = count_outcomes(max_pile, length, count.control);
        // A rule file has a separate table for each length.
        let is_counted =
            |length| count.table.game().has_thresholds() || length == count.table.length();
        let counts = (1..).zip(counts.acc).filter(|&(length, _)| is_counted(length));
        Ok(count.unless_nothing(Counted::Classes(counts.collect())))
    }
}

/// Returns the bytes of the levels from which a table is counted.
fn level_bytes(table: &Table) -> Option<u64> {
    OutcomeLevels::bytes(table.max_pile(), table.length().max(2) - 1)
}

struct FromNothing;

impl Maker for FromNothing {
    fn prepare(&mut self, _: &Table, _: &Needs, _: &Control) -> Result<(), FillError> {
        Ok(())
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        Box::new(ThresholdWorker {
            table,
            word: Vec::new(),
            prefix: Prefix::default(),
            values: Vec::new(),
            classes: Vec::new(),
        })
    }
}

struct ThresholdWorker<'a> {
    table: &'a Table,
    word: Vec<Pile>,
    prefix: Prefix,
    values: Vec<u16>,
    /// The bytes of a table of classes.
    classes: Vec<u8>,
}

impl ThresholdWorker<'_> {
    /// Returns the bytes of some tiles of classes. A row has at most three runs
    /// ([`Prefix::zeros`]).
    fn classes(&mut self, tiles: Range<u64>) -> &[u8] {
        let (table, length) = (self.table, self.table.length());
        self.classes.clear();
        for tile in tiles {
            table.tile_word(tile, &mut self.word);
            for a in 1..=table.tile_rows() as Pile {
                let more = usize::from(length > 1);
                self.word.truncate(length - 1 - more);
                self.word.extend(std::iter::repeat_n(a, more));
                self.prefix.set(&self.word);
                let (left, right) = self.prefix.zeros();
                let class = |b| class_of_thresholds((b > left).into(), (b < right).into()) as u32;
                let classes = (1..=table.tile_cols() as u64).map(class);
                write_cells(table.value_bytes(), classes, &mut self.classes);
            }
        }
        &self.classes
    }
}

impl Worker for ThresholdWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        if !self.table.game().has_thresholds() {
            return self.classes(first..first + count);
        }
        let (rows, cols) = (self.table.tile_rows(), self.table.tile_cols());
        self.values.resize(count as usize * rows * cols, 0);
        for (tile, values) in (first..).zip(self.values.chunks_exact_mut(rows * cols)) {
            self.table.tile_word(tile, &mut self.word);
            self.prefix.set(&self.word);
            for (a, row) in (1..).zip(values.chunks_exact_mut(cols)) {
                // The only row of the table of length 1 is the row of the empty word.
                let (left, right) =
                    if self.table.length() == 1 { (0, 0) } else { self.prefix.appended(a) };
                fill_row(left, right, row);
            }
        }
        stored_bytes(&mut self.values)
    }
}

/// Derives rows of thresholds again, from the thresholds of words with one pile fewer. The checker
/// reads these thresholds from their table. If that table is missing, derives them in the same way.
struct ThresholdChecker<'a>(Checking<'a>);

impl ThresholdChecker<'_> {
    /// Returns the threshold l of a word, which is 0 for the empty word.
    fn left(&self, word: &[Pile]) -> Reply<u64> {
        let Some((&last, prefix)) = word.split_last() else { return Ok(0) };
        let game = self.0.stored.table().game();
        let holds = |found: &dyn Stored| found.table().holds(word);
        if let Some(found) = self.0.tables.find(game, word.len(), &holds) {
            return Ok(found.cell(lex_index(word, found.table().max_pile().into()))?.into());
        }
        let backwards: Vec<Pile> = prefix.iter().rev().copied().collect();
        let mut row = row_by_moves(self.left(prefix)?, self.left(&backwards)?);
        Ok(row.nth(last as usize - 1).unwrap_or_default())
    }
}

impl Checker for ThresholdChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let table = self.0.stored.table();
        let cols = table.tile_cols();
        let mut word = Vec::new();
        for (at, values) in run.cells.chunks_exact(cols).enumerate() {
            table.tile_word(run.first + (at / table.tile_rows()) as u64, &mut word);
            if table.length() > 1 {
                word.push((at % table.tile_rows()) as Pile + 1);
            }
            let left = self.left(&word)?;
            word.reverse();
            let right = self.left(&word)?;
            let wrong = values.iter().zip(row_by_moves(left, right));
            if let Some(b) = wrong.into_iter().position(|(&found, right)| u64::from(found) != right)
            {
                return Ok(derived(table, run, Some(at * cols + b)));
            }
        }
        Ok(derived(table, run, None))
    }
}

/// Returns the row l(u b), b = 1, 2, ..., by the moves. `left` and `right` are the thresholds l(u)
/// and r(u), both 0 if u is empty.
///
/// Left, moving first, wins a u b iff Right, moving first, loses a' u b for some a' < a. If a' = 0,
/// the first pile is gone, and Right loses u b iff b <= r(u). If a' >= 1, Right loses iff Left,
/// moving first, wins all positions that Right can leave. These are a' u, which Left wins iff a' >
/// l(u), and a' u b' with b' < b, which Left wins iff a' > l(u b'). The threshold l(u b) is the
/// largest a with which Left does not win, so it is the least a' with which Right loses. It is 0 if
/// b <= r(u). Otherwise it is one more than the greatest of l(u), l(u 1), ..., l(u b-1).
fn row_by_moves(left: u64, right: u64) -> impl Iterator<Item = u64> {
    (1u64..).scan(left, move |greatest, b| {
        let found = if b <= right { 0 } else { *greatest + 1 };
        *greatest = found.max(*greatest);
        Some(found)
    })
}
