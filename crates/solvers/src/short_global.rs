//! Solves short global nim, and rule files with the same rules. Built-in tables of single piles
//! contain records. A record has the value g(n) of a pile n and its exceptional last moves, which
//! change this value.
//!
//! The record of a pile depends on all smaller piles, so records are computed in order
//! ([`InOrder`]). Without a table, a single pile needs all records up to its own, and several piles
//! need all positions below them. The solver refuses work beyond the limits.

mod checker;
mod recount;
mod rows;

use grundy_kernels::last_move::{LastMoves, Rectangle};
use grundy_kernels::records::{self, Records as RecordKernel};
use grundy_rules::index::MOST_EXCEPTIONS;
use grundy_rules::{
    Form, Game, LARGEST_MAX_PILE, Multisets, Numbering, Pile, Position, Table, TableError,
};
use grundy_sweep::Control;
use grundy_sweep::cost::price;
use grundy_sweep::records::{RecordCounts, RecordRows, count_records, exceptions_of};

use crate::answer::{
    Answer, Answers, Effort, Env, Limit, Limits, Moves, Reply, SolveError, Source, Watched,
    check_moves,
};
use crate::check::{Checker, Checking};
use crate::count::{Count, Counted};
use crate::fill::{FillError, InOrder, Job, Maker, Making, Means, Needs, TableRequest, Worker};
use crate::generic::LevelWorker;
use crate::multisets::multisets;
use crate::solver::{Records, Solver, Surveyor, moves_by, row_one_by_one, tile_by_rows};
use crate::tables::Stored;
use checker::{LastMoveChecker, RecordChecker};

#[derive(Debug)]
pub(crate) struct ShortGlobal;

/// The maximum numbers of values and of piles in a table that is built by default.
const MOST_VALUES: u64 = 1 << 26;
const MOST_PILES: usize = 4;

/// The bytes of a computed record in memory.
const ROW_BYTES: u64 = 100;

/// Returns the largest single pile of default tables: 15,625 times the largest pile of the other
/// tables, but at most a million (15,625 * 64).
fn default_single(max_pile: Pile) -> Pile {
    max_pile.saturating_mul(15_625).clamp(1, 1_000_000)
}

/// The number of rows of single piles between two checks of the time limit.
const LOOK_EVERY: Pile = 4096;

fn has_exceptions(table: &Table) -> bool {
    table.form() == Form::Whole
}

impl Solver for ShortGlobal {
    fn tables(&self, game: Game, wanted: &TableRequest) -> Result<Vec<Table>, TableError> {
        let n = wanted.max_pile;
        let within = n.min(LARGEST_MAX_PILE);
        let fits = |&length: &usize| {
            Multisets::new(within, length)
                .is_some_and(|found| found.count() <= MOST_VALUES / (u64::from(within) + 1))
        };
        let chosen = || (1..=MOST_PILES).take_while(fits).last().unwrap_or(1);
        let longest = wanted.length.unwrap_or_else(chosen);
        if !game.has_records() {
            return (1..=longest).map(|length| Table::new(game, n, length)).collect();
        }
        // Try the longest table first, because an error about its size is the most useful.
        Table::new(game, n, longest)?;
        let single = wanted.single.unwrap_or_else(|| default_single(n));
        let single = match wanted.form {
            Form::Whole => Table::new(game, single, 1),
            Form::ValuesOnly => Table::values_only(game, single),
        };
        std::iter::once(single)
            .chain((2..=longest).map(|length| Table::new(game, n, length)))
            .collect()
    }

