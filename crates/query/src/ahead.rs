//! Levels that are computed as a whole, because many of their positions that no table has are asked
//! for.
//!
//! A position by itself takes microseconds to milliseconds, and a cell of a level less than a
//! nanosecond. Whoever is going to ask for many positions shows some of them beforehand. What all of
//! them take by themselves is added up for each length, and once it is more than their level takes, the
//! level is made: at most twice the time is spent that would have been best, however they come.

use std::sync::{Arc, PoisonError, RwLock};

use grundy_kernels::Isa;
use grundy_rules::{Game, Pile, Position, Remembers, Table};
use grundy_solvers::{
    Answer, IN_BROWSER, Limits, Listing, Means, Source, Tables as _, read_cells, solver,
};
use grundy_sweep::Control;

use crate::Database;

/// Levels that were made, and what was spent on those that were not. Databases that differ in limits
/// share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ahead(Arc<RwLock<Vec<Account>>>);

/// Positions of one game and length.
#[derive(Debug)]
struct Account {
    game: Game,
    length: usize,
    /// Seconds that positions take by themselves.
    spent: f64,
    level: Option<Made>,
}

/// The values of all words, in lexicographic order.
#[derive(Debug)]
struct Made {
    max_pile: Pile,
    width: usize,
    bytes: Vec<u8>,
}

impl Made {
    fn value(&self, piles: &[Pile]) -> Option<u32> {
        let n = self.max_pile as usize;
        let mut place = 0;
        for &pile in piles {
            if !(1..=self.max_pile).contains(&pile) {
                return None;
            }
            place = place * n + pile as usize - 1;
        }
        let mut cell = Vec::with_capacity(1);
        read_cells(self.width, self.bytes.get(place * self.width..)?.get(..self.width)?, &mut cell);
        cell.first().copied()
    }
}

/// Nanoseconds to write a cell down, and how many piles of a level more are made than were seen.
const WRITE: f64 = 1.0;
const MARGIN: Pile = 64;

impl Database {
    /// Says that many positions are going to be asked for, of which these are some. A level of theirs is
    /// computed as a whole if that takes less than all of them by themselves. Answers are the same
    /// without it.
    pub fn foresee(&self, game: Game, some: &[Position], count: usize, control: &Control) {
        let is_listed = game.is_impartial() && game.remembers() == Remembers::Nothing;
        if IN_BROWSER || !is_listed || some.is_empty() {
            return;
        }
        let weight = count as f64 / some.len() as f64 / rayon::current_num_threads() as f64;
        let mut lengths: Vec<usize> = some.iter().map(Position::length).collect();
        lengths.sort_unstable();
        lengths.dedup();
        for length in lengths.into_iter().filter(|&length| length > 1) {
            let here = some.iter().filter(|position| position.length() == length);
            let mut beyond: Vec<(Pile, f64)> = self.timed(|desk| {
                here.filter(|position| self.is_unknown(game, position))
                    .map(|position| {
                        let seconds = solver(game).seconds_alone(game, position.piles(), desk);
                        (position.max_pile(), weight * seconds)
                    })
                    .collect()
            });
            beyond.sort_by_key(|(largest, _)| *largest);
            let mut spent = self.ahead.spend(game, length, &beyond);
            // Without the largest, a level may be worth it all the same.
            while let Some(&(largest, seconds)) = beyond.last() {
                if self.make(game, length, largest.saturating_add(largest / MARGIN), spent, control)
                {
                    break;
                }
                spent -= seconds;
                beyond.pop();
            }
        }
    }

    /// Says whether a position has to be computed by itself.
    fn is_unknown(&self, game: Game, position: &Position) -> bool {
        let is_proved = self.theorems && game.theorem(position).is_some();
        !is_proved && !self.holds(game, position) && self.ahead.value(game, position).is_none()
    }

    fn holds(&self, game: Game, position: &Position) -> bool {
        let piles = position.piles();
        self.find(game, piles.len(), &|stored| stored.table().holds(piles)).is_some()
    }

    /// Makes a level if it takes less than the seconds that its positions take by themselves, and fits
    /// with others into a quarter of the memory.
    fn make(
        &self,
        game: Game,
        length: usize,
        max_pile: Pile,
        spent: f64,
        control: &Control,
    ) -> bool {
        let Ok(table) = Table::new(game, max_pile, length) else { return false };
        let Limits { memory, seconds: allowed } = self.limits;
        let memory = memory.share(4);
        let cells = f64::from(max_pile).powi(length as i32);
        let bytes = cells * table.value_bytes() as f64;
        let threads = rayon::current_num_threads() as u64;
        let needs = solver(game).needs(&table, &Means { memory, threads, frame_bytes: 1 << 16 });
        let seconds = 2.0 * needs.seconds + cells * WRITE * 1e-9;
        let room = memory.bytes().saturating_sub(self.ahead.bytes_besides(game, length));
        let fits = bytes < room as f64 && memory.check(needs.memory).is_ok();
        let is_listed = Listing::of(&table) == Listing::Words && table.least_pile() == 1;
        if !is_listed || !fits || seconds > spent.min(allowed) {
            return false;
        }
        // What is counted is answers.
        let control = control.part();
        let made = self.rows(&table, Isa::best(), &control).ok().and_then(|rows| {
            let shape = rows.shape();
            let mut bytes = vec![0; shape.bytes()? as usize];
            rows.fill(0, &mut bytes, &control).ok()?;
            Some(Made { max_pile, width: shape.width, bytes })
        });
        self.ahead.keep(game, length, made);
        true
    }

    /// The value of a position in a level that was made, if no table has it.
    pub(crate) fn foreseen(&self, game: Game, position: &Position) -> Option<Answer> {
        if IN_BROWSER {
            return None;
        }
        let value = self.ahead.value(game, position).filter(|_| !self.holds(game, position))?;
        Some(Answer::of_value(value, Source::Computed))
    }
}

impl Ahead {
    fn value(&self, game: Game, position: &Position) -> Option<u32> {
        let accounts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_here =
            |account: &&Account| (account.game, account.length) == (game, position.length());
        accounts.iter().find(is_here)?.level.as_ref()?.value(position.piles())
    }

    /// Bytes of the levels of other games or lengths.
    fn bytes_besides(&self, game: Game, length: usize) -> u64 {
        let accounts = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let others = accounts.iter().filter(|a| (a.game, a.length) != (game, length));
        others.filter_map(|account| Some(account.level.as_ref()?.bytes.len() as u64)).sum()
    }

    /// Adds what positions take to what was spent before.
    fn spend(&self, game: Game, length: usize, beyond: &[(Pile, f64)]) -> f64 {
        let mut accounts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let is_here = |account: &Account| (account.game, account.length) == (game, length);
        let at = accounts.iter().position(is_here).unwrap_or_else(|| {
            accounts.push(Account { game, length, spent: 0.0, level: None });
            accounts.len() - 1
        });
        accounts[at].spent += beyond.iter().map(|(_, seconds)| seconds).sum::<f64>();
        accounts[at].spent
    }

    /// Keeps a level in the place of a smaller one.
    fn keep(&self, game: Game, length: usize, made: Option<Made>) {
        let mut accounts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for account in accounts.iter_mut() {
            if (account.game, account.length) == (game, length) {
                account.spent = 0.0;
                account.level = made;
                return;
            }
        }
    }
}
