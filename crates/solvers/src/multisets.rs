//! Solves Nim and its relatives, in which piles have no order and a move lowers one pile by any
//! number of coins. These games differ only in the values of single piles.
//!
//! Every level (all positions with k piles) is filled in memory as a whole, by mex. Beyond the
//! tables, a value of Nim is the nim-sum, by Bouton's theorem (the claim `bouton.general` tests
//! it). Unless all piles are 1, the nim-sum is also the value in misère play, in which G of the
//! empty position is 1. No formula is known for misère Nim under the convention of Cairns and Ho.
//! Its values are computed by mex from all positions below, and so are values of Nim if theorems
//! are not allowed.

use grundy_kernels::multisets::{Corner, Rectangle};
use grundy_rules::reference::Reference;
use grundy_rules::{Game, Multisets, Pile, Position, Table};
use grundy_sweep::cost::price::{MULTISET_PILE, NIM_WORD};
use grundy_sweep::{Control, MultisetLevels};

use crate::answer::{Answer, Answers, Effort, Env, Limit, Moves, Reply, Source, check_moves};
use crate::check::{Checker, Checking, Derived, TileRun, derived};
use crate::fill::{FillError, Job, Maker, Making, Means, Needs, Worker};
use crate::generic::LevelWorker;
use crate::solver::{Solver, Surveyor, moves_by, row_one_by_one, tile_by_rows};

#[derive(Debug)]
pub(crate) struct NimGames;

/// Returns the multisets of piles of a table.
pub(crate) fn multisets(table: &Table) -> Multisets {
    match Multisets::new(table.max_pile(), table.length()) {
        Some(multisets) => multisets,
        None => unreachable!("there is no table of more multisets than can be numbered"),
    }
}

impl Solver for NimGames {
    fn most(&self) -> (u64, usize) {
        (1 << 24, 4)
    }

    fn needs(&self, table: &Table, _: &Means) -> Needs {
        let fill = MULTISET_PILE * table.length() as f64;
        // These numbers come from builds, and are rounded. Nim-sums compress well. The values of
        // games with other single piles hardly compress.
        let singles = table.game().single_piles(1);
        let is_nim = singles.is_nim(&[]) || singles.is_nim(&[0]);
        let bits = if is_nim { 1.0 } else { 6.0 };
        Needs {
            memory: MultisetLevels::bytes(&multisets(table), table.largest_value()),
            seconds: table.cells() as f64 * fill,
            bits_per_cell: bits,
            level: 0,
            making: Making::Together,
        }
    }

    fn maker(&self, job: Job) -> Box<dyn Maker> {
        Box::new(MultisetLevels::new(job.game, job.max_pile))
    }

    fn answer(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Answer> {
        let piles = position.piles();
        if let Some(answer) = env.stored(game, position)?.or_else(|| env.theorem(game, position)) {
            return Ok(answer);
        }
        Ok(computed(match piles {
            [] => game.terminal_value(),
            &[pile] => env.single_piles(game, piles)?.value(pile),
            _ => corner(game, piles, env)?.value,
        }))
    }

    fn seconds_alone(&self, _: Game, piles: &[Pile], _: &Env<'_>) -> f64 {
        Rectangle::new(piles).words() * NIM_WORD
    }

    fn moves(&self, game: Game, position: &Position, env: &Env<'_>) -> Reply<Moves> {
        check_moves(position)?;
        let piles = position.piles();
        let one_by_one = env.theorem(game, position).is_some()
            || piles.len() < 2
            || env.holder(game, piles).is_some();
        if one_by_one {
            return moves_by(game, position, |at| self.answer(game, at, env));
        }
        let corner = corner(game, piles, env)?;
        let moves = game.moves(position).into_iter().map(|m| {
            let value = lowered(&corner, m.from)[m.to as usize];
            (m, computed(value))
        });
        let moves = moves.collect();
        Ok(Moves { answer: computed(corner.value), moves })
    }

    /// Computes the row once for all b.
    fn row(&self, game: Game, word: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let piles = [word, &[last]].concat();
        if word.is_empty() || last == 0 || is_answered_apart(game, &piles, env) {
            return row_one_by_one(self, game, word, last, env);
        }
        let corner = corner(game, &piles, env)?;
        let below = lowered(&corner, last)[1..].iter();
        Ok(below.chain([&corner.value]).map(|&value| Some(computed(value))).collect())
    }

    /// Fills the level of two piles at once.
    fn tile(&self, game: Game, middle: &[Pile], last: Pile, env: &Env<'_>) -> Reply<Answers> {
        let piles = [last, last];
        // A level has values of 16 bits.
        let largest = game.largest_value(last, 2);
        let is_level = middle.is_empty() && last > 0 && largest <= u16::MAX.into();
        let multisets = match Multisets::new(last.max(1), 2) {
            Some(all) if is_level && !is_answered_apart(game, &piles, env) => all,
            _ => return tile_by_rows(self, game, middle, last, env),
        };
        let memory = MultisetLevels::bytes(&multisets, largest);
        let cells = multisets.count() as f64;
        let work = Effort { cells, seconds: cells * 2.0 * MULTISET_PILE, memory };
        work.check(&piles, env.limits)?;
        let mut levels = MultisetLevels::new(game, last);
        let Ok(()) = levels.extend(2, &Control::new()) else { unreachable!("nothing stops it") };
        let (values, all) = (levels.level(2).unwrap_or_default(), 1..=last);
        let pairs = all.clone().flat_map(|a| all.clone().map(move |b| [a.min(b), a.max(b)]));
        let value = |pair: [Pile; 2]| values[multisets.rank(&pair) as usize].into();
        Ok(pairs.map(|pair| Some(computed(value(pair)))).collect())
    }
}

impl Surveyor for NimGames {
    fn checker<'a>(&self, of: Checking<'a>) -> Reply<Box<dyn Checker + 'a>> {
        Ok(Box::new(MultisetChecker::read(of)?))
    }
}