    fn needs(&self, table: &Table, _: &Means) -> Needs {
        if table.numbering() == Numbering::Records {
            let rows = table.max_pile();
            let bits = if has_exceptions(table) { 38.0 * 8.0 / 64.0 } else { 12.0 };
            return Needs {
                memory: RecordKernel::bytes(rows),
                seconds: f64::from(rows) * price::RECORD,
                bits_per_cell: bits,
                level: 0,
                making: Making::InOrder,
            };
        }
        let multisets = multisets(table);
        Needs {
            // The smaller level with one pile fewer is also in memory. So double the bytes.
            memory: LastMoves::bytes(&multisets).saturating_mul(2),
            seconds: LastMoves::work(&multisets) * price::LAST_MOVE,
            bits_per_cell: 0.9,
            level: 0,
            making: Making::Together,
        }
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        Box::new(LastMoveMaker { level: LastMoves::empty(job.max_pile) })
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        let (piles, k) = (position.piles(), position.last_move());
        let computed = |value| Answer::of_value(value, Source::Computed);
        match piles {
            [] => Ok(computed(0)),
            &[pile] => match records_of(game, pile, k, env) {
                Some(table) => Ok(Answer::of_value(record_value(table, pile, k)?, Source::Table)),
                None => Ok(computed(rows_to(pile, env)?.value(pile, k))),
            },
            _ => match env.stored(game, position)? {
                Some(answer) => Ok(answer),
                None => Ok(computed(value_in(&rectangle(piles, env)?, piles, k))),
            },
        }
    }

    /// Computes the row of single piles in order.
    fn row(&self, game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let piles = [word, &[last]].concat();
        if !word.is_empty() && last > 0 && env.holder(game, &piles).is_none() {
            return together(game, &piles, (1..=last).map(|b| [word, &[b]].concat()), env);
        }
        if !word.is_empty() || records_of(game, last, 0, env).is_some() {
            return row_one_by_one(self, game, word, last, env);
        }
        // The answers need memory in addition to the rows.
        let answers = u64::from(last) * size_of::<Answer>() as u64;
        let memory = env.limits.memory.minus(answers);
        let env = &Env { limits: Limits { memory, ..env.limits }, ..*env };
        let mut row = Vec::with_capacity(last as usize);
        self.each(game, last, env, &mut |value, _| {
            row.push(Some(Answer::of_value(value, Source::Computed)));
            true
        })?;
        Ok(row)
    }

    fn tile(&self, game: Game, middle: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let of = |[a, b]: [Pile; 2]| [&[a], middle, &[b]].concat();
        let corner = of([last, last]);
        if last == 0 || env.holder(game, &corner).is_some() {
            return tile_by_rows(self, game, middle, last, env);
        }
        let pairs = (1..=last).flat_map(|a| (1..=last).map(move |b| [a, b]));
        together(game, &corner, pairs.map(of), env)
    }

    /// If values are not stored, computes them together for all options.
    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        check_moves(position)?;
        let piles = position.piles();
        let below: Box<dyn Fn(&Position) -> u32> = match piles {
            &[pile] if records_of(game, pile, 1, env).is_none() => {
                let rows = rows_to(pile, env)?;
                Box::new(move |at| at.piles().first().map_or(0, |&p| rows.value(p, at.last_move())))
            }
            [_, _, ..] if env.holder(game, piles).is_none() => {
                let rectangle = rectangle(piles, env)?;
                Box::new(move |at| value_in(&rectangle, at.piles(), at.last_move()))
            }
            _ => return moves_by(game, position, |at| self.answer(game, at, env)),
        };
        let of = |at: &Position| Answer::of_value(below(at), Source::Computed);
        let moves = game.moves(position).into_iter().map(|m| {
            let found = of(&m.option);
            (m, found)
        });
        let moves = moves.collect();
        Ok(Moves { answer: of(position), moves })
    }

    fn records(&self, game: Game) -> Option<&dyn Records> {
        game.has_records().then_some(self)
    }
}

impl Surveyor for ShortGlobal {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        Ok(match of.stored.table().numbering() {
            Numbering::Records => Box::new(RecordChecker::new(of)),
            _ => Box::new(LastMoveChecker::new(of)),
        })
    }

    /// True for tables of single piles: a record depends on the records of all smaller piles.
    fn checks_in_order(&self, table: &Table) -> bool {
        table.numbering() == Numbering::Records
    }

    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>> {
        match count.table.numbering() {
            Numbering::Records => count_rows(count),
            _ => count.by_cells(|means| self.needs(count.table, means), |job| self.maker(job)),
        }
    }
}

