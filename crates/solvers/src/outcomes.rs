//! Fills tables of outcomes, in which a P-position is 0 and an N-position is 1.
//!
//! [`RuleGames`] fills the outcomes of rule files in normal play, except sums and rules of a family
//! with a solver of its own; a build takes most of these row by row, without the whole table in
//! memory. In all other games, the solver of the game fills values, one run of tiles at a time, and
//! only the outcomes are kept. If no table of outcomes holds a position, the outcome follows from
//! the value.

use grundy_kernels::cells::write_bits;
use grundy_rules::{Family, Game, Pile, Position, RULE_FILES, Table, TableError};
use grundy_sweep::Control;

use crate::answer::{Answer, Env, Reply};
use crate::check::{Checker, Checking};
use crate::compiled::RuleGames;
use crate::fill::{FillError, Job, Maker, Means, Needs, TableRequest, Worker};
use crate::move_checker::MoveChecker;
use crate::solver;
use crate::solver::{Solver, Surveyor};

#[derive(Debug)]
pub(crate) struct OutcomeGames;

/// Returns the game whose outcomes are the values of `game`.
fn of(game: Game) -> Game {
    match game.outcomes_of() {
        Some(of) => of,
        None => unreachable!("{game} has no outcomes as values"),
    }
}

/// Returns the table of values with the size and numbering of a table of outcomes.
fn values_of(table: &Table) -> Table {
    match Table::new(of(table.game()), table.max_pile(), table.length()) {
        Ok(values) => values,
        Err(error) => unreachable!("a table of outcomes without one of values: {error}"),
    }
}

/// True if outcomes are filled without values.
fn has_no_values(game: Game) -> bool {
    let law = if RULE_FILES { game.rules().law() } else { None };
    let has_lines = of(game).family() == Family::Lines;
    has_lines && law.is_some_and(|law| !game.is_sum() && !law.misere)
}

/// True if a kernel fills a table of outcomes without values, and so in less time and memory.
pub fn fills_without_values(table: &Table) -> bool {
    has_no_values(table.game()) && RuleGames.has_kernel(table)
}

impl Solver for OutcomeGames {
    fn tables(&self, game: Game, wanted: &TableRequest) -> Result<Vec<Table>, TableError> {
        let all = solver(of(game)).tables(of(game), wanted)?;
        all.iter().map(|table| Table::new(game, table.max_pile(), table.length())).collect()
    }

    fn has_kernel(&self, table: &Table) -> bool {
        match has_no_values(table.game()) {
            true => RuleGames.has_kernel(table),
            false => solver(of(table.game())).has_kernel(&values_of(table)),
        }
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs {
        let needs = match has_no_values(table.game()) {
            true => RuleGames.needs(table, means),
            false => solver(of(table.game())).needs(&values_of(table), means),
        };
        Needs { bits_per_cell: needs.bits_per_cell.min(1.0), ..needs }
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        if has_no_values(job.game) {
            return RuleGames.maker(job);
        }
        let values = Job { game: of(job.game), ..job };
        Box::new(OutcomeMaker { maker: solver(values.game).maker(values), values: None })
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        if let Some(answer) = env.stored(game, position)? {
            return Ok(answer);
        }
        let found = solver(of(game)).answer(of(game), position, env)?;
        Ok(Answer { value: found.value.map(|value| value.min(1)), ..found })
    }

    fn seconds_alone(&self, game: Game, piles: &[Pile], env: &Env<'_>) -> f64 {
        solver(of(game)).seconds_alone(of(game), piles, env)
    }
}

impl Surveyor for OutcomeGames {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        let is_fast = self.has_kernel(of.stored.table());
        Ok(Box::new(MoveChecker::new(of, is_fast)))
    }
}

struct OutcomeMaker {
    maker: Box<dyn Maker>,
    /// The prepared table of values.
    values: Option<Table>,
}

impl Maker for OutcomeMaker {
    fn prepare(
        &mut self,
        table: &Table,
        needs: &Needs,
        control: &Control,
    ) -> Result<(), FillError> {
        self.maker.prepare(self.values.insert(values_of(table)), needs, control)
    }

    fn worker<'a>(&'a self, _: &'a Table) -> Box<dyn Worker + 'a> {
        match &self.values {
            Some(values) => Box::new(OutcomeWorker {
                worker: self.maker.worker(values),
                width: values.value_bytes(),
                outcomes: Vec::new(),
                bits: Vec::new(),
            }),
            None => unreachable!("the table was prepared"),
        }
    }
}

struct OutcomeWorker<'a> {
    worker: Box<dyn Worker + 'a>,
    /// The number of bytes of a value.
    width: usize,
    outcomes: Vec<u8>,
    bits: Vec<u8>,
}

impl Worker for OutcomeWorker<'_> {
    fn tiles(&mut self, first: u64, count: u64) -> &[u8] {
        let values = self.worker.tiles(first, count);
        self.outcomes.clear();
        match self.width {
            1 => self.outcomes.extend(values.iter().map(|&value| u8::from(value > 0))),
            width => self.outcomes.extend(
                values
                    .chunks_exact(width)
                    .map(|value| u8::from(value.iter().any(|&byte| byte > 0))),
            ),
        }
        write_bits(&self.outcomes, &mut self.bits);
        &self.bits
    }
}