impl Maker for MultisetLevels {
    fn prepare(&mut self, table: &Table, _: &Needs, control: &Control) -> Result<(), FillError> {
        Ok(self.extend(table.length(), control)?)
    }

    fn worker<'a>(&'a self, table: &'a Table) -> Box<dyn Worker + 'a> {
        match self.level(table.length()) {
            Some(values) => Box::new(LevelWorker::new(values, table)),
            None => unreachable!("the level was prepared"),
        }
    }
}

/// True if a table, a theorem or the solver for any game answers a position.
fn is_answered_apart(game: Game, piles: &[Pile], env: &Env<'_>) -> bool {
    let theorem = || env.theorem(game, &game.position(piles)).is_some();
    env.holder(game, piles).is_some() || theorem()
}

fn computed(value: u32) -> Answer {
    Answer::of_value(value, Source::Computed)
}

/// Returns the values after lowering a pile of the corner to 0, 1, ..., pile - 1.
fn lowered(corner: &Corner, pile: Pile) -> &[u32] {
    match corner.lowered.iter().find(|(found, _)| *found == pile) {
        Some((_, values)) => values,
        None => unreachable!("the list has every pile of the corner"),
    }
}

/// Evaluates a position of at least two piles, within the limits.
fn corner(game: Game, piles: &[Pile], env: &Env<'_>) -> Reply<Corner> {
    let rectangle = Rectangle::new(piles);
    let memory = rectangle.bytes().min(u64::MAX as f64) as u64;
    let seconds = rectangle.words() * NIM_WORD;
    let work = Effort { cells: rectangle.points(), seconds, memory };
    work.check(piles, env.limits)?;
    // The estimate may be wrong, so stop only at four times the limit.
    let start = (env.clock)();
    let largest = piles.iter().copied().max().unwrap_or(0);
    let singles: Vec<u32> = env.single_piles(game, piles)?.up_to(largest).collect();
    let in_time = || (env.clock)() - start <= 4.0 * env.limits.seconds.max(1.0);
    let found = rectangle.evaluate(&singles, |_| in_time());
    found.ok_or_else(|| work.refused(piles, Limit::Seconds))
}

/// Derives the values of a table again, from this table and the table with one pile fewer.
struct MultisetChecker<'a> {
    table: &'a Table,
    multisets: Multisets,
    here: Vec<u32>,
    /// The multisets with one pile fewer and their values, if these are stored.
    below: Option<(Multisets, Vec<u32>)>,
    /// Evaluates single piles, and options that no table has.
    rules: Reference,
}

impl MultisetChecker<'_> {
    fn read(of: Checking<'_>) -> Reply<MultisetChecker<'_>> {
        let Checking { stored, tables, .. } = of;
        let table = stored.table();
        let (game, n, fewer) = (table.game(), table.max_pile(), table.length() - 1);
        let mut below = None;
        if let Some(shorter) = Multisets::new(n, fewer)
            && let Some(found) = tables.find(game, fewer, &|found| found.table().max_pile() >= n)
        {
            // A table with a larger max pile begins with the values of a smaller table.
            let mut cells = Vec::new();
            found.cells(0, 1, shorter.count() as usize, &mut cells)?;
            below = Some((shorter, cells));
        }
        let (here, rules) = (stored.all_cells()?, Reference::new(game));
        Ok(MultisetChecker { table, multisets: multisets(table), here, below, rules })
    }

    /// Returns the value of a multiset by the definition.
    fn value(&mut self, piles: &[Pile]) -> u32 {
        if piles.len() == 1 {
            return self.rules.value(&Position::row(piles));
        }
        let mut option = Vec::with_capacity(piles.len());
        // There are at most as many options as coins, so at least one entry stays false.
        let mut seen = vec![false; piles.iter().sum::<Pile>() as usize + 1];
        for (place, &from) in piles.iter().enumerate() {
            for to in 0..from {
                option.clear();
                option.extend_from_slice(piles);
                option[place] = to;
                option.sort_unstable();
                let value = match (&self.below, to) {
                    (Some((shorter, below)), 0) => below[shorter.rank(&option[1..]) as usize],
                    (None, 0) => self.rules.value(&Position::row(&option[1..])),
                    _ => self.here[self.multisets.rank(&option) as usize],
                };
                if let Some(seen) = seen.get_mut(value as usize) {
                    *seen = true;
                }
            }
        }
        seen.iter().position(|seen| !seen).unwrap_or(seen.len()) as u32
    }
}

impl Checker for MultisetChecker<'_> {
    fn check(&mut self, run: TileRun<'_>) -> Reply<Derived> {
        let mut piles = vec![0; self.multisets.length()];
        self.multisets.unrank(run.first, &mut piles);
        for (at, &value) in run.cells.iter().enumerate() {
            if value != self.value(&piles) {
                return Ok(derived(self.table, run, Some(at)));
            }
            self.multisets.step(&mut piles);
        }
        Ok(derived(self.table, run, None))
    }
}
