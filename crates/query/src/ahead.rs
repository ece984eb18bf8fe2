//! Levels that are computed as a whole, because many of their positions that no table has are asked
//! for.
//!
//! A position by itself takes microseconds to milliseconds, and a cell of a level less than a
//! nanosecond. A caller with many positions gives a sample of them beforehand. What all of them take by
//! themselves is added up for each length, and once it is more than their level takes, the level is
//! computed: at most twice the time is spent that would have been best, however they come.

use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockWriteGuard};

use grundy_rules::{Game, Pile, Position};
use grundy_solvers::read_cells;

/// Levels that were computed, and what was spent on those that were not. Copies of a database share them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ahead {
    accounts: Arc<RwLock<Vec<Account>>>,
    /// Held by the thread that computes a level.
    pub(crate) computing: Arc<Mutex<()>>,
}

/// Positions of one game and length.
#[derive(Debug)]
struct Account {
    game: Game,
    length: usize,
    /// Seconds that positions take by themselves.
    spent: f64,
    level: Option<Level>,
}

/// The values of all words, in lexicographic order.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) max_pile: Pile,
    /// Bytes of a cell.
    pub(crate) width: usize,
    pub(crate) bytes: Vec<u8>,
}

impl Level {
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

impl Ahead {
    pub(crate) fn value(&self, game: Game, position: &Position) -> Option<u32> {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let is_here =
            |account: &&Account| (account.game, account.length) == (game, position.length());
        accounts.iter().find(is_here)?.level.as_ref()?.value(position.piles())
    }

    /// Bytes of the levels.
    pub(crate) fn bytes(&self) -> u64 {
        let accounts = self.accounts.read().unwrap_or_else(PoisonError::into_inner);
        let bytes = |account: &Account| Some(account.level.as_ref()?.bytes.len() as u64);
        accounts.iter().filter_map(bytes).sum()
    }

    fn write(&self) -> RwLockWriteGuard<'_, Vec<Account>> {
        self.accounts.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what positions take to what was spent before; returns the latter.
    pub(crate) fn spend(&self, game: Game, length: usize, seconds: f64) -> f64 {
        let mut accounts = self.write();
        let is_here = |account: &Account| (account.game, account.length) == (game, length);
        let at = accounts.iter().position(is_here).unwrap_or_else(|| {
            accounts.push(Account { game, length, spent: 0.0, level: None });
            accounts.len() - 1
        });
        let before = accounts[at].spent;
        accounts[at].spent += seconds;
        before
    }

    /// Keeps a level in the place of another one.
    pub(crate) fn keep(&self, game: Game, length: usize, level: Level) {
        let mut accounts = self.write();
        let is_here = |account: &&mut Account| (account.game, account.length) == (game, length);
        if let Some(account) = accounts.iter_mut().find(is_here) {
            account.spent = 0.0;
            account.level = Some(level);
        }
    }
}
