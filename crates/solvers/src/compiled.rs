//! Fills tables of rule files by the shapes of the moves.
//!
//! ```text
//!   law ──► shapes of each length (recognise) ──► Way ──► levels, tiles on demand (levels)
//! ```
//!
//! The rules determine how a table is filled; the name of the game does not matter:
//!
//! | way | for |
//! |---|---|
//! | tiles | rows with the same value as their reversal, and moves only at the two ends |
//! | grid | other rows, places, and heaps with the same moves in any order |
//! | heaps | multisets with moves that treat all heaps alike |
//! | sums | piles that lose some coins or are split, and octal codes |
//! | one by one | games with a line without a shape ([`AnyGame`]) |
//!
//! Checks visit options one by one, without the kernels. So do look-ups, unless a table is faster.

mod in_order;
mod levels;
mod line;
mod masks;
mod periods;
mod recognise;
mod several;
mod sums;

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use grundy_kernels::shapes::{Grid, HeapMove, Heaps, LARGEST_VALUE, Shape, Splits};
use grundy_rules::law::{Kind, Law, MoveRule};
use grundy_rules::{Family, Game, Pile, Position, Table, TableError};
use grundy_sweep::MemoryLimit;
use grundy_sweep::cost::price;

use crate::answer::{Answer, Answers, Env, Moves, Reply};
use crate::check::{Checker, Checking};
use crate::count::{Count, Counted};
use crate::fill::{Job, Maker, Making, Means, Needs, TableRequest, tables_up_to};
use crate::generic::{AnyGame, seconds_of};
use crate::move_checker::MoveChecker;
use crate::solver::{Solver, Surveyor, count_cells, moves_by, tile_by_rows};
use levels::Compiled;
pub use periods::{sum_row, words_of};
pub use recognise::Class;
use recognise::{Shapes, is_symmetric, of_heaps, shapes};

#[derive(Debug)]
pub(crate) struct RuleGames;

#[derive(Clone, Debug)]
enum Way {
    /// Fills tile by tile, from the levels with one and two piles fewer.
    Tiles(Shapes),
    /// Fills a box of positions.
    Grid(Shapes),
    Heaps(Vec<HeapMove>),
    /// Fills one row of single piles, in about this number of seconds.
    Sum(Splits, f64),
    OneByOne,
}

/// Returns the law of a game. Other solvers handle games without a law.
fn law(game: Game) -> &'static Law {
    match game.rules().law() {
        Some(law) => law,
        None => panic!("{game} has no rule file"),
    }
}

/// True if emptied piles vanish.
fn closes_up(law: &Law) -> bool {
    law.kind != Kind::Places
}