impl Records for ShortGlobal {
    fn each(
        &self,
        game: Game,
        last: Pile,
        env: &Env<'_>,
        show: &mut dyn FnMut(u32, &[Pile]) -> bool,
    ) -> Reply<()> {
        if let Some(stored) = records_of(game, last, 1, env) {
            return rows::each_record(stored, |pile, g, remaining| {
                show(g, remaining) && pile < last
            });
        }
        check_rows(last, env)?;
        let mut kernel = RecordKernel::new(last);
        let (mut remaining, watched) = (Vec::new(), Watched::new(env));
        for pile in 0..last {
            if pile.is_multiple_of(LOOK_EVERY) {
                watched.look(&[last])?;
            }
            let row = kernel.next_row();
            remaining.clear();
            remaining.extend(row.exceptions.iter().map(|exception| exception.remaining));
            if !show(row.value, &remaining) {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the smallest table that has the value of a single pile with a last move. If the last
/// move forbids nothing, a table that stores only g(n) is enough.
fn records_of<'a>(game: Game, pile: Pile, k: Pile, env: &Env<'a>) -> Option<&'a dyn Stored> {
    env.tables.find(game, 1, &|stored| {
        let table = stored.table();
        let has_value = has_exceptions(table) || k == 0 || k > pile;
        has_value && table.numbering() == Numbering::Records && table.max_pile() >= pile
    })
}

/// Returns *(n, k), the value of a pile n after the last move k, from a table of records.
fn record_value(stored: &dyn Stored, pile: Pile, k: Pile) -> Reply<u32> {
    let columns = stored.table().tile_cols();
    let mut record = Vec::with_capacity(columns);
    records::value(pile, k, |pile, k| {
        let first = u64::from(pile - 1) * columns as u64;
        stored.cells(first, 1, columns, &mut record)?;
        let exceptions = exceptions_of(&record, pile);
        let Some(exceptions) = exceptions else {
            return Err(SolveError::Record { pile, table: stored.table().to_string() });
        };
        let is_exception = pile.checked_sub(k).is_some_and(|m| exceptions.contains(&m));
        Ok((record[0], is_exception))
    })
}

fn check_rows(last: Pile, env: &Env<'_>) -> Reply<()> {
    let rows = u64::from(last);
    let memory = RecordKernel::bytes(last) + ROW_BYTES * rows;
    let work = Effort { cells: rows as f64, seconds: rows as f64 * price::RECORD, memory };
    work.check(&[last], env.limits)
}

/// Computes all rows up to a pile, within the limits.
fn rows_to(pile: Pile, env: &Env<'_>) -> Reply<RecordRows> {
    check_rows(pile, env)?;
    let mut kernel = RecordKernel::new(pile);
    let (mut found, watched) = (RecordRows::default(), Watched::new(env));
    for at in 0..pile {
        if at.is_multiple_of(LOOK_EVERY) {
            watched.look(&[pile])?;
        }
        let row = kernel.next_row();
        found.push(row.value, row.exceptions.iter().map(|exception| exception.remaining));
    }
    Ok(found)
}

/// Evaluates all positions below these piles, within the limits.
fn rectangle(piles: &[Pile], env: &Env<'_>) -> Reply<Rectangle> {
    let rectangle = Rectangle::new(piles);
    let memory = rectangle.bytes().min(u64::MAX as f64) as u64;
    let seconds = rectangle.options() * price::LAST_MOVE;
    let work = Effort { cells: rectangle.cells(), seconds, memory };
    work.check(piles, env.limits)?;
    let (mut looked, watched) = (Ok(()), Watched::new(env));
    let evaluated = rectangle.evaluate(|_| {
        looked = watched.look(piles);
        looked.is_ok()
    });
    looked?;
    evaluated.ok_or_else(|| work.refused(piles, Limit::Seconds))
}

/// Answers positions at the beginning of play, whose piles must not exceed the piles of the corner.
fn together(
    game: Game,
    corner: &[Pile],
    all: impl Iterator<Item = Vec<Pile>>,
    env: &Env<'_>,
) -> Reply<Answers> {
    let rectangle = rectangle(game.position(corner).piles(), env)?;
    let value = |piles: Vec<Pile>| value_in(&rectangle, game.position(&piles).piles(), 0);
    Ok(all.map(|piles| Some(Answer::of_value(value(piles), Source::Computed))).collect())
}

/// Returns the value of a position in a rectangle. The piles must be in ascending order.
fn value_in(rectangle: &Rectangle, piles: &[Pile], k: Pile) -> u32 {
    // Pad the position with zeros at the front. The piles of the position and of the corner are
    // ascending, so no pile exceeds the pile of the corner at the same place.
    let mut padded = vec![0; rectangle.dimensions() - piles.len()];
    padded.extend_from_slice(piles);
    let row = rectangle.row(&padded);
    u32::from(row.get(k as usize).copied().unwrap_or(row[0]))
}

/// Fills tables of several piles. The level of the table and the level below are in memory.
struct LastMoveMaker {
    level: LastMoves,
}

impl Maker for LastMoveMaker {
    fn prepare(
        &mut self,
        table: &Table,
        needs: &Needs,
        control: &Control,
    ) -> Result<(), FillError> {
        while needs.making != Making::InOrder && self.level.multisets().length() < table.length() {
            let longer = self.level.with_another_pile(|_| !control.is_stopped());
            self.level = longer.ok_or(grundy_sweep::Stopped)?;
        }
        Ok(())
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        Box::new(LevelWorker::new(self.level.values(), table))
    }

    fn in_order<'a>(&'a self, table: &'a Table, _: &'a Control) -> Option<Box<dyn InOrder + 'a>> {
        let kernel = || RecordKernel::new(table.max_pile());
        (table.numbering() == Numbering::Records).then(|| -> Box<dyn InOrder> {
            let exceptions = has_exceptions(table);
            Box::new(RecordRun { game: table.game(), kernel: kernel(), exceptions })
        })
    }
}

