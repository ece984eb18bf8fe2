//! Counts over all positions with at most n coins, in the order of their numbers of coins.

use std::collections::BTreeMap;

use grundy_questions::{Column, Prepared, Undefined, Worker};
use grundy_rules::{Memory, Order, Pile, Totals};
use grundy_solvers::{ByTotal, FillError, Visitor};
use grundy_sweep::Control;
use grundy_sweep::cost::price;

use super::lookups::Lookups;
use super::question::{Ask, AskError, Lengths};
use crate::Error;

impl From<FillError> for AskError {
    fn from(error: FillError) -> AskError {
        AskError::Level(error.into())
    }
}

/// The walks over the positions of some lengths, and the question compiled for each length.
pub(crate) struct AllTotals<'a> {
    /// One walk, or one for each number of places.
    walks: Vec<Totals>,
    prepared: BTreeMap<usize, Prepared<'a>>,
    outcomes: bool,
}

impl<'a> AllTotals<'a> {
    /// Returns the walks over all positions with at most `to` coins. `None` if there are too many,
    /// or if the question looks up other positions, whose values are in tables.
    pub(crate) fn new(
        ask: &Ask<'a>,
        lengths: &Lengths,
        to: Pile,
    ) -> Result<Option<AllTotals<'a>>, AskError> {
        let game = ask.game();
        ask.options.domain.check(game).map_err(Error::from)?;
        let walks: Option<Vec<Totals>> = match game.order() {
            Order::Places => lengths.clone().map(|k| Totals::new(game, k, to)).collect(),
            _ => Totals::new(game, 0, to).map(|walk| vec![walk]),
        };
        let Some(walks) = walks else { return Ok(None) };
        let outcomes = ask.question.asks_outcomes();
        let bytes = |walk| ByTotal::needs(game, walk, outcomes).0;
        let needed = walks.iter().map(bytes).max().unwrap_or(0);
        if ask.options.memory.share(2).check(needed).is_err() {
            return Ok(None);
        }
        let mut prepared = BTreeMap::new();
        for length in lengths.clone() {
            let found = ask.question.prepare(length, to.max(1), None, ask.isa)?;
            if found.asks_options() || found.lookups().next().is_some() {
                return Ok(None);
            }
            prepared.insert(length, found);
        }
        Ok(Some(AllTotals { walks, prepared, outcomes }))
    }

    pub(crate) fn positions(&self) -> u64 {
        self.walks.iter().map(Totals::count).fold(0, u64::saturating_add)
    }

    /// Returns the number of positions, and the approximate seconds to visit them.
    pub(crate) fn estimate(&self, ask: &Ask<'_>) -> Result<(u64, f64), AskError> {
        let of = |walk| ByTotal::needs(ask.game(), walk, self.outcomes).1;
        let seconds: f64 = self.walks.iter().map(of).sum();
        let steps = self.prepared.values().map(|one| price::step(one.bits()) * one.steps() as f64);
        let each = match ask.question.asks_values_only() {
            true => 0.0,
            false => price::ASKED + price::ASKED_ALONE + steps.fold(0.0, f64::max),
        };
        let all = seconds + self.positions() as f64 * each;
        Ok((self.positions(), all / rayon::current_num_threads() as f64))
    }

    /// Counts the positions of each size that satisfy the question. `None` if it was stopped.
    pub(crate) fn count(
        &self,
        ask: &Ask<'_>,
        control: &Control,
    ) -> Result<Option<Vec<u64>>, AskError> {
        let mut counts = Vec::new();
        let counted = self.count_into(ask, control, &mut counts);
        match counted {
            Err(AskError::Level(Error::Stopped)) => Ok(None),
            counted => counted.map(|()| Some(counts)),
        }
    }

    fn count_into(
        &self,
        ask: &Ask<'_>,
        control: &Control,
        counts: &mut Vec<u64>,
    ) -> Result<(), AskError> {
        let (database, memory) = (ask.options.database, ask.options.memory);
        let lookups = Lookups::new(ask.game(), 0..=0, 1, database, memory, control)?;
        for walk in &self.walks {
            let by_value = self.by_value(ask, &lookups, walk.coins());
            let make = || Counting {
                prepared: &self.prepared,
                lookups: &lookups,
                by_value: by_value.as_deref(),
                workers: BTreeMap::new(),
                count: 0,
            };
            let mut by_total = ByTotal::new(ask.game(), walk.clone(), self.outcomes);
            counts.resize(walk.coins() as usize + 1, 0);
            for (n, count) in counts.iter_mut().enumerate() {
                *count += by_total.visit(n, control, &make)?.iter().sum::<u64>();
            }
        }
        Ok(())
    }

    /// Returns whether the question is true at a position, by its length and its cell, if nothing
    /// else matters. `None` too if it has no value for some cell, which may have no position.
    fn by_value(&self, ask: &Ask<'_>, lookups: &Lookups, coins: Pile) -> Option<Vec<Vec<bool>>> {
        let most = if ask.game().is_impartial() { coins + 1 } else { 3 };
        if !ask.question.asks_values_only() {
            return None;
        }
        let mut all = Vec::new();
        for (&length, prepared) in &self.prepared {
            let (mut worker, mut holds) = (prepared.worker(lookups), Vec::new());
            for cell in 0..=most {
                let mut show = |column: &Column<'_>| holds.push(column.holds() > 0);
                let piles = vec![1; length];
                let pushed = worker.push(&piles, &Memory::Nothing, cell, &mut show);
                pushed.and_then(|()| worker.flush(&mut show)).ok()?;
            }
            all.resize(length + 1, Vec::new());
            all[length] = holds;
        }
        Some(all)
    }
}

/// The number of positions that satisfy the question, of those that a thread visits.
struct Counting<'b> {
    prepared: &'b BTreeMap<usize, Prepared<'b>>,
    lookups: &'b Lookups,
    by_value: Option<&'b [Vec<bool>]>,
    workers: BTreeMap<usize, Worker<'b>>,
    count: u64,
}

impl Visitor for Counting<'_> {
    type Error = AskError;
    type Found = u64;

    fn finish(mut self) -> Result<u64, AskError> {
        let mut count = self.count;
        let mut show = |column: &Column<'_>| count += column.holds();
        let flushed = self.workers.values_mut().try_for_each(|worker| worker.flush(&mut show));
        flushed.map_err(AskError::Undefined)?;
        Ok(count)
    }

    fn visit(&mut self, piles: &[Pile], cell: u32) -> Result<(), AskError> {
        let length = piles.len();
        if let Some(by_value) = self.by_value {
            let holds =
                by_value.get(length).is_some_and(|holds| holds.get(cell as usize) == Some(&true));
            self.count += u64::from(holds);
            return Ok(());
        }
        let Some(prepared) = self.prepared.get(&length) else { return Ok(()) };
        let worker = self.workers.entry(length).or_insert_with(|| prepared.worker(self.lookups));
        let mut show = |column: &Column<'_>| self.count += column.holds();
        let pushed: Result<(), Undefined> = worker.push(piles, &Memory::Nothing, cell, &mut show);
        pushed.map_err(AskError::Undefined)
    }
}