type Known = HashMap<(&'static str, Pile, usize), Arc<Way>>;

const MOST_KNOWN: usize = 1 << 10;

/// Returns the way to fill a table. Results are cached, because calls are frequent. The cache is
/// global, because a game is in a crate below, which does not know ways; it is limited.
fn way(game: Game, max_pile: Pile, length: usize) -> Arc<Way> {
    static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
    let known = || KNOWN.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    // The way of a sum depends only on its single piles.
    let key = (game.id(), max_pile, if law(game).kind == Kind::Sum { 1 } else { length });
    if let Some(found) = known().get(&key) {
        return found.clone();
    }
    // Other threads need not wait, because finding a way may take long.
    let found = Arc::new(way_of(game, max_pile as usize, length));
    let mut known = known();
    if known.len() >= MOST_KNOWN {
        known.clear();
    }
    known.entry(key).or_insert(found).clone()
}

fn way_of(game: Game, largest: usize, length: usize) -> Way {
    let law = law(game);
    if law.kind == Kind::Sum {
        // If a move can lower a pile to any smaller pile, values may be twice as large as piles.
        // The kernel stores each value in 16 bits.
        let fits = |splits: &Splits| !splits.lowers_any || largest < 1 << 15;
        return match sums::splits(law, largest).filter(fits) {
            Some(splits) => {
                let seconds = sums::seconds(&splits, largest);
                Way::Sum(splits, seconds)
            }
            None => Way::OneByOne,
        };
    }
    let widest = game.rules().largest_value(largest as Pile, length);
    if law.has_classes() || widest >= LARGEST_VALUE as u64 {
        return Way::OneByOne;
    }
    if law.kind == Kind::Heaps
        && let Some(moves) = of_heaps(law, length, largest)
    {
        return Way::Heaps(moves);
    }
    let Ok(found) = shapes(law, length, largest) else { return Way::OneByOne };
    // If emptied piles vanish, shorter lengths need shapes, too. Moves of heaps must be symmetric.
    let has_shapes = |shorter| match shapes(law, shorter, largest) {
        Ok(found) => law.kind != Kind::Heaps || is_symmetric(&found, shorter),
        Err(_) => false,
    };
    if closes_up(law) && !(1..=length).all(has_shapes) {
        return Way::OneByOne;
    }
    let inner = |vector: &[usize]| length > 2 && vector[1..length - 1].iter().any(|&t| t > 0);
    let ends_only = found.guards.is_empty()
        && found.moves.iter().all(|made| match &made.shape {
            Shape::Ray { first, step } => !inner(first) && !inner(step),
            Shape::Box { piles, .. } => piles.iter().all(|&pile| pile == 0 || pile + 1 == length),
        });
    let by_tiles = law.kind == Kind::Row && length >= 2 && game.is_symmetric() && ends_only;
    if by_tiles { Way::Tiles(found) } else { Way::Grid(found) }
}

/// Returns how a game of a rule file is filled: the classes of the lines, and the estimated number
/// of cells that a thread fills in a second. Returns `None` for other games.
pub fn filling(game: Game, max_pile: Pile, length: usize) -> Option<(Vec<Class>, f64)> {
    let law = game.rules().law()?;
    let table = Table::new(game, max_pile, length).ok()?;
    if game.family() != Family::Lines {
        let needs = crate::solver(game).needs(&table, &Means::one_thread(MemoryLimit::default()));
        // The shapes of lines with a memory are not found, but the family allows only one shape.
        let classes = classes_alone(law, max_pile, length).into_iter();
        let classes = classes.map(|class| if class == Class::Other { Class::Ray } else { class });
        // If the levels below are in memory, their time is nearly all, and the estimate may be 0.
        let each = needs.seconds / table.cells() as f64 + price::CLASS;
        return Some((classes.collect(), 1.0 / each));
    }
    let way = way(game, max_pile, length);
    let read = shapes(law, length, max_pile as usize);
    let classes = (0..law.moves.len()).map(|line| {
        let of_line = |found: &Shapes| {
            found.classes.iter().filter(|(at, _)| *at == line).map(|&(_, class)| class).max()
        };
        match (&*way, &read) {
            (Way::Sum(..), _) => Class::Split,
            (Way::OneByOne, _) | (_, Err(_)) => Class::Other,
            // A line without moves at this length gets the cheapest class.
            (_, Ok(found)) => of_line(found).unwrap_or(Class::Point),
        }
    });
    let classes = classes.collect();
    Some((classes, 1.0 / seconds(&way, &table)))
}

/// Returns the class that each line of a rule file would have if it were the only line.
pub fn classes_alone(law: &Law, max_pile: Pile, length: usize) -> Vec<Class> {
    let alone = |rule: &MoveRule| {
        let law = Law { moves: vec![rule.clone()], ..law.clone() };
        let found = shapes(&law, length, max_pile as usize).ok()?;
        Some(found.classes.iter().map(|&(_, class)| class).max().unwrap_or(Class::Point))
    };
    law.moves.iter().map(|rule| alone(rule).unwrap_or(Class::Other)).collect()
}

fn seconds(way: &Way, table: &Table) -> f64 {
    let of = |found: &Shapes| -> f64 {
        let cost = found.moves.iter().map(|made| match &made.shape {
            Shape::Ray { step, .. } if step.iter().all(|&t| t == 0) => price::RULE_POINT,
            Shape::Ray { .. } => price::RULE_LINE,
            Shape::Box { piles, .. } => price::RULE_LINE + piles.len() as f64 * price::RULE_SIDE,
        });
        let guards = found.guards.iter().map(|guard| {
            guard.tables.len() as f64 * price::RULE_POINT
                + guard.texts.len() as f64 * price::RULE_GUARD
        });
        price::RULE_CELL + cost.sum::<f64>() + guards.sum::<f64>()
    };
    match way {
        Way::Tiles(found) => 0.5 * of(found) + price::RULE_SIDE,
        // A box has cells for every order of the piles, and for positions with empty piles.
        Way::Grid(found) => {
            let box_cells = f64::from(table.max_pile() + 1).powi(table.length() as i32);
            of(found) * box_cells / table.cells() as f64
        }
        Way::Heaps(moves) => price::RULE_HEAPS + moves.len() as f64 * price::RULE_HEAP_MOVE,
        Way::Sum(_, seconds) => seconds / table.cells() as f64,
        Way::OneByOne => seconds_of(table),
    }
}

/// The maximum number of piles of the tables that are built by default.
const MOST_PILES: usize = 8;

impl Solver for RuleGames {
    fn tables(&self, game: Game, wanted: &TableRequest) -> Result<Vec<Table>, TableError> {
        if let Some(length @ 2..) = wanted.length.filter(|_| game.is_sum()) {
            return Err(TableError::Sum { game, length });
        }
        if game.stored_length(1) == 0 {
            let whole = Table::new(game, wanted.max_pile, 0)?;
            return match wanted.length {
                Some(0) => Err(TableError::Length { length: 0 }),
                // An error about a length without positions is useful.
                Some(length) => Table::new(game, wanted.max_pile, length).map(|_| vec![whole]),
                None => Ok(vec![whole]),
            };
        }
        // Choose tables that together take about a minute.
        let mut all = 0.0;
        let fits = |table: &Table| {
            let way = way(game, table.max_pile(), table.length());
            all += seconds(&way, table) * table.cells() as f64;
            all <= 60.0
        };
        let fits = RefCell::new(fits);
        tables_up_to(
            game,
            wanted,
            |_| wanted.max_pile,
            MOST_PILES,
            |table| (fits.borrow_mut())(table),
        )
    }

    fn has_kernel(&self, table: &Table) -> bool {
        !matches!(*way(table.game(), table.max_pile(), table.length()), Way::OneByOne)
    }

    fn needs(&self, table: &Table, means: &Means) -> Needs {
        if let Some(single) = several::single(table) {
            let needs = self.needs(&single, means);
            let own = several::index_bytes(table).saturating_add(4 * single.cells());
            let memory = needs.memory.saturating_add(own);
            let seconds = needs.seconds + table.cells() as f64 * price::FILL / means.threads as f64;
            return Needs { memory, seconds, ..needs };
        }
        let (game, max_pile, length) = (table.game(), table.max_pile(), table.length());
        let way = way(game, max_pile, length);
        if matches!(*way, Way::OneByOne) {
            return AnyGame.needs(table, means);
        }
        if means.in_order
            && let Some(memory) = levels::in_order_bytes(table, &way)
        {
            return Needs {
                memory,
                making: Making::Chained,
                ..self.needs(table, &means.at_random())
            };
        }
        let amounts = levels::amounts(table, &way);
        let apart = matches!(*way, Way::Tiles(_));
        let threads = if apart { means.threads as f64 } else { 1.0 };
        let share = if game.outcomes_of().is_some() { price::RULE_OUTCOME } else { 1.0 };
        Needs {
            memory: amounts.most.min(means.memory.bytes().max(amounts.least)),
            seconds: table.cells() as f64 * seconds(&way, table) * share / threads,
            bits_per_cell: 3.0 * table.value_bytes() as f64,
            level: length - 1,
            making: if apart { Making::Apart } else { Making::Together },
        }
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        match job.game.is_sum() {
            true => Box::new(several::Sums::new(job)),
            false => Box::new(Compiled::new(job)),
        }
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        match game.is_sum() {
            true => sums::answer(game, position, env),
            false => AnyGame.answer(game, position, env),
        }
    }

    fn seconds_alone(&self, game: Game, piles: &[Pile], env: &Env<'_>) -> f64 {
        let largest = piles.iter().copied().max().unwrap_or(0);
        match Table::new(game, largest, 1) {
            Ok(single) if game.is_sum() => {
                self.needs(&single, &Means::one_thread(env.limits.memory)).seconds
            }
            _ => AnyGame.seconds_alone(game, piles, env),
        }
    }

    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        match game.is_sum() {
            true => moves_by(game, position, |at| self.answer(game, at, env)),
            false => AnyGame.moves(game, position, env),
        }
    }

    fn row(&self, game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        match game.is_sum() {
            true => sums::row(game, word, last, env),
            false => AnyGame.row(game, word, last, env),
        }
    }

    fn tile(&self, game: Game, middle: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        match game.is_sum() {
            true => tile_by_rows(self, game, middle, last, env),
            false => AnyGame.tile(game, middle, last, env),
        }
    }
}

impl Surveyor for RuleGames {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        // Without a kernel, `Lines` has filled the table, so the rules check it.
        Ok(Box::new(MoveChecker::new(of, self.has_kernel(of.stored.table()))))
    }

    fn count(&self, count: Count<'_>) -> Reply<Option<Counted>> {
        match several::single(count.table) {
            Some(single) => several::count(&count, &single),
            None => count_cells(self, count),
        }
    }
}

/// Returns the box that contains all positions of a table of rows or places.
fn grid_of(law: &Law, found: &Shapes, max_pile: Pile, length: usize) -> Grid {
    Grid::new(&vec![max_pile as usize + 1; length], &found.moves, law.misere.into())
}

fn heaps_of(law: &Law, moves: &[HeapMove], max_pile: Pile, length: usize) -> Option<Heaps> {
    Heaps::new(max_pile as usize, length, moves, law.misere.into())
}