struct RecordRun {
    game: Game,
    kernel: RecordKernel,
    exceptions: bool,
}

impl InOrder for RecordRun {
    fn next(&mut self, count: u64, out: &mut Vec<u8>) -> Result<(), FillError> {
        let mut push = |cell: u32| out.extend_from_slice(&cell.to_le_bytes());
        for _ in 0..count {
            let row = self.kernel.next_row();
            push(row.value);
            if !self.exceptions {
                continue;
            }
            let count = row.exceptions.len();
            if count > MOST_EXCEPTIONS {
                return Err(FillError::NoRoom { game: self.game, pile: row.pile, count });
            }
            push(count as u32);
            row.exceptions.iter().for_each(|exception| push(exception.remaining));
            (count..MOST_EXCEPTIONS).for_each(|_| push(0));
        }
        Ok(())
    }
}

/// Counts the values in a table of one pile, from g(n) and the exceptional last moves of each row.
fn count_rows(count: Count<'_>) -> Reply<Option<Counted>> {
    let Count { table, control, .. } = count;
    let exceptions = has_exceptions(table);
    let counts = match count.stored {
        Some(stored) => {
            let mut counts = RecordCounts::new();
            rows::each_record(stored, |_, g, remaining| {
                counts.take(g, remaining.len() as u32);
                control.advance(table.tile_cells() as u64);
                !control.is_stopped()
            })?;
            counts
        }
        None => {
            count.check(Some(RecordKernel::bytes(table.max_pile())))?;
            count_records(table.max_pile(), control)
        }
    };
    Ok(count.unless_nothing(Counted::Records { counts, exceptions }))
}
