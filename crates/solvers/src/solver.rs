//! The two traits that a family of games implements: [`Solver`] and [`Surveyor`].

use grundy_rules::{Game, Pile, Position, Table, TableError};
use grundy_sweep::cost::price;

use crate::answer::{Answer, Answers, Env, Moves, Reply, SolveError, Watched, check_moves};
use crate::check::{Checker, Checking};
use crate::count::{Count, Counted};
use crate::fill::{Job, Maker, Means, Needs, TableRequest, tables_up_to};
use crate::rows::{self, Rows};

/// The upper limit for the estimated time to count a table that is not stored and has no kernel.
const MOST_COUNT_SECONDS: f64 = 600.0;

/// Evaluates the positions of a family of games, and plans and fills its tables.
/// [`AnyGame`](crate::AnyGame) implements all methods for any rules. A family overrides a method if
/// it has a faster method.
pub trait Solver: Sync {
    /// Returns the maximum numbers of positions and piles in default tables (filled in seconds).
    fn most(&self) -> (u64, usize) {
        (1 << 18, 8)
    }

    /// Returns the tables of a request, by increasing length.
    fn tables(&self, game: Game, wanted: &TableRequest) -> Result<Vec<Table>, TableError> {
        let (positions, piles) = self.most();
        tables_up_to(
            game,
            wanted,
            |_| wanted.max_pile,
            piles,
            |table| table.positions() <= positions,
        )
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs;

    /// Returns a maker, which fills tables.
    fn maker(&self, job: Job) -> Box<dyn Maker>;

    /// Answers a position, from stored or computed values.
    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer>;

    /// Estimates the seconds to compute a position of an impartial game without tables. This is the
    /// time to visit every move of every position below it.
    fn seconds_alone(&self, game: Game, piles: &[Pile], _: &Env<'_>) -> f64 {
        let coins: f64 = piles.iter().map(|&pile| f64::from(pile)).sum();
        let below: f64 = match game.is_within_total() {
            // A move may make a pile larger.
            true => Table::new(game, coins as Pile, piles.len())
                .map_or(f64::INFINITY, |table| table.cells() as f64),
            false => piles.iter().map(|&pile| f64::from(pile)).product(),
        };
        below * coins * price::LOOK
    }

    /// Returns every move of a position, with the answer about its option.
    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        moves_by(game, position, |at| self.answer(game, at, env))
    }

    /// Answers the positions (`word`, b) at the beginning of play, for each b up to `last`.
    fn row(&self, game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        row_one_by_one(self, game, word, last, env)
    }

    /// Answers the positions (a, `middle`, b) for a and b from the least pile to `last`, at the
    /// beginning of play, row by row.
    fn tile(&self, game: Game, middle: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        tile_by_rows(self, game, middle, last, env)
    }

    /// True if a kernel fills the table, which makes time estimates reliable.
    fn has_kernel(&self, _table: &Table) -> bool {
        true
    }

    /// Returns access to the rows of single piles, if the game has records.
    fn records(&self, _: Game) -> Option<&dyn Records> {
        None
    }
}

/// Checks, counts and lists the tables of a family of games.
pub trait Surveyor: Solver {
    /// Returns a checker, which derives stored cells again from the stored values of options.
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>>;

    /// True if one checker must check all pieces of a table in order.
    fn checks_in_order(&self, _: &Table) -> bool {
        false
    }

    /// Counts a table. If the control stops the work, returns the counts so far, if there are any.
    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>> {
        count_cells(self, count)
    }

    /// Returns all rows of a table, for other programs: see [`Rows`].
    fn rows<'a>(&self, of: Count<'a>) -> Reply<Box<dyn Rows + 'a>> {
        let solver = crate::solver(of.table.game());
        rows::of_any(of, |means| solver.needs(of.table, means), |job| solver.maker(job))
    }
}

/// Counts the cells of a table, one by one.
pub(crate) fn count_cells<S: Surveyor + ?Sized>(
    solver: &S,
    count: Count<'_>,
) -> Reply<Option<Counted>> {
    let Count { table, memory, .. } = count;
    let seconds = || solver.needs(table, &Means::one_thread(memory)).seconds;
    if count.stored.is_none() && !solver.has_kernel(table) && seconds() > MOST_COUNT_SECONDS {
        let (table, positions) = (table.to_string(), table.positions());
        return Err(SolveError::TooManyPositions { table, positions });
    }
    count.by_cells(|means| solver.needs(table, means), |job| solver.maker(job))
}

/// Access to the rows of single piles.
pub trait Records: Sync {
    /// Calls `show` for n = 1, ..., `last` with g(n), and the piles m = n - k of the exceptional
    /// last moves k. The rows are read from a table or computed. Stops if `show` returns false.
    fn each(
        &self,
        game: Game,
        last: Pile,
        env: &Env<'_>,
        show: &mut dyn FnMut(u32, &[Pile]) -> bool,
    ) -> Reply<()>;
}

/// Answers each position of a row separately. One time limit applies to all positions together.
pub(crate) fn row_one_by_one<S: Solver + ?Sized>(
    solver: &S,
    game: Game,
    word: &[Pile],
    last: Pile,
    env: &Env<'_>,
) -> Reply<Answers> {
    let watched = Watched::started(env, (env.clock)());
    let one = |position: &Position| {
        let answer = solver.answer(game, position, env)?;
        watched.look(position.piles())?;
        Ok(answer)
    };
    // Answer the last position first, because it needs the most work and may be refused.
    let of = |b| [word, &[b]].concat();
    game.each_admitted((1..=last).rev().take(1).map(of), one)?;
    game.each_admitted((game.order().least_pile()..=last).map(of), one)
}

/// Answers each row of a tile separately. One time limit applies to all rows together.
pub(crate) fn tile_by_rows<S: Solver + ?Sized>(
    solver: &S,
    game: Game,
    middle: &[Pile],
    last: Pile,
    env: &Env<'_>,
) -> Reply<Answers> {
    let watched = Watched::started(env, (env.clock)());
    // Answer the last row first, because it needs the most work and may be refused.
    let mut rows = Vec::new();
    for a in (game.order().least_pile()..=last).rev() {
        let word = [&[a], middle].concat();
        rows.push(solver.row(game, &word, last, env)?);
        watched.look(&[&word[..], &[last]].concat())?;
    }
    Ok(rows.into_iter().rev().flatten().collect())
}

/// Returns every move of a position. Each option is answered separately.
pub(crate) fn moves_by(
    game: Game,
    position: &Position,
    mut answer: impl FnMut(&Position) -> Reply<Answer>,
) -> Reply<Moves> {
    check_moves(position)?;
    let found = answer(position)?;
    let moves = game.try_moves(position)?.into_iter().map(|made| {
        let found = answer(&made.option)?;
        Ok((made, found))
    });
    Ok(Moves { answer: found, moves: moves.collect::<Reply<_>>()? })
}

/// True for a sum, but not for its forms.
pub(crate) fn is_sum(game: Game) -> bool {
    let is_form = game.remoteness_of().is_some() || game.outcomes_of().is_some();
    !is_form && game.is_sum()
}
